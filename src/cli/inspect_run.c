/* inspect_run.c - a model -> what is in it, as text or as one JSON object. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/emit.h"
#include "cli/model_page.h"
#include "cli/names.h"
#include "cli/options.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "cli/text.h"
#include "data/number.h"
#include "data/source.h"
#include "model/notes.h"
#include "model/weights.h"

struct inspect_settings {
    const char *path;   /* file of the model */
    const char *names;  /* file; NULL: none */
    const char *report; /* file; NULL: none */
    const char *page;   /* file with the description of a page to draw; NULL: none */
    uint64_t most;      /* weights of a class to print */
    int json;
    int quiet;
};

/* A list of the record with a word for each class. */
struct list {
    const char *key;
    const char *rest; /* the words of the classes that are not printed yet */
};

struct inspection {
    const struct inspect_settings *settings;
    int argc;
    char **argv;
    struct hinge_model *model;
    struct names names;
    struct emitter emitter;
    struct list list[NOTE_LISTS];
    size_t lists;
};

/* ---- The command line -------------------------------------------------- */

enum { LARGEST = OPTIONS_OWN, NAMES, JSON, REPORT, PAGE, QUIET };

#define SETTINGS struct inspect_settings

static const char output[] = "output";
static const char general[] = "general";

const struct option inspect_options[] = {
    {LARGEST, BRIEF, "-n", "--largest", "N", STORE(COUNT, most), output,
     "print the N largest weights per class (default 10)"},
    {NAMES, BRIEF, NULL, "--names", "FILE", STORE(INPUT, names), output,
     "names of features; a map of convert, or one per line"},
    {JSON, BRIEF, NULL, "--json", NULL, STORE(FLAG, json), output, "print one JSON object"},
    {REPORT, BRIEF, NULL, "--report", "FILE", STORE(OUTPUT, report), output,
     "write a page of HTML with pictures of the weights"},
    {PAGE, FULL, NULL, "--page", "FILE", STORE(INPUT, page), output,
     "instead of a model, draw the page that FILE describes"},
    {QUIET, BRIEF, "-q", "--quiet", NULL, STORE(FLAG, quiet), general, "print no warning"},
    OPTIONS_LAST(general),
};

static enum hinge_status check(void *state, uint64_t given, struct hinge_error *error)
{
    const struct inspect_settings *settings = state;

    if (settings->page && (settings->path || given & ~(BIT(PAGE) | BIT(REPORT) | BIT(QUIET))))
        return fail(error, HINGE_BAD_ARGUMENT, "--page takes no model, and no option but --report");
    if (settings->page && !settings->report)
        return fail(error, HINGE_BAD_ARGUMENT, "--page needs --report, the page to write");
    return settings->page || settings->path ? HINGE_OK
                                            : fail(error, HINGE_BAD_ARGUMENT, "no model given");
}

static const struct program program = {
    .options = inspect_options,
    .operands =
        (const struct operand[]){{"the model", READ, offsetof(SETTINGS, path)}, {NULL, READ, 0}},
    .usage = "usage: @ [options] model\n"
             "Prints what is in a model (- is standard input): classes, record, the largest\n"
             "weights.\n",
    .end = "\nExit status: 0 done, 1 bad model or names, 2 usage, 3 file not readable,\n"
           "or output not writable, 4 out of memory, 130 interrupted (no report).",
    .check = check};

/* ---- The record -------------------------------------------------------- */

/* True if the note has a word for each of several problems. Such lists are printed class by class.
 */
static int is_by_class(const struct hinge_model *model, const struct hinge_note *note)
{
    return model->columns > 1 && note_is_list(note->key) &&
           note_words(note->value) == model->columns;
}

/* Returns 2 if the text is a whole number as JSON writes it, 1 and *value if it is another finite
 * number, 0 otherwise. */
static int is_number(const char *text, size_t length, double *value)
{
    const size_t digits = strspn(text, "0123456789");

    if (digits == length && digits > 0 && (digits == 1 || *text != '0'))
        return 2;
    return number_parse(text, value) == text + length && length > 0 && isfinite(*value);
}

enum { WORD = 64 }; /* room for a word; train writes shorter ones */

