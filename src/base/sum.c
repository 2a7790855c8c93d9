/* sum.c - adds many terms in parallel chains. */
#include "base/sum.h"

#include "base/compiler.h"

/* Compilers use vectors for the chains only if each step is a loop of its own without a branch. */
enum { CHAINS = 4 };

/* Knuth's two-sum finds the error of an addition without a branch. */
VERSIONED(void, (void), sum_add_all, (struct sum * sum, const double *term, size_t count),
          (sum, term, count))
{
    const size_t whole = count - count % CHAINS;
    double total[CHAINS] = {0}, lost[CHAINS] = {0}, after[CHAINS], added[CHAINS];

    for (size_t k = 0; k < whole; k += CHAINS) {
        for (size_t c = 0; c < CHAINS; c++)
            after[c] = total[c] + term[k + c];
        for (size_t c = 0; c < CHAINS; c++)
            added[c] = after[c] - total[c];
        for (size_t c = 0; c < CHAINS; c++)
            lost[c] += (total[c] - (after[c] - added[c])) + (term[k + c] - added[c]);
        for (size_t c = 0; c < CHAINS; c++)
            total[c] = after[c];
    }
    for (size_t c = 0; c < CHAINS; c++) {
        sum_add(sum, total[c]);
        sum_add(sum, fabs(total[c]) <= DBL_MAX ? lost[c] : 0);
    }
    for (size_t k = whole; k < count; k++)
        sum_add(sum, term[k]);
}
