/* cross_validation.c - trainings without each fold predict the fold, one C after another.
 *
 * Two values of C are in work at a time, see folds.h. A column stores its decision values as soon
 * as it is trained; the largest value of a row so far decides its class, so no matrix of values is
 * kept unless it is asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "hinge_metrics.h"
#include "learn/agreement.h"
#include "learn/costs.h"
#include "learn/folds.h"
#include "problem/regulariser.h"

struct cross_validation {
    struct folds folds;
    struct team *team;
    struct hinge_parameters parameters;
    struct classes classes;
    struct hinge_validation validation[PRESENT_VALUES]; /* C k is at k % 2 */
    hinge_validation_function see;
    void *context;
};

void hinge_validation_clear(struct hinge_validation *validation)
{
    if (!validation)
        return;
    hinge_predictions_free(validation->predictions);
    free(validation->fold);
    free(validation->decision);
    free(validation->probability);
    validation->predictions = NULL;
    validation->fold = NULL;
    validation->decision = validation->probability = NULL;
}

/* ---- A fold ------------------------------------------------------------ */

/* Decision values of rows held out that are not yet in the predictions. */
struct decided {
    const struct folds *folds;
    struct hinge_validation *validation;
    size_t count;
    uint32_t row[256];
    uint32_t column[256];
    double value[256];
};

/* Moves the values to the predictions. The class with the largest value decides, the first one if
 * values are equal, in whatever order the classes are trained. */
static void settle(struct decided *decided)
{
    struct hinge_predictions *predictions = decided->validation->predictions;
    const int is_locked = parallel_enter();

    for (size_t s = 0; s < decided->count; s++) {
        const uint32_t i = decided->row[s], column = decided->column[s];
        const double value = decided->value[s];

        if (predictions->target)
            predictions->decision[i] = value;
        else if (decided->folds->path.classes->count == 2)
            predictions->predicted[i] = (uint32_t) !(value > 0);
        else if (value > predictions->decision[i] ||
                 (value == predictions->decision[i] && column < predictions->predicted[i]))
            predictions->predicted[i] = column;
        else
            continue;
        predictions->decision[i] = value;
    }
    decided->count = 0;
    parallel_leave(is_locked);
}

static void decide(void *context, uint32_t i, size_t count, const uint32_t *column,
                   const double *value)
{
    struct decided *decided = context;
    struct hinge_validation *validation = decided->validation;
    size_t largest = 0; /* 0 for two classes */

    for (size_t m = 1; m < count && decided->folds->path.classes->count > 2; m++)
        largest = value[m] > value[largest] ? m : largest;
    for (size_t m = 0; validation->decision && m < count; m++)
        validation->decision[i * validation->columns + column[m]] = value[m];
    decided->row[decided->count] = i;
    decided->column[decided->count] = column[largest];
    decided->value[decided->count++] = value[largest];
    if (decided->count == sizeof decided->value / sizeof *decided->value)
        settle(decided);
}

/* Predicts the rows held out by one column, or by all columns of a joint problem.
 *
 * The share of the losses is 1 - R(w)/P(w). For C' > C the same alpha is feasible and D is not
 * larger, because no loss is negative. So P + D grows by at most C'/C - 1 times the losses. */
static enum hinge_status predict_column(void *context, const struct trained *trained,
                                        struct hinge_error *error)
{
    struct fold_thread *thread = context;
    struct cross_validation *all = thread->folds->owner;
    struct hinge_validation *validation = &all->validation[thread->number % PRESENT_VALUES];
    struct decided decided = {.folds = thread->folds, .validation = validation};
    const struct hinge_result *result = trained->result;
    const struct problem *problem = trained->problem;
    const size_t weights = problem_penalised(problem);
    const double norm = sqrt(2 * regulariser_values(0, 1, trained->w, weights));
    double nonzeros = 0, losses = NAN;
    int is_locked;

    (void)error;
    if (!isnan(result->dual) && !problem_has_both_norms(problem)) {
        const double penalty =
            regulariser_values(problem->l1, problem_l2(problem), trained->w, weights);

        losses = result->primal > 0 ? fmax(0, 1 - penalty / result->primal) : 0;
    }
    for (size_t j = 0; j < weights; j++)
        nonzeros += trained->w[j] != 0;
    is_locked = parallel_enter();
    if (result->outcome != HINGE_NOT_BEGUN) {
        const int is_first = validation->trainings++ == 0;

        validation->certified += result->outcome == HINGE_CERTIFIED;
        if (is_first || result->relative_gap > validation->relative_gap)
            validation->relative_gap = result->relative_gap;
        if (is_first || losses > validation->losses || isnan(losses))
            validation->losses = losses;
        validation->norm = fmax(validation->norm, norm);
        validation->nonzeros = fmax(validation->nonzeros, nonzeros);
    }
    parallel_leave(is_locked);
    if (folds_note(thread, trained))
        return HINGE_OK;
    folds_each_held_out(thread, trained, decide, &decided);
    settle(&decided);
    return HINGE_OK;
}

