/* problem.c - products of rows with several outputs, and steps with an l1 term.
 *
 * Loops are written for groups of entries, so that compilers use vectors over the outputs. */
#include "problem/problem.h"

void problem_add_mapped(const struct problem *problem, const struct sparse *x, double factor,
                        double *v, double *w)
{
    const double l1 = problem->l1;

    problem_add(problem, x, factor, v);
    for (size_t k = 0; k < x->count; k++)
        w[index_at(x, k)] = soft(v[index_at(x, k)], l1);
    if (problem->bias_kind != BIAS_NONE)
        w[problem->data->features] = soft(v[problem->data->features], l1);
}

/* ---- Several outputs ------------------------------------------------------ */

/* A group of entries of a row: their values and their lines of w, each of outputs numbers. */
enum { GROUP = 4 };

struct group {
    size_t line[GROUP]; /* position of the line in w */
    double value[GROUP];
};

/* Lines of W are prefetched AHEAD entries before they are needed. */
enum { AHEAD = 12, DOUBLES = 8 }; /* DOUBLES: doubles of a cache line */

/* Prefetches some outputs of a line. */
static ALWAYS_INLINE void prefetch_outputs(const struct sparse *x, size_t k, const double *w,
                                           size_t outputs, size_t count, const uint32_t *output)
{
    for (size_t s = 0; s < count && k + AHEAD < x->count; s++)
        PREFETCH(w + index_at(x, k + AHEAD) * outputs + output[s]);
}

/* Returns the group of entries from k on. */
static ALWAYS_INLINE struct group group_at(const struct sparse *x, size_t k, const double *w,
                                           size_t outputs)
{
    struct group group;

    for (size_t u = 0; u < GROUP; u++) {
        group.line[u] = index_at(x, k + u) * outputs;
        group.value[u] = value_at(x, k + u);
    }
    for (size_t u = 0; u < GROUP; u++)
        for (size_t m = 0; m < outputs && k + u + AHEAD < x->count; m += DOUBLES)
            PREFETCH(w + index_at(x, k + u + AHEAD) * outputs + m);
    return group;
}

/* y += the sum of value x of a group, added one after another. */
static ALWAYS_INLINE void add_group(size_t count, const double *value, const double *a,
                                    const double *b, const double *c, const double *d,
                                    double *restrict y)
{
    const double va = value[0], vb = value[1], vc = value[2], vd = value[3];

    for (size_t m = 0; m < count; m++)
        y[m] = (((y[m] + va * a[m]) + vb * b[m]) + vc * c[m]) + vd * d[m];
}

/* Adds value x to each line of a group. No two lines are the same. */
static ALWAYS_INLINE void add_to_group(size_t count, const double *value, const double *restrict x,
                                       double *restrict a, double *restrict b, double *restrict c,
                                       double *restrict d)
{
    const double va = value[0], vb = value[1], vc = value[2], vd = value[3];

    for (size_t m = 0; m < count; m++) {
        const double of = x[m];

        a[m] += va * of;
        b[m] += vb * of;
        c[m] += vc * of;
        d[m] += vd * of;
    }
}

static ALWAYS_INLINE void add_dots(const struct problem *problem, const struct sparse *x,
                                   const double *w, size_t outputs, double *restrict z)
{
    size_t k = 0;

    for (; k + GROUP <= x->count; k += GROUP) {
        const struct group of = group_at(x, k, w, outputs);

        add_group(outputs, of.value, w + of.line[0], w + of.line[1], w + of.line[2], w + of.line[3],
                  z);
    }
    for (; k < x->count; k++)
        add_multiple(outputs, value_at(x, k), w + index_at(x, k) * outputs, z);
    if (problem->bias_kind != BIAS_NONE)
        add_multiple(outputs, problem->bias, w + problem->data->features * outputs, z);
}

static ALWAYS_INLINE void add_outer(const struct problem *problem, const struct sparse *x,
                                    const double *restrict a, size_t outputs, double *w)
{
    size_t k = 0;

    for (; k + GROUP <= x->count; k += GROUP) {
        const struct group of = group_at(x, k, w, outputs);

        add_to_group(outputs, of.value, a, w + of.line[0], w + of.line[1], w + of.line[2],
                     w + of.line[3]);
    }
    for (; k < x->count; k++)
        add_multiple(outputs, value_at(x, k), a, w + index_at(x, k) * outputs);
    if (problem->bias_kind != BIAS_NONE)
        add_multiple(outputs, problem->bias, a, w + problem->data->features * outputs);
}

STATIC_VERSIONED(void, (void), many_dots,
                 (const struct problem *problem, const struct sparse *x, const double *w,
                  double *z),
                 (problem, x, w, z))
{
    add_dots(problem, x, w, problem->classes, z);
}

