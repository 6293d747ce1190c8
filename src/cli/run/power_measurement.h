// Power and energy of a run on a real GPU (--seconds): the program is repeated while the GPU's
// power is sampled.
#ifndef HEDDLE_CLI_RUN_POWER_MEASUREMENT_H
#define HEDDLE_CLI_RUN_POWER_MEASUREMENT_H

#include "cli/run/run.h"

// power_measurement_open finds the meter, once the device is open. power_measurement_idle samples
// the idle GPU before the program. power_measurement_busy repeats the program after a right answer,
// and samples. All do nothing without --seconds.
bool power_measurement_open(Run *run, HdError *err);
bool power_measurement_idle(Run *run, HdError *err);
bool power_measurement_busy(Run *run, HdError *err);

#endif
