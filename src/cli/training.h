/* training.h - what train and train-mpi do, from the command line to the model. */
#ifndef HINGE_CLI_TRAINING_H
#define HINGE_CLI_TRAINING_H

#include "hinge.h"

/* How a rank ends without the others: after what they have to be told to end, too. */
struct rank_exit {
    int alone; /* 1: this rank ends before the others know; they have to be ended */

    /* Called before it says why it fails, with what status: of several ranks that fail, one is to
     * say so first, and end the others before they do. */
    void (*wait)(const struct hinge_team *team, enum hinge_status status);
};

/* Runs the program; its value is the exit status. team: the processes that train together, of which
 * rank 0 prints, watches and writes; NULL, as rank_exit: one process alone. */
int training_run(int argc, char **argv, const struct hinge_team *team, struct rank_exit *rank_exit);

#endif
