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

/* Prints the results of a problem. "Objective value" is the dual value, as in LIBLINEAR, or the
 * primal value if the regulariser is |w|_1 or there is no dual point. rho is that of a one-class
 * SVM, or NULL. The method is "dcd (5 passes) + newton (7 steps)", "smo (5 steps) + pnewton (7
 * steps)", or one of the two. */
static void report_result(const struct hinge_solver *solver, const struct hinge_result *result,
                          size_t width, const double *rho, double target)
{
    const int has_dual = solver->kind == HINGE_DUAL;
    const uint64_t passes = result->passes - result->steps;
    const int descended = passes > 0 || (solver->descends && !result->method);

    printf("\noptimization finished, #iter = %llu\n", (unsigned long long)result->passes);
    printf("Objective value = %f\n", has_dual && solver->l1 != 2 ? result->dual : result->primal);
    if (!has_dual || solver->l1)
        printf("#nonzeros/#features = %llu/%llu\n", (unsigned long long)result->nonzeros,
               (unsigned long long)width);
    if (!has_dual) {
        puts("Relative duality gap = unknown (a stochastic solver has no certificate)");
        return;
    }
    printf("nSV = %llu\n", (unsigned long long)result->support_vectors);
    if (rho)
        printf("rho = %f\n", *rho);
    printf("Primal value = %f\n", result->primal);
    printf("Relative duality gap = %.3g (%s", report_gap(result->relative_gap),
           describe(result->outcome));
    if (result->outcome == HINGE_CERTIFIED)
        printf(" <= %g", target);
    fputs(")\nMethod = ", stdout);
    if (descended) {
        fputs(solver->pairs ? "smo (" : "dcd (", stdout);
        report_count(stdout, passes, solver->pairs ? "step" : "pass", ")");
    }
    if (result->method && (result->steps > 0 || !descended)) {
        printf("%s%s (", descended ? " + " : "", result->method);
        report_count(stdout, result->steps, "step", ")");
    }
    putchar('\n');
}

/* Prints the number and the label or word of one of several problems. */
static void name_class(FILE *stream, size_t problem, size_t problems, const struct names *names,
                       double label)
{
    char name[NAMES_LABEL];

    names_print_label(names, label, name);
    fprintf(stream, "class %lu of %lu (%s%s)", (unsigned long)problem + 1, (unsigned long)problems,
            names_of_label(names, label) ? "" : "label ", name);
}

void report_class(const struct hinge_solver *solver, size_t problem, size_t problems,
                  const struct names *names, double label, const struct hinge_result *result,
                  size_t width, double target)
{
    putchar('\n');
    name_class(stdout, problem, problems, names, label);
    fputs(" against the rest", stdout);
    report_result(solver, result, width, NULL, target);
}

/* Counts the problems that were never begun. They are not listed: there may be a million. */
static size_t count_not_begun(const struct hinge_model *model)
{
    size_t count = 0;

    for (size_t c = 0; c < model->problems; c++)
        count += model->result[c].outcome == HINGE_NOT_BEGUN;
    return count;
}

/* Begins a warning about problem c. */
static void warn_of_class(const char *program, const struct hinge_model *model,
                          const struct names *names, size_t c)
{
    fprintf(stderr, "%s: warning: ", program);
    if (model->problems > 1) {
        name_class(stderr, c, model->problems, names, model->label[c]);
        fputs(": ", stderr);
    }
}

/* Prints the lines and the certificate of a model of one problem; for several problems, how many
 * were not begun. Prints the sigmoids in both cases. */
static void report_results(const struct hinge_model *model, const struct names *names,
                           double target)
{
    const size_t width = (size_t)model->features + (model->bias >= 0);
    const size_t not_begun = count_not_begun(model);
    const double rho = model->one_class ? 0 - model->weight[model->features] : 0;

    if (model->problems == 1)
        report_result(model->solver, model->result, width, model->one_class ? &rho : NULL, target);
    if (model->problems > 1 && model->sigmoid)
        putchar('\n');
    for (size_t m = 0; model->sigmoid && m < model->columns; m++) {
        printf("Probability = 1/(1 + exp(A f + B)), A = %g, B = %g", model->sigmoid[2 * m],
               model->sigmoid[2 * m + 1]);
        if (model->columns > 1) {
            fputs(", ", stdout);
            name_class(stdout, m, model->columns, names, model->label[m]);
        }
        putchar('\n');
    }
    if (not_begun)
        printf("\n%lu of %lu classes: not begun\n", (unsigned long)not_begun,
               (unsigned long)model->problems);
    putchar('\n');
}

