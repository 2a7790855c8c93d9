/* models.c - models by hand, their files, limits of the process. */
#define _XOPEN_SOURCE 700 /* ftruncate, setrlimit */
#include "models.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns a finite double that is not 0. All patterns of bits are equally likely. */
static double random_double(uint64_t *state)
{
    for (;;) {
        uint64_t bits = random_bits(state);
        double value;

        memcpy(&value, &bits, sizeof value);
        if (fabs(value) <= DBL_MAX && value != 0)
            return value;
    }
}

void sample_draw(struct sample *sample, size_t classes, uint32_t features, double bias,
                 uint64_t seed)
{
    uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);
    struct hinge_model *model = &sample->model;

    memset(sample, 0, sizeof *sample);
    model->classes = classes;
    model->columns = classes == 2 ? 1 : classes;
    model->features = features;
    model->bias = bias;
    model->solver_type = "L2R_L2LOSS_SVC_DUAL";
    model->label = sample->label;
    model->weight = sample->weight;
    for (size_t c = 0; c < classes; c++)
        sample->label[c] = seed % 2 ? random_double(&state) : (double)c - 1;
    for (size_t k = 0; k < (features + (bias >= 0)) * model->columns; k++)
        if (random_unit(&state) < 0.9)
            sample->weight[k] = random_double(&state);
}

void sample_record(struct sample *sample, uint64_t seed)
{
    uint64_t state = seed + 99;
    struct hinge_model *model = &sample->model;

    model->solver = hinge_solver_find(1);
    model->C = random_unit(&state);
    model->lambda = random_unit(&state);
    model->seed = random_bits(&state);
    model->problems = model->columns;
    model->result = sample->result;
    for (size_t c = 0; c < model->columns; c++)
        sample->result[c] =
            (struct hinge_result){.outcome = (enum hinge_outcome)(c % (HINGE_STALLED + 1)),
                                  .primal = random_unit(&state),
                                  .dual = -random_unit(&state),
                                  .relative_gap = random_unit(&state),
                                  .passes = 17 + c,
                                  .steps = c,
                                  .method = c % 2 ? "newton" : NULL};
}

size_t count_weights(const struct hinge_model *model)
{
    return ((size_t)model->features + (model->bias >= 0)) * model->columns;
}

int same_bits(const double *one, const double *other, size_t count)
{
    return count == 0 || memcmp(one, other, count * sizeof *one) == 0;
}

char *written(const struct hinge_model *model, const char *name, size_t *length)
{
    struct hinge_error error = {HINGE_OK, ""};
    char *text;

    if (hinge_model_write(model, scratch_path(name), &error))
        fail_msg("%s", error.message);
    text = read_file(scratch_path(name), length);
    assert_non_null(text);
    return text;
}

const char *read_from(void)
{
    return scratch_path("test_model.read");
}

struct hinge_model *read_bytes(const void *bytes, size_t length, struct hinge_error *error)
{
    int file = open(read_from(), O_WRONLY);

    if (file < 0)
        file = open(scratch_write("test_model.read", "", 0), O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), length);
    assert_int_equal(ftruncate(file, (off_t)length), 0);
    close(file);
    error->status = HINGE_OK;
    error->message[0] = '\0';
    return hinge_model_read(read_from(), error);
}

struct hinge_model *read_text(const char *text)
{
    struct hinge_error error;
    struct hinge_model *model = read_bytes(text, strlen(text), &error);

    keep_seed("model", text, strlen(text));
    if (!model)
        fail_msg("%s\n%s", error.message, text);
    return model;
}

rlim_t set_limit(int resource, rlim_t soft)
{
    struct rlimit limit;
    rlim_t before;

    assert_int_equal(getrlimit(resource, &limit), 0);
    before = limit.rlim_cur;
    limit.rlim_cur = soft;
    assert_int_equal(setrlimit(resource, &limit), 0);
    return before;
}
