/* proximal.c - w_j := sign(v) max(|v| - l1 eta, 0) / (1 + sigma eta),  v = w_j - eta g_j, when
 * needed.
 *
 * COMID with the l1 + l2 term (Duchi et al., COLT 2010) and HRMD-W, where l1 > 0; else their steps
 * are those of sgd.c.
 *
 * On paper each step moves every coordinate; here one is moved when a gradient reaches it, by
 * closed forms. Let G(t) = t for comid (eta = 1/(sigma t)), t (t + 1) for hrmd-w (eta = 2/(sigma
 * t)), K = l1/sigma, the problem's l1, soft(u, c) = sign(u) max(|u| - c, 0). Then u_t = G(t) w_t
 * obeys
 *
 *     u_{t+1} = soft(u_t - g_j D/sigma, K D),     D = G(t+1) - G(t),
 *
 * and h = sign(u_t) (|u_t| + K G(t)) stays as it is until the next gradient: u_t = soft(h, K G(t)).
 * Both averages are sums of u_t/t: the weights are 1 = G(t)/t and t + 1 = G(t)/t. With
 *
 *     S_t = 1/1 + .. + 1/t,    Q_t = G(1)/1 + .. + G(t)/t,    E(h, t) = h S_t - sign(h) K Q_t
 *
 * such a sum over steps with the same h, from a to b, is E(h, b) - E(h, a - 1) where u does not
 * reach 0, else E(h, r) - E(h, a - 1), r the last step with K G(r) < |h|. So a coordinate is h and
 * a rest: all earlier sums, less E(h, a - 1). S_t is known where h changes; S_r, of an r that has
 * passed, is found from one of the sums noted along the way.
 */
#include <math.h>

#include "base/sum.h"
#include "problem/loss.h"
#include "problem/regulariser.h"
#include "solver/stochastic.h"

struct coordinate {
    double height; /* h; 0 where u is 0 */
    double rest;   /* the sum of u_t/t up to now, less E(h, now) */
};

/* S is noted at every t below PARTS, then PARTS times between a power of 2 and the next: from a
 * noted t to the next it is t/PARTS steps at most. */
enum { PARTS_SHIFT = 6, PARTS = 1 << PARTS_SHIFT, NOTES = PARTS * (53 - PARTS_SHIFT + 2) };

struct proximal {
    struct stochastic run;
    struct coordinate *coordinate; /* [width] */
    double *gradient;              /* [width] of the step being taken; NULL with one row a step */
    double *note;                  /* [NOTES] S where noted */
    double next_note;              /* the t of the next one */
    struct sum sum;                /* of 1/t, without those of the steps before the first */
    double harmonic;               /* its value, S_t */
    int quadratic;                 /* G(t) = t (t + 1), else t */
    int averages;
    double k;         /* K */
    double inverse_k; /* 1/K */
    double now;       /* K G(t) of the step being taken */
    double next;      /* K G(t + 1) */
    double kq;        /* K Q_t */
};

/* G(b) - G(a) */
static double growth(const struct proximal *s, double a, double b)
{
    return s->quadratic ? (b - a) * (a + b + 1) : b - a;
}

/* Q_t, of the steps from the first one on: the sum of the weights. */
static double total_weight(const struct proximal *s, double t)
{
    return (t - s->run.begin) * (s->quadratic ? (t + s->run.begin + 3) / 2 : 1);
}

/* ---- Harmonic sums ------------------------------------------------------ */

/* E in 1/a + .. + 1/r = n/c (1 + E), n = r - a + 1, c = (a + r)/2, for r - a < a/PARTS: by the
 * moments of n points one apart. The first one left out, (n/2c)^8/9, is below 2^-58. */
static ALWAYS_INLINE double harmonic_excess(double n, double inverse)
{
    const double q = n * n, y = inverse * inverse;
    const double fourth = (3 * q - 7) * (1.0 / 20), sixth = ((3 * q - 18) * q + 31) * (1.0 / 112);

    return (q - 1) * (1.0 / 12) * y * (1 + y * (fourth + y * sixth));
}

/* Where S is noted that serves a t: of the last time noted that is not above it. */
struct note {
    size_t slot;
    double time, next; /* and the time of the next one */
};

static struct note note_of(double t)
{
    const uint64_t whole = (uint64_t)t;
    const unsigned shift = whole < PARTS ? 0 : HIGHEST_BIT(whole) - PARTS_SHIFT;
    const uint64_t part = whole >> shift;

