// Encryption by AES; kernels in kernels/aes.cu.
#ifndef HEDDLE_WORKLOADS_AES_H
#define HEDDLE_WORKLOADS_AES_H

#include "workloads/workload.h"

extern const Implementation aes_implementations[];
extern const HdParameter aes_parameters[];

#endif
