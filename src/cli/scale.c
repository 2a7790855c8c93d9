/* scale.c - data -> the same rows with scaled features: scale [options] data [output] */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    return arguments_run(argc, argv, scaling_run);
}
