// Writes a figure as a gnuplot script. gnuplot draws marks and axes. All texts are labels at places
// that are ours, because gnuplot's own tics take texts for formats.
#include "view/figure_script.h"

#include "view/plot.h"
#include "view/text_layout.h"

#include <math.h>
#include <string.h>

// Places of gnuplot's whole screen, from the lower left corner.
static double screen_x(const FigureLayout *layout, double x) { return x / layout->width; }
static double screen_y(const FigureLayout *layout, double y) { return 1 - y / layout->height; }

// How a text is written.
typedef struct TextLook {
    const char *align; // left, center, right
    double size;
    int turn;          // in degrees
    const char *colour;
} TextLook;

static const TextLook plain_text = {"left", FIGURE_FONT, 0, PLOT_INK},
                      small_text = {"left", FIGURE_SMALL, 0, PLOT_MUTED},
                      tic_text = {"center", FIGURE_SMALL, 0, PLOT_INK};

// Writes at most `room` pixels of `length` bytes of a text.
static void put_text(FILE *out, const FigureLayout *layout, const char *text, size_t length,
                     double room, double x, double y, TextLook look)
{
    char line[512];
    while (length && text[length - 1] == ' ') length--;
    if (!length) return;
    fputs("set label ", out);
    plot_quoted(out, text_fit(line, sizeof line, text, length, room, look.size));
    fprintf(out, " at screen %.6f, screen %.6f %s rotate by %d font ',%g' textcolor '%s' front\n",
            screen_x(layout, x), screen_y(layout, y), look.align, look.turn, look.size,
            look.colour);
}

// Writes the lines of a text from `top` on; returns where they end.
static double put_lines(FILE *out, const FigureLayout *layout, const char *text, double room,
                        double x, double top, double line, TextLook look)
{
    for (size_t length; text && (length = text_line(text, room, look.size)) > 0; text += length) {
        put_text(out, layout, text, length, room, x, top + line / 2, look);
        top += line;
    }
    return top;
}

// ---- above and below the panels ----

static void put_sample(FILE *out, const FigureLayout *layout, size_t series)
{
    const LegendEntry *entry = &layout->legend[series];
    SeriesLook look = figure_series_look(layout->figure->kind, series);
    double left = screen_x(layout, entry->left), middle = screen_y(layout, entry->middle);
    double right = screen_x(layout, entry->left + SWATCH);
    double half = SWATCH / 2.0 / layout->height;
    if (layout->figure->kind <= FIGURE_STACKED) {
        char fill[32] = "solid";
        if (look.pattern) snprintf(fill, sizeof fill, "pattern %u", look.pattern);
        fprintf(out, "set object rectangle from screen %.6f, screen %.6f to screen %.6f, "
                     "screen %.6f fillcolor '%s' fillstyle %s border linecolor '" PLOT_INK "' "
                     "linewidth 0.5\n", left, middle - half, right, middle + half, look.colour,
                fill);
        return;
    }
    if (layout->figure->kind != FIGURE_POINTS)
        fprintf(out, "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead "
                     "dashtype %u linewidth 1.4 linecolor '%s'\n",
                left - 1.5 / layout->width, middle, right + 1.5 / layout->width, middle,
                layout->figure->kind == FIGURE_LINES ? look.dash : 1, look.colour);
    fprintf(out, "set label '' at screen %.6f, screen %.6f point pointtype %u pointsize %g "
                 "linecolor '%s'\n", (left + right) / 2, middle, look.point,
            fmax(figure_mark_size(layout), 0.5), look.colour);
}

static void put_legend(FILE *out, const FigureLayout *layout)
{
    const FigureData *data = layout->data;
    for (size_t i = 0; i < data->series.count; i++) {
        const LegendEntry *entry = &layout->legend[i];
        if (entry->middle == 0) continue; // one series without a name
        double x = entry->left + SWATCH + SWATCH_GAP;
        put_sample(out, layout, i);
        put_text(out, layout, data->series.items[i], strlen(data->series.items[i]),
                 layout->width - MARGIN - x, x, entry->middle, plain_text);
    }
    if (!data->has_published) return;
    const LegendEntry *entry = &layout->legend[FIGURE_SERIES];
    fprintf(out, "set label '' at screen %.6f, screen %.6f point pointtype 12 pointsize diamond "
                 "linewidth 1 linecolor '" PLOT_INK "'\n",
            screen_x(layout, entry->left + SWATCH / 2.0), screen_y(layout, entry->middle));
    put_text(out, layout, "published", strlen("published"), layout->width,
             entry->left + SWATCH + SWATCH_GAP, entry->middle, plain_text);
}

