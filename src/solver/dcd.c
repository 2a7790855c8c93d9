/* dcd.c - alpha_i := clip(alpha_i - G_i / Qbar_ii, 0, U_i),  w += (change of alpha_i) y_i x_i.
 *
 * Dual coordinate descent (seed 001; Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, Alg. 3):
 * G_i = y_i <w, x_i> - 1 + d_i alpha_i, Qbar_ii = |x_i|^2 + d_i. Rows are taken in a fresh random
 * order each pass; rows at a bound whose gradient points out of the box by more than any did in
 * the pass before are set aside ("shrinking") until the rest has converged.
 *
 * When to stop. With w = sum alpha_i y_i x_i and z_i = y_i <w, x_i> the duality gap is a sum over
 * rows, because |w|^2 = sum alpha_i z_i:
 *
 *     P(w) + D(alpha) = sum_i C_i loss(z_i) + d_i alpha_i^2 / 2 - alpha_i (1 - z_i),
 *
 * each term at least 0, and 0 for a row that is rightly set aside. A pass computes every z_i it
 * needs for that anyway, so it adds the terms up: an estimate, as w moves meanwhile. It decides
 * only when to look; what is reported is measured on all rows, w formed anew from alpha.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/engine.h"
#include "solver/face.h"
#include "solver/gram.h"
#include "solver/normal.h"

/* All that a visit to a row needs but its non-zeros, in one place in memory. */
struct row {
    double alpha;     /* 0 <= alpha <= U_i */
    double curvature; /* Qbar_ii */
    double cost;      /* C_i; U_i for the L1-loss */
    double diagonal;  /* d_i */
    size_t start;     /* of the non-zeros in the dataset */
    uint32_t length;
    int32_t sign; /* y_i */
};

/* What one pass over the active rows found. */
struct pass {
    double largest;  /* projected gradient */
    double smallest; /* projected gradient */
    double gap;      /* sum of the rows' terms, each at the time of its visit */
    double decrease; /* of the dual */
    int full;        /* no row was set aside before it */
};

/* How far it was to go at some pass: the logarithm of distance(). */
struct mark {
    uint64_t pass;
    double distance;
};

struct dcd {
    const struct solver_task *task;
    const struct hinge_dataset *data;
    double *w;
    struct row *rows; /* [problem rows] */
    double *own;      /* what alpha is if the task has none */
    double *alpha;    /* [problem rows] copy of the rows' alpha, to measure with */
    uint32_t *order;  /* [open] the active rows first */
    uint32_t open;    /* rows with a feature: the others are solved from the start */
    uint32_t active;
    uint32_t shrunk; /* how many were when last all were taken back */
    double above;    /* set a row at 0 aside when its gradient is larger */
    double below;    /* set a row at U aside when its gradient is smaller */
    struct random_state random;
    struct pass pass;   /* the last one */
    double dual;        /* D(alpha), kept up to date by the decreases */
    double trust;       /* measured gap / estimated gap at the last look, 0.1 .. 2 */
    uint64_t next_look; /* measure the gap after so many visits, whatever the estimate */
    struct hinge_progress progress;
    int certified;           /* measured since the last pass, for w formed anew */
    size_t nonzeros;         /* of all rows */
    struct mark mark, older; /* the distance to go some passes ago */
    uint64_t next_mark;      /* the pass to note it at */
    double spent;            /* on passes, */
    double engine_price;     /* see engine.h */
    uint64_t last_pass;      /* what rounding errors keep the engines from is not to be had
                                for many more passes, either; 0: no such limit */
    int handed_over;         /* or never to be */
    struct face *face;       /* NULL: no steps on faces yet */
    uint64_t last_step;      /* the pass it was, */
    double step_price;       /* what it cost, */
    double passed;           /* what passes have cost since, */
    double limit;            /* and what all steps may */
};

/* ---- Setting up -------------------------------------------------------- */

