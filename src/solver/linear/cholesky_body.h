/* cholesky_body.h - the functions of cholesky.c for one type of numbers: REAL, EPSILON, LOST, NAME.
 * It has no guard, because it is included once for each type. */

/* Subtracts multiples of four rows from a line below them. */
static ALWAYS_INLINE void NAME(take_four)(REAL *restrict line, const REAL *const *above,
                                          const REAL *factor, size_t from, size_t end)
{
    const REAL *a = above[0], *b = above[1], *c = above[2], *d = above[3];
    const REAL fa = factor[0], fb = factor[1], fc = factor[2], fd = factor[3];

    for (size_t j = from; j < end; j++)
        line[j] -= fa * a[j] + fb * b[j] + fc * c[j] + fd * d[j];
}

/* Subtracts multiples of four rows, the first of which is a, from row i and the three after it. */
static ALWAYS_INLINE void NAME(take_four_of_four)(REAL *restrict p, REAL *restrict q,
                                                  REAL *restrict r, REAL *restrict s, const REAL *a,
                                                  size_t order, size_t i, size_t from, size_t end)
{
    const REAL *b = a + order, *c = b + order, *d = c + order;
    const REAL pa = a[i], pb = b[i], pc = c[i], pd = d[i];
    const REAL qa = a[i + 1], qb = b[i + 1], qc = c[i + 1], qd = d[i + 1];
    const REAL ra = a[i + 2], rb = b[i + 2], rc = c[i + 2], rd = d[i + 2];
    const REAL sa = a[i + 3], sb = b[i + 3], sc = c[i + 3], sd = d[i + 3];

    for (size_t j = from; j < end; j++) {
        p[j] -= pa * a[j] + pb * b[j] + pc * c[j] + pd * d[j];
        q[j] -= qa * a[j] + qb * b[j] + qc * c[j] + qd * d[j];
        r[j] -= ra * a[j] + rb * b[j] + rc * c[j] + rd * d[j];
        s[j] -= sa * a[j] + sb * b[j] + sc * c[j] + sd * d[j];
    }
}

/* Subtracts multiples of the finished rows first .. end - 1 from row i, in columns
 * from .. until - 1. */
STATIC_VERSIONED(void, (void), NAME(take_panel),
                 (REAL * matrix, size_t order, size_t i, size_t first, size_t end, size_t from,
                  size_t until),
                 (matrix, order, i, first, end, from, until))
{
    REAL *line = matrix + i * order;
    size_t k = first;

    for (; k + UNROLL <= end; k += UNROLL) {
        const REAL *above[UNROLL];
        REAL factor[UNROLL];

        for (size_t u = 0; u < UNROLL; u++) {
            above[u] = matrix + (k + u) * order;
            factor[u] = above[u][i];
        }
        NAME(take_four)(line, (const REAL *const *)above, factor, from, until);
    }
    for (; k < end; k++) {
        const REAL *above = matrix + k * order;

        for (size_t j = from; j < until; j++)
            line[j] -= above[i] * above[j];
    }
}

/* Does what take_panel does, for rows i .. i + 3 and a multiple of UNROLL finished rows. */
STATIC_VERSIONED(void, (void), NAME(take_panel_of_four),
                 (REAL * matrix, size_t order, size_t i, size_t first, size_t end, size_t from,
                  size_t until),
                 (matrix, order, i, first, end, from, until))
{
    REAL *p = matrix + i * order, *q = p + order, *r = q + order, *s = r + order;

    for (size_t k = first; k < end; k += UNROLL)
        NAME(take_four_of_four)(p, q, r, s, matrix + k * order, order, i, from, until);
}

/* Subtracts the finished rows first .. end - 1 from all rows after them, in the tile of columns
 * that begins at from. Takes four rows at a time, and single rows where they meet the diagonal. */
static void NAME(take_tile)(REAL *matrix, size_t order, size_t first, size_t end, size_t from)
{
    const size_t until = from + TILE < order ? from + TILE : order;

    for (size_t i = end; i < until; i += UNROLL) {
        const size_t last = until - i < UNROLL ? until : i + UNROLL;
        const size_t corner = last > from ? last : from;

        for (size_t k = i; k < last; k++)
            NAME(take_panel)(matrix, order, k, first, end, k > from ? k : from, corner);
        if (corner < until)
            NAME(take_panel_of_four)(matrix, order, i, first, end, corner, until);
    }
}

int NAME(cholesky_factor)(REAL *matrix, size_t order, const struct stop *stop)
{
    static const double lost = LOST * EPSILON;
    const size_t panel = order < LARGE ? PANEL : LARGE_PANEL;

    for (size_t i = 1; i < order; i++) /* keeps A_ii, by which its pivot is judged */
        matrix[i * order] = matrix[i * order + i];
    for (size_t first = 0; first < order; first += panel) {
        const size_t end = first + panel < order ? first + panel : order;

        if (stop_is_asked(stop))
            return 0;
        for (size_t i = first; i < end; i++) {
            REAL *line = matrix + i * order;
            const double last_digits = lost * line[0];
            double pivot, factor;

            NAME(take_panel)(matrix, order, i, first, i, i, order);
            pivot = fmax(line[i] + 1, 1);
            factor = pivot >= last_digits ? 1 / sqrt(pivot) : 0;
            for (size_t j = i + 1; j < order; j++)
                line[j] *= (REAL)factor;
            line[i] = (REAL)(1 / sqrt(fmax(pivot, last_digits)));
        }
        for (size_t from = end; from < order; from += TILE)
            NAME(take_tile)(matrix, order, first, end, from);
    }
    return 1;
}

/* Returns sum_j a[j] b[j], in the order of dense_dot. */
STATIC_VERSIONED(REAL, return, NAME(dot), (const REAL *a, const REAL *b, size_t count),
                 (a, b, count))
{
    REAL sum[8] = {0};
    size_t j = 0;

    for (; j + 8 <= count; j += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += a[j + k] * b[j + k];
    for (; j < count; j++)
        sum[0] += a[j] * b[j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Subtracts p[i] times row i from p[end ..], for rows i = first .. end - 1, at most four. */
STATIC_VERSIONED(void, (void), NAME(eliminate),
                 (const REAL *matrix, size_t order, size_t first, size_t end, REAL *restrict p),
                 (matrix, order, first, end, p))
{
    const REAL *a = matrix + first * order, *b = a + order, *c = b + order, *d = c + order;
    size_t i = first;

    if (end - first == UNROLL) {
        const REAL pa = p[first], pb = p[first + 1], pc = p[first + 2], pd = p[first + 3];

        for (size_t j = end; j < order; j++)
            p[j] -= pa * a[j] + pb * b[j] + (pc * c[j] + pd * d[j]);
        return;
    }
    for (; i < end; i++)
        for (size_t j = end; j < order; j++)
            p[j] -= p[i] * matrix[i * order + j];
}

void NAME(cholesky_solve)(const REAL *matrix, size_t order, REAL *p)
{
    for (size_t first = 0; first < order; first += UNROLL) {
        const size_t end = first + UNROLL < order ? first + UNROLL : order;

        for (size_t i = first; i < end; i++) {
            const REAL *line = matrix + i * order;

            p[i] *= line[i];
            for (size_t j = i + 1; j < end; j++)
                p[j] -= p[i] * line[j];
        }
        NAME(eliminate)(matrix, order, first, end, p);
    }
    for (size_t i = order; i-- > 0;) {
        const REAL *line = matrix + i * order;

        p[i] = (p[i] - NAME(dot)(line + i + 1, p + i + 1, order - i - 1)) * line[i];
    }
}
