/* validate.c - "Cross Validation Accuracy = X%", "Best C = X  CV accuracy = Y%"; of a regression
 * "Best C = X Best p = Y  CV MSE = Z". */
#include "cli/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/report.h"
#include "cli/scores.h"
#include "learn/path.h"

/* A value of C, of a regression with an epsilon: its score, and with --path the result of training
 * on all rows. */
struct path_point {
    double epsilon;
    double score;
    double accuracy;
    double primal; /* sum over the binary problems, like the next one */
    double dual;
    double gap; /* the largest of the binary problems */
    size_t nonzeros;
    uint64_t passes;
    double seconds;
};

/* -v has one C, -C several, of a regression for each epsilon one after the other. */
struct search {
    const struct settings *settings;
    const struct hinge_dataset *data;
    struct hinge_parameters parameters; /* with the epsilon of the present part of the points */
    const struct hinge_monitor *monitor;
    int regression;
    size_t count;
    size_t first, end;                   /* the points of an epsilon */
    double *C;                           /* [count] ascending for each epsilon */
    struct hinge_validation *validation; /* [count] */
    struct path_point *point;            /* [count] */
    struct output output;                /* of --path */
    size_t best;
    struct hinge_metrics *metrics; /* of the best C */
    int uncertified;               /* at least one training of --path is not certified */
    int interrupted;
};

/* ---- --path: training on all rows --------------------------------------- */

static enum hinge_status note_training(void *context, const struct trained *trained,
                                       struct hinge_error *error)
{
    struct search *search = context;
    struct path_point *point = &search->point[search->first + trained->position];
    const struct hinge_result *result = trained->result;

    (void)error;
    point->primal += result->primal;
    point->dual += result->dual;
    point->gap = trained->column == 0 ? result->gap : fmax(point->gap, result->gap);
    point->nonzeros += result->nonzeros;
    point->passes += result->passes;
    point->seconds += result->seconds;
    search->uncertified |= result->outcome != HINGE_CERTIFIED;
    search->interrupted |= result->outcome == HINGE_INTERRUPTED;
    return HINGE_OK;
}

static void write_points(const struct search *search)
{
    FILE *stream = search->output.stream;

    fputs(search->regression ? "C,p,mse" : "C,score,accuracy", stream);
    fputs(",primal,dual,gap,nonzeros,passes,seconds\n", stream);
    for (size_t k = 0; k < search->count; k++) {
        const struct path_point *point = &search->point[k];

        report_field(stream, search->C[k]);
        report_field(stream, search->regression ? point->epsilon : point->score);
        report_field(stream, search->regression ? point->score : point->accuracy);
        report_field(stream, point->primal);
        report_field(stream, point->dual);
        report_field(stream, point->gap);
        fprintf(stream, "%lu,%llu,%.6f\n", (unsigned long)point->nonzeros,
                (unsigned long long)point->passes, point->seconds);
    }
}

/* The points of the next epsilon; 0: there are no more. To begin with, the last one ends at 0. */
static int next_epsilon(struct search *search)
{
    search->first = search->end;
    while (search->end < search->count &&
           search->point[search->end].epsilon == search->point[search->first].epsilon)
        search->end++;
    if (search->first == search->end)
        return 0;
    search->parameters.epsilon = search->point[search->first].epsilon;
    return 1;
}

/* Trains on all rows for each of these. */
static enum hinge_status train_path(struct search *search, struct hinge_error *error)
{
    struct classes classes;
    struct path path = {.data = search->data,
                        .parameters = &search->parameters,
                        .monitor = search->monitor,
                        .rows = search->data->x.rows,
                        .C = search->C + search->first,
                        .count = search->end - search->first};
    enum hinge_status status = HINGE_OK;
    size_t completed;

    if (path_begin(&path, &classes, error) || path_check_room(&path, 0, error) ||
        path_run(&path, note_training, search, &completed, error))
        status = failure(error);
    classes_free(&classes);
    return status;
}

/* The same for all C, and writes the file of --path. */
static enum hinge_status write_path(struct search *search, struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;

    for (search->end = 0; !status && !search->interrupted && next_epsilon(search);)
        status = train_path(search, error);
    if (status || search->interrupted)
        return status;
    write_points(search);
    status = output_commit(&search->output, error);
    search->output.stream = NULL;
    return status;
}

/* ---- Choosing C -------------------------------------------------------- */

/* Appends a point. */
static enum hinge_status add_point(struct search *search, double C, struct hinge_error *error)
{
    const size_t count = search->count + 1;
    double *grown = array_resize(search->C, count, sizeof *grown, error);
    struct path_point *point;

    if (!grown)
        return failure(error);
    search->C = grown;
    if (!(point = array_resize(search->point, count, sizeof *point, error)))
        return failure(error);
    search->point = point;
    grown[search->count] = C;
    point[search->count++] = (struct path_point){.epsilon = search->parameters.epsilon};
    return HINGE_OK;
}

