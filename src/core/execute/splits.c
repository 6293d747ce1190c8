// Independent threads: how splits diverge, merge, and take turns (splits.h).
#include "core/execute/splits.h"

#include "core/trace_warp.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static WarpSplit *current(const Warp *w) { return &w->splits->split[w->splits->current]; }

// ---- the order of the splits ----

static WarpSplit *split_insert(WarpSplits *splits, uint32_t at, const WarpSplit *split)
{
    memmove(&splits->split[at + 1], &splits->split[at], (splits->count - at) * sizeof *split);
    splits->split[at] = *split;
    splits->count++;
    if (splits->current != NO_SPLIT && splits->current >= at) splits->current++;
    return &splits->split[at];
}

static void split_remove(WarpSplits *splits, uint32_t at)
{
    splits->count--;
    memmove(&splits->split[at], &splits->split[at + 1],
            (splits->count - at) * sizeof *splits->split);
    if (splits->current == at) splits->current = NO_SPLIT;
    else if (splits->current != NO_SPLIT && splits->current > at) splits->current--;
}

// The pc of the split's convergence barrier; RECONVERGE_EXIT: none in its function.
static uint32_t reconvergence(const WarpSplits *splits, const WarpSplit *split)
{
    const ConvergenceBarrier *barrier = &splits->convergences[split->convergence];
    return split->convergence && !barrier->call ? barrier->pc : RECONVERGE_EXIT;
}

// Makes a split the current one.
static void split_load(Warp *w, uint32_t index)
{
    WarpSplits *splits = w->splits;
    const WarpSplit *split = &splits->split[index];
    splits->current = index;
    if (w->scoreboard.count && w->calls.frame != split->frame) w->flags.drains = true;
    simt_enter(w, split->frame);
    w->pc = split->pc;
    w->reconverge = reconvergence(splits, split);
    w->exec.active = split->lanes;
}

ExecWarp splits_values(const Warp *w, const WarpSplit *split)
{
    Warp seen = *w;
    simt_enter(&seen, split->frame);
    return seen.exec;
}

const UOp *splits_waiting_op(const Warp *w, const WarpSplit *split)
{
    return &w->calls.frames[split->frame].function->ops[split->at];
}

uint32_t splits_count(const Warp *w)
{
    uint32_t count = w->splits->count;
    for (size_t j = 1; j < w->splits->convergence_count; j++)
        count += w->splits->convergences[j].here != 0;
    return count;
}

// ---- convergence barriers ----

// Makes a convergence barrier for lanes that diverge. 0: out of memory.
static uint32_t convergence_new(SmContext *context, WarpSplits *splits,
                                const ConvergenceBarrier *barrier)
{
    uint32_t at = 1;
    while (at < splits->convergence_count && splits->convergences[at].members) at++;
    if (at == splits->convergence_count) {
        if (!hd_reserve(&splits->convergences, splits->convergence_count,
                        &splits->convergence_capacity, sizeof *splits->convergences)) {
            sm_out_of_memory(context, "keeping where lanes meet");
            return 0;
        }
        splits->convergence_count++;
    }
    splits->convergences[at] = *barrier;
    return at;
}

static bool arrive(SmContext *context, WarpSplits *splits, uint32_t index);

// All lanes of a convergence barrier have arrived: they become a split, at index `at`.
static void convergence_complete(SmContext *context, WarpSplits *splits, uint32_t number,
                                 uint32_t at)
{
    ConvergenceBarrier *barrier = &splits->convergences[number];
    WarpSplit split = {.lanes = barrier->here, .pc = barrier->pc, .frame = barrier->frame,
                       .convergence = barrier->outer, .spins = barrier->spins};
    context->count.sm.reconvergences += !barrier->call;
    barrier->members = barrier->here = 0;
    split_insert(splits, at, &split);
    if (split.pc == reconvergence(splits, &split)) arrive(context, splits, at);
}

