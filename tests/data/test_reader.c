/* test_reader.c - every accepted and every refused form of a data file, also with the end of the
 * buffer inside; comparison of random files with a slow reader. */
#define _POSIX_C_SOURCE 200809L
#include "data_files.h"
#include "slow_reader.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 131072 }; /* the reader's first buffer, the CHUNK of src/data/source.c */

/* ---- Accepted files ---------------------------------------------------- */

static const struct expectation accepted[] = {
    {BYTES("1 1:0.5 3:-2\n-1 2:1\n"), "1 0:0.5 2:-2;-1 1:1;"},
    /* the end of the file */
    {BYTES("1 1:0.5"), "1 0:0.5;"},
    {BYTES("1"), "1;"},
    {BYTES("1 "), "1;"},
    {BYTES("1 1:1\n2"), "1 0:1;2;"},
    {BYTES("1 1:1\r\n2 2:2\r\n"), "1 0:1;2 1:2;"},
    {BYTES("1 1:1\r\n2 2:2\r"), "1 0:1;2 1:2;"},
    {BYTES("1\r\n2 \r\n3\t\r\n"), "1;2;3;"},
    {BYTES("1 1:1\r\n2 2:2\n3 3:3\r\n"), "1 0:1;2 1:2;3 2:3;"},
    /* blanks */
    {BYTES("1\t1:2\t\t3:4\n"), "1 0:2 2:4;"},
    {BYTES(" \t 1  \t 1:2   \n"), "1 0:2;"},
    {BYTES("1 1:2\t\r\n"), "1 0:2;"},
    /* rows without a feature, lines without a row */
    {BYTES("1\n2\n"), "1;2;"},
    {BYTES("1 \n2\t\n-3 1:1\n"), "1;2;-3 0:1;"},
    {BYTES("\n\n1 1:1\n\n \n\t\n\r\n2 1:2\n\n"), "1 0:1;2 0:2;"},
    /* comments */
    {BYTES("# title\n1 1:1\n  # indented\n2 1:2\n"), "1 0:1;2 0:2;"},
    {BYTES("1 1:1 # trailing 9:9\n2 1:2 #\n"), "1 0:1;2 0:2;"},
    {BYTES("1 1:1#attached 9:9\n2#3 1:1\n"), "1 0:1;2;"},
    {BYTES("1 # no feature\n#\n##\n2 1:2 # no line end"), "1;2 0:2;"},
    {BYTES("1 1:1 # crlf\r\n#\r\n2 1:2#\r\n"), "1 0:1;2 0:2;"},
    {BYTES("1 1:1 # any \x01\x7f\xff\r byte\n2\n"), "1 0:1;2;"},
    /* queries */
    {BYTES("1 qid:7 1:1\n2\tqid:0\n3 qid:10 # x\n4 qid:1#\n"), "1 0:1;2;3;4;"},
    {BYTES("1   \t qid:3 \t 1:1\r\n2  qid:4\r\n"), "1 0:1;2;"},
    {BYTES("1 qid:99999999999999999999 1:1\n"), "1 0:1;"},
    /* byte order mark */
    {BYTES("\xef\xbb\xbf"
           "1 1:1\n"),
     "1 0:1;"},
    {BYTES("\xef\xbb\xbf\r\n# x\n1"), "1;"},
    /* labels */
    {BYTES("+1 1:1\n-1 1:1\n"), "1 0:1;-1 0:1;"},
    {BYTES("0\n-0\n1e2\n.5\n5.\n-1.25E-2\n3000000000\n"),
     "0;-0;100;0.5;5;-0.012500000000000001;3000000000;"},
    /* values */
    {BYTES("1 1:+1 2:-1 3:1. 4:.5 5:-.5 6:007\n"), "1 0:1 1:-1 2:1 3:0.5 4:-0.5 5:7;"},
    {BYTES("1 1: .50 2:   3\t4:\t-7 5: \t 1e300 6:0\n2 9: 4"),
     "1 0:0.5 1:3 3:-7 4:1.0000000000000001e+300 5:0;2 8:4;"},
    {BYTES("1 1:1e3 2:1E-3 3:1.5e+2 4:-2.5e00\n"), "1 0:1000 1:0.001 2:150 3:-2.5;"},
    {BYTES("1 1:4.9406564584124654e-324 2:2.2250738585072011e-308 3:-1e-310\n"),
     "1 0:4.9406564584124654e-324 1:2.2250738585072009e-308 2:-9.9999999999999694e-311;"},
    {BYTES("1 1:1.7976931348623157e308 2:1e-400\n"), "1 0:1.7976931348623157e+308 1:0;"},
    {BYTES("1 1:0.1000000000000000055511151231257827021181583404541015625\n"),
     "1 0:0.10000000000000001;"},
    {BYTES("1 1:0 2:0.0 3:-0\n"), "1 0:0 1:0 2:-0;"}, /* explicit zeros are kept */
    /* indices */
    {BYTES("1 1:1 2147483646:2\n"), "1 0:1 2147483645:2;"},
    {BYTES("1 01:1 0000000002:2\n"), "1 0:1 1:2;"},
};

