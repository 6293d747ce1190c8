// The power that a real GPU draws, sampled while something runs, and the energy that this makes.
#ifndef HEDDLE_DEVICE_POWER_H
#define HEDDLE_DEVICE_POWER_H

#include "base/error.h"

#include <stddef.h>

typedef struct PowerSample {
    double seconds; // since some moment
    double watts;
} PowerSample;

// What was drawn between the first sample and the last.
typedef struct PowerSummary {
    double seconds, joules; // by the trapezoidal rule
    double watts;           // mean: joules / seconds
    double min, max;     // watts of a sample
    size_t samples;
} PowerSummary;

// `samples` in the order of time; one alone, or none, is over no time.
PowerSummary power_summarise(const PowerSample *samples, size_t count);

// A meter on the GPU at the PCI address `bus`, through NVML (libnvidia-ml.so.1, opened now).
typedef struct PowerMeter PowerMeter;
PowerMeter *power_open(const char *bus, HdError *err);
void power_close(PowerMeter *meter);

// Samples now, and from now on in a thread of its own.
bool power_start(PowerMeter *meter, HdError *err);
// Samples a last time and ends the thread. false and err where a sample could not be had.
bool power_stop(PowerMeter *meter, PowerSummary *summary, HdError *err);

#endif
