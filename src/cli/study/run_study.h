// `heddle study run` and `status`: runs over a store, and the data that come of them.
#ifndef HEDDLE_CLI_STUDY_RUN_STUDY_H
#define HEDDLE_CLI_STUDY_RUN_STUDY_H

#include "base/fail.h"
#include "cli/study/study_options.h"

// Runs what is not done of a study, or of one of its figures, and writes its data anew. *ended: all
// of it is done. false and err: it could not go on; what was done is kept.
bool study_run(const char *name, const StudyOptions *options, bool *ended, HdError *err);

// Prints what is done of it.
bool study_status(const char *name, const StudyOptions *options, HdError *err);

#endif
