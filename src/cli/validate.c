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
#include "data/number.h"
#include "learn/path.h"

/* ---- Both -------------------------------------------------------------- */

/* LIBLINEAR leaves one row out at a time where there are fewer rows than folds. */
static size_t count_folds(const struct settings *settings, const struct hinge_dataset *data,
                          const struct hinge_parameters *parameters)
{
    size_t rows = data->x.rows;

    for (size_t i = 0; i < parameters->row_weights; i++)
        rows -= parameters->row_weight[i] == 0;
    if (settings->folds <= rows || rows < 2)
        return (size_t)settings->folds;
    if (!settings->quiet)
        fprintf(stderr, "train: warning: more folds than rows: each row is a fold of its own\n");
    return rows;
}

/* The trainings of one C or several, and whether all have the certificate. */
static int all_certified(const struct hinge_validation *validation, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (validation[k].certified < validation[k].trainings)
            return 0;
    return 1;
}

static void print_certificates(const struct hinge_validation *validation, size_t count)
{
    size_t trainings = 0, certified = 0;
    double gap = validation->gap;

    for (size_t k = 0; k < count; k++) {
        trainings += validation[k].trainings;
        certified += validation[k].certified;
        gap = fmax(gap, validation[k].gap);
    }
    if (!isnan(gap))
        printf("Certified = %lu of %lu trainings (largest relative duality gap %.3g)\n",
               (unsigned long)certified, (unsigned long)trainings, gap);
}

/* Of one C: what --metrics asks for, or a line for each of the usual ones. */
static enum hinge_status print_metrics(const struct settings *settings,
                                       const struct hinge_validation *validation,
                                       const struct hinge_metrics *metrics,
                                       struct hinge_error *error)
{
    if (settings->metrics == METRICS_JSON)
        return scores_print_json(stdout, validation->C, validation->predictions, metrics, error);
    if (settings->metrics == METRICS_TEXT)
        return scores_print_all(stdout, validation->predictions, metrics, error);
    if (!settings->quiet && !settings->search)
        scores_print(stdout, metrics);
    return HINGE_OK;
}

/* ---- Cross-validation -------------------------------------------------- */

static enum hinge_status report(const struct settings *settings,
                                const struct hinge_validation *validation,
                                struct hinge_error *error)
{
    struct hinge_metrics *metrics = hinge_metrics_new(validation->predictions, error);
    enum hinge_status status;

    if (!metrics)
        return failure(error);
    if (settings->metrics != METRICS_JSON)
        printf("Cross Validation Accuracy = %g%%\n", 100 * metrics->accuracy);
    status = print_metrics(settings, validation, metrics, error);
    if (!settings->quiet && settings->metrics != METRICS_JSON)
        print_certificates(validation, 1);
    hinge_metrics_free(metrics);
    return status;
}

enum hinge_status validate(const struct settings *settings, const struct hinge_dataset *data,
                           const struct hinge_parameters *parameters,
                           const struct hinge_monitor *monitor, int *status,
                           struct hinge_error *error)
{
    const size_t folds = count_folds(settings, data, parameters);
    struct hinge_validation validation;
    int interrupted;

    if (hinge_cross_validate(data, parameters, folds, &parameters->C, 1, monitor, &validation,
                             &interrupted, error))
        return failure(error);
    if (interrupted) {
        *status = EXIT_INTERRUPTED;
        return HINGE_OK;
    }
    if (settings->strict && !all_certified(&validation, 1))
        *status = EXIT_NOT_CERTIFIED;
    if (report(settings, &validation, error)) {
        hinge_validation_clear(&validation);
        return failure(error);
    }
    hinge_validation_clear(&validation);
    return HINGE_OK;
}

/* ---- The path over all rows -------------------------------------------- */

/* A C of the search: its score, and with --path what training on all rows ends with. */
struct point {
    double score;
    double accuracy;
    double primal; /* sums over the binary problems, but the largest gap */
    double dual;
    double gap;
    size_t nonzeros;
    uint64_t passes;
    double seconds;
};

struct search {
    const struct settings *settings;
    const struct hinge_dataset *data;
    const struct hinge_parameters *parameters;
    const struct hinge_monitor *monitor;
    size_t count;
    double *C;                           /* [count] ascending */
    struct hinge_validation *validation; /* [count] */
    struct point *point;                 /* [count] */
    struct output output;                /* of --path */
    size_t best;
    int uncertified; /* a training of --path is */
    int interrupted;
};

static enum hinge_status note_training(void *context, const struct trained *trained,
                                       struct hinge_error *error)
{
    struct search *search = context;
    struct point *point = &search->point[trained->position];
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

/* Nothing stands for what is not known. */
static void put_field(FILE *stream, double value)
{
    char text[NUMBER_LENGTH] = "";

    if (!isnan(value))
        number_print(text, value);
    fprintf(stream, "%s,", text);
}

static void put_points(const struct search *search)
{
    FILE *stream = search->output.stream;

    fputs("C,score,accuracy,primal,dual,gap,nonzeros,passes,seconds\n", stream);
    for (size_t k = 0; k < search->count; k++) {
        const struct point *point = &search->point[k];

        put_field(stream, search->C[k]);
        put_field(stream, point->score);
        put_field(stream, point->accuracy);
        put_field(stream, point->primal);
        put_field(stream, point->dual);
        put_field(stream, point->gap);
        fprintf(stream, "%lu,%llu,%.6f\n", (unsigned long)point->nonzeros,
                (unsigned long long)point->passes, point->seconds);
    }
}

/* Trains on all rows, and writes the file. */
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

