// A simulated device, for reports: what include/heddle/device.h does not offer.
#ifndef HEDDLE_DEVICE_SIM_H
#define HEDDLE_DEVICE_SIM_H

#include "config/config.h"
#include "gpu/gpu.h"
#include "heddle/device.h"

// The GPU and the configuration of a simulated device, owned by it. NULL if the device is of
// another kind.
Gpu *device_sim_gpu(const HdDevice *device);
Config *device_sim_config(const HdDevice *device);

// Fails unless a mechanism of the simulated device adds instructions to PTX, which functional
// launches execute too: nothing else that mechanisms do shows in those.
bool device_sim_check_functional(const HdDevice *device, HdError *err);

// A machine file with assignments (both as in HdSimulation), checked as a whole; `notes` (size
// bytes) gets advice, one line each. NULL and err if the machine is not possible.
Config *sim_machine(const HdSimulation *options, char *notes, size_t size, HdError *err);

#endif
