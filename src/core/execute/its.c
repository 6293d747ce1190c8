// Independent threads: how splits diverge, merge, and take turns (its.h).
#include "core/execute/its.h"

#include "core/trace_warp.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static WarpSplit *current(const Warp *w) { return &w->its->splits[w->its->current]; }

// ---- the order of the splits ----

static WarpSplit *split_insert(Its *its, uint32_t at, const WarpSplit *split)
{
    memmove(&its->splits[at + 1], &its->splits[at], (its->count - at) * sizeof *split);
    its->splits[at] = *split;
    its->count++;
    if (its->current != NO_SPLIT && its->current >= at) its->current++;
    return &its->splits[at];
}

static void split_remove(Its *its, uint32_t at)
{
    its->count--;
    memmove(&its->splits[at], &its->splits[at + 1], (its->count - at) * sizeof *its->splits);
    if (its->current == at) its->current = NO_SPLIT;
    else if (its->current != NO_SPLIT && its->current > at) its->current--;
}

// The pc of the split's convergence barrier; RECONVERGE_EXIT: none in its function.
static uint32_t reconvergence(const Its *its, const WarpSplit *split)
{
    const ConvergenceBarrier *barrier = &its->convergences[split->convergence];
    return split->convergence && !barrier->call ? barrier->pc : RECONVERGE_EXIT;
}

// Makes a split the current one.
static void split_load(Warp *w, uint32_t index)
{
    Its *its = w->its;
    const WarpSplit *split = &its->splits[index];
    its->current = index;
    if (w->pending_count && w->frame != split->frame) w->drains = true;
    simt_enter(w, split->frame);
    w->pc = split->pc;
    w->reconverge = reconvergence(its, split);
    w->exec.active = split->lanes;
}

ExecWarp its_split_values(const Warp *w, const WarpSplit *split)
{
    Warp seen = *w;
    simt_enter(&seen, split->frame);
    return seen.exec;
}

const UOp *its_waiting_op(const Warp *w, const WarpSplit *split)
{
    return &w->frames[split->frame].function->ops[split->at];
}

uint32_t its_split_count(const Warp *w)
{
    uint32_t count = w->its->count;
    for (size_t j = 1; j < w->its->convergence_count; j++)
        count += w->its->convergences[j].here != 0;
    return count;
}

// ---- convergence barriers ----

// Makes a convergence barrier for lanes that diverge. 0: out of memory.
static uint32_t convergence_new(SmContext *sm, Its *its, const ConvergenceBarrier *barrier)
{
    uint32_t at = 1;
    while (at < its->convergence_count && its->convergences[at].members) at++;
    if (at == its->convergence_count) {
        if (!hd_reserve(&its->convergences, its->convergence_count, &its->convergence_capacity,
                        sizeof *its->convergences)) {
            sm_out_of_memory(sm, "keeping where lanes meet");
            return 0;
        }
        its->convergence_count++;
    }
    its->convergences[at] = *barrier;
    return at;
}

static bool arrive(SmContext *sm, Its *its, uint32_t index);

// All lanes of a convergence barrier have arrived: they become a split, at index `at`.
static void convergence_complete(SmContext *sm, Its *its, uint32_t number, uint32_t at)
{
    ConvergenceBarrier *barrier = &its->convergences[number];
    WarpSplit split = {.lanes = barrier->here, .pc = barrier->pc, .frame = barrier->frame,
                       .convergence = barrier->outer, .spins = barrier->spins};
    sm->count.sm.reconvergences += !barrier->call;
    barrier->members = barrier->here = 0;
    split_insert(its, at, &split);
    if (split.pc == reconvergence(its, &split)) arrive(sm, its, at);
}

// A split has arrived at its convergence barrier. true: all lanes have, and replace it as one
// split.
static bool arrive(SmContext *sm, Its *its, uint32_t index)
{
    WarpSplit *split = &its->splits[index];
    for (;;) {
        ConvergenceBarrier *barrier = &its->convergences[split->convergence];
        barrier->here |= split->lanes;
        if (barrier->here != barrier->members) {
            split_remove(its, index);
            return false;
        }
        sm->count.sm.reconvergences += !barrier->call;
        *split = (WarpSplit){.lanes = barrier->members, .pc = barrier->pc, .frame = barrier->frame,
                       .convergence = barrier->outer, .spins = barrier->spins};
        barrier->members = barrier->here = 0;
        if (split->pc != reconvergence(its, split)) return true;
    }
}

