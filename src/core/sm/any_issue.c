// A cycle of issue on any machine (ISSUE_ANY), and what a scheduler does about stale instructions.
#include "core/sm/issue_one.h"

// ---- instructions behind taken branches ----

void sm_flush_stale(Sm *sm, Warp *w)
{
    w->issue.sets->stale &= ~w->issue.bit;
    // By now the warp may have come back to the buffered instructions, or have exited.
    if (w->flags.live && w->fetch.buffered && !warp_has_instruction(w))
        frontend_flush(&sm->frontend, &sm->context, w);
}

// Whether the scheduler tries warp `a` before warp `b`. `last`: the warp that it issued last. A
// warp that has issued comes before itself if it did so as the last one again.
static bool tried_before(const Issue *issue, const Scheduler *s, unsigned last, unsigned a,
                         unsigned b)
{
    if (a == b) return a == last && s->greedy;
    WarpSet both = {0};
    warpset_add(&both, a);
    warpset_add(&both, b);
    return pick_in_order(issue, s, last, &both) == a;
}

// The turn of a scheduler that issues warps alone. Returns whether it has issued.
static bool issue_alone(Sm *sm, Scheduler *s)
{
    SmContext *context = &sm->context;
    WarpSet set;
    for (unsigned k = 0; k < sm->issue.set_words; k++)
        set.word[k] = candidates(&s->sets[k], &sm->operands, context->now);
    Warp *w;
    while (!context->failed && (w = pick(&sm->issue, context, s, &set))) {
        unsigned ready = w->issue.set;
        if (issue_warp(sm, w) == ISSUE_BLOCKED) {
            warpset_remove(&set, w->issue.local);
            continue;
        }
        s->last = w->issue.local;
        if (context->config.core->issue < 2 || context->failed) return true;
        // A second instruction of the same warp in the same cycle, to another port.
        if (w->issue.state == WARP_READY && w->issue.set != ready &&
            port_has_room(&sm->operands, w->issue.set - SET_READY, context->now))
            issue_warp(sm, w);
        else
            flush_issued(sm, w);
        return true;
    }
    return false;
}

static bool issue_any(Sm *sm, Scheduler *s)
{
    return sm->issue.grouped ? sm_issue_from_groups(sm, s) : issue_alone(sm, s);
}

IssueOutcome sm_issue_and_flush(Sm *sm, Scheduler *s)
{
    const Issue *issue = &sm->issue;
    const SmContext *context = &sm->context;
    if (issue->way != ISSUE_ANY && !any_ready(s, 1)) {
        for (uint64_t bits = s->sets[0].stale; bits; bits &= bits - 1)
            sm_flush_stale(sm, s->warps[__builtin_ctzll(bits)]);
        return ISSUE_BLOCKED;
    }
    WarpSet stale; // before the issue, which may add a warp
    for (unsigned k = 0; k < issue->set_words; k++) stale.word[k] = s->sets[k].stale;
    unsigned last = s->last;
    bool issued = issue_any(sm, s);
    bool some = issued && context->config.frontend->flush == FLUSH_SCHEDULER;
    for (unsigned k = 0; k < issue->set_words; k++) {
        for (uint64_t bits = stale.word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            if (some && !tried_before(issue, s, last, local, s->last)) continue;
            sm_flush_stale(sm, s->warps[local]);
        }
    }
    return context->failed ? ISSUE_FAILED : issued ? ISSUE_DONE : ISSUE_BLOCKED;
}

// ---- a cycle ----

// Whether the scheduler may issue a wave of which it has no warp, or none that waits in it.
static bool may_issue_wave(const Issue *issue, const Scheduler *s)
{
    return waves_turns(&issue->waves, issue->schedulers) & s->bit;
}

// Classifies the warps that have issued, if that had to wait for the turns of all schedulers.
static void classify_issued(Sm *sm)
{
    Waves *waves = &sm->issue.waves;
    for (unsigned i = 0; i < waves->issued_count; i++) {
        warp_classify_unusual(&sm->issue, &sm->context, waves->issued[i]);
        flush_issued(sm, waves->issued[i]);
    }
    waves->issued_count = 0;
}

// The turn of a scheduler that may have something to do. Returns whether it has issued.
static bool take_turn(Sm *sm, Scheduler *s)
{
    unsigned words = sm->issue.set_words;
    count_slots(&sm->context, s, words, sm->context.now);
    if (any_stale(s, words)) return sm_issue_and_flush(sm, s) == ISSUE_DONE;
    return (any_ready(s, words) || may_issue_wave(&sm->issue, s)) && issue_any(sm, s);
}

void sm_issue_any_cycle(Sm *sm)
{
    Issue *issue = &sm->issue;
    SmContext *context = &sm->context;
    if (issue->grouped) issue_count_issuable(issue, context, context->now + 1);
    unsigned joined = issue->waves.joined_count;
    issue->turn |= waves_turns(&issue->waves, issue->schedulers);
    Turns turns = turns_begin(issue, context);
    Scheduler *s;
    while ((s = turns_next(issue, &turns))) {
        bool issues = take_turn(sm, s);
        turns_end(issue, context, s, &turns, issues, issue->set_words);
    }
    turns_finish(issue, context, &turns);
    if (joined && !sm->stopped) sm_run_ahead(sm, joined);
    classify_issued(sm);
    issue->turn |= waves_turns(&issue->waves, issue->schedulers);
}
