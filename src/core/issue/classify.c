// Classifies warps by what they wait for: puts each into a set of its scheduler.
#include "core/frontend/frontend.h"
#include "core/inject/injector.h"
#include "core/issue/slots.h"
#include "core/trace_warp.h"

// ---- sets ----

// The scheduler has something to do.
static inline void note_turn(Issue *issue, SmContext *sm, const Warp *w)
{
    issue->turn |= UINT32_C(1) << w->scheduler;
    sm->issue_due = 0;
}

// set: not the warp's.
__attribute__((noinline))
static void move_to(Issue *issue, SmContext *sm, Warp *w, WarpState state, unsigned set)
{
    count_slots(issue, sm, w->home, sm->now);
    warp_count_wait(sm, w, w->pc_base + w->pc);
    WarpSets *sets = w->sets;
    unsigned from = w->set;
    sets->of[from] &= ~w->bit;
    sets->of[set] |= w->bit;
    uint32_t emptied = (uint32_t)!sets->of[from] << from;
    sets->present = (sets->present & ~emptied) | UINT32_C(1) << set;
    w->state = (uint8_t)state;
    w->set = (uint8_t)set;
    if (set <= SET_WAVE) note_turn(issue, sm, w);
}

static inline void move_warp(Issue *issue, SmContext *sm, Warp *w, WarpState state, unsigned set)
{
    if (set != w->set) move_to(issue, sm, w, state, set);
}

// The warp is in a state other than WARP_READY.
static inline void warp_set_state(Issue *issue, SmContext *sm, Warp *w, WarpState state)
{
    static const uint8_t sets[WARP_STATES] = {
        [WARP_NONE] = SET_NONE, [WARP_MEMORY] = SET_MEMORY, [WARP_DEPENDENCY] = SET_DEPENDENCY,
        [WARP_FETCH] = SET_FETCH, [WARP_BARRIER] = SET_BARRIER, [WARP_THROTTLED] = SET_THROTTLED};
    move_warp(issue, sm, w, state, sets[state]);
}

static inline void warp_set_ready(Issue *issue, SmContext *sm, Warp *w, const UOp *op)
{
    move_warp(issue, sm, w, WARP_READY, SET_READY + issue_port(issue, op));
}

void warp_in_wave(Issue *issue, SmContext *sm, Warp *w)
{
    move_warp(issue, sm, w, WARP_READY, SET_WAVE);
}