// Removes lanes from the convergence barriers from `from` up to, but not including, `until` (0:
// from all). Lanes that waited only for these become splits, at index `at`.
static void convergences_leave(SmContext *sm, Its *its, uint32_t from, uint32_t until,
                               LaneMask lanes, uint32_t at)
{
    for (uint32_t j = from; j != until; j = its->convergences[j].outer) {
        its->convergences[j].members &= ~lanes;
        its->convergences[j].here &= ~lanes;
    }
    for (uint32_t j = from, outer; j != until; j = outer) {
        const ConvergenceBarrier *barrier = &its->convergences[j];
        outer = barrier->outer;
        if (barrier->members && barrier->here == barrier->members)
            convergence_complete(sm, its, j, at);
    }
}

// Breaks a convergence barrier: its waiting lanes continue without the others.
static void convergence_open(SmContext *sm, Its *its, ConvergenceBarrier *barrier, LaneMask lanes)
{
    WarpSplit split = {.lanes = lanes, .pc = barrier->pc, .frame = barrier->frame,
                       .convergence = barrier->outer};
    sm->count.sm.convergence_barriers_broken++;
    barrier->members &= ~lanes;
    barrier->here &= ~lanes;
    uint32_t at = its->count;
    split_insert(its, at, &split);
    if (split.pc == reconvergence(its, &split)) arrive(sm, its, at);
}

// ---- which split runs ----

// Returns the last ready split other than `but`; NO_SPLIT: none.
static uint32_t last_ready(const Its *its, uint32_t but, bool yielded)
{
    for (uint32_t i = its->count; i-- > 0;)
        if (its->splits[i].state == SPLIT_READY && i != but && (yielded || !its->splits[i].yielded))
            return i;
    return NO_SPLIT;
}

// The lanes that must arrive before a waiting split can continue.
static LaneMask needed_lanes(const Warp *w, const WarpSplit *split)
{
    if (split->state == SPLIT_SYNC) return its_missing_lanes(w, split);
    if (split->state != SPLIT_BARRIER) return 0;
    const Barrier *barrier = &w->block->barriers[split->barrier];
    if (barrier->expected && barrier->expected < w->block->units) return 0;
    return w->its->started & ~(w->exited | split->lanes);
}

// No split can run: breaks the convergence barriers at which lanes wait that a blocked split needs.
// Returns whether there were any.
static bool open_stuck(SmContext *sm, Warp *w)
{
    Its *its = w->its;
    LaneMask needed = 0, asleep = 0;
    bool any = false;
    for (uint32_t i = 0; i < its->count; i++) {
        needed |= needed_lanes(w, &its->splits[i]);
        if (its->splits[i].state == SPLIT_SLEEP) asleep |= its->splits[i].lanes;
    }
    for (size_t j = 1; j < its->convergence_count; j++) {
        ConvergenceBarrier *barrier = &its->convergences[j];
        if (!(barrier->here & needed) || (barrier->members & asleep)) continue;
        convergence_open(sm, its, barrier, barrier->here);
        any = true;
    }
    return any;
}

void its_merge(SmContext *sm, Warp *w, uint32_t index)
{
    Its *its = w->its;
    LaneMask lanes = its->splits[index].lanes;
    uint32_t from = its->splits[index].convergence;
    split_remove(its, index);
    // The lanes join the convergence barriers of the current split, to which all branches from here
    // lead. Both splits have the same barriers unless one was released from a barrier.
    ConvergenceBarrier *barriers = its->convergences;
    for (uint32_t j = from; j; j = barriers[j].outer) barriers[j].members &= ~lanes;
    for (uint32_t j = current(w)->convergence; j; j = barriers[j].outer)
        barriers[j].members |= lanes;
    current(w)->lanes |= lanes;
    w->exec.active |= lanes;
    convergences_leave(sm, its, from, 0, 0, index);
}

