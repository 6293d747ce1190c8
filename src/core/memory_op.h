// In-flight memory operations: one memory instruction of a warp from issue to its last reply.
//
// They come from a pool that grows to the most that were in flight at once. Requests and replies
// name an operation by its index, which is also the token of its requests.
#ifndef HEDDLE_CORE_MEMORY_OP_H
#define HEDDLE_CORE_MEMORY_OP_H

#include "core/warp.h"
#include "memory/coalesce.h"

// Most accesses of one instruction: a linear filter in three dimensions needs 8 texels (and a
// 16-byte element of local memory lies in four rows).
enum { MEMORY_OP_ACCESSES = 8 * HD_MAX_LANES };

// Kinds of operations beside MemKind, which access no line of global or local memory.
enum {
    MEMORY_OP_SHARED = MEM_KINDS,
    MEMORY_OP_CONSTANT,
    MEMORY_OP_NO_ACCESS // a texture fetch or surface access without a texel
};

// What requests carry for mechanisms at the L2 beyond sideband tags.
typedef struct RequestFields {
    bool wanted;   // the warp
    uint8_t bytes; // that packets of loads and atomics grow by
} RequestFields;

// A request to a mechanism's unit.
typedef struct UnitOp {
    UnitRequest request;
    uint32_t predicate_base; // as MemoryOp.slot_base, of predicates
    uint16_t slice;          // where the unit is
    uint16_t bytes;          // of the request beyond its header
} UnitOp;

typedef struct MemoryOp {
    uint32_t next_free;
    uint32_t function, index; // the instruction
    const UOp *op;
    const UOpTiming *timing;
    const Warp *owner;
    uint64_t issued;
    uint64_t read_at;   // last cycle in which it reads a register; 0: all are read
    uint32_t waiting;   // accesses without a reply
    uint32_t pc;        // static instruction number
    uint32_t slot_base; // first register slot of the frame that receives late results
    uint16_t warp;      // slot of the owner
    uint8_t kind;       // MemKind, or MEMORY_OP_*
    uint8_t level;      // deepest level that has answered so far
    uint8_t space;      // PtxSpace
    bool bypass;        // bypasses the L1D
    bool injected;      // a micro-op of a mechanism
    uint16_t count, sent; // accesses; those handed to a first-level cache or the network
    uint16_t looked_up;   // accesses looked up in the L1D, if a mechanism holds accesses
    uint16_t passes;      // shared memory: passes of the banks
    CoalescedAccess *accesses; // [MEMORY_OP_ACCESSES]
    uint16_t allocations[MEMORY_OP_ACCESSES];
    AtomicLanes *atomics; // one per access, for atomics
    UnitOp *unit;         // MEM_UNIT
    LaneMask lanes;
    ShadowStore shadow;
} MemoryOp;

typedef struct MemoryOps {
    MemoryOp *items; // index 0 is never used
    uint32_t capacity, free, live;
} MemoryOps;

void memory_ops_free(MemoryOps *ops);
// Takes a free operation for the warp's next instruction. Its accesses have the values of their
// last use. NULL: out of memory.
MemoryOp *memory_op_new(MemoryOps *ops, SmContext *sm, const Warp *w, PtxSpace space,
                        LaneMask lanes, uint32_t *index);
static inline void memory_op_free(MemoryOps *ops, uint32_t index)
{
    ops->items[index].next_free = ops->free;
    ops->free = index;
    ops->live--;
}

// The address of a warp's local memory in the caches, outside all guest allocations.
#define LOCAL_BASE (UINT64_C(4) << 44)
static inline uint64_t local_base(const SmContext *sm, const Warp *w)
{
    uint64_t width = sm->config.core->width;
    uint64_t warp = (uint64_t)sm->id * (sm->config.core->threads / width) + w->id;
    return LOCAL_BASE + warp * w->exec.local_stride * width;
}

// The same of a lane's byte. Local memory is interleaved by thread, 4 bytes each, so that lanes of
// a warp that use the same offset share lines.
static inline uint64_t local_address(const SmContext *sm, const Warp *w, unsigned lane,
                                     uint64_t offset)
{
    uint64_t width = sm->config.core->width;
    return local_base(sm, w) + (offset / 4 * width + lane) * 4 + offset % 4;
}

// The registers for late results: the current split may be in another frame.
static inline ExecWarp memory_op_frame(const MemoryOp *op)
{
    const Warp *w = op->owner;
    ExecWarp frame = w->exec;
    frame.base[0] = w->slots + (size_t)op->slot_base * SLOT_BYTES;
    if (op->kind == MEM_UNIT) frame.predicates = w->predicates + op->unit->predicate_base;
    return frame;
}

// What kind of instruction it is to mechanisms.
static inline HdKind memory_op_kind(const MemoryOp *op)
{
    if (op->kind == MEM_UNIT) return HD_UNIT_READ;
    return mem_kind_writes(op->kind)   ? HD_STORE
           : mem_kind_atomic(op->kind) ? HD_ATOMIC
                                       : HD_LOAD;
}

// Whether its accesses are looked up in the L1D.
static inline bool memory_op_uses_l1d(const MemoryOp *op)
{
    return op->kind < MEM_KINDS && op->kind != MEM_READONLY && !op->bypass;
}

// Whether no instruction of the warp issues while the operation is in flight.
static inline bool memory_op_blocks_warp(const SmContext *sm, const MemoryOp *op)
{
    return op->op->class == CLASS_ATOMIC && sm->config.core->atomic_wait == ATOMIC_WAIT_WARP;
}

// The lower 32 bits of the linear index of the owner's block in the grid.
static inline uint32_t memory_op_block(const MemoryOp *op)
{
    const ExecBlock *block = op->owner->exec.block;
    return block->index[0] + block->grid[0] * (block->index[1] + block->grid[1] * block->index[2]);
}

#endif
