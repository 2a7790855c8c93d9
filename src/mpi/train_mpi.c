/* train_mpi.c - train by several processes: mpirun -n 4 train-mpi [options] data [model]
 *
 * The processes of MPI are the ranks of a team. A block of bytes may have any length, but MPI
 * counts in ints. So a block of more than SLICE bytes goes in several messages. Between two ranks,
 * messages arrive in the order in which they were sent, and both ranks know the number of messages.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/arguments.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "hinge_team.h"

/* ---- Blocks of bytes ----------------------------------------------------- */

struct transport {
    MPI_Comm communicator;
    MPI_Request *request; /* [2 size] */
    int *count;           /* [size] bytes of each rank, if an int holds the sum */
    int *displacement;    /* [size] where the bytes of each rank begin */
    int rank, size;
};

#ifndef HINGE_MPI_SLICE /* tests use a few bytes */
#define HINGE_MPI_SLICE ((size_t)1 << 30)
#endif

static const size_t SLICE = HINGE_MPI_SLICE;

/* Returns the length of slice k of a block of `bytes` bytes. */
static int slice(size_t bytes, size_t k)
{
    const size_t left = bytes - k * SLICE;

    return (int)(left < SLICE ? left : SLICE);
}

static int exchange(void *context, const void *send, const size_t *send_bytes, void *receive,
                    const size_t *receive_bytes)
{
    struct transport *transport = context;
    MPI_Request *request = transport->request;
    int failed = MPI_SUCCESS, requests = 1;

    for (size_t k = 0; requests > 0 && failed == MPI_SUCCESS; k++) {
        const char *from = send;
        char *to = receive;

        requests = 0;
        for (int q = 0; q < transport->size && failed == MPI_SUCCESS; q++) {
            if (q == transport->rank && k == 0 && send_bytes[q] > 0)
                memcpy(to, from, send_bytes[q]);
            if (q != transport->rank && receive_bytes[q] > k * SLICE)
                failed = MPI_Irecv(to + k * SLICE, slice(receive_bytes[q], k), MPI_BYTE, q, 0,
                                   transport->communicator, &request[requests++]);
            if (q != transport->rank && send_bytes[q] > k * SLICE && failed == MPI_SUCCESS)
                failed = MPI_Isend(from + k * SLICE, slice(send_bytes[q], k), MPI_BYTE, q, 0,
                                   transport->communicator, &request[requests++]);
            from += send_bytes[q];
            to += receive_bytes[q];
        }
        if (failed == MPI_SUCCESS && requests > 0)
            failed = MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    }
    return failed != MPI_SUCCESS;
}

/* Sends the block of each rank to all ranks. If the blocks are too many bytes for one call, the
 * ranks send them one after the other. */
static int gather(void *context, const void *send, void *receive, const size_t *bytes)
{
    struct transport *transport = context;
    char *to = receive;
    size_t all = 0;
    int failed = MPI_SUCCESS, fits = 1;

    for (int q = 0; q < transport->size && fits; q++) {
        fits = bytes[q] <= SLICE - all;
        transport->count[q] = fits ? (int)bytes[q] : 0;
        transport->displacement[q] = (int)all;
        all += fits ? bytes[q] : 0;
    }
    if (fits)
        return MPI_Allgatherv(send, transport->count[transport->rank], MPI_BYTE, receive,
                              transport->count, transport->displacement, MPI_BYTE,
                              transport->communicator) != MPI_SUCCESS;
    for (int q = 0; q < transport->size; q++) {
        if (q == transport->rank && bytes[q] > 0)
            memcpy(to, send, bytes[q]);
        for (size_t k = 0; k * SLICE < bytes[q] && failed == MPI_SUCCESS; k++)
            failed =
                MPI_Bcast(to + k * SLICE, slice(bytes[q], k), MPI_BYTE, q, transport->communicator);
        to += bytes[q];
    }
    return failed != MPI_SUCCESS;
}

/* ---- The program --------------------------------------------------------- */

/* Waits before a rank reports a failure: rank k waits for k seconds, but no longer than 3. A rank
 * that only knows that another one has failed waits 10 seconds more. Meanwhile MPI ends the ranks
 * by a signal, which takes seconds on a busy machine. That signal must not be noted as an
 * interrupt. */
static void wait_for_turn(const struct hinge_team *team, enum hinge_status status)
{
    const double turn = 1, longest = 3, last = 10, begin = MPI_Wtime();
    const double own = team->rank * turn < longest ? team->rank * turn : longest;
    const double seconds = status == HINGE_TEAM_FAILED ? last + own : own;
    int found;

    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    while (MPI_Wtime() - begin < seconds) /* MPI may yield the processor in this call */
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

/* Ends all processes. */
static int end_all(int status)
{
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, status);
    return status;
}

/* Makes a team of all processes of MPI, and trains. Errors of MPI do not end the process. */
static int start(int argc, char **argv)
{
    const char *name = program_name(argv[0]);
    struct rank_exit rank_exit = {0, wait_for_turn};
    struct transport transport;
    struct hinge_team team;
    struct hinge_error error;
    int provided, status;
    size_t size;

    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        fprintf(stderr, "%s: MPI cannot be initialised\n", name);
        return HINGE_TEAM_FAILED;
    }
    if (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &transport.communicator) != MPI_SUCCESS ||
        MPI_Comm_rank(transport.communicator, &transport.rank) != MPI_SUCCESS ||
        MPI_Comm_size(transport.communicator, &transport.size) != MPI_SUCCESS) {
        error_fill(&error, HINGE_TEAM_FAILED, "MPI does not say which processes there are");
        return end_all(report_error(name, &error));
    }
    size = (size_t)transport.size;
    if (!(transport.request = array_new(size, 2 * sizeof(MPI_Request), &error)) ||
        !(transport.count = array_new(size, sizeof(int), &error)) ||
        !(transport.displacement = array_new(size, sizeof(int), &error)))
        return end_all(report_error(name, &error));
    if (transport.rank > 0 && !freopen("/dev/null", "w", stdout)) { /* only rank 0 prints results */
        fprintf(stderr, "%s: rank %d of %d: cannot write /dev/null\n", name, transport.rank,
                transport.size);
        return end_all(HINGE_FILE_ERROR);
    }
    team = (struct hinge_team){&transport, transport.rank, transport.size, exchange, gather};
    status = training_run_team(argc, argv, &team, &rank_exit);
    if (rank_exit.alone)
        return end_all(status);
    MPI_Comm_free(&transport.communicator);
    free(transport.request);
    free(transport.count);
    free(transport.displacement);
    MPI_Finalize();
    return status;
}

int main(int argc, char **argv)
{
    return arguments_run(argc, argv, start);
}
