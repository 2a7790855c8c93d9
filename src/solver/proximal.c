/* proximal.c - w_j := sign(v) max(|v| - l1 eta, 0) / (1 + sigma eta),  v = w_j - eta g_j, when
 * needed.
 *
 * COMID with the l1 + l2 term (Duchi et al., COLT 2010) and HRMD-W.
 * On paper each step moves every coordinate; here a coordinate is brought up to date when a row
 * needs it, by closed forms. Let G(t) = t for comid (eta = 1/(sigma t)), t (t + 1) for hrmd-w (eta
 * = 2/(sigma t)), K = l1/sigma, the problem's l1, soft(u, c) = sign(u) max(|u| - c, 0). Then u_t =
 * G(t) w_t obeys
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

#include "problem/regulariser.h"
#include "solver/stochastic.h"

struct coordinate {
    double u;        /* at time */
    double time;     /* the t that u belongs to */
    double sum;      /* sum of u_t/t for t < time */
    double gradient; /* of the step being taken */
};

struct proximal {
    struct stochastic run;
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
static double sum_long(const struct proximal *s, double size, double a, double r)
{
    const double k = s->k;
    double d = r - a, base = growth(s->quadratic, 0, a);
    double log = log1p(d / a); /* half of the work of a step on many features */
    double p = 1 / (a * a), q = 1 / (r * r);
    double integral = size * log + k * base * log1p_minus(d / a, log);
    double ends = size / a + (size - k * growth(s->quadratic, a, r)) / r;
    double series = (p - q) / 12 - (p * p - q * q) / 120 + (p * p * p - q * q * q) / 252 -
                    (p * p * p * p - q * q * q * q) / 240;

    if (s->quadratic)
        integral -= k * d * d / 2;
    return integral + ends / 2 + (size + k * base) * series;
}

/* f(a) + .. + f(r), |u_a| = size. */
static double sum_stretch(const struct proximal *s, double size, double a, double r)
{
    double sum = 0;
    double t = a;

    while (t <= r && (t < 16 || r - t < 8)) {
        sum += (size - s->k * growth(s->quadratic, a, t)) / t;
        t++;
    }
    if (t > r)
        return sum;
    return sum + sum_long(s, size - s->k * growth(s->quadratic, a, t), t, r);
}

/* The number of steps from a after which u has reached 0, less one at the most. */
static double steps_to_zero(const struct proximal *s, double size, double a)
{
    double h = 2 * a + 1, q;

    if (s->k == 0)
        return HUGE_VAL;
    q = size / s->k;
    return floor(s->quadratic ? 2 * q / (h + sqrt(h * h + 4 * q)) : q);
}

/* Brings a coordinate, its gradient 0 from its time on, to time t. */
static ALWAYS_INLINE void catch_up(const struct proximal *s, struct coordinate *coordinate,
                                   double t)
{
    double size = fabs(coordinate->u), a = coordinate->time;

    coordinate->time = t;
    if (coordinate->u == 0 || a == t)
        return;
    if (s->averages) {
        double last = fmin(a + steps_to_zero(s, size, a), t - 1);

        coordinate->sum += copysign(sum_stretch(s, size, a, last), coordinate->u);
    }
    coordinate->u = soft(coordinate->u, s->k * growth(s->quadratic, a, t));
}

/* ---- A step ------------------------------------------------------------ */

/* <w_t, x_i>, the row's coordinates brought to time t. */
static double decide(struct proximal *s, uint32_t i)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);
    const double t = s->run.t;
    double dot = 0;

    for (size_t k = 0; k < x.count; k++) {
        struct coordinate *coordinate = &s->coordinate[index_at(&x, k)];

        catch_up(s, coordinate, t);
        dot += value_at(&x, k) * coordinate->u;
    }
    if (problem->bias_kind != BIAS_NONE) {
        struct coordinate *last = &s->coordinate[problem->data->features];

        catch_up(s, last, t);
        dot += problem->bias * last->u;
    }
    return dot / growth(s->quadratic, 0, t);
}

/* gradient += factor x_i */
static void add_gradient(struct proximal *s, uint32_t i, double factor)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);

    for (size_t k = 0; k < x.count; k++)
        s->coordinate[index_at(&x, k)].gradient += factor * value_at(&x, k);
    if (problem->bias_kind != BIAS_NONE)
        s->coordinate[problem->data->features].gradient += factor * problem->bias;
}

