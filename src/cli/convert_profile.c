/* convert_profile.c - the first reading of a table: finds the kinds, means and words of its
 * columns. A kind that an option gives is kept. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checksum.h"
#include "base/status.h"
#include "cli/convert.h"

/* ---- Numbers ----------------------------------------------------------- */

/* 2^-64: the sum of up to 2^64 doubles, each multiplied by it, is finite. */
static const double SUM_SCALE = 1.0 / 18446744073709551616.0;

void profile_add_number(struct column_profile *profile, double value)
{
    const int is_first = profile->numbers++ == 0;

    sum_add(&profile->moments.sum, value * SUM_SCALE);
    if (is_first) {
        profile->lowest = profile->largest = value;
        profile->is_whole = profile->is_rising = 1;
        profile->is_by_ones = value == 0 || value == 1;
    }
    if (value < profile->lowest)
        profile->lowest = value;
    if (value > profile->largest)
        profile->largest = value;
    if (profile->is_whole) {
        profile->is_whole = value >= 0 && value == floor(value);
        profile->is_rising &= is_first || value > profile->last;
        profile->is_by_ones &= is_first || value == profile->last + 1;
        profile->last = value;
    }
}

/* Adds the distance of a number from the mean of `count` numbers, of which it is the last. */
static void add_distance(struct moments *moments, double value, uint64_t count)
{
    double distance;

    if (count == 1)
        moments->first = value;
    distance = value - moments->first - moments->mean;
    moments->mean += distance / (double)count;
    moments->squares += distance * (value - moments->first - moments->mean);
}

enum hinge_status profiles_set_means(struct conversion *conversion, struct hinge_error *error)
{
    struct map *map = &conversion->map;
    const int is_scaled = conversion->settings->scale;

    if (is_scaled && map_add_scales(map, map->numbers, error))
        return failure(error);
    for (size_t j = 0; j < map->columns; j++) {
        const struct column_profile *profile = &conversion->profile[j];
        struct map_column *column = &map->column[j];
        const int is_date = column->kind == COLUMN_DATE;
        const struct moments *moments = is_date ? &profile->days[column->order] : &profile->moments;
        const uint64_t count = is_date ? profile->dates : profile->numbers;
        const double deviation = count > 0 ? sqrt(moments->squares / (double)count) : 0;

        if (count > 0)
            column->mean = sum_value(&moments->sum) / (double)count / SUM_SCALE;
        if (!is_scaled || !column_has_number(column->kind))
            continue;
        if (is_date ? moments->squares == 0 : profile->lowest == profile->largest)
            map->scale[column->feature - 1] = (struct map_scale){0, 0}; /* constants become 0 */
        else if (deviation >= DBL_MIN && deviation <= DBL_MAX) /* otherwise values are not scaled */
            map->scale[column->feature - 1] = (struct map_scale){column->mean, 1 / deviation};
    }
    return HINGE_OK;
}

/* ---- Other values ------------------------------------------------------ */

/* Different values of a column that are told apart; a column with more has no categories. */
enum { MOST_DISTINCT = 100000 };

/* Counts the words of a text, which blanks separate. A character from U+3000 to U+9FFF is a word,
 * because Chinese and Japanese have no blanks. Adds a value of any kind to the different values,
 * where a checksum represents a long text. */
static enum hinge_status add_text(struct column_profile *profile, const struct field *field,
                                  enum cell cell, struct hinge_error *error)
{
    char sum[20];
    const char *text = field->text;
    size_t length = field->length;
    uint32_t number;

