/* test_token.c - tokens: control bytes, and numbers and words longer than the buffer. */
#include "data_files.h"

/* The message names the NUL byte instead of "no value after '1:'", because an editor would show
 * nothing wrong there. */
static void names_a_nul_byte_wherever_it_stands(void **unused)
{
    static const struct expectation row[] = {
        {BYTES("1 1\0:1\n"), "1:4: NUL byte"},    {BYTES("1 1:\0001\n"), "1:5: NUL byte"},
        {BYTES("1 1:1e\0\n"), "1:7: NUL byte"},   {BYTES("1 qid:\0001 1:1\n"), "1:7: NUL byte"},
        {BYTES("-\0001 1:1\n"), "1:2: NUL byte"}, {BYTES("1:\0 1:1\n"), "1:3: NUL byte"},
    };

    (void)unused;
    expect_refusals(row, COUNT(row), &ordinary);
}

/* An escape sequence in a message would go to the user's terminal. */
static void shows_no_control_bytes_in_messages(void **unused)
{
    static const struct expectation row[] = {
        {BYTES("1 qid:1\x1b[2J 1:1\n"), "1:8: byte 0x1b: this is no text file"},
        {BYTES("1 qid:\x07 1:1\n"), "1:7: byte 0x07: this is no text file"},
    };

    (void)unused;
    expect_refusals(row, COUNT(row), &ordinary);
}

static void reads_numbers_longer_than_the_buffer(void **unused)
{
    static const size_t count[] = {65533,  65534,  65535,  65536,  65537,  65538,  131066, 131067,
                                   131068, 131069, 131070, 131071, 131072, 131073, 196608, 300000};

    (void)unused;
    for (size_t i = 0; i < COUNT(count); i++) {
        size_t n = count[i];

        expect_long("1 1:0.", '0', n, "5 2:3\n-1 4:5\n", "1 0:0 1:3;-1 3:5;");
        expect_long("1 1:0.5", '0', n, " 2:3\n", "1 0:0.5 1:3;");
        expect_long("1 1:0.1", '3', n, "\r\n2 1:1", "1 0:0.13333333333333333;2 0:1;");
        expect_long("1 1:", '0', n, "25e-1#", "1 0:2.5;");
        expect_long("", '0', n, "2 1:3\n", "2 0:3;");
        expect_long("1 qid:", '0', n, "9 1:3\n", "1 0:3;");
        expect_long("1 1:1e", '0', n, "2\n", "1 0:100;");
        expect_long("1 1:3 2:1e-", '9', n, "\n", "1 0:3 1:0;");
    }
}

static void refuses_tokens_longer_than_the_buffer(void **unused)
{
    enum { N = 300000 };

    (void)unused;
    expect_long(
        "1 1", '3', N, ":1\n",
        "!1:3: feature index 1333333333333333333333333333333333333333 is beyond 2147483646");
    expect_long(
        "1 1:1", '0', N, "\n",
        "!1:5: value '1000000000000000000000000000000000000000' is beyond the largest double");
    expect_long("1 1:", '0', N, "x\n",
                "!1:300005: value '0000000000000000000000000000000000000000' is not a number");
    expect_long("", '0', N, ";5 1:1\n",
                "!1:300001: label '0000000000000000000000000000000000000000' is not a number");
    expect_long("1 ", '2', N, "\n",
                "!1:300003: no ':' after feature index 2222222222222222222222222222222222222222");
    expect_long("1 1:1 ", 'y', N, "",
                "!1:7: 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy' is no index:value pair");
    expect_long(
        "1 qid:", '1', N, "\n",
        "!1:7: qid '1111111111111111111111111111111111111111' is beyond the largest double");
    expect_long("1 1:", '1', N, "\x01\n", "!1:300005: byte 0x01: this is no text file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_a_nul_byte_wherever_it_stands),
        cmocka_unit_test(shows_no_control_bytes_in_messages),
        cmocka_unit_test(reads_numbers_longer_than_the_buffer),
        cmocka_unit_test(refuses_tokens_longer_than_the_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
