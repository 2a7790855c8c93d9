/* train_options.c - the options of train, in the order of --help and of the manual page. */
#include <stddef.h>

#include "cli/keys.h"
#include "solver/loop/solver.h"

const char *const criterion_words[] = {"accuracy", "balanced-accuracy", "f1", "auc", "mse", NULL};
static const char *const switches[] = {"0", "1", NULL};
static const char *const json[] = {"json", NULL};

static const char problem[] = "the problem";
static const char stop[] = "solvers with a certificate";
static const char steps[] = "stochastic solvers";
static const char scores[] = "cross-validation and search";
static const char files[] = "files";
static const char general[] = "general";

const struct option train_options[] = {
    {SOLVER, BRIEF, "-s", "--solver", "S", OPTION_SOLVER, problem,
     "solver, by number or name (default 1: dcd-l2)",
     "The solver, by number or name, see SOLVERS. Default 1, dcd-l2."},
    {COST, BRIEF, "-c", "--cost", "C", OPTION_NUMBER, problem,
     "weight of the sum of losses (default 1)",
     "Weight of the sum of losses, from 1e-100 to 1e100. one-class ignores it. Default 1."},
    {LAMBDA, FULL, "-l", "--lambda", "X", OPTION_NUMBER, problem,
     "instead of -c: C = 1/(X m) for m rows", NULL},
    {BIAS, BRIEF, "-B", "--bias", "B", OPTION_NUMBER, problem,
     "append a feature of value B >= 0 (default -1: none)",
     "If B is at least 0, append a feature of that value to each row; its weight is regularised. "
     "Not for smo and one-class. Default -1."},
    {FREE_BIAS, FULL, "-R", "--free-bias", NULL, NULL, problem,
     "with -B 1: do not regularise the bias; solvers 0-3, 5-7, 11-13, 60-62",
     "With -B 1: the weight of that feature, the bias, is not regularised. Solvers 0-3, 5-7, 11-13 and "
     "60-62; the bias of smo is always free."},
    {L1, FULL, NULL, "--l1", "X", OPTION_NUMBER, problem,
     "enet, comid, hrmd-w: weight of |w|_1 in the averaged objective (default 0)",
     "For enet, comid and hrmd-w: weight of |w|_1, that of the bias included, in the averaged "
     "objective, P(w)/(C m); with weights C m is the sum of the costs of all rows. Default 0."},
    {EPSILON, BRIEF, "-p", "--epsilon", "P", OPTION_NUMBER, problem,
     "regression: no loss up to residual P (default 0.1)",
     "Regression: residuals up to P, at least 0, cost nothing. Default 0.1. With -C: the largest P to "
     "try; without it all below the largest target are."},
    {NU, FULL, "-n", "--nu", "NU", OPTION_NUMBER, problem,
     "one-class: share of the rows that may be outside (default 0.5)",
     "one-class: at most this share of the rows is outside, and at least this share are support "
     "vectors; above 0 and at most 1. Default 0.5."},
    {CACHE, FULL, "-m", "--cache", "MIB", OPTION_NUMBER, problem,
     "smo: MiB of memory for columns of <x_i, x_j> (default 100)",
     "smo: memory, in MiB, for columns of the matrix of all products <x_i, x_j> of rows. Two "
     "columns are kept in any case. Default 100."},
    {WEIGHT, BRIEF, "-w*", "--weight", "L:W", OPTION_NUMBER, problem, "multiply C by W for class L",
     "Multiply C by W, at least 0, for the rows of class L. "
     "With more than two classes, only where they are the positive rows; softmax and crammer-singer "
     "have no such rows. "
     "Weights given for the same class multiply. Regressions and one-class ignore them."},
    {ROW_WEIGHTS, FULL, "-W", "--row-weights", "FILE", OPTION_FILE, problem,
     "multiply C by a weight for each row, one a line",
     "Multiply C by a weight for each row. FILE has one number of at least 0 a line, in the order "
     "of the rows. A row of weight 2 is the same as the row twice, also for -l and --balanced; "
     "weight 0 leaves the row out."},
    {BALANCED, BRIEF, NULL, "--balanced", NULL, NULL, problem,
     "multiply C so that all classes weigh the same",
     "Multiply the weight of each class by (weight of all rows) / (classes * weight of its rows). "
     "With more than two classes, these count where those of -w do. All weights multiply. Not for regressions and one-class."},
    {PROBABILITY, BRIEF, "-b", "--probability", "0|1", switches, problem,
     "1: probabilities, for predict -b 1 (default 0)",
     "With 1, give the model probabilities, for predict -b 1: after the training, train without each "
     "of the folds of -v 5, and fit 1/(1 + exp(A f + B)) to the decision values f of the rows left "
     "out (Platt's sigmoid, as Lin, Lin and Weng fit it), each counting as often as its row weight "
     "says; with more than two classes, one for each class against the "
     "rest. The weights are the same as without this option. Logistic regression has probabilities "
     "already: nothing more is done. Not for regressions and one-class. Takes 8 bytes of memory for each row and "
     "binary problem. Default 0."},
    {INITIAL, FULL, NULL, "--initial-model", "M", OPTION_FILE, problem,
     "start from the weights of a model; not smo",
     "Start from the weights of this model, which must have the same classes and bias; all solvers "
     "but smo. A solver with a certificate starts from 0 where that is better. Stochastic solvers "
     "continue with the step sizes that follow the steps in the "
     "record of the model. Without a record they assume as many steps as they will take "
     "themselves, because the first step sizes are large and would erase the start. Indices in the "
     "data, and in those of --test, start at 0 if those of the model did."},

    {GAP, BRIEF, "-g", "--gap", "R", OPTION_NUMBER, stop,
     "stop at relative duality gap R (default 0.001)",
     "Stop when the relative duality gap is at most R. Default 0.001."},
    {EPS, BRIEF, "-e", "--eps", "E", OPTION_NUMBER, stop,
     "stop by LIBLINEAR's rule, violation E; with -g: both; stochastic solvers: when an epoch "
     "improves the objective by less than E of it",
     "Stop by LIBLINEAR's rule instead: over all rows the largest and the smallest projected gradient "
     "are at most E in magnitude, and so is their distance. LIBLINEAR's own default is 0.1, for 0, 2, "
     "5, 6 and 21 0.01, for 11 0.0001. Some solvers have another rule. svr-dcd-l2, svr-dcd-l1: the "
     "sum of the projected gradients is at most E times that at 0. svr-newton: the norm of the "
     "gradient is at most E times that at w = 0. newton-l2, lr-newton: the same, with E times the "
     "share of the rarer class. softmax: the same, with E times that of the rarest. l1r-l2loss, "
     "l1r-lr: as newton-l2, with the sum of all violations of optimality in place of the norm. "
     "crammer-singer: for no row is the largest of 1(m != y) + <w_m, x> larger by more than E than "
     "the smallest one of a class whose dual variable is below its bound. smo and one-class: "
     "LIBSVM's rule, no pair of rows violates the conditions of optimality by more than E. With -g "
     "too, both must hold. Stochastic solvers: stop when an epoch improves the objective by less "
     "than E of it."},
    {MAX_ITER, FULL, "-i", "--max-iter", "N", OPTION_NUMBER, stop,
     "stop after N passes and steps (default: no limit)", NULL},
    {PLAIN, FULL, NULL, "--plain", NULL, NULL, stop,
     "one method: dcd or smo, of newton solvers Newton's",
     "Use one method only: of newton-l2, lr-newton and svr-newton Newton's, of the solvers that begin "
     "with passes or pair steps these."},
    {STRICT, FULL, NULL, "--strict", NULL, NULL, stop,
     "exit status 5 if the model is not certified",
     "Exit with status 5 unless each binary problem is certified to the gap of -g, or to 0.001."},
    {ALPHA, FULL, NULL, "--alpha", "FILE", OPTION_FILE, stop,
     "write the dual variables, a line a row",
     "Write the dual variables, a line for each row, with a number for each binary problem: above "
     "0 for support vectors. For softmax and crammer-singer, a number for each class."},
    {CHECKPOINT, FULL, NULL, "--checkpoint", "FILE", OPTION_FILE, stop,
     "write the model so far now and then; start from it if it is there",
     "Write the model so far to FILE every so many minutes, those of --checkpoint-every. If FILE is "
     "there at the start, start from its weights, as --initial-model does, whose file is ignored "
     "then: the same command line continues a training that was killed. A training that is stopped by "
     "an interrupt or by --time-limit leaves its model there, too; one that ends otherwise removes FILE. Not with "
     "smo, not with -v and -C."},
    {CHECKPOINT_EVERY, FULL, NULL, "--checkpoint-every", "MINUTES", OPTION_NUMBER, stop,
     "with --checkpoint: minutes between two of them (default 10)", NULL},

    {ITERATIONS, FULL, "-T", "--iterations", "N", OPTION_NUMBER, steps, "take N steps",
     "Take N steps, at most 2^53."},
    {EPOCHS, FULL, NULL, "--epochs", "X", OPTION_NUMBER, steps, "take X m/k steps (default 20)",
     NULL},
    {BATCH, FULL, "-k", "--batch", "K", OPTION_NUMBER, steps, "rows of a step (default 1)",
     "Rows of a step, 1 to 2^20. Default 1."},
    {SAMPLING, FULL, NULL, "--sampling", "S", sampling_words, steps, "iid or permute (default iid)",
     "Draw rows independently, or, permute, each once an epoch: blocks of 8 rows in a fresh random "
     "order, inside a block as in the data, which reads memory faster; below 8192 rows, single "
     "rows. Default iid."},
    {AVERAGE, FULL, NULL, "--average", "A", average_words, steps,
     "none, uniform, weighted, suffix or random",
     "Which iterate to return, where it is not the solver's own."},
    {SUFFIX, FULL, NULL, "--suffix", "X", OPTION_NUMBER, steps,
     "sgd-suffix: share of the steps to average (default 0.5)",
     "For sgd-suffix: the share of the steps, the last ones, to average. Default 0.5."},

    {FOLDS, BRIEF, "-v", "--cross-validation", "N", OPTION_NUMBER, scores,
     "print the scores of N folds, write no model",
     "Split the rows at random into N folds, at least 2, each with the same share of every class; "
     "train on all folds but one and predict that one, in turn. Prints the scores of the "
     "predictions and writes no model. Rows of weight 0 are left out of training and prediction."},
    {FOLD_NAMES, FULL, NULL, "--folds", "FILE", OPTION_FILE, scores,
     "rows with the same name in FILE are in the same fold",
     "FILE has a name without blanks for each row, a line each, in the order of the rows: of a fold, "
     "or of a group of rows that belong together, such as those of one patient. Rows with the same "
     "name are in the same fold. Without -v each name is a fold; with -v N the groups are dealt into "
     "N folds of about the same number of rows, whatever their classes. Implies -v; also of -C, and "
     "of -b 1 after -C --refit."},
    {SEARCH, BRIEF, "-C", "--search", NULL, NULL, scores,
     "find the best C by cross-validation; folds of -v, or 5",
     "Find the best C by cross-validation with the folds of -v, or 5. In each fold a solver with a "
     "dual point starts each C from the solution for the previous one. Writes no model "
     "without --refit."},
    {CRITERION, FULL, NULL, "--criterion", "M", criterion_words, scores,
     "-C: accuracy, balanced-accuracy, f1, auc or mse",
     "The score that -C maximises, or for a regression minimises: mse, the mean squared error. The "
     "criterion f1 is that of the positive class, see --positive, where there is one, else the mean "
     "over the classes; auc is for two classes. Of "
     "equally good ones the smallest C is taken. Default accuracy, for a regression mse."},
    {C_RANGE, FULL, NULL, "--c-range", "LO:HI:STEP", OPTION_NUMBER, scores,
     "-C: exponents of 2 (default: from -c, or where C matters, to 10)",
     "With -C: try the powers of 2 with exponents from LO to HI in steps of STEP, 1 if it is left "
     "out. Without this option: from -c, or from a C below which the predictions hardly change, by "
     "factors of 2 to 2^10, for a regression to 2^20, or to where a larger C cannot be better: a "
     "score is the best there is, or for five C in succession, in all folds, the sum of losses is "
     "at most the share of the primal value that -g allows for a gap."},
    {ONE_SE, FULL, NULL, "--one-se", NULL, NULL, scores,
     "-C: the smallest C within one standard error of the best",
     "With -C: of all C whose score is not worse than the best one by more than its standard error, "
     "the deviation over the folds divided by the root of their number, take the smallest, which "
     "makes the simplest model."},
    {REFIT, BRIEF, NULL, "--refit", NULL, NULL, scores,
     "-C: train with the best C and write the model",
     "With -C: then train with the best C on all rows and write the model. It is the model that -c "
     "with this C writes."},
    {PATH, FULL, NULL, "--path", "FILE", OPTION_FILE, scores,
     "-C: write score, objective, gap for each C as CSV",
     "With -C: also train on all rows for each C, and write a line of CSV for each: C, score, "
     "accuracy, primal, dual, gap, non-zeros, passes, seconds. With more than two classes primal "
     "and dual are sums over the binary problems, and the gap is the largest."},
    {POSITIVE, FULL, NULL, "--positive", "LABEL", OPTION_NUMBER, scores,
     "-v, -C: the class of precision, recall, F1, average precision",
     "With -v and -C: the positive class, that of precision, recall, F1 and average precision, of "
     "--criterion f1, and, with two classes, of the decision values and probabilities of "
     "--predictions. Default: of two classes the larger label, else none."},
    {PREDICTIONS, FULL, NULL, "--predictions", "FILE", OPTION_FILE, scores,
     "-v: write fold, label, decision value, probability of each row",
     "With -v: write a line of CSV for each row, in their order, but for rows of weight 0: row (from "
     "1), fold, label, predicted label, decision value, probability, all by the model that was "
     "trained without the row's fold. With two classes decision value and probability are those of "
     "the positive class; with more there is a column of both for each label; for a regression there "
     "are only row, fold, label, predicted. The fold is a name of --folds, if each of these is one, "
     "else a number from 1. Solvers of logistic regression and softmax have probabilities; others "
     "with -b 1, where those of a fold are by a sigmoid fitted to the decision values of the rows of "
     "all other folds; else the field is empty. Not with -C: give its best C to -c. "
     "A validation that is stopped writes none."},
    {METRICS, BRIEF, NULL, "--metrics", "[=json]", json, scores,
     "-v, -C: more scores; precision, recall, F1, AUC, confusion matrix, errors",
     "With -v and -C: also print the means over classes of precision, recall and F1, micro F1 (the "
     "accuracy), for a regression mean absolute error and largest residual, the scores of each "
     "class and the positive one, and the confusion matrix; json: all results as one JSON object instead. With more "
     "than 100 classes the output has only the classes that occur as label or prediction, and the "
     "entries of the matrix that are not 0, in JSON as confusion_entries."},

    {TRACE, FULL, NULL, "--trace", "FILE", OPTION_FILE, files,
     "write objective, gap, time of each checkpoint as CSV",
     "Write a line of CSV for each pass or epoch, of smo for each thousand steps or fewer: "
     "problem, iterations, passes, seconds, primal, dual, gap, non-zeros, test error; a field that "
     "is unknown is empty."},
    {TRACE_EVERY, FULL, NULL, "--trace-every", "N", OPTION_NUMBER, files,
     "one line for N passes or steps", "One line for N passes, or N steps of a stochastic solver."},
    {TEST, FULL, NULL, "--test", "FILE", OPTION_FILE, files,
     "with --trace: also the error on these rows", NULL},
    {ZERO_BASED, FULL, NULL, "--zero-based", NULL, NULL, files, "indices in the data start at 0",
     "Indices in the data start at 0. The model records it."},

    {TIME_LIMIT, FULL, NULL, "--time-limit", "S", OPTION_NUMBER, general,
     "stop S seconds after the start (default: no limit)",
     "Stop at the end of the pass or epoch during which S seconds since the start of the program "
     "have passed. -v ends with the score of the folds that are complete, -C with the best of the C "
     "that are complete in all folds; --path and --refit come after that, without a limit."},
    {THREADS, BRIEF, "-j", "--threads", "N", OPTION_NUMBER, general,
     "use at most N threads (default: one a processor); same model",
     "Use at most N threads, 0 (the default): one for each processor, or as OMP_NUM_THREADS of the environment says. The default is 1 "
     "in hinge-train-mpi and in a program that is linked to a shared libgomp: see hinge-parallel(7). Work of some "
     "milliseconds is done by one thread. A program that was built without OpenMP says so, and uses one. Lines of the data are parsed side by side; "
     "binary problems, or folds if there are few problems, are trained side by side; "
     "in a single problem, or a last fold, the sums over rows are shared, not the passes of coordinate "
     "descent; the writing of many weights is shared, too. "
     "Models and scores have the same bytes for every N. Each thread takes the memory of a training. "
     "With --trace, and by default with --memory, there is one thread."},
    {MEMORY, FULL, NULL, "--memory", "MIB", OPTION_NUMBER, general,
     "keep data larger than that in a temporary file (default: in memory)",
     "Memory, in MiB, at least 1/16, for the data and a training. What the vectors of rows and "
     "features leave of it, an eighth at least, is for the non-zeros; if they take more, they are kept "
     "in a temporary file, and read from it a part at a time. The matrices of second-order methods "
     "come on top: see hinge-algorithms(7). Solvers 0-3, 7, 11-13, "
     "61 and the stochastic ones, these with --sampling permute; others are refused then. There is one thread. "
     "Default: all data are in memory."},
    {SCRATCH_FILE, FULL, NULL, "--scratch", "FILE", OPTION_FILE, general,
     "with --memory: the temporary file (default: the system's)",
     "With --memory: the temporary file, which must not be there before. It is removed as soon as it "
     "is open, or at the end of the program where the system keeps the names of open files. Default: "
     "a file in the folder of the system's temporary files."},
    {SEED, FULL, NULL, "--seed", "N", OPTION_NUMBER, general,
     "seed of the order of rows and of the folds (default 1)",
     "Seed of the random order of rows, of the rows that a second-order method starts from, and of "
     "the folds. Default 1. Solvers 5, 6, 21 and 60 to 62 take a seed only where there are folds: -v, "
     "-C, -b 1."},
    {QUIET, BRIEF, "-q", "--quiet", NULL, NULL, general,
     "print only errors and scores; also what stalled",
     "Print only errors, what stalled, and the scores of -v and -C; a training that -i or --time-limit "
     "stopped gives no warning then."},
    {HELP, BRIEF, "-h", "--help", NULL, NULL, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, FULL, NULL, "--version", NULL, NULL, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
