// Power and energy of a run on a real GPU (--seconds): the program is repeated while the GPU's
// power is sampled.
#ifndef HEDDLE_CLI_RUN_POWER_MEASUREMENT_H
#define HEDDLE_CLI_RUN_POWER_MEASUREMENT_H

#include "cli/run/run.h"

// Finds the meter; the device is open. Before the program: samples the idle GPU. After it, where
// its answer is right: repeats and samples. All do nothing where --seconds was not given.
bool power_measurement_open(Run *run, HdError *err);
bool power_measurement_idle(Run *run, HdError *err);
bool power_measurement_busy(Run *run, HdError *err);

#endif
