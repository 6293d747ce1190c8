// Clustering of a stream of points; kernels in kernels/streamcluster.cu.
#ifndef HEDDLE_WORKLOADS_STREAMCLUSTER_H
#define HEDDLE_WORKLOADS_STREAMCLUSTER_H

#include "workloads/workload.h"

extern const Implementation streamcluster_implementations[];
extern const HdParameter streamcluster_parameters[];

#endif
