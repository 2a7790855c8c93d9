/* test_calls.c - refuses every allocation, opening, read, write, seek, close, rename and print of
 * the programs in turn, alone and with all later ones; sends SIGINT and SIGKILL at each call.
 *
 * The programs run in this process, over faults.c and files in memory. Each scenario is a command
 * line. Each run must end with the documented exit status and one line that says why, leave each
 * output old or all new, and leave nothing behind. A dozen of the thousands of reads from a
 * temporary file are tried, with HINGE_ALL=1 a hundred. cli/faults.sh repeats some of these runs as
 * processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "in_process.h"
#include "support.h"

/* ---- Scenarios --------------------------------------------------------- */

enum { MOST_OUTPUTS = 3 };

struct scenario {
    char name[80];
    char line[160];
    char program[16];
    char input[16];
    char outputs[MOST_OUTPUTS][16]; /* names of all files that the run writes */
    size_t output_count;
};

enum { SCENARIOS = 98 };

static struct scenario scenarios[SCENARIOS];
static size_t scenario_count;

static void scenario(const char *name, const char *outputs, const char *input, const char *line)
{
    struct scenario *new = &scenarios[scenario_count++];
    char words[64];

    if (scenario_count > SCENARIOS)
        abort();
    snprintf(new->name, sizeof new->name, "%s", name);
    snprintf(new->line, sizeof new->line, "%s", line);
    snprintf(new->program, sizeof new->program, "%.*s", (int)strcspn(line, " "), line);
    snprintf(new->input, sizeof new->input, "%s", input);
    snprintf(words, sizeof words, "%s", outputs);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        snprintf(new->outputs[new->output_count++], sizeof new->outputs[0], "%s", word);
}

/* Adds a scenario for each solver. Its name replaces %s in `name` and `line`. */
static void each_solver(const char *solvers, const char *name, const char *outputs,
                        const char *input, const char *line)
{
    char words[200], full_name[80], full_line[160];

    snprintf(words, sizeof words, "%s", solvers);
    for (char *p = words, *end; *p; p = end) {
        end = p + strcspn(p, " ");
        if (*end)
            *end++ = '\0';
        snprintf(full_name, sizeof full_name, name, p);
        snprintf(full_line, sizeof full_line, line, p);
        scenario(full_name, outputs, input, full_line);
    }
}

static void list_training(void)
{
    /* this C and these data make every method of a solver run, in milliseconds */
    each_solver("dcd-l2 dcd-l1 newton-l2 lr-newton lr-dcd l1r-l2loss l1r-lr ipm pnewton smo", "%s",
                "model", "data", "train -s %s -c 10 - model");
    each_solver("dcd-l2 dcd-l1 newton-l2 lr-newton lr-dcd ipm pnewton smo", "%s, many features",
                "model", "nothing", "train -s %s -c 1000 wide model");
    each_solver("l1r-l2loss l1r-lr", "%s, many features", "model", "nothing",
                "train -s %s -c 10 wide model");
    scenario("enet", "model", "data", "train -s enet --l1 1e-3 -c 1000 - model");
    scenario("enet, many features", "model", "nothing", "train -s enet --l1 1 wide model");
    scenario("one-class", "model alpha", "data", "train -s one-class -n 0.2 --alpha alpha - model");
    scenario("one-class, many features", "model", "nothing",
             "train -s one-class -n 0.2 wide model");
    each_solver("pegasos sgd sgd-w sgd-suffix comid hrmd-w", "%s", "model", "nothing",
                "train -q -s %s -T 50 data model");
    scenario("pegasos, a random iterate", "model", "nothing",
             "train -s pegasos -T 50 --average random -k 3 data model");
    scenario("hrmd-w, l1, permuted", "model", "nothing",
             "train -s hrmd-w -T 50 --l1 1e-3 --sampling permute data model");
    scenario("three classes", "model", "nothing", "train -B 1 three model");
    each_solver("softmax crammer-singer", "%s", "model alpha", "three",
                "train -s %s -c 10 --alpha alpha - model");
    each_solver("softmax crammer-singer", "%s, two classes", "model alpha", "data",
                "train -s %s -c 10 --alpha alpha - model");
    scenario("softmax, free biases", "model", "nothing",
             "train -s softmax -B 1 -R -c 1000 three model");
    scenario("softmax, validation", "", "nothing", "train -s softmax -v 3 three");
    scenario("weights", "model", "nothing",
             "train -W weights --balanced -w1 2 --weight -1:0.5 data model");
    scenario("words of a file, JSON", "model", "nothing", "train @words data model");
    scenario("alpha and trace", "model alpha trace.csv", "nothing",
             "train -s 3 --alpha alpha --trace trace.csv --test rows data model");
    scenario("a model of no name", "data.model", "nothing", "train data");
    scenario("an initial model", "model", "nothing",
             "train -s newton-l2 --initial-model first data model");
    scenario("goes on", "model", "nothing", "train -s sgd -T 50 --initial-model first data model");
    each_solver("newton-l2 dcd-l1", "%s, from a temporary file", "model", "nothing",
                "train -s %s -i 30 --memory 0.0625 long model");
    scenario("pegasos, from a temporary file", "model", "nothing",
             "train -q -s pegasos --sampling permute --epochs 0.1 --memory 0.0625 long model");
    scenario("a temporary file of that name", "model", "nothing",
             "train -s newton-l2 -i 2 --memory 0.0625 --scratch scratch long model");
    scenario("validation, from a temporary file", "", "nothing",
             "train -v 2 -i 1 --memory 0.0625 long");
}

