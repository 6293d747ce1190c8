// Issue: classifies warps by what they wait for, and selects the warp that each scheduler issues.
#include "core/issue/scheduler.h"

#include "core/frontend/frontend.h"
#include "core/trace_warp.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- life ----

bool issue_init(Issue *issue, const SmConfig *config, Frontend *frontend, Sm *sm)
{
    unsigned warps = config->core->threads / config->core->width;
    issue->schedulers = config->core->schedulers;
    issue->set_words = (unsigned)(divide_up(warps, issue->schedulers) + 63) / 64;
    issue->frontend = frontend;
    issue->sm = sm;
    unsigned *port = issue->port_of, dp = config->units->dp ? PORT_DP : PORT_SFU;
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) port[c] = PORT_SP;
    for (unsigned c = CLASS_DP_ADD; c <= CLASS_DP_MAD; c++) port[c] = dp;
    port[CLASS_DP_DIV] = port[CLASS_DP_RCP] = port[CLASS_DP_SQRT] =
        config->units->dp_div ? PORT_SFU : dp;
    port[CLASS_SFU] = port[CLASS_INT_DIV] = port[CLASS_FP_DIV] = PORT_SFU;
    port[CLASS_LOAD] = port[CLASS_STORE] = port[CLASS_ATOMIC] = port[CLASS_TEXTURE] = PORT_MEM;
    for (unsigned c = LATENCY_CLASSES; c < ALL_CLASSES; c++)
        port[c] = port[class_timed_as(config->units, (OpClass)c)];
    issue->scheduler = hd_new(issue->schedulers, sizeof *issue->scheduler);
    return issue->scheduler;
}

void issue_free(Issue *issue) { free(issue->scheduler); }

void issue_begin(Issue *issue, SmContext *sm, uint64_t start)
{
    issue->accounted = start;
    issue->first_scheduler = 0;
    issue->turn_zero = sm->now + 1 - issue->turns % issue->schedulers;
    throttle_begin(&issue->throttle, sm);
    for (unsigned s = 0; s < issue->schedulers; s++) {
        issue->scheduler[s].last = 0;
        memset(&issue->scheduler[s].stale, 0, sizeof issue->scheduler[s].stale);
        memset(&issue->scheduler[s].active, 0, sizeof issue->scheduler[s].active);
        issue->scheduler[s].active_count = 0;
    }
}

// ---- what a warp waits for ----

static void warp_set_state(Issue *issue, SmContext *sm, Warp *w, WarpState state, unsigned port)
{
    Scheduler *s = &issue->scheduler[w->scheduler];
    if (w->state == state && (state != WARP_READY || w->port == port)) return;
    warp_count_wait(sm, w, w->pc_base + w->pc);
    if (w->state != WARP_NONE) warpset_remove(&s->state[w->state], w->local);
    if (w->state == WARP_READY) warpset_remove(&s->ready[w->port], w->local);
    w->state = (uint8_t)state;
    w->port = (uint8_t)port;
    if (state != WARP_NONE) warpset_add(&s->state[state], w->local);
    if (state == WARP_READY) warpset_add(&s->ready[port], w->local);
}

// The state of the instruction by the scoreboard: WARP_READY, WARP_MEMORY or WARP_DEPENDENCY.
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
// that they order, calls and returns for results that would land in the wrong frame, all
// instructions for atomics that block their warp.
static WarpState order_check(const Warp *w, const UOp *op)
{
    if (w->blocking_atomics) return WARP_MEMORY;
    switch (op->code) {
    case UOP_BAR: return w->atomics_out ? WARP_BARRIER : WARP_READY;
    case UOP_MEMBAR: return w->atomics_out || w->stores_out ? WARP_BARRIER : WARP_READY;
    case UOP_CALL:
    case UOP_CALL_POINTER:
    case UOP_SYSTEM: // may read results in flight
    case UOP_RET:
        if (!w->pending_count) return WARP_READY;
        return w->loads_out || w->atomics_out ? WARP_MEMORY : WARP_DEPENDENCY;
    default: return WARP_READY;
    }
}

