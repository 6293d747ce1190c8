// Issue: selects the warp that each scheduler issues.
#include "core/issue/scheduler.h"

#include "core/frontend/frontend.h"
#include "core/issue/pick.h"
#include "core/issue/slots.h"
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
    uint64_t *older = NULL;
    size_t rows = (size_t)issue->set_words * 64;
    if (core->policy != SCHEDULE_LRR) {
        older = hd_tables_new(tables, issue->schedulers * rows, sizeof *older);
        if (!older) return false;
    }
    for (unsigned s = 0; s < issue->schedulers; s++) {
        if (older) issue->scheduler[s].older = older + s * rows;
        issue->scheduler[s].warps = &issue->warps[(size_t)s * each];
        issue->scheduler[s].bit = UINT32_C(1) << s;
        issue->scheduler[s].next = (uint16_t)(s + 1 < issue->schedulers ? s + 1 : 0);
    }
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
        w->turn = UINT32_C(1) << w->scheduler;
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
    uint8_t *port = issue->port_of, dp = config->units->dp ? PORT_DP : PORT_SFU;
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
    port[UOP_ROW_FRAME_PARAM] = local ? PORT_MEM : port[CLASS_MOVE];
    issue->grouped = core_groups(config->core, config->scalar);
    issue->turn_by_cycle = config->core->scheduler_turn == TURN_CYCLE;
    issue->always = issue->grouped || config->core->policy == SCHEDULE_TWO_LEVEL;
    return waves_init(&issue->waves, config, tables) && place_warps(issue, config, blocks, tables);
}

void issue_begin(Issue *issue, SmContext *context, const Operands *operands, uint64_t start,
                 bool injects)
{
    issue->cycles_counted = issue->issuable_counted = start;
    issue->first = 0;
    issue->at = issue->began = 0;
    issue->turn = 0;
    context->issue_due = UINT64_MAX;
    issue->turn_zero = context->now + 1 - issue->turns % issue->schedulers;
    throttle_begin(&issue->throttle, context);
    issue->decides = issue->throttle.on || issue->grouped;
    issue->simple = !issue->decides && !injects && issue->set_words == 1;
    const CoreConfig *core = context->config.core;
    bool usual = issue->simple && core->policy != SCHEDULE_TWO_LEVEL, single = core->issue < 2;
    issue->way = ISSUE_ANY;
    if (usual && operands->plain) issue->way = single ? ISSUE_USUAL : ISSUE_DUAL;
    else if (usual && single) issue->way = ISSUE_PASSES;
    waves_begin(&issue->waves, context);
    for (unsigned s = 0; s < issue->schedulers; s++) {
        Scheduler *scheduler = &issue->scheduler[s];
        scheduler->last = 0;
        scheduler->counted = start;
        for (unsigned k = 0; k < issue->set_words; k++) scheduler->sets[k].stale = 0;
        memset(&scheduler->active, 0, sizeof scheduler->active);
        scheduler->active_count = 0;
    }
}

// ---- which warp issues ----

void issue_note_start(const Warp *w)
{
    if (!w->home->older) return;
    uint64_t *older = &w->home->older[w->local / 64 * 64];
    for (unsigned i = 0; i < 64; i++) older[i] &= ~w->bit;
    older[w->local % 64] = ~w->bit;
}

void issue_set_aside(Issue *issue, const Warp *w)
{
    Scheduler *s = &issue->scheduler[w->scheduler];
    if (!warpset_has(&s->active, w->local)) return;
    warpset_remove(&s->active, w->local);
    s->active_count--;
}

// ---- instructions behind taken branches ----

void issue_flush_stale(Issue *issue, SmContext *context, Warp *w)
{
    w->sets->stale &= ~w->bit;
    // By now the warp may have come back to the buffered instructions, or have exited.
    if (w->live && w->buffered && !warp_has_instruction(w)) frontend_flush(issue->frontend, context,
                                                                           w);
}

