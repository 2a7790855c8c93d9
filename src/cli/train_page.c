/* train_page.c - train --report: what happened, as a page of HTML. */
#include "cli/monitors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/model_page.h"
#include "cli/search.h"
#include "data/source.h"
#include "learn/classes.h"
#include "model/model.h"
#include "report/figure.h"
#include "solver/loop/solver.h"

/* The first PROBLEMS_DRAWN problems have curves. A table of more than ROWS_SHOWN classes or folds
 * is folded, and more than CLASSES_LISTED classes are only counted. */
enum { PROBLEMS_DRAWN = 5, ROWS_SHOWN = 10, CLASSES_LISTED = 1000, WEIGHTS_DRAWN = 15, NAME = 80 };

#define SPACING    0.02 /* time between two measurements, relative to the time since the start */
#define FREE       0.02 /* seconds of measurements whose cost does not matter */
#define COST_SHARE 0.01 /* beyond FREE, measurements take at most this share of the time */

/* ---- The data ------------------------------------------------------------ */

/* Lists the classes with their shares, or the range of the targets. */
static enum hinge_status print_labels(struct page *page, const struct settings *settings,
                                      const struct hinge_dataset *data, struct hinge_error *error)
{
    static const char *const heads[] = {"class", "rows", "share in %"};
    const struct hinge_solver *solver = hinge_solver_find(settings->parameters.solver);
    const size_t rows = data->x.rows;
    struct labels labels = {0};
    uint32_t number;
    uint64_t *count = NULL;
    size_t capacity = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    enum hinge_status status = HINGE_OK;

    if (solver->one_class)
        return HINGE_OK;
    for (size_t i = 0; solver->regression && i < rows; i++) {
        low = fmin(low, data->label[i]);
        high = fmax(high, data->label[i]);
    }
    if (solver->regression && rows > 0)
        page_paragraph(page, "The targets are numbers from %.6g to %.6g.", low, high);
    for (size_t i = 0; !solver->regression && i < rows && !status; i++) {
        status = labels_number(&labels, data->label[i], &number, error);
        if (!status && number >= capacity) {
            const size_t before = capacity;

            status = ARRAY_RESERVE(&count, &capacity, (size_t)number + 1, error);
            if (!status)
                memset(count + before, 0, (capacity - before) * sizeof *count);
        }
        if (!status)
            count[number]++;
    }
    if (!status && labels.count > CLASSES_LISTED) {
        page_paragraph(page, "The rows have %lu classes.", (unsigned long)labels.count);
    } else if (!status && labels.count > 0) {
        char caption[40];

        snprintf(caption, sizeof caption, "The %lu classes", (unsigned long)labels.count);
        page_table(page, caption, labels.count > ROWS_SHOWN, heads, 3);
        for (uint32_t c = 0; c < labels.count; c++) {
            char name[NAMES_LABEL];

            names_print_label(&settings->names, labels.label[c], name);
            page_numbers(page, name, 2,
                         (const double[]){(double)count[c], 100 * (double)count[c] / (double)rows});
        }
        page_table_end(page, labels.count > ROWS_SHOWN);
    }
    free(count);
    labels_free(&labels);
    return status;
}

enum hinge_status train_page_begin(struct train_page *page, const struct settings *settings,
                                   const struct hinge_dataset *data, struct hinge_error *error)
{
    char title[200];

    stopwatch_start(&page->clock);
    page->names = &settings->names;
    page->asked = -1;
    page->asked_gap = certified_gap(&settings->parameters);
    if (output_open(&page->output, settings->report, error))
        return failure(error);
    snprintf(title, sizeof title, "%s %.150s",
             settings->folds > 0 ? settings->search ? "Search for C on" : "Cross-validation of"
                                 : "Training on",
             source_name(settings->data));
    page_begin(&page->page, page->output.stream, title);
    page_facts(&page->page);
    page_fact(&page->page, "Command", "%s", settings->command);
    page_fact(&page->page, "Version of hinge", HINGE_VERSION);
    page_fact(&page->page, "Solver", "%s", hinge_solver_find(settings->parameters.solver)->name);
    page_fact(&page->page, "Rows", "%zu", data->x.rows);
    page_fact(&page->page, "Features", "%lu", (unsigned long)data->features);
    page_fact(&page->page, "Non-zeros", "%.0f", (double)(data->x.nonzeros - data->zeros));
    page_facts_end(&page->page);
    return print_labels(&page->page, settings, data, error);
}

