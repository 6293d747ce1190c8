// Reports launches of which no end is in sight.
#ifndef HEDDLE_CUDART_HANG_REPORT_H
#define HEDDLE_CUDART_HANG_REPORT_H

#include "gpu/gpu.h"

// A GpuHangFn. A launch that only the host could let end goes on if the host may do so: if there is
// memory that it reaches, and another thread or a signal handler of the program.
bool hang_report(void *nothing, const LaunchHang *hang);

#endif