/* ---- All of them ------------------------------------------------------- */

/* Allocates the predictions of C[k] and fills in labels, folds, and what needs no training: the
 * only class of a fold's training rows has the decision value 0, and classes that a fold does not
 * train on have minus infinity. With two classes, the first one's value less the second one's is
 * infinite. */
static enum hinge_status prepare(void *owner, size_t k, struct hinge_error *error)
{
    struct cross_validation *all = owner;
    const struct folds *folds = &all->folds;
    const struct path *path = &folds->path;
    const int regression = path->solver->info.regression;
    struct hinge_validation *validation = &all->validation[k % PRESENT_VALUES];
    struct hinge_predictions *predictions =
        hinge_predictions_new(path->classes->label, regression ? 0 : path->classes->count, error);

    *validation = (struct hinge_validation){
        .C = folds->C ? folds->C[k] : 0, .columns = path_columns(path), .predictions = predictions};
    if (!predictions ||
        !(validation->fold = array_new(folds->rows, sizeof *validation->fold, error)) ||
        (path->parameters->store_decisions &&
         !(validation->decision =
               array_new(folds->rows, validation->columns * sizeof *validation->decision, error))))
        return failure(error);
    if (path->parameters->row_weights > 0 &&
        !(predictions->weight = array_new(folds->rows, sizeof(double), error)))
        return failure(error);
    memcpy(validation->fold, folds->fold, folds->rows * sizeof *validation->fold);
    for (size_t v = 0; validation->decision && v < folds->rows * validation->columns; v++)
        validation->decision[v] = -HUGE_VAL;
    for (size_t i = 0; i < folds->rows; i++) {
        const size_t only = folds->only_class[folds->fold[i]];
        const double first = only == 0 ? HUGE_VAL : -HUGE_VAL;
        double *decision =
            validation->decision ? validation->decision + i * validation->columns : NULL;

        if (hinge_predictions_add(predictions, path->data->label[folds->row[i]], 0, -HUGE_VAL,
                                  error))
            return failure(error);
        if (predictions->weight)
            predictions->weight[i] = costs_of_row(path->parameters, folds->row[i]);
        if (only < SIZE_MAX) {
            predictions->predicted[i] = (uint32_t)only;
            predictions->decision[i] = predictions->known == 2 ? first : 0;
            for (size_t c = 0; decision && predictions->known == 2 && c < validation->columns; c++)
                decision[c] = c == 0 ? first : -first;
            if (decision && predictions->known > 2)
                decision[only] = 0;
        }
    }
    return HINGE_OK;
}

static enum hinge_status begin_folds(struct cross_validation *all, const double *C, size_t count,
                                     struct hinge_error *error)
{
    struct folds *folds = &all->folds;
    struct path path = folds->path;
    enum hinge_status status = HINGE_OK;
    double *weight;

    path.C = C;
    path.count = count;
    path.rows = path.data->x.rows;
    if (path_begin(&path, &all->classes, error))
        return failure(error);
    if (agreement_find(path.data, path.parameters, path.folds, C, count, &all->team, error))
        return failure(error);
    path.team = folds->path.team = all->team;
    folds->path.solver = path.solver;
    folds->path.classes = path.classes;
    folds_share_threads(folds, count);
    path.threads = folds->path.threads * folds->threads;
    if (path_check_room(&path, 0, error) ||
        !(weight = array_new(path.classes->count, sizeof *weight, error)))
        return failure(error);
    if (costs_weigh_classes(&path, weight, error) ||
        (C && costs_check(&path, weight, error))) /* the costs are in range for all rows */
        status = failure(error);
    free(weight);
    if (status || folds_deal(folds, error))
        return failure(error);
    folds_begin(folds, C, count);
    return HINGE_OK;
}

/* Completes the validation of C[k] and hands it to see. After a stop, folds are missing. The
 * validation then keeps the predictions of the complete folds alone, which are numbered from 0. */
