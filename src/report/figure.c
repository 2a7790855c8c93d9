/* figure.c - axes, and what is drawn over them. */
#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/scale.h"

/* Units of SVG. On a telephone's 358 pixels a unit is 0.9 pixels, so that text is 12.5 pixels high.
 */
enum { WIDTH = 400, HEIGHT = 300, LEFT = 64, RIGHT = 14, TOP = 38, BOTTOM = 48 };
enum { BAR_HEIGHT = 20, BAR_LEFT = 162, BAR_RIGHT = 68, NAME_SHOWN = 18 };

/* A series of at most FEW_POINTS points has larger circles. */
enum { STYLES = 6, FEW_POINTS = 50, MOST_BARS = 100 };

/* ---- Thinning ------------------------------------------------------------ */

/* Walks over the points of a series that are kept: in each of most/4 pieces the first, the last,
 * and those with the smallest and the largest y. */
struct thinning {
    const struct series *series;
    size_t piece;       /* points of a piece; 1: all are kept */
    size_t next;        /* the first point not looked at */
    size_t kept[4];     /* points of the present piece */
    size_t held, given; /* how many of kept[4] there are, and were returned */
};

static struct thinning thin(const struct series *series, size_t most)
{
    struct thinning thinning = {.series = series, .piece = 1};

    if (series->count > most)
        thinning.piece = (series->count + most / 4 - 1) / (most / 4);
    return thinning;
}

/* Sets *k to the next point that is kept. Returns 0 after the last one. */
static int next_point(struct thinning *thinning, size_t *k)
{
    const struct series *series = thinning->series;

    if (thinning->given == thinning->held) {
        const size_t first = thinning->next, left = series->count - first;
        const size_t length = left < thinning->piece ? left : thinning->piece;
        size_t lowest = first, highest = first, *kept = thinning->kept;

        if (left == 0)
            return 0;
        thinning->next += length;
        for (size_t i = first; i < first + length; i++) {
            lowest = series->y[i] < series->y[lowest] ? i : lowest;
            highest = series->y[i] > series->y[highest] ? i : highest;
        }
        kept[0] = first;
        kept[1] = lowest < highest ? lowest : highest;
        kept[2] = lowest < highest ? highest : lowest;
        kept[3] = first + length - 1;
        thinning->held = 1;
        for (size_t i = 1; i < 4; i++)
            if (kept[i] != kept[thinning->held - 1])
                kept[thinning->held++] = kept[i];
        thinning->given = 0;
    }
    *k = thinning->kept[thinning->given++];
    return 1;
}

/* ---- Drawing ------------------------------------------------------------- */

struct drawing {
    struct page *page;
    const struct figure *figure;
    struct scale x, y;
};

static int is_visible(const struct drawing *drawing, double x, double y)
{
    return scale_shows(x, drawing->x.is_log) && scale_shows(y, drawing->y.is_log);
}

static void print_place(const struct drawing *drawing, char before, double x, double y)
{
    fprintf(drawing->page->stream, "%c%.1f %.1f", before, scale_place(&drawing->x, x),
            scale_place(&drawing->y, y));
}