static void merge_with_current(SmContext *sm, Warp *w)
{
    Its *its = w->its;
    for (uint32_t i = its->count; its->count > 1 && i-- > 0;) {
        const WarpSplit *split = &its->splits[i], *to = current(w);
        bool same = i != its->current && split->state == SPLIT_READY && split->pc == to->pc &&
                    split->frame == to->frame && !split->done && !to->done;
        if (!same) continue;
        its_merge(sm, w, i);
        i = its->count; // lanes of completed barriers may have become splits
    }
}

// Switches to the next ready split. If none is ready, the warp is blocked, with the last split as
// the current one, or has exited.
static void switch_split(SmContext *sm, Warp *w)
{
    Its *its = w->its;
    while (its->count) {
        uint32_t next = last_ready(its, NO_SPLIT, true);
        if (next == NO_SPLIT) {
            if (open_stuck(sm, w)) continue;
            split_load(w, its->count - 1);
            const WarpSplit *last = current(w);
            w->at_barrier = true;
            w->barrier = last->state == SPLIT_BARRIER ? last->barrier : BLOCK_BARRIERS;
            w->barrier_pc = last->at;
            sm->warps_changed = true;
            return;
        }
        const WarpSplit *split = &its->splits[next];
        if (split->pc == reconvergence(its, split) && !arrive(sm, its, next)) continue;
        split_load(w, next);
        merge_with_current(sm, w);
        return;
    }
    w->live = false;
    w->exec.active = 0;
}

// Selects the split that runs after the current one has changed or disappeared.
void its_continue(SmContext *sm, Warp *w)
{
    Its *its = w->its;
    if (its->current == NO_SPLIT || current(w)->state != SPLIT_READY) {
        switch_split(sm, w);
        return;
    }
    const WarpSplit *split = current(w);
    bool waits = split->pc == reconvergence(its, split) && !arrive(sm, its, its->current);
    if (waits) switch_split(sm, w);
    else split_load(w, its->current);
}

// Moves the current split behind the others. yielded: also behind splits that have yielded.
static void move_to_back(SmContext *sm, Warp *w, bool yielded)
{
    Its *its = w->its;
    WarpSplit moved = *current(w);
    split_remove(its, its->current);
    split_insert(its, 0, &moved);
    uint32_t next = last_ready(its, NO_SPLIT, yielded);
    if (its->splits[next].pc == reconvergence(its, &its->splits[next])) {
        switch_split(sm, w);
        return;
    }
    split_load(w, next);
    merge_with_current(sm, w);
}

void its_pause(SmContext *sm, Warp *w)
{
    Its *its = w->its;
    if (last_ready(its, its->current, true) == NO_SPLIT) return;
    current(w)->pc = w->pc;
    move_to_back(sm, w, true);
}

// The current split has spun long enough, and yields. If all ready splits have yielded, all
// convergence barriers with waiting lanes are broken; each lane is released from one barrier only.
static void yield_to_others(SmContext *sm, Warp *w)
{
    Its *its = w->its;
    WarpSplit *split = current(w);
    split->pc = w->pc;
    split->yielded = true;
    split->spins = (SpinCount){0};
    its->yields++;
    bool all = last_ready(its, its->current, false) == NO_SPLIT;
    if (all) {
        for (uint32_t i = 0; i < its->count; i++) its->splits[i].yielded = false;
        LaneMask wait = 0;
        for (size_t j = 1; j < its->convergence_count; j++) wait |= its->convergences[j].here;
        for (size_t j = 1; j < its->convergence_count && wait; j++) {
            LaneMask lanes = its->convergences[j].here & wait;
            if (lanes) convergence_open(sm, its, &its->convergences[j], lanes);
            wait &= ~lanes;
        }
        if (last_ready(its, its->current, true) == NO_SPLIT) return;
    }
    sm->count.sm.yields++;
    move_to_back(sm, w, all);
}

