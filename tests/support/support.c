/* support.c - scratch files, data paths, random numbers for the unit tests. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

const char *scratch_path(const char *name)
{
    static char path[256];
    const char *folder = getenv("HINGE_SCRATCH");

    if (!folder) {
        folder = "build/scratch";
        mkdir("build", 0777);
    }
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *scratch_write(const char *name, const void *bytes, size_t length)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* True if the variable is set, and not empty. */
static int is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value;
}

size_t repeats(size_t all, size_t few)
{
    return is_set("HINGE_ALL") && !is_set("HINGE_SLOW") ? all : few;
}

void keep_seed(const char *fuzzer, const void *bytes, size_t length)
{
    const char *folder = getenv("HINGE_SEEDS");
    uint64_t hash = length;
    char path[1024];
    FILE *file;

    if (!folder || length > 4096)
        return;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x9e3779b97f4a7c15);
    snprintf(path, sizeof path, "%s/%s/%016llx", folder, fuzzer, (unsigned long long)hash);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes;
    long size;

    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    bytes = calloc((size_t)size + 1, 1);
    assert_non_null(bytes);
    *length = fread(bytes, 1, (size_t)size, file);
    assert_int_equal(*length, size);
    fclose(file);
    return bytes;
}

const char *data_path(const char *name)
{
    static char path[1024];
    const char *folder = getenv("HINGE_DATA");
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "data", name);
    if (!(file = fopen(path, "rb"))) {
        print_message("[  SKIPPED ] %s is not there; data/get.sh fetches it\n", path);
        return NULL;
    }
    fclose(file);
    return path;
}

uint64_t random_bits(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

double random_unit(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) / 9007199254740992.0;
}

size_t draw_below(uint64_t *state, size_t bound)
{
    return (size_t)(random_unit(state) * (double)bound);
}
