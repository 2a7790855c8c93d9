/* nearest.c - d(i, j) = least number of edits from the first i letters of one word to j of another.
 */
#include "cli/nearest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 24 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edits(const char *a, size_t m, const char *b, size_t n)
{
    size_t d[LONGEST + 1][LONGEST + 1];

    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (lower(a[i - 1]) != lower(b[j - 1])));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

struct nearest nearest_begin(const char *word, size_t length)
{
    /* one edit for every three letters */
    const struct nearest nearest = {word, length, length / 3 + 1, NULL};

    return nearest;
}

void nearest_try(struct nearest *nearest, const char *candidate, const char *as)
{
    const size_t length = strlen(candidate);
    size_t distance;

    if (nearest->length > LONGEST || length > LONGEST)
        return;
    distance = edits(nearest->word, nearest->length, candidate, length);
    if (nearest->length > 1 && strncmp(nearest->word, candidate, nearest->length) == 0)
        distance = least(distance, 1);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = as;
    }
}