// Whether the scheduler tries warp `a` before warp `b`. `last`: the warp that it issued last.
static bool tried_before(const Issue *issue, const SmContext *context, const Scheduler *s,
                         unsigned last, unsigned a, unsigned b)
{
    if (context->config.core->policy == SCHEDULE_GTO) {
        if (a == last || b == last) return a == last;
        return s->warps[a]->age < s->warps[b]->age;
    }
    unsigned slots = issue->set_words * 64, first = last + 1;
    return (a + slots - first) % slots < (b + slots - first) % slots;
}

static bool issue_one(Issue *issue, SmContext *context, Scheduler *s, const Operands *operands)
{
    WarpSet set;
    unsigned words = issue->set_words;
    for (unsigned k = 0; k < words; k++)
        set.word[k] = candidates(&s->sets[k], operands, context->now);
    Warp *w;
    while (!context->failed && (w = pick(context, s, words, &set))) {
        unsigned ready = w->set;
        if (issue_warp(issue, context, w) == ISSUE_BLOCKED) {
            warpset_remove(&set, w->local);
            continue;
        }
        s->last = w->local;
        if (context->config.core->issue < 2 || context->failed) return true;
        // A second instruction of the same warp in the same cycle, to another port.
        if (w->state == WARP_READY && w->set != ready &&
            port_has_room(operands, w->set - SET_READY, context->now))
            issue_warp(issue, context, w);
        else
            flush_issued(issue, context, w);
        return true;
    }
    return false;
}

IssueOutcome issue_and_flush(Issue *issue, SmContext *context, Scheduler *s,
                             const Operands *operands)
{
    if (issue->way != ISSUE_ANY && !any_ready(s, 1)) {
        for (uint64_t bits = s->sets[0].stale; bits; bits &= bits - 1)
            issue_flush_stale(issue, context, s->warps[__builtin_ctzll(bits)]);
        return ISSUE_BLOCKED;
    }
    WarpSet stale; // before the issue, which may add a warp
    for (unsigned k = 0; k < issue->set_words; k++) stale.word[k] = s->sets[k].stale;
    unsigned last = s->last;
    bool issued = issue->grouped ? issue_grouped(issue, context, s, operands)
                                 : issue_one(issue, context, s, operands);
    bool some = issued && context->config.frontend->flush == FLUSH_SCHEDULER;
    for (unsigned k = 0; k < issue->set_words; k++) {
        for (uint64_t bits = stale.word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            if (some && !tried_before(issue, context, s, last, local, s->last)) continue;
            issue_flush_stale(issue, context, s->warps[local]);
        }
    }
    return context->failed ? ISSUE_FAILED : issued ? ISSUE_DONE : ISSUE_BLOCKED;
}

// ---- a cycle ----

// The turn of a scheduler that may have something to do. Returns whether it has issued.
static bool take_turn(Issue *issue, SmContext *context, Scheduler *s, const Operands *operands)
{
    unsigned words = issue->set_words;
    count_slots(context, s, words, context->now);
    if (any_stale(s, words)) return issue_and_flush(issue, context, s, operands) == ISSUE_DONE;
    if (!has_turn(s, words)) return false;
    return issue->grouped ? issue_grouped(issue, context, s, operands)
                          : issue_one(issue, context, s, operands);
}

void issue_any_cycle(Issue *issue, SmContext *context, const Operands *operands)
{
    if (issue->grouped) issue_count_issuable(issue, context, context->now + 1);
    Turns turns = turns_begin(issue, context);
    Scheduler *s;
    while ((s = turns_next(issue, &turns))) {
        bool issues = take_turn(issue, context, s, operands);
        turns_end(issue, context, s, &turns, issues, issue->set_words);
    }
    turns_finish(issue, context, &turns);
}

uint64_t issue_find_next(const Issue *issue, const Operands *operands, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    uint32_t present = 0;
    uint64_t stale = 0, left_active = 0; // these leave in the next cycle, ready again or not
    for (uint32_t left = issue->turn; left; left &= left - 1) {
        const Scheduler *s = &issue->scheduler[__builtin_ctz(left)];
        for (unsigned k = 0; k < issue->set_words; k++) {
            present |= s->sets[k].present;
            stale |= s->sets[k].stale;
            left_active |= two_level_leave(s, k);
        }
    }
    if (stale || left_active) return now + 1;
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
