// One layer of a neural network in training; kernels in kernels/backprop.cu.
#ifndef HEDDLE_WORKLOADS_BACKPROP_H
#define HEDDLE_WORKLOADS_BACKPROP_H

#include "workloads/workload.h"

extern const Implementation backprop_implementations[];
extern const HdParameter backprop_parameters[];

#endif
