/* visits.c - alpha_i := the exact minimiser of D along alpha_i,  w += (its change) y_i x_i.
 *
 * A row at a bound is shrunk if its gradient points out of the box by more than any violation of
 * the last pass: it is left out until the other rows have converged. (Hsieh, Chang, Lin, Keerthi,
 * Sundararajan, ICML 2008, Alg. 3.)
 *
 * A visit lowers D by about half the squared violation over the curvature. Many rows that are not
 * shrunk gain almost nothing, and on long rows their visits take most of the time. So a row whose
 * violation is below a twentieth of the last pass's largest is skipped in the next pass. If its
 * next visits find the same, it is skipped in the next 3, 7, 15 passes. The limit is a quarter of
 * the passes so far, because all gradients fall fast at first. A row at a bound that violates
 * nothing may be skipped sooner and for longer. A row that is not shrunk is visited in every 16th
 * pass at least, as convergence requires (the almost cyclic rule of Luo and Tseng, J. Optim. Theory
 * Appl. 1992).
 *
 * There are three loops: for classification, for regression, and for rows in a file.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/linear/cost.h"
#include "solver/passes/descent.h"

enum { MOST_VIEWS = 2 }; /* most rows of the problem that a row of the data is */

/* Returns what problem_views returns, for a loss that is a compile-time constant. */
static ALWAYS_INLINE uint32_t views_of(enum loss loss)
{
    return loss_has_targets(loss) ? MOST_VIEWS : 1;
}

/* ---- The queue ---------------------------------------------------------- */

/* Takes room for this number of rows. One chunk in each bucket may have room left; number 0 is
 * unused. */
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

/* Returns the bucket of the pass that is `passes` passes away. */
static ALWAYS_INLINE unsigned bucket_of(const struct descent *descent, unsigned passes)
{
    return (unsigned)((descent->training->progress.passes + passes) % BUCKETS);
}

void visits_take_skipped(struct descent *descent)
{
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        descent->next_count +=
            empty_bucket(&descent->queue, bucket, descent->next + descent->next_count);
}

/* ---- Beginning ---------------------------------------------------------- */

void visits_lay_out(struct descent *descent, struct arena *arena, const struct training *training)
{
    const struct problem *problem = training->problem;

    descent->count = training->rows / problem_views(problem);
    descent->rows =
        problem_is_paged(problem) ? NULL : arena_take(arena, descent->count, sizeof(struct row));
    descent->skip = arena_take(arena, descent->count, sizeof *descent->skip);
    descent->z = arena_take(arena, training->rows, sizeof *descent->z);
    /* z and next can share memory: a full scan drops the rows of the coming pass, and after it has
     * read z_i it writes next[0 .. i] at most. paged_order sorts in the other half between scans.
     */
    descent->next = (uint32_t *)(void *)descent->z;
    lay_out_queue(&descent->queue, arena, descent->count);
    paged_order_lay_out(&descent->order, arena, problem, problem_views(problem),
                        descent->next ? descent->next + descent->count : NULL);
}

void visits_reopen(struct descent *descent)
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

void visits_begin(struct descent *descent)
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

/* ---- Formulas that the loops share -------------------------------------- */

/* True if a row is at a bound and its gradient points out of the box by more than any violation of
 * the last pass. */
static ALWAYS_INLINE int is_to_shrink(const struct descent *descent, enum loss loss, double scale,
                                      double alpha, double gradient)
{
    return alpha == 0 ? gradient > descent->above
                      : loss_is_at_upper(loss, scale, alpha) && gradient < descent->below;
}

/* Adds a violation to the findings of a pass. */
static ALWAYS_INLINE void note_violation(struct pass *pass, enum loss loss, double violation)
{
    pass->largest = violation > pass->largest ? violation : pass->largest;
    pass->smallest = violation < pass->smallest ? violation : pass->smallest;
    if (loss_has_targets(loss))
        pass->total += fabs(violation);
}

/* Puts a row into the queue if it violates little, else into the next pass. begun is 1 during a
 * pass, because the row is not skipped in that pass. */
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

/* Adds change x to w. Where w is soft(v, l1), the step minimises an upper bound of D: only features
 * with a weight add to the true curvature. */