/* Takes the step from t to t + 1 for a coordinate that is at time t. */
static ALWAYS_INLINE void move(const struct proximal *s, struct coordinate *coordinate)
{
    const double t = s->run.t, growing = growth(s->quadratic, t, t + 1);

    if (coordinate->time != t)
        return; /* another row of the batch has the feature too, and has moved it */
    coordinate->sum += coordinate->u / t;
    coordinate->u =
        soft(coordinate->u - coordinate->gradient * growing / s->run.sigma, s->k * growing);
    coordinate->gradient = 0;
    coordinate->time = t + 1;
}

static void move_row(struct proximal *s, uint32_t i)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);

    for (size_t k = 0; k < x.count; k++)
        move(s, &s->coordinate[index_at(&x, k)]);
    if (problem->bias_kind != BIAS_NONE)
        move(s, &s->coordinate[problem->data->features]);
}

/* Asks for the coordinates that the next row needs. Inlined: to gcc a function of prefetches does
 * nothing, and it drops the calls. Few coordinates stay in the cache, where asking takes longer
 * than it saves. */
static ALWAYS_INLINE void fetch_coordinates(const struct proximal *s)
{
    enum { LARGE = 3 << 19 }; /* bytes */
    struct sparse x;

    if (s->run.width * sizeof *s->coordinate < LARGE)
        return;
    x = sampler_peek(&s->run.sampler);
    for (size_t k = 0; k < x.count; k++)
        PREFETCH(&s->coordinate[index_at(&x, k)]);
}

static void take(void *state)
{
    struct proximal *s = state;
    struct stochastic *run = &s->run;
    const struct problem *problem = run->problem;

    fetch_coordinates(s);
    for (uint32_t b = 0; b < run->k; b++) {
        const uint32_t i = run->batch[b];
        const double z = problem->sign[i] * decide(s, i);
        const double descent =
            loss_slope(problem->loss, problem_target(problem, i, problem->loss) - z);

        run->factor[b] = descent > 0 ? -problem->sign[i] * problem->cost[i] * run->weight_scale /
                                           run->k * descent
                                     : 0;
    }
    for (uint32_t b = 0; b < run->k; b++)
        if (run->factor[b] != 0)
            add_gradient(s, run->batch[b], run->factor[b]);
    for (uint32_t b = 0; b < run->k; b++)
        if (run->factor[b] != 0)
            move_row(s, run->batch[b]);
}

/* ---- The method -------------------------------------------------------- */

static void output(const void *state, double *w)
{
    const struct proximal *s = state;
    const double begin = s->run.begin, t = s->run.t;
    const double total = (t - begin) * (s->quadratic ? (t + begin + 3) / 2 : 1);

    for (size_t j = 0; j < s->run.width; j++) {
        struct coordinate coordinate = s->coordinate[j];

        catch_up(s, &coordinate, t + 1);
        if (s->averages && total > 0)
            w[j] = coordinate.sum / total;
        else
            w[j] = coordinate.u / growth(s->quadratic, 0, t + 1);
    }
}

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    struct proximal *s = state;

    stochastic_lay_out(&s->run, arena, training);
    s->coordinate = arena_take(arena, training->width, sizeof *s->coordinate);
}

static enum hinge_status begin(void *state, struct training *training, struct hinge_error *error)
{
    struct proximal *s = state;
    const double *start = training->task->start;
    double first;

    (void)error;
    stochastic_set_up(&s->run, training);
    s->run.take = take;
    s->run.output = output;
    s->quadratic = s->run.schedule->step > 1;
    s->averages = s->run.average != HINGE_AVERAGE_NONE;
    s->k = training->problem->l1;
    first = s->run.begin + 1;
    for (size_t j = 0; j < training->width; j++) {
        s->coordinate[j].time = first;
        if (start)
            s->coordinate[j].u = growth(s->quadratic, 0, first) * start[j];
    }
    return HINGE_OK;
}

const struct method proximal = {.name = NULL,
                                .size = sizeof(struct proximal),
                                .lay_out = lay_out,
                                .begin = begin,
                                .step = stochastic_step,
                                .met = stochastic_met,
                                .measure = stochastic_measure};