    if (path_begin(&path, &classes, error) ||
        path_check_room(&path, 0, error) ||
        path_run(&path, note_training, search, &completed, error))
        status = failure(error);
    classes_free(&classes);
    if (status || search->interrupted)
        return status;
    put_points(search);
    status = output_commit(&search->output, error);
    search->output.stream = NULL;
    return status;
}

/* ---- Search ------------------------------------------------------------ */

/* The range given, or LIBLINEAR's: from -c, or from the least that is worth a try, to 2^10. */
static enum hinge_status choose_range(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const double least =
        settings->least_C > 0 ? settings->least_C : hinge_least_C(search->data, search->parameters);
    const double lowest = settings->ranged ? settings->lowest : log2(least);
    const double stride = settings->ranged ? settings->stride : 1;
    const double highest = settings->ranged ? settings->highest : fmax(10, lowest);

    search->count = 1 + (size_t)floor((highest - lowest) / stride + 1e-9);
    if (!(search->C = array_new(search->count, sizeof *search->C, error)))
        return failure(error);
    for (size_t k = 0; k < search->count; k++)
        search->C[k] = exp2(lowest + (double)k * stride);
    if (settings->least_C > 0)
        search->C[0] = settings->least_C; /* to the last bit */
    return HINGE_OK;
}

/* Before any training: whether there can be one, and, for the area under the curve, two classes. */
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

/* Scores each C; the first of equally good ones is the best. */
static enum hinge_status rate(struct search *search, struct hinge_error *error)
{
    for (size_t k = 0; k < search->count; k++) {
        struct hinge_metrics *metrics = hinge_metrics_new(search->validation[k].predictions, error);

        if (!metrics)
            return failure(error);
        search->point[k].score = score_of(search, metrics);
        search->point[k].accuracy = metrics->accuracy;
        if (search->point[k].score > search->point[search->best].score)
            search->best = k;
        hinge_metrics_free(metrics);
    }
    return HINGE_OK;
}

static void print_search(const struct search *search)
{
    const struct settings *settings = search->settings;

    if (settings->metrics == METRICS_JSON)
        return;
    for (size_t k = 0; k < search->count && !settings->quiet; k++)
        printf("log2c=%7.2f\trate=%g\n", log2(search->C[k]), 100 * search->point[k].score);
    printf("Best C = %g  CV %s = %g%%\n", search->C[search->best],
           criterion_names[settings->criterion], 100 * search->point[search->best].score);
}

static enum hinge_status report_search(const struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    const struct hinge_validation *best = &search->validation[search->best];
    struct hinge_metrics *metrics = hinge_metrics_new(best->predictions, error);
    enum hinge_status status;

    if (!metrics)
        return failure(error);
    print_search(search);
    status = print_metrics(settings, best, metrics, error);
    if (!settings->quiet && settings->metrics != METRICS_JSON)
        print_certificates(search->validation, search->count);
    hinge_metrics_free(metrics);
    return status;
}

static enum hinge_status run(struct search *search, struct hinge_error *error)
{
    const size_t folds = count_folds(search->settings, search->data, search->parameters);

    if (check_classes(search, error) || choose_range(search, error) ||
        (search->settings->path && output_open(&search->output, search->settings->path, error)) ||
        !(search->point = array_new(search->count, sizeof *search->point, error)) ||
        !(search->validation = array_new(search->count, sizeof *search->validation, error)))
        return failure(error);
    if (!search->settings->quiet && search->settings->metrics != METRICS_JSON)
        printf("Doing parameter search with %lu-fold cross validation.\n", (unsigned long)folds);
    if (hinge_cross_validate(search->data, search->parameters, folds, search->C, search->count,
                             search->monitor, search->validation, &search->interrupted, error))
        return failure(error);
    if (search->interrupted)
        return HINGE_OK;
    if (rate(search, error) || report_search(search, error))
        return failure(error);
    return search->settings->path ? write_path(search, error) : HINGE_OK;
}

enum hinge_status search(const struct settings *settings, const struct hinge_dataset *data,
                         struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                         int *status, struct hinge_error *error)
{
    struct search search = {
        .settings = settings, .data = data, .parameters = parameters, .monitor = monitor};
    enum hinge_status failed = run(&search, error);

    if (search.interrupted)
        *status = EXIT_INTERRUPTED;
    else if (!failed && settings->strict &&
             (search.uncertified || !all_certified(search.validation, search.count)))
        *status = EXIT_NOT_CERTIFIED;
    if (!failed && !search.interrupted)
        parameters->C = search.C[search.best];
    for (size_t k = 0; search.validation && k < search.count; k++)
        hinge_validation_clear(&search.validation[k]);
    if (search.output.stream)
        output_abandon(&search.output);
    free(search.validation);
    free(search.point);
    free(search.C);
    return failed;
}
