// Draws the figures of studies.
#include "cli/study/study_figures.h"

#include "base/directories.h"
#include "base/file.h"
#include "cli/common/messages.h"
#include "view/figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 256 };

const StudyFigure *study_figure(const Study *study, const char *name, HdError *err)
{
    const char *names[MOST_NAMES] = {0};
    int count = 0;
    for (size_t i = 0; i < study->figure_count; i++) {
        if (strcmp(study->figures[i].name, name) == 0) return &study->figures[i];
        if (count < MOST_NAMES) names[count++] = study->figures[i].name;
    }
    char all[512];
    hd_list_names(all, sizeof all, names, count);
    hd_fail(err, "%s: there is no figure '%s': expected one of %s", study->path, name,
            count ? all : "none");
    return NULL;
}

// Marks a run, and those that it is relative to.
static void want(const StudyMatrix *matrix, size_t run, bool *wanted)
{
    if (wanted[run]) return;
    wanted[run] = true;
    for (size_t i = 0; i < matrix->runs[run].baseline_count; i++)
        want(matrix, matrix->runs[run].baselines[i], wanted);
}

// Adds the runs that those of the list are relative to.
static bool add_baselines(const StudyMatrix *matrix, size_t *runs, size_t *count, HdError *err)
{
    bool *wanted = hd_new(matrix->count, sizeof *wanted);
    if (!wanted) return hd_fail_memory(err, "choosing runs");
    for (size_t i = 0; i < *count; i++) want(matrix, runs[i], wanted);
    *count = 0;
    for (size_t run = 0; run < matrix->count; run++)
        if (wanted[run]) runs[(*count)++] = run;
    free(wanted);
    return true;
}

bool study_figure_runs(const StudySession *session, const char *name, size_t **runs, size_t *count,
                       HdError *err)
{
    static const StudyText all = {0};
    const StudyFigure *figure = name ? study_figure(&session->study, name, err) : NULL;
    *runs = NULL;
    if (name && !figure) return false;
    return study_matrix_select(&session->matrix, session->tables, figure ? &figure->needs : &all,
                               runs, count, err) &&
           add_baselines(&session->matrix, *runs, count, err);
}

static bool find_kind(const StudyFigure *figure, FigureKind *kind, HdError *err)
{
    int count = 0;
    for (; figure_kinds[count]; count++)
        if (strcmp(figure_kinds[count], figure->kind) == 0) *kind = (FigureKind)count;
    if (strcmp(figure_kinds[*kind], figure->kind) == 0) return true;
    const char *near = hd_nearest(figure->kind, figure_kinds, count);
    char all[128];
    hd_list_names(all, sizeof all, figure_kinds, count);
    return hd_fail_at(err, figure->place.name, figure->place.line, figure->place.column,
                      "figure %s: kind '%s': expected one of %s%s%s%s", figure->name, figure->kind,
                      all, HD_DID_YOU_MEAN(near));
}

bool study_figure_check(const StudyFigure *figure, HdError *err)
{
    FigureKind kind = FIGURE_BARS;
    return find_kind(figure, &kind, err);
}

// Adds the figure's place to the message of an error.
static bool fail_at(const StudyFigure *figure, const HdError *why, HdError *err)
{
    return hd_fail_at(err, figure->place.name, figure->place.line, figure->place.column,
                      "figure %s: %.2048s", figure->name, why->text);
}

// Draws a figure, if it has rows: *drawn.
static bool draw(const StudySession *session, const StudyFigure *f, const char *path, bool *drawn,
                 HdError *err)
{
    char description[512];
    Rows rows;
    HdError why = {0};
    FigureKind kind = FIGURE_BARS;
    snprintf(description, sizeof description, "heddle study figure %s %s", session->study.name,
             f->name);
    *drawn = false;
    if (!find_kind(f, &kind, err)) return false;
    const Figure figure = {.kind = kind, .title = f->title, .description = description,
                           .x_label = f->x, .y_label = f->y, .log_x = f->log_x, .log_y = f->log_y,
                           .y_min = f->y_min, .y_max = f->y_max, .draw_line = f->has_line,
                           .line = f->line, .note = f->note, .own_limits = f->own_limits,
                           .width = f->wide ? FIGURE_PAGE : FIGURE_COLUMN};
    bool ok = store_query(session->tables, f->sql.text, &f->sql.place, &rows, err);
    *drawn = ok && rows.count;
    ok = ok && (!rows.count || figure_draw(&figure, &rows, path, &why) || fail_at(f, &why, err));
    rows_free(&rows);
    return ok;
}

bool study_figure_draw(const StudySession *session, const StudyFigure *figure, const char *path,
                       HdError *err)
{
    bool drawn;
    return draw(session, figure, path, &drawn, err) &&
           (drawn || hd_fail(err, "%s: figure %s has no rows: expected data of its runs, which "
                                  "heddle study run --figure %s makes", session->study.path,
                             figure->name, figure->name));
}

bool study_figures_draw(const StudySession *session, const char *folder, size_t *count,
                        HdError *err)
{
    const char *dot = strrchr(folder, '.');
    if (dot && dot[1] && !strchr(dot, '/') && strcmp(dot, "..") != 0)
        return hd_fail(err, "--out %s: expected a folder for several figures", folder);
    if (!file_make_folder(folder, err)) return false;
    for (size_t i = 0; i < session->study.figure_count; i++) {
        char path[DIRECTORY_TEXT];
        const StudyFigure *figure = &session->study.figures[i];
        if (snprintf(path, sizeof path, "%s/%s-%s.svg", folder, session->study.name,
                     figure->name) >= DIRECTORY_TEXT)
            return hd_fail(err, "%s: the folder's name is too long", folder);
        bool drawn;
        if (!draw(session, figure, path, &drawn, err)) return false;
        *count += drawn;
        if (!drawn)
            cli_note("figure %s has no rows: heddle study run makes its runs", figure->name);
    }
    return true;
}
