/* test_shard_sum.c - sums over all rows and over some, in one shard and in several, to the bit as
 * plain loops over the shards in their order.
 */
#include "problem/shard_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

/* Numbers for each place, and how often each was asked for. */
struct visits {
    const struct sample *sample;
    struct selection rows;
    uint32_t next; /* the first place not yet visited */
    size_t calls;
    unsigned *of_row; /* [rows] */
    int out_of_shard; /* rows of two shards in one call */
};

static double scalar_of(uint32_t row, size_t j)
{
    return sin((double)row * (double)(j + 1) + (double)j);
}

static double entry_of(uint32_t row, size_t j)
{
    return cos((double)row + 3 * (double)j);
}

static void visit(void *context, const struct shard *shard)
{
    struct visits *visits = context;
    const struct shards *shards = &visits->sample->shards;

    assert_int_equal(shard->first, visits->next);
    assert_true(shard->first < shard->end && shard->end <= visits->rows.count);
    visits->next = shard->end;
    visits->calls++;
    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t row = selected(&visits->rows, s);

        visits->of_row[row]++;
        visits->out_of_shard |= sample_shard(shards, row) !=
                                sample_shard(shards, selected(&visits->rows, shard->first));
        for (size_t j = 0; j < MOST_SCALARS; j++)
            shard->scalars[j] += scalar_of(row, j);
        for (size_t j = 0; shard->vector && j < shards->length; j++)
            shard->vector[j] += entry_of(row, j);
    }
}

/* The same: every shard from 0, then added in order; one alone is added to the vector itself. */
static void recompute(const struct sample *sample, struct selection rows, double *scalars,
                      double *vector)
{
    const struct shards *shards = &sample->shards;
    double *part = sample_room(shards->length, sizeof *part);

    for (size_t j = 0; j < MOST_SCALARS; j++)
        scalars[j] = 0;
    for (unsigned k = 0; k < shards->count; k++) {
        double some[MOST_SCALARS] = {0};
        double *to = shards->count > 1 ? part : vector;
        int any = 0;

        memset(part, 0, shards->length * sizeof *part);
        for (uint32_t s = 0; s < rows.count; s++) {
            const uint32_t row = selected(&rows, s);

            if (sample_shard(shards, row) != k)
                continue;
            any = 1;
            for (size_t j = 0; j < MOST_SCALARS; j++)
                some[j] += scalar_of(row, j);
            for (size_t j = 0; j < shards->length; j++)
                to[j] += entry_of(row, j);
        }
        for (size_t j = 0; any && j < MOST_SCALARS; j++)
            scalars[j] += some[j];
        for (size_t j = 0; any && to == part && j < shards->length; j++)
            vector[j] += part[j];
    }
    free(part);
}

static void check_run(const struct sample *sample, struct selection rows)
{
    const struct shards *shards = &sample->shards;
    const size_t bytes = shards->length * sizeof(double);
    struct visits visits = {.sample = sample, .rows = rows};
    double scalars[MOST_SCALARS] = {7, 7, 7, 7, 7}, slow[MOST_SCALARS];
    double *vector = sample_room(shards->length, sizeof *vector);
    double *expected = sample_room(shards->length, sizeof *expected);

    visits.of_row = sample_room(sample->problem.rows, sizeof *visits.of_row);
    memcpy(vector, sample->w, bytes);
    memcpy(expected, sample->w, bytes);
    sums_run(shards, rows, visit, &visits, scalars, vector);
    recompute(sample, rows, slow, expected);
    assert_memory_equal(scalars, slow, sizeof slow);
    assert_memory_equal(vector, expected, bytes);
    assert_int_equal(visits.next, rows.count);
    assert_false(visits.out_of_shard);
    assert_true(visits.calls <= shards->count);
    for (uint32_t s = 0; s < rows.count; s++)
        assert_int_equal(visits.of_row[selected(&rows, s)]--, 1);
    for (uint32_t i = 0; i < sample->problem.rows; i++)
        assert_int_equal(visits.of_row[i], 0);
    /* either of them alone */
    visits.next = 0;
    memset(scalars, 0xff, sizeof scalars);
    sums_run(shards, rows, visit, &visits, scalars, NULL);
    assert_memory_equal(scalars, slow, sizeof slow);
    visits.next = 0;
    memcpy(vector, sample->w, bytes);
    sums_run(shards, rows, visit, &visits, NULL, vector);
    assert_memory_equal(vector, expected, bytes);
    free(visits.of_row);
    free(vector);
    free(expected);
}

static void test_run_adds_shards_in_their_order(void **state)
{
    (void)state;
    sample_each(check_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_adds_shards_in_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
