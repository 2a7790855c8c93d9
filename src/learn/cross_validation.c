/* cross_validation.c - for each fold: train on the others, along the path of C, predict for it. */
#include "learn/cross_validation.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/split.h"
#include "learn/calibration.h"
#include "learn/costs.h"

/* Rows are positions among those that do not weigh 0, as in the predictions. */
struct fold_run {
    const struct hinge_parameters *parameters;
    struct classes classes;
    size_t rows;
    uint32_t *row;                       /* [rows] their numbers in the data */
    uint32_t *fold;                      /* [rows] */
    uint32_t *training;                  /* [rows] numbers in the data of the rows to train on */
    double *value;                       /* [columns] of a row, if they are of one problem */
    size_t held_out;                     /* the fold to predict for */
    double C;                            /* from lambda and the rows to train on */
    int stopped;                         /* a monitor ended a training */
    struct hinge_validation *validation; /* [count] */
    double *decision;                    /* [columns * rows] of probabilities, else NULL */
};

void hinge_validation_clear(struct hinge_validation *validation)
{
    if (!validation)
        return;
    hinge_predictions_free(validation->predictions);
    validation->predictions = NULL;
}

/* ---- A fold ------------------------------------------------------------ */

/* Whether a training was stopped, this one or an earlier one: nobody will see what is predicted. */
static int note_stop(struct fold_run *run, const struct hinge_result *result)
{
    return run->stopped |= result->outcome == HINGE_INTERRUPTED ||
                           result->outcome == HINGE_TIME_LIMIT ||
                           result->outcome == HINGE_NOT_BEGUN;
}

/* The largest of a row's decision values, and its column; of two classes the first. */
static double decide(const struct fold_run *run, const struct problem *problem, uint32_t i,
                     const double *w, uint32_t *column)
{
    const struct sparse x = problem_row(problem, i);

    problem_dots(problem, &x, w, run->value);
    for (uint32_t c = 1; c < problem->classes && problem->classes > 2; c++)
        *column = run->value[c] > run->value[*column] ? c : *column;
    return run->value[*column];
}

/* Decision values of one class for the rows held out, or of all: the largest so far decides. */
static enum hinge_status predict_column(void *context, const struct trained *trained,
                                        struct hinge_error *error)
{
    struct fold_run *run = context;
    struct hinge_validation *validation = &run->validation[trained->position];
    struct hinge_predictions *predictions = validation->predictions;
    struct problem all = *trained->problem;

    (void)error;
    validation->trainings++;
    validation->certified += trained->result->outcome == HINGE_CERTIFIED;
    if (validation->trainings == 1 || trained->result->gap > validation->gap)
        validation->gap = trained->result->gap;
    if (note_stop(run, trained->result))
        return HINGE_OK;
    all.row = run->row;
    for (uint32_t i = 0; i < run->rows; i++) {
        uint32_t column = (uint32_t)trained->column;
        double decision;

        if (run->fold[i] != run->held_out)
            continue;
        decision = all.classes > 0 ? decide(run, &all, i, trained->w, &column)
                                   : problem_decision(&all, i, trained->w);
        if (predictions->target)
            predictions->decision[i] = decision;
        else if (run->classes.count == 2)
            predictions->predicted[i] = decision > 0 ? 0 : 1;
        else if (trained->column == 0 || decision > predictions->decision[i])
            predictions->predicted[i] = column;
        else
            continue;
        predictions->decision[i] = decision;
    }
    return HINGE_OK;
}

/* All decision values of one class for the rows held out, or of all classes. */
static enum hinge_status keep_column(void *context, const struct trained *trained,
                                     struct hinge_error *error)
{
    struct fold_run *run = context;
    struct problem all = *trained->problem;
    const size_t outputs = problem_outputs(&all);

    (void)error;
    if (note_stop(run, trained->result))
        return HINGE_OK;
    all.row = run->row;
    for (uint32_t i = 0; i < run->rows; i++) {
        const struct sparse x = problem_row(&all, i);

        if (run->fold[i] != run->held_out)
            continue;
        if (all.classes > 0)
            problem_dots(&all, &x, trained->w, run->value);
        else
            *run->value = problem_dot(&all, &x, trained->w);
        for (size_t m = 0; m < outputs; m++)
            run->decision[(trained->column + m) * run->rows + i] = run->value[m];
    }
    return HINGE_OK;
}

