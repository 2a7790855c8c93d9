/* coordinate_descent.c - alpha_i := the exact minimiser of D along alpha_i,  w += (its change) y_i
 * x_i.
 *
 * Dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, Alg. 3).
 * A step is a pass over the rows in a fresh random order. Rows at a bound whose gradient points out
 * of the box by more than any violation of the pass before are shrunk: left out until the rest has
 * converged.
 *
 * A visit lowers the dual by about half the square of the violation over the curvature. Many of the
 * rows that are not shrunk are visited for next to nothing, and on long rows that is where the time
 * goes. So a row whose violation is less than a twentieth of the largest of the pass before is
 * skipped in the next pass; found so again, in the next 3, 7, 15 passes, but in at most a quarter
 * of those that there have been: at first all gradients fall fast. A row at a bound that violates
 * nothing may be skipped sooner, and more often. Each row that is not shrunk is visited at least in
 * every 16th pass, which is what convergence asks for (the almost cyclic rule of Luo and Tseng, J.
 * Optim. Theory Appl. 1992). Skipped rows wait in a bucket queue.
 *
 * A row of a regression is two rows of the problem, of either sign, with one x_i: a visit is to
 * both, with one product <w, x_i> and one change of w.
 *
 * Now and then a pass begins with an extrapolation of those before: see extrapolation.c.
 *
 * No rule counts as met before all rows were examined. That takes no pass: a full scan examines the
 * rows in the order of memory and changes none, for a fraction of the price, and leaves the rows
 * that violate the KKT conditions to the next pass. Where it may be the end of the training it is
 * its last measurement, too: w is formed anew first, and its margins serve both.
 */
#include "solver/passes/coordinate_descent.h"

#include <math.h>
#include <string.h>

#include "solver/loop/cost.h"

/* ---- Setting up -------------------------------------------------------- */

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    struct descent *descent = state;
    const struct problem *problem = training->problem;
    const int is_paged = problem_is_paged(problem);

    descent->count = training->rows / problem_views(problem);
    descent->rows = is_paged ? NULL : arena_take(arena, descent->count, sizeof *descent->rows);
    descent->skip = is_paged ? arena_take(arena, descent->count, sizeof *descent->skip) : NULL;
    descent->z = arena_take(arena, training->rows, sizeof *descent->z);
    /* A full scan drops the rows of the coming pass and, once it has read z_i, writes no place of
     * next after the i-th. The other half is for sorting, between scans. */
    descent->next = (uint32_t *)(void *)descent->z;
    bucket_queue_lay_out(&descent->queue, arena, descent->count);
    paged_order_lay_out(&descent->order, arena, problem, problem_views(problem),
                        descent->next ? descent->next + descent->count : NULL);
    extrapolation_lay_out(&descent->extrapolation, arena, training);
    if (problem->bias_kind == BIAS_FREE)
        multiplier_lay_out(&descent->multiplier, arena, training);
}

/* No row is skipped, none is in the next pass. */
static void clear_queue(struct descent *descent)
{
    bucket_queue_clear(&descent->queue);
    memset(descent->skipped_gap, 0, sizeof descent->skipped_gap);
    descent->next_count = 0;
}

/* What is stored of a row but in rows: where it is skipped. */
static unsigned char *skip_of(const struct descent *descent, uint32_t k)
{
    return descent->rows ? &descent->rows[k].skip : &descent->skip[k];
}

void descent_reopen(struct descent *descent)
{
    clear_queue(descent);
    for (uint32_t i = 0; i < descent->count; i++) {
        unsigned char *skip = skip_of(descent, i);

        descent->next[descent->next_count] = i;
        descent->next_count += *skip != SOLVED;
        *skip = *skip == SHRUNK ? 0 : *skip;
    }
    descent->active = descent->candidates;
    descent->above = HUGE_VAL;
    descent->below = -HUGE_VAL;
}

/* Row k of the data, which is not skipped, with that |x|^2. */
static ALWAYS_INLINE void form_row(const struct problem *problem, uint32_t k, double square,
                                   struct row *row)
{
    const uint32_t i = k * problem_views(problem);

