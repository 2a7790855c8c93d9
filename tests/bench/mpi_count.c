/* mpi_count.c - measures the data that a program sends by MPI, and its processor time between the
 * calls. LD_PRELOAD loads it before the program; it uses MPI's profiling interface.
 *
 * At MPI_Finalize, rank 0 writes three numbers to the file in the variable MPI_COUNT: the calls in
 * which all ranks take part (an exchange by messages is one), the most bytes that a rank sends, and
 * the most processor seconds that a rank spends outside MPI. A rank counts as sending 2 n (P-1)/P
 * bytes in an MPI_Allreduce of n bytes, and n (P-1)/P in an MPI_Bcast or MPI_Reduce, as in the best
 * algorithms.
 */
#define _POSIX_C_SOURCE 200112L /* clock_gettime */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double calls, bytes, inside, entered;
static int depth; /* number of nested calls, because a call of MPI may make others */

static double processor(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void enter(void)
{
    if (depth++ == 0)
        entered = processor();
}

static int leave(int result)
{
    if (--depth == 0)
        inside += processor() - entered;
    return result;
}

static double others(MPI_Comm communicator)
{
    int size;

    PMPI_Comm_size(communicator, &size);
    return size - 1;
}

static void count(double call, double sent)
{
    calls += call;
    bytes += sent;
}

static double size_of(MPI_Datatype type)
{
    int size;

    PMPI_Type_size(type, &size);
    return size;
}

static double share(MPI_Comm communicator)
{
    return others(communicator) / (others(communicator) + 1);
}

int MPI_Init(int *argc, char ***argv)
{
    enter();
    return leave(PMPI_Init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    enter();
    return leave(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Allreduce(const void *send, void *receive, int length, MPI_Datatype type, MPI_Op op,
                  MPI_Comm communicator)
{
    count(1, 2 * length * size_of(type) * share(communicator));
    enter();
    return leave(PMPI_Allreduce(send, receive, length, type, op, communicator));
}

int MPI_Reduce(const void *send, void *receive, int length, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm communicator)
{
    count(1, length * size_of(type) * share(communicator));
    enter();
    return leave(PMPI_Reduce(send, receive, length, type, op, root, communicator));
}

int MPI_Bcast(void *buffer, int length, MPI_Datatype type, int root, MPI_Comm communicator)
{
    count(1, length * size_of(type) * share(communicator));
    enter();
    return leave(PMPI_Bcast(buffer, length, type, root, communicator));
}

int MPI_Barrier(MPI_Comm communicator)
{
    count(1, 0);
    enter();
    return leave(PMPI_Barrier(communicator));
}

int MPI_Allgather(const void *send, int send_length, MPI_Datatype send_type, void *receive,
                  int length, MPI_Datatype type, MPI_Comm communicator)
{
    count(1, send_length * size_of(send_type) * others(communicator));
    enter();
    return leave(PMPI_Allgather(send, send_length, send_type, receive, length, type, communicator));
}

int MPI_Allgatherv(const void *send, int send_length, MPI_Datatype send_type, void *receive,
                   const int *length, const int *at, MPI_Datatype type, MPI_Comm communicator)
{
    count(1, send_length * size_of(send_type) * others(communicator));
    enter();
    return leave(
        PMPI_Allgatherv(send, send_length, send_type, receive, length, at, type, communicator));
}

int MPI_Isend(const void *send, int length, MPI_Datatype type, int to, int tag,
              MPI_Comm communicator, MPI_Request *request)
{
    count(0, length * size_of(type));
    enter();
    return leave(PMPI_Isend(send, length, type, to, tag, communicator, request));
}

int MPI_Waitall(int length, MPI_Request *request, MPI_Status *status)
{
    count(1, 0);
    enter();
    return leave(PMPI_Waitall(length, request, status));
}

int MPI_Finalize(void)
{
    const char *path = getenv("MPI_COUNT");
    double own[3], most[3];
    int rank;
    FILE *file;

    own[0] = calls;
    own[1] = bytes;
    own[2] = processor() - inside;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(own, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && path && (file = fopen(path, "w"))) {
        fprintf(file, "%.0f %.0f %.4f\n", most[0], most[1], most[2]);
        fclose(file);
    }
    return PMPI_Finalize();
}