/* Copies the first word of a list, and returns the rest of the list. */
static const char *take_word(char word[WORD], const char *list)
{
    const size_t length = strcspn(list, " \t");

    snprintf(word, WORD, "%.*s", length < WORD ? (int)length : 1, list);
    list += length;
    return list + strspn(list, " \t");
}

/* Emits a word of the record: a number, which text shows with six digits, null, or a string. key is
 * NULL in a list. */
static void emit_word(struct emitter *emitter, const char *key, const char *word)
{
    double value = 0;
    const int number = is_number(word, strlen(word), &value);

    if (number == 1)
        emit_number(emitter, key ? key : "", value, "%g", value);
    else if (!emitter->json)
        text_print(emitter->stream, word);
    else if (number == 2)
        emit_raw(emitter, key, word);
    else if (strcmp(word, "unknown") == 0)
        emit_raw(emitter, key, "null");
    else
        emit_string(emitter, key, word);
}

/* Emits the notes. For a list that is printed class by class, text has the number of certified
 * problems or the largest gap. */
static void emit_record(struct emitter *emitter, const struct hinge_model *model)
{
    char word[WORD];

    emit_begin(emitter, "record", '{');
    if (model->notes == 0 && !emitter->json)
        puts("record = none");
    for (size_t k = 0; k < model->notes; k++) {
        const struct hinge_note *note = &model->note[k];
        const char *list = note->value;

        if (!emitter->json && is_by_class(model, note)) {
            size_t words = 0, certified = 0;
            double value, largest = 0;

            for (; *list; words++) {
                list = take_word(word, list);
                certified += strcmp(word, "certified") == 0;
                if (is_number(word, strlen(word), &value) == 1 && value > largest)
                    largest = value;
            }
            if (strcmp(note->key, "outcome") == 0)
                printf("certified = %zu of %zu\n", certified, words);
            else if (strcmp(note->key, "relative_gap") == 0 && largest > 0)
                printf("largest relative_gap = %g\n", largest);
            continue;
        }
        if (!emitter->json) {
            text_print(stdout, note->key);
            fputs(" = ", stdout);
        }
        if (note_is_list(note->key)) {
            emit_begin(emitter, note->key, '[');
            while (*list) {
                list = take_word(word, list);
                emit_word(emitter, NULL, word);
                if (*list && !emitter->json)
                    putchar(' ');
            }
            emit_end(emitter, ']');
        } else {
            emit_word(emitter, note->key, note->value);
        }
        if (!emitter->json)
            putchar('\n');
    }
    emit_end(emitter, '}');
}

/* ---- The model --------------------------------------------------------- */

/* Parts of the names of solvers in a file, and the losses that they minimise. */
static const char *const losses[][2] = {{"_LR", "logistic"},
                                        {"L2LOSS_SVC", "L2-loss (squared hinge)"},
                                        {"L1LOSS_SVC", "L1-loss (hinge)"},
                                        {"L2LOSS_SVR", "squared error beyond epsilon"},
                                        {"L1LOSS_SVR", "absolute error beyond epsilon"},
                                        {"MCSVM_CS", "Crammer and Singer's"},
                                        {"ONECLASS_SVM", "one-class"},
                                        {"", "unknown"}};

