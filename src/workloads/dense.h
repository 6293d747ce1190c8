// Work on dense matrices: syrk, gesummv, conv2d; kernels in kernels/dense.cu.
#ifndef HEDDLE_WORKLOADS_DENSE_H
#define HEDDLE_WORKLOADS_DENSE_H

#include "workloads/workload.h"

extern const Implementation syrk_implementations[], gesummv_implementations[];
extern const Implementation conv2d_implementations[];
extern const HdParameter syrk_parameters[], gesummv_parameters[], conv2d_parameters[];

#endif
