// Issue: which warps could go on, what the others wait for, and which one each scheduler takes.
#include "core/sm_internal.h"

// ---- what a warp waits for ----

static void warp_set_state(Sm *sm, Warp *w, WarpState state, unsigned port)
{
    Scheduler *s = &sm->scheduler[w->scheduler];
    if (w->state == state && (state != WARP_READY || w->port == port)) return;
    warp_count(sm, w, w->pc_base + w->pc);
    if (w->state != WARP_NONE) warpset_remove(&s->state[w->state], w->local);
    if (w->state == WARP_READY) warpset_remove(&s->ready[w->port], w->local);
    w->state = (uint8_t)state;
    w->port = (uint8_t)port;
    if (state != WARP_NONE) warpset_add(&s->state[state], w->local);
    if (state == WARP_READY) warpset_add(&s->ready[port], w->local);
}

// What the scoreboard holds the instruction back for: WARP_READY, WARP_MEMORY or WARP_DEPENDENCY.
static WarpState scoreboard_check(const Warp *w, const UOpTiming *t)
{
    if (!w->pending_count) return WARP_READY;
    if (w->drains) return w->loads_out || w->atomics_out ? WARP_MEMORY : WARP_DEPENDENCY;
    WarpState state = WARP_READY;
    for (unsigned i = 0; i < t->read_count; i++) {
        if (!scoreboard_has(w->pending, t->reads[i])) continue;
        if (scoreboard_has(w->pending_memory, t->reads[i])) return WARP_MEMORY;
        state = WARP_DEPENDENCY;
    }
    for (unsigned i = 0; i < t->write_count; i++) {
        if (!scoreboard_has(w->pending, t->writes[i])) continue;
        if (scoreboard_has(w->pending_memory, t->writes[i])) return WARP_MEMORY;
        state = WARP_DEPENDENCY;
    }
    return state;
}

// What an instruction waits for beyond its registers: fences and barriers for the memory operations
// that they order, calls and returns for results that would land in the wrong frame.
static WarpState order_check(const Warp *w, const UOp *op)
{
    switch (op->code) {
    case UOP_BAR: return w->atomics_out ? WARP_BARRIER : WARP_READY;
    case UOP_MEMBAR: return w->atomics_out || w->stores_out ? WARP_BARRIER : WARP_READY;
    case UOP_CALL:
    case UOP_CALL_POINTER:
    case UOP_SYSTEM: // it may read what they bring
    case UOP_RET:
        if (!w->pending_count) return WARP_READY;
        return w->loads_out || w->atomics_out ? WARP_MEMORY : WARP_DEPENDENCY;
    default: return WARP_READY;
    }
}

static unsigned port_of(const Sm *sm, const UOp *op)
{
    // Parameters of device functions live in registers on the hardware.
    return op->space == SPACE_FRAME_PARAM ? PORT_SP : sm->port_of[op->class];
}

void warp_classify(Sm *sm, Warp *w)
{
    if (!w->live) {
        warp_set_state(sm, w, WARP_NONE, 0);
        return;
    }
    WarpState state = WARP_READY;
    const UOp *op = &w->ops[w->pc];
    if (w->at_barrier)
        state = WARP_BARRIER;
    else if (!frontend_ready(w))
        state = WARP_FETCH;
    else {
        state = scoreboard_check(w, &w->timing[w->pc]);
        if (state == WARP_READY) state = order_check(w, op);
        if (state == WARP_READY && sm->hold.on && hold_back(sm, w, op)) state = WARP_THROTTLED;
    }
    warp_set_state(sm, w, state, state == WARP_READY ? port_of(sm, op) : 0);
}

void warp_pass_barrier(Sm *sm, Warp *w)
{
    warp_count(sm, w, w->pc_base + w->barrier_pc); // where it stood; its pc is the next one
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_passed(trace, sm, w);
    w->at_barrier = false;
    hold_news(sm);
    warp_classify(sm, w);
}

void warp_waited(Sm *sm, uint32_t pc, uint32_t array, WaitEnd end, uint64_t cycles)
{
    if (!cycles) return;
    WaitRow *row = waits_row(&sm->count.waited, pc, array);
    if (row) row->count.by_end[end] += cycles;
    else sm_out_of_memory(sm, "counting waits");
}

void warp_wait_for_atomic(Sm *sm, Warp *w) { warp_set_state(sm, w, WARP_MEMORY, 0); }

