// A stencil in three dimensions; kernels in kernels/stencil3d.cu.
#ifndef HEDDLE_WORKLOADS_STENCIL3D_H
#define HEDDLE_WORKLOADS_STENCIL3D_H

#include "workloads/workload.h"

extern const Implementation stencil3d_implementations[];
extern const HdParameter stencil3d_parameters[];

#endif