STATIC_VERSIONED(void, (void), many_add_outer,
                 (const struct problem *problem, const struct sparse *x, const double *a,
                  double *w),
                 (problem, x, a, w))
{
    add_outer(problem, x, a, problem->classes, w);
}

/* With this constant number of outputs, sums and factors stay in registers. On sparse data with
 * three classes, solver 4 then takes 80 % of the time. */
enum { FEW = 3 };

void problem_dots(const struct problem *problem, const struct sparse *x, const double *w, double *z)
{
    memset(z, 0, problem->classes * sizeof *z);
    if (problem->classes == FEW)
        add_dots(problem, x, w, FEW, z);
    else
        many_dots(problem, x, w, z);
}

void problem_add_outer(const struct problem *problem, const struct sparse *x, const double *a,
                       double *w)
{
    if (problem->classes == FEW)
        add_outer(problem, x, a, FEW, w);
    else
        many_add_outer(problem, x, a, w);
}

/* ---- Rows that have every feature, some at a time --------------------------- */

/* WITH_VALUES for large loops. Kinds of values that such rows seldom have share one copy, in which
 * KIND is not a constant. */
#define WITH_USUAL_VALUES(x, statement)                                                            \
    do {                                                                                           \
        if ((x)->value_kind == HINGE_VALUE_WHOLE)                                                  \
            WITH_KIND(hinge_value_kind, KIND, HINGE_VALUE_WHOLE, statement);                       \
        else if ((x)->value_kind == HINGE_VALUE_DOUBLE)                                            \
            WITH_KIND(hinge_value_kind, KIND, HINGE_VALUE_DOUBLE, statement);                      \
        else                                                                                       \
            WITH_KIND(hinge_value_kind, KIND, (x)->value_kind, statement);                         \
    } while (0)

/* z[row] = W'x[row]. Four lines of W are read once for all rows. */
static ALWAYS_INLINE void dots_together(const struct problem *problem, const struct sparse *x,
                                        enum hinge_value_kind kind, const double *w,
                                        double *restrict z)
{
    const size_t outputs = problem->classes, count = x->count;
    size_t k = 0;

    memset(z, 0, ROWS_TOGETHER * outputs * sizeof *z);
    for (; k + GROUP <= count; k += GROUP) {
        const double *line = w + k * outputs;

        for (size_t row = 0; row < ROWS_TOGETHER; row++) {
            const double value[GROUP] = {value_as(&x[row], kind, k), value_as(&x[row], kind, k + 1),
                                         value_as(&x[row], kind, k + 2),
                                         value_as(&x[row], kind, k + 3)};

            add_group(outputs, value, line, line + outputs, line + 2 * outputs, line + 3 * outputs,
                      z + row * outputs);
        }
    }
    for (size_t row = 0; row < ROWS_TOGETHER; row++) {
        for (size_t rest = k; rest < count; rest++)
            add_multiple(outputs, value_as(&x[row], kind, rest), w + rest * outputs,
                         z + row * outputs);
        if (problem->bias_kind != BIAS_NONE)
            add_multiple(outputs, problem->bias, w + count * outputs, z + row * outputs);
    }
}

/* W += the sum of x[row] a[row]', added one after another. Each line is read and written once. */
static ALWAYS_INLINE void outer_together(const struct problem *problem, const struct sparse *x,
                                         enum hinge_value_kind kind, const double *a,
                                         double *restrict w)
{
    const size_t outputs = problem->classes, count = x->count;

    for (size_t k = 0; k < count; k++) {
        const double value[ROWS_TOGETHER] = {value_as(&x[0], kind, k), value_as(&x[1], kind, k),
                                             value_as(&x[2], kind, k), value_as(&x[3], kind, k)};

        add_group(outputs, value, a, a + outputs, a + 2 * outputs, a + 3 * outputs,
                  w + k * outputs);
    }
    for (size_t row = 0; problem->bias_kind != BIAS_NONE && row < ROWS_TOGETHER; row++)
        add_multiple(outputs, problem->bias, a + row * outputs, w + count * outputs);
}

/* Sets x to the rows from first on that are taken together. Returns their number, ROWS_TOGETHER
 * or 1. */
static uint32_t take_rows(const struct problem *problem, uint32_t first, uint32_t count,
                          struct sparse *x)
{
    const int together = count >= ROWS_TOGETHER && has_whole_rows(&problem->data->x);
    const uint32_t taken = together ? ROWS_TOGETHER : 1;

    for (uint32_t row = 0; row < taken; row++)
        x[row] = problem_row(problem, first + row);
    return taken;
}

