/* sgd.c - w := (1 - eta sigma) w - eta g,  w = s v, so that a step costs the non-zeros of its rows.
 *
 * Pegasos (seeds 000, 002; Shalev-Shwartz, Singer, Srebro, ICML 2007), SGD (seed 004, Alg. 1),
 * SGD-W (Lacoste-Julien, Schmidt, Bach 2012), suffix averaging (Rakhlin, Shamir, Sridharan, ICML
 * 2012).
 *
 * From 0 the first factor is 0: w_1 = 0, so v stays 0 and s may stay 1. From the w of a model t
 * starts later, where no factor is 0.
 *
 * Averages. With weights a_t, sum a_t w_t = sum a_t s_t v_t. When v changes by d in step t, each
 * later term contains d and no earlier one does; with S_t = a_1 s_1 + .. + a_t s_t that is
 *
 *     sum_t a_t w_t = S_T v - B,      B += S_t d in step t,
 *
 * so that B changes where v does. Where projections make s small, v becomes large, and S v - B
 * would cancel: then both are folded, which costs O(n), but only once for each factor of 100.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/stochastic.h"

struct sgd {
    double *v;        /* [width] */
    double *b;        /* [width] B; NULL if nothing is averaged */
    double *chosen;   /* [width] w_r of a random iterate; NULL if there is none */
    double *square;   /* [rows] |x_i|^2; NULL without projection */
    double scale;     /* s */
    double sum;       /* S */
    double projected; /* the factor that projections have put into s since the last fold */
    double norm;      /* |v|^2, with projection */
    double peak;      /* the largest norm since it was computed anew */
    double drift;     /* non-zeros added to v since norm was computed anew */
};

/* ---- Averaging --------------------------------------------------------- */

static double average_weight(const struct run *run)
{
    switch (run->average) {
    case HINGE_AVERAGE_UNIFORM:
        return 1;
    case HINGE_AVERAGE_WEIGHTED:
        return run->t;
    case HINGE_AVERAGE_SUFFIX:
        return run->t >= run->suffix_start ? 1 : 0;
    default:
        return 0;
    }
}

/* Sum of the weights of the steps taken. */
static double average_total(const struct run *run)
{
    switch (run->average) {
    case HINGE_AVERAGE_UNIFORM:
        return run->t - run->begin;
    case HINGE_AVERAGE_WEIGHTED:
        return (run->t - run->begin) * (run->t + run->begin + 1) / 2;
    case HINGE_AVERAGE_SUFFIX:
        return run->t - run->suffix_start + 1;
    default:
        return 0;
    }
}

static void output(const struct run *run, const void *state, double *w)
{
    const struct sgd *sgd = state;
    double total = average_total(run);

    if (run->average == HINGE_AVERAGE_RANDOM && run->t >= run->random_step)
        memcpy(w, sgd->chosen, run->width * sizeof *w);
    else if (total > 0)
        for (size_t j = 0; j < run->width; j++)
            w[j] = (sgd->sum * sgd->v[j] - sgd->b[j]) / total;
    else
        for (size_t j = 0; j < run->width; j++)
            w[j] = sgd->scale * sgd->v[j];
}

/* ---- A step ------------------------------------------------------------ */

/* Begins anew with s = 1, S = 0: v := s v, B := B - S v, which leaves w and the sum as they are. */
static void fold(const struct run *run, struct sgd *sgd)
{
    for (size_t j = 0; j < run->width; j++) {
        if (sgd->b)
            sgd->b[j] -= sgd->sum * sgd->v[j];
        sgd->v[j] *= sgd->scale;
    }
    sgd->norm *= sgd->scale * sgd->scale;
    sgd->peak *= sgd->scale * sgd->scale;
    sgd->sum = 0;
    sgd->scale = sgd->projected = 1;
}

/* Whether S v and B would become so much larger than their difference that digits are lost: because
 * of projections since the last fold, or of the one that the step to be taken calls for. Or, where
 * nothing is averaged, whether |v|^2 would leave the range of double. */
static int would_cancel(const struct run *run, const struct sgd *sgd)
{
    double change = 0;

    for (uint32_t b = 0; b < run->k; b++)
        change += fabs(run->factor[b]) * sqrt(sgd->square[run->batch[b]]);
    if (!sgd->b)
        return change > 1e100 * sgd->scale;
    return sgd->projected < 0.01 || change > 100 * sgd->scale * sqrt(fmax(sgd->norm, 0));
}

/* v += factor x_i, and B and |v|^2 with it. */
static void add_row(const struct run *run, struct sgd *sgd, uint32_t i, double factor)
{
    const struct hinge_dataset *data = run->problem->data;
    const double bias = run->problem->bias;
    const struct sparse row = binary_row(run->problem, i);

    if (sgd->square)
        sgd->norm +=
            factor * (2 * binary_decision(run->problem, i, sgd->v) + factor * sgd->square[i]);
    sgd->peak = fmax(sgd->peak, sgd->norm);
    sparse_add(&row, factor, sgd->v);
    if (bias >= 0)
        sgd->v[data->features] += factor * bias;
    sgd->drift += (double)row.count + 1;
    if (!sgd->b || sgd->sum == 0)
        return;
    sparse_add(&row, sgd->sum * factor, sgd->b);
    if (bias >= 0)
        sgd->b[data->features] += sgd->sum * factor * bias;
}

