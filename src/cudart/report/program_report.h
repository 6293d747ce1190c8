// The outputs of a program on the simulated GPU: the report, and the result as JSON.
#ifndef HEDDLE_CUDART_PROGRAM_REPORT_H
#define HEDDLE_CUDART_PROGRAM_REPORT_H

#include "device/simulation_settings.h"
#include "device/sim.h"

#include <time.h>

typedef struct ProgramReport {
    const HdDevice *device;
    const Settings *settings;
    char **words;   // the command line, NULL-terminated, or NULL; set by program_report_write
    double seconds; // host time since the device was opened
    struct timespec begun; // start of the run
    int signal;     // the signal that ends the process; 0: none
} ProgramReport;

// Writes the outputs that the settings ask for. Call before the device is closed, under the lock.
// If nothing was launched, says so if a report is expected. Reports files that cannot be written.
void program_report_write(ProgramReport report);

// Reports that a program with kernels, started by `heddle cuda`, has not used the device.
void program_report_unused(void);

#endif
