/* proximal.c - u_j := soft(u_j - push, K D), done only when a gradient reaches coordinate j.
 *
 * COMID with the l1 + l2 term (Duchi et al., COLT 2010) and HRMD-W. Without an l1 term their steps
 * are those of sgd.c. On paper each step moves every coordinate,
 *
 *     w_j := sign(v) max(|v| - l1 eta, 0) / (1 + sigma eta),  v = w_j - eta g_j.
 *
 * Let G(t) = t for comid (eta = 1/(sigma t)) and t (t + 1) for hrmd-w (eta = 2/(sigma t)). Let K =
 * l1/sigma, the problem's l1, and soft(u, c) = sign(u) max(|u| - c, 0). Then u_t = G(t) w_t obeys
 *
 *     u_{t+1} = soft(u_t - g_j D/sigma, K D),     D = G(t+1) - G(t),
 *
 * and the height h = sign(u_t) (|u_t| + K G(t)) stays the same until the next gradient: u_t =
 * soft(h, K G(t)). Both averages are sums of u_t/t, because the weights 1 and t + 1 are G(t)/t. Let
 *
 *     S_t = 1/1 + .. + 1/t,    Q_t = G(1)/1 + .. + G(t)/t,    E(h, t) = h S_t - sign(h) K Q_t.
 *
 * The sum of u_t/t over steps a .. b with the same h is E(h, r) - E(h, a - 1), where r is the last
 * step up to b with K G(r) < |h|. If r < b, u is 0 after r. So a coordinate is its height h and a
 * rest: all earlier sums minus E(h, a - 1). S_t is known when h changes. S_r of an earlier r is
 * found from a sum that was noted on the way.
 */
#include <math.h>

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/sum.h"
#include "problem/regulariser.h"
#include "solver/stochastic/stochastic.h"

/* S is noted at every t up to 2 PARTS, then PARTS times between a power of 2 and the next. So two
 * noted t are at most t/PARTS apart. NOTES are enough for 1 <= t < 2^54. */
enum { PARTS_SHIFT = 8, PARTS = 1 << PARTS_SHIFT, NOTES = PARTS * 54 };

/* Coordinates are updated in blocks, by vector code. The arrays of that code have room for one more
 * vector, of two or four numbers. */
enum { BLOCK = 64, VECTOR = 4, PADDED = BLOCK + VECTOR };

/* The closed forms at the present step. */
struct lazy {
    double *note;     /* [NOTES] S where it was noted; 0 at first */
    double next_note; /* t of the next note */
    struct sum sum;   /* sum of 1/t, from the first step on */
    double harmonic;  /* value of sum: S_t */
    int quadratic;    /* 1: G(t) = t (t + 1); 0: G(t) = t */
    double k;         /* K > 0 */
    double inverse_k; /* 1/K */
    double begin;     /* t before the first step */
    double t;         /* step being taken */
    double now;       /* K G(t) */
    double next;      /* K G(t + 1) */
    double kq;        /* K Q_t */
};

struct coordinate {
    double height; /* h; 0 if u is 0 */
    double rest;   /* sum of u_t/t so far, minus E(h, now) */
};

/* Coordinates of a row or a batch that are moved together. */
struct proximal_block {
    size_t count;
    uint32_t index[BLOCK];
    double value[BLOCK]; /* entry of the row, or push of the step */
    double height[BLOCK];
    double rest[BLOCK];
};

struct proximal {
    struct stochastic run;
    struct lazy lazy;
    struct coordinate *coordinate; /* [width] */
    double *gradient;              /* [width] of the step being taken; NULL: one row a step */
    double *note;                  /* [NOTES] */
    struct proximal_block block;   /* the coordinates at work */
    int averages;                  /* the sums are needed */
};

/* ---- Harmonic sums ------------------------------------------------------ */

/* Returns G(b) - G(a). */
static double lazy_growth(const struct lazy *lazy, double a, double b)
{
    return lazy->quadratic ? (b - a) * (a + b + 1) : b - a;
}

/* Returns Q_t from the first step on: the sum of the average's weights. */
static ALWAYS_INLINE double weight_until(int quadratic, double begin, double t)
{
    return (t - begin) * (quadratic ? (t + begin + 3) * 0.5 : 1);
}

