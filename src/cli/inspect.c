/* inspect.c - model -> what is in it: inspect [options] model */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    struct invocation invocation;
    const int failed = invocation_begin(&invocation, argc, argv);

    return invocation_end(&invocation,
                          failed ? failed
                                 : inspection_run(invocation.words.count, invocation.words.word));
}
