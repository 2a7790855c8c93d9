/* test_team_reader.c - a team reads the same as one process: the same numbers, labels and entries,
 * wherever the parts end, and the same faults. */
#include "data/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef fail /* status.h's; cmocka has another */
#include "support.h"
#include "threads_team.h"

/* The input of all ranks, and what they read. */
struct job {
    const char *path;
    struct hinge_format format;
    size_t chunk;
    struct hinge_dataset *data[MOST_RANKS];
    struct hinge_error error[MOST_RANKS];
};

static enum hinge_status read_part(void *context, const struct hinge_team *team,
                                   struct hinge_error *error)
{
    struct job *job = context;
    struct hinge_format format = job->format;

    (void)error;
    format.team = team;
    job->error[team->rank] = (struct hinge_error){HINGE_OK, ""};
    job->data[team->rank] =
        team_reader_read(job->path, &format, job->chunk, 1, &job->error[team->rank]);
    return job->error[team->rank].status;
}

static void run(int size, struct job *job)
{
    struct threads_team team = {.size = size};

    threads_team_run(&team, read_part, job);
}

static void clear(struct job *job)
{
    for (int r = 0; r < MOST_RANKS; r++) {
        hinge_dataset_free(job->data[r]);
        job->data[r] = NULL;
    }
}

/* ---- The same as one process ---------------------------------------------- */

static void assert_same_row(const struct hinge_matrix *x, const struct hinge_matrix *y, size_t i)
{
    const size_t count = x->start[i + 1] - x->start[i];

    assert_int_equal(y->start[i + 1] - y->start[i], count);
    for (size_t k = 0; k < count; k++) {
        const double mine = hinge_value(x, x->start[i] + k), its = hinge_value(y, y->start[i] + k);

        assert_int_equal(hinge_index(x, x->start[i] + k), hinge_index(y, y->start[i] + k));
        assert_memory_equal(&mine, &its, sizeof mine);
    }
}

static void assert_same(const struct hinge_dataset *all, const struct hinge_dataset *data, int rank,
                        int size)
{
    const struct hinge_team team = {NULL, rank, size, NULL, NULL};
    uint32_t first, end;

    hinge_team_rows(&team, all->x.rows, all->x.nonzeros, all->features, &first, &end);
    assert_int_equal(data->x.rows, all->x.rows);
    assert_int_equal(data->x.nonzeros, all->x.nonzeros);
    assert_int_equal(data->features, all->features);
    assert_int_equal(data->zero_based, all->zero_based);
    assert_int_equal(data->x.value_kind, all->x.value_kind);
    assert_memory_equal(&data->x.scale, &all->x.scale, sizeof(double));
    assert_int_equal(data->x.index_kind, all->x.index_kind);
    assert_int_equal(data->zeros, all->zeros);
    assert_memory_equal(data->label, all->label, all->x.rows * sizeof *all->label);
    assert_int_equal(data->x.start[0], 0);
    for (size_t i = 0; i < all->x.rows; i++)
        if (i >= first && i < end)
            assert_same_row(&all->x, &data->x, i);
        else
            assert_int_equal(data->x.start[i], data->x.start[i + 1]);
}

/* Returns the message without "rank N: ". */
static const char *plain(const char *message)
{
    const char *colon = strstr(message, ": ");

    return strncmp(message, "rank ", 5) == 0 && colon ? colon + 2 : message;
}

static void assert_same_error(const struct job *job, int size, const struct hinge_error *expected)
{
    for (int r = 0; r < size; r++) {
        assert_null(job->data[r]);
        assert_int_equal(job->error[r].status, expected->status);
        assert_string_equal(job->error[r].message, job->error[0].message);
        if (!strstr(expected->message, ": no rows")) /* the place differs */
            assert_string_equal(plain(job->error[r].message), expected->message);
    }
}

/* Reads the file by one process and by teams. Returns 1 if it is data. */
static int compare(const char *path, const struct hinge_format *format, size_t chunk)
{
    static const int sizes[] = {1, 2, 3, 4, 7};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_dataset *all = dataset_read(path, format, chunk, 1, 0, &error);
    struct job job = {.path = path, .format = *format, .chunk = chunk};
    const int good = all != NULL;

    for (size_t k = 0; k < COUNT(sizes); k++) {
        run(sizes[k], &job);
        if (!good)
            assert_same_error(&job, sizes[k], &error);
        for (int r = 0; r < sizes[k] && good; r++) {
            assert_string_equal(job.error[r].message, "");
            assert_non_null(job.data[r]);
            assert_same(all, job.data[r], r, sizes[k]);
        }
        clear(&job);
    }
    hinge_dataset_free(all);
    return good;
}

