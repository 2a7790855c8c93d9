/* proximal.c - w_j := sign(v) max(|v| - l1 eta, 0) / (1 + sigma eta),  v = w_j - eta g_j, when
 * needed.
 *
 * COMID with the l1 + l2 term (Duchi et al., COLT 2010) and HRMD-W (seed 004, eq. 4, Appendix 1).
 * On paper each step moves every coordinate; here a coordinate is brought up to date when a row
 * needs it, by closed forms. Let G(t) = t for comid (eta = 1/(sigma t)), t (t + 1) for hrmd-w (eta
 * = 2/(sigma t)), K = l1/sigma, soft(u, c) = sign(u) max(|u| - c, 0). Then u_t = G(t) w_t obeys
 *
 *     u_{t+1} = soft(u_t - g_j D/sigma, K D),     D = G(t+1) - G(t),
 *
 * and over a stretch without gradient, from a to b, u_b = soft(u_a, K (G(b) - G(a))).
 * Both averages are sums of u_t/t: the weights are 1 = G(t)/t and t + 1 = G(t)/t. Over a stretch
 * a .. r on which u does not reach 0,
 *
 *     sum_t u_t/t = sign(u_a) sum_t f(t),   f(t) = (|u_a| - K (G(t) - G(a))) / t.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/status.h"
#include "solver/stochastic.h"

struct coordinate {
    double u;        /* at time */
    double time;     /* the t that u belongs to */
    double sum;      /* sum of u_t/t for t < time */
    double gradient; /* of the step being taken */
};

struct proximal {
    struct coordinate *coordinate; /* [width] */
    int quadratic;                 /* G(t) = t (t + 1), else t */
    int averages;
    double k; /* K */
};

/* G(b) - G(a) */
static ALWAYS_INLINE double growth(int quadratic, double a, double b)
{
    return quadratic ? (b - a) * (a + b + 1) : b - a;
}

static ALWAYS_INLINE double soft(double u, double threshold)
{
    double rest = fabs(u) - threshold;

    return rest > 0 ? copysign(rest, u) : 0;
}

/* ---- Sums over a stretch ----------------------------------------------- */

/* log(1 + x) - x for x >= 0, by its series where the difference would cancel; log is log(1 + x). */
static double log1p_minus(double x, double log)
{
    if (x > 0.01)
        return log - x;
    return x * x *
           (-1.0 / 2 + x * (1.0 / 3 - x * (1.0 / 4 - x * (1.0 / 5 - x * (1.0 / 6 - x / 7)))) +
            x * x * x * x * x * x * (-1.0 / 8 + x / 9));
}

/* f(a) + .. + f(r) by Euler and Maclaurin's formula: integral, half the ends, and derivatives at
 * the ends, of which those of 1/x are all that is left. a >= 16 makes the first term left out, of
 * order a^-10, vanish. With d = r - a the integral is |u| log(1 + d/a) plus terms of one sign,
 * which do not cancel as the difference of harmonic numbers would:
 *     comid   K a (log(1 + d/a) - d/a),
 *     hrmd-w  K (a (a + 1) (log(1 + d/a) - d/a) - d^2/2). */
static double sum_long(const struct proximal *proximal, double size, double a, double r)
{
    const double k = proximal->k;
    double d = r - a, base = growth(proximal->quadratic, 0, a);
    double log = log1p(d / a); /* half of the work of a step on many features */
    double p = 1 / (a * a), q = 1 / (r * r);
    double integral = size * log + k * base * log1p_minus(d / a, log);
    double ends = size / a + (size - k * growth(proximal->quadratic, a, r)) / r;
    double series = (p - q) / 12 - (p * p - q * q) / 120 + (p * p * p - q * q * q) / 252 -
                    (p * p * p * p - q * q * q * q) / 240;

    if (proximal->quadratic)
        integral -= k * d * d / 2;
    return integral + ends / 2 + (size + k * base) * series;
}

/* f(a) + .. + f(r), |u_a| = size. */
static double sum_stretch(const struct proximal *proximal, double size, double a, double r)
{
    double sum = 0;
    double t = a;

    while (t <= r && (t < 16 || r - t < 8)) {
        sum += (size - proximal->k * growth(proximal->quadratic, a, t)) / t;
        t++;
    }
    if (t > r)
        return sum;
    return sum + sum_long(proximal, size - proximal->k * growth(proximal->quadratic, a, t), t, r);
}

/* The number of steps from a after which u has reached 0, less one at the most. */
static double steps_to_zero(const struct proximal *proximal, double size, double a)
{
    double h = 2 * a + 1, q;

    if (proximal->k == 0)
        return HUGE_VAL;
    q = size / proximal->k;
    return floor(proximal->quadratic ? 2 * q / (h + sqrt(h * h + 4 * q)) : q);
}

/* Brings a coordinate, its gradient 0 from its time on, to time t. */
static ALWAYS_INLINE void catch_up(const struct proximal *proximal, struct coordinate *coordinate,
                                   double t)
{
    double size = fabs(coordinate->u), a = coordinate->time;

    coordinate->time = t;
    if (coordinate->u == 0 || a == t)
        return;
    if (proximal->averages) {
        double last = fmin(a + steps_to_zero(proximal, size, a), t - 1);

        coordinate->sum += copysign(sum_stretch(proximal, size, a, last), coordinate->u);
    }
    coordinate->u = soft(coordinate->u, proximal->k * growth(proximal->quadratic, a, t));
}

