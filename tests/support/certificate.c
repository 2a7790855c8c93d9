/* certificate.c - P, D and the gap in exact arithmetic.
 *
 *     P = 1/2 |w|^2 + sum_i C_i phi(t - y_i <w, x_i>)
 *     D = 1/2 |v|^2 + sum_i C_i phi*(alpha_i / C_i) - t alpha_i,   v = sum_i alpha_i y_i x_i
 *
 * with phi(s) = max(0, s), its square, or, with t = 0 instead of 1, ln(1 + e^s). x are the doubles
 * nearest to the numbers of the file, C_i the doubles that hinge.h defines, w and alpha what the
 * training returned. Only the quotients of the squared hinge and the logarithms are rounded, down,
 * by less than exact.h says.
 *
 * With an l1 term, P also has l1 |w|_1, where l1 is the double nearest to the parameter times sum_i
 * C_i as doubles add it. D has sum_j max(0, |v_j| - l1)^2 / 2 in the place of |v|^2 / 2.
 *
 * The L1-regularised solvers have |w|_1 in the place of 1/2 |w|^2, and no |v|^2 in D. If the
 * largest |v_j| is r > 1, alpha / r takes the place of alpha. Its D is at most D(alpha) / r,
 * because the conjugates are convex, and 0 at 0.
 *
 * Softmax and the solver of Crammer and Singer have two columns of weights here. z_i is the margin
 * of row i's class less the margin of the other class. alpha_i is in the column of its class, and
 * -alpha_i in the other one, so v has two opposite columns.
 *
 * A free bias needs sum alpha_i y_i = 0, which doubles usually miss by a rest r = sum alpha_i y_i.
 * The point is feasible after one alpha_k is moved by -y_k r, a real number, if the result is in
 * 0 .. C_k. It has
 *
 *     D(alpha - y_k r e_k) = D(alpha) - r (<v, x_k> - y_k) + 1/2 r^2 |x_k|^2,
 *
 * and the least of these values counts: a certificate is only called false if no row makes it true.
 */
#define _POSIX_C_SOURCE 200809L /* fileno */

#include "certificate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exact.h"
#include "model/model.h"
#include "solver/loop/parameters.h"

const char *const fault_names[FAULTS] = {
    "gap above target", "gap above reported", "P above reported", "D above reported",
    "infeasible",       "worse than 0",       "file differs"};

/* ---- The problem at a point ---------------------------------------------- */

/* A point, and what was asked for. */
struct point {
    const struct nasty *nasty;
    const struct hinge_model *model;
    enum { LINEAR, SQUARED, LOGISTIC } loss;
    int free_bias;
    int only_l1;    /* R is |w|_1 */
    size_t columns; /* columns of weights and of alpha */
    double l1;
};

static int is_among(int number, const int *list, size_t count)
{
    while (count > 0 && list[count - 1] != number)
        count--;
    return count > 0;
}

static double l1_of(const struct nasty *nasty, int solver)
{
    double total = 0;

    for (size_t i = 0; i < nasty->rows; i++)
        total += nasty_cost(nasty, i);
    return nasty_l1(nasty, solver) * total;
}

static struct point point_of(const struct nasty *nasty, const struct hinge_model *model, int solver)
{
    static const int logistic[] = {0, 7, 62, 6}, squared[] = {1, 2, 5};

    return (struct point){nasty,
                          model,
                          is_among(solver, logistic, sizeof logistic / sizeof *logistic) ? LOGISTIC
                          : is_among(solver, squared, sizeof squared / sizeof *squared)  ? SQUARED
                                                                                         : LINEAR,
                          solver == 50,
                          solver == 5 || solver == 6,
                          model->columns,
                          l1_of(nasty, solver)};
}

/* Returns the column of row i's class. A single column is about the first class. */
static size_t column_of(const struct point *point, size_t i)
{
    return point->columns > 1 && point->nasty->label[i] != point->model->label[0];
}

