/* convert_split.c - which rows go to the file of --test, and the files beside the data: their
 * weights and groups. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/convert.h"

/* ---- Rows for the test ------------------------------------------------- */

enum hinge_status split_count(struct conversion *conversion, struct hinge_error *error)
{
    struct split *split = &conversion->split;
    const struct table *table = &conversion->table;
    const size_t label = map_label(&conversion->map);
    const int by_groups = split->by != COLUMN_NONE;
    long column = split->by;
    uint32_t key = 0;

    if (column == COLUMN_NONE && label < conversion->map.columns)
        column = (long)label;
    if (column != COLUMN_NONE && (by_groups || split->keys.count <= MANY_CLASSES) &&
        dictionary_add(&split->keys, table->field[column].text, table->field[column].length, "", 0,
                       &key, error))
        return failure(error);
    if (key >= split->capacity) {
        const size_t capacity = split->capacity;

        if (ARRAY_RESERVE(&split->part, &split->capacity, (size_t)key + 1, error))
            return failure(error);
        memset(split->part + capacity, 0, (split->capacity - capacity) * sizeof *split->part);
    }
    split->part[key].rows++;
    split->column = column;
    return HINGE_OK;
}

/* Returns how many of these rows are for the test. At least one row is left for training. */
static uint64_t count_tested(const struct conversion *conversion, uint64_t rows)
{
    const uint64_t tested = (uint64_t)(conversion->settings->share * (double)rows + 0.5);

    return tested < rows ? tested : rows - (rows > 0);
}

/* --by gives whole groups, chosen at random. A group is skipped if it would exceed the wanted rows
 * by more than half of its own. */
enum hinge_status split_deal(struct conversion *conversion, struct hinge_error *error)
{
    struct split *split = &conversion->split;
    const struct table *table = &conversion->table;
    const uint64_t wanted = count_tested(conversion, conversion->rows_read);
    uint64_t most = 0, tested = 0;
    uint32_t parts = split->keys.count ? split->keys.count : 1;

    if (conversion->rows_read < 2)
        return table_fail(table, table->field->place, error, "--test needs at least two rows");
    split->random.counter = conversion->settings->seed;
    if (split->by != COLUMN_NONE) {
        uint32_t *order = array_new(parts, sizeof *order, error);

        if (!order)
            return failure(error);
        for (uint32_t k = 0; k < parts; k++)
            order[k] = k;
        random_shuffle(&split->random, order, parts);
        for (uint32_t k = 0; k + 1 < parts && tested < wanted; k++) {
            struct part *part = &split->part[order[k]];

            if (k > 0 && tested + part->rows / 2 > wanted)
                continue;
            part->tested = part->rows;
            tested += part->rows;
        }
        free(order);
        return parts > 1 ? HINGE_OK
                         : table_fail(table, table->field->place, error,
                                      "--by puts all rows into one group");
    }
    if (conversion->settings->in_order || split->keys.count > MANY_CLASSES) {
        split->column = COLUMN_NONE; /* without classes, all rows are one part */
        split->part[0].rows = conversion->rows_read;
        parts = 1;
    }
    for (uint32_t k = 0; k < parts; k++) {
        split->part[k].tested = count_tested(conversion, split->part[k].rows);
        tested += split->part[k].tested;
        most = split->part[k].rows > split->part[most].rows ? k : most;
    }
    split->part[most].tested += tested == 0; /* the classes are so small that none gave a row */
    return HINGE_OK;
}

/* Within a class, each of the rows left is drawn with the probability (rows to be drawn) / (rows
 * left), which gives each set of rows the same probability (Knuth, algorithm S). */
int split_is_test(struct conversion *conversion)
{
    struct split *split = &conversion->split;
    const struct field *field =
        split->column == COLUMN_NONE ? NULL : &conversion->table.field[split->column];
    struct part *part =
        &split->part[field ? dictionary_find(&split->keys, field->text, field->length, "", 0) : 0];
    int is_test;

    if (split->by != COLUMN_NONE)
        return part->tested > 0;
    if (conversion->settings->in_order)
        return part->rows-- <= part->tested;
    is_test = random_below(&split->random, (uint32_t)part->rows--) < part->tested;
    part->tested -= (uint64_t)is_test;
    return is_test;
}

/* ---- Files beside the data --------------------------------------------- */

enum hinge_status besides_open(struct conversion *conversion, struct hinge_error *error)
{
    const struct convert_settings *settings = conversion->settings;
    const char *const others[] = {settings->data, settings->output, settings->test, settings->save};
    const struct {
        const char *path,
            *suffix; /* the name is PATH SUFFIX; path is NULL: there is no such file */
        int is_wanted;
    } files[BESIDES] = {
        [BESIDE_TEST] = {settings->test, "", 1},
        [BESIDE_WEIGHTS] = {settings->output, ".weights", settings->weight.count > 0},
        [BESIDE_GROUPS] = {settings->output, ".groups", settings->group.count > 0},
        [BESIDE_TEST_WEIGHTS] = {settings->test, ".weights", settings->weight.count > 0},
        [BESIDE_TEST_GROUPS] = {settings->test, ".groups", settings->group.count > 0}};
    enum hinge_status status = HINGE_OK;

    for (int b = 0; b < BESIDES && !status; b++) {
        const char *path = files[b].path, *suffix = files[b].suffix;
        const size_t size = path ? strlen(path) + strlen(suffix) + 1 : 0;
        char *name;

        if (!path || !files[b].is_wanted)
            continue;
        if (!(name = array_new(size, 1, error)))
            return failure(error);
        snprintf(name, size, "%s%s", path, suffix);
        for (size_t k = 0; k < sizeof others / sizeof *others && *suffix && !status; k++)
            if (others[k] && strcmp(name, others[k]) == 0)
                status = fail(error, HINGE_BAD_ARGUMENT, "%s is also the file of weights or groups",
                              name);
        if (!status)
            status = output_open(&conversion->beside[b], name, error);
        free(name);
    }
    return status;
}

enum hinge_status besides_write(struct conversion *conversion, size_t k, int is_test,
                                struct hinge_error *error)
{
    const struct field *field = &conversion->table.field[k];
    uint32_t number;
    double value;

    if (conversion->map.column[k].kind == COLUMN_WEIGHT) {
        FILE *stream = conversion->beside[is_test ? BESIDE_TEST_WEIGHTS : BESIDE_WEIGHTS].stream;

        if (conversion_cell(conversion, field, &value) != CELL_NUMBER || value < 0)
            return table_fail(&conversion->table, field->place, error,
                              "weight '%.*s' is not a number of at least 0", field_shown(field),
                              field->text);
        cell_write_number(&conversion->map.notation, field->text, field->length, stream);
        putc('\n', stream);
        return HINGE_OK;
    }
    if (field->length == 0)
        return table_fail(&conversion->table, field->place, error, "the group is missing");
    if (dictionary_add(&conversion->groups, field->text, field->length, "", 0, &number, error))
        return failure(error);
    fprintf(conversion->beside[is_test ? BESIDE_TEST_GROUPS : BESIDE_GROUPS].stream, "%lu\n",
            (unsigned long)number + 1);
    return HINGE_OK;
}

enum hinge_status besides_close(struct conversion *conversion, int is_complete,
                                struct hinge_error *error)
{
    enum hinge_status status = HINGE_OK;

    for (int k = 0; k < BESIDES; k++) {
        struct output *output = &conversion->beside[k];

        if (output->stream && is_complete && !status)
            status = output_commit(output, error);
        else
            output_abandon(output);
        output->stream = NULL;
    }
    return status;
}
