/* convert.c - a table -> data: convert [options] table [output]; and back, numbers -> words:
 * convert --labels MAP predicted [output] */
#include "cli/programs.h"
#include "cli/report.h"

int main(int argc, char **argv)
{
    return report_run(argc, argv, converting_run);
}
