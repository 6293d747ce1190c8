// The parts of a schedule, built into the functions that make one; and the whole of it for an
// instruction on plain machines (Operands.plain), built into its issue.
#ifndef HEDDLE_CORE_OPERANDS_SCHEDULE_H
#define HEDDLE_CORE_OPERANDS_SCHEDULE_H

#include "core/operands/operands.h"

// The entry behind this one is tried first from now on.
static inline void ring_pass(Ring *ring, uint64_t *entry)
{
    ring->next = entry + 1 < ring->end ? entry + 1 : ring->first;
}

// The entry that is free first.
static inline uint64_t *earliest(const Ring *ring)
{
    uint64_t *best = ring->first;
    for (uint64_t *entry = ring->first + 1; entry < ring->end; entry++)
        if (*entry < *best) best = entry;
    return best;
}

// Reserves a bank's pass for a register read, from pass `from` on. *last becomes that pass, if it
// is later. Returns it.
ALWAYS_INLINE uint64_t read_bank(uint64_t *bank, uint64_t from, uint64_t *last)
{
    uint64_t pass = *bank > from ? *bank : from;
    *bank = pass + 1;
    if (pass > *last) *last = pass;
    return pass;
}

// Reserves a bank's pass for each register read, from pass `from` on, if Operands.plain. Returns the
// last one.
ALWAYS_INLINE uint64_t read_banks_plain(Operands *operands, SmContext *sm, const Warp *w,
                                        const UOpTiming *timing, uint64_t from)
{
    uint64_t last = from - 1, passes = 0;
    unsigned count = timing->bank_read_count;
    if (!count) return last;
    uint64_t *banks = banks_of(operands, w);
    const uint16_t *reg = timing->bank_reads, *end = reg + count;
    do { // the bound is out of the compiler's sight, so that it does not unroll the loop
        passes += read_bank(&banks[(*reg + w->entry) & operands->bank_mask], from, &last);
    } while (++reg < end);
    sm->count.sm.operand_reads += count;
    sm->count.sm.operand_conflict_cycles += passes - count * from; // `from`: without a wait
    return last;
}

static inline void use_latch(Operands *operands, PortState *port, uint64_t cycle)
{
    // A later instruction never reaches its collector sooner: latch entries become free in order.
    *port->latch.next = cycle;
    ring_pass(&port->latch, port->latch.next);
    port->latch_free = *port->latch.next;
    if (port->latch_free > operands->latches_free) operands->latches_free = port->latch_free;
}

// The collector that takes an instruction in the first cycle or pass from *from on, which becomes
// that one. Any free one will do, because later instructions arrive no sooner; most likely it is
// the one that was taken longest ago.
ALWAYS_INLINE uint64_t *take_collector(PortState *port, uint64_t *from)
{
    uint64_t *taken = port->collector.next;
    ring_pass(&port->collector, taken);
    if (*taken <= *from) return taken;
    taken = earliest(&port->collector);
    if (*taken > *from) *from = *taken;
    return taken;
}

// Chooses the first unit that is free and whose result leaves in a cycle of its own, in the first
// such cycle from `ready` on. Returns this cycle.
uint64_t operands_enter_with_result(const Operands *operands, PortState *port, uint64_t ready,
                                    uint32_t latency, uint64_t **unit);
// Takes a unit of the port from cycle `start` on at the earliest. No later instruction starts
// before cycle `soonest`, so any unit that is free by then is as good as the one that is free
// first. Most likely that is the one behind the unit taken last. Returns the cycle.
ALWAYS_INLINE uint64_t enter_unit(const Operands *operands, PortState *port, uint64_t start,
                                  uint64_t soonest, UnitTime time)
{
    uint64_t *unit = port->unit.next;
    if (operands->results.rows) {
        start = operands_enter_with_result(operands, port, start, time.latency, &unit);
    } else {
        if (*unit > soonest) unit = earliest(&port->unit);
        ring_pass(&port->unit, unit);
        if (*unit > start) start = *unit;
    }
    *unit = start + time.initiation;
    return start;
}

// As operands_schedule, if Operands.plain.
ALWAYS_INLINE uint64_t operands_schedule_plain(Operands *operands, SmContext *sm, const Warp *w,
                                               const UOp *op, const UOpTiming *timing,
                                               PortState *port)
{
    const uint64_t dispatch = operands->dispatch, soonest = sm->now + operands->stages;
    uint64_t allocated = soonest;
    uint64_t *collector = take_collector(port, &allocated);
    // In this cycle already, all entries are free, and it does not matter which is used.
    if (allocated > sm->now) use_latch(operands, port, allocated);
    const UnitTime *time = &operands->time[op->class];
    uint64_t start = read_banks_plain(operands, sm, w, timing, allocated + 1) + dispatch;
    start = enter_unit(operands, port, start, soonest + dispatch, *time);
    // The instruction leaves its collector for the dispatch stages, which never stall.
    *collector = start - dispatch + 1;
    return start + time->latency + operands->writeback;
}

// The cycle at which a memory instruction reaches the load/store unit. Without registers to read (a
// kernel's parameter, a variable) and without stages, it would be its issue cycle, whose events
// have been taken already.
static inline uint64_t arrival(const SmContext *sm, uint64_t ready)
{
    return ready > sm->now ? ready : sm->now + 1;
}

// A memory instruction issues.
static inline void take_memory(Operands *operands, const SmContext *sm)
{
    operands->memory_taken++;
    if (sm->config.operand->mem_issue)
        use_latch(operands, &operands->port[PORT_MEM], sm->now + 1);
}

// As operands_schedule_memory, if Operands.plain.
ALWAYS_INLINE uint64_t operands_schedule_memory_plain(Operands *operands, SmContext *sm,
                                                      const Warp *w, const UOp *op,
                                                      const UOpTiming *timing, uint64_t *read_at)
{
    take_memory(operands, sm);
    *read_at = read_banks_plain(operands, sm, w, timing, sm->now + operands->stages + 1);
    return arrival(sm, *read_at + operands->dispatch + operands->time[op->class].latency - 1);
}

#endif
