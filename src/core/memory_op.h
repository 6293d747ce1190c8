// In-flight memory operations: one memory instruction of a warp, or of an issue group of warps,
// from issue to its last reply.
//
// They come from a pool that grows to the most that were in flight at once. A request names the
// operation and the access that it is for by a token, which comes back with the reply.
#ifndef HEDDLE_CORE_MEMORY_OP_H
#define HEDDLE_CORE_MEMORY_OP_H

#include "core/warp.h"
#include "base/memory.h"
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
    uint8_t bytes; // added to each packet of a load or an atomic
} RequestFields;

// A request to a mechanism's engine.
typedef struct EngineOp {
    EngineRequest request;
    uint32_t predicate_base; // as MemoryOp.slot_base, of predicates
    uint16_t slice;          // where the engine is
    uint16_t bytes;          // of the request beyond its header
} EngineOp;

// A warp of a group, in an operation of the group.
typedef struct MemoryMember {
    Warp *warp;
    LaneMask lanes;     // that execute, of the warp
    LaneMask places;    // the operation's lanes that make their accesses
    uint32_t slot_base; // as MemoryOp.slot_base
    uint16_t waiting;   // accesses of its places without a reply
    bool done;
} MemoryMember;

// The warps of an operation. A lane of the operation is a place of the group: the warps' lanes side
// by side or, for scalar instructions, a lane for each warp.
typedef struct MemoryMembers {
    uint16_t wave;  // 1 + index of the wave, which ends with the operation; 0: none
    uint8_t of[HD_MAX_LANES];  // by place: the member
    uint8_t own[HD_MAX_LANES]; // by place: the member's own lane
    MemoryMember item[HD_MAX_LANES];
} MemoryMembers;

typedef struct MemoryOp {
    uint32_t next_free;
    uint32_t atomic;          // of an atomic in flight: its place in MemoryOps.atomics
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
    uint8_t members;    // warps of a group; 0: it is the owner's alone
    uint16_t count, sent; // accesses; those handed to a first-level cache or the network
    uint16_t looked_up;   // accesses looked up in the L1D, if a mechanism holds accesses
    uint16_t passes;      // shared memory: passes of the banks
    CoalescedAccess *accesses; // [MEMORY_OP_ACCESSES], among the SM's tables
    AtomicLanes *atomics; // one per access, for atomics, among the SM's tables
    EngineOp *engine;     // MEM_ENGINE
    LaneMask lanes;       // of the owner; of a group: its places
    MemoryMembers *group; // the members, if there are any
    ShadowStore shadow;
} MemoryOp;

// The token of an operation's access. 0 is no token.
enum { TOKEN_OP_BITS = 24, TOKEN_OPS = 1 << TOKEN_OP_BITS };
_Static_assert(MEMORY_OP_ACCESSES <= 1 << (32 - TOKEN_OP_BITS), "a token has room for an access");
static inline uint32_t access_token(uint32_t op, unsigned access)
{
    return op | (uint32_t)access << TOKEN_OP_BITS;
}
static inline uint32_t token_op(uint32_t token) { return token & (TOKEN_OPS - 1); }
static inline unsigned token_access(uint32_t token) { return token >> TOKEN_OP_BITS; }

typedef struct MemoryOps {
    MemoryOp *items; // index 0 is never used
    uint32_t capacity, free, live;
    uint32_t *atomics; // indices of the atomics in flight
    size_t atomic_count, atomic_capacity;
} MemoryOps;

void memory_ops_free(MemoryOps *ops);
// Makes a free operation that has accesses. false: out of memory.
bool memory_op_make(MemoryOps *ops, SmContext *context);
// Takes a free operation for the warp's next instruction. Its accesses have the values of their
// last use. NULL: out of memory.
static inline MemoryOp *memory_op_new(MemoryOps *ops, SmContext *context, const Warp *w,
                                      PtxSpace space, LaneMask lanes, uint32_t *index)
{
    bool ready = ops->free && ops->items[ops->free].accesses;
    if (__builtin_expect(!ready, 0) && !memory_op_make(ops, context)) return NULL;
    MemoryOp *op = &ops->items[ops->free];
    *index = ops->free;
    ops->free = op->next_free;
    ops->live++;
    const Frame *frame = &w->calls.frames[w->calls.frame];
    op->function = frame->function_index;
    op->index = w->pc;
    op->op = &w->ops[w->pc];
    op->timing = &w->timing[w->pc];
    op->owner = w;
    op->issued = context->now;
    op->pc = w->pc_base + w->pc;
    op->slot_base = frame->slot_base;
    op->warp = w->id;
    op->space = (uint8_t)space;
    op->lanes = lanes;
    op->injected = false;
    op->members = 0;
    return op;
}
// Sets what the members of a group wait for, by the operation's accesses.
void memory_op_count_waiting(MemoryOp *op);
// The operation, an atomic, is in flight from now on. false: out of memory.
static inline bool memory_op_note_atomic(MemoryOps *ops, uint32_t index)
{
    ops->items[index].atomic = (uint32_t)ops->atomic_count;
    return HD_PUSH(ops->atomics, ops->atomic_count, ops->atomic_capacity, index);
}
static inline void memory_op_forget_atomic(MemoryOps *ops, const MemoryOp *op)
{
    uint32_t moved = ops->atomics[--ops->atomic_count];
    ops->atomics[op->atomic] = moved;
    ops->items[moved].atomic = op->atomic;
}
static inline void memory_op_free(MemoryOps *ops, uint32_t index)
{
    ops->items[index].next_free = ops->free;
    ops->free = index;
    ops->live--;
}

static inline bool memory_op_is_group(const MemoryOp *op) { return op->members; }

