// Streaming copy; kernel in kernels/reference_stream.cu.
#ifndef HEDDLE_WORKLOADS_STREAM_H
#define HEDDLE_WORKLOADS_STREAM_H

#include "workloads/workload.h"

extern const Implementation stream_implementations[];
extern const HdParameter stream_parameters[];

#endif
