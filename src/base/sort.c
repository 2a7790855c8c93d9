/* sort.c - binary radix exchange: split by the highest bit in which keys differ, then both parts.
 *
 * qsort may take memory for a copy, and a quadratic time; this needs neither.
 */
#include "base/sort.h"

/* Sorts a few keys: each goes down to its place. */
static void insert(uint64_t *key, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        const uint64_t moved = key[k];
        size_t to = k;

        for (; to > 0 && key[to - 1] > moved; to--)
            key[to] = key[to - 1];
        key[to] = moved;
    }
}

int sort_keys(uint64_t *key, size_t count, int (*stops)(const void *context), const void *context)
{
    enum { FEW = 24, MANY = 1 << 20 };
    size_t low = 0, high = count;
    uint64_t differ = 0;

    if (count <= FEW) {
        insert(key, count);
        return 1;
    }
    if (count >= MANY && stops && stops(context))
        return 0;
    for (size_t k = 1; k < count; k++)
        differ |= key[k] ^ key[0];
    if (differ == 0)
        return 1;
    while (differ & (differ - 1))
        differ &= differ - 1;
    while (low < high)
        if (key[low] & differ) {
            const uint64_t moved = key[--high];

            key[high] = key[low];
            key[low] = moved;
        } else
            low++;
    return sort_keys(key, low, stops, context) && sort_keys(key + low, count - low, stops, context);
}
