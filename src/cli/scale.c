/* scale.c - data -> the same rows with scaled features: scale [options] data [output] */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    struct invocation invocation;
    const int failed = invocation_begin(&invocation, argc, argv);

    return invocation_end(
        &invocation, failed ? failed : scaling_run(invocation.words.count, invocation.words.word));
}
