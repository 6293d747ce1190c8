// Speckle-reducing anisotropic diffusion; kernels in kernels/srad.cu.
#ifndef HEDDLE_WORKLOADS_SRAD_H
#define HEDDLE_WORKLOADS_SRAD_H

#include "workloads/workload.h"

extern const Implementation srad_implementations[];
extern const HdParameter srad_parameters[];

#endif
