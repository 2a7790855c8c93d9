/* view.c - a dataset over arrays of the caller. The arrays are checked once, entry by entry, and
 * not copied. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/matrix.h"

#define MOST_ROWS     UINT64_C(0xffffffff)
#define MOST_FEATURES ((size_t)INT32_MAX)

/* Makes a view without starts. The library does not write to labels, indices and values, so it may
 * drop their const. */
static struct hinge_dataset *view_new(size_t rows, size_t features, const void *value,
                                      enum hinge_value_kind kind, const double *label,
                                      struct hinge_error *error)
{
    struct hinge_dataset *view = NULL;

    if ((unsigned)kind > HINGE_VALUE_DOUBLE)
        error_fill(error, HINGE_BAD_ARGUMENT, "kind: %d is none of HINGE_VALUE_...", (int)kind);
    else if (rows - 1 >= MOST_ROWS) /* also if rows is 0 */
        error_fill(error, HINGE_BAD_ARGUMENT, "%lu rows: not from 1 to %lu", (unsigned long)rows,
                   (unsigned long)MOST_ROWS);
    else if (features > MOST_FEATURES)
        error_fill(error, HINGE_BAD_ARGUMENT, "%lu features: more than %lu",
                   (unsigned long)features, (unsigned long)MOST_FEATURES);
    else
        view = array_new(1, sizeof *view, error);
    if (!view)
        return NULL;
    view->features = (uint32_t)features;
    view->label = (double *)label;
    view->x.rows = rows;
    view->x.value_kind = kind;
    view->x.value = (void *)value;
    view->x.scale = 1;
    if (!(view->x.start = array_new(rows + 1, sizeof *view->x.start, error))) {
        free(view);
        return NULL;
    }
    return view;
}

/* Checks that the columns of each row ascend and are below features, and that numbers are finite.
 */
static enum hinge_status check_view(const struct hinge_dataset *data, struct hinge_error *error)
{
    const struct hinge_matrix *x = &data->x;
    const int has_indices = x->index_kind != HINGE_INDEX_NONE;

    for (size_t i = 0; data->label && i < x->rows; i++)
        if (!(fabs(data->label[i]) <= DBL_MAX))
            return fail(error, HINGE_BAD_INPUT, "row %lu (from 0): the label is not finite",
                        (unsigned long)i);
    for (size_t i = 0; i < x->rows; i++)
        for (size_t k = x->start[i]; k < x->start[i + 1]; k++) {
            const unsigned long column =
                has_indices ? hinge_index(x, k) : (unsigned long)(k - x->start[i]);

            if (column >= data->features)
                return fail(error, HINGE_BAD_INPUT,
                            "row %lu (from 0): there is no column %ld of %lu", (unsigned long)i,
                            (long)(int32_t)column, (unsigned long)data->features);
            if (has_indices && k > x->start[i] && column <= hinge_index(x, k - 1))
                return fail(error, HINGE_BAD_INPUT,
                            "row %lu (from 0): column %lu follows column %lu: sort the columns "
                            "of each row, and add up equal ones",
                            (unsigned long)i, column, (unsigned long)hinge_index(x, k - 1));
            if (!(fabs(hinge_value(x, k)) <= DBL_MAX))
                return fail(error, HINGE_BAD_INPUT,
                            "row %lu (from 0): the value of column %lu is not finite (NaN or "
                            "infinity)",
                            (unsigned long)i, column);
        }
    return HINGE_OK;
}

struct hinge_dataset *hinge_view_csr(size_t rows, size_t features, const void *start,
                                     size_t start_size, const int32_t *index, const void *value,
                                     enum hinge_value_kind kind, const double *label,
                                     struct hinge_error *error)
{
    struct hinge_dataset *view = view_new(rows, features, value, kind, label, error);
    enum hinge_status status = HINGE_OK;
    size_t *to;

    if (!view)
        return NULL;
    to = view->x.start;
    if (start_size != sizeof(int32_t) && start_size != sizeof(int64_t))
        status = fail(error, HINGE_BAD_ARGUMENT, "start_size: neither 4 nor 8");
    for (size_t i = 0; i <= rows && !status; i++) {
        const int64_t entry = start_size == sizeof(int32_t) ? ((const int32_t *)start)[i]
                                                            : ((const int64_t *)start)[i];

        if (entry < 0 || (uint64_t)entry > SIZE_MAX || (i == 0 && entry != 0) ||
            (i > 0 && (size_t)entry < to[i - 1]))
            status = fail(error, HINGE_BAD_INPUT,
                          "start[%lu]: not 0 for the first row, or less than the one before",
                          (unsigned long)i);
        to[i] = (size_t)entry;
    }
    view->x.index_kind = HINGE_INDEX_32;
    view->x.index = (void *)index;
    view->x.nonzeros = to[rows];
    if (!status && !check_view(view, error))
        return view;
    hinge_view_free(view);
    return NULL;
}

struct hinge_dataset *hinge_view_dense(size_t rows, size_t features, const void *value,
                                       enum hinge_value_kind kind, const double *label,
                                       struct hinge_error *error)
{
    struct hinge_dataset *view = view_new(rows, features, value, kind, label, error);
    enum hinge_status status;

    if (!view)
        return NULL;
    view->x.index_kind = HINGE_INDEX_NONE;
    view->x.nonzeros = rows * features;
    for (size_t i = 0; i <= rows; i++)
        view->x.start[i] = i * features;
    if (features > 0 && rows > SIZE_MAX / features)
        status = fail(error, HINGE_NO_MEMORY, "out of memory: %lu rows of %lu features",
                      (unsigned long)rows, (unsigned long)features);
    else
        status = check_view(view, error);
    if (!status)
        return view;
    hinge_view_free(view);
    return NULL;
}

void hinge_view_free(struct hinge_dataset *view)
{
    if (!view)
        return;
    free(view->x.start);
    free(view);
}
