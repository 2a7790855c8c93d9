/* newton.c prototype */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "solver/normal.h"
#include "solver/solver.h"

struct newton {
    const struct solver_task *task;
    struct normal *normal;
    double *w;
    double *memory;
    double *alpha, *centre, *z, *dz, *weight; /* rows */
    double *gradient, *step, *v;              /* width */
    double prox;
    size_t width;
    uint32_t rows;
    double primal, dual, smooth, rough; /* gap = smooth + rough */
    uint32_t free_rows;
    double spread;
    struct hinge_progress progress;
    size_t cg;
};

static double P_(const char *n, double d) { const char *v = getenv(n); return v ? atof(v) : d; }

static double alpha_at(const struct newton *nw, uint32_t i, double z, int *freev)
{
    double cost = nw->task->problem->cost[i];
    double a;
    if (nw->task->loss == LOSS_L2) {
        a = 2 * cost * (1 - z);
        *freev = a > 0;
        return a > 0 ? a : 0;
    }
    a = nw->centre[i] + (1 - z) / nw->prox;
    *freev = a > 0 && a < cost;
    return a <= 0 ? 0 : a >= cost ? cost : a;
}

static double dotv(const double *a, const double *b, size_t n)
{
    double s = 0;
    for (size_t j = 0; j < n; j++) s += a[j] * b[j];
    return s;
}

static void decide(struct newton *nw, const double *w, double *z)
{
    for (uint32_t i = 0; i < nw->rows; i++)
        z[i] = nw->task->problem->sign[i] * binary_decision(nw->task->problem, i, w);
}

static void evaluate(struct newton *nw)
{
    double loss = 0, asum = 0, rough = 0, reg = 0;
    nw->free_rows = 0; nw->spread = 0;
    for (uint32_t i = 0; i < nw->rows; i++) {
        int freev; double c = nw->task->problem->cost[i];
        double slack = 1 - nw->z[i], l;
        nw->alpha[i] = alpha_at(nw, i, nw->z[i], &freev);
        nw->weight[i] = freev ? (nw->task->loss == LOSS_L2 ? 2 * c : 1) : 0;
        nw->free_rows += freev;
        l = slack > 0 ? (nw->task->loss == LOSS_L2 ? c * slack * slack : c * slack) : 0;
        loss += l; asum += nw->alpha[i];
        nw->spread += nw->alpha[i]*nw->alpha[i];
        if (nw->task->loss == LOSS_L2) reg += nw->alpha[i] * nw->alpha[i] / (4 * c);
        else rough += l - nw->alpha[i] * slack;
    }
    binary_weights(nw->task->problem, nw->alpha, nw->v);
    for (size_t j = 0; j < nw->width; j++) nw->gradient[j] = nw->w[j] - nw->v[j];
    nw->smooth = dotv(nw->gradient, nw->gradient, nw->width) / 2;
    nw->rough = rough;
    nw->primal = dotv(nw->w, nw->w, nw->width) / 2 + loss;
    nw->dual = dotv(nw->v, nw->v, nw->width) / 2 + reg - asum;
}

static double slope(struct newton *nw, double t, double wp, double pp, double *curv)
{
    double h = wp + t * pp, k = pp;
    for (uint32_t i = 0; i < nw->rows; i++) {
        int freev; double a = alpha_at(nw, i, nw->z[i] + t * nw->dz[i], &freev);
        h -= a * nw->dz[i];
        if (freev) k += nw->dz[i] * nw->dz[i] * (nw->task->loss == LOSS_L2 ? 2 * nw->task->problem->cost[i] : 1 / nw->prox);
    }
    *curv = k;
    return h;
}

static double line_search(struct newton *nw, int *evals)
{
    double wp = dotv(nw->w, nw->step, nw->width), pp = dotv(nw->step, nw->step, nw->width);
    double lo = 0, hi = HUGE_VAL, t = 1, k, h0 = dotv(nw->gradient, nw->step, nw->width);
    for (*evals = 1; *evals < 50; ++*evals) {
        double h = slope(nw, t, wp, pp, &k);
        if (fabs(h) <= P_("LS", 0.05) * fabs(h0)) break;
        if (h < 0) lo = t; else hi = t;
        t -= h / k;
        if (!(t > lo && t < hi)) t = hi == HUGE_VAL ? 2 * lo : (lo + hi) / 2;
    }
    return t;
}

