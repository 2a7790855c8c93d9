/* train_report.c - "optimization finished, #iter = N" and the other lines that scripts parse. */
#include "cli/monitors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ranks.h"
#include "cli/advice.h"
#include "cli/emit.h"
#include "cli/report.h"
#include "data/matrix.h"
#include "model/model.h"
#include "solver/loop/solver.h"

double report_gap(double gap)
{
    double shown = -HUGE_VAL;
    char text[32];

    /* "%.3g" rounds down by half a unit of the last digit at most, 0.005 of the gap */
    for (int k = 0; k <= 10 && !(shown >= gap); k++) {
        snprintf(text, sizeof text, "%.3g", gap * (1 + k * 0.0005));
        shown = strtod(text, NULL);
    }
    return shown;
}

static const char *describe(enum hinge_outcome outcome)
{
    static const char *const words[] = {
        [HINGE_CERTIFIED] = "certified",
        [HINGE_TOLERANCE_MET] = "not certified: stopped by the rule of -e; the bound may be loose",
        [HINGE_PASS_LIMIT] = "not certified: stopped by the limit of passes",
        [HINGE_TIME_LIMIT] = "not certified: stopped by the limit of time",
        [HINGE_INTERRUPTED] = "not certified: interrupted",
        [HINGE_STALLED] = "not certified: no method lowers the gap any further",
        [HINGE_FINISHED] = "finished",
        [HINGE_NOT_BEGUN] = "not begun"};

    return words[outcome];
}

enum { PROBLEM = NAMES_LABEL + 80 }; /* room for the name of a problem */

/* Names one of several problems, "class 2 of 3 (label 7)", by the word of its label if it has one.
 */
static void name_problem(char text[PROBLEM], const struct names *names, size_t problem,
                         size_t problems, double label)
{
    char name[NAMES_LABEL];

    names_print_label(names, label, name);
    snprintf(text, PROBLEM, "class %lu of %lu (%s%s)", (unsigned long)problem + 1,
             (unsigned long)problems, names_of_label(names, label) ? "" : "label ", name);
}

/* "Objective value" is the dual value, as in LIBLINEAR, or the primal value if the regulariser is
 * |w|_1 or there is no dual point. The method is "dcd (5 passes) + newton (7 steps)", "smo (5
 * steps) + pnewton (7 steps)", or one half of it. */
void emit_problem(struct emitter *emitter, const struct settings *settings, size_t problem,
                  size_t problems, double label, const struct hinge_result *result, size_t width,
                  const double *rho)
{
    const struct hinge_solver *solver = hinge_solver_find(settings->parameters.solver);
    const int has_dual = solver->kind == HINGE_DUAL;
    const uint64_t passes = result->passes - result->steps;
    const int descended = passes > 0 || (solver->descends && !result->method);
    char name[PROBLEM], target[40] = "";

    emit_begin(emitter, NULL, '{');
    if (problems > 1) {
        name_problem(name, &settings->names, problem, problems, label);
        emit_label(emitter, &settings->names, "label", "word", label);
        emit_text(emitter, "\n%s against the rest", name);
    }
    if (result->outcome == HINGE_CERTIFIED)
        snprintf(target, sizeof target, " <= %g", certified_gap(&settings->parameters));
    emit_string(emitter, "outcome", hinge_outcome_name(result->outcome));
    emit_number(emitter, "iterations", (double)result->passes,
                "\noptimization finished, #iter = %llu\nObjective value = %f\n",
                (unsigned long long)result->passes,
                has_dual && solver->l1 != 2 ? result->dual : result->primal);
    if (!has_dual || solver->l1)
        emit_text(emitter, "#nonzeros/#features = %llu/%llu\n",
                  (unsigned long long)result->nonzeros, (unsigned long long)width);
    if (has_dual)
        emit_text(emitter, "nSV = %llu\n", (unsigned long long)result->support_vectors);
    if (rho)
        emit_text(emitter, "rho = %f\n", *rho);
    emit_number(emitter, "primal", result->primal, has_dual ? "Primal value = %f\n" : NULL,
                result->primal);
    emit_number(emitter, "dual", result->dual, NULL);
    emit_number(emitter, "relative_gap", result->relative_gap,
                has_dual ? "Relative duality gap = %.3g (%s%s)\n" : NULL,
                report_gap(result->relative_gap), describe(result->outcome), target);
    if (!has_dual)
        emit_text(emitter,
                  "Relative duality gap = unknown (a stochastic solver has no certificate)\n");
    emit_number(emitter, "nonzeros", (double)result->nonzeros, NULL);
    emit_number(emitter, "support_vectors", (double)result->support_vectors, NULL);
    emit_end(emitter, '}');
    if (emitter->json || !has_dual)
        return;
    fputs("Method = ", emitter->stream);
    if (descended) {
        fputs(solver->pairs ? "smo (" : "dcd (", emitter->stream);
        report_count(emitter->stream, passes, solver->pairs ? "step" : "pass", ")");
    }
    if (result->method && (result->steps > 0 || !descended)) {
        fprintf(emitter->stream, "%s%s (", descended ? " + " : "", result->method);
        report_count(emitter->stream, result->steps, "step", ")");
    }
    putc('\n', emitter->stream);
}