    for (size_t i = 0; i < length && cell != CELL_NUMBER; i++) {
        const unsigned char c = (unsigned char)text[i];

        profile->words +=
            (c >= 0xe3 && c <= 0xe9) || (c > ' ' && (i == 0 || (unsigned char)text[i - 1] <= ' '));
    }
    if (cell == CELL_NUMBER && profile->distinct.count == 0 && !profile->has_id_name)
        return HINGE_OK;
    profile->compared++;
    if (profile->distinct.count > MOST_DISTINCT)
        return HINGE_OK;
    if (length >= sizeof sum) {
        length =
            (size_t)snprintf(sum, sizeof sum, "%016" PRIx64, checksum(CHECKSUM_NONE, text, length));
        text = sum;
    }
    return dictionary_add(&profile->distinct, text, length, "", 0, &number, error);
}

/* Adds a date to the sums of each order in which all dates so far can be read. A text that is a
 * date in none of them is not counted, so the column has fewer dates than values. */
static void add_date(struct column_profile *profile, const struct field *field)
{
    enum { BOTH = 1 << DATE_DMY | 1 << DATE_MDY };
    struct date date[DATE_ORDERS];
    unsigned orders = 0;

    for (int k = 0; k < DATE_ORDERS; k++)
        if (profile->dates == 0 || profile->orders & 1u << k)
            orders |= (unsigned)date_read(field->text, field->length, (enum date_order)k, &date[k])
                      << k;
    if (!orders)
        return;
    for (int k = 0; k < DATE_ORDERS; k++)
        if (orders & 1u << k) {
            sum_add(&profile->days[k].sum, date[k].days * SUM_SCALE);
            add_distance(&profile->days[k], date[k].days, profile->dates + 1);
        }
    profile->orders = orders;
    profile->is_ambiguous = (profile->orders & BOTH) == BOTH &&
                            (profile->is_ambiguous || date[DATE_DMY].days != date[DATE_MDY].days);
    profile->has_slashes |= memchr(field->text, '/', field->length) != NULL;
    profile->dates++;
}

/* True if the words of a column must be counted before rows are written. */
static int has_vocabulary(const struct map_column *column)
{
    return column->kind == COLUMN_TEXT && !column->bag->settings.hash_bits;
}

/* Adds the current record, whose column k is column k of the map. Fails if a number has another
 * unit than one before it in its column. */
static enum hinge_status add_record(struct conversion *conversion, struct hinge_error *error)
{
    const struct table *table = &conversion->table;

    for (size_t k = 0; k < table->fields; k++) {
        const struct map_column *column = &conversion->map.column[k];
        struct column_profile *profile = &conversion->profile[k];
        const struct field *field = &table->field[k];
        const char *text = field->text, *unit, *before = profile->unit;
        size_t length = field->length;
        enum cell cell;
        double value;

        if (column->kind == COLUMN_CATEGORY || column->kind == COLUMN_TEXT)
            profile->missing +=
                (uint64_t)cell_is_missing(&conversion->map.notation, text, length, 0);
        if (has_vocabulary(column) && bag_count(column->bag, text, length, error))
            return failure(error);
        if (!column_has_number(column->kind))
            continue;
        cell = conversion_cell(conversion, field, &value);
        profile->missing += cell == CELL_MISSING;
        if (cell == CELL_MISSING)
            continue;
        profile->values++;
        if (cell == CELL_NUMBER) {
            if ((unit = cell_strip_unit(&text, &length)))
                profile->unit = unit;
            if (unit && before && unit != before)
                return table_fail(table, field->place, error,
                                  "column %zu: '%.*s' is in %s, and a number before it in %s; to "
                                  "leave the column out: --ignore %zu",
                                  k + 1, field_shown(field), field->text, unit, before, k + 1);
            profile_add_number(profile, value);
            if (conversion->settings->scale)
                add_distance(&profile->moments, value, profile->numbers);
        } else if (cell == CELL_HUGE || cell == CELL_COMMA ||
                   (cell == CELL_PAIR && table->separator == ' ')) {
            profile->is_odd = 1; /* writing the row says what is wrong */
        } else if (cell == CELL_DATE) {
            add_date(profile, field);
        }
        if (!profile->is_given && !conversion->settings->strict_kinds &&
            add_text(profile, field, cell, error))
            return failure(error);
    }
    conversion->rows_read++;
    return conversion->settings->test ? split_count(conversion, error) : HINGE_OK;
}

