/* columns.h - which column of a table is what: by the options, or by a map. */
#ifndef HINGE_CLI_COLUMNS_H
#define HINGE_CLI_COLUMNS_H

#include "cli/convert_options.h"
#include "data/table.h"

enum { COLUMN_NONE = -1 };

/* Does the record look like a line of names? known: the map of -r, or NULL. Fails for want of
 * memory. */
enum hinge_status columns_are_names(const struct table *table, const struct map *known, int *names,
                                    struct hinge_error *error);

/* Fills an empty map with the columns of the table: the record has their names, if map->named, and
 * the options say the rest. */
enum hinge_status columns_choose(struct map *map, const struct convert_settings *settings,
                                 const struct table *table, struct hinge_error *error);

/* Finds the column of the map that each column of the table is, or COLUMN_NONE; to has a place for
 * each. named: the record has names. */
enum hinge_status columns_match(const struct map *map, const struct convert_settings *settings,
                                const struct table *table, int named, long *to,
                                struct hinge_error *error);

#endif
