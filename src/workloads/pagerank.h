// PageRank; kernels in kernels/pagerank.cu.
#ifndef HEDDLE_WORKLOADS_PAGERANK_H
#define HEDDLE_WORKLOADS_PAGERANK_H

#include "workloads/workload.h"

extern const Implementation pagerank_implementations[];
extern const HdParameter pagerank_parameters[];

#endif
