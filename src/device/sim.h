// What the simulator's own reports want of a simulated device beyond include/heddle/device.h.
#ifndef HEDDLE_DEVICE_SIM_H
#define HEDDLE_DEVICE_SIM_H

#include "config/config.h"
#include "gpu/gpu.h"
#include "heddle/device.h"

// The parts of a simulated device, owned by it. NULL where the device is of another kind.
Gpu *device_sim_gpu(const HdDevice *device);
Config *device_sim_config(const HdDevice *device);

// A machine file with assignments on top (both as in HdSimulation), checked as a whole; `notes`
// (size bytes) gets advice, one line each. NULL and err where it cannot be.
Config *sim_machine(const HdSimulation *options, char *notes, size_t size, HdError *err);

#endif