/* -C: the range of --c-range, or LIBLINEAR's: from -c, or from the least C worth a try, to 2^10, of
 * a regression to 2^20. */
static enum hinge_status choose_range(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const double least = settings->least_C > 0
                             ? settings->least_C
                             : hinge_least_C(search->data, &search->parameters, error);
    const double lowest = settings->ranged ? settings->lowest : log2(least);
    const double stride = settings->ranged ? settings->stride : 1;
    const double end = search->regression ? 20 : 10;
    const double highest = settings->ranged ? settings->highest : fmax(end, lowest);
    const size_t count = least > 0 ? 1 + (size_t)floor((highest - lowest) / stride + 1e-9) : 0;
    enum hinge_status status = least > 0 ? HINGE_OK : failure(error);

    for (size_t k = 0; k < count && !status; k++) /* -c to the last bit */
        status = add_point(search,
                           k == 0 && settings->least_C > 0 ? settings->least_C
                                                           : exp2(lowest + (double)k * stride),
                           error);
    return status;
}

/* The same for LIBLINEAR's values of epsilon: twentieths of the largest target, from -p or just
 * below that target down to 0. */
static enum hinge_status choose_epsilons(struct search *search, struct hinge_error *error)
{
    enum { PARTS = 20 };
    enum hinge_status status = HINGE_OK;
    double largest = 0;
    int k = PARTS - 1;

    for (size_t i = 0; i < search->data->x.rows; i++)
        largest = fmax(largest, fabs(search->data->label[i]));
    if (search->settings->most_p >= 0)
        k = (int)fmin(search->settings->most_p / (largest / PARTS), k);
    for (k = largest > 0 ? k : 0; k >= 0 && !status; k--) {
        search->parameters.epsilon = k * largest / PARTS;
        status = choose_range(search, error);
    }
    return status;
}

/* -v: the C of the parameters. */
static enum hinge_status choose_C(struct search *search, struct hinge_error *error)
{
    if (search->settings->search)
        return search->regression ? choose_epsilons(search, error) : choose_range(search, error);
    return add_point(search, search->parameters.C, error);
}

/* Like LIBLINEAR: with fewer rows than folds each row is a fold. */
static size_t count_folds(const struct search *search)
{
    const struct settings *settings = search->settings;
    const struct hinge_parameters *parameters = &search->parameters;
    size_t rows = search->data->x.rows;

    for (size_t i = 0; i < parameters->row_weights; i++)
        rows -= parameters->row_weight[i] == 0;
    if (settings->folds <= rows || rows < 2)
        return (size_t)settings->folds;
    if (!settings->quiet)
        fprintf(stderr, "%s: warning: more folds than rows: each row is a fold of its own\n",
                settings->program);
    return rows;
}

/* Before any training of -C: can the data be trained on, and are there two classes if the criterion
 * is the area under the curve? */
static enum hinge_status check_classes(const struct search *search, struct hinge_error *error)
{
    struct path path = {.data = search->data, .parameters = &search->parameters};
    struct classes classes;
    enum hinge_status status = path_begin(&path, &classes, error);

    if (status == HINGE_OK && search->settings->criterion == CRITERION_AUC && classes.count != 2)
        status = fail(error, HINGE_BAD_ARGUMENT,
                      "--criterion auc: it is for two classes, and the data have %lu",
                      (unsigned long)classes.count);
    classes_free(&classes);
    return status;
}

/* ---- Results ----------------------------------------------------------- */

static const char *const criterion_names[] = {"accuracy", "balanced accuracy", "F1", "AUC"};

static double score_of(const struct search *search, const struct hinge_metrics *metrics)
{
    switch (search->settings->criterion) {
    case CRITERION_BALANCED:
        return metrics->balanced_accuracy;
    case CRITERION_F1:
        return isnan(metrics->positive_f1) ? metrics->f1 : metrics->positive_f1;
    case CRITERION_AUC:
        return metrics->auc;
    case CRITERION_MSE:
        return metrics->residuals.squares / (double)metrics->residuals.rows;
    default:
        return metrics->accuracy;
    }
}

static int is_better(const struct search *search, double score, double best)
{
    return search->regression ? score < best : score > best;
}

/* Computes the score of each C of an epsilon. The best is the first of equal ones. */
static enum hinge_status rate(struct search *search, struct hinge_error *error)
{
    for (size_t k = search->first; k < search->end; k++) {
        struct hinge_metrics *metrics =
            hinge_metrics_new(search->validation[k].predictions, search->monitor, error);

        if (!metrics)
            return failure(error);
        search->interrupted |= metrics->stopped;
        search->point[k].score = score_of(search, metrics);
        search->point[k].accuracy = metrics->accuracy;
        if (search->regression) /* a thousand of them would fill the memory */
            hinge_validation_clear(&search->validation[k]);
        if (k > 0 &&
            !is_better(search, search->point[k].score, search->point[search->best].score)) {
            hinge_metrics_free(metrics);
            continue;
        }
        hinge_metrics_free(search->metrics);
        search->metrics = metrics;
        search->best = k;
    }
    return HINGE_OK;
}

