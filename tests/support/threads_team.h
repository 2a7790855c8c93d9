/* threads_team.h - a team whose ranks are threads of the test, and a mock of its calls. */
#ifndef HINGE_TESTS_THREADS_TEAM_H
#define HINGE_TESTS_THREADS_TEAM_H

#include "hinge.h"

enum { MOST_RANKS = 7 };

/* The work of one rank; its result is stored. A rank leaves the team when it returns. After that,
 * calls of the other ranks fail. */
typedef enum hinge_status rank_function(void *context, const struct hinge_team *team,
                                        struct hinge_error *error);

struct threads_team {
    int size;
    long fail_at; /* the call of fail_rank, from 1, that fails; 0: none */
    int fail_rank;
    /* Results of a run. */
    long calls; /* calls of rank 0 */
    enum hinge_status status[MOST_RANKS];
    struct hinge_error error[MOST_RANKS];
    long after_failure; /* calls of a rank whose last one had failed */
};

/* Runs the function as team->size ranks, and waits for all of them. */
void threads_team_run(struct threads_team *team, rank_function *run, void *context);

/* Returns the dataset as a rank has it: the rows of other ranks are empty. */
struct hinge_dataset *rank_dataset_new(const struct hinge_dataset *data,
                                       const struct hinge_team *team);
void rank_dataset_free(struct hinge_dataset *data);

#endif