void report_warnings(const char *program, const struct hinge_model *model,
                     const struct names *names, double target, int quiet)
{
    static const double LEAST = 1e-12; /* below it, it is the target that is too small */
    const size_t not_begun = count_not_begun(model);
    const struct hinge_solver *solver = model->solver;
    /* the method before the second-order method, and again if that fails */
    const char *first = solver->pairs                     ? "smo"
                        : solver->joint || solver->l1 > 1 ? "the first method"
                                                          : "coordinate descent";

    for (size_t c = 0; c < model->problems; c++) {
        const struct hinge_result *result = &model->result[c];
        const char *advice = "";

        if (quiet && result->outcome != HINGE_STALLED) /* what the options asked for is no news */
            continue;
        if (result->fallback) {
            warn_of_class(program, model, names, c);
            fprintf(stderr, "%s; %s %s\n", result->fallback, first,
                    result->outcome == HINGE_STALLED ? "makes no progress either" : "continued");
        }
        if (result->outcome == HINGE_CERTIFIED || result->outcome == HINGE_TOLERANCE_MET ||
            result->outcome == HINGE_FINISHED || result->outcome == HINGE_NOT_BEGUN)
            continue;
        warn_of_class(program, model, names, c);
        /* only the bounds of rounding errors keep the gap above the target */
        if (result->outcome == HINGE_STALLED && result->relative_gap - result->rounding <= target)
            advice = target < LEAST
                         ? "; rounding errors alone exceed the target: take a larger -g"
                         : "; rounding errors alone exceed the target: scaling the data would help";
        if (solver->kind == HINGE_DUAL)
            fprintf(stderr, "relative duality gap %.3g is above %g (%s)%s\n",
                    report_gap(result->relative_gap), target, describe(result->outcome), advice);
        else
            fprintf(stderr, "ended after %llu steps (%s)\n", (unsigned long long)result->passes,
                    describe(result->outcome));
    }
    if (not_begun && !quiet)
        fprintf(stderr, "%s: warning: %lu of %lu classes: not begun\n", program,
                (unsigned long)not_begun, (unsigned long)model->problems);
    if (model->uncalibrated && !quiet)
        fprintf(stderr, "%s: warning: -b 1 was stopped: the model has no probabilities\n", program);
}

/* Prints the training as one JSON object. */
static void report_json(const struct settings *settings, const struct hinge_dataset *data,
                        const struct hinge_model *model, const double *seconds)
{
    static const char *const parameters[] = {"C", "lambda", "nu", "epsilon", "l1"};
    static const char *const parts[] = {"read", "train", "write"};
    struct emitter all = {.stream = stdout, .json = 1};
    const int is_member = settings->folds > 0;
    int certified = 1;

    for (size_t c = 0; c < model->problems; c++)
        certified &= model->result[c].outcome == HINGE_CERTIFIED;
    if (is_member) { /* the object has begun with the scores of the folds */
        all.depth = all.follows = 1;
        emit_begin(&all, "training", '{');
    } else {
        emit_begin(&all, NULL, '{');
    }
    emit_string(&all, "solver", model->solver->name);
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) {
        const double value = hinge_model_value(model, parameters[k], 0);

        if (!isnan(value))
            emit_number(&all, parameters[k], value, NULL);
    }
    emit_count(&all, "rows", data->x.rows);
    emit_count(&all, "features", data->features);
    emit_count(&all, "nonzeros", data->x.nonzeros - data->zeros);
    emit_count(&all, "classes", model->classes);
    emit_raw(&all, "certified", certified ? "true" : "false");
    emit_begin(&all, "problems", '[');
    for (size_t c = 0; c < model->problems; c++) {
        const struct hinge_result *result = &model->result[c];
        const char *word =
            model->problems > 1 ? names_of_label(&settings->names, model->label[c]) : NULL;

        emit_begin(&all, NULL, '{');
        if (model->problems > 1)
            emit_number(&all, "label", model->label[c], NULL);
        if (word)
            emit_string(&all, "word", word);
        emit_string(&all, "outcome", hinge_outcome_name(result->outcome));
        emit_count(&all, "iterations", result->passes);
        emit_number(&all, "primal", result->primal, NULL);
        emit_number(&all, "dual", result->dual, NULL);
        emit_number(&all, "relative_gap", result->relative_gap, NULL);
        emit_count(&all, "nonzeros", result->nonzeros);
        emit_count(&all, "support_vectors", result->support_vectors);
        emit_end(&all, '}');
    }
    emit_end(&all, ']');
    emit_begin(&all, "seconds", '{');
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        emit_number(&all, parts[k], seconds[k], NULL);
    emit_end(&all, '}');
    emit_string(&all, "model", settings->model);
    emit_end(&all, '}');
    if (is_member)
        emit_end(&all, '}');
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
    if (settings->json && !settings->silent)
        report_json(settings, data, model, seconds);
    if (settings->quiet || settings->metrics == METRICS_JSON)
        return;
    report_results(model, &settings->names, certified_gap(&settings->parameters));
    report_count(stdout, data->x.rows, "row", ", ");
    report_count(stdout, data->features, "feature", ", ");
    report_count(stdout, data->x.nonzeros - data->zeros, "non-zero", ", ");
    if (model->one_class)
        printf("one class, nu = %g\n", model->nu);
    else if (model->classes > 0)
        report_count(stdout, model->classes, "class", "\n");
    else
        printf("regression, p = %g\n", model->epsilon);
    if (!model->one_class)
        printf("C = %g, lambda = %g\n", model->C, model->lambda);
    printf("read %.3f s, train %.3f s, write %.3f s\n", seconds[0], seconds[1], seconds[2]);
    if (ranks_count(team) > 1) {
        double rounds = 0, sent = 0;

        for (size_t c = 0; c < model->problems; c++) {
            rounds += (double)model->result[c].rounds;
            sent += (double)model->result[c].sent;
        }
        report_count(stdout, ranks_count(team), "rank", ", ");
        report_count(stdout, (uint64_t)rounds, "round", ", ");
        printf("%.3g MB sent by rank 0\n", sent / 1e6);
    }
    advise_predicting(settings, model);
    report_reads(data);
}
