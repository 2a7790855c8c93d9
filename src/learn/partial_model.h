/* partial_model.h - the model that a running training would return if it were stopped now. */
#ifndef HINGE_LEARN_PARTIAL_MODEL_H
#define HINGE_LEARN_PARTIAL_MODEL_H

#include "learn/path.h"
#include "model/model.h"

/* Copies w[outputs of each feature] to the columns of the model from c on. If w is NULL, sets them
 * to 0. */
void model_put_columns(struct hinge_model *model, size_t c, size_t outputs, const double *w);

/* True if the training of the result was stopped, and a monitor has seen the column with a lower P.
 */
int model_keeps_column(const struct hinge_model *model, size_t c,
                       const struct hinge_result *result);

/* All zero: no monitor wants the model. */
struct partial_model {
    struct hinge_model *model;
    struct hinge_model shown;  /* a copy of *model, which monitors see */
    double begin;              /* steps of the initial model */
    struct partial_view *view; /* [number of monitors] */
    struct hinge_monitor
        *monitor; /* [number of monitors] the list to be asked instead; NULL: none */
};

/* Begins to watch the training of a path at one C. The model has everything except weights and
 * results; its columns are filled in when the training measures them. Until then they are those
 * from which the training starts. Free with partial_model_end, on failure too. */
enum hinge_status partial_model_begin(struct partial_model *partial, struct hinge_model *model,
                                      const struct path *path, struct hinge_error *error);
void partial_model_end(struct partial_model *partial);

#endif
