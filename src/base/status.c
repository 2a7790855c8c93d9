/* status.c - error := (status, message). */
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

void text_format(char *text, size_t size, const char *format, va_list arguments)
{
    if (vsnprintf(text, size, format, arguments) < 0)
        *text = '\0';
}

/* Copies what fits. Control characters, which file names and users' words may have, become \ooo. */
void error_fill(struct hinge_error *error, enum hinge_status status, const char *format, ...)
{
    char text[sizeof error->message], *line = error->message;
    size_t room = sizeof error->message;
    va_list arguments;

    va_start(arguments, format);
    error->status = status;
    text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *p = text; *p; p++) {
        const int is_control = (unsigned char)*p < ' ' || *p == 127;
        const size_t length = is_control ? 4 : 1;

        if (length >= room)
            break;
        if (is_control)
            sprintf(line, "\\%03o", (unsigned)(unsigned char)*p);
        else
            *line = *p;
        line += length;
        room -= length;
    }
    *line = '\0';
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
