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
 * and over a stretch without gradient, from a to b, u_b = soft(u_a, K (G(b) - G(a))).
 * Both averages are sums of u_t/t: the weights are 1 = G(t)/t and t + 1 = G(t)/t. Over a stretch
 * a .. r on which u does not reach 0 these are sign(u_a) times the sum of
 *
 *     f(t) = (|u_a| - K (G(t) - G(a))) / t.
 *
 * With H = 1/a + .. + 1/r, n = r - a + 1 terms and G(t)/t = 1 or t + 1 that sum is
 *
 *     |u_a| H - K (sum G(t)/t - G(a) H).
 *
 * H is a difference of S_t = 1/1 + .. + 1/t, which is known at t = r, where u is needed, and kept
 * with the coordinate at t = a - 1. Where u has reached 0 in between, S_r is found from one of the
 * sums noted along the way.
 */
#include <math.h>

#include "base/sum.h"
#include "problem/regulariser.h"
#include "solver/stochastic.h"

struct coordinate {
    double u;        /* at time */
    double time;     /* the t that u belongs to */
    double sum;      /* sum of u_t/t for t < time */
    double harmonic; /* S of time - 1 */
};

/* S is noted at every t below PARTS, then PARTS times between a power of 2 and the next: from a
 * noted t to the next it is t/PARTS steps at most. */
enum { PARTS_SHIFT = 4, PARTS = 1 << PARTS_SHIFT, NOTES = PARTS * (53 - PARTS_SHIFT + 2) };

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
};

/* G(b) - G(a) */
static ALWAYS_INLINE double growth(int quadratic, double a, double b)
{
    return quadratic ? (b - a) * (a + b + 1) : b - a;
}

/* ---- Harmonic sums ------------------------------------------------------ */

/* E in 1/a + .. + 1/r = n/c (1 + E), n = r - a + 1, c = (a + r)/2, for r - a < a/PARTS: by the
 * moments of n points one apart. The first one left out, (n/2c)^10/11, is below 2^-53. */
static ALWAYS_INLINE double harmonic_excess(double n, double inverse)
{
    const double q = n * n, y = inverse * inverse;
    const double fourth = (3 * q - 7) * (1.0 / 20), sixth = ((3 * q - 18) * q + 31) * (1.0 / 112);
    const double eighth = (((5 * q - 55) * q + 239) * q - 381) * (1.0 / 960);

    return (q - 1) * (1.0 / 12) * y * (1 + y * (fourth + y * (sixth + y * eighth)));
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

/* ---- Sums over a stretch ----------------------------------------------- */

/* f(a) + .. + f(r), |u_a| = size; before is S of a - 1. A short stretch is n f(c), but for E: the
 * terms of the long form would cancel there, and lose a factor of 2 PARTS where it begins. */
static ALWAYS_INLINE double sum_stretch(const struct proximal *s, int quadratic, double size,
                                        double a, double r, double before)
{
    const double n = r - a + 1, c = (a + r) * 0.5, base = growth(quadratic, 0, a);
    double h;

    if ((r - a) * PARTS < a) {
        const double inverse = 1 / c, e = harmonic_excess(n, inverse);

        return n * inverse * (size + size * e - s->k * (growth(quadratic, a, c) - base * e));
    }
    h = (r == s->run.t ? s->harmonic : harmonic_before(s, r)) - before;
    return size * h - s->k * ((quadratic ? n * (c + 1) : n) - base * h);
}

/* The last step up to t, from a on, at which u has not reached 0, or the one after it. */
static ALWAYS_INLINE double last_above_zero(const struct proximal *s, int quadratic, double size,
                                            double a, double t)
{
    const double h = 2 * a + 1, q = size * s->inverse_k;
    const double steps = quadratic ? 2 * q / (h + sqrt(h * h + 4 * q)) : q;

    return steps < t - a ? a + (double)(int64_t)steps : t; /* floor would be a call */
}

/* u_t: soft, but without a branch, which would be mispredicted. 0 may have a sign. */
static ALWAYS_INLINE double current(const struct proximal *s, int quadratic,
                                    const struct coordinate *coordinate, double t)
{
    const double rest = fabs(coordinate->u) - s->k * growth(quadratic, coordinate->time, t);

    return copysign((rest + fabs(rest)) * 0.5, coordinate->u);
}

/* Takes a coordinate from its time through step t, in which u_t changes by push before it is
 * shrunk. */
static ALWAYS_INLINE void move(const struct proximal *s, int quadratic,
                               struct coordinate *coordinate, double push)
{
    const double t = s->run.t, a = coordinate->time, size = fabs(coordinate->u);
    const double u = current(s, quadratic, coordinate, t);

    if (s->averages && size > 0) {
        const double last = u != 0 ? t : last_above_zero(s, quadratic, size, a, t);

        coordinate->sum +=
            copysign(sum_stretch(s, quadratic, size, a, last, coordinate->harmonic), coordinate->u);
    }
    coordinate->u = soft(u + push, s->k * growth(quadratic, t, t + 1));
    coordinate->time = t + 1;
    coordinate->harmonic = s->harmonic;
}

/* ---- A step ------------------------------------------------------------ */

/* The sum over a row's entries is compiled for every kind of indices and values, as in kernel.h,
 * and for both G. */
static ALWAYS_INLINE double dot_entries(const struct proximal *s, const struct sparse *x,
                                        int quadratic, enum hinge_index_kind index_kind,
                                        enum hinge_value_kind value_kind)
{
    const struct coordinate *coordinate = s->coordinate;
    const double t = s->run.t;
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < x->count; k += 2) {
        even += bare_value(x, value_kind, k) *
                current(s, quadratic, &coordinate[index_as(x, index_kind, k)], t);
        odd += bare_value(x, value_kind, k + 1) *
               current(s, quadratic, &coordinate[index_as(x, index_kind, k + 1)], t);
    }
    if (k < x->count)
        even += bare_value(x, value_kind, k) *
                current(s, quadratic, &coordinate[index_as(x, index_kind, k)], t);
    return x->unit * (even + odd);
}