/* ---- Kinds ------------------------------------------------------------- */

int profile_is_row_number(const struct conversion *conversion, size_t column)
{
    enum { FEW = 10 }; /* rows: fewer numbers may count by chance */
    const struct column_profile *profile = &conversion->profile[column];
    const int named = conversion->map.named;
    const char *name = conversion->map.column[column].name;

    if ((name && strncmp(name, "Unnamed: ", 9) != 0) || !profile->is_whole ||
        profile->numbers < 2 || profile->numbers + profile->missing < conversion->rows_read)
        return 0;
    return profile->is_by_ones
               ? named || profile->numbers >= FEW
               : named && profile->numbers > 2 &&
                     (profile->is_rising ||
                      profile->largest - profile->lowest + 1 >= (double)profile->numbers);
}

/* Returns the kind of a column that no option gives. Thresholds: a category comes twice on average,
 * or there are at most ten; a text has three words and more on average. */
static enum finding find_kind(const struct conversion *conversion, size_t column)
{
    enum { FEW = 10, MANY = 100, WORDS = 3 };
    const struct column_profile *profile = &conversion->profile[column];
    const uint64_t values = profile->values, distinct = profile->distinct.count;
    const int is_complete = profile->missing == 0 && conversion->rows_read > 1;
    const int is_repeated = 2 * distinct <= profile->compared && distinct <= MOST_DISTINCT;

    if (values == 0)
        return FOUND_EMPTY;
    if (profile->is_odd)
        return FOUND_NUMBER;
    if (profile->numbers == values) {
        if (is_complete && profile->lowest == profile->largest)
            return FOUND_CONSTANT;
        if (profile_is_row_number(conversion, column) ||
            (is_complete && values >= FEW && profile->is_whole &&
             (profile->is_by_ones || (profile->has_id_name && (distinct == profile->compared ||
                                                               distinct > MOST_DISTINCT)))))
            return FOUND_IDENTIFIER;
        return profile->is_whole && profile->lowest == 0 && profile->largest == 1 ? FOUND_YES_NO
                                                                                  : FOUND_NUMBER;
    }
    if (is_complete && distinct == 1 && profile->compared == values)
        return FOUND_CONSTANT;
    if (10 * profile->dates >= 9 * values) /* writing the row refuses other values */
        return FOUND_DATE;
    if (2 * profile->numbers >= values) { /* words among numbers are codes, names, or mistakes */
        if (is_repeated && distinct <= MANY && 2 * profile->compared >= values)
            return FOUND_CATEGORY;
        return 10 * profile->numbers >= 9 * values || values / 2 < FEW ? FOUND_NUMBER
                                                                       : FOUND_IDENTIFIER;
    }
    if (profile->words >= WORDS * values && 5 * distinct > values &&
        (distinct > FEW || 2 * distinct > values))
        return FOUND_TEXT;
    if (distinct > FEW && !is_repeated)
        return FOUND_IDENTIFIER;
    return distinct == 2 ? FOUND_YES_NO : FOUND_CATEGORY;
}

static const enum column_kind kind_of[] = {
    [FOUND_NUMBER] = COLUMN_NUMBER,     [FOUND_YES_NO] = COLUMN_CATEGORY,
    [FOUND_CATEGORY] = COLUMN_CATEGORY, [FOUND_DATE] = COLUMN_DATE,
    [FOUND_TEXT] = COLUMN_TEXT,         [FOUND_IDENTIFIER] = COLUMN_IGNORED,
    [FOUND_CONSTANT] = COLUMN_IGNORED,  [FOUND_EMPTY] = COLUMN_IGNORED,
};

/* Sets the kinds of the map's columns, and the order of dates. If several orders are possible, days
 * come first, or months if the dates have slashes. */
