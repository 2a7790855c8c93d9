/* oracle.c - checks by exact arithmetic that certificates are true, for random nasty problems and
 * every solver with certificates.
 *
 * usage: oracle [-v] [-f FIRST] [-l LIMIT] [-s SOLVER]... [-d FOLDER] COUNT SEED
 * COUNT is the number of problems, or of seconds with an s behind it. Problem k of a seed does not
 * depend on COUNT. FIRST is the first problem, default 0. LIMIT is the processor time that a
 * training may take, default 10 seconds. SOLVER, once or more: only these solvers. Problems with a
 * fault go to FOLDER as LIBSVM files. -v prints a line for every run, with its faults as the bits
 * of certificate.h.
 *
 * Each problem has its own process. A solver that crashes or ignores monitors is counted, and a new
 * process goes on with the next one. Exit status 1: a broken promise (see promises), or a run over
 * the limit.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "certificate.h"

static const int solvers[] = {1, 2, 3, 0, 7, 5, 6, 60, 61, 62, 4, 42, 50};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

/* Faults that the library promises not to have, in any result and in certified results. */
enum { NEVER = INFEASIBLE | WORSE_THAN_ZERO | FILE_DIFFERS };
enum { BOUNDS = GAP_ABOVE_REPORTED | PRIMAL_ABOVE_REPORTED | DUAL_ABOVE_REPORTED };
static const unsigned promises[2] = {NEVER, NEVER | GAP_ABOVE_TARGET | BOUNDS};

enum event { CERTIFIED, STALLED, TOLERANCE, OTHER, REFUSED, SLOW, HUNG, CRASHED, EVENTS };

static const char *const event_names[EVENTS] = {"certified", "stalled", "tolerance", "other",
                                                "refused",   "slow",    "hung",      "crashed"};

/* Counts of results over several runs. */
struct count {
    unsigned long runs;
    unsigned long event[EVENTS];
    unsigned long fault[2][FAULTS]; /* faults of uncertified runs and of certified runs */
    unsigned long unbalanced;
    double longest; /* seconds */
};

struct oracle {
    uint64_t seed;
    double limit;
    const char *folder; /* or NULL */
    int verbose;
    int solver[SOLVERS]; /* [solvers] the solvers to try */
    int solvers;
    struct count count[KINDS][SOLVERS];
    unsigned long lines;            /* lines printed about BOUNDS alone, which are limited */
    unsigned long problems, broken; /* broken: problems with a broken promise or over the limit */
};

/* ---- A problem in a process ----------------------------------------------- */

static void set_timer(double seconds)
{
    struct itimerval timer = {{0, 0}, {(time_t)seconds, 0}};

    if (setitimer(ITIMER_PROF, &timer, NULL))
        abort();
}

static void stop_timer(void)
{
    set_timer(0);
}

/* Runs in the child: trains every solver from `first` on, and reports a finding for each. */
static void try_solvers(const struct oracle *oracle, const struct nasty *nasty, int first, int out)
{
    struct hinge_error error;
    struct hinge_dataset *data = certificate_read(nasty, &error);
    const char *folder = nasty->number % 10 == 0 ? oracle->folder : NULL;

    for (int s = first; s < oracle->solvers; s++) {
        struct finding finding = {.solver = oracle->solver[s], .refused = (int)error.status};

        set_timer(oracle->limit + 2);
        if (data)
            certificate_find(nasty, data, oracle->solver[s], oracle->limit, folder, stop_timer,
                             &finding);
        else
            snprintf(finding.message, sizeof finding.message, "%.150s", error.message);
        stop_timer();
        if (write(out, &finding, sizeof finding) != (ssize_t)sizeof finding)
            _exit(EXIT_FAILURE);
    }
    hinge_dataset_free(data);
    _exit(EXIT_SUCCESS);
}