static ALWAYS_INLINE double dot_indices(const struct proximal *s, const struct sparse *x,
                                        int quadratic, enum hinge_index_kind kind)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        return dot_entries(s, x, quadratic, kind, HINGE_VALUE_DOUBLE);
    if (x->value_kind == HINGE_VALUE_WHOLE)
        return dot_entries(s, x, quadratic, kind, HINGE_VALUE_WHOLE);
    return x->value_kind == HINGE_VALUE_ONE ? dot_entries(s, x, quadratic, kind, HINGE_VALUE_ONE)
                                            : dot_entries(s, x, quadratic, kind, HINGE_VALUE_FLOAT);
}

static ALWAYS_INLINE double dot_row(const struct proximal *s, const struct sparse *x, int quadratic)
{
    if (x->index_kind == HINGE_INDEX_32)
        return dot_indices(s, x, quadratic, HINGE_INDEX_32);
    if (x->index_kind == HINGE_INDEX_16)
        return dot_indices(s, x, quadratic, HINGE_INDEX_16);
    return x->index_kind == HINGE_INDEX_8 ? dot_indices(s, x, quadratic, HINGE_INDEX_8)
                                          : dot_indices(s, x, quadratic, HINGE_INDEX_NONE);
}

/* <w_t, x_i> */
static double decide(const struct proximal *s, uint32_t i)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);
    double dot = s->quadratic ? dot_row(s, &x, 1) : dot_row(s, &x, 0);

    if (problem->bias_kind != BIAS_NONE)
        dot += problem->bias *
               current(s, s->quadratic, &s->coordinate[problem->data->features], s->run.t);
    return dot / growth(s->quadratic, 0, s->run.t);
}

static ALWAYS_INLINE void move_entries(const struct proximal *s, const struct sparse *x,
                                       int quadratic, double factor)
{
    for (size_t k = 0; k < x->count; k++)
        move(s, quadratic, &s->coordinate[index_at(x, k)], factor * value_at(x, k));
}

/* The step of one row, whose gradient is -factor x_i. */
static void move_row(struct proximal *s, uint32_t i, double factor)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);

    if (s->quadratic)
        move_entries(s, &x, 1, factor);
    else
        move_entries(s, &x, 0, factor);
    if (problem->bias_kind != BIAS_NONE)
        move(s, s->quadratic, &s->coordinate[problem->data->features], factor * problem->bias);
}

/* Of several rows: a coordinate that another row of the batch has, too, is moved only once. */
static void move_once(struct proximal *s, size_t j)
{
    if (s->coordinate[j].time > s->run.t)
        return;
    move(s, s->quadratic, &s->coordinate[j], s->gradient[j]);
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
    const double push =
        growth(s->quadratic, run->t, run->t + 1) / run->sigma * run->weight_scale / run->k;

    fetch_coordinates(s);
    add_harmonic(s, run->t);
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
    const double begin = s->run.begin, t = s->run.t;
    const double total = (t - begin) * (s->quadratic ? (t + begin + 3) / 2 : 1);

    for (size_t j = 0; j < s->run.width; j++) {
        struct coordinate coordinate = s->coordinate[j];

        if (coordinate.time <= t)
            move(s, s->quadratic, &coordinate, 0);
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