// A split has arrived at its convergence barrier. true: all lanes have, and replace it as one
// split.
static bool arrive(SmContext *context, WarpSplits *splits, uint32_t index)
{
    WarpSplit *split = &splits->split[index];
    for (;;) {
        ConvergenceBarrier *barrier = &splits->convergences[split->convergence];
        barrier->here |= split->lanes;
        if (barrier->here != barrier->members) {
            split_remove(splits, index);
            return false;
        }
        context->count.sm.reconvergences += !barrier->call;
        *split = (WarpSplit){.lanes = barrier->members, .pc = barrier->pc, .frame = barrier->frame,
                             .convergence = barrier->outer, .spins = barrier->spins};
        barrier->members = barrier->here = 0;
        if (split->pc != reconvergence(splits, split)) return true;
    }
}

// Removes lanes from the convergence barriers from `from` up to, but not including, `until` (0:
// from all). Lanes that waited only for these become splits, at index `at`.
static void convergences_leave(SmContext *context, WarpSplits *splits, uint32_t from,
                               uint32_t until, LaneMask lanes, uint32_t at)
{
    for (uint32_t j = from; j != until; j = splits->convergences[j].outer) {
        splits->convergences[j].members &= ~lanes;
        splits->convergences[j].here &= ~lanes;
    }
    for (uint32_t j = from, outer; j != until; j = outer) {
        const ConvergenceBarrier *barrier = &splits->convergences[j];
        outer = barrier->outer;
        if (barrier->members && barrier->here == barrier->members)
            convergence_complete(context, splits, j, at);
    }
}

// Breaks a convergence barrier: its waiting lanes continue without the others.
static void convergence_open(SmContext *context, WarpSplits *splits, ConvergenceBarrier *barrier,
                             LaneMask lanes)
{
    WarpSplit split = {.lanes = lanes, .pc = barrier->pc, .frame = barrier->frame,
                       .convergence = barrier->outer};
    context->count.sm.convergence_barriers_broken++;
    barrier->members &= ~lanes;
    barrier->here &= ~lanes;
    uint32_t at = splits->count;
    split_insert(splits, at, &split);
    if (split.pc == reconvergence(splits, &split)) arrive(context, splits, at);
}

// ---- which split runs ----

// Returns the last ready split other than `but`; NO_SPLIT: none.
static uint32_t last_ready(const WarpSplits *splits, uint32_t but, bool yielded)
{
    for (uint32_t i = splits->count; i-- > 0;)
        if (splits->split[i].state == SPLIT_READY && i != but &&
            (yielded || !splits->split[i].yielded))
            return i;
    return NO_SPLIT;
}

// The lanes that must arrive before a waiting split can continue.
static LaneMask needed_lanes(const Warp *w, const WarpSplit *split)
{
    if (split->state == SPLIT_SYNC) return splits_missing_lanes(w, split);
    if (split->state != SPLIT_BARRIER) return 0;
    const Barrier *barrier = &w->block->barriers[split->barrier];
    if (barrier->expected && barrier->expected < w->block->participants) return 0;
    return w->splits->started & ~(w->stack.exited | split->lanes);
}

// No split can run: breaks the convergence barriers at which lanes wait that a blocked split needs.
// Returns whether there were any.
static bool open_stuck(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    LaneMask needed = 0, asleep = 0;
    bool any = false;
    for (uint32_t i = 0; i < splits->count; i++) {
        needed |= needed_lanes(w, &splits->split[i]);
        if (splits->split[i].state == SPLIT_SLEEP) asleep |= splits->split[i].lanes;
    }
    for (size_t j = 1; j < splits->convergence_count; j++) {
        ConvergenceBarrier *barrier = &splits->convergences[j];
        if (!(barrier->here & needed) || (barrier->members & asleep)) continue;
        convergence_open(context, splits, barrier, barrier->here);
        any = true;
    }
    return any;
}

void splits_merge(SmContext *context, Warp *w, uint32_t index)
{
    WarpSplits *splits = w->splits;
    LaneMask lanes = splits->split[index].lanes;
    uint32_t from = splits->split[index].convergence;
    split_remove(splits, index);
    // The lanes join the convergence barriers of the current split, to which all branches from here
    // lead. Both splits have the same barriers unless one was released from a barrier.
    ConvergenceBarrier *barriers = splits->convergences;
    for (uint32_t j = from; j; j = barriers[j].outer) barriers[j].members &= ~lanes;
    for (uint32_t j = current(w)->convergence; j; j = barriers[j].outer)
        barriers[j].members |= lanes;
    current(w)->lanes |= lanes;
    w->exec.active |= lanes;
    convergences_leave(context, splits, from, 0, 0, index);
}

