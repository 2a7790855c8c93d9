/* proximal.c - COMID with the l1 + l2 term (Duchi et al., COLT 2010) and HRMD-W, where l1 > 0; else
 * their steps are those of sgd.c.
 *
 * A coordinate is moved when a gradient reaches it, by the closed forms of shrinkage.h.
 */
#include "problem/loss.h"
#include "problem/regulariser.h"
#include "solver/stochastic/lazy_soft_threshold.h"
#include "solver/stochastic/stochastic.h"

struct coordinate {
    double height; /* h; 0 where u is 0 */
    double rest;   /* the sum of u_t/t up to now, less E(h, now) */
};

/* Coordinates that a row or a batch reaches, as many at a time as shrinkage.h takes. */
struct proximal_block {
    size_t count;
    uint32_t index[SHRINKAGE_BLOCK];
    double value[SHRINKAGE_BLOCK]; /* of the row, or the step's push */
    double height[SHRINKAGE_BLOCK];
    double rest[SHRINKAGE_BLOCK];
};

struct proximal {
    struct stochastic run;
    struct shrinkage shrinkage;
    struct coordinate *coordinate; /* [width] */
    double *gradient;              /* [width] of the step being taken; NULL with one row a step */
    double *note;                  /* [NOTES] */
    struct proximal_block block;   /* what the step is at */
    int averages;
};

/* ---- Entries ----------------------------------------------------------- */

static ALWAYS_INLINE void set_entry(const struct proximal *s, struct proximal_block *block,
                                    size_t e, uint32_t index, double value)
{
    block->index[e] = index;
    block->value[e] = value;
    block->height[e] = s->coordinate[index].height;
    block->rest[e] = s->coordinate[index].rest;
}

/* An entry's value times u_t; into the block goes the entry, if there is one. Entries have been
 * stored by the time that vectors of them are read. */
static ALWAYS_INLINE double visit_entry(const struct proximal *s, const struct sparse *x,
                                        size_t from, size_t e, struct proximal_block *block,
                                        enum hinge_index_kind index_kind,
                                        enum hinge_value_kind value_kind)
{
    const uint32_t j = index_as(x, index_kind, from + e);
    const double value = value_as(x, value_kind, from + e);

    if (block)
        set_entry(s, block, e, j, value);
    return value * shrinkage_current(&s->shrinkage, s->coordinate[j].height);
}

/* The sum of so many, from an entry on. Compiled for every kind of indices and values, as in
 * kernel.h. */
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

static double visit(const struct proximal *s, const struct sparse *x, size_t from, size_t count,
                    struct proximal_block *block)
{
    WITH_INDICES(x, WITH_VALUES(x, return visit_entries(s, x, from, count, block, INDEX, KIND)));
}

/* The same of a block of a row, from one entry on, of which the bias is the last. */
static double list_entries(struct proximal *s, const struct sparse *x, size_t from)
{
    const struct problem *problem = s->run.problem;
    struct proximal_block *block = &s->block;
    const size_t left = x->count > from ? x->count - from : 0;
    double sum;

    block->count = left < SHRINKAGE_BLOCK ? left : SHRINKAGE_BLOCK;
    sum = visit(s, x, from, block->count, block);
    if (problem->bias_kind == BIAS_NONE || block->count == SHRINKAGE_BLOCK)
        return sum;
    set_entry(s, block, block->count, (uint32_t)problem->data->features, problem->bias);
    return sum + problem->bias * shrinkage_current(&s->shrinkage, block->height[block->count++]);
}

/* The step of these coordinates, whose pushes are the values times factor. */
static void move_block(struct proximal *s, double factor)
{
    struct proximal_block *block = &s->block;

    shrinkage_move(&s->shrinkage, block->count, factor, block->value, block->height, block->rest);
    for (size_t e = 0; e < block->count; e++)
        s->coordinate[block->index[e]] = (struct coordinate){block->height[e], block->rest[e]};
}

/* ---- A step ------------------------------------------------------------ */

static size_t entries_of(const struct problem *problem, const struct sparse *x)
{
    return x->count + (problem->bias_kind != BIAS_NONE);
}

