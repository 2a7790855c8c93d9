/* cg.c - d := M^-1 r + (r'M^-1 r / the one before) d,  p += t d,  r -= t A d,
 * t = r'M^-1 r / d'A d.
 */
#include "solver/linear/cg.h"

#include <float.h>
#include <string.h>

#include "problem/kernel.h"

void cg_lay_out(struct cg *cg, struct arena *arena, size_t order)
{
    cg->residual = arena_take(arena, order, sizeof *cg->residual);
    cg->direction = arena_take(arena, order, sizeof *cg->direction);
    cg->product = arena_take(arena, order, sizeof *cg->product);
    cg->corrected = arena_take(arena, order, sizeof *cg->corrected);
}

void cg_solve(const struct cg *cg, size_t order, const double *r, double *p, double tolerance,
              unsigned most)
{
    const double enough = tolerance * tolerance * dense_dot(r, r, order);
    double before = 0; /* r'M^-1 r of the previous step; 0: the direction starts anew */

    memset(p, 0, order * sizeof *p);
    memcpy(cg->residual, r, order * sizeof *r);
    for (unsigned k = 0; k < most; k++) {
        enum preconditioner preconditioner;
        double now, curvature, length;

        if (dense_dot(cg->residual, cg->residual, order) <= enough || stop_is_asked(&cg->stop))
            return;
        preconditioner = cg->prepare ? cg->prepare(cg->context) : UNCHANGED;
        if (preconditioner == STOPPED)
            return;
        cg->precondition(cg->context, cg->residual, cg->corrected);
        if (preconditioner == EXACT) {
            for (size_t j = 0; j < order; j++)
                p[j] += cg->corrected[j];
            memset(cg->residual, 0, order * sizeof *cg->residual);
            return;
        }
        if (preconditioner == RENEWED)
            before = 0;
        now = dense_dot(cg->residual, cg->corrected, order);
        for (size_t j = 0; j < order; j++)
            cg->direction[j] =
                cg->corrected[j] + (before > 0 ? now / before * cg->direction[j] : 0);
        cg->multiply(cg->context, cg->direction, cg->product);
        curvature = dense_dot(cg->direction, cg->product, order);
        length = curvature > 0 ? now / curvature : 0;
        if (!(length > 0 && length <= DBL_MAX))
            return;
        for (size_t j = 0; j < order; j++) {
            p[j] += length * cg->direction[j];
            cg->residual[j] -= length * cg->product[j];
        }
        before = now;
    }
}
