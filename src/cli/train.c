/* train.c - data -> model: train [options] data [model] */
#include "cli/programs.h"
#include "cli/report.h"

static int start(int argc, char **argv)
{
    return training_run(argc, argv, NULL, NULL);
}

int main(int argc, char **argv)
{
    return report_run(argc, argv, start);
}
