// What a real GPU executed, by the events of CUPTI, the library that CUDA's profilers are made of.
// It comes with the CUDA toolkit and is opened at run time. It has events for chips up to compute
// capability 7.2; newer ones offer only an interface of their own to their counters.
#ifndef HEDDLE_DEVICE_CUPTI_H
#define HEDDLE_DEVICE_CUPTI_H

#include "heddle/device.h"
#include "stats/stats.h"

// What can be compared between a real GPU and the simulator.
#define EXECUTION_COUNTERS(C)                                                                      \
    C(warp_instructions, "instructions", "Instructions that warps executed.")                      \
    C(thread_instructions, "instructions", "The same, times the lanes that took part.")            \
    C(dram_read_sectors, "sectors", "Sectors of 32 bytes that were read from DRAM.")               \
    C(dram_write_sectors, "sectors", "Sectors of 32 bytes that were written to DRAM.")
typedef struct ExecutionCounters { EXECUTION_COUNTERS(STAT_FIELD) } ExecutionCounters;
extern const StatTable execution_table;

// Repeats what was done on a device opened as `repeatable`, once for each event that makes up the
// counters. false and err, one line, where they cannot be had.
bool device_cuda_count(HdDevice *device, ExecutionCounters *counters, HdError *err);

#endif
