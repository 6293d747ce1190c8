// Remarks of a figure: what stands in the place of missing values, signs beside values, and what
// the signs mean.
#include "view/figure_layout.h"

#include "base/number.h"
#include "view/text_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const signs[] = {"*", "\u2020", "\u2021", "\u00a7", "\u00b6", "a", "b", "c",
                                    "d", "e", "f", "g", "h"};
enum { SIGNS = sizeof signs / sizeof *signs };

static const char no_data[] = "no data", part_lacks[] = "part without data",
                  not_on_log[] = "not above 0";

typedef struct Finder {
    FigureLayout *layout;
    const char *notes[SIGNS]; // by sign
    size_t count;
    HdError *err;
} Finder;

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "drawing a figure"); }

static bool add_mark(Finder *f, FigureMark mark)
{
    FigureLayout *layout = f->layout;
    return HD_PUSH(layout->marks, layout->mark_count, layout->mark_capacity, mark) ||
           out_of_memory(f->err);
}

static bool add_sign(Finder *f, double x, double y, const char *note)
{
    size_t i = 0;
    while (i < f->count && strcmp(f->notes[i], note) != 0) i++;
    if (i == SIGNS)
        return hd_fail(f->err, "note '%.60s': expected at most %d different notes in a figure",
                       note, SIGNS);
    if (i == f->count) f->notes[f->count++] = note;
    return add_mark(f, (FigureMark){.x = x, .y = y, .text = signs[i]});
}

// ---- categories ----

// What is drawn of a slot.
typedef struct Slot {
    bool missing;
    const char *note;  // NULL: none
    double value, published; // NAN: none
    double top;        // in values; the upper end of what is drawn
} Slot;

static void look_at_value(const Figure *figure, const FigurePoint *point, Slot *slot)
{
    if (!point || !figure_is_drawn(figure->log_y, point->value)) {
        slot->missing = true;
        if (point) slot->published = point->published;
        slot->note = point && point->note ? point->note
                     : point && !isnan(point->value) ? not_on_log : no_data;
        return;
    }
    slot->note = point->note;
    slot->top = slot->value = point->value;
    slot->published = point->published;
    if (point->high > slot->top) slot->top = point->high;
    if (point->published > slot->top) slot->top = point->published;
}

static Slot look_at_stack(const FigureLayout *layout, const FigurePanel *panel, size_t category,
                          size_t stack)
{
    Slot slot = {.published = NAN};
    bool any = false, lacks = false;
    for (size_t i = 0; i < layout->data->series.count; i++) {
        const FigurePoint *point = figure_cell(layout->data, panel, category, stack, i);
        if (!point) continue;
        if (point->note && !slot.note) slot.note = point->note;
        if (!isnan(point->published)) slot.published = fmax(point->published, slot.published);
        if (isnan(point->value)) lacks = true;
        else slot.top += point->value;
        any |= !isnan(point->value);
    }
    slot.value = slot.top;
    slot.missing = !any || !figure_is_drawn(layout->figure->log_y, slot.top);
    if (!slot.note && slot.missing) slot.note = any ? not_on_log : no_data;
    if (!slot.note && lacks) slot.note = part_lacks;
    return slot;
}

// The pixels above what is drawn at `value`, or below where it is negative.
static double beside(const FigureFrame *frame, double value)
{
    double y = frame_y(frame, fmin(fmax(value, frame->y.low), frame->y.high));
    return value < 0 && !frame->y.log ? y + 6 : y - 5;
}

// `y` of a mark of the height of a sign, moved up if the figure's line crosses it.
static double clear_of_line(const FigureLayout *layout, const FigureFrame *frame, double y)
{
    const Figure *figure = layout->figure;
    if (!figure->draw_line || !figure_is_drawn(figure->log_y, figure->line)) return y;
    double line = frame_y(frame, figure->line);
    return fabs(line - y) < 6 ? line - 6 : y;
}

// Marks slots from `first` to `last`, which are next to each other and lack values for one reason:
// by the reason itself if there is room, else by a sign.
static bool mark_missing(Finder *f, const FigureFrame *frame, double first, double last,
                         const char *note)
{
    double slot = frame->slot / (double)(frame->x.high - frame->x.low) * frame->width;
    double middle = (frame_x(frame, first) + frame_x(frame, last)) / 2;
    double room = frame_x(frame, last) - frame_x(frame, first) + slot;
    double y = frame_y(frame, frame_base(frame));
    size_t length = strlen(note);
    double begin = clear_of_line(f->layout, frame, y - 5);
    if (room >= FIGURE_SMALL &&
        text_width(note, length, FIGURE_SMALL) <= begin - frame->top)
        return add_mark(f, (FigureMark){.x = middle, .y = begin + 2, .upright = true,
                                        .text = note});
    return add_sign(f, middle, begin, note);
}

