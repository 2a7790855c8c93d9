/* scale.c - data -> the same rows with scaled features: scale [options] data [output] */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    return report_run(argc, argv, scaling_run);
}
