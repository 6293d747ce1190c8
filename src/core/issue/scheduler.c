// Issue: classifies warps by what they wait for, and selects the warp that each scheduler issues.
#include "core/issue/scheduler.h"

#include "core/frontend/frontend.h"
#include "core/issue/pick.h"
#include "core/inject/injector.h"
#include "core/trace_warp.h"

#include <string.h>

// ---- life ----

// Gives each warp slot its place at a scheduler, for good. The warps of a pair are at one
// scheduler, at neighbouring numbers.
static bool place_warps(Issue *issue, const SmConfig *config, const Blocks *blocks,
                        HdTables *tables)
{
    const CoreConfig *core = config->core;
    unsigned warps = core->threads / core->width, together = 1u << core->paired;
    unsigned each = core_scheduler_warps(core), lanes = core_group_lanes(core);
    issue->set_words = (each + 63) / 64;
    issue->scheduler = hd_tables_new(tables, issue->schedulers, sizeof *issue->scheduler);
    issue->warps =
        hd_tables_new(tables, (size_t)issue->schedulers * each, sizeof *issue->warps);
    if (!issue->scheduler || !issue->warps) return false;
    for (unsigned s = 0; s < issue->schedulers; s++)
        issue->scheduler[s].warps = &issue->warps[(size_t)s * each];
    for (unsigned id = 0; id < warps; id++) {
        Warp *w = &blocks->warps[id];
        unsigned group = id / together;
        w->scheduler = (uint16_t)(group % issue->schedulers);
        w->local = (uint16_t)(group / issue->schedulers * together + id % together);
        w->entry = w->scalar_entry = (uint16_t)group;
        if (config->scalar->mode != SCALAR_OFF) {
            w->scalar_entry =
                (uint16_t)(w->scheduler * core_scalar_entries(core) + w->local / lanes);
            w->wave_lane = (uint8_t)(w->local % lanes);
        }
        w->home = &issue->scheduler[w->scheduler];
        w->sets = &issue->scheduler[w->scheduler].sets[w->local / 64];
        w->bit = UINT64_C(1) << w->local % 64;
        w->set = SET_NONE;
        issue->scheduler[w->scheduler].warps[w->local] = w;
    }
    return true;
}

bool issue_init(Issue *issue, const SmConfig *config, const Blocks *blocks, Frontend *frontend,
                Sm *sm, HdTables *tables)
{
    issue->schedulers = config->core->schedulers;
    issue->frontend = frontend;
    issue->sm = sm;
    unsigned *port = issue->port_of, dp = config->units->dp ? PORT_DP : PORT_SFU;
    bool has_int = config->units->integer;
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) port[c] = has_int ? PORT_INT : PORT_SP;
    for (unsigned c = CLASS_FP_ADD; c <= CLASS_FP_MAD; c++) port[c] = PORT_SP;
    for (unsigned c = CLASS_DP_ADD; c <= CLASS_DP_MAD; c++) port[c] = dp;
    port[CLASS_DP_DIV] = port[CLASS_DP_RCP] = port[CLASS_DP_SQRT] =
        config->units->dp_div ? PORT_SFU : dp;
    port[CLASS_SFU] = port[CLASS_INT_DIV] = port[CLASS_FP_DIV] = port[CLASS_FP_RCP] = PORT_SFU;
    port[CLASS_LOAD] = port[CLASS_STORE] = port[CLASS_ATOMIC] = port[CLASS_TEXTURE] = PORT_MEM;
    for (unsigned c = LATENCY_CLASSES; c < ALL_CLASSES; c++)
        port[c] = port[class_timed_as(config->units, (OpClass)c)];
    bool local = config->path->function_params == FUNCTION_PARAMS_LOCAL;
    issue->param_port = local ? PORT_MEM : port[CLASS_MOVE];
    issue->grouped = core_groups(config->core, config->scalar);
    issue->always = issue->grouped || config->core->policy == SCHEDULE_TWO_LEVEL;
    return waves_init(&issue->waves, config, tables) && place_warps(issue, config, blocks, tables);
}

