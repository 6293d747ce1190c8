// Breadth-first search; kernels in kernels/bfs.cu.
#ifndef HEDDLE_WORKLOADS_BFS_H
#define HEDDLE_WORKLOADS_BFS_H

#include "workloads/workload.h"

extern const Implementation bfs_implementations[];

#endif
