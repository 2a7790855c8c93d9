/* train_options.c - the options of train, in the order of --help and of the manual page. */
#include "cli/train_options.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/text.h"
#include "data/number.h"
#include "solver/loop/solver.h"

/* ---- Values that are read by a function ---------------------------------- */

static enum hinge_status read_solver(void *state, const struct given *given,
                                     struct hinge_error *error)
{
    struct settings *settings = state;
    const struct solver *called = solver_called(given->value);
    const struct hinge_solver *solver;
    char known[512];
    struct nearest nearest = nearest_begin(given->value, strlen(given->value));

    if (called) {
        settings->parameters.solver = called->info.number;
        return HINGE_OK;
    }
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        nearest_try(&nearest, solver->name, solver->name);
    if (nearest.best)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; did you mean %s?",
                    given->spelling, given->value, nearest.best);
    solver_list(known, sizeof known);
    return fail(error, HINGE_BAD_ARGUMENT, "%s: there is no solver '%s'; there are %s",
                given->spelling, given->value, known);
}

/* Reads "-w-1 2" or "--weight -1:2". */
static enum hinge_status add_weight(void *state, const struct given *given,
                                    struct hinge_error *error)
{
    struct settings *settings = state;
    size_t *count = &settings->parameters.weights;
    double *label = &settings->weight_label[*count], *weight = &settings->weight[*count];
    const char *label_text = given->more ? given->more : given->value;
    const char *label_end = number_parse(label_text, label);
    const char *weight_text = given->more ? given->value : label_end + 1;

    if (label_end == label_text || *label_end != (given->more ? '\0' : ':') ||
        !(fabs(*label) <= DBL_MAX))
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not %s", given->spelling, label_text,
                    given->more ? "a class label" : "a class label, ':' and a weight");
    if (!number_read(weight_text, weight) || *weight < 0)
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not a finite number of at least 0",
                    given->spelling, weight_text);
    ++*count;
    return HINGE_OK;
}

/* Reads "-10:10:2" or "-10:10". */
static enum hinge_status read_range(void *state, const struct given *given,
                                    struct hinge_error *error)
{
    struct settings *settings = state;
    double *part[] = {&settings->lowest, &settings->highest, &settings->stride};
    const char *text = given->value;
    int parts = 0;

    settings->stride = 1;
    while (parts < 3) {
        const char *end = number_parse(text, part[parts]);

        if (end == text || (parts == 2 && !(settings->stride <= DBL_MAX)))
            break;
        parts++;
        text = *end == ':' && parts < 3 ? end + 1 : end;
        if (text == end)
            break;
    }
    if (parts < 2 || *text != '\0' || text[-1] == ':')
        return fail(error, HINGE_BAD_ARGUMENT, "%s: '%s' is not LO:HI or LO:HI:STEP",
                    given->spelling, given->value);
    if (!(fabs(settings->lowest) <= 332 && fabs(settings->highest) <= 332))
        return option_fail(given, error, "the exponents of 2 are not between -332 and 332");
    if (!(settings->highest >= settings->lowest) || !(settings->stride >= 0.001))
        return option_fail(given, error, "HI is below LO, or STEP is below 0.001");
    settings->ranged = 1;
    return HINGE_OK;
}

/* Reads MiB, as bytes. */
static enum hinge_status read_memory(void *state, const struct given *given,
                                     struct hinge_error *error)
{
    struct settings *settings = state;
    double mebibytes;

    if (!number_read(given->value, &mebibytes) || mebibytes <= 0)
        return option_fail_value(given, "a positive finite number", error);
    if (mebibytes < 1.0 / 16)
        return option_fail(given, error, "less than 1/16");
    settings->format.memory =
        mebibytes < (double)(SIZE_MAX >> 21) ? (size_t)(mebibytes * (1 << 20)) : SIZE_MAX >> 1;
    return HINGE_OK;
}

/* ---- The table ------------------------------------------------------------ */

#define SETTINGS struct settings

#define TWO_TO_53 9007199254740992.0