VERSIONED(void, (void), problem_rows_dots,
          (const struct problem *problem, uint32_t first, uint32_t count, const double *w,
           double *z),
          (problem, first, count, w, z))
{
    struct sparse x[ROWS_TOGETHER];

    for (uint32_t row = 0, taken; row < count; row += taken, z += taken * problem->classes) {
        taken = take_rows(problem, first + row, count - row, x);
        if (taken > 1)
            WITH_USUAL_VALUES(x, dots_together(problem, x, KIND, w, z));
        else
            problem_dots(problem, x, w, z);
    }
}

VERSIONED(void, (void), problem_rows_add_outer,
          (const struct problem *problem, uint32_t first, uint32_t count, const double *a,
           double *w),
          (problem, first, count, a, w))
{
    struct sparse x[ROWS_TOGETHER];

    for (uint32_t row = 0, taken; row < count; row += taken, a += taken * problem->classes) {
        taken = take_rows(problem, first + row, count - row, x);
        if (taken > 1)
            WITH_USUAL_VALUES(x, outer_together(problem, x, KIND, a, w));
        else
            problem_add_outer(problem, x, a, w);
    }
}

/* ---- Some outputs ----------------------------------------------------------- */

/* Executes one of two copies of the statement. The constant IS_WHOLE is 1 in the copy for rows that
 * have every feature, and 0 in the other copy. */
#define WITH_WHOLENESS(x, statement)                                                               \
    do {                                                                                           \
        if ((x)->index_kind == HINGE_INDEX_NONE) {                                                 \
            enum { IS_WHOLE = 1 };                                                                 \
            statement;                                                                             \
        } else {                                                                                   \
            enum { IS_WHOLE = 0 };                                                                 \
            statement;                                                                             \
        }                                                                                          \
    } while (0)

/* Adds the products of some outputs. The lines of rows with every feature are adjacent, so they are
 * not prefetched. */
static ALWAYS_INLINE void add_dots_of(const struct problem *problem, const struct sparse *x,
                                      int is_whole, const double *w, size_t count,
                                      const uint32_t *output, double *restrict z)
{
    const size_t outputs = problem->classes;

    for (size_t k = 0; k < x->count; k++) {
        const double value = value_at(x, k);
        const double *line = w + (is_whole ? x->first + k : index_at(x, k)) * outputs;

        if (!is_whole)
            prefetch_outputs(x, k, w, outputs, count, output);
        for (size_t s = 0; s < count; s++)
            z[s] += value * line[output[s]];
    }
}

static ALWAYS_INLINE void add_outer_of(const struct problem *problem, const struct sparse *x,
                                       int is_whole, size_t count, const uint32_t *output,
                                       const double *restrict a, double *w)
{
    const size_t outputs = problem->classes;

    for (size_t k = 0; k < x->count; k++) {
        const double value = value_at(x, k);
        double *line = w + (is_whole ? x->first + k : index_at(x, k)) * outputs;

        if (!is_whole)
            prefetch_outputs(x, k, w, outputs, count, output);
        for (size_t s = 0; s < count; s++)
            line[output[s]] += value * a[s];
    }
}

void problem_dots_of(const struct problem *problem, const struct sparse *x, const double *w,
                     size_t count, const uint32_t *output, double *z)
{
    const double *line = w + problem->data->features * problem->classes;

    for (size_t s = 0; s < count; s++)
        z[s] = problem->bias_kind != BIAS_NONE ? problem->bias * line[output[s]] : 0;
    if (count == 2)
        WITH_WHOLENESS(x, add_dots_of(problem, x, IS_WHOLE, w, 2, output, z));
    else if (count == FEW)
        WITH_WHOLENESS(x, add_dots_of(problem, x, IS_WHOLE, w, FEW, output, z));
    else
        WITH_WHOLENESS(x, add_dots_of(problem, x, IS_WHOLE, w, count, output, z));
}

void problem_add_outer_of(const struct problem *problem, const struct sparse *x, size_t count,
                          const uint32_t *output, const double *a, double *w)
{
    double *line = w + problem->data->features * problem->classes;

    for (size_t s = 0; problem->bias_kind != BIAS_NONE && s < count; s++)
        line[output[s]] += problem->bias * a[s];
    if (count == 2)
        WITH_WHOLENESS(x, add_outer_of(problem, x, IS_WHOLE, 2, output, a, w));
    else if (count == FEW)
        WITH_WHOLENESS(x, add_outer_of(problem, x, IS_WHOLE, FEW, output, a, w));
    else
        WITH_WHOLENESS(x, add_outer_of(problem, x, IS_WHOLE, count, output, a, w));
}
