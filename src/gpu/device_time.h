// Device time: the time of the kernels and the time between them (launch.overhead,
// launch.graph_overhead, launch.interval, launch.latency). Events and %globaltimer read it. No
// kernel's cycles contain the time between kernels, and none depends on it.
#ifndef HEDDLE_GPU_DEVICE_TIME_H
#define HEDDLE_GPU_DEVICE_TIME_H

#include "stats/stats.h"

typedef struct Gpu Gpu;

// Of timed launches. device time = cycles + overhead_cycles + interval_cycles + latency_cycles.
#define LAUNCH_COUNTERS(C)                                                                         \
    C(launches, "launches", "Timed launches.")                                                     \
    C(graph_launches, "launches", "Launches behind another kernel of the same CUDA graph.")        \
    C(overhead_cycles, "core cycles",                                                              \
      "Waits from the end of a stream's kernel to its next kernel (launch.overhead, "              \
      "launch.graph_overhead).")                                                                   \
    C(hidden_cycles, "core cycles",                                                                \
      "The part of these overheads in which the GPU ran kernels of other streams.")                \
    C(interval_cycles, "core cycles",                                                              \
      "Further waits until the host has submitted the launch (launch.interval).")                  \
    C(latency_cycles, "core cycles", "From launches to their first blocks (launch.latency).")

typedef struct LaunchCounters { LAUNCH_COUNTERS(STAT_FIELD) } LaunchCounters;
extern const StatTable launch_table;
// All core cycles in which the GPU ran no kernel.
uint64_t launch_overhead(const LaunchCounters *counters);

// A stream other than the default stream; zero at first. The user owns it.
typedef struct GpuStream {
    bool non_blocking; // its launches are independent of those of the default stream
    uint64_t ready;    // device time from which its next launch depends on no earlier work
} GpuStream;

// Core cycles since the GPU was built. The host takes no time but for launch.interval.
uint64_t gpu_time(const Gpu *gpu);
// The host waits until all launches have ended. It submits later launches only then.
void gpu_host_waits(Gpu *gpu);
// Later launches of the stream (NULL: the default stream) depend on work that ended at `time`.
void gpu_stream_waits(Gpu *gpu, GpuStream *stream, uint64_t time);

#endif
