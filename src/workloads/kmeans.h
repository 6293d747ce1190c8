// k-means; kernel in kernels/kmeans.cu.
#ifndef HEDDLE_WORKLOADS_KMEANS_H
#define HEDDLE_WORKLOADS_KMEANS_H

#include "workloads/workload.h"

extern const Implementation kmeans_implementations[];
extern const HdParameter kmeans_parameters[];

#endif
