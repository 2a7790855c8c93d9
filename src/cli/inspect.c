/* inspect.c - model -> what is in it: inspect [options] model */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    return arguments_run(argc, argv, inspection_run);
}
