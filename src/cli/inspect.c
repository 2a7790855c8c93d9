/* inspect.c - model -> what is in it: inspect [options] model */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    struct arguments arguments;
    const int failed = arguments_begin(&arguments, argc, argv);

    return arguments_end(&arguments,
                         failed ? failed : inspection_run(arguments.count, arguments.word));
}