/* Scales w down to |w| <= 1/sqrt(sigma). |v|^2 is computed anew after as many additions as that
 * costs, which keeps its rounding errors at those of a few passes over v, and when it has been much
 * larger meanwhile. */
static void project(const struct run *run, struct sgd *sgd)
{
    double length;

    if (sgd->drift > (double)run->width || sgd->norm < 0.01 * sgd->peak) {
        sgd->norm = sgd->peak = dense_dot(sgd->v, sgd->v, run->width);
        sgd->drift = 0;
    }
    length = sgd->scale * sqrt(fmax(sgd->norm, 0) * run->sigma);
    if (length <= 1)
        return;
    sgd->scale /= length;
    sgd->projected /= length;
}

/* Asks for the entries of v and B that the next row needs. */
static void fetch_vectors(const struct run *run, const struct sgd *sgd)
{
    size_t start, end;

    if (run->width < FETCH_WIDTH)
        return;
    sampler_peek(&run->sampler, &start, &end);
    for (size_t e = start; e < end; e++) {
        const uint32_t j = hinge_index(&run->problem->data->x, e);

        PREFETCH(&sgd->v[j]);
        if (sgd->b)
            PREFETCH(&sgd->b[j]);
    }
}

static void step(struct run *run, void *state)
{
    struct sgd *sgd = state;
    const struct recipe *recipe = run->task->recipe;
    const struct binary_problem *problem = run->problem;
    double eta = recipe->step / (run->sigma * (run->t + recipe->shift));
    double shrink = (run->t + recipe->shift - recipe->step) / (run->t + recipe->shift);

    fetch_vectors(run, sgd);
    if (sgd->chosen && run->t == run->random_step)
        for (size_t j = 0; j < run->width; j++)
            sgd->chosen[j] = sgd->scale * sgd->v[j];
    for (uint32_t b = 0; b < run->k; b++) {
        uint32_t i = run->batch[b];
        double z = problem->sign[i] * sgd->scale * binary_decision(problem, i, sgd->v);

        run->factor[b] =
            z < 1 ? eta / run->k * problem->sign[i] * problem->cost[i] * run->weight_scale : 0;
    }
    sgd->sum += average_weight(run) * sgd->scale;
    if (sgd->scale < 1e-100 || (recipe->projection && would_cancel(run, sgd)))
        fold(run, sgd);
    if (shrink > 0)
        sgd->scale *= shrink;
    for (uint32_t b = 0; b < run->k; b++)
        if (run->factor[b] != 0)
            add_row(run, sgd, run->batch[b], run->factor[b] / sgd->scale);
    if (recipe->projection)
        project(run, sgd);
}

/* ---- The solver -------------------------------------------------------- */

static enum hinge_status sgd_new(struct sgd *sgd, const struct run *run, struct hinge_error *error)
{
    int averages = run->average != HINGE_AVERAGE_NONE && run->average != HINGE_AVERAGE_RANDOM;
    size_t rows = run->problem->rows;

    if (!(sgd->v = array_new(run->width, sizeof *sgd->v, error)) ||
        (averages && !(sgd->b = array_new(run->width, sizeof *sgd->b, error))) ||
        (run->average == HINGE_AVERAGE_RANDOM &&
         !(sgd->chosen = array_new(run->width, sizeof *sgd->chosen, error))) ||
        (run->task->recipe->projection &&
         !(sgd->square = array_new(rows, sizeof *sgd->square, error))))
        return failure(error);
    for (uint32_t i = 0; sgd->square && i < rows; i++)
        sgd->square[i] = binary_square(run->problem, i);
    if (run->task->start) {
        memcpy(sgd->v, run->task->start, run->width * sizeof *sgd->v);
        sgd->norm = sgd->peak = dense_dot(sgd->v, sgd->v, run->width);
    }
    return HINGE_OK;
}

static void sgd_free(struct sgd *sgd)
{
    free(sgd->v);
    free(sgd->b);
    free(sgd->chosen);
    free(sgd->square);
}

enum hinge_status sgd_solve(const struct solver_task *task, double *w, struct hinge_result *result,
                            struct hinge_error *error)
{
    static const struct engine engine = {step, output};
    enum hinge_status status = HINGE_OK;
    struct sgd sgd = {.scale = 1, .projected = 1};
    struct stopwatch watch;
    struct run run;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    if (run_new(&run, task, error) || sgd_new(&sgd, &run, error))
        status = failure(error);
    else
        run_steps(&run, &engine, &sgd, w, result);
    sgd_free(&sgd);
    run_free(&run);
    result->seconds = stopwatch_processor(&watch);
    return status;
}
