// Reserves the resources of instructions from issue to write-back.
#include "core/operands/schedule.h"

#include "base/bits.h"
#include "base/tables.h"

static bool ring_init(Ring *ring, unsigned entries, HdTables *tables)
{
    ring->next = ring->first = hd_tables_new(tables, entries, sizeof *ring->first);
    if (ring->first) ring->end = ring->first + entries;
    return ring->first;
}

static inline unsigned ring_entries(const Ring *ring)
{
    return (unsigned)(ring->end - ring->first);
}

static bool port_init(PortState *port, unsigned latches, unsigned collectors, unsigned units,
                      HdTables *tables)
{
    *port = (PortState){.head_from = 1};
    return ring_init(&port->latch, latches, tables) &&
           ring_init(&port->collector, collectors, tables) &&
           ring_init(&port->unit, units, tables);
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
    for (unsigned p = 0; p < PORTS; p++) most += 2 * ring_entries(&operands->port[p].latch);
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
        if (p != PORT_MEM) before += ring_entries(&operands->port[p].latch) +
                                      ring_entries(&operands->port[p].collector) + 1;
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
    operands->stages = c->stages;
    operands->dispatch = c->dispatch;
    operands->writeback = c->writeback;
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
        units += ring_entries(&operands->port[p].unit);
    }
    return results_init(&operands->results, u, result_horizon(operands, c), tables);
}

// The entry that is free first.
static inline uint64_t *earliest(const Ring *ring)
{
    uint64_t *best = ring->first;
    for (uint64_t *entry = ring->first + 1; entry < ring->end; entry++)
        if (*entry < *best) best = entry;
    return best;
}

// The first that is free in this cycle; if none is, the one that is free first.
static inline uint64_t *first_free(const Ring *ring, uint64_t cycle)
{
    for (uint64_t *entry = ring->first; entry < ring->end; entry++)
        if (*entry <= cycle) return entry;
    return earliest(ring);
}

// Reserves a bank's pass for each register read, from pass `from` on. Returns the last one.
static uint64_t read_banks(Operands *operands, SmContext *context, const Warp *w,
                           const UOpTiming *timing, uint64_t from, const FurtherEntries *more)
{
    unsigned shift = operands->pass_shift;
    uint64_t last = from - 1, passes = 0;
    for (unsigned i = 0; i < timing->bank_read_count; i++) {
        unsigned reg = timing->bank_reads[i];
        unsigned entry = entry_of(w, timing->scalar_bank_reads, i, false);
        passes += (read_bank(bank_of(operands, w, reg, entry, false), from, &last) - from) >> shift;
        if (!more) continue;
        for (unsigned k = 0; k < more->count; k++)
            passes += (read_bank(bank_of(operands, w, reg, more->entry[k], false), from, &last) -
                       from) >> shift;
        context->count.sm.operand_reads += more->count;
    }
    context->count.sm.operand_reads += timing->bank_read_count;
    context->count.sm.operand_conflict_cycles += passes;
    return last;
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
                                uint32_t latency, uint64_t **unit)
{
    uint64_t start = ready;
    const unsigned units = ring_entries(&port->unit);
    bool refused = false;
    unsigned u = 0;
    for (;;) {
        if (port->unit.first[u] <= start && !is_behind(port, start, u)) {
            if (results_take(&operands->results, port->column + u, start + latency)) break;
            refused = true;
        }
        if (++u < units) continue;
        u = 0;
        start++;
        if (units == 1 && port->unit.first[0] > start) start = port->unit.first[0];
    }
    *unit = &port->unit.first[u];
    // If only busy units made it wait, they make later ones wait, too.
    if (refused && start >= port->head_until) {
        if (ready > port->head_until || ready < port->head_from) port->head_from = ready;
        port->head_until = start;
        port->head_unit = u;
    }
    return start;
}