static ALWAYS_INLINE void move(struct descent *descent, const struct sparse *x, double change)
{
    if (UNLIKELY(descent->v != NULL)) {
        const struct sparse copy = *x; /* Without an address, *x is kept in registers. */

        problem_add_mapped(descent->problem, &copy, change, descent->v, descent->w);
    } else {
        problem_add(descent->problem, x, change, descent->w);
    }
}

/* Prefetches rows of the pass before their visits, because visits are not in the order of memory.
 * The processor prefetches the rest of a row by itself, but late: on rows of 140 entries with
 * values, prefetching the whole row saves a quarter. The end of a long row comes in time without
 * it. Rows without values, a third of the size, gain less. */
static ALWAYS_INLINE void prefetch(const struct descent *descent, const struct hinge_matrix *data,
                                   uint32_t s, uint32_t visits, enum loss loss)
{
    enum { STATE_AHEAD = 16, DATA_AHEAD = 8, WITH_VALUES = 256, WITHOUT = 128 };

    if (s + STATE_AHEAD < visits) {
        const uint32_t k = descent->next[s + STATE_AHEAD];

        PREFETCH(&descent->rows[k]);
        PREFETCH(&descent->skip[k]);
        PREFETCH(&descent->alpha[(size_t)k * views_of(loss)]);
        if (loss_has_targets(loss))
            PREFETCH(&descent->problem->target[(size_t)k * views_of(loss)]);
    }
    if (s + DATA_AHEAD < visits) {
        const struct row *row = &descent->rows[descent->next[s + DATA_AHEAD]];
        const struct sparse x = sparse_part(data, row->start, row->length);

        sparse_prefetch(&x, x.value_kind == HINGE_VALUE_ONE ? WITHOUT : WITH_VALUES);
    }
}

/* ---- The pass over rows of a classification ----------------------------- */

/* Minimises D along alpha_i for each row i of the pass in turn. The loop is compiled for each loss.
 */
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

