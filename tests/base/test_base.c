/* test_base.c - arrays, messages, random numbers, sums, output files, clocks. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#undef fail /* cmocka's, which takes no arguments; status.h has its own */
#include "base/clock.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/random.h"
#include "base/status.h"
#include "base/sum.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Arrays ------------------------------------------------------------ */

static void expect_out_of_memory(const void *array, struct hinge_error *error)
{
    assert_null(array);
    assert_int_equal(error->status, HINGE_NO_MEMORY);
    assert_memory_equal(error->message, "out of memory", 13);
    memset(error, 0, sizeof *error);
}

/* Products that are small once they have wrapped around. */
static void refuses_array_sizes_that_overflow(void **unused)
{
    static const struct {
        size_t count, size;
    } row[] = {
        {SIZE_MAX, 2},         {SIZE_MAX, SIZE_MAX},  {SIZE_MAX / 8 + 1, 8},
        {SIZE_MAX / 8 + 3, 8}, {8, SIZE_MAX / 8 + 1}, {SIZE_MAX / 24 + 1, 24},
        {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX / 2 + 2, 4},
    };
    struct hinge_error error = {HINGE_OK, ""};
    double *kept = array_new(3, sizeof *kept, &error);

    (void)unused;
    assert_non_null(kept);
    kept[2] = 7;
    for (size_t i = 0; i < COUNT(row); i++) {
        expect_out_of_memory(array_new(row[i].count, row[i].size, &error), &error);
        expect_out_of_memory(array_resize(NULL, row[i].count, row[i].size, &error), &error);
        expect_out_of_memory(array_resize(kept, row[i].count, row[i].size, &error), &error);
        assert_true(kept[0] == 0 && kept[2] == 7);
    }
    free(kept);
}

static void makes_and_resizes_arrays(void **unused)
{
    struct hinge_error error = {HINGE_OK, "untouched"};
    uint32_t *array = array_new(1000, sizeof *array, &error);
    void *empty = array_new(0, sizeof *array, &error);

    (void)unused;
    assert_true(array && empty);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(array[i], 0);
        array[i] = i;
    }
    array = array_resize(array, 100000, sizeof *array, &error);
    assert_non_null(array);
    array[99999] = 1;
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(array[i], i);
    array = array_resize(array, 10, sizeof *array, &error);
    assert_true(array && array[9] == 9);
    array = array_resize(array, 0, sizeof *array, &error);
    assert_non_null(array);
    free(array);
    free(empty);
    empty = array_resize(NULL, 0, 8, &error);
    assert_non_null(empty);
    free(empty);
    assert_string_equal(error.message, "untouched");
}

static void grows_by_half_without_overflow(void **unused)
{
    static const size_t edge[] = {0, 1, 2, 1000, SIZE_MAX / 3, SIZE_MAX / 2, SIZE_MAX - 1};

    (void)unused;
    for (size_t i = 0; i < COUNT(edge); i++) {
        assert_true(array_grown(edge[i], edge[i] + 1) > edge[i]);
        assert_true(array_grown(edge[i], 0) >= edge[i]);
        assert_true(array_grown(edge[i], SIZE_MAX) == SIZE_MAX);
    }
    for (size_t capacity = 100; capacity < 1000000000; capacity += capacity / 3) {
        size_t grown = array_grown(capacity, capacity + 1);

        assert_in_range(grown, capacity + capacity / 4, 2 * capacity);
    }
}

/* ---- Messages ---------------------------------------------------------- */