static void merge_with_current(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    for (uint32_t i = splits->count; splits->count > 1 && i-- > 0;) {
        const WarpSplit *split = &splits->split[i], *to = current(w);
        bool same = i != splits->current && split->state == SPLIT_READY && split->pc == to->pc &&
                    split->frame == to->frame && !split->done && !to->done;
        if (!same) continue;
        splits_merge(context, w, i);
        i = splits->count; // lanes of completed barriers may have become splits
    }
}

// Switches to the next ready split. If none is ready, the warp is blocked, with the last split as
// the current one, or has exited.
static void switch_split(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    while (splits->count) {
        uint32_t next = last_ready(splits, NO_SPLIT, true);
        if (next == NO_SPLIT) {
            if (open_stuck(context, w)) continue;
            split_load(w, splits->count - 1);
            const WarpSplit *last = current(w);
            w->flags.at_barrier = true;
            w->barrier.number = last->state == SPLIT_BARRIER ? last->barrier : BLOCK_BARRIERS;
            w->barrier.pc = last->at;
            context->warp_changes++;
            return;
        }
        const WarpSplit *split = &splits->split[next];
        if (split->pc == reconvergence(splits, split) && !arrive(context, splits, next)) continue;
        split_load(w, next);
        merge_with_current(context, w);
        return;
    }
    w->flags.live = false;
    w->exec.active = 0;
}

// Selects the split that runs after the current one has changed or disappeared.
void splits_continue(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    if (splits->current == NO_SPLIT || current(w)->state != SPLIT_READY) {
        switch_split(context, w);
        return;
    }
    const WarpSplit *split = current(w);
    bool waits = split->pc == reconvergence(splits, split) &&
                 !arrive(context, splits, splits->current);
    if (waits) switch_split(context, w);
    else split_load(w, splits->current);
}

// Moves the current split behind the others. yielded: also behind splits that have yielded.
static void move_to_back(SmContext *context, Warp *w, bool yielded)
{
    WarpSplits *splits = w->splits;
    WarpSplit moved = *current(w);
    split_remove(splits, splits->current);
    split_insert(splits, 0, &moved);
    uint32_t next = last_ready(splits, NO_SPLIT, yielded);
    if (splits->split[next].pc == reconvergence(splits, &splits->split[next])) {
        switch_split(context, w);
        return;
    }
    split_load(w, next);
    merge_with_current(context, w);
}

void splits_pause(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    if (last_ready(splits, splits->current, true) == NO_SPLIT) return;
    current(w)->pc = w->pc;
    move_to_back(context, w, true);
}

// The current split has spun long enough, and yields. If all ready splits have yielded, all
// convergence barriers with waiting lanes are broken; each lane is released from one barrier only.
static void yield_to_others(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    WarpSplit *split = current(w);
    split->pc = w->pc;
    split->yielded = true;
    split->spins = (SpinCount){0};
    splits->yields++;
    bool all = last_ready(splits, splits->current, false) == NO_SPLIT;
    if (all) {
        for (uint32_t i = 0; i < splits->count; i++) splits->split[i].yielded = false;
        LaneMask wait = 0;
        for (size_t j = 1; j < splits->convergence_count; j++) wait |= splits->convergences[j].here;
        for (size_t j = 1; j < splits->convergence_count && wait; j++) {
            LaneMask lanes = splits->convergences[j].here & wait;
            if (lanes) convergence_open(context, splits, &splits->convergences[j], lanes);
            wait &= ~lanes;
        }
        if (last_ready(splits, splits->current, true) == NO_SPLIT) return;
    }
    context->count.sm.yields++;
    move_to_back(context, w, all);
}

// The current split has branched backward from `from` with all its lanes.
static void count_backward_branch(SmContext *context, Warp *w, uint32_t from)
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
    const CoreConfig *core = context->config.core;
    if (spins->polls >= core->its_yield || spins->all >= core->its_patience)
        yield_to_others(context, w);
}