/* ---- All of them ------------------------------------------------------- */

static void free_arrays(struct fold_run *run)
{
    free(run->row);
    free(run->fold);
    free(run->training);
    free(run->value);
    free(run->decision);
}

static enum hinge_status choose_folds(struct fold_run *run, const struct hinge_dataset *data,
                                      size_t folds, struct hinge_error *error)
{
    const struct hinge_parameters *parameters = run->parameters;

    if (!(run->row = array_new(data->x.rows, sizeof *run->row, error)))
        return failure(error);
    for (size_t i = 0; i < data->x.rows; i++)
        if (parameters->row_weights == 0 || parameters->row_weight[i] > 0)
            run->row[run->rows++] = (uint32_t)i;
    if (folds < 2 || folds > run->rows)
        return fail(error, HINGE_BAD_ARGUMENT, "folds: not between 2 and the %lu rows",
                    (unsigned long)run->rows);
    if (!(run->fold = array_new(run->rows, sizeof *run->fold, error)) ||
        !(run->training = array_new(run->rows, sizeof *run->training, error)) ||
        !(run->value = array_new(run->classes.count, sizeof *run->value, error)))
        return failure(error);
    return split_folds(run->row, run->rows, run->classes.of_row, run->classes.count, folds,
                       parameters->seed, run->fold, error);
}

/* Room for the predictions, the given labels in it. */
static enum hinge_status prepare(struct fold_run *run, const struct hinge_dataset *data,
                                 const double *C, size_t count, struct hinge_error *error)
{
    const int regression = hinge_solver_find(run->parameters->solver)->regression;

    for (size_t k = 0; k < count; k++) {
        struct hinge_predictions *predictions =
            hinge_predictions_new(run->classes.label, regression ? 0 : run->classes.count, error);

        run->validation[k].C = run->parameters->lambda > 0 ? 0 : C[k];
        run->validation[k].predictions = predictions;
        for (size_t i = 0; i < run->rows; i++)
            if (!predictions ||
                hinge_predictions_add(predictions, data->label[run->row[i]], 0, 0, error))
                return failure(error);
    }
    return HINGE_OK;
}

static enum hinge_status run_folds(struct fold_run *run, struct path *path, path_receiver *take,
                                   struct hinge_error *error)
{
    const double lambda = run->parameters->lambda;
    size_t completed;

    for (size_t fold = 0; fold < path->folds && !run->stopped; fold++) {
        run->held_out = path->fold = fold;
        path->row = run->training;
        path->rows = 0;
        for (size_t i = 0; i < run->rows; i++)
            if (run->fold[i] != fold)
                run->training[path->rows++] = run->row[i];
        if (lambda > 0) {
            run->C = 1 / (lambda * costs_total(path));
            path->C = &run->C;
        }
        if (path_run(path, take, run, &completed, error))
            return failure(error);
    }
    return HINGE_OK;
}

enum hinge_status hinge_cross_validate(const struct hinge_dataset *data,
                                       const struct hinge_parameters *parameters, size_t folds,
                                       const double *C, size_t count,
                                       const struct hinge_monitor *monitor,
                                       struct hinge_validation *validation, int *interrupted,
                                       struct hinge_error *error)
{
    struct fold_run run = {.parameters = parameters, .validation = validation};
    struct path path = {.data = data,
                        .parameters = parameters,
                        .monitor = monitor,
                        .C = parameters->lambda > 0 ? NULL : C, /* from each fold's rows */
                        .count = count,
                        .folds = folds};
    enum hinge_status status = HINGE_OK;

    for (size_t k = 0; k < count; k++)
        validation[k] = (struct hinge_validation){0};
    if (parameters->lambda > 0 && count != 1)
        status = fail(error, HINGE_BAD_ARGUMENT, "count: with lambda there is one C, not %lu",
                      (unsigned long)count);
    else if (path_begin(&path, &run.classes, error) || path_check_room(&path, 0, error) ||
             choose_folds(&run, data, folds, error) || prepare(&run, data, C, count, error) ||
             run_folds(&run, &path, predict_column, error))
        status = failure(error);
    *interrupted = run.stopped;
    for (size_t k = 0; k < count && (status || *interrupted); k++)
        hinge_validation_clear(&validation[k]);
    classes_free(&run.classes);
    free_arrays(&run);
    return status;
}

