/* descent.c - alpha_i := the exact minimiser of D along alpha_i,  w += (its change) y_i x_i.
 *
 * Dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, Alg. 3). A step is
 * a pass over the rows in a fresh random order. A row at a bound is shrunk if its gradient points
 * out of the box by more than any violation of the last pass: it is left out until the other rows
 * have converged.
 *
 * A visit lowers D by about half the squared violation over the curvature. Many rows that are not
 * shrunk gain almost nothing, and on long rows their visits take most of the time. So a row whose
 * violation is below a twentieth of the last pass's largest is skipped in the next pass; if it is
 * found so again, in the next 3, 7, 15 passes. The limit is a quarter of the passes so far, because
 * all gradients fall fast at first. A row at a bound that violates nothing may be skipped sooner
 * and for longer. A row that is not shrunk is visited in every 16th pass at least, which is what
 * convergence asks for (the almost cyclic rule of Luo and Tseng, J. Optim. Theory Appl. 1992).
 *
 * No rule counts as met before all rows were examined. A full scan does that for a fraction of the
 * price of a pass: it reads the rows in the order of memory and changes none. It leaves the rows
 * that violate the KKT conditions to the next pass.
 *
 * The duality gap is a sum over rows of loss_gap, because w = sum alpha_i y_i x_i. A pass knows
 * every z_i that the terms need, so it adds them up. The sum is an estimate, because w moves during
 * the pass. It decides only when the gap is measured.
 *
 * There are three loops: for classification, for regression, and for rows in a file.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/random.h"
#include "solver/linear/cost.h"
#include "solver/loop/method.h"
#include "solver/loop/primal_rule.h"
#include "solver/passes/extrapolation.h"
#include "solver/passes/multiplier.h"
#include "solver/passes/paged_order.h"
#include "solver/passes/pass_rules.h"

/* A row of the data, in half a cache line: all that a visit needs besides alpha and the entries. In
 * a regression, a row of the data is two rows of the problem, of either sign. They share all fields
 * but the sign, which is that of the first. */
struct row {
    double curvature; /* of D along alpha_i */
    double scale;     /* see loss_scale */
    size_t start;     /* of the row's entries in the dataset */
    uint32_t length;  /* number of entries */
    signed char sign; /* y_i */
};

/* Values of skip[] beside the number of passes that the row was skipped in after its last visit. */
enum { SHRUNK = MOST_SKIP + 1, SOLVED /* has no feature: solved at the beginning */ };

enum { MOST_VIEWS = 2 }; /* rows of the problem that one row of the data can be */

/* The skipped rows, in a bucket for each of the coming passes. Taking out the rows of one pass
 * costs time for these rows alone, however many others wait. */
enum { BUCKETS = MOST_SKIP + 1, CHUNK_ROWS = 62 };

struct chunk {
    uint32_t next; /* chunk of the same bucket, or free chunk; 0: none */
    uint32_t count;
    uint32_t row[CHUNK_ROWS];
};

struct queue {
    struct chunk *chunk;     /* numbered from 1 */
    uint32_t first[BUCKETS]; /* a bucket's first chunk, the only one that may have room; 0: none */
    double gap[BUCKETS];     /* sum of the gap terms of a bucket's rows */
    uint32_t free;           /* first chunk that was given back; 0: none */
    uint32_t fresh;          /* chunks from this number on were never used */
};

/* The findings of one pass or full scan. */
struct pass {
    double largest;  /* violation */
    double smallest; /* violation */
    double total;    /* for regression, sum of all |violations|; else 0 */
    double gap;      /* sum of the gap terms of rows that are not shrunk, at their last visits */
    double decrease; /* of D */
    uint32_t visits; /* to rows of the data */
    int full;        /* every row that violates the KKT conditions was visited */
};

/* When to measure the gap and when to stop. */
struct stopping {
    uint64_t begun;       /* passes before this method's first */
    int may_part;         /* the certificate may take a dual point that is not that of w */
    double left_fraction; /* fraction of the gap that such a point would have left, last time */
    int left_margins;     /* a scan since the last pass left its margins for that point */
    double correction;    /* measured gap / estimate, 0.1 .. 10 */
    uint64_t next_check;  /* measure after so many visits whatever the estimate */
    unsigned stalls;      /* passes over all rows in a row that changed nothing but rounding */
    double distance;      /* logarithm of gap/target after the last pass */
    double most_distance; /* bound of the distance that the training reads: the one before the last
                             extrapolation, because the estimate rises for a while after it */
};

