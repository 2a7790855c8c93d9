/* policy.c - passes -> steps on the free rows -> Newton -> interior point -> passes.
 *
 * Passes of coordinate descent begin, or with a free bias the pair steps of SMO. Another method
 * takes over when it is predicted to end sooner, or when passes make no further progress. If there
 * are as many features as rows, a step of Newton's method costs hundreds of passes, and most of its
 * steps find out which rows are free. Therefore Newton steps on the free rows alternate with passes
 * first. A method that cannot continue, because of rounding or memory, hands over to the next one.
 * All methods share w and alpha.
 *
 * Proximal Newton steps of solvers 5 and 6 are slow if almost no row has a loss and rows or
 * features are nearly dependent. The interior-point method is not slow then. It takes over when the
 * steps have cost as much as it would, so both together cost at most twice the cheaper one.
 * (grants, one-hot columns, C = 64 and 4096: certified in 0.4 to 0.5 s with it; gaps of 0.75 to 1
 * without it.)
 *
 * With many features, a solver whose own method is Newton's for a smooth loss begins with passes:
 * they find w to a few percent for the price of one or two steps.
 */
#include "solver/loop/loop.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "data/pages.h"
#include "solver/linear/class_system.h"
#include "solver/linear/cost.h"
#include "solver/linear/primal_system.h"
#include "solver/linear/qr.h"
#include "solver/passes/multiplier.h"

/* A relative gap near its rounding errors, which no other method would lower further. */
static const double PRECISION = 1e-9;

static const char *const NO_MEMORY = "no memory for a second-order method";

static const struct method *first_method_of(const struct solver *solver)
{
    static const struct method *const methods[] = {[METHOD_COORDINATE_DESCENT] =
                                                       &coordinate_descent,
                                                   [METHOD_SEQUENTIAL_DUAL] = &sequential_dual,
                                                   [METHOD_SMO] = &smo,
                                                   [METHOD_NEWTON] = &newton,
                                                   [METHOD_INTERIOR_POINT] = &interior_point,
                                                   [METHOD_PROXIMAL_NEWTON] = &proximal_newton,
                                                   [METHOD_SOFTMAX] = &class_newton,
                                                   [METHOD_SGD] = &sgd,
                                                   [METHOD_PROXIMAL] = &proximal};

    return methods[solver->method];
}

/* True if the solver's Newton steps for the hinge need passes before them. Without passes, D stays
 * at 0 on badly scaled data with too many features for least squares problems. */
static int needs_passes(const struct training *training)
{
    const struct problem *problem = training->problem;

    return training->task->solver->method == METHOD_NEWTON && loss_is_linear(problem->loss) &&
           !loss_has_targets(problem->loss) && problem->total == 0 && !qr_is_needed(problem) &&
           is_badly_scaled(problem);
}

/* Returns the passes of a solver; NULL if it has second-order methods alone. */
static const struct method *passes_of(const struct training *training)
{
    const struct solver *solver = training->task->solver;

    if (solver->method != METHOD_NEWTON)
        return first_method_of(solver);
    return solver->info.descends || needs_passes(training) ? &coordinate_descent : NULL;
}

static const struct method *method_of(enum phase phase, const struct training *training)
{
    const struct problem *problem = training->problem;

    if (phase == PHASE_INTERIOR)
        return &interior_point;
    if (problem->l1 > 0)
        return &elastic_net;
    return problem->classes > 0 ? &class_newton : &newton;
}

/* ---- The methods at work ------------------------------------------------- */

struct worker *run_worker(struct run *run, const struct method *method)
{
    for (int k = 0; k < 2; k++)
        if (run->worker[k].method == method)
            return &run->worker[k];
    return NULL;
}

/* Allocates a method's memory and begins the method. HINGE_NO_MEMORY leaves the point unchanged.
 * Newton's method starts at the best w so far, or, if that pays, at the solution for a part of the
 * rows. */