const char *const criterion_words[] = {[CRITERION_ACCURACY] = "accuracy",
                                       [CRITERION_BALANCED] = "balanced-accuracy",
                                       [CRITERION_PRECISION] = "precision",
                                       [CRITERION_RECALL] = "recall",
                                       [CRITERION_F1] = "f1",
                                       [CRITERION_MCC] = "mcc",
                                       [CRITERION_AUC] = "auc",
                                       [CRITERION_AVERAGE_PRECISION] = "average-precision",
                                       [CRITERION_LOG_LOSS] = "log-loss",
                                       [CRITERION_MSE] = "mse",
                                       [CRITERION_MAE] = "mae",
                                       [CRITERION_R2] = "r2",
                                       NULL};

static const char problem[] = "the problem";
static const char stop[] = "solvers with a certificate";
static const char steps[] = "stochastic solvers";
static const char scores[] = "cross-validation and search";
static const char files[] = "files";
static const char general[] = "general";

const struct option train_options[] = {
    {SOLVER, BRIEF, "-s", "--solver", "S", STORE_BY(read_solver, parameters.solver, option_solvers),
     problem, "solver, by number or name (default 1: dcd-l2)",
     "The solver, by number or name, see SOLVERS. Default 1, dcd-l2."},
    {COST, BRIEF, "-c", "--cost", "C", STORE(POSITIVE, parameters.C), problem,
     "weight of the sum of losses (default 1)",
     "Weight of the sum of losses, from 1e-100 to 1e100. one-class ignores it. Default 1."},
    {LAMBDA, FULL, "-l", "--lambda", "X", STORE(POSITIVE, parameters.lambda), problem,
     "instead of -c: C = 1/(X m) for m rows", NULL},
    {BIAS, BRIEF, "-B", "--bias", "B", STORE(NUMBER, parameters.bias), problem,
     "append a feature of value B >= 0 (default -1: none)",
     "If B is at least 0, append a feature of that value to each row; its weight is regularised. "
     "Not for smo and one-class. Default -1."},
    {FREE_BIAS, FULL, "-R", "--free-bias", NULL, STORE(FLAG, parameters.free_bias), problem,
     "with -B 1: do not regularise the bias; solvers 0-3, 5-7, 11-13, 60-62",
     "With -B 1: the weight of that feature, the bias, is not regularised. Solvers 0-3, 5-7, "
     "11-13 and 60-62; the bias of smo is always free."},
    {L1, FULL, NULL, "--l1", "X", STORE(NOT_NEGATIVE, parameters.l1), problem,
     "enet, comid, hrmd-w: weight of |w|_1 in the averaged objective (default 0)",
     "For enet, comid and hrmd-w: weight of |w|_1 in the averaged objective P(w)/(C m), where "
     "|w|_1 includes the bias. With weights, C m is the sum of the costs of all rows. Default 0."},
    {EPSILON, BRIEF, "-p", "--epsilon", "P", STORE(NOT_NEGATIVE, parameters.epsilon), problem,
     "regression: no loss up to residual P (default 0.1)",
     "Regression: residuals up to P, at least 0, cost nothing. Default 0.1. With -C: the largest "
     "P to try; without it all below the largest target are."},
    {NU, FULL, "-n", "--nu", "NU", STORE(POSITIVE, parameters.nu), problem,
     "one-class: share of the rows that may be outside (default 0.5)",
     "one-class: at most this share of the rows is outside, and at least this share are support "
     "vectors; above 0 and at most 1. Default 0.5."},
    {CACHE, FULL, "-m", "--cache", "MIB", STORE(POSITIVE, parameters.cache), problem,
     "smo: MiB of memory for columns of <x_i, x_j> (default 100)",
     "smo: memory, in MiB, for columns of the matrix of all products <x_i, x_j> of rows. Two "
     "columns are kept in any case. Default 100."},
    {WEIGHT, BRIEF, "-w*", "--weight", "L:W", STORE_BY(add_weight, weight, NULL), problem,
     "multiply C by W for class L",
     "Multiply C by W, at least 0, for the rows of class L. With more than two classes, only "
     "where they are the positive rows; softmax and crammer-singer have no such rows. Weights "
     "given for the same class multiply. Regressions and one-class ignore them."},
    {ROW_WEIGHTS, FULL, "-W", "--row-weights", "FILE", STORE(INPUT, row_weights), problem,
     "multiply C by the row's weight; FILE has one weight per line",
     "Multiply C by a weight for each row. FILE has one number of at least 0 a line, in the order "
     "of the rows. A row of weight 2 is the same as the row twice, also for -l, --balanced "
     "and the scores of -v and -C; weight 0 leaves the row out."},
    {BALANCED, BRIEF, NULL, "--balanced", NULL, STORE(FLAG, parameters.balanced), problem,
     "multiply C so that all classes weigh the same",
     "Multiply the weight of each class by (weight of all rows) / (classes * weight of its rows). "
     "With more than two classes, these count where those of -w do. "
     "All weights multiply. Not for regressions and one-class."},
    {PROBABILITY, BRIEF, "-b", "--probability", "0|1", STORE_SWITCH(parameters.probability),
     problem, "1: fit probabilities for predict -b 1 (default 0)",
     "With 1, give the model probabilities, for predict -b 1: after the training, train without "
     "each of the folds of -v 5, and fit 1/(1 + exp(A f + B)) to the decision values f of the "
     "rows left out (Platt's sigmoid, as Lin, Lin and Weng fit it), each counting as often as its "
     "row weight says; with more than two classes, one for each class against the rest. The "
     "weights are the same as without this option. Logistic regression has probabilities already: "
     "nothing more is done. Not for regressions and one-class. Takes 8 bytes of memory for each "
     "row and binary problem. Default 0."},
    {INITIAL, FULL, NULL, "--initial-model", "M", STORE(INPUT, initial), problem,
     "start from the weights of a model; not smo",
     "Start from the weights of this model, which must have the same bias and all classes of the "
     "data; all solvers but smo. If the data lack some of its classes, the new model has them, "
     "too, in its order. A solver with a certificate solves the problem of the rows at hand, and "
     "starts from 0 where that is better. Stochastic solvers continue with the step sizes that "
     "follow the steps in the record of the model. Without a record they assume as many steps as "
     "they will take themselves, because the first step sizes are large and would erase the "
     "start. Indices in the data, and in those of --test, start at 0 if those of the model did."},

    {GAP, BRIEF, "-g", "--gap", "R", STORE(POSITIVE, parameters.relative_gap), stop,
     "stop at relative duality gap R (default 0.001)",
     "Stop when the relative duality gap is at most R. Default 0.001."},
    {EPS, BRIEF, "-e", "--eps", "E", STORE(POSITIVE, parameters.eps), stop,
     "stop by LIBLINEAR's rule with violation E; with -g, by both; stochastic solvers: if an epoch "
     "improves the objective by less than E of it",
     "Stop by LIBLINEAR's rule instead: over all rows the largest and the smallest projected "
     "gradient are at most E in magnitude, and so is their distance. LIBLINEAR's own default is "
     "0.1, for 0, 2, 5, 6 and 21 0.01, for 11 0.0001. Some solvers have another rule. svr-dcd-l2, "
     "svr-dcd-l1: the sum of the projected gradients is at most E times that at 0. svr-newton: "
     "the norm of the gradient is at most E times that at w = 0. newton-l2, lr-newton: the same, "
     "with E times the share of the rarer class. softmax: the same, with E times that of the "
     "rarest. l1r-l2loss, l1r-lr: as newton-l2, with the sum of all violations of optimality in "
     "place of the norm. crammer-singer: for no row is the largest of 1(m != y) + <w_m, x> larger "
     "by more than E than the smallest one of a class whose dual variable is below its bound. smo "
     "and one-class: LIBSVM's rule, no pair of rows violates the conditions of optimality by more "
     "than E. With -g too, both must hold. Stochastic solvers: stop when an epoch improves the "
     "objective by less than E of it."},
    {MAX_ITER, FULL, "-i", "--max-iter", "N", STORE_COUNT(parameters.max_passes, 1, 0), stop,
     "stop after N passes and steps (default: no limit)", NULL},
    {PLAIN, FULL, NULL, "--plain", NULL, STORE(FLAG, parameters.single_method), stop,
     "use one method only: dcd, smo or Newton's, by the solver",
     "Use one method only: of newton-l2, lr-newton and svr-newton Newton's, of the solvers that "
     "begin with passes or pair steps these."},
    {STRICT, FULL, NULL, "--strict", NULL, STORE(FLAG, strict), stop,
     "exit status 5 if the model is not certified",
     "Exit with status 5 unless each binary problem is certified to the gap of -g, or to 0.001."},
    {ALPHA, FULL, NULL, "--alpha", "FILE", STORE(OUTPUT, alpha), stop,
     "write the dual variables, one line per row",
     "Write the dual variables, a line for each row, with a number for each binary problem: above "
     "0 for support vectors. For softmax and crammer-singer, a number for each class."},
    {CHECKPOINT, FULL, NULL, "--checkpoint", "FILE", STORE(OUTPUT, checkpoint), stop,
     "write the model so far now and then; start from it if it is there",
     "Write the model so far to FILE every so many minutes, those of --checkpoint-every. If FILE "
     "is there at the start, start from its weights, as --initial-model does, whose file is "
     "ignored then: the same command line continues a training that was killed. A training that "
     "is stopped by an interrupt or by --time-limit leaves its model there, too; one that ends "
     "otherwise removes FILE. While a binary problem is trained, its primal value in FILE never "
     "rises. FILE has no dual variables, which passes find anew: a training that is killed before "
     "they are as good again does not advance. Not with smo, not with -v and -C."},
    {CHECKPOINT_EVERY, FULL, NULL, "--checkpoint-every", "MINUTES",
     STORE(POSITIVE, checkpoint_minutes), stop,
     "with --checkpoint: minutes between two of them (default 10)", NULL},

    {ITERATIONS, FULL, "-T", "--iterations", "N", STORE_COUNT(parameters.iterations, 1, TWO_TO_53),
     steps, "take N steps", "Take N steps, at most 2^53."},
    {EPOCHS, FULL, NULL, "--epochs", "X", STORE(POSITIVE, parameters.epochs), steps,
     "take X m/k steps (default 20)", NULL},
    {BATCH, FULL, "-k", "--batch", "K", STORE_COUNT(parameters.batch, 1, 1 << 20), steps,
     "use K rows in a step (default 1)", "Rows of a step, 1 to 2^20. Default 1."},
    {SAMPLING, FULL, NULL, "--sampling", "S",
     STORE_WORD(parameters.sampling, sampling_words, HINGE_IID), steps,
     "iid or permute (default iid)",
     "Draw rows independently, or, permute, each once an epoch: blocks of 8 rows in a fresh random "
     "order, inside a block as in the data, which reads memory faster; below 8192 rows, single "
     "rows. Default iid."},
    {AVERAGE, FULL, NULL, "--average", "A",
     STORE_WORD(parameters.average, average_words, HINGE_AVERAGE_DEFAULT), steps,
     "none, uniform, weighted, suffix or random",
     "The iterate to return instead of the solver's own choice."},
    {SUFFIX, FULL, NULL, "--suffix", "X", STORE(POSITIVE, parameters.suffix), steps,
     "sgd-suffix: share of the steps to average (default 0.5)",
     "For sgd-suffix: the share of the steps, the last ones, to average. Default 0.5."},

    {FOLDS, BRIEF, "-v", "--cross-validation", "N", STORE_COUNT(folds, 2, UINT32_MAX), scores,
     "print the scores of N folds, write no model",
     "Split the rows at random into N folds, at least 2, each with the same share of every class; "
     "train on all folds but one and predict that one, in turn. Prints the scores of the "
     "predictions and writes no model. Rows of weight 0 are left out of training and prediction."},
    {FOLD_NAMES, FULL, NULL, "--folds", "FILE", STORE(INPUT, fold_names), scores,
     "rows with the same name in FILE are in the same fold",
     "FILE has a name without blanks on a line for each row, in the order of the rows: the name "
     "of a fold, or of a group of rows that belong together, such as those of one patient. Rows "
     "with the same name are in the same fold. Without -v each name is a fold. With -v N the "
     "groups are dealt into N folds of about the same number of rows, whatever their classes. "
     "Implies -v; also used by -C, and by -b 1 after -C --refit."},
    {SEARCH, BRIEF, "-C", "--search", NULL, STORE(FLAG, search), scores,
     "find the best C by cross-validation; folds of -v, or 5",
     "Find the best C by cross-validation with the folds of -v, or 5. Each C has the score that -v "
     "prints for it. Writes no model without --refit."},
    {CRITERION, FULL, NULL, "--criterion", "M",
     STORE_WORD(criterion, criterion_words, CRITERION_ACCURACY), scores,
     "-C: accuracy, f1, auc, log-loss, mse ...: the score to choose by",
     "The score by which -C chooses: accuracy, balanced-accuracy, precision, recall, f1, mcc, "
     "auc, average-precision or log-loss; for a regression mse, mae or r2. The errors mse and mae "
     "(mean squared and absolute error) and log-loss are minimised, the others maximised. "
     "precision, recall and f1 are those of the positive class, see --positive, if there is one, "
     "otherwise the means over the classes; mcc is Matthews' correlation. auc and "
     "average-precision are for two classes. log-loss is that of the probabilities, so it is for "
     "solvers that have them, or needs -b 1. The smallest one of equally good C is taken. Default "
     "accuracy, for a regression mse."},
    {C_RANGE, FULL, NULL, "--c-range", "LO:HI:STEP", STORE_BY(read_range, lowest, NULL), scores,
     "-C: exponents of 2 (default: from -c, or where C matters, to 10)",
     "With -C: try the powers of 2 with exponents from LO to HI in steps of STEP, default 1. "
     "Without this option the C begin with that of -c, or with one below which the predictions "
     "hardly change, and grow by factors of 2 to 2^10, for a regression to 2^20. They end earlier "
     "if a larger C cannot be better: a score is perfect, or for five C in succession, in all "
     "folds, the sum of losses is at most the share of the primal value that -g allows for a gap."},
    {ONE_SE, FULL, NULL, "--one-se", NULL, STORE(FLAG, one_se), scores,
     "-C: the smallest C within one standard error of the best",
     "With -C: take the smallest C whose score is not worse than the best one by more than one "
     "standard error, which makes the simplest model. The standard error of the best score is its "
     "deviation over the folds divided by the root of their number."},
    {REFIT, BRIEF, NULL, "--refit", NULL, STORE(FLAG, refit), scores,
     "-C: train with the best C and write the model",
     "With -C: then train with the best C on all rows and write the model. It is the model that -c "
     "with this C writes."},
    {PATH, FULL, NULL, "--path", "FILE", STORE(OUTPUT, path), scores,
     "-C: write score, objective, gap for each C as CSV",
     "With -C: also train on all rows for each C, and write a line of CSV for each: C, score, "
     "accuracy, primal, dual, gap, non-zeros, passes, seconds, deviation of the score over the "
     "folds. With more than two classes primal and dual are sums over the binary problems, and the "
     "gap is the largest."},
    {POSITIVE, FULL, NULL, "--positive", "LABEL", STORE(TEXT, positive_name), scores,
     "-v, -C: the class of precision, recall, F1, average precision",
     "With -v and -C: the positive class, as a number or, with --map, as a word of the table: for "
     "precision, recall, F1 and average precision, for the criteria of the same names, and, with "
     "two classes, for the decision values and probabilities of --predictions. Default: the "
     "larger one of two labels, otherwise none."},
    {PREDICTIONS, FULL, NULL, "--predictions", "FILE", STORE(OUTPUT, predictions), scores,
     "-v: write fold, label, decision value, probability of each row",
     "With -v: write a line of CSV for each row that does not weigh 0, in their order: row (from "
     "1), fold, label, predicted label, decision value, probability, all by the model that was "
     "trained without the row's fold. With two classes, decision value and probability are those "
     "of the positive class. With more, there is a column of both for each label. For a "
     "regression there are only row, fold, label and predicted. The fold is a name of --folds if "
     "each name is a fold, otherwise a number from 1. Solvers of logistic regression and softmax "
     "have probabilities; others need -b 1, which fits a sigmoid for a fold to the decision "
     "values of the rows of all other folds. Without probabilities the field is empty. Not with "
     "-C: give its best C to -c. A validation that is stopped writes no file."},
    {METRICS, BRIEF, NULL, "--metrics", "[=json]", STORE_BY(option_metrics, metrics, option_json),
     scores, "-v, -C: print more scores; precision, recall, F1, AUC, confusion matrix, errors",
     "With -v and -C: also print the means over classes of precision, recall and F1, micro F1 "
     "(the accuracy), Matthews' correlation, for a regression R2, the mean absolute, root mean "
     "squared and largest error, the scores of each class and the positive one, and the confusion "
     "matrix; json: all results as one JSON object instead. With more than 100 classes the output "
     "has only the classes that occur as label or prediction, and the entries of the matrix that "
     "are not 0, in JSON as confusion_entries."},

    {REPORT, FULL, NULL, "--report", "FILE", STORE(OUTPUT, report), files,
     "write a page of HTML with pictures: gap, weights, scores of -v and -C",
     "Write a page of HTML: the data, the certificate, gap and objective against time and passes, "
     "and the largest weights; with -v the scores of the folds, the confusion matrix, curves, and "
     "the rows predicted worst; with -C also score and time against C. It needs no network and no "
     "script. Objectives are measured for it in at most a hundredth of the time."},
    {TRACE, FULL, NULL, "--trace", "FILE", STORE(OUTPUT, trace), files,
     "write objective, gap, time of each checkpoint as CSV",
     "Write a line of CSV for each pass or epoch, of smo for each thousand steps or fewer: "
     "problem, iterations, passes, seconds, primal, dual, gap, non-zeros, test error; a field that "
     "is unknown is empty."},
    {TRACE_EVERY, FULL, NULL, "--trace-every", "N", STORE_COUNT(trace_every, 1, TWO_TO_53), files,
     "one line for N passes or steps", "One line for N passes, or N steps of a stochastic solver."},
    {TEST, FULL, NULL, "--test", "FILE", STORE(INPUT, test), files,
     "with --trace: also the error on these rows", NULL},
    {ZERO_BASED, FULL, NULL, "--zero-based", NULL, STORE(FLAG, format.zero_based), files,
     "indices in the data start at 0", "Indices in the data start at 0. The model records it."},
    {MAP, FULL, NULL, "--map", "MAP", STORE(INPUT, map), files,
     "put the map that convert -s has saved into the model, with its words",
     "Put a map that hinge-convert -s has saved into the record of the model. From then on the "
     "model alone is all that new rows need: hinge-convert -r MODEL makes data of them, "
     "hinge-predict knows the words of the classes, and hinge-inspect the names of the features; "
     "wherever a program takes a MAP, it takes such a MODEL, this option too. Scores of -v and -C "
     "and --report have words as well. Data that were scaled need their scales in the map: "
     "hinge-scale --map and hinge-convert --scale write them there. The data must be those of the "
     "map: a feature or a label that it does not have is refused. Weights are the same as without "
     "this option."},
    {NO_RECORD, FULL, NULL, "--no-record", NULL, STORE(FLAG, bare), files,
     "leave out of the model how it was trained: its lines that begin with #",
     "Leave the record out of the model: the lines that begin with # and tell how it was trained. "
     "Those of -b 1, --zero-based and --map stay, because predictions need them."},

    {TIME_LIMIT, FULL, NULL, "--time-limit", "S", STORE(POSITIVE, time_limit), general,
     "stop S seconds after the start (default: no limit)",
     "Stop at the end of the pass or epoch during which S seconds since the start of the program "
     "have passed. -v ends with the score of the folds that are complete, -C with the best of the "
     "C that are complete in all folds; --path and --refit come after that, without a limit."},
    {THREADS, BRIEF, "-j", "--threads", "N", STORE_COUNT(parameters.threads, 0, HINGE_MOST_THREADS),
     general, "use at most N threads (default: one per processor); the model is the same",
     "Use at most N threads, 0 (the default): one for each processor, or as OMP_NUM_THREADS of "
     "the environment says. The default is 1 in hinge-train-mpi and in a program that is linked "
     "to a shared libgomp: see hinge-parallel(7). Work of some milliseconds is done by one "
     "thread. A program that was built without OpenMP says so, and uses one. Lines of the data "
     "are parsed side by side; binary problems, or folds if there are few problems, are trained "
     "side by side; in a single problem, or a last fold, the sums over rows are shared, not the "
     "passes of coordinate descent; the writing of many weights is shared, too. Models and scores "
     "have the same bytes for every N. Each thread takes the memory of a training. With --trace, "
     "and by default with --memory, there is one thread."},
    {MEMORY, FULL, NULL, "--memory", "MIB", STORE_BY(read_memory, format.memory, NULL), general,
     "keep data larger than that in a temporary file (default: in memory)",
     "Memory, in MiB, at least 1/16, for the data and a training. The vectors of rows and "
     "features come first. At least an eighth is for the non-zeros; if they take more than what "
     "is left, they are kept in a temporary file and read from it a part at a time. The matrices "
     "of second-order methods are not counted: see hinge-algorithms(7). For solvers 0-3, 7, "
     "11-13, 61 and the stochastic ones, these with --sampling permute; other solvers are refused "
     "if the data do not fit. There is one thread. Default: all data are in memory."},
    {SCRATCH_FILE, FULL, NULL, "--scratch", "FILE", STORE(FILE, format.scratch), general,
     "with --memory: the temporary file (default: the system's)",
     "With --memory: the temporary file, which must not be there before. It is removed as soon as "
     "it is open, or at the end of the program where the system keeps the names of open files. "
     "Default: a file in the folder of the system's temporary files."},
    {SEED, FULL, NULL, "--seed", "N", STORE_COUNT(parameters.seed, 0, 0), general,
     "seed of the order of rows and of the folds (default 1)",
     "Seed of the random order of rows, of the rows that a second-order method starts from, and "
     "of the folds. Default 1. Solvers 5, 6, 21 and 60 to 62 take a seed only where there are "
     "folds: -v, -C, -b 1."},
    {JSON, FULL, NULL, "--json", NULL, STORE(FLAG, json), general,
     "print results as one JSON object: scores of -v and -C, or the training",
     "Print the results as one JSON object: with -v and -C those of --metrics=json, otherwise the "
     "solver, C, the sizes of the data, the outcome, objective and gap of each problem, "
     "certified, seconds, and the name of the model. With --refit, the object of the training is "
     "on a second line. -q leaves it there."},
    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general,
     "print only errors, scores and stalled trainings",
     "Print only errors, what stalled, and the scores of -v and -C, and two warnings: if labels "
     "look like numbers to predict, and if the best C of -C is at an end of its range. A training "
     "that -i or --time-limit stopped gives no warning then."},
    {HELP, BRIEF, "-h", "--help", NULL, STORE_NOTHING, general, OPTIONS_HELP, OPTIONS_HELP_DETAILS},
    {VERSION, BRIEF, NULL, "--version", NULL, STORE_NOTHING, general, "print the version", NULL},
    {0, FULL, NULL, NULL, NULL, STORE_NOTHING, NULL, NULL, NULL},
};

