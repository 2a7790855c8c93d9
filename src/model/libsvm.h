/* libsvm.h - models of LIBSVM. */
#ifndef HINGE_MODEL_LIBSVM_H
#define HINGE_MODEL_LIBSVM_H

#include "data/source.h"
#include "model/model.h"

/* True if LIBSVM has written what is at the cursor, the beginning of a model. */
int libsvm_begins(const struct source *source);

/* Reads a model of LIBSVM with a linear kernel. HINGE_BAD_INPUT if its kernel is another one, or if
 * it has more than two classes. The caller frees the model, on failure too. */
enum hinge_status libsvm_read(struct source *source, struct hinge_model *model,
                              struct hinge_error *error);

#endif