static enum hinge_status begin(struct policy *policy, struct run *run, const struct method *method,
                               struct hinge_error *error)
{
    struct training *training = &run->training;
    struct worker *worker = run_worker(run, NULL);
    const double *start = training->start;
    struct arena arena = {NULL, 0, 0};
    int has_room;

    if (method == &newton && training->best.w && training->best.primal < training->point.primal)
        training->start = training->best.w;
    if (method == &newton && !training->start && !policy->start)
        training->start = policy->start = subsample_solve(training, &training->mu);
    worker->block = NULL;
    worker->size = 0;
    if ((worker->state = array_new(1, method->size, error))) {
        method->lay_out(worker->state, &arena, training);
        worker->block =
            workspace_take_block(training->task->workspace, &arena, &worker->size, error);
    }
    has_room = team_agrees(training->problem->team, worker->block != NULL, error);
    if (has_room)
        method->lay_out(worker->state, &arena, training);
    if (!has_room || method->begin(worker->state, training, error)) {
        workspace_give_block(training->task->workspace, worker->block, worker->size);
        free(worker->state);
        training->start = start; /* the next method continues from the dual point */
        return failure(error);
    }
    worker->method = method;
    worker->is_new = 1;
    if (method->name && !training->progress.fallback) /* after a failure, the failed one is named */
        training->progress.method = *method->name                                  ? method->name
                                    : loss_is_smooth(training->task->solver->loss) ? "newton"
                                                                                   : "pnewton";
    return HINGE_OK;
}

void run_certify(struct run *run, const struct method *method)
{
    struct training *training = &run->training;
    const struct worker *worker = run_worker(run, method);

    if (!method->measure || !worker)
        training_certify(training, NULL);
    else if (!training->progress.measured)
        method->measure(worker->state);
    if (training->multiplier)
        multiplier_end(training);
}

void run_end_methods(struct run *run)
{
    struct point *point = &run->training.point;

    for (int k = 0; k < 2; k++) {
        struct worker *worker = &run->worker[k];

        if (!worker->method)
            continue;
        if (worker->method->end)
            worker->method->end(worker->state);
        workspace_give_block(run->training.task->workspace, worker->block, worker->size);
        free(worker->state);
        worker->method = NULL;
    }
    if (point->v != run->v) { /* v was in the block of a method */
        point->v = NULL;
        point->is_formed = 0;
        point->sums = SUMS_UPDATED;
    }
}

/* ---- Changing the method ------------------------------------------------ */

/* True if rows are read from a file and there are many features. Second-order methods have no
 * factor over such rows, because it would read each of them many times. Passes end sooner. */
static int is_wide_file(const struct training *training)
{
    return problem_is_paged(training->problem) && !primal_over_features(training->problem);
}

/* Returns the phase after one whose method cannot continue. */
static enum phase phase_after(enum phase phase, const struct training *training)
{
    if (phase == PHASE_FREE_ROWS)
        return PHASE_NEWTON;
    if (phase == PHASE_NEWTON && !loss_is_smooth(training->problem->loss) &&
        training->problem->classes == 0 && training->problem->l1 == 0 && !is_wide_file(training))
        return PHASE_INTERIOR;
    return PHASE_LAST_PASSES;
}

static void end_methods(struct run *run)
{
    struct last_point *last = run->training.task->last;

    run_end_methods(run);
    if (last)
        last->C = 0; /* its sums belong to the point of a method that has ended */
}

/* Enters a phase, or the first phase after it that can begin. Returns the method that steps first;
 * NULL: none. */
static const struct method *enter(struct policy *policy, struct run *run, enum phase phase,
                                  struct hinge_error *error)
{
    struct training *training = &run->training;
    const struct method *passes = passes_of(training);

