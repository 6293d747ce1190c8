// Issue: selects the warp that each scheduler issues.
#include "core/issue/scheduler.h"

#include "core/frontend/frontend.h"
#include "core/issue/pick.h"
#include "core/issue/slots.h"
#include "core/inject/injector.h"
#include "core/trace_warp.h"

// ---- life ----

bool issue_new_tables(Issue *issue, HdTables *tables)
{
    size_t rows = (size_t)issue->set_words * 64;
    uint64_t *table = hd_tables_new(tables, issue->schedulers * rows, sizeof *table);
    uint64_t *key = hd_tables_new(tables, issue->schedulers * rows, sizeof *key);
    for (unsigned s = 0; table && key && s < issue->schedulers; s++) {
        issue->scheduler[s].table = table + s * rows;
        issue->scheduler[s].key = key + s * rows;
    }
    return table && key;
}

// Gives the scalars of warp slot `id` their register entry, and the lane of their waves.
static void place_scalars(Warp *w, const SmConfig *config, unsigned id)
{
    unsigned lanes = core_group_lanes(config->core);
    bool of_sm = config->scalar->members == MEMBERS_CONSECUTIVE;
    unsigned number = of_sm ? id : w->issue.local, first = 0;
    if (!of_sm) first = w->issue.scheduler * core_scalar_entries(config->core, config->scalar);
    w->banks.scalar_entry = (uint16_t)(first + number / lanes);
    w->group.wave_lane = (uint8_t)(number % lanes);
}

// Gives each warp slot its place at a scheduler, for good. The warps of a pair are at one
// scheduler, at neighbouring numbers.
static bool place_warps(Issue *issue, const SmConfig *config, const Blocks *blocks,
                        HdTables *tables)
{
    const CoreConfig *core = config->core;
    unsigned warps = core->threads / core->width, together = 1u << core->paired;
    unsigned each = core_scheduler_warps(core);
    issue->set_words = (each + 63) / 64;
    issue->scheduler = hd_tables_new(tables, issue->schedulers, sizeof *issue->scheduler);
    issue->warps =
        hd_tables_new(tables, (size_t)issue->schedulers * each, sizeof *issue->warps);
    if (!issue->scheduler || !issue->warps) return false;
    if (issue->policy->by_age && !issue_new_tables(issue, tables)) return false;
    for (unsigned s = 0; s < issue->schedulers; s++) {
        issue->scheduler[s].warps = &issue->warps[(size_t)s * each];
        issue->scheduler[s].bit = UINT32_C(1) << s;
        issue->scheduler[s].next = (uint16_t)(s + 1 < issue->schedulers ? s + 1 : 0);
    }
    for (unsigned id = 0; id < warps; id++) {
        Warp *w = &blocks->warps[id];
        unsigned group = id / together;
        w->issue.scheduler = (uint16_t)(group % issue->schedulers);
        w->issue.local = (uint16_t)(group / issue->schedulers * together + id % together);
        w->banks.entry = w->banks.scalar_entry = (uint16_t)group;
        if (config->scalar->mode != SCALAR_OFF) place_scalars(w, config, id);
        w->issue.home = &issue->scheduler[w->issue.scheduler];
        w->issue.sets = &issue->scheduler[w->issue.scheduler].sets[w->issue.local / 64];
        w->issue.bit = UINT64_C(1) << w->issue.local % 64;
        w->issue.home->bit = UINT32_C(1) << w->issue.scheduler;
        w->issue.set = SET_NONE;
        issue->scheduler[w->issue.scheduler].warps[w->issue.local] = w;
    }
    return true;
}

bool issue_init(Issue *issue, const SmConfig *config, const Blocks *blocks, Frontend *frontend,
                HdTables *tables)
{
    issue->schedulers = config->core->schedulers;
    issue->frontend = frontend;
    uint8_t *port = issue->port_of, dp = config->units->dp ? PORT_DP : PORT_SFU;
    bool has_int = config->units->integer;
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) port[c] = has_int ? PORT_INT : PORT_SP;
    for (unsigned c = CLASS_FP_ADD; c <= CLASS_FP_MAD; c++) port[c] = PORT_SP;
    for (unsigned c = CLASS_DP_ADD; c <= CLASS_DP_MAD; c++) port[c] = dp;
    port[CLASS_DP_DIV] = port[CLASS_DP_RCP] = port[CLASS_DP_SQRT] =
        config->units->dp_div ? PORT_SFU : dp;
    if (config->units->int_mul) port[CLASS_INT_MUL] = port[CLASS_INT_MAD] = PORT_SFU;
    port[CLASS_SFU] = port[CLASS_INT_DIV] = port[CLASS_FP_DIV] = port[CLASS_FP_RCP] = PORT_SFU;
    port[CLASS_LOAD] = port[CLASS_STORE] = port[CLASS_ATOMIC] = port[CLASS_TEXTURE] = PORT_MEM;
    for (unsigned c = LATENCY_CLASSES; c < ALL_CLASSES; c++)
        port[c] = port[class_timed_as(config->units, (OpClass)c)];
    bool local = config->path->function_params == FUNCTION_PARAMS_LOCAL;
    port[UOP_ROW_FRAME_PARAM] = local ? PORT_MEM : port[CLASS_MOVE];
    issue->grouped = core_groups(config->core, config->scalar);
    issue->turn_by_cycle = config->core->scheduler_turn == TURN_CYCLE;
    issue->policy = &scheduler_policies[config->core->policy];
    return waves_init(&issue->waves, config, tables) && place_warps(issue, config, blocks, tables);
}

