/* fuzz_convert.c - a command line of convert, a word a line; after a line "--" a map, after another
 * one a table. The command line is refused in one line or makes sense. An accepted map has the same
 * bytes when it is written twice. A table has the records that a slow reader finds. Rows are in
 * LIBSVM's format, and their map makes the same rows again. */
#include "fuzz.h"

/* The parser and the work are private to the program. */
#define converting_run included_converting_run
#include "../../src/cli/convert_run.c"
#undef converting_run

#include "command_line.h"
#include "slow_table.h"

enum { MOST_TABLE = 1024 };

static struct scratch given, saved, output;

static void check_refusal(const struct hinge_error *error)
{
    DEMAND(error->status == HINGE_BAD_INPUT || error->status == HINGE_BAD_ARGUMENT);
    DEMAND(*error->message && !memchr(error->message, '\n', strlen(error->message)));
}

/* ---- Maps -------------------------------------------------------------- */

/* Writes the map and reads it back. Writing it again gives the same bytes. */
static void write_and_read(const struct map *map)
{
    struct map again = {0};
    struct hinge_error error = {HINGE_OK, ""};
    char *once, *twice;

    DEMAND(map_write(map, saved.path, &error) == HINGE_OK);
    once = scratch_text(&saved, NULL);
    DEMAND(map_read(&again, saved.path, &error) == HINGE_OK);
    DEMAND(map_features(&again) == map_features(map) && again.columns == map->columns);
    for (uint32_t k = 1; k <= map_features(map); k++) {
        char name[2][200];
        const int length = map_feature_name(map, k, name[0], sizeof name[0]);

        DEMAND(length == map_feature_name(&again, k, name[1], sizeof name[1]));
        DEMAND(strcmp(name[0], name[1]) == 0 && *name[0]);
        DEMAND(length >= 200 || (size_t)length == strlen(name[0]));
    }
    DEMAND(map_write(&again, saved.path, &error) == HINGE_OK);
    twice = scratch_text(&saved, NULL);
    DEMAND(strcmp(once, twice) == 0);
    free(once);
    free(twice);
    map_free(&again);
}

static void try_map(void)
{
    struct map map = {0};
    struct hinge_error error = {HINGE_OK, ""};

    if (map_read(&map, given.path, &error)) {
        DEMAND(error.status == HINGE_BAD_INPUT);
        check_refusal(&error);
    } else {
        write_and_read(&map);
    }
    map_free(&map);
}

/* ---- Tables ------------------------------------------------------------ */

static void try_records(const char *bytes, size_t size, char separator)
{
    char *expected = slow_table(bytes, size, separator), *p = expected;
    struct hinge_error error = {HINGE_OK, ""};
    struct table table;
    int found;

    begin_input(bytes, size);
    if (table_open(&table, "-", separator, 0, &error)) { /* compressed */
        check_refusal(&error);
        table_close(&table);
        end_input();
        free(expected);
        return;
    }
    while ((found = table_next(&table, &error)) > 0) {
        for (size_t k = 0; expected && k < table.fields; k++) {
            const struct field *field = &table.field[k];

            DEMAND(strncmp(p, field->text, field->length) == 0 && p[field->length] == '\1');
            p += field->length + 1;
        }
        DEMAND(!expected || *p++ == '\2');
    }
    DEMAND((found == 0) == (expected != NULL));
    DEMAND(!expected || *p == '\0');
    if (found < 0)
        check_refusal(&error);
    table_close(&table);
    end_input();
    free(expected);
}

/* ---- Rows -------------------------------------------------------------- */

static void check_rows(const struct conversion *conversion)
{
    const struct hinge_format format = {0};
    struct hinge_error error;
    struct hinge_reader *reader = hinge_reader_open(output.path, &format, &error);
    struct hinge_row row;
    unsigned long long rows = 0;
    int found;

    DEMAND(reader);
    while ((found = hinge_reader_next(reader, &row, &error)) > 0) {
        rows++;
        for (size_t k = 0; k < row.count; k++)
            DEMAND(row.index[k] < map_features(&conversion->map) && row.value[k] != 0);
    }
    DEMAND(found == 0 && rows == conversion->rows);
    hinge_reader_close(reader);
}