    if (phase == PHASE_FREE_ROWS) { /* the passes go on */
        if (begin(policy, run, &dual_newton, error) == HINGE_OK) {
            policy->phase = phase;
            policy->limit = 4 * policy->price; /* at a higher cost, the prediction was wrong */
            policy->spent = training->spent;
            return &dual_newton;
        }
        phase = phase_after(phase, training);
    }
    if (policy->phase == PHASE_PASSES || policy->phase == PHASE_FREE_ROWS)
        run_certify(run, passes);
    if (policy->phase == PHASE_PASSES)
        training->progress.steps = 0; /* counts steps of the named method, not pair steps of SMO */
    end_methods(run);
    for (policy->phase = phase; policy->phase != PHASE_LAST_PASSES;
         policy->phase = phase_after(policy->phase, training)) {
        const struct method *method = method_of(policy->phase, training);

        if (begin(policy, run, method, error) == HINGE_OK)
            return method;
        policy->failure = NO_MEMORY;
    }
    if (!passes)
        return NULL;
    training->progress.fallback = policy->failure;
    if (training->problem->only_l1)
        training->start = training->point.w;
    return begin(policy, run, passes, error) ? NULL : passes;
}

/* Returns the method that follows a stalled second-order method; NULL: none. */
static const struct method *take_over(struct policy *policy, struct run *run,
                                      struct hinge_error *error)
{
    struct training *training = &run->training;
    struct hinge_progress *progress = &training->progress;
    const enum phase next = phase_after(policy->phase, training);
    const int is_last = next == PHASE_LAST_PASSES, has_passes = passes_of(training) != NULL;

    if (!progress->measured)
        training_measure(training);
    training_keep_best(training); /* with its measured P */
    if ((is_last && !has_passes) ||
        ((is_last || !has_passes) && progress->relative_gap <= PRECISION))
        return NULL;
    if (is_last) /* on badly scaled data, passes may lose the digits of w and D */
        training_keep_best_dual(training);
    policy->failure = training->no_memory ? NO_MEMORY : "a second-order method stalled";
    if (!training->no_memory)
        policy->last_pass = 10 * progress->passes + 1000;
    return enter(policy, run, next, error);
}

/* ---- When to change ------------------------------------------------------ */

/* Finds the phase that passes hand over to, and its price. With many more rows than features, a
 * step of Newton's method costs no more than some passes, and finds the free rows by itself. Steps
 * on the free rows may alternate with passes: with coordinate descent only, without classes, and
 * with a quadratic dual. */
static void find_next(struct policy *policy, const struct training *training)
{
    const struct problem *problem = training->problem;

    policy->next = PHASE_NEWTON;
    policy->price = method_of(PHASE_NEWTON, training)->price(training);
    if (!primal_over_features(problem) && !problem_is_paged(problem) &&
        !training->task->solver->info.pairs && !loss_is_curved(problem->loss) &&
        problem->classes == 0 && problem->l1 == 0) {
        const double price = dual_newton.price(training);

        if (price <= policy->price) {
            policy->next = PHASE_FREE_ROWS;
            policy->price = price;
        }
    }
}

/* True if Newton's method comes before any pass. Newton's method gains little from passes if it
 * starts at a part of the rows or is cheap, and it reads rows in a file less often. A low limit of
 * passes asks for passes. Newton's method can start at given weights. Passes start at a dual point,
 * which weights do not determine. With many features, Newton's steps are expensive except with a
 * curved loss, where they are few. On badly scaled data, passes win nothing. */
static int newton_comes_first(const struct training *training)
{
    enum { FEW = 100, PASSES = 8 };
    const struct problem *problem = training->problem;
    const double length = problem_nonzeros(problem) / fmax(training->rows, 1);
    int pays;

    if (problem->l1 > 0)
        return 0;
    if (qr_is_needed(problem))
        return 1;
    if (training->start && problem->classes > 0)
        return class_system_order(problem) > 0;
    if (training->start)
        return primal_over_features(problem) || loss_is_curved(problem->loss);
    if (passes_of(training) != &coordinate_descent || training->most_passes <= FEW)
        return 0;
    /* With rows in a file and many features, Newton's method pays if its vectors have room and it
     * starts at a part of the rows. With few features and a curved loss, whose visits are
     * expensive, it pays if it costs less in total than PASSES passes. */
    if (is_wide_file(training))
        pays = !pages_are_short(problem->data->x.pages) && subsample_pays(training);
    else
        pays = problem_is_paged(problem) || subsample_pays(training) ||
               (loss_is_curved(problem->loss) && primal_over_features(problem) &&
                newton.price(training) < PASSES * cost_of_visits(training->rows, length, 1));
    for (uint32_t i = 0; pays && i < training->rows; i++)
        pays = training->point.alpha[i] == 0;
    return pays;
}

