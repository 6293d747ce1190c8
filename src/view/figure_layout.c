// Lays out a figure: title, legend, panels in a grid, notes, from top to bottom.
#include "view/figure_layout.h"

#include "view/text_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PANEL_GAP = 16, // between panels side by side
    LEGEND_GAP = 14, RIGHT_ROOM = 8,  // the last tic's text is wider than its place
    NUMBER_WIDTH = 46, Y_LABEL_LINES = 2,
};

static const double slanted = 0.7071; // the sine of 45 degrees

static double to_pixels(double millimetres) { return round(millimetres / 25.4 * 96); }

static size_t count_true(const bool *flags)
{
    size_t count = 0;
    for (size_t i = 0; i < FIGURE_SERIES; i++) count += flags[i];
    return count;
}

static bool has_stack_names(const FigureData *data) { return data->stacks.count > 1; }

// ---- the grid of panels ----

static size_t most_categories(const FigureData *data)
{
    size_t most = 1;
    for (size_t i = 0; i < data->panel_count; i++)
        if (data->panels[i].categories.count > most) most = data->panels[i].categories.count;
    return most;
}

// The width that a panel's data should have at least.
static double wished_width(const FigureLayout *layout)
{
    if (!figure_has_categories(layout->figure->kind)) return 120;
    double widest = 60;
    for (size_t i = 0; i < layout->data->panel_count; i++) {
        double category = fmax(14, 4.0 * (double)layout->frames[i].slots);
        widest = fmax(widest, category * (double)layout->data->panels[i].categories.count);
    }
    return widest;
}

static size_t choose_columns(const FigureLayout *layout)
{
    size_t panels = layout->data->panel_count, columns = layout->figure->columns;
    if (!columns) columns = (size_t)(layout->width / (wished_width(layout) + NUMBER_WIDTH));
    if (columns > panels) columns = panels;
    if (columns > 4 && !layout->figure->columns) columns = 4;
    if (columns < 1) columns = 1;
    size_t rows = (panels + columns - 1) / columns;
    return layout->figure->columns ? columns : (panels + rows - 1) / rows;
}

static bool start(FigureLayout *layout, HdError *err)
{
    const Figure *figure = layout->figure;
    const FigureData *data = layout->data;
    unsigned width = figure->width ? figure->width : FIGURE_COLUMN;
    if (width < 40 || width > 400)
        return hd_fail(err, "a figure of %u mm: expected a width of 40 to 400 mm", width);
    if (figure->height && (figure->height < 10 || figure->height > 400))
        return hd_fail(err, "panels of %u mm: expected a height of 10 to 400 mm", figure->height);
    layout->width = to_pixels(width);
    layout->frames = hd_arena_new(&layout->arena, data->panel_count * sizeof *layout->frames);
    if (!layout->frames) return hd_fail_memory(err, "drawing a figure");
    for (size_t i = 0; i < data->panel_count; i++) {
        FigureFrame *frame = &layout->frames[i];
        frame->slots = count_true(figure->kind == FIGURE_STACKED ? data->panels[i].has_stack
                                                                 : data->panels[i].has_series);
        frame->slot = frame->slots == 1 ? 0.6 : 0.8 / (double)frame->slots;
    }
    layout->columns = choose_columns(layout);
    for (size_t i = 0; i < data->panel_count; i++) {
        layout->frames[i].first_in_row = i % layout->columns == 0;
        layout->frames[i].last_in_column = i + layout->columns >= data->panel_count;
        layout->frames[i].height = figure->height ? to_pixels(figure->height)
                                   : data->panel_count > layout->columns ? 110
                                   : width > 120 ? 165 : 145;
    }
    return true;
}

double figure_slot_x(const FigureLayout *layout, size_t panel, size_t category, size_t number)
{
    const FigurePanel *of = &layout->data->panels[panel];
    const FigureFrame *frame = &layout->frames[panel];
    const bool *has = layout->figure->kind == FIGURE_STACKED ? of->has_stack : of->has_series;
    size_t before = 0;
    for (size_t i = 0; i < number; i++) before += has[i];
    return (double)category +
           ((double)before - ((double)frame->slots - 1) / 2) * frame->slot;
}

// ---- names of categories ----

static double longest_name(const NameList *names, double widest)
{
    for (size_t i = 0; i < names->count; i++)
        widest = fmax(widest, text_width(names->items[i], strlen(names->items[i]), FIGURE_SMALL));
    return widest;
}

