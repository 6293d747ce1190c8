// Reserves the resources of instructions from issue to write-back.
#include "core/operands/operands.h"

#include "base/memory.h"

#include <stdlib.h>

static bool port_init(PortState *port, unsigned latches, unsigned collectors, unsigned units)
{
    *port = (PortState){.latch = hd_new(latches, 8), .collector = hd_new(collectors, 8),
                        .unit = hd_new(units, 8), .latches = latches, .collectors = collectors,
                        .units = units};
    return port->latch && port->collector && port->unit;
}

OpClass class_timed_as(const UnitConfig *units, OpClass class)
{
    if (class < LATENCY_CLASSES) return class;
    return units->unclassed == UNCLASSED_AS_MOVE ? CLASS_MOVE : uop_counted_as(class);
}

bool operands_init(Operands *operands, const SmConfig *config)
{
    const OperandConfig *c = config->operand;
    const UnitConfig *u = config->units;
    operands->bank_free = hd_new(c->banks, sizeof *operands->bank_free);
    // Latch, collectors, and the latch after them.
    operands->memory_room = c->ports_mem + c->mem + 1;
    for (unsigned i = 0; i < ALL_CLASSES; i++) {
        OpClass row = class_timed_as(u, (OpClass)i);
        operands->time[i] =
            (UnitTime){config->latency->of[row], config->initiation->of[row]};
    }
    return operands->bank_free &&
           port_init(&operands->port[PORT_SP], c->ports_sp, c->sp, u->sp) &&
           port_init(&operands->port[PORT_SFU], c->ports_sfu, c->sfu, u->sfu) &&
           port_init(&operands->port[PORT_DP], c->ports_dp, c->dp, u->dp ? u->dp : 1) &&
           port_init(&operands->port[PORT_MEM], c->ports_mem, c->mem, 1);
}

void operands_free(Operands *operands)
{
    for (unsigned p = 0; p < PORTS; p++) {
        free(operands->port[p].latch);
        free(operands->port[p].collector);
        free(operands->port[p].unit);
    }
    free(operands->bank_free);
}

static unsigned earliest(const uint64_t *free, unsigned count)
{
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (free[i] < free[best]) best = i;
    return best;
}

// Reserves a bank cycle for each register read, from cycle `from` on. Returns the last one's cycle.
static uint64_t read_banks(Operands *operands, SmContext *sm, const Warp *w,
                           const UOpTiming *timing, uint64_t from)
{
    unsigned banks = sm->config.operand->banks;
    uint64_t last = from - 1;
    for (unsigned i = 0; i < timing->read_count; i++) {
        if (!timing->read_words[i]) continue;
        uint64_t *bank = &operands->bank_free[(timing->reads[i] + w->id) % banks];
        uint64_t cycle = *bank > from ? *bank : from;
        *bank = cycle + 1;
        sm->count.sm.operand_reads++;
        sm->count.sm.operand_conflict_cycles += cycle - from;
        if (cycle > last) last = cycle;
    }
    return last;
}

uint64_t operands_schedule(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                           const UOpTiming *timing, unsigned p)
{
    const OperandConfig *c = sm->config.operand;
    uint64_t allocated = sm->now + c->stages;
    PortState *port = &operands->port[p];
    // The first free collector, otherwise the one that becomes free first. Any free one will do,
    // because later instructions arrive no sooner.
    unsigned collector = 0;
    while (collector < port->collectors && port->collector[collector] > allocated) collector++;
    if (collector == port->collectors) collector = earliest(port->collector, port->collectors);
    unsigned unit = earliest(port->unit, port->units);
    if (port->collector[collector] > allocated) allocated = port->collector[collector];
    // A later instruction never reaches its collector sooner: latch entries become free in order.
    port->latch[port->latch_next] = allocated;
    if (++port->latch_next == port->latches) port->latch_next = 0;
    port->latch_free = port->latch[port->latch_next];
    uint64_t start = read_banks(operands, sm, w, timing, allocated + 1) + c->dispatch;
    if (port->unit[unit] > start) start = port->unit[unit];
    // The instruction leaves its collector for the dispatch stages, which never stall.
    port->collector[collector] = start - c->dispatch + 1;
    UnitTime time = operands->time[op->class];
    port->unit[unit] = start + time.initiation;
    return start + time.latency + c->writeback;
}

uint64_t operands_schedule_memory(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                                  const UOpTiming *timing)
{
    const OperandConfig *c = sm->config.operand;
    operands->memory_taken++;
    uint64_t ready = read_banks(operands, sm, w, timing, sm->now + c->stages + 1) + c->dispatch +
                     operands->time[op->class].latency - 1;
    // Without registers to read (a kernel's parameter, a variable) and without stages, the
    // instruction would arrive in its issue cycle, whose events have been taken already.
    return ready > sm->now ? ready : sm->now + 1;
}

void operands_write(Operands *operands, const SmContext *sm, const Warp *w,
                    const UOpTiming *timing)
{
    unsigned banks = sm->config.operand->banks;
    for (unsigned i = 0; i < timing->write_count; i++) {
        uint64_t *bank = &operands->bank_free[(timing->writes[i] + w->id) % banks];
        *bank = (*bank > sm->now ? *bank : sm->now) + 1;
    }
}
