// The blocks on an SM and their warps: slots, storage of registers, local and shared memory, and
// the queue of blocks that the dispatcher has given to the SM.
#ifndef HEDDLE_CORE_BLOCKS_BLOCKS_H
#define HEDDLE_CORE_BLOCKS_BLOCKS_H

#include "core/warp.h"

// Memory that the warps and blocks point into; grown by the launch that needs more.
typedef struct WarpStorage {
    void *slots, *predicates, *frame_params, *local, *frames, *pending, *shared, *ahead_reads;
    size_t slots_size, predicates_size, frame_params_size, local_size, frames_size, pending_size,
        shared_size, ahead_reads_size;
} WarpStorage;

typedef struct Blocks {
    Warp *warps;   // by warp slot
    Block *blocks; // by block slot
    WarpStorage storage;
    BlockBytes placed;  // the last block that touched local memory or parameters
    BlockBytes touched; // of the storage by blocks like it, and of registers by all
    BlockBytes others;  // of local memory and parameters by blocks that lie at other places
    size_t local_stride; // bytes of local memory of a thread of this launch
    unsigned warp_slots, block_slots, warps_per_block; // of this launch
    unsigned block_limit; // maximum resident blocks: block_slots, or a mechanism's decision
    unsigned warps_live, blocks_live;
    bool waits_for_dispatch; // launch.dispatch = cycle: the dispatcher may have blocks left
    uint64_t *queue; // ring of block numbers
    unsigned queue_head, queue_count, queue_capacity;
    uint64_t blocks_done, last_end; // last_end: cycle after the last block's end
    uint64_t next_age;              // of the warp that starts next
    size_t slots, added_slots;      // register slots of a warp; those that mechanisms add, the last
                                    // ones, are set before blocks_begin
    uint32_t scoreboard_words;      // 64-bit words of Scoreboard.pending
    uint32_t scoreboard_numbers;    // of the program's registers
    uint32_t ahead_registers;      // the same with scalar.go_on, else 0
} Blocks;

// Allocates what does not depend on a launch. false: out of memory.
bool blocks_init(Blocks *blocks, const SmConfig *config, HdTables *tables);
void blocks_free(Blocks *blocks, const SmConfig *config);
// Between launches: what blocks have touched, at most, and will have after the next launch.
uint64_t blocks_storage_after(const Blocks *blocks, const BlockBytes *next, uint64_t count);
// Between launches: frees what the warps and blocks point into.
void blocks_drop_storage(Blocks *blocks, const SmConfig *config);
// Prepares for the context's launch. false: out of memory.
bool blocks_begin(Blocks *blocks, SmContext *context);
// Gives a block slot and its warps their storage, once in a launch: the slots that a small grid
// does not need cost nothing. false: out of memory.
bool blocks_place(Blocks *blocks, SmContext *context, unsigned slot);

static inline void blocks_push(Blocks *blocks, uint64_t number)
{
    blocks->queue[(blocks->queue_head + blocks->queue_count++) % blocks->queue_capacity] = number;
}
static inline uint64_t blocks_pop(Blocks *blocks)
{
    uint64_t number = blocks->queue[blocks->queue_head];
    blocks->queue_head = (blocks->queue_head + 1) % blocks->queue_capacity;
    blocks->queue_count--;
    return number;
}
// Whether a queued block can start.
static inline bool blocks_can_start(const Blocks *blocks)
{
    return blocks->queue_count && blocks->blocks_live < blocks->block_limit;
}
// Whether the dispatcher must say in this cycle if a block starts in the next one.
static inline bool blocks_wait_for_dispatch(const Blocks *blocks)
{
    return blocks->waits_for_dispatch && !blocks->queue_count &&
           blocks->blocks_live < blocks->block_limit;
}
static inline bool blocks_any(const Blocks *blocks)
{
    return blocks->blocks_live || blocks->queue_count;
}

#endif