    return (struct note){PARTS * (size_t)shift + (size_t)part, (double)(part << shift),
                         (double)((part + 1) << shift)};
}

/* S_t from that of t - 1. */
static ALWAYS_INLINE void add_harmonic(struct proximal *s, double t)
{
    sum_add(&s->sum, 1 / t);
    s->harmonic = sum_value(&s->sum);
    if (t == s->next_note) {
        const struct note note = note_of(t);

        s->note[note.slot] = s->harmonic;
        s->next_note = note.next;
    }
}

/* S_r, r < t. Before the first step it is 0, which is noted there. */
static double harmonic_before(const struct proximal *s, double r)
{
    const struct note note = note_of(r);
    const double from = fmax(note.time, s->run.begin), n = r - from;
    const double inverse = 2 / (from + 1 + r);

    return s->note[note.slot] + n * inverse * (1 + harmonic_excess(n, inverse));
}

/* What all coordinates share at the step being taken. */
static void enter_step(struct proximal *s)
{
    const double t = s->run.t;

    add_harmonic(s, t);
    s->now = s->k * growth(s, 0, t);
    s->next = s->k * growth(s, 0, t + 1);
    s->kq = s->k * total_weight(s, t);
}

/* ---- A coordinate ------------------------------------------------------ */

/* u_t of a height, t the step being taken. No branch, which would be mispredicted; 0 may have a
 * sign. */
static ALWAYS_INLINE double current(const struct proximal *s, double height)
{
    return copysign(positive_part(fabs(height) - s->now), height);
}

/* E(h, t) at the step being taken, */
static ALWAYS_INLINE double ending_now(const struct proximal *s, double height)
{
    return height * s->harmonic - copysign(s->kq, height);
}

/* and at the last one at which u was not 0, or the one after it, whose u is within rounding errors
 * of 0. */
static double ending_at_zero(const struct proximal *s, double height)
{
    const double g = fabs(height) * s->inverse_k; /* G(r) at most */
    const double r = s->quadratic ? 2 * g / (1 + sqrt(1 + 4 * g)) : g;
    const double last = r < s->run.t ? (double)(int64_t)r : s->run.t; /* floor would be a call */
    const double harmonic = last < s->run.t ? harmonic_before(s, last) : s->harmonic;

    return height * harmonic - copysign(s->k * total_weight(s, last), height);
}

/* The sum of u_1/1 .. u_t/t, */
static ALWAYS_INLINE double sum_up(const struct proximal *s, const struct coordinate *coordinate)
{
    const double height = coordinate->height;

    if (height == 0)
        return coordinate->rest;
    return coordinate->rest +
           (fabs(height) > s->now ? ending_now(s, height) : ending_at_zero(s, height));
}

/* and the step being taken of a coordinate, in which u_t changes by push before it is shrunk. */
static ALWAYS_INLINE void move(const struct proximal *s, struct coordinate *coordinate, double push)
{
    const double u = current(s, coordinate->height) + push, size = fabs(u) + s->now;
    const double height = size > s->next ? copysign(size, u) : 0;

    if (s->averages)
        coordinate->rest = sum_up(s, coordinate) - (height != 0 ? ending_now(s, height) : 0);
    coordinate->height = height;
}

/* ---- A step ------------------------------------------------------------ */

/* The sum over a row's entries is compiled for every kind of indices and values, as in kernel.h. */
static ALWAYS_INLINE double dot_entries(const struct proximal *s, const struct sparse *x,
                                        enum hinge_index_kind index_kind,
                                        enum hinge_value_kind value_kind)
{
    const struct coordinate *coordinate = s->coordinate;
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < x->count; k += 2) {
        even += bare_value(x, value_kind, k) *
                current(s, coordinate[index_as(x, index_kind, k)].height);
        odd += bare_value(x, value_kind, k + 1) *
               current(s, coordinate[index_as(x, index_kind, k + 1)].height);
    }
    if (k < x->count)
        even += bare_value(x, value_kind, k) *
                current(s, coordinate[index_as(x, index_kind, k)].height);
    return x->unit * (even + odd);
}

static ALWAYS_INLINE double dot_indices(const struct proximal *s, const struct sparse *x,
                                        enum hinge_index_kind kind)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        return dot_entries(s, x, kind, HINGE_VALUE_DOUBLE);
    if (x->value_kind == HINGE_VALUE_WHOLE)
        return dot_entries(s, x, kind, HINGE_VALUE_WHOLE);
    return x->value_kind == HINGE_VALUE_ONE ? dot_entries(s, x, kind, HINGE_VALUE_ONE)
                                            : dot_entries(s, x, kind, HINGE_VALUE_FLOAT);
}

