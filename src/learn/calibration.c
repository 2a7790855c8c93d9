/* calibration.c - A, B := arg min sum_i w_i (-t_i ln p_i - (1 - t_i) ln(1 - p_i)),
 * p_i = 1/(1 + exp(A f_i + B)).
 *
 * Targets t are Platt's. The method is Newton's with backtracking (Lin, Lin and Weng, A note on
 * Platt's probabilistic outputs for support vector machines, Machine Learning 68, 2007). A sigmoid
 * is fitted to decision values of rows that the training had left out. A model gets its sigmoids
 * from 5 folds; in cross-validation the rows of a fold get theirs from all other folds, so that no
 * row influences its own probability.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "learn/costs.h"
#include "learn/folds.h"

/* ---- The sigmoid ------------------------------------------------------- */

/* The rows and their values x = scale f - centre. Sums and squares of x stay in the range of
 * double, and the two unknowns are nearly independent. */
struct fit {
    size_t rows;
    const double *value;
    const signed char *sign;
    const double *weight;
    double scale; /* a power of 2 */
    double centre;
    int differ;       /* 0: the values are equal up to rounding, and x is 0 */
    double count[2];  /* weight of the negative and the positive rows */
    double target[2]; /* t of the negative and the positive rows */
    double other[2];  /* 1 - t, computed without cancellation */
};

/* A point z = a x + b with its objective, gradient and Hessian. */
struct calibration_point {
    double a, b;
    double objective;
    double g[2];
    double h[3]; /* aa, ab, bb */
};

static double weight_of(const struct fit *fit, size_t i)
{
    return fit->weight ? fit->weight[i] : 1;
}

/* Returns scale f. An infinite value counts as the largest double, NaN as 0. */
static double scaled(const struct fit *fit, size_t i)
{
    const double x = fit->scale * fit->value[i], most = fit->scale * DBL_MAX;

    return fabs(x) <= most ? x : x > 0 ? most : x < 0 ? -most : 0;
}

/* Returns the point (a, b). With e = exp(-|z|) no term cancels. */
static struct calibration_point measure(const struct fit *fit, double a, double b)
{
    struct calibration_point sums = {.a = a, .b = b};

    for (size_t i = 0; i < fit->rows; i++) {
        const double x = fit->differ ? scaled(fit, i) - fit->centre : 0;
        const double z = a * x + b, e = exp_of(-fabs(z));
        const double less = e / (1 + e), more = 1 / (1 + e);
        const double p = z > 0 ? less : more, q = z > 0 ? more : less;
        const double t = fit->target[fit->sign[i] > 0], u = fit->other[fit->sign[i] > 0];
        const double w = weight_of(fit, i), g = w * (t * q - u * p), h = w * p * q;

        sums.objective += w * ((z > 0 ? t * z : -u * z) + log1p_of(e));
        sums.g[0] += g * x;
        sums.g[1] += g;
        sums.h[0] += h * x * x;
        sums.h[1] += h * x;
        sums.h[2] += h;
    }
    return sums;
}

/* Takes Newton steps, each halved until the objective falls by 1e-4 of the prediction. When the
 * prediction is below the rounding errors of the objective, one more full step ends at the optimum
 * up to rounding. */
static struct calibration_point minimise(const struct fit *fit)
{
    enum { MOST_STEPS = 100 };
    struct calibration_point point =
        measure(fit, 0, log_of((fit->count[0] + 1) / (fit->count[1] + 1)));

    for (int k = 0, last = 0; k < MOST_STEPS && !last; k++) {
        /* the diagonal is enlarged by rounding errors; promised is twice the predicted decrease */
        const double aa = point.h[0] * (1 + 1e-14) + DBL_MIN, ab = point.h[1];
        const double bb = point.h[2] * (1 + 1e-14) + DBL_MIN, slope = ab / bb;
        const double rest = fmax(aa - slope * ab, 1e-14 * aa);
        const double da = -(point.g[0] - slope * point.g[1]) / rest;
        const double db = -point.g[1] / bb - slope * da;
        const double promised = -(point.g[0] * da + point.g[1] * db);
        struct calibration_point next = measure(fit, point.a + da, point.b + db);
        double length = 1;

        last = promised <= 1e-12 * point.objective;
        while (!last && !(next.objective <= point.objective - 1e-4 * length * promised)) {
            if (length < 1e-10)
                return point;
            length /= 2;
            next = measure(fit, point.a + length * da, point.b + length * db);
        }
        point = next;
    }
    return point;
}

