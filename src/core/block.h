// A block on an SM, and its barriers.
#ifndef HEDDLE_CORE_BLOCK_H
#define HEDDLE_CORE_BLOCK_H

#include "exec/exec.h"

enum { BLOCK_BARRIERS = 16 };

typedef struct Barrier {
    uint32_t arrived;  // warps; with independent threads, threads
    uint32_t expected; // warps or threads; 0: all of the block
    uint32_t votes_true, votes_counted; // threads, for bar.red
} Barrier;

typedef struct Block {
    ExecBlock exec;
    bool placed; // in this launch: the block slot and its warps have their storage
    bool live;
    uint32_t warps, finished; // finished: without lanes and without instructions in flight
    uint32_t units, ended;    // what barriers count, warps or threads; those without lanes
    Barrier barriers[BLOCK_BARRIERS];
    uint16_t slot;       // number among the SM's blocks
    uint16_t first_warp; // warp slot of its first warp
} Block;

#endif
