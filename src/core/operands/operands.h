// Operand read: issue latches, collectors, register banks, and the units' issue slots.
//
// A later instruction cannot delay an earlier one between issue and write-back. So an instruction
// reserves all resources when it issues: an entry of its port's latch, a collector, one cycle of a
// bank per register operand (earlier instructions first), one issue slot of a unit. No per-cycle
// work follows.
#ifndef HEDDLE_CORE_OPERANDS_OPERANDS_H
#define HEDDLE_CORE_OPERANDS_OPERANDS_H

#include "core/lsu/collector_turns.h"
#include "core/operands/results.h"
#include "core/warp.h"

#include "base/inline.h"

// The cycles at which the entries of a part are free again. `next` is the one to try first.
typedef struct Ring {
    uint64_t *next, *first, *end;
} Ring;

typedef struct PortState {
    // The issue latch, whose entries become free in order, `next` first. PORT_MEM's entries are
    // free in the next cycle, because memory_taken counts the instructions behind it.
    Ring latch;
    Ring collector;
    Ring unit; // when a unit can start the next instruction
    uint64_t latch_free; // earliest of the latch's
    uint64_t *output;    // shared collectors: by entry between them and the units: cycle at which
                         // it is free again
    unsigned output_next; // the entry of output[] that becomes free first
    unsigned column;     // of its first unit in Operands.results
    // Where results are limited: the last instruction that waited was at the port's head from
    // `head_from` on, and entered unit `head_unit` in cycle `head_until`. No later one enters a
    // unit in between. Without any, head_from is the later one.
    uint64_t head_from, head_until;
    unsigned head_unit;
} __attribute__((aligned(64))) PortState;

typedef struct UnitTime { // cycles
    uint32_t latency, initiation;
} UnitTime;

typedef struct Operands {
    uint64_t *bank_free; // next free pass of each register bank
    // Banks that a warp's registers are in, and the distance between those of schedulers.
    unsigned bank_share, bank_stride;
    unsigned bank_mask;  // plain: bank_share less one
    unsigned pass_shift; // log2 of passes per cycle
    uint32_t stages, dispatch, writeback; // of OperandConfig
    bool plain;          // one pass, a power of two of banks, no shared collectors, no scalars
    uint64_t *pool;      // of shared collectors: passes at which they are free, sorted; NULL: none
    unsigned pool_size, outputs;
    CollectorTurns turns;
    uint64_t memory_left; // the last cycle in which the load/store unit took an instruction
    // operand.mem_collect = behind-writes, else NULL. By register bank and cycle modulo a size that
    // is a power of two: the last such cycle in which the bank was written. written_mask: size - 1.
    uint64_t *bank_writes;
    unsigned written_mask;
    uint64_t memory_arrival; // cycle in which a memory instruction last reached the load/store unit
    PortState port[PORTS];
    UnitTime time[ALL_CLASSES];
    Results results;
    uint64_t latches_free; // from this cycle on, the latches of all ports have room
    unsigned memory_taken, memory_room; // memory instructions between issue and load/store unit
    unsigned memory_easy; // with fewer, no instruction lacks room because of them
} Operands;

// The class whose latency, initiation interval and unit operations of this class have.
OpClass class_timed_as(const UnitConfig *units, OpClass class);

// false: out of memory.
bool operands_init(Operands *operands, const SmConfig *config, HdTables *tables);

// Whether an instruction of a port that is not PORT_MEM gets a shared collector, if there are any.
// Memory instructions hold them while more than `outputs` wait for the load/store unit. If they
// hold all, an SP or SFU instruction gets the next free one; others wait until a memory instruction
// leaves its collector.
static inline bool pool_has_room(const Operands *operands, unsigned p, uint64_t now)
{
    return !operands->pool ||
           operands->memory_taken < operands->outputs + operands->pool_size ||
           (p <= PORT_SFU && operands->memory_left == now);
}
// Whether the port takes an instruction in this cycle.
static inline bool port_has_room(const Operands *operands, unsigned p, uint64_t now)
{
    if (operands->port[p].latch_free > now) return false;
    return p == PORT_MEM ? operands->memory_taken < operands->memory_room
                         : pool_has_room(operands, p, now);
}
// The load/store unit takes this many memory instructions.
static inline void operands_memory_leaves(Operands *operands, uint64_t now, unsigned count)
{
    operands->memory_taken -= count;
    operands->memory_left = now;
}
// Whether all ports have room, which is the usual case; if not, port_has_room says which.
static inline bool ports_have_room(const Operands *operands, uint64_t now)
{
    return operands->latches_free <= now && operands->memory_taken < operands->memory_easy;
}
// Entries of register banks that a wave reads beyond the entry of its first member.
typedef struct FurtherEntries {
    unsigned count;
    uint16_t entry[HD_MAX_LANES];
} FurtherEntries;

