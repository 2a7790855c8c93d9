/* search_points.c - the values of C, for regression also those of epsilon; the folds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/search.h"
#include "learn/costs.h"

/* Appends a point. */
static enum hinge_status add_point(struct search *search, double C, struct hinge_error *error)
{
    const size_t count = search->count + 1;

    if (ARRAY_RESIZE(&search->C, count, error) || ARRAY_RESIZE(&search->point, count, error))
        return failure(error);
    search->C[search->count] = C;
    search->point[search->count++] = (struct path_point){.epsilon = search->parameters.epsilon};
    return HINGE_OK;
}

/* Appends the C of --c-range, or LIBLINEAR's: from -c, or from the least C worth a try, to 2^10;
 * for regression, to 2^20. */
static enum hinge_status choose_range(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const double least = settings->ranged || settings->least_C > 0
                             ? settings->least_C
                             : hinge_least_C(search->data, &search->parameters, error);
    const double lowest = settings->ranged ? settings->lowest : log2(least);
    const double stride = settings->ranged ? settings->stride : 1;
    const double end = search->is_regression ? 20 : 10;
    const double highest = settings->ranged ? settings->highest : fmax(end, lowest);
    enum hinge_status status = settings->ranged || least > 0 ? HINGE_OK : failure(error);
    const size_t count = status ? 0 : 1 + (size_t)floor((highest - lowest) / stride + 1e-9);

    for (size_t k = 0; k < count && !status; k++) /* the multiples of -c to the last bit */
        status = add_point(
            search, settings->ranged ? exp2(lowest + (double)k * stride) : ldexp(least, (int)k),
            error);
    return status;
}

/* Appends the C for each of LIBLINEAR's values of epsilon: twentieths of the largest target, from
 * -p or just below that target down to 0. */
static enum hinge_status choose_epsilons(struct search *search, struct hinge_error *error)
{
    enum { PARTS = 20 };
    enum hinge_status status = HINGE_OK;
    double largest = 0;
    int k = PARTS - 1;

    for (size_t i = 0; i < search->data->x.rows; i++)
        largest = fmax(largest, fabs(search->data->label[i]));
    if (!(largest <= 1e100)) /* the limit of P */
        return fail(error, HINGE_BAD_INPUT,
                    "the largest label is %g, and -C tries P up to that: scale the labels",
                    largest);
    if (search->settings->most_p >= 0 && largest > 0)
        k = (int)fmin(search->settings->most_p / (largest / PARTS), k);
    for (k = largest > 0 ? k : 0; k >= 0 && !status; k--) {
        search->parameters.epsilon = k * largest / PARTS;
        status = choose_range(search, error);
    }
    return status;
}

enum hinge_status search_choose(struct search *search, struct hinge_error *error)
{
    if (search->settings->search)
        return search->is_regression ? choose_epsilons(search, error) : choose_range(search, error);
    return add_point(search, search->parameters.C, error);
}

/* Counts what can be a fold: rows that do not weigh 0, or groups with such rows. Refuses one row;
 * there are at least two groups. */
static enum hinge_status count_parts(const struct search *search, size_t *parts,
                                     struct hinge_error *error)
{
    const struct hinge_parameters *parameters = &search->parameters;
    const char *some = parameters->row_weights > 0 ? " that weighs more than 0" : "";
    unsigned char *seen = array_new(search->groups->names.count, 1, error);

    if (!seen)
        return failure(error);
    for (size_t i = 0; i < search->data->x.rows; i++) {
        unsigned char *group =
            search->groups->names.count > 0 ? &seen[parameters->row_group[i]] : NULL;

        if (costs_of_row(parameters, i) == 0 || (group && *group))
            continue;
        ++*parts;
        if (group)
            *group = 1;
    }
    free(seen);
    if (*parts == 1)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "%s: there is only one row%s: at least two are needed",
                    settings_scored_by(search->settings), some);
    return HINGE_OK;
}

enum hinge_status search_prepare(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const char *what = search->groups->names.count > 0 ? "group" : "row";
    const char *criterion = criterion_words[settings->criterion];
    struct path path = {.data = search->data, .parameters = &search->parameters};
    struct classes classes;
    enum hinge_status status = HINGE_OK;
    size_t parts = 0, i = 0;
    int weighs[2] = {0, 0}; /* the classes have rows that weigh more than 0 */

    if (count_parts(search, &parts, error))
        return failure(error);
    search->folds = settings->folds < parts || parts == 0 ? (size_t)settings->folds : parts;
    search->has_named_folds = search->groups->names.count > 0 && search->folds == parts;
    if (settings->folds > parts && parts > 0 && settings->folds < UINT64_MAX && !settings->quiet)
        fprintf(stderr, "%s: warning: more folds than %ss: each %s is a fold of its own\n",
                settings->program, what, what);
    while (i < search->data->x.rows && search->data->label[i] != settings->positive)
        i++;
    if (!isnan(settings->positive) && i == search->data->x.rows)
        return fail(error, HINGE_BAD_ARGUMENT, "--positive: no row has the label %.17g",
                    settings->positive);
    if (!settings->search)
        return HINGE_OK;
    status = path_begin(&path, &classes, error);
    if (status == HINGE_OK && criterion_kind(settings->criterion)->is_ranked) {
        if (classes.count != 2)
            status = fail(error, HINGE_BAD_ARGUMENT,
                          "--criterion %s: it is for two classes, and the data have %lu", criterion,
                          (unsigned long)classes.count);
        for (i = 0; !status && i < path.data->x.rows; i++)
            weighs[classes.of_row[i]] |= costs_of_row(path.parameters, i) > 0;
        if (!status && !(weighs[0] && weighs[1]))
            status =
                fail(error, HINGE_BAD_ARGUMENT, "--criterion %s: all rows of class %.17g weigh 0",
                     criterion, classes.label[weighs[0]]);
    }
    classes_free(&classes);
    return status;
}

int search_next_epsilon(struct search *search)
{
    search->first = search->end;
    while (search->end < search->count &&
           search->point[search->end].epsilon == search->point[search->first].epsilon)
        search->end++;
    if (search->first == search->end)
        return 0;
    search->parameters.epsilon = search->point[search->first].epsilon;
    return 1;
}