/* Counts the problems that were never begun. They are not listed, because a million are possible.
 */
static size_t count_not_begun(const struct hinge_model *model)
{
    size_t count = 0;

    for (size_t c = 0; c < model->problems; c++)
        count += model->result[c].outcome == HINGE_NOT_BEGUN;
    return count;
}

/* Emits the results of all problems, and to text the sigmoids. The text of several problems is
 * there already, because it is printed while others are trained. */
static void emit_problems(struct emitter *emitter, const struct settings *settings,
                          const struct hinge_model *model)
{
    const size_t width = (size_t)model->features + (model->bias >= 0);
    const size_t not_begun = count_not_begun(model);
    const double rho = model->one_class ? 0 - model->weight[model->features] : 0;

    emit_begin(emitter, "problems", '[');
    for (size_t c = 0; c < model->problems && (emitter->json || model->problems == 1); c++)
        emit_problem(emitter, settings, c, model->problems,
                     model->problems > 1 ? model->label[c] : NAN, &model->result[c], width,
                     model->one_class ? &rho : NULL);
    emit_end(emitter, ']');
    if (model->problems > 1 && model->sigmoid)
        emit_text(emitter, "\n");
    for (size_t m = 0; model->sigmoid && m < model->columns; m++) {
        char name[PROBLEM] = "";

        if (model->columns > 1)
            name_problem(name, &settings->names, m, model->columns, model->label[m]);
        emit_text(emitter, "Probability = 1/(1 + exp(A f + B)), A = %g, B = %g%s%s\n",
                  model->sigmoid[2 * m], model->sigmoid[2 * m + 1], *name ? ", " : "", name);
    }
    if (not_begun)
        emit_text(emitter, "\n%lu of %lu classes: not begun\n", (unsigned long)not_begun,
                  (unsigned long)model->problems);
    emit_text(emitter, "\n");
}

void report_warnings(const char *program, const struct hinge_model *model,
                     const struct names *names, double target, int quiet)
{
    static const double LEAST = 1e-12; /* a smaller target is the cause of a stall */
    const size_t not_begun = count_not_begun(model);
    const struct hinge_solver *solver = model->solver;
    /* this method comes before the second-order method, and again if the latter fails */
    const char *first = solver->pairs                     ? "smo"
                        : solver->joint || solver->l1 > 1 ? "the first method"
                                                          : "coordinate descent";

    for (size_t c = 0; c < model->problems; c++) {
        const struct hinge_result *result = &model->result[c];
        const char *advice = "";
        char name[PROBLEM] = "";

        if (quiet && result->outcome != HINGE_STALLED) /* the options asked for other ends */
            continue;
        if (model->problems > 1)
            name_problem(name, names, c, model->problems, model->label[c]);
        if (result->fallback)
            report_say(program, "warning: %s%s%s; %s %s", name, *name ? ": " : "", result->fallback,
                       first,
                       result->outcome == HINGE_STALLED ? "makes no progress either" : "continued");
        if (result->outcome == HINGE_CERTIFIED || result->outcome == HINGE_TOLERANCE_MET ||
            result->outcome == HINGE_FINISHED || result->outcome == HINGE_NOT_BEGUN)
            continue;
        /* only the bounds of rounding errors keep the gap above the target */
        if (result->outcome == HINGE_STALLED && result->relative_gap - result->rounding <= target)
            advice = target < LEAST
                         ? "; rounding errors alone exceed the target: take a larger -g"
                         : "; rounding errors alone exceed the target: scaling the data would help";
        if (solver->kind == HINGE_DUAL)
            report_say(program, "warning: %s%srelative duality gap %.3g is above %g (%s)%s", name,
                       *name ? ": " : "", report_gap(result->relative_gap), target,
                       describe(result->outcome), advice);
        else
            report_say(program, "warning: %s%sended after %llu steps (%s)", name, *name ? ": " : "",
                       (unsigned long long)result->passes, describe(result->outcome));
    }
    if (not_begun && !quiet)
        report_say(program, "warning: %lu of %lu classes: not begun", (unsigned long)not_begun,
                   (unsigned long)model->problems);
    if (model->uncalibrated && !quiet)
        report_say(program, "warning: -b 1 was stopped: the model has no probabilities");
}

