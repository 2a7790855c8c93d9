/* transport.h - a team whose ranks are the processes of MPI. */
#ifndef HINGE_MPI_TRANSPORT_H
#define HINGE_MPI_TRANSPORT_H

#include <mpi.h>

#include "hinge.h"

struct transport {
    MPI_Comm communicator;
    MPI_Request *request; /* [2 size] */
    int *count;           /* [size] bytes of each rank, if an int holds the sum */
    int *displacement;    /* [size] where the bytes of each rank begin */
    int rank, size;
};

/* Makes a team of all processes of MPI, which has been initialised. Errors of MPI do not end the
 * process from here on. Call transport_end in any case. */
enum hinge_status transport_begin(struct transport *transport, struct hinge_team *team,
                                  struct hinge_error *error);
void transport_end(struct transport *transport);

#endif
