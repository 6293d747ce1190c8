// The data of a figure as gnuplot's data blocks, and how each series looks.
#include "view/figure_script.h"

#include "base/memory.h"
#include "view/plot.h"

#include <math.h>
#include <stdlib.h>

enum { COLOURS = 6 };

SeriesLook figure_series_look(FigureKind kind, size_t series)
{
    // Neighbours differ most in lightness. Lines have yellow, which is pale on white, last.
    static const char *const fills[COLOURS] = {PLOT_BLUE, PLOT_YELLOW, PLOT_NAVY,
                                               PLOT_SKY, PLOT_BRICK, PLOT_ORANGE};
    static const char *const lines[COLOURS] = {PLOT_BLUE, PLOT_ORANGE, PLOT_NAVY,
                                               PLOT_SKY, PLOT_BRICK, PLOT_YELLOW};
    static const unsigned patterns[] = {0, 4, 5, 1}, dashes[] = {1, 2, 4, 3};
    static const unsigned points[] = {7, 5, 9, 13, 11, 15};
    size_t again = series / COLOURS;
    return (SeriesLook){.colour = (kind <= FIGURE_STACKED ? fills : lines)[series % COLOURS],
                        .pattern = patterns[again], .dash = dashes[again],
                        // Outlines after the first turn, shifted so that colour and mark differ.
                        .point = points[(series + again) % COLOURS] - (again % 2)};
}

double figure_mark_size(const FigureLayout *layout)
{
    size_t most = layout->data->count / layout->data->panel_count;
    if (layout->figure->kind != FIGURE_POINTS) return 0.6;
    return most > 2000 ? 0.25 : most > 200 ? 0.35 : 0.5;
}

static double within(const Axis *axis, double value)
{
    return fmin(fmax(value, axis->low), axis->high);
}

// A data block that is being written, and the commands that plot all.
typedef struct Blocks {
    FILE *out, *plots;
    unsigned count;
} Blocks;

static void begin_block(Blocks *b) { fprintf(b->out, "$d%u << END\n", b->count); }

// Ends a block of `rows` rows, which `how` plots.
static void end_block(Blocks *b, size_t rows, const char *how)
{
    fputs("END\n", b->out);
    if (rows) fprintf(b->plots, ", $d%u using %s", b->count, how);
    b->count++;
}

// ---- bars ----

// The parts of a stack below a series.
static double sum_below(const FigureLayout *layout, const FigurePoint *point)
{
    double sum = 0;
    for (size_t i = 0; i < point->series; i++) {
        const FigurePoint *other = figure_cell(layout->data, &layout->data->panels[point->panel],
                                               point->category, point->stack, i);
        if (other && !isnan(other->value)) sum += other->value;
    }
    return sum;
}

static double slot_of(const FigureLayout *layout, const FigurePoint *point)
{
    bool stacked = layout->figure->kind == FIGURE_STACKED;
    return figure_slot_x(layout, point->panel, point->category,
                         stacked ? point->stack : point->series);
}

// The bar of a point: x, its middle, its left and right, its lower and upper end. false: nothing
// to draw.
static bool put_bar(FILE *out, const FigureLayout *layout, const FigurePoint *point)
{
    const FigureFrame *frame = &layout->frames[point->panel];
    double low = 0, high = point->value;
    if (layout->figure->kind == FIGURE_STACKED) {
        low = sum_below(layout, point);
        high += low;
    }
    if (!figure_is_drawn(layout->figure->log_y, high)) return false;
    low = within(&frame->y, low); // of a logarithmic axis its lower end
    high = within(&frame->y, high);
    double x = slot_of(layout, point), half = frame->slot / 2;
    fprintf(out, "%.10g %.10g %.10g %.10g %.10g %.10g\n", x, high, x - half, x + half, low, high);
    return true;
}

