// A study: a matrix of runs, the rows that are taken from their results, and what is made of these:
// tables, figures, claims and a page. Read from a YAML file; docs/study.md describes it.
//
//     axes      points with words of `heddle run`; a run is one point of each axis
//     records   rows of results, by SQL, or degrees of graphs; kept as CSV files
//     views     SQL over the records, for what several tables share
//     tables, figures, claims     SQL over records and views
//     page      text, with places for tables and figures
#ifndef HEDDLE_STUDY_STUDY_H
#define HEDDLE_STUDY_STUDY_H

#include "base/memory.h"
#include "store/query.h"

// A text of the file and its place. text NULL: the key was not given.
typedef struct StudyText {
    const char *text;
    QueryPlace place;
} StudyText;

typedef struct StudyColumn {
    const char *name;
    Cell value;
} StudyColumn;

// One value of an axis. Placeholders {SQL} in `name`, `run` and `when` have been replaced where
// they are columns of `for`; others are evaluated for each run.
typedef struct StudyPoint {
    const char *name;
    StudyText run;      // words of heddle run; NULL: none
    StudyText when;     // SQL: the runs that have this point, by the columns of all axes; NULL: all
    const char *baseline; // name of the point that this one is relative to; NULL: none
    StudyColumn *columns; // of the user's own
    size_t column_count, column_capacity;
} StudyPoint;

typedef struct StudyAxis {
    const char *name;
    StudyPoint *points;
    size_t count, capacity;
    bool has_baseline; // a point has one
} StudyAxis;

typedef struct StudyRecord {
    const char *name, *file; // of the table; of the CSV, without its folder
    StudyText key;           // columns of the points that the rows begin with: "work, class";
                             // NULL: none, and the rows are of one run, which `where` selects
    StudyText where;         // SQL: the runs that have rows; NULL: all
    StudyText sql;           // over run, launch and point; its columns follow the key's
    bool degrees;            // in place of `sql`: how many vertices of the runs' graphs have each
                             // out-degree; the rows are of the first run with each key
} StudyRecord;

typedef struct StudyView {
    const char *name;
    StudyText sql;
} StudyView;

typedef struct StudyTable {
    const char *name;
    StudyText sql;
    const char *align; // "l", "r" of each column, such as "lrr"; NULL: numbers to the right
    bool only_rows;    // printed with --rows only
    bool only_page;    // printed without --rows only: another table has the rows, in other columns
} StudyTable;

typedef struct StudyFigure {
    const char *name, *title; // the paper's number, such as "8" or "24a"
    const char *kind, *x, *y, *note;
    StudyText sql;
    StudyText needs; // SQL: the runs that it is drawn from; NULL: all
    bool log_x, log_y, has_line, wide;
    bool own_limits;     // each panel has a y axis of its own
    double y_min, y_max; // of the y axis; 0: chosen
    double line;         // across the figure, such as 1 for the baseline
    QueryPlace place;
} StudyFigure;

typedef struct StudyClaim {
    const char *id, *source, *metric, *mechanism, *work, *unit;
    const char *statistic; // "above" or "below": a bound; others say what the number is
    const char *published; // a number
    const char *reason;    // why it is not met, or not measured
    double neutral;        // the value without an effect
    double tolerance;      // of the effect; 0.3 if it is not given
    bool cannot_fail;      // it is marked so, and not counted
    StudyText sql;         // gives the value; then perhaps the value over all launches, and a text
                           // that names the inputs. NULL: not measured
} StudyClaim;

typedef struct Study {
    const char *name, *path; // by the file: "khairy2015"
    const char *title, *paper;
    const char *paper_name; // in the list of claims; the study's name if it is not given
    StudyText run; // words of all runs, behind those of points
    StudyAxis *axes;
    StudyRecord *records;
    StudyView *views;
    StudyTable *tables;
    StudyFigure *figures;
    StudyClaim *claims;
    size_t axis_count, record_count, view_count, table_count, figure_count, claim_count;
    size_t axis_capacity, record_capacity, view_capacity, table_capacity, figure_capacity,
        claim_capacity;
    StudyText page;
    HdArena arena; // owns all texts
} Study;

// Reads a study. false and err, with file:line:column: it cannot be read, or a key or value is
// wrong. study_free also then.
bool study_read(Study *study, const char *path, HdError *err);
// The same for a text; `path` is for messages, and gives the name.
bool study_read_text(Study *study, const char *path, const char *text, size_t size, HdError *err);
void study_free(Study *study);

#endif
