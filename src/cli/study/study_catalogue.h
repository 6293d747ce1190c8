// The studies that come with Heddle.
#ifndef HEDDLE_CLI_STUDY_STUDY_CATALOGUE_H
#define HEDDLE_CLI_STUDY_STUDY_CATALOGUE_H

#include "base/directories.h"
#include "base/memory.h"

enum { MOST_STUDIES = 256 };

// The names of the studies in the folders of study_directories, sorted. The arena owns the texts.
// Returns their number.
int study_catalogue(const char *names[MOST_STUDIES], HdArena *arena);

// The file of a study by its name. false: there is none.
bool study_catalogue_find(const char *name, char path[DIRECTORY_TEXT]);

#endif
