/* slow_table.h - the records of a table, read character by character. */
#ifndef HINGE_TESTS_SLOW_TABLE_H
#define HINGE_TESTS_SLOW_TABLE_H

#include <stddef.h>

/* Returns the fields of all records, each with \1 behind it, and \2 behind the record, or NULL if
 * the table is refused. The caller frees the text. Quoted fields have less than a mebibyte. */
char *slow_table(const char *bytes, size_t size, char separator);

#endif