/* ---- The command line ------------------------------------------------------- */

/* Adds the current option or operand to the command line that the model records. Options that
 * change nothing in a model are left out, so that the same training makes the same file. */
static enum hinge_status record(void *state, const struct given *given, struct hinge_error *error)
{
    const uint64_t unrecorded =
        BIT(STRICT) | BIT(QUIET) | BIT(METRICS) | BIT(JSON) | BIT(PATH) | BIT(ALPHA) | BIT(TRACE) |
        BIT(REPORT) | BIT(TRACE_EVERY) | BIT(TEST) | BIT(PREDICTIONS) | BIT(CHECKPOINT) |
        BIT(CHECKPOINT_EVERY) | BIT(THREADS) | BIT(MEMORY) | BIT(SCRATCH_FILE);
    struct settings *settings = state;

    if (given->option ? (unrecorded & BIT(given->option->key)) != 0 : settings->data != NULL)
        return HINGE_OK;
    if (!given->option && given->operands_only && text_append_word(&settings->command, "--", error))
        return failure(error);
    for (int k = 0; k < given->word_count; k++)
        if (text_append_word(&settings->command, given->words[k], error))
            return failure(error);
    return HINGE_OK;
}

static void print_solvers(int all)
{
    const struct hinge_solver *solver;

    if (!all) {
        puts("\nSolvers: 1, 2 L2-loss; 3 L1-loss; 0, 7 logistic; 4, 62 all classes at once;\n"
             "5, 6 sparse weights; 11, 12, 13 regression; 21 one class; 50 free bias.");
        return;
    }
    puts("\nsolvers:");
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        printf("  %3d  %-10s %s\n", solver->number, solver->name, solver->summary);
}