static void put_outer_texts(FILE *out, const FigureLayout *layout)
{
    double room = layout->width - 2 * MARGIN;
    TextLook title = plain_text;
    title.size = FIGURE_TITLE;
    put_lines(out, layout, layout->figure->title, room, MARGIN, MARGIN, TITLE_LINE, title);
    if (layout->has_legend) put_legend(out, layout);
    double top = put_lines(out, layout, layout->remarks, room, MARGIN, layout->footer, SMALL_LINE,
                           small_text);
    put_lines(out, layout, layout->figure->note, room, MARGIN, top, SMALL_LINE, small_text);
    for (size_t i = 0; i < layout->mark_count; i++) {
        const FigureMark *mark = &layout->marks[i];
        TextLook look = {mark->upright ? "left" : "center", FIGURE_SMALL, mark->upright ? 90 : 0,
                         mark->upright ? PLOT_MUTED : PLOT_INK};
        put_text(out, layout, mark->text, strlen(mark->text), layout->width, mark->x, mark->y,
                 look);
    }
}

// ---- a panel ----

static void put_tics(FILE *out, const FigureLayout *layout, const FigureFrame *frame)
{
    bool numbers = layout->figure->own_limits || frame->first_in_row;
    TextLook right = tic_text;
    right.align = "right";
    for (unsigned i = 0; numbers && i < frame->y.count; i++)
        put_text(out, layout, frame->y.texts[i], strlen(frame->y.texts[i]), layout->width,
                 frame->left - TIC_GAP, frame_y(frame, frame->y.tics[i]), right);
    for (unsigned i = 0; i < frame->x.count; i++)
        put_text(out, layout, frame->x.texts[i], strlen(frame->x.texts[i]), layout->width,
                 frame_x(frame, frame->x.tics[i]),
                 frame->top + frame->height + TIC_GAP + SMALL_LINE / 2.0, tic_text);
    // gnuplot draws the lines behind the data at tics without texts.
    fputs("unset xtics\nset ytics nomirror scale 0 (", out);
    for (unsigned i = 0; i < frame->y.count; i++)
        fprintf(out, "%s'' %.10g", i ? ", " : "", frame->y.tics[i]);
    fputs(")\n", out);
    if (frame->x.count) {
        fputs("set xtics nomirror scale 0 (", out);
        for (unsigned i = 0; i < frame->x.count; i++)
            fprintf(out, "%s'' %.10g", i ? ", " : "", frame->x.tics[i]);
        fputs(")\n", out);
    }
    fprintf(out, "set grid %sytics linestyle 1 linewidth 0.7 back\n",
            frame->x.count ? "xtics " : "");
}

static void put_category(FILE *out, const FigureLayout *layout, const FigureFrame *frame,
                         const char *name, double x)
{
    double top = frame->top + frame->height + layout->stack_label_height + TIC_GAP;
    TextLook look = tic_text;
    if (layout->look == LABELS_FLAT) {
        put_lines(out, layout, name, layout->label_room, x, top, SMALL_LINE, look);
        return;
    }
    look.align = "right";
    look.turn = layout->look == LABELS_SLANTED ? 45 : 90;
    double shift = layout->look == LABELS_SLANTED ? 3 : 0;
    put_text(out, layout, name, strlen(name), layout->label_room, x + shift, top + shift, look);
}