void scoreboard_release(Sm *sm, Warp *w, const UOpTiming *timing)
{
    for (unsigned i = 0; i < timing->write_count; i++) {
        unsigned r = timing->writes[i];
        w->pending[r >> 6] &= ~(UINT64_C(1) << (r & 63));
        w->pending_memory[r >> 6] &= ~(UINT64_C(1) << (r & 63));
    }
    w->pending_count -= timing->write_count;
    sm->count.sm.committed++;
    operand_write(sm, w, timing);
    if (w->state == WARP_MEMORY || w->state == WARP_DEPENDENCY) warp_classify(sm, w);
    if (!w->live) warp_check_end(sm, w);
}

// ---- which warp issues ----
//
// `words` is sm->set_words; issue_cycle is built for one word, which nearly all machines need, and
// for any number.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void candidates(const Sm *sm, const Scheduler *s, unsigned words, WarpSet *set)
{
    for (unsigned k = 0; k < words; k++) set->word[k] = 0;
    for (unsigned p = 0; p < PORTS; p++) {
        if (!port_has_room(sm, p)) continue;
        for (unsigned k = 0; k < words; k++) set->word[k] |= s->ready[p].word[k];
    }
}

static Warp *warp_of(const Sm *sm, unsigned scheduler, unsigned local)
{
    return &sm->warps[local * sm->schedulers + scheduler];
}

ALWAYS_INLINE unsigned pick_oldest(const Sm *sm, unsigned scheduler, unsigned words,
                                   const WarpSet *set)
{
    unsigned best = 0;
    uint64_t age = UINT64_MAX;
    for (unsigned k = 0; k < words; k++) {
        for (uint64_t bits = set->word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t its = warp_of(sm, scheduler, local)->age;
            if (its < age) {
                age = its;
                best = local;
            }
        }
    }
    return best;
}

ALWAYS_INLINE unsigned pick_round_robin(const Scheduler *s, unsigned words, const WarpSet *set)
{
    unsigned from = s->last + 1 < words * 64 ? s->last + 1 : 0;
    return warpset_next(set, words, from);
}

// Keeps the inner set of a two-level scheduler: warps that wait for memory (or have ended) leave
// it, the oldest ready ones outside take their places. Restricts `set` to it.
static void two_level_update(const Sm *sm, unsigned index, unsigned words, Scheduler *s,
                             WarpSet *set)
{
    WarpSet outside = *set;
    for (unsigned k = 0; k < words; k++) {
        uint64_t leave =
            s->active.word[k] & ~(s->state[WARP_READY].word[k] | s->state[WARP_DEPENDENCY].word[k] |
                                  s->state[WARP_FETCH].word[k]);
        s->active.word[k] &= ~leave;
        s->active_count -= (unsigned)__builtin_popcountll(leave);
        outside.word[k] &= ~s->active.word[k];
    }
    while (s->active_count < sm->config.core->two_level_active && warpset_any(&outside, words)) {
        unsigned local = pick_oldest(sm, index, words, &outside);
        warpset_add(&s->active, local);
        warpset_remove(&outside, local);
        s->active_count++;
    }
    for (unsigned k = 0; k < words; k++) set->word[k] &= s->active.word[k];
}

void issue_set_aside(Sm *sm, const Warp *w)
{
    Scheduler *s = &sm->scheduler[w->scheduler];
    if (!warpset_has(&s->active, w->local)) return;
    warpset_remove(&s->active, w->local);
    s->active_count--;
}

// The warp that the scheduler tries now, or NULL.
ALWAYS_INLINE Warp *pick(const Sm *sm, unsigned index, unsigned words, WarpSet *set)
{
    Scheduler *s = &sm->scheduler[index];
    if (sm->config.core->policy == SCHEDULE_TWO_LEVEL) two_level_update(sm, index, words, s, set);
    if (!warpset_any(set, words)) return NULL;
    unsigned local;
    if (sm->config.core->policy != SCHEDULE_GTO)
        local = pick_round_robin(s, words, set);
    else if (warpset_has(set, s->last))
        local = s->last;
    else
        local = pick_oldest(sm, index, words, set);
    return warp_of(sm, index, local);
}

static IssueOutcome issue_warp(Sm *sm, Warp *w)
{
    SmTrace *trace = trace_of(sm, w->id);
    return trace ? execute_traced(sm, w, trace) : execute_issue(sm, w);
}

