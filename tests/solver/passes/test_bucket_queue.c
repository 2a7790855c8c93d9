/* test_bucket_queue.c - rows by bucket, against a table of where each one is. */
#include <stdlib.h>

#include "solver/passes/bucket_queue.h"
#include "support.h"

/* An empty queue for so many rows; the block of its memory, in which there is no byte more. */
static void *queue_new(struct bucket_queue *queue, uint32_t rows)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    void *block;

    bucket_queue_lay_out(queue, &arena, rows);
    assert_non_null(block = arena_new(&arena, &error));
    bucket_queue_lay_out(queue, &arena, rows);
    bucket_queue_clear(queue);
    return block;
}

/* Moves the rows of a bucket, which are those that the table says, to other buckets. */
static void move_rows(struct bucket_queue *queue, unsigned *bucket_of_row, uint32_t rows,
                      unsigned bucket, uint64_t *random)
{
    uint32_t *taken = calloc(rows, sizeof *taken), count, expected = 0;

    assert_non_null(taken);
    for (uint32_t i = 0; i < rows; i++)
        expected += bucket_of_row[i] == bucket;
    count = bucket_queue_take(queue, bucket, taken);
    assert_int_equal(count, expected);
    for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(bucket_of_row[taken[k]], bucket);
        bucket_of_row[taken[k]] = BUCKETS; /* none is given twice */
    }
    for (uint32_t k = 0; k < count; k++) {
        bucket_of_row[taken[k]] = (unsigned)(random_bits(random) % BUCKETS);
        bucket_queue_put(queue, bucket_of_row[taken[k]], taken[k]);
    }
    free(taken);
}

/* However the rows are spread over the buckets, all have room, and come out of theirs. */
static void test_each_row_comes_out_of_its_bucket(void **unused)
{
    static const uint32_t sizes[] = {1, CHUNK_ROWS, CHUNK_ROWS + 1, 1000, 5000};
    uint64_t random = 11;

    (void)unused;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned *bucket_of_row = calloc(sizes[s], sizeof *bucket_of_row);
        struct bucket_queue queue;
        void *block = queue_new(&queue, sizes[s]);

        assert_non_null(bucket_of_row);
        for (unsigned time = 0; time < 3; time++) {
            for (uint32_t i = 0; i < sizes[s]; i++) {
                bucket_of_row[i] = time; /* all in one */
                bucket_queue_put(&queue, time, i);
            }
            for (unsigned bucket = 0; bucket < 20 * BUCKETS; bucket++)
                move_rows(&queue, bucket_of_row, sizes[s], bucket % BUCKETS, &random);
            bucket_queue_clear(&queue);
        }
        free(block);
        free(bucket_of_row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_row_comes_out_of_its_bucket),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