static const struct expectation accepted_zero_based[] = {
    {BYTES("1 0:1 1:2 9:3\n"), "1 0:1 1:2 9:3;"},
    {BYTES("1 0:0\n2 5:1"), "1 0:0;2 5:1;"},
    {BYTES("1 2147483646:1\n"), "1 2147483646:1;"},
    {BYTES("1\n"), "1;"},
};

static const struct expectation accepted_optional[] = {
    {BYTES("1:1 2:2\n5 1:1\n3:3\n"), "? 0:1 1:2;5 0:1;? 2:3;"},
    {BYTES("  1:1\n\t\n7\n8 \n"), "? 0:1;7;8;"},
    {BYTES("qid:3 1:1\n1 qid:3 1:1\nqid:4\n"), "? 0:1;1 0:1;?;"},
    {BYTES("  qid:3   1:1\r\n1:5#x"), "? 0:1;? 0:5;"},
    {BYTES("\xef\xbb\xbf"
           "1:1\n"),
     "? 0:1;"},
};

static void accepts_every_form(void **unused)
{
    (void)unused;
    expect_all(accepted, COUNT(accepted), &ordinary);
    expect_all(accepted_zero_based, COUNT(accepted_zero_based), &zero_based);
    expect_all(accepted_optional, COUNT(accepted_optional), &optional_labels);
}

static void reads_an_index_with_many_leading_zeros(void **unused)
{
    static const struct expectation row[] = {
        {BYTES("1 00000000001:5 00000000000000000000000000000000000000003:7\n"), "1 0:5 2:7;"},
    };

    (void)unused;
    expect_all(row, COUNT(row), &ordinary);
}

/* ---- Refused files ----------------------------------------------------- */

#define WEIGHTED "; train -W reads the weights of rows from a file of their own, one a line"
#define BARE     "; predict --no-labels reads such rows" WEIGHTED

