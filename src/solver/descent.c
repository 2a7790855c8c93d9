/* descent.c - alpha_i := clip(alpha_i - G_i / Qbar_ii, 0, U_i),  w += (change of alpha_i) y_i x_i.
 *
 * Dual coordinate descent (seed 001; Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, Alg. 3):
 * G_i = y_i <w, x_i> - 1 + d_i alpha_i, Qbar_ii = |x_i|^2 + d_i. Rows are taken in a fresh random
 * order each pass; rows at a bound whose gradient points out of the box by more than any did in
 * the pass before are set aside ("shrinking") until the rest has converged.
 *
 * A visit lowers the dual by about half the square of the projected gradient over Qbar_ii. Of the
 * rows that are not set aside, many are visited for next to nothing: on long rows that is where the
 * time goes. So a row whose projected gradient is less than a twentieth of the largest of the pass
 * before is left out of the next pass; found so again, of the next 3, 7, 15 passes, but at most of
 * a quarter of those that there have been: at first all gradients fall fast. One at a bound that
 * is right where it is may be left out sooner, and of more. Each row is visited at least every 16th
 * pass, which is what convergence asks for (the almost cyclic rule of Luo and Tseng, J. Optim.
 * Theory Appl. 1992). The rows that are left out lie in a calendar, so that a pass costs
 * what it visits.
 *
 * No rule counts as met before all rows have been looked at. That takes no pass: a survey goes
 * through the rows as they lie in memory and changes none, a fraction of the price, and leaves
 * those that are not right where they are to the next pass.
 */
#include "solver/descent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"

static const double LITTLE = 0.05; /* of the largest projected gradient of the pass before */

/* ---- Measuring --------------------------------------------------------- */

void descent_copy_alpha(struct descent *descent)
{
    for (uint32_t i = 0; descent->rows && i < descent->task->problem->rows; i++)
        descent->alpha[i] = descent->rows[i].alpha;
}

void descent_take_alpha(struct descent *descent)
{
    for (uint32_t i = 0; i < descent->task->problem->rows; i++)
        descent->rows[i].alpha = descent->alpha[i];
}

void descent_measure(void *state)
{
    struct descent *descent = state;
    struct objective objective;

    descent_copy_alpha(descent);
    objective = objective_measure(descent->task->problem, descent->task->loss, descent->w,
                                  descent->alpha, descent->w);
    progress_measured(&descent->progress, &objective, descent->w);
}

void descent_certify(struct descent *descent)
{
    descent_copy_alpha(descent);
    binary_weights(descent->task->problem, descent->alpha, descent->w);
    descent_measure(descent);
    descent->certified = 1;
    descent->dual = descent->progress.dual;
}

/* ---- Starting ---------------------------------------------------------- */

/* Rows without a feature are none to visit: their z is 0 whatever w is, so that alpha = U_i
 * (L1-loss) or the root 1/d_i of their gradient (L2-loss) is optimal. */
static void form_rows(struct descent *descent)
{
    const struct binary_problem *problem = descent->task->problem;
    const int squared = descent->task->loss == LOSS_L2;

    descent->open = 0;
    descent->nonzeros = 0;
    for (uint32_t i = 0; i < problem->rows; i++) {
        struct row *row = &descent->rows[i];
        const double square = binary_square(problem, i), cost = problem->cost[i];

        row->limit = squared ? 1 / (2 * cost) : cost;
        row->curvature = squared ? square + row->limit : square;
        row->start = descent->data->x.start[problem->row[i]];
        row->length = (uint32_t)(descent->data->x.start[problem->row[i] + 1] - row->start);
        row->sign = problem->sign[i] > 0 ? 1 : -1;
        row->rest = square > 0 ? 0 : CLOSED;
        row->alpha = descent->alpha[i];
        if (square == 0)
            row->alpha = squared ? 2 * cost : cost;
        descent->nonzeros += row->length;
        descent->open += square > 0;
    }
}

static void free_rows(struct descent *descent)
{
    free(descent->rows);
    free(descent->due);
    calendar_free(&descent->calendar);
    descent->rows = NULL;
    descent->due = NULL;
}

static enum hinge_status allocate_rows(struct descent *descent, struct hinge_error *error)
{
    const uint32_t rows = descent->task->problem->rows;

