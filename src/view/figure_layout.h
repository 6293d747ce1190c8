// Where everything of a figure is. Places are in pixels from the upper left corner.
#ifndef HEDDLE_VIEW_FIGURE_LAYOUT_H
#define HEDDLE_VIEW_FIGURE_LAYOUT_H

#include "view/axis.h"
#include "view/figure_data.h"

// Sizes of texts: 8, 7 and 9 points.
#define FIGURE_FONT (32.0 / 3)
#define FIGURE_SMALL (28.0 / 3)
#define FIGURE_TITLE 12.0

enum {
    MARGIN = 5, TITLE_LINE = 16, LEGEND_LINE = 15, SMALL_LINE = 12, PANEL_LINE = 14,
    SWATCH = 9, SWATCH_GAP = 4,  // of the legend: the sample, and the room behind it
    TIC_GAP = 4, AXIS_LABEL = 15, // between an axis and the texts of its tics; a line of its label
    LABEL_LINES = 2,             // of a category's name, and of a panel's
};

// The data area of a panel.
typedef struct FigureFrame {
    double left, top, width, height;
    Axis x, y;
    size_t slots;         // side by side in a category
    double slot;          // the width of one of them, in categories
    double label;         // the left edge of the y axis's label
    bool first_in_row, last_in_column;
} FigureFrame;

typedef enum LabelLook { LABELS_FLAT, LABELS_SLANTED, LABELS_UPRIGHT } LabelLook;

typedef struct LegendEntry {
    double left, middle; // of its sample
} LegendEntry;

// A remark beside a value, or in place of one.
typedef struct FigureMark {
    double x, y;      // of its middle, or if `upright` of its lower end
    bool upright;
    const char *text;
} FigureMark;

typedef struct FigureLayout {
    const Figure *figure;
    const FigureData *data;
    double width, height;
    FigureFrame *frames;           // of the panels
    size_t columns;                // of panels
    LabelLook look;                // of the categories' names
    double label_room;             // the greatest length of such a name
    double label_height, stack_label_height; // below the data area
    bool cuts_values, cuts_published; // some are beyond the y axis
    double panel_title;            // the height of the panels' names
    double top_room;               // above the data area, for the numbers of those
    LegendEntry legend[FIGURE_SERIES + 1]; // of the series; the last is for published values
    bool has_legend;
    double footer;                 // where the notes begin
    char *remarks;                 // what the marks mean, "" or a sentence; then the figure's note
    FigureMark *marks;
    size_t mark_count, mark_capacity;
    HdArena arena;
} FigureLayout;

// false and err: the figure's sizes or limits are wrong, the categories have no room, or out of
// memory. figure_layout_free also then.
bool figure_lay_out(FigureLayout *layout, const Figure *figure, const FigureData *data,
                    HdError *err);
void figure_layout_free(FigureLayout *layout);

// Gives the frames their axes. The frames have sizes. false and err: the figure's limits are wrong.
bool figure_set_limits(FigureLayout *layout, HdError *err);

// Finds the marks and remarks. The frames are complete. false and err: out of memory, or there are
// too many different notes.
bool figure_find_marks(FigureLayout *layout, HdError *err);

// The middle of a series, or of a stack of stacked bars, on the x axis of its panel.
double figure_slot_x(const FigureLayout *layout, size_t panel, size_t category, size_t number);

// Whether the value can be drawn: it is there and, on a logarithmic axis, above zero.
bool figure_is_drawn(bool log, double value);
// Whether the value is beyond the upper end of its axis, and therefore written as a number.
bool figure_is_cut(double value, double limit);

static inline double frame_x(const FigureFrame *frame, double x)
{
    return frame->left + axis_place(&frame->x, x) * frame->width;
}

static inline double frame_y(const FigureFrame *frame, double y)
{
    return frame->top + (1 - axis_place(&frame->y, y)) * frame->height;
}

// Where bars begin.
static inline double frame_base(const FigureFrame *frame)
{
    return frame->y.log || frame->y.low > 0 ? frame->y.low : frame->y.high < 0 ? frame->y.high : 0;
}

#endif