static double alpha_of(const struct point *point, size_t i)
{
    return point->model->alpha[i * point->columns + column_of(point, i)];
}

static double target_of(const struct point *point)
{
    return point->loss == LOGISTIC ? 0 : 1;
}

static double weight_of(const struct point *point, size_t j, size_t column)
{
    return j < point->model->features ? point->model->weight[j * point->columns + column] : 0;
}

/* sum += z_i */
static void add_margin(const struct point *point, size_t i, struct exact *sum)
{
    const struct nasty *nasty = point->nasty;
    const struct hinge_model *model = point->model;

    for (size_t m = 0; m < point->columns; m++) {
        const double sign = point->columns == 1        ? nasty->label[i]
                            : m == column_of(point, i) ? 1
                                                       : -1;

        for (size_t k = nasty->start[i]; k < nasty->start[i + 1]; k++)
            exact_add_product(sum, sign * nasty->value[k], weight_of(point, nasty->index[k], m));
        if (model->bias >= 0)
            exact_add_product(sum, sign * model->bias,
                              model->weight[model->features * point->columns + m]);
    }
}

/* sum += C_i phi(slack) */
static void add_loss(const struct point *point, double cost, const struct exact *slack,
                     struct exact *sum)
{
    struct exact loss = *slack;

    if (point->loss == LOGISTIC) {
        exact_add_softplus(sum, cost, slack);
        return;
    }
    if (exact_sign(slack) <= 0)
        return;
    if (point->loss == SQUARED)
        exact_multiply(&loss, slack, slack);
    exact_scale(&loss, cost);
    exact_add(sum, &loss, 1);
}

static void exact_primal(const struct point *point, struct exact *primal)
{
    const struct hinge_model *model = point->model;
    const size_t penalised =
        (model->features + (model->bias >= 0 && !point->free_bias)) * point->columns;

    exact_set(primal, 0);
    for (size_t j = 0; j < penalised; j++)
        exact_add_product(primal, model->weight[j],
                          point->only_l1 ? copysign(1, model->weight[j]) : model->weight[j]);
    exact_scale(primal, point->only_l1 ? 1 : 0.5);
    for (size_t j = 0; j < penalised; j++)
        exact_add_product(primal, point->l1, fabs(model->weight[j]));
    for (size_t i = 0; i < point->nasty->rows; i++) {
        struct exact margin, slack;

        exact_set(&margin, 0);
        add_margin(point, i, &margin);
        exact_set(&slack, target_of(point));
        exact_add(&slack, &margin, -1);
        add_loss(point, nasty_cost(point->nasty, i), &slack, primal);
    }
}

/* P(0) */
static void exact_at_zero(const struct point *point, struct exact *primal)
{
    struct exact slack;

    exact_set(primal, 0);
    exact_set(&slack, target_of(point));
    for (size_t i = 0; i < point->nasty->rows; i++)
        add_loss(point, nasty_cost(point->nasty, i), &slack, primal);
}

/* Sets v[features + 1], the bias last, or one of its two opposite columns. */
static void combine(const struct point *point, struct exact *v)
{
    const struct nasty *nasty = point->nasty;

    for (size_t j = 0; j <= nasty->features; j++)
        exact_set(&v[j], 0);
    for (size_t i = 0; i < nasty->rows; i++) {
        const double change = nasty->label[i] * alpha_of(point, i);

        for (size_t k = nasty->start[i]; k < nasty->start[i + 1]; k++)
            exact_add_product(&v[nasty->index[k]], change, nasty->value[k]);
        if (point->model->bias >= 0 && !point->free_bias)
            exact_add_product(&v[nasty->features], change, point->model->bias);
    }
}

/* ---- A free bias ---------------------------------------------------------- */

/* True if alpha_i moved by -y_i rest is in 0 .. C_i. */
static int can_take(const struct point *point, size_t i, const struct exact *rest)
{
    struct exact moved;

    exact_set(&moved, point->model->alpha[i]);
    exact_add(&moved, rest, point->nasty->label[i] < 0 ? 1 : -1);
    return exact_sign(&moved) >= 0 && exact_against(&moved, nasty_cost(point->nasty, i)) <= 0;
}

