/* convert.c - a table -> data: convert [options] table [output]; and back, numbers -> words:
 * convert --labels MAP predicted [output] */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    struct arguments arguments;
    const int failed = arguments_begin(&arguments, argc, argv);

    return arguments_end(&arguments,
                         failed ? failed : converting_run(arguments.count, arguments.word));
}
