/* test_shard_sum.c - sums over all rows and over some, in one shard and in several, have the bits
 * of plain loops over the shards in their order.
 */
#include "problem/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "problem/sums.h"
#include "sample.h"
#include "threads_team.h"

/* Numbers for each place, and the number of visits to each row. */
struct visits {
    const struct sample *sample;
    struct selection rows;
    uint32_t next; /* first place not yet visited */
    size_t calls;
    unsigned *of_row; /* [rows] number of visits */
    int out_of_shard; /* 1: a call had rows of two shards */
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

/* Recomputes the sum: every shard starts at 0, and the shards are added in order. A single shard is
 * added to the vector itself. */
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
    /* scalars or the vector alone */
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

/* ---- A team -------------------------------------------------------------- */

enum { RANKS = 3 };

/* A problem, and its sums on each rank. */
struct shared {
    struct sample sample;
    double *sum[RANKS];       /* [width] sum_i alpha_i y_i x_i */
    double conjugates[RANKS]; /* sums_conjugates */
    uint64_t rounds[RANKS][2];
};

static enum hinge_status sum_as(void *context, const struct hinge_team *transport,
                                struct hinge_error *error)
{
    struct shared *shared = context;
    const struct sample *sample = &shared->sample;
    const int rank = transport->rank;
    struct hinge_dataset *own = rank_dataset_new(&sample->random.data, transport);
    struct problem problem = sample->problem;
    struct team *team = shards_team(transport, own, error);
    struct shards shards;

    if (!team)
        return HINGE_NO_MEMORY;
    problem.data = own;
    problem.team = team;
    shards = shards_of(&problem, SUM_OF_VECTORS, problem_nonzeros(&problem), sample->width);
    sums_combine(&shards, &problem, all_rows(&problem), sample->alpha, 1, shared->sum[rank]);
    shared->rounds[rank][0] = team->rounds;
    shared->conjugates[rank] = sums_conjugates(&shards, &problem, sample->alpha);
    shared->rounds[rank][1] = team->rounds - shared->rounds[rank][0];
    team_free(team);
    rank_dataset_free(own);
    return HINGE_OK;
}

/* Checks that every rank has the bits of one process. Scalars take one round. A vector takes one
 * round if the numbers of all shards are at most 32 kB, and otherwise two. */
static void check_shared(size_t rows, size_t features, size_t in_row, unsigned shards,
                         uint64_t rounds)
{
    struct threads_team team = {.size = RANKS};
    struct shared shared;
    const struct sample *sample = &shared.sample;
    double *label = sample_room(rows + 1, sizeof *label), *expected, conjugates;

    sample_new(&shared.sample, rows, features, in_row, BIAS_NONE, LOSS_SQUARED_HINGE);
    shared.sample.random.data.label = label;
    assert_int_equal(sample->shards.count, shards);
    expected = sample_room(sample->width, sizeof *expected);
    sums_combine(&sample->shards, &sample->problem, all_rows(&sample->problem), sample->alpha, 1,
                 expected);
    conjugates = sums_conjugates(&sample->shards, &sample->problem, sample->alpha);
    for (int r = 0; r < RANKS; r++)
        shared.sum[r] = sample_room(sample->width, sizeof *shared.sum[r]);
    threads_team_run(&team, sum_as, &shared);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(team.status[r], HINGE_OK);
        assert_memory_equal(shared.sum[r], expected, sample->width * sizeof *expected);
        assert_true(shared.conjugates[r] == conjugates);
        assert_int_equal(shared.rounds[r][0], rounds);
        assert_int_equal(shared.rounds[r][1], 1);
        free(shared.sum[r]);
    }
    free(expected);
    free(label);
    sample_free(&shared.sample);
}

static void test_rounds_of_a_team(void **state)
{
    (void)state;
    check_shared(3000, 20, 6, 8, 1);
    check_shared(20000, 64, 20, 64, 1); /* 32 kB */
    check_shared(20000, 65, 22, 64, 2); /* more than 32 kB */
    check_shared(2000, 3000, 30, 2, 2);
}

static void visit_places(void *context, uint32_t first, uint32_t end)
{
    unsigned char *seen = context;

    assert_true(first <= end);
    for (uint32_t s = first; s < end; s++)
        seen[s]++;
}

static void test_places_are_visited_once(void **state)
{
    enum { MOST = 300 };

    (void)state;
    for (unsigned threads = 0; threads <= 4; threads++)
        for (uint32_t first = 0; first <= 33; first += 11)
            for (uint32_t end = first; end <= MOST; end += end < 70 ? 1 : 23) {
                const struct shards shards = {
                    .count = 1, .threads = threads, .work = 1e9, .over = 1};
                unsigned char seen[MOST] = {0};

                places_run(&shards, first, end, visit_places, seen);
                for (uint32_t s = 0; s < MOST; s++)
                    assert_int_equal(seen[s], s >= first && s < end);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_are_visited_once),
        cmocka_unit_test(test_run_adds_shards_in_their_order),
        cmocka_unit_test(test_rounds_of_a_team),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
