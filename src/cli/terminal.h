/* terminal.h - whether standard error is a terminal, as far as the standard library can tell. */
#ifndef HINGE_CLI_TERMINAL_H
#define HINGE_CLI_TERMINAL_H

#include <stddef.h>

/* The number of its columns: what COLUMNS in the environment says, else 80. 0: it is no terminal,
 * or nothing is known about it. */
size_t terminal_width(void);

#endif