/* ---- A step ------------------------------------------------------------ */

/* <w_t, x_i>, the row's coordinates brought to time t. */
static double decide(const struct run *run, struct proximal *proximal, uint32_t i)
{
    const struct sparse row = binary_row(run->problem, i);
    const size_t last = run->problem->data->features;
    double dot = 0;

    for (size_t k = 0; k < row.count; k++) {
        struct coordinate *coordinate = &proximal->coordinate[index_at(&row, k)];

        catch_up(proximal, coordinate, run->t);
        dot += value_at(&row, k) * coordinate->u;
    }
    if (run->problem->bias >= 0) {
        catch_up(proximal, &proximal->coordinate[last], run->t);
        dot += run->problem->bias * proximal->coordinate[last].u;
    }
    return dot / growth(proximal->quadratic, 0, run->t);
}

/* gradient += factor x_i */
static void add_gradient(const struct run *run, struct proximal *proximal, uint32_t i,
                         double factor)
{
    const struct sparse row = binary_row(run->problem, i);
    const size_t last = run->problem->data->features;

    for (size_t k = 0; k < row.count; k++)
        proximal->coordinate[index_at(&row, k)].gradient += factor * value_at(&row, k);
    if (run->problem->bias >= 0)
        proximal->coordinate[last].gradient += factor * run->problem->bias;
}

/* Takes the step from t to t + 1 for a coordinate that is at time t. */
static ALWAYS_INLINE void move(const struct run *run, const struct proximal *proximal,
                               struct coordinate *coordinate)
{
    double growing = growth(proximal->quadratic, run->t, run->t + 1);

    if (coordinate->time != run->t)
        return; /* another row of the batch has the feature too, and has moved it */
    coordinate->sum += coordinate->u / run->t;
    coordinate->u =
        soft(coordinate->u - coordinate->gradient * growing / run->sigma, proximal->k * growing);
    coordinate->gradient = 0;
    coordinate->time = run->t + 1;
}

static void move_row(const struct run *run, struct proximal *proximal, uint32_t i)
{
    const struct hinge_dataset *data = run->problem->data;
    const size_t *start = data->x.start + run->problem->row[i];

    for (size_t e = start[0]; e < start[1]; e++)
        move(run, proximal, &proximal->coordinate[hinge_index(&data->x, e)]);
    if (run->problem->bias >= 0)
        move(run, proximal, &proximal->coordinate[data->features]);
}

/* Asks for the coordinates that the next row needs. */
static void fetch_coordinates(const struct run *run, const struct proximal *proximal)
{
    size_t start, end;

    if (run->width < FETCH_WIDTH)
        return;
    sampler_peek(&run->sampler, &start, &end);
    for (size_t e = start; e < end; e++)
        PREFETCH(&proximal->coordinate[hinge_index(&run->problem->data->x, e)]);
}

static void step(struct run *run, void *state)
{
    struct proximal *proximal = state;
    const struct binary_problem *problem = run->problem;

    fetch_coordinates(run, proximal);
    for (uint32_t b = 0; b < run->k; b++) {
        uint32_t i = run->batch[b];
        double z = problem->sign[i] * decide(run, proximal, i);

        run->factor[b] =
            z < 1 ? -problem->sign[i] * problem->cost[i] * run->weight_scale / run->k : 0;
    }
    for (uint32_t b = 0; b < run->k; b++)
        if (run->factor[b] != 0)
            add_gradient(run, proximal, run->batch[b], run->factor[b]);
    for (uint32_t b = 0; b < run->k; b++)
        if (run->factor[b] != 0)
            move_row(run, proximal, run->batch[b]);
}

/* ---- The solver -------------------------------------------------------- */

static void output(const struct run *run, const void *state, double *w)
{
    const struct proximal *proximal = state;
    double next = run->t + 1;
    double total =
        (run->t - run->begin) * (proximal->quadratic ? (run->t + run->begin + 3) / 2 : 1);

    for (size_t j = 0; j < run->width; j++) {
        struct coordinate coordinate = proximal->coordinate[j];

        catch_up(proximal, &coordinate, next);
        if (proximal->averages && total > 0)
            w[j] = coordinate.sum / total;
        else
            w[j] = coordinate.u / growth(proximal->quadratic, 0, next);
    }
}

static void start(const struct run *run, struct proximal *proximal)
{
    const double first = run->begin + 1, growing = growth(proximal->quadratic, 0, first);

    for (size_t j = 0; j < run->width; j++) {
        proximal->coordinate[j].time = first;
        if (run->task->start)
            proximal->coordinate[j].u = growing * run->task->start[j];
    }
}

enum hinge_status proximal_solve(const struct solver_task *task, double *w,
                                 struct hinge_result *result, struct hinge_error *error)
{
    static const struct engine engine = {step, output};
    enum hinge_status status = HINGE_OK;
    struct proximal proximal = {.quadratic = task->recipe->step > 1};
    struct stopwatch watch;
    struct run run;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    if (run_new(&run, task, error) ||
        !(proximal.coordinate = array_new(run.width, sizeof *proximal.coordinate, error))) {
        status = failure(error);
    } else {
        start(&run, &proximal);
        proximal.averages = run.average != HINGE_AVERAGE_NONE;
        proximal.k = task->parameters->l1 / run.sigma;
        run_steps(&run, &engine, &proximal, w, result);
    }
    free(proximal.coordinate);
    run_free(&run);
    result->seconds = stopwatch_processor(&watch);
    return status;
}
