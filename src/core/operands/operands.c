// Reserves the resources of instructions from issue to write-back.
#include "core/operands/operands.h"

#include "base/bits.h"
#include "base/tables.h"

static bool port_init(PortState *port, unsigned latches, unsigned collectors, unsigned units,
                      HdTables *tables)
{
    *port = (PortState){.latch = hd_tables_new(tables, latches, 8),
                        .collector = hd_tables_new(tables, collectors, 8),
                        .unit = hd_tables_new(tables, units, 8), .latches = latches,
                        .collectors = collectors, .units = units, .head_from = 1};
    return port->latch && port->collector && port->unit;
}

// Makes the shared collectors and what is behind them.
static bool pool_init(Operands *operands, const OperandConfig *config, HdTables *tables)
{
    if (!config->shared_collectors) return true;
    operands->pool_size = config->shared_collectors;
    operands->outputs = config->shared_outputs;
    operands->memory_room = config->ports_mem + config->shared_collectors + config->shared_outputs;
    operands->memory_easy = config->shared_collectors + config->shared_outputs;
    operands->pool = hd_tables_new(tables, config->shared_collectors, sizeof *operands->pool);
    bool ok = operands->pool;
    // Before a collector: instructions of this cycle, and those that wait in the latches.
    unsigned most = operands->pool_size;
    for (unsigned p = 0; p < PORTS; p++) most += 2 * operands->port[p].latches;
    ok = ok && collector_turns_init(&operands->turns, config, operands->memory_room, most, tables);
    for (unsigned p = 0; p < PORTS; p++) {
        PortState *port = &operands->port[p];
        port->output = hd_tables_new(tables, config->shared_outputs, sizeof *port->output);
        ok = ok && port->output;
    }
    return ok;
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

// Remembers a bank's writes for as long as a memory instruction may take from its last read to the
// load/store unit. false: out of memory.
static bool writes_init(Operands *operands, const OperandConfig *config, HdTables *tables)
{
    if (config->mem_collect != COLLECT_BEHIND_WRITES) return true;
    static const OpClass classes[] = {CLASS_LOAD, CLASS_STORE, CLASS_ATOMIC, CLASS_TEXTURE};
    uint32_t latency = 0;
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
        if (operands->time[classes[i]].latency > latency)
            latency = operands->time[classes[i]].latency;
    while (operands->written_mask < config->dispatch + latency)
        operands->written_mask = 2 * operands->written_mask + 1;
    operands->bank_writes =
        hd_tables_new(tables, (size_t)config->banks * (operands->written_mask + 1),
                      sizeof *operands->bank_writes);
    return operands->bank_writes;
}

OpClass class_timed_as(const UnitConfig *units, OpClass class)
{
    if (class < LATENCY_CLASSES) return class;
    return units->unclassed == UNCLASSED_AS_MOVE ? CLASS_MOVE : uop_counted_as(class);
}

bool operands_init(Operands *operands, const SmConfig *config, HdTables *tables)
{
    const OperandConfig *c = config->operand;
    const UnitConfig *u = config->units;
    operands->bank_free = hd_tables_new(tables, c->banks, sizeof *operands->bank_free);
    bool split = c->banks_of == BANKS_OF_SCHEDULER;
    operands->bank_share = split ? c->banks / config->core->schedulers : c->banks;
    operands->bank_stride = split ? operands->bank_share : 0;
    operands->pass_shift = c->passes - 1;
    operands->bank_mask = operands->bank_share - 1;
    operands->plain = is_power_of_two(operands->bank_share) && c->passes == 1 &&
                      !c->shared_collectors &&
                      config->scalar->mode == SCALAR_OFF;
    // Latch, collectors, and the latch after them.
    operands->memory_room = operands->memory_easy = c->ports_mem + c->mem + 1;
    for (unsigned i = 0; i < ALL_CLASSES; i++) {
        OpClass row = class_timed_as(u, (OpClass)i);
        operands->time[i] =
            (UnitTime){config->latency->of[row], config->initiation->of[row]};
    }
    if (!operands->bank_free || !writes_init(operands, c, tables) ||
        !port_init(&operands->port[PORT_SP], c->ports_sp, c->sp, u->sp, tables) ||
        !port_init(&operands->port[PORT_SFU], c->ports_sfu, c->sfu, u->sfu, tables) ||
        !port_init(&operands->port[PORT_DP], c->ports_dp, c->dp, u->dp ? u->dp : 1, tables) ||
        !port_init(&operands->port[PORT_INT], u->integer ? c->ports_int : 1,
                   u->integer ? c->integer : 1, u->integer ? u->integer : 1, tables) ||
        !port_init(&operands->port[PORT_MEM], c->mem_issue ? c->mem_issue : 1, c->mem, 1, tables) ||
        !pool_init(operands, c, tables))
        return false;
    unsigned units = 0;
    for (unsigned p = 0; p < PORTS; p++) {
        operands->port[p].column = units;
        units += operands->port[p].units;
    }
    return results_init(&operands->results, u, result_horizon(operands, c), tables);
}

static unsigned earliest(const uint64_t *free, unsigned count)
{
    unsigned best = 0;
    uint64_t least = free[0];
    for (unsigned i = 1; i < count; i++) {
        best = free[i] < least ? i : best;
        least = free[i] < least ? free[i] : least;
    }
    return best;
}

// The first that is free in this cycle; if none is, the one that is free first.
static inline unsigned first_free(const uint64_t *free, unsigned count, uint64_t cycle)
{
    for (unsigned i = 0; i < count; i++)
        if (free[i] <= cycle) return i;
    return earliest(free, count);
}

// The passes of an instruction's reads so far.
typedef struct Reads {
    uint64_t last;
    uint64_t conflicts; // cycles that reads have waited
} Reads;

// Reserves a bank's pass for a register read, from pass `from` on. shift: log2 of a cycle's passes.
ALWAYS_INLINE void read_bank(uint64_t *bank, uint64_t from, unsigned shift, Reads *reads)
{
    uint64_t pass = *bank > from ? *bank : from;
    *bank = pass + 1;
    reads->conflicts += (pass - from) >> shift;
    if (pass > reads->last) reads->last = pass;
}

// Reserves a bank's pass for each register read, from pass `from` on. Returns the last one.
ALWAYS_INLINE uint64_t read_banks(Operands *operands, SmContext *sm, const Warp *w,
                                  const UOpTiming *timing, uint64_t from, bool plain,
                                  const FurtherEntries *more)
{
    unsigned shift = plain ? 0 : operands->pass_shift;
    Reads reads = {.last = from - 1};
    for (unsigned i = 0; i < timing->bank_read_count; i++) {
        unsigned reg = timing->bank_reads[i];
        unsigned entry = entry_of(w, timing->scalar_bank_reads, i, plain);
        read_bank(bank_of(operands, w, reg, entry, plain), from, shift, &reads);
        if (plain || !more) continue;
        for (unsigned k = 0; k < more->count; k++)
            read_bank(bank_of(operands, w, reg, more->entry[k], plain), from, shift, &reads);
        sm->count.sm.operand_reads += more->count;
    }
    sm->count.sm.operand_reads += timing->bank_read_count;
    sm->count.sm.operand_conflict_cycles += reads.conflicts;
    return reads.last;
}

// Whether an instruction may not enter the unit, because an earlier one is at the port's head.
static inline bool is_behind(const PortState *port, uint64_t cycle, unsigned unit)
{
    return cycle <= port->head_until && cycle >= port->head_from &&
           (cycle < port->head_until || unit <= port->head_unit);
}

// As enter_with_result, for an instruction that finds the port's head taken, or no room for its
// result.
__attribute__((noinline))
static uint64_t wait_for_result(const Operands *operands, PortState *port, uint64_t ready,
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

// Chooses the first unit that is free and whose result leaves in a cycle of its own, in the first
// such cycle from `ready` on. Returns this cycle.
static inline uint64_t enter_with_result(const Operands *operands, PortState *port, uint64_t ready,
                                         uint32_t latency, unsigned *unit)
{
    unsigned u = first_free(port->unit, port->units, ready);
    uint64_t start = port->unit[u] > ready ? port->unit[u] : ready;
    if (start <= port->head_until ||
        !results_take(&operands->results, port->column + u, start + latency))
        return wait_for_result(operands, port, ready, latency, unit);
    *unit = u;
    return start;
}

static inline void use_latch(Operands *operands, PortState *port, uint64_t cycle)
{
    // A later instruction never reaches its collector sooner: latch entries become free in order.
    port->latch[port->latch_next] = cycle;
    if (++port->latch_next == port->latches) port->latch_next = 0;
    port->latch_free = port->latch[port->latch_next];
    if (port->latch_free > operands->latches_free) operands->latches_free = port->latch_free;
}

// The collector that takes an instruction in the first cycle or pass from *from on, which becomes
// that one. Any free one will do, because later instructions arrive no sooner; most likely it is
// the one that was taken longest ago.
ALWAYS_INLINE uint64_t *take_collector(PortState *port, uint64_t *from)
{
    uint64_t *taken = &port->collector[port->collector_next];
    if (*taken > *from)
        taken = &port->collector[earliest(port->collector, port->collectors)];
    if (++port->collector_next == port->collectors) port->collector_next = 0;
    if (*taken > *from) *from = *taken;
    return taken;
}

// The shared collector that an instruction gets: *allocated becomes the first pass from then on in
// which one is free that no memory instruction holds.
__attribute__((noinline))
static uint64_t *take_shared(const Operands *operands, uint64_t *allocated)
{
    unsigned held = 0;
    if (operands->memory_taken > operands->outputs)
        held = operands->memory_taken - operands->outputs;
    if (held >= operands->pool_size) held = operands->pool_size - 1;
    uint64_t tried = 0; // a bit by collector
    unsigned best;
    do { // the one that becomes free after `held` others
        best = operands->pool_size;
        for (unsigned i = 0; i < operands->pool_size; i++)
            if (!(tried >> i & 1) &&
                (best == operands->pool_size || operands->pool[i] < operands->pool[best]))
                best = i;
        tried |= UINT64_C(1) << best;
    } while (held--);
    if (operands->pool[best] > *allocated) *allocated = operands->pool[best];
    return &operands->pool[best];
}

// Takes the instruction out of its shared collector in the first pass from `pass` on in which there
// is room behind it. Returns this pass.
static uint64_t leave_shared(const Operands *operands, PortState *port, uint64_t pass,
                             uint64_t *collector)
{
    uint64_t free = port->output[port->output_next] << operands->pass_shift;
    if (free > pass) pass = free;
    *collector = pass;
    return pass;
}

// Takes a unit of the port from cycle `start` on at the earliest. No later instruction starts
// before cycle `soonest`, so any unit that is free by then is as good as the one that is free
// first. Most likely that is the one behind the unit taken last. Returns the cycle.
ALWAYS_INLINE uint64_t enter_unit(const Operands *operands, PortState *port, uint64_t start,
                                  uint64_t soonest, UnitTime time)
{
    unsigned unit = 0;
    if (operands->results.rows) {
        start = enter_with_result(operands, port, start, time.latency, &unit);
    } else {
        unit = port->unit_next;
        if (port->unit[unit] > soonest) unit = earliest(port->unit, port->units);
        port->unit_next = unit + 1 < port->units ? unit + 1 : 0;
        if (port->unit[unit] > start) start = port->unit[unit];
    }
    port->unit[unit] = start + time.initiation;
    return start;
}

// Instructions of ports that come first here take shared collectors first.
static const unsigned port_ranks[PORTS] = {
    [PORT_SP] = 0, [PORT_SFU] = 1, [PORT_MEM] = 2, [PORT_DP] = 3, [PORT_INT] = 4};

// As operands_schedule, for any machine.
__attribute__((noinline))
static uint64_t schedule_by_passes(Operands *operands, SmContext *sm, const Warp *w, UnitTime time,
                                   const UOpTiming *timing, PortState *port,
                                   const FurtherEntries *more)
{
    const OperandConfig *c = sm->config.operand;
    unsigned shift = operands->pass_shift;
    uint64_t allocated = (sm->now + c->stages) << shift;
    uint64_t *collector = operands->pool ? take_shared(operands, &allocated)
                                         : take_collector(port, &allocated);
    use_latch(operands, port, allocated >> shift);
    uint64_t leaves = read_banks(operands, sm, w, timing, allocated + 1, false, more) + 1;
    if (port->output) leaves = leave_shared(operands, port, leaves, collector);
    if (operands->turns.collectors)
        collector_turns_issue(&operands->turns, sm->now,
                              (TurnEntry){.allocated = allocated, .leaves = leaves,
                                          .rank = port_ranks[port - operands->port]});
    uint64_t start = enter_unit(operands, port, (leaves >> shift) + c->dispatch - 1,
                                sm->now + c->stages + c->dispatch, time);
    if (port->output) {
        port->output[port->output_next] = start;
        if (++port->output_next == operands->outputs) port->output_next = 0;
    } else {
        *collector = (start - c->dispatch + 1) << shift;
    }
    return start + time.latency + c->writeback;
}

uint64_t operands_schedule(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                           const UOpTiming *timing, PortState *port, const FurtherEntries *more)
{
    const OperandConfig *c = sm->config.operand;
    UnitTime time = operands->time[op->class];
    if (!operands->plain) return schedule_by_passes(operands, sm, w, time, timing, port, more);
    uint64_t allocated = sm->now + c->stages;
    uint64_t *collector = take_collector(port, &allocated);
    use_latch(operands, port, allocated);
    uint64_t start = read_banks(operands, sm, w, timing, allocated + 1, true, NULL) + c->dispatch;
    start = enter_unit(operands, port, start, sm->now + c->stages + c->dispatch, time);
    // The instruction leaves its collector for the dispatch stages, which never stall.
    *collector = start - c->dispatch + 1;
    return start + time.latency + c->writeback;
}

uint64_t operands_schedule_memory(Operands *operands, SmContext *sm, const Warp *w, const UOp *op,
                                  const UOpTiming *timing, uint32_t index, uint64_t *read_at,
                                  const FurtherEntries *more)
{
    const OperandConfig *c = sm->config.operand;
    operands->memory_taken++;
    if (c->mem_issue) use_latch(operands, &operands->port[PORT_MEM], sm->now + 1);
    uint64_t from = ((sm->now + c->stages) << operands->pass_shift) + 1;
    uint64_t last = operands->plain ? read_banks(operands, sm, w, timing, from, true, NULL)
                                    : read_banks(operands, sm, w, timing, from, false, more);
    *read_at = ((last + 1) >> operands->pass_shift) - 1;
    uint64_t ready = *read_at + c->dispatch + operands->time[op->class].latency - 1;
    if (operands->turns.collectors)
        collector_turns_issue(&operands->turns, sm->now,
                              (TurnEntry){.allocated = from - 1, .leaves = last + 1, .op = index,
                                          .rank = port_ranks[PORT_MEM],
                                          .to_unit = (unsigned)(ready - *read_at - 1)});
    // Without registers to read (a kernel's parameter, a variable) and without stages, the
    // instruction would arrive in its issue cycle, whose events have been taken already.
    return ready > sm->now ? ready : sm->now + 1;
}

bool operands_arrive(Operands *operands, const SmContext *sm, const Warp *w,
                     const UOpTiming *timing, uint64_t *read_at)
{
    for (unsigned i = 0; *read_at && i < timing->bank_read_count; i++) {
        unsigned entry = entry_of(w, timing->scalar_bank_reads, i, operands->plain);
        const uint64_t *bank = bank_of(operands, w, timing->bank_reads[i], entry, operands->plain);
        if (*written_at(operands, bank, *read_at) != *read_at) continue;
        ++*read_at;
        return false;
    }
    *read_at = 0;
    if (operands->memory_arrival == sm->now) return false;
    operands->memory_arrival = sm->now;
    return true;
}

void operands_write_any(Operands *operands, const SmContext *sm, const Warp *w,
                        const UOpTiming *timing)
{
    for (unsigned i = 0; i < timing->bank_write_count; i++)
        write_bank(operands, sm, w, timing, i, false);
}
