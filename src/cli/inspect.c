/* inspect.c - model -> what is in it: inspect [options] model */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    return report_run(argc, argv, inspection_run);
}
