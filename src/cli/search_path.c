/* search_path.c - --path: C,score,accuracy,primal,dual,gap,nonzeros,passes,seconds,deviation */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/report.h"
#include "cli/search.h"
#include "learn/agreement.h"
#include "learn/path.h"

/* The results of all trainings, problem after problem for each C. */
struct results {
    struct hinge_result *of; /* [count * problems] */
    size_t problems;
};

static enum hinge_status note_training(void *context, const struct trained *trained,
                                       struct hinge_error *error)
{
    const struct results *results = context;

    (void)error;
    results->of[trained->position * results->problems + trained->column] = *trained->result;
    return HINGE_OK;
}

/* Trains on all rows for each point of the present epsilon that has a score. */
static enum hinge_status train_path(struct search *search, struct hinge_error *error)
{
    struct classes classes;
    struct path path = {.data = search->data,
                        .parameters = &search->parameters,
                        .monitor = search->monitor,
                        .rows = search->data->x.rows,
                        .C = search->C + search->first};
    struct results results = {NULL, 0};
    enum hinge_status status = HINGE_OK;
    size_t completed = 0;

    while (search->first + path.count < search->end &&
           search->point[search->first + path.count].is_rated)
        path.count++;
    if (path_begin(&path, &classes, error) ||
        agreement_find(path.data, path.parameters, 0, path.C, path.count, &path.team, error)) {
        status = failure(error);
    } else {
        results.problems = path_problems(&path);
        path_share_threads(&path, path_threads(&path));
    }
    if (status ||
        !(results.of = array_new(path.count, results.problems * sizeof *results.of, error)) ||
        path_check_room(&path, 0, error) ||
        path_run(&path, note_training, &results, &completed, error) || team_check(path.team, error))
        status = failure(error);
    team_free(path.team);
    for (size_t k = 0; k < completed * results.problems && !status; k++) {
        const size_t c = k % results.problems;
        const struct hinge_result *result = &results.of[k];
        struct path_point *point = &search->point[search->first + k / results.problems];

        point->primal += result->primal;
        point->dual += result->dual;
        point->gap = c == 0 ? result->relative_gap : fmax(point->gap, result->relative_gap);
        point->nonzeros += result->nonzeros;
        point->passes += result->passes;
        point->seconds += result->seconds;
        search->is_uncertified |= result->outcome != HINGE_CERTIFIED;
        search->is_interrupted |= result->outcome == HINGE_INTERRUPTED;
    }
    free(results.of);
    classes_free(&classes);
    return status;
}

enum hinge_status search_write_path(struct search *search, struct hinge_error *error)
{
    const struct settings *settings = search->settings;
    FILE *stream = search->output.stream;
    enum hinge_status status = HINGE_OK;

    for (search->end = 0; !status && !search->is_interrupted && search_next_epsilon(search);)
        status = train_path(search, error);
    if (status)
        return status;
    if (search->is_interrupted) {
        progress_clear(search->progress);
        if (!settings->silent)
            report_say(settings->program,
                       "warning: interrupted in the trainings of %s: not written: "
                       "'%.200s'%s%.200s%s",
                       option_called(PATH), settings->path, settings->refit ? ", '" : "",
                       settings->refit ? settings->model : "", settings->refit ? "'" : "");
        return HINGE_OK;
    }
    if (search->is_regression)
        fprintf(stream, "C,p,%s", criterion_words[settings->criterion]);
    else
        fputs("C,score,accuracy", stream);
    fputs(",primal,dual,gap,nonzeros,passes,seconds,deviation\n", stream);
    for (size_t k = 0; k < search->count; k++) {
        const struct path_point *point = &search->point[k];

        if (!point->is_rated)
            continue;
        report_field(stream, '\0', search->C[k]);
        report_field(stream, ',', search->is_regression ? point->epsilon : point->score);
        report_field(stream, ',', search->is_regression ? point->score : point->accuracy);
        report_field(stream, ',', point->primal);
        report_field(stream, ',', point->dual);
        report_field(stream, ',', point->gap);
        fprintf(stream, ",%lu,%llu,%.6f", (unsigned long)point->nonzeros,
                (unsigned long long)point->passes, point->seconds);
        report_field(stream, ',', point->deviation);
        putc('\n', stream);
    }
    status = output_commit(&search->output, error);
    search->output.stream = NULL;
    return status;
}
