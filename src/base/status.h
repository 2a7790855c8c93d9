/* status.h - how every function fails: it fills a struct hinge_error and returns its status. */
#ifndef HINGE_BASE_STATUS_H
#define HINGE_BASE_STATUS_H

#include <assert.h>
#include <stdarg.h>

#include "base/compiler.h"
#include "hinge.h"

/* Formats like vsnprintf; the text is empty on failure. */
void text_format(char *text, size_t size, const char *format, va_list arguments) PRINTF_LIKE(3, 0);

/* Fills error with a status other than HINGE_OK and a message in printf's format, and has the value
 * status. A message that is too long is cut; control characters become \ooo. */
#define fail(error, status, ...) (error_fill((error), (status), __VA_ARGS__), (status))

void error_fill(struct hinge_error *error, enum hinge_status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Returns the status of a call that failed and filled error. */
static inline enum hinge_status failure(const struct hinge_error *error)
{
    assert(error->status != HINGE_OK);
    return error->status;
}

#endif
