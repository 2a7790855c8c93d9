/* floor.c - compares the time for reading a data set with the time for reading its bytes.
 *
 * usage: floor DATA
 * Prints four rates in MB per second of processor time: DATA read by fread alone, with memchr for
 * the ends of lines, with rows parsed one by one and forgotten, with rows kept as a dataset. Each
 * adds work to the previous one. Each is done once, as in train, because malloc could reuse memory
 * in a second run that comes from the system in a first one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hinge.h"

enum { CHUNK = 1 << 17 };

static char buffer[CHUNK];

/* Returns the bytes of the file, or 0 if it cannot be read. Counts its lines unless `lines` is
 * NULL. */
static size_t read_bytes(const char *path, size_t *lines)
{
    FILE *file = fopen(path, "rb");
    size_t total = 0, count;

    if (!file)
        return 0;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        const char *p = buffer, *end = buffer + count;

        total += count;
        while (lines && (p = memchr(p, '\n', (size_t)(end - p)))) {
            ++*lines;
            ++p;
        }
    }
    fclose(file);
    return total;
}

static int bytes(const char *path)
{
    return read_bytes(path, NULL) > 0;
}

static int lines(const char *path)
{
    size_t count = 0;

    return read_bytes(path, &count) > 0 && count > 0;
}

static int rows(const char *path)
{
    const struct hinge_format format = {0};
    struct hinge_error error;
    struct hinge_reader *reader = hinge_reader_open(path, &format, &error);
    struct hinge_row row;
    int found = reader ? 1 : -1;

    while (found > 0)
        found = hinge_reader_next(reader, &row, &error);
    hinge_reader_close(reader);
    return found == 0;
}

static int dataset(const char *path)
{
    const struct hinge_format format = {0};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);
    const int good = data != NULL;

    hinge_dataset_free(data);
    return good;
}

/* Returns the seconds of the job, or a negative number if it fails. */
static double measure(int (*job)(const char *), const char *path)
{
    const clock_t start = clock();

    return job(path) ? (double)(clock() - start) / CLOCKS_PER_SEC : -1;
}

int main(int argc, char **argv)
{
    static int (*const job[])(const char *) = {bytes, lines, rows, dataset};
    const size_t jobs = sizeof job / sizeof *job;

    if (argc != 2) {
        fprintf(stderr, "usage: floor DATA\n");
        return 1;
    }
    for (size_t k = 0; k < jobs; k++) {
        const double seconds = measure(job[k], argv[1]);

        if (seconds < 0) {
            fprintf(stderr, "floor: %s cannot be read\n", argv[1]);
            return 1;
        }
        printf("%.0f%c", (double)read_bytes(argv[1], NULL) / 1e6 / (seconds > 0 ? seconds : 1e-6),
               k + 1 < jobs ? ' ' : '\n');
    }
    return 0;
}
