// A study that a command works on: its file, its runs, and its data.
#ifndef HEDDLE_CLI_STUDY_STUDY_SESSION_H
#define HEDDLE_CLI_STUDY_STUDY_SESSION_H

#include "study/study_matrix.h"

typedef struct StudySession {
    Study study;
    Store *tables;
    StudyMatrix matrix;
    char *data;     // the folder of its CSV files
    size_t missing; // of these files
} StudySession;

typedef struct SessionOptions {
    const char *name;  // of a study that comes with Heddle, or the path of a file
    const char *data;  // as --data; NULL: the folder of Heddle's results, or of the file
    const char *store; // results that the tables see; NULL: none
    double scale;
    bool rows; // tables with a row for each kernel, program or input
} SessionOptions;

// Reads the study, makes its runs, reads its data, and makes the table `options`, whose column
// `every` is 1 for tables with all rows. false and err. Close in any
// case.
bool study_session_open(StudySession *session, const SessionOptions *options, HdError *err);
void study_session_close(StudySession *session);

#endif
