/* floor.c - what separates reading a data set from reading bytes.
 *
 * usage: floor DATA
 * Prints four rates in MB per second of processor time: DATA by fread alone; with memchr over what
 * came, for the ends of lines; its rows parsed one by one and forgotten; its rows kept as a
 * dataset. Each does what the one before does, and something more, and each is done once, as train
 * does it: a second time malloc may have memory at hand that a first time comes from the system.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hinge.h"

enum { CHUNK = 1 << 17 };

static char buffer[CHUNK];

/* Bytes of the file, its lines counted if wanted; 0 if it cannot be read. */
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

/* Seconds; below 0 if it fails. */
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
