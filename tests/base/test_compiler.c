/* test_compiler.c - the replacements of a compiler's functions give the same results. */
#include "support.h"

#include <string.h>

#include "base/compiler.h"

static void finds_the_lowest_and_the_highest_bit(void **unused)
{
    uint64_t state = 1;

    (void)unused;
    for (unsigned low = 0; low < 64; low++)
        for (unsigned high = low; high < 64; high++) {
            const uint64_t ends = UINT64_C(1) << low | UINT64_C(1) << high;
            const uint64_t inner = (UINT64_C(1) << high) - (UINT64_C(1) << low);
            const uint64_t word = ends | (random_bits(&state) & inner);

            assert_int_equal(LOWEST_BIT(word), low);
            assert_int_equal(HIGHEST_BIT(word), high);
        }
}

/* The order of bytes is correct, or 0 if the compiler does not tell it. */
static void knows_the_order_of_bytes(void **unused)
{
    const unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t word;

    (void)unused;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__)
    assert_int_equal(LITTLE_ENDIAN_WORDS, word == UINT64_C(0x0807060504030201));
#else
    assert_true(!LITTLE_ENDIAN_WORDS || word == UINT64_C(0x0807060504030201));
#endif
}

/* The test for AVX2 agrees with the compiler's own test. */
static void finds_avx2(void **unused)
{
    (void)unused;
#if HAS_VERSIONS
    assert_int_equal(compiler_has_avx2, __builtin_cpu_supports("avx2") != 0);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_lowest_and_the_highest_bit),
        cmocka_unit_test(knows_the_order_of_bytes),
        cmocka_unit_test(finds_avx2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
