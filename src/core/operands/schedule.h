// The schedule of a memory instruction on plain machines (Operands.plain), built into its issue,
// and the parts that it shares with others.
#ifndef HEDDLE_CORE_OPERANDS_SCHEDULE_H
#define HEDDLE_CORE_OPERANDS_SCHEDULE_H

#include "core/operands/operands.h"

// The entry behind this one is tried first from now on.
static inline void ring_pass(Ring *ring, uint64_t *entry)
{
    ring->next = entry + 1 < ring->end ? entry + 1 : ring->first;
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

// Reserves a bank's pass for each register read, from pass `from` on, if Operands.plain. Returns
// the last one.
ALWAYS_INLINE uint64_t read_banks_plain(Operands *operands, SmContext *context, const Warp *w,
                                        const UOpTiming *timing, uint64_t from)
{
    uint64_t last = from - 1, passes = 0;
    unsigned count = timing->bank_read_count;
    if (!count) return last;
    uint64_t *banks = banks_of(operands, w);
    const uint16_t *reg = timing->bank_reads, *end = reg + count;
    do { // the bound is out of the compiler's sight, so that it does not unroll the loop
        passes += read_bank(&banks[(*reg + w->banks.entry) & operands->bank_mask], from, &last);
    } while (++reg < end);
    context->count.sm.operand_reads += count;
    context->count.sm.operand_conflict_cycles += passes - count * from; // `from`: without a wait
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

// The cycle at which a memory instruction reaches the load/store unit. Without registers to read (a
// kernel's parameter, a variable) and without stages, it would be its issue cycle, whose events
// have been taken already.
static inline uint64_t arrival(const SmContext *context, uint64_t ready)
{
    return ready > context->now ? ready : context->now + 1;
}

// A memory instruction issues.
static inline void take_memory(Operands *operands, const SmContext *context)
{
    operands->memory_taken++;
    if (context->config.operand->mem_issue)
        use_latch(operands, &operands->port[PORT_MEM], context->now + 1);
}

// As operands_schedule_memory, if Operands.plain.
ALWAYS_INLINE uint64_t operands_schedule_memory_plain(Operands *operands, SmContext *context,
                                                      const Warp *w, const UOp *op,
                                                      const UOpTiming *timing, uint64_t *read_at)
{
    take_memory(operands, context);
    *read_at = read_banks_plain(operands, context, w, timing, context->now + operands->stages + 1);
    return arrival(context, *read_at + operands->dispatch + operands->time[op->class].latency - 1);
}

#endif
