// The runs of a study: one point of each axis, and the words of `heddle run` for them.
#ifndef HEDDLE_STUDY_STUDY_MATRIX_H
#define HEDDLE_STUDY_STUDY_MATRIX_H

#include "store/tables.h"
#include "study/study.h"

typedef struct StudyRun {
    const char *name;   // the names of its points, with dots between them
    const char **words; // of heddle run, NULL-terminated
    size_t word_count;
    size_t *points;     // by axis: index of the point
    size_t *baselines;  // indices of the runs that it is relative to: along one axis, or several
    size_t baseline_count;
} StudyRun;

typedef struct StudyMatrix {
    StudyRun *runs; // the last axis changes fastest
    size_t count, capacity;
    HdArena arena;
} StudyMatrix;

// Makes the runs, and in `tables` the table `points`. It has a row for each run, whose rowid is
// the index of the run + 1. Its columns: for each axis the name of the point, and if the axis has
// baselines, as AXIS_baseline the name of the point that it is relative to (itself, if to none);
// all columns of the points; and `scale`. Free in any case.
bool study_matrix_make(StudyMatrix *matrix, const Study *study, Store *tables, double scale,
                       HdError *err);
void study_matrix_free(StudyMatrix *matrix);

// The runs that meet an SQL condition over `points`, as indices in the order of the matrix; all, if
// it has no text. *runs is owned by the caller: free().
bool study_matrix_select(const StudyMatrix *matrix, Store *tables, const StudyText *condition,
                         size_t **runs, size_t *count, HdError *err);

#endif