/* The scale is finite: at most 2^1000. A = scale a may overflow, and is clamped. */
void sigmoid_fit(size_t rows, const double *value, const signed char *sign, const double *weight,
                 double *sigmoid)
{
    struct fit fit = {.rows = rows, .value = value, .sign = sign, .weight = weight, .scale = 1};
    struct calibration_point point;
    double sum = 0, largest = 0, lowest = HUGE_VAL, highest = -HUGE_VAL;
    int exponent;

    for (size_t i = 0; i < rows; i++)
        largest = fmax(largest, fabs(scaled(&fit, i)));
    frexp(largest, &exponent);
    fit.scale = ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
    for (size_t i = 0; i < rows; i++) {
        const double x = scaled(&fit, i);

        lowest = fmin(lowest, x);
        highest = fmax(highest, x);
        sum += weight_of(&fit, i) * x;
        fit.count[sign[i] > 0] += weight_of(&fit, i);
    }
    fit.centre = sum / (fit.count[0] + fit.count[1]);
    fit.differ = highest - lowest > 0x1p-40 * fmax(fabs(lowest), fabs(highest));
    for (int k = 0; k < 2; k++) {
        const double one = 1 / (fit.count[k] + 2), most = (fit.count[k] + 1) / (fit.count[k] + 2);

        fit.target[k] = k == 1 ? most : one;
        fit.other[k] = k == 1 ? one : most;
    }
    point = minimise(&fit);
    sigmoid[0] = clamp(fit.scale * point.a, -DBL_MAX, DBL_MAX);
    sigmoid[1] = point.b - point.a * fit.centre;
}

/* The rows to which a sigmoid is fitted, as sigmoid_fit takes them. */
struct calibration_rows {
    double *value;     /* [rows] */
    signed char *sign; /* [rows] */
    double *weight;    /* [rows] */
};

static enum hinge_status calibration_rows_new(struct calibration_rows *chosen, size_t rows,
                                              struct hinge_error *error)
{
    if (!(chosen->value = array_new(rows, sizeof *chosen->value, error)) ||
        !(chosen->sign = array_new(rows, sizeof *chosen->sign, error)) ||
        !(chosen->weight = array_new(rows, sizeof *chosen->weight, error)))
        return failure(error);
    return HINGE_OK;
}

static void calibration_rows_free(struct calibration_rows *chosen)
{
    free(chosen->value);
    free(chosen->sign);
    free(chosen->weight);
}

/* Fits the sigmoid of class c to the rows of all folds except one, or of all if except is
 * path.folds. Row i has the decision value value[i * stride]. Rows of folds whose models lack the
 * class are left out. If no row remains, all rows enter with the value 0, which gives a constant.
 */
static void fit_class(const struct folds *folds, size_t except, size_t c, const double *value,
                      size_t stride, struct calibration_rows *chosen, double *sigmoid)
{
    const struct path *path = &folds->path;
    size_t rows = 0;

    for (int takes_hidden = 0; takes_hidden <= 1 && rows == 0; takes_hidden++)
        for (size_t i = 0; i < folds->rows; i++) {
            const uint32_t row = folds->row[i];

            if (folds->fold[i] == except ||
                (folds_hides(folds, folds->fold[i], c) && !takes_hidden))
                continue;
            chosen->value[rows] = takes_hidden ? 0 : value[i * stride];
            chosen->sign[rows] = path->classes->of_row[row] == c ? 1 : -1;
            chosen->weight[rows++] = costs_of_row(path->parameters, row);
        }
    sigmoid_fit(rows, chosen->value, chosen->sign, chosen->weight, sigmoid);
}

/* ---- Sigmoids of a model ------------------------------------------------- */

struct calibrator {
    struct folds folds;
    struct hinge_parameters parameters; /* parameters of the path without lambda and initial */
    double *decision;                   /* [columns * rows] column by column */
    struct calibration_rows chosen;
};

static void keep_row(void *context, uint32_t i, size_t count, const uint32_t *column,
                     const double *value)
{
    const struct folds *folds = context;
    const struct calibrator *calibrator = folds->owner;

    for (size_t m = 0; m < count; m++)
        calibrator->decision[column[m] * folds->rows + i] = value[m];
}

/* Stores the decision values of the rows held out, for one class or all. */
static enum hinge_status keep_columns(void *context, const struct trained *trained,
                                      struct hinge_error *error)
{
    struct fold_thread *thread = context;

    (void)error;
    if (!folds_note(thread, trained))
        folds_each_held_out(thread, trained, keep_row, thread->folds);
    return HINGE_OK;
}

struct calibrator *calibrator_new(const struct path *path, struct hinge_error *error)
{
    enum { FOLDS = 5 };
    const struct hinge_parameters *parameters = path->parameters;
    const char *what = parameters->row_groups > 0 ? "groups of rows" : "rows";
    const size_t columns = path_columns(path);
    struct calibrator *calibrator = array_new(1, sizeof *calibrator, error);
    struct folds *folds;
    uint32_t group[FOLDS]; /* different ones among the rows that do not weigh 0 */
    size_t count = 0;