/* ---- Measurements -------------------------------------------------------- */

enum hinge_answer train_page_watch(void *context, const struct hinge_progress *progress)
{
    struct train_page *page = context;
    const double now = stopwatch_elapsed(&page->clock);
    const double time = page->asked < 0 ? now : page->asked;

    /* the training begins after the last measurement of a search */
    if (progress->folds > 0 && page->count == 0)
        stopwatch_start(&page->clock);
    if (progress->folds > 0 || progress->rows == 0)
        return HINGE_GO_ON;
    if (!progress->measured) {
        if (now < page->next && page->last_problem == progress->problem)
            return HINGE_GO_ON;
        page->asked = now;
        page->last_problem = progress->problem;
        return HINGE_MEASURE;
    }
    page->next = now * (1 + SPACING);
    page->spent += page->asked < 0 ? 0 : now - page->asked;
    if (page->asked >= 0 && page->spent > FREE)
        page->next += (now - page->asked) / COST_SHARE;
    page->asked = -1;
    page->last_problem = progress->problem;
    page->problems = progress->problems;
    if (ARRAY_RESERVE(&page->point, &page->capacity, page->count + 1, &page->failed))
        return HINGE_GO_ON;
    page->point[page->count++] =
        (struct page_point){progress->problem,
                            time,
                            (double)progress->row_visits / fmax((double)progress->rows, 1),
                            progress->relative_gap,
                            progress->primal,
                            progress->method};
    return HINGE_GO_ON;
}

/* The pictures of a training. */
enum { GAP_BY_TIME, GAP_BY_PASSES, PRIMAL_BY_TIME, PRIMAL_BY_PASSES, PICTURES };

static double abscissa(const struct page_point *point, int picture)
{
    return picture == GAP_BY_PASSES || picture == PRIMAL_BY_PASSES ? point->passes : point->seconds;
}

#define GAP_READING                                                                                \
    "The gap bounds how far the objective is above the smallest possible one, as a share of it. "  \
    "It is optimal as asked where a curve ends below the level line."
#define PRIMAL_READING "The objective falls towards its minimum."

static const struct figure pictures[PICTURES] = {
    {.title = "Relative gap against time: is it optimal?",
     .reading = GAP_READING,
     .x = {"wall seconds of training", 0, 1},
     .y = {"relative gap", 1, 0}},
    {.title = "Relative gap against passes",
     .reading = GAP_READING,
     .x = {"passes over the rows", 0, 1},
     .y = {"relative gap", 1, 0}},
    {.title = "Objective against time",
     .reading = PRIMAL_READING,
     .x = {"wall seconds of training", 0, 1},
     .y = {"objective P(w)", 1, 0}},
    {.title = "Objective against passes",
     .reading = PRIMAL_READING,
     .x = {"passes over the rows", 0, 1},
     .y = {"objective P(w)", 1, 0}}};

/* Draws gap and objective against time and passes. For a single problem, marks where a method takes
 * over. */
static enum hinge_status draw_training(struct train_page *page, const struct hinge_model *model,
                                       struct hinge_error *error)
{
    enum { RULES = 8 };
    const size_t problems = page->problems < PROBLEMS_DRAWN ? page->problems : PROBLEMS_DRAWN;
    double *x = array_new(page->count, sizeof *x, error);
    double *y = x ? array_new(page->count, sizeof *y, error) : NULL;
    const int has_room = y != NULL, has_gap = !isnan(page->point[page->count - 1].gap);
    char title[PROBLEMS_DRAWN][COLUMN_TITLE], name[RULES][NAME];
    const double level[2] = {page->asked_gap, page->asked_gap};
    double range[2];
    struct series series[PROBLEMS_DRAWN + 1];
    struct rule rule[RULES];

