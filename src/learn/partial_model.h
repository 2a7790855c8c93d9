/* partial_model.h - shows monitors that want it the model that a training would return if it were
 * stopped now. */
#ifndef HINGE_LEARN_PARTIAL_MODEL_H
#define HINGE_LEARN_PARTIAL_MODEL_H

#include "model/model.h"

/* The weights of a training whose w has so many outputs: the columns of the model from c on. */
void model_put_columns(struct hinge_model *model, size_t c, size_t outputs, const double *w);

/* All zero: nobody wants it. */
struct partial_model {
    struct hinge_model *model;
    struct hinge_model shown;      /* a copy of it, to be looked at */
    double begin;                  /* steps before the first one */
    struct partial_view *view;     /* [count of monitors] */
    struct hinge_monitor *monitor; /* [count] the list that is to be asked instead; NULL: none */
};

/* The model has all but weights and results; its columns are filled in when the training measures
 * them. Until then they are those of initial (or NULL), if its classes are in the same order, or 0.
 * begin: where step sizes begin, of a stochastic solver.
 * partial_model_end on failure, too. */
enum hinge_status partial_model_begin(struct partial_model *partial, struct hinge_model *model,
                                      const struct hinge_model *initial, double begin,
                                      const struct hinge_monitor *monitor,
                                      struct hinge_error *error);
void partial_model_end(struct partial_model *partial);

#endif
