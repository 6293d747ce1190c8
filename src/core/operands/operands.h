// Operand read: issue latches, collectors, register banks, and the units' issue slots.
//
// A later instruction cannot delay an earlier one between issue and write-back. So an instruction
// reserves all resources when it issues: an entry of its port's latch, a collector, one cycle of a
// bank per register operand (earlier instructions first), one issue slot of a unit. No per-cycle
// work follows.
#ifndef HEDDLE_CORE_OPERANDS_OPERANDS_H
#define HEDDLE_CORE_OPERANDS_OPERANDS_H

#include "core/operands/results.h"
#include "core/warp.h"

typedef struct PortState {
    // By entry of the issue latch: cycle at which it is free again. PORT_MEM's entries are free in
    // the next cycle, because memory_taken counts the instructions behind it.
    uint64_t *latch;
    uint64_t *collector; // by collector: cycle at which it is free again
    uint64_t *unit;      // by unit: cycle at which it can start the next instruction
    unsigned latches, collectors, units;
    unsigned column;     // of its first unit in Operands.results
    // Where results are limited: the last instruction that waited was at the port's head from
    // `head_from` on, and entered unit `head_unit` in cycle `head_until`. No later one enters a
    // unit in between. Without any, head_from is the later one.
    uint64_t head_from, head_until;
    unsigned head_unit;
    unsigned latch_next; // the entry of latch[] that becomes free first
    uint64_t latch_free; // earliest of latch[]
} PortState;

typedef struct UnitTime { // cycles
    uint32_t latency, initiation;
} UnitTime;

// By register bank and cycle modulo WRITTEN_CYCLES: the last such cycle in which it was written.
enum { WRITTEN_CYCLES = 4 };
typedef uint64_t BankWrites[WRITTEN_CYCLES];

typedef struct Operands {
    uint64_t *bank_free; // next free cycle of each register bank
    // operand.mem_collect = behind-writes, else NULL; and the cycle in which a memory instruction
    // last reached the load/store unit.
    BankWrites *bank_writes;
    uint64_t memory_arrival;
    PortState port[PORTS];
    UnitTime time[ALL_CLASSES];
    Results results;
    unsigned memory_taken, memory_room; // memory instructions between issue and load/store unit
} Operands;

// The class whose latency, initiation interval and unit operations of this class have.
OpClass class_timed_as(const UnitConfig *units, OpClass class);

// false: out of memory.
bool operands_init(Operands *operands, const SmConfig *config);
void operands_free(Operands *operands);

// Whether the port's latch has room in this cycle.
static inline bool port_has_room(const Operands *operands, unsigned p, uint64_t now)
{
    return operands->port[p].latch_free <= now &&
           (p != PORT_MEM || operands->memory_taken < operands->memory_room);
}
// Reserves latch, collector, banks and unit for an instruction issued now at a port that is not
// PORT_MEM. Returns the cycle of its write-back.
uint64_t operands_schedule(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                           const UOpTiming *timing, unsigned p);
// Reserves the banks for a memory instruction, and sets *read_at to the last cycle in which it
// reads a register. Returns the cycle at which it reaches the load/store unit, whose owner takes it
// out of memory_taken.
uint64_t operands_schedule_memory(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                                  const UOpTiming *timing, uint64_t *read_at);
// With operand.mem_collect = behind-writes: whether a memory instruction that was to reach the
// load/store unit in this cycle does so. false: not before the next cycle. Sets *read_at to 0 once
// its registers are read.
bool operands_arrive(Operands *operands, const SmContext *sm, const Warp *w,
                     const UOpTiming *timing, uint64_t *read_at);
// Reserves the banks for the results of an instruction.
void operands_write(Operands *operands, const SmContext *sm, const Warp *w,
                    const UOpTiming *timing);

#endif
