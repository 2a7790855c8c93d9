/* drawing.h - the description of a page, such as one that hinge-grid writes -> the page. */
#ifndef HINGE_CLI_DRAWING_H
#define HINGE_CLI_DRAWING_H

#include <stdio.h>

#include "hinge.h"

/* Reads the description at path, as hinge-files(5) has it, and writes its page. */
enum hinge_status drawing_write(const char *path, FILE *stream, struct hinge_error *error);

#endif