static void cuts_messages_that_do_not_fit(void **unused)
{
    struct {
        struct hinge_error error;
        char behind[16];
    } it;
    char text[3000];

    (void)unused;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memset(it.behind, '!', sizeof it.behind);
    assert_int_equal(fail(&it.error, HINGE_BAD_INPUT, "%s%d", text, 1), HINGE_BAD_INPUT);
    assert_int_equal(it.error.status, HINGE_BAD_INPUT);
    assert_int_equal(strlen(it.error.message), sizeof it.error.message - 1);
    assert_memory_equal(it.behind, "!!!!!!!!!!!!!!!!", sizeof it.behind);
    assert_int_equal(fail(&it.error, HINGE_NO_MEMORY, "%s: %d", "short", 7), HINGE_NO_MEMORY);
    assert_string_equal(it.error.message, "short: 7");
    errno = ENOSPC;
    assert_int_equal(fail_file(&it.error, "write", "some/file"), HINGE_FILE_ERROR);
    snprintf(text, sizeof text, "cannot write some/file: %s", strerror(ENOSPC));
    assert_string_equal(it.error.message, text);
    errno = 0;
    fail_file(&it.error, "read", "f");
    assert_string_equal(it.error.message, "cannot read f: input/output error");
}

/* ---- Random numbers ---------------------------------------------------- */

/* Computed apart from this program, with whole numbers of unlimited size. */
static void gives_the_numbers_of_splitmix64(void **unused)
{
    static const struct {
        uint64_t seed, number[5];
    } row[] = {
        {0,
         {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f),
          UINT64_C(0xf88bb8a8724c81ec), UINT64_C(0x1b39896a51a8749b)}},
        {1234567,
         {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
          UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
          UINT64_C(16408922859458223821)}},
    };

    (void)unused;
    for (size_t i = 0; i < COUNT(row); i++) {
        struct random_state random = {row[i].seed};

        for (size_t k = 0; k < 5; k++)
            assert_int_equal(random_next(&random), row[i].number[k]);
    }
}

/* Sum of (observed - expected)^2 / expected. */
static double chi_square(const unsigned long *observed, size_t cells, double expected)
{
    double total = 0;

    for (size_t i = 0; i < cells; i++) {
        double difference = (double)observed[i] - expected;

        total += difference * difference / expected;
    }
    return total;
}

static void draws_below_a_bound_uniformly(void **unused)
{
    enum { DRAWS = 100000 };
    static const uint32_t edge[] = {1, 2, 3, 10, UINT32_C(0x80000001), UINT32_MAX};
    struct random_state random = {11};
    unsigned long observed[10] = {0};
    uint32_t largest = 0;

    (void)unused;
    for (size_t i = 0; i < COUNT(edge); i++)
        for (int k = 0; k < 1000; k++)
            assert_true(random_below(&random, edge[i]) < edge[i]);
    for (int k = 0; k < DRAWS; k++) {
        uint32_t wide = random_below(&random, UINT32_MAX);

        observed[random_below(&random, 10)]++;
        largest = wide > largest ? wide : largest;
    }
    assert_true(largest > UINT32_C(0xfff00000));
    assert_true(chi_square(observed, 10, DRAWS / 10) < 27.88); /* one of 1000 lies above */
}

static void shuffles_to_a_permutation(void **unused)
{
    static const uint32_t count[] = {0, 1, 2, 3, 10, 1000, 65537};
    struct random_state random = {5};

    (void)unused;
    for (size_t i = 0; i < COUNT(count); i++) {
        uint32_t n = count[i], moved = 0;
        uint32_t *item = calloc(n + 1, sizeof *item);
        char *seen = calloc(n + 1, 1);

        assert_true(item && seen);
        for (uint32_t k = 0; k <= n; k++)
            item[k] = k;
        random_shuffle(&random, item, n);
        assert_int_equal(item[n], n); /* behind the end */
        for (uint32_t k = 0; k < n; k++) {
            assert_true(item[k] < n && !seen[item[k]]);
            seen[item[k]] = 1;
            moved += item[k] != k;
        }
        assert_true(n < 1000 || moved > n - 20);
        free(item);
        free(seen);
    }
}