/* change := 1/2 rest^2 |x_i|^2 - rest (<v, x_i> - y_i) */
static void change_of_dual(const struct point *point, size_t i, const struct exact *v,
                           const struct exact *rest, struct exact *change)
{
    const struct nasty *nasty = point->nasty;
    struct exact square, slope, product;

    exact_set(&square, 0);
    exact_set(&slope, -nasty->label[i]);
    for (size_t k = nasty->start[i]; k < nasty->start[i + 1]; k++) {
        exact_add_product(&square, nasty->value[k], nasty->value[k]);
        product = v[nasty->index[k]];
        exact_scale(&product, nasty->value[k]);
        exact_add(&slope, &product, 1);
    }
    exact_scale(&square, 0.5);
    exact_multiply(&product, &square, rest);
    exact_add(&product, &slope, -1);
    exact_multiply(change, &product, rest);
}

/* Adds to D the change by the best row to take the rest. Returns 0 if no row can take it. */
static int balance(const struct point *point, const struct exact *v, struct exact *dual,
                   int *unbalanced)
{
    const struct nasty *nasty = point->nasty;
    struct exact rest, least, change;
    int found = 0;

    exact_set(&rest, 0);
    for (size_t i = 0; i < nasty->rows; i++)
        exact_add_product(&rest, nasty->label[i], point->model->alpha[i]);
    *unbalanced = exact_sign(&rest) != 0;
    if (!*unbalanced)
        return 1;
    for (size_t i = 0; i < nasty->rows; i++) {
        if (!can_take(point, i, &rest))
            continue;
        change_of_dual(point, i, v, &rest, &change);
        if (!found || exact_compare(&change, &least) < 0)
            least = change;
        found = 1;
    }
    if (found)
        exact_add(dual, &least, 1);
    return found;
}

/* ---- The dual point ------------------------------------------------------- */

static int is_in_bounds(const struct point *point)
{
    for (size_t i = 0; i < point->nasty->rows; i++) {
        const double alpha = alpha_of(point, i), cost = nasty_cost(point->nasty, i);

        if (point->columns > 1 && point->model->alpha[2 * i] != -point->model->alpha[2 * i + 1])
            return 0;
        if (!(alpha >= 0 && alpha <= (point->loss == SQUARED && cost > 0 ? DBL_MAX : cost)))
            return 0;
    }
    return 1;
}

/* Returns the largest |v_j|, but at least 1. */
static double excess_of(const struct exact *v, size_t width)
{
    double largest = 1;

    for (size_t j = 0; j < width; j++)
        if (exact_against(&v[j], largest) > 0 || exact_against(&v[j], -largest) < 0)
            largest = fabs(exact_double(&v[j])) * (1 + 4 * DBL_EPSILON);
    return largest;
}

/* dual += max(0, |v_j| - l1)^2; v_j may become its absolute value. */
static void add_square(const struct point *point, struct exact *v, struct exact *dual)
{
    struct exact rest, square;

    if (exact_sign(v) < 0 && point->l1 > 0)
        exact_scale(v, -1);
    rest = *v;
    exact_add_product(&rest, -point->l1, 1);
    if (point->l1 > 0 && exact_sign(&rest) <= 0)
        return;
    exact_multiply(&square, &rest, &rest);
    exact_add(dual, &square, 1);
}

