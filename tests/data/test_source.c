/* test_source.c - files that cannot be read, standard input, lines of many mebibytes. */
#define _POSIX_C_SOURCE 200809L
#include "data/source.h"
#include "data_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect_file_error(const char *path, const char *message)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_row row;
    struct hinge_reader *reader = hinge_reader_open(path, &ordinary, &error);

    if (reader)
        assert_int_equal(hinge_reader_next(reader, &row, &error), -1);
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_string_equal(error.message, message);
    hinge_reader_close(reader);
    memset(&error, 0, sizeof error);
    assert_null(hinge_dataset_read(path, &ordinary, &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_string_equal(error.message, message);
}

static void says_what_file_cannot_be_read(void **unused)
{
    char message[512];
    const char *path = scratch_path("no-such-file");

    (void)unused;
    snprintf(message, sizeof message, "cannot open %s: %s", path, strerror(ENOENT));
    expect_file_error(path, message);
    path = scratch_path("");
    snprintf(message, sizeof message, "cannot read %s: %s", path, strerror(EISDIR));
    expect_file_error(path, message);
    snprintf(message, sizeof message, "cannot open : %s", strerror(ENOENT));
    expect_file_error("", message);
    path = write_whole(BYTES("x\n"));
    assert_null(hinge_dataset_read(path, &ordinary, &(struct hinge_error){HINGE_OK, ""}));
    hinge_dataset_free(NULL);
    hinge_reader_close(NULL);
}

/* Makes standard input the reading end of a pipe that a child fills with `step` bytes at a time. */
static pid_t feed(const char *bytes, size_t length, size_t step)
{
    int end[2];
    pid_t child;

    assert_int_equal(pipe(end), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(end[0]);
        for (size_t i = 0; i < length; i += step)
            if (write(end[1], bytes + i, length - i < step ? length - i : step) < 0)
                _exit(1);
        _exit(0);
    }
    close(end[1]);
    assert_int_equal(dup2(end[0], 0), 0);
    close(end[0]);
    clearerr(stdin);
    return child;
}

static void expect_fed(const char *bytes, size_t length, size_t step, const char *expected)
{
    struct expectation row = {bytes, length > 60 ? 60 : length, expected};
    int saved = dup(0);

    assert_true(saved > 0);
    for (int way = 0; way < 2; way++) {
        pid_t child = feed(bytes, length, step);
        struct dump dump = (way ? dump_reader : dump_dataset)("-", &ordinary);

        assert_int_equal(dup2(saved, 0), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        expect_dump(dump, "standard input", expected, &row, 0);
    }
    close(saved);
    clearerr(stdin);
}

static void reads_a_pipe_as_it_comes(void **unused)
{
    enum { LENGTH = 400000 };
    char *bytes = malloc(LENGTH);

    (void)unused;
    assert_non_null(bytes);
    expect_fed(BYTES("\xef\xbb\xbf"
                     "1 1:1\r\n-1 2:25\r\n"),
               1, "1 0:1;-1 1:25;");
    expect_fed(BYTES("1 1:1\n2 1:x\n"), 1, "!(standard input):2:5: value 'x' is not a number");
    expect_fed(BYTES(""), 1, "!(standard input):1:1: no rows");
    memset(bytes, ' ', LENGTH);
    memcpy(bytes, "1 1:3", 5);
    memcpy(bytes + LENGTH - 6, "\n4 2:5", 6);
    expect_fed(bytes, LENGTH, 4097, "1 0:3;4 1:5;");
    free(bytes);
}

static void reads_lines_of_many_mebibytes(void **unused)
{
    enum { LONG = 5 << 20 }; /* 5242880 */

    (void)unused;
    expect_long("1 1:1 ", ' ', LONG, "2:2\n3 1:1\n", "1 0:1 1:2;3 0:1;");
    expect_long("", '\t', LONG, "1 1:1\n", "1 0:1;");
    expect_long("1 1:1 #", 'x', LONG, "\n3 1:1\n", "1 0:1;3 0:1;");
    expect_long("#", '#', LONG, "\r\n3 1:1\n", "3 0:1;");
    expect_long("1 1:1", '\n', LONG, "3 1:1\n", "1 0:1;3 0:1;");
    expect_long("1 ", ' ', LONG, "qid:4 2:2\n3 1:1\n", "1 1:2;3 0:1;");
    expect_long("1 1:1 #", 'x', LONG, "", "1 0:1;");
    expect_long("1 1:1", ' ', LONG, "1:1\n", "!1:5242886: feature index 1 is repeated");
    expect_long("1 1:1", ' ', LONG, "\r2:2\n", "!1:5242886: carriage return inside a line");
    expect_long("", ' ', LONG, "", "!1:5242881: no rows");
    expect_long("1\n", '\n', LONG, "x 1:1\n", "!5242882:1: label 'x' is not a number");
}

/* Lines that are taken out do not move the rest, and a long line stays. */
static void gives_lines_to_another_source(void **unused)
{
    enum { CHUNK_BYTES = 16, MOST_BYTES = 32 };
    const char *path = write_whole(BYTES("1 1:1\n-1 2:1\n1 3:1\n"
                                         "1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1\n"
                                         "1 5:1\n1"));
    struct source source, lines = {0};
    struct hinge_error error;
    size_t length = 0, line_end = 0;
    uint64_t before = 0;
    enum taken taken;
    int is_long = 0;

    (void)unused;
    assert_int_equal(source_open_part(&source, path, CHUNK_BYTES, 0, UINT64_MAX, &error), HINGE_OK);
    while ((taken = source_take(&source, MOST_BYTES, &lines, &error)) != TAKEN_NONE) {
        if (taken == TAKEN_LONG) {
            assert_true(length == 19 && !is_long++);
            assert_memory_equal(source.cursor, "1 1:1 2:1 3:1", 13);
            assert_int_equal(source_skip_line(&source, &error), HINGE_OK);
            assert_int_equal(source.line, 2); /* taken lines do not count */
            length += 53;
            continue;
        }
        assert_int_equal(taken, TAKEN_LINES);
        assert_int_equal(lines.line, 1);
        assert_int_equal(lines.line_offset, length);
        assert_int_equal(lines.before + (uint64_t)(lines.cursor - lines.buffer), length);
        assert_true(lines.exhausted && lines.end[0] == '\0' && lines.end[PAD - 1] == '\0');
        assert_true(lines.end[-1] == '\n' || source.exhausted);
        before = lines.before;
        line_end = (size_t)(lines.end - lines.cursor);
        length += line_end;
    }
    assert_int_equal(is_long, 1);
    assert_int_equal(line_end, 1); /* the last line, without a line end */
    assert_true(length == 79 && before > 0);
    source_close(&source);
    source_close(&lines);
}

/* Two takers of lines in turn keep their buffers, if these are large enough. */
static void lines_are_read_into_the_buffer_of_their_taker(void **unused)
{
    enum { CHUNK_BYTES = 64, LINES = 500 };
    static char bytes[LINES * 8 + 1];
    struct source source, taker[2] = {{0}, {0}};
    struct hinge_error error;
    const char *buffer[2];
    size_t length = 0;

    (void)unused;
    for (int k = 0; k < LINES; k++)
        sprintf(bytes + 8 * k, "1 1:%03d\n", k);
    assert_int_equal(source_open_part(&source, write_whole(bytes, LINES * 8), CHUNK_BYTES, 0,
                                      UINT64_MAX, &error),
                     HINGE_OK);
    for (int k = 0; source_take(&source, CHUNK_BYTES, &taker[k % 2], &error) == TAKEN_LINES; k++) {
        const struct source *lines = &taker[k % 2];
        const size_t count = (size_t)(lines->end - lines->cursor);

        if (k >= 2)
            assert_ptr_equal(lines->buffer, buffer[k % 2]);
        buffer[k % 2] = lines->buffer;
        assert_memory_equal(lines->cursor, bytes + length, count);
        length += count;
    }
    assert_int_equal(length, LINES * 8);
    source_close(&source);
    for (int k = 0; k < 2; k++)
        source_close(&taker[k]);
}

static void expect_end(struct source *source, uint64_t expected)
{
    struct hinge_error error;
    uint64_t end = 0;

    assert_int_equal(source_find_end(source, &end, &error), HINGE_OK);
    assert_true(end == expected);
}

/* The end of a file, a part of a file and a pipe is found after any number of bytes. Reading
 * continues after that. */
static void finds_where_it_ends(void **unused)
{
    static char bytes[20000];
    const uint64_t size = sizeof bytes;
    struct hinge_error error;
    struct source source;
    const char *path;
    int saved = dup(0);
    pid_t child;

    (void)unused;
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = k % 10 == 9 ? '\n' : (char)('0' + k / 10 % 10);
    path = write_whole(bytes, sizeof bytes);
    for (uint64_t begin = 0; begin <= 10000; begin += 10000)
        for (uint64_t end = 15000; end <= 30000; end += 15000) {
            const uint64_t last = end < size ? end : size;
            uint64_t read;

            assert_int_equal(source_open_part(&source, path, 1000, begin, end, &error), HINGE_OK);
            read = (uint64_t)(source.end - source.cursor); /* at the file's beginning */
            while (!source.exhausted) {
                expect_end(&source, last);
                source.cursor = source.end;
                assert_int_equal(source_refill(&source, &error), HINGE_OK);
                assert_memory_equal(source.cursor, bytes + begin + read,
                                    (size_t)(source.end - source.cursor));
                read += (uint64_t)(source.end - source.cursor);
            }
            assert_true(read == last - begin);
            source_close(&source);
        }
    child = feed(bytes, sizeof bytes, 10);
    assert_int_equal(source_open(&source, "-", &error), HINGE_OK);
    expect_end(&source, SOURCE_UNKNOWN);
    source_close(&source);
    assert_int_equal(dup2(saved, 0), 0);
    waitpid(child, NULL, 0);
    close(saved);
    clearerr(stdin);
}

/* Compressed files are refused, also if the beginning arrives byte by byte. A file that only begins
 * with the same letters is text. */
static void refuses_compressed_files(void **unused)
{
    static const struct {
        const char *bytes, *kind;
    } list[] = {
        {"\x1f\x8b\x08", "data compressed by gzip: try zcat FILE"},
        {"BZh91AY&SY\1", "data compressed by bzip2: try bzcat FILE"},
        {"\xfd\x37zXZ", "data compressed by xz: try xzcat FILE"},
        {"(\xb5/\xfd", "data compressed by zstd: try zstdcat FILE"},
        {"PK\3\4", "a zip archive: try unzip -p FILE"},
        {"BZh", NULL},
        {"BZh 1:1\n2 1:1\n", NULL},
        {"PK 1:1\n", NULL},
    };

    (void)unused;
    for (size_t k = 0; k < COUNT(list); k++)
        for (size_t chunk = 1; chunk <= 100; chunk += 99) {
            const char *path = write_whole(list[k].bytes, strlen(list[k].bytes));
            struct hinge_error error = {HINGE_OK, ""};
            struct source source;
            char message[512];

            snprintf(message, sizeof message, "%s:1:1: the file looks like %s > PLAIN", path,
                     list[k].kind ? list[k].kind : "");
            assert_int_equal(source_open_part(&source, path, chunk, 0, UINT64_MAX, &error),
                             list[k].kind ? HINGE_BAD_INPUT : HINGE_OK);
            if (list[k].kind)
                assert_string_equal(error.message, message);
            source_close(&source);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_file_cannot_be_read),
        cmocka_unit_test(reads_a_pipe_as_it_comes),
        cmocka_unit_test(reads_lines_of_many_mebibytes),
        cmocka_unit_test(gives_lines_to_another_source),
        cmocka_unit_test(lines_are_read_into_the_buffer_of_their_taker),
        cmocka_unit_test(finds_where_it_ends),
        cmocka_unit_test(refuses_compressed_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