/* ---- Probabilities ----------------------------------------------------- */

struct calibrator {
    struct fold_run run;
    struct path path;
    struct hinge_parameters parameters; /* those of the path, but for lambda and initial */
    signed char *sign;                  /* [rows] */
    double *weight;                     /* [rows] */
};

struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error)
{
    const size_t columns = path_columns(path);
    struct calibrator *calibrator = array_new(1, sizeof *calibrator, error);
    struct fold_run *run;
    size_t rows = 0;

    if (!calibrator)
        return NULL;
    run = &calibrator->run;
    calibrator->parameters = *path->parameters;
    calibrator->parameters.lambda = 0;
    calibrator->parameters.initial = NULL;
    calibrator->path = *path;
    calibrator->path.parameters = run->parameters = &calibrator->parameters;
    calibrator->path.count = 1;
    run->classes = *path->classes;
    for (size_t i = 0; i < path->data->x.rows; i++)
        rows += costs_of_row(path, (uint32_t)i) > 0;
    calibrator->path.folds = rows < 5 ? rows : 5;
    if (choose_folds(run, path->data, calibrator->path.folds, error) ||
        !(calibrator->sign = array_new(run->rows, sizeof *calibrator->sign, error)) ||
        !(calibrator->weight = array_new(run->rows, sizeof *calibrator->weight, error)) ||
        !(run->decision = array_new(run->rows, columns * sizeof *run->decision, error))) {
        calibrator_free(calibrator);
        return NULL;
    }
    return calibrator;
}

void calibrator_free(struct calibrator *calibrator)
{
    if (!calibrator)
        return;
    free_arrays(&calibrator->run);
    free(calibrator->sign);
    free(calibrator->weight);
    free(calibrator);
}

enum hinge_status calibrator_fit(struct calibrator *calibrator, double C, struct hinge_model *model,
                                 struct hinge_error *error)
{
    struct fold_run *run = &calibrator->run;

    run->stopped = 0;
    for (size_t c = 0; c < model->problems; c++)
        note_stop(run, &model->result[c]);
    run->C = C;
    calibrator->path.C = &run->C;
    if (!run->stopped && run_folds(run, &calibrator->path, keep_column, error))
        return failure(error);
    if (run->stopped) {
        model->uncalibrated = 1;
        return HINGE_OK;
    }
    if (!(model->sigmoid = array_new(2 * model->columns, sizeof *model->sigmoid, error)))
        return failure(error);
    for (size_t c = 0; c < model->columns; c++) {
        for (size_t i = 0; i < run->rows; i++) {
            calibrator->sign[i] = run->classes.of_row[run->row[i]] == c ? 1 : -1;
            calibrator->weight[i] = costs_of_row(&calibrator->path, run->row[i]);
        }
        sigmoid_fit(run->rows, run->decision + c * run->rows, calibrator->sign, calibrator->weight,
                    model->sigmoid + 2 * c);
    }
    return HINGE_OK;
}

/* ---- Where to begin ---------------------------------------------------- */

/* LIBLINEAR's least C of a regression: (delta/(2 sum |t|))^2 sum e^2/(2 longest), e the errors
 * beyond epsilon at w = 0 and delta = 1/10: there |<w, x_i>| is small beside the targets. As much
 * at every point is at most C sum |x_j| |x_i| where the loss is linear. */
static double least_of_regression(const struct path *all, const struct solver *solver,
                                  double longest)
{
    double targets = 0, squares = 0, errors = 0;

    for (uint32_t i = 0; i < all->data->x.rows; i++) {
        const double weight = costs_of_row(all, i), target = fabs(all->data->label[i]);
        const double error = positive_part(target - all->parameters->epsilon);

        targets += weight * target;
        errors += weight * error;
        squares += weight * error * error;
    }
    if (!(squares > 0))
        return 1;
    return loss_is_linear(solver->loss)
               ? 0.1 * errors / costs_total(all) / costs_total(all) / longest
               : 0.01 * (squares / targets / targets) / (8 * longest);
}