static void list_validation(void)
{
    scenario("a report", "model page.html", "nothing", "train -s 3 --report page.html three model");
    scenario("validation, a report", "page.html", "nothing",
             "train -v 3 -s 2 --report page.html three");
    scenario("search, a report", "model page.html", "nothing",
             "train -C -v 2 -s 3 --c-range -2:0:2 --refit --report page.html data model");
    scenario("validation", "", "nothing", "train -v 3 data");
    scenario("validation, metrics", "", "nothing", "train -v 3 --metrics three");
    scenario("validation, folds of a file", "rows.csv", "names",
             "train --folds - -b 1 --predictions rows.csv three");
    scenario("validation, groups", "rows.csv", "nothing",
             "train -v 2 --folds names --positive 1 --predictions rows.csv -s 0 three");
    scenario("search", "model path.csv", "nothing",
             "train -C -v 2 -s 3 --c-range -2:0:2 --metrics=json --refit --path path.csv data "
             "model");
    scenario("search, stochastic", "", "nothing", "train -C -v 2 -s sgd -T 50 --c-range 0:1 data");
    each_solver("svr-newton svr-dcd-l2 svr-dcd-l1", "%s", "model alpha", "numbers",
                "train -s %s -c 10 --alpha alpha - model");
    scenario("search of a regression", "model path.csv", "nothing",
             "train -C -v 2 -s 12 --c-range -2:0:2 -p 1 --metrics --refit --path path.csv "
             "numbers model");
    scenario("probabilities", "model", "nothing", "train -b 1 -s 3 -c 10 data model");
    scenario("probabilities of three classes", "model", "nothing",
             "train -b 1 -W weights three model");
}

static void list_prediction(void)
{
    scenario("predict numbers", "labels", "nothing", "predict --metrics numbers regression labels");
    scenario("predict", "labels", "rows", "predict - first labels");
    scenario("predict, quietly", "labels", "nothing", "predict -q rows first labels");
    scenario("predict, a model of LIBSVM", "labels", "nothing", "predict -q rows vectors labels");
    scenario("predict, a report", "labels page.html", "nothing",
             "predict --report page.html rows first labels");
    scenario("predict, a report of numbers", "labels page.html", "nothing",
             "predict -q --report page.html numbers regression labels");
    scenario("predict, decisions", "labels", "nothing", "predict -d rows first labels");
    scenario("predict, metrics", "labels", "nothing", "predict --metrics rows first labels");
    scenario("predict, JSON metrics", "labels", "nothing",
             "predict --metrics=json rows first labels");
    scenario("predict to standard output", "", "nothing", "predict -q rows first -");
    scenario("predict, one-class metrics", "labels", "nothing",
             "predict --metrics rows outside labels");
    scenario("predict, the best threshold", "labels points", "nothing",
             "predict --threshold max-f1 --metrics --curve points rows first labels");
    scenario("predict, a threshold", "labels", "nothing",
             "predict --threshold 0.5 -d rows first labels");
    scenario("predict, softmax", "labels", "nothing", "predict -b 1 three.t columns labels");
    scenario("predict, probabilities", "labels", "nothing", "predict -b 1 rows logistic labels");
    scenario("predict, sigmoids", "labels bins", "nothing",
             "predict -b 1 --metrics --calibration bins three.t sigmoids labels");
}

static void list_others(void)
{
    scenario("scale", "scaled ranges", "nothing", "scale -s ranges data scaled");
    scenario("scale between bounds", "scaled", "data", "scale -l 0 -u 1 - scaled");
    scenario("scale by known ranges", "scaled", "nothing", "scale -r known rows scaled");
    scenario("scale to standard output", "", "nothing", "scale -r known rows");
    scenario("scale much to standard output", "", "nothing", "scale -r known long");
    scenario("convert", "converted map", "nothing",
             "convert -s map --ignore id --categorical 3 --missing column table converted");
    scenario("convert from standard input", "converted", "table",
             "convert --no-labels --ignore id,4 --categorical 3 --missing zero - converted");
    scenario("convert, means", "converted map", "table",
             "convert -s map --ignore id --categorical 3 --missing mean table converted");
    scenario("convert, means, from standard input", "converted", "table",
             "convert --ignore id --categorical 3 --missing mean - converted");
    scenario("convert, text", "converted", "nothing",
             "convert --no-labels --text 3 --min-rows 1 table converted");
    scenario("convert by a map", "converted", "table", "convert -r table.map - converted");
    scenario("convert to standard output", "", "nothing", "convert -q -r table.map table");
    scenario("words", "words", "nothing", "convert --labels table.map predicted words");
    scenario("inspect, a report", "page.html", "nothing", "inspect --report page.html first");
    scenario("inspect", "", "nothing", "inspect --names features first");
    scenario("inspect, a map", "", "first", "inspect --json --names features.map -");
    scenario("the help", "", "nothing", "train --help");
}