struct descent {
    struct training *training;
    const struct problem *problem;
    double *w;
    double *v; /* [width] sum alpha_i y_i x_i where w is soft(v, l1); NULL: w is that sum */
    double *alpha;
    uint64_t alpha_version; /* the training's, at the last step */
    uint32_t count;         /* rows of the data */
    uint32_t candidates;    /* rows with a feature */
    uint32_t active;        /* candidates that are not shrunk */
    double mean_length;     /* entries of a candidate */
    struct row *rows;       /* [count]; NULL: rows are in a file, and formed for each visit */
    unsigned char *skip;    /* [count] passes skipped after the last visit, SHRUNK or SOLVED */
    double *z;              /* [problem->rows] margins of a full scan; shares memory with next */
    uint32_t *next;         /* [count] rows of the coming pass that do not wait in the queue */
    uint32_t next_count;
    struct queue queue;
    struct random_state random;
    struct paged_order order;
    double above;       /* shrink a row at 0 if its gradient is larger */
    double below;       /* shrink a row at its upper bound if its gradient is smaller */
    double little;      /* skip a row if its violation is smaller */
    unsigned most_skip; /* limit of the passes that a row is skipped in, at present */
    struct pass pass;   /* the last one */
    struct stopping stopping;
    struct multiplier multiplier; /* of a free bias */
    struct extrapolation extrapolation;
};

/* ---- The queue ---------------------------------------------------------- */

/* Takes room for so many rows. One chunk in each bucket may have room left; number 0 is unused. */
static void lay_out_queue(struct queue *queue, struct arena *arena, uint32_t rows)
{
    queue->chunk = arena_take(arena, (size_t)rows / CHUNK_ROWS + BUCKETS + 1, sizeof(struct chunk));
}

static void clear_queue(struct queue *queue)
{
    memset(queue->first, 0, sizeof queue->first);
    memset(queue->gap, 0, sizeof queue->gap);
    queue->free = 0;
    queue->fresh = 1;
}

/* Puts an empty chunk before the others of a bucket, and returns it. */
static struct chunk *open_chunk(struct queue *queue, unsigned bucket)
{
    const uint32_t number = queue->free ? queue->free : queue->fresh++;
    struct chunk *chunk = &queue->chunk[number];

    if (queue->free)
        queue->free = chunk->next;
    chunk->count = 0;
    chunk->next = queue->first[bucket];
    queue->first[bucket] = number;
    return chunk;
}

/* Puts a row, which is in no bucket, into one. */
static ALWAYS_INLINE void enqueue(struct queue *queue, unsigned bucket, uint32_t row, double gap)
{
    struct chunk *chunk = &queue->chunk[queue->first[bucket]];

    if (queue->first[bucket] == 0 || chunk->count == CHUNK_ROWS)
        chunk = open_chunk(queue, bucket);
    chunk->row[chunk->count++] = row;
    queue->gap[bucket] += gap;
}

/* Moves the rows of a bucket to `rows`, and returns how many they are. */
static uint32_t empty_bucket(struct queue *queue, unsigned bucket, uint32_t *rows)
{
    uint32_t count = 0, number = queue->first[bucket];

    queue->first[bucket] = 0;
    queue->gap[bucket] = 0;
    while (number) {
        struct chunk *chunk = &queue->chunk[number];
        const uint32_t next = chunk->next;

        memcpy(rows + count, chunk->row, chunk->count * sizeof *rows);
        count += chunk->count;
        chunk->next = queue->free;
        queue->free = number;
        number = next;
    }
    return count;
}

/* Returns the bucket of the pass that is so many passes away. */
static ALWAYS_INLINE unsigned bucket_of(const struct descent *descent, unsigned passes)
{
    return (unsigned)((descent->training->progress.passes + passes) % BUCKETS);
}

/* Moves all skipped rows to the next pass. */
static void take_skipped(struct descent *descent)
{
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        descent->next_count +=
            empty_bucket(&descent->queue, bucket, descent->next + descent->next_count);
}

/* ---- Beginning ---------------------------------------------------------- */

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    struct descent *descent = state;
    const struct problem *problem = training->problem;

    descent->count = training->rows / problem_views(problem);
    descent->rows =
        problem_is_paged(problem) ? NULL : arena_take(arena, descent->count, sizeof(struct row));
    descent->skip = arena_take(arena, descent->count, sizeof *descent->skip);
    descent->z = arena_take(arena, training->rows, sizeof *descent->z);
    /* z and next can share memory: a full scan drops the rows of the coming pass, and after it has
     * read z_i it writes next[0 .. i] at most. The other half is for sorting, between scans. */
    descent->next = (uint32_t *)(void *)descent->z;
    lay_out_queue(&descent->queue, arena, descent->count);
    paged_order_lay_out(&descent->order, arena, problem, problem_views(problem),
                        descent->next ? descent->next + descent->count : NULL);
    extrapolation_lay_out(&descent->extrapolation, arena, training);
    if (problem->bias_kind == BIAS_FREE)
        multiplier_lay_out(&descent->multiplier, arena, training);
}

