/* test_digits.c - compares eight characters at once with a loop over them. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "data/digits.h"

static void tells_digits_from_all_other_bytes(void **unused)
{
    (void)unused;
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(is_digit((char)byte), byte >= '0' && byte <= '9');
}

/* For any byte that is not a digit, in any place after digits, the high bit is set, and no high bit
 * before it. The bits after it are arbitrary. */
static void finds_the_first_byte_that_is_no_digit(void **unused)
{
    uint64_t state = 1;

    (void)unused;
    for (unsigned place = 0; place < 8; place++)
        for (int byte = 0; byte < 256; byte++)
            for (int draw = 0; draw < 50; draw++) {
                const uint64_t rest = random_bits(&state);
                char text[8];
                uint64_t others;

                memcpy(text, &rest, sizeof rest);
                for (unsigned k = 0; k < place; k++)
                    text[k] = (char)('0' + random_bits(&state) % 10);
                text[place] = (char)byte;
                others = other_than_digits(load_digits(text));
                assert_int_equal(others >> (8 * place + 7) & 1, !is_digit((char)byte));
                assert_int_equal(others & ((UINT64_C(1) << 8 * place) - 1), 0);
            }
}

static void sums_eight_digits(void **unused)
{
    static const unsigned long edge[] = {0, 1, 9, 10, 99, 12345678, 87654321, 90000000, 99999999};
    uint64_t state = 2;

    (void)unused;
    for (size_t k = 0; k < 100000; k++) {
        const unsigned long number =
            k < COUNT(edge) ? edge[k] : (unsigned long)(random_bits(&state) % 100000000);
        char text[16];

        snprintf(text, sizeof text, "%08lu", number);
        assert_int_equal(sum_digits(load_digits(text)), number);
    }
}

static void splits_numbers_into_eight_digits(void **unused)
{
    char text[16], expected[16];

    (void)unused;
    for (unsigned long number = 0; number < 100000000; number += 1 + number / 10000) {
        memset(text, 0, sizeof text);
        store_eight(text, split_digits((uint32_t)number));
        snprintf(expected, sizeof expected, "%08lu", number);
        assert_string_equal(text, expected);
        store_eight(text, split_digits((uint32_t)(99999999 - number)));
        snprintf(expected, sizeof expected, "%08lu", 99999999 - number);
        assert_string_equal(text, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_digits_from_all_other_bytes),
        cmocka_unit_test(finds_the_first_byte_that_is_no_digit),
        cmocka_unit_test(splits_numbers_into_eight_digits),
        cmocka_unit_test(sums_eight_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
