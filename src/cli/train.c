/* train.c - data -> model: train [options] data [model] */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    return arguments_run(argc, argv, training_run);
}
