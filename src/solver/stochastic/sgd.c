/* sgd.c - w := (1 - eta sigma) w - eta g, with w = s v: a step costs as much as its rows' entries.
 *
 * Pegasos (Shalev-Shwartz, Singer, Srebro, ICML 2007), SGD, SGD-W (Lacoste-Julien, Schmidt, Bach
 * 2012), suffix averaging (Rakhlin, Shamir, Sridharan, ICML 2012), and COMID and HRMD-W without an
 * l1 term.
 *
 * The first factor 1 - eta sigma is 0 if w starts at 0: then v stays 0, and s can stay 1. If w
 * starts at a model, t starts later, and no factor is 0.
 *
 * Averages. With weights a_t, sum a_t w_t = sum a_t s_t v_t. If v changes by d in step t, all later
 * terms contain d and no earlier term does. With S_t = a_1 s_1 + .. + a_t s_t, this means
 *
 *     sum_t a_t w_t = S_T v - B,      B += S_t d in step t,
 *
 * so B changes only where v does. When projections make s small, v becomes large and S v - B would
 * cancel. Then v and B are folded, which costs O(width), once for each factor of 100.
 */
#include <math.h>
#include <string.h>

#include "solver/stochastic/stochastic.h"

struct sgd {
    struct stochastic run;
    double *v;        /* [width] */
    double *b;        /* [width] B; NULL: no average is asked for */
    double *chosen;   /* [width] the random iterate w_r; NULL: it is not asked for */
    double *square;   /* [rows] |x_i|^2; NULL: there is no projection */
    double scale;     /* s */
    double sum;       /* S */
    double projected; /* factor in s by projections since the last fold */
    double norm;      /* |v|^2, kept for projections */
    double peak;      /* largest norm since it was computed anew */
    double drift;     /* entries added to v since norm was computed anew */
};

/* Writes the iterate or average to be returned now. */
static void output(const void *state, double *w)
{
    const struct sgd *s = state;
    const struct stochastic *run = &s->run;
    const double steps = run->t - run->begin;
    double total = 0; /* a_1 + .. + a_t */

    if (run->average == HINGE_AVERAGE_UNIFORM)
        total = steps;
    else if (run->average == HINGE_AVERAGE_WEIGHTED)
        total = steps * ((run->t + run->begin + 1) / 2 + run->schedule->later);
    else if (run->average == HINGE_AVERAGE_SUFFIX)
        total = run->t - run->suffix_start + 1;
    if (run->average == HINGE_AVERAGE_RANDOM && run->t >= run->random_step)
        memcpy(w, s->chosen, run->width * sizeof *w);
    else if (total > 0)
        for (size_t j = 0; j < run->width; j++)
            w[j] = (s->sum * s->v[j] - s->b[j]) / total;
    else
        for (size_t j = 0; j < run->width; j++)
            w[j] = s->scale * s->v[j];
}

/* ---- A step ------------------------------------------------------------ */

/* Sets B := B - S v, v := s v, S := 0, s := 1, which changes neither w nor the sum of iterates. */
static void fold(struct sgd *s)
{
    for (size_t j = 0; j < s->run.width; j++) {
        if (s->b)
            s->b[j] -= s->sum * s->v[j];
        s->v[j] *= s->scale;
    }
    s->norm *= s->scale * s->scale;
    s->peak *= s->scale * s->scale;
    s->sum = 0;
    s->scale = s->projected = 1;
}

/* Scales w down to |w| <= 1/sqrt(sigma). |v|^2 is computed anew after as many additions as that
 * takes, so it has the rounding errors of a few passes over v. It is also computed anew below a
 * hundredth of its peak. */
static void project(struct sgd *s)
{
    double length;

    if (s->drift > (double)s->run.width || s->norm < 0.01 * s->peak) {
        s->norm = s->peak = dense_dot(s->v, s->v, s->run.width);
        s->drift = 0;
    }
    length = s->scale * sqrt(fmax(s->norm, 0) * s->run.sigma);
    if (length <= 1)
        return;
    s->scale /= length;
    s->projected /= length;
}