/* Returns the E in 1/a + .. + 1/r = n/c (1 + E), given n = r - a + 1 and inverse = 1/c, c = (a +
 * r)/2. The series is in the moments of n points one apart. For r - a < a/PARTS the first term left
 * out, (n/2c)^6/7, is below 2^-56. */
static ALWAYS_INLINE double harmonic_excess(double n, double inverse)
{
    const double q = n * n, y = inverse * inverse;

    return (q - 1) * (1.0 / 12) * y * (1 + y * ((3 * q - 7) * (1.0 / 20)));
}

/* A whole number t uses the last note at or before it. The exponent of t and the first bits of its
 * fraction number the notes. */
enum { DROPPED_BITS = 52 - PARTS_SHIFT };

static ALWAYS_INLINE uint64_t note_slot(double t)
{
    return (bits_of(t) >> DROPPED_BITS) - (UINT64_C(1023) << PARTS_SHIFT);
}

static ALWAYS_INLINE double note_time(double t)
{
    return double_of(bits_of(t) >> DROPPED_BITS << DROPPED_BITS);
}

static double note_after(double t)
{
    return t < 2 * PARTS ? t + 1 : double_of(((bits_of(t) >> DROPPED_BITS) + 1) << DROPPED_BITS);
}

/* Returns S_r, 1 <= r <= t. Before the first step S is 0, as its note says. */
static ALWAYS_INLINE double harmonic_before(const double *restrict note, double begin, double r)
{
    const double noted = note_time(r), from = noted > begin ? noted : begin;
    const double n = r - from, inverse = 2 / (from + 1 + r);

    return note[note_slot(r)] + n * inverse * (1 + harmonic_excess(n, inverse));
}

/* Prepares the first step after `begin`; note[NOTES] must be 0. */
static void lazy_begin(struct lazy *lazy, double k, int quadratic, double begin, double *note)
{
    *lazy = (struct lazy){
        .note = note, .quadratic = quadratic, .k = k, .inverse_k = 1 / k, .begin = begin};
    lazy->next_note = note_after(begin);
}

/* Begins step t, which must follow the one before. */
static void lazy_enter(struct lazy *lazy, double t)
{
    sum_add(&lazy->sum, 1 / t);
    lazy->harmonic = sum_value(&lazy->sum);
    if (t == lazy->next_note) {
        lazy->note[note_slot(t)] = lazy->harmonic;
        lazy->next_note = note_after(t);
    }
    lazy->t = t;
    lazy->now = lazy->k * lazy_growth(lazy, 0, t);
    lazy->next = lazy->k * lazy_growth(lazy, 0, t + 1);
    lazy->kq = lazy->k * weight_until(lazy->quadratic, lazy->begin, t);
}

/* ---- Coordinates -------------------------------------------------------- */

/* Returns u_t of a height; a 0 may have a sign. */
static ALWAYS_INLINE double lazy_current(const struct lazy *lazy, double height)
{
    return copysign(positive_part(fabs(height) - lazy->now), height);
}

/* Returns the height after the step, in which u_t changes by push before it shrinks. */
static ALWAYS_INLINE double lazy_next(const struct lazy *lazy, double height, double push)
{
    const double u = lazy_current(lazy, height) + push, size = fabs(u) + lazy->now;

    return size > lazy->next ? copysign(size, u) : 0;
}

/* Returns the last step, at least `first`, at which u of a height of this size was not 0. May
 * return the step after it, whose u is within rounding errors of 0. */
static ALWAYS_INLINE double last_step(double size, double inverse_k, int quadratic, double first,
                                      double t)
{
    const double g = size * inverse_k; /* G(r) at most */
    const double r = clamp(quadratic ? sqrt(g + 0.25) - 0.5 : g, first, t);
    const double near = r + 0x1p52 - 0x1p52; /* floor would be a call */
    const double whole = near > r ? near - 1 : near;

    return r < 0x1p52 ? whole : r;
}

/* Returns E(h, t) if u is not 0, else 0. */
static ALWAYS_INLINE double lasting_sum(double height, double now, double harmonic, double kq)
{
    const double lasting = height * harmonic - copysign(kq, height);

    return fabs(height) > now ? lasting : 0;
}