/* Sets D. Returns 0 if the point is not feasible. */
static int exact_dual(const struct point *point, struct exact *dual, int *unbalanced)
{
    const struct nasty *nasty = point->nasty;
    struct exact *v = malloc((nasty->features + 1) * sizeof *v);
    struct exact quotients;
    int feasible = is_in_bounds(point);

    *unbalanced = 0;
    exact_set(dual, 0);
    if (!v || !feasible) {
        free(v);
        return 0;
    }
    combine(point, v);
    for (size_t j = 0; j <= nasty->features && !point->only_l1; j++)
        add_square(point, &v[j], dual);
    exact_scale(dual, 0.5 * (double)point->columns);
    exact_set(&quotients, 0);
    for (size_t i = 0; i < nasty->rows; i++) {
        const double alpha = alpha_of(point, i);

        exact_add_product(dual, -target_of(point), alpha);
        if (point->loss == SQUARED && alpha > 0)
            exact_add_quotient(&quotients, alpha, nasty_cost(nasty, i));
        if (point->loss == LOGISTIC && alpha > 0)
            exact_add_entropy(dual, nasty_cost(nasty, i), alpha);
    }
    exact_scale(&quotients, 0.25);
    exact_add(dual, &quotients, 1);
    if (point->only_l1 && exact_sign(dual) < 0)
        exact_scale(dual, 1 / excess_of(v, nasty->features + 1));
    if (point->free_bias)
        feasible = balance(point, v, dual, unbalanced);
    free(v);
    return feasible;
}

/* ---- The verdict ---------------------------------------------------------- */

/* gap > share max(P, DBL_MIN) */
static int is_above(const struct exact *gap, double share, const struct exact *primal)
{
    struct exact allowed;

    if (!isfinite(share))
        return isnan(share);
    if (exact_against(primal, DBL_MIN) < 0)
        exact_set(&allowed, DBL_MIN);
    else
        allowed = *primal;
    exact_scale(&allowed, share);
    return exact_compare(gap, &allowed) > 0;
}

/* value > reported */
static int exceeds(const struct exact *value, double reported)
{
    return isfinite(reported) ? exact_against(value, reported) > 0 : !(reported > 0);
}

static size_t entries_of(const struct hinge_model *model)
{
    return (model->features + (model->bias >= 0)) * model->columns;
}

static int is_finite(const struct hinge_model *model)
{
    for (size_t j = 0; j < entries_of(model); j++)
        if (!isfinite(model->weight[j]))
            return 0;
    return 1;
}

void certificate_judge(const struct nasty *nasty, const struct hinge_model *model,
                       struct finding *finding)
{
    const struct point point = point_of(nasty, model, finding->solver);
    const struct hinge_result *result = model->result;
    struct exact primal, dual, gap, zero;

    finding->outcome = result->outcome;
    finding->said[0] = result->primal;
    finding->said[1] = result->dual;
    finding->said[2] = result->relative_gap;
    if (!is_finite(model) || !exact_dual(&point, &dual, &finding->unbalanced)) {
        finding->faults |= INFEASIBLE;
        return;
    }
    exact_primal(&point, &primal);
    exact_at_zero(&point, &zero);
    gap = primal;
    exact_add(&gap, &dual, 1);
    if (result->outcome == HINGE_CERTIFIED && is_above(&gap, finding->target, &primal))
        finding->faults |= GAP_ABOVE_TARGET;
    if (is_above(&gap, result->relative_gap, &primal))
        finding->faults |= GAP_ABOVE_REPORTED;
    if (exceeds(&primal, result->primal))
        finding->faults |= PRIMAL_ABOVE_REPORTED;
    if (exceeds(&dual, result->dual))
        finding->faults |= DUAL_ABOVE_REPORTED;
    finding->primal_at_zero = exact_double(&zero);
    exact_scale(&zero, 1 + 1e-12); /* more than the rounding of values that are equal */
    if (exact_compare(&primal, &zero) > 0 ||
        exact_against(&dual, 1e-12 * finding->primal_at_zero) > 0)
        finding->faults |= WORSE_THAN_ZERO;
    finding->true_value[0] = exact_double(&primal);
    finding->true_value[1] = exact_double(&dual);
    finding->true_value[2] = exact_double(&gap) / fmax(finding->true_value[0], DBL_MIN);
}

/* ---- Files ---------------------------------------------------------------- */

