/* terminal.c - standard error is a terminal if the file system of its file is one of terminals.
 *
 * C99 has no isatty. On Linux /proc/self/fdinfo/2 has the number of the mount that standard error
 * is on, and a line of /proc/self/mountinfo
 *
 *     number parent major:minor root point options [fields] - type source options
 *
 * its type: devpts is of terminals alone. Where there are no such files, nothing is known.
 */
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024 };

/* The number of the mount that standard error is on; negative: not known. */
static long find_mount(void)
{
    FILE *file = fopen("/proc/self/fdinfo/2", "r");
    char line[LINE];
    long mount = -1;

    if (!file)
        return -1;
    while (mount < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "mnt_id:", 7) == 0)
            mount = strtol(line + 7, NULL, 10);
    fclose(file); /* read only: nothing is lost if that fails */
    return mount;
}

/* Whether the mount of that number is one of terminals. A line that is too long is read in parts,
 * of which one may look like another line: its type is not devpts then. */
static int is_of_terminals(long mount)
{
    FILE *file = fopen("/proc/self/mountinfo", "r");
    char line[LINE];
    int found = 0;

    if (!file)
        return 0;
    while (!found && fgets(line, sizeof line, file))
        found = strtol(line, NULL, 10) == mount && strstr(line, " - devpts ") != NULL;
    fclose(file);
    return found;
}

size_t terminal_width(void)
{
    enum { DEFAULT = 80, LEAST = 20, MOST = 500 };
    const long mount = find_mount();
    const char *columns = getenv("COLUMNS");
    char *end = NULL;
    const long number = columns ? strtol(columns, &end, 10) : 0;

    if (mount < 0 || !is_of_terminals(mount))
        return 0;
    return end && end != columns && *end == '\0' && number >= LEAST && number <= MOST
               ? (size_t)number
               : DEFAULT;
}
