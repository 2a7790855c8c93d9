/* class_loss.h - the losses of a row with a margin for each class: softmax.h for the logistic loss,
 * crammer_singer.h for the hinge. In both, the dual numbers are a = C (e_y - p), p in the simplex.
 */
#ifndef HINGE_PROBLEM_CLASS_LOSS_H
#define HINGE_PROBLEM_CLASS_LOSS_H

#include "problem/crammer_singer.h"
#include "problem/softmax.h"

static inline double class_conjugate(enum loss loss, size_t k, double cost, size_t y,
                                     const double *a)
{
    return loss == LOSS_LOGISTIC ? softmax_conjugate(k, cost, y, a) : singer_conjugate(k, y, a);
}

/* Returns the terms of a row with margins z[k], which it overwrites; a NULL: the value alone. */
static inline struct row_terms class_terms(enum loss loss, size_t k, double cost, double *z,
                                           size_t y, const double *a)
{
    struct row_terms terms = {0, 0, 0};

    if (loss == LOSS_LOGISTIC) {
        const struct softmax of = softmax_of(k, z);

        terms.value = cost * softmax_value(&of, z, y);
        terms.gap = a ? softmax_gap(&of, k, cost, z, y, a) : 0;
    } else {
        double top;

        singer_gains(k, z, y, z);
        top = singer_top(k, z);
        terms.value = cost * top;
        terms.gap = a ? singer_gap(k, cost, top, z, y, a) : 0;
    }
    terms.conjugate = a ? class_conjugate(loss, k, cost, y, a) : 0;
    return terms;
}

/* Returns the value of a row with margins 0. */
static inline double class_value_at_zero(enum loss loss, size_t k, double cost)
{
    return loss == LOSS_LOGISTIC ? cost * log_of((double)k) : cost;
}

/* Returns the class whose margin is subtracted from the others in the value. */
static inline size_t class_base(enum loss loss, size_t k, const double *z, size_t y)
{
    return loss == LOSS_LOGISTIC ? softmax_of(k, z).top : y;
}

#endif
