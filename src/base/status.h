/* status.h - the one way to fail: fill a struct hinge_error and return its status. */
#ifndef HINGE_BASE_STATUS_H
#define HINGE_BASE_STATUS_H

#include <assert.h>

#include "base/compiler.h"
#include "hinge.h"

/* Fills error with status, which is not HINGE_OK, and the message, printf-like; its value is
 * status. A message that does not fit is cut. */
#define fail(error, status, ...) (error_fill((error), (status), __VA_ARGS__), (status))

void error_fill(struct hinge_error *error, enum hinge_status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* The status to pass on when a call has failed, and so has filled error. */
static inline enum hinge_status failure(const struct hinge_error *error)
{
    assert(error->status != HINGE_OK);
    return error->status;
}

#endif
