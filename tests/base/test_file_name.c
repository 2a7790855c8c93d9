/* test_file_name.c - two names of one file, names of devices, existing files, pipes. */
#define _XOPEN_SOURCE 700 /* mkfifo */

#include <stdio.h>
#include <sys/stat.h>

#include "support.h"

#include "base/file_name.h"

static void sees_through_dots_and_slashes(void **unused)
{
    static const char *const same[][2] = {
        {"d", "d"},
        {"d", "./d"},
        {"d", ".//d"},
        {"d", "a/../d"},
        {"d", "a/b/../../d"},
        {"d", "a/./b/.././../d"},
        {"d", "d/"},
        {"d", "d/."},
        {"a/d", "a//d"},
        {"a/d", "./a/./d"},
        {"../d", "./../d"},
        {"../d", "a/../../d"},
        {"../../d", "a/../../b/../../d"},
        {"/d", "//d"},
        {"/d", "/../d"},
        {"/d", "/a/../../../d"},
        {"/", "//."},
        {"a/..", "."},
        {"...", "./..."},
        {".d", "./.d"},
    };

    (void)unused;
    for (size_t k = 0; k < COUNT(same); k++) {
        assert_true(file_name_same(same[k][0], same[k][1]));
        assert_true(file_name_same(same[k][1], same[k][0]));
    }
}

static void tells_other_files(void **unused)
{
    static const char *const other[][2] = {
        {"d", "e"},          {"d", "D"},         {"d", "dd"},       {"dd", "d"},    {"d", "a/d"},
        {"d", "/d"},         {"d", "../d"},      {"../d", "/../d"}, {"a/d", "d/a"}, {"d", "d/.."},
        {"../d", "../../d"}, {"a/../../d", "d"}, {"d", ""},         {"d", "..d"},   {"d", "d.."},
    };

    (void)unused;
    for (size_t k = 0; k < COUNT(other); k++) {
        assert_false(file_name_same(other[k][0], other[k][1]));
        assert_false(file_name_same(other[k][1], other[k][0]));
    }
}

static void finds_files(void **unused)
{
    (void)unused;
    assert_true(file_name_opens("data/breast-cancer") && file_name_exists("data/breast-cancer"));
    assert_false(file_name_opens("data/absent") || file_name_exists("data/absent"));
    assert_false(file_name_exists("absent/breast-cancer"));
    assert_true(file_name_exists("data/breast-cancer/below a file")); /* cannot be opened */
}

static void knows_devices_by_name(void **unused)
{
    static const char *const device[] = {
        "/dev/null",    "/dev/fd/3",       "//dev//stdout", "/dev/./null",      "/tmp/../dev/null",
        "/../dev/null", "/proc/self/fd/1", "/dev/pts/0",    "/dev/shm/../null", "/dev/shmem"};
    static const char *const plain[] = {
        "d",         "dev/null",   "/tmp/dev/null", "/device/d", "/dev/shm/d", "/dev//shm/a/d",
        "/dev/../d", "/proc/../d", "./dev/null",    "",          "/",          "-"};

    (void)unused;
    for (size_t k = 0; k < COUNT(device); k++)
        assert_true(file_name_is_device(device[k]));
    for (size_t k = 0; k < COUNT(plain); k++)
        assert_false(file_name_is_device(plain[k]));
}

/* Nobody writes to the pipe, so a function that waits for data never ends. */
static void tells_pipes(void **unused)
{
    const char *path = scratch_path("pipe");

    (void)unused;
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(file_name_opens(path) && file_name_is_pipe(path));
    assert_int_equal(remove(path), 0);
    assert_false(file_name_is_pipe(path) || file_name_is_pipe("data") ||
                 file_name_is_pipe("data/breast-cancer"));
    assert_false(file_name_is_pipe("/dev/null"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_through_dots_and_slashes),
        cmocka_unit_test(tells_other_files),
        cmocka_unit_test(finds_files),
        cmocka_unit_test(knows_devices_by_name),
        cmocka_unit_test(tells_pipes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
