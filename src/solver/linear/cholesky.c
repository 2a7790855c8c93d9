/* cholesky.c - U_ij = (A_ij + (i = j) - sum_k<i U_ki U_kj) / U_ii, a panel of rows at a time. */
#include "solver/linear/cholesky.h"

#include <float.h>
#include <math.h>

enum {
    PANEL = 32, /* finished rows that are taken from the others together */
    TILE = 256, /* columns that this is done for at a time: they stay in the cache */
    UNROLL = 4
};

#define REAL       double
#define EPSILON    DBL_EPSILON
#define NAME(name) name
#include "solver/linear/cholesky_body.h"
#undef REAL
#undef EPSILON
#undef NAME

#define REAL       float
#define EPSILON    FLT_EPSILON
#define NAME(name) single_##name
#include "solver/linear/cholesky_body.h"
