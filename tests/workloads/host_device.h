// A device whose memory is the host's and whose kernels are C functions: host programs are tested
// without a simulator.
#ifndef HEDDLE_TESTS_WORKLOADS_HOST_DEVICE_H
#define HEDDLE_TESTS_WORKLOADS_HOST_DEVICE_H

#include "heddle/device.h"

// Deliberate errors of the kernels, which checks must find.
typedef enum HostFault { FAULT_NONE, FAULT_LEVEL, FAULT_LOST_EDGE, FAULT_ENDLESS } HostFault;

HdDevice *host_device_open(unsigned warp_width, HostFault fault);

// The names of all arrays so far, in the order of allocation: "offsets,edges,".
const char *host_device_arrays(const HdDevice *device);
// Shape of the last launch.
const HdLaunch *host_device_last(const HdDevice *device);

#endif