// The warps that wait for the operation.
static inline unsigned memory_op_members(const MemoryOp *op)
{
    return memory_op_is_group(op) ? op->members : 1;
}
static inline const Warp *memory_op_member(const MemoryOp *op, unsigned i)
{
    return memory_op_is_group(op) ? op->group->item[i].warp : op->owner;
}

// The warp whose access a lane of the operation makes. *own becomes the lane of the warp.
static inline const Warp *memory_op_warp(const MemoryOp *op, unsigned lane, unsigned *own)
{
    *own = lane;
    if (!memory_op_is_group(op)) return op->owner;
    *own = op->group->own[lane];
    return op->group->item[op->group->of[lane]].warp;
}

// Whether the warp waits for the operation.
static inline bool memory_op_has(const MemoryOp *op, const Warp *w)
{
    if (!memory_op_is_group(op)) return op->owner == w;
    for (unsigned i = 0; i < op->members; i++)
        if (op->group->item[i].warp == w) return !op->group->item[i].done;
    return false;
}

// An access has become this many fetches, each with a reply.
static inline void memory_op_expect(MemoryOp *op, unsigned access, unsigned replies)
{
    op->waiting += replies - 1;
    if (!memory_op_is_group(op)) return;
    for (unsigned i = 0; i < op->members; i++)
        if (op->group->item[i].places & op->accesses[access].lanes)
            op->group->item[i].waiting += replies - 1;
}

// The addresses of local memory in the caches, outside all guest allocations. It consists of rows
// of 4-byte words, a word for each thread: those of the warp (of a pair with core.paired), or of
// all threads that the GPU holds. Lanes of a warp or pair that use the same offset share lines.
#define LOCAL_BASE (UINT64_C(4) << 44)
typedef struct LocalRows {
    uint64_t first; // number of the word with offset 0 of the first lane of the warp or pair
    uint64_t words; // of a row
} LocalRows;
static inline LocalRows local_rows(const SmContext *context, const Warp *w)
{
    const CoreConfig *core = context->config.core;
    const PathConfig *path = context->config.path;
    uint64_t together = core_group_lanes(core), sms = context->launch->sms;
    if (path->local_layout == LOCAL_BY_GPU && core->paired) // pairs of the same slot lie together
        return (LocalRows){.first = ((w->id >> 1) * sms + context->id) * together,
                           .words = core->threads * sms};
    if (path->local_layout == LOCAL_BY_GPU) { // blocks of the same slot lie together
        uint64_t threads = (uint64_t)w->block->warps * core->width;
        uint64_t block = w->block->slot * sms + context->id;
        return (LocalRows){
            .first = block * threads + (uint64_t)w->exec.warp_in_block * core->width,
            .words = threads * context->launch->blocks_per_sm * sms};
    }
    uint64_t bytes = w->exec.local_stride;
    if (path->function_params == FUNCTION_PARAMS_LOCAL) bytes += w->exec.frame_param_stride;
    uint64_t warp = (uint64_t)context->id * (core->threads / core->width) + w->id;
    return (LocalRows){.first = (warp >> core->paired) * bytes / 4 * together, .words = together};
}

// Whether it accesses local memory, which also has a device function's parameters if these are not
// in registers.
static inline bool memory_op_is_local(const MemoryOp *op)
{
    return op->space == SPACE_LOCAL || op->space == SPACE_FRAME_PARAM;
}

// The offset in a thread's local memory of what an instruction of the warp accesses at `offset` of
// its space. The parameters of all frames lie behind the .local variables of all frames.
static inline uint64_t local_offset(const MemoryOp *op, const Warp *w, uint64_t offset)
{
    if (op->space == SPACE_LOCAL) return offset;
    return w->exec.local_stride
        + (uint64_t)(w->exec.frame_params - w->values.frame_params) + offset;
}

// The address of a byte of a lane's local memory.
static inline uint64_t local_address(const SmContext *context, const Warp *w, unsigned lane,
                                     uint64_t offset)
{
    const CoreConfig *core = context->config.core;
    LocalRows rows = local_rows(context, w);
    unsigned half = w->id & core->paired, column = half * core->width + lane;
    return LOCAL_BASE + (rows.first + offset / 4 * rows.words + column) * 4 + offset % 4;
}

// The registers of a member (0: the owner) for late results: its current split may be in another
// frame.
static inline ExecWarp memory_op_frame(const MemoryOp *op, unsigned member)
{
    const Warp *w = op->owner;
    uint32_t slot_base = op->slot_base;
    if (memory_op_is_group(op)) {
        w = op->group->item[member].warp;
        slot_base = op->group->item[member].slot_base;
    }
    ExecWarp frame = w->exec;
    frame.base[0] = w->values.slots + (size_t)slot_base * SLOT_BYTES;
    if (op->kind == MEM_ENGINE)
        frame.predicates = w->values.predicates + op->engine->predicate_base;
    return frame;
}

// What kind of instruction it is to mechanisms.
static inline HdKind memory_op_kind(const MemoryOp *op)
{
    if (op->kind == MEM_ENGINE) return HD_ENGINE_READ;
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
static inline bool memory_op_blocks_warp(const SmContext *context, const MemoryOp *op)
{
    return op->op->class == CLASS_ATOMIC && context->config.core->atomic_wait == ATOMIC_WAIT_WARP;
}

// The lower 32 bits of the linear index of the owner's block in the grid.
static inline uint32_t memory_op_block(const MemoryOp *op)
{
    const ExecBlock *block = op->owner->exec.block;
    return block->index[0] + block->grid[0] * (block->index[1] + block->grid[1] * block->index[2]);
}

#endif
