// A sparse matrix times a vector; kernels in kernels/spmv.cu.
#ifndef HEDDLE_WORKLOADS_SPMV_H
#define HEDDLE_WORKLOADS_SPMV_H

#include "workloads/workload.h"

extern const Implementation spmv_implementations[];
extern const HdParameter spmv_parameters[];

#endif
