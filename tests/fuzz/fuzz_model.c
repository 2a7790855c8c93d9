/* fuzz_model.c - any bytes as a model file. The file is refused with its place, or it is a model
 * whose numbers can all be used, and which stays the same when it is written and read. */
#include "fuzz.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

static size_t count_weights(const struct hinge_model *model)
{
    return ((size_t)model->features + (model->bias >= 0)) * model->columns;
}

static void check_model(const struct hinge_model *model)
{
    if (model->classes == 0) /* a regression */
        DEMAND(model->columns == 1 && !hinge_has_probabilities(model));
    else
        DEMAND(model->columns >= 1 && model->columns <= model->classes);
    DEMAND(fabs(model->bias) <= DBL_MAX);
    DEMAND(model->solver_type && !model->solver && !model->result && !model->alpha);
    DEMAND(model->steps >= 0 && model->steps <= DBL_MAX);
    for (size_t c = 0; c < model->classes; c++)
        DEMAND(fabs(model->label[c]) <= DBL_MAX);
    for (size_t k = 0; k < count_weights(model); k++)
        DEMAND(fabs(model->weight[k]) <= DBL_MAX);
    for (size_t k = 0; model->sigmoid && k < 2 * model->columns; k++)
        DEMAND(fabs(model->sigmoid[k]) <= DBL_MAX);
}

/* Decides a row with features below, at and beyond the model's. */
static void decide(const struct hinge_model *model)
{
    const uint32_t index[] = {0, model->features / 2 + 1, model->features + 1, 2147483645};
    const double value[] = {1, -0.5, 1e300, 1};
    const struct hinge_row row = {1, 1, 4, index, value};
    double *decision = calloc(model->columns, sizeof *decision);
    double *probability = calloc(model->classes + 1, sizeof *probability);

    DEMAND(decision && probability);
    hinge_decision_values(model, &row, decision);
    DEMAND(model->classes == 0 || hinge_decide(model, decision) < model->classes);
    DEMAND(!hinge_has_probabilities(model) ||
           hinge_probabilities(model, decision, probability) < model->classes);
    free(decision);
    free(probability);
}

static int same(const double *one, const double *other, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (one[k] != other[k])
            return 0;
    return 1;
}

/* Writes the model to a file below /dev/, which is not renamed, and reads it back. */
static void write_and_read(const struct hinge_model *model)
{
    static char path[32];
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *again;

    if (!*path)
        snprintf(path, sizeof path, "/dev/fd/%d", memfd_create("model", 0));
    DEMAND(hinge_model_write(model, path, &error) == HINGE_OK);
    again = hinge_model_read(path, &error);
    DEMAND(again);
    DEMAND(again->classes == model->classes && again->columns == model->columns);
    DEMAND(again->features == model->features);
    DEMAND(again->bias == model->bias || (again->bias < 0 && model->bias < 0));
    DEMAND(strcmp(again->solver_type, model->solver_type) == 0);
    DEMAND(same(again->label, model->label, model->classes));
    DEMAND(same(again->weight, model->weight, count_weights(model)));
    DEMAND(again->notes == model->notes && again->softmax == model->softmax);
    for (size_t k = 0; k < model->notes; k++)
        DEMAND(*model->note[k].key && strcmp(again->note[k].key, model->note[k].key) == 0 &&
               strcmp(again->note[k].value, model->note[k].value) == 0);
    hinge_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model;

    begin_input(bytes, size);
    model = hinge_model_read("-", &error);
    end_input();
    if (model) {
        check_model(model);
        decide(model);
        write_and_read(model);
    } else {
        DEMAND(error.status == HINGE_BAD_INPUT);
        DEMAND(strncmp(error.message, "(standard input):", 17) == 0);
        DEMAND(!strchr(error.message, '\n'));
    }
    hinge_model_free(model);
    return 0;
}