    if (!calibrator)
        return NULL;
    folds = &calibrator->folds;
    for (uint32_t i = 0; i < path->data->x.rows && count < FOLDS; i++) {
        size_t known = 0;

        if (!(costs_of_row(parameters, i) > 0))
            continue;
        group[count] = i < parameters->row_groups ? parameters->row_group[i] : i;
        while (group[known] != group[count])
            known++;
        count += known == count;
    }
    calibrator->parameters = *parameters;
    calibrator->parameters.lambda = 0;
    calibrator->parameters.initial = NULL;
    folds->path = *path;
    folds->path.parameters = &calibrator->parameters;
    folds->path.count = 1;
    folds->path.folds = count;
    folds->take = keep_columns;
    folds->owner = calibrator;
    folds_share_threads(folds, 1);
    if (count < 2) /* one group, or one row of a class that the initial model has */
        error_fill(error, HINGE_BAD_ARGUMENT,
                   "probability: a sigmoid is fitted to two %s at least, and only one weighs more "
                   "than 0: give more %s a weight, or ask for no probabilities",
                   what, what);
    if (count < 2 || folds_deal(folds, error) ||
        calibration_rows_new(&calibrator->chosen, folds->rows, error) ||
        !(calibrator->decision =
              array_new(folds->rows, columns * sizeof *calibrator->decision, error))) {
        calibrator_free(calibrator);
        return NULL;
    }
    return calibrator;
}

void calibrator_free(struct calibrator *calibrator)
{
    if (!calibrator)
        return;
    folds_free(&calibrator->folds);
    calibration_rows_free(&calibrator->chosen);
    free(calibrator->decision);
    free(calibrator);
}

enum hinge_status calibrator_fit(struct calibrator *calibrator, struct hinge_model *model,
                                 struct hinge_error *error)
{
    struct folds *folds = &calibrator->folds;

    folds_begin(folds, &model->C, 1);
    for (size_t c = 0; c < model->problems; c++)
        folds->stopped |= outcome_is_stop(model->result[c].outcome);
    if (!folds->stopped && folds_train(folds, error))
        return failure(error);
    if (folds->stopped) {
        model->uncalibrated = 1;
        return HINGE_OK;
    }
    if (!(model->sigmoid = array_new(2 * model->columns, sizeof *model->sigmoid, error)))
        return failure(error);
    for (size_t c = 0; c < model->columns; c++)
        fit_class(folds, folds->path.folds, c, calibrator->decision + c * folds->rows, 1,
                  &calibrator->chosen, model->sigmoid + 2 * c);
    return HINGE_OK;
}

/* ---- Probabilities of rows left out -------------------------------------- */

/* Classes that a fold's training rows do not have get probability 0, and all others together 1. */
enum hinge_status held_out_probabilities(const struct folds *folds,
                                         struct hinge_validation *validation,
                                         struct hinge_error *error)
{
    const struct path *path = &folds->path;
    const struct hinge_solver *solver = &path->solver->info;
    const size_t rows = folds->rows, classes = path->classes->count;
    struct hinge_model model = {.classes = solver->regression ? 0 : classes,
                                .columns = validation->columns,
                                .softmax = solver_is_softmax(path->solver),
                                .solver_type = solver->model_name};
    const int fits = !hinge_has_probabilities(&model);
    struct calibration_rows chosen = {NULL, NULL, NULL};
    enum hinge_status status = HINGE_OK;

    if (fits && !path->parameters->probability)
        return HINGE_OK;
    if (!(validation->probability =
              array_new(rows, classes * sizeof *validation->probability, error)) ||
        (fits && (calibration_rows_new(&chosen, rows, error) ||
                  !(model.sigmoid = array_new(2 * model.columns, sizeof *model.sigmoid, error)))))
        status = failure(error);
    for (uint32_t fold = 0; fold < path->folds && !status; fold++) {
        for (size_t c = 0; c < model.columns && fits; c++)
            fit_class(folds, fold, c, validation->decision + c, model.columns, &chosen,
                      model.sigmoid + 2 * c);
        for (size_t i = 0; i < rows; i++) {
            double *probability = validation->probability + i * classes, total = 0;

            if (validation->fold[i] != fold)
                continue;
            hinge_probabilities(&model, validation->decision + i * model.columns, probability);
            for (size_t c = 0; c < classes && folds->hides_classes; c++) {
                if (folds->only_class[fold] < SIZE_MAX)
                    probability[c] = c == folds->only_class[fold];
                else if (folds_hides(folds, fold, c))
                    probability[c] = 0;
                total += probability[c];
            }
            for (size_t c = 0; c < classes && total > 0; c++)
                probability[c] /= total;
        }
    }
    calibration_rows_free(&chosen);
    free(model.sigmoid);
    return status;
}
