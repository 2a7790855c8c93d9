/* status.h - the one way to fail: fill a struct hinge_error and return its status. */
#ifndef HINGE_BASE_STATUS_H
#define HINGE_BASE_STATUS_H

#include "base/compiler.h"
#include "hinge.h"

/* Fills error and returns status. A message that does not fit is cut. */
enum hinge_status fail(struct hinge_error *error, enum hinge_status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

#endif
