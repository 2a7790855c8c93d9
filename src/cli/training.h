/* training.h - what train and train-mpi do, from the command line to the model. */
#ifndef HINGE_CLI_TRAINING_H
#define HINGE_CLI_TRAINING_H

#include "hinge.h"

/* How a rank ends that cannot tell the others that it has failed. */
struct rank_exit {
    int alone; /* set to 1 if it does: the caller has to end all ranks */

    /* Called with the status before the rank says why it fails: waits, so that of several ranks
     * that fail one says so first, and ends the others before they do. */
    void (*wait)(const struct hinge_team *team, enum hinge_status status);
};

/* Runs the program; its value is the exit status. team: the processes that train together, of which
 * rank 0 prints, watches and writes; NULL, as rank_exit: one process alone. */
int training_run(int argc, char **argv, const struct hinge_team *team, struct rank_exit *rank_exit);

#endif