static void draw_axis(const struct drawing *drawing, int is_y)
{
    FILE *stream = drawing->page->stream;
    const struct scale *scale = is_y ? &drawing->y : &drawing->x;
    const struct ticks ticks = scale_ticks(scale, is_y);

    for (size_t k = 0; k < ticks.count; k++) {
        const double at = scale_place(scale, ticks.value[k]);

        if (is_y)
            fprintf(stream,
                    "<path class=\"net\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                    "text-anchor=\"end\"%s>",
                    LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4,
                    strlen(ticks.text[k]) * SCALE_LETTER > LEFT - 6
                        ? " textLength=\"56\" lengthAdjust=\"spacingAndGlyphs\""
                        : "");
        else
            fprintf(stream,
                    "<path class=\"net\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                    "text-anchor=\"middle\">",
                    at, TOP, HEIGHT - BOTTOM,
                    fmin(at, WIDTH - SCALE_LETTER / 2. * (double)strlen(ticks.text[k])),
                    HEIGHT - BOTTOM + 18); /* a number at the right end stays in the picture */
        fprintf(stream, "%s</text>\n", ticks.text[k]);
    }
    if (is_y)
        fprintf(stream, "<path class=\"axis\" d=\"M%d %dV%d\"/><text x=\"4\" y=\"15\">", LEFT, TOP,
                HEIGHT - BOTTOM);
    else
        fprintf(stream,
                "<path class=\"axis\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\" "
                "text-anchor=\"middle\">",
                LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
    page_text(drawing->page, "", is_y ? drawing->figure->y.label : drawing->figure->x.label, 60,
              "</text>\n");
}

/* Draws a line, points, the outline of a histogram and its area, or a band. */
static void draw_series(const struct drawing *drawing, const struct series *series, size_t style)
{
    FILE *stream = drawing->page->stream;
    struct thinning thinning = thin(series, FIGURE_POINTS);
    const double *x = series->x, *y = series->y, low = drawing->y.low;
    char before = 'M'; /* the next command of the path */

    switch (series->mark) {
    case MARK_LINE:
        fprintf(stream, "<path class=\"line s%zu\" d=\"", style);
        for (size_t k; next_point(&thinning, &k);) {
            const int visible = is_visible(drawing, x[k], y[k]);

            if (visible)
                print_place(drawing, before, x[k], y[k]);
            before = visible ? 'L' : 'M';
        }
        fputs(before == 'L' ? "\"/>\n" : "M0 0\"/>\n", stream);
        break;
    case MARK_POINTS:
        fprintf(stream, "<g class=\"s%zu\" stroke=\"none\" fill-opacity=\".6\">", style);
        for (size_t k; next_point(&thinning, &k);)
            if (is_visible(drawing, x[k], y[k]))
                fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>",
                        scale_place(&drawing->x, x[k]), scale_place(&drawing->y, y[k]),
                        series->count > FEW_POINTS ? "2.2" : "4.5");
        fputs("</g>\n", stream);
        break;
    case MARK_STEPS:
        for (int outline = 0; outline < 2; outline++) {
            fprintf(stream, "<path class=\"%s s%zu\" d=\"", outline ? "line" : "area", style);
            print_place(drawing, 'M', x[0], low);
            for (size_t k = 0; k < series->count; k++) {
                const double top = is_visible(drawing, x[k], y[k]) ? y[k] : low;

                print_place(drawing, 'L', x[k], top);
                print_place(drawing, 'L', x[k + 1], top);
            }
            print_place(drawing, 'L', x[series->count], low);
            fputs("\"/>\n", stream);
        }
        break;
    case MARK_BAND:
        fprintf(stream, "<path class=\"area s%zu\" d=\"", style);
        for (size_t k = 0; k < 2 * series->count; k++) {
            const size_t i = k < series->count ? k : 2 * series->count - 1 - k;
            const double edge = k < series->count ? y[i] : series->low[i];

            if (!is_visible(drawing, x[i], edge))
                continue;
            print_place(drawing, before, x[i], edge);
            before = 'L';
        }
        fputs(before == 'L' ? "Z\"/>\n" : "M0 0\"/>\n", stream);
        break;
    }
}

/* Draws the rules with the letters A, B, ... at their tops. A letter that would lie over the one
 * before is left out; the legend has all. */
static void draw_rules(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    double end = 0;

    for (size_t k = 0; k < figure->rule_count; k++) {
        const double at = scale_place(&drawing->x, figure->rule[k].x);

        if (!scale_shows(figure->rule[k].x, drawing->x.is_log) || at < LEFT || at > WIDTH - RIGHT)
            continue;
        fprintf(drawing->page->stream, "<path class=\"tick\" d=\"M%.1f %dV%d\"/>", at, TOP,
                HEIGHT - BOTTOM);
        if (at - 8 < end)
            continue;
        fprintf(drawing->page->stream,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%c</text>\n", at, TOP - 5,
                (int)('A' + k % 26));
        end = at + 8;
    }
}