static enum hinge_status set_kinds(struct conversion *conversion, struct hinge_error *error)
{
    struct map *map = &conversion->map;

    for (size_t j = 0; j < map->columns; j++) {
        struct column_profile *profile = &conversion->profile[j];
        struct map_column *column = &map->column[j];

        if (!profile->is_given && column->kind == COLUMN_NUMBER &&
            !conversion->settings->strict_kinds) {
            profile->finding = find_kind(conversion, j);
            column->kind = profile->finding == FOUND_YES_NO && profile->numbers == profile->values
                               ? COLUMN_NUMBER
                               : kind_of[profile->finding];
        }
        if (profile->finding == FOUND_TEXT &&
            map_add_text(column, &conversion->settings->words, error))
            return failure(error);
        dictionary_free(&profile->distinct);
        column->order = DATE_DMY;
        if (profile->orders == 1u << DATE_YMD)
            column->order = DATE_YMD;
        else if (profile->orders & 1u << DATE_MDY &&
                 (!(profile->orders & 1u << DATE_DMY) || profile->has_slashes))
            column->order = DATE_MDY;
        profile->marks_missing = 100 * profile->missing > conversion->rows_read;
    }
    /* a table without features uses the first numbers that were taken for identifiers */
    for (size_t j = 0; j < map->columns && !map_has_features(map); j++)
        if (conversion->profile[j].finding == FOUND_IDENTIFIER &&
            conversion->profile[j].numbers == conversion->profile[j].values) {
            conversion->profile[j].finding = FOUND_NUMBER;
            map->column[j].kind = COLUMN_NUMBER;
        }
    return map_has_features(map)
               ? HINGE_OK
               : table_fail(
                     &conversion->table, conversion->table.field->place, error,
                     "no column is left for features: besides the label there are only "
                     "identifiers and constants; --number or --categorical takes one of them");
}

enum hinge_status profiles_read(struct conversion *conversion, struct hinge_error *error)
{
    const struct table *table = &conversion->table;
    struct map *map = &conversion->map;
    int has_text = 0; /* a column was found to be text, so its words are not counted yet */

    for (size_t j = 0; j < map->columns; j++) {
        const char *name = map->column[j].name ? map->column[j].name : "";
        const size_t length = strlen(name);
        const char *end = name + length;

        /* id, or a name that ends in ID or Id, or in id after a character that is no small letter
         */
        conversion->profile[j].has_id_name =
            length >= 2 && strchr("dD", end[-1]) && strchr("iI", end[-2]) &&
            (length == 2 || end[-2] == 'I' || !strchr("abcdefghijklmnopqrstuvwxyz", end[-3]));
    }
    while (conversion->found > 0) {
        if (add_record(conversion, error))
            return failure(error);
        conversion->found = table_next(&conversion->table, error);
    }
    if (conversion->found < 0 || conversion_rewind(conversion, error) ||
        set_kinds(conversion, error) ||
        (conversion->settings->test && split_deal(conversion, error)))
        return failure(error);
    for (size_t j = 0; j < map->columns; j++)
        has_text |= conversion->profile[j].finding == FOUND_TEXT && has_vocabulary(&map->column[j]);
    while (has_text && conversion->found > 0) {
        for (size_t k = 0; k < table->fields; k++)
            if (conversion->profile[k].finding == FOUND_TEXT && has_vocabulary(&map->column[k]) &&
                bag_count(map->column[k].bag, table->field[k].text, table->field[k].length, error))
                return failure(error);
        conversion->found = table_next(&conversion->table, error);
    }
    if (conversion->found < 0 || (has_text && conversion_rewind(conversion, error)))
        return failure(error);
    for (size_t j = 0; j < map->columns; j++)
        if (has_vocabulary(&map->column[j]) && bag_choose(map->column[j].bag, error))
            return failure(error);
    return map_number_features(map, error) || profiles_set_means(conversion, error) ? failure(error)
                                                                                    : HINGE_OK;
}