bool issue_attach(Issue *issue, const SmConfig *config, CacheHooks *hooks, HdTables *tables)
{
    issue->throttle.hooks = hooks;
    issue->throttle.on = core_hooks_want(hooks, CORE_ISSUABLE);
    return (!core_hooks_want(hooks, CORE_ORDER) || order_attach(issue, hooks, tables)) &&
           (!core_hooks_want(hooks, CORE_TURN) || choice_attach(issue, config, hooks, tables));
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
    issue->always = issue->grouped || issue->policy->limit || issue->choice.on;
    bool usual = issue->simple && !issue->always, single = core->issue < 2;
    issue->usual_way = ISSUE_ANY;
    if (usual && operands->plain) issue->usual_way = single ? ISSUE_USUAL : ISSUE_DUAL;
    else if (usual && single) issue->usual_way = ISSUE_PASSES;
    order_begin(issue, context);
    choice_begin(issue, context);
    waves_begin(&issue->waves, context);
    for (unsigned s = 0; s < issue->schedulers; s++) {
        Scheduler *scheduler = &issue->scheduler[s];
        scheduler->last = 0;
        scheduler->counted = start;
        for (unsigned k = 0; k < issue->set_words; k++) scheduler->sets[k].stale = 0;
        scheduler->active = (ActiveWarps){0};
    }
}

// ---- which warp issues ----

void issue_note_start(const Warp *w)
{
    const Scheduler *s = w->issue.home;
    if (!s->table) return;
    uint64_t *before = &s->table[w->issue.local / 64 * 64];
    for (unsigned i = 0; i < 64; i++) before[i] &= ~w->issue.bit;
    before[w->issue.local % 64] = ~w->issue.bit;
    s->key[w->issue.local] = w->age;
}

void issue_group_start(Issue *issue, Warp *w, bool second)
{
    w->group.wave = w->group.ahead = w->group.ahead_memory = 0;
    w->group.listed = false;
    w->group.number = second ? w[-1].group.number : ++issue->group;
}

void issue_abandon(Issue *issue, SmContext *context)
{
    waves_count_waiting(&issue->waves, context, context->now);
    waves_begin(&issue->waves, context);
}

void issue_set_aside(const Issue *issue, const Warp *w)
{
    if (issue->policy->set_aside) issue->policy->set_aside(w->issue.home, w->issue.local);
}

// ---- the next cycle ----

uint64_t issue_find_next(const Issue *issue, const Operands *operands, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    uint32_t present = 0;
    uint64_t stale = 0, leaving = 0; // these leave in the next cycle, ready again or not
    uint64_t (*leaving_of)(const Scheduler *, unsigned) =
        issue->order.decided ? NULL : issue->policy->leaving;
    for (uint32_t left = issue->turn; left; left &= left - 1) {
        const Scheduler *s = &issue->scheduler[__builtin_ctz(left)];
        for (unsigned k = 0; k < issue->set_words; k++) {
            present |= s->sets[k].present;
            stale |= s->sets[k].stale;
            if (leaving_of) leaving |= leaving_of(s, k);
        }
    }
    if (stale || leaving || (issue->choice.on && present & PRESENT_READY)) return now + 1;
    for (uint32_t ready = present & PRESENT_PORTS; ready; ready &= ready - 1) {
        unsigned p = (unsigned)__builtin_ctz(ready);
        if (port_has_room(operands, p, now)) return now + 1;
        // The load/store unit has a cycle of its own when it makes room, also among shared
        // collectors.
        uint64_t free = operands->port[p].latch_free;
        if (free > now && free < next) next = free;
    }
    if (issue->waves.items) {
        if (issue->waves.joined_count) return now + 1;
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