static void print_legend(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    FILE *stream = drawing->page->stream;

    if (figure->series_count < 2 && figure->rule_count == 0)
        return;
    fputs("<ul class=\"legend\">", stream);
    for (size_t k = 0; k < figure->series_count; k++) {
        fputs("<li><svg viewBox=\"0 0 34 12\" aria-hidden=\"true\">", stream);
        if (figure->series[k].mark == MARK_POINTS)
            fprintf(stream, "<circle class=\"s%zu\" cx=\"17\" cy=\"6\" r=\"4\"/>", k % STYLES);
        else if (figure->series[k].mark == MARK_BAND)
            fprintf(stream, "<path class=\"area s%zu\" d=\"M1 1H33V11H1Z\"/>", k % STYLES);
        else
            fprintf(stream, "<path class=\"line s%zu\" d=\"M1 6H33\"/>", k % STYLES);
        page_text(drawing->page, "</svg>", figure->series[k].name, 60, "</li>");
    }
    for (size_t k = 0; k < figure->rule_count; k++) {
        fprintf(stream, "<li>%c: ", (int)('A' + k % 26));
        page_text(drawing->page, "", figure->rule[k].name, 60, "</li>");
    }
    fputs("</ul>\n", stream);
}

/* Begins a figure and its picture. */
static void begin_picture(struct page *page, const char *title, size_t height)
{
    page_begin_figure(page, "picture", title);
    fprintf(page->stream,
            "<div class=\"wide\"><svg viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"", WIDTH,
            height);
    page_text(page, "", title, 200, "\">\n");
}

void page_figure(struct page *page, const struct figure *figure)
{
    const char *const column[] = {"series", figure->x.label, figure->y.label, "from"};
    struct drawing drawing = {page,
                              figure,
                              {figure->x.is_log, HUGE_VAL, -HUGE_VAL, LEFT, WIDTH - RIGHT},
                              {figure->y.is_log, HUGE_VAL, -HUGE_VAL, HEIGHT - BOTTOM, TOP}};
    size_t columns = 3;

    for (size_t s = 0; s < figure->series_count; s++) {
        const struct series *series = &figure->series[s];
        const int is_band = series->mark == MARK_BAND;

        for (size_t k = 0; k < series->count; k++) {
            scale_include(&drawing.x, series->x[k]);
            scale_include(&drawing.y, series->y[k]);
            if (is_band)
                scale_include(&drawing.y, series->low[k]);
        }
        if (series->mark == MARK_STEPS)
            scale_include(&drawing.x, series->x[series->count]);
        columns = is_band ? 4 : columns;
    }
    scale_finish(&drawing.x, figure->x.has_zero);
    scale_finish(&drawing.y, figure->y.has_zero);
    begin_picture(page, figure->title, HEIGHT);
    draw_axis(&drawing, 0);
    draw_axis(&drawing, 1);
    if (figure->has_diagonal) {
        const double low = drawing.x.low > drawing.y.low ? drawing.x.low : drawing.y.low;
        const double high = drawing.x.high < drawing.y.high ? drawing.x.high : drawing.y.high;

        if (low < high) {
            fputs("<path class=\"tick\" stroke-dasharray=\"3 3\" d=\"", page->stream);
            print_place(&drawing, 'M', low, low);
            print_place(&drawing, 'L', high, high);
            fputs("\"/>\n", page->stream);
        }
    }
    for (size_t s = 0; s < figure->series_count; s++)
        if (figure->series[s].count > 0)
            draw_series(&drawing, &figure->series[s], s % STYLES);
    draw_rules(&drawing);
    fputs("</svg></div>\n", page->stream);
    print_legend(&drawing);
    page_text(page, "<p class=\"reading\">", figure->reading, 400, "</p>\n");
    page_table(page, "Numbers", 1, column, columns);
    for (size_t s = 0; s < figure->series_count; s++) {
        const struct series *series = &figure->series[s];
        struct thinning thinning = thin(series, FIGURE_TABLE_ROWS);

        for (size_t k; next_point(&thinning, &k);) {
            const double low = series->mark == MARK_BAND ? series->low[k] : NAN;

            page_numbers(page, series->name, columns - 1,
                         (const double[]){series->x[k], series->y[k], low});
        }
    }
    page_table_end(page, 1);
    fputs("</figure>\n", page->stream);
}

