// An inverted index of the links in a text; kernels in kernels/invindex.cu.
#ifndef HEDDLE_WORKLOADS_INVINDEX_H
#define HEDDLE_WORKLOADS_INVINDEX_H

#include "workloads/workload.h"

extern const Implementation invindex_implementations[];
extern const HdParameter invindex_parameters[];

#endif
