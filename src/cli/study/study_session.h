// A study that a command works on: its file, its runs, and its data.
#ifndef HEDDLE_CLI_STUDY_STUDY_SESSION_H
#define HEDDLE_CLI_STUDY_STUDY_SESSION_H

#include "study/study_matrix.h"

typedef struct StudySession {
    Study study;
    Store *tables;
    StudyMatrix matrix;
    char *data; // the folder that its CSV files are read from
    char *own;  // the folder that a run writes them to; it need not be there
} StudySession;

typedef struct SessionOptions {
    const char *name;  // of a study that comes with Heddle, or the path of a file
    const char *data;  // as --data, for reading and writing; NULL: see study_session_open
    const char *store; // results that the tables see; NULL: none
    double scale;
    bool rows; // tables with a row for each kernel, program or input
} SessionOptions;

// Data are written, and read if the folder is there, in STUDY-data of the working directory
// (scaled: STUDY-data-SCALE), or for a study of the user's own beside its file. Else they are read
// from the folder of Heddle's results; scaled data are only in the former.
//
// Reads the study, makes its runs, reads its data, and makes the table `options`, whose column
// `every` is 1 for tables with all rows. false and err. Close in any case.
bool study_session_open(StudySession *session, const SessionOptions *options, HdError *err);
void study_session_close(StudySession *session);

// Makes tables of a study that was read, with its runs and the data in the folder (NULL: none), by
// the store, scale and rows of the options. The caller closes the tables and frees the matrix, in
// any case.
bool study_session_tables(const Study *study, const char *data, const SessionOptions *options,
                          Store **tables, StudyMatrix *matrix, HdError *err);

#endif