/* The number of a permutation of 0 .. 3 among the 24. */
static size_t permutation_number(const uint32_t *item)
{
    size_t number = 0;

    for (size_t i = 0; i < 4; i++) {
        size_t smaller = 0;

        for (size_t k = i + 1; k < 4; k++)
            smaller += item[k] < item[i];
        number = number * (4 - i) + smaller;
    }
    return number;
}

static void shuffles_to_every_order_alike(void **unused)
{
    enum { EACH = 10000 };
    struct random_state random = {1};
    unsigned long order[24] = {0}, place[10][10] = {{0}};

    (void)unused;
    for (int i = 0; i < 24 * EACH; i++) {
        uint32_t item[4] = {0, 1, 2, 3};

        random_shuffle(&random, item, 4);
        order[permutation_number(item)]++;
    }
    assert_true(chi_square(order, 24, EACH) < 49.73); /* one of 1000 lies above; below likewise */
    for (int i = 0; i < 10 * EACH; i++) {
        uint32_t item[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

        random_shuffle(&random, item, 10);
        for (size_t k = 0; k < 10; k++)
            place[k][item[k]]++;
    }
    for (size_t k = 0; k < 10; k++)
        assert_true(chi_square(place[k], 10, EACH) < 27.88);
}

/* ---- Sums -------------------------------------------------------------- */

static double sum_of(const double *term, size_t count)
{
    struct sum sum = {0, 0};

    for (size_t i = 0; i < count; i++)
        sum_add(&sum, term[i]);
    return sum_value(&sum);
}

static void keeps_what_an_addition_loses(void **unused)
{
    static const double one[] = {1e16, 1, -1e16};
    static const double smaller_first[] = {1, 1e100, 1, -1e100};
    static const double both_ways[] = {1, 1e16, 1, 1e16, 1, -2e16};
    static const double negative[] = {-1e16, -1, 1e16, -1};

    (void)unused;
    assert_true(sum_of(NULL, 0) == 0);
    assert_true(sum_of(one, COUNT(one)) == 1);
    assert_true(sum_of(smaller_first, COUNT(smaller_first)) == 2);
    assert_true(sum_of(both_ways, COUNT(both_ways)) == 3);
    assert_true(sum_of(negative, COUNT(negative)) == -2);
}

/* A million ones onto 1e16: each alone is lost. */
static void sums_many_small_terms(void **unused)
{
    struct sum sum = {0, 0};
    volatile double plain = 1e16; /* volatile: as a compiler for x87 would not round it */

    (void)unused;
    sum_add(&sum, 1e16);
    for (int i = 0; i < 1000000; i++) {
        sum_add(&sum, 1);
        plain = plain + 1;
    }
    assert_true(sum_value(&sum) == 1e16 + 1e6);
    assert_true(plain == 1e16); /* or this test proves nothing */
}

/* Multiples of 2^-20 of very different size, the exact sum kept as a whole number. */
static void sums_to_the_nearest_double(void **unused)
{
    uint64_t state = 17;
    int plain_differs = 0;

    (void)unused;
    for (int round = 0; round < 2000; round++) {
        struct sum sum = {0, 0};
        volatile double plain = 0;
        int64_t exact = 0;

        for (int i = 0; i < 200; i++) {
            int64_t term = (int64_t)(random_bits(&state) >> (12 + random_bits(&state) % 50));
            double scaled;

            term = random_bits(&state) & 1 ? term : -term;
            scaled = ldexp((double)term, -20);
            exact += term;
            sum_add(&sum, scaled);
            plain = plain + scaled;
        }
        assert_true(sum_value(&sum) == ldexp((double)exact, -20));
        plain_differs += plain != ldexp((double)exact, -20);
    }
    assert_true(plain_differs > 100);
}

/* ---- Output files ------------------------------------------------------ */

/* The path of a file in the folder of these tests. */
static const char *in_folder(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", scratch_path("output"), name);
    return path;
}

/* How many entries the folder has. */
static int entries(void)
{
    DIR *folder = opendir(scratch_path("output"));
    struct dirent *entry;
    int count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

/* Before each test: the folder is there and empty. */
static int empty_folder(void **unused)
{
    char path[1024];
    DIR *folder;
    struct dirent *entry;

    (void)unused;
    mkdir(scratch_path("output"), 0777);
    if (chmod(scratch_path("output"), 0777) != 0 || !(folder = opendir(scratch_path("output"))))
        return -1;
    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(path, sizeof path, "%s/%s", scratch_path("output"), entry->d_name);
            remove(path);
        }
    closedir(folder);
    return entries() == 0 ? 0 : -1;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *path, const char *text)
{
    size_t length;
    char *bytes = read_file(path, &length);

    assert_non_null(bytes);
    assert_string_equal(bytes, text);
    assert_int_equal(length, strlen(text));
    free(bytes);
}

static void expect_failure(enum hinge_status status, const struct hinge_error *error,
                           const char *path, int reason)
{
    char message[1024];

    snprintf(message, sizeof message, "cannot write %s: %s", path, strerror(reason));
    assert_int_equal(status, HINGE_FILE_ERROR);
    assert_int_equal(error->status, HINGE_FILE_ERROR);
    assert_string_equal(error->message, message);
}

/* Neither output_check nor output_open takes the path; nothing is left behind. */
static void expect_refused(const char *path, int reason)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    int before = entries();

    expect_failure(output_check(path, &error), &error, path, reason);
    memset(&error, 0, sizeof error);
    expect_failure(output_open(&output, path, &error), &error, path, reason);
    assert_null(output.path);
    assert_null(output.temporary);
    assert_int_equal(entries(), before);
}

