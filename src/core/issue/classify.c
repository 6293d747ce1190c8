// Classifies warps by what they wait for: puts each into a set of its scheduler.
#include "core/frontend/frontend.h"
#include "core/inject/injector.h"
#include "core/issue/classify.h"
#include "core/trace_warp.h"

// ---- sets ----

__attribute__((noinline))
static void move_warp(Issue *issue, SmContext *context, Warp *w, unsigned set)
{
    if (set != w->issue.set) move_to(issue, context, w, set, issue->set_words);
}

// The warp is in a state other than WARP_READY.
static inline void warp_set_state(Issue *issue, SmContext *context, Warp *w, WarpState state)
{
    static const uint8_t sets[WARP_STATES] = {
        [WARP_NONE] = SET_NONE, [WARP_MEMORY] = SET_MEMORY, [WARP_DEPENDENCY] = SET_DEPENDENCY,
        [WARP_FETCH] = SET_FETCH, [WARP_BARRIER] = SET_BARRIER, [WARP_THROTTLED] = SET_THROTTLED,
        [WARP_WAVE_TABLE] = SET_WAVE_FULL};
    move_warp(issue, context, w, sets[state]);
}

static inline void warp_set_ready(Issue *issue, SmContext *context, Warp *w, const UOp *op)
{
    move_warp(issue, context, w, SET_READY + issue_port(issue, op));
}

void warp_in_wave(Issue *issue, SmContext *context, Warp *w)
{
    move_warp(issue, context, w, SET_WAVE);
}

// As scoreboard_check, register by register.
__attribute__((noinline, cold))
static WarpState check_registers(const Warp *w, const UOpTiming *t)
{
    WarpState state = WARP_READY;
    for (unsigned i = 0; i < t->read_count; i++) {
        if (!scoreboard_has(w->scoreboard.pending, t->reads[i])) continue;
        if (scoreboard_has(w->scoreboard.memory, t->reads[i])) return WARP_MEMORY;
        state = WARP_DEPENDENCY;
    }
    for (unsigned i = 0; i < t->write_count; i++) {
        if (!scoreboard_has(w->scoreboard.pending, t->writes[i])) continue;
        if (scoreboard_has(w->scoreboard.memory, t->writes[i])) return WARP_MEMORY;
        state = WARP_DEPENDENCY;
    }
    return state;
}

// The state of the instruction by the scoreboard, with results pending: WARP_READY, WARP_MEMORY or
// WARP_DEPENDENCY.
static WarpState scoreboard_check(const Warp *w, const UOpTiming *t)
{
    bool memory = w->memory.loads || w->memory.atomics;
    if (w->flags.drains) return memory ? WARP_MEMORY : WARP_DEPENDENCY;
    return t->need_words ? scoreboard_needs(w, t) : check_registers(w, t);
}

// What an instruction waits for beyond its registers: fences and barriers for the memory operations
// that they order, calls and returns for results that would land in the wrong frame, all
// instructions for atomics that block their warp.
static WarpState order_check(const Warp *w, const UOp *op)
{
    if (w->flags.waits_for_atomics) return WARP_MEMORY;
    switch (op->code) {
    case UOP_BAR: return w->memory.atomics || w->memory.held ? WARP_BARRIER : WARP_READY;
    case UOP_MEMBAR:
        return w->memory.atomics || w->memory.stores || w->memory.held ? WARP_BARRIER : WARP_READY;
    case UOP_CALL:
    case UOP_CALL_POINTER:
    case UOP_SYSTEM: // may read results in flight
    case UOP_RET:
        if (!w->scoreboard.count) return WARP_READY;
        return w->memory.loads || w->memory.atomics ? WARP_MEMORY : WARP_DEPENDENCY;
    default: return WARP_READY;
    }
}

// What an instruction waits for that follows scalar instructions in open waves (scalar.go_on). It
// does not overwrite what these read, and accesses of a warp to memory stay in order. Whatever is
// no computation, access or branch (barriers, fences, calls, exits) waits for all of them.
static WarpState ahead_check(const Warp *w, const UOp *op, const UOpTiming *t)
{
    UopControl control = uop_infos[op->code].control;
    bool computes = control == CONTROL_LANES || op->code == UOP_SCALAR;
    if (!computes && control != CONTROL_MEMORY && control != CONTROL_BRANCH)
        return WARP_DEPENDENCY;
    if (op_is_memory(op) && w->group.ahead_memory) return WARP_DEPENDENCY;
    for (unsigned i = 0; i < t->write_count; i++)
        if (w->group.ahead_reads[t->writes[i]]) return WARP_DEPENDENCY;
    return WARP_READY;
}

