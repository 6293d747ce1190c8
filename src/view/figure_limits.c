// The axes of a figure's panels.
#include "view/figure_layout.h"

#include <math.h>

typedef struct Limits {
    double low, high; // low > high: of no value
} Limits;

bool figure_is_drawn(bool log, double value) { return log ? value > 0 : !isnan(value); }

static void include(Limits *limits, bool log, double value)
{
    if (!figure_is_drawn(log, value)) return;
    limits->low = fmin(limits->low, value);
    limits->high = fmax(limits->high, value);
}

static void include_stacks(Limits *limits, const FigureLayout *layout, const FigurePanel *panel)
{
    const FigureData *data = layout->data;
    for (size_t i = 0; i < panel->categories.count * data->stacks.count; i++) {
        double sum = 0;
        for (size_t k = 0; k < data->series.count; k++) {
            const FigurePoint *point =
                figure_cell(data, panel, i / data->stacks.count, i % data->stacks.count, k);
            if (point && !isnan(point->value)) sum += point->value;
        }
        include(limits, layout->figure->log_y, sum);
    }
}

// Of a panel's values; panel_count: of all.
static Limits limits_of(const FigureLayout *layout, size_t panel, bool of_x)
{
    const FigureData *data = layout->data;
    bool log = of_x ? layout->figure->log_x : layout->figure->log_y;
    Limits limits = {INFINITY, -INFINITY};
    for (size_t i = 0; i < data->count; i++) {
        const FigurePoint *point = &data->points[i];
        if (panel < data->panel_count && point->panel != panel) continue;
        if (of_x) {
            include(&limits, log, point->x);
            continue;
        }
        include(&limits, log, point->value);
        include(&limits, log, point->low);
        include(&limits, log, point->high);
        include(&limits, log, point->published);
    }
    bool stacked = layout->figure->kind == FIGURE_STACKED;
    for (size_t i = 0; !of_x && stacked && i < data->panel_count; i++)
        if (panel == data->panel_count || panel == i)
            include_stacks(&limits, layout, &data->panels[i]);
    return limits;
}

// A sum of shares may be above 100 by a rounding.
bool figure_is_cut(double value, double limit) { return value > limit + fabs(limit) * 1e-6; }

// Notes whether y_max cuts values of categories.
static void find_cuts(FigureLayout *layout, double y_max)
{
    Limits sums = {INFINITY, -INFINITY};
    for (size_t i = 0; layout->figure->kind == FIGURE_STACKED && i < layout->data->panel_count; i++)
        include_stacks(&sums, layout, &layout->data->panels[i]);
    layout->cuts_values = figure_is_cut(sums.high, y_max);
    layout->cuts_published = false;
    for (size_t i = 0; i < layout->data->count; i++) {
        const FigurePoint *point = &layout->data->points[i];
        layout->cuts_values |= figure_is_cut(point->value, y_max);
        layout->cuts_published |= figure_is_cut(point->published, y_max);
    }
}

static bool set_y(const FigureLayout *layout, Axis *axis, size_t panel, double height, HdError *err)
{
    const Figure *figure = layout->figure;
    bool log = figure->log_y, bars = figure->kind <= FIGURE_STACKED;
    Limits limits = limits_of(layout, panel, false);
    if (figure->draw_line) include(&limits, log, figure->line);
    if (limits.low > limits.high) limits = log ? (Limits){1, 10} : (Limits){0, 1};
    // Other marks than bars have a zero too, unless it would take more room than they do.
    if (!log && (bars || (limits.low > 0 && limits.low < limits.high / 2)))
        include(&limits, false, 0);
    // A bar at the lower edge would have no height, and other marks at an edge would be half.
    if (log && bars) limits.low *= 0.99;
    if (log && !bars) limits = (Limits){limits.low / 1.4, limits.high * 1.4};
    if (figure->y_min != 0) limits.low = figure->y_min;
    if (figure->y_max != 0) limits.high = figure->y_max;
    if (log && limits.low <= 0)
        return hd_fail(err, "a logarithmic y axis from %g: expected a limit above 0", limits.low);
    if ((figure->y_min != 0 || figure->y_max != 0) && limits.low >= limits.high)
        return hd_fail(err, "a y axis from %g to %g: expected the lower limit first", limits.low,
                       limits.high);
    unsigned tics = (unsigned)(height / 26);
    bool rounded = !log || bars;
    axis_set(axis, log, limits.low, limits.high, tics, rounded && figure->y_min == 0,
             rounded && figure->y_max == 0);
    if (axis->count < 2 && !rounded)
        axis_set(axis, log, limits.low, limits.high, tics, figure->y_min == 0, figure->y_max == 0);
    return true;
}

static void set_x(const FigureLayout *layout, Axis *axis, size_t panel, double width)
{
    bool log = layout->figure->log_x;
    unsigned tics = (unsigned)(width / 45);
    Limits limits = limits_of(layout, panel, true);
    if (limits.low > limits.high) limits = log ? (Limits){1, 10} : (Limits){0, 1};
    if (layout->figure->kind == FIGURE_POINTS) {
        double room = log ? pow(limits.high / limits.low, 0.03) : (limits.high - limits.low) * 0.03;
        limits.low = log ? limits.low / room : limits.low - room;
        limits.high = log ? limits.high * room : limits.high + room;
    }
    axis_set(axis, log, limits.low, limits.high, tics, false, false);
    if (axis->count < 2) axis_set(axis, log, limits.low, limits.high, tics, true, true);
}

bool figure_set_limits(FigureLayout *layout, HdError *err)
{
    const FigureData *data = layout->data;
    if (layout->figure->y_max != 0 && figure_has_categories(layout->figure->kind))
        find_cuts(layout, layout->figure->y_max);
    for (size_t i = 0; i < data->panel_count; i++) {
        FigureFrame *frame = &layout->frames[i];
        size_t panel = layout->figure->own_limits ? i : data->panel_count;
        if (!set_y(layout, &frame->y, panel, frame->height, err)) return false;
        if (figure_has_categories(layout->figure->kind))
            frame->x = (Axis){.low = -0.5, .high = (double)data->panels[i].categories.count - 0.5};
        else set_x(layout, &frame->x, panel, frame->width);
    }
    return true;
}