// Writes numbers that are beyond the axis above the data area, behind the place of such numbers
// before, *taken.
static bool mark_cut(Finder *f, const FigureFrame *frame, const Slot *slot, double x, double *taken)
{
    char text[64];
    bool value = !slot->missing && figure_is_cut(slot->value, frame->y.high);
    bool published = figure_is_cut(slot->published, frame->y.high);
    if (!value && !published) return true;
    int used = value ? number_format(text, sizeof text, "%.3g", slot->value) : 0;
    if (published)
        number_format(text + used, sizeof text - (size_t)used, "%s\u25c7%.3g", value ? " " : "",
                      slot->published);
    x = fmax(frame_x(frame, x), *taken + FIGURE_SMALL);
    *taken = x;
    const char *kept = hd_arena_text(&f->layout->arena, text, strlen(text));
    return (kept || out_of_memory(f->err)) &&
           add_mark(f, (FigureMark){.x = x, .y = frame->top - 4, .upright = true, .text = kept});
}

static bool mark_category(Finder *f, size_t number, size_t category, double *taken)
{
    const FigureLayout *layout = f->layout;
    const FigurePanel *panel = &layout->data->panels[number];
    const FigureFrame *frame = &layout->frames[number];
    bool stacked = layout->figure->kind == FIGURE_STACKED;
    const char *reason = NULL; // of the missing slots before
    double first = 0, last = 0;
    for (size_t i = 0; i < (stacked ? layout->data->stacks.count : layout->data->series.count);
         i++) {
        if (!(stacked ? panel->has_stack : panel->has_series)[i]) continue;
        Slot slot = {.published = NAN};
        if (stacked) slot = look_at_stack(layout, panel, category, i);
        else look_at_value(layout->figure, figure_cell(layout->data, panel, category, 0, i), &slot);
        bool same = slot.missing && reason && strcmp(slot.note, reason) == 0;
        if (reason && !same) {
            if (!mark_missing(f, frame, first, last, reason)) return false;
            reason = NULL;
        }
        last = figure_slot_x(layout, number, category, i);
        if (slot.missing && !reason) {
            reason = slot.note;
            first = last;
        }
        if (!mark_cut(f, frame, &slot, last, taken)) return false;
        if (!slot.missing && slot.note &&
            !add_sign(f, frame_x(frame, last),
                      clear_of_line(layout, frame, beside(frame, slot.top)), slot.note))
            return false;
    }
    return !reason || mark_missing(f, frame, first, last, reason);
}

// ---- lines and points ----

// The number of points that are missing, and the first of their notes; and that a logarithmic axis
// cannot show.
typedef struct Absent {
    size_t missing, outside;
    const char *note;
    bool notes_differ;
} Absent;

static bool mark_points(Finder *f, Absent *absent)
{
    const FigureLayout *layout = f->layout;
    for (size_t i = 0; i < layout->data->count; i++) {
        const FigurePoint *point = &layout->data->points[i];
        const FigureFrame *frame = &layout->frames[point->panel];
        if (isnan(point->value)) {
            const char *note = point->note ? point->note : no_data;
            absent->notes_differ |= absent->note && strcmp(absent->note, note) != 0;
            if (!absent->note) absent->note = note;
            absent->missing++;
        } else if (!figure_is_drawn(layout->figure->log_y, point->value) ||
                   !figure_is_drawn(layout->figure->log_x, point->x)) {
            absent->outside++;
        } else if (point->note && !add_sign(f, frame_x(frame, point->x),
                                            beside(frame, point->value), point->note)) {
            return false;
        }
    }
    return true;
}

// ---- what the signs mean ----

static bool write_remarks(Finder *f, const Absent *absent)
{
    size_t size;
    const char *between = "";
    FILE *out = open_memstream(&f->layout->remarks, &size);
    if (!out) return out_of_memory(f->err);
    for (size_t i = 0; i < f->count; i++, between = ";  ")
        fprintf(out, "%s%s %s", between, signs[i], f->notes[i]);
    if (absent->missing) {
        fprintf(out, "%s%zu value%s missing (%s%s)", between, absent->missing,
                absent->missing == 1 ? " is" : "s are", absent->note,
                absent->notes_differ ? ", and others" : "");
        between = ";  ";
    }
    if (absent->outside)
        fprintf(out, "%s%zu value%s at or below 0 cannot be on a logarithmic axis", between,
                absent->outside, absent->outside == 1 ? "" : "s");
    return fclose(out) == 0 || out_of_memory(f->err);
}

bool figure_find_marks(FigureLayout *layout, HdError *err)
{
    Finder finder = {.layout = layout, .err = err};
    Absent absent = {0};
    bool ok = true;
    if (!figure_has_categories(layout->figure->kind)) ok = mark_points(&finder, &absent);
    else
        for (size_t i = 0; ok && i < layout->data->panel_count; i++) {
            double taken = 0;
            for (size_t k = 0; ok && k < layout->data->panels[i].categories.count; k++)
                ok = mark_category(&finder, i, k, &taken);
        }
    return ok && write_remarks(&finder, &absent);
}
