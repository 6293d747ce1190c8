// Core numbers; kernels in kernels/kcore.cu.
#ifndef HEDDLE_WORKLOADS_KCORE_H
#define HEDDLE_WORKLOADS_KCORE_H

#include "workloads/workload.h"

extern const Implementation kcore_implementations[];

#endif