    row->scale = loss_scale(problem->loss, problem_cost(problem, i));
    row->curvature = square + loss_dual_curvature(problem->loss, row->scale);
    row->start = problem->data->x.start[problem->row[i]];
    row->length = (uint32_t)problem_length(problem, i);
    row->sign = problem->sign[i] > 0 ? 1 : -1;
    row->skip = 0;
}

/* A row of zeros: its dual numbers are known. */
static void solve_zeros(struct descent *descent, uint32_t k)
{
    const struct problem *problem = descent->problem;
    const uint32_t views = problem_views(problem), i = k * views;

    *skip_of(descent, k) = SOLVED;
    for (uint32_t v = i; v < i + views; v++)
        descent->alpha[v] = problem_cost(problem, i) *
                            loss_slope(problem->loss, problem_target(problem, v, problem->loss));
    descent->training->is_formed = 0;
}

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
        if (square > 0)
            descent->candidates++;
        else
            solve_zeros(descent, k);
    }
    descent->mean_length = (double)nonzeros / fmax(descent->candidates, 1);
}

/* The dual point of a w that is given: the slope of the loss, of one that has a corner that of the
 * loss smoothed over a quarter of a margin on either side. */
static void start_at(struct training *training, const double *w)
{
    const struct problem *problem = training->problem;
    double curvature;

    for (uint32_t i = 0; i < training->rows; i++) {
        const double cost = problem_cost(problem, i);
        const double slack = problem_target(problem, i, problem->loss) -
                             problem->sign[i] * problem_decision(problem, i, w);

        training->alpha[i] = loss_point(problem->loss, cost, slack, cost / 2, 2 * cost, &curvature);
    }
    training->primal = objective_primal(&training->shards, problem, w).primal;
    memcpy(training->w, w, training->width * sizeof *w);
    training->is_formed = 0;
}

static enum hinge_status begin(void *state, struct training *training, struct hinge_error *error)
{
    struct descent *descent = state;

    (void)error;
    descent->training = training;
    descent->w = training->w;
    descent->v = training->v;
    descent->alpha = training->alpha;
    descent->random.counter = training->parameters->seed;
    descent->begun = training->progress.passes;
    descent->correction = 1;
    descent->part = 0.5;
    if (training->start)
        start_at(training, training->start);
    training->start = NULL;
    if (training->problem->bias_kind == BIAS_FREE)
        multiplier_begin(&descent->multiplier, training);
    descent->problem = training->problem;
    if (descent->skip)
        memset(descent->skip, 0, descent->count * sizeof *descent->skip);
    begin_rows(descent);
    descent->next_check = training->progress.row_visits +
                          4 * (uint64_t)descent->candidates * problem_views(training->problem);
    if (!training->is_formed)
        training_form(training);
    descent->moves = training->moves;
    descent->distance = descent->most = HUGE_VAL;
    descent_reopen(descent);
    return HINGE_OK;
}

/* ---- Examining a row --------------------------------------------------- */

/* How many rows of the problem a row of the data is, as problem_views has it. */
static ALWAYS_INLINE uint32_t views_of(enum loss loss)
{
    return loss_has_targets(loss) ? MOST_VIEWS : 1;
}

/* What a row is like at the present w. */
struct view {
    double slack[MOST_VIEWS];
    double gradient[MOST_VIEWS];
    double violation; /* the largest */
    double gap;       /* its terms */
};

/* Examines row k of the data, whose margin, of the first of its rows, is z; 0 if it is to be
 * shrunk. */
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
        stays |= !(alpha[v] == 0 ? view->gradient[v] > descent->above
                                 : loss_is_at_upper(loss, row->scale, alpha[v]) &&
                                       view->gradient[v] < descent->below);
    }
    if (!stays)
        return 0;
    for (uint32_t v = 0; v < views_of(loss); v++) {
        const double violation = loss_violation(loss, row->scale, alpha[v], view->slack[v]);

        pass->largest = violation > pass->largest ? violation : pass->largest;
        pass->smallest = violation < pass->smallest ? violation : pass->smallest;
        if (loss_has_targets(loss))
            pass->total += fabs(violation);
        if (fabs(violation) > fabs(view->violation))
            view->violation = violation;
        view->gap += loss_gap(loss, row->scale, alpha[v], view->slack[v]);
    }
    pass->gap += view->gap;
    return 1;
}