/* Begins the first method. If no passes come first, the solver's own method takes all steps, but
 * another method follows if Newton's method for two classes or for regression stalls, without an l1
 * term. The interior-point method may take over from proximal Newton steps, except under
 * LIBLINEAR's rule for them, which it cannot check. */
static const struct method *begin_first(struct policy *policy, struct run *run,
                                        struct hinge_error *error)
{
    const struct training *training = &run->training;
    const struct problem *problem = training->problem;
    const struct solver *solver = training->task->solver;
    const int is_newton = solver->method == METHOD_NEWTON;
    const struct method *method = first_method_of(solver);

    if (training->parameters->single_method || problem->team) {
        policy->phase = PHASE_ALONE;
    } else if ((solver->info.descends || needs_passes(training)) &&
               !(is_newton && (training->start || primal_over_features(problem)))) {
        if (newton_comes_first(training))
            return enter(policy, run, PHASE_NEWTON, error);
        policy->phase = PHASE_PASSES;
        method = passes_of(training);
    } else if (problem->only_l1 && primal_has_factor(problem) && training->parameters->eps <= 0) {
        policy->phase = PHASE_PROXIMAL;
    } else {
        policy->phase =
            is_newton && problem->total == 0 && problem->classes == 0 && problem->l1 == 0
                ? PHASE_NEWTON
                : PHASE_ALONE;
    }
    if (problem->team) /* passes visit one row after the other */
        method = &newton;
    else if (method == &proximal && problem->l1 == 0)
        method = &sgd; /* takes the same steps */
    return begin(policy, run, method, error) ? NULL : method;
}

/* Begins again at w = 0 without LIBLINEAR's rule. The training then ends at a certified gap.
 * Returns NULL if the training is certified already. Under the rule, proximal Newton steps have
 * neither centres nor smoothing, and may stall far from the minimum. (1,500 rows of counts with
 * -s 5 at C = 1e5: P = 64,853 with the rule, 17.02 without.) */
static const struct method *begin_without_rule(struct policy *policy, struct run *run,
                                               struct hinge_error *error)
{
    struct training *training = &run->training;
    const double gap = certified_gap(training->parameters);

    if (!training->progress.measured)
        training_measure(training);
    if (training->progress.relative_gap <= gap)
        return NULL;
    policy->without_rule = *training->parameters;
    policy->without_rule.eps = 0;
    policy->without_rule.relative_gap = gap;
    training->parameters = &policy->without_rule;
    training->start = NULL;
    training->spent = 0;
    end_methods(run);
    return begin_first(policy, run, error);
}

/* True if another method is predicted to finish sooner than passes. An early prediction, before a
 * fifth of that method's price is spent, is unreliable. It counts only for Newton's method, which
 * gains little by more passes, and only under a rule whose measure falls steadily from the start:
 * the gap or a regression's mean violation, not the largest violation. It does not count for joint
 * classes, whose later passes take a tenth of the time of the first. It does not count with a
 * curved loss and many features while the gap is above MOST of P: a step of Newton's method there
 * may only halve P, and costs many passes (farm-ads takes a tenth longer with MOST = 0.5). Pair
 * steps, whose gap falls irregularly, may cost as much as the method that takes over. So may passes
 * with classes and many features: Newton's method has no factor there, and takes three times as
 * many steps if it begins too early. */
