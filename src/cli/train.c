/* train.c - data -> model: train [options] data [model] */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    struct invocation invocation;
    const int failed = invocation_begin(&invocation, argc, argv);

    return invocation_end(
        &invocation,
        failed ? failed : training_run(invocation.words.count, invocation.words.word, NULL, NULL));
}