/* Returns the rows as text, which the caller frees, or NULL if the table is refused. */
static char *convert_bytes(struct conversion *conversion, const struct convert_settings *settings,
                           const char *bytes, size_t size)
{
    struct hinge_error error = {HINGE_OK, ""};
    char *text = NULL;

    begin_input(bytes, size);
    if (conversion_begin(conversion, settings, &error) ||
        report_write(settings->output, conversion_write, conversion, &conversion->complete, &error))
        check_refusal(&error);
    else
        text = scratch_text(&output, NULL);
    table_close(&conversion->table);
    end_input();
    return text;
}

static void try_table(const struct convert_settings *settings, const char *bytes, size_t size)
{
    struct conversion first = {0}, second = {0};
    struct convert_settings again = *settings;
    char *once = convert_bytes(&first, settings, bytes, size), *twice;

    if (once)
        check_rows(&first);
    if (once && !settings->restore) {
        write_and_read(&first.map);
        again.restore = saved.path;
        again.missing = MISSING_REFUSED;
        twice = convert_bytes(&second, &again, bytes, size);
        DEMAND(twice && strcmp(once, twice) == 0);
        DEMAND(second.unknown == 0 && second.missing == first.missing);
        free(twice);
    }
    free(once);
    conversion_end(&first);
    conversion_end(&second);
}

static void try_words(const char *bytes, size_t size)
{
    const struct convert_settings settings = {
        .labels = given.path, .data = "-", .output = output.path};
    struct hinge_error error = {HINGE_OK, ""};
    struct wording wording = {.settings = &settings};

    begin_input(bytes, size);
    if (write_words(&wording, &error))
        check_refusal(&error);
    source_close(&wording.source);
    end_input();
    map_free(&wording.map);
}

/* ---- Entry ------------------------------------------------------------- */

/* Returns the length of the part before the next line "--", and moves *p behind that line. */
static size_t part(const char **p, const char *end)
{
    const char *begin = *p;
    const char *line = memmem(begin, (size_t)(end - begin), "\n--\n", 4);

    *p = line ? line + 4 : end;
    return (size_t)((line ? line + 1 : end) - begin);
}

/* Returns the settings of the words if they are accepted, else the default ones. */
static struct convert_settings try_command(struct command_line *words, const char *bytes,
                                           size_t size, int *split)
{
    const struct convert_settings usual = {
        .words = {.ngrams = 1, .min_rows = 2}, .share = 0.25, .seed = 1};
    struct convert_settings settings = usual;
    struct hinge_error error = {HINGE_OK, ""};
    int ended = 0;

    *split = command_line_split(words, (const uint8_t *)bytes, size);
    if (!*split)
        return usual;
    if (options_read(&convert_program, &settings, words->count, words->word, &ended, &error)) {
        command_line_check_refusal(&error);
        return usual;
    }
    if (ended)
        return usual;
    DEMAND(settings.data && settings.output);
    DEMAND(!settings.save || !settings.restore);
    return settings;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *const end = (const char *)bytes + size;
    const char *p = (const char *)bytes, *data;
    struct convert_settings settings;
    struct command_line words;
    size_t length;
    int split;

    scratch_open(&given);
    scratch_open(&saved);
    scratch_open(&output);
    length = part(&p, end);
    settings = try_command(&words, (const char *)bytes, length, &split);
    settings.data = "-";
    settings.output = output.path;
    settings.program = "convert";
    settings.labels = settings.test = NULL; /* one output */
    settings.weight.count = settings.group.count = 0;
    if (settings.restore)
        settings.restore = given.path;
    data = p;
    length = part(&data, end);
    scratch_fill(&given, p, length);
    try_map();
    if (end > data && end - data <= MOST_TABLE) {
        const char separator = settings.separator ? settings.separator : ',';

        try_records(data, (size_t)(end - data), separator);
        try_table(&settings, data, (size_t)(end - data));
        try_words(data, (size_t)(end - data));
    }
    if (split)
        command_line_free(&words);
    return 0;
}