/* The bucket of the pass so many from now. */
static ALWAYS_INLINE unsigned bucket_of(const struct descent *descent, unsigned passes)
{
    return (unsigned)((descent->training->progress.passes + passes) % BUCKETS);
}

/* Skips the row in the coming passes, this one not counted if it has begun, if it violates little;
 * what violates nothing in more. Whether that is any. */
static ALWAYS_INLINE int skip_row(struct descent *descent, struct row *row, uint32_t i,
                                  const struct view *view, unsigned begun)
{
    const unsigned most = view->violation == 0 ? (4 * descent->most_skip + 3) & MOST_SKIP
                          : fabs(view->violation) < descent->little ? descent->most_skip
                                                                    : 0;
    unsigned bucket;

    row->skip = skip_next(row->skip, most);
    if (row->skip == 0)
        return 0;
    bucket = bucket_of(descent, row->skip + begun);
    descent->skipped_gap[bucket] += view->gap;
    bucket_queue_put(&descent->queue, bucket, i);
    return 1;
}

/* What the next pass goes by. */
static void set_limits(struct descent *descent)
{
    const struct pass *pass = &descent->pass;

    descent->above = pass->largest > 0 ? pass->largest : HUGE_VAL;
    descent->below = pass->smallest < 0 ? pass->smallest : -HUGE_VAL;
    descent->little = SKIP_BELOW * fmax(pass->largest, -pass->smallest);
}

/* ---- A full scan ------------------------------------------------------- */

/* Examines a row, and sets how long it is skipped. */
static ALWAYS_INLINE void scan_row(struct descent *descent, struct row *row, uint32_t i,
                                   const double *z, enum loss loss, struct pass *pass)
{
    struct view view;

    if (!examine(descent, row, i, z[(size_t)i * views_of(loss)], loss, pass, &view)) {
        row->skip = SHRUNK;
        return;
    }
    descent->active++;
    if (view.violation != 0 || !skip_row(descent, row, i, &view, 0))
        descent->next[descent->next_count++] = i;
}

static ALWAYS_INLINE void scan_as(struct descent *descent, const double *z, enum loss loss)
{
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};
    struct row paged = {0};

    for (uint32_t i = 0; i < descent->count; i++) {
        struct row *row = descent->rows ? &descent->rows[i] : &paged;

        if (*skip_of(descent, i) == SOLVED)
            continue;
        if (row == &paged) {
            form_row(descent->problem, i, 0, row); /* a scan reads no curvature */
            row->skip = descent->skip[i];
        }
        scan_row(descent, row, i, z, loss, &pass);
        if (row == &paged)
            descent->skip[i] = row->skip;
    }
    descent->pass.largest = pass.largest;
    descent->pass.smallest = pass.smallest;
    descent->pass.total = pass.total;
    descent->pass.gap = pass.gap;
}

double descent_find_steps(const struct descent *descent, double *to)
{
    const enum loss loss = descent->problem->loss;
    double slope = 0;

    for (uint32_t k = 0; k < descent->count; k++) {
        const struct row *row = &descent->rows[k];

        for (uint32_t i = k * views_of(loss); i < (k + 1) * views_of(loss); i++) {
            const double alpha = descent->alpha[i];
            const double slack = problem_target(descent->problem, i, loss) - to[i];
            const double gradient = loss_gradient(loss, row->scale, alpha, slack);

            to[i] = row->skip == SOLVED
                        ? alpha
                        : loss_step(loss, row->scale, row->curvature, alpha, slack, gradient);
            slope += gradient * (alpha - to[i]);
        }
    }
    return slope;
}

void descent_certify(struct descent *descent, double *z)
{
    extrapolation_turn(&descent->extrapolation, descent->training);
    training_certify(descent->training, z);
    extrapolation_turn(&descent->extrapolation, descent->training);
}

void descent_scan(struct descent *descent, int certifying)
{
    double *room = certifying ? descent_margins(descent) : NULL;
    double *z = room ? room : descent->z;

    if (room)
        training_measure_margins(descent->training, z);
    else if (certifying && !descent->training->multiplier)
        descent_certify(descent, z);
    else
        sums_margins(&descent->training->shards, descent->problem, all_rows(descent->problem),
                     descent->w, z);
    descent->left_margins = room != NULL;
    clear_queue(descent);
    descent->active = 0;
    WITH_LOSS(descent->problem->loss, scan_as(descent, z, LOSS));
    descent->training->progress.active =
        (uint64_t)descent->active * problem_views(descent->problem);
    set_limits(descent);
}