static double dot_row(const struct proximal *s, const struct sparse *x)
{
    if (x->index_kind == HINGE_INDEX_32)
        return dot_indices(s, x, HINGE_INDEX_32);
    if (x->index_kind == HINGE_INDEX_16)
        return dot_indices(s, x, HINGE_INDEX_16);
    return x->index_kind == HINGE_INDEX_8 ? dot_indices(s, x, HINGE_INDEX_8)
                                          : dot_indices(s, x, HINGE_INDEX_NONE);
}

/* <w_t, x_i> */
static double decide(const struct proximal *s, uint32_t i)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);
    double dot = dot_row(s, &x);

    if (problem->bias_kind != BIAS_NONE)
        dot += problem->bias * current(s, s->coordinate[problem->data->features].height);
    return dot / growth(s, 0, s->run.t);
}

/* The step of one row, whose gradient is -factor x_i. */
static void move_row(struct proximal *s, uint32_t i, double factor)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);

    for (size_t k = 0; k < x.count; k++)
        move(s, &s->coordinate[index_at(&x, k)], factor * value_at(&x, k));
    if (problem->bias_kind != BIAS_NONE)
        move(s, &s->coordinate[problem->data->features], factor * problem->bias);
}

/* Of several rows: a coordinate that another row of the batch has, too, is moved only once. */
static void move_once(struct proximal *s, size_t j)
{
    if (s->gradient[j] != 0)
        move(s, &s->coordinate[j], s->gradient[j]);
    s->gradient[j] = 0;
}

static void move_batch(struct proximal *s)
{
    const struct stochastic *run = &s->run;
    const struct problem *problem = run->problem;

    for (uint32_t b = 0; b < run->k; b++) {
        const struct sparse x = problem_row(problem, run->batch[b]);

        if (run->factor[b] != 0)
            problem_add(problem, &x, run->factor[b], s->gradient);
    }
    for (uint32_t b = 0; b < run->k; b++) {
        const struct sparse x = problem_row(problem, run->batch[b]);

        for (size_t k = 0; run->factor[b] != 0 && k < x.count; k++)
            move_once(s, index_at(&x, k));
        if (run->factor[b] != 0 && problem->bias_kind != BIAS_NONE)
            move_once(s, problem->data->features);
    }
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
    const double push = growth(s, run->t, run->t + 1) / run->sigma * run->weight_scale / run->k;

    fetch_coordinates(s);
    enter_step(s);
    for (uint32_t b = 0; b < run->k; b++) {
        const uint32_t i = run->batch[b];
        const double z = problem->sign[i] * decide(s, i);
        const double descent =
            loss_slope(problem->loss, problem_target(problem, i, problem->loss) - z);

        run->factor[b] =
            descent > 0 ? push * problem->sign[i] * problem_cost(problem, i) * descent : 0;
    }
    if (s->gradient)
        move_batch(s);
    else if (run->factor[0] != 0)
        move_row(s, run->batch[0], run->factor[0]);
}

/* ---- The method -------------------------------------------------------- */

static void output(const void *state, double *w)
{
    const struct proximal *s = state;
    const double next = s->run.t + 1, total = total_weight(s, s->run.t);

    for (size_t j = 0; j < s->run.width; j++) {
        if (s->averages && total > 0)
            w[j] = sum_up(s, &s->coordinate[j]) / total;
        else
            w[j] = soft(s->coordinate[j].height, s->k * growth(s, 0, next)) / growth(s, 0, next);
    }
}

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    struct proximal *s = state;

    stochastic_lay_out(&s->run, arena, training);
    s->coordinate = arena_take(arena, training->width, sizeof *s->coordinate);
    s->note = arena_take(arena, NOTES, sizeof *s->note);
    if (s->run.k > 1)
        s->gradient = arena_take(arena, training->width, sizeof *s->gradient);
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
    s->inverse_k = 1 / s->k;
    first = s->run.begin + 1;
    s->next_note = note_of(s->run.begin).next;
    for (size_t j = 0; start && j < training->width; j++)
        if (start[j] != 0)
            s->coordinate[j].height =
                copysign(growth(s, 0, first) * (fabs(start[j]) + s->k), start[j]);
    return HINGE_OK;
}

const struct method proximal = {.name = NULL,
                                .size = sizeof(struct proximal),
                                .lay_out = lay_out,
                                .begin = begin,
                                .step = stochastic_step,
                                .met = stochastic_met,
                                .measure = stochastic_measure};
