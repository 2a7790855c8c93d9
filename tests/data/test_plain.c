/* test_plain.c - compares the loop over plain features with a slow reader. */
#define _POSIX_C_SOURCE 200809L
#include "data_files.h"
#include "slow_reader.h"

#include <stdio.h>
#include <unistd.h>

/* Three indices have the same number of digits. Any byte replaces a digit of the second one or its
 * colon, because the reader expects that it is as long as the first. */
static void test_indices_of_every_length(void **unused)
{
    enum { MOST = 10 };
    unsigned long first = 1;
    unsigned rows = 0;
    int saved = dup(0);

    (void)unused;
    assert_true(saved > 0);
    for (unsigned digits = 1; digits <= MOST; digits++, first *= 10)
        for (unsigned place = 0; place <= digits; place++)
            for (unsigned byte = 0; byte < 256; byte++) {
                const struct hinge_format format = {.optional_labels = byte % 2};
                static struct content slow;
                struct file file;
                int second = 0;

                file.length = (size_t)sprintf(file.byte, "1 %lu:0.5 %n%lu:0.25 %lu:1.5\n", first,
                                              &second, first + 1, first + 7);
                file.byte[(unsigned)second + place] = (char)byte;
                compare_with_slow(&file, pipe_in(file.byte, file.length), 0, file.byte, &format,
                                  &slow);
                rows += !slow.refused;
            }
    assert_true(rows > 3 * MOST);
    assert_int_equal(dup2(saved, 0), 0);
    close(saved);
    clearerr(stdin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices_of_every_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
