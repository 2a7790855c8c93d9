/* programs.h - the programs as functions.
 *
 * Each runs its program on a command line and returns the exit status. A program may be run again
 * in the same process: the next run sees nothing of the previous one. */
#ifndef HINGE_CLI_PROGRAMS_H
#define HINGE_CLI_PROGRAMS_H

#include "hinge.h"

int training_run(int argc, char **argv);
int prediction_run(int argc, char **argv);
int scaling_run(int argc, char **argv);
int converting_run(int argc, char **argv);
int inspection_run(int argc, char **argv);

/* How a rank ends if it cannot tell the others that it has failed. */
struct rank_exit {
    int alone; /* 1: the rank could not tell the others, and the caller must end all ranks */

    /* Called with the status before the rank says why it fails. Waits, so that one of several ranks
     * that fail says so first and ends the others. */
    void (*wait)(const struct hinge_team *team, enum hinge_status status);
};

/* Runs train-mpi. team is the processes that train together, of which rank 0 prints, watches and
 * writes. With NULL for both this is training_run. */
int training_run_team(int argc, char **argv, const struct hinge_team *team,
                      struct rank_exit *rank_exit);

#endif