/* Takes back all shrunk and skipped rows. */
static void reopen(struct descent *descent)
{
    clear_queue(&descent->queue);
    descent->next_count = 0;
    for (uint32_t k = 0; k < descent->count; k++) {
        if (descent->skip[k] != SOLVED)
            descent->next[descent->next_count++] = k;
        if (descent->skip[k] == SHRUNK)
            descent->skip[k] = 0;
    }
    descent->active = descent->candidates;
    descent->above = HUGE_VAL;
    descent->below = -HUGE_VAL;
}

/* Forms row k of the data, given its |x|^2. */
static ALWAYS_INLINE void form_row(const struct problem *problem, uint32_t k, double square,
                                   struct row *row)
{
    const uint32_t i = k * problem_views(problem);

    row->scale = loss_scale(problem->loss, problem_cost(problem, i));
    row->curvature = square + loss_dual_curvature(problem->loss, row->scale);
    row->start = problem->data->x.start[problem->row[i]];
    row->length = (uint32_t)problem_length(problem, i);
    row->sign = problem->sign[i] > 0 ? 1 : -1;
}

/* Forms all rows. The margin of a row without a feature is 0, so its dual numbers are known. */
static void begin_rows(struct descent *descent)
{
    const struct problem *problem = descent->problem;
    const uint32_t views = problem_views(problem);
    size_t nonzeros = 0;

    for (uint32_t k = 0; k < descent->count; k++) {
        const double square = problem_square(problem, k * views);

        if (descent->rows)
            form_row(problem, k, square, &descent->rows[k]);
        nonzeros += problem_length(problem, k * views);
        descent->skip[k] = square > 0 ? 0 : SOLVED;
        descent->candidates += square > 0;
        for (uint32_t i = k * views; !(square > 0) && i < (k + 1) * views; i++) {
            const double target = problem_target(problem, i, problem->loss);

            descent->alpha[i] = problem_cost(problem, i) * loss_slope(problem->loss, target);
            descent->training->point.is_formed = 0;
        }
    }
    descent->mean_length = (double)nonzeros / fmax(descent->candidates, 1);
}

/* Sets alpha to the dual point of a given w: the slopes of the loss. A loss with a corner is
 * smoothed over a quarter of a margin on either side. */
static void start_at(struct training *training, const double *w)
{
    const struct problem *problem = training->problem;
    double curvature;

    for (uint32_t i = 0; i < training->rows; i++) {
        const double cost = problem_cost(problem, i);
        const double slack = problem_target(problem, i, problem->loss) -
                             problem->sign[i] * problem_decision(problem, i, w);

        training->point.alpha[i] =
            loss_point(problem->loss, cost, slack, cost / 2, 2 * cost, &curvature);
    }
    training->point.primal = objective_primal(&training->shards, problem, w).primal;
    memcpy(training->point.w, w, training->width * sizeof *w);
    training->point.is_formed = 0;
}

static enum hinge_status begin(void *state, struct training *training, struct hinge_error *error)
{
    struct descent *descent = state;
    struct stopping *stopping = &descent->stopping;

    (void)error;
    descent->training = training;
    descent->w = training->point.w;
    descent->v = training->point.v;
    descent->alpha = training->point.alpha;
    descent->random.counter = training->parameters->seed;
    if (training->start)
        start_at(training, training->start);
    training->start = NULL;
    if (training->problem->bias_kind == BIAS_FREE)
        multiplier_begin(&descent->multiplier, training);
    descent->problem = training->problem;
    begin_rows(descent);
    if (!training->point.is_formed)
        training_form(training);
    descent->alpha_version = training->alpha_version;
    reopen(descent);
    stopping->begun = training->progress.passes;
    stopping->may_part = descent->extrapolation.better.w && training->parameters->eps <= 0;
    stopping->left_fraction = 0.5;
    stopping->correction = 1;
    stopping->next_check = training->progress.row_visits +
                           4 * (uint64_t)descent->candidates * problem_views(training->problem);
    stopping->distance = stopping->most_distance = HUGE_VAL;
    return HINGE_OK;
}