// How the names are written if each has `room` side by side. false and err: in no way.
static bool choose_look(FigureLayout *layout, double room, HdError *err)
{
    enum { LONGEST = 120 };
    const FigureData *data = layout->data;
    unsigned lines = 0;
    double widest = 0, longest = 0;
    for (size_t i = 0; i < data->panel_count; i++) {
        const NameList *names = &data->panels[i].categories;
        longest = longest_name(names, longest);
        for (size_t k = 0; k < names->count; k++) {
            unsigned own = text_lines(names->items[k], room - 4, FIGURE_SMALL, &widest);
            if (own > lines) lines = own;
        }
    }
    // Names of few letters are not broken within a word.
    bool broken = lines > LABEL_LINES || widest > room - 2 || (lines > 1 && room < 40);
    longest = fmin(longest, LONGEST);
    if (!broken) {
        layout->look = LABELS_FLAT;
        layout->label_room = room - 4;
        layout->label_height = TIC_GAP + lines * SMALL_LINE;
    } else if (room >= 13) {
        layout->look = LABELS_SLANTED;
        layout->label_room = longest;
        layout->label_height = TIC_GAP + (longest + FIGURE_SMALL) * slanted;
    } else if (room >= 9) {
        layout->look = LABELS_UPRIGHT;
        layout->label_room = longest;
        layout->label_height = TIC_GAP + longest;
    } else {
        return hd_fail(err, "%zu categories side by side: expected at most %d in this width, or a "
                            "wider figure", most_categories(data),
                       (int)(room * (double)most_categories(data) / 9));
    }
    if (has_stack_names(data))
        layout->stack_label_height = TIC_GAP + fmin(longest_name(&data->stacks, 0), LONGEST);
    return true;
}

// ---- widths ----

static double tics_width(const Axis *axis)
{
    double widest = 0;
    for (unsigned i = 0; i < axis->count; i++)
        widest = fmax(widest, text_width(axis->texts[i], strlen(axis->texts[i]), FIGURE_SMALL));
    return widest + TIC_GAP;
}

// The room for the y axis left of the data.
static double left_room(const FigureLayout *layout, size_t panel)
{
    const FigureFrame *frame = &layout->frames[panel];
    double room = layout->figure->own_limits || frame->first_in_row ? tics_width(&frame->y) : 0;
    if (frame->first_in_row && layout->figure->y_label && *layout->figure->y_label) {
        double widest = 0;
        unsigned lines = text_lines(layout->figure->y_label, frame->height, FIGURE_FONT, &widest);
        room += 3 + (lines > Y_LABEL_LINES ? Y_LABEL_LINES : lines) * (AXIS_LABEL - 2);
    }
    return room;
}

// Gives the frames their places and widths, with `extra` pixels more at the left.
static void place_columns(FigureLayout *layout, double extra)
{
    double rooms = 0;
    for (size_t column = 0; column < layout->columns; column++) {
        double room = 0; // of this column
        for (size_t i = column; i < layout->data->panel_count; i += layout->columns)
            room = fmax(room, left_room(layout, i));
        if (column == 0) room += extra;
        rooms += room + (column ? PANEL_GAP : 0);
        for (size_t i = column; i < layout->data->panel_count; i += layout->columns)
            layout->frames[i].left = MARGIN + rooms;
    }
    double width = (layout->width - 2 * MARGIN - RIGHT_ROOM - rooms) / (double)layout->columns;
    for (size_t i = 0; i < layout->data->panel_count; i++) {
        layout->frames[i].left += (double)(i % layout->columns) * width;
        layout->frames[i].label = layout->frames[i].left - left_room(layout, i);
        layout->frames[i].width = fmax(width, 1);
    }
}

// How far the first slanted name reaches beyond the left edge of the figure.
static double slanted_overhang(const FigureLayout *layout)
{
    double most = 0;
    for (size_t i = 0; i < layout->data->panel_count; i += layout->columns) {
        const FigureFrame *frame = &layout->frames[i];
        const NameList *names = &layout->data->panels[i].categories;
        for (size_t k = 0; k < names->count; k++) {
            double length = text_width(names->items[k], strlen(names->items[k]), FIGURE_SMALL);
            double left = frame_x(frame, (double)k) - fmin(length, layout->label_room) * slanted;
            most = fmax(most, MARGIN - left);
        }
    }
    return most;
}