static void appears_only_when_committed(void **unused)
{
    const char *path = in_folder("new");
    struct hinge_error error = {HINGE_OK, "untouched"};
    struct output output;

    (void)unused;
    assert_int_equal(output_open(&output, path, &error), HINGE_OK);
    assert_true(fputs("whole\n", output.stream) >= 0);
    assert_int_equal(fflush(output.stream), 0);
    assert_int_equal(access(path, F_OK), -1);
    assert_string_equal(output.path, path);
    assert_int_equal(output_commit(&output, &error), HINGE_OK);
    expect_file(path, "whole\n");
    assert_int_equal(entries(), 1);
    assert_null(output.path);
    assert_null(output.temporary);
    assert_string_equal(error.message, "untouched");
}

static void keeps_the_old_content_until_committed(void **unused)
{
    const char *path = in_folder("old");
    struct hinge_error error;
    struct output output;

    (void)unused;
    put_file(path, "old and longer than what replaces it\n");
    assert_int_equal(output_open(&output, path, &error), HINGE_OK);
    expect_file(path, "old and longer than what replaces it\n");
    for (int i = 0; i < 100000; i++)
        assert_true(fputs("half a model ", output.stream) >= 0);
    expect_file(path, "old and longer than what replaces it\n");
    output_abandon(&output);
    expect_file(path, "old and longer than what replaces it\n");
    assert_int_equal(entries(), 1);
    assert_int_equal(output_open(&output, path, &error), HINGE_OK);
    assert_true(fputs("new\n", output.stream) >= 0);
    expect_file(path, "old and longer than what replaces it\n");
    assert_int_equal(output_commit(&output, &error), HINGE_OK);
    expect_file(path, "new\n");
    assert_int_equal(entries(), 1);
}

static void abandons_a_new_file_without_a_trace(void **unused)
{
    struct hinge_error error;
    struct output output;

    (void)unused;
    assert_int_equal(output_open(&output, in_folder("new"), &error), HINGE_OK);
    assert_true(fputs("half\n", output.stream) >= 0);
    assert_int_equal(entries(), 1);
    output_abandon(&output);
    assert_int_equal(entries(), 0);
}

