// Draws a figure: reads the rows, lays them out, and has the script drawn.
#include "view/figure.h"

#include "base/number.h"
#include "view/figure_script.h"
#include "view/plot.h"

#include <math.h>
#include <stdlib.h>

const char *const figure_kinds[] = {"bars", "stacked", "ranges", "lines", "points", NULL};

static char *write_script(const FigureLayout *layout, HdError *err)
{
    char *script = NULL;
    size_t size;
    FILE *out = open_memstream(&script, &size);
    locale_t of_program = number_locale_begin();
    bool ok = out && figure_write(out, layout);
    number_locale_end(of_program);
    if (out) ok = fclose(out) == 0 && ok;
    if (ok) return script;
    free(script);
    hd_fail_memory(err, "drawing a figure");
    return NULL;
}

char *figure_script(const Figure *figure, const Rows *rows, unsigned *width, unsigned *height,
                    HdError *err)
{
    FigureData data = {0};
    FigureLayout layout = {0};
    char *script = NULL;
    if (figure_data_read(&data, figure, rows, err) &&
        figure_lay_out(&layout, figure, &data, err)) {
        *width = (unsigned)layout.width;
        *height = (unsigned)layout.height;
        script = write_script(&layout, err);
    }
    figure_layout_free(&layout);
    figure_data_free(&data);
    return script;
}

bool figure_draw(const Figure *figure, const Rows *rows, const char *path, HdError *err)
{
    Plot plot = {.title = figure->title, .description = figure->description, .font = FIGURE_FONT};
    char *script = figure_script(figure, rows, &plot.width, &plot.height, err);
    plot.script = script;
    bool ok = script && plot_draw(&plot, path, err);
    free(script);
    return ok;
}