enum hinge_status newton_solve(const struct solver_task *task, double *w, struct hinge_result *result, struct hinge_error *error)
{
    struct newton nw = {.task = task, .w = w};
    struct stopwatch watch;
    size_t rows = task->problem->rows, width = binary_width(task->problem);
    double target = solver_target(task->parameters);
    int verbose = getenv("V") != NULL, outer = 0;
    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    nw.rows = (uint32_t)rows; nw.width = width;
    nw.progress = progress_new(task);
    nw.memory = array_new(5 * rows + 3 * width, sizeof(double), error);
    nw.normal = normal_new(task->problem, width <= P_("DIRECT", 1000) ? NORMAL_DIRECT : NORMAL_ITERATIVE, error);
    if (!nw.memory || !nw.normal) return failure(error);
    nw.alpha = nw.memory; nw.centre = nw.alpha + rows; nw.z = nw.centre + rows; nw.dz = nw.z + rows; nw.weight = nw.dz + rows;
    nw.gradient = nw.weight + rows; nw.step = nw.gradient + width; nw.v = nw.step + width;
    if (task->start) {
        for (uint32_t i = 0; i < rows; i++) nw.centre[i] = task->start[i];
        binary_weights(task->problem, nw.centre, w);
    } else
        memset(w, 0, width * sizeof *w);
    decide(&nw, w, nw.z);
    nw.prox = P_("MU0", 1e-2);
    if (task->start) {
        double sp = 0, gap = 0;
        for (uint32_t i = 0; i < rows; i++) { double s = 1 - nw.z[i], c = task->problem->cost[i]; sp += nw.centre[i]*nw.centre[i]; gap += (s > 0 ? c * s : 0) - nw.centre[i] * s; }
        nw.prox = P_("KAPPA", 0.3) * gap / sp;
    }
    for (int it = 0; it < 300; it++) {
        int ev; double t;
        size_t cg;
        evaluate(&nw);
        if (task->loss == LOSS_L1)
        for (int upd = 0; upd < 5 && nw.smooth <= P_("INNER", 0.3) * nw.rough && nw.smooth + nw.rough > target * nw.primal; upd++) {
            if (verbose) fprintf(stderr, "  outer %d: P %.10g gap %.3e smooth %.2e rough %.2e mu %.2e free %u\n", outer, nw.primal, (nw.primal + nw.dual) / nw.primal, nw.smooth / nw.primal, nw.rough / nw.primal, nw.prox, nw.free_rows);
            memcpy(nw.centre, nw.alpha, rows * sizeof(double));
            nw.prox = fmin(nw.prox * P_("DOWN", 0.3), fmax(nw.prox * P_("FLOOR",0.1), P_("KAPPA", 0.3) * (nw.rough+nw.smooth) / nw.spread));
            outer++;
            evaluate(&nw);
        }
        if (verbose) fprintf(stderr, "it %d P %.10g D %.10g gap %.3e smooth %.2e rough %.2e free %u time %.3f\n", it, nw.primal, nw.dual, (nw.primal + nw.dual) / nw.primal, nw.smooth / nw.primal, nw.rough / nw.primal, nw.free_rows, stopwatch_processor(&watch));
        if (nw.smooth + nw.rough <= target * nw.primal) break;
        normal_form(nw.normal, nw.weight, task->loss == LOSS_L2 ? 1 : 1 / nw.prox);
        double ti = stopwatch_processor(&watch);
        cg = normal_solve(nw.normal, nw.gradient, nw.step, P_("CGT", 0.1), (size_t)P_("CGM", 500));
        for (size_t j = 0; j < width; j++) nw.step[j] = -nw.step[j];
        decide(&nw, nw.step, nw.dz);
        double ti2 = stopwatch_processor(&watch);
        t = line_search(&nw, &ev);
        if (verbose) fprintf(stderr, "     cg %zu evals %d t %g  form-end %.4f solve %.4f ls %.4f\n", cg, ev, t, ti, ti2, stopwatch_processor(&watch));
        for (size_t j = 0; j < width; j++) w[j] += t * nw.step[j];
        for (uint32_t i = 0; i < rows; i++) nw.z[i] += t * nw.dz[i];
        nw.progress.passes++;
    }
    decide(&nw, w, nw.z);
    evaluate(&nw);
    result->outcome = HINGE_CERTIFIED;
    result->primal = nw.primal; result->dual = nw.dual; result->gap = (nw.primal + nw.dual) / nw.primal;
    result->passes = nw.progress.passes;
    free(nw.memory); normal_free(nw.normal);
    result->seconds = stopwatch_processor(&watch);
    return HINGE_OK;
}
