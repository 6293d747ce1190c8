// What a program on the simulated GPU leaves behind: the report, and the result as JSON.
#ifndef HEDDLE_CUDART_PROGRAM_REPORT_H
#define HEDDLE_CUDART_PROGRAM_REPORT_H

#include "device/simulation_settings.h"
#include "device/sim.h"

#include <time.h>

typedef struct ProgramReport {
    const HdDevice *device;
    const Settings *settings;
    char **words; // of the command line, which program_report_write reads; NULL-terminated, or NULL
    double seconds; // since the device was opened
    struct timespec begun; // the run
    int signal;     // what ends the process; 0: nothing
} ProgramReport;

// Writes what the settings ask for about a device on which kernels were launched, before it is
// closed. No launch is told where somebody expects a report, and so is a file that cannot be
// written. Under the lock.
void program_report_write(ProgramReport report);

// Tells that a program with kernels has not used the device, where it was started by heddle cuda.
void program_report_unused(void);

#endif