/* A row of the data at the present w. */
struct view {
    double slack[MOST_VIEWS];
    double gradient[MOST_VIEWS];
    double violation; /* largest violation by absolute value */
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

/* Visits row k of the data, whose entries are x. A regression updates its two dual variables in
 * turn, the non-zero one first. The second update uses the changed z. */
static ALWAYS_INLINE void visit_views(struct descent *descent, const struct row *row, uint32_t k,
                                      const struct sparse *x, enum loss loss, struct pass *pass)
{
    const double z = row->sign * problem_dot(descent->problem, x, descent->w);
    double *alpha = descent->alpha + (size_t)k * views_of(loss);
    uint32_t first;
    double moved = 0; /* change of z in units of |x|^2 */
    struct view view;

    if (!examine(descent, row, k, z, loss, pass, &view)) {
        descent->skip[k] = SHRUNK;
        descent->active--;
        return;
    }
    schedule(descent, k, view.violation, view.gap, 1);
    if (view.violation == 0)
        return;

    first = loss_has_targets(loss) && alpha[1] > 0;
    for (uint32_t n = 0; n < views_of(loss); n++) {
        const uint32_t v = first ^ n;
        const double before = alpha[v];
        double slack = view.slack[v], gradient = view.gradient[v], change;

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
        pass->decrease +=
            loss_decrease(loss, row->scale, row->curvature, before, alpha[v], gradient);
        moved += v == 0 ? change : -change;
    }
    if (moved != 0)
        move(descent, x, moved * row->sign);
}

/* Minimises D along both dual variables of each row of the pass in turn, in a regression. Compiled
 * for each loss: one copy for both losses takes 30 % more instructions (letter, solver 12). */
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
 * loop is compiled once for all losses: copies for each loss are no faster, and would be half of
 * this file's instructions. A row is visited once, although its page stays in memory for a while.
 * Three visits save passes, but fewer rows are skipped: 37 trainings on text read 1.4 times as many
 * bytes, in 1.8 times the processor time. Only on 600,000 rows of 4,150 features, few of them
 * skipped, three visits read half as many, in 1.2 times the processor time. */
static void visit_paged(struct descent *descent, struct pass *pass)
{
    const struct problem *problem = descent->problem;

    for (uint32_t s = 0; s < pass->visits; s++) {
        const uint32_t k = descent->next[s], i = k * problem_views(problem);
        const double square = problem_square(problem, i);
        const struct sparse x = problem_row(problem, i);
        struct row row;

        /* A row that cannot be read ends the training. It has no features here, and its curvature
         * must not be 0. */
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

/* Examines every unsolved row at its margin z. The row is shrunk, visited in the next pass, or
 * scheduled for a later one. */
static ALWAYS_INLINE void scan_rows(struct descent *descent, enum loss loss, const double *z)
{
    struct row paged;
    struct view view;

    for (uint32_t k = 0; k < descent->count; k++) {
        const struct row *row = descent->rows ? &descent->rows[k] : &paged;

        if (descent->skip[k] == SOLVED)
            continue;
        if (row == &paged)
            form_row(descent->problem, k, 0, &paged); /* a scan needs no curvature */
        if (!examine(descent, row, k, z[(size_t)k * views_of(loss)], loss, &descent->pass, &view)) {
            descent->skip[k] = SHRUNK;
            continue;
        }
        descent->active++;
        if (view.violation != 0)
            descent->next[descent->next_count++] = k;
        else
            schedule(descent, k, view.violation, view.gap, 0);
    }
}

void visits_scan(struct descent *descent, int certifying)
{
    const struct problem *problem = descent->problem;
    struct training *training = descent->training;
    struct pass *pass = &descent->pass;
    double *room = certifying ? extrapolation_room(descent) : NULL;
    double *z = room ? room : descent->z;

    if (room)
        training_measure_margins(training, z);
    else if (certifying && !training->multiplier)
        extrapolation_certify(descent, z);
    else
        sums_margins(&training->shards, problem, all_rows(problem), descent->w, z);
    descent->stopping.left_margins = room != NULL;
    clear_queue(&descent->queue);
    descent->next_count = descent->active = 0;
    pass->largest = -HUGE_VAL;
    pass->smallest = HUGE_VAL;
    pass->total = pass->gap = 0;
    WITH_LOSS(problem->loss, scan_rows(descent, LOSS, z));
    training->progress.active = (uint64_t)descent->active * problem_views(problem);
    set_limits(descent);
}

/* ---- A pass ------------------------------------------------------------- */

/* A pass that would visit no row visits all, because a pass without a visit would look like the
 * end. */
void visits_pass(void *state)
{
    enum { SHORT = 32 }; /* entries: on longer rows a visit costs little more than in a scan */
    struct descent *descent = state;
    struct training *training = descent->training;
    const struct problem *problem = descent->problem;
    const enum loss loss = problem->loss;
    const uint64_t passes = training->progress.passes;
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};

    if (training->alpha_version != descent->alpha_version) {
        descent->alpha_version = training->alpha_version;
        descent->stopping.most_distance = HUGE_VAL;
        visits_reopen(descent);
    }
    if (training->multiplier)
        multiplier_move(training);
    if (extrapolate(&descent->extrapolation, training))
        descent->stopping.most_distance = descent->stopping.distance;

    descent->next_count +=
        empty_bucket(&descent->queue, bucket_of(descent, 0), descent->next + descent->next_count);
    /* Most rows of this pass were skipped for violating nothing, and most still violate nothing: a
     * scan saves their visits. */
    if (passes > 0 && descent->next_count > descent->candidates / 4 * 3 &&
        descent->pass.visits < descent->candidates / 4 && descent->mean_length < SHORT) {
        visits_scan(descent, 0);
        pass.full = descent->next_count > 0;
    }
    if (descent->next_count == 0)
        visits_take_skipped(descent);
    descent->most_skip = skip_limit(descent->most_skip, passes);
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        pass.gap += descent->queue.gap[bucket];
    pass.visits = descent->next_count;
    pass.full |= pass.visits == descent->candidates;
    descent->next_count = 0;
    if (problem_is_paged(problem)) {
        paged_order_shuffle(&descent->order, &descent->random, descent->next, pass.visits);
        visit_paged(descent, &pass);
    } else {
        random_shuffle(&descent->random, descent->next, pass.visits);
        WITH_LOSS(loss, if (loss_has_targets(LOSS)) visit_pairs(descent, LOSS, &pass);
                  else visit_rows(descent, LOSS, &pass));
    }
    descent->pass = pass;
    set_limits(descent);

    descent->stopping.left_margins = 0;
    training->point.dual -= pass.decrease;
    training->spent += cost_of_visits(pass.visits, descent->mean_length, loss_is_curved(loss));
    training->progress.passes++;
    training->progress.row_visits += (uint64_t)pass.visits * problem_views(problem);
    training->progress.active = (uint64_t)descent->active * problem_views(problem);
    training_moved(training);
}