// A second instruction of the same warp in the same cycle, to another port.
static void issue_second(Sm *sm, Warp *w, unsigned first_port)
{
    if (w->state == WARP_READY && w->port != first_port && port_has_room(sm, w->port))
        issue_warp(sm, w);
}

ALWAYS_INLINE bool issue_one(Sm *sm, unsigned index, unsigned words)
{
    WarpSet set;
    candidates(sm, &sm->scheduler[index], words, &set);
    Warp *w;
    while (!sm->failed && (w = pick(sm, index, words, &set))) {
        unsigned port = w->port;
        if (issue_warp(sm, w) == ISSUE_BLOCKED) {
            warpset_remove(&set, w->local);
            continue;
        }
        sm->scheduler[index].last = w->local;
        if (sm->config.core->issue > 1 && !sm->failed) issue_second(sm, w, port);
        return true;
    }
    return false;
}

// ---- slots ----

// Why the scheduler issues nothing.
ALWAYS_INLINE IssueSlot stall_reason(const Scheduler *s, unsigned words)
{
    if (warpset_any(&s->state[WARP_READY], words)) {
        bool other = warpset_any(&s->ready[PORT_SP], words) ||
                     warpset_any(&s->ready[PORT_SFU], words) ||
                     warpset_any(&s->ready[PORT_DP], words);
        return other ? SLOT_UNIT : SLOT_LSU;
    }
    if (warpset_any(&s->state[WARP_THROTTLED], words)) return SLOT_THROTTLED;
    if (warpset_any(&s->state[WARP_MEMORY], words)) return SLOT_MEMORY;
    if (warpset_any(&s->state[WARP_DEPENDENCY], words)) return SLOT_DEPENDENCY;
    if (warpset_any(&s->state[WARP_FETCH], words)) return SLOT_FETCH;
    if (warpset_any(&s->state[WARP_BARRIER], words)) return SLOT_BARRIER;
    return SLOT_IDLE;
}

static void account_cycles(Sm *sm, uint64_t cycles)
{
    if (sm->blocks_live) sm->count.sm.active_cycles += cycles;
    sm->count.sm.warp_cycles += cycles * sm->warps_live;
    sm->count.sm.cycles += cycles;
    sm->accounted += cycles;
}

void issue_account_idle(Sm *sm, uint64_t until)
{
    if (until <= sm->accounted) return;
    uint64_t cycles = until - sm->accounted;
    for (unsigned i = 0; i < sm->schedulers; i++)
        sm->count.issue.slots[stall_reason(&sm->scheduler[i], sm->set_words)] += cycles;
    account_cycles(sm, cycles);
}

ALWAYS_INLINE void issue_cycle_of(Sm *sm, unsigned words)
{
    // Who comes first goes round with what is issued, not with the cycles: a unit that has a place
    // every 8 cycles would then always have it for the same scheduler.
    unsigned first = sm->first_scheduler, issued = 0;
    for (unsigned i = 0; i < sm->schedulers; i++) {
        unsigned index = first + i < sm->schedulers ? first + i : first + i - sm->schedulers;
        bool ready = warpset_any(&sm->scheduler[index].state[WARP_READY], words);
        if (ready && issue_one(sm, index, words)) {
            sm->count.issue.issued++;
            if (!issued++) sm->first_scheduler = index + 1 < sm->schedulers ? index + 1 : 0;
        } else {
            sm->count.issue.slots[stall_reason(&sm->scheduler[index], words)]++;
        }
    }
    account_cycles(sm, 1);
}

void issue_cycle(Sm *sm)
{
    if (sm->set_words == 1) issue_cycle_of(sm, 1);
    else issue_cycle_of(sm, sm->set_words);
}

uint64_t issue_next(const Sm *sm)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < sm->schedulers; i++) {
        const Scheduler *s = &sm->scheduler[i];
        if (!warpset_any(&s->state[WARP_READY], sm->set_words)) continue;
        for (unsigned p = 0; p < PORTS; p++) {
            if (!warpset_any(&s->ready[p], sm->set_words)) continue;
            if (port_has_room(sm, p)) return sm->now + 1;
            // The load/store unit has a cycle of its own (lsu_next) when it makes room.
            if (p != PORT_MEM && sm->port[p].latch_free < next) next = sm->port[p].latch_free;
        }
    }
    return next > sm->now ? next : sm->now + 1;
}