static const struct expectation refused[] = {
    /* indices */
    {BYTES("1 0:1\n"), "1:3: feature index 0; indices start at 1 (--zero-based reads files whose "
                       "indices start at 0)"},
    {BYTES("1 00:1 1:1\n"), "1:3: feature index 0; indices start at 1 (--zero-based reads files "
                            "whose indices start at 0)"},
    {BYTES("1 1:1 1:2\n"), "1:7: feature index 1 is repeated"},
    {BYTES("1 1:1 01:2\n"), "1:7: feature index 1 is repeated"},
    {BYTES("1 2:1 1:2\n"), "1:7: feature index 1 after 2; indices must ascend"},
    {BYTES("1 2:1 2147483646:1 3:1"),
     "1:20: feature index 3 after 2147483646; indices must ascend"},
    {BYTES("1 2147483647:1\n"), "1:3: feature index 2147483647 is beyond 2147483646"},
    {BYTES("1 2147483648:1\n"), "1:3: feature index 2147483648 is beyond 2147483646"},
    {BYTES("1 1:1 4294967298:1\n"), "1:7: feature index 4294967298 is beyond 2147483646"},
    {BYTES("1 18446744073709551617:1\n"),
     "1:3: feature index 18446744073709551617 is beyond 2147483646"},
    {BYTES("1 184467440737095516160000000000000000000000000001:1\n"),
     "1:3: feature index 1844674407370955161600000000000000000000 is beyond 2147483646"},
    {BYTES("1 -1:1\n"), "1:3: '-1:1' is no index:value pair"},
    {BYTES("1 +1:1\n"), "1:3: '+1:1' is no index:value pair"},
    {BYTES("1 x:1\n"), "1:3: 'x:1' is no index:value pair"},
    {BYTES("1 :1\n"), "1:3: ':1' is no index:value pair"},
    {BYTES("1 :\n"), "1:3: ':' is no index:value pair"},
    {BYTES("1 x\n"), "1:3: 'x' is no index:value pair"},
    {BYTES("1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyyyy\n"),
     "1:3: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is no index:value pair"},
    {BYTES("1 1.5:1\n"), "1:4: feature index '1.5:1' is not a whole number"},
    {BYTES("1 1x:1\n"), "1:4: feature index '1x:1' is not a whole number"},
    {BYTES("1 1e2:1\n"), "1:4: feature index '1e2:1' is not a whole number"},
    {BYTES("1 0x1:1\n"), "1:4: feature index '0x1:1' is not a whole number"},
    {BYTES("1 1,2:1\n"), "1:4: feature index '1,2:1' is not a whole number"},
    /* no colon, no value */
    {BYTES("1 1\n"), "1:4: no ':' after feature index 1"},
    {BYTES("1 12"), "1:5: no ':' after feature index 12"},
    {BYTES("1 2 1:1\n"), "1:4: no ':' after feature index 2"},
    {BYTES("1 1 :1\n"), "1:4: no ':' after feature index 1"},
    {BYTES("1 1:1 2\r\n"), "1:8: no ':' after feature index 2"},
    {BYTES("1 1#:1\n"), "1:4: no ':' after feature index 1"},
    {BYTES("1 1:\n"), "1:5: no value after '1:'"},
    {BYTES("1 1:"), "1:5: no value after '1:'"},
    {BYTES("1 1:\r\n"), "1:5: no value after '1:'"},
    {BYTES("1 1: \n"), "1:5: no value after '1:'"},
    {BYTES("1 1: "), "1:5: no value after '1:'"},
    {BYTES("1 1:\t \r\n2\n"), "1:5: no value after '1:'"},
    {BYTES("1 1: #2\n"), "1:5: no value after '1:'"},
    {BYTES("1 1: 2:1\n"), "1:5: no value after '1:'"},
    {BYTES("1 1:\n2 2:1\n"), "1:5: no value after '1:'"},
    {BYTES("1 1:#2\n"), "1:5: no value after '1:'"},
    /* values */
    {BYTES("1 1:2x\n"), "1:6: value '2x' is not a number"},
    {BYTES("1 1:2:3\n"), "1:6: value '2:3' is not a number"},
    {BYTES("1 1:2,5\n"), "1:6: value '2,5' is not a number: the decimal sign is a point"},
    {BYTES("1 1:1.2.3\n"), "1:8: value '1.2.3' is not a number"},
    {BYTES("1 1:1e\n"), "1:6: value '1e' is not a number"},
    {BYTES("1 1:1e+ 2:1\n"), "1:6: value '1e+' is not a number"},
    {BYTES("1 1:0x1p3\n"), "1:6: value '0x1p3' is not a number"},
    {BYTES("1 1:-\n"), "1:5: value '-' is not a number"},
    {BYTES("1 1:.\n"), "1:5: value '.' is not a number"},
    {BYTES("1 1:e5\n"), "1:5: value 'e5' is not a number"},
    {BYTES("1 1:  x\n"), "1:7: value 'x' is not a number"},
    {BYTES("1 1: 1e400 2:1\n"), "1:6: value '1e400' is beyond the largest double"},
    {BYTES("1 1:--1\n"), "1:5: value '--1' is not a number"},
    {BYTES("1 1:x\n"), "1:5: value 'x' is not a number"},
    {BYTES("1 1:\xc2\xa0\n"), "1:5: value '\xc2\xa0' is not a number"},
    {BYTES("1 1:nan\n"), "1:5: value 'nan' is not a finite number"},
    {BYTES("1 1:nano\n"), "1:5: value 'nano' is not a number"},
    {BYTES("1 1:-nan(ind)\n"), "1:5: value '-nan(ind)' is not a finite number"},
    {BYTES("infant 1:1\n"), "1:1: label 'infant' is not a number"},
    {BYTES("1 1:-NaN\n"), "1:5: value '-NaN' is not a finite number"},
    {BYTES("1 1:inf\n"), "1:5: value 'inf' is not a finite number"},
    {BYTES("1 1:+Infinity\n"), "1:5: value '+Infinity' is not a finite number"},
    {BYTES("1 1:1e309\n"), "1:5: value '1e309' is beyond the largest double"},
    {BYTES("1 1:-1e99999999999999999999\n"),
     "1:5: value '-1e99999999999999999999' is beyond the largest double"},
    {BYTES("1 1:1.7976931348623159e308\n"),
     "1:5: value '1.7976931348623159e308' is beyond the largest double"},
    /* labels */
    {BYTES("x 1:1\n"), "1:1: label 'x' is not a number"},
    {BYTES("  + 1:1\n"), "1:3: label '+' is not a number"},
    {BYTES("1;3 1:1\n"), "1:2: label '1;3' is not a number"},
    {BYTES("1x\n"), "1:2: label '1x' is not a number"},
    {BYTES("0x10 1:1\n"), "1:2: label '0x10' is not a number"},
    {BYTES("nan 1:1\n"), "1:1: label 'nan' is not a finite number"},
    {BYTES("-inf\n"), "1:1: label '-inf' is not a finite number"},
    {BYTES("1e400 1:1\n"), "1:1: label '1e400' is beyond the largest double"},
    {BYTES("1\xef\xbb\xbf 1:1\n"), "1:2: label '1\xef\xbb\xbf' is not a number"},
    {BYTES("\xef\xbb\xbf\xef\xbb\xbf"
           "1 1:1\n"),
     "1:1: label '\xef\xbb\xbf"
     "1' is not a number"},
    {BYTES("1\n\xef\xbb\xbf"
           "1 1:1\n"),
     "2:1: label '\xef\xbb\xbf"
     "1' is not a number"},
    {BYTES("1:1 2:1\n"), "1:1: the row has no label, it starts with '1:1'" BARE},
    {BYTES("1\n\t 3:1\n"), "2:3: the row has no label, it starts with '3:1'" BARE},
    {BYTES("-1:2 2:1\n"), "1:1: the row has no label, it starts with '-1:2'" WEIGHTED},
    {BYTES("0.5:2 2:1\n"), "1:1: the row has no label, it starts with '0.5:2'" WEIGHTED},
    {BYTES("1 cost:2 2:1\n"), "1:3: 'cost:2' is no index:value pair" WEIGHTED},
    {BYTES("qid:1 1:1\n"), "1:1: the row has no label, it starts with 'qid:1'"},
    {BYTES(":\n"), "1:1: the row has no label, it starts with ':'"},
    /* queries */
    {BYTES("1 qid:\n"), "1:7: no value after 'qid:'"},
    {BYTES("1 qid: 1:1\n"), "1:7: no value after 'qid:'"},
    {BYTES("1 qid:#\n"), "1:7: no value after 'qid:'"},
    {BYTES("1 qid:x 1:1\n"), "1:7: qid 'x' is not a number"},
    {BYTES("1 qid:1x 1:1\n"), "1:8: qid '1x' is not a number"},
    {BYTES("1 qid:1:1\n"), "1:8: qid '1:1' is not a number"},
    {BYTES("1 qid:nan\n"), "1:7: qid 'nan' is not a finite number"},
    {BYTES("1 qid:1e999\n"), "1:7: qid '1e999' is beyond the largest double"},
    {BYTES("1 qid 1:1\n"), "1:3: 'qid' is no index:value pair"},
    {BYTES("1 QID:1 1:1\n"), "1:3: 'QID:1' is no index:value pair"},
    {BYTES("1 qid:1 qid:2\n"), "1:9: 'qid:2' is no index:value pair"},
    {BYTES("1 1:1 qid:2\n"), "1:7: 'qid:2' is no index:value pair"},
    /* NUL bytes */
    {BYTES("\0"), "1:1: NUL byte"},
    {BYTES("\0001 1:1\n"), "1:1: NUL byte"},
    {BYTES("1\0 1:1\n"), "1:2: NUL byte"},
    {BYTES("1 \0001:1\n"), "1:3: NUL byte"},
    {BYTES("1 1:1\0"), "1:6: NUL byte"},
    {BYTES("1 1:1\0 2:2\n"), "1:6: NUL byte"},
    {BYTES("1 1:1 \0\n"), "1:7: NUL byte"},
    {BYTES("1 1: \0001\n"), "1:6: NUL byte"},
    {BYTES("1 1: 1\0\n"), "1:7: NUL byte"},
    {BYTES("1 1:1\n\0"), "2:1: NUL byte"},
    {BYTES("1 1:1\n\0\n"), "2:1: NUL byte"},
    {BYTES("1 1:1\r\0\n"), "1:6: carriage return inside a line"},
    {BYTES("1 qid:1\0 1:1\n"), "1:8: NUL byte"},
    {BYTES("#\0\n1\n"), "1:2: NUL byte"},
    {BYTES("# title \0 and more\n1\n"), "1:9: NUL byte"},
    {BYTES("1 1:1 # x\0\n"), "1:10: NUL byte"},
    {BYTES("1 1:1#\0"), "1:7: NUL byte"},
    {BYTES("1 1:1\n# x\n1 # \0"), "3:5: NUL byte"},
    /* other bytes that no text has */
    {BYTES("\x01\n"), "1:1: byte 0x01: this is no text file"},
    {BYTES("1\x1b[0m 1:1\n"), "1:2: byte 0x1b: this is no text file"},
    {BYTES("1 \x0b 1:1\n"), "1:3: byte 0x0b: this is no text file"},
    {BYTES("1 1\x0c:1\n"), "1:4: byte 0x0c: this is no text file"},
    {BYTES("1 1:1\x7f\n"), "1:6: byte 0x7f: this is no text file"},
    {BYTES("1 1:\t\x08 2:1\n"), "1:6: byte 0x08: this is no text file"},
    {BYTES("1 1:\x08 2:1\n"), "1:5: byte 0x08: this is no text file"},
    {BYTES("\x7f"
           "ELF\x02\x01\x01\0\0\0"),
     "1:1: byte 0x7f: this is no text file"},
    {BYTES("\x1f\x8a\x08\0\0\0\0\0"), "1:1: byte 0x1f: this is no text file"},
    /* carriage returns that end no line */
    {BYTES("\r1 1:1\n"), "1:1: carriage return inside a line"},
    {BYTES("1\r1:1\n"), "1:2: carriage return inside a line"},
    {BYTES("1 1:1\r2 1:1\r"), "1:6: carriage return inside a line"},
    {BYTES("1 1:1\r\r\n"), "1:6: carriage return inside a line"},
    {BYTES("1 1:1 \r 2:2\n"), "1:7: carriage return inside a line"},
    {BYTES("1 qid:1\r1:1\n"), "1:8: carriage return inside a line"},
    {BYTES("1\n\r\r"), "2:1: carriage return inside a line"},
    /* no rows */
    {BYTES(""), "1:1: no rows"},
    {BYTES("\n"), "2:1: no rows"},
    {BYTES("\r\n\r\n"), "3:1: no rows"},
    {BYTES(" \t "), "1:4: no rows"},
    {BYTES("# nothing"), "1:10: no rows"},
    {BYTES("# nothing\n\n# else\n"), "4:1: no rows"},
    {BYTES("\xef\xbb\xbf"), "1:1: no rows"},
    /* places count everything that is skipped */
    {BYTES("1 1:1\n\n# c\r\n  \n-1 qid:3 1:1 # c\n1 2:2 2:3\n"),
     "6:7: feature index 2 is repeated"},
    {BYTES("\xef\xbb\xbf"
           "1 1:1 1:1\n"),
     "1:7: feature index 1 is repeated"},
    {BYTES("\xef\xbb\xbf\n\t1 \t 1:x\n"), "2:8: value 'x' is not a number"},
};

