/* test_page.c - pages of hostile names and numbers: what is markup, how many points are drawn, and
 * that the extremes are among them.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure.h"

static const char *const hostile[] = {
    "<script>alert(1)</script>",   "\"quoted\" & 'single'", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
    "\xff\xfe not UTF-8 \xc0\x80", "tab\tline\nbell\a",     ""};

/* Writes a page by `write`. Returns its text, which the caller frees. */
static char *page_of(void (*write)(struct page *page))
{
    const char *path = scratch_path("report.html");
    FILE *stream = fopen(path, "wb");
    struct page page;
    char *text;
    size_t length;

    assert_non_null(stream);
    page_begin(&page, stream, hostile[0]);
    write(&page);
    page_end(&page);
    assert_int_equal(fclose(stream), 0);
    text = read_file(path, &length);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    return text;
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
        n++;
    return n;
}

/* Checks that every element is closed (table rows need no end tag) and that no number is nan or
 * inf. */
static void check_page(const char *text)
{
    static const char *const element[] = {"svg", "figure",  "table", "td", "th",
                                          "div", "details", "ul",    "li", "p",
                                          "g",   "text",    "bdi",   "h1", "h3"};

    for (size_t k = 0; k < COUNT(element); k++) {
        char open[20], open_with[20], close[20];

        snprintf(open, sizeof open, "<%s>", element[k]);
        snprintf(open_with, sizeof open_with, "<%s ", element[k]);
        snprintf(close, sizeof close, "</%s>", element[k]);
        if (count(text, open) + count(text, open_with) != count(text, close))
            fail_msg("%zu %s, %zu %s", count(text, open) + count(text, open_with), open,
                     count(text, close), close);
    }
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, ">inf"));
    assert_null(strstr(text, "\"inf"));
    assert_null(strstr(text, "-inf"));
}

static void write_names(struct page *page)
{
    static const double value[COUNT(hostile) * COUNT(hostile)] = {1, -2, 0, NAN, 1e308, -1e308};
    char *longest = malloc(10001);
    const struct bars bars = {hostile[0],     hostile[1], hostile[2], hostile[3],
                              COUNT(hostile), hostile,    value,      NULL};
    const struct grid grid = {hostile[0],     hostile[1], hostile[2], hostile[3], COUNT(hostile),
                              COUNT(hostile), hostile,    hostile,    value,      0};

    assert_non_null(longest);
    memset(longest, 'x', 10000);
    longest[10000] = '\0';
    page_heading(page, longest);
    page_facts(page);
    for (size_t k = 0; k < COUNT(hostile); k++)
        page_fact(page, hostile[k], "%s", hostile[k]);
    page_facts_end(page);
    page_paragraph(page, "%s", longest);
    page_bars(page, &bars);
    page_grid(page, &grid);
    free(longest);
}

static void escapes_names(void **unused)
{
    char *text = page_of(write_names);

    (void)unused;
    check_page(text);
    assert_non_null(strstr(text, "&#60;script&#62;alert(1)&#60;/script&#62;"));
    assert_non_null(strstr(text, "&#34;quoted&#34; &#38; &#39;single&#39;"));
    assert_non_null(strstr(text, "<bdi>\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d</bdi>"));
    assert_non_null(strstr(text, "&#65533;&#65533; not UTF-8 &#65533;&#65533;"));
    assert_non_null(strstr(text, "tab&#65533;line&#65533;bell&#65533;"));
    assert_null(strstr(
        text, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "x"));
    free(text);
}

enum { POINTS = 100000, PEAK = 61234, PIT = 777 };

static void write_many_points(struct page *page)
{
    static double x[POINTS], y[POINTS];
    const struct series series[] = {{"line", MARK_LINE, POINTS, x, y, NULL},
                                    {"points", MARK_POINTS, POINTS, x, y, NULL}};
    const struct figure figure = {.title = "t",
                                  .reading = "r",
                                  .x = {"x", 0, 0},
                                  .y = {"y", 0, 0},
                                  .series = series,
                                  .series_count = 2};

    for (size_t k = 0; k < POINTS; k++)
        x[k] = (double)k, y[k] = sin((double)k);
    y[PEAK] = 12.5;
    y[PIT] = -3.25;
    page_figure(page, &figure);
}

static void thins_long_series(void **unused)
{
    char *text = page_of(write_many_points), *table;
    const char *line = strstr(text, "class=\"line s0\"");

    (void)unused;
    check_page(text);
    assert_in_range(strlen(text), 100000, 300000);
    assert_non_null(line);
    *strchr(strstr(line, "d=\""), '/') = '\0';
    assert_in_range(count(line, "L"), 1000, FIGURE_POINTS);
    line += strlen(line) + 1;
    assert_in_range(count(line, "<circle"), 1000, FIGURE_POINTS + 1); /* one is in the legend */
    table = strstr(line, "<tbody>");
    assert_non_null(table);
    assert_in_range(count(table, "<tr>"), 200, 2 * FIGURE_TABLE_ROWS);
    assert_int_equal(count(table, "<td>12.5</td>"), 2);
    assert_int_equal(count(table, "<td>-3.25</td>"), 2);
    assert_int_equal(count(table, "<td>99999</td>"), 2);
    free(text);
}

