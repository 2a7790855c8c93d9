/* predict.c - data, model -> a label a row: predict [options] data model output */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    return arguments_run(argc, argv, prediction_run);
}
