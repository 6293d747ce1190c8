// The load/store unit: accepts memory instructions in order, and performs the accesses of one at a
// time, at the L1D, a read-only cache or shared memory, or bypassing the L1 to the network.
#ifndef HEDDLE_CORE_LSU_LSU_H
#define HEDDLE_CORE_LSU_LSU_H

#include "core/l1/l15.h"
#include "core/l1/l1d.h"
#include "core/memory_op.h"
#include "core/lsu/collector_turns.h"
#include "memory/cache/controller.h"

typedef struct Lsu {
    uint64_t due;      // the unit does nothing before this cycle; 0: it may in the next one
    MemoryOps ops;     // all in-flight memory operations of the SM
    uint32_t *queue;   // ring: operations with their operands, in order
    unsigned head, count, capacity;
    CollectorTurns *turns; // say which of these comes next; NULL: the first
    uint32_t current;  // the operation whose accesses are in progress; 0: none
    uint64_t free_at;  // step from which the unit takes the next instruction or pass; a cycle has
                       // memory.lsu_rate steps
    bool stalled;      // the current access stalls, and nothing has changed since
    RequestFields fields; // of requests
    RequestQueue bypass; // accesses that bypass the L1D
    CacheController l1c, l1r; // constants and parameters; textures and read-only data
    L15 *l15;                 // serves the misses of l1c; NULL: none
    uint64_t wake_free;    // next cycle of the port that hands data to waiting loads
} Lsu;

// in_flight: maximum memory instructions between issue and the unit. The queues are already a
// port's. false: out of memory.
bool lsu_init(Lsu *lsu, const SmConfig *config, unsigned in_flight, CollectorTurns *turns,
              HdTables *tables, uint64_t seed, HdError *err);
void lsu_free(Lsu *lsu);
// Prepares for the context's launch. false: out of memory.
bool lsu_begin(Lsu *lsu, SmContext *context);

// Accepts an operation that has its operands.
static inline void lsu_push(Lsu *lsu, uint32_t op)
{
    // The bound on instructions between issue and here is the ring's capacity.
    unsigned at = lsu->head + lsu->count++;
    lsu->queue[at < lsu->capacity ? at : at - lsu->capacity] = op;
    lsu->due = 0;
}

// One cycle of the unit, after the L1D's look-ups. Returns the number of instructions that the unit
// has taken: there is room for as many between issue and here.
unsigned lsu_cycle(Lsu *lsu, SmContext *context, L1d *l1d);
// Retries stalled accesses after a change (a fill, room in a queue).
static inline void lsu_retry(Lsu *lsu, L1d *l1d)
{
    l1d_retry(l1d);
    if (!lsu->stalled) return; // nor does an access to l1c or l1r
    lsu->l1c.stall.blocked = lsu->l1r.stall.blocked = lsu->stalled = false;
    lsu->due = 0;
}
// Fills one of the caches, and completes the accesses of loads that waited.
void lsu_fill(Lsu *lsu, SmContext *context, L1d *l1d, const MemReply *reply);

// Records that `level` has answered accesses of an operation. Returns whether it was the last.
static inline bool memory_op_answer(MemoryOp *op, MemLevel level, unsigned count)
{
    if (level > op->level) op->level = (uint8_t)level;
    op->waiting -= count;
    return op->waiting == 0;
}
// Whether the warp has an atomic in flight on a line of one of these addresses.
bool lsu_finds_atomic(const Lsu *lsu, const Warp *w, LaneMask lanes, const uint64_t *addresses);
static inline bool lsu_has_atomic(const Lsu *lsu, const Warp *w, LaneMask lanes,
                                  const uint64_t *addresses)
{
    if (!w->memory.atomics) return false;
    return lsu_finds_atomic(lsu, w, lanes, addresses);
}

// Makes the accesses of an operation to the first-level caches functionally; their misses go to
// `memory`.
void lsu_warm(Lsu *lsu, SmContext *context, L1d *l1d, const MemoryOp *op,
              const FunctionalMemory *memory);

#endif
