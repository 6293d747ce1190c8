// Fast Fourier transforms; kernels in kernels/fft.cu.
#ifndef HEDDLE_WORKLOADS_FFT_H
#define HEDDLE_WORKLOADS_FFT_H

#include "workloads/workload.h"

extern const Implementation fft_implementations[];
extern const HdParameter fft_parameters[];

#endif
