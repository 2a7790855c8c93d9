/* status.c - error := (status, message). */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void error_fill(struct hinge_error *error, enum hinge_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    error->status = status;
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    va_end(arguments);
}

struct hinge_error *hinge_error_new(void)
{
    return calloc(1, sizeof(struct hinge_error));
}

enum hinge_status hinge_error_status(const struct hinge_error *error)
{
    return error->status;
}

const char *hinge_error_message(const struct hinge_error *error)
{
    return error->message;
}

void hinge_error_free(struct hinge_error *error)
{
    free(error);
}

const char *hinge_version(void)
{
    return HINGE_VERSION;
}