static const struct expectation refused_zero_based[] = {
    {BYTES("1 0:1 0:2\n"), "1:7: feature index 0 is repeated"},
    {BYTES("1 1:1 0:2\n"), "1:7: feature index 0 after 1; indices must ascend"},
    {BYTES("1 2147483647:1\n"), "1:3: feature index 2147483647 is beyond 2147483646"},
};

static const struct expectation refused_optional[] = {
    {BYTES("x 1:1\n"), "1:1: 'x' is neither a label nor an index:value pair"},
    {BYTES("1:1\n2,5 3:1\n"), "2:1: '2,5' is neither a label nor an index:value pair"},
    {BYTES("x:1\n"), "1:1: 'x:1' is no index:value pair"},
    {BYTES("1:1 1:1\n"), "1:5: feature index 1 is repeated"},
    {BYTES("1:1 5 2:1\n"), "1:6: no ':' after feature index 5"},
    {BYTES("1\n0:1\n"), "2:1: feature index 0; indices start at 1 (--zero-based reads files whose "
                        "indices start at 0)"},
    {BYTES("\n"), "2:1: no rows"},
};

static void refuses_every_fault_where_it_is(void **unused)
{
    (void)unused;
    expect_refusals(refused, COUNT(refused), &ordinary);
    expect_refusals(refused_zero_based, COUNT(refused_zero_based), &zero_based);
    expect_refusals(refused_optional, COUNT(refused_optional), &optional_labels);
}