    for (size_t p = 0; p < problems; p++)
        model_column_title(title[p], model, page->problems == model->columns ? p : 0, page->names);
    for (int which = has_gap ? GAP_BY_TIME : PRIMAL_BY_TIME; has_room && which < PICTURES;
         which++) {
        const int is_gap = which == GAP_BY_TIME || which == GAP_BY_PASSES;
        struct figure figure = pictures[which];
        const char *method = NULL;
        size_t used = 0;

        for (size_t p = 0; p < problems; p++) {
            series[p] = (struct series){title[p], MARK_LINE, 0, x + used, y + used, NULL};
            for (size_t k = 0; k < page->count; k++)
                if (page->point[k].problem == p) {
                    x[used] = abscissa(&page->point[k], which);
                    y[used++] = is_gap ? page->point[k].gap : page->point[k].primal;
                    series[p].count++;
                }
        }
        range[0] = range[1] = x[0];
        for (size_t k = 1; k < used; k++) {
            range[0] = fmin(range[0], x[k]);
            range[1] = fmax(range[1], x[k]);
        }
        series[problems] = (struct series){"asked for", MARK_LINE, 2, range, level, NULL};
        figure.series = series;
        figure.series_count = problems + (is_gap && page->asked_gap > 0);
        figure.rule = rule;
        for (size_t k = 0; page->problems == 1 && k < page->count && figure.rule_count < RULES;
             k++) {
            const struct page_point *point = &page->point[k];

            if (!point->method || (method && strcmp(method, point->method) == 0))
                continue;
            method = point->method;
            snprintf(name[figure.rule_count], NAME, "%.40s begins", method);
            rule[figure.rule_count] =
                (struct rule){abscissa(point, which), name[figure.rule_count]};
            figure.rule_count++;
        }
        page_figure(&page->page, &figure);
    }
    free(y);
    free(x);
    return has_room ? HINGE_OK : failure(error);
}

enum hinge_status train_page_model(struct train_page *page, const struct hinge_model *model,
                                   struct hinge_error *error)
{
    if (model_facts_page(&page->page, model, 0, error))
        return failure(error);
    if (page->failed.status) {
        *error = page->failed;
        return failure(error);
    }
    page_heading(&page->page, "Training");
    if (page->problems > PROBLEMS_DRAWN)
        page_paragraph(&page->page, "The curves are those of the first %d of %zu problems.",
                       PROBLEMS_DRAWN, page->problems);
    if (page->count > 0 && draw_training(page, model, error))
        return failure(error);
    return model_weights_page(&page->page, model, page->names, WEIGHTS_DRAWN, error);
}

/* ---- Validation and search ------------------------------------------------ */

enum { C, SCORE, LOW, HIGH, SECONDS, NORM, WEIGHTS, COLUMNS };

/* The pictures over C. The score has a band of one deviation if two folds or more have a score. */
static const struct {
    int column;
    const char *name, *title, *axis, *reading; /* name and axis of the score: NULL */
} search_pictures[] = {
    {SCORE, NULL, "Score against C: which C?", NULL,
     "Where the curve is flat, a smaller C gives a simpler model that is as good: --one-se."},
    {SECONDS, "validation", "Time of the validation against C", "wall seconds",
     "Several C can be validated at once; the first of them has the time of all."},
    {NORM, "norm", "Norm of the weights against C", "norm |w|",
     "The largest |w| of a training of a fold. It is small where the model is simple."},
    {WEIGHTS, "weights", "Weights that are not 0 against C", "weights not 0",
     "The largest number of them in a training of a fold. Solvers with |w|_1 use few features "
     "where C is small."}};

/* Draws score, time, norm and sparsity of each C, for regression with the best epsilon. */
static enum hinge_status draw_search(struct train_page *page, const struct search *search,
                                     struct hinge_error *error)
{
    const char *const criterion = criterion_kind(search->settings->criterion)->name;
    const struct path_point *best = &search->point[search->best];
    double *const values = array_new(search->count, COLUMNS * sizeof *values, error);
    double *column[COLUMNS];
    size_t count = 0;
    char chosen[NAME];
    const struct rule rule = {search->C[search->best], chosen};
    int has_deviation = 0;

