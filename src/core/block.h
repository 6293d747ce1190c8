// A thread block on an SM, and its barriers.
#ifndef HEDDLE_CORE_BLOCK_H
#define HEDDLE_CORE_BLOCK_H

#include "exec/exec.h"

enum { BLOCK_BARRIERS = 16 };

typedef struct Barrier {
    uint32_t arrived;  // number of warps; with independent threads, of threads
    uint32_t expected; // warps or threads; 0: all of the block
    uint32_t votes_true, votes_counted; // threads, for bar.red
} Barrier;

typedef struct Block {
    ExecBlock exec;
    bool placed; // the block slot and its warps have storage for this launch
    bool live;
    uint32_t warps, finished; // finished: warps without lanes and without instructions in flight
    uint32_t participants; // warps, or with independent threads: threads; barriers count them
    uint32_t ended;        // participants that have exited
    Barrier barriers[BLOCK_BARRIERS];
    uint16_t slot;       // block slot on the SM
    uint16_t first_warp; // warp slot of its first warp
} Block;

#endif
