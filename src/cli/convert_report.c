/* convert_report.c - what convert prints about a table: its columns, its rows, and warnings. */
#include <stdio.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/convert.h"
#include "cli/report.h"
#include "cli/text.h"

enum { CLASSES_SHOWN = 10 };

/* Prints the beginning of a name on one line, and cuts no character in two. */
static void print_name(const char *name, FILE *stream)
{
    char shown[41];

    snprintf(shown, sizeof shown, "%.*s", (int)text_cut(name, sizeof shown - 1), name);
    text_print(stream, shown);
}

static const char *const found_words[] = {
    [FOUND_NUMBER] = "number",     [FOUND_YES_NO] = "yes/no", [FOUND_CATEGORY] = "category",
    [FOUND_DATE] = "date",         [FOUND_TEXT] = "text",     [FOUND_IDENTIFIER] = "identifier",
    [FOUND_CONSTANT] = "constant", [FOUND_EMPTY] = "empty"};
static const char *const kind_words[] = {
    [COLUMN_IGNORED] = "ignored", [COLUMN_NUMBER] = "number", [COLUMN_CATEGORY] = "category",
    [COLUMN_LABEL] = "label",     [COLUMN_WORDS] = "label",   [COLUMN_DATE] = "date",
    [COLUMN_TEXT] = "text",       [COLUMN_WEIGHT] = "weight", [COLUMN_GROUP] = "group"};

/* Prints the columns as the first reading has found them: number, kind, features, missing values,
 * name. SAME or more consecutive columns share a line if they have the same kind, the same number
 * of features and no missing values. */
static void print_columns(const struct conversion *conversion, FILE *stream)
{
    enum { MOST = 100, SAME = 5 }; /* lines; least number of columns that share one */
    const struct map *map = &conversion->map;
    size_t lines = 0, next;

    fputs("column  kind        features  missing  name\n", stream);
    for (size_t j = 0; j < map->columns; j = next) {
        const struct column_profile *profile = &conversion->profile[j];
        const enum column_kind kind = map->column[j].kind;
        const unsigned long features = profile->features + (unsigned long)column_has_number(kind) +
                                       (kind == COLUMN_TEXT ? bag_features(map->column[j].bag) : 0);
        char columns[24], count[24];

        for (next = j + 1; next < map->columns; next++) {
            const struct column_profile *other = &conversion->profile[next];

            if (kind == COLUMN_TEXT || map->column[next].kind != kind ||
                profile->finding != other->finding || profile->features != other->features ||
                profile->missing + other->missing > 0)
                break;
        }
        if (next - j < SAME)
            next = j + 1;
        if (lines++ == MOST) {
            unsigned long left_out = 0;

            for (size_t k = j; k < map->columns; k++)
                left_out += map->column[k].kind == COLUMN_IGNORED;
            fprintf(stream, "... %lu more columns, %lu of them left out\n",
                    (unsigned long)(map->columns - j), left_out);
            break;
        }
        snprintf(columns, sizeof columns, next - j > 1 ? "%lu-%lu" : "%lu", (unsigned long)j + 1,
                 (unsigned long)next);
        snprintf(count, sizeof count, kind == COLUMN_IGNORED ? "left out" : "%lu",
                 features * (next - j));
        fprintf(stream, "%6s  %-10s  %8s  %7llu", columns,
                profile->finding ? found_words[profile->finding] : kind_words[kind],
                kind == COLUMN_LABEL || kind == COLUMN_WORDS ? "" : count,
                (unsigned long long)profile->missing);
        if (map->column[j].name) {
            fputs("  ", stream);
            print_name(map->column[j].name, stream);
        }
        if (next - j > 1 && map->column[next - 1].name) {
            fputs(" ... ", stream);
            print_name(map->column[next - 1].name, stream);
        }
        putc('\n', stream);
    }
}