/* ---- A pass ------------------------------------------------------------ */

static void take_bucket(struct descent *descent, unsigned bucket)
{
    descent->next_count +=
        bucket_queue_take(&descent->queue, bucket, descent->next + descent->next_count);
    descent->skipped_gap[bucket] = 0;
}

void descent_take_all(struct descent *descent)
{
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        take_bucket(descent, bucket);
}

/* Whether a full scan first saves visits: most rows of the pass were skipped for violating nothing,
 * and still violate nothing. With long rows a visit costs little more than in a scan. */
static int scan_pays(const struct descent *descent)
{
    enum { SHORT = 32 };

    return descent->training->progress.passes > 0 &&
           descent->next_count > descent->candidates / 4 * 3 &&
           descent->pass.visits < descent->candidates / 4 && descent->mean_length < SHORT;
}

/* The pass before it begins, with the gap terms of the rows that stay in the queue. Where it would
 * visit no row, it visits all: a pass without a visit would look like the end. */
static struct pass begin_pass(struct descent *descent)
{
    const uint64_t passes = descent->training->progress.passes;
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};

    take_bucket(descent, bucket_of(descent, 0));
    if (scan_pays(descent)) {
        descent_scan(descent, 0);
        pass.full = descent->next_count > 0;
    }
    if (descent->next_count == 0)
        descent_take_all(descent);
    descent->most_skip = skip_limit(descent->most_skip, passes);
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        pass.gap += descent->skipped_gap[bucket];
    pass.visits = descent->next_count;
    pass.full |= pass.visits == descent->candidates;
    if (problem_is_paged(descent->problem))
        paged_order_shuffle(&descent->order, &descent->random, descent->next, pass.visits);
    else
        random_shuffle(&descent->random, descent->next, pass.visits);
    descent->next_count = 0;
    return pass;
}

/* The rows lie in memory in another order than they are visited in: ask for them in time, cache
 * line by cache line. The machine follows a line of its own accord, but late: on rows of 140
 * non-zeros with values, asking for all of them saves a quarter. The end of a long row it has time
 * for; rows without values, a third the size, gain less. */
static ALWAYS_INLINE void prefetch(const struct descent *descent, uint32_t s, uint32_t visits,
                                   enum loss loss)
{
    enum { STATE_AHEAD = 16, DATA_AHEAD = 8, WITH_VALUES = 256, WITHOUT = 128 };

    if (s + STATE_AHEAD < visits) {
        const uint32_t i = descent->next[s + STATE_AHEAD];

        PREFETCH(&descent->rows[i]);
        PREFETCH(&descent->alpha[(size_t)i * views_of(loss)]);
        if (loss_has_targets(loss))
            PREFETCH(&descent->problem->target[(size_t)i * views_of(loss)]);
    }
    if (s + DATA_AHEAD < visits) {
        const struct row *row = &descent->rows[descent->next[s + DATA_AHEAD]];
        const struct sparse x = sparse_part(&descent->problem->data->x, row->start, row->length);

        sparse_prefetch(&x, x.value_kind == HINGE_VALUE_ONE ? WITHOUT : WITH_VALUES);
    }
}

/* Lowers D along the alpha of a row of the data, of a regression one after the other, first one
 * that is not 0: for the second z is what the change of the first has made it. By how much the sum
 * of their alpha_i y_i changes, times the first's sign. */
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

/* w += change y_i x_i. is_mapped: w is soft(v, l1). The step is then one of an upper bound of D,
 * whose curvature along alpha_i is that of the features with a weight alone. */
static ALWAYS_INLINE void move(struct descent *descent, const struct sparse *x, double change,
                               int is_mapped)
{
    if (change != 0 && is_mapped)
        problem_add_mapped(descent->problem, x, change, descent->v, descent->w);
    else if (change != 0)
        problem_add(descent->problem, x, change, descent->w);
}

/* Row k of the data, which is in a file: where that cannot be read, which ends the training, it has
 * no features, but is divided by its curvature all the same. */