static void take(void *state)
{
    struct sgd *s = state;
    struct stochastic *run = &s->run;
    const struct schedule *schedule = run->schedule;
    const struct problem *problem = run->problem;
    const double eta = schedule->step / (run->sigma * (run->t + schedule->shift));
    const double shrink = (run->t + schedule->shift - schedule->step) / (run->t + schedule->shift);
    double change = 0, weight = 0; /* weight: a_t */

    if (run->average == HINGE_AVERAGE_WEIGHTED)
        weight = run->t + schedule->later;
    else if (run->average == HINGE_AVERAGE_UNIFORM ||
             (run->average == HINGE_AVERAGE_SUFFIX && run->t >= run->suffix_start))
        weight = 1;
    if (s->chosen && run->t == run->random_step)
        for (size_t j = 0; j < run->width; j++)
            s->chosen[j] = s->scale * s->v[j];
    for (uint32_t b = 0; b < run->k; b++) {
        const uint32_t i = run->batch[b];
        const double z = problem->sign[i] * s->scale * problem_decision(problem, i, s->v);
        const double descent =
            loss_slope(problem->loss, problem_target(problem, i, problem->loss) - z);

        run->factor[b] = descent > 0 ? eta / run->k * problem->sign[i] * problem_cost(problem, i) *
                                           run->weight_scale * descent
                                     : 0;
        if (schedule->projection)
            change += fabs(run->factor[b]) * sqrt(s->square[i]);
    }
    s->sum += weight * s->scale;
    /* v is folded if projections since the last fold, or the one that this step will need, would
     * make S v and B so large that their difference loses digits. Without an average, it is folded
     * before |v|^2 leaves the range of double. */
    if (s->scale < 1e-100 ||
        (schedule->projection &&
         (s->b ? s->projected < 0.01 || change > 100 * s->scale * sqrt(fmax(s->norm, 0))
               : change > 1e100 * s->scale)))
        fold(s);
    if (shrink > 0)
        s->scale *= shrink;
    for (uint32_t b = 0; b < run->k; b++)
        if (run->factor[b] != 0) { /* adds the row to v, and updates B and |v|^2 */
            const struct sparse x = problem_row(problem, run->batch[b]);
            const double factor = run->factor[b] / s->scale;

            if (s->square)
                s->norm += factor *
                           (2 * problem_dot(problem, &x, s->v) + factor * s->square[run->batch[b]]);
            s->peak = fmax(s->peak, s->norm);
            problem_add(problem, &x, factor, s->v);
            s->drift += (double)x.count + 1;
            if (s->b && s->sum != 0)
                problem_add(problem, &x, s->sum * factor, s->b);
        }
    if (schedule->projection)
        project(s);
}

/* ---- The method -------------------------------------------------------- */

static void lay_out(void *state, struct arena *arena, const struct training *training)
{
    const enum hinge_average average = stochastic_average(training);
    const size_t width = training->width;
    struct sgd *s = state;

    stochastic_lay_out(&s->run, arena, training);
    s->v = arena_take(arena, width, sizeof *s->v);
    if (average == HINGE_AVERAGE_RANDOM)
        s->chosen = arena_take(arena, width, sizeof *s->chosen);
    else if (average != HINGE_AVERAGE_NONE)
        s->b = arena_take(arena, width, sizeof *s->b);
    if (training->task->solver->schedule.projection)
        s->square = arena_take(arena, training->rows, sizeof *s->square);
}

static enum hinge_status begin(void *state, struct training *training, struct hinge_error *error)
{
    struct sgd *s = state;

    (void)error;
    stochastic_set_up(&s->run, training);
    s->run.take = take;
    s->run.output = output;
    s->scale = s->projected = 1;
    for (uint32_t i = 0; s->square && i < training->rows; i++)
        s->square[i] = problem_square(training->problem, i);
    if (training->task->start) {
        memcpy(s->v, training->task->start, training->width * sizeof *s->v);
        s->norm = s->peak = dense_dot(s->v, s->v, training->width);
    }
    return HINGE_OK;
}

const struct method sgd = {.size = sizeof(struct sgd),
                           .lay_out = lay_out,
                           .begin = begin,
                           .step = stochastic_step,
                           .met = stochastic_met,
                           .measure = stochastic_measure};