void conversion_report(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;
    const struct map *map = &conversion->map;
    FILE *stream = strcmp(settings->output, "-") == 0 ? stderr : stdout;
    const size_t label = map_label(map);
    char name[100];

    if (conversion->rows_read > 0 && !settings->strict_kinds)
        print_columns(conversion, stream);
    report_count(stream, conversion->rows, "row", settings->append ? "\n" : ", ");
    if (settings->append)
        return;
    report_count(stream, map_features(map), "feature", conversion->missing ? ", " : "\n");
    if (conversion->missing)
        report_count(stream, conversion->missing, "missing value", "\n");
    if (label < map->columns)
        map_column_name(map, label, name, sizeof name);
    if (label < map->columns && (strcmp(name, "label") != 0 || map->classes.count > 0)) {
        fputs(strcmp(name, "label") != 0 ? "label = " : "", stream);
        print_name(name, stream);
        for (uint32_t k = 0; k < map->classes.count && k < CLASSES_SHOWN; k++) {
            fprintf(stream, "%s %lu = ", k ? "," : ":", (unsigned long)k + 1);
            print_name(dictionary_text(&map->classes, k), stream);
        }
        fputs(map->classes.count > CLASSES_SHOWN ? ", ...\n" : "\n", stream);
    }
    if (settings->test) {
        fprintf(stream, "%llu of the rows are in ", conversion->split.rows);
        text_print(stream, settings->test);
        putc('\n', stream);
    }
    if (stream == stdout && !settings->restore)
        advise_training(
            settings->called, settings->output, settings->save, settings->weight.count > 0,
            settings->group.count > 0 ? conversion->groups.count : 0,
            are_numbers(conversion->numbers.count, conversion->fractions, conversion->rows));
}

/* Warns of columns that may not be what they are taken for. If rows are in the order of their
 * labels, a column that numbers the rows gives the labels away, and new rows do not have it. */
static void warn_of_columns(const struct conversion *conversion)
{
    const char *program = conversion->settings->program;
    const int is_new = !conversion->settings->restore;

    for (size_t j = 0; j < conversion->map.columns; j++) {
        const struct map_column *column = &conversion->map.column[j];
        const struct column_profile *profile = &conversion->profile[j];
        const unsigned long number = (unsigned long)j + 1;

        if (is_new && column->kind == COLUMN_NUMBER && !profile->is_given &&
            profile_is_row_number(conversion, j))
            report_say(program,
                       "warning: column %lu has no name and its numbers are like those of rows, "
                       "which new rows do not have: --ignore %lu leaves it out",
                       number, number);
        if (profile->is_ambiguous && column->kind == COLUMN_DATE)
            report_say(program,
                       "warning: column %lu: its dates are read as %s, but no day is beyond 12; "
                       "write them as year-month-day if that is wrong",
                       number, date_order_words[column->order]);
        if (is_new && column->bag && bag_features(column->bag) == 0)
            report_say(program,
                       "warning: column %lu has no features: no word of two letters is in as many "
                       "rows as --min-rows says, %lu",
                       number, (unsigned long)column->bag->settings.min_rows);
    }
}

void conversion_warn(const struct conversion *conversion)
{
    const struct convert_settings *settings = conversion->settings;
    const struct map *map = &conversion->map;
    const char *program = settings->program, *restore = settings->restore;
    const size_t label = map_label(map);

    warn_of_columns(conversion);
    if (conversion->table.row_names && !restore && map->column->kind == COLUMN_IGNORED)
        report_say(program, "column 1 has no name, like the names of rows in tables of R; it is "
                            "left out, as by --ignore 1");
    if (conversion->header_doubtful)
        report_say(program, "warning: the first line is taken for names of columns; if it is a "
                            "row, give --header no");
    if (settings->quotes == QUOTES_AUTO && conversion->table.long_field)
        report_say(program,
                   "warning: a field in quotes has several lines, as at line %llu; if quotes are "
                   "letters in this table, give --quotes no",
                   (unsigned long long)conversion->table.long_field);
    /* A line of names is taken for a row if a number is among the names, or one of them comes
     * twice. Its label is then a class of its own, while rows of data share theirs. */
    if (!restore && settings->header == HEADER_AUTO && !conversion->header_seen &&
        conversion->table.separator != TABLE_LINES && conversion->first_class == 1 &&
        conversion->rows > map->classes.count)
        report_say(program,
                   "warning: no other row has the label '%.100s' of the first one: if that line "
                   "has the names of columns, give --header yes",
                   dictionary_text(&map->classes, 0));
    if (conversion->unlabelled && label < map->columns && map->column[label].kind == COLUMN_LABEL)
        report_say(program,
                   "warning: %llu label%s became 0, which may be a class, because the labels of "
                   "%s are numbers: give predict --no-labels",
                   conversion->unlabelled, report_plural(conversion->unlabelled), restore);
    if (conversion->unknown)
        report_say(program,
                   "warning: left out %llu value%s of categories that %s does not have, such as %s",
                   conversion->unknown, report_plural(conversion->unknown), restore,
                   conversion->unknown_names);
    if (conversion->unmarked)
        report_say(program,
                   "warning: %llu missing value%s became 0, because their columns had none when "
                   "%s was made",
                   conversion->unmarked, report_plural(conversion->unmarked), restore);
}