static int compare_text(const char *text, const struct hinge_format *format)
{
    return compare(scratch_write("parts", text, strlen(text)), format, 64);
}

static const struct hinge_format ordinary;

/* Line ends are at every byte, and the parts of 7 ranks end anywhere. */
static void test_parts_end_anywhere(void **state)
{
    char text[256];

    (void)state;
    for (size_t length = 0; length < 60; length++) {
        snprintf(text, sizeof text, "1 1:1\n-1 2:%.*s1\n# %.*s\n\n1 1:2 3:0.5\r\n-1\n1 4:3",
                 (int)(length / 3), "00000000000000000000", (int)length,
                 "------------------------------------------------------------");
        assert_true(compare_text(text, &ordinary));
    }
    assert_true(compare_text("\xef\xbb\xbf"
                             "1 1:1\n-1 2:1\n",
                             &ordinary));
    assert_true(compare_text("1 1:1", &ordinary));
    assert_true(compare_text("\n\n\n\n\n\n1 1:1\n\n\n\n\n\n\n", &ordinary));
}

/* Kinds of storage are those of the whole file, whatever the kinds of its parts are. */
static void test_kinds_of_the_whole(void **state)
{
    static const char *const text[] = {
        "1 1:1 2:1\n-1 1:1 2:1\n1 1:1 2:1\n-1 1:1 2:1\n", /* dense ones */
        "1 1:1 2:1\n-1 1:1 2:1\n1 1:1 2:1\n-1 1:1\n",     /* nearly dense ones */
        "1 1:1 2:1\n-1 1:1 2:1\n1 1:1 2:1\n-1 1:1 2:7\n", /* dense wholes */
        "1 1:1 2:1\n-1 1:0.5 2:1\n1 1:0.25 2:1\n-1 1:0.125 2:7\n",
        "1 1:2000000000 2:1\n-1 1:5 2:1\n1 1:1 2:1\n-1 1:1 2:7.5\n", /* too large for places */
        "1 1:2000000000\n-1 1:5\n1 2:1\n-1 1:7.5 900:1\n",
        "1 1:0.1234567891\n-1 1:5\n1 2:1\n-1 1:7.5 900:1\n",
        "1 1:1\n-1 300:1\n1 2:1\n-1 70000:1\n",
        "1\n-1\n1\n-1\n", /* no features */
        "1 1:0 2:0\n-1 1:0 2:-0\n1 1:0 2:0\n",
    };
    char dense[4096] = "";

    (void)state;
    for (size_t k = 0; k < COUNT(text); k++)
        assert_true(compare_text(text[k], &ordinary));
    for (int i = 0; i < 40; i++) /* one zero in twenty: dense, with zeros left out in some parts */
        snprintf(dense + strlen(dense), sizeof dense - strlen(dense), "%d 1:%d 2:%s%s3:4 4:5\n",
                 i % 2, i + 1, i % 10 == 7 ? "" : "3 ", i % 10 == 7 ? "0 " : "");
    assert_true(compare_text(dense, &ordinary));
    dense[0] = '\0';
    for (int i = 0; i < 40; i++)
        snprintf(dense + strlen(dense), sizeof dense - strlen(dense), "%d 1:%d %s4:5.5\n", i % 2,
                 i + 1, i % 10 == 7 ? "" : "2:3 3:1 ");
    assert_true(compare_text(dense, &ordinary));
}

static void test_random_files(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int k = 0; k < 300; k++) {
        const int rows = (int)draw_below(&seed, 30), kind = (int)draw_below(&seed, 4);
        const size_t most = draw_below(&seed, 2) ? 4 : 400;
        char text[1 << 15] = "";
        size_t length = 0;

        for (int i = 0; i < rows; i++) {
            unsigned long index = 0;

            length += (size_t)sprintf(text + length, "%d", (int)draw_below(&seed, 3) - 1);
            while ((index += 1 + draw_below(&seed, draw_below(&seed, 3) ? 2 : most)) <= most)
                length += (size_t)sprintf(text + length,
                                          kind == 0   ? " %lu:1"
                                          : kind == 1 ? " %lu:%lu"
                                          : kind == 2 ? " %lu:%lu.25"
                                                      : " %lu:%lu.123456789012",
                                          index, (unsigned long)draw_below(&seed, 9));
            length += (size_t)sprintf(text + length, "\n");
            if (draw_below(&seed, 60) == 0)
                length += (size_t)sprintf(text + length, "1 2:x\n");
        }
        compare_text(text, &ordinary);
    }
}

