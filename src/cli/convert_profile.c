/* convert_profile.c - the first reading of a table: what its columns have. */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "cli/convert.h"

static const double SMALL =
    1.0 / 18446744073709551616.0; /* 2^-64: sums of as many doubles are finite */

void profile_add_number(struct column_profile *profile, double value)
{
    const int is_first = profile->numbers++ == 0;

    const double distance = value - profile->mean;

    sum_add(&profile->sum, value * SMALL);
    profile->mean += distance / (double)profile->numbers;
    profile->squares += distance * (value - profile->mean);
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

void profiles_set_means(struct conversion *conversion)
{
    for (size_t j = 0; j < conversion->map.columns; j++) {
        const struct column_profile *profile = &conversion->profile[j];

        if (profile->numbers > 0)
            conversion->map.column[j].mean =
                sum_value(&profile->sum) / (double)profile->numbers / SMALL;
    }
}

enum hinge_status profiles_set_scales(struct conversion *conversion, struct hinge_error *error)
{
    struct map *map = &conversion->map;

    if (map_add_scales(map, map->numbers, error))
        return failure(error);
    for (size_t j = 0; j < map->columns; j++) {
        const struct column_profile *profile = &conversion->profile[j];
        const uint32_t feature = map->column[j].feature;
        double deviation;

        if (!column_has_number(map->column[j].kind))
            continue;
        if (profile->lowest == profile->largest) { /* a single value tells nothing */
            map->scale[feature - 1] = (struct map_scale){0, 0};
            continue;
        }
        deviation = sqrt(profile->squares / (double)profile->numbers);
        if (deviation >= DBL_MIN && deviation <= DBL_MAX) /* else values stay as they are */
            map->scale[feature - 1] = (struct map_scale){map->column[j].mean, 1 / deviation};
    }
    return HINGE_OK;
}

/* Adds the current record, whose column k is column k of the map. Hashed words are not counted. */
static enum hinge_status add_record(struct conversion *conversion, struct hinge_error *error)
{
    const struct table *table = &conversion->table;

    for (size_t k = 0; k < table->fields; k++) {
        const struct map_column *column = &conversion->map.column[k];
        const struct field *field = &table->field[k];
        double value;

        if (column->kind == COLUMN_NUMBER &&
            conversion_cell(conversion, field, &value) == CELL_NUMBER)
            profile_add_number(&conversion->profile[k], value);
        if (column->kind == COLUMN_TEXT && !column->bag->settings.hash_bits &&
            bag_count(column->bag, field->text, field->length, error))
            return failure(error);
    }
    return HINGE_OK;
}

enum hinge_status profiles_read(struct conversion *conversion, struct hinge_error *error)
{
    struct map *map = &conversion->map;

    while (conversion->found > 0) {
        if (add_record(conversion, error))
            return failure(error);
        conversion->found = table_next(&conversion->table, error);
    }
    if (conversion->found < 0)
        return failure(error);
    profiles_set_means(conversion);
    if (conversion->settings->scale && profiles_set_scales(conversion, error))
        return failure(error);
    for (size_t j = 0; j < map->columns; j++)
        if (map->column[j].kind == COLUMN_TEXT && !map->column[j].bag->settings.hash_bits &&
            bag_choose(map->column[j].bag, error))
            return failure(error);
    return map_number_features(map, error) ? failure(error) : conversion_rewind(conversion, error);
}