static void put_bars(Blocks *b, const FigureLayout *layout, size_t panel, size_t series)
{
    char how[200], fill[32];
    size_t rows = 0;
    SeriesLook look = figure_series_look(layout->figure->kind, series);
    begin_block(b);
    for (size_t i = 0; i < layout->data->count; i++) {
        const FigurePoint *point = &layout->data->points[i];
        if (point->panel == panel && point->series == series)
            rows += put_bar(b->out, layout, point);
    }
    if (look.pattern) snprintf(fill, sizeof fill, "pattern %u", look.pattern);
    snprintf(how, sizeof how, "1:2:3:4:5:6 with boxxyerror linewidth 0.5 linecolor '%s' "
                              "fillstyle %s border linecolor '" PLOT_INK "'",
             look.colour, look.pattern ? fill : "solid");
    end_block(b, rows, how);
}

// ---- ranges ----

// The ranges of a series, with a mark at the value if the figure has no bars.
static void put_ranges(Blocks *b, const FigureLayout *layout, size_t panel, size_t series)
{
    char how[200];
    size_t rows = 0;
    bool log = layout->figure->log_y, bars = layout->figure->kind == FIGURE_BARS;
    const Axis *y = &layout->frames[panel].y;
    SeriesLook look = figure_series_look(layout->figure->kind, series);
    begin_block(b);
    for (size_t i = 0; i < layout->data->count; i++) {
        const FigurePoint *point = &layout->data->points[i];
        if (point->panel != panel || point->series != series ||
            !figure_is_drawn(log, point->value) || (bars && isnan(point->low)))
            continue;
        double low = figure_is_drawn(log, point->low) ? point->low : point->value;
        double high = figure_is_drawn(log, point->high) ? point->high : point->value;
        low = within(y, low);
        fprintf(b->out, "%.10g %.10g %.10g %.10g\n", slot_of(layout, point), low,
                within(y, high) - low, within(y, point->value));
        rows++;
    }
    // Arrows with flat heads, because gnuplot's error bars leave a gap around the mark.
    snprintf(how, sizeof how, "1:2:(0):3 with vectors heads size screen %.6f,90 linewidth %g "
                              "linecolor '%s'", 2.5 / layout->width, bars ? 1 : 1.3,
             bars ? PLOT_INK : look.colour);
    unsigned block = b->count;
    end_block(b, rows, how);
    if (rows && !bars)
        fprintf(b->plots, ", $d%u using 1:4 with points pointtype %u pointsize %g linecolor '%s'",
                block, look.point, figure_mark_size(layout), look.colour);
}

// ---- lines and points ----

static int compare_x(const void *a, const void *b)
{
    const FigurePoint *first = *(const FigurePoint *const *)a;
    const FigurePoint *second = *(const FigurePoint *const *)b;
    if (first->x != second->x) return first->x < second->x ? -1 : 1;
    return first < second ? -1 : 1; // in the order of the rows
}

static bool is_shown(const Figure *figure, const FigurePoint *point)
{
    return figure_is_drawn(figure->log_y, point->value) &&
           figure_is_drawn(figure->log_x, point->x);
}

// The points of a series in the order in which they are drawn, to be freed; NULL: out of memory.
static const FigurePoint **points_of(const FigureLayout *layout, size_t panel, size_t series,
                                     size_t *count)
{
    const FigurePoint **points = hd_new(layout->data->count, sizeof *points);
    *count = 0;
    for (size_t i = 0; points && i < layout->data->count; i++) {
        const FigurePoint *point = &layout->data->points[i];
        if (point->panel == panel && point->series == series) points[(*count)++] = point;
    }
    if (points && layout->figure->kind == FIGURE_LINES)
        qsort(points, *count, sizeof *points, compare_x);
    return points;
}

