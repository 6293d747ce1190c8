// The structures of the mechanisms that Heddle has, as a table for the SQL of studies.
#ifndef HEDDLE_STUDY_STUDY_STRUCTURES_H
#define HEDDLE_STUDY_STUDY_STRUCTURES_H

#include "store/tables.h"

// Makes the table `structures`: mechanism, name, place (L1, L2, both, GPU), per (what has an entry:
// line, set, warp, block, scheduler; NULL: the place), entries (NULL with `per`), bits (of an
// entry). Entries that parameters give are those of the defaults; those that a mechanism computes
// are of a GPU with 15 SMs, each of 48 warps, 8 blocks and 2 schedulers.
bool study_structures_make(Store *tables, HdError *err);

#endif
