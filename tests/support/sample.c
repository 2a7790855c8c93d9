/* sample.c - problems of 1 to 64 shards, and selections that begin and end anywhere in them. */
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void *sample_room(size_t count, size_t size)
{
    struct hinge_error error;
    void *array = array_new(count, size, &error);

    assert_non_null(array);
    return array;
}

struct shards sample_shards(const struct problem *problem, enum summed what, size_t length,
                            double work)
{
    struct shards shards = shards_of(problem, what, work, length);

    shards.partial = shards.count > 1 ? sample_room(length, sizeof(double)) : NULL;
    return shards;
}

static void fill(struct sample *sample, uint64_t *random)
{
    for (uint32_t i = 0; i < sample->problem.rows; i++) {
        const double upper = sample->problem.loss == LOSS_HINGE ? 1 : 3;

        sample->cost[i] = exp2(6 * random_unit(random) - 3);
        sample->alpha[i] = random_unit(random) < 0.5 ? floor(2 * random_unit(random))
                                                     : upper * random_unit(random);
        sample->alpha[i] *= sample->cost[i];
        sample->factor[i] = random_unit(random) < 0.3 ? 0 : 2 * random_unit(random) - 1;
        sample->list[i] = i;
    }
    for (size_t j = 0; j < sample->width; j++)
        sample->w[j] = 2 * random_unit(random) - 1;
}

void sample_new(struct sample *sample, size_t rows, size_t features, size_t in_row,
                enum bias_kind kind, enum loss loss)
{
    uint64_t random = rows + features + kind + 1;

    memset(sample, 0, sizeof *sample);
    sample->random.random = random;
    random_problem_new(&sample->random, rows, features, in_row, kind == BIAS_NONE ? -1 : 0.75);
    if (in_row == features)
        sample->random.data.x.index_kind = HINGE_INDEX_NONE;
    sample->problem = sample->random.problem;
    sample->problem.bias_kind = kind;
    sample->problem.loss = loss;
    sample->width = problem_width(&sample->problem);
    sample->cost = sample_room(rows, sizeof(double));
    sample->alpha = sample_room(rows, sizeof(double));
    sample->factor = sample_room(rows, sizeof(double));
    sample->w = sample_room(sample->width, sizeof(double));
    sample->list = sample_room(rows, sizeof(uint32_t));
    fill(sample, &random);
    sample->problem.cost = sample->cost;
    sample->shards = sample_shards(&sample->problem, SUM_OF_VECTORS, sample->width,
                                   problem_nonzeros(&sample->problem));
}

void sample_free(struct sample *sample)
{
    random_problem_free(&sample->random);
    free(sample->cost);
    free(sample->alpha);
    free(sample->factor);
    free(sample->w);
    free(sample->list);
    free(sample->shards.partial);
}

/* Kinds of selections, all of them ascending. */
enum chosen { FIRST_ROWS, LISTED, SOME, FEW, ONE, LAST, ONE_SHARD, NO_ROWS, EMPTY_LIST, CHOICES };

/* Returns a selection of that kind, which may use list[rows]. */
static struct selection choose(const struct sample *sample, enum chosen chosen, uint32_t *list,
                               uint64_t *random)
{
    const uint32_t rows = sample->problem.rows;
    const uint32_t shard = rows / sample->shards.count;
    struct selection some = {list, 0};

    if (chosen == FIRST_ROWS)
        return all_rows(&sample->problem);
    if (chosen == LISTED)
        return (struct selection){sample->list, rows};
    if (chosen == NO_ROWS)
        return (struct selection){NULL, 0};
    for (uint32_t i = 0; i < rows; i++)
        if ((chosen == SOME && random_unit(random) < 0.6) ||
            (chosen == FEW && random_unit(random) < 0.01) || (chosen == ONE && i == rows / 3) ||
            (chosen == LAST && i == rows - 1) ||
            (chosen == ONE_SHARD && i / shard == (sample->shards.count > 2 ? 2 : 0)))
            list[some.count++] = i;
    return some;
}

void sample_each(void (*check)(const struct sample *sample, struct selection rows))
{
    static const struct {
        size_t rows, features, in_row;
        unsigned shards;
    } sizes[] = {{1, 3, 1, 1},      {40, 12, 3, 1},   {510, 10, 5, 1}, {3000, 20, 6, 8},
                 {20000, 8, 4, 64}, {700, 12, 12, 2}, {600, 40, 40, 2}};

    for (size_t k = 0; k < COUNT(sizes); k++)
        for (int kind = BIAS_NONE; kind <= BIAS_FREE; kind++) {
            const enum loss loss = (k + (size_t)kind) % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE;
            uint64_t random = 5;
            struct sample sample;
            uint32_t *list;

            sample_new(&sample, sizes[k].rows, sizes[k].features, sizes[k].in_row,
                       (enum bias_kind)kind, loss);
            assert_int_equal(sample.shards.count, sizes[k].shards);
            list = sample_room(sizes[k].rows, sizeof *list);
            for (int chosen = 0; chosen < CHOICES; chosen++)
                check(&sample, choose(&sample, (enum chosen)chosen, list, &random));
            free(list);
            sample_free(&sample);
        }
}

unsigned sample_shard(const struct shards *shards, uint32_t row)
{
    unsigned k = shards->count - 1;

    while (k > 0 && shards->row[row] < (uint64_t)shards->rows * k / shards->count)
        k--;
    return k;
}
