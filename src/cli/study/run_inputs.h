// What a run of a study is computed from, by its words.
#ifndef HEDDLE_CLI_STUDY_RUN_INPUTS_H
#define HEDDLE_CLI_STUDY_RUN_INPUTS_H

#include "base/directories.h"
#include "heddle/graph.h"
#include "study/study_matrix.h"

#include <jansson.h>

// Reads the words of the run as `heddle run` does, and hashes what they name (study/provenance.h).
// path: of the study, for messages. hashes: of files that were hashed before, to which others are
// added; NULL: each file is read. Owned by the caller. NULL and err, which names the run: its words
// are wrong, a study may not have them, or a file cannot be read.
json_t *run_inputs_gather(const char *path, const StudyRun *run, const Directories *machines,
                          json_t *hashes, HdError *err);

// The words that name the run's graph, with the changes to it; free(). NULL and err, which names
// the run: its words are wrong, or it has no graph.
char *run_inputs_graph(const char *path, const StudyRun *run, HdError *err);
// Opens the run's graph, with progress on a terminal. NULL and err.
HdGraph *run_inputs_open_graph(const char *path, const StudyRun *run, HdError *err);

#endif