static void leaves_everything_alone_when_checking(void **unused)
{
    struct hinge_error error = {HINGE_OK, "untouched"};

    (void)unused;
    assert_int_equal(output_check(in_folder("new"), &error), HINGE_OK);
    assert_int_equal(entries(), 0);
    put_file(in_folder("old"), "old\n");
    assert_int_equal(output_check(in_folder("old"), &error), HINGE_OK);
    expect_file(in_folder("old"), "old\n");
    assert_int_equal(entries(), 1);
    assert_string_equal(error.message, "untouched");
}

/* Two at a time for the same path and for neighbours do not get into each other's way. */
static void writes_several_files_at_once(void **unused)
{
    struct hinge_error error;
    struct output output[8];
    char text[16];

    (void)unused;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(output_open(&output[i], in_folder(i % 2 ? "odd" : "even"), &error),
                         HINGE_OK);
        assert_true(fprintf(output[i].stream, "%d", i) > 0);
    }
    assert_int_equal(entries(), 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(output_commit(&output[i], &error), HINGE_OK);
        snprintf(text, sizeof text, "%d", i);
        expect_file(in_folder(i % 2 ? "odd" : "even"), text);
    }
    assert_int_equal(entries(), 2);
}

static void refuses_a_folder_as_target(void **unused)
{
    (void)unused;
    assert_int_equal(mkdir(in_folder("folder"), 0777), 0);
    expect_refused(in_folder("folder"), EISDIR);
    expect_refused(in_folder("folder/"), EISDIR);
    assert_int_equal(rmdir(in_folder("folder")), 0);
}

static void refuses_a_folder_that_is_not_there(void **unused)
{
    (void)unused;
    expect_refused(in_folder("missing/model"), ENOENT);
    put_file(in_folder("file"), "x");
    expect_refused(in_folder("file/model"), ENOTDIR);
}

/* What cannot be written is to be said before the training, not after it. */
static void refuses_an_empty_name(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;

    (void)unused;
    assert_int_equal(output_check("", &error), HINGE_FILE_ERROR);
    assert_int_equal(output_open(&output, "", &error), HINGE_FILE_ERROR);
}

/* A folder takes the place of the file while it is written. */
static void fails_at_commit_without_a_trace(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;

    (void)unused;
    assert_int_equal(output_open(&output, in_folder("model"), &error), HINGE_OK);
    assert_true(fputs("text\n", output.stream) >= 0);
    assert_int_equal(mkdir(in_folder("model"), 0777), 0);
    expect_failure(output_commit(&output, &error), &error, in_folder("model"), EISDIR);
    assert_int_equal(entries(), 1);
    assert_int_equal(rmdir(in_folder("model")), 0);
}

/* Tries to open path as somebody who is not root, the folder's mode set so; -1 if that cannot be
 * arranged here. */
static int open_as_nobody(const char *path, mode_t mode, struct hinge_error *error)
{
    const char *folder = scratch_path("output");
    const int root = geteuid() == 0;
    struct output output;
    int checked = -1, opened = -1, reached;

    assert_int_equal(chmod(folder, mode), 0);
    if (!root || seteuid(65534) == 0) {
        if ((reached = open(folder, O_RDONLY)) >= 0) {
            close(reached);
            checked = (int)output_check(path, error);
            opened = (int)output_open(&output, path, error);
            if (opened == HINGE_OK)
                output_abandon(&output);
        }
        if (root)
            assert_int_equal(seteuid(0), 0);
    }
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(checked, opened);
    return opened;
}

static void refuses_what_is_write_protected(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    const char *path = in_folder("protected");
    int status;

    (void)unused;
    put_file(path, "precious\n");
    assert_int_equal(chmod(path, 0444), 0);
    status = open_as_nobody(path, 0777, &error);
    if (status < 0) {
        print_message("[  SKIPPED ] root may write everything, and cannot be somebody else\n");
        skip();
    }
    expect_failure((enum hinge_status)status, &error, path, EACCES);
    expect_file(path, "precious\n");
    assert_int_equal(entries(), 1);
    memset(&error, 0, sizeof error);
    path = in_folder("new");
    status = open_as_nobody(path, 0555, &error);
    expect_failure((enum hinge_status)status, &error, path, EACCES);
    assert_int_equal(entries(), 1);
}

