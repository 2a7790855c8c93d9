/* train_mpi.c - train by several processes: mpirun -n 4 train-mpi [options] data [model] */
#include <signal.h>
#include <stdio.h>

#include "cli/arguments.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "hinge_team.h"
#include "mpi/transport.h"

/* Waits before a rank reports a failure: rank 0 not at all, each other rank a second longer than
 * the one before it. A rank that only knows that another one has failed waits longest. Meanwhile
 * MPI ends the ranks by a signal, which takes seconds on a busy machine. That signal must not be
 * noted as an interrupt. */
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

static int start(int argc, char **argv)
{
    struct rank_exit rank_exit = {0, wait_for_turn};
    struct transport transport;
    struct hinge_team team;
    struct hinge_error error;
    int provided, status;

    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        fprintf(stderr, "%s: MPI cannot be initialised\n", program_name(argv[0]));
        return HINGE_TEAM_FAILED;
    }
    if (transport_begin(&transport, &team, &error))
        return end_all(report_error(program_name(argv[0]), &error));
    if (team.rank > 0 && !freopen("/dev/null", "w", stdout)) { /* only rank 0 prints results */
        fprintf(stderr, "%s: rank %d of %d: cannot write /dev/null\n", program_name(argv[0]),
                team.rank, team.size);
        return end_all(HINGE_FILE_ERROR);
    }
    status = training_run(argc, argv, &team, &rank_exit);
    if (rank_exit.alone)
        return end_all(status);
    transport_end(&transport);
    MPI_Finalize();
    return status;
}

int main(int argc, char **argv)
{
    struct arguments arguments;
    const int failed = arguments_begin(&arguments, argc, argv);

    return arguments_end(&arguments, failed ? failed : start(arguments.count, arguments.word));
}