// The current split has branched backward from `from` with all its lanes.
static void count_backward_branch(SmContext *sm, Warp *w, uint32_t from)
{
    SpinCount *spins = &current(w)->spins;
    LaneMask lanes = w->exec.active;
    uint32_t pc = w->pc_base + from;
    if (spins->lanes != lanes) *spins = (SpinCount){.lanes = lanes};
    spins->all++;
    if (w->timing[from].polls) {
        if (spins->pc != pc) spins->polls = 0;
        spins->pc = pc;
        spins->polls++;
    }
    const CoreConfig *core = sm->config.core;
    if (spins->polls >= core->its_yield || spins->all >= core->its_patience) yield_to_others(sm, w);
}

// ---- branches ----

bool its_split(SmContext *sm, Warp *w, const LaneGroup *groups, unsigned count, uint32_t reconverge)
{
    Its *its = w->its;
    uint32_t at = its->current;
    WarpSplit split = *current(w);
    bool meets = reconverge != RECONVERGE_EXIT;
    // A loop's back edge leads to the convergence barrier that the first iteration made.
    if (meets && reconvergence(its, &split) != reconverge) {
        ConvergenceBarrier barrier = {.members = split.lanes, .pc = reconverge,
                                      .frame = split.frame, .outer = split.convergence,
                                      .spins = split.spins};
        split.convergence = convergence_new(sm, its, &barrier);
        if (!split.convergence) return false;
    }
    split_remove(its, at);
    for (unsigned i = 0; i < count; i++) {
        split.lanes = groups[i].lanes;
        split.pc = groups[i].pc;
        if (meets && split.pc == reconverge)
            its->convergences[split.convergence].here |= split.lanes;
        else split_insert(its, at++, &split);
    }
    split_load(w, at - 1);
    return true;
}

bool its_branch(SmContext *sm, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge)
{
    LaneMask other = w->exec.active & ~taken;
    uint32_t from = w->pc;
    if (!taken || !other || target == from + 1) {
        w->pc = taken ? target : from + 1;
        if (w->pc == w->reconverge) its_reconverge(sm, w);
        else if (taken && target <= from) count_backward_branch(sm, w, from);
        return true;
    }
    sm->count.sm.divergent_branches++;
    const LaneGroup back = {target, taken}, on = {from + 1, other};
    // The split of the highest lane goes below, the other runs first.
    const LaneGroup groups[2] = {taken > other ? back : on, taken > other ? on : back};
    return its_split(sm, w, groups, 2, reconverge);
}

void its_reconverge(SmContext *sm, Warp *w)
{
    current(w)->pc = w->pc;
    its_continue(sm, w);
}

// ---- functions ----

void its_start(SmContext *sm, Warp *w, uint32_t kernel, LaneMask lanes)
{
    Its *its = w->its;
    its->convergence_count = its->frame_count = its->count = 1;
    its->started = lanes;
    w->frames = its->frames;
    simt_frame(sm, &w->frames[0], NULL, kernel);
    w->frames[0].lanes = lanes;
    its->splits[0] = (WarpSplit){.lanes = lanes};
    split_load(w, 0);
    w->drains = false;
}

bool its_call(SmContext *sm, Warp *w, uint32_t site, uint32_t callee, LaneMask lanes)
{
    const PtxCall *call = &sm->launch->module->calls[site];
    Its *its = w->its;
    uint32_t caller = w->frame;
    if (w->frames[caller].depth + 1 >= w->frame_capacity) return simt_too_deep(sm, w, lanes);
    const WarpSplit *split = current(w);
    ConvergenceBarrier barrier = {.members = split->lanes, .here = split->lanes & ~lanes,
                                  .pc = w->pc + 1, .frame = caller, .outer = split->convergence,
                                  .call = true, .spins = split->spins};
    uint32_t number = convergence_new(sm, its, &barrier), frame;
    if (!number || !(frame = its_frame_new(sm, w, caller, callee, lanes))) return false;
    w->frames[frame].call = site;
    *current(w) = (WarpSplit){.lanes = lanes, .frame = frame, .convergence = number};
    split_load(w, its->current);
    const uint8_t *from = w->frame_params + w->frames[caller].param_base;
    uint32_t stride = w->exec.frame_param_stride;
    exec_call_arguments(call, lanes, from, stride, w->exec.frame_params, stride);
    if (call->variable.bytes) exec_call_variable(call, lanes, from, stride, &w->exec);
    return true;
}