/* The message has the line's number in the file, whichever rank reads the line. Of several wrong
 * lines, it names the first one. */
static void test_faults(void **state)
{
    static const char *const lines[] = {"1 1:1\n", "-1 2:1 3:4\n", "1 1:2\n",    "-1 2:2\n",
                                        "1 1:3\n", "# nothing\n",  "-1 1:4\n",   "\n",
                                        "1 1:5\n", "-1 1:1 2:6\n", "1 1:1 4:1\n"};
    const struct hinge_format zero_based = {.zero_based = 1};

    (void)state;
    for (size_t first = 0; first <= COUNT(lines); first++)
        for (size_t second = first; second <= COUNT(lines); second++) {
            char text[512] = "";

            for (size_t k = 0; k < COUNT(lines); k++) {
                if (k == first || k == second)
                    strcat(text, k == first ? "1 1:1 1:2\n" : "abc 1:1\n");
                strcat(text, lines[k]);
            }
            assert_int_equal(compare_text(text, &ordinary), first == COUNT(lines));
        }
    assert_false(compare_text("", &ordinary));
    assert_false(compare_text("\n# nothing\n\n", &ordinary));
    assert_true(compare_text("1 0:1\n-1 1:1\n", &zero_based));
    assert_false(compare_text("1 1:1\n-1 1:1\n1 0:1\n", &ordinary));
    assert_false(compare(scratch_path("missing/part"), &ordinary, 64));
}

