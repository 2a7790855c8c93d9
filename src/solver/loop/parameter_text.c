/* parameter_text.c - name, text -> a field of the parameters. A parameter has the name of its field
 * and, if that differs, the name of train's option, too. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/number.h"
#include "hinge_team.h"
#include "solver/loop/solver.h"

enum kind { SOLVER, NUMBER, SWITCH, COUNT, BATCH, SAMPLING, AVERAGE };

#define FIELD(name) offsetof(struct hinge_parameters, name)

static const struct {
    const char *name;
    enum kind kind;
    size_t field;
} table[] = {
    {"solver", SOLVER, FIELD(solver)},
    {"C", NUMBER, FIELD(C)},
    {"cost", NUMBER, FIELD(C)},
    {"lambda", NUMBER, FIELD(lambda)},
    {"bias", NUMBER, FIELD(bias)},
    {"free-bias", SWITCH, FIELD(free_bias)},
    {"l1", NUMBER, FIELD(l1)},
    {"epsilon", NUMBER, FIELD(epsilon)},
    {"nu", NUMBER, FIELD(nu)},
    {"cache", NUMBER, FIELD(cache)},
    {"balanced", SWITCH, FIELD(balanced)},
    {"probability", SWITCH, FIELD(probability)},
    {"keep-alpha", SWITCH, FIELD(keep_alpha)},
    {"store-decisions", SWITCH, FIELD(store_decisions)},
    {"relative-gap", NUMBER, FIELD(relative_gap)},
    {"gap", NUMBER, FIELD(relative_gap)},
    {"eps", NUMBER, FIELD(eps)},
    {"max-iter", COUNT, FIELD(max_passes)},
    {"single-method", SWITCH, FIELD(single_method)},
    {"plain", SWITCH, FIELD(single_method)},
    {"iterations", COUNT, FIELD(iterations)},
    {"checkpoint", COUNT, FIELD(checkpoint)},
    {"epochs", NUMBER, FIELD(epochs)},
    {"batch", BATCH, FIELD(batch)},
    {"sampling", SAMPLING, FIELD(sampling)},
    {"average", AVERAGE, FIELD(average)},
    {"suffix", NUMBER, FIELD(suffix)},
    {"seed", COUNT, FIELD(seed)},
    {"threads", BATCH, FIELD(threads)},
};

const char *const sampling_words[] = {"iid", "permute", NULL};
const char *const average_words[] = {"default", "none",   "uniform", "weighted",
                                     "suffix",  "random", NULL};

static enum hinge_status refuse(const char *name, const char *text, const char *wanted,
                                struct hinge_error *error)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", name, text, wanted);
}

static int read_count(const char *text, uint64_t most, uint64_t *count)
{
    const char *end = number_parse_whole(text, most, count);

    return end > text && *end == '\0';
}

static enum hinge_status store(const char *name, const char *text, enum kind kind, void *field,
                               struct hinge_error *error)
{
    const char *const *words = kind == SAMPLING ? sampling_words : average_words;
    const struct solver *solver;
    uint64_t count;
    int word = 0;

    switch (kind) {
    case SOLVER:
        if (!(solver = solver_called(text))) {
            char known[512];

            solver_list(known, sizeof known);
            return fail(error, HINGE_BAD_ARGUMENT, "%s: '%.100s' is not a solver; there are %s",
                        name, text, known);
        }
        *(int *)field = solver->info.number;
        return HINGE_OK;
    case NUMBER: {
        double number;

        if (!number_read(text, &number))
            return refuse(name, text, "a finite number", error);
        *(double *)field = number;
        return HINGE_OK;
    }
    case SWITCH:
        if (!read_count(text, 1, &count))
            return refuse(name, text, "0 or 1", error);
        *(int *)field = (int)count;
        return HINGE_OK;
    case COUNT:
        if (!read_count(text, UINT64_MAX, &count))
            return refuse(name, text, "a whole number below 2^64", error);
        *(uint64_t *)field = count;
        return HINGE_OK;
    case BATCH:
        if (!read_count(text, UINT32_MAX, &count))
            return refuse(name, text, "a whole number below 2^32", error);
        *(uint32_t *)field = (uint32_t)count;
        return HINGE_OK;
    case SAMPLING:
    case AVERAGE:
        while (words[word] && strcmp(text, words[word]) != 0)
            word++;
        if (!words[word])
            return refuse(name, text,
                          kind == SAMPLING ? "iid or permute"
                                           : "default, none, uniform, weighted, suffix or random",
                          error);
        if (kind == SAMPLING)
            *(enum hinge_sampling *)field = (enum hinge_sampling)word;
        else
            *(enum hinge_average *)field = (enum hinge_average)word;
        return HINGE_OK;
    }
    return HINGE_OK;
}

enum hinge_status hinge_parameters_set(struct hinge_parameters *parameters, const char *name,
                                       const char *text, struct hinge_error *error)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const char *known = table[k].name, *given = name;

        /* '_' may replace '-', because names in other languages cannot have '-' */
        for (; *known && (*known == *given || (*known == '-' && *given == '_')); known++)
            given++;
        if (*known == *given)
            return store(name, text, table[k].kind, (char *)parameters + table[k].field, error);
    }
    return fail(error, HINGE_BAD_ARGUMENT, "there is no parameter '%s'", name);
}

struct hinge_parameters *hinge_parameters_new(struct hinge_error *error)
{
    struct hinge_parameters *parameters = array_new(1, sizeof *parameters, error);

    if (parameters)
        *parameters = parameters_default();
    return parameters;
}

void hinge_parameters_free(struct hinge_parameters *parameters)
{
    free(parameters);
}

void hinge_parameters_weigh_classes(struct hinge_parameters *parameters, size_t count,
                                    const double *label, const double *weight)
{
    parameters->weights = count;
    parameters->weight_label = label;
    parameters->weight = weight;
}

void hinge_parameters_weigh_rows(struct hinge_parameters *parameters, size_t rows,
                                 const double *weight)
{
    parameters->row_weights = rows;
    parameters->row_weight = weight;
}

void hinge_parameters_group_rows(struct hinge_parameters *parameters, size_t rows,
                                 const uint32_t *group)
{
    parameters->row_groups = rows;
    parameters->row_group = group;
}

void hinge_parameters_team(struct hinge_parameters *parameters, const struct hinge_team *team)
{
    parameters->team = team;
}

void hinge_parameters_start(struct hinge_parameters *parameters, const struct hinge_model *initial)
{
    parameters->initial = initial;
}