// Reserves latch, collector, banks and unit for an instruction issued now at a port that is not
// PORT_MEM: of the warp or, with its registers, of the group of which it is the first member. more:
// the other entries that it reads; NULL: none. Returns the cycle of its write-back.
uint64_t operands_schedule(Operands *operands, SmContext *context, const Warp *w, const UOp *op,
                           const UOpTiming *timing, PortState *port, const FurtherEntries *more);
// The same for a warp's instruction, if Operands.plain.
uint64_t operands_schedule_plain(Operands *operands, SmContext *context, const Warp *w,
                                 const UOp *op, const UOpTiming *timing, PortState *port);
// Reserves the banks for the memory operation `index`, and sets *read_at to the last cycle in which
// it reads a register. Returns the cycle at which it reaches the load/store unit, whose owner calls
// operands_memory_leaves.
uint64_t operands_schedule_memory(Operands *operands, SmContext *context, const Warp *w,
                                  const UOp *op,
                                  const UOpTiming *timing, uint32_t index, uint64_t *read_at,
                                  const FurtherEntries *more);
// With operand.mem_collect = behind-writes: whether a memory instruction that was to reach the
// load/store unit in this cycle does so. false: not before the next cycle. Sets *read_at to 0 once
// its registers are read.
bool operands_arrive(Operands *operands, const SmContext *context, const Warp *w,
                     const UOpTiming *timing, uint64_t *read_at);
// ---- banks ----

// What is on the path of every instruction is built twice: for machines with one pass, one
// number of banks that is a power of two, and no shared collectors (`plain`), and for all.

// The banks of the warp's registers.
ALWAYS_INLINE uint64_t *banks_of(const Operands *operands, const Warp *w)
{
    return operands->bank_free + operands->bank_stride * w->issue.scheduler;
}
ALWAYS_INLINE uint64_t *bank_of(const Operands *operands, const Warp *w, unsigned reg,
                                unsigned entry, bool plain)
{
    return banks_of(operands, w) + (plain ? (reg + entry) & operands->bank_mask
                                          : (reg + entry) % operands->bank_share);
}

// The entry of read or write i of an instruction. scalars: a bit for each that is of a scalar.
ALWAYS_INLINE unsigned entry_of(const Warp *w, uint16_t scalars, unsigned i, bool plain)
{
    return !plain && scalars >> i & 1 ? w->banks.scalar_entry : w->banks.entry;
}

// Where a write to the bank in this cycle is noted.
static inline uint64_t *written_at(const Operands *operands, const uint64_t *bank, uint64_t cycle)
{
    size_t row = (size_t)(bank - operands->bank_free) * (operands->written_mask + 1);
    return &operands->bank_writes[row + (cycle & operands->written_mask)];
}

// Reserves the bank for result i of an instruction.
ALWAYS_INLINE void write_bank(Operands *operands, const SmContext *context, const Warp *w,
                              const UOpTiming *timing, unsigned i, bool plain)
{
    uint64_t pass = plain ? context->now : context->now << operands->pass_shift;
    unsigned entry = entry_of(w, timing->scalar_bank_writes, i, plain);
    uint64_t *bank = bank_of(operands, w, timing->bank_writes[i], entry, plain);
    *bank = (*bank > pass ? *bank : pass) + 1;
    if (operands->bank_writes) *written_at(operands, bank, context->now) = context->now;
}

// Reserves the banks for the results of an instruction.
void operands_write_any(Operands *operands, const SmContext *context, const Warp *w,
                        const UOpTiming *timing);
static inline void operands_write(Operands *operands, const SmContext *context, const Warp *w,
                                  const UOpTiming *timing)
{
    if (operands->plain && timing->bank_write_count == 1)
        write_bank(operands, context, w, timing, 0, true);
    else
        operands_write_any(operands, context, w, timing);
}

#endif