/* ---- Formulas that the loops share -------------------------------------- */

/* True if a row is at a bound and its gradient points out of the box by more than any violation of
 * the last pass. */
static ALWAYS_INLINE int is_to_shrink(const struct descent *descent, enum loss loss, double scale,
                                      double alpha, double gradient)
{
    return alpha == 0 ? gradient > descent->above
                      : loss_is_at_upper(loss, scale, alpha) && gradient < descent->below;
}

static ALWAYS_INLINE void note_violation(struct pass *pass, enum loss loss, double violation)
{
    pass->largest = violation > pass->largest ? violation : pass->largest;
    pass->smallest = violation < pass->smallest ? violation : pass->smallest;
    if (loss_has_targets(loss))
        pass->total += fabs(violation);
}

/* Puts a row into the queue if it violates little, else into the next pass. begun is 1 during a
 * pass, which does not count as one that the row is skipped in. */
static ALWAYS_INLINE void schedule(struct descent *descent, uint32_t k, double violation,
                                   double gap, unsigned begun)
{
    const unsigned limit = violation == 0 ? (4 * descent->most_skip + 3) & MOST_SKIP
                           : fabs(violation) < descent->little ? descent->most_skip
                                                               : 0;
    const unsigned char skip = skip_next(descent->skip[k], limit);

    descent->skip[k] = skip;
    if (skip > 0)
        enqueue(&descent->queue, bucket_of(descent, skip + begun), k, gap);
    else
        descent->next[descent->next_count++] = k;
}

/* Adds change x to w. Where w is soft(v, l1), the step minimises an upper bound of D: the true
 * curvature is that of the features with a weight alone. */
static ALWAYS_INLINE void move(struct descent *descent, const struct sparse *x, double change)
{
    if (UNLIKELY(descent->v != NULL)) {
        const struct sparse copy = *x; /* so that *x, without an address, is kept in registers */

        problem_add_mapped(descent->problem, &copy, change, descent->v, descent->w);
    } else {
        problem_add(descent->problem, x, change, descent->w);
    }
}

/* Asks for rows of the pass before their visits, because they are visited in another order than
 * they have in memory. The processor follows a row by itself, but late: on rows of 140 entries with
 * values, asking for the whole row saves a quarter. The end of a long row comes in time without it;
 * rows without values, a third of the size, gain less. */
static ALWAYS_INLINE void prefetch(const struct descent *descent, const struct hinge_matrix *data,
                                   uint32_t s, uint32_t visits, enum loss loss)
{
    enum { STATE_AHEAD = 16, DATA_AHEAD = 8, WITH_VALUES = 256, WITHOUT = 128 };
    const uint32_t views = loss_has_targets(loss) ? MOST_VIEWS : 1;

    if (s + STATE_AHEAD < visits) {
        const uint32_t k = descent->next[s + STATE_AHEAD];

        PREFETCH(&descent->rows[k]);
        PREFETCH(&descent->skip[k]);
        PREFETCH(&descent->alpha[(size_t)k * views]);
        if (loss_has_targets(loss))
            PREFETCH(&descent->problem->target[(size_t)k * views]);
    }
    if (s + DATA_AHEAD < visits) {
        const struct row *row = &descent->rows[descent->next[s + DATA_AHEAD]];
        const struct sparse x = sparse_part(data, row->start, row->length);

        sparse_prefetch(&x, x.value_kind == HINGE_VALUE_ONE ? WITHOUT : WITH_VALUES);
    }
}

/* ---- The pass over rows of a classification ----------------------------- */

/* Minimises D along alpha_i for each row i of the pass in turn. Compiled for each loss. */
static ALWAYS_INLINE void visit_rows(struct descent *descent, enum loss loss, struct pass *pass)
{
    const struct hinge_matrix data = descent->problem->data->x; /* no store can change a copy */

    for (uint32_t s = 0; s < pass->visits; s++) {
        const uint32_t i = descent->next[s];
        const struct row *row = &descent->rows[i];
        const struct sparse x = sparse_part(&data, row->start, row->length);
        const double before = descent->alpha[i];
        double slack, gradient, violation, gap, after;

        prefetch(descent, &data, s, pass->visits, loss);
        slack = loss_target(loss) - row->sign * problem_dot(descent->problem, &x, descent->w);
        gradient = loss_gradient(loss, row->scale, before, slack);

        if (is_to_shrink(descent, loss, row->scale, before, gradient)) {
            descent->skip[i] = SHRUNK;
            descent->active--;
            continue;
        }
        violation = loss_violation(loss, row->scale, before, slack);
        gap = loss_gap(loss, row->scale, before, slack);
        note_violation(pass, loss, violation);
        pass->gap += gap;
        schedule(descent, i, violation, gap, 1);
        if (violation == 0)
            continue;

        after = loss_step(loss, row->scale, row->curvature, before, slack, gradient);
        if (after == before)
            continue;
        descent->alpha[i] = after;
        pass->decrease += loss_decrease(loss, row->scale, row->curvature, before, after, gradient);
        move(descent, &x, row->sign * (after - before));
    }
}