/* Returns 1 if u has reached 0 from this height. */
static ALWAYS_INLINE uint64_t has_ended(double height, double now)
{
    return height != 0 && fabs(height) <= now ? 1 : 0;
}

/* Adds E(h, r) to the sums of those coordinates whose u has ended at 0 after step r. Each of them
 * takes a root and a division, so they are gathered into as few vectors as possible. There are two
 * loops over them, because a processor works on more entries at a time if fewer operations of each
 * wait for one another. */
static ALWAYS_INLINE void add_ended(const struct lazy *lazy, size_t count, const double *height,
                                    const uint64_t *ended, double *sum)
{
    const double k = lazy->k, inverse_k = lazy->inverse_k, begin = lazy->begin, t = lazy->t;
    const double first = begin + 1, *restrict note = lazy->note;
    const int quadratic = lazy->quadratic;
    uint32_t place[BLOCK + 1];
    double ended_height[PADDED], last[PADDED], ended_sum[PADDED];
    size_t n = 0, padded;

    for (size_t e = 0; e < count; e++) {
        place[n] = (uint32_t)e;
        n += ended[e];
    }
    if (n == 0)
        return;
    padded = (n + VECTOR - 1) / VECTOR * VECTOR;
    for (size_t e = 0; e < n; e++)
        ended_height[e] = height[place[e]];
    for (size_t e = n; e < n + VECTOR; e++)
        ended_height[e] = 0;
    for (size_t e = 0; e < padded; e++)
        last[e] = last_step(fabs(ended_height[e]), inverse_k, quadratic, first, t);
    for (size_t e = 0; e < padded; e++)
        ended_sum[e] = ended_height[e] * harmonic_before(note, begin, last[e]) -
                       copysign(k * weight_until(quadratic, begin, last[e]), ended_height[e]);
    for (size_t e = 0; e < n; e++)
        sum[place[e]] += ended_sum[e];
}

/* Sets sum[e] to what the coordinate's rest lacks of u_1/1 + .. + u_t/t. */
STATIC_VERSIONED(void, (void), lazy_sums,
                 (const struct lazy *lazy, size_t count, const double *restrict height,
                  double *restrict sum),
                 (lazy, count, height, sum))
{
    const double now = lazy->now, harmonic = lazy->harmonic, kq = lazy->kq;
    uint64_t ended[BLOCK];

    for (size_t e = 0; e < count; e++) {
        sum[e] = lasting_sum(height[e], now, harmonic, kq);
        ended[e] = has_ended(height[e], now);
    }
    add_ended(lazy, count, height, ended, sum);
}

/* Takes the step of at most BLOCK coordinates, whose pushes are factor value[e]. */
STATIC_VERSIONED(void, (void), lazy_move,
                 (const struct lazy *lazy, size_t count, double factor,
                  const double *restrict value, double *restrict height, double *restrict rest),
                 (lazy, count, factor, value, height, rest))
{
    const struct lazy shared = *lazy;
    const double now = lazy->now, harmonic = lazy->harmonic, kq = lazy->kq;
    double before[BLOCK];
    uint64_t ended[BLOCK];

    for (size_t e = 0; e < count; e++) {
        const double h = height[e], after = lazy_next(&shared, h, factor * value[e]);

        rest[e] += lasting_sum(h, now, harmonic, kq) - lasting_sum(after, now, harmonic, kq);
        ended[e] = has_ended(h, now);
        before[e] = h;
        height[e] = after;
    }
    add_ended(lazy, count, before, ended, rest);
}

/* ---- Entries of a row --------------------------------------------------- */

static ALWAYS_INLINE void set_entry(const struct proximal *s, struct proximal_block *block,
                                    size_t e, uint32_t index, double value)
{
    block->index[e] = index;
    block->value[e] = value;
    block->height[e] = s->coordinate[index].height;
    block->rest[e] = s->coordinate[index].rest;
}

/* Returns an entry's value times u_t. Lists the entry in the block unless that is NULL, so that it
 * is stored well before vector code reads it. */
