/* transport.c - blocks of bytes of any length over calls whose counts are ints.
 *
 * A block of more than SLICE bytes goes in several messages. Between two ranks messages arrive in
 * the order in which they were sent, and both know how many there are.
 */
#include "mpi/transport.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "hinge_team.h"

#ifndef HINGE_MPI_SLICE /* tests have a few bytes */
#define HINGE_MPI_SLICE ((size_t)1 << 30)
#endif

static const size_t SLICE = HINGE_MPI_SLICE;

/* Returns the length of slice k of a block of so many bytes. */
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

/* If the blocks are too many bytes for one call, the ranks send them one after the other. */
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

enum hinge_status transport_begin(struct transport *transport, struct hinge_team *team,
                                  struct hinge_error *error)
{
    memset(transport, 0, sizeof *transport);
    transport->communicator = MPI_COMM_NULL;
    if (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &transport->communicator) != MPI_SUCCESS ||
        MPI_Comm_rank(transport->communicator, &transport->rank) != MPI_SUCCESS ||
        MPI_Comm_size(transport->communicator, &transport->size) != MPI_SUCCESS)
        return fail(error, HINGE_TEAM_FAILED, "MPI does not say which processes there are");
    transport->request = array_new((size_t)transport->size, 2 * sizeof(MPI_Request), error);
    transport->count = array_new((size_t)transport->size, sizeof(int), error);
    transport->displacement = array_new((size_t)transport->size, sizeof(int), error);
    *team = (struct hinge_team){transport, transport->rank, transport->size, exchange, gather};
    if (!transport->request || !transport->count || !transport->displacement)
        return failure(error);
    return HINGE_OK;
}

void transport_end(struct transport *transport)
{
    if (transport->communicator != MPI_COMM_NULL)
        MPI_Comm_free(&transport->communicator);
    free(transport->request);
    free(transport->count);
    free(transport->displacement);
}