/* ---- The ends of the buffer -------------------------------------------- */

enum padding { COMMENT, BLANKS, BLANK_LINES, PADDINGS };

/* Fills filler with `length` bytes that change only the place of the following text. */
static void fill(char *filler, size_t length, enum padding padding)
{
    memset(filler, padding == COMMENT ? '#' : padding == BLANKS ? ' ' : '\n', length);
    if (padding == COMMENT && length > 0)
        filler[length - 1] = '\n';
}

/* Reads the case with the first end of the buffer after each of its bytes. */
static void sweep(const struct expectation *row, const struct hinge_format *format, int is_refusal,
                  enum padding padding)
{
    static char filler[CHUNK + 8];

    for (size_t inside = 0; inside <= row->length + 1; inside++) {
        size_t length = CHUNK + 1 - inside;
        unsigned long lines = padding == COMMENT ? 1 : padding == BLANKS ? 0 : length;
        const char *path, *expected = row->expected;

        fill(filler, length, padding);
        if (inside == 0)
            write_whole(filler, length);
        else
            write_at(length - 1, filler + length - 1, 1);
        path = write_at(length, row->bytes, row->length);
        if (is_refusal)
            expected = refusal(path, expected, lines, padding == BLANKS ? length : 0);
        expect(path, format, expected, row, length);
    }
}