static unsigned port_of(const Issue *issue, const UOp *op)
{
    // Parameters of device functions live in registers on the hardware.
    return op->space == SPACE_FRAME_PARAM ? PORT_SP : issue->port_of[op->class];
}

// A throttled warp releases its entry in a shared store.
__attribute__((noinline, cold))
static bool is_throttled(const Issue *issue, Warp *w, const UOp *op)
{
    if (!throttle_holds(&issue->throttle, w, op)) return false;
    frontend_give_up(issue->frontend, w);
    return true;
}

void warp_classify(Issue *issue, SmContext *sm, Warp *w)
{
    if (!w->live) {
        warp_set_state(issue, sm, w, WARP_NONE, 0);
        return;
    }
    WarpState state = WARP_READY;
    const UOp *op = &w->ops[w->pc];
    if (w->at_barrier)
        state = WARP_BARRIER;
    else if (!warp_has_instruction(w)) {
        state = WARP_FETCH;
        if (w->buffered) warpset_add(&issue->scheduler[w->scheduler].stale, w->local);
    } else {
        state = scoreboard_check(w, &w->timing[w->pc]);
        if (state == WARP_READY) state = order_check(w, op);
        if (state == WARP_READY && issue->throttle.on && is_throttled(issue, w, op))
            state = WARP_THROTTLED;
    }
    warp_set_state(issue, sm, w, state, state == WARP_READY ? port_of(issue, op) : 0);
}

void warp_pass_barrier(Issue *issue, SmContext *sm, Warp *w)
{
    warp_count_wait(sm, w, w->pc_base + w->barrier_pc); // where it was blocked
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_passed(trace, sm, w);
    w->at_barrier = false;
    sm->warps_changed = true;
    warp_classify(issue, sm, w);
}

void warp_wait_for_atomic(Issue *issue, SmContext *sm, Warp *w)
{
    warp_set_state(issue, sm, w, WARP_MEMORY, 0);
}

// ---- which warp issues ----
//
// `words` is Issue.set_words. issue_cycle is built for one word, which nearly all machines need,
// and for any number.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void candidates(const Scheduler *s, const Operands *operands, uint64_t now,
                              unsigned words, WarpSet *set)
{
    for (unsigned k = 0; k < words; k++) set->word[k] = 0;
    for (unsigned p = 0; p < PORTS; p++) {
        if (!port_has_room(operands, p, now)) continue;
        for (unsigned k = 0; k < words; k++) set->word[k] |= s->ready[p].word[k];
    }
}

static Warp *warp_of(const Issue *issue, const Blocks *blocks, unsigned scheduler, unsigned local)
{
    return &blocks->warps[local * issue->schedulers + scheduler];
}

