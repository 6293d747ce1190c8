// The rows that a study takes from results, and keeps as CSV files.
//
// A record's file has the columns of its key, then those of its SQL. Rows of runs that the store
// has not are kept from the file. A run whose baseline has other rows than before is not compared
// with it: its rows are dropped until it is run again.
#ifndef HEDDLE_STUDY_STUDY_DATA_H
#define HEDDLE_STUDY_STUDY_DATA_H

#include "study/study_matrix.h"

// Reads the CSV files of `folder` into tables with the names of the records. A file that is not
// there is no error: *missing counts them, and their tables have no rows; folder NULL: so have all.
// Call it after study_matrix_make.
bool study_data_read(const Study *study, Store *tables, const char *folder, size_t *missing,
                     HdError *err);

// Makes the views of the study.
bool study_data_views(const Study *study, Store *tables, HdError *err);

// How many runs should have rows of the record (*wanted), and how many of them have none. A record
// without a key has rows of one run at most: 0 of 0.
bool study_data_missing(const StudyRecord *record, Store *tables, size_t *wanted, size_t *missing,
                        HdError *err);

// Sets seconds[RUN] of the runs that have rows of a record with a column `seconds`: the sum of it.
bool study_data_seconds(const Study *study, Store *tables, double *seconds, size_t runs,
                        HdError *err);

// Checks the keys and conditions of the records. false and err, with the place: the SQL is wrong,
// or a key does not tell two runs apart.
bool study_data_check(const Study *study, const StudyMatrix *matrix, Store *tables, HdError *err);

typedef struct StudyRenewed {
    size_t runs, kept; // with rows from the store; from the file
    size_t dropped;    // without: not comparable, or the run has failed
} StudyRenewed;

// Writes the CSV files anew, but those of degrees (study_degrees.h). `tables` sees the store as
// `results`; in_store: by run of the matrix, its number there; 0: it has none, and keeps its rows;
// -1: it has failed, and loses them.
bool study_data_write(const Study *study, const StudyMatrix *matrix, Store *tables,
                      const int64_t *in_store, const char *folder, StudyRenewed *renewed,
                      HdError *err);

#endif
