/* validate.c - "Cross Validation Accuracy = X%", "Best C = X  CV accuracy = Y%". */
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

/* A value of C: its score, and with --path the result of training on all rows. */
struct path_point {
    double score;
    double accuracy;
    double primal; /* sum over the binary problems, like the next one */
    double dual;
    double gap; /* the largest of the binary problems */
    size_t nonzeros;
    uint64_t passes;
    double seconds;
};

/* -v has one C, -C several. */
struct search {
    const struct settings *settings;
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters;
    const struct hinge_monitor *monitor;
    size_t count;
    double *C;                           /* [count] ascending */
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
    struct path_point *point = &search->point[trained->position];
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

    fputs("C,score,accuracy,primal,dual,gap,nonzeros,passes,seconds\n", stream);
    for (size_t k = 0; k < search->count; k++) {
        const struct path_point *point = &search->point[k];

        report_field(stream, search->C[k]);
        report_field(stream, point->score);
        report_field(stream, point->accuracy);
        report_field(stream, point->primal);
        report_field(stream, point->dual);
        report_field(stream, point->gap);
        fprintf(stream, "%lu,%llu,%.6f\n", (unsigned long)point->nonzeros,
                (unsigned long long)point->passes, point->seconds);
    }
}

/* Trains on all rows for each C, and writes the file of --path. */
static enum hinge_status write_path(struct search *search, struct hinge_error *error)
{
    struct classes classes;
    struct path path = {.data = search->data,
                        .parameters = search->parameters,
                        .monitor = search->monitor,
                        .rows = search->data->x.rows,
                        .C = search->C,
                        .count = search->count};
    enum hinge_status status = HINGE_OK;
    size_t completed;

    if (path_begin(&path, &classes, error) || path_check_room(&path, 0, error) ||
        path_run(&path, note_training, search, &completed, error))
        status = failure(error);
    classes_free(&classes);
    if (status || search->interrupted)
        return status;
    write_points(search);
    status = output_commit(&search->output, error);
    search->output.stream = NULL;
    return status;
}

/* ---- Choosing C -------------------------------------------------------- */

/* -C: the range of --c-range, or LIBLINEAR's: from -c, or from the least C worth a try, to 2^10. */
static enum hinge_status choose_range(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const double least = settings->least_C > 0
                             ? settings->least_C
                             : hinge_least_C(search->data, search->parameters, error);
    const double lowest = settings->ranged ? settings->lowest : log2(least);
    const double stride = settings->ranged ? settings->stride : 1;
    const double highest = settings->ranged ? settings->highest : fmax(10, lowest);

    if (least == 0)
        return failure(error);
    search->count = 1 + (size_t)floor((highest - lowest) / stride + 1e-9);
    if (!(search->C = array_new(search->count, sizeof *search->C, error)))
        return failure(error);
    for (size_t k = 0; k < search->count; k++)
        search->C[k] = exp2(lowest + (double)k * stride);
    if (settings->least_C > 0)
        search->C[0] = settings->least_C; /* to the last bit */
    return HINGE_OK;
}

/* -v: the C of the parameters. */
static enum hinge_status choose_C(struct search *search, struct hinge_error *error)
{
    if (search->settings->search)
        return choose_range(search, error);
    search->count = 1;
    if (!(search->C = array_new(1, sizeof *search->C, error)))
        return failure(error);
    search->C[0] = search->parameters->C;
    return HINGE_OK;
}

/* Like LIBLINEAR: with fewer rows than folds each row is a fold. */
static size_t count_folds(const struct search *search)
{
    const struct settings *settings = search->settings;
    const struct hinge_parameters *parameters = search->parameters;
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
    struct path path = {.data = search->data, .parameters = search->parameters};
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
        return metrics->classes == 2 ? metrics->positive_f1 : metrics->f1;
    case CRITERION_AUC:
        return metrics->auc;
    default:
        return metrics->accuracy;
    }
}

/* Computes the score of each C. The best is the first of equal ones. */
static enum hinge_status rate(struct search *search, struct hinge_error *error)
{
    for (size_t k = 0; k < search->count; k++) {
        struct hinge_metrics *metrics =
            hinge_metrics_new(search->validation[k].predictions, search->monitor, error);

        if (!metrics)
            return failure(error);
        search->interrupted |= metrics->stopped;
        search->point[k].score = score_of(search, metrics);
        search->point[k].accuracy = metrics->accuracy;
        if (k > 0 && !(search->point[k].score > search->point[search->best].score)) {
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

/* All results; the metrics are those of the best C. */
static enum hinge_status report(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_validation *best = &search->validation[search->best];
    enum hinge_status status = HINGE_OK;

    if (settings->metrics == METRICS_JSON)
        return scores_print_json(stdout, best->C, best->predictions, search->metrics, error);
    print_scores(search);
    if (settings->metrics == METRICS_TEXT)
        status = scores_print_all(stdout, best->predictions, search->metrics, error);
    else if (!settings->quiet && !settings->search)
        scores_print(stdout, search->metrics);
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
        !(search->point = array_new(search->count, sizeof *search->point, error)) ||
        !(search->validation = array_new(search->count, sizeof *search->validation, error)))
        return failure(error);
    if (settings->search && !settings->quiet && settings->metrics != METRICS_JSON)
        printf("Doing parameter search with %lu-fold cross validation.\n", (unsigned long)folds);
    if (hinge_cross_validate(search->data, search->parameters, folds, search->C, search->count,
                             search->monitor, search->validation, &search->interrupted, error))
        return failure(error);
    if (search->interrupted)
        return HINGE_OK;
    if (rate(search, error) || (!search->interrupted && report(search, error)))
        return failure(error);
    return settings->path && !search->interrupted ? write_path(search, error) : HINGE_OK;
}

enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                           int *status, struct hinge_error *error)
{
    struct search search = {
        .settings = settings, .data = data, .parameters = parameters, .monitor = monitor};
    enum hinge_status failed = run(&search, error);

    if (search.interrupted)
        *status = EXIT_INTERRUPTED;
    else if (!failed && settings->strict && !all_certified(&search))
        *status = EXIT_NOT_CERTIFIED;
    if (!failed && !search.interrupted)
        parameters->C = search.C[search.best];
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
