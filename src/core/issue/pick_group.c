// Issue by groups: the pair, single warp or wave that a scheduler issues in a cycle
// (Yilmazer-Metin, "Graph-Waving architecture", 2020, sections 6.1 and 6.3.2).
//
// A scheduler takes a pair whose warps are ready at one instruction; else a warp alone; else the
// oldest wave. scalar.order can put waves before warps alone. A wave that has waited for
// scalar.patience goes before all.
#include "core/issue/pick.h"

static void add_member(IssueGroup *group, Warp *w, unsigned place)
{
    group->member[group->count++] = (GroupMember){.warp = w, .place = (uint8_t)place};
}

// Issues the warps of a pair, or one that is alone. `w`: the even one, or the one.
static IssueOutcome issue_warps(Issue *issue, SmContext *context, const Scheduler *s, Warp *w,
                                bool pair)
{
    const CoreConfig *core = context->config.core;
    IssueGroup group = {.kind = pair ? GROUP_PAIR : GROUP_LONE};
    group.scalar = context->config.scalar->mode != SCALAR_OFF && w->timing[w->pc].scalar &&
                   !injector_is_active(w);
    Warp *other = pair ? s->warps[w->local ^ 1] : NULL;
    bool own = !injector_has_micro_op(w);
    if (own) w->group = ++issue->group;
    if (pair) other->group = issue->group;
    if (pair || group.scalar) {
        add_member(&group, w, group.scalar ? w->wave_lane : 0);
        if (pair) add_member(&group, other, group.scalar ? other->wave_lane : core->width);
        return sm_issue_group(issue->sm, &group);
    }
    LaneMask lanes = exec_guard(&w->ops[w->pc], &w->exec, w->exec.active);
    IssueOutcome outcome = issue_warp(issue, context, w);
    if (outcome == ISSUE_DONE && own) {
        context->count.groups.lone++;
        context->count.group_lanes[lanes_count(lanes)]++;
    }
    return outcome;
}

static IssueOutcome issue_wave(Issue *issue, SmContext *context, Wave *wave)
{
    IssueGroup group = {0};
    waves_group(&issue->waves, wave, &group);
    wave->state = WAVE_ISSUED;
    issue->group++;
    for (unsigned i = 0; i < group.count; i++) {
        group.member[i].warp->group = issue->group;
        group.member[i].warp->wave = 0;
    }
    IssueOutcome outcome = sm_issue_group(issue->sm, &group);
    if (outcome == ISSUE_BLOCKED) waves_end(issue, context, group.wave);
    for (unsigned i = 0; i < group.count && outcome == ISSUE_DONE; i++)
        flush_issued(issue, context, group.member[i].warp);
    return outcome;
}

static Wave *oldest_wave(const Issue *issue, const SmContext *context, const Scheduler *s,
                         const Operands *operands, bool late)
{
    uint64_t any = 0;
    for (unsigned k = 0; k < issue->set_words; k++) any |= s->sets[k].of[SET_WAVE];
    unsigned scheduler = (unsigned)(s - issue->scheduler);
    return any ? waves_oldest(&issue->waves, context, scheduler, operands, late) : NULL;
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

// A turn's choices.
typedef struct Choice {
    Wave *wave; // or:
    Warp *warp; // NULL: nothing
    bool pair;
} Choice;

static Choice choose(const Issue *issue, const SmContext *context, Scheduler *s,
                     const Operands *operands, const WarpSet *set)
{
    unsigned words = issue->set_words;
    bool waves_first = context->config.scalar->order == ORDER_PAIR_WAVE_LONE;
    WarpSet pairs, lone = *set;
    if (context->config.core->paired && pairs_in(s, words, set, &pairs)) {
        Warp *w = pick(context, s, words, &pairs);
        if (w) return (Choice){.warp = w, .pair = true};
    }
    if (waves_first) {
        Wave *wave = oldest_wave(issue, context, s, operands, false);
        if (wave) return (Choice){.wave = wave};
    }
    Warp *w = pick(context, s, words, &lone);
    if (w || waves_first) return (Choice){.warp = w};
    return (Choice){.wave = oldest_wave(issue, context, s, operands, false)};
}

bool issue_grouped(Issue *issue, SmContext *context, Scheduler *s, const Operands *operands)
{
    unsigned words = issue->set_words;
    Wave *late = oldest_wave(issue, context, s, operands, true);
    if (late && issue_wave(issue, context, late) == ISSUE_DONE) {
        context->count.groups.waves_by_patience++;
        return true;
    }
    WarpSet set;
    for (unsigned k = 0; k < words; k++)
        set.word[k] = candidates(&s->sets[k], operands, context->now);
    while (!context->failed) {
        Choice choice = choose(issue, context, s, operands, &set);
        if (!choice.wave && !choice.warp) return false;
        Warp *w = choice.warp, *other = choice.pair ? s->warps[w->local ^ 1] : NULL;
        IssueOutcome outcome = choice.wave ? issue_wave(issue, context, choice.wave)
                                           : issue_warps(issue, context, s, w, choice.pair);
        if (outcome == ISSUE_BLOCKED) {
            if (w) warpset_remove(&set, w->local);
            if (other) warpset_remove(&set, other->local);
            continue;
        }
        if (w) s->last = w->local;
        if (w) flush_issued(issue, context, w);
        if (other) flush_issued(issue, context, other);
        return true;
    }
    return false;
}

// ---- issuable warps ----

static IssuableBin bin_of(unsigned count)
{
    return count < 2    ? (IssuableBin)count
           : count <= 4 ? BIN_2_4
           : count <= 8 ? BIN_5_8
           : count <= 16 ? BIN_9_16
                         : BIN_MORE;
}

void issue_count_issuable(Issue *issue, SmContext *context, uint64_t until)
{
    if (until <= issue->issuable_counted) return;
    uint64_t cycles = until - issue->issuable_counted;
    issue->issuable_counted = until;
    unsigned warps = 0, scalars = 0;
    for (unsigned i = 0; i < issue->schedulers; i++)
        for (unsigned k = 0; k < issue->set_words; k++) {
            const WarpSets *sets = &issue->scheduler[i].sets[k];
            uint64_t ready = ready_at_any(sets) | sets->of[SET_WAVE] | sets->of[SET_WAVE_FULL];
            warps += (unsigned)__builtin_popcountll(ready);
            scalars += (unsigned)__builtin_popcountll(ready & sets->scalar);
        }
    context->count.groups.issuable_warps[bin_of(warps)] += cycles;
    context->count.groups.issuable_scalars[bin_of(scalars)] += cycles;
}
