/* dcd.c - passes of coordinate descent until a rule holds, or something else costs less.
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

#include "base/clock.h"
#include "base/status.h"
#include "solver/descent.h"
#include "solver/engine.h"
#include "solver/face.h"
#include "solver/normal.h"

/* How far it was to go at some pass: the logarithm of distance(); and what had been spent. */
struct mark {
    uint64_t pass;
    double distance;
    double spent;
};

struct dcd {
    struct descent descent;
    unsigned still;          /* passes over all rows that changed next to nothing, in a row */
    double trust;            /* measured gap / estimated gap at the last look, 0.1 .. 10 */
    uint64_t next_look;      /* measure the gap after so many visits, whatever the estimate */
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

static enum hinge_status dcd_new(struct dcd *dcd, const struct solver_task *task, double *w,
                                 struct hinge_error *error)
{
    *dcd = (struct dcd){.trust = 1, .next_mark = 1, .handed_over = task->parameters->plain};
    return descent_new(&dcd->descent, task, w, error);
}

static void dcd_free(struct dcd *dcd)
{
    descent_free(&dcd->descent);
    face_free(dcd->face);
}

/* ---- Stopping ---------------------------------------------------------- */

/* Whether the rows that the last pass looked at keep LIBLINEAR's rule. */
static int eps_rule_holds(const struct dcd *dcd)
{
    const double eps = dcd->descent.task->parameters->eps;
    const struct pass *pass = &dcd->descent.pass;

    return dcd->descent.active == 0 || (pass->largest - pass->smallest <= eps &&
                                        pass->largest <= eps && pass->smallest >= -eps);
}

/* The rule is about all rows: where those that were due keep it, all are looked at. */
static int eps_rule(struct dcd *dcd)
{
    if (!eps_rule_holds(dcd))
        return 0;
    if (dcd->descent.pass.full)
        return 1;
    descent_survey(&dcd->descent);
    return eps_rule_holds(dcd);
}

/* The relative gap by what the last pass found. */
static double estimated_gap(const struct dcd *dcd)
{
    const double gap = dcd->descent.pass.gap;

    return gap / fmax(gap - dcd->descent.dual, DBL_MIN);
}

/* Makes the estimate anew where the last pass left active rows out, whose terms are old: by a pass
 * over them all, which is progress, too, or, where they are many, by a survey. 0 if that pass is to
 * come. */
static int refresh_estimate(struct dcd *dcd)
{
    if (dcd->descent.pass.visits >= dcd->descent.active)
        return 1;
    if (dcd->descent.active < dcd->descent.open / 2) {
        descent_wake(&dcd->descent);
        return 0;
    }
    descent_survey(&dcd->descent);
    return 1;
}

/* The relative gap, looked at when the estimate says that it is small enough, and, as the estimate
 * may be wrong, each time the work has doubled. */
static int gap_rule(struct dcd *dcd)
{
    const double target = solver_target(dcd->descent.task->parameters);
    const double estimate = estimated_gap(dcd);

    if ((estimate * dcd->trust > target && dcd->descent.progress.row_visits < dcd->next_look) ||
        !refresh_estimate(dcd))
        return 0;
    if (estimated_gap(dcd) <= target) {
        descent_certify(&dcd->descent);
        if (dcd->descent.progress.gap <= target)
            return 1;
        descent_survey(&dcd->descent);
    }
    dcd->trust = fmin(fmax(estimated_gap(dcd) / estimate, 0.1), 10);
    dcd->next_look = 2 * dcd->descent.progress.row_visits;
    return 0;
}

static int solved(struct dcd *dcd)
{
    return (dcd->descent.task->parameters->eps <= 0 || eps_rule(dcd)) &&
           (dcd->descent.task->parameters->gap <= 0 || gap_rule(dcd));
}

/* Whether the steps have come down to rounding errors. These make each z_i uncertain by some
 * 2^-53 |w| |x_i|, and chasing that wins (2^-53 |w|)^2 a row: 1e-32 of the objective, a thousand
 * times more for good measure, and that twice. */
static int stalled(struct dcd *dcd)
{
    if (dcd->descent.pass.decrease > 1e-29 * dcd->descent.open * fabs(dcd->descent.dual))
        dcd->still = 0;
    else if (dcd->descent.pass.full && dcd->still++ > 0)
        return 1;
    else
        descent_reopen(&dcd->descent);
    return 0;
}

/* ---- Handing over ------------------------------------------------------ */

/* How many times too far off the rules are, by what the last pass found. */
static double distance(const struct dcd *dcd)
{
    const struct hinge_parameters *parameters = dcd->descent.task->parameters;
    const struct pass *pass = &dcd->descent.pass;
    double distance = 0;

    if (parameters->gap > 0)
        distance = estimated_gap(dcd) / parameters->gap;
    if (parameters->eps > 0)
        distance = fmax(distance, fmax(pass->largest, -pass->smallest) / parameters->eps);
    return distance;
}

/* What the last pass cost, in the unit of engine_price. */
static double pass_price(const struct dcd *dcd)
{
    const double mean = (double)dcd->descent.nonzeros / (double)dcd->descent.open;

    return dcd->descent.pass.visits * (3 * mean + 40);
}

/* Whether steps on faces come before the engines: with many features an engine's step costs
 * hundreds of passes, and most of them serve to find out which rows are free. */
static int by_faces(const struct dcd *dcd)
{
    return !dcd->face && !normal_by_features(dcd->descent.task->problem);
}

/* What going on by other means costs from the present dual point on: by steps on faces, where those
 * are to be tried first, or by an engine. The rule of -e is about every row; with the L1-loss that
 * takes about twice as many steps. */
static double price_of_engine(const struct dcd *dcd, double logarithm)
{
    const int on_faces = by_faces(dcd), bounded = dcd->descent.task->loss == LOSS_L1;
    const double times = bounded && dcd->descent.task->parameters->eps > 0 ? 2 : 1;
    const uint32_t rows = dcd->descent.task->problem->rows;
    uint32_t support = 0;
    uint64_t nonzeros = 0;

    for (uint32_t i = 0; i < rows; i++) { /* which rows count is as good as random: no branch */
        const struct row *row = &dcd->descent.rows[i];
        const unsigned bound = on_faces && bounded && row->alpha == row->limit;
        const unsigned counts = row->alpha > 0 && !bound;

        support += counts;
        nonzeros += counts * (uint64_t)row->length;
    }
    return on_faces ? times * face_price(dcd->descent.task->problem, logarithm, support,
                                         (double)nonzeros)
                    : engine_price(dcd->descent.task, logarithm, support, (double)nonzeros);
}

/* Whether an engine was needed for this problem at another C. */
static int engine_is_kept(const struct dcd *dcd)
{
    return dcd->descent.task->kept && *dcd->descent.task->kept;
}

/* Whether going over early costs nothing but what is left: engines, unlike steps on faces, gain
 * little by the passes before; and the gap falls evenly from the start, as the one largest
 * violation of the rule of -e does not. */
static int may_go_early(const struct dcd *dcd)
{
    return !by_faces(dcd) && dcd->descent.task->parameters->eps <= 0;
}

/* How many passes are to come. The logarithm of the distance has fallen at some rate since about
 * half of the passes ago. That it goes on so is too good for coordinate descent; the rate falling
 * as the root of the passes is nearer to the truth. Where waiting pays it is flattered. */
static double expected_passes(const struct dcd *dcd, double now)
{
    const double passes = (double)dcd->descent.progress.passes;
    const double fall = (dcd->older.distance - now) / (passes - (double)dcd->older.pass);
    const double steady = fall > 0 ? now / fall : HUGE_VAL;

    return may_go_early(dcd) ? steady + steady * steady / (4 * passes) : steady;
}

/* Whether something else would take less from here than coordinate descent. The first passes tell
 * least: until a fifth of the other's price is spent, they have to tell it the more clearly the
 * less has been spent, or are not asked. */
static int engine_is_cheaper(struct dcd *dcd)
{
    const struct mark now = {dcd->descent.progress.passes, log(fmax(distance(dcd), 1)), dcd->spent};
    double doubt, price;

    if (dcd->next_mark <= now.pass) { /* 1, 2, 4, 8, ... */
        dcd->older = dcd->mark.pass > 0 ? dcd->mark : now;
        dcd->mark = now;
        dcd->next_mark = 2 * now.pass;
        dcd->engine_price = price_of_engine(dcd, now.distance);
    }
    doubt = engine_is_kept(dcd) ? 0 : 0.2 * dcd->engine_price / dcd->spent;
    if (now.pass < 3 || (doubt > 1 && !may_go_early(dcd)))
        return 0;
    price = (now.spent - dcd->older.spent) / (double)(now.pass - dcd->older.pass);
    dcd->descent.progress.expected = expected_passes(dcd, now.distance);
    return now.distance > 0 &&
           dcd->descent.progress.expected * price > dcd->engine_price * fmax(doubt, 1);
}

/* ---- Steps on faces ---------------------------------------------------- */

/* From now on there is a step on the face that the passes have reached whenever these have cost a
 * fifth of the last. 0 if there is no memory for it. */
static int begin_steps(struct dcd *dcd)
{
    struct hinge_error error;

    dcd->limit = 4 * dcd->engine_price;
    dcd->face = face_new(dcd->descent.task->problem, dcd->descent.task->loss, &error);
    return dcd->face != NULL;
}

static int step_is_due(const struct dcd *dcd)
{
    enum { FEWEST = 3 };

    return dcd->face && dcd->descent.progress.passes >= dcd->last_step + FEWEST &&
           dcd->passed >= 0.2 * dcd->step_price;
}

static void step_on_face(struct dcd *dcd)
{
    const double before = face_spent(dcd->face);
    double decrease;

    descent_copy_alpha(&dcd->descent);
    decrease = face_step(dcd->face, dcd->descent.alpha, dcd->descent.w);
    descent_take_alpha(&dcd->descent);
    if (decrease == 0)
        dcd->limit = 0;
    dcd->descent.dual -= decrease;
    dcd->step_price = face_spent(dcd->face) - before;
    dcd->passed = 0;
    dcd->last_step = ++dcd->descent.progress.passes;
    dcd->descent.progress.steps++;
    dcd->descent.progress.engine = "pnewton";
    dcd->descent.progress.measured = dcd->descent.certified = 0;
    descent_reopen(&dcd->descent);
}

/* Lets the engines go on from here, one after the other, in the memory that passes needed. 1 if one
 * of them came to an end; if none could, coordinate descent goes on from the best dual point, or
 * stands there if it does not get its memory back. */
static int hand_over(struct dcd *dcd, enum hinge_outcome *outcome)
{
    struct engine_run run = {
        .task = dcd->descent.task, .w = dcd->descent.w, .alpha = dcd->descent.alpha};
    struct hinge_error error;
    int ended;

    face_free(dcd->face);
    dcd->face = NULL;
    descent_certify(&dcd->descent);
    descent_pause(&dcd->descent);
    run.progress = dcd->descent.progress;
    ended = engines_run(&run, outcome);
    dcd->descent.progress = run.progress;
    dcd->handed_over = 1;
    if (ended) {
        dcd->descent.certified = 1;
        return 1;
    }
    if (descent_resume(&dcd->descent, &error)) {
        *outcome = HINGE_STALLED;
        return 1;
    }
    if (run.broke_down)
        dcd->last_pass = 10 * dcd->descent.progress.passes + 1000;
    return 0;
}

/* Whether an engine is to begin, without any passes: where it starts at a part of the rows it gains
 * little from them. Who allows only few passes wants these, not as many of its steps. */
static int engine_comes_first(const struct dcd *dcd)
{
    const uint64_t most = dcd->descent.task->parameters->max_passes;
    enum { FEW = 100 };

    return !dcd->handed_over && (most == 0 || most > FEW) &&
           newton_comes_first(dcd->descent.task) && descent_is_at_zero(&dcd->descent);
}

/* Whether it is time for something else than passes and, once there are any, steps on faces. */
static int passes_are_dear(struct dcd *dcd)
{
    const double price = pass_price(dcd);

    if (stalled(dcd))
        return 1;
    dcd->passed += price;
    dcd->spent += price;
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
    const uint64_t max_passes = dcd->descent.task->parameters->max_passes;
    enum hinge_outcome outcome;

    dcd->next_look = 4 * (uint64_t)dcd->descent.open;
    for (;;) {
        enum hinge_answer answer = monitor_ask(dcd->descent.task->monitor, &dcd->descent.progress,
                                               descent_measure, &dcd->descent);

        if (answer != HINGE_GO_ON)
            return outcome_of(answer);
        if (max_passes > 0 && dcd->descent.progress.passes == max_passes)
            return HINGE_PASS_LIMIT;
        if (step_is_due(dcd)) {
            step_on_face(dcd);
            continue;
        }
        descent_pass(&dcd->descent);
        if (solved(dcd))
            return HINGE_TOLERANCE_MET;
        if (!dcd->handed_over && passes_are_dear(dcd) && go_over(dcd, &outcome))
            return outcome;
        if (dcd->handed_over && (stalled(dcd) || dcd->descent.progress.passes == dcd->last_pass))
            return HINGE_STALLED;
    }
}

/* All of it but the last measurement. */
static enum hinge_status run(struct dcd *dcd, enum hinge_outcome *outcome,
                             struct hinge_error *error)
{
    if (engine_comes_first(dcd) && hand_over(dcd, outcome))
        return HINGE_OK;
    if (!dcd->descent.rows && descent_resume(&dcd->descent, error))
        return failure(error);
    *outcome = iterate(dcd);
    return HINGE_OK;
}

enum hinge_status dcd_solve(const struct solver_task *task, double *w, struct hinge_result *result,
                            struct hinge_error *error)
{
    enum hinge_status status;
    enum hinge_outcome outcome;
    struct stopwatch watch;
    struct dcd dcd;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    status = dcd_new(&dcd, task, w, error);
    if (status == HINGE_OK)
        status = run(&dcd, &outcome, error);
    if (status == HINGE_OK) {
        if (!dcd.descent.certified)
            descent_certify(&dcd.descent);
        result_close(result, task, &dcd.descent.progress, outcome, dcd.descent.alpha);
    }
    dcd_free(&dcd);
    result->seconds = stopwatch_processor(&watch);
    return status;
}
