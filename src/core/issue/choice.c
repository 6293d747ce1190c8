// The question which warp a scheduler tries: its warps, what they wait for, and the answer.
#include "core/issue/choice.h"

#include "core/issue/scheduler.h"

bool choice_attach(Issue *issue, const SmConfig *config, CacheHooks *hooks, HdTables *tables)
{
    WarpChoice *choice = &issue->choice;
    choice->on = true;
    choice->hooks = hooks;
    choice->row = core_scheduler_warps(config->core);
    size_t warps = (size_t)issue->schedulers * choice->row;
    choice->warps = hd_tables_new(tables, warps, sizeof *choice->warps);
    choice->count = hd_tables_new(tables, issue->schedulers, sizeof *choice->count);
    choice->idle = hd_tables_new(tables, issue->schedulers, sizeof *choice->idle);
    return choice->warps && choice->count && choice->idle;
}

void choice_begin(Issue *issue, const SmContext *context)
{
    if (issue->choice.on) issue->choice.listed = context->warp_changes - 1;
}

// Lists the warps of each scheduler by age.
static void list(WarpChoice *choice, const Issue *issue)
{
    for (unsigned i = 0; i < issue->schedulers; i++) {
        HdWarp *warps = &choice->warps[(size_t)i * choice->row];
        unsigned count = 0;
        for (unsigned local = 0; local < choice->row; local++) {
            const Warp *w = issue->scheduler[i].warps[local];
            if (!w || !w->flags.live) continue;
            unsigned at = count++;
            for (; at && warps[at - 1].age > w->age; at--) warps[at] = warps[at - 1];
            warps[at] = warp_for_mechanism(w);
        }
        choice->count[i] = count;
    }
}

static uint8_t wait_of(const Warp *w)
{
    static const uint8_t waits[WARP_SETS] = {
        [SET_READY ... SET_READY + PORTS - 1] = HD_READY,
        [SET_WAVE] = HD_WAITS_WAVE,     [SET_WAVE_FULL] = HD_WAITS_WAVE,
        [SET_THROTTLED] = HD_THROTTLED, [SET_MEMORY] = HD_WAITS_MEMORY,
        [SET_FETCH] = HD_WAITS_FETCH,   [SET_DEPENDENCY] = HD_WAITS_RESULT,
        [SET_BARRIER] = HD_WAITS_BARRIER, [SET_NONE] = HD_NO_WARP};
    return w->issue.set == SET_FETCH && w->store.age ? HD_WAITS_ENTRY : waits[w->issue.set];
}

bool choice_ask(Issue *issue, const SmContext *context, const Scheduler *s, const WarpSet *set,
                Warp **warp)
{
    WarpChoice *choice = &issue->choice;
    unsigned number = (unsigned)(s - issue->scheduler);
    if (choice->listed != context->warp_changes) list(choice, issue);
    choice->listed = context->warp_changes;
    HdWarpSet candidates = {{0}};
    unsigned candidate_count = 0;
    for (unsigned local = 0; local < choice->row; local++) {
        const Warp *w = s->warps[local];
        if (!w) continue;
        choice->waits[w->id] = wait_of(w);
        if (!warpset_has(set, local)) continue;
        hd_warps_add(&candidates, w->id);
        candidate_count++;
    }
    HdTurn turn = {.cycle = context->now, .warps = &choice->warps[(size_t)number * choice->row],
                   .count = choice->count[number], .scheduler = number,
                   .last = s->warps[s->last]->id, .candidates = &candidates,
                   .waits = choice->waits};
    const HookedMechanism *author = NULL;
    HdChoice answer = core_hooks_decide_warp(choice->hooks, &turn, &author);
    if (candidate_count && answer != HD_ISSUE_NONE) choice->idle[number] = 0;
    if (answer == HD_PASS) return false;
    *warp = NULL;
    if (!candidate_count) return true;
    if (answer == HD_ISSUE_NONE) {
        if (++choice->idle[number] == HD_MOST_IDLE_TURNS)
            cache_hooks_blame(choice->hooks, author, WRONG_IDLE);
        return true;
    }
    for (unsigned local = 0; !*warp; local++)
        if (warpset_has(set, local) && s->warps[local]->id == answer - 1) *warp = s->warps[local];
    return true;
}