/* ---- Rows of any loss, with two dual variables in a regression ---------- */

static ALWAYS_INLINE uint32_t views_of(enum loss loss)
{
    return loss_has_targets(loss) ? MOST_VIEWS : 1;
}

/* A row of the data at the present w. */
struct view {
    double slack[MOST_VIEWS];
    double gradient[MOST_VIEWS];
    double violation; /* the largest in size */
    double gap;       /* sum of the gap terms */
};

/* Examines row k of the data, whose margin is z. Returns 0 if the row must be shrunk; its
 * violation is not noted. */
static ALWAYS_INLINE int examine(const struct descent *descent, const struct row *row, uint32_t k,
                                 double z, enum loss loss, struct pass *pass, struct view *view)
{
    const uint32_t first = k * views_of(loss);
    const double *alpha = descent->alpha + first;
    int stays = 0;

    *view = (struct view){{0}, {0}, 0, 0};
    for (uint32_t v = 0; v < views_of(loss); v++) {
        const double target = problem_target(descent->problem, first + v, loss);

        view->slack[v] = v == 0 ? target - z : target + z;
        view->gradient[v] = loss_gradient(loss, row->scale, alpha[v], view->slack[v]);
        stays |= !is_to_shrink(descent, loss, row->scale, alpha[v], view->gradient[v]);
    }
    if (!stays)
        return 0;
    for (uint32_t v = 0; v < views_of(loss); v++) {
        const double violation = loss_violation(loss, row->scale, alpha[v], view->slack[v]);

        note_violation(pass, loss, violation);
        if (fabs(violation) > fabs(view->violation))
            view->violation = violation;
        view->gap += loss_gap(loss, row->scale, alpha[v], view->slack[v]);
    }
    pass->gap += view->gap;
    return 1;
}

/* Minimises D along the dual variables of a row, and returns the change of their sum of alpha y,
 * times the first one's sign. In a regression, the two are updated in turn, the non-zero one first;
 * the second update uses the changed z. */
static ALWAYS_INLINE double descend(struct descent *descent, const struct row *row, uint32_t k,
                                    enum loss loss, const struct view *view, double *decrease)
{
    double *alpha = descent->alpha + (size_t)k * views_of(loss);
    const uint32_t first = loss_has_targets(loss) && alpha[1] > 0;
    double moved = 0; /* z, in units of |x_i|^2 */

    for (uint32_t n = 0; n < views_of(loss); n++) {
        const uint32_t v = first ^ n;
        const double before = alpha[v];
        double slack = view->slack[v], gradient = view->gradient[v], change;

        if (n > 0 && moved != 0) {
            const double square = row->curvature - loss_dual_curvature(loss, row->scale);

            slack += v == 0 ? -square * moved : square * moved;
            gradient = loss_gradient(loss, row->scale, before, slack);
        }
        if (views_of(loss) > 1 && loss_violation(loss, row->scale, before, slack) == 0)
            continue;
        alpha[v] = loss_step(loss, row->scale, row->curvature, before, slack, gradient);
        change = alpha[v] - before;
        if (change == 0)
            continue;
        *decrease += loss_decrease(loss, row->scale, row->curvature, before, alpha[v], gradient);
        moved += v == 0 ? change : -change;
    }
    return moved;
}

/* Visits row k of the data, whose entries are x. */
static ALWAYS_INLINE void visit_views(struct descent *descent, const struct row *row, uint32_t k,
                                      const struct sparse *x, enum loss loss, struct pass *pass)
{
    const double z = row->sign * problem_dot(descent->problem, x, descent->w);
    struct view view;
    double change;

    if (!examine(descent, row, k, z, loss, pass, &view)) {
        descent->skip[k] = SHRUNK;
        descent->active--;
        return;
    }
    schedule(descent, k, view.violation, view.gap, 1);
    if (view.violation == 0)
        return;
    change = descend(descent, row, k, loss, &view, &pass->decrease);
    if (change != 0)
        move(descent, x, change * row->sign);
}

