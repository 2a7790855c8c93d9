/* model.c - decision_c = <w_c, x>; label: by its sign, or the c with the largest decision_c. */
#include "hinge.h"

#include <stdlib.h>
#include <string.h>

#include "problem/kernel.h"

void hinge_model_free(struct hinge_model *model)
{
    if (!model)
        return;
    free(model->label);
    free(model->weight);
    free(model->result);
    free(model->alpha);
    free(model);
}

void hinge_decision_values(const struct hinge_model *model, const struct hinge_row *row,
                           double *decision)
{
    const size_t columns = model->columns;
    struct sparse known = {.index_kind = HINGE_INDEX_32, /* the features that the model has */
                           .value_kind = row->value ? HINGE_VALUE_DOUBLE : HINGE_VALUE_ONE,
                           .index = row->index,
                           .value = row->value,
                           .unit = 1,
                           .count = row->count};

    while (known.count > 0 && row->index[known.count - 1] >= model->features)
        known.count--;
    memset(decision, 0, columns * sizeof *decision);
    if (columns == 1)
        *decision = sparse_dot(&known, model->weight);
    for (size_t k = 0; columns > 1 && k < known.count; k++) {
        const double *weight = model->weight + row->index[k] * columns;
        const double value = value_at(&known, k);

        for (size_t c = 0; c < columns; c++)
            decision[c] += value * weight[c];
    }
    if (model->bias >= 0)
        for (size_t c = 0; c < columns; c++)
            decision[c] += model->bias * model->weight[model->features * columns + c];
}

size_t hinge_decide(const struct hinge_model *model, const double *decision)
{
    size_t best = 0;

    if (model->classes == 2 && model->columns == 1)
        return decision[0] > 0 ? 0 : 1;
    for (size_t c = 1; c < model->columns; c++)
        if (decision[c] > decision[best])
            best = c;
    return best;
}
