/* working_set.h - the features that a step of the proximal Newton method is about. */
#ifndef HINGE_SOLVER_WORKING_SET_H
#define HINGE_SOLVER_WORKING_SET_H

#include "problem/problem.h"

struct working_set {
    struct problem problem; /* of these features alone */
    uint32_t *member;       /* [features of it] which they are, ascending; NULL: all */
};

/* The entry of w that goes with one of the set. */
static inline size_t working_set_feature(const struct working_set *set, size_t j)
{
    return set->member ? set->member[j] : j;
}

#endif