/* The pass over rows of a regression, compiled for each loss: one copy for both losses takes 30 %
 * more instructions (letter, solver 12). */
static ALWAYS_INLINE void visit_pairs(struct descent *descent, enum loss loss, struct pass *pass)
{
    const struct hinge_matrix data = descent->problem->data->x; /* no store can change a copy */

    for (uint32_t s = 0; s < pass->visits; s++) {
        const uint32_t k = descent->next[s];
        const struct row *row = &descent->rows[k];
        const struct sparse x = sparse_part(&data, row->start, row->length);

        prefetch(descent, &data, s, pass->visits, loss);
        visit_views(descent, row, k, &x, loss, pass);
    }
}

/* ---- The pass over rows in a file --------------------------------------- */

/* Minimises D along the dual variables of each row of the pass in turn, for rows in a file. The
 * loop is compiled once for all losses: it is as fast, and copies would be half of this file's
 * instructions. A row is visited once, although its page stays in memory for a while. Three visits
 * save passes, but fewer rows are skipped: 37 trainings on text read 1.4 times as many bytes, in
 * 1.8 times the processor time. Only on 600,000 rows of 4,150 features, few of them skipped, three
 * visits read half as many, in 1.2 times the processor time. */
static void visit_paged(struct descent *descent, struct pass *pass)
{
    const struct problem *problem = descent->problem;

    for (uint32_t s = 0; s < pass->visits; s++) {
        const uint32_t k = descent->next[s], i = k * problem_views(problem);
        const double square = problem_square(problem, i);
        const struct sparse x = problem_row(problem, i);
        struct row row;

        /* A row that cannot be read, which ends the training, has no features; its curvature must
         * not be 0 all the same. */
        form_row(problem, k, square > 0 ? square : 1, &row);
        visit_views(descent, &row, k, &x, problem->loss, pass);
    }
}

/* ---- A full scan -------------------------------------------------------- */

/* Sets the limits of the next pass. */
static void set_limits(struct descent *descent)
{
    const struct pass *pass = &descent->pass;

    descent->above = pass->largest > 0 ? pass->largest : HUGE_VAL;
    descent->below = pass->smallest < 0 ? pass->smallest : -HUGE_VAL;
    descent->little = SKIP_BELOW * fmax(pass->largest, -pass->smallest);
}

/* Measures P, D and the gap of w formed anew. Its margins are left in z, if that is not NULL. */
static void certify(struct descent *descent, double *z)
{
    extrapolation_store_differences(&descent->extrapolation, descent->training);
    training_certify(descent->training, z);
    extrapolation_store_differences(&descent->extrapolation, descent->training);
}

/* Returns the array in which margins of w are left for a dual point apart from w; NULL if they are
 * not needed. */
static double *room_for_margins(const struct descent *descent)
{
    return descent->stopping.may_part ? extrapolation_room(&descent->extrapolation) : NULL;
}

/* Examines all rows and changes no alpha: violations and gap of the last pass become those of all
 * rows at the present w, and the next pass gets the rows that violate the KKT conditions. If this
 * may be the end of the training (certifying), the scan is its last measurement, too: w is formed
 * anew first, and its margins serve both. With a free bias, another point would be returned. */
static void scan(struct descent *descent, int certifying)
{
    const struct problem *problem = descent->problem;
    struct training *training = descent->training;
    const enum loss loss = problem->loss;
    struct pass *pass = &descent->pass;
    double *room = certifying ? room_for_margins(descent) : NULL;
    double *z = room ? room : descent->z;
    struct row paged;
    struct view view;

    if (room)
        training_measure_margins(training, z);
    else if (certifying && !training->multiplier)
        certify(descent, z);
    else
        sums_margins(&training->shards, problem, all_rows(problem), descent->w, z);
    descent->stopping.left_margins = room != NULL;
    clear_queue(&descent->queue);
    descent->next_count = descent->active = 0;
    pass->largest = -HUGE_VAL;
    pass->smallest = HUGE_VAL;
    pass->total = pass->gap = 0;
    for (uint32_t k = 0; k < descent->count; k++) {
        const struct row *row = descent->rows ? &descent->rows[k] : &paged;

        if (descent->skip[k] == SOLVED)
            continue;
        if (row == &paged)
            form_row(problem, k, 0, &paged); /* a scan needs no curvature */
        if (!examine(descent, row, k, z[(size_t)k * views_of(loss)], loss, pass, &view)) {
            descent->skip[k] = SHRUNK;
            continue;
        }
        descent->active++;
        if (view.violation != 0)
            descent->next[descent->next_count++] = k;
        else
            schedule(descent, k, view.violation, view.gap, 0);
    }
    training->progress.active = (uint64_t)descent->active * problem_views(problem);
    set_limits(descent);
}

