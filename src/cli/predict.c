/* predict.c - data, model -> a label a row: predict [options] data model output */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    struct arguments arguments;
    const int failed = arguments_begin(&arguments, argc, argv);

    return arguments_end(&arguments,
                         failed ? failed : prediction_run(arguments.count, arguments.word));
}
