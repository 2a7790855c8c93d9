/* bounds.c - measures the best rates of the machine, or the size of a dataset in memory.
 *
 * usage: bounds [DATA]
 * Without DATA, prints the rates of one thread on one line, each the best of some runs: GB/s for
 * reading 512 MiB of memory in order, GB/s for writing them, microseconds for a new page of memory
 * from the system, nanoseconds for a cycle (of a chain of dependent additions), nanoseconds for a
 * dependent load from 1 MiB, 16 MiB and 512 MiB. With DATA, prints its rows, its non-zeros and
 * their bytes in train's memory.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/matrix.h"

enum { RUNS = 5, CHAINS = 16, PAGE = 4096, LINE = 64 };
static const size_t LARGE = (size_t)512 << 20;

static volatile uint64_t kept; /* results go here, so the compiler cannot remove the work */

static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void *take(size_t size)
{
    void *memory = malloc(size);

    if (!memory) {
        fprintf(stderr, "bounds: out of memory\n");
        exit(1);
    }
    return memory;
}

static double read_in_order(const uint64_t *memory)
{
    const double start = now();
    uint64_t sum[CHAINS] = {0};

    for (size_t k = 0; k < LARGE / sizeof *memory; k += CHAINS)
        for (size_t c = 0; c < CHAINS; c++)
            sum[c] += memory[k + c];
    for (size_t c = 0; c < CHAINS; c++)
        kept += sum[c];
    return now() - start;
}

static double write_in_order(void *memory)
{
    const double start = now();

    memset(memory, (int)kept & 1, LARGE);
    return now() - start;
}

/* Returns the seconds to touch memory that was never used. */
static double take_pages(void)
{
    unsigned char *memory = take(LARGE);
    const double start = now();
    double seconds;

    for (size_t k = 0; k < LARGE; k += PAGE)
        memory[k] = 1;
    seconds = now() - start;
    kept += memory[LARGE / 2];
    free(memory);
    return seconds;
}

enum { ADDITIONS = 200000000 };

/* Adds in a chain, which the compiler cannot shorten because `kept` is volatile. */
static double add_in_a_chain(void)
{
    const double start = now();
    const uint64_t a = kept | 1, b = kept | 2;
    uint64_t x = kept;

    for (long k = 0; k < ADDITIONS / 8; k++) {
        x = (x + a) ^ b;
        x = (x + a) ^ b;
        x = (x + a) ^ b;
        x = (x + a) ^ b;
    }
    kept += x;
    return now() - start;
}

/* Loads each address from the address before it, through all lines in an order without a pattern.
 */
static double load_in_a_chain(uint64_t *memory, size_t size, size_t loads)
{
    const size_t step = LINE / sizeof *memory, lines = size / LINE;
    uint64_t random = 88172645463325252u;
    double start;

    for (size_t k = 0; k < lines; k++)
        memory[k * step] = k;
    for (size_t k = lines - 1; k > 0; k--) { /* Sattolo's shuffle: one cycle through all lines */
        size_t other;
        uint64_t mine = memory[k * step];

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        other = (size_t)(random % k);
        memory[k * step] = memory[other * step];
        memory[other * step] = mine;
    }
    start = now();
    for (size_t k = 0, at = 0; k < loads; k++) {
        at = (size_t)memory[at * step];
        kept = at;
    }
    return now() - start;
}

static double lower(double a, double b)
{
    return a < b ? a : b;
}

static void machine(void)
{
    enum { LOADS = 4000000 };
    static const size_t size[] = {(size_t)1 << 20, (size_t)16 << 20, (size_t)512 << 20};
    uint64_t *memory = take(LARGE);
    double best[7] = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};

    memset(memory, 1, LARGE);
    for (int run = 0; run < RUNS; run++) {
        best[0] = lower(best[0], read_in_order(memory));
        best[1] = lower(best[1], write_in_order(memory));
        best[2] = lower(best[2], take_pages());
        best[3] = lower(best[3], add_in_a_chain());
    }
    for (int k = 0; k < 3; k++)
        best[4 + k] = load_in_a_chain(memory, size[k], LOADS);
    printf("%.1f %.1f %.3f %.4f %.1f %.1f %.1f\n", (double)LARGE / 1e9 / best[0],
           (double)LARGE / 1e9 / best[1], best[2] * 1e6 * PAGE / (double)LARGE,
           best[3] * 1e9 / ADDITIONS, best[4] * 1e9 / LOADS, best[5] * 1e9 / LOADS,
           best[6] * 1e9 / LOADS);
    free(memory);
}

static int dataset(const char *path)
{
    static const size_t value_size[] = {0, sizeof(int32_t), sizeof(float), sizeof(double)};
    const struct hinge_format format = {0};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);
    size_t entry;

    if (!data) {
        fprintf(stderr, "bounds: %s\n", error.message);
        return 1;
    }
    entry = value_size[data->x.value_kind] +
            (data->x.index_kind == HINGE_INDEX_NONE ? 0 : (size_t)1 << data->x.index_kind);
    printf("%zu %zu %zu\n", data->x.rows, data->x.nonzeros,
           data->x.nonzeros * entry + data->x.rows * sizeof(size_t));
    hinge_dataset_free(data);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        fprintf(stderr, "usage: bounds [DATA]\n");
        return 1;
    }
    if (argc == 2)
        return dataset(argv[1]);
    machine();
    return 0;
}
