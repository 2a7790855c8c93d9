/* ranks.h - a team whose processes are threads of the test, and whose messages are copies in
 * memory. */
#ifndef HINGE_TESTS_RANKS_H
#define HINGE_TESTS_RANKS_H

#include "support.h"

enum { MOST_RANKS = 8 };

/* The work of a rank. Checks of cmocka are not for its thread: it leaves what is to be checked. */
typedef void rank_function(void *context, const struct hinge_team *team);

/* Which call of a transport fails. */
struct rank_failure {
    int rank;
    unsigned long call; /* from 1; 0: none */
};

/* Runs the work of so many ranks at a time. A rank whose work has ended, or whose transport has
 * failed, has left the team: calls of the others fail, none waits for it. Returns the largest
 * number of calls that a rank made; calls after a failed one are counted in *late, which may be
 * NULL. */
unsigned long ranks_run(int size, rank_function *work, void *context,
                        const struct rank_failure *failure, unsigned long *late);

#endif
