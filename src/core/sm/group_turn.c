// Issue by groups: the pair, single warp or wave that a scheduler issues in a cycle
// (Yilmazer-Metin, "Graph-Waving architecture", 2020, sections 6.1 and 6.3.2).
//
// A scheduler takes a pair whose warps are ready at one instruction; else a warp alone; else its
// oldest wave or, with scalar.members = consecutive, the oldest of the SM. scalar.order can put
// waves before warps alone. A wave that has waited for scalar.patience goes before all.
#include "core/sm/issue_one.h"

static void add_member(IssueGroup *group, Warp *w, unsigned place)
{
    group->member[group->count++] = (GroupMember){.warp = w, .place = (uint8_t)place};
}

// Issues the warps of a pair, or one that is alone. `w`: the even one, or the one.
static IssueOutcome issue_warps(Sm *sm, const Scheduler *s, Warp *w, bool pair)
{
    Issue *issue = &sm->issue;
    SmContext *context = &sm->context;
    const CoreConfig *core = context->config.core;
    IssueGroup group = {.kind = pair ? GROUP_PAIR : GROUP_LONE};
    group.scalar = context->config.scalar->mode != SCALAR_OFF && w->timing[w->pc].scalar &&
                   !injector_is_active(w);
    Warp *other = pair ? s->warps[w->issue.local ^ 1] : NULL;
    bool own = !injector_has_micro_op(w);
    if (own) w->group.number = ++issue->group;
    if (pair) other->group.number = issue->group;
    if (pair || group.scalar) {
        add_member(&group, w, group.scalar ? w->group.wave_lane : 0);
        if (pair) add_member(&group, other, group.scalar ? other->group.wave_lane : core->width);
        return sm_issue_group(sm, &group);
    }
    LaneMask lanes = exec_guard(&w->ops[w->pc], &w->exec, w->exec.active);
    IssueOutcome outcome = issue_warp(sm, w);
    if (outcome == ISSUE_DONE && own) {
        context->count.groups.lone++;
        context->count.group_lanes[lanes_count(lanes)]++;
    }
    return outcome;
}

static IssueOutcome issue_wave(Sm *sm, Wave *wave)
{
    Issue *issue = &sm->issue;
    IssueGroup group;
    issue_end_turns(issue, &sm->context); // warps of other schedulers may change
    waves_issue(&issue->waves, wave, &group);
    issue->group++;
    for (unsigned i = 0; i < group.count; i++)
        if (!group.member[i].ahead) group.member[i].warp->group.number = issue->group;
    IssueOutcome outcome = sm_issue_group(sm, &group);
    if (outcome == ISSUE_BLOCKED) waves_end(issue, &sm->context, group.wave);
    for (unsigned i = 0; i < group.count && outcome == ISSUE_DONE; i++)
        if (!group.member[i].ahead) flush_issued(sm, group.member[i].warp);
    return outcome;
}

static Wave *oldest_wave(const Sm *sm, const Scheduler *s, WavesWanted which)
{
    const Issue *issue = &sm->issue;
    unsigned scheduler = (unsigned)(s - issue->scheduler);
    return waves_oldest(&issue->waves, &sm->context, scheduler, &sm->operands, which);
}

// The pairs of the set whose warps are at one instruction, as their even warps. Returns whether
// there is one.
static bool pairs_in(const Scheduler *s, unsigned words, const WarpSet *set, WarpSet *pairs)
{
    const uint64_t even = UINT64_C(0x5555555555555555);
    uint64_t any = 0;
    for (unsigned k = 0; k < words; k++) {
        uint64_t ready = set->word[k];
        any |= pairs->word[k] = ready & ready >> 1 & even & s->sets[k].pairs;
    }
    return any;
}

// What a scheduler issues in its turn.
typedef struct GroupChoice {
    Wave *wave; // or:
    Warp *warp; // NULL: nothing
    bool pair;
} GroupChoice;

static GroupChoice choose(Sm *sm, Scheduler *s, const WarpSet *set)
{
    Issue *issue = &sm->issue;
    const SmContext *context = &sm->context;
    bool waves_first = context->config.scalar->order == ORDER_PAIR_WAVE_LONE;
    WarpSet pairs, lone = *set;
    if (context->config.core->paired && pairs_in(s, issue->set_words, set, &pairs)) {
        Warp *w = pick(issue, context, s, &pairs);
        if (w) return (GroupChoice){.warp = w, .pair = true};
    }
    if (waves_first) {
        Wave *wave = oldest_wave(sm, s, WAVES_ALL);
        if (wave) return (GroupChoice){.wave = wave};
    }
    Warp *w = pick(issue, context, s, &lone);
    if (w || waves_first) return (GroupChoice){.warp = w};
    return (GroupChoice){.wave = oldest_wave(sm, s, WAVES_ALL)};
}

bool sm_issue_from_groups(Sm *sm, Scheduler *s)
{
    SmContext *context = &sm->context;
    if (sm->stopped) { // the warps of such a wave have issued the instruction
        Wave *wave = oldest_wave(sm, s, WAVES_AHEAD);
        return wave && issue_wave(sm, wave) == ISSUE_DONE;
    }
    Wave *late = oldest_wave(sm, s, WAVES_LATE);
    if (late && issue_wave(sm, late) == ISSUE_DONE) {
        context->count.groups.waves_by_patience++;
        return true;
    }
    WarpSet set;
    for (unsigned k = 0; k < sm->issue.set_words; k++)
        set.word[k] = candidates(&s->sets[k], &sm->operands, context->now);
    while (!context->failed) {
        GroupChoice choice = choose(sm, s, &set);
        if (!choice.wave && !choice.warp) return false;
        Warp *w = choice.warp, *other = choice.pair ? s->warps[w->issue.local ^ 1] : NULL;
        IssueOutcome outcome = choice.wave ? issue_wave(sm, choice.wave)
                                           : issue_warps(sm, s, w, choice.pair);
        if (outcome == ISSUE_BLOCKED) {
            if (w) warpset_remove(&set, w->issue.local);
            if (other) warpset_remove(&set, other->issue.local);
            continue;
        }
        if (w) s->last = w->issue.local;
        if (w) flush_issued(sm, w);
        if (other) flush_issued(sm, other);
        return true;
    }
    return false;
}