static const struct operand operands[] = {{"the data", READ, offsetof(SETTINGS, data)},
                                          {"the model", WRITTEN, offsetof(SETTINGS, model)},
                                          {NULL, READ, 0}};

static const struct option_pair exclusive[] = {
    {COST, LAMBDA},        {ITERATIONS, EPOCHS},  {SEARCH, LAMBDA},
    {C_RANGE, COST},       {FOLDS, TRACE},        {FOLDS, INITIAL},
    {SEARCH, TRACE},       {SEARCH, INITIAL},     {FOLD_NAMES, TRACE},
    {FOLD_NAMES, INITIAL}, {PREDICTIONS, SEARCH}, {MEMORY, TEST},
    {FOLDS, CHECKPOINT},   {SEARCH, CHECKPOINT},  {FOLD_NAMES, CHECKPOINT},
    {MAP, ZERO_BASED},     {METRICS, JSON},       {0, 0},
};

static const struct option_pair needs[] = {{TRACE_EVERY, TRACE},
                                           {TEST, TRACE},
                                           {CRITERION, SEARCH},
                                           {C_RANGE, SEARCH},
                                           {ONE_SE, SEARCH},
                                           {REFIT, SEARCH},
                                           {PATH, SEARCH},
                                           {SCRATCH_FILE, MEMORY},
                                           {CHECKPOINT_EVERY, CHECKPOINT},
                                           {0, 0}};