/* Emits the values of the lines before the weights, and the record. */
static void emit_head(struct emitter *emitter, const struct hinge_model *model)
{
    const char *const(*loss)[2] = losses;
    const char *const words[][2] = {
        {"solver_type", model->solver_type},
        {"loss", NULL},
        {"regulariser", strncmp(model->solver_type, "L1R", 3) == 0 ? "|w|_1"
                        : hinge_model_note(model, "l1")            ? "|w|^2/2 and l1 |w|_1"
                                                                   : "|w|^2/2"}};
    const int has_bias = model->bias >= 0 && !model->one_class; /* a one-class SVM's bias is rho */
    char bias[NUMBER_LENGTH] = "none";

    while (!strstr(model->solver_type, (*loss)[0]))
        loss++;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const char *word = words[k][1] ? words[k][1] : model->softmax ? "softmax" : (*loss)[1];

        emit_string(emitter, words[k][0], word);
        emit_text(emitter, "%s = %s\n", words[k][0], word);
    }
    emit_begin(emitter, "labels", '[');
    if (model->classes == 0)
        emit_text(emitter, "classes = none, the model predicts numbers");
    else
        emit_text(emitter, "classes = %llu:", (unsigned long long)model->classes);
    for (size_t c = 0; c < model->classes; c++) {
        char label[NUMBER_LENGTH];

        number_print(label, model->label[c]);
        emit_number(emitter, "", model->label[c], " %s", label);
    }
    emit_end(emitter, ']');
    emit_number(emitter, "features", model->features,
                "\nfeatures = %lu, indices from %d\nbias = ", (unsigned long)model->features,
                !model->zero_based);
    emit_number(emitter, "first_index", !model->zero_based, NULL);
    if (has_bias)
        number_print(bias, model->bias);
    emit_number(emitter, "bias", has_bias ? model->bias : NAN, "%s\n", bias);
    emit_record(emitter, model);
}

/* Prints the label of a class, and the word that stood for it in the table. */
static void print_label(const struct inspection *inspection, double label)
{
    const char *word = names_of_label(&inspection->names, label);

    number_write(stdout, label);
    if (word) {
        fputs(" (", stdout);
        text_print(stdout, word);
        putchar(')');
    }
}

/* Emits the name of a column, "class 1 against -1", "class 3 against the rest", "class 3" or
 * "weights"; in JSON its label. */
static void emit_class(struct inspection *inspection, size_t c)
{
    const struct hinge_model *model = inspection->model;
    const int is_class = model->classes > 0 && !model->one_class;

    if (model->classes > 0)
        emit_label(&inspection->emitter, &inspection->names, "label", "word", model->label[c]);
    if (inspection->emitter.json)
        return;
    fputs(is_class ? "\nclass " : "\nweights", stdout);
    if (is_class)
        print_label(inspection, model->label[c]);
    if (is_class && model->classes == 2 && model->columns == 1) {
        fputs(" against ", stdout);
        print_label(inspection, model->label[1]);
    } else if (is_class && model->classes > 1 && strcmp(model->solver_type, "MCSVM_CS") != 0) {
        fputs(" against the rest", stdout);
    }
    putchar('\n');
}

/* Emits a column of weights: its name, its words of the record, its sums, and its largest weights
 * with the names of their features. */
static void emit_column(struct inspection *inspection, const struct weight_column *column, size_t c)
{
    const struct hinge_model *model = inspection->model;
    struct emitter *emitter = &inspection->emitter;
    const double term =
        model->bias >= 0 ? model->bias * model->weight[model->features * model->columns + c] : 0;
    const double norm = weight_column_norm(column);

    emit_begin(emitter, NULL, '{');
    emit_class(inspection, c);
    for (size_t k = 0; k < inspection->lists && !emitter->json; k++) {
        struct list *list = &inspection->list[k];
        char word[WORD];

        list->rest = take_word(word, list->rest);
        printf("%s = ", list->key);
        emit_word(emitter, NULL, word);
        putchar('\n');
    }
    emit_number(emitter, "nonzeros", (double)column->nonzeros, "#nonzeros/#features = %lu/%lu\n",
                (unsigned long)column->nonzeros, (unsigned long)model->features);
    emit_number(emitter, "norm", norm, "|w| = %g, |w|_1 = %g\n", norm, column->absolute);
    emit_number(emitter, "norm1", column->absolute, NULL);
    if (model->one_class)
        emit_number(emitter, "bias_term", term, "rho = %g\n", 0 - term);
    else
        emit_number(emitter, "bias_term", term, model->bias >= 0 ? "bias term = %g\n" : NULL, term);
    if (model->sigmoid) {
        const double *sigmoid = &model->sigmoid[2 * c];

        emit_number(emitter, "A", sigmoid[0],
                    "Probability = 1/(1 + exp(A f + B)), A = %g, B = %g\n", sigmoid[0], sigmoid[1]);
        emit_number(emitter, "B", sigmoid[1], NULL);
    }
    emit_begin(emitter, "largest", '[');
    if (column->kept > 0)
        emit_text(emitter, "     feature        weight\n");
    for (size_t k = 0; k < column->kept; k++) {
        const uint32_t feature = column->largest[k].feature;
        const double weight = model->weight[feature * model->columns + c];
        const unsigned long index = (unsigned long)feature + !model->zero_based;
        const char *name = names_of(&inspection->names, feature);

        emit_begin(emitter, NULL, '{');
        emit_number(emitter, "feature", (double)index, "%12lu  %12.6g", index, weight);
        if (name && emitter->json) {
            emit_string(emitter, "name", name);
        } else if (name) {
            fputs("  ", stdout);
            text_print(stdout, name);
        }
        emit_number(emitter, "weight", weight, "\n");
        emit_end(emitter, '}');
    }
    emit_end(emitter, ']');
    emit_end(emitter, '}');
}