/* Emits the parameters that the solver has. Text has nu and epsilon first, because they tell that
 * the problem is a one-class SVM or a regression. */
static void emit_parameters(struct emitter *emitter, const struct hinge_model *model)
{
    enum { OF_KIND = 2, COUNT = 5 };
    static const char *const parameters[COUNT][2] = {{"C", "C = %g, "},
                                                     {"lambda", "lambda = %g\n"},
                                                     {"nu", "one class, nu = %g\n"},
                                                     {"epsilon", "regression, p = %g\n"},
                                                     {"l1", NULL}};

    for (size_t k = 0; k < COUNT; k++) {
        const char *const *parameter = parameters[emitter->json ? k : (k + OF_KIND) % COUNT];
        const double value = hinge_model_value(model, parameter[0], 0);

        if (!isnan(value))
            emit_number(emitter, parameter[0], value, parameter[1], value);
    }
}

void report_reads(const struct hinge_dataset *data)
{
    if (hinge_dataset_is_paged(data))
        printf("data read %.1f times\n", hinge_dataset_reads(data));
}

void report_training(const struct settings *settings, const struct hinge_team *team,
                     const struct hinge_dataset *data, const struct hinge_model *model,
                     const double *seconds)
{
    static const char *const parts[] = {"read", "train", "write"};
    const int is_member = settings->folds > 0; /* the object has begun with the scores of folds */
    struct emitter emitter = {
        .stream = stdout, .json = settings->json, .follows = is_member, .depth = is_member};
    double rounds = 0, sent = 0;
    int is_certified = 1;

    if (settings->json ? settings->silent : settings->quiet || settings->metrics == METRICS_JSON)
        return;
    for (size_t c = 0; c < model->problems; c++) {
        is_certified &= model->result[c].outcome == HINGE_CERTIFIED;
        rounds += (double)model->result[c].rounds;
        sent += (double)model->result[c].sent;
    }
    emit_begin(&emitter, is_member ? "training" : NULL, '{');
    emit_string(&emitter, "solver", model->solver->name);
    if (emitter.json) /* JSON has the problems last, text first; scripts rely on both orders */
        emit_parameters(&emitter, model);
    else
        emit_problems(&emitter, settings, model);
    emit_count(&emitter, "rows", data->x.rows, "row", ", ");
    emit_count(&emitter, "features", data->features, "feature", ", ");
    emit_count(&emitter, "nonzeros", data->x.nonzeros - data->zeros, "non-zero", ", ");
    emit_count(&emitter, "classes", model->classes,
               model->classes > 0 && !model->one_class ? "class" : NULL, "\n");
    emit_raw(&emitter, "certified", is_certified ? "true" : "false");
    if (emitter.json)
        emit_problems(&emitter, settings, model);
    else
        emit_parameters(&emitter, model);
    emit_begin(&emitter, "seconds", '{');
    for (size_t k = 0; k < 3; k++)
        emit_number(&emitter, parts[k], seconds[k], "%s %.3f s%s", parts[k], seconds[k],
                    k < 2 ? ", " : "\n");
    emit_end(&emitter, '}');
    emit_string(&emitter, "model", settings->model);
    emit_end(&emitter, '}');
    if (is_member)
        emit_end(&emitter, '}');
    if (emitter.json)
        return;
    if (ranks_count(team) > 1) {
        report_count(stdout, ranks_count(team), "rank", ", ");
        report_count(stdout, (uint64_t)rounds, "round", ", ");
        printf("%.3g MB sent by rank 0\n", sent / 1e6);
    }
    advise_predicting(settings, model);
    report_reads(data);
}