    if ((descent->rows = array_new(rows, sizeof *descent->rows, error)) &&
        (descent->due = array_new(rows, sizeof *descent->due, error)) &&
        calendar_new(&descent->calendar, rows, error) == HINGE_OK)
        return HINGE_OK;
    free_rows(descent);
    return failure(error);
}

enum hinge_status descent_new(struct descent *descent, const struct solver_task *task, double *w,
                              struct hinge_error *error)
{
    *descent = (struct descent){.task = task, .data = task->problem->data, .w = w};
    descent->random.counter = task->parameters->seed;
    descent->progress = progress_new(task);
    descent->alpha = task->alpha;
    if (!descent->alpha &&
        !(descent->own = array_new(task->problem->rows, sizeof *descent->own, error)))
        return failure(error);
    if (!descent->alpha)
        descent->alpha = descent->own;
    return HINGE_OK;
}

int descent_is_at_zero(const struct descent *descent)
{
    for (uint32_t i = 0; i < descent->task->problem->rows; i++)
        if (descent->alpha[i] != 0)
            return 0;
    return 1;
}

void descent_pause(struct descent *descent)
{
    descent_copy_alpha(descent);
    free_rows(descent);
}

enum hinge_status descent_resume(struct descent *descent, struct hinge_error *error)
{
    const struct binary_problem *problem = descent->task->problem;

    if (allocate_rows(descent, error))
        return failure(error);
    form_rows(descent);
    descent_copy_alpha(descent);
    binary_weights(problem, descent->alpha, descent->w);
    descent->dual = objective_dual(problem, descent->task->loss, descent->alpha, descent->w);
    descent->progress.measured = descent->certified = 0;
    descent_reopen(descent);
    return HINGE_OK;
}

void descent_free(struct descent *descent)
{
    free_rows(descent);
    free(descent->own);
}

/* No row waits, none is due. */
static void clear_days(struct descent *descent)
{
    calendar_clear(&descent->calendar);
    memset(descent->waiting, 0, sizeof descent->waiting);
    descent->awake = 0;
}

void descent_reopen(struct descent *descent)
{
    clear_days(descent);
    for (uint32_t i = 0; i < descent->task->problem->rows; i++) {
        struct row *row = &descent->rows[i];

        descent->due[descent->awake] = i;
        descent->awake += row->rest != CLOSED;
        row->rest = row->rest == ASIDE ? 0 : row->rest;
    }
    descent->active = descent->open;
    descent->above = HUGE_VAL;
    descent->below = -HUGE_VAL;
}

/* ---- A pass ------------------------------------------------------------ */

/* The rows lie in memory in another order than they are visited in: ask for them in time, cache
 * line by cache line. The machine follows a line of its own accord, but late: on rows of 140
 * non-zeros with values, asking for all of them saves a quarter. The tail of a long row it has time
 * for; of rows without values, a third the size, there is less to gain. */
static ALWAYS_INLINE void prefetch(const struct descent *descent, uint32_t s, uint32_t due)
{
    enum { STATE_AHEAD = 16, DATA_AHEAD = 8, WITH_VALUES = 256, WITHOUT = 128 };

    if (s + STATE_AHEAD < due) {
        const struct row *row = &descent->rows[descent->due[s + STATE_AHEAD]];

        PREFETCH(row);
        PREFETCH((const char *)(row + 1) - 1);
    }
    if (s + DATA_AHEAD < due) {
        const struct row *row = &descent->rows[descent->due[s + DATA_AHEAD]];
        const struct sparse entries = sparse_part(&descent->data->x, row->start, row->length);

        sparse_prefetch(&entries, entries.value ? WITH_VALUES : WITHOUT);
    }
}

/* The row's term of the duality gap, G its gradient. */
static ALWAYS_INLINE double gap_term(const struct row *row, double G, enum loss loss)
{
    double excess; /* z - 1 */

    if (loss == LOSS_L1)
        return row->alpha * G - (G < 0 ? row->limit * G : 0);
    excess = G - row->limit * row->alpha;
    return excess < 0 ? G * G / (2 * row->limit)
                      : row->alpha * (excess + row->limit * row->alpha / 2);
}