/* Whether a row of so many entries is one block, which is listed while it is decided upon. */
static int fits_block(const struct proximal *s, size_t entries)
{
    return s->averages && s->run.k == 1 && entries <= SHRINKAGE_BLOCK;
}

/* <w_t, x_i> */
static double decide(struct proximal *s, uint32_t i)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);
    double sum;

    if (fits_block(s, entries_of(problem, &x)))
        sum = list_entries(s, &x, 0);
    else {
        sum = visit(s, &x, 0, x.count, NULL);
        if (problem->bias_kind != BIAS_NONE)
            sum += problem->bias *
                   shrinkage_current(&s->shrinkage, s->coordinate[problem->data->features].height);
    }
    return sum / shrinkage_growth(&s->shrinkage, 0, s->run.t);
}

/* The step of a coordinate without a sum. */
static void move(struct proximal *s, size_t j, double push)
{
    double *height = &s->coordinate[j].height;

    *height = shrinkage_next(&s->shrinkage, *height, push);
}

/* The step of one row, whose gradient is -factor x_i, and which has just been decided upon. */
static void move_row(struct proximal *s, uint32_t i, double factor)
{
    const struct problem *problem = s->run.problem;
    const struct sparse x = problem_row(problem, i);
    const size_t entries = entries_of(problem, &x);

    for (size_t from = 0; s->averages && from < entries; from += SHRINKAGE_BLOCK) {
        if (!fits_block(s, entries))
            list_entries(s, &x, from);
        move_block(s, factor);
    }
    if (s->averages)
        return;
    for (size_t k = 0; k < x.count; k++)
        move(s, index_at(&x, k), factor * value_at(&x, k));
    if (problem->bias_kind != BIAS_NONE)
        move(s, problem->data->features, factor * problem->bias);
}

/* Of several rows: a coordinate that another row of the batch has, too, is moved only once. */
static void move_once(struct proximal *s, size_t j)
{
    struct proximal_block *block = &s->block;

    set_entry(s, block, block->count, (uint32_t)j, s->gradient[j]);
    block->count += s->gradient[j] != 0;
    s->gradient[j] = 0;
    if (block->count < SHRINKAGE_BLOCK)
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
    const double push = shrinkage_growth(&s->shrinkage, run->t, run->t + 1) / run->sigma *
                        run->weight_scale / run->k;

    fetch_coordinates(s);
    shrinkage_enter(&s->shrinkage, run->t);
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
    const double growth = shrinkage_growth(&s->shrinkage, 0, s->run.t + 1);
    const double total = shrinkage_weight(&s->shrinkage, s->run.t);

    for (size_t from = 0; from < s->run.width; from += SHRINKAGE_BLOCK) {
        const struct coordinate *coordinate = s->coordinate + from;
        const size_t left = s->run.width - from;
        const size_t count = left < SHRINKAGE_BLOCK ? left : SHRINKAGE_BLOCK;
        double height[SHRINKAGE_BLOCK], sum[SHRINKAGE_BLOCK];

        for (size_t e = 0; e < count; e++)
            height[e] = coordinate[e].height;
        shrinkage_sums(&s->shrinkage, count, height, sum);
        for (size_t e = 0; e < count; e++)
            w[from + e] = s->averages && total > 0
                              ? (coordinate[e].rest + sum[e]) / total
                              : soft(height[e], s->shrinkage.k * growth) / growth;
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
    shrinkage_begin(&s->shrinkage, k, s->run.schedule->step > 1, s->run.begin, s->note);
    growth = shrinkage_growth(&s->shrinkage, 0, s->run.begin + 1);
    for (size_t j = 0; start && j < training->width; j++)
        if (start[j] != 0)
            s->coordinate[j].height = copysign(growth * (fabs(start[j]) + k), start[j]);
    return HINGE_OK;
}

const struct method proximal = {.name = NULL,
                                .size = sizeof(struct proximal),
                                .lay_out = lay_out,
                                .begin = begin,
                                .step = stochastic_step,
                                .met = stochastic_met,
                                .measure = stochastic_measure};