static void sweep_all(const struct expectation *row, size_t rows, const struct hinge_format *format,
                      int is_refusal)
{
    for (size_t i = 0; i < rows; i++) {
        if (row[i].length >= 3 && memcmp(row[i].bytes, "\xef\xbb\xbf", 3) == 0)
            continue; /* a byte order mark must be at the start */
        sweep(&row[i], format, is_refusal, COMMENT);
        sweep(&row[i], format, is_refusal, BLANKS);
    }
}

static void reads_on_inside_everything_accepted(void **unused)
{
    (void)unused;
    sweep_all(accepted, COUNT(accepted), &ordinary, 0);
    sweep_all(accepted_zero_based, COUNT(accepted_zero_based), &zero_based, 0);
    sweep_all(accepted_optional, COUNT(accepted_optional), &optional_labels, 0);
}

static void reads_on_inside_everything_refused(void **unused)
{
    (void)unused;
    sweep_all(refused, COUNT(refused), &ordinary, 1);
    sweep_all(refused_zero_based, COUNT(refused_zero_based), &zero_based, 1);
    sweep_all(refused_optional, COUNT(refused_optional), &optional_labels, 1);
}

/* Everything at once. */
static const struct expectation medley = {
    BYTES("+1  qid:12 \t 1:0.5  20:-1.25e-3\t300:4 # comment\r\n"
          "\r\n"
          "-1 1:1#attached\n"
          "2\r\n"
          "# whole line\r\n"
          "\t3.5e0 7:123456789012345678901234567890 8:0\r\n"
          "-1"),
    "1 0:0.5 19:-0.00125 299:4;-1 0:1;2;3.5 6:1.2345678901234568e+29 7:0;-1;"};