// As scoreboard_check, register by register.
__attribute__((noinline, cold))
static WarpState check_registers(const Warp *w, const UOpTiming *t)
{
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

// As scoreboard_check, of an instruction whose registers lie in few words (UOpTiming.needs).
static inline WarpState check_needs(const Warp *w, const UOpTiming *t)
{
    uint64_t any = 0, memory = 0;
    for (unsigned i = 0; i < t->need_words; i++) {
        uint64_t pending = w->pending[t->need_word[i]] & t->needs[i];
        any |= pending;
        memory |= pending & w->pending_memory[t->need_word[i]];
    }
    return memory ? WARP_MEMORY : any ? WARP_DEPENDENCY : WARP_READY;
}

// The state of the instruction by the scoreboard, with results pending: WARP_READY, WARP_MEMORY or
// WARP_DEPENDENCY.
static WarpState scoreboard_check(const Warp *w, const UOpTiming *t)
{
    if (w->drains) return w->loads_out || w->atomics_out ? WARP_MEMORY : WARP_DEPENDENCY;
    return t->need_words ? check_needs(w, t) : check_registers(w, t);
}

// Whether an instruction may wait for more than its registers (order_check).
static inline bool is_ordered(const UOp *op)
{
    static const bool ordered[UOP_CODES] = {
        [UOP_BAR] = true, [UOP_MEMBAR] = true, [UOP_CALL] = true, [UOP_CALL_POINTER] = true,
        [UOP_SYSTEM] = true, [UOP_RET] = true};
    return ordered[op->code];
}

// What an instruction waits for beyond its registers: fences and barriers for the memory operations
// that they order, calls and returns for results that would land in the wrong frame, all
// instructions for atomics that block their warp.
static WarpState order_check(const Warp *w, const UOp *op)
{
    if (w->waits_for_atomics) return WARP_MEMORY;
    switch (op->code) {
    case UOP_BAR: return w->atomics_out || w->held ? WARP_BARRIER : WARP_READY;
    case UOP_MEMBAR:
        return w->atomics_out || w->stores_out || w->held ? WARP_BARRIER : WARP_READY;
    case UOP_CALL:
    case UOP_CALL_POINTER:
    case UOP_SYSTEM: // may read results in flight
    case UOP_RET:
        if (!w->pending_count) return WARP_READY;
        return w->loads_out || w->atomics_out ? WARP_MEMORY : WARP_DEPENDENCY;
    default: return WARP_READY;
    }
}

// Whether the warps of a pair, of which `w` is ready, are ready at one instruction, which they can
// issue together. A request to a mechanism's unit and a texture fetch are those of one warp.
static bool pair_is_ready(const Warp *w, const Warp *other, const UOp *op)
{
    return other->set < SET_READY + PORTS && warp_pc(w) == warp_pc(other) &&
           !injector_is_active(w) && !injector_is_active(other) && op->code != UOP_UNIT &&
           op->class != CLASS_TEXTURE;
}

// The warp is ready, on a machine that issues by groups.
static void set_ready_for_group(Issue *issue, SmContext *sm, Warp *w, const UOp *op)
{
    bool scalar = w->timing[w->pc].scalar && !injector_is_active(w);
    w->sets->scalar = scalar ? w->sets->scalar | w->bit : w->sets->scalar & ~w->bit;
    if (scalar && issue->waves.items) {
        bool joined = waves_join(&issue->waves, sm, w, issue_port(issue, op));
        move_warp(issue, sm, w, WARP_READY, joined ? SET_WAVE : SET_WAVE_FULL);
        return;
    }
    warp_set_ready(issue, sm, w, op);
    if (!sm->config.core->paired) return;
    const Warp *other = issue->scheduler[w->scheduler].warps[w->local ^ 1];
    uint64_t even = w->local & 1 ? other->bit : w->bit;
    w->sets->pairs = pair_is_ready(w, other, op) ? w->sets->pairs | even : w->sets->pairs & ~even;
}

// A throttled warp releases its entry in a shared store. A warp in a wave stays there until the
// wave issues.
static void classify_by_decision(Issue *issue, SmContext *sm, Warp *w, const UOp *op)
{
    if (w->wave || w->set == SET_WAVE_FULL) return;
    if (issue->throttle.on && throttle_holds(&issue->throttle, w, op)) {
        frontend_give_up(issue->frontend, w);
        warp_set_state(issue, sm, w, WARP_THROTTLED);
    } else if (issue->grouped) {
        set_ready_for_group(issue, sm, w, op);
    } else {
        warp_set_ready(issue, sm, w, op);
    }
}

// The next instruction is not there.
static inline void note_stale(Issue *issue, SmContext *sm, const Warp *w)
{
    w->sets->stale |= w->bit;
    note_turn(issue, sm, w);
}

// As warp_classify, in all cases.
__attribute__((noinline))
static void classify(Issue *issue, SmContext *sm, Warp *w)
{
    if (issue->grouped) issue_count_issuable(issue, sm, sm->now);
    if (!w->live) {
        warp_set_state(issue, sm, w, WARP_NONE);
        return;
    }
    if (w->at_barrier) {
        warp_set_state(issue, sm, w, WARP_BARRIER);
        return;
    }
    bool there = warp_has_instruction(w), injected = injector_is_active(w);
    if (!there) {
        if (w->buffered) note_stale(issue, sm, w);
        injected = injector_has_micro_op(w); // which is not fetched
        if (!injected) {
            warp_set_state(issue, sm, w, WARP_FETCH);
            return;
        }
    }
    const UOp *op = injected ? injector_op(w->injector) : &w->ops[w->pc];
    const UOpTiming *timing = injected ? injector_timing(w->injector) : &w->timing[w->pc];
    WarpState state = w->pending_count ? scoreboard_check(w, timing) : WARP_READY;
    if (state == WARP_READY) state = order_check(w, op);
    if (state != WARP_READY) warp_set_state(issue, sm, w, state);
    else if (issue->decides) classify_by_decision(issue, sm, w, op);
    else warp_set_ready(issue, sm, w, op);
}

// Usually only the scoreboard and the fetch stage make a warp wait. A leaf that needs few registers
// of the host: all else is in functions that it ends with.
void warp_classify(Issue *issue, SmContext *sm, Warp *w)
{
    static const uint8_t waits[] = {[WARP_MEMORY] = SET_MEMORY, [WARP_DEPENDENCY] = SET_DEPENDENCY};
    WarpState state = WARP_FETCH;
    unsigned set = SET_FETCH;
    if (!warp_goes_on(w) || !issue->simple) {
        classify(issue, sm, w);
        return;
    }
    if (warp_has_instruction(w)) {
        const UOp *op = &w->ops[w->pc];
        const UOpTiming *timing = &w->timing[w->pc];
        bool pending = w->pending_count;
        if (is_ordered(op) || (pending && !timing->need_words)) {
            classify(issue, sm, w);
            return;
        }
        state = pending ? check_needs(w, timing) : WARP_READY;
        set = state == WARP_READY ? SET_READY + issue_port(issue, op) : waits[state];
    } else if (w->buffered) {
        note_stale(issue, sm, w);
    }
    move_warp(issue, sm, w, state, set);
}

void warp_fetched(Issue *issue, SmContext *sm, Warp *w)
{
    if (!injector_has_micro_op(w)) warp_classify(issue, sm, w);
}

void warp_leave_barrier(SmContext *sm, Warp *w)
{
    warp_count_wait(sm, w, w->pc_base + w->barrier_pc); // where it was blocked
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_passed(trace, sm, w);
    w->at_barrier = false;
    sm->warps_changed = true;
}

void warp_wait_for_atomic(Issue *issue, SmContext *sm, Warp *w)
{
    warp_set_state(issue, sm, w, WARP_MEMORY);
}
