// Look-ups in a B+tree; kernels in kernels/btree.cu.
#ifndef HEDDLE_WORKLOADS_BTREE_H
#define HEDDLE_WORKLOADS_BTREE_H

#include "workloads/workload.h"

extern const Implementation btree_implementations[];
extern const HdParameter btree_parameters[];

#endif