static void dcd_free(struct dcd *dcd)
{
    free(dcd->rows);
    free(dcd->own);
    free(dcd->order);
    face_free(dcd->face);
}

static enum hinge_status dcd_new(struct dcd *dcd, const struct solver_task *task, double *w,
                                 struct hinge_error *error)
{
    size_t rows = task->problem->rows;

    *dcd = (struct dcd){.task = task, .data = task->problem->data, .w = w, .trust = 1};
    dcd->handed_over = task->parameters->plain;
    dcd->next_mark = 1;
    dcd->random.counter = task->parameters->seed;
    dcd->progress = progress_new(task);
    if (!(dcd->rows = array_new(rows, sizeof *dcd->rows, error)) ||
        (!task->alpha && !(dcd->own = array_new(rows, sizeof *dcd->own, error))) ||
        !(dcd->order = array_new(rows, sizeof *dcd->order, error)))
        return failure(error);
    dcd->alpha = task->alpha ? task->alpha : dcd->own;
    return HINGE_OK;
}

/* ---- Measuring --------------------------------------------------------- */

static void copy_alpha(struct dcd *dcd)
{
    for (uint32_t i = 0; i < dcd->task->problem->rows; i++)
        dcd->alpha[i] = dcd->rows[i].alpha;
}

/* Measures both objectives over all rows; changes nothing that the iterates depend on. */
static void measure(void *state)
{
    struct dcd *dcd = state;
    struct objective objective;

    copy_alpha(dcd);
    objective = objective_measure(dcd->task->problem, dcd->task->loss, dcd->w, dcd->alpha, dcd->w);
    progress_measured(&dcd->progress, &objective, dcd->w);
}

/* The same for w formed anew from alpha, free of the rounding errors of the steps. */
static void certify(struct dcd *dcd)
{
    copy_alpha(dcd);
    binary_weights(dcd->task->problem, dcd->alpha, dcd->w);
    measure(dcd);
    dcd->certified = 1;
    dcd->dual = dcd->progress.dual;
}

/* ---- Starting ---------------------------------------------------------- */

/* alpha as it was given, except for rows without a feature: their z is 0 whatever w is, so that
 * alpha = U_i (L1-loss) or the root 1/d_i of their gradient (L2-loss) is optimal. */
static void dcd_start(struct dcd *dcd)
{
    const struct binary_problem *problem = dcd->task->problem;
    int from_zero = 1;

    for (uint32_t i = 0; i < problem->rows; i++) {
        struct row *row = &dcd->rows[i];
        double square = binary_square(problem, i);

        row->cost = problem->cost[i];
        row->diagonal = dcd->task->loss == LOSS_L2 ? 1 / (2 * row->cost) : 0;
        row->curvature = square + row->diagonal;
        row->start = dcd->data->start[problem->row[i]];
        row->length = (uint32_t)(dcd->data->start[problem->row[i] + 1] - row->start);
        row->sign = problem->sign[i] > 0 ? 1 : -1;
        row->alpha = dcd->alpha[i];
        dcd->nonzeros += row->length;
        if (square > 0) {
            dcd->order[dcd->open++] = i;
            from_zero &= row->alpha == 0;
        } else {
            row->alpha = dcd->task->loss == LOSS_L2 ? 2 * row->cost : row->cost;
            dcd->dual -= row->cost;
        }
    }
    if (from_zero) {
        memset(dcd->w, 0, binary_width(problem) * sizeof *dcd->w);
    } else {
        copy_alpha(dcd);
        binary_weights(problem, dcd->alpha, dcd->w);
        dcd->dual = objective_dual(problem, dcd->task->loss, dcd->alpha, dcd->w);
    }
    dcd->next_look = 4 * (uint64_t)dcd->open;
}