// Chooses the first unit that is free and whose result leaves in a cycle of its own, in the first
// such cycle from `ready` on. Returns this cycle.
ALWAYS_INLINE uint64_t enter_with_result(const Operands *operands, PortState *port, uint64_t ready,
                                         uint32_t latency, uint64_t **unit)
{
    uint64_t *entry = first_free(&port->unit, ready);
    uint64_t start = *entry > ready ? *entry : ready;
    unsigned column = port->column + (unsigned)(entry - port->unit.first);
    if (start <= port->head_until || !results_take(&operands->results, column, start + latency))
        return wait_for_result(operands, port, ready, latency, unit);
    *unit = entry;
    return start;
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

// The shared collector that an instruction gets: *allocated becomes the first pass from then on in
// which one is free that no memory instruction holds.
static uint64_t *take_shared(const Operands *operands, uint64_t *allocated)
{
    unsigned held = 0;
    if (operands->memory_taken > operands->outputs)
        held = operands->memory_taken - operands->outputs;
    if (held >= operands->pool_size) held = operands->pool_size - 1;
    uint64_t *taken = &operands->pool[held]; // becomes free after `held` others
    if (*taken > *allocated) *allocated = *taken;
    return taken;
}

// The collector is taken up to another pass, a later one.
static void sort_shared(const Operands *operands, uint64_t *taken)
{
    uint64_t *last = &operands->pool[operands->pool_size - 1], free = *taken;
    for (; taken < last && taken[1] < free; taken++) *taken = taken[1];
    *taken = free;
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
    uint64_t *unit = port->unit.next;
    if (operands->results.rows) {
        start = enter_with_result(operands, port, start, time.latency, &unit);
    } else {
        if (*unit > soonest) unit = earliest(&port->unit);
        ring_pass(&port->unit, unit);
        if (*unit > start) start = *unit;
    }
    *unit = start + time.initiation;
    return start;
}

// Instructions of ports that come first here take shared collectors first.
static const unsigned port_ranks[PORTS] = {
    [PORT_SP] = 0, [PORT_SFU] = 1, [PORT_MEM] = 2, [PORT_DP] = 3, [PORT_INT] = 4};

// As operands_schedule, for any machine.
__attribute__((noinline))
static uint64_t schedule_by_passes(Operands *operands, SmContext *context, const Warp *w,
                                   UnitTime time, const UOpTiming *timing, PortState *port,
                                   const FurtherEntries *more)
{
    const OperandConfig *c = context->config.operand;
    unsigned shift = operands->pass_shift;
    uint64_t allocated = (context->now + c->stages) << shift;
    uint64_t *collector = operands->pool ? take_shared(operands, &allocated)
                                         : take_collector(port, &allocated);
    use_latch(operands, port, allocated >> shift);
    uint64_t leaves = read_banks(operands, context, w, timing, allocated + 1, more) + 1;
    if (port->output) leaves = leave_shared(operands, port, leaves, collector);
    if (operands->turns.collectors)
        collector_turns_issue(&operands->turns, context->now,
                              (TurnEntry){.allocated = allocated, .leaves = leaves,
                                          .rank = port_ranks[port - operands->port]});
    uint64_t start = enter_unit(operands, port, (leaves >> shift) + c->dispatch - 1,
                                context->now + c->stages + c->dispatch, time);
    if (port->output) {
        port->output[port->output_next] = start;
        if (++port->output_next == operands->outputs) port->output_next = 0;
    } else {
        *collector = (start - c->dispatch + 1) << shift;
    }
    if (operands->pool) sort_shared(operands, collector);
    return start + time.latency + c->writeback;
}

uint64_t operands_schedule_plain(Operands *operands, SmContext *context, const Warp *w,
                                 const UOp *op, const UOpTiming *timing, PortState *port)
{
    const uint64_t dispatch = operands->dispatch, soonest = context->now + operands->stages;
    uint64_t allocated = soonest;
    uint64_t *collector = take_collector(port, &allocated);
    // In this cycle already, all entries are free, and it does not matter which is used.
    if (allocated > context->now) use_latch(operands, port, allocated);
    const UnitTime *time = &operands->time[op->class];
    uint64_t start = read_banks_plain(operands, context, w, timing, allocated + 1) + dispatch;
    start = enter_unit(operands, port, start, soonest + dispatch, *time);
    // The instruction leaves its collector for the dispatch stages, which never stall.
    *collector = start - dispatch + 1;
    return start + time->latency + operands->writeback;
}

uint64_t operands_schedule(Operands *operands, SmContext *context, const Warp *w, const UOp *op,
                           const UOpTiming *timing, PortState *port, const FurtherEntries *more)
{
    if (operands->plain) return operands_schedule_plain(operands, context, w, op, timing, port);
    return schedule_by_passes(operands, context, w, operands->time[op->class], timing, port, more);
}

// As operands_schedule_memory, for any machine.
__attribute__((noinline))
static uint64_t schedule_memory_by_passes(Operands *operands, SmContext *context, const Warp *w,
                                          UnitTime time, const UOpTiming *timing, uint32_t index,
                                          uint64_t *read_at, const FurtherEntries *more)
{
    const OperandConfig *c = context->config.operand;
    uint64_t from = ((context->now + c->stages) << operands->pass_shift) + 1;
    uint64_t last = read_banks(operands, context, w, timing, from, more);
    *read_at = ((last + 1) >> operands->pass_shift) - 1;
    uint64_t ready = *read_at + c->dispatch + time.latency - 1;
    // Without dispatch stages it reaches the unit in the cycle in which it leaves its collector.
    uint64_t leaves = *read_at + 1;
    if (operands->turns.collectors)
        collector_turns_issue(&operands->turns, context->now,
                              (TurnEntry){.allocated = from - 1, .leaves = last + 1, .op = index,
                                          .rank = port_ranks[PORT_MEM],
                                          .to_unit = ready > leaves ? (unsigned)(ready - leaves)
                                                                    : 0});
    return arrival(context, ready);
}

uint64_t operands_schedule_memory(Operands *operands, SmContext *context, const Warp *w,
                                  const UOp *op,
                                  const UOpTiming *timing, uint32_t index, uint64_t *read_at,
                                  const FurtherEntries *more)
{
    if (operands->plain)
        return operands_schedule_memory_plain(operands, context, w, op, timing, read_at);
    take_memory(operands, context);
    return schedule_memory_by_passes(operands, context, w, operands->time[op->class], timing, index,
                                     read_at, more);
}

bool operands_arrive(Operands *operands, const SmContext *context, const Warp *w,
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
    if (operands->memory_arrival == context->now) return false;
    operands->memory_arrival = context->now;
    return true;
}

void operands_write_any(Operands *operands, const SmContext *context, const Warp *w,
                        const UOpTiming *timing)
{
    for (unsigned i = 0; i < timing->bank_write_count; i++)
        write_bank(operands, context, w, timing, i, false);
}