static void says_at_commit_that_the_disk_is_full(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;

    (void)unused;
    if (access("/dev/full", W_OK) != 0) {
        print_message("[  SKIPPED ] there is no /dev/full\n");
        skip();
    }
    for (int length = 1; length < 1000000; length *= 999) { /* short of a buffer, and beyond it */
        assert_int_equal(output_check("/dev/full", &error), HINGE_OK);
        assert_int_equal(output_open(&output, "/dev/full", &error), HINGE_OK);
        assert_null(output.temporary);
        for (int i = 0; i < length; i++)
            putc('x', output.stream);
        expect_failure(output_commit(&output, &error), &error, "/dev/full", ENOSPC);
    }
    assert_int_equal(access("/dev/full", W_OK), 0);
}

/* When the write that failed is not the last one, and flushing and closing succeed. */
static void remembers_that_a_write_failed(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;

    (void)unused;
    if (access("/dev/full", W_OK) != 0) {
        print_message("[  SKIPPED ] there is no /dev/full\n");
        skip();
    }
    assert_int_equal(output_open(&output, "/dev/full", &error), HINGE_OK);
    assert_null(output.temporary);
    assert_int_equal(setvbuf(output.stream, NULL, _IONBF, 0), 0);
    assert_int_equal(putc('x', output.stream), EOF);
    assert_int_equal(output_commit(&output, &error), HINGE_FILE_ERROR);
    assert_string_equal(error.message, "cannot write /dev/full: input/output error");
}