// A value between two gaps of a line is a mark, because it is on no line.
static void put_lone_points(Blocks *b, const Figure *figure, const FigurePoint *const *points,
                            size_t count, const char *how)
{
    size_t rows = 0;
    begin_block(b);
    for (size_t i = 0; i < count; i++) {
        bool before = i > 0 && is_shown(figure, points[i - 1]);
        bool after = i + 1 < count && is_shown(figure, points[i + 1]);
        if (before || after || !is_shown(figure, points[i])) continue;
        fprintf(b->out, "%.10g %.10g\n", points[i]->x, points[i]->value);
        rows++;
    }
    end_block(b, rows, how);
}

// A line has a gap where a value is missing.
static bool put_points(Blocks *b, const FigureLayout *layout, size_t panel, size_t series)
{
    const Figure *figure = layout->figure;
    size_t count, rows = 0;
    const FigurePoint **points = points_of(layout, panel, series, &count);
    if (!points) return false;
    begin_block(b);
    for (size_t i = 0; i < count; i++) {
        bool shown = is_shown(figure, points[i]);
        if (shown) fprintf(b->out, "%.10g %.10g\n", points[i]->x, points[i]->value);
        else fputc('\n', b->out);
        rows += shown;
    }
    char how[200], marks[120];
    SeriesLook look = figure_series_look(figure->kind, series);
    snprintf(marks, sizeof marks, "1:2 with points pointtype %u pointsize %g linecolor '%s'",
             look.point, figure_mark_size(layout), look.colour);
    // A dozen marks on a line.
    snprintf(how, sizeof how, "1:2 with linespoints dashtype %u linewidth 1.4 pointtype %u "
                              "pointsize %g pointinterval %zu linecolor '%s'", look.dash,
             look.point, figure_mark_size(layout), rows / 12 + 1, look.colour);
    end_block(b, rows, figure->kind == FIGURE_LINES ? how : marks);
    if (figure->kind == FIGURE_LINES) put_lone_points(b, figure, points, count, marks);
    free(points);
    return true;
}

// ---- published values ----

// A white diamond with a dark line, which stays visible on bars of all colours.
static void put_published(Blocks *b, const FigureLayout *layout, size_t panel)
{
    size_t rows = 0;
    const Figure *figure = layout->figure;
    begin_block(b);
    for (size_t i = 0; i < layout->data->count; i++) {
        const FigurePoint *point = &layout->data->points[i];
        if (point->panel != panel || !figure_is_drawn(figure->log_y, point->published)) continue;
        double x = figure_has_categories(figure->kind) ? slot_of(layout, point) : point->x;
        if (!figure_has_categories(figure->kind) && !figure_is_drawn(figure->log_x, x)) continue;
        fprintf(b->out, "%.10g %.10g\n", x, within(&layout->frames[panel].y, point->published));
        rows++;
    }
    unsigned block = b->count;
    end_block(b, rows, "1:2 with points pointtype 13 pointsize diamond linecolor 'white'");
    if (rows)
        fprintf(b->plots, ", $d%u using 1:2 with points pointtype 12 pointsize diamond linewidth 1 "
                          "linecolor '" PLOT_INK "'", block);
}

bool figure_write_data(FILE *out, const FigureLayout *layout, size_t panel)
{
    char *plots = NULL;
    size_t size;
    bool ok = true;
    Blocks blocks = {.out = out, .plots = open_memstream(&plots, &size)};
    if (!blocks.plots) return false;
    for (size_t i = 0; ok && i < layout->data->series.count; i++) {
        if (!layout->data->panels[panel].has_series[i]) continue;
        if (layout->figure->kind <= FIGURE_STACKED) put_bars(&blocks, layout, panel, i);
        if (layout->figure->kind <= FIGURE_RANGES && layout->figure->kind != FIGURE_STACKED)
            put_ranges(&blocks, layout, panel, i);
        if (!figure_has_categories(layout->figure->kind))
            ok = put_points(&blocks, layout, panel, i);
    }
    put_published(&blocks, layout, panel);
    ok = fclose(blocks.plots) == 0 && ok;
    // The first plots nothing, so that a panel without data has its axes.
    if (ok) fprintf(out, "plot NaN%s\n", plots);
    free(plots);
    return ok;
}
