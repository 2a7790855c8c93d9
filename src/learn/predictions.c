/* predictions.c - collects label, class and decision value of one row after another. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "learn/classes.h"
#include "learn/ranking.h"

/* The public part, and the fields of the library. */
struct predictions {
    struct hinge_predictions shown;
    struct labels labels;
    uint32_t *
        class_of; /* [shown.known] class of each label of the model, which may have a label twice */
    size_t capacity; /* length of the arrays of rows */
};

static enum hinge_status add_label(struct predictions *predictions, double label, uint32_t *number,
                                   struct hinge_error *error)
{
    if (labels_number(&predictions->labels, label, number, error))
        return failure(error);
    predictions->shown.label = predictions->labels.label;
    predictions->shown.classes = predictions->labels.count;
    return HINGE_OK;
}

struct hinge_predictions *hinge_predictions_new(const double *label, size_t classes,
                                                struct hinge_error *error)
{
    struct predictions *predictions = array_new(1, sizeof *predictions, error);

    if (!predictions)
        return NULL;
    predictions->shown.known = classes;
    predictions->shown.positive = predictions->shown.threshold = NAN;
    predictions->class_of = array_new(classes, sizeof *predictions->class_of, error);
    for (size_t c = 0; c < classes; c++)
        if (!predictions->class_of ||
            add_label(predictions, label[c], &predictions->class_of[c], error)) {
            hinge_predictions_free(&predictions->shown);
            return NULL;
        }
    return &predictions->shown;
}

void hinge_predictions_free(struct hinge_predictions *shown)
{
    struct predictions *predictions = (struct predictions *)shown;

    if (!predictions)
        return;
    labels_free(&predictions->labels);
    free(predictions->class_of);
    free(shown->weight);
    free(shown->target);
    free(shown->given);
    free(shown->predicted);
    free(shown->decision);
    free(predictions);
}

enum hinge_status hinge_predictions_add(struct hinge_predictions *shown, double label,
                                        size_t predicted, double decision,
                                        struct hinge_error *error)
{
    struct predictions *predictions = (struct predictions *)shown;
    const size_t capacity = array_grown(predictions->capacity, shown->rows + 1024);
    uint32_t given;

    if (predicted > 0 && predicted >= shown->known)
        return fail(error, HINGE_BAD_ARGUMENT, "predicted: class %lu of %lu",
                    (unsigned long)predicted, (unsigned long)shown->known);
    if (shown->rows == predictions->capacity) {
        if (ARRAY_RESIZE(&shown->decision, capacity, error) ||
            (shown->known == 0 ? ARRAY_RESIZE(&shown->target, capacity, error)
                               : ARRAY_RESIZE(&shown->given, capacity, error) ||
                                     ARRAY_RESIZE(&shown->predicted, capacity, error)))
            return failure(error);
        predictions->capacity = capacity;
    }
    if (shown->known == 0) {
        shown->target[shown->rows] = label;
        shown->decision[shown->rows++] = decision;
        return HINGE_OK;
    }
    if (add_label(predictions, label, &given, error))
        return failure(error);
    shown->given[shown->rows] = given;
    shown->predicted[shown->rows] = predictions->class_of[predicted];
    shown->decision[shown->rows++] = decision;
    return HINGE_OK;
}

enum hinge_status hinge_predictions_cut(struct hinge_predictions *shown, double threshold,
                                        struct hinge_error *error)
{
    const struct predictions *predictions = (const struct predictions *)shown;
    const size_t positive = ranking_positive(shown);

    if (shown->rows == 0 || shown->known != 2 || shown->classes < 2 || positive > 1)
        return fail(error, HINGE_BAD_ARGUMENT, "there are no predictions of two classes to cut");
    shown->threshold = threshold;
    for (size_t i = 0; i < shown->rows; i++) {
        const double value = shown->decision[i];

        shown->predicted[i] = predictions->class_of[hinge_decide_threshold(
            positive, positive == 0 ? value : 0 - value, threshold)];
    }
    return HINGE_OK;
}