    if (!values)
        return failure(error);
    for (size_t k = 0; k < COLUMNS; k++)
        column[k] = values + k * search->count;
    for (size_t k = 0; k < search->count; k++) {
        const struct path_point *point = &search->point[k];

        if (!point->is_rated || point->epsilon != best->epsilon)
            continue;
        column[C][count] = search->C[k];
        column[SCORE][count] = point->score;
        column[LOW][count] = point->score - point->deviation;
        column[HIGH][count] = point->score + point->deviation;
        column[SECONDS][count] = point->validation_seconds;
        column[NORM][count] = point->norm;
        column[WEIGHTS][count] = point->weights;
        has_deviation |= !isnan(point->deviation);
        count++;
    }
    snprintf(chosen, sizeof chosen, "chosen, C = %.6g", rule.x);
    for (size_t k = 0; k < sizeof search_pictures / sizeof *search_pictures; k++) {
        const int which = search_pictures[k].column, is_score = which == SCORE;
        const struct series series[] = {{is_score ? criterion : search_pictures[k].name, MARK_LINE,
                                         count, column[C], column[which], NULL},
                                        {"one deviation over the folds", MARK_BAND, count,
                                         column[C], column[HIGH], column[LOW]}};
        const struct figure figure = {
            .title = search_pictures[k].title,
            .reading = search_pictures[k].reading,
            .x = {"C", 1, 0},
            .y = {is_score ? criterion : search_pictures[k].axis, 0, !is_score},
            .series = series,
            .series_count = is_score && has_deviation ? 2 : 1,
            .rule = &rule,
            .rule_count = 1};

        page_figure(&page->page, &figure);
    }
    free(values);
    return HINGE_OK;
}

enum hinge_status train_page_search(struct train_page *page, const struct search *search,
                                    struct hinge_error *error)
{
    const struct hinge_validation *validation = &search->validation[search->best];
    const struct hinge_predictions *predictions = validation->predictions;
    const struct scored scored = search_scored(search);
    const char *const heads[] = {"fold", "rows",
                                 search->is_regression ? "mean squared error" : "accuracy in %"};

    if (search->settings->search) {
        page_heading(&page->page, "Search");
        page_paragraph(&page->page, "Best C = %.10g, by %lu-fold cross-validation.",
                       search->C[search->best], (unsigned long)search->folds);
        if (draw_search(page, search, error))
            return failure(error);
    }
    if (!predictions || predictions->rows == 0)
        return HINGE_OK; /* --one-se took a regression's point without predictions */
    page_heading(&page->page, "Validation");
    page_paragraph(&page->page, "Each row is predicted by a model trained on the other folds.");
    certificate_page(&page->page, validation->relative_gap,
                     validation->certified == validation->trainings);
    page_table(&page->page, "Scores of the folds", validation->folds > ROWS_SHOWN, heads, 3);
    for (size_t fold = 0; fold < validation->folds; fold++) {
        double sum = 0, total = 0;
        size_t rows = 0;

        for (size_t i = 0; i < predictions->rows; i++) {
            const double weight = predictions->weight ? predictions->weight[i] : 1;

            if (validation->fold[i] != fold)
                continue;
            rows++;
            total += weight;
            if (search->is_regression)
                sum += weight * pow(predictions->decision[i] - predictions->target[i], 2);
            else if (predictions->given[i] == predictions->predicted[i])
                sum += weight;
        }
        sum = search->is_regression ? sum / total : 100 * sum / total;
        page_numbers(&page->page, NULL, 3, (const double[]){(double)fold + 1, (double)rows, sum});
    }
    page_table_end(&page->page, validation->folds > ROWS_SHOWN);
    return scores_page(&page->page, &scored, error);
}

/* ---- The end --------------------------------------------------------------- */

enum hinge_status train_page_commit(struct train_page *page, struct hinge_error *error)
{
    page_end(&page->page);
    return output_commit(&page->output, error);
}

void train_page_end(struct train_page *page)
{
    output_abandon(&page->output);
    free(page->point);
}