/* Minimises the dual over alpha_i alone. */
static ALWAYS_INLINE void step(struct descent *descent, struct row *row,
                               const struct sparse *entries, double G, enum loss loss,
                               struct pass *pass)
{
    double alpha = row->alpha - G / row->curvature;
    double change;

    if (alpha < 0)
        alpha = 0;
    else if (loss == LOSS_L1 && alpha > row->limit)
        alpha = row->limit;
    change = alpha - row->alpha;
    if (change == 0)
        return;
    row->alpha = alpha;
    pass->decrease -= change * (G + row->curvature * change / 2);
    sparse_add(entries, change * row->sign, descent->w);
    if (descent->task->problem->bias >= 0)
        descent->w[descent->data->features] += change * row->sign * descent->task->problem->bias;
}

/* The day of the pass so many from now. */
static ALWAYS_INLINE unsigned day_of(const struct descent *descent, unsigned passes)
{
    return (unsigned)((descent->progress.passes + passes) % DAYS);
}

/* Leaves the row out of the coming passes, this one not counted if it has begun: of one more than
 * twice as many as after its last visit, but not more than most, which is 2^k - 1. Whether that is
 * any. */
static ALWAYS_INLINE int leave_out(struct descent *descent, uint32_t i, double term, unsigned most,
                                   unsigned begun)
{
    struct row *row = &descent->rows[i];
    unsigned day;

    row->rest = (unsigned char)((2u * row->rest + 1) & most);
    if (row->rest == 0)
        return 0;
    day = day_of(descent, row->rest + begun);
    descent->waiting[day] += term;
    calendar_put(&descent->calendar, day, i);
    return 1;
}

/* What a row is like at the present w. */
struct view {
    double G;         /* gradient, */
    double projected; /* not counting what leads out of the box */
    double term;      /* of the duality gap */
};

/* Looks at an active row; 0 if it is to be set aside. */
static ALWAYS_INLINE int look_at(const struct descent *descent, const struct row *row,
                                 const struct sparse *entries, enum loss loss, struct pass *pass,
                                 struct view *view)
{
    double z = sparse_dot(entries, descent->w), G;

    if (descent->task->problem->bias >= 0)
        z += descent->task->problem->bias * descent->w[descent->data->features];
    G = row->sign * z - 1 + (loss == LOSS_L2 ? row->limit * row->alpha : 0);
    view->G = view->projected = G;
    if (row->alpha == 0) {
        if (G > descent->above)
            return 0;
        view->projected = G < 0 ? G : 0;
    } else if (loss == LOSS_L1 && row->alpha == row->limit) {
        if (G < descent->below)
            return 0;
        view->projected = G > 0 ? G : 0;
    }
    view->term = gap_term(row, G, loss);
    pass->gap += view->term;
    if (view->projected > pass->largest)
        pass->largest = view->projected;
    if (view->projected < pass->smallest)
        pass->smallest = view->projected;
    return 1;
}

/* Of how many passes a row may be left out: of more if it is right where it is. */
static ALWAYS_INLINE unsigned longest_rest(const struct descent *descent, const struct view *view)
{
    if (view->projected == 0)
        return (4 * descent->most_rest + 3) & MOST_REST;
    return fabs(view->projected) < descent->little ? descent->most_rest : 0;
}

/* Visits a row that is due; whether it is in the next pass, too. */
static ALWAYS_INLINE int visit(struct descent *descent, uint32_t i, enum loss loss,
                               struct pass *pass)
{
    struct row *row = &descent->rows[i];
    const struct sparse entries = sparse_part(&descent->data->x, row->start, row->length);
    struct view view;
    int left_out;

    if (!look_at(descent, row, &entries, loss, pass, &view)) {
        row->rest = ASIDE;
        descent->active--;
        return 0;
    }
    left_out = leave_out(descent, i, view.term, longest_rest(descent, &view), 1);
    if (view.projected != 0)
        step(descent, row, &entries, view.G, loss, pass);
    return !left_out;
}

/* ---- A survey ---------------------------------------------------------- */

