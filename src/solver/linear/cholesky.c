/* cholesky.c - U_ij = (A_ij + (i = j) - sum_k<i U_ki U_kj) / U_ii, a panel of rows at a time. */
#include "solver/linear/cholesky.h"

#include <float.h>
#include <math.h>

#include "base/compiler.h"

enum {
    PANEL = 32,       /* finished rows that are subtracted together from the rows below */
    LARGE_PANEL = 64, /* from order LARGE on, where each panel is a pass over a matrix larger than
                         the caches */
    LARGE = 2048,
    TILE = 256, /* columns from which a panel is subtracted while they are in the cache */
    UNROLL = 4
};

/* A pivot below LOST units in the last place of A_jj is noise. In single precision, LOST must be
 * small: with 16 instead of 1, farm-ads takes a sixth more time. */
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
