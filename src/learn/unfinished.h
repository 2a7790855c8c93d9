/* unfinished.h - shows monitors that want it the model that a training would return if it were
 * stopped now. */
#ifndef HINGE_LEARN_UNFINISHED_H
#define HINGE_LEARN_UNFINISHED_H

#include "model/model.h"

/* The weights of a training whose w has so many outputs: the columns of the model from c on. */
void unfinished_put(struct hinge_model *model, size_t c, size_t outputs, const double *w);

/* All zero: nobody wants it. */
struct unfinished {
    struct hinge_model *model;
    struct hinge_model shown;      /* a copy of it, to be looked at */
    double begin;                  /* steps before the first one */
    struct unfinished_view *view;  /* [count of monitors] */
    struct hinge_monitor *monitor; /* [count] the list that is to be asked instead; NULL: none */
};

/* The model has all but weights and results; its columns are filled in when the training measures
 * them. Until then they are those of initial (or NULL), if its classes are in the same order, or 0.
 * begin: where step sizes begin, of a stochastic solver.
 * unfinished_end on failure, too. */
enum hinge_status unfinished_begin(struct unfinished *unfinished, struct hinge_model *model,
                                   const struct hinge_model *initial, double begin,
                                   const struct hinge_monitor *monitor, struct hinge_error *error);
void unfinished_end(struct unfinished *unfinished);

#endif