static ALWAYS_INLINE double visit_entry(const struct proximal *s, const struct sparse *x,
                                        size_t from, size_t e, struct proximal_block *block,
                                        enum hinge_index_kind index_kind,
                                        enum hinge_value_kind value_kind)
{
    const uint32_t j = index_as(x, index_kind, from + e);
    const double value = value_as(x, value_kind, from + e);

    if (block)
        set_entry(s, block, e, j, value);
    return value * lazy_current(&s->lazy, s->coordinate[j].height);
}

/* Returns the sum over count entries, the first of which is entry `from`. */
static ALWAYS_INLINE double visit_entries(const struct proximal *s, const struct sparse *x,
                                          size_t from, size_t count, struct proximal_block *block,
                                          enum hinge_index_kind index_kind,
                                          enum hinge_value_kind value_kind)
{
    double even = 0, odd = 0;
    size_t e = 0;

    for (; e + 1 < count; e += 2) {
        even += visit_entry(s, x, from, e, block, index_kind, value_kind);
        odd += visit_entry(s, x, from, e + 1, block, index_kind, value_kind);
    }
    if (e < count)
        even += visit_entry(s, x, from, e, block, index_kind, value_kind);
    return even + odd;
}

/* Chooses the copy for the row's kinds of indices and values: one copy for all kinds takes 10 %
 * longer (letter, hrmd-w). */
static double visit(const struct proximal *s, const struct sparse *x, size_t from, size_t count,
                    struct proximal_block *block)
{
    WITH_INDICES(x, WITH_VALUES(x, return visit_entries(s, x, from, count, block, INDEX, KIND)));
}

/* Lists a block of the row's entries from entry `from` on, the bias last. Returns their sum. */
static double list_entries(struct proximal *s, const struct sparse *x, size_t from)
{
    const struct problem *problem = s->run.problem;
    struct proximal_block *block = &s->block;
    const size_t left = x->count > from ? x->count - from : 0;
    double sum;

    block->count = left < BLOCK ? left : BLOCK;
    sum = visit(s, x, from, block->count, block);
    if (problem->bias_kind == BIAS_NONE || block->count == BLOCK)
        return sum;
    set_entry(s, block, block->count, (uint32_t)problem->data->features, problem->bias);
    return sum + problem->bias * lazy_current(&s->lazy, block->height[block->count++]);
}

/* Takes the step of the listed coordinates, whose pushes are the values times factor. */
static void move_block(struct proximal *s, double factor)
{
    struct proximal_block *block = &s->block;

    lazy_move(&s->lazy, block->count, factor, block->value, block->height, block->rest);
    for (size_t e = 0; e < block->count; e++)
        s->coordinate[block->index[e]] = (struct coordinate){block->height[e], block->rest[e]};
}

/* ---- A step ------------------------------------------------------------- */

static size_t entries_of(const struct problem *problem, const struct sparse *x)
{
    return x->count + (problem->bias_kind != BIAS_NONE);
}

/* True if a row with this number of entries is one block, which is listed together with the
 * decision. */
static int fits_block(const struct proximal *s, size_t entries)
{
    return s->averages && s->run.k == 1 && entries <= BLOCK;
}

static void move_without_sum(struct proximal *s, size_t j, double push)
{
    double *height = &s->coordinate[j].height;

    *height = lazy_next(&s->lazy, *height, push);
}

/* Takes the step of one row, whose gradient is -factor x_i, right after its decision. */
static void move_row(struct proximal *s, uint32_t i, double factor)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);
    const size_t entries = entries_of(problem, &x);

    for (size_t from = 0; s->averages && from < entries; from += BLOCK) {
        if (!fits_block(s, entries))
            list_entries(s, &x, from);
        move_block(s, factor);
    }
    if (s->averages)
        return;
    for (size_t k = 0; k < x.count; k++)
        move_without_sum(s, index_at(&x, k), factor * value_at(&x, k));
    if (problem->bias_kind != BIAS_NONE)
        move_without_sum(s, problem->data->features, factor * problem->bias);
}

