// Writes the gnuplot script of a bar chart. Rows are as high as their names, so everything is
// placed in pixels: the vertical axis counts pixels from the top of the first row.
#include "cli/compare/bar_chart.h"

#include "view/plot.h"
#include "view/text_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In pixels.
enum {
    WIDTH = 800, FONT = 14,
    MARGIN = 16, TITLE = 44, AXIS = 72, LINE = 18, ROW_GAP = 12, BAR_HEIGHT = 18, NAME_GAP = 10,
    NAME_WIDEST = 290, VALUE_WIDTH = 52,
    AXIS_TEXT = 38, AXIS_NOTE = 58 // below the last row
};

// The length of the first line of a name. A name that is too wide is broken between mechanisms if
// possible, else before the parameters, else between parameters or folders, else where it is full.
static size_t first_line(const char *name)
{
    static const char *const separators[] = {"+>", ":", ",/"};
    enum { KINDS = sizeof separators / sizeof *separators };
    size_t length = strlen(name), fits = 0, last[KINDS] = {0};
    if (text_width(name, length, FONT) <= NAME_WIDEST) return length;
    for (size_t i = 1; i < length; i++) {
        if ((name[i] & 0xc0) == 0x80) continue; // inside a UTF-8 character
        if (text_width(name, i, FONT) > NAME_WIDEST) break;
        fits = i;
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (strchr(separators[kind], name[i - 1])) last[kind] = i;
    }
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (last[kind]) return last[kind];
    return fits;
}

static unsigned line_count(const char *name)
{
    unsigned count = 0;
    for (; *name; name += first_line(name)) count++;
    return count ? count : 1;
}

static unsigned row_height(const Bar *bar) { return LINE * line_count(bar->name) + ROW_GAP; }

// Labels `text` at `place`, in gnuplot's coordinates.
static void put_label(FILE *out, const char *text, const char *place, const char *look)
{
    fputs("set label ", out);
    plot_quoted(out, text);
    fprintf(out, " at %s %s\n", place, look);
}

// Labels a text of one line, whose end is cut off if it is wider than `room` pixels.
static void put_line(FILE *out, const char *text, double room, const char *place, const char *look)
{
    char line[512];
    size_t length = strlen(text), fits = 0;
    for (size_t i = 1; i <= length && i < sizeof line - 3; i++)
        if ((text[i] & 0xc0) != 0x80 && text_width(text, i, FONT) <= room) fits = i;
    snprintf(line, sizeof line, "%.*s%s", (int)fits, text, fits < length ? "..." : "");
    put_label(out, line, place, look);
}

// The name's lines, centred at `middle`.
static void put_name(FILE *out, const Bar *bar, double middle, const char *colour)
{
    double y = middle - (line_count(bar->name) - 1) * LINE / 2.0;
    for (const char *name = bar->name; *name; name += first_line(name), y += LINE) {
        char line[NAME_WIDEST], place[64], look[64];
        snprintf(line, sizeof line, "%.*s", (int)first_line(name), name);
        snprintf(place, sizeof place, "graph 0, first %g", y);
        snprintf(look, sizeof look, "right offset -1,0 textcolor '%s'", colour);
        put_label(out, line, place, look);
    }
}

static void put_rows(FILE *out, const BarChart *chart, double scale)
{
    char text[32], place[64];
    double top = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const Bar *bar = &chart->bars[i];
        double middle = top + row_height(bar) / 2.0;
        put_name(out, bar, middle, PLOT_INK);
        // The value stands behind the end of its bar, or behind the line if the two would overlap.
        double end = bar->note ? 0 : bar->value;
        if (end <= chart->line && end + (VALUE_WIDTH + 8) / scale > chart->line) end = chart->line;
        snprintf(text, sizeof text, "%.3f", bar->value);
        snprintf(place, sizeof place, "first %.6f, first %g", end, middle);
        put_label(out, bar->note ? bar->note : text, place,
                  "left offset 0.7,0 front textcolor '" PLOT_INK "'");
        top += row_height(bar);
    }
    fputs("$bars << END\n", out);
    top = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const Bar *bar = &chart->bars[i];
        double middle = top + row_height(bar) / 2.0;
        fprintf(out, "%g %.6f %d\n", middle, bar->note ? 0 : bar->value, i == 0);
        top += row_height(bar);
    }
    fputs("END\n", out);
}

static void put_script(FILE *out, const BarChart *chart, unsigned height, unsigned rows)
{
    double widest = 0, most = chart->line;
    for (size_t i = 0; i < chart->count; i++)
        for (const char *name = chart->bars[i].name; *name; name += first_line(name)) {
            double width = text_width(name, first_line(name), FONT);
            if (width > widest) widest = width;
        }
    double left = MARGIN + widest + NAME_GAP, right = WIDTH - MARGIN;
    for (size_t i = 0; i < chart->count; i++)
        if (!chart->bars[i].note && chart->bars[i].value > most) most = chart->bars[i].value;
    double end = most * (right - left) / (right - left - VALUE_WIDTH), scale = (right - left) / end;
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                 "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
            left / WIDTH, right / WIDTH, 1 - (double)TITLE / height,
            (double)AXIS / height);
    fprintf(out, "set xrange [0:%.6f]\nset yrange [%u:0]\nunset ytics\nset xtics offset 0,0.4\n"
                 "set grid xtics linestyle 1 back\n", end, rows);
    char place[96];
    snprintf(place, sizeof place, "screen %.6f, screen %.6f", (double)MARGIN / WIDTH,
             1 - (TITLE / 2.0 - 2) / height);
    put_line(out, chart->title, (right - MARGIN) * FONT / 16 - MARGIN, place,
             "left font ',16' textcolor '" PLOT_INK "'");
    snprintf(place, sizeof place, "graph 0, screen %.6f", (double)(AXIS - AXIS_TEXT) / height);
    put_line(out, chart->axis, right - left - MARGIN, place, "left textcolor '" PLOT_INK "'");
    snprintf(place, sizeof place, "graph 0, screen %.6f", (double)(AXIS - AXIS_NOTE) / height);
    put_label(out, chart->axis_note, place, "left font ',12' textcolor '" PLOT_MUTED "'");
    fprintf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead front linewidth 1.5 "
                 "linecolor '" PLOT_INK "'\n", chart->line, chart->line);
    put_rows(out, chart, scale);
    fprintf(out, "plot $bars using (0):1:(0):2:($1-%d):($1+%d):($3 == 1 ? 0x%s : 0x%s) "
                 "with boxxyerror linecolor rgb variable\n",
            BAR_HEIGHT / 2, BAR_HEIGHT / 2, &PLOT_BASE[1], &PLOT_BAR[1]);
}

bool bar_chart_draw(const BarChart *chart, const char *path, HdError *err)
{
    unsigned rows = 0;
    for (size_t i = 0; i < chart->count; i++) rows += row_height(&chart->bars[i]);
    char *script = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&script, &size);
    if (!out) return hd_fail_memory(err, "drawing a figure");
    unsigned height = TITLE + rows + AXIS;
    put_script(out, chart, height, rows);
    bool ok = (fclose(out) == 0 || hd_fail_memory(err, "drawing a figure")) &&
              plot_draw(&(Plot){.title = chart->title, .script = script, .width = WIDTH,
                                .height = height, .font = FONT}, path, err);
    free(script);
    return ok;
}
