// Records of degrees: how many vertices of the graphs of a study's runs have each out-degree.
//
// A record's file has the columns of its key, then degree, vertices, input (the words that name the
// graph) and version (of the sources, 8 digits). A degree that no vertex has has no row. The rows
// of a graph are kept while its words and the sources are the same.
#ifndef HEDDLE_STUDY_STUDY_DEGREES_H
#define HEDDLE_STUDY_STUDY_DEGREES_H

#include "heddle/graph.h"
#include "study/study_matrix.h"

// The columns behind those of the key, NULL-terminated.
extern const char *const degrees_columns[];

// How the graph of a run is named and opened, by its words. The results are owned by the caller:
// free, hd_graph_free. NULL and err: the words are wrong, the run has no graph, or the graph cannot
// be read.
typedef struct StudyGraphs {
    const void *owner;
    char *(*name)(const void *owner, const StudyRun *run, HdError *err);
    HdGraph *(*open)(const void *owner, const StudyRun *run, HdError *err);
} StudyGraphs;

typedef struct DegreesCount {
    size_t graphs; // of all records of degrees
    size_t old;    // of them, those whose rows are there, and of these sources
} DegreesCount;

// Counts the graphs of the study's records of degrees. folder: where a record's file is written, if
// it is not there or the rows of a graph are missing or old; NULL: no graph is opened, and nothing
// written. A graph that cannot be read has no rows; then the files are written without it, and the
// result is false with a message that names the run. The tables have the data that are there
// (study_data_read).
bool study_degrees_make(const Study *study, const StudyMatrix *matrix, Store *tables,
                        const StudyGraphs *graphs, const char *folder, DegreesCount *count,
                        HdError *err);

#endif