/* The limit on the size of files stands for a disk that fills up on the way. */
static void keeps_the_old_content_when_the_disk_is_full(void **unused)
{
    const char *path = in_folder("old");
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    struct rlimit before, small;
    enum hinge_status status;

    (void)unused;
    put_file(path, "old\n");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(output_open(&output, path, &error), HINGE_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 20000; i++)
        putc('x', output.stream);
    status = output_commit(&output, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
    expect_failure(status, &error, path, EFBIG);
    expect_file(path, "old\n");
    assert_int_equal(entries(), 1);
}

static void does_not_replace_a_device(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    struct stat status;

    (void)unused;
    if (stat("/dev/null", &status) != 0 || !S_ISCHR(status.st_mode)) {
        print_message("[  SKIPPED ] there is no /dev/null\n");
        skip();
    }
    assert_int_equal(output_check("/dev/null", &error), HINGE_OK);
    assert_int_equal(output_open(&output, "/dev/null", &error), HINGE_OK);
    assert_null(output.temporary); /* else the commit would harm the machine */
    assert_true(fputs("text\n", output.stream) >= 0);
    assert_int_equal(output_commit(&output, &error), HINGE_OK);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(output_open(&output, "/dev/null", &error), HINGE_OK);
    output_abandon(&output);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

/* C99 tells a pipe only by opening it, and whoever reads it sees an end when that is closed. */
static void refuses_a_named_pipe(void **unused)
{
    const char *path = in_folder("pipe");
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    struct stat status;
    char message[1024];

    (void)unused;
    assert_int_equal(mkfifo(path, 0666), 0);
    snprintf(message, sizeof message, "cannot write %s: it is a named pipe; redirect to it", path);
    assert_int_equal(output_open(&output, path, &error), HINGE_FILE_ERROR);
    assert_string_equal(error.message, message);
    assert_int_equal(output_check(path, &error), HINGE_FILE_ERROR);
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_int_equal(entries(), 1);
}

/* ---- Clocks ------------------------------------------------------------ */

static void measures_time_that_does_not_run_back(void **unused)
{
    struct stopwatch watch;
    clock_t start = clock();
    double processor = 0, elapsed = 0;

    (void)unused;
    stopwatch_start(&watch);
    while (processor < 0.1) {
        double next = stopwatch_processor(&watch);

        assert_true(next >= processor);
        processor = next;
        next = stopwatch_elapsed(&watch);
        assert_true(next >= elapsed && next >= processor);
        elapsed = next;
    }
    /* a microsecond for the rounding of many small differences */
    assert_true(processor <= (double)(clock() - start) / CLOCKS_PER_SEC + 1e-6);
}

/* A clock that wrapped around since the last reading, and a process that slept. */
static void bridges_wraps_and_waits(void **unused)
{
    struct stopwatch watch;
    double seconds;

    (void)unused;
    stopwatch_start(&watch);
    if (sizeof(clock_t) > 4) {
        watch.processor = (clock_t)((double)clock() + 4294967296.0 - 5 * (double)CLOCKS_PER_SEC);
        seconds = stopwatch_processor(&watch);
        assert_true(seconds >= 5 && seconds < 6);
    }
    watch.seconds = 7;
    stopwatch_start(&watch);
    watch.wall -= 100;
    seconds = stopwatch_elapsed(&watch);
    assert_true(seconds >= 99);
    assert_true(seconds <= difftime(time(NULL), watch.wall)); /* never too many */
    assert_true(stopwatch_processor(&watch) < 5);
}

/* The calendar went on by a second: that may have been a moment ago. */
static void takes_no_second_for_granted(void **unused)
{
    struct stopwatch watch;
    double seconds;
    time_t now;

    (void)unused;
    do {
        now = time(NULL);
        stopwatch_start(&watch);
        watch.wall = now - 1;
        seconds = stopwatch_elapsed(&watch);
    } while (time(NULL) != now);
    assert_true(seconds < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_array_sizes_that_overflow),
        cmocka_unit_test(makes_and_resizes_arrays),
        cmocka_unit_test(grows_by_half_without_overflow),
        cmocka_unit_test(cuts_messages_that_do_not_fit),
        cmocka_unit_test(gives_the_numbers_of_splitmix64),
        cmocka_unit_test(draws_below_a_bound_uniformly),
        cmocka_unit_test(shuffles_to_a_permutation),
        cmocka_unit_test(shuffles_to_every_order_alike),
        cmocka_unit_test(keeps_what_an_addition_loses),
        cmocka_unit_test(sums_many_small_terms),
        cmocka_unit_test(sums_to_the_nearest_double),
        cmocka_unit_test_setup(appears_only_when_committed, empty_folder),
        cmocka_unit_test_setup(keeps_the_old_content_until_committed, empty_folder),
        cmocka_unit_test_setup(abandons_a_new_file_without_a_trace, empty_folder),
        cmocka_unit_test_setup(leaves_everything_alone_when_checking, empty_folder),
        cmocka_unit_test_setup(writes_several_files_at_once, empty_folder),
        cmocka_unit_test_setup(refuses_a_folder_as_target, empty_folder),
        cmocka_unit_test_setup(refuses_a_folder_that_is_not_there, empty_folder),
        cmocka_unit_test_setup(refuses_an_empty_name, empty_folder),
        cmocka_unit_test_setup(fails_at_commit_without_a_trace, empty_folder),
        cmocka_unit_test_setup(refuses_what_is_write_protected, empty_folder),
        cmocka_unit_test_setup(says_at_commit_that_the_disk_is_full, empty_folder),
        cmocka_unit_test_setup(remembers_that_a_write_failed, empty_folder),
        cmocka_unit_test_setup(keeps_the_old_content_when_the_disk_is_full, empty_folder),
        cmocka_unit_test_setup(does_not_replace_a_device, empty_folder),
        cmocka_unit_test_setup(refuses_a_named_pipe, empty_folder),
        cmocka_unit_test(measures_time_that_does_not_run_back),
        cmocka_unit_test(bridges_wraps_and_waits),
        cmocka_unit_test(takes_no_second_for_granted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