/* Fills filler with `count` bytes: rows "1 1:1", and a comment. Returns the number of rows. */
static size_t fill_rows(char *filler, size_t count)
{
    size_t rows = 0;

    for (; 6 * (rows + 1) + 2 <= count; rows++)
        memcpy(filler + 6 * rows, "1 1:1\n", 6);
    fill(filler + 6 * rows, count - 6 * rows, COMMENT);
    return rows;
}

/* After many rows, the buffer is refilled in the middle of a token, at its first and second end. */
static void reads_on_behind_many_rows(void **unused)
{
    static char filler[2 * CHUNK + 8];
    char expected[300];

    (void)unused;
    snprintf(expected, sizeof expected, "1 0:1;%s", medley.expected);
    sweep(&medley, &ordinary, 0, BLANK_LINES);
    for (size_t chunk = 1; chunk <= 2; chunk++)
        for (size_t inside = 0; inside <= medley.length + 1; inside++) {
            size_t length = chunk * CHUNK + 1 - inside, rows = fill_rows(filler, length);
            const char *path;

            write_whole(filler, length);
            path = write_at(length, medley.bytes, medley.length);
            expect_dump(dump_dataset_from(rows - 1, path, &ordinary), "dataset", expected, &medley,
                        length);
        }
}

/* ---- Against a slow reader --------------------------------------------- */

static size_t below(uint64_t *state, size_t bound)
{
    return (size_t)(random_bits(state) % bound);
}

static void put(struct file *file, const char *text)
{
    size_t length = strlen(text);

    assert_true(file->length + length <= sizeof file->byte);
    memcpy(file->byte + file->length, text, length);
    file->length += length;
}

static const char *pick_blanks(uint64_t *state)
{
    static const char *const blanks[] = {" ", " ", " ", " ", "\t", "  ", " \t ", "   "};

    return blanks[below(state, COUNT(blanks))];
}

static void put_number(struct file *file, uint64_t *state)
{
    static const char *const number[] = {
        "1",     "-1",  "+1",    "0",     "2",      "3.5",  ".5",
        "5.",    "1e5", "-2E-3", "1e308", "1e-320", "0.1",  "12345.678",
        "-.25",  "00",  "-0",    "1e22",  "1e23",   "9e15", "9007199254740993",
        "1e-400"};

    put(file, number[below(state, COUNT(number))]);
}

static void put_row(struct file *file, uint64_t *state)
{
    unsigned long index = 0;
    char text[32];

    if (below(state, 6) == 0)
        put(file, pick_blanks(state));
    if (below(state, 12) > 0)
        put_number(file, state);
    if (below(state, 6) == 0) {
        put(file, pick_blanks(state));
        put(file, below(state, 4) ? "qid:3" : "qid:12");
    }
    if (below(state, 4) == 0)
        index = below(state, 20000000) >> below(state, 24);
    for (size_t count = below(state, 6); count > 0; count--) {
        index += 1 + below(state, below(state, 8) ? 5 : 400000000);
        put(file, pick_blanks(state));
        snprintf(text, sizeof text, "%lu:", index - (below(state, 30) == 0));
        put(file, text);
        if (below(state, 8) == 0)
            put(file, pick_blanks(state));
        put_number(file, state);
    }
    if (below(state, 6) == 0)
        put(file, pick_blanks(state));
}

static void make_file(struct file *file, uint64_t *state)
{
    file->length = 0;
    if (below(state, 20) == 0)
        put(file, "\xef\xbb\xbf");
    for (size_t lines = 1 + below(state, 6); lines > 0; lines--) {
        if (below(state, 8) > 0)
            put_row(file, state);
        if (below(state, 6) == 0)
            put(file, below(state, 2) ? "# a comment 1:1" : "#");
        if (lines > 1 || below(state, 4) > 0)
            put(file, below(state, 4) ? "\n" : "\r\n");
    }
}

