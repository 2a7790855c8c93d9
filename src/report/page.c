/* page.c - HTML: the frame of a page, text, tables. */
#include "report/page.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "text/letters.h"

/* Characters of names of files and features in text and in a cell. */
enum { TEXT_SHOWN = 400, CELL_SHOWN = 60 };

/* Lines of a series differ in colour and in dashes. The colours are Okabe and Ito's (Color
 * Universal Design, 2008), darker on white, so that each has a contrast of at least 3 to the paper.
 */
static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1a1a1a;--quiet:#555;--rule:#d0d0d0;"
    "--c0:#0060a0;--c1:#b84a00;--c2:#007a58;--c3:#9c4a7c;--c4:#6b6b00;--c5:#444}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#161616;--ink:#eee;--quiet:#b0b0b0;"
    "--rule:#444;--c0:#6cb8f0;--c1:#f0a060;--c2:#50d0a8;--c3:#e098c8;--c4:#d8d050;--c5:#ccc}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;background:var(--paper);color:var(--ink);"
    "margin:0 auto;padding:1rem;max-width:58rem}\n"
    "h1{font-size:1.5rem}h2{font-size:1.25rem;margin-top:2.5rem;border-bottom:1px solid var(--rule)}"
    "h3,figure h2{font-size:1rem;margin:0;border:0}\n"
    "h1,p,dd,td.text{overflow-wrap:anywhere}td.text{min-width:7rem}\n"
    "dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.2rem 1rem}"
    "dt{color:var(--quiet)}dd{margin:0}\n"
    "figure{margin:1.5rem 0;break-inside:avoid}.reading{margin:.3rem 0;color:var(--quiet)}\n"
    ".picture{display:inline-block;vertical-align:top;width:27rem;max-width:100%;"
    "margin-right:clamp(0px,100% - 27rem,1.5rem)}"
    ".wide{overflow-x:auto}svg{display:block;width:100%;height:auto;"
    "font:14px system-ui,sans-serif;fill:var(--ink)}\n"
    "svg .axis,svg .tick{stroke:var(--quiet);fill:none}svg .net{stroke:var(--rule);fill:none}\n"
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.3rem 0;padding:0}"
    ".legend svg{display:inline-block;width:34px;min-width:34px;vertical-align:middle;"
    "margin-right:.4rem}\n"
    ".line{fill:none;stroke-width:2}.area{fill-opacity:.22;stroke:none}\n"
    ".s0{stroke:var(--c0);fill:var(--c0)}.s1{stroke:var(--c1);fill:var(--c1);stroke-dasharray:7 3}"
    ".s2{stroke:var(--c2);fill:var(--c2);stroke-dasharray:2 3}"
    ".s3{stroke:var(--c3);fill:var(--c3);stroke-dasharray:9 3 2 3}"
    ".s4{stroke:var(--c4);fill:var(--c4);stroke-dasharray:4 2}"
    ".s5{stroke:var(--c5);fill:var(--c5);stroke-dasharray:12 3}\n"
    ".line.s0,.line.s1,.line.s2,.line.s3,.line.s4,.line.s5{fill:none}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;color:var(--quiet)}"
    "th,td{padding:.15rem .6rem;border-bottom:1px solid var(--rule);text-align:right}"
    "th:first-child,td:first-child{text-align:left}\n"
    ".grid td{text-align:right;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    ".grid th{font-weight:normal;white-space:nowrap}.grid th,.grid td{padding:.15rem .4rem}\n"
    "summary{cursor:pointer;color:var(--quiet)}\n"
    "@media print{body{max-width:none;font-size:11pt}details{display:none}}\n";

