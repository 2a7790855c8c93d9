/* scale.c - data -> the same rows with scaled features: scale [options] data [output] */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    struct arguments arguments;
    const int failed = arguments_begin(&arguments, argc, argv);

    return arguments_end(&arguments,
                         failed ? failed : scaling_run(arguments.count, arguments.word));
}