/* ---- Inputs ------------------------------------------------------------ */

struct text {
    char *bytes;
    size_t size;
    size_t capacity;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;

    if (text->capacity - text->size < 2000) {
        text->capacity = 2 * text->capacity + 4000;
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
    va_start(arguments, format);
    text->size +=
        (size_t)vsnprintf(text->bytes + text->size, text->capacity - text->size, format, arguments);
    va_end(arguments);
}

static void put(const char *name, struct text *text)
{
    content_put(name, text->size ? text->bytes : "", text->size);
    free(text->bytes);
    *text = (struct text){NULL, 0, 0};
}

static uint64_t draw(uint64_t *x)
{
    return *x = *x * 16807 % 2147483647;
}

/* Copies count lines of a file, the first of them line `first`, counted from 0. If label is not
 * NULL, label(number) replaces the label of a line, counted from 1. */
static void put_rows(const char *name, const char *from, size_t first, size_t count,
                     const char *(*label)(size_t number))
{
    const char *p = content_of(from).bytes;
    struct text text = {NULL, 0, 0};
    size_t number = 0;

    assert_non_null(p);
    for (const char *end; (end = strchr(p, '\n')) && number < first + count; p = end + 1) {
        const char *rest = label ? p + strcspn(p, " ") : p;

        if (number++ < first)
            continue;
        add(&text, "%s", label ? label(number - first) : "");
        add(&text, "%.*s\n", (int)(end - rest), rest);
    }
    put(name, &text);
}

static const char *one_of_three(size_t number)
{
    static const char *const labels[] = {"0", "1", "2"};

    return labels[number % 3];
}

static const char *a_number(size_t number)
{
    static char label[32];

    snprintf(label, sizeof label, "%g", (double)(number % 11) - 4.5);
    return label;
}

static void put_data(void)
{
    struct text text = {NULL, 0, 0};
    size_t size;
    char *cancer = read_file("data/breast-cancer", &size);
    uint64_t x = 1;

    assert_non_null(cancer);
    content_put("cancer", cancer, size);
    free(cancer);
    put("nothing", &text);
    put_rows("data", "cancer", 0, 40, NULL);
    put_rows("rows", "cancer", 13, 7, NULL);
    put_rows("three", "data", 0, 40, one_of_three);
    put_rows("three.t", "rows", 0, 7, one_of_three);
    put_rows("numbers", "data", 0, 40, a_number);
    for (int i = 1; i <= 40; i++)
        add(&text, "%g\n", 0.5 + i % 3);
    put("weights", &text);
    add(&text, "# of train\n--json -s 3\n-c \"2\"\n");
    put("words", &text);
    for (int i = 1; i <= 40; i++)
        add(&text, "%s\n", i % 2 ? "odd" : i % 3 ? "even" : "third");
    put("names", &text);
    for (int i = 0; i < 80; i++) {
        add(&text, "%d", i % 2 ? 1 : -1);
        for (int j = 0, k = 0; k < 30; k++) {
            j += 1 + (int)(draw(&x) % 40);
            add(&text, " %d:%d", j, (int)(1 + x % 7));
        }
        add(&text, "\n");
    }
    put("wide", &text);
    x = 1; /* a little more than 64 kB of non-zeros, so few are read again */
    for (int i = 0; i < 610; i++) {
        add(&text, "%d", i % 3 ? 1 : -1);
        for (int j = 1; j <= 30; j++)
            if (draw(&x) % 4 > 0)
                add(&text, " %d:%.2f", j, (double)(x % 100) / 100 + i % 3 / 5.0);
        add(&text, "\n");
    }
    put("long", &text);
    for (int i = 0; i < 5000; i++) /* longer than any output */
        add(&text, "old\n");
    put("old", &text);
    content_put("pristine", content_of("old").bytes, content_of("old").size);
}

static void put_tables(void)
{
    struct text text = {NULL, 0, 0};

    add(&text, "id,size,\"color \"\"c\"\"\",y\n");
    for (int i = 0; i < 60; i++) {
        add(&text, "%d,", i);
        if (i % 7)
            add(&text, "%g", i / 8.0);
        add(&text, "%s,c%d,%s\n", i % 7 ? "" : "?", i % 25, i % 3 ? "yes" : "no");
    }
    put("table", &text);
    for (int i = 0; i < 40; i++)
        add(&text, "%d\n", i % 2 + 1);
    put("predicted", &text);
    for (int j = 1; j <= 30; j++)
        add(&text, "name %d\n", j);
    put("features", &text);
    add(&text, "svm_type c_svc\nkernel_type linear\nnr_class 2\nrho 0.5\nlabel 1 -1\nprobA -1\n"
               "probB 0\nSV\n");
    for (int j = 1; j <= 30; j++)
        add(&text, "%d %d:1\n", j % 3 - 1, j);
    put("vectors", &text);
    add(&text, "hinge-map 1\nseparator comma\ndecimal point\nmissing zero\nnames 1\n"
               "column 1 words kind\n");
    for (int j = 2; j <= 31; j++)
        add(&text, "column %d number x%d\n", j, j);
    add(&text, "class 1 benign\n");
    for (int j = 1; j <= 30; j++)
        add(&text, "feature %d %d number\n", j, j + 1);
    put("features.map", &text);
}

static const struct fault no_fault;

/* Copies a model and changes its solver_type. */
static void put_logistic(void)
{
    const char *model = content_of("first").bytes, *rest = strchr(model, '\n');
    struct text text = {NULL, 0, 0};

    assert_memory_equal(model, "solver_type ", 12);
    add(&text, "solver_type L2R_LR");
    for (const char *end; (end = strchr(rest + 1, '\n')); rest = end)
        add(&text, "%.*s", (int)(end - rest), rest);
    add(&text, "\n");
    put("logistic", &text);
}

static int prepare(void **state)
{
    static const char *const lines[] = {
        "train -q data first",
        "train -q -s 11 numbers regression",
        "train -q -s one-class -n 0.2 data outside",
        "train -q -s softmax three columns",
        "train -q -b 1 three sigmoids",
        "scale -q -s known data ignored",
        "convert -q -s table.map --ignore id --categorical 3 --missing mean table ignored"};

    (void)state;
    put_data();
    put_tables();
    for (size_t k = 0; k < COUNT(lines); k++)
        assert_int_equal(run(lines[k], "nothing", &no_fault).status, HINGE_OK);
    content_remove("ignored");
    put_logistic();
    return 0;
}

/* ---- One run ----------------------------------------------------------- */

enum { MESSAGE = 1200 };

/* A run, and the run without a fault that it is compared with. */
struct judged {
    const struct scenario *scenario;
    struct fault fault;
    struct ending ending;
    char first[MESSAGE];        /* first line on standard error, without lines of progress */
    char second[MESSAGE];       /* second line on standard error, without lines of progress */
    char usual[MESSAGE];        /* `first` of the run without a fault */
    unsigned long calls[KINDS]; /* number of calls in the run without a fault */
    size_t files;               /* number of names before a run; must be the same after it */
    struct text complaints;     /* texts of the first ten complaints */
    unsigned long complaint_count;
};

/* Numbers of runs, and of runs with an exit status other than 0, for each kind of fault. */
static unsigned long runs[KINDS + 3], ended[KINDS + 3];
enum { TRICKLES = KINDS, SIGNALS, KILLS };

static void complain(struct judged *judged, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct judged *judged, const char *format, ...)
{
    const struct fault *fault = &judged->fault;
    char text[MESSAGE];
    va_list arguments;

    if (judged->complaint_count++ >= 10)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(&judged->complaints, "\n%s%s %lu%s: %.400s",
        fault->trickle   ? "trickle "
        : fault->signals ? "signal "
        : fault->kills   ? "kill "
                         : "",
        fault_kinds[fault->kind], fault->number,
        fault->persists ? " on"
        : fault->after  ? " after"
        : fault->ends   ? " ended"
                        : "",
        text);
}

/* True for progress, and for advice on data and scores, which may come before a failure. */
static int is_progress(const char *line)
{
    const char *epoch = strstr(line, "epoch ");

    return strstr(line, ", relative gap ") || (epoch && strstr(epoch, ", objective ")) ||
           strstr(line, ": advice: ") || strstr(line, ": warning: the best C is ");
}

/* Takes the first two lines of standard error. */
static void take_lines(struct judged *judged)
{
    char *const lines[] = {judged->first, judged->second};
    const char *p = judged->ending.err.bytes;
    size_t taken = 0;

    *judged->first = *judged->second = '\0';
    while (*p && taken < 2) {
        const size_t length = strcspn(p, "\n");

        snprintf(lines[taken], MESSAGE, "%.*s", (int)length, p);
        if (!is_progress(lines[taken]) || length == 0)
            taken++;
        else
            *lines[taken] = '\0';
        p += length + (p[length] != '\0');
    }
}

static void run_with(struct judged *judged, const struct fault *fault)
{
    judged->fault = *fault;
    judged->ending = run(judged->scenario->line, judged->scenario->input, fault);
    take_lines(judged);
}

static const char *right_name(const char *output)
{
    static char name[64];

    snprintf(name, sizeof name, "right.%s", output);
    return name;
}

static size_t count_lines(struct content content)
{
    size_t count = 0;

    for (const char *p = content.bytes; *p; p += p[strcspn(p, "\n")] != '\0')
        if (strcspn(p, "\n") > 0) {
            count++;
            p += strcspn(p, "\n");
        }
    return count;
}

/* True if the output is what the run without a fault wrote. Tables with times in them must have as
 * many lines. */
static int is_new(const char *output)
{
    const struct content came = content_of(output), right = content_of(right_name(output));

    if (!came.bytes || content_is_same(output, "old"))
        return 0;
    if (strstr(output, ".csv"))
        return count_lines(came) == count_lines(right);
    if (strstr(output, ".html")) /* a page has times in it */
        return came.size > 8 && memcmp(came.bytes + came.size - 8, "</html>\n", 8) == 0;
    return came.size == right.size && memcmp(came.bytes, right.bytes, came.size) == 0;
}

/* Makes each output a name of the file "old". A program that writes into the existing file,
 * instead of replacing it by a new one, changes "old". */
static void make_old(const struct scenario *scenario)
{
    for (size_t k = 0; k < scenario->output_count; k++)
        content_link("old", scenario->outputs[k]);
}

static void judge_old(struct judged *judged)
{
    const struct content old = content_of("old"), pristine = content_of("pristine");

    if (old.size == pristine.size && memcmp(old.bytes, pristine.bytes, old.size) == 0)
        return;
    complain(judged, "the old file was written to");
    content_put("old", pristine.bytes, pristine.size);
    make_old(judged->scenario);
}

/* Complains about files that are left behind, and removes them. */
static void judge_left(struct judged *judged)
{
    for (size_t k = content_count(); k-- > 0;) {
        const char *name = content_name(k);

        if (!strstr(name, ".tmp-") && strcmp(name, "scratch") != 0)
            continue;
        if (!judged->fault.kills)
            complain(judged, "left behind: %s", name);
        content_remove(name);
    }
    if (content_count() != judged->files)
        complain(judged, "%lu files, before it were %lu", (unsigned long)content_count(),
                 (unsigned long)judged->files);
}

/* Complains if a program that was not killed has not freed its memory or closed its streams. */
static void judge_leaks(struct judged *judged)
{
    const struct ending *ending = &judged->ending;

    if (faults.dead)
        return;
    if (ending->blocks > 0 || ending->streams > 0)
        complain(judged, "left %lu blocks, %ld streams", (unsigned long)ending->blocks,
                 ending->streams);
    if (ending->unflushed > 0)
        complain(judged, "%lu bytes of standard output were not flushed",
                 (unsigned long)ending->unflushed);
}

/* ---- Refused calls ----------------------------------------------------- */

static int has_line(const char *name, const char *begin, const char *word)
{
    const struct content content = content_of(name);

    for (const char *p = content.bytes; p && *p; p += p[strcspn(p, "\n")] != '\0') {
        const size_t length = strcspn(p, "\n");
        const char *found = strncmp(p, begin, strlen(begin)) == 0 ? strstr(p, word) : NULL;

        if (found && found < p + length)
            return 1;
        p += length;
    }
    return 0;
}

/* True if the model differs but is certified: a method had no memory, and the training continued
 * without it. */
static int did_without(const struct scenario *scenario)
{
    const char *output = scenario->outputs[0];

    return scenario->output_count > 0 && !is_new(output) &&
           has_line(output, "# outcome certified", "certified");
}

/* True if the first line is "PROGRAM: BEGIN...END". */
static int says(const struct judged *judged, const char *begin, const char *end)
{
    const size_t name = strlen(judged->scenario->program), length = strlen(judged->first);
    const char *text = judged->first + name + 2;

    return strncmp(judged->first, judged->scenario->program, name) == 0 &&
           strncmp(judged->first + name, ": ", 2) == 0 &&
           strncmp(text, begin, strlen(begin)) == 0 &&
           length >= name + 2 + strlen(begin) + strlen(end) &&
           strcmp(judged->first + length - strlen(end), end) == 0;
}

/* True if the run has ended with the documented status and one line that says why. */
static int is_documented(const struct judged *judged)
{
    const int status = judged->ending.status;
    char why[100];

    snprintf(why, sizeof why, ": %s", fault_reason(judged->fault.kind));
    if (status == HINGE_OK)
        return strcmp(judged->first, judged->usual) == 0;
    if (judged->fault.number == 0 ||
        status != (judged->fault.kind == ALLOC ? HINGE_NO_MEMORY : HINGE_FILE_ERROR))
        return 0;
    switch (judged->fault.kind) {
    case ALLOC:
        return says(judged, "out of memory: no room for ", " bytes");
    case OPEN:
        return says(judged, "cannot ", why);
    case READ:
        return says(judged, "cannot read ", why);
    case WRITE: /* a later write may have succeeded, so errno may be 0 */
        return says(judged, "cannot write ", why) ||
               says(judged, "cannot write ", ": input/output error");
    case PRINT:
        return says(judged, "cannot write standard output", why);
    case SEEK:
        return says(judged, "cannot ", "");
    default:
        return says(judged, "cannot write ", why);
    }
}

/* True if a failed run may leave a new file. Several files are written one after the other, and
 * a file may be complete before the results cannot be printed. */
static int may_be_new(const struct judged *judged)
{
    const struct scenario *scenario = judged->scenario;

    return judged->ending.status == HINGE_OK || judged->fault.kind == PRINT ||
           scenario->output_count > 1 ||
           (judged->fault.kind == ALLOC && strcmp(scenario->outputs[0], "labels") == 0 &&
            strstr(scenario->line, "--metrics"));
}

static void judge(struct judged *judged)
{
    const struct scenario *scenario = judged->scenario;
    const int status = judged->ending.status;

    judge_leaks(judged);
    judge_left(judged);
    judge_old(judged);
    if (judged->fault.kind == ALLOC && judged->fault.number > 0 && status == HINGE_OK &&
        did_without(scenario)) {
        make_old(scenario);
        return;
    }
    if (!is_documented(judged))
        complain(judged, "status %d, %s", status, judged->first);
    if (status != HINGE_OK && *judged->second)
        complain(judged, "a second line, %s", judged->second);
    for (size_t k = 0; k < scenario->output_count; k++) {
        const char *output = scenario->outputs[k];

        if (status != HINGE_OK && content_is_same("old", output))
            continue;
        if (!is_new(output))
            complain(judged, "%s is neither old nor new", output);
        else if (!may_be_new(judged))
            complain(judged, "the old %s is gone", output);
        content_link("old", output);
    }
}

/* ---- Signals ----------------------------------------------------------- */

/* Judges the outputs after a signal. After SIGINT all are new, or all are old, or all are outputs
 * of an interrupted training, as the exit status says. After SIGKILL each is old or new. So they
 * are after SIGINT has ended a print, because a search may have written its path before. */
static void judge_signal(struct judged *judged)
{
    const struct scenario *scenario = judged->scenario;
    const int status = judged->ending.status;
    const char *output = scenario->outputs[0];
    size_t old = 0, new = 0, all = scenario->output_count;

    judge_leaks(judged);
    judge_left(judged);
    judge_old(judged);
    for (size_t k = 0; k < all; k++) {
        old += (size_t)content_is_same("old", scenario->outputs[k]);
        new += (size_t)is_new(scenario->outputs[k]);
    }
    if (judged->fault.kills) {
        if (old + new != all)
            complain(judged, "%lu old, %lu new", (unsigned long)old, (unsigned long)new);
    } else if (judged->fault.ends && status == HINGE_OK) {
        complain(judged, "status 0, though text is lost");
    } else if (status == HINGE_OK) {
        if (*judged->first && strcmp(judged->first, judged->usual) != 0)
            complain(judged, "said %s", judged->first);
        if (new != all)
            complain(judged, "status 0, %lu of %lu new", (unsigned long)new, (unsigned long)all);
    } else if (status != ENDED_BY_SIGINT) {
        complain(judged, "status %d, %s", status, judged->first);
    } else if (!(judged->fault.ends && old + new == all) && old != all &&
               (old > 0 || !(has_line(output, "# outcome", " interrupted") ||
                             has_line(output, "# sigmoid", " interrupted")))) {
        complain(judged, "status %d, %lu of %lu old", status, (unsigned long)old,
                 (unsigned long)all);
    }
    make_old(scenario);
}

/* ---- All calls --------------------------------------------------------- */

static void count_run(unsigned long kind, const struct judged *judged)
{
    runs[kind]++;
    ended[kind] += judged->ending.status != HINGE_OK;
}

/* True if HINGE_ALL asks for calls that take long to try. */
static int tries_all(void)
{
    const char *all = getenv("HINGE_ALL");

    return all && *all;
}

#ifdef ADDRESS_SANITIZER
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Returns the distance between two tried calls: 1, except for the thousands of reads from a
 * temporary file. */
static unsigned long stride(const struct judged *judged, enum kind kind)
{
    const unsigned long tried = tries_all() ? 100 : 12;
    const int is_paged = strstr(judged->scenario->line, "--memory") != NULL;

    return is_paged && (kind == READ || kind == SEEK) ? judged->calls[kind] / tried + 1 : 1;
}

/* Returns the first call that is tried, which differs between scenarios. */
static unsigned long first_call(const struct judged *judged, unsigned long step)
{
    return 1 + (unsigned long)(judged->scenario - scenarios) % step;
}

/* Refuses each call of a kind in turn, and all after it if `persists`. Sanitizers then try every
 * third call. */
static void refuse(struct judged *judged, enum kind kind, int persists)
{
    const unsigned long calls = judged->calls[kind];
    const unsigned long step = (SANITIZED && persists ? 3 : 1) * stride(judged, kind);

    for (unsigned long call = calls ? first_call(judged, step) : 1; call <= calls; call += step) {
        run_with(judged, &(struct fault){.kind = kind, .number = call, .persists = persists});
        judge(judged);
        count_run(kind, judged);
    }
}

/* Lets each read bring a few bytes. The first run refuses no read, each later run refuses one. */
static void refuse_short_reads(struct judged *judged)
{
    unsigned long reads, step;

    run_with(judged, &(struct fault){.trickle = 1});
    judge(judged);
    count_run(TRICKLES, judged);
    reads = judged->ending.calls[READ];
    step = reads / 12 + 1;
    for (unsigned long call = first_call(judged, step); call <= reads; call += step) {
        run_with(judged, &(struct fault){.kind = READ, .number = call, .trickle = 1});
        judge(judged);
        count_run(TRICKLES, judged);
    }
}

static void send_signals(struct judged *judged, struct fault fault)
{
    const unsigned long calls = judged->calls[fault.kind], step = stride(judged, fault.kind);

    for (fault.number = calls ? first_call(judged, step) : 1; fault.number <= calls;
         fault.number += step) {
        run_with(judged, &fault);
        judge_signal(judged);
        count_run(fault.kills ? KILLS : SIGNALS, judged);
    }
}

/* Runs the scenario without a fault, and keeps its outputs for the comparison with the other runs.
 */
static void begin(struct judged *judged)
{
    const struct scenario *scenario = judged->scenario;

    make_old(scenario);
    judged->files = content_count();
    run_with(judged, &no_fault);
    strcpy(judged->usual, judged->first);
    memcpy(judged->calls, judged->ending.calls, sizeof judged->calls);
    if (judged->ending.status != HINGE_OK)
        complain(judged, "status %d, %s", judged->ending.status, judged->first);
    judge_leaks(judged);
    judge_left(judged);
    judge_old(judged);
    for (size_t k = 0; k < scenario->output_count; k++) {
        if (content_is_same("old", scenario->outputs[k]))
            complain(judged, "%s is not written", scenario->outputs[k]);
        content_link(scenario->outputs[k], right_name(scenario->outputs[k]));
    }
    make_old(scenario);
    judged->files = content_count();
}

static void test_calls(void **state)
{
    const struct scenario *scenario = *state;
    struct judged judged = {.scenario = scenario};

    begin(&judged);
    refuse_short_reads(&judged);
    for (int kind = 0; kind < KINDS; kind++) {
        refuse(&judged, (enum kind)kind, 0);
        refuse(&judged, (enum kind)kind, 1);
        if (kind != ALLOC) {
            send_signals(&judged, (struct fault){.kind = (enum kind)kind, .signals = 1});
            if (!SANITIZED) /* a killed program does nothing that it would not have done */
                send_signals(&judged, (struct fault){.kind = (enum kind)kind, .kills = 1});
        }
    }
    send_signals(&judged, (struct fault){.kind = RENAME, .signals = 1, .after = 1});
    send_signals(&judged, (struct fault){.kind = PRINT, .signals = 1, .ends = 1});
    for (size_t k = 0; k < scenario->output_count; k++) {
        content_remove(scenario->outputs[k]);
        content_remove(right_name(scenario->outputs[k]));
    }
    if (judged.complaint_count > 0)
        fail_msg("%s: %lu times:%s", scenario->line, judged.complaint_count,
                 judged.complaints.bytes);
}

/* ---- A training that is interrupted ----------------------------------------- */

/* Sends SIGINT at a quarter, a half and three quarters of the reads from a temporary file, most of
 * which are reads of the training. The training must stop: exit status 130. */
static void test_interrupted(void **state)
{
    const char *line = *state;
    const struct ending usual = run(line, "nothing", &no_fault);

    assert_int_equal(usual.status, HINGE_OK);
    assert_true(usual.calls[READ] > 100);
    for (unsigned long quarter = 1; quarter <= 3; quarter++) {
        const struct fault fault = {
            .kind = READ, .number = quarter * usual.calls[READ] / 4, .signals = 1};

        assert_int_equal(run(line, "nothing", &fault).status, ENDED_BY_SIGINT);
    }
    content_remove("model");
}

/* ---- Methods that are done without ------------------------------------- */

/* Appends the words of a line of the model's record. */
static void add_record(struct text *text, const char *key)
{
    const char *p = content_of("model").bytes;

    for (p = strstr(p, key); p; p = strstr(p + 1, key))
        add(text, "%.*s ", (int)strcspn(p + strlen(key), "\n"), p + strlen(key));
}

/* Refuses each allocation of a training. If there is no memory for a second-order method, the next
 * method takes over, or passes go on. */
static void test_done_without(void **state)
{
    static const char warning[] = "train: warning: ";
    const char *const *expected = *state;
    struct ending usual;
    char line[100];
    unsigned long seen = 0;

    snprintf(line, sizeof line, "train -q -s %s -c 1000 cancer model", expected[0]);
    usual = run(line, "nothing", &no_fault);
    assert_int_equal(usual.status, HINGE_OK);
    content_link("model", "right.model");
    snprintf(line, sizeof line, "train -s %s -c 1000 cancer model", expected[0]);
    for (unsigned long call = 1; call <= usual.calls[ALLOC]; call++) {
        const struct ending ending =
            run(line, "nothing", &(struct fault){.kind = ALLOC, .number = call});
        struct text came = {NULL, 0, 0};

        if (ending.status != HINGE_OK || is_new("model"))
            continue;
        add_record(&came, "\n# outcome ");
        add_record(&came, "\n# engine ");
        for (const char *p = strstr(ending.err.bytes, warning); p; p = strstr(p + 1, warning))
            add(&came, "%.*s", (int)strcspn(p + strlen(warning), "\n"), p + strlen(warning));
        assert_string_equal(came.bytes, expected[1]);
        free(came.bytes);
        seen++;
    }
    assert_true(seen > 0);
    content_remove("model");
    content_remove("right.model");
}

/* ---- A model cut at every byte ----------------------------------------- */

/* Reads a model cut at each of its bytes in turn. The message must name the place. Only a cut in
 * the record, which follows the weights, may be accepted. */
static void test_cut(void **state)
{
    static const char tiny[] = "+1 1:1 2:0.5\n-1 1:-1 3:2\n+1 2:1 3:-1\n-1 1:-0.5 2:-2\n";
    size_t size, header, accepted = 0;
    char *model;

    (void)state;
    content_put("tiny", tiny, sizeof tiny - 1);
    assert_int_equal(run("train -q tiny whole", "nothing", &no_fault).status, HINGE_OK);
    size = content_of("whole").size;
    model = malloc(size + 1);
    assert_non_null(model);
    memcpy(model, content_of("whole").bytes, size + 1);
    header = (size_t)(strchr(model, '#') - model);
    for (size_t cut = 0; cut < size; cut++) {
        struct ending ending;

        content_put("part", model, cut);
        ending = run("predict -q tiny part labels", "nothing", &no_fault);
        if (ending.status == HINGE_OK && ending.err.size == 0)
            accepted++;
        else if (ending.status != HINGE_BAD_INPUT || cut >= header ||
                 strncmp(ending.err.bytes, "part:", 5) != 0 ||
                 !strchr("123456789", ending.err.bytes[5]))
            fail_msg("cut at byte %lu: status %d, %s", (unsigned long)cut, ending.status,
                     ending.err.bytes);
    }
    assert_true(accepted >= size - header);     /* the record may be missing */
    assert_true(accepted < size - header + 25); /* the weights may not be missing */
    free(model);
    content_remove("labels");
}

/* ---- An output with the content of an input ---------------------------- */

/* Refuses an output with the content of the data, which may be the data; closes both files. */
static void test_content(void **state)
{
    struct ending ending;

    (void)state;
    content_put("copy", content_of("data").bytes, content_of("data").size);
    ending = run("train -q data copy", "nothing", &no_fault);
    assert_int_equal(ending.status, HINGE_BAD_ARGUMENT);
    assert_non_null(strstr(ending.err.bytes, "has the content of the data"));
    assert_int_equal(ending.blocks, 0);
    assert_int_equal(ending.streams, 0);
    content_remove("copy");
}

static int report(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(runs); k++)
        print_message("%lu times %s, %lu runs ended by it\n", runs[k],
                      k < KINDS       ? fault_kinds[k]
                      : k == TRICKLES ? "bytes in drops"
                      : k == SIGNALS  ? "SIGINT"
                                      : "SIGKILL",
                      ended[k]);
    return 0;
}

