/* stop.h - a question that long loops ask at intervals: should they stop? */
#ifndef HINGE_BASE_STOP_H
#define HINGE_BASE_STOP_H

struct stop {
    int (*is_asked)(const void *context); /* NULL: never stop */
    const void *context;
};

static inline int stop_is_asked(const struct stop *stop)
{
    return stop->is_asked && stop->is_asked(stop->context);
}

#endif