static int read_finding(int in, struct finding *finding)
{
    size_t length = 0;

    while (length < sizeof *finding) {
        const ssize_t got = read(in, (char *)finding + length, sizeof *finding - length);

        if (got == 0 || (got < 0 && errno != EINTR))
            return 0;
        length += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* ---- Counting -------------------------------------------------------------- */

static enum event event_of(const struct oracle *oracle, const struct finding *finding)
{
    if (finding->seconds > oracle->limit)
        return SLOW;
    if (finding->refused)
        return REFUSED;
    switch (finding->outcome) {
    case HINGE_CERTIFIED:
        return CERTIFIED;
    case HINGE_STALLED:
        return STALLED;
    case HINGE_TOLERANCE_MET:
        return TOLERANCE;
    default:
        return OTHER;
    }
}

static void keep_problem(const struct nasty *nasty, const char *path)
{
    char weights[512 + 8];
    FILE *stream = fopen(path, "w");

    snprintf(weights, sizeof weights, "%s.weights", path);
    if (stream) {
        nasty_write(nasty, stream);
        fclose(stream);
    }
    if (nasty->row_weight && (stream = fopen(weights, "w"))) {
        nasty_write_weights(nasty, stream);
        fclose(stream);
    }
}

/* Keeps the problem, and prints what went wrong and the command line that repeats it. */
static void print_find(const struct oracle *oracle, const struct nasty *nasty,
                       const struct finding *finding, unsigned broken, enum event event)
{
    char path[512];
    const char *folder = oracle->folder ? oracle->folder : "";

    snprintf(path, sizeof path, "%s%s%llu-%lu", folder, *folder ? "/" : "",
             (unsigned long long)oracle->seed, nasty->number);
    if (*folder)
        keep_problem(nasty, path);
    if (event >= SLOW)
        printf("%s, ", event_names[event]);
    for (int f = 0; f < FAULTS; f++)
        if (broken & 1u << f)
            printf("%s, ", fault_names[f]);
    printf("%s: ", kind_names[nasty->kind]);
    nasty_write_command(nasty, finding->solver, path, stdout);
    printf(": P %.17g D %.17g gap %.3g; exactly P %.17g D %.17g gap %.3g; %.1f s\n",
           finding->said[0], finding->said[1], finding->said[2], finding->true_value[0],
           finding->true_value[1], finding->true_value[2], finding->seconds);
    fflush(stdout);
}

static int add_finding(struct oracle *oracle, const struct nasty *nasty, int s, enum event event,
                       const struct finding *finding)
{
    enum { MOST_LINES = 20 };
    struct count *count = &oracle->count[nasty->kind][s];
    const int certified = event < HUNG && !finding->refused && finding->outcome == HINGE_CERTIFIED;
    const unsigned broken = finding->faults & promises[certified];

    count->runs++;
    count->event[event]++;
    count->longest = fmax(count->longest, finding->seconds);
    count->unbalanced += finding->unbalanced != 0;
    for (int f = 0; f < FAULTS; f++)
        count->fault[certified][f] += (finding->faults & 1u << f) != 0;
    if (oracle->verbose)
        printf("run %lu %s -s %d: %s, faults %u, P %.17g, P(0) %.17g, %.2f s%s%s\n", nasty->number,
               kind_names[nasty->kind], finding->solver, event_names[event], finding->faults,
               finding->true_value[0], finding->primal_at_zero, finding->seconds,
               *finding->message ? ": " : "", finding->message);
    if (event >= SLOW || (broken | BOUNDS) != BOUNDS || (broken && oracle->lines++ < MOST_LINES))
        print_find(oracle, nasty, finding, broken, event);
    return broken != 0 || event >= SLOW;
}

/* Tries every solver on a problem, in as many processes as crashes make necessary. */
static void try_problem(struct oracle *oracle, unsigned long number)
{
    struct nasty nasty;
    int broken = 0;

    if (!nasty_draw(&nasty, oracle->seed, number))
        abort();
    for (int s = 0; s < oracle->solvers;) {
        struct finding finding;
        int ends[2], status;
        pid_t child;

        if (pipe(ends) || (child = fork()) < 0)
            abort();
        if (child == 0)
            try_solvers(oracle, &nasty, s, ends[1]);
        close(ends[1]);
        for (; read_finding(ends[0], &finding); s++)
            broken |= add_finding(oracle, &nasty, s, event_of(oracle, &finding), &finding);
        close(ends[0]);
        if (waitpid(child, &status, 0) != child)
            abort();
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
            break;
        finding = (struct finding){.solver = oracle->solver[s], .seconds = oracle->limit + 2};
        broken |= add_finding(oracle, &nasty, s,
                              WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? HUNG : CRASHED,
                              &finding);
        s++;
    }
    oracle->problems++;
    oracle->broken += broken != 0;
    nasty_free(&nasty);
}

/* ---- The tables ------------------------------------------------------------ */

static void add_counts(struct count *sum, const struct count *count)
{
    sum->runs += count->runs;
    for (int e = 0; e < EVENTS; e++)
        sum->event[e] += count->event[e];
    for (int f = 0; f < FAULTS; f++)
        for (int certified = 0; certified < 2; certified++)
            sum->fault[certified][f] += count->fault[certified][f];
    sum->unbalanced += count->unbalanced;
    sum->longest = fmax(sum->longest, count->longest);
}

/* Prints a line of runs: how they ended, and the faults of certified runs. */
static void print_count(const char *name, const struct count *count)
{
    printf("%-12s %6lu", name, count->runs);
    for (int e = 0; e < EVENTS; e++)
        printf(" %9lu", count->event[e]);
    printf(" |");
    for (int f = 0; f < FAULTS - 2; f++)
        printf(" %8lu", count->fault[1][f]);
    printf(" | %8lu %8lu %8lu %8.2f\n", count->fault[0][4] + count->fault[1][4],
           count->fault[0][5] + count->fault[1][5], count->unbalanced, count->longest);
}

static void print_head(const char *name)
{
    printf("\n%-12s %6s", name, "runs");
    for (int e = 0; e < EVENTS; e++)
        printf(" %9s", event_names[e]);
    printf(" | %8s %8s %8s %8s %8s | %8s %8s %8s %8s\n", "FALSE", "gap>said", "P>said", "D>said",
           "infeas.", "infeas.", "worse 0", "rest", "longest");
}

static void print_tables(const struct oracle *oracle)
{
    struct count all = {0};

    print_head("solver");
    for (int s = 0; s < oracle->solvers; s++) {
        struct count sum = {0};

        for (int k = 0; k < KINDS; k++)
            add_counts(&sum, &oracle->count[k][s]);
        print_count(hinge_solver_find(oracle->solver[s])->name, &sum);
        add_counts(&all, &sum);
    }
    print_count("all", &all);
    print_head("kind");
    for (int k = 0; k < KINDS; k++) {
        struct count sum = {0};

        for (int s = 0; s < oracle->solvers; s++)
            add_counts(&sum, &oracle->count[k][s]);
        print_count(kind_names[k], &sum);
    }
    printf("\nruns, certified, of these false, over the limit: by kind and solver\n%-12s", "");
    for (int s = 0; s < oracle->solvers; s++)
        printf(" %20s", hinge_solver_find(oracle->solver[s])->name);
    for (int k = 0; k < KINDS; k++) {
        printf("\n%-12s", kind_names[k]);
        for (int s = 0; s < oracle->solvers; s++) {
            const struct count *count = &oracle->count[k][s];

            printf("  %5lu %5lu %3lu %3lu", count->runs, count->event[CERTIFIED],
                   count->fault[1][0],
                   count->event[SLOW] + count->event[HUNG] + count->event[CRASHED]);
        }
    }
    printf("\n\n%lu problems of seed %llu, %lu runs: %lu certified, %lu of them false; "
           "%lu over %g s, longest %.2f s; %lu problems with a broken promise\n",
           oracle->problems, (unsigned long long)oracle->seed, all.runs, all.event[CERTIFIED],
           all.fault[1][0], all.event[SLOW] + all.event[HUNG], oracle->limit, all.longest,
           oracle->broken);
}

/* Adds a solver to those to try, if it is one that has certificates. */
static void choose(struct oracle *oracle, int number)
{
    for (int s = 0; s < SOLVERS && oracle->solvers < SOLVERS; s++)
        if (number == solvers[s])
            oracle->solver[oracle->solvers++] = number;
}

static int usage(void)
{
    fputs("usage: oracle [-v] [-f FIRST] [-l LIMIT] [-s SOLVER]... [-d FOLDER] COUNT SEED\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static struct oracle oracle;
    const time_t start = time(NULL);
    unsigned long count, first = 0;
    char *end;
    int option;

    oracle.limit = 10;
    while ((option = getopt(argc, argv, "vf:l:s:d:")) != -1)
        switch (option) {
        case 'v':
            oracle.verbose = 1;
            break;
        case 'f':
            first = strtoul(optarg, NULL, 10);
            break;
        case 'l':
            oracle.limit = strtod(optarg, NULL);
            break;
        case 's':
            choose(&oracle, (int)strtol(optarg, NULL, 10));
            break;
        case 'd':
            oracle.folder = optarg;
            break;
        default:
            return usage();
        }
    if (argc - optind != 2)
        return usage();
    for (int s = 0, none = oracle.solvers == 0; none && s < SOLVERS; s++)
        choose(&oracle, solvers[s]);
    count = strtoul(argv[optind], &end, 10);
    oracle.seed = strtoull(argv[optind + 1], NULL, 10);
    for (unsigned long k = first;
         *end == 's' ? difftime(time(NULL), start) < (double)count : k < first + count; k++)
        try_problem(&oracle, k);
    print_tables(&oracle);
    return oracle.broken > 0;
}