static int change_pays(struct policy *policy, struct training *training)
{
    static const double MOST = 0.2;
    const struct problem *problem = training->problem;
    const int is_even = training->parameters->eps <= 0 || loss_has_targets(problem->loss);
    const int is_far = loss_is_curved(problem->loss) && !primal_over_features(problem) &&
                       training->distance > log(MOST / certified_gap(training->parameters));
    const int was_needed = workspace_needed_system(training->task->workspace); /* at another C */
    const int is_without_blocks = problem->classes > 0 && class_system_order(problem) == 0;
    double doubt, passes;
    int early;

    if (is_wide_file(training))
        return 0;
    if (trend_note(&policy->trend, training))
        find_next(policy, training);
    if (training->task->solver->info.pairs || is_without_blocks)
        return training->distance > 0 && training->spent > policy->price;
    early = policy->next == PHASE_NEWTON && is_even && problem->l1 == 0 && problem->classes == 0 &&
            !is_far;
    doubt = was_needed ? 1 : trend_doubt(&policy->trend, policy->price);
    if (training->progress.passes < 3 || (doubt > 1 && !early))
        return 0;
    passes = trend_passes(&policy->trend, !early);
    training->progress.expected = passes;
    return training->distance > 0 && trend_price(&policy->trend, passes) > doubt * policy->price;
}

/* Alternates passes and steps on the free rows. A step follows when the passes since the last step,
 * at least three, have cost PART of its price. (farm-ads, C >= 16: 1.4 times as long with PART =
 * 0.2, as long with 1; no effect on other data.) Returns NULL once the steps have cost their limit.
 */
static const struct method *pass_or_step(struct policy *policy, const struct training *training,
                                         const struct method *last)
{
    enum { FEWEST = 3 };
    static const double PART = 0.6;
    const double price = training->spent - policy->spent;

    if (last == &dual_newton) {
        policy->step_price = price;
        policy->steps_spent += price;
        policy->passes_spent = 0;
        policy->last_step = training->progress.passes;
    } else {
        policy->passes_spent += price;
        if (policy->steps_spent > policy->limit)
            return NULL;
    }
    policy->spent = training->spent;
    return training->progress.passes >= policy->last_step + FEWEST &&
                   policy->passes_spent >= PART * policy->step_price
               ? &dual_newton
               : &coordinate_descent;
}

const struct method *policy_next(struct policy *policy, struct run *run, const struct method *last,
                                 enum verdict verdict, struct hinge_error *error)
{
    struct training *training = &run->training;
    const struct method *method;
    double share;

    switch (policy->phase) {
    case PHASE_BEGIN:
        return begin_first(policy, run, error);
    case PHASE_ALONE:
        if (verdict == STALLED && training->problem->only_l1 && training->parameters->eps > 0)
            return begin_without_rule(policy, run, error);
        return verdict == STALLED ? NULL : last;
    case PHASE_PROXIMAL:
        /* a part of the price is enough if the interior-point method was needed at another C */
        share = workspace_needed_system(training->task->workspace) ? 0.125 : 1;
        return verdict == STALLED || training->spent > share * cost_of_interior_point(training)
                   ? enter(policy, run, PHASE_INTERIOR, error)
                   : last;
    case PHASE_PASSES:
        if (verdict == DONE)
            return enter(policy, run, PHASE_NEWTON, error);
        if (verdict == STALLED)
            find_next(policy, training);
        return verdict == STALLED || change_pays(policy, training)
                   ? enter(policy, run, policy->next, error)
                   : last;
    case PHASE_FREE_ROWS:
        method = verdict != GOES_ON ? NULL : pass_or_step(policy, training, last);
        return method ? method : enter(policy, run, PHASE_NEWTON, error);
    case PHASE_NEWTON:
    case PHASE_INTERIOR:
        return verdict == STALLED ? take_over(policy, run, error) : last;
    case PHASE_LAST_PASSES:
        return verdict == STALLED ||
                       (policy->last_pass > 0 ? training->progress.passes >= policy->last_pass
                                              : verdict == DONE)
                   ? NULL
                   : last;
    }
    return NULL;
}