void page_text(const struct page *page, const char *before, const char *text, size_t most,
               const char *after)
{
    fputs(before, page->stream);
    for (size_t left = strlen(text); left > 0; most--) {
        uint32_t code;
        const size_t bytes = letter_decode(text, left, &code);

        if (most == 0) {
            fputs("&#8230;", page->stream);
            break;
        }
        if (code == LETTER_INVALID || code < ' ' || (code >= 0x7f && code < 0xa0) ||
            (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
            (code & 0xfffe) == 0xfffe)
            fputs("&#65533;", page->stream);
        else if (strchr("&<>\"'", *text))
            fprintf(page->stream, "&#%d;", *text);
        else
            fwrite(text, 1, bytes, page->stream);
        text += bytes;
        left -= bytes;
    }
    fputs(after, page->stream);
}

/* Prints formatted text as HTML, and the end of its element. */
static void print_text(const struct page *page, const char *end, const char *format,
                       va_list arguments)
{
    char text[2000];

    vsnprintf(text, sizeof text, format, arguments);
    page_text(page, "", text, TEXT_SHOWN, end);
}

/* Prints a name in an element of its own, so that its direction of writing ends with it. */
static void print_name(const struct page *page, const char *before, const char *name,
                       const char *after)
{
    fputs(before, page->stream);
    page_text(page, "<bdi>", name, CELL_SHOWN, "</bdi>");
    fputs(after, page->stream);
}

void page_begin(struct page *page, FILE *stream, const char *title)
{
    *page = (struct page){.stream = stream};
    page_text(page,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
              title, TEXT_SHOWN, "</title>\n<style>\n");
    fputs(style, stream);
    page_text(page, "</style>\n</head>\n<body>\n<main>\n<h1>", title, TEXT_SHOWN, "</h1>\n");
}

void page_end(struct page *page)
{
    fputs("</main>\n</body>\n</html>\n", page->stream);
}

void page_heading(struct page *page, const char *text)
{
    page->has_heading = 1;
    page_text(page, "<h2>", text, TEXT_SHOWN, "</h2>\n");
}

void page_begin_figure(struct page *page, const char *class, const char *title)
{
    const int has_heading = page->has_heading;

    fprintf(page->stream, "<figure class=\"%s\">", class);
    page_text(page, has_heading ? "<h3>" : "<h2>", title, TEXT_SHOWN,
              has_heading ? "</h3>\n" : "</h2>\n");
}

void page_paragraph(struct page *page, const char *format, ...)
{
    va_list arguments;

    fputs("<p>", page->stream);
    va_start(arguments, format);
    print_text(page, "</p>\n", format, arguments);
    va_end(arguments);
}

void page_facts(struct page *page)
{
    fputs("<dl>\n", page->stream);
}

void page_fact(struct page *page, const char *name, const char *format, ...)
{
    va_list arguments;

    page_text(page, "<dt>", name, TEXT_SHOWN, "</dt><dd>");
    va_start(arguments, format);
    print_text(page, "</dd>\n", format, arguments);
    va_end(arguments);
}

void page_facts_end(struct page *page)
{
    fputs("</dl>\n", page->stream);
}

/* Begins a part that scrolls, by the keyboard too, if it is wider than the window. */
static void begin_wide(struct page *page, const char *label)
{
    page_text(page, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", label,
              TEXT_SHOWN, "");
    fprintf(page->stream, " (%u)\">", ++page->tables);
}

/* Prints the names of the columns, and begins the rows. */
static void print_heads(const struct page *page, const char *const *column, size_t columns)
{
    for (size_t k = 0; k < columns; k++)
        print_name(page, "<th scope=\"col\">", column[k], "</th>");
    fputs("</tr></thead>\n<tbody>", page->stream);
}

void page_table(struct page *page, const char *caption, int is_folded, const char *const *column,
                size_t columns)
{
    page->rows = 0;
    if (is_folded)
        page_text(page, "<details><summary>", caption, TEXT_SHOWN, "</summary>\n");
    begin_wide(page, caption);
    fputs("<table>", page->stream);
    if (!is_folded)
        page_text(page, "<caption>", caption, TEXT_SHOWN, "</caption>");
    fputs("\n<thead><tr>", page->stream);
    print_heads(page, column, columns);
}

void page_row(struct page *page)
{
    if (++page->rows <= PAGE_TABLE_ROWS)
        fputs("\n<tr>", page->stream);
}

void page_cell(struct page *page, const char *text)
{
    if (page->rows <= PAGE_TABLE_ROWS)
        print_name(page, "<td class=\"text\">", text, "</td>");
}

void page_number(struct page *page, double value)
{
    char text[32] = "";

    if (isinf(value))
        snprintf(text, sizeof text, "%s\xe2\x88\x9e",
                 value < 0 ? "-" : ""); /* the sign of infinity */
    else if (!isnan(value))
        snprintf(text, sizeof text, "%.6g", value);
    page_number_text(page, text);
}

void page_number_text(struct page *page, const char *text)
{
    if (page->rows <= PAGE_TABLE_ROWS)
        page_text(page, "<td>", text, CELL_SHOWN, "</td>");
}

void page_numbers(struct page *page, const char *name, size_t count, const double *value)
{
    page_row(page);
    if (name)
        page_cell(page, name);
    for (size_t k = 0; k < count; k++)
        page_number(page, value[k]);
}

void page_table_end(struct page *page, int is_folded)
{
    fputs("\n</tbody></table></div>", page->stream);
    if (page->rows > PAGE_TABLE_ROWS)
        fprintf(page->stream, "<p class=\"reading\">%zu more rows are left out.</p>",
                page->rows - PAGE_TABLE_ROWS);
    fputs(is_folded ? "</details>\n" : "\n", page->stream);
}

/* Returns the value by which a cell is coloured. */
static double shade(const struct grid *grid, size_t k)
{
    const double value = grid->value[k];

    return grid->is_log ? value > 0 ? log(value) : NAN : value;
}

void page_grid(struct page *page, const struct grid *grid)
{
    FILE *stream = page->stream;
    double largest = -DBL_MAX, smallest = DBL_MAX;

    for (size_t k = 0; k < grid->rows * grid->columns; k++) {
        const double value = shade(grid, k);

        largest = value > largest && !isinf(value) ? value : largest;
        smallest = value < smallest && !isinf(value) ? value : smallest;
    }
    page_begin_figure(page, "heat", grid->title);
    page_text(page, "<p class=\"reading\">Rows: ", grid->row_label, TEXT_SHOWN, ". Columns: ");
    page_text(page, "", grid->column_label, TEXT_SHOWN, ".</p>\n");
    begin_wide(page, grid->title);
    fputs("<table class=\"grid\">\n<thead><tr><td></td>", stream);
    print_heads(page, grid->column_name, grid->columns);
    for (size_t i = 0; i < grid->rows; i++) {
        print_name(page, "\n<tr><th scope=\"row\">", grid->row_name[i], "</th>");
        for (size_t k = 0; k < grid->columns; k++) {
            const double value = grid->value[i * grid->columns + k];
            const double at = shade(grid, i * grid->columns + k);
            const double range = largest / 2 - smallest / 2; /* 1e308 - -1e308 overflows */
            const double share = range > 0 && at >= smallest ? (at / 2 - smallest / 2) / range : 0;

            if (isnan(value) || isinf(value))
                fputs("<td></td>", stream);
            else /* at most half of the colour, so that ink stays readable on it */
                fprintf(stream,
                        "<td style=\"background:color-mix(in srgb,var(--c0) %.0f%%,var(--paper))\">"
                        "%.6g</td>",
                        45 * share, value);
        }
    }
    page_text(page, "\n</tbody></table></div>\n<p class=\"reading\">", grid->reading, TEXT_SHOWN,
              "</p></figure>\n");
}