static void replace(struct file *file, size_t place, size_t count, const char *other, size_t length)
{
    memmove(file->byte + place + length, file->byte + place + count, file->length - place - count);
    memcpy(file->byte + place, other, length);
    file->length += length - count;
}

static void mutate(struct file *file, uint64_t *state)
{
    static const char byte[] = "0123456789::..eE+-## \t\n\r\0\x01\x7fxnaqid,\xef\xbb\xbf";
    static const struct {
        const char *bytes;
        size_t length;
    } fragment[] = {
        {BYTES("nan")},   {BYTES("inf")},          {BYTES("qid:")},        {BYTES(" qid:7")},
        {BYTES("0x1p3")}, {BYTES("1e999")},        {BYTES(" 0:1")},        {BYTES("e-")},
        {BYTES("\r\n")},  {BYTES("2147483647:")},  {BYTES("4294967297:")}, {BYTES(" 7:8 ")},
        {BYTES(" ")},     {BYTES("\xef\xbb\xbf")}, {BYTES("\n\n")},        {BYTES("# \0")},
        {BYTES("#")},     {BYTES("2147483646:")},  {BYTES("\r")},          {BYTES("+-")},
    };
    size_t place = below(state, file->length + 1), rest = file->length - place;
    size_t count = rest ? below(state, rest < 8 ? rest : 8) : 0;
    size_t i = below(state, COUNT(fragment));
    char copy[8];

    switch (below(state, 6)) {
    case 0:
        replace(file, place, rest > 0, "", 0);
        break;
    case 1:
        replace(file, place, 0, byte + below(state, sizeof byte - 1), 1);
        break;
    case 2:
        replace(file, place, rest > 0, byte + below(state, sizeof byte - 1), 1);
        break;
    case 3:
        replace(file, place, 0, fragment[i].bytes, fragment[i].length);
        break;
    case 4:
        memcpy(copy, file->byte + place, count);
        replace(file, place, 0, copy, count);
        break;
    default:
        replace(file, place, count, "", 0);
    }
}

/* Reads a random file with both readers. Returns 1 if it was refused. */
static int compare_readers(uint64_t *state)
{
    static struct content slow;
    static struct file file;
    static char whole[CHUNK + sizeof file.byte];
    struct hinge_format format = {.zero_based = (int)below(state, 2), .threads = 1};
    size_t padding = 0;
    const char *path;

    format.optional_labels = (int)below(state, 2);
    make_file(&file, state);
    for (size_t count = below(state, 4); count > 0; count--)
        mutate(&file, state);
    if (below(state, 16) == 0) { /* puts the end of the buffer inside */
        padding = CHUNK - below(state, file.length + 2);
        fill(whole, padding, COMMENT);
    }
    memcpy(whole + padding, file.byte, file.length);
    path = (padding ? write_whole : pipe_in)(whole, padding + file.length);
    compare_with_slow(&file, path, padding, whole, &format, &slow);
    return slow.refused;
}

static void reads_random_files_like_a_slow_reader(void **unused)
{
    const long count = (long)repeats(300000, 50000);
    uint64_t state = 3;
    long refusals = 0;
    int saved = dup(0);

    (void)unused;
    assert_true(saved > 0);
    for (long i = 0; i < count; i++)
        refusals += compare_readers(&state);
    print_message("%ld random files read twice, %ld of them refused\n", count, refusals);
    assert_in_range(refusals, count / 4, count - count / 4);
    assert_int_equal(dup2(saved, 0), 0);
    close(saved);
    clearerr(stdin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_every_form),
        cmocka_unit_test(reads_an_index_with_many_leading_zeros),
        cmocka_unit_test(refuses_every_fault_where_it_is),
        cmocka_unit_test(reads_on_inside_everything_accepted),
        cmocka_unit_test(reads_on_inside_everything_refused),
        cmocka_unit_test(reads_on_behind_many_rows),
        cmocka_unit_test(reads_random_files_like_a_slow_reader),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