/* Returns the number after "# key " in a model file, or NaN if there is none. */
static double recorded(const char *path, const char *key)
{
    FILE *stream = fopen(path, "r");
    const size_t length = strlen(key);
    char line[256];
    double value = NAN;

    while (stream && fgets(line, sizeof line, stream))
        if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, key, length) == 0 &&
            line[2 + length] == ' ')
            value = strtod(line + 3 + length, NULL);
    if (stream)
        fclose(stream);
    return value;
}

static int same_alpha(const struct hinge_model *model, const char *path)
{
    FILE *stream = fopen(path, "r");
    double number;
    int same = stream != NULL;

    for (size_t d = 0; same && d < model->rows * model->columns; d++)
        same = fscanf(stream, "%lf", &number) == 1 && number == model->alpha[d];
    if (stream)
        fclose(stream);
    return same;
}

/* True if the files hold the returned numbers. */
static int files_agree(const struct hinge_model *model, const char *folder)
{
    char path[2][512];
    struct hinge_error error;
    struct hinge_model *again = NULL;
    int agree;

    snprintf(path[0], sizeof path[0], "%s/oracle.model", folder);
    snprintf(path[1], sizeof path[1], "%s/oracle.alpha", folder);
    agree = hinge_model_write(model, path[0], &error) == HINGE_OK &&
            hinge_alpha_write(model, path[1], &error) == HINGE_OK &&
            (again = hinge_model_read(path[0], &error)) != NULL &&
            again->features == model->features && same_alpha(model, path[1]) &&
            recorded(path[0], "primal") == model->result->primal &&
            recorded(path[0], "dual") == model->result->dual &&
            recorded(path[0], "relative_gap") == model->result->relative_gap;
    for (size_t j = 0; agree && j < entries_of(model); j++)
        agree = again->weight[j] == model->weight[j];
    hinge_model_free(again);
    return agree;
}

/* ---- A training ----------------------------------------------------------- */

struct hinge_dataset *certificate_read(const struct nasty *nasty, struct hinge_error *error)
{
    const struct hinge_format format = {0};
    struct hinge_dataset *data = NULL;
    FILE *stream = tmpfile();
    char path[32];

    error->status = HINGE_FILE_ERROR;
    snprintf(error->message, sizeof error->message, "no scratch file");
    if (!stream)
        return NULL;
    nasty_write(nasty, stream);
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(stream)); /* it has no name of its own */
    if (fflush(stream) == 0)
        data = hinge_dataset_read(path, &format, error);
    fclose(stream);
    return data;
}

struct deadline {
    clock_t start;
    double seconds;
};

static double elapsed(const struct deadline *deadline)
{
    return (double)(clock() - deadline->start) / CLOCKS_PER_SEC;
}

static enum hinge_answer is_time_over(void *context, const struct hinge_progress *progress)
{
    const struct deadline *deadline = context;

    (void)progress;
    return elapsed(deadline) > deadline->seconds ? HINGE_OUT_OF_TIME : HINGE_GO_ON;
}

void certificate_find(const struct nasty *nasty, const struct hinge_dataset *data, int solver,
                      double seconds, const char *folder, void (*trained)(void),
                      struct finding *finding)
{
    const double label[2] = {1, -1};
    const struct hinge_parameters parameters =
        nasty_parameters(nasty, solver, label, nasty->class_weight);
    struct deadline deadline = {clock(), seconds};
    const struct hinge_monitor monitor = {is_time_over, &deadline, NULL, 0};
    struct hinge_error error;
    struct hinge_model *model = hinge_train(data, &parameters, &monitor, &error);

    *finding = (struct finding){.solver = solver, .seconds = elapsed(&deadline)};
    finding->target = nasty->gap > 0 ? nasty->gap : HINGE_DEFAULT_GAP;
    if (trained)
        trained();
    if (!model) {
        finding->refused = (int)error.status;
        snprintf(finding->message, sizeof finding->message, "%.150s", error.message);
        return;
    }
    certificate_judge(nasty, model, finding);
    if (folder && !files_agree(model, folder))
        finding->faults |= FILE_DIFFERS;
    hinge_model_free(model);
}
