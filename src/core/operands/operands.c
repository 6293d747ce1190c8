// Reserves the resources of instructions from issue to write-back.
#include "core/operands/operands.h"

#include "base/memory.h"

#include <stdlib.h>

static bool port_init(PortState *port, unsigned latches, unsigned collectors, unsigned units)
{
    *port = (PortState){.latch = hd_new(latches, 8), .collector = hd_new(collectors, 8),
                        .unit = hd_new(units, 8), .latches = latches, .collectors = collectors,
                        .units = units, .head_from = 1};
    return port->latch && port->collector && port->unit;
}

// In how many cycles at most an instruction that issues now has its result. Those before it delay
// it by their reads, and those of units by an initiation interval and a place among the results.
static uint64_t result_horizon(const Operands *operands, const OperandConfig *config)
{
    uint64_t latency = 0, initiation = 0, before = 0;
    for (unsigned c = 0; c < ALL_CLASSES; c++) {
        if (operands->time[c].latency > latency) latency = operands->time[c].latency;
        if (operands->time[c].initiation > initiation) initiation = operands->time[c].initiation;
    }
    for (unsigned p = 0; p < PORTS; p++)
        if (p != PORT_MEM) before += operands->port[p].latches + operands->port[p].collectors + 1;
    uint64_t registers = (before + operands->memory_room) * (UOP_MAX_READS + UOP_MAX_WRITES);
    return before * (initiation + 1) + registers + config->stages + config->dispatch + latency;
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
    if (c->mem_collect == COLLECT_BEHIND_WRITES)
        operands->bank_writes = hd_new(c->banks, sizeof *operands->bank_writes);
    if (!operands->bank_free ||
        (c->mem_collect == COLLECT_BEHIND_WRITES && !operands->bank_writes) ||
        !port_init(&operands->port[PORT_SP], c->ports_sp, c->sp, u->sp) ||
        !port_init(&operands->port[PORT_SFU], c->ports_sfu, c->sfu, u->sfu) ||
        !port_init(&operands->port[PORT_DP], c->ports_dp, c->dp, u->dp ? u->dp : 1) ||
        !port_init(&operands->port[PORT_MEM], c->mem_issue ? c->mem_issue : 1, c->mem, 1))
        return false;
    unsigned units = 0;
    for (unsigned p = 0; p < PORTS; p++) {
        operands->port[p].column = units;
        units += operands->port[p].units;
    }
    return results_init(&operands->results, u, result_horizon(operands, c));
}

void operands_free(Operands *operands)
{
    for (unsigned p = 0; p < PORTS; p++) {
        free(operands->port[p].latch);
        free(operands->port[p].collector);
        free(operands->port[p].unit);
    }
    free(operands->bank_free);
    free(operands->bank_writes);
    results_free(&operands->results);
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
    for (unsigned i = 0; i < timing->bank_read_count; i++) {
        uint64_t *bank = &operands->bank_free[(timing->bank_reads[i] + w->id) % banks];
        uint64_t cycle = *bank > from ? *bank : from;
        *bank = cycle + 1;
        sm->count.sm.operand_reads++;
        sm->count.sm.operand_conflict_cycles += cycle - from;
        if (cycle > last) last = cycle;
    }
    return last;
}

// Whether an instruction may not enter the unit, because an earlier one is at the port's head.
static inline bool is_behind(const PortState *port, uint64_t cycle, unsigned unit)
{
    return cycle <= port->head_until && cycle >= port->head_from &&
           (cycle < port->head_until || unit <= port->head_unit);
}

// Chooses the first unit that is free and whose result leaves in a cycle of its own, in the first
// such cycle from `ready` on. Returns this cycle.
static inline uint64_t enter_with_result(const Operands *operands, PortState *port, uint64_t ready,
                                         uint32_t latency, unsigned *unit)
{
    uint64_t start = ready;
    bool refused = false;
    for (unsigned u = 0;;) {
        if (port->unit[u] <= start && !is_behind(port, start, u)) {
            *unit = u;
            if (results_take(&operands->results, port->column + u, start + latency)) break;
            refused = true;
        }
        if (++u < port->units) continue;
        u = 0;
        start++;
        if (port->units == 1 && port->unit[0] > start) start = port->unit[0];
    }
    // If only busy units made it wait, they make later ones wait, too.
    if (refused && start >= port->head_until) {
        if (ready > port->head_until || ready < port->head_from) port->head_from = ready;
        port->head_until = start;
        port->head_unit = *unit;
    }
    return start;
}

// Takes the latch entry that becomes free first, until the instruction reaches its collector. A
// later one never does so sooner: entries become free in order.
static inline void latch_take(PortState *port, uint64_t until)
{
    port->latch[port->latch_next] = until;
    if (++port->latch_next == port->latches) port->latch_next = 0;
    port->latch_free = port->latch[port->latch_next];
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
    if (port->collector[collector] > allocated) allocated = port->collector[collector];
    latch_take(port, allocated);
    uint64_t start = read_banks(operands, sm, w, timing, allocated + 1) + c->dispatch;
    UnitTime time = operands->time[op->class];
    unsigned unit = 0;
    if (operands->results.rows) {
        start = enter_with_result(operands, port, start, time.latency, &unit);
    } else {
        unit = earliest(port->unit, port->units);
        if (port->unit[unit] > start) start = port->unit[unit];
    }
    // The instruction leaves its collector for the dispatch stages, which never stall.
    port->collector[collector] = start - c->dispatch + 1;
    port->unit[unit] = start + time.initiation;
    return start + time.latency + c->writeback;
}

uint64_t operands_schedule_memory(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                                  const UOpTiming *timing, uint64_t *read_at)
{
    const OperandConfig *c = sm->config.operand;
    operands->memory_taken++;
    if (c->mem_issue) latch_take(&operands->port[PORT_MEM], sm->now + 1);
    *read_at = read_banks(operands, sm, w, timing, sm->now + c->stages + 1);
    uint64_t ready = *read_at + c->dispatch + operands->time[op->class].latency - 1;
    // Without registers to read (a kernel's parameter, a variable) and without stages, the
    // instruction would arrive in its issue cycle, whose events have been taken already.
    return ready > sm->now ? ready : sm->now + 1;
}

bool operands_arrive(Operands *operands, const SmContext *sm, const Warp *w,
                     const UOpTiming *timing, uint64_t *read_at)
{
    unsigned banks = sm->config.operand->banks;
    for (unsigned i = 0; *read_at && i < timing->bank_read_count; i++) {
        const uint64_t *written =
            operands->bank_writes[(timing->bank_reads[i] + w->id) % banks];
        if (written[*read_at % WRITTEN_CYCLES] != *read_at) continue;
        ++*read_at;
        return false;
    }
    *read_at = 0;
    if (operands->memory_arrival == sm->now) return false;
    operands->memory_arrival = sm->now;
    return true;
}

void operands_write(Operands *operands, const SmContext *sm, const Warp *w,
                    const UOpTiming *timing)
{
    unsigned banks = sm->config.operand->banks, cycle = sm->now % WRITTEN_CYCLES;
    for (unsigned i = 0; i < timing->bank_write_count; i++) {
        unsigned number = (timing->bank_writes[i] + w->id) % banks;
        uint64_t *bank = &operands->bank_free[number];
        *bank = (*bank > sm->now ? *bank : sm->now) + 1;
        if (operands->bank_writes) operands->bank_writes[number][cycle] = sm->now;
    }
}