/* Draws bar k, from 0 to its value, with its name on the left and its number at its end. */
static void draw_bar(struct page *page, const struct bars *bars, const struct scale *scale,
                     size_t k)
{
    const double value = bars->value[k], zero = scale_place(scale, 0);
    const double at = scale_shows(value, 0) ? scale_place(scale, value) : zero;
    const size_t y = k * BAR_HEIGHT + 24;
    const int is_bound = bars->is_bound && bars->is_bound[k];
    char number[32] = "";

    if (scale_shows(value, 0))
        scale_format(number, value, 4);
    fprintf(page->stream, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">", BAR_LEFT - 6, y + 12);
    page_text(page, "", bars->name[k], NAME_SHOWN, "");
    fprintf(page->stream,
            "</text><rect class=\"s%d\" stroke=\"none\" x=\"%.1f\" y=\"%zu\" width=\"%.1f\" "
            "height=\"%d\"/><text x=\"%.1f\" y=\"%zu\" text-anchor=\"%s\">%s%s%s</text>\n",
            value < 0, at < zero ? at : zero, y, fabs(at - zero), BAR_HEIGHT - 5,
            value < 0 ? at - 5 : at + (is_bound ? 17 : 5), y + 12, value < 0 ? "end" : "start",
            is_bound ? "&gt;" : "", number, isnan(value) ? "&#8211;" : "");
    if (is_bound)
        fprintf(page->stream, "<path class=\"axis\" d=\"M%.1f %zuh12m-5 -4l5 4l-5 4\"/>\n", at,
                y + 7);
}

void page_bars(struct page *page, const struct bars *bars)
{
    const char *const column[] = {bars->name_label, bars->value_label};
    const size_t count = bars->count < MOST_BARS ? bars->count : MOST_BARS;
    const size_t height = count * BAR_HEIGHT + 30;
    struct scale scale = {0, 0, 0, BAR_LEFT, WIDTH - BAR_RIGHT};
    FILE *stream = page->stream;

    for (size_t k = 0; k < count; k++)
        scale_include(&scale, bars->value[k]);
    if (scale.low == scale.high)
        scale.high = scale.low + 1;
    /* A negative bar has its number on its left. */
    if (scale.low < 0)
        scale.from += BAR_RIGHT;
    begin_picture(page, bars->title, height);
    fprintf(stream, "<text x=\"%d\" y=\"13\" text-anchor=\"middle\">", (BAR_LEFT + WIDTH) / 2);
    page_text(page, "", bars->value_label, 60, "");
    fprintf(stream, "</text><path class=\"axis\" d=\"M%.1f 20V%zu\"/>\n", scale_place(&scale, 0),
            height - 5);
    for (size_t k = 0; k < count; k++)
        draw_bar(page, bars, &scale, k);
    fputs("</svg></div>\n", stream);
    if (count < bars->count)
        fprintf(stream,
                "<p class=\"reading\">The first %zu of %zu bars; the numbers are of all.</p>\n",
                count, bars->count);
    page_text(page, "<p class=\"reading\">", bars->reading, 400, "</p>\n");
    page_table(page, "Numbers", 1, column, 2);
    for (size_t k = 0; k < bars->count; k++) {
        char text[40];

        if (!bars->is_bound || !bars->is_bound[k]) {
            page_numbers(page, bars->name[k], 1, &bars->value[k]);
            continue;
        }
        snprintf(text, sizeof text, "> %.6g", bars->value[k]);
        page_row(page);
        page_cell(page, bars->name[k]);
        page_number_text(page, text);
    }
    page_table_end(page, 1);
    fputs("</figure>\n", stream);
}