// Lanes of the current split leave it and the convergence barriers before `until`. Returns the
// index after the split that they leave.
static uint32_t leave(SmContext *sm, Warp *w, uint32_t until, LaneMask lanes)
{
    Its *its = w->its;
    uint32_t at = its->current, convergence = current(w)->convergence;
    WarpSplit *split = current(w);
    split->lanes &= ~lanes;
    split->pc = w->pc + 1;
    if (split->lanes) at++;
    else split_remove(its, at);
    convergences_leave(sm, its, convergence, until, lanes, at);
    return at;
}

void its_return(SmContext *sm, Warp *w, LaneMask lanes)
{
    Its *its = w->its;
    Frame *frame = &w->frames[w->frame];
    const PtxCall *call = &sm->launch->module->calls[frame->call];
    exec_call_results(call, lanes, w->exec.frame_params, w->exec.frame_param_stride,
                      w->frame_params + w->frames[frame->caller].param_base,
                      w->exec.frame_param_stride);
    frame->lanes &= ~lanes;
    uint32_t to = current(w)->convergence;
    while (!its->convergences[to].call) to = its->convergences[to].outer;
    uint32_t at = leave(sm, w, to, lanes);
    ConvergenceBarrier *barrier = &its->convergences[to];
    barrier->here |= lanes;
    if (barrier->here == barrier->members) convergence_complete(sm, its, to, at);
    its_continue(sm, w);
}

void its_exit(SmContext *sm, Warp *w, LaneMask lanes)
{
    for (uint32_t f = w->frame; f; f = w->frames[f].caller) w->frames[f].lanes &= ~lanes;
    leave(sm, w, 0, lanes);
    w->block->ended += lanes_count(lanes);
    its_check_masks(w);
}

// ---- waiting ----

bool its_separate(SmContext *sm, Warp *w, LaneMask lanes, LaneMask same)
{
    LaneGroup groups[3];
    unsigned count = 0;
    LaneMask out = w->exec.active & ~lanes, others = lanes & ~same;
    if (out) groups[count++] = (LaneGroup){w->pc + 1, out};
    if (others) groups[count++] = (LaneGroup){w->pc, others};
    groups[count++] = (LaneGroup){w->pc, same};
    return count == 1 || its_split(sm, w, groups, count, w->pc + 1);
}

void its_wait(Warp *w, SplitState state)
{
    WarpSplit *split = current(w);
    split->state = (uint8_t)state;
    split->at = w->pc;
    split->pc = state == SPLIT_SYNC ? w->pc : w->pc + 1;
}

bool its_is_waiting(const Warp *w) { return current(w)->state != SPLIT_READY; }

// A split has become ready. Returns whether the warp was blocked and now continues.
static bool try_resume(SmContext *sm, Warp *w)
{
    if (!w->at_barrier || last_ready(w->its, NO_SPLIT, true) == NO_SPLIT) return false;
    warp_count_wait(sm, w, w->pc_base + w->barrier_pc);
    w->at_barrier = false;
    sm->warps_changed = true;
    switch_split(sm, w);
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_woken(trace, sm, w);
    return true;
}

bool its_end_sleep(SmContext *sm, Warp *w, LaneMask lanes)
{
    Its *its = w->its;
    for (uint32_t i = 0; i < its->count; i++)
        if (its->splits[i].state == SPLIT_SLEEP && (its->splits[i].lanes & lanes))
            its->splits[i].state = SPLIT_READY;
    return try_resume(sm, w);
}

bool its_pass_barrier(SmContext *sm, Warp *w, uint32_t number)
{
    Its *its = w->its;
    bool last = its->current != NO_SPLIT && !w->at_barrier && current(w)->state == SPLIT_BARRIER;
    for (uint32_t i = 0; i < its->count; i++)
        if (its->splits[i].state == SPLIT_BARRIER && its->splits[i].barrier == number)
            its->splits[i].state = SPLIT_READY;
    // Compilers gather a warp before a barrier: its lanes leave the barrier together.
    if (last && current(w)->state == SPLIT_READY) merge_with_current(sm, w);
    return try_resume(sm, w);
}
