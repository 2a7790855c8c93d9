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
 * Theory Appl. 1992).
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

    descent->open = 0;
    descent->nonzeros = 0;
    for (uint32_t i = 0; i < problem->rows; i++) {
        struct row *row = &descent->rows[i];
        const double square = binary_square(problem, i);

        row->cost = problem->cost[i];
        row->diagonal = descent->task->loss == LOSS_L2 ? 1 / (2 * row->cost) : 0;
        row->curvature = square + row->diagonal;
        row->start = descent->data->start[problem->row[i]];
        row->length = (uint32_t)(descent->data->start[problem->row[i] + 1] - row->start);
        row->sign = problem->sign[i] > 0 ? 1 : -1;
        row->rest = 0;
        row->alpha = descent->alpha[i];
        descent->nonzeros += row->length;
        if (square > 0)
            descent->order[descent->open++] = i;
        else
            row->alpha = descent->task->loss == LOSS_L2 ? 2 * row->cost : row->cost;
    }
}

static void free_rows(struct descent *descent)
{
    free(descent->rows);
    free(descent->order);
    free(descent->wait);
    descent->rows = NULL;
    descent->order = NULL;
    descent->wait = NULL;
}

static enum hinge_status allocate_rows(struct descent *descent, struct hinge_error *error)
{
    const size_t rows = descent->task->problem->rows;

    if ((descent->rows = array_new(rows, sizeof *descent->rows, error)) &&
        (descent->order = array_new(rows, sizeof *descent->order, error)) &&
        (descent->wait = array_new(rows, sizeof *descent->wait, error)))
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

/* Makes all active rows due. */
static void wake(struct descent *descent)
{
    memset(descent->wait, 0, descent->task->problem->rows * sizeof *descent->wait);
    memset(descent->waiting, 0, sizeof descent->waiting);
}

void descent_reopen(struct descent *descent)
{
    descent->active = descent->open;
    descent->above = HUGE_VAL;
    descent->below = -HUGE_VAL;
    wake(descent);
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
        const struct row *row = &descent->rows[descent->order[s + STATE_AHEAD]];

        PREFETCH(row);
        PREFETCH((const char *)(row + 1) - 1);
    }
    if (s + DATA_AHEAD < due) {
        const struct row *row = &descent->rows[descent->order[s + DATA_AHEAD]];
        const struct binary_row entries = non_zeros(descent->data, row->start, row->length);

        sparse_prefetch(&entries, entries.value || entries.whole ? WITH_VALUES : WITHOUT);
    }
}

/* The row's term of the duality gap, G its gradient. */
static ALWAYS_INLINE double gap_term(const struct row *row, double G, enum loss loss)
{
    double excess = loss == LOSS_L1 ? G : G - row->diagonal * row->alpha; /* z - 1 */

    if (loss == LOSS_L1)
        return row->alpha * G - (G < 0 ? row->cost * G : 0);
    return excess < 0 ? row->cost * G * G : row->alpha * (excess + row->diagonal * row->alpha / 2);
}

/* Minimises the dual over alpha_i alone. */
static ALWAYS_INLINE void step(struct descent *descent, struct row *row,
                               const struct binary_row *entries, double G, enum loss loss,
                               struct pass *pass)
{
    double alpha = row->alpha - G / row->curvature;
    double change;

    if (alpha < 0)
        alpha = 0;
    else if (loss == LOSS_L1 && alpha > row->cost)
        alpha = row->cost;
    change = alpha - row->alpha;
    if (change == 0)
        return;
    row->alpha = alpha;
    pass->decrease -= change * (G + row->curvature * change / 2);
    sparse_add(entries, change * row->sign, descent->w);
    if (descent->task->problem->bias >= 0)
        descent->w[descent->data->features] += change * row->sign * descent->task->problem->bias;
}

/* The gap terms of the rows that are due so many passes from now. */
static ALWAYS_INLINE double *waiting_for(struct descent *descent, unsigned passes)
{
    return &descent->waiting[(descent->progress.passes + passes) % (MOST_REST + 1)];
}

/* Leaves the row out of the coming passes, this one not counted if it has begun: of one more than
 * twice as many as after its last visit, but not more than most, which is 2^k - 1. */
static ALWAYS_INLINE void leave_out(struct descent *descent, uint32_t i, double term, unsigned most,
                                    unsigned begun)
{
    struct row *row = &descent->rows[i];

    row->rest = (unsigned char)((2u * row->rest + 1) & most);
    descent->wait[i] = row->rest;
    *waiting_for(descent, row->rest + begun) += term;
}

/* How long a row that is right where it is may be left out. */
static ALWAYS_INLINE unsigned longest_rest(const struct descent *descent)
{
    return (4 * descent->most_rest + 3) & MOST_REST;
}

/* What a row is like at the present w. */
struct view {
    double G;         /* gradient, */
    double projected; /* not counting what leads out of the box */
    double term;      /* of the duality gap */
};

/* Looks at an active row; 0 if it is to be set aside. */
static ALWAYS_INLINE int look_at(const struct descent *descent, const struct row *row,
                                 const struct binary_row *entries, enum loss loss,
                                 struct pass *pass, struct view *view)
{
    double z = sparse_dot(entries, descent->w), G;

