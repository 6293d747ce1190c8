// What the runs of a comparison are computed from: the words of the command line, and Heddle and
// input files by their content. A result is reused only if none of them has changed.
#ifndef HEDDLE_CLI_COMPARE_PROVENANCE_H
#define HEDDLE_CLI_COMPARE_PROVENANCE_H

#include "base/hash.h"
#include "cli/common/text_list.h"
#include "cli/run/run_options.h"

#include <jansson.h>

// What all variants share: {"version", "program": hash, "run": the words, "files": {path: hash}}.
// NULL and err: a file cannot be read. *unknown: why machine and --set cannot be read with Heddle's
// own mechanisms alone; else its text is empty.
json_t *provenance_gather(const TextList *words, const RunOptions *options, HdError *unknown,
                          HdError *err);

// The hash of what all variants share, as text. false: out of memory.
bool provenance_hash(const json_t *provenance, char text[HASH_TEXT], HdError *err);

// The shared objects of one --mechanism: {path: hash, or null if it cannot be read}. NULL: out of
// memory.
json_t *provenance_of_objects(const char *mechanisms);

// Compares two values of either function above. true: they differ; `what` becomes "X has changed"
// for the first file that differs, or empty if no file explains the difference.
bool provenance_differs(const json_t *before, const json_t *now, char *what, size_t size);

// Is the text UTF-8, as JSON requires?
bool check_utf8(const char *text, HdError *err);

#endif
