// What a program on the simulated GPU leaves behind: the report, and the result as JSON.
#ifndef HEDDLE_CUDART_REPORT_H
#define HEDDLE_CUDART_REPORT_H

#include "device/settings.h"
#include "device/sim.h"

// Writes what `settings` ask for about a device on which kernels were launched, before it is
// closed; nothing where there was no launch. seconds: since it was opened. A file that cannot be
// written is told on stderr. Under the lock.
void report_device(const HdDevice *device, const Settings *settings, double seconds);

#endif
