/* test_output.c - output files appear whole or not at all; files that cannot be written are
 * refused. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"

static const char *in_folder(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", scratch_path("output"), name);
    return path;
}

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

/* Checks that output_check and output_open refuse the path and leave nothing behind. */
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

/* Outputs at the same time, for the same path and for other paths in the folder, do not disturb
 * each other. */
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

/* A name that cannot be written is refused before the training, not after it. */
static void refuses_an_empty_name(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;

    (void)unused;
    assert_int_equal(output_check("", &error), HINGE_FILE_ERROR);
    assert_int_equal(output_open(&output, "", &error), HINGE_FILE_ERROR);
}

/* A folder appears under the file's name while the file is written. */
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

/* Tries to open path as a user who is not root, with this mode of the folder. Returns -1 if that is
 * not possible here. */
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
    for (int length = 1; length < 1000000; length *= 999) { /* less than a buffer, and more */
        assert_int_equal(output_check("/dev/full", &error), HINGE_OK);
        assert_int_equal(output_open(&output, "/dev/full", &error), HINGE_OK);
        assert_null(output.temporary);
        for (int i = 0; i < length; i++)
            putc('x', output.stream);
        expect_failure(output_commit(&output, &error), &error, "/dev/full", ENOSPC);
    }
    assert_int_equal(access("/dev/full", W_OK), 0);
}

/* A failed write is remembered, even if later writes, flushing and closing succeed. */
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

/* The limit on the size of files acts like a disk that becomes full. */
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
    assert_null(output.temporary); /* a rename would destroy the device */
    assert_true(fputs("text\n", output.stream) >= 0);
    assert_int_equal(output_commit(&output, &error), HINGE_OK);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(output_open(&output, "/dev/null", &error), HINGE_OK);
    output_abandon(&output);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

/* An empty existing file is replaced like any other file, also through a link, because another
 * process may have begun to write to it. */
static void leaves_an_empty_file_alone(void **unused)
{
    const struct timespec past[2] = {{1000000, 0}, {1000000, 0}};
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    struct stat status;
    char empty[512], link[512];

    (void)unused;
    snprintf(empty, sizeof empty, "%s", in_folder("empty"));
    snprintf(link, sizeof link, "%s", in_folder("link"));
    put_file(empty, "");
    assert_int_equal(utimensat(AT_FDCWD, empty, past, 0), 0);
    assert_int_equal(symlink("empty", link), 0);
    for (int linked = 0; linked < 2; linked++) {
        const char *path = linked ? link : empty;

        assert_int_equal(output_check(path, &error), HINGE_OK);
        assert_int_equal(output_open(&output, path, &error), HINGE_OK);
        assert_non_null(output.temporary);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_size, 0);
        assert_int_equal(status.st_mtime, 1000000);
        output_abandon(&output);
    }
    assert_int_equal(output_open(&output, link, &error), HINGE_OK);
    assert_true(fputs("text\n", output.stream) >= 0);
    assert_int_equal(output_commit(&output, &error), HINGE_OK);
    expect_file(link, "text\n");
    expect_file(empty, "");
    assert_int_equal(entries(), 2);
}

/* One process checks the file again and again, while another one empties it and completes it. */
static void does_not_empty_what_another_process_finishes(void **unused)
{
    struct hinge_error error;
    char path[512], complete[512];
    pid_t child;
    int damaged = 0;

    (void)unused;
    snprintf(path, sizeof path, "%s", in_folder("file"));
    snprintf(complete, sizeof complete, "%s", in_folder("complete"));
    put_file(path, "");
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        for (;;)
            output_check(path, &error);
    for (int round = 0; round < 300; round++) {
        struct stat status;

        put_file(path, "");
        put_file(complete, "whole\n");
        assert_int_equal(rename(complete, path), 0);
        for (int look = 0; look < 5; look++) {
            sched_yield();
            damaged += stat(path, &status) != 0 || status.st_size != 6;
        }
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(damaged, 0);
}

/* A file is written even if the suffix of the temporary file would make its name too long. A name
 * that is too long itself is refused before anything is written. */
static void writes_names_of_any_length(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    const long longest = pathconf(scratch_path("output"), _PC_NAME_MAX);
    char name[400];

    (void)unused;
    assert_true(longest > 20 && longest < (long)sizeof name - 1);
    for (long length = longest - 14; length <= longest; length++) {
        memset(name, 'n', (size_t)length);
        name[length] = '\0';
        assert_int_equal(output_check(in_folder(name), &error), HINGE_OK);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(output_open(&output, in_folder(name), &error), HINGE_OK);
            assert_true(fprintf(output.stream, "%d\n", again) > 0);
            assert_int_equal(output_commit(&output, &error), HINGE_OK);
            expect_file(in_folder(name), again ? "1\n" : "0\n");
        }
        assert_int_equal(entries(), 1);
        assert_int_equal(remove(in_folder(name)), 0);
    }
    memset(name, 'n', (size_t)longest + 1);
    name[longest + 1] = '\0';
    expect_refused(in_folder(name), ENAMETOOLONG);
}

/* Files in shared memory are plain files, although below /dev/. */
static void replaces_files_in_shared_memory(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct output output;
    char path[64];

    (void)unused;
    if (access("/dev/shm", W_OK) != 0) {
        print_message("[  SKIPPED ] there is no /dev/shm\n");
        skip();
    }
    snprintf(path, sizeof path, "/dev/shm/hinge-test-%ld", (long)getpid());
    put_file(path, "old\n");
    assert_int_equal(output_open(&output, path, &error), HINGE_OK);
    assert_non_null(output.temporary);
    assert_true(fputs("new\n", output.stream) >= 0);
    expect_file(path, "old\n");
    assert_int_equal(output_commit(&output, &error), HINGE_OK);
    expect_file(path, "new\n");
    assert_int_equal(remove(path), 0);
}

/* C99 recognises a pipe only by opening it, and its reader sees an end when it is closed. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test_setup(leaves_an_empty_file_alone, empty_folder),
        cmocka_unit_test_setup(does_not_empty_what_another_process_finishes, empty_folder),
        cmocka_unit_test_setup(writes_names_of_any_length, empty_folder),
        cmocka_unit_test_setup(replaces_files_in_shared_memory, empty_folder),
        cmocka_unit_test_setup(refuses_a_named_pipe, empty_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