int main(void)
{
    static const char *without[][2] = {
        {"dcd-l2",
         "certified none no memory for a second-order method; coordinate descent continued"},
        {"dcd-l1", "certified ipm "}};
    static char *interrupted[] = {"train -q -s dcd-l1 -i 30 --memory 0.0625 long model",
                                  "train -q -v 3 -i 10 --memory 0.0625 long"};
    static struct CMUnitTest tests[SCENARIOS + COUNT(without) + COUNT(interrupted) + 2];

    list_training();
    list_validation();
    list_prediction();
    list_others();
    if (scenario_count != SCENARIOS)
        abort();
    for (size_t k = 0; k < scenario_count; k++)
        tests[k] = (struct CMUnitTest){scenarios[k].name, test_calls, NULL, NULL, &scenarios[k]};
    for (size_t k = 0; k < COUNT(without); k++)
        tests[scenario_count + k] =
            (struct CMUnitTest){without[k][0], test_done_without, NULL, NULL, (void *)without[k]};
    for (size_t k = 0; k < COUNT(interrupted); k++)
        tests[scenario_count + COUNT(without) + k] =
            (struct CMUnitTest){interrupted[k], test_interrupted, NULL, NULL, interrupted[k]};
    tests[COUNT(tests) - 2] = (struct CMUnitTest){"an output with the content of an input",
                                                  test_content, NULL, NULL, NULL};
    tests[COUNT(tests) - 1] =
        (struct CMUnitTest){"a model cut at every byte", test_cut, NULL, NULL, NULL};
    return cmocka_run_group_tests(tests, prepare, report);
}