/* Chunks of any size, and rows that are longer than a rank's part. */
static void test_chunks(void **state)
{
    char text[4096] = "";

    (void)state;
    for (int i = 0; i < 12; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d", i % 2);
        for (int j = 1; j < (i == 5 ? 250 : 5); j++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %d:%d", j, i);
        strcat(text, "\n");
    }
    for (size_t chunk = 1; chunk < 100; chunk += 7)
        assert_true(compare(scratch_write("parts", text, strlen(text)), &ordinary, chunk));
}

static void test_real_data(void **state)
{
    static const char *const name[] = {"breast-cancer", "digits", "rcv1-1k", "letter"};

    (void)state;
    for (size_t k = 0; k < COUNT(name); k++) {
        const char *path = data_path(name[k]);

        if (path)
            assert_true(compare(path, &ordinary, SOURCE_CHUNK));
    }
}

/* ---- Numbered files -------------------------------------------------------- */

static void write_numbered(const char *const *line, size_t lines, size_t files)
{
    for (size_t k = 0; k < 6; k++) {
        char name[32], text[512] = "";

        for (size_t i = lines * k / files; k < files && i < lines * (k + 1) / files; i++)
            strcat(text, line[i]);
        snprintf(name, sizeof name, "numbered.%lu", (unsigned long)k);
        if (k < files)
            scratch_write(name, text, strlen(text));
        else
            remove(scratch_path(name));
    }
}

static void test_numbered_files(void **state)
{
    static const char *const line[] = {"1 1:1\n",    "-1 2:1 3:4\n", "1 1:2\n",
                                       "-1 2:2.5\n", "1 1:3\n",      "-1 1:4"};
    static const int sizes[] = {1, 2, 3, 7};
    char path[256], text[512] = "";
    struct hinge_error error;
    struct hinge_dataset *all;
    struct job job = {.path = path, .chunk = 64};

    (void)state;
    for (size_t i = 0; i < COUNT(line); i++)
        strcat(text, line[i]);
    all = dataset_read(scratch_write("parts", text, strlen(text)), &ordinary, 64, 1, 0, &error);
    assert_non_null(all);
    snprintf(path, sizeof path, "%s", scratch_path("numbered"));
    for (size_t files = 1; files <= 5; files++) {
        write_numbered(line, COUNT(line), files);
        for (size_t k = 0; k < COUNT(sizes); k++) {
            run(sizes[k], &job);
            for (int r = 0; r < sizes[k]; r++) {
                assert_string_equal(job.error[r].message, "");
                assert_same(all, job.data[r], r, sizes[k]);
            }
            clear(&job);
        }
    }
    hinge_dataset_free(all);
    scratch_write("numbered.2", "1 1:1\n1 x\n", 10);
    run(3, &job);
    assert_non_null(strstr(job.error[0].message, "rank 1 of 3: "));
    assert_non_null(strstr(job.error[0].message, "numbered.2:2:3: 'x' is no index:value pair"));
    write_numbered(line, COUNT(line), 1);
    remove(scratch_path("numbered.0"));
}

/* ---- Failures --------------------------------------------------------------- */

static const char text_of_failures[] = "1 1:1\n-1 2:1.5 3:4\n1 1:2\n-1 2:2\n1 1:3\n-1 1:4\n";

/* If any call of a transport fails on any rank, all ranks report it, and none waits. */
static void test_transports_fail(void **state)
{
    const char *path = scratch_write("parts", text_of_failures, strlen(text_of_failures));
    struct job job = {.path = path, .chunk = 64};
    struct threads_team whole = {.size = 3};

    (void)state;
    threads_team_run(&whole, read_part, &job);
    clear(&job);
    assert_true(whole.calls > 5);
    for (int rank = 0; rank < 3; rank++)
        for (long call = 1; call <= whole.calls; call++) {
            struct threads_team team = {.size = 3, .fail_at = call, .fail_rank = rank};

            threads_team_run(&team, read_part, &job);
            assert_int_equal(team.after_failure, 0);
            for (int r = 0; r < 3; r++)
                if (r == rank || call < whole.calls) { /* another rank may have the last message */
                    assert_null(job.data[r]);
                    assert_int_equal(job.error[r].status, HINGE_TEAM_FAILED);
                }
            clear(&job);
        }
}

/* A rank has another file than the others. */
struct mixed {
    struct job job;
    const char *other;
    int odd;
};

static enum hinge_status read_other(void *context, const struct hinge_team *team,
                                    struct hinge_error *error)
{
    struct mixed *mixed = context;
    struct job job = mixed->job;

    if (team->rank == mixed->odd)
        job.path = mixed->other;
    read_part(&job, team, error);
    mixed->job.data[team->rank] = job.data[team->rank];
    mixed->job.error[team->rank] = job.error[team->rank];
    return job.error[team->rank].status;
}

static void expect_odd(const char *other, int odd, enum hinge_status status, const char *reason)
{
    char path[256], its[256], rank[32];
    struct threads_team team = {.size = 3};
    struct mixed mixed = {.job = {.path = path, .chunk = 64}, .other = its, .odd = odd};

    snprintf(path, sizeof path, "%s", scratch_path("parts"));
    snprintf(its, sizeof its, "%s", scratch_path(other));
    snprintf(rank, sizeof rank, "rank %d of 3: ", odd);
    threads_team_run(&team, read_other, &mixed);
    for (int r = 0; r < 3; r++) {
        assert_null(mixed.job.data[r]);
        assert_int_equal(mixed.job.error[r].status, status);
        assert_memory_equal(mixed.job.error[r].message, rank, strlen(rank));
        assert_non_null(strstr(mixed.job.error[r].message, reason));
    }
}

static void test_another_file(void **state)
{
    (void)state;
    scratch_write("parts", text_of_failures, strlen(text_of_failures));
    remove(scratch_path("absent"));
    expect_odd("absent", 2, HINGE_FILE_ERROR, "cannot open ");
    scratch_write("longer", "1 1:1\n-1 2:1.5 3:4\n1 1:2\n-1 2:2\n1 1:3\n-1 1:4\n1 1:1\n", 51);
    expect_odd("longer", 1, HINGE_BAD_INPUT, "longer:1:1: it has ");
    scratch_write("other", "1 1:1\n-1 2:1.5 3:4\n1 1:2\n-1 2:2\n1 1:3\n-1 1:5\n",
                  strlen(text_of_failures));
    expect_odd("other", 2, HINGE_BAD_INPUT, "other:1:1: it differs from the file of rank 0");
}

static void test_refusals(void **state)
{
    struct job job = {.path = "-", .chunk = 64};

    (void)state;
    run(2, &job);
    assert_int_equal(job.error[1].status, HINGE_BAD_ARGUMENT);
    assert_string_equal(job.error[0].message,
                        "several processes cannot share standard input: name a file");
    job.path = scratch_write("parts", text_of_failures, strlen(text_of_failures));
    job.format.memory = 1 << 20;
    run(2, &job);
    assert_int_equal(job.error[1].status, HINGE_BAD_ARGUMENT);
    job.format.memory = 0;
    job.path = scratch_write("parts", "\x1f\x8b nothing", 10);
    run(2, &job);
    assert_non_null(strstr(job.error[1].message, "compressed by gzip: try zcat FILE > PLAIN"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_end_anywhere),
        cmocka_unit_test(test_kinds_of_the_whole),
        cmocka_unit_test(test_random_files),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_real_data),
        cmocka_unit_test(test_numbered_files),
        cmocka_unit_test(test_transports_fail),
        cmocka_unit_test(test_another_file),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