enum { ROWS = 100000 };

static void write_many_rows(struct page *page)
{
    static const char *const heads[] = {"name", "number"};
    static const char *name[ROWS];
    static double value[ROWS];
    const struct bars bars = {"t", "r", "n", "v", ROWS, name, value, NULL};

    for (size_t k = 0; k < ROWS; k++)
        name[k] = "a name of some length, as features have", value[k] = (double)k;
    page_table(page, "c", 0, heads, 2);
    for (size_t k = 0; k < ROWS; k++) {
        page_row(page);
        page_cell(page, name[k]);
        page_number(page, value[k]);
    }
    page_table_end(page, 0);
    page_bars(page, &bars);
}

static void leaves_out_rows(void **unused)
{
    char *text = page_of(write_many_rows);

    (void)unused;
    check_page(text);
    assert_in_range(strlen(text), 100000, 400000);
    assert_int_equal(count(text, "\n<tr><td"), 2 * PAGE_TABLE_ROWS);
    assert_int_equal(count(text, "99000 more rows are left out."), 2);
    assert_int_equal(count(text, "<rect"), 100);
    free(text);
}

/* Ranges that a scale has to cope with; on a logarithmic axis, values that it does not have. */
static const double ranges[][2] = {
    {0, 1},        {0, 0},   {5, 5},   {-1e-300, 1e-300}, {-1e308, 1e308}, {1e-308, 1e308},
    {1, 1.000001}, {-7, -3}, {NAN, 3}, {-HUGE_VAL, 2},    {0.013, 0.98},   {999, 1001}};

static void write_ranges(struct page *page)
{
    for (size_t k = 0; k < COUNT(ranges); k++)
        for (int is_log = 0; is_log < 2; is_log++) {
            const double x[] = {1, 2}, *y = ranges[k];
            const struct series series[] = {{"a", MARK_LINE, 2, x, y, NULL},
                                            {"b", MARK_BAND, 2, x, y, x},
                                            {"c", MARK_STEPS, 1, x, y, NULL}};
            const struct rule rule[] = {{1.5, "middle"}, {1.50001, "beside it"}, {9, "outside"}};
            const struct figure figure = {.title = "t",
                                          .reading = "r",
                                          .x = {"x", 0, 1},
                                          .y = {"y", is_log, 0},
                                          .series = series,
                                          .series_count = is_log ? 2 : 3,
                                          .rule = rule,
                                          .rule_count = 3,
                                          .has_diagonal = 1};

            page_figure(page, &figure);
        }
}

static void copes_with_any_range(void **unused)
{
    char *text = page_of(write_ranges), *figure;

    (void)unused;
    check_page(text);
    assert_non_null(strstr(text, "<figure"));
    for (figure = strstr(text, "<figure"); figure; figure = strstr(figure + 1, "<figure")) {
        const char *end = strstr(figure, "</svg>");
        size_t ticks = 0;

        for (const char *p = figure; (p = strstr(p, "class=\"net\"")) && p < end; p++)
            ticks++;
        assert_in_range(ticks, 2, 12);
    }
    free(text);
}

static void write_logarithmic(struct page *page)
{
    static const double value[] = {1, 1000};
    const struct series series = {"line", MARK_LINE, 2, value, value, NULL};
    const struct rule rule[] = {{10, "ten"}, {100, "hundred"}};
    const struct figure figure = {.title = "t",
                                  .reading = "r",
                                  .x = {"x", 1, 0},
                                  .y = {"y", 1, 0},
                                  .series = &series,
                                  .series_count = 1,
                                  .rule = rule,
                                  .rule_count = 2};

    page_figure(page, &figure);
}

/* Returns the x at which the last path of a class before `end` begins. */
static double path_before(const char *text, const char *end, const char *path)
{
    assert_non_null(end);
    while (end > text && strncmp(end, path, strlen(path)) != 0)
        end--;
    return strtod(end + strlen(path), NULL);
}

/* A tick of a logarithmic axis is at the value that it names: at the rule of the same value, whose
 * letter the legend explains. */
static void names_ticks_and_rules(void **unused)
{
    static const char *const names[][3] = {{">10</text>", ">A</text>", "<li>A: ten</li>"},
                                           {">100</text>", ">B</text>", "<li>B: hundred</li>"}};
    char *text = page_of(write_logarithmic);

    (void)unused;
    check_page(text);
    for (size_t k = 0; k < COUNT(names); k++) {
        const double tick = path_before(text, strstr(text, names[k][0]), "class=\"net\" d=\"M");
        const double rule = path_before(text, strstr(text, names[k][1]), "class=\"tick\" d=\"M");

        assert_true(tick > 64 && fabs(tick - rule) < 0.05);
        assert_non_null(strstr(text, names[k][2]));
    }
    /* the value 1, whose logarithm is 0, does not lie on the frame */
    assert_true(path_before(text, strstr(text, ">1</text>"), "class=\"net\" d=\"M") > 65);
    assert_null(strstr(text, ">10000</text>"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_names),         cmocka_unit_test(thins_long_series),
        cmocka_unit_test(leaves_out_rows),       cmocka_unit_test(copes_with_any_range),
        cmocka_unit_test(names_ticks_and_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
