/* face.c - alpha_F := alpha_F - t (Q_FF + diag(d) + mu I)^-1 G_F, clipped to the box.
 *
 * F are the rows with 0 < alpha_i < U_i, Q_ij = y_i y_j <x_i, x_j>, G the gradient of the dual: the
 * projected Newton method (Bertsekas, SIAM J. Control and Optimization 1982), kept to the face that
 * coordinate descent has reached. Its passes before and after exchange rows between F and the
 * bounds, as gradient projection does in turn with conjugate gradients on the face in the method of
 * More and Toraldo (SIAM J. Optim. 1991). mu is there for rows that depend on each other.
 *
 * Clipping bends the path. Between two bends the dual is a parabola, so that bisection over the
 * sorted bends and one division find a minimum along it.
 */
#include "solver/face.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/gram.h"

struct face {
    const struct binary_problem *problem;
    enum loss loss;
    struct gram *gram;
    size_t width;
    uint32_t members; /* rows in F */
    uint32_t *member; /* [rows] which they are */
    double part;      /* how much of the step it was gone */
    double *memory;   /* the arrays below */
    double *ridge;    /* [rows] d_i + mu */
    double *shift;    /* [width] sum change_i y_i x_i */
    double *alpha;    /* [members], as those below */
    double *descent;  /* -G */
    double *step;     /* what alpha is to change by */
    double *change;   /* what it does: so much of the step, clipped */
    double *product;  /* y_i <x_i, shift> */
    double *bend;     /* how much of the step takes alpha to its bound */
    double *bends;    /* those below 1, sorted */
};

/* ---- Setting up -------------------------------------------------------- */

void face_free(struct face *face)
{
    if (!face)
        return;
    gram_free(face->gram);
    free(face->member);
    free(face->memory);
    free(face);
}

static double loss_curvature(const struct face *face, uint32_t i)
{
    return face->loss == LOSS_L2 ? 1 / (2 * face->problem->cost[i]) : 0;
}

/* ridge := d + mu. Along rows that depend on each other only mu stops a step: with 1/U_i, where the
 * rest of the box is. More than a small part of |x_i|^2 would slow down all others, and what is
 * below the digits of the factor spoils it. */
static void form_ridge(struct face *face)
{
    const uint32_t rows = face->problem->rows;
    double mean = 0;

    for (uint32_t i = 0; i < rows; i++)
        mean += binary_square(face->problem, i) / rows;
    for (uint32_t i = 0; i < rows; i++) {
        const double mu = face->loss == LOSS_L1 ? 1 / face->problem->cost[i] : 0;

        face->ridge[i] = fmax(loss_curvature(face, i) + fmin(mu, 1e-4 * mean), 1e-7 * mean);
        if (!(face->ridge[i] > 0))
            face->ridge[i] = 1; /* no row has a feature */
    }
}

struct face *face_new(const struct binary_problem *problem, enum loss loss,
                      struct hinge_error *error)
{
    struct face *face = array_new(1, sizeof *face, error);
    const size_t rows = problem->rows, width = binary_width(problem);
    double **arrays[7];

    if (!face)
        return NULL;
    face->problem = problem;
    face->loss = loss;
    face->width = width;
    if (!(face->gram = gram_new(problem, error)) ||
        !(face->member = array_new(rows, sizeof *face->member, error)) ||
        !(face->memory = array_new(8 * rows + width, sizeof(double), error))) {
        face_free(face);
        return NULL;
    }
    arrays[0] = &face->alpha;
    arrays[1] = &face->descent;
    arrays[2] = &face->step;
    arrays[3] = &face->change;
    arrays[4] = &face->product;
    arrays[5] = &face->bend;
    arrays[6] = &face->bends;
    for (size_t k = 0; k < 7; k++)
        *arrays[k] = face->memory + k * rows;
    face->ridge = face->memory + 7 * rows;
    face->shift = face->ridge + rows;
    form_ridge(face);
    return face;
}

/* ---- The path ---------------------------------------------------------- */

