// The files that a run is computed from, by their content.
#ifndef HEDDLE_REPORT_INPUT_FILES_H
#define HEDDLE_REPORT_INPUT_FILES_H

#include "base/fail.h"

#include <jansson.h>

enum { SHARED_OBJECT_TEXT = 4096 };

// Finds the path of the next shared object in a --mechanism, and moves *text past it. false: there
// is none.
bool next_shared_object(const char **text, char path[SHARED_OBJECT_TEXT]);

// Adds {path: hash, or null if it cannot be read} to an object. false: out of memory.
bool input_file_put(json_t *files, const char *name, const char *path);
// The same for the shared objects of a --mechanism, which may be NULL.
bool input_files_put_objects(json_t *files, const char *mechanisms);

#endif