static bool set_widths(FigureLayout *layout, HdError *err)
{
    // The texts of y tics do not depend on widths, and those of x tics do.
    if (!figure_set_limits(layout, err)) return false;
    place_columns(layout, 0);
    if (layout->frames[0].width < 30)
        return hd_fail(err, "%zu panels side by side: expected fewer columns, or a wider figure",
                       layout->columns);
    if (!figure_has_categories(layout->figure->kind)) return figure_set_limits(layout, err);
    double room = layout->frames[0].width / (double)most_categories(layout->data);
    if (!choose_look(layout, room, err)) return false;
    double overhang = layout->look == LABELS_SLANTED ? slanted_overhang(layout) : 0;
    if (overhang > 0) place_columns(layout, overhang);
    return true;
}

// ---- heights ----

// Places the entries below `top`; returns where the legend ends.
static double place_legend(FigureLayout *layout, double top)
{
    const FigureData *data = layout->data;
    double x = MARGIN;
    bool named = data->series.count > 1 || *data->series.items[0];
    layout->has_legend = named || data->has_published;
    if (!layout->has_legend) return top;
    for (size_t i = 0; i <= data->series.count; i++) {
        bool published = i == data->series.count;
        if (published ? !data->has_published : !named) continue;
        const char *name = published ? "published" : data->series.items[i];
        double width = SWATCH + SWATCH_GAP + text_width(name, strlen(name), FIGURE_FONT);
        if (x > MARGIN && x + width > layout->width - MARGIN) {
            x = MARGIN;
            top += LEGEND_LINE;
        }
        layout->legend[published ? FIGURE_SERIES : i] =
            (LegendEntry){.left = x, .middle = top + LEGEND_LINE / 2.0};
        x += width + LEGEND_GAP;
    }
    return top + LEGEND_LINE + 5;
}

// The height of the panels' names above each.
static double panel_title(const FigureLayout *layout)
{
    unsigned most = 1;
    double widest = 0;
    if (layout->data->panel_count < 2) return 4;
    for (size_t i = 0; i < layout->data->panel_count; i++) {
        unsigned lines = text_lines(layout->data->panels[i].name, layout->frames[i].width,
                                    FIGURE_FONT, &widest);
        if (lines > most) most = lines;
    }
    return 2 + PANEL_LINE * (most > LABEL_LINES ? LABEL_LINES : most);
}

static void place_rows(FigureLayout *layout, double top)
{
    const Figure *figure = layout->figure;
    double below = figure_has_categories(figure->kind)
                       ? layout->label_height + layout->stack_label_height
                       : TIC_GAP + SMALL_LINE;
    layout->panel_title = panel_title(layout);
    layout->top_room = (layout->cuts_values ? 30 : 0) + (layout->cuts_published ? 34 : 0);
    for (size_t i = 0; i < layout->data->panel_count; i++) {
        FigureFrame *frame = &layout->frames[i];
        bool row_ends = (i + 1) % layout->columns == 0 || i + 1 == layout->data->panel_count;
        frame->top = top + layout->top_room + layout->panel_title;
        if (!row_ends) continue;
        top = frame->top + frame->height + below;
        // In a short last row, the row before has panels without one below.
        const FigureFrame *first = &layout->frames[i - i % layout->columns];
        bool has_label = figure->x_label && *figure->x_label &&
                         (frame->last_in_column || first->last_in_column);
        top += has_label ? AXIS_LABEL + 2 : 0;
        top += i + 1 < layout->data->panel_count ? 6 : 0;
    }
    layout->footer = top + 4;
}

static double lines_height(const FigureLayout *layout, const char *text, double size, double line)
{
    double widest = 0;
    if (!text || !*text) return 0;
    return line * text_lines(text, layout->width - 2 * MARGIN, size, &widest);
}

bool figure_lay_out(FigureLayout *layout, const Figure *figure, const FigureData *data,
                    HdError *err)
{
    *layout = (FigureLayout){.figure = figure, .data = data};
    if (!start(layout, err) || !set_widths(layout, err)) return false;
    double title = lines_height(layout, figure->title, FIGURE_TITLE, TITLE_LINE);
    place_rows(layout, place_legend(layout, MARGIN + title + (title > 0 ? 3 : 0)));
    if (!figure_find_marks(layout, err)) return false;
    layout->height = ceil(layout->footer + MARGIN +
                          lines_height(layout, layout->remarks, FIGURE_SMALL, SMALL_LINE) +
                          lines_height(layout, figure->note, FIGURE_SMALL, SMALL_LINE));
    return true;
}

void figure_layout_free(FigureLayout *layout)
{
    free(layout->remarks);
    free(layout->marks);
    hd_arena_free(&layout->arena);
    *layout = (FigureLayout){0};
}
