/* convert.c - a table -> data: convert [options] table [output]; and back, numbers -> words:
 * convert --labels MAP predicted [output] */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    struct invocation invocation;
    const int failed = invocation_begin(&invocation, argc, argv);

    return invocation_end(&invocation,
                          failed ? failed
                                 : converting_run(invocation.words.count, invocation.words.word));
}