// ---- branches ----

bool splits_branch_to(SmContext *context, Warp *w, const LaneGroup *groups, unsigned count,
                      uint32_t reconverge)
{
    WarpSplits *splits = w->splits;
    uint32_t at = splits->current;
    WarpSplit split = *current(w);
    bool meets = reconverge != RECONVERGE_EXIT;
    // A loop's back edge leads to the convergence barrier that the first iteration made.
    if (meets && reconvergence(splits, &split) != reconverge) {
        ConvergenceBarrier barrier = {.members = split.lanes, .pc = reconverge,
                                      .frame = split.frame, .outer = split.convergence,
                                      .spins = split.spins};
        split.convergence = convergence_new(context, splits, &barrier);
        if (!split.convergence) return false;
    }
    split_remove(splits, at);
    for (unsigned i = 0; i < count; i++) {
        split.lanes = groups[i].lanes;
        split.pc = groups[i].pc;
        if (meets && split.pc == reconverge)
            splits->convergences[split.convergence].here |= split.lanes;
        else split_insert(splits, at++, &split);
    }
    split_load(w, at - 1);
    return true;
}

bool splits_branch(SmContext *context, Warp *w, uint32_t target, LaneMask taken,
                   uint32_t reconverge)
{
    LaneMask other = w->exec.active & ~taken;
    uint32_t from = w->pc;
    if (!taken || !other || target == from + 1) {
        w->pc = taken ? target : from + 1;
        if (w->pc == w->reconverge) splits_reconverge(context, w);
        else if (taken && target <= from) count_backward_branch(context, w, from);
        return true;
    }
    context->count.sm.divergent_branches++;
    const LaneGroup back = {target, taken}, on = {from + 1, other};
    // The split of the highest lane goes below, the other runs first.
    const LaneGroup groups[2] = {taken > other ? back : on, taken > other ? on : back};
    return splits_branch_to(context, w, groups, 2, reconverge);
}

void splits_reconverge(SmContext *context, Warp *w)
{
    current(w)->pc = w->pc;
    splits_continue(context, w);
}

// ---- functions ----

void splits_start(SmContext *context, Warp *w, uint32_t kernel, LaneMask lanes)
{
    WarpSplits *splits = w->splits;
    splits->convergence_count = splits->frame_count = splits->count = 1;
    splits->started = lanes;
    w->calls.frames = splits->frames;
    simt_frame(context, &w->calls.frames[0], NULL, kernel);
    w->calls.frames[0].lanes = lanes;
    splits->split[0] = (WarpSplit){.lanes = lanes};
    split_load(w, 0);
    w->flags.drains = false;
}

bool splits_call(SmContext *context, Warp *w, uint32_t site, uint32_t callee, LaneMask lanes)
{
    const PtxCall *call = &context->launch->module->calls[site];
    WarpSplits *splits = w->splits;
    uint32_t caller = w->calls.frame;
    if (w->calls.frames[caller].depth + 1 >= w->calls.capacity)
        return simt_too_deep(context, w, lanes);
    const WarpSplit *split = current(w);
    ConvergenceBarrier barrier = {.members = split->lanes, .here = split->lanes & ~lanes,
                                  .pc = w->pc + 1, .frame = caller, .outer = split->convergence,
                                  .call = true, .spins = split->spins};
    uint32_t number = convergence_new(context, splits, &barrier), frame;
    if (!number || !(frame = splits_frame_new(context, w, caller, callee, lanes))) return false;
    w->calls.frames[frame].call = site;
    *current(w) = (WarpSplit){.lanes = lanes, .frame = frame, .convergence = number};
    split_load(w, splits->current);
    const uint8_t *from = w->values.frame_params + w->calls.frames[caller].param_base;
    uint32_t stride = w->exec.frame_param_stride;
    exec_call_arguments(call, lanes, from, stride, w->exec.frame_params, stride);
    if (call->variable.bytes) exec_call_variable(call, lanes, from, stride, &w->exec);
    return true;
}

