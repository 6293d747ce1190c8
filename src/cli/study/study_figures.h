// Draws the figures of studies.
#ifndef HEDDLE_CLI_STUDY_STUDY_FIGURES_H
#define HEDDLE_CLI_STUDY_STUDY_FIGURES_H

#include "cli/study/study_session.h"

// The figure of this name. NULL and err, which names the nearest: there is none.
const StudyFigure *study_figure(const Study *study, const char *name, HdError *err);
// The runs that the figure of this name is drawn from, with those that they are relative to, so
// that both are of one version; NULL: all. As study_matrix_select.
bool study_figure_runs(const StudySession *session, const char *name, size_t **runs, size_t *count,
                       HdError *err);

// Checks that there is a figure of its kind.
bool study_figure_check(const StudyFigure *figure, HdError *err);

// Draws a figure into the file, by its ending (view/plot.h). The session has its views.
bool study_figure_draw(const StudySession *session, const StudyFigure *figure, const char *path,
                       HdError *err);
// Draws all figures of the study that have rows into FOLDER/STUDY-FIGURE.svg, with a note on the
// others. *count grows by their number.
bool study_figures_draw(const StudySession *session, const char *folder, size_t *count,
                        HdError *err);

#endif
