// The power that a real GPU draws, sampled while a program runs, and the energy.
#ifndef HEDDLE_DEVICE_POWER_H
#define HEDDLE_DEVICE_POWER_H

#include "base/fail.h"

#include <stddef.h>

typedef struct PowerSample {
    double seconds; // of a monotonic clock
    double watts;
} PowerSample;

// Power and energy between the first sample and the last.
typedef struct PowerSummary {
    double seconds, joules; // by the trapezoidal rule
    double watts;           // mean: joules / seconds
    double min, max;        // watts of a sample
    size_t samples;
} PowerSummary;

// `samples` in the order of time; fewer than two span no time.
PowerSummary power_summarise(const PowerSample *samples, size_t count);

// A meter on the GPU at the PCI address `bus`, through NVML (opens libnvidia-ml.so.1). NULL and err
// on failure.
typedef struct PowerMeter PowerMeter;
PowerMeter *power_open(const char *bus, HdError *err);
void power_close(PowerMeter *meter);

// Takes a sample, and further ones in a new thread.
bool power_start(PowerMeter *meter, HdError *err);
// Ends the thread and takes the last sample. false and err if a sample failed.
bool power_stop(PowerMeter *meter, PowerSummary *summary, HdError *err);

#endif