// Lanes of the current split leave it and the convergence barriers before `until`. Returns the
// index after the split that they leave.
static uint32_t leave(SmContext *context, Warp *w, uint32_t until, LaneMask lanes)
{
    WarpSplits *splits = w->splits;
    uint32_t at = splits->current, convergence = current(w)->convergence;
    WarpSplit *split = current(w);
    split->lanes &= ~lanes;
    split->pc = w->pc + 1;
    if (split->lanes) at++;
    else split_remove(splits, at);
    convergences_leave(context, splits, convergence, until, lanes, at);
    return at;
}

void splits_return(SmContext *context, Warp *w, LaneMask lanes)
{
    WarpSplits *splits = w->splits;
    Frame *frame = &w->calls.frames[w->calls.frame];
    const PtxCall *call = &context->launch->module->calls[frame->call];
    exec_call_results(call, lanes, w->exec.frame_params, w->exec.frame_param_stride,
                      w->values.frame_params + w->calls.frames[frame->caller].param_base,
                      w->exec.frame_param_stride);
    frame->lanes &= ~lanes;
    uint32_t to = current(w)->convergence;
    while (!splits->convergences[to].call) to = splits->convergences[to].outer;
    uint32_t at = leave(context, w, to, lanes);
    ConvergenceBarrier *barrier = &splits->convergences[to];
    barrier->here |= lanes;
    if (barrier->here == barrier->members) convergence_complete(context, splits, to, at);
    splits_continue(context, w);
}

void splits_exit(SmContext *context, Warp *w, LaneMask lanes)
{
    for (uint32_t f = w->calls.frame; f; f = w->calls.frames[f].caller)
        w->calls.frames[f].lanes &= ~lanes;
    leave(context, w, 0, lanes);
    w->block->ended += lanes_count(lanes);
    splits_check_masks(w);
}

// ---- waiting ----

bool splits_separate(SmContext *context, Warp *w, LaneMask lanes, LaneMask same)
{
    LaneGroup groups[3];
    unsigned count = 0;
    LaneMask out = w->exec.active & ~lanes, others = lanes & ~same;
    if (out) groups[count++] = (LaneGroup){w->pc + 1, out};
    if (others) groups[count++] = (LaneGroup){w->pc, others};
    groups[count++] = (LaneGroup){w->pc, same};
    return count == 1 || splits_branch_to(context, w, groups, count, w->pc + 1);
}

void splits_wait(Warp *w, SplitState state)
{
    WarpSplit *split = current(w);
    split->state = (uint8_t)state;
    split->at = w->pc;
    split->pc = state == SPLIT_SYNC ? w->pc : w->pc + 1;
}

bool splits_is_waiting(const Warp *w) { return current(w)->state != SPLIT_READY; }

// A split has become ready. Returns whether the warp was blocked and now continues.
static bool try_resume(SmContext *context, Warp *w)
{
    if (!w->flags.at_barrier || last_ready(w->splits, NO_SPLIT, true) == NO_SPLIT) return false;
    warp_count_wait(context, w, w->pc_base + w->barrier.pc);
    w->flags.at_barrier = false;
    context->warp_changes++;
    switch_split(context, w);
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_woken(trace, context, w);
    return true;
}

bool splits_end_sleep(SmContext *context, Warp *w, LaneMask lanes)
{
    WarpSplits *splits = w->splits;
    for (uint32_t i = 0; i < splits->count; i++)
        if (splits->split[i].state == SPLIT_SLEEP && (splits->split[i].lanes & lanes))
            splits->split[i].state = SPLIT_READY;
    return try_resume(context, w);
}

bool splits_pass_barrier(SmContext *context, Warp *w, uint32_t number)
{
    WarpSplits *splits = w->splits;
    bool last = splits->current != NO_SPLIT && !w->flags.at_barrier &&
        current(w)->state == SPLIT_BARRIER;
    for (uint32_t i = 0; i < splits->count; i++)
        if (splits->split[i].state == SPLIT_BARRIER && splits->split[i].barrier == number)
            splits->split[i].state = SPLIT_READY;
    // Compilers gather a warp before a barrier: its lanes leave the barrier together.
    if (last && current(w)->state == SPLIT_READY) merge_with_current(context, w);
    return try_resume(context, w);
}
