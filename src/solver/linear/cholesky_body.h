/* cholesky_body.h - what cholesky.c is for one type of numbers: REAL, EPSILON, LOST, NAME. No
 * guard: it is included once for each. */

/* line -= the given multiples of four rows above it. */
static ALWAYS_INLINE void NAME(take_four)(REAL *restrict line, const REAL *const *above,
                                          const REAL *factor, size_t from, size_t end)
{
    const REAL *a = above[0], *b = above[1], *c = above[2], *d = above[3];
    const REAL fa = factor[0], fb = factor[1], fc = factor[2], fd = factor[3];

    for (size_t j = from; j < end; j++)
        line[j] -= fa * a[j] + fb * b[j] + fc * c[j] + fd * d[j];
}

/* Takes the finished rows first .. end - 1 from columns from .. until - 1 of row i. */
static ALWAYS_INLINE void NAME(take_panel)(REAL *matrix, size_t order, size_t i, size_t first,
                                           size_t end, size_t from, size_t until)
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

/* A_ii, of which all but its pivot has been taken. */
static double NAME(whole)(const REAL *matrix, size_t order, size_t i)
{
    double sum = fmax(matrix[i * order + i], 0);

    for (size_t k = 0; k < i; k++)
        sum += (double)matrix[k * order + i] * matrix[k * order + i];
    return sum;
}

static ALWAYS_INLINE int NAME(cholesky_factor_as)(REAL *matrix, size_t order,
                                                  const struct stop *stop)
{
    static const double lost = LOST * EPSILON;
    double largest = 0;

    for (size_t i = 0; i < order; i++)
        largest = fmax(largest, matrix[i * order + i]);
    for (size_t first = 0; first < order; first += PANEL) {
        const size_t end = first + PANEL < order ? first + PANEL : order;

        if (stop_is_asked(stop))
            return 0;
        for (size_t i = first; i < end; i++) {
            REAL *line = matrix + i * order;
            double pivot, factor, last_digits;

            NAME(take_panel)(matrix, order, i, first, i, i, order);
            pivot = fmax(line[i] + 1, 1);
            last_digits = pivot < lost * largest ? lost * NAME(whole)(matrix, order, i) : 0;
            factor = pivot >= last_digits ? 1 / sqrt(pivot) : 0;
            for (size_t j = i + 1; j < order; j++)
                line[j] *= (REAL)factor;
            line[i] = (REAL)(1 / sqrt(fmax(pivot, last_digits)));
        }
        for (size_t from = end; from < order; from += TILE) {
            const size_t until = from + TILE < order ? from + TILE : order;

            for (size_t i = end; i < until; i++)
                NAME(take_panel)(matrix, order, i, first, end, i > from ? i : from, until);
        }
    }
    return 1;
}

/* sum_j a[j] b[j], as dense_dot. */
static ALWAYS_INLINE REAL NAME(dot)(const REAL *a, const REAL *b, size_t count)
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

/* p[end ..] -= the rows first .. end - 1, p[first ..] times each: at most four of them. */
static ALWAYS_INLINE void NAME(eliminate)(const REAL *matrix, size_t order, size_t first,
                                          size_t end, REAL *restrict p)
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

static ALWAYS_INLINE void NAME(cholesky_solve_as)(const REAL *matrix, size_t order, REAL *p)
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