static const char end[] =
    "\nThe default model is the name of the data file with .model appended, in the current folder.\n"
    "Exit status: 0 done, 1 bad data, 2 usage, 3 file not readable or writable,\n"
    "4 out of memory, 5 not certified (--strict), or no score before --time-limit,\n"
    "6 another of several processes has failed, 130 interrupted (model written).";

static const struct program train_program = {
    .options = train_options,
    .operands = operands,
    .exclusive = exclusive,
    .needs = needs,
    .usage = "usage: @ [options] data [model]\n"
             "Trains a linear SVM on a LIBSVM file (-: standard input), with a certificate.\n",
    .print_more = print_solvers,
    .end = end,
    .note = record,
    .check = settings_check};

static const struct program train_mpi_program = {
    .options = train_options,
    .operands = operands,
    .exclusive = exclusive,
    .needs = needs,
    .usage = "usage: mpirun -n PROCESSES @ [options] data [model]\n"
             "Trains a linear SVM on a LIBSVM file by several processes, which read it\n"
             "together: data are not standard input. Solvers 0-3, 7, 11-13 and 61; options are\n"
             "those of train, except --memory, --scratch and those of other solvers.\n",
    .end = end,
    .note = record,
    .check = settings_check};

const struct program *settings_program(const struct settings *settings)
{
    return settings->parameters.team ? &train_mpi_program : &train_program;
}

const char *option_called(int key)
{
    return options_called(train_options, key);
}

enum hinge_status settings_read(struct settings *settings, int argc, char **argv, int *ended,
                                struct hinge_error *error)
{
    if (text_append_word(&settings->command, settings->program, error) ||
        !(settings->weight_label = array_new((size_t)argc, sizeof(double), error)) ||
        !(settings->weight = array_new((size_t)argc, sizeof(double), error)))
        return failure(error);
    return options_read(settings_program(settings), settings, argc, argv, ended, error);
}

void settings_free(struct settings *settings)
{
    free(settings->weight_label);
    free(settings->weight);
    free(settings->default_model);
    free(settings->command);
    free(settings->lines.text);
    names_free(&settings->names);
}