void issue_begin(Issue *issue, SmContext *sm, uint64_t start, bool injects)
{
    issue->cycles_counted = issue->issuable_counted = start;
    issue->first = 0;
    issue->later = UINT32_MAX;
    issue->turn = 0;
    sm->issue_due = UINT64_MAX;
    issue->turn_zero = sm->now + 1 - issue->turns % issue->schedulers;
    throttle_begin(&issue->throttle, sm);
    issue->decides = issue->throttle.on || issue->grouped;
    issue->simple = !issue->decides && !injects;
    const CoreConfig *core = sm->config.core;
    issue->usual = issue->simple && issue->set_words == 1 && core->issue < 2 &&
                   core->policy != SCHEDULE_TWO_LEVEL;
    waves_begin(&issue->waves, sm);
    for (unsigned s = 0; s < issue->schedulers; s++) {
        Scheduler *scheduler = &issue->scheduler[s];
        scheduler->last = 0;
        scheduler->counted = start;
        for (unsigned k = 0; k < issue->set_words; k++) scheduler->sets[k].stale = 0;
        memset(&scheduler->active, 0, sizeof scheduler->active);
        scheduler->active_count = 0;
    }
}

// ---- slots ----

// Why a scheduler issues nothing: the first of its sets that has warps says it.
ALWAYS_INLINE IssueSlot stall_reason(const Issue *issue, const Scheduler *s)
{
    static const uint8_t reasons[WARP_SETS] = {
        [SET_READY + PORT_SP] = SLOT_UNIT, [SET_READY + PORT_SFU] = SLOT_UNIT,
        [SET_READY + PORT_DP] = SLOT_UNIT, [SET_READY + PORT_INT] = SLOT_UNIT,
        [SET_READY + PORT_MEM] = SLOT_LSU,
        [SET_WAVE] = SLOT_UNIT, [SET_WAVE_FULL] = SLOT_UNIT,
        [SET_THROTTLED] = SLOT_THROTTLED, [SET_MEMORY] = SLOT_MEMORY,
        [SET_DEPENDENCY] = SLOT_DEPENDENCY, [SET_FETCH] = SLOT_FETCH,
        [SET_BARRIER] = SLOT_BARRIER, [SET_NONE] = SLOT_IDLE};
    uint32_t present = s->sets[0].present;
    for (unsigned k = 1; k < issue->set_words; k++) present |= s->sets[k].present;
    return reasons[__builtin_ctz(present | UINT32_C(1) << SET_NONE)];
}

ALWAYS_INLINE void count_slots(const Issue *issue, SmContext *sm, Scheduler *s, uint64_t until)
{
    if (until <= s->counted) return;
    sm->count.issue.slots[stall_reason(issue, s)] += until - s->counted;
    s->counted = until;
}

static void count_issuable(Issue *issue, SmContext *sm, uint64_t until)
{
    if (until <= issue->issuable_counted) return;
    issue_count_issuable(issue, sm, until - issue->issuable_counted);
    issue->issuable_counted = until;
}

void issue_count_slots(Issue *issue, SmContext *sm, uint64_t until)
{
    for (unsigned i = 0; i < issue->schedulers; i++)
        count_slots(issue, sm, &issue->scheduler[i], until);
    if (issue->grouped) count_issuable(issue, sm, until);
}

void issue_end_turns(Issue *issue, SmContext *sm)
{
    for (unsigned i = 0; i < issue->schedulers; i++)
        if (!(issue->later >> i & 1))
            count_slots(issue, sm, &issue->scheduler[i], sm->now + 1);
}

uint64_t issue_stalled_slots(const Issue *issue, const SmContext *sm)
{
    uint64_t stalled = 0;
    for (unsigned slot = 0; slot < ISSUE_SLOTS; slot++)
        if (slot != SLOT_ISSUED && slot != SLOT_IDLE) stalled += sm->count.issue.slots[slot];
    for (unsigned i = 0; i < issue->schedulers; i++) {
        const Scheduler *s = &issue->scheduler[i];
        uint64_t until = sm->now + !(issue->later >> i & 1);
        if (until > s->counted && stall_reason(issue, s) != SLOT_IDLE) stalled += until - s->counted;
    }
    return stalled;
}