/* Reads the model and the names, and emits all. */
static enum hinge_status emit_model(struct inspection *inspection, const char *called,
                                    struct hinge_error *error)
{
    const struct inspect_settings *settings = inspection->settings;
    const struct hinge_model *model = inspection->model = hinge_model_read(settings->path, error);
    struct emitter *emitter = &inspection->emitter;
    struct names *names = &inspection->names;
    struct weight_column *column;

    if (!model ||
        (settings->names ? names_read(names, settings->names, model->features, NULL, error)
                         : names_read_model(names, settings->path, model, model->features, error)))
        return failure(error);
    if (settings->names && names->count != model->features && !settings->quiet)
        report_say(called, "warning: %s has %zu names for %lu features",
                   source_name(settings->names), names->count, (unsigned long)model->features);
    if (!(column = weight_columns_of(model, settings->most, error)))
        return failure(error);
    emit_begin(emitter, NULL, '{');
    emit_string(emitter, "model", settings->path);
    emit_head(emitter, model);
    emit_begin(emitter, "columns", '[');
    for (size_t k = 0; k < model->notes && inspection->lists < NOTE_LISTS; k++)
        if (is_by_class(model, &model->note[k]))
            inspection->list[inspection->lists++] =
                (struct list){model->note[k].key, model->note[k].value};
    for (size_t c = 0; c < model->columns; c++) {
        weight_column_sort(&column[c]);
        emit_column(inspection, &column[c], c);
    }
    emit_end(emitter, ']');
    emit_end(emitter, '}');
    weight_columns_free(column);
    return HINGE_OK;
}

/* ---- Beginning and end ------------------------------------------------- */

static enum hinge_status write_report(void *context, FILE *stream, struct hinge_error *error)
{
    const struct inspection *inspection = context;
    const struct inspect_settings *settings = inspection->settings;
    char title[200];
    struct page page;

    if (settings->page)
        return drawing_write(settings->page, stream, error);
    snprintf(title, sizeof title, "The model %.150s", source_name(settings->path));
    if (command_page(&page, stream, title, inspection->argc, inspection->argv, error) ||
        model_facts_page(&page, inspection->model, 1, error) ||
        model_weights_page(&page, inspection->model, &inspection->names, settings->most, error))
        return failure(error);
    page_end(&page);
    return HINGE_OK;
}

int inspection_run(int argc, char **argv)
{
    struct inspect_settings settings = {.most = 10};
    const int status = options_begin(&program, &settings, argc, argv);
    const char *name = program_name(argv[0]);
    struct hinge_error error = {HINGE_OK, ""};
    struct inspection inspection = {.settings = &settings,
                                    .argc = argc,
                                    .argv = argv,
                                    .emitter = {.stream = stdout, .json = settings.json}};
    int complete = 1; /* 0: an interrupt came before the report was written */

    if (status != OPTIONS_RUN)
        return status;
    if ((settings.page || !emit_model(&inspection, name, &error)) && settings.report &&
        !files_check(&program, &settings, FILES_CONTENTS, &error)) {
        catch_interrupts();
        report_write(settings.report, write_report, &inspection, &complete, &error);
    }
    names_free(&inspection.names);
    hinge_model_free(inspection.model);
    if (error.status)
        return report_error(name, &error);
    return report_end(name, complete ? HINGE_OK : EXIT_INTERRUPTED);
}