static void put_categories(FILE *out, const FigureLayout *layout, size_t number)
{
    const FigurePanel *panel = &layout->data->panels[number];
    const FigureFrame *frame = &layout->frames[number];
    const NameList *stacks = &layout->data->stacks;
    TextLook upright = {"right", FIGURE_SMALL, 90, PLOT_MUTED};
    for (size_t i = 0; i < panel->categories.count; i++) {
        put_category(out, layout, frame, panel->categories.items[i], frame_x(frame, (double)i));
        for (size_t k = 0; layout->stack_label_height > 0 && k < stacks->count; k++)
            if (panel->has_stack[k])
                put_text(out, layout, stacks->items[k], strlen(stacks->items[k]),
                         layout->stack_label_height - TIC_GAP,
                         frame_x(frame, figure_slot_x(layout, number, i, k)),
                         frame->top + frame->height + TIC_GAP, upright);
    }
}

static void put_axis_labels(FILE *out, const FigureLayout *layout, size_t panel)
{
    const Figure *figure = layout->figure;
    const FigureFrame *frame = &layout->frames[panel];
    TextLook look = plain_text;
    look.align = "center";
    if (figure->x_label && frame->last_in_column) {
        double below = figure_has_categories(figure->kind)
                           ? layout->label_height + layout->stack_label_height
                           : TIC_GAP + SMALL_LINE;
        put_text(out, layout, figure->x_label, strlen(figure->x_label),
                 layout->data->panel_count > 1 ? frame->width + 10 : layout->width - 2 * MARGIN,
                 frame->left + frame->width / 2,
                 frame->top + frame->height + below + AXIS_LABEL / 2.0 + 1, look);
    }
    if (layout->data->panel_count > 1) {
        // In a lower line if the name has one line, and names of other panels have two.
        const char *name = layout->data->panels[panel].name;
        size_t first = text_line(name, frame->width, look.size);
        bool two = name[first];
        double x = frame->left + frame->width / 2, y = frame->top - layout->top_room - 9;
        put_text(out, layout, name, first, frame->width, x, two ? y - PANEL_LINE : y, look);
        if (two)
            put_text(out, layout, name + first, strlen(name + first), frame->width, x, y, look);
    }
    if (!figure->y_label || !frame->first_in_row) return;
    look.turn = 90;
    double x = frame->label + (AXIS_LABEL - 2) / 2.0 - 1;
    const char *text = figure->y_label;
    for (unsigned i = 0; i < 2 && *text; i++, x += AXIS_LABEL - 2) {
        size_t length = text_line(text, frame->height, look.size);
        put_text(out, layout, text, i ? strlen(text) : length, frame->height, x,
                 frame->top + frame->height / 2, look);
        text += length;
    }
}

static bool put_panel(FILE *out, const FigureLayout *layout, size_t panel)
{
    const FigureFrame *frame = &layout->frames[panel];
    const Figure *figure = layout->figure;
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                 "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
            screen_x(layout, frame->left), screen_x(layout, frame->left + frame->width),
            screen_y(layout, frame->top), screen_y(layout, frame->top + frame->height));
    fprintf(out, "unset logscale\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n",
            frame->x.low, frame->x.high, frame->y.low, frame->y.high);
    if (frame->x.log || frame->y.log)
        fprintf(out, "set logscale %s%s\n", frame->x.log ? "x" : "", frame->y.log ? "y" : "");
    put_tics(out, layout, frame);
    if (figure_has_categories(figure->kind)) put_categories(out, layout, panel);
    put_axis_labels(out, layout, panel);
    if (!frame->y.log && frame->y.low < 0 && frame->y.high > 0)
        fputs("set arrow from graph 0, first 0 to graph 1, first 0 nohead front linewidth 0.7 "
              "linecolor '" PLOT_MUTED "'\n", out);
    if (figure->draw_line && figure->line >= frame->y.low && figure->line <= frame->y.high)
        fprintf(out, "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead front "
                     "linewidth 1 linecolor '" PLOT_INK "'\n", figure->line, figure->line);
    bool ok = figure_write_data(out, layout, panel);
    fputs("unset label\nunset arrow\nunset object\n", out);
    return ok;
}

bool figure_write(FILE *out, const FigureLayout *layout)
{
    fputs("set border 3 linewidth 0.7 linecolor '" PLOT_MUTED "'\nset multiplot\n", out);
    put_outer_texts(out, layout);
    for (size_t i = 0; i < layout->data->panel_count; i++)
        if (!put_panel(out, layout, i)) return false;
    fputs("unset multiplot\n", out);
    return true;
}