/* Takes all rows back and forgets what was known about them. */
static void reopen(struct dcd *dcd)
{
    dcd->shrunk = dcd->active > 0 ? dcd->active : dcd->open;
    dcd->active = dcd->open;
    dcd->above = HUGE_VAL;
    dcd->below = -HUGE_VAL;
}

/* ---- A pass ------------------------------------------------------------ */

/* The rows lie in memory in another order than they are visited in: ask for them in time. A short
 * row's non-zeros fill few cache lines; a long row's are found by the machine after these. */
static ALWAYS_INLINE void prefetch(const struct dcd *dcd, uint32_t s)
{
    enum { STATE_AHEAD = 16, DATA_AHEAD = 8, LINES = 4 };

    if (s + STATE_AHEAD < dcd->active) {
        const struct row *row = &dcd->rows[dcd->order[s + STATE_AHEAD]];

        PREFETCH(row);
        PREFETCH((const char *)(row + 1) - 1);
    }
    if (s + DATA_AHEAD < dcd->active) {
        const struct row *row = &dcd->rows[dcd->order[s + DATA_AHEAD]];

        for (uint32_t k = 0; k < 8 * LINES && k < row->length; k += 8) {
            PREFETCH(dcd->data->index + row->start + k);
            if (dcd->data->value)
                PREFETCH(dcd->data->value + row->start + k);
        }
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
static ALWAYS_INLINE void step(struct dcd *dcd, struct row *row, double G, enum loss loss,
                               struct pass *pass)
{
    const struct hinge_dataset *data = dcd->data;
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
    sparse_add(data->index + row->start, values_from(data, row->start), row->length,
               change * row->sign, dcd->w);
    if (dcd->task->problem->bias >= 0)
        dcd->w[data->features] += change * row->sign * dcd->task->problem->bias;
}

/* Visits one active row; 0 if it is to be set aside. */
static ALWAYS_INLINE int visit(struct dcd *dcd, struct row *row, enum loss loss, struct pass *pass)
{
    const struct hinge_dataset *data = dcd->data;
    double z =
        sparse_dot(data->index + row->start, values_from(data, row->start), row->length, dcd->w);
    double G, projected;

    if (dcd->task->problem->bias >= 0)
        z += dcd->task->problem->bias * dcd->w[data->features];
    G = projected = row->sign * z - 1 + (loss == LOSS_L2 ? row->diagonal * row->alpha : 0);
    if (row->alpha == 0) {
        if (G > dcd->above)
            return 0;
        projected = G < 0 ? G : 0;
    } else if (loss == LOSS_L1 && row->alpha == row->cost) {
        if (G < dcd->below)
            return 0;
        projected = G > 0 ? G : 0;
    }
    pass->gap += gap_term(row, G, loss);
    if (projected > pass->largest)
        pass->largest = projected;
    if (projected < pass->smallest)
        pass->smallest = projected;
    if (projected != 0)
        step(dcd, row, G, loss, pass);
    return 1;
}

static ALWAYS_INLINE void visit_all(struct dcd *dcd, enum loss loss)
{
    struct pass pass = {-HUGE_VAL, HUGE_VAL, 0, 0, dcd->active == dcd->open};
    uint32_t s = 0;

    random_shuffle(&dcd->random, dcd->order, dcd->active);
    dcd->progress.row_visits += dcd->active;
    while (s < dcd->active) {
        uint32_t i = dcd->order[s];

        prefetch(dcd, s);
        if (visit(dcd, &dcd->rows[i], loss, &pass)) {
            s++;
        } else {
            dcd->active--;
            dcd->order[s] = dcd->order[dcd->active];
            dcd->order[dcd->active] = i;
        }
    }
    dcd->pass = pass;
}

/* One pass, compiled once for each loss. */
static void run_pass(struct dcd *dcd)
{
    if (dcd->task->loss == LOSS_L1)
        visit_all(dcd, LOSS_L1);
    else
        visit_all(dcd, LOSS_L2);
    dcd->progress.passes++;
    dcd->progress.active = dcd->active;
    dcd->progress.measured = dcd->certified = 0;
    dcd->dual -= dcd->pass.decrease;
    dcd->above = dcd->pass.largest > 0 ? dcd->pass.largest : HUGE_VAL;
    dcd->below = dcd->pass.smallest < 0 ? dcd->pass.smallest : -HUGE_VAL;
}

/* ---- Stopping ---------------------------------------------------------- */

/* LIBLINEAR's rule, on all rows. */
static int eps_rule(struct dcd *dcd)
{
    const double eps = dcd->task->parameters->eps;
    const struct pass *pass = &dcd->pass;
    int met = dcd->active == 0 || (pass->largest - pass->smallest <= eps && pass->largest <= eps &&
                                   pass->smallest >= -eps);

    if (met && dcd->active < dcd->open) {
        reopen(dcd);
        return 0;
    }
    return met;
}

/* The relative gap, looked at when the estimate says that it is small enough, and, as the estimate
 * may be wrong, each time the work has doubled. A look in vain takes back what was set aside. */
static int gap_rule(struct dcd *dcd)
{
    const double target = solver_target(dcd->task->parameters);
    double estimate = dcd->pass.gap / fmax(dcd->pass.gap - dcd->dual, DBL_MIN);

    if (estimate * dcd->trust > target && dcd->progress.row_visits < dcd->next_look)
        return 0;
    certify(dcd);
    if (dcd->progress.gap <= target)
        return 1;
    dcd->trust = fmin(fmax(dcd->progress.gap / estimate, 0.1), 2);
    dcd->next_look = 2 * dcd->progress.row_visits;
    if (dcd->active < dcd->open)
        reopen(dcd);
    return 0;
}

static int solved(struct dcd *dcd)
{
    return (dcd->task->parameters->eps <= 0 || eps_rule(dcd)) &&
           (dcd->task->parameters->gap <= 0 || gap_rule(dcd));
}

/* Whether the steps have come down to rounding errors. These make each z_i uncertain by some
 * 2^-53 |w| |x_i|, and chasing that wins (2^-53 |w|)^2 a row: 1e-32 of the objective, a thousand
 * times more for good measure. */
static int stalled(struct dcd *dcd)
{
    if (dcd->pass.decrease > 1e-29 * dcd->open * fabs(dcd->dual))
        return 0;
    if (dcd->pass.full)
        return 1;
    reopen(dcd);
    return 0;
}

/* ---- Handing over ------------------------------------------------------ */

/* How many times too far off the rules are, by what the last pass found. */
static double distance(const struct dcd *dcd)
{
    const struct hinge_parameters *parameters = dcd->task->parameters;
    const struct pass *pass = &dcd->pass;
    double distance = 0;

    if (parameters->gap > 0)
        distance = pass->gap / fmax(pass->gap - dcd->dual, DBL_MIN) / parameters->gap;
    if (parameters->eps > 0)
        distance = fmax(distance, fmax(pass->largest, -pass->smallest) / parameters->eps);
    return distance;
}

/* What the next pass costs, in the unit of engine_price. */
static double pass_price(const struct dcd *dcd)
{
    const double mean = (double)dcd->nonzeros / (double)dcd->open;

    return (double)dcd->active * (3 * mean + 40);
}

/* Whether steps on faces come before the engines: with many features an engine's step costs
 * hundreds of passes, and most of them serve to find out which rows are free. */
static int by_faces(const struct dcd *dcd)
{
    return !dcd->face && !normal_by_features(dcd->task->problem);
}

/* What going on by other means costs from the present dual point on: by steps on faces, where those
 * are to be tried first, or by an engine. The rule of -e is about every row; with the L1-loss that
 * takes about twice as many steps. */
static double price_of_engine(const struct dcd *dcd, double logarithm)
{
    const int on_faces = by_faces(dcd), bounded = dcd->task->loss == LOSS_L1;
    const double times = bounded && dcd->task->parameters->eps > 0 ? 2 : 1;
    uint32_t support = 0;
    double nonzeros = 0;

    for (uint32_t i = 0; i < dcd->task->problem->rows; i++)
        if (dcd->rows[i].alpha > 0 &&
            !(on_faces && bounded && dcd->rows[i].alpha == dcd->rows[i].cost)) {
            support++;
            nonzeros += dcd->rows[i].length;
        }
    return on_faces ? times * face_price(dcd->task->problem, logarithm, support, nonzeros)
                    : engine_price(dcd->task, logarithm, support, nonzeros);
}

/* Whether an engine was needed for this problem at another C. */
static int engine_is_kept(const struct dcd *dcd)
{
    return dcd->task->kept && *dcd->task->kept;
}

/* Whether going over early costs nothing but what is left: engines, unlike steps on faces, gain
 * little by the passes before; and the gap falls evenly from the start, as the one largest
 * violation of the rule of -e does not. */
static int may_go_early(const struct dcd *dcd)
{
    return !by_faces(dcd) && dcd->task->parameters->eps <= 0;
}

/* How many passes are to come. The logarithm of the distance has fallen at some rate since about
 * half of the passes ago. That it goes on so is too good for coordinate descent; the rate falling
 * as the root of the passes is nearer to the truth. Where waiting pays it is flattered. */
static double expected_passes(const struct dcd *dcd, double now)
{
    const double passes = (double)dcd->progress.passes;
    const double fall = (dcd->older.distance - now) / (passes - (double)dcd->older.pass);
    const double steady = fall > 0 ? now / fall : HUGE_VAL;

    return may_go_early(dcd) ? steady + steady * steady / (4 * passes) : steady;
}

/* Whether something else would take less from here than coordinate descent. The first passes tell
 * least: until a fifth of the other's price is spent, they have to tell it the more clearly the
 * less has been spent, or are not asked. */
static int engine_is_cheaper(struct dcd *dcd)
{
    const double now = log(fmax(distance(dcd), 1));
    const uint64_t passes = dcd->progress.passes;
    double price = pass_price(dcd), doubt;

    if (dcd->next_mark <= passes) { /* 1, 2, 4, 8, ... */
        dcd->older = dcd->mark.pass > 0 ? dcd->mark : (struct mark){passes, now};
        dcd->mark = (struct mark){passes, now};
        dcd->next_mark = 2 * passes;
        dcd->engine_price = price_of_engine(dcd, now);
    }
    dcd->spent += price;
    doubt = engine_is_kept(dcd) ? 0 : 0.2 * dcd->engine_price / dcd->spent;
    if (passes < 3 || (doubt > 1 && !may_go_early(dcd)))
        return 0;
    if (dcd->shrunk < dcd->active) /* a look in vain: they will soon be set aside again */
        price *= (double)dcd->shrunk / (double)dcd->active;
    dcd->progress.expected = expected_passes(dcd, now);
    return now > 0 && dcd->progress.expected * price > dcd->engine_price * fmax(doubt, 1);
}

/* ---- Steps on faces ---------------------------------------------------- */

/* From now on there is a step on the face that the passes have reached whenever these have cost a
 * fifth of the last. 0 if there is no memory for it. */
static int begin_steps(struct dcd *dcd)
{
    struct hinge_error error;

    dcd->limit = 4 * dcd->engine_price;
    dcd->face = face_new(dcd->task->problem, dcd->task->loss, &error);
    return dcd->face != NULL;
}

static int step_is_due(const struct dcd *dcd)
{
    enum { FEWEST = 3 };

    return dcd->face && dcd->progress.passes >= dcd->last_step + FEWEST &&
           dcd->passed >= 0.2 * dcd->step_price;
}

static void step_on_face(struct dcd *dcd)
{
    const double before = face_spent(dcd->face);
    double decrease;

    copy_alpha(dcd);
    decrease = face_step(dcd->face, dcd->alpha, dcd->w);
    for (uint32_t i = 0; i < dcd->task->problem->rows; i++)
        dcd->rows[i].alpha = dcd->alpha[i];
    if (decrease == 0)
        dcd->limit = 0;
    dcd->dual -= decrease;
    dcd->step_price = face_spent(dcd->face) - before;
    dcd->passed = 0;
    dcd->last_step = ++dcd->progress.passes;
    dcd->progress.steps++;
    dcd->progress.engine = "pnewton";
    dcd->progress.measured = dcd->certified = 0;
    reopen(dcd);
}

/* Lets the engines go on from here, one after the other. 1 if one of them came to an end; if none
 * could, coordinate descent goes on from the best dual point. */
static int hand_over(struct dcd *dcd, enum hinge_outcome *outcome)
{
    struct engine_run run = {.task = dcd->task, .w = dcd->w, .alpha = dcd->alpha};
    int ended;

    face_free(dcd->face);
    dcd->face = NULL;
    certify(dcd);
    run.progress = dcd->progress;
    ended = engines_run(&run, outcome);
    dcd->progress = run.progress;
    dcd->handed_over = 1;
    if (ended) {
        dcd->certified = 1;
        return 1;
    }
    for (uint32_t i = 0; i < dcd->task->problem->rows; i++)
        dcd->rows[i].alpha = dcd->alpha[i];
    certify(dcd);
    reopen(dcd);
    if (run.broke_down)
        dcd->last_pass = 10 * dcd->progress.passes + 1000;
    return 0;
}

/* Whether it is time for something else than passes and, once there are any, steps on faces. */
static int passes_are_dear(struct dcd *dcd)
{
    if (stalled(dcd))
        return 1;
    dcd->passed += pass_price(dcd);
    return dcd->face ? face_spent(dcd->face) > dcd->limit : engine_is_cheaper(dcd);
}

/* Goes over to steps on faces, or to the engines. 1 if one of these came to an end. */
static int go_over(struct dcd *dcd, enum hinge_outcome *outcome)
{
    if (by_faces(dcd) && begin_steps(dcd))
        return 0;
    return hand_over(dcd, outcome);
}

static enum hinge_outcome iterate(struct dcd *dcd)
{
    const uint64_t max_passes = dcd->task->parameters->max_passes;
    enum hinge_outcome outcome;

    for (;;) {
        enum hinge_answer answer = monitor_ask(dcd->task->monitor, &dcd->progress, measure, dcd);

        if (answer != HINGE_GO_ON)
            return outcome_of(answer);
        if (max_passes > 0 && dcd->progress.passes == max_passes)
            return HINGE_PASS_LIMIT;
        if (step_is_due(dcd)) {
            step_on_face(dcd);
            continue;
        }
        run_pass(dcd);
        if (solved(dcd))
            return HINGE_TOLERANCE_MET;
        if (!dcd->handed_over && passes_are_dear(dcd) && go_over(dcd, &outcome))
            return outcome;
        if (dcd->handed_over && (stalled(dcd) || dcd->progress.passes == dcd->last_pass))
            return HINGE_STALLED;
    }
}

enum hinge_status dcd_solve(const struct solver_task *task, double *w, struct hinge_result *result,
                            struct hinge_error *error)
{
    enum hinge_outcome outcome;
    struct stopwatch watch;
    struct dcd dcd;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    if (dcd_new(&dcd, task, w, error)) {
        dcd_free(&dcd);
        return failure(error);
    }
    dcd_start(&dcd);
    reopen(&dcd);
    outcome = iterate(&dcd);
    if (!dcd.certified)
        certify(&dcd);
    result_close(result, task, &dcd.progress, outcome, dcd.alpha);
    dcd_free(&dcd);
    result->seconds = stopwatch_processor(&watch);
    return HINGE_OK;
}
