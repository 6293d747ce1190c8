// What runs are computed from: the simulator's sources, and input files by their content.
//
// Together with the words of `heddle run` this is a run's request in a store: a result is taken
// again only if nothing of it has changed. It is an object of four parts, which are compared:
//
//   "files"    {path: hash}: kernels, graph, files of arguments
//   "machine"  {path: hash}: the machine file and its bases; in a folder of machines, which another
//              installation has elsewhere, the name alone
//   "objects"  {path: hash, or null if it cannot be read}: mechanisms in shared objects
//   "sources"  the hash of the sources that decide results (report/host_json.h)
#ifndef HEDDLE_STUDY_PROVENANCE_H
#define HEDDLE_STUDY_PROVENANCE_H

#include "base/directories.h"
#include "base/fail.h"

#include <jansson.h>

// What a run names. NULL: nothing. Lists end with NULL.
typedef struct RunInputs {
    const char *machine;            // a name, or the path of a file
    const Directories *machines;    // where names are looked up
    const char *const *set;         // KEY=VALUE
    const char *kernels;            // the path of a PTX file
    const char *graph;              // a file or a spec
    const char *const *arguments;   // "...=file:PATH" names a file
} RunInputs;

// All parts but "objects". Owned by the caller. NULL and err: a file cannot be read, or is not a
// regular file, which each run can read. *unknown: why machine and --set cannot be read with
// Heddle's own mechanisms alone; else its text is empty. hashes: an object of the hashes of files
// that are known, to which others are added; NULL: each file is read.
json_t *provenance_gather(const RunInputs *inputs, json_t *hashes, HdError *unknown, HdError *err);

// A copy of `common`, which provenance_gather has made, with the shared objects of a --mechanism,
// which may be NULL. Owned by the caller. NULL and err: out of memory.
json_t *provenance_of(const json_t *common, const char *mechanisms, HdError *err);

// Compares two of them. true: they differ, and `what` becomes "X has changed" for the first thing
// that differs, in the order above.
bool provenance_differs(const json_t *before, const json_t *now, char *what, size_t size);
// In how many files, or other things, they differ.
size_t provenance_distance(const json_t *before, const json_t *now);

#endif