    if (descent->task->problem->bias >= 0)
        z += descent->task->problem->bias * descent->w[descent->data->features];
    G = row->sign * z - 1 + (loss == LOSS_L2 ? row->diagonal * row->alpha : 0);
    view->G = view->projected = G;
    if (row->alpha == 0) {
        if (G > descent->above)
            return 0;
        view->projected = G < 0 ? G : 0;
    } else if (loss == LOSS_L1 && row->alpha == row->cost) {
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

/* Visits an active row; 0 if it is to be set aside. */
static ALWAYS_INLINE int visit(struct descent *descent, uint32_t i, enum loss loss,
                               struct pass *pass)
{
    struct row *row = &descent->rows[i];
    const struct binary_row entries = non_zeros(descent->data, row->start, row->length);
    struct view view;

    if (!look_at(descent, row, &entries, loss, pass, &view))
        return 0;
    if (view.projected == 0)
        leave_out(descent, i, view.term, longest_rest(descent), 1);
    else if (fabs(view.projected) < descent->little)
        leave_out(descent, i, view.term, descent->most_rest, 1);
    else
        row->rest = 0;
    if (view.projected != 0)
        step(descent, row, &entries, view.G, loss, pass);
    return 1;
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

enum { ASIDE = MOST_REST + 1 }; /* in the place of a row's wait */

/* Looks at all rows, which are marked as what they are to be. */
static ALWAYS_INLINE void look_at_all(struct descent *descent, enum loss loss)
{
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL};

    for (uint32_t i = 0; i < descent->task->problem->rows; i++) {
        const struct row *row = &descent->rows[i];
        const struct binary_row entries = non_zeros(descent->data, row->start, row->length);
        struct view view;

        descent->wait[i] = 0;
        if (!look_at(descent, row, &entries, loss, &pass, &view))
            descent->wait[i] = ASIDE;
        else if (view.projected == 0)
            leave_out(descent, i, view.term, longest_rest(descent), 0);
    }
    descent->pass.largest = pass.largest;
    descent->pass.smallest = pass.smallest;
    descent->pass.gap = pass.gap;
}

void descent_survey(struct descent *descent)
{
    uint32_t *order = descent->order;

    memset(descent->waiting, 0, sizeof descent->waiting);
    if (descent->task->loss == LOSS_L1)
        look_at_all(descent, LOSS_L1);
    else
        look_at_all(descent, LOSS_L2);
    descent->active = 0;
    for (uint32_t s = 0; s < descent->open; s++) {
        const uint32_t i = order[s];

        order[s] = order[descent->active];
        order[descent->active] = i;
        descent->active += descent->wait[i] != ASIDE;
    }
    descent->progress.active = descent->active;
    set_limits(descent);
}

/* ---- Passes ------------------------------------------------------------ */

/* Brings the active rows that are due to the front, without a branch: which they are is as good as
 * random. Returns how many they are. */
static uint32_t gather_due(struct descent *descent)
{
    uint32_t *order = descent->order, due = 0;

    for (uint32_t s = 0; s < descent->active; s++) {
        const uint32_t i = order[s];
        const unsigned waits = descent->wait[i] > 0;

        descent->wait[i] = (unsigned char)(descent->wait[i] - waits);
        order[s] = order[due];
        order[due] = i;
        due += !waits;
    }
    return due;
}

/* Whether to look at all rows first, in the order of memory: where most of those that are due have
 * been left out for being right where they are, and still are so, that saves their visits. Of long
 * rows a visit costs little more than a look. */
static int survey_pays(const struct descent *descent, uint32_t due)
{
    enum { SHORT = 32 };

    return descent->progress.passes > 0 && due > descent->open / 4 * 3 &&
           descent->pass.visits < descent->open / 4 &&
           descent->nonzeros < SHORT * (size_t)descent->open;
}

/* The pass before it begins: with the gap terms of those that wait on. Where none is due, all are:
 * a pass without a visit would look like the end. */
static struct pass begin_pass(struct descent *descent)
{
    struct pass pass = {.largest = -HUGE_VAL, .smallest = HUGE_VAL, .visits = gather_due(descent)};

    if (survey_pays(descent, pass.visits)) {
        descent_survey(descent);
        pass.visits = gather_due(descent);
        pass.full = pass.visits > 0;
    }
    if (pass.visits == 0) {
        wake(descent);
        pass.visits = gather_due(descent);
    }
    if (descent->most_rest < MOST_REST &&
        descent->progress.passes >= 4 * (2 * (uint64_t)descent->most_rest + 1))
        descent->most_rest = 2 * descent->most_rest + 1;
    *waiting_for(descent, 0) = 0;
    for (int k = 0; k <= MOST_REST; k++)
        pass.gap += descent->waiting[k];
    pass.full |= pass.visits == descent->open;
    random_shuffle(&descent->random, descent->order, pass.visits);
    descent->progress.row_visits += pass.visits;
    return pass;
}

static ALWAYS_INLINE void visit_all(struct descent *descent, enum loss loss)
{
    struct pass pass = begin_pass(descent);
    uint32_t *order = descent->order, due = pass.visits, s = 0;

    while (s < due) {
        const uint32_t i = order[s];

        prefetch(descent, s, due);
        if (visit(descent, i, loss, &pass)) {
            s++;
        } else {
            order[s] = order[--due];
            order[due] = order[--descent->active];
            order[descent->active] = i;
        }
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
