/* sort.c - radix sort in place: swaps keys into buckets by the highest bits in which they differ,
 * then sorts each bucket (American flag sort: McIlroy, Bostic, McIlroy, Computing Systems 6, 1993).
 *
 * qsort may need memory for a copy and quadratic time; this sort needs neither.
 */
#include "base/sort.h"

enum { MOST_BUCKETS = 256 };

/* The buckets of the highest differing bits. */
struct buckets {
    unsigned shift;
    unsigned last; /* a power of 2, less 1 */
};

static size_t bucket_of(uint64_t key, struct buckets buckets)
{
    return key >> buckets.shift & buckets.last;
}

/* Moves the keys to their buckets. Bucket b then ends at end[b]. */
static void distribute(uint64_t *key, size_t count, struct buckets buckets, size_t *end)
{
    size_t next[MOST_BUCKETS], begin = 0;

    for (size_t b = 0; b <= buckets.last; b++)
        end[b] = 0;
    for (size_t k = 0; k < count; k++)
        end[bucket_of(key[k], buckets)]++;
    for (size_t b = 0; b <= buckets.last; b++) {
        next[b] = begin;
        begin += end[b];
        end[b] = begin;
    }
    for (size_t b = 0; b < buckets.last; b++)
        while (next[b] < end[b]) {
            uint64_t moved = key[next[b]];

            for (size_t to; (to = bucket_of(moved, buckets)) != b;) {
                const uint64_t found = key[next[to]];

                key[next[to]++] = moved;
                moved = found;
            }
            key[next[b]++] = moved;
        }
}

int sort_keys(uint64_t *key, size_t count, const struct stop *stop)
{
    enum { FEW = 24, MANY = 1 << 13 };
    enum { FEWER = 16 }; /* buckets, which cost time of their own */
    size_t end[MOST_BUCKETS];
    struct buckets buckets = {0, (count < MANY / 2 ? FEWER : MOST_BUCKETS) - 1};
    uint64_t differ = 0; /* bits in which some keys differ */

    if (count <= FEW) { /* by insertion */
        for (size_t k = 1; k < count; k++) {
            const uint64_t moved = key[k];
            size_t to = k;

            for (; to > 0 && key[to - 1] > moved; to--)
                key[to] = key[to - 1];
            key[to] = moved;
        }
        return 1;
    }
    if (count >= MANY && stop && stop_is_asked(stop))
        return 0;
    for (size_t k = 1; k < count; k++)
        differ |= key[k] ^ key[0];
    if (differ == 0)
        return 1;
    while (differ >> buckets.shift > buckets.last)
        buckets.shift++;
    distribute(key, count, buckets, end);
    for (size_t b = 0, begin = 0; b <= buckets.last; begin = end[b++])
        if (!sort_keys(key + begin, end[b] - begin, stop))
            return 0;
    return 1;
}

int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}
