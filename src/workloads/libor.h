// Swaptions in the LIBOR market model; kernels in kernels/libor.cu.
#ifndef HEDDLE_WORKLOADS_LIBOR_H
#define HEDDLE_WORKLOADS_LIBOR_H

#include "workloads/workload.h"

extern const Implementation libor_implementations[];
extern const HdParameter libor_parameters[];

#endif