void issue_count_cycles(Issue *issue, SmContext *sm, const Blocks *blocks, uint64_t until)
{
    uint64_t cycles = until - issue->cycles_counted;
    if (blocks->blocks_live) sm->count.sm.active_cycles += cycles;
    sm->count.sm.warp_cycles += cycles * blocks->warps_live;
    sm->count.sm.cycles += cycles;
    issue->cycles_counted = until;
}

// ---- what a warp waits for ----

// The scheduler has something to do.
ALWAYS_INLINE void note_turn(Issue *issue, SmContext *sm, const Warp *w)
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
ALWAYS_INLINE WarpState check_needs(const Warp *w, const UOpTiming *t)
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
    if (issue->grouped) count_issuable(issue, sm, sm->now);
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

// ---- which warp issues ----

void issue_set_aside(Issue *issue, const Warp *w)
{
    Scheduler *s = &issue->scheduler[w->scheduler];
    if (!warpset_has(&s->active, w->local)) return;
    warpset_remove(&s->active, w->local);
    s->active_count--;
}

// ---- instructions behind taken branches ----

void issue_flush_stale(Issue *issue, SmContext *sm, Warp *w)
{
    w->sets->stale &= ~w->bit;
    // By now the warp may have come back to the buffered instructions, or have exited.
    if (w->live && w->buffered && !warp_has_instruction(w)) frontend_flush(issue->frontend, sm, w);
}

// Whether the scheduler tries warp `a` before warp `b`. `last`: the warp that it issued last.
static bool tried_before(const Issue *issue, const SmContext *sm, const Scheduler *s,
                         unsigned last, unsigned a, unsigned b)
{
    if (sm->config.core->policy == SCHEDULE_GTO) {
        if (a == last || b == last) return a == last;
        return s->warps[a]->age < s->warps[b]->age;
    }
    unsigned slots = issue->set_words * 64, first = last + 1;
    return (a + slots - first) % slots < (b + slots - first) % slots;
}

// usual: Issue.usual.
ALWAYS_INLINE bool issue_one(Issue *issue, SmContext *sm, Scheduler *s, const Operands *operands,
                             bool usual)
{
    WarpSet set;
    unsigned words = usual ? 1 : issue->set_words;
    candidates(s, operands, sm->now, words, &set);
    Warp *w;
    while (!sm->failed && (w = pick(sm, s, words, &set, usual))) {
        unsigned ready = w->set;
        if (issue_warp(issue, sm, w, usual) == ISSUE_BLOCKED) {
            leave(words, &set, w);
            continue;
        }
        s->last = w->local;
        if (usual || sm->config.core->issue < 2 || sm->failed) return true;
        // A second instruction of the same warp in the same cycle, to another port.
        if (w->state == WARP_READY && w->set != ready &&
            port_has_room(operands, w->set - SET_READY, sm->now))
            issue_warp(issue, sm, w, false);
        else
            flush_issued(issue, sm, w);
        return true;
    }
    return false;
}

// As issue_one, for a scheduler with stale warps. Flushes them, or with frontend.flush=scheduler
// those that it tries before a warp that issues.
__attribute__((noinline, cold))
static bool issue_and_flush(Issue *issue, SmContext *sm, Scheduler *s, const Operands *operands)
{
    WarpSet stale; // before the issue, which may add a warp
    for (unsigned k = 0; k < issue->set_words; k++) stale.word[k] = s->sets[k].stale;
    unsigned last = s->last;
    bool issued = issue->grouped ? issue_grouped(issue, sm, s, operands)
                                 : issue_one(issue, sm, s, operands, false);
    bool some = issued && sm->config.frontend->flush == FLUSH_SCHEDULER;
    for (unsigned k = 0; k < issue->set_words; k++) {
        for (uint64_t bits = stale.word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            if (some && !tried_before(issue, sm, s, last, local, s->last)) continue;
            issue_flush_stale(issue, sm, s->warps[local]);
        }
    }
    return issued;
}

// ---- a cycle ----

typedef enum IssueKind { ISSUE_USUAL, ISSUE_WARPS, ISSUE_GROUPS } IssueKind;

