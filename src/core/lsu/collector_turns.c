// The turns of shared collectors: see collector_turns.h.
#include "core/lsu/collector_turns.h"

bool collector_turns_init(CollectorTurns *turns, const OperandConfig *config,
                          unsigned memory_room, unsigned most, HdTables *tables)
{
    if (config->collector_order != COLLECTORS_BY_TURN) return true;
    turns->collectors = UINT64_MAX >> (64 - config->shared_collectors);
    turns->outputs = config->shared_outputs;
    turns->pass_shift = config->passes - 1;
    turns->memory_room = memory_room;
    turns->capacity = most + memory_room;
    turns->held = hd_tables_new(tables, config->shared_collectors, sizeof *turns->held);
    turns->last = hd_tables_new(tables, config->shared_collectors, sizeof *turns->last);
    turns->waiting = hd_tables_new(tables, turns->capacity, sizeof *turns->waiting);
    turns->output = hd_tables_new(tables, turns->outputs, sizeof *turns->output);
    return turns->held && turns->last && turns->waiting && turns->output;
}

// The collectors with an instruction that can leave: memory's, only if there is room behind them.
static uint64_t may_leave(const CollectorTurns *t)
{
    return t->output_count < t->outputs ? t->taken : t->taken & ~t->memory;
}

// The first pass from now on in which something leaves or takes a collector.
static uint64_t next_pass(const CollectorTurns *t)
{
    uint64_t next = UINT64_MAX;
    for (uint64_t left = may_leave(t); left; left &= left - 1) {
        uint64_t leaves = t->held[__builtin_ctzll(left)].leaves;
        if (leaves < next) next = leaves;
    }
    bool is_free = t->taken != t->collectors;
    for (unsigned i = 0; is_free && i < t->waiting_count; i++)
        if (t->waiting[i].allocated < next) next = t->waiting[i].allocated;
    return next > t->passed ? next : t->passed + 1;
}

// Each dispatch unit serves a collector, as long as there are some. There are as many units as
// collectors.
static void dispatch(CollectorTurns *t, uint64_t pass)
{
    uint64_t ready = 0;
    for (uint64_t left = may_leave(t); left; left &= left - 1)
        if (t->held[__builtin_ctzll(left)].leaves <= pass) ready |= left & -left;
    for (unsigned unit = 0; ready; unit++) {
        uint64_t behind = ready & (~UINT64_C(1) << t->last[unit]);
        unsigned at = (unsigned)__builtin_ctzll(behind ? behind : ready);
        uint64_t bit = UINT64_C(1) << at;
        t->last[unit] = at;
        t->taken &= ~bit;
        if (t->memory & bit) {
            const TurnEntry *e = &t->held[at];
            t->output[t->output_count++] = (TurnOutput){
                .number = e->number, .op = e->op,
                .cycle = (pass >> t->pass_shift) + e->to_unit};
        }
        ready &= may_leave(t);
    }
}

// Drops instructions other than memory's that have left, as reserved at their issue, before a
// collector was free here.
static void drop_gone(CollectorTurns *t, uint64_t pass)
{
    for (unsigned i = 0; i < t->waiting_count;)
        if (!t->waiting[i].op && t->waiting[i].leaves <= pass)
            t->waiting[i] = t->waiting[--t->waiting_count];
        else
            i++;
}

// Gives free collectors to the instructions that can take one, by rank, the oldest first.
static void allocate(CollectorTurns *t, uint64_t pass)
{
    drop_gone(t, pass);
    while (t->taken != t->collectors) {
        unsigned best = t->waiting_count;
        for (unsigned i = 0; i < t->waiting_count; i++) {
            const TurnEntry *e = &t->waiting[i], *b = &t->waiting[best];
            if (e->allocated > pass) continue;
            if (best == t->waiting_count || e->rank < b->rank ||
                (e->rank == b->rank && e->number < b->number))
                best = i;
        }
        if (best == t->waiting_count) return;
        uint64_t bit = ~t->taken & (t->taken + 1);
        TurnEntry *held = &t->held[__builtin_ctzll(bit)];
        *held = t->waiting[best];
        t->taken |= bit;
        t->memory &= ~bit;
        if (held->op) {
            t->memory |= bit;
            held->leaves += pass - held->allocated; // it reads its operands that much later
        }
        t->waiting[best] = t->waiting[--t->waiting_count];
    }
}

static void advance(CollectorTurns *t, uint64_t limit)
{
    while (t->passed < limit) {
        uint64_t pass = next_pass(t);
        t->passed = pass < limit ? pass : limit;
        if (pass > limit) return;
        dispatch(t, pass);
        allocate(t, pass);
    }
}

void collector_turns_issue(CollectorTurns *turns, uint64_t now, TurnEntry entry)
{
    uint64_t first = now << turns->pass_shift;
    if (first) advance(turns, first - 1);
    entry.number = ++turns->issued;
    // No more memory instructions than memory_room wait, for which there is always room.
    unsigned most = turns->capacity - turns->memory_room;
    if (turns->waiting_count >= most) drop_gone(turns, turns->passed);
    if (!entry.op && turns->waiting_count >= most) return;
    turns->waiting[turns->waiting_count++] = entry;
}

uint32_t collector_turns_take(CollectorTurns *turns, uint64_t now)
{
    advance(turns, ((now + 1) << turns->pass_shift) - 1);
    unsigned best = turns->output_count;
    for (unsigned i = 0; i < turns->output_count; i++) {
        const TurnOutput *o = &turns->output[i];
        if (o->cycle > now) continue;
        if (best == turns->output_count || o->number < turns->output[best].number) best = i;
    }
    if (best == turns->output_count) return 0;
    uint32_t op = turns->output[best].op;
    turns->output[best] = turns->output[--turns->output_count];
    return op;
}
