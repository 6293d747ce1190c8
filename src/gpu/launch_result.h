// What is counted: the result of one launch, and the sums over launches.
#ifndef HEDDLE_GPU_LAUNCH_RESULT_H
#define HEDDLE_GPU_LAUNCH_RESULT_H

#include "core/core_counters.h"
#include "gpu/gpu.h"
#include "memory/memory_side.h"

// The counters of one launch, or the sums over several.
struct LaunchResult {
    char kernel[128]; // base name
    const PtxFunction *function; // NULL: a sum
    uint32_t grid[3], block[3];
    uint32_t registers, blocks_per_sm; // registers: of a thread; blocks_per_sm: resident at once
    const char *limit;                 // the resource that limits blocks_per_sm
    uint64_t shared_bytes;             // per block, static and dynamic
    uint64_t l1d_bytes;                // L1D size of this launch
    bool functional;                   // not timed: counts only instructions (by PC, class, lanes),
                                       // branches, barriers, warps and blocks
    bool cut;                          // counted up to the cut (gpu_cut) only; a sum: some is
    uint64_t cycles;                   // core cycles from the launch to the end of the last block,
                                       // or to the cut
    uint64_t dram_cycles, l2_cycles;
    LaunchCounters launch;             // time in front of the launch, which `cycles` lacks
    SmTables sm;        // sums over the SMs
    CacheCounters l2;
    IcntCounters icnt;
    DramCounters dram;
    AccessCounters *l2_allocations; // by allocation, one more for accesses outside allocations
    AccessCounters *l2_pcs;
    size_t allocations, pcs; // rows of the tables
    size_t allocation_capacity, pc_capacity; // rows that the tables have room for
    size_t first_pc, end_pc; // only the rows of instructions [first_pc, end_pc) may be non-zero
    LinkFlits *sm_links, *slice_links; // by SM, by L2 slice
    unsigned sms, slices;
};

// The sums over all launches of one kernel.
struct KernelTotal {
    const PtxModule *module;
    const PtxFunction *kernel;
    uint64_t launches; // timed launches
    uint64_t functional, functional_instructions; // functional launches; their warp instructions
    uint64_t cycles;
    SM_TABLES(SM_TABLE_FIELD)
    CacheCounters l1d, l2;
    DramCounters dram;
    uint32_t grid[3], block[3];        // of the last launch
    uint32_t registers, blocks_per_sm; // of the last launch
    const char *limit;                 // of the last launch; see LaunchResult.limit
};

#endif