/* ---- A step ------------------------------------------------------------- */

/* Chooses and shuffles the rows of a pass. Returns the pass with the gap terms of the rows that
 * stay in the queue. A pass that would visit no row visits all, because a pass without a visit
 * would look like the end. */
static struct pass begin_pass(struct descent *descent)
{
    enum { SHORT = 32 }; /* entries: on longer rows a visit costs little more than in a scan */
    const uint64_t passes = descent->training->progress.passes;
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};

    descent->next_count +=
        empty_bucket(&descent->queue, bucket_of(descent, 0), descent->next + descent->next_count);
    /* Most rows of this pass were skipped for violating nothing, and most still violate nothing: a
     * scan saves their visits. */
    if (passes > 0 && descent->next_count > descent->candidates / 4 * 3 &&
        descent->pass.visits < descent->candidates / 4 && descent->mean_length < SHORT) {
        scan(descent, 0);
        pass.full = descent->next_count > 0;
    }
    if (descent->next_count == 0)
        take_skipped(descent);
    descent->most_skip = skip_limit(descent->most_skip, passes);
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        pass.gap += descent->queue.gap[bucket];
    pass.visits = descent->next_count;
    pass.full |= pass.visits == descent->candidates;
    if (problem_is_paged(descent->problem))
        paged_order_shuffle(&descent->order, &descent->random, descent->next, pass.visits);
    else
        random_shuffle(&descent->random, descent->next, pass.visits);
    descent->next_count = 0;
    return pass;
}

static void step(void *state)
{
    struct descent *descent = state;
    struct training *training = descent->training;
    const struct problem *problem = descent->problem;
    const uint32_t views = problem_views(problem);
    struct pass pass;

    if (training->alpha_version != descent->alpha_version) {
        descent->alpha_version = training->alpha_version;
        descent->stopping.most_distance = HUGE_VAL;
        reopen(descent);
    }
    if (training->multiplier)
        multiplier_move(training);
    if (extrapolate(&descent->extrapolation, training))
        descent->stopping.most_distance = descent->stopping.distance;
    pass = begin_pass(descent);
    if (problem_is_paged(problem))
        visit_paged(descent, &pass);
    else
        WITH_LOSS(problem->loss, if (loss_has_targets(LOSS)) visit_pairs(descent, LOSS, &pass);
                  else visit_rows(descent, LOSS, &pass));
    descent->pass = pass;
    set_limits(descent);
    descent->stopping.left_margins = 0;
    training->point.dual -= pass.decrease;
    training->spent +=
        cost_of_visits(pass.visits, descent->mean_length, loss_is_curved(problem->loss));
    training->progress.passes++;
    training->progress.row_visits += (uint64_t)pass.visits * views;
    training->progress.active = (uint64_t)descent->active * views;
    training_moved(training);
}

/* ---- Stopping ----------------------------------------------------------- */

/* True if the rows that were examined last keep LIBLINEAR's rule. */
static int violations_are_small(const struct descent *descent)
{
    const double eps = descent->training->eps;
    const struct pass *pass = &descent->pass;

    if (loss_has_targets(descent->problem->loss))
        return pass->total <= eps * descent->problem->rows;
    return descent->active == 0 || (pass->largest - pass->smallest <= eps && pass->largest <= eps &&
                                    pass->smallest >= -eps);
}

/* Returns the relative gap by what the last pass found. */
static double estimated_gap(const struct descent *descent)
{
    return gap_of_terms(descent->pass.gap, descent->training->point.dual);
}

/* Replaces the margins in to[rows] by the dual variables that each coordinate step alone would lead
 * to. Returns the slope of D in the direction from there to alpha. */
static double find_steps(const struct descent *descent, double *to)
{
    const enum loss loss = descent->problem->loss;
    double slope = 0;

    for (uint32_t k = 0; k < descent->count; k++) {
        const struct row *row = &descent->rows[k];

        for (uint32_t i = k * views_of(loss); i < (k + 1) * views_of(loss); i++) {
            const double alpha = descent->alpha[i];
            const double slack = problem_target(descent->problem, i, loss) - to[i];
            const double gradient = loss_gradient(loss, row->scale, alpha, slack);

            to[i] = descent->skip[k] == SOLVED
                        ? alpha
                        : loss_step(loss, row->scale, row->curvature, alpha, slack, gradient);
            slope += gradient * (alpha - to[i]);
        }
    }
    return slope;
}