static struct row form_paged(const struct descent *descent, uint32_t k)
{
    const struct problem *problem = descent->problem;
    const double square = problem_square(problem, k * problem_views(problem));
    struct row row;

    form_row(problem, k, square > 0 ? square : 1, &row);
    row.skip = descent->skip[k];
    return row;
}

/* A visit to row i of the data, whose features are x: that of the pass, or one before it, after
 * which nothing is noted of the row. */
static ALWAYS_INLINE void visit(struct descent *descent, struct row *row, uint32_t i,
                                const struct sparse *x, enum loss loss, int is_mapped, int is_early,
                                struct pass *pass)
{
    const double z = row->sign * problem_dot(descent->problem, x, descent->w);
    struct pass ignored = {0};
    struct view view;

    if (!examine(descent, row, i, z, loss, is_early ? &ignored : pass, &view)) {
        if (!is_early) {
            row->skip = SHRUNK;
            descent->active--;
        }
        return;
    }
    if (!is_early && !skip_row(descent, row, i, &view, 1))
        descent->next[descent->next_count++] = i;
    if (view.violation != 0)
        move(descent, x, descend(descent, row, i, loss, &view, &pass->decrease) * row->sign,
             is_mapped);
}

static ALWAYS_INLINE void pass_as(struct descent *descent, enum loss loss, int is_mapped)
{
    struct pass pass = begin_pass(descent);

    for (uint32_t s = 0; s < pass.visits; s++) {
        const uint32_t i = descent->next[s];
        struct row *row = &descent->rows[i];
        const struct sparse x = sparse_part(&descent->problem->data->x, row->start, row->length);

        prefetch(descent, s, pass.visits, loss);
        visit(descent, row, i, &x, loss, is_mapped, 0, &pass);
    }
    descent->pass = pass;
}

/* Over rows in a file, group after group of pages. Rows that are in memory are visited some times
 * before the visit of the pass: it costs no reading, and saves passes, which do; three visits do as
 * well as ten. One loop for all losses and visits: more would be half of this file's instructions,
 * and are no faster. */
static void paged_pass(struct descent *descent)
{
    enum { EARLY = 2 };
    const enum loss loss = descent->problem->loss;
    struct pass pass = begin_pass(descent);

    descent->more_visits = 0;
    for (uint32_t first = 0, group = 0, end; first < pass.visits; first = end, group++) {
        end = descent->order.end[group];
        for (int n = 0; n <= EARLY; n++) {
            for (uint32_t s = first; s < end; s++) {
                const uint32_t i = descent->next[s];
                struct row row = form_paged(descent, i);
                const struct sparse x = problem_row(descent->problem, i * views_of(loss));

                visit(descent, &row, i, &x, loss, 0, n < EARLY, &pass);
                descent->skip[i] = row.skip;
            }
            if (n < EARLY)
                random_shuffle(&descent->random, descent->next + first, end - first);
        }
        descent->more_visits += (uint64_t)EARLY * (end - first);
    }
    descent->pass = pass;
}

static void step(void *state)
{
    struct descent *descent = state;
    struct training *training = descent->training;
    const uint32_t views = problem_views(descent->problem);

    if (training->moves != descent->moves) {
        descent->moves = training->moves;
        descent->most = HUGE_VAL;
        descent_reopen(descent);
    }
    if (training->multiplier)
        multiplier_move(training);
    if (extrapolate(&descent->extrapolation, training))
        descent->most = descent->distance;
    if (problem_is_paged(descent->problem))
        paged_pass(descent);
    else if (descent->v)
        pass_as(descent, LOSS_HINGE, 1); /* the one loss that there is an l1 term with */
    else
        WITH_LOSS(descent->problem->loss, pass_as(descent, LOSS, 0));
    set_limits(descent);
    descent->left_margins = 0;
    training->dual -= descent->pass.decrease;
    training->spent += cost_of_visits(descent->pass.visits, descent->mean_length,
                                      loss_is_curved(descent->problem->loss));
    training->progress.passes++;
    training->progress.row_visits += (descent->pass.visits + descent->more_visits) * views;
    training->progress.active = (uint64_t)descent->active * views;
    training_moved(training);
}

const struct method coordinate_descent = {.size = sizeof(struct descent),
                                          .lay_out = lay_out,
                                          .begin = begin,
                                          .step = step,
                                          .met = descent_met};
