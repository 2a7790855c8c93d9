/* status.c - error := (status, message). */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

void error_fill(struct hinge_error *error, enum hinge_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    error->status = status;
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    va_end(arguments);
}