ALWAYS_INLINE unsigned pick_oldest(const Issue *issue, const Blocks *blocks, unsigned scheduler,
                                   unsigned words, const WarpSet *set)
{
    unsigned best = 0;
    uint64_t age = UINT64_MAX;
    for (unsigned k = 0; k < words; k++) {
        for (uint64_t bits = set->word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t its = warp_of(issue, blocks, scheduler, local)->age;
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

// Updates the active set of a two-level scheduler: warps that wait for memory or have exited leave
// the set, and the oldest ready warps outside replace them. Restricts `set` to the active set.
static void two_level_update(const Issue *issue, const SmContext *sm, const Blocks *blocks,
                             unsigned index, unsigned words, WarpSet *set)
{
    Scheduler *s = &issue->scheduler[index];
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
        unsigned local = pick_oldest(issue, blocks, index, words, &outside);
        warpset_add(&s->active, local);
        warpset_remove(&outside, local);
        s->active_count++;
    }
    for (unsigned k = 0; k < words; k++) set->word[k] &= s->active.word[k];
}

void issue_set_aside(Issue *issue, const Warp *w)
{
    Scheduler *s = &issue->scheduler[w->scheduler];
    if (!warpset_has(&s->active, w->local)) return;
    warpset_remove(&s->active, w->local);
    s->active_count--;
}

// The warp that the scheduler tries now, or NULL.
ALWAYS_INLINE Warp *pick(const Issue *issue, const SmContext *sm, const Blocks *blocks,
                         unsigned index, unsigned words, WarpSet *set)
{
    Scheduler *s = &issue->scheduler[index];
    if (sm->config.core->policy == SCHEDULE_TWO_LEVEL)
        two_level_update(issue, sm, blocks, index, words, set);
    if (!warpset_any(set, words)) return NULL;
    unsigned local;
    if (sm->config.core->policy != SCHEDULE_GTO)
        local = pick_round_robin(s, words, set);
    else if (warpset_has(set, s->last))
        local = s->last;
    else
        local = pick_oldest(issue, blocks, index, words, set);
    return warp_of(issue, blocks, index, local);
}

// ---- instructions behind taken branches ----

static void flush_stale(Issue *issue, SmContext *sm, Scheduler *s, Warp *w)
{
    warpset_remove(&s->stale, w->local);
    // By now the warp may have come back to the buffered instructions, or have exited.
    if (w->live && w->buffered && !warp_has_instruction(w)) frontend_flush(issue->frontend, sm, w);
}

// Whether the scheduler tries warp `a` before warp `b`. `last`: the warp that it issued last.
static bool tried_before(const Issue *issue, const SmContext *sm, const Blocks *blocks,
                         unsigned index, unsigned last, unsigned a, unsigned b)
{
    if (sm->config.core->policy == SCHEDULE_GTO) {
        if (a == last || b == last) return a == last;
        return warp_of(issue, blocks, index, a)->age < warp_of(issue, blocks, index, b)->age;
    }
    unsigned slots = issue->set_words * 64, first = last + 1;
    return (a + slots - first) % slots < (b + slots - first) % slots;
}

static IssueOutcome issue_warp(const Issue *issue, const SmContext *sm, Warp *w)
{
    SmTrace *trace = trace_of(sm, w->id);
    return trace ? sm_issue_traced(issue->sm, w, trace) : sm_issue(issue->sm, w);
}

ALWAYS_INLINE bool issue_one(Issue *issue, SmContext *sm, const Blocks *blocks,
                             const Operands *operands, unsigned index, unsigned words)
{
    WarpSet set;
    candidates(&issue->scheduler[index], operands, sm->now, words, &set);
    Warp *w;
    while (!sm->failed && (w = pick(issue, sm, blocks, index, words, &set))) {
        unsigned port = w->port;
        if (issue_warp(issue, sm, w) == ISSUE_BLOCKED) {
            warpset_remove(&set, w->local);
            continue;
        }
        Scheduler *s = &issue->scheduler[index];
        s->last = w->local;
        if (sm->config.core->issue < 2 || sm->failed) return true;
        // A second instruction of the same warp in the same cycle, to another port.
        if (w->state == WARP_READY && w->port != port && port_has_room(operands, w->port, sm->now))
            issue_warp(issue, sm, w);
        else if (sm->config.frontend->flush == FLUSH_SCHEDULER && warpset_has(&s->stale, w->local))
            flush_stale(issue, sm, s, w);
        return true;
    }
    return false;
}

// As issue_one, for a scheduler with stale warps. Flushes them, or with frontend.flush=scheduler
// those that it tries before a warp that issues.
__attribute__((noinline, cold))
static bool issue_and_flush(Issue *issue, SmContext *sm, const Blocks *blocks,
                            const Operands *operands, unsigned index)
{
    Scheduler *s = &issue->scheduler[index];
    WarpSet stale = s->stale; // before the issue, which may add a warp
    unsigned last = s->last;
    bool issued = issue_one(issue, sm, blocks, operands, index, issue->set_words);
    bool some = issued && sm->config.frontend->flush == FLUSH_SCHEDULER;
    for (unsigned k = 0; k < issue->set_words; k++) {
        for (uint64_t bits = stale.word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            if (some && !tried_before(issue, sm, blocks, index, last, local, s->last)) continue;
            flush_stale(issue, sm, s, warp_of(issue, blocks, index, local));
        }
    }
    return issued;
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

static void account_cycles(Issue *issue, SmContext *sm, const Blocks *blocks, uint64_t cycles)
{
    if (blocks->blocks_live) sm->count.sm.active_cycles += cycles;
    sm->count.sm.warp_cycles += cycles * blocks->warps_live;
    sm->count.sm.cycles += cycles;
    issue->accounted += cycles;
}

void issue_account_idle(Issue *issue, SmContext *sm, const Blocks *blocks, uint64_t until)
{
    if (until <= issue->accounted) return;
    uint64_t cycles = until - issue->accounted;
    for (unsigned i = 0; i < issue->schedulers; i++)
        sm->count.issue.slots[stall_reason(&issue->scheduler[i], issue->set_words)] += cycles;
    account_cycles(issue, sm, blocks, cycles);
}

ALWAYS_INLINE void issue_cycle_of(Issue *issue, SmContext *sm, const Blocks *blocks,
                                  const Operands *operands, unsigned words)
{
    // If the turn passed on in every cycle, a unit that accepts an instruction every 8 cycles would
    // always serve the same scheduler.
    unsigned first = issue->first_scheduler, issued = 0;
    if (sm->config.core->scheduler_turn == TURN_CYCLE)
        first = (unsigned)((sm->now - issue->turn_zero) % issue->schedulers);
    for (unsigned i = 0; i < issue->schedulers; i++) {
        unsigned index = first + i < issue->schedulers ? first + i : first + i - issue->schedulers;
        const Scheduler *s = &issue->scheduler[index];
        bool one = warpset_any(&s->stale, words)
                       ? issue_and_flush(issue, sm, blocks, operands, index)
                       : warpset_any(&s->state[WARP_READY], words) &&
                             issue_one(issue, sm, blocks, operands, index, words);
        if (one) {
            sm->count.issue.issued++;
            if (!issued++) issue->first_scheduler = index + 1 < issue->schedulers ? index + 1 : 0;
        } else {
            sm->count.issue.slots[stall_reason(s, words)]++;
        }
    }
    account_cycles(issue, sm, blocks, 1);
}

void issue_cycle(Issue *issue, SmContext *sm, const Blocks *blocks, const Operands *operands)
{
    if (issue->set_words == 1) issue_cycle_of(issue, sm, blocks, operands, 1);
    else issue_cycle_of(issue, sm, blocks, operands, issue->set_words);
}

uint64_t issue_next(const Issue *issue, const Operands *operands, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < issue->schedulers; i++) {
        const Scheduler *s = &issue->scheduler[i];
        if (warpset_any(&s->stale, issue->set_words)) return now + 1;
        if (!warpset_any(&s->state[WARP_READY], issue->set_words)) continue;
        for (unsigned p = 0; p < PORTS; p++) {
            if (!warpset_any(&s->ready[p], issue->set_words)) continue;
            if (port_has_room(operands, p, now + 1)) return now + 1;
            // The load/store unit has a cycle of its own (lsu_next) when it makes room.
            if (p != PORT_MEM && operands->port[p].latch_free < next)
                next = operands->port[p].latch_free;
        }
    }
    return next > now ? next : now + 1;
}

bool issue_any_throttled(const Issue *issue)
{
    for (unsigned s = 0; s < issue->schedulers; s++)
        if (warpset_any(&issue->scheduler[s].state[WARP_THROTTLED], issue->set_words)) return true;
    return false;
}