static double upper(const struct face *face, uint32_t s)
{
    return face->loss == LOSS_L1 ? face->problem->cost[face->member[s]] : HUGE_VAL;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Finds the bends. How many there are below 1. */
static size_t find_bends(struct face *face)
{
    size_t bends = 0;

    for (uint32_t s = 0; s < face->members; s++) {
        const double step = face->step[s];
        const double room = step < 0 ? -face->alpha[s] : upper(face, s) - face->alpha[s];

        face->bend[s] = step != 0 ? room / step : HUGE_VAL;
        if (face->bend[s] < 1)
            face->bends[bends++] = face->bend[s];
    }
    qsort(face->bends, bends, sizeof *face->bends, ascending);
    return bends;
}

/* Goes to t on the path, rows whose bend is at t or before being clipped: forms change, shift and
 * product. The slope of the dual behind t. */
static double go_to(struct face *face, double t)
{
    double slope = 0;

    face->part = t;
    for (uint32_t s = 0; s < face->members; s++)
        face->change[s] = fmin(t, face->bend[s]) * face->step[s];
    gram_combine(face->gram, face->change, face->shift);
    gram_margins(face->gram, face->shift, face->product);
    for (uint32_t s = 0; s < face->members; s++)
        if (face->bend[s] > t)
            slope += face->step[s] * (face->product[s] - face->descent[s] +
                                      loss_curvature(face, face->member[s]) * face->change[s]);
    return slope;
}

/* By how much the dual has fallen where go_to has gone. */
static double fall(const struct face *face)
{
    double fall = 0;

    for (uint32_t s = 0; s < face->members; s++) {
        const double change = face->change[s];
        const double curvature = loss_curvature(face, face->member[s]);

        fall += change * (face->descent[s] - (face->product[s] + curvature * change) / 2);
    }
    return fall;
}

/* The second derivative of the dual between t and the next bend. */
static double curvature_behind(struct face *face, double t)
{
    double curvature = 0;

    for (uint32_t s = 0; s < face->members; s++) {
        const double step = face->bend[s] > t ? face->step[s] : 0;

        face->change[s] = step;
        curvature += loss_curvature(face, face->member[s]) * step * step;
    }
    gram_combine(face->gram, face->change, face->shift);
    return curvature + dense_dot(face->shift, face->shift, face->width);
}

/* Goes to the minimum of the parabola that begins at t, or, if that is nearer, to its end. */
static void go_down(struct face *face, double t, double slope, double end)
{
    const double curvature = curvature_behind(face, t);

    if (slope < 0 && curvature > 0)
        t = fmin(t - slope / curvature, end);
    else if (slope < 0)
        t = end;
    go_to(face, t);
}

/* Goes to a minimum along the path. The parabola it is on begins at the last bend where the dual
 * still falls. That of two minima a lower one may be missed, or that, by rounding errors, there is
 * none, does no harm: the first parabola falls in any case. By how much the dual has fallen. */
static double search(struct face *face)
{
    const size_t bends = find_bends(face);
    const double first = go_to(face, 0);
    size_t low = 0, high = bends + 1; /* bends before the parabola */
    double slope = first, decrease;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const double behind = middle > bends ? 0 : go_to(face, face->bends[middle - 1]);

        if (behind < 0) {
            low = middle;
            slope = behind;
        } else {
            high = middle;
        }
    }
    go_down(face, low > 0 ? face->bends[low - 1] : 0, slope, low < bends ? face->bends[low] : 1);
    decrease = fall(face);
    if (decrease > 0 || low == 0)
        return decrease;
    go_down(face, 0, first, bends > 0 ? face->bends[0] : 1);
    return fall(face);
}

/* ---- A step ------------------------------------------------------------ */

static void choose(struct face *face, const double *alpha)
{
    face->members = 0;
    for (uint32_t i = 0; i < face->problem->rows; i++)
        if (alpha[i] > 0 && (face->loss == LOSS_L2 || alpha[i] < face->problem->cost[i])) {
            face->alpha[face->members] = alpha[i];
            face->member[face->members++] = i;
        }
    gram_choose(face->gram, face->member, face->members, face->ridge);
}

/* alpha where the path has been gone to; what was clipped stands at its bound exactly. */
static void take(const struct face *face, double *alpha)
{
    for (uint32_t s = 0; s < face->members; s++) {
        const double bound = face->step[s] < 0 ? 0 : upper(face, s);
        const double moved = fmin(fmax(face->alpha[s] + face->change[s], 0), upper(face, s));

        alpha[face->member[s]] = face->bend[s] <= face->part ? bound : moved;
    }
}

/* One solution of the system, and one search. By how much the dual falls. */
static double go_on(struct face *face, double *alpha, double *w)
{
    enum { MOST_GRADIENTS = 200 };
    double decrease;

    choose(face, alpha);
    gram_margins(face->gram, w, face->descent);
    for (uint32_t s = 0; s < face->members; s++)
        face->descent[s] =
            1 - face->descent[s] - loss_curvature(face, face->member[s]) * face->alpha[s];
    /* a tenth will do: the rows that come and go are the larger error */
    gram_solve(face->gram, face->descent, face->step, 0.1, MOST_GRADIENTS);
    decrease = search(face);
    if (!(decrease > 0))
        return 0;
    take(face, alpha);
    for (size_t j = 0; j < face->width; j++)
        w[j] += face->shift[j];
    return decrease;
}

/* A search that ends early has met the bounds of rows that much of the step was about: the rest of
 * it has no meaning, and another for the rows left costs little while the factor is fresh. */
double face_step(struct face *face, double *alpha, double *w)
{
    enum { MOST_ROUNDS = 10 };
    double decrease = 0;

    for (int k = 0; k < MOST_ROUNDS; k++) {
        const double now = go_on(face, alpha, w);

        decrease += now;
        if (now == 0 || face->part > 0.5)
            break;
    }
    return decrease;
}

double face_spent(const struct face *face)
{
    return gram_spent(face->gram);
}

/* The steps are about what they were where they are needed down to a gap of 1e-3: on one data set
 * of those in the README. The search takes some ten times two passes over the rows. */
double face_price(const struct binary_problem *problem, double logarithm, double support,
                  double nonzeros)
{
    const double steps = 4 + 0.6 * logarithm;

    return steps * (gram_price(support, nonzeros, (double)binary_width(problem)) + 16 * nonzeros);
}
