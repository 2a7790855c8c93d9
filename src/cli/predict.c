/* predict.c - data, model -> a label a row: predict [options] data model output */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    return report_run(argc, argv, prediction_run);
}
