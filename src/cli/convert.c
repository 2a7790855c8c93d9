/* convert.c - a table -> data: convert [options] table [output]; and back, numbers -> words:
 * convert --labels MAP predicted [output] */
#include "cli/arguments.h"
#include "cli/programs.h"

int main(int argc, char **argv)
{
    return arguments_run(argc, argv, converting_run);
}