/* What the next pass goes by. */
static void set_limits(struct descent *descent)
{
    const struct pass *pass = &descent->pass;

    descent->above = pass->largest > 0 ? pass->largest : HUGE_VAL;
    descent->below = pass->smallest < 0 ? pass->smallest : -HUGE_VAL;
    descent->little = LITTLE * fmax(pass->largest, -pass->smallest);
}

/* Looks at all rows and puts each where it is to be. */
static ALWAYS_INLINE void look_at_all(struct descent *descent, enum loss loss)
{
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};

    for (uint32_t i = 0; i < descent->task->problem->rows; i++) {
        struct row *row = &descent->rows[i];
        const struct sparse entries = sparse_part(&descent->data->x, row->start, row->length);
        struct view view;

        if (row->rest == CLOSED)
            continue;
        if (!look_at(descent, row, &entries, loss, &pass, &view)) {
            row->rest = ASIDE;
            continue;
        }
        descent->active++;
        if (view.projected != 0 ||
            !leave_out(descent, i, view.term, longest_rest(descent, &view), 0))
            descent->due[descent->awake++] = i;
    }
    descent->pass.largest = pass.largest;
    descent->pass.smallest = pass.smallest;
    descent->pass.gap = pass.gap;
}

void descent_survey(struct descent *descent)
{
    clear_days(descent);
    descent->active = 0;
    if (descent->task->loss == LOSS_L1)
        look_at_all(descent, LOSS_L1);
    else
        look_at_all(descent, LOSS_L2);
    descent->progress.active = descent->active;
    set_limits(descent);
}

/* ---- Passes ------------------------------------------------------------ */

/* Wakes the rows whose day has come. */
static void wake(struct descent *descent, unsigned day)
{
    descent->awake += calendar_take(&descent->calendar, day, descent->due + descent->awake);
    descent->waiting[day] = 0;
}

void descent_wake(struct descent *descent)
{
    for (unsigned day = 0; day < DAYS; day++)
        wake(descent, day);
}

/* Whether to look at all rows first, in the order of memory: where most of those that are due have
 * been left out for being right where they are, and still are so, that saves their visits. Of long
 * rows a visit costs little more than a look. */
static int survey_pays(const struct descent *descent)
{
    enum { SHORT = 32 };

    return descent->progress.passes > 0 && descent->awake > descent->open / 4 * 3 &&
           descent->pass.visits < descent->open / 4 &&
           descent->nonzeros < SHORT * (size_t)descent->open;
}

/* The pass before it begins: with the gap terms of those that wait on. Where none is due, all are:
 * a pass without a visit would look like the end. */
static struct pass begin_pass(struct descent *descent)
{
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};

    wake(descent, day_of(descent, 0));
    if (survey_pays(descent)) {
        descent_survey(descent);
        pass.full = descent->awake > 0;
    }
    if (descent->awake == 0)
        descent_wake(descent);
    if (descent->most_rest < MOST_REST &&
        descent->progress.passes >= 4 * (2 * (uint64_t)descent->most_rest + 1))
        descent->most_rest = 2 * descent->most_rest + 1;
    for (unsigned day = 0; day < DAYS; day++)
        pass.gap += descent->waiting[day];
    pass.visits = descent->awake;
    pass.full |= pass.visits == descent->open;
    random_shuffle(&descent->random, descent->due, pass.visits);
    descent->progress.row_visits += pass.visits;
    return pass;
}

static ALWAYS_INLINE void visit_all(struct descent *descent, enum loss loss)
{
    struct pass pass = begin_pass(descent);
    uint32_t *due = descent->due;

    descent->awake = 0;
    for (uint32_t s = 0; s < pass.visits; s++) {
        const uint32_t i = due[s];

        prefetch(descent, s, pass.visits);
        if (visit(descent, i, loss, &pass))
            due[descent->awake++] = i;
    }
    descent->pass = pass;
}

/* One pass, compiled once for each loss. */
void descent_pass(struct descent *descent)
{
    if (descent->task->loss == LOSS_L1)
        visit_all(descent, LOSS_L1);
    else
        visit_all(descent, LOSS_L2);
    descent->progress.passes++;
    descent->progress.active = descent->active;
    descent->progress.measured = descent->certified = 0;
    descent->dual -= descent->pass.decrease;
    set_limits(descent);
}
