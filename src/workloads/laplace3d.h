// The Laplace equation in three dimensions; kernels in kernels/laplace3d.cu.
#ifndef HEDDLE_WORKLOADS_LAPLACE3D_H
#define HEDDLE_WORKLOADS_LAPLACE3D_H

#include "workloads/workload.h"

extern const Implementation laplace3d_implementations[];
extern const HdParameter laplace3d_parameters[];

#endif