static int all_certified(const struct search *search)
{
    for (size_t k = 0; k < search->count; k++)
        if (search->validation[k].certified < search->validation[k].trainings)
            return 0;
    return !search->uncertified;
}

/* Counts the certified trainings of all C. Solvers without a certificate have no such line. */
static void print_certificates(const struct search *search)
{
    size_t trainings = 0, certified = 0;
    double gap = search->validation->gap;

    for (size_t k = 0; k < search->count; k++) {
        trainings += search->validation[k].trainings;
        certified += search->validation[k].certified;
        gap = fmax(gap, search->validation[k].gap);
    }
    if (!isnan(gap))
        printf("Certified = %lu of %lu trainings (largest relative duality gap %.3g)\n",
               (unsigned long)certified, (unsigned long)trainings, report_gap(gap));
}

/* LIBLINEAR's lines. */
static void print_scores(const struct search *search)
{
    const struct settings *settings = search->settings;
    const double best = 100 * search->point[search->best].score;

    if (!settings->search) {
        printf("Cross Validation Accuracy = %g%%\n", best);
        return;
    }
    for (size_t k = 0; k < search->count && !settings->quiet; k++)
        printf("log2c=%7.2f\trate=%g\n", log2(search->C[k]), 100 * search->point[k].score);
    printf("Best C = %g  CV %s = %g%%\n", search->C[search->best],
           criterion_names[settings->criterion], best);
}

/* Those of a regression. */
static void print_errors(const struct search *search)
{
    const struct settings *settings = search->settings;
    const struct path_point *best = &search->point[search->best];

    for (size_t k = 0; k < search->count && settings->search && !settings->quiet; k++)
        printf("log2c=%7.2f\tp=%7.2f\tMean squared error=%g\n", log2(search->C[k]),
               search->point[k].epsilon, search->point[k].score);
    if (settings->search)
        printf("Best C = %g Best p = %g  CV MSE = %g\n", search->C[search->best], best->epsilon,
               best->score);
    if (!settings->search || settings->metrics)
        scores_print_regression(stdout, 1, &search->metrics->residuals, settings->metrics);
}

/* All results; the metrics are those of the best C. */
static enum hinge_status report(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_validation *best = &search->validation[search->best];
    enum hinge_status status = HINGE_OK;

    if (search->regression && settings->metrics == METRICS_JSON) {
        scores_print_regression_json(stdout, best->C, search->point[search->best].epsilon,
                                     &search->metrics->residuals);
        return HINGE_OK;
    }
    if (settings->metrics == METRICS_JSON)
        return scores_print_json(stdout, best->C, best->predictions, search->metrics, NULL, error);
    if (search->regression) {
        print_errors(search);
    } else {
        print_scores(search);
        if (settings->metrics == METRICS_TEXT)
            status = scores_print_all(stdout, best->predictions, search->metrics, NULL, error);
        else if (!settings->quiet && !settings->search)
            scores_print(stdout, best->predictions, search->metrics);
    }
    if (!settings->quiet)
        print_certificates(search);
    return status;
}

static enum hinge_status run(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const size_t folds = count_folds(search);

    if ((settings->search && check_classes(search, error)) || choose_C(search, error) ||
        (settings->path && output_open(&search->output, settings->path, error)) ||
        !(search->validation = array_new(search->count, sizeof *search->validation, error)))
        return failure(error);
    if (settings->search && !settings->quiet && settings->metrics != METRICS_JSON)
        printf("Doing parameter search with %lu-fold cross validation.\n", (unsigned long)folds);
    while (!search->interrupted && next_epsilon(search))
        if (hinge_cross_validate(search->data, &search->parameters, folds,
                                 search->C + search->first, search->end - search->first,
                                 search->monitor, search->validation + search->first,
                                 &search->interrupted, error) ||
            (!search->interrupted && rate(search, error)))
            return failure(error);
    if (!search->interrupted && report(search, error))
        return failure(error);
    return settings->path && !search->interrupted ? write_path(search, error) : HINGE_OK;
}

enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                           int *status, struct hinge_error *error)
{
    struct search search = {.settings = settings,
                            .data = data,
                            .parameters = *parameters,
                            .monitor = monitor,
                            .regression = hinge_solver_find(parameters->solver)->regression};
    enum hinge_status failed = run(&search, error);

    if (search.interrupted)
        *status = EXIT_INTERRUPTED;
    else if (!failed && settings->strict && !all_certified(&search))
        *status = EXIT_NOT_CERTIFIED;
    if (!failed && !search.interrupted)
        parameters->C = search.C[search.best];
    if (!failed && !search.interrupted)
        parameters->epsilon = search.point[search.best].epsilon;
    for (size_t k = 0; search.validation && k < search.count; k++)
        hinge_validation_clear(&search.validation[k]);
    hinge_metrics_free(search.metrics);
    if (search.output.stream)
        output_abandon(&search.output);
    free(search.validation);
    free(search.point);
    free(search.C);
    return failed;
}