/* True if a point that can be returned has the gap: w with a dual point apart from it, for which w
 * need not be formed anew, or else w formed anew with its own. */
static int is_certified(struct descent *descent, double target)
{
    struct training *training = descent->training;
    struct extrapolation *extrapolation = &descent->extrapolation;
    double *margins = room_for_margins(descent);

    if (margins) {
        if (!descent->stopping.left_margins)
            training_measure_margins(training, margins);
        if (extrapolation_take_ahead(extrapolation, training, find_steps(descent, margins), target))
            return 1;
    } else if (descent->stopping.may_part) {
        certify(descent, NULL);
        if (extrapolation_take_back(extrapolation, training, target,
                                    &descent->stopping.left_fraction))
            return 1;
    }
    certify(descent, NULL);
    return training->progress.relative_gap <= target;
}

/* The rule of the gap. It is measured if the estimate is small enough, and each time the work has
 * doubled, because the estimate may be wrong. */
static int gap_rule(struct descent *descent, double target)
{
    static const double LEAST = 0.25;
    struct stopping *stopping = &descent->stopping;
    struct training *training = descent->training;
    const double estimate = estimated_gap(descent);
    double early = target;

    /* A dual point apart from w is likely to make up for a gap that is somewhat too large. */
    if (stopping->may_part && extrapolation_looks_back(&descent->extrapolation))
        early = target / fmax(stopping->left_fraction, LEAST);
    if (estimate * stopping->correction > early &&
        training->progress.row_visits < stopping->next_check)
        return 0;
    /* The terms of skipped rows are old. A pass over all active rows renews them and is progress,
     * too. If many rows are active, a full scan costs less. */
    if (descent->pass.visits < descent->active) {
        if (descent->active < descent->candidates / 2) {
            take_skipped(descent);
            return 0;
        }
        scan(descent, 1);
    }
    if (estimated_gap(descent) <= early) {
        if (is_certified(descent, target))
            return 1;
        scan(descent, 0);
        if (training->multiplier) /* the estimate lacks what a balanced alpha costs */
            descent->pass.gap =
                fmax(descent->pass.gap, training->point.primal + training->point.dual);
    } else if (stopping->left_margins) {
        certify(descent, NULL);
    }
    stopping->correction = gap_correction(estimated_gap(descent), estimate);
    stopping->next_check = 2 * training->progress.row_visits;
    return 0;
}

/* The gap that passes must reach is a tenth of eps if the rule is about the gradient of P, which
 * then holds, or is a few steps of Newton's method away. */
static enum verdict met(void *state)
{
    struct descent *descent = state;
    struct stopping *stopping = &descent->stopping;
    struct training *training = descent->training;
    const struct hinge_parameters *parameters = training->parameters;
    const int primal_rule = primal_rule_is_asked(training);
    const int has_gap = primal_rule || parameters->relative_gap > 0;
    const int has_eps = !primal_rule && parameters->eps > 0;
    const struct pass *pass = &descent->pass;
    double target = certified_gap(parameters), violation;
    int holds;

    if (primal_rule)
        target = fmin(target, parameters->eps / 10);
    if (training->progress.passes == stopping->begun)
        return GOES_ON; /* there was no pass yet */
    holds = !has_eps || violations_are_small(descent);
    if (has_eps && holds) { /* for the rows of the pass */
        if (!pass->full)
            scan(descent, 1);
        holds = violations_are_small(descent) &&
                (!training->multiplier || training_settled_rule(training));
    }
    if (holds && (!has_gap || gap_rule(descent, target)))
        return !primal_rule || primal_rule_holds(training) ? MET : DONE;

    violation = loss_has_targets(descent->problem->loss) ? pass->total / descent->problem->rows
                                                         : fmax(pass->largest, -pass->smallest);
    stopping->distance = distance_to_targets(estimated_gap(descent), has_gap ? target : 0,
                                             violation, has_eps ? fmax(training->eps, DBL_MIN) : 0);
    training->distance = fmin(stopping->distance, stopping->most_distance);
    if (!is_rounding(pass->decrease + multiplier_rest(training), descent->candidates,
                     training->point.dual))
        stopping->stalls = 0;
    else if (pass->full && stopping->stalls++ > 0)
        return STALLED;
    else
        reopen(descent);
    return GOES_ON;
}

const struct method coordinate_descent = {
    .size = sizeof(struct descent), .lay_out = lay_out, .begin = begin, .step = step, .met = met};