/* The sum over the rows of a class of weight x_i is added to sum[features + 1], the bias last. */
static void add_class(const struct path *all, uint32_t class, double weight, double *sum)
{
    const struct hinge_matrix *x = &all->data->x;

    for (uint32_t i = 0; i < x->rows; i++) {
        const double its = weight * costs_of_row(all, i);

        if (all->classes->of_row[i] != class)
            continue;
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
            sum[hinge_index(x, k)] += its * hinge_value(x, k);
        sum[all->data->features] += its * fmax(all->parameters->bias, 0);
    }
}

/* Where R is |w|_1: w = 0 is the solution up to C = 1/(phi'(t) max_j |sum_i y_i x_ij|), the sum
 * with the weights of rows and classes. The least of this for a class against the others; 0 on
 * failure. A free bias, whose best value at w = 0 need not be 0, is left out. */
static double least_beside_zero(const struct hinge_dataset *data,
                                const struct hinge_parameters *parameters,
                                struct hinge_error *error)
{
    struct classes classes;
    struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};
    const size_t width = (size_t)data->features + !parameters->free_bias;
    double *weight = NULL, *others = NULL, *own = NULL, largest = 0, slope = 0;
    int failed = path_begin(&all, &classes, error) ||
                 !(weight = array_new(classes.count, sizeof *weight, error)) ||
                 !(others = array_new((size_t)data->features + 1, sizeof *others, error)) ||
                 !(own = array_new((size_t)data->features + 1, sizeof *own, error)) ||
                 costs_weigh_classes(&all, weight, error);

    for (uint32_t c = 0; !failed && c < classes.count; c++)
        add_class(&all, c, classes.count == 2 ? weight[c] : 1, others);
    for (uint32_t c = 0; !failed && c < classes.count; c++) {
        memset(own, 0, ((size_t)data->features + 1) * sizeof *own);
        add_class(&all, c, classes.count == 2 ? 2 * weight[c] : 1 + weight[c], own);
        for (size_t j = 0; j < width; j++)
            largest = fmax(largest, fabs(own[j] - others[j]));
    }
    if (!failed)
        WITH_LOSS(all.solver->loss, slope = loss_slope(LOSS, loss_target(LOSS)));
    free(weight);
    free(others);
    free(own);
    classes_free(&classes);
    return failed ? 0 : largest > 0 ? 1 / (slope * largest) : 1;
}

/* |z_i| <= |w| |x_i| <= sum_j alpha_j |x_j| |x_i|, and alpha_j is at most its cost (L1-loss,
 * logistic), or twice that where z_j >= 0 (L2-loss): with all costs together small enough no z_i
 * reaches 1. LIBLINEAR begins there, too. */
double hinge_least_C(const struct hinge_dataset *data, const struct hinge_parameters *parameters,
                     struct hinge_error *error)
{
    const struct path all = {.data = data, .parameters = parameters, .rows = data->x.rows};
    const struct solver *solver = solver_find(parameters->solver);
    uint32_t row = 0;
    const struct problem one = {.data = data,
                                .rows = 1,
                                .row = &row,
                                .bias_kind =
                                    solver ? solver_bias_kind(solver, parameters) : BIAS_NONE,
                                .bias = parameters->bias};
    const double times = solver && loss_is_curved(solver->loss) ? 1 : 2;
    double longest = 0, heaviest = 1, most;
    struct label_weights given = {{0}, NULL};
    int exponent, failed;

    failed =
        hinge_parameters_check(parameters, error) || label_weights_find(&given, parameters, error);
    for (size_t k = 0; k < given.labels.count; k++)
        heaviest = fmax(heaviest, given.product[k]);
    label_weights_free(&given);
    if (failed || !solver) /* the check has refused a solver that there is not */
        return 0;
    if (solver->only_l1) {
        most = least_beside_zero(data, parameters, error);
        if (!(most > 0 && most < 0.5))
            return most > 0;
        frexp(most, &exponent);
        return ldexp(1, exponent > -332 ? exponent : -332);
    }
    for (; row < data->x.rows; row++)
        longest = fmax(longest, problem_square(&one, 0));
    if (longest == 0 || !(costs_total(&all) > 0))
        return 1;
    most = solver->info.regression ? least_of_regression(&all, solver, longest)
                                   : 1 / longest / (times * heaviest * costs_total(&all));
    if (most >= 1)
        return 1;
    if (!(most >= 1e-99))
        return ldexp(1, -332); /* the least C there is */
    frexp(most, &exponent);
    return ldexp(1, exponent - 1);
}