// The turn of a scheduler that may have something to do. Returns whether it has issued.
ALWAYS_INLINE bool take_turn(Issue *issue, SmContext *sm, Scheduler *s, const Operands *operands,
                             IssueKind kind)
{
    unsigned words = kind == ISSUE_USUAL ? 1 : issue->set_words;
    count_slots(issue, sm, s, sm->now);
    if (any_stale(s, words)) return issue_and_flush(issue, sm, s, operands);
    if (kind != ISSUE_USUAL && !has_turn(s, words)) return false;
    return kind == ISSUE_GROUPS ? issue_grouped(issue, sm, s, operands)
                                : issue_one(issue, sm, s, operands, kind == ISSUE_USUAL);
}

// Each scheduler has its turn. An issue may give those whose turn is not over something to do: a
// barrier opens.
ALWAYS_INLINE void take_turns(Issue *issue, SmContext *sm, const Operands *operands, IssueKind kind)
{
    // issue->first moves on only behind a cycle with an issue: with TURN_CYCLE, a unit that accepts
    // an instruction every 8 cycles always serves the same scheduler.
    unsigned first = issue->first, issued = 0;
    if (sm->config.core->scheduler_turn == TURN_CYCLE)
        first = (unsigned)((sm->now - issue->turn_zero) % issue->schedulers);
    uint32_t left = ~UINT32_C(0) << first, behind = ~left; // those from `first` on, then the others
    while (issue->turn & (left | behind)) {
        if (!(issue->turn & left)) {
            left = behind;
            behind = 0;
        }
        unsigned number = (unsigned)__builtin_ctz(issue->turn & left);
        Scheduler *s = &issue->scheduler[number];
        left &= ~UINT32_C(0) << number;
        issue->later = left | behind;
        left &= left - 1;
        bool issues = take_turn(issue, sm, s, operands, kind);
        if (!has_turn(s, kind == ISSUE_USUAL ? 1 : issue->set_words))
            issue->turn &= ~(UINT32_C(1) << number);
        if (!issues) continue;
        s->counted = sm->now + 1;
        if (!issued++) issue->first = number + 1 < issue->schedulers ? number + 1 : 0;
    }
    sm->count.issue.issued += issued;
    issue->later = UINT32_MAX;
}

// The functions are apart, so that usual cycles need few registers of the host.
__attribute__((noinline))
static void issue_usual(Issue *issue, SmContext *sm, const Operands *operands)
{
    take_turns(issue, sm, operands, ISSUE_USUAL);
}

__attribute__((noinline))
static void issue_unusual(Issue *issue, SmContext *sm, const Operands *operands)
{
    if (!issue->grouped) {
        take_turns(issue, sm, operands, ISSUE_WARPS);
        return;
    }
    count_issuable(issue, sm, sm->now + 1);
    take_turns(issue, sm, operands, ISSUE_GROUPS);
}

void issue_cycle(Issue *issue, SmContext *sm, const Operands *operands)
{
    if (issue->usual) issue_usual(issue, sm, operands);
    else issue_unusual(issue, sm, operands);
}

uint64_t issue_find_next(const Issue *issue, const Operands *operands, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    uint32_t present = 0;
    uint64_t stale = 0;
    for (uint32_t left = issue->turn; left; left &= left - 1) {
        const Scheduler *s = &issue->scheduler[__builtin_ctz(left)];
        for (unsigned k = 0; k < issue->set_words; k++) {
            present |= s->sets[k].present;
            stale |= s->sets[k].stale;
        }
    }
    if (stale) return now + 1;
    for (uint32_t ready = present & PRESENT_PORTS; ready; ready &= ready - 1) {
        unsigned p = (unsigned)__builtin_ctz(ready);
        if (port_has_room(operands, p, now)) return now + 1;
        // The load/store unit has a cycle of its own when it makes room, also among shared
        // collectors.
        uint64_t free = operands->port[p].latch_free;
        if (free > now && free < next) next = free;
    }
    if (issue->waves.items) {
        uint64_t wave = waves_next(&issue->waves, operands, now);
        if (wave < next) next = wave;
    }
    return next > now ? next : now + 1;
}

bool issue_any_throttled(const Issue *issue)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < issue->schedulers; i++)
        for (unsigned k = 0; k < issue->set_words; k++)
            any |= issue->scheduler[i].sets[k].of[SET_THROTTLED];
    return any;
}
