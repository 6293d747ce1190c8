// What a program on the simulated GPU leaves behind: the report, and the result as JSON.
#ifndef HEDDLE_CUDART_REPORT_H
#define HEDDLE_CUDART_REPORT_H

#include "device/settings.h"
#include "device/sim.h"

typedef struct Report {
    const HdDevice *device;
    const Settings *settings;
    char **words;   // of the command line; NULL-terminated, or NULL
    double seconds; // since the device was opened
    int signal;     // what ends the process; 0: nothing
} Report;

// Writes what `settings` ask for about a device on which kernels were launched, before it is
// closed; nothing where there was no launch. seconds: since it was opened; signal: what ends the
// process, 0: nothing. A file that cannot be written is told on stderr. Under the lock.
void report_device(const HdDevice *device, const Settings *settings, double seconds, int signal);

#endif
