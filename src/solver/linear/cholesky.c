/* cholesky.c - U_ij = (A_ij + (i = j) - sum_k<i U_ki U_kj) / U_ii, a panel of rows at a time. */
#include "solver/linear/cholesky.h"

#include <float.h>
#include <math.h>

#include "base/compiler.h"

enum {
    PANEL = 32, /* finished rows that are taken from the others together, */
    LARGE_PANEL = 64,
    LARGE = 2048, /* from which order on: each panel is a pass over a matrix that no cache holds */
    TILE = 256,   /* columns that this is done for at a time: they stay in the cache */
    UNROLL = 4
};

/* LOST: so many of the last digits of A_jj are what rounding may have left of a pivot. In single
 * precision pivots nearly as small are wanted still: with 16, farm-ads takes a sixth more time. */
#define REAL       double
#define EPSILON    DBL_EPSILON
#define LOST       8
#define NAME(name) name
#include "solver/linear/cholesky_body.h"
#undef REAL
#undef EPSILON
#undef LOST
#undef NAME

#define REAL       float
#define EPSILON    FLT_EPSILON
#define LOST       1
#define NAME(name) single_##name
#include "solver/linear/cholesky_body.h"
