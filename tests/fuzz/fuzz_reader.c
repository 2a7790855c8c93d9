/* fuzz_reader.c - any bytes as a data file, which the readers refuse or read as the slow one does,
 * and as a file of weights. */
#include "fuzz.h"

#include <float.h>
#include <string.h>

#include "data/source.h"
#include "slow_reader.h"

/* Returns a hash of the bytes (FNV-1a). */
static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t k = 0; k < size; k++)
        hash = (hash ^ bytes[k]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

static void compare(const char *bytes, size_t size, const struct hinge_format *format,
                    uint64_t hash)
{
    static struct content slow, fast;
    const size_t chunk = 1 + (size_t)(hash >> 8) % (hash & 1 ? 16 : 200);

    slow_read(bytes, size, format, &slow);
    begin_input(bytes, size);
    fast_rows("-", format, &fast);
    end_input();
    DEMAND(same_content(&slow, &fast));
    if (format->optional_labels) /* a dataset does not say which rows have labels */
        memset(slow.labelled, 0, sizeof slow.labelled);
    begin_input(bytes, size);
    fast_dataset("-", format, &fast);
    end_input();
    if (format->optional_labels)
        memset(fast.labelled, 0, sizeof fast.labelled);
    DEMAND(same_content(&slow, &fast));
    begin_input(bytes, size);
    fast_pieces("-", format, chunk, 1 + (unsigned)(hash >> 4 & 3), &fast);
    end_input();
    if (format->optional_labels)
        memset(fast.labelled, 0, sizeof fast.labelled);
    DEMAND(same_content(&slow, &fast));
}

/* Compares the bytes behind a comment, so that the reader's buffer ends somewhere inside them. */
static void compare_behind(const uint8_t *bytes, size_t size, uint64_t hash)
{
    const struct hinge_format format = {.zero_based = (int)(hash >> 40 & 1),
                                        .optional_labels = (int)(hash >> 41 & 1),
                                        .threads = 1};
    const size_t padding = SOURCE_CHUNK - hash % (size + 2);
    static char whole[SOURCE_CHUNK + CONTENT_BYTES];

    memset(whole, '#', padding);
    whole[padding - 1] = '\n';
    memcpy(whole + padding, bytes, size);
    compare(whole, padding + size, &format, hash >> 20);
}

static void read_weights(const uint8_t *bytes, size_t size, size_t rows)
{
    struct hinge_error error = {HINGE_OK, ""};
    double *weight;

    begin_input(bytes, size);
    weight = hinge_weights_read("-", rows, &error);
    end_input();
    DEMAND(weight ? error.status == HINGE_OK : error.status == HINGE_BAD_INPUT);
    for (size_t i = 0; weight && i < rows; i++)
        DEMAND(weight[i] >= 0 && weight[i] <= DBL_MAX);
    free(weight);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct hinge_format formats[] = {
        {.zero_based = 1, .threads = 1},
        {.optional_labels = 1, .threads = 1},
        {.zero_based = 1, .optional_labels = 1, .threads = 1}};
    const uint64_t hash = hash_of(bytes, size);

    if (size > CONTENT_BYTES)
        return 0;
    compare((const char *)bytes, size, &(struct hinge_format){0}, hash >> 24);
    compare((const char *)bytes, size, &formats[hash % 3], hash >> 30);
    if (hash % 8 == 0)
        compare_behind(bytes, size, hash >> 3);
    read_weights(bytes, size, 1 + hash % 3);
    return 0;
}