/* Lists a coordinate, once for all rows of the batch that have it. Moves a full block. */
static void move_once(struct proximal *s, size_t j)
{
    struct proximal_block *block = &s->block;

    set_entry(s, block, block->count, (uint32_t)j, s->gradient[j]);
    block->count += s->gradient[j] != 0;
    s->gradient[j] = 0;
    if (block->count < BLOCK)
        return;
    move_block(s, 1);
    block->count = 0;
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
    s->block.count = 0;
    for (uint32_t b = 0; b < run->k; b++) {
        const struct sparse x = problem_row(problem, run->batch[b]);

        for (size_t k = 0; run->factor[b] != 0 && k < x.count; k++)
            move_once(s, index_at(&x, k));
        if (run->factor[b] != 0 && problem->bias_kind != BIAS_NONE)
            move_once(s, problem->data->features);
    }
    move_block(s, 1);
}

static void take(void *state)
{
    enum { LARGE = 3 << 19 }; /* bytes; fewer are cached, and a prefetch costs more than it saves */
    struct proximal *s = state;
    struct stochastic *run = &s->run;
    const struct problem *problem = run->problem;
    const double push =
        lazy_growth(&s->lazy, run->t, run->t + 1) / run->sigma * run->weight_scale / run->k;

    if (run->width * sizeof *s->coordinate >= LARGE) { /* prefetches for the next step */
        const struct sparse x = problem_row(problem, run->sampler.drawn[run->sampler.next]);

        for (size_t k = 0; k < x.count; k++)
            PREFETCH(&s->coordinate[index_at(&x, k)]);
    }
    lazy_enter(&s->lazy, run->t);
    for (uint32_t b = 0; b < run->k; b++) {
        const uint32_t i = run->batch[b];
        const struct sparse x = problem_row(problem, i);
        double sum, z, descent; /* sum = G(t) <w_t, x_i> */

        if (fits_block(s, entries_of(problem, &x))) {
            sum = list_entries(s, &x, 0);
        } else {
            sum = visit(s, &x, 0, x.count, NULL);
            if (problem->bias_kind != BIAS_NONE)
                sum += problem->bias *
                       lazy_current(&s->lazy, s->coordinate[problem->data->features].height);
        }
        z = problem->sign[i] * (sum / lazy_growth(&s->lazy, 0, run->t));
        descent = loss_slope(problem->loss, problem_target(problem, i, problem->loss) - z);
        run->factor[b] =
            descent > 0 ? push * problem->sign[i] * problem_cost(problem, i) * descent : 0;
    }
    if (s->gradient)
        move_batch(s);
    else if (run->factor[0] != 0)
        move_row(s, run->batch[0], run->factor[0]);
}

/* ---- The method --------------------------------------------------------- */

static void output(const void *state, double *w)
{
    const struct proximal *s = state;
    const struct lazy *lazy = &s->lazy;
    const double growth = lazy_growth(lazy, 0, s->run.t + 1);
    const double total = weight_until(lazy->quadratic, lazy->begin, s->run.t);

    for (size_t from = 0; from < s->run.width; from += BLOCK) {
        const struct coordinate *coordinate = s->coordinate + from;
        const size_t left = s->run.width - from, count = left < BLOCK ? left : BLOCK;
        double height[BLOCK], sum[BLOCK];

        for (size_t e = 0; e < count; e++)
            height[e] = coordinate[e].height;
        lazy_sums(lazy, count, height, sum);
        for (size_t e = 0; e < count; e++)
            w[from + e] = s->averages && total > 0 ? (coordinate[e].rest + sum[e]) / total
                                                   : soft(height[e], lazy->k * growth) / growth;
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
    const double *start = training->task->start, k = training->problem->l1;
    double growth;

    (void)error;
    stochastic_set_up(&s->run, training);
    s->run.take = take;
    s->run.output = output;
    s->averages = s->run.average != HINGE_AVERAGE_NONE;
    lazy_begin(&s->lazy, k, s->run.schedule->step > 1, s->run.begin, s->note);
    growth = lazy_growth(&s->lazy, 0, s->run.begin + 1);
    for (size_t j = 0; start && j < training->width; j++)
        if (start[j] != 0)
            s->coordinate[j].height = copysign(growth * (fabs(start[j]) + k), start[j]);
    return HINGE_OK;
}

const struct method proximal = {.size = sizeof(struct proximal),
                                .lay_out = lay_out,
                                .begin = begin,
                                .step = stochastic_step,
                                .met = stochastic_met,
                                .measure = stochastic_measure};
