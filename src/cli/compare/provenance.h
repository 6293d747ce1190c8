// What the runs of a comparison are made from: the words, and Heddle itself and files by their
// content, so that a result is not taken for that of something else.
#ifndef HEDDLE_CLI_COMPARE_PROVENANCE_H
#define HEDDLE_CLI_COMPARE_PROVENANCE_H

#include "cli/common/text_list.h"
#include "cli/run/run_options.h"

#include <jansson.h>

enum { SHARED_OBJECT_TEXT = 4096 };

// What all variants share: {"version", "program": hash, "run": the words, "files": {path: hash}}.
// NULL and err where a file cannot be read. *unknown: why machine and --set cannot be read by who
// knows only the mechanisms that Heddle comes with; else its text is empty.
json_t *provenance_gather(const TextList *words, const RunOptions *options, HdError *unknown,
                          HdError *err);

// The shared objects of one --mechanism: {path: hash, or null where it cannot be read}. NULL:
// memory is out.
json_t *provenance_of_objects(const char *mechanisms);

// Names the first part in which `now` is not `before`, both of one of the above, as "X has changed"
// (`what`) or that it was something else (`what` is empty). false: they are the same.
bool provenance_differs(const json_t *before, const json_t *now, char *what, size_t size);

// Can this stand in JSON, which has UTF-8 only?
bool check_utf8(const char *text, HdError *err);

// The path of the next shared object in what a --mechanism says; *text moves on. false: there is
// none.
bool next_shared_object(const char **text, char path[SHARED_OBJECT_TEXT]);

#endif