static enum hinge_status show(void *owner, size_t k, struct hinge_error *error)
{
    struct cross_validation *all = owner;
    struct folds *folds = &all->folds;
    struct hinge_validation *validation = &all->validation[k % PRESENT_VALUES];
    struct hinge_predictions *predictions = validation->predictions;
    const unsigned char *complete = folds->complete[k % PRESENT_VALUES];
    const size_t columns = validation->decision ? validation->columns : 0;
    enum hinge_status status = pages_check(&folds->path.data->x, error);
    const int is_cut = folds_done(folds) < folds->path.folds;
    int is_interrupted = 1, *stop = is_cut ? &is_interrupted : &folds->ended;
    uint32_t next = 0;
    size_t kept = 0;

    validation->folds = folds_done(folds);
    if (!is_cut && validation->decision && !status)
        status = held_out_probabilities(folds, validation, error);
    for (size_t fold = 0; is_cut && fold < folds->path.folds; fold++) {
        for (size_t i = 0; complete[fold] && i < folds->rows; i++)
            if (folds->fold[i] == fold)
                validation->fold[i] = next;
        next += complete[fold];
    }
    for (size_t i = 0; is_cut && i < predictions->rows; i++) {
        if (!complete[folds->fold[i]])
            continue;
        validation->fold[kept] = validation->fold[i];
        for (size_t c = 0; c < columns; c++)
            validation->decision[kept * columns + c] = validation->decision[i * columns + c];
        if (predictions->weight)
            predictions->weight[kept] = predictions->weight[i];
        if (predictions->target)
            predictions->target[kept] = predictions->target[i];
        if (predictions->given)
            predictions->given[kept] = predictions->given[i];
        if (predictions->predicted)
            predictions->predicted[kept] = predictions->predicted[i];
        predictions->decision[kept++] = predictions->decision[i];
    }
    if (is_cut)
        predictions->rows = kept;
    if (is_cut && kept == 0)
        hinge_validation_clear(validation);
    if (status == HINGE_OK)
        status = team_end(all->team, error);
    if (status == HINGE_OK)
        status = all->see(all->context, k, validation, stop, error);
    hinge_validation_clear(validation);
    return status;
}

enum hinge_status hinge_cross_validate_each(const struct hinge_dataset *data,
                                            const struct hinge_parameters *parameters, size_t folds,
                                            const double *C, size_t count,
                                            const struct hinge_monitor *monitor,
                                            hinge_validation_function see, void *context,
                                            struct hinge_error *error)
{
    struct cross_validation all = {.parameters = *parameters, .see = see, .context = context};
    enum hinge_status status = HINGE_OK;

    if (parameters->lambda > 0 && count != 1)
        return fail(error, HINGE_BAD_ARGUMENT, "count: with lambda there is one C, not %lu",
                    (unsigned long)count);
    all.folds.path = (struct path){.data = data,
                                   .parameters = &all.parameters,
                                   .monitor = monitor,
                                   .count = 1,
                                   .folds = folds};
    all.folds.take = predict_column;
    all.folds.prepare = prepare;
    all.folds.see = show;
    all.folds.owner = &all;
    if (begin_folds(&all, parameters->lambda > 0 ? NULL : C, count, error) ||
        folds_train(&all.folds, error))
        status = failure(error);
    else if (all.folds.stopped && !all.folds.ended)
        status = show(&all, all.folds.present, error);
    parallel_end();
    for (size_t place = 0; place < PRESENT_VALUES; place++)
        hinge_validation_clear(&all.validation[place]);
    classes_free(&all.classes);
    folds_free(&all.folds);
    team_free(all.team);
    return status;
}

/* Storage of hinge_cross_validate for each validation. */
struct kept {
    struct hinge_validation *validation; /* [count] */
    int *interrupted;
};

static enum hinge_status keep(void *context, size_t k, struct hinge_validation *validation,
                              int *stop, struct hinge_error *error)
{
    const struct kept *kept = context;

    (void)error;
    kept->validation[k] = *validation;
    *validation = (struct hinge_validation){0};
    *kept->interrupted = *stop;
    return HINGE_OK;
}

enum hinge_status hinge_cross_validate(const struct hinge_dataset *data,
                                       const struct hinge_parameters *parameters, size_t folds,
                                       const double *C, size_t count,
                                       const struct hinge_monitor *monitor,
                                       struct hinge_validation *validation, int *interrupted,
                                       struct hinge_error *error)
{
    struct kept kept = {validation, interrupted};
    enum hinge_status status;

    *interrupted = 0;
    for (size_t k = 0; k < count; k++)
        validation[k] = (struct hinge_validation){0};
    status =
        hinge_cross_validate_each(data, parameters, folds, C, count, monitor, keep, &kept, error);
    for (size_t k = 0; k < count && status; k++)
        hinge_validation_clear(&validation[k]);
    return status;
}
