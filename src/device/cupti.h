// Counts what a real GPU executed, by the events of CUPTI, the library of CUDA's profilers. CUPTI
// comes with the CUDA toolkit and is opened at run time. It has events for chips up to compute
// capability 7.2; counters of newer chips need another interface.
#ifndef HEDDLE_DEVICE_CUPTI_H
#define HEDDLE_DEVICE_CUPTI_H

#include "heddle/device.h"
#include "stats/stats.h"

// Counters that can be compared between a real GPU and the simulator.
#define EXECUTION_COUNTERS(C)                                                                      \
    C(warp_instructions, "instructions", "Instructions that warps executed.")                      \
    C(thread_instructions, "instructions", "The same, times the active lanes.")            \
    C(dram_read_sectors, "sectors", "Sectors of 32 bytes read from DRAM.")               \
    C(dram_write_sectors, "sectors", "Sectors of 32 bytes written to DRAM.")
typedef struct ExecutionCounters { EXECUTION_COUNTERS(STAT_FIELD) } ExecutionCounters;
extern const StatTable execution_table;

// Repeats the operations on a device opened as `repeatable`, once for each event of the counters.
// false and err, one line, if they cannot be counted.
bool device_cuda_count(HdDevice *device, ExecutionCounters *counters, HdError *err);

#endif
