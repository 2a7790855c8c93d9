/* refusal.h - lets an allocation fail. A test that includes this file is linked with --wrap of
 * array_new and array_resize. If *calls_left() is n > 0, the n-th call from now on fails. */
#ifndef HINGE_TESTS_REFUSAL_H
#define HINGE_TESTS_REFUSAL_H

#include <string.h>

#include "base/memory.h"

void *__real_array_new(size_t count, size_t size, struct hinge_error *error);
void *__real_array_resize(void *array, size_t count, size_t size, struct hinge_error *error);
void *__wrap_array_new(size_t count, size_t size, struct hinge_error *error);
void *__wrap_array_resize(void *array, size_t count, size_t size, struct hinge_error *error);

static unsigned long *calls_left(void);

static int is_refused(struct hinge_error *error)
{
    unsigned long *left = calls_left();

    if (!left || *left == 0 || --*left != 0)
        return 0;
    error->status = HINGE_NO_MEMORY;
    strcpy(error->message, "out of memory");
    return 1;
}

void *__wrap_array_new(size_t count, size_t size, struct hinge_error *error)
{
    return is_refused(error) ? NULL : __real_array_new(count, size, error);
}

void *__wrap_array_resize(void *array, size_t count, size_t size, struct hinge_error *error)
{
    return is_refused(error) ? NULL : __real_array_resize(array, count, size, error);
}

#endif
