// Pi by random points; kernels in kernels/pi.cu.
#ifndef HEDDLE_WORKLOADS_PI_H
#define HEDDLE_WORKLOADS_PI_H

#include "workloads/workload.h"

extern const Implementation pi_implementations[];
extern const HdParameter pi_parameters[];

#endif