// Whether the warps of a pair, of which `w` is ready, are ready at one instruction, which they can
// issue together. A request to a mechanism's engine and a texture fetch are those of one warp.
static bool pair_is_ready(const Warp *w, const Warp *other, const UOp *op)
{
    return other->issue.set < SET_READY + PORTS && warp_pc(w) == warp_pc(other) &&
           !injector_is_active(w) && !injector_is_active(other) && op->code != UOP_ENGINE &&
           op->class != CLASS_TEXTURE;
}

// The warp is ready, on a machine that issues by groups.
static void set_ready_for_group(Issue *issue, SmContext *context, Warp *w, const UOp *op)
{
    bool scalar = w->timing[w->pc].scalar && !injector_is_active(w);
    WarpSets *sets = w->issue.sets;
    sets->scalar = scalar ? sets->scalar | w->issue.bit : sets->scalar & ~w->issue.bit;
    if (scalar && issue->waves.items) {
        bool joined = waves_join(&issue->waves, context, w, issue_port(issue, op));
        SmTrace *trace = joined ? NULL : trace_of(context, w->id);
        if (trace) trace_wave_table(trace, context, w);
        move_warp(issue, context, w, joined ? SET_WAVE : SET_WAVE_FULL);
        return;
    }
    warp_set_ready(issue, context, w, op);
    if (!context->config.core->paired) return;
    const Warp *other = issue->scheduler[w->issue.scheduler].warps[w->issue.local ^ 1];
    uint64_t even = w->issue.local & 1 ? other->issue.bit : w->issue.bit;
    sets->pairs = pair_is_ready(w, other, op) ? sets->pairs | even : sets->pairs & ~even;
}

// A throttled warp releases its entry in a shared store. A warp in a wave stays there until the
// wave issues.
static void classify_by_decision(Issue *issue, SmContext *context, Warp *w, const UOp *op)
{
    if (w->group.wave || w->issue.set == SET_WAVE_FULL) return;
    if (issue->throttle.on && throttle_holds(&issue->throttle, w, op)) {
        frontend_give_up(issue->frontend, w);
        warp_set_state(issue, context, w, WARP_THROTTLED);
    } else if (issue->grouped) {
        set_ready_for_group(issue, context, w, op);
    } else {
        warp_set_ready(issue, context, w, op);
    }
}

void warp_classify_unusual(Issue *issue, SmContext *context, Warp *w)
{
    if (issue->grouped) issue_count_issuable(issue, context, context->now);
    if (!w->flags.live) {
        warp_set_state(issue, context, w, WARP_NONE);
        return;
    }
    if (w->flags.at_barrier) {
        warp_set_state(issue, context, w, WARP_BARRIER);
        return;
    }
    bool there = warp_has_instruction(w), injected = injector_is_active(w);
    if (!there) {
        if (w->fetch.buffered) note_stale(issue, context, w);
        injected = injector_has_micro_op(w); // which is not fetched
        if (!injected) {
            warp_set_state(issue, context, w, WARP_FETCH);
            return;
        }
    }
    const UOp *op = injected ? injector_op(w->injector) : &w->ops[w->pc];
    const UOpTiming *timing = injected ? injector_timing(w->injector) : &w->timing[w->pc];
    WarpState state = w->scoreboard.count ? scoreboard_check(w, timing) : WARP_READY;
    if (state == WARP_READY) state = order_check(w, op);
    if (state == WARP_READY && w->group.ahead) state = ahead_check(w, op, timing);
    if (state != WARP_READY) warp_set_state(issue, context, w, state);
    else if (issue->decides) classify_by_decision(issue, context, w, op);
    else warp_set_ready(issue, context, w, op);
}

void warp_classify(Issue *issue, SmContext *context, Warp *w)
{
    warp_classify_here(issue, context, w);
}

void warp_classify_issued(Issue *issue, SmContext *context, Warp *w)
{
    Waves *waves = &issue->waves;
    if (waves_are_shared(waves) && w->flags.live && !w->flags.at_barrier)
        waves->issued[waves->issued_count++] = w;
    else
        warp_classify_unusual(issue, context, w);
}

void warp_fetched(Issue *issue, SmContext *context, Warp *w)
{
    if (!injector_has_micro_op(w)) warp_classify(issue, context, w);
}

void warp_leave_barrier(SmContext *context, Warp *w)
{
    warp_count_wait(context, w, w->pc_base + w->barrier.pc); // where it was blocked
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_passed(trace, context, w);
    w->flags.at_barrier = false;
    context->warp_changes++;
}

void warp_wait_for_atomic(Issue *issue, SmContext *context, Warp *w)
{
    warp_set_state(issue, context, w, WARP_MEMORY);
}
