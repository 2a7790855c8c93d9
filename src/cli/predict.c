/* predict.c - data, model -> a label a row: predict [options] data model output */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    struct invocation invocation;
    const int failed = invocation_begin(&invocation, argc, argv);

    return invocation_end(&invocation,
                          failed ? failed
                                 : prediction_run(invocation.words.count, invocation.words.word));
}
