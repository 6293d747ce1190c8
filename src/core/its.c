// Independent threads: paths part, meet, take turns (its.h says how).
#include "core/its.h"

#include "core/sm_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static Path *current(const Warp *w) { return &w->its->paths[w->its->current]; }

// ---- the order of the paths ----

static Path *path_insert(Its *its, uint32_t at, const Path *path)
{
    memmove(&its->paths[at + 1], &its->paths[at], (its->count - at) * sizeof *path);
    its->paths[at] = *path;
    its->count++;
    if (its->current != NO_PATH && its->current >= at) its->current++;
    return &its->paths[at];
}

static void path_remove(Its *its, uint32_t at)
{
    its->count--;
    memmove(&its->paths[at], &its->paths[at + 1], (its->count - at) * sizeof *its->paths);
    if (its->current == at) its->current = NO_PATH;
    else if (its->current != NO_PATH && its->current > at) its->current--;
}

// Where the path waits for others of its join; RECONVERGE_EXIT: nowhere in its function.
static uint32_t reconvergence(const Its *its, const Path *path)
{
    const Join *join = &its->joins[path->join];
    return path->join && !join->call ? join->pc : RECONVERGE_EXIT;
}

// Makes a path the current one.
static void path_load(Warp *w, uint32_t index)
{
    Its *its = w->its;
    const Path *path = &its->paths[index];
    its->current = index;
    if (w->pending_count && w->frame != path->frame) w->drains = true;
    simt_enter(w, path->frame);
    w->pc = path->pc;
    w->reconverge = reconvergence(its, path);
    w->exec.active = path->lanes;
}

ExecWarp its_values(const Warp *w, const Path *path)
{
    Warp seen = *w;
    simt_enter(&seen, path->frame);
    return seen.exec;
}

const UOp *its_waits_at(const Warp *w, const Path *path)
{
    return &w->frames[path->frame].function->ops[path->at];
}

uint32_t its_paths(const Warp *w)
{
    uint32_t count = w->its->count;
    for (size_t j = 1; j < w->its->join_count; j++) count += w->its->joins[j].here != 0;
    return count;
}

// ---- joins ----

// Lanes that are to meet; 0: memory is out.
static uint32_t join_new(Sm *sm, Its *its, const Join *join)
{
    uint32_t at = 1;
    while (at < its->join_count && its->joins[at].members) at++;
    if (at == its->join_count) {
        if (!hd_reserve(&its->joins, its->join_count, &its->join_capacity, sizeof *its->joins)) {
            sm_out_of_memory(sm, "keeping where lanes meet");
            return 0;
        }
        its->join_count++;
    }
    its->joins[at] = *join;
    return at;
}

static bool arrive(Sm *sm, Its *its, uint32_t index);

// All lanes of a join are there: they become a path, in the place `at`.
static void join_complete(Sm *sm, Its *its, uint32_t number, uint32_t at)
{
    Join *join = &its->joins[number];
    Path path = {.lanes = join->here, .pc = join->pc, .frame = join->frame, .join = join->outer,
                 .turns = join->turns};
    sm->count.sm.reconvergences += !join->call;
    join->members = join->here = 0;
    path_insert(its, at, &path);
    if (path.pc == reconvergence(its, &path)) arrive(sm, its, at);
}

// A path has come to its join. Returns whether all were there, and so go on in its place.
static bool arrive(Sm *sm, Its *its, uint32_t index)
{
    Path *path = &its->paths[index];
    for (;;) {
        Join *join = &its->joins[path->join];
        join->here |= path->lanes;
        if (join->here != join->members) {
            path_remove(its, index);
            return false;
        }
        sm->count.sm.reconvergences += !join->call;
        *path = (Path){.lanes = join->members, .pc = join->pc, .frame = join->frame,
                       .join = join->outer, .turns = join->turns};
        join->members = join->here = 0;
        if (path->pc != reconvergence(its, path)) return true;
    }
}

// Lanes do not come to the joins from `from` on any more, up to but without `until` (0: to none).
// Those that have waited for nobody else become paths, in the place `at`.
static void joins_leave(Sm *sm, Its *its, uint32_t from, uint32_t until, LaneMask lanes,
                        uint32_t at)
{
    for (uint32_t j = from; j != until; j = its->joins[j].outer) {
        its->joins[j].members &= ~lanes;
        its->joins[j].here &= ~lanes;
    }
    for (uint32_t j = from, outer; j != until; j = outer) {
        const Join *join = &its->joins[j];
        outer = join->outer;
        if (join->members && join->here == join->members) join_complete(sm, its, j, at);
    }
}

// The lanes that wait at a join go on without the others.
static void join_open(Sm *sm, Its *its, Join *join, LaneMask lanes)
{
    Path path = {.lanes = lanes, .pc = join->pc, .frame = join->frame, .join = join->outer};
    sm->count.sm.convergence_barriers_broken++;
    join->members &= ~lanes;
    join->here &= ~lanes;
    uint32_t at = its->count;
    path_insert(its, at, &path);
    if (path.pc == reconvergence(its, &path)) arrive(sm, its, at);
}

// Lets all go that wait at joins, each to the next one at most.
static void open_all(Sm *sm, Its *its)
{
    LaneMask wait = 0;
    for (size_t j = 1; j < its->join_count; j++) wait |= its->joins[j].here;
    for (size_t j = 1; j < its->join_count && wait; j++) {
        LaneMask lanes = its->joins[j].here & wait;
        if (lanes) join_open(sm, its, &its->joins[j], lanes);
        wait &= ~lanes;
    }
}

// ---- which path goes on ----

// The last path that could run and is not `but`; NO_PATH: there is none.
static uint32_t last_ready(const Its *its, uint32_t but, bool yielded)
{
    for (uint32_t i = its->count; i-- > 0;)
        if (its->paths[i].state == PATH_READY && i != but && (yielded || !its->paths[i].yielded))
            return i;
    return NO_PATH;
}

// The lanes without which a path that waits cannot go on, whatever else happens.
static LaneMask needs(const Sm *sm, const Warp *w, const Path *path)
{
    if (path->state == PATH_SYNC) return its_missing(w, path);
    if (path->state != PATH_BARRIER) return 0;
    const Block *block = &sm->blocks[w->block];
    const Barrier *barrier = &block->barriers[path->barrier];
    if (barrier->expected && barrier->expected < block->units) return 0;
    return w->its->started & ~(w->exited | path->lanes);
}

// Nothing can run, but some wait at a join for lanes that in turn wait for them: lets them go.
static bool open_stuck(Sm *sm, Warp *w)
{
    Its *its = w->its;
    LaneMask needed = 0, asleep = 0;
    bool any = false;
    for (uint32_t i = 0; i < its->count; i++) {
        needed |= needs(sm, w, &its->paths[i]);
        if (its->paths[i].state == PATH_SLEEP) asleep |= its->paths[i].lanes;
    }
    for (size_t j = 1; j < its->join_count; j++) {
        Join *join = &its->joins[j];
        if (!(join->here & needed) || (join->members & asleep)) continue;
        join_open(sm, its, join, join->here);
        any = true;
    }
    return any;
}

// No path can run: the warp stands, with the last one shown.
static void stand(Sm *sm, Warp *w)
{
    Its *its = w->its;
    path_load(w, its->count - 1);
    const Path *path = current(w);
    w->at_barrier = true;
    w->barrier = path->state == PATH_BARRIER ? path->barrier : BLOCK_BARRIERS;
    w->barrier_pc = path->at;
    hold_news(sm);
}

void its_merge(Sm *sm, Warp *w, uint32_t index)
{
    Its *its = w->its;
    LaneMask lanes = its->paths[index].lanes;
    uint32_t from = its->paths[index].join;
    path_remove(its, index);
    // It comes to the joins of the current path: from here each way leads there. Those of its own
    // are the same, or it has been let go from one that it now comes to again, or the reverse.
    for (uint32_t j = from; j; j = its->joins[j].outer) its->joins[j].members &= ~lanes;
    for (uint32_t j = current(w)->join; j; j = its->joins[j].outer) its->joins[j].members |= lanes;
    current(w)->lanes |= lanes;
    w->exec.active |= lanes;
    joins_leave(sm, its, from, 0, 0, index);
}

static void merge_with_current(Sm *sm, Warp *w)
{
    Its *its = w->its;
    for (uint32_t i = its->count; its->count > 1 && i-- > 0;) {
        const Path *path = &its->paths[i], *to = current(w);
        bool same = i != its->current && path->state == PATH_READY && path->pc == to->pc &&
                    path->frame == to->frame && !path->done && !to->done;
        if (!same) continue;
        its_merge(sm, w, i);
        i = its->count; // joins may have become paths
    }
}

// Another path takes the place of the current one; none can: the warp stands, or has ended.
static void pick(Sm *sm, Warp *w)
{
    Its *its = w->its;
    while (its->count) {
        uint32_t next = last_ready(its, NO_PATH, true);
        if (next == NO_PATH) {
            if (open_stuck(sm, w)) continue;
            stand(sm, w);
            return;
        }
        const Path *path = &its->paths[next];
        if (path->pc == reconvergence(its, path) && !arrive(sm, its, next)) continue;
        path_load(w, next);
        merge_with_current(sm, w);
        return;
    }
    w->live = false;
    w->exec.active = 0;
}

// The current path has changed, or is no more: it goes on, or another does.
static void go_on(Sm *sm, Warp *w)
{
    Its *its = w->its;
    if (its->current == NO_PATH || current(w)->state != PATH_READY) {
        pick(sm, w);
        return;
    }
    const Path *path = current(w);
    if (path->pc == reconvergence(its, path) && !arrive(sm, its, its->current)) pick(sm, w);
    else path_load(w, its->current);
}

// The current path goes behind the others; `yielded`: those too may go first that have given way.
static void step_back(Sm *sm, Warp *w, bool yielded)
{
    Its *its = w->its;
    Path moved = *current(w);
    path_remove(its, its->current);
    path_insert(its, 0, &moved);
    uint32_t next = last_ready(its, NO_PATH, yielded);
    if (its->paths[next].pc == reconvergence(its, &its->paths[next])) {
        pick(sm, w);
        return;
    }
    path_load(w, next);
    merge_with_current(sm, w);
}

void its_rest(Sm *sm, Warp *w)
{
    Its *its = w->its;
    if (last_ready(its, its->current, true) == NO_PATH) return;
    current(w)->pc = w->pc;
    step_back(sm, w, true);
}

// The current path has spun long enough: others go first. Where all that could have had their turn,
// those that wait at joins do.
static void give_way(Sm *sm, Warp *w)
{
    Its *its = w->its;
    Path *path = current(w);
    path->pc = w->pc;
    path->yielded = true;
    path->turns = (Turns){0};
    bool all = last_ready(its, its->current, false) == NO_PATH;
    if (all) {
        for (uint32_t i = 0; i < its->count; i++) its->paths[i].yielded = false;
        open_all(sm, its);
        if (last_ready(its, its->current, true) == NO_PATH) return;
    }
    sm->count.sm.yields++;
    step_back(sm, w, all);
}

// The current path has gone backwards from `from` with all its lanes.
static void turn_back(Sm *sm, Warp *w, uint32_t from)
{
    Turns *turns = &current(w)->turns;
    LaneMask lanes = w->exec.active;
    uint32_t pc = w->pc_base + from;
    if (turns->lanes != lanes) *turns = (Turns){.lanes = lanes};
    turns->all++;
    if (w->timing[from].polls) {
        if (turns->pc != pc) turns->polls = 0;
        turns->pc = pc;
        turns->polls++;
    }
    const CoreConfig *core = sm->config.core;
    if (turns->polls >= core->its_yield || turns->all >= core->its_patience) give_way(sm, w);
}

// ---- branches ----

bool its_split(Sm *sm, Warp *w, const SimtPart *parts, unsigned count, uint32_t reconverge)
{
    Its *its = w->its;
    uint32_t at = its->current;
    Path path = *current(w);
    bool meets = reconverge != RECONVERGE_EXIT;
    // A loop's back edge comes to the join that the first turn made.
    if (meets && reconvergence(its, &path) != reconverge) {
        Join join = {.members = path.lanes, .pc = reconverge, .frame = path.frame,
                     .outer = path.join, .turns = path.turns};
        path.join = join_new(sm, its, &join);
        if (!path.join) return false;
    }
    path_remove(its, at);
    for (unsigned i = 0; i < count; i++) {
        path.lanes = parts[i].lanes;
        path.pc = parts[i].pc;
        if (meets && path.pc == reconverge) its->joins[path.join].here |= path.lanes;
        else path_insert(its, at++, &path);
    }
    path_load(w, at - 1);
    return true;
}

bool its_branch(Sm *sm, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge)
{
    LaneMask other = w->exec.active & ~taken;
    uint32_t from = w->pc;
    if (!taken || !other) {
        w->pc = taken ? target : from + 1;
        if (w->pc == w->reconverge) its_reconverge(sm, w);
        else if (taken && target <= from) turn_back(sm, w, from);
        return true;
    }
    sm->count.sm.divergent_branches++;
    const SimtPart back = {target, taken}, on = {from + 1, other};
    // The path of the highest lane goes below, the other runs first.
    const SimtPart parts[2] = {taken > other ? back : on, taken > other ? on : back};
    return its_split(sm, w, parts, 2, reconverge);
}

void its_reconverge(Sm *sm, Warp *w)
{
    current(w)->pc = w->pc;
    go_on(sm, w);
}

// ---- functions ----

void its_start(Sm *sm, Warp *w, uint32_t kernel, LaneMask lanes)
{
    Its *its = w->its;
    its->join_count = its->frame_count = its->count = 1;
    its->started = lanes;
    w->frames = its->frames;
    simt_frame(sm, &w->frames[0], NULL, kernel);
    w->frames[0].lanes = lanes;
    its->paths[0] = (Path){.lanes = lanes};
    path_load(w, 0);
    w->drains = false;
}

bool its_call(Sm *sm, Warp *w, uint32_t site, uint32_t callee, LaneMask lanes)
{
    const PtxCall *call = &sm->launch->module->calls[site];
    Its *its = w->its;
    uint32_t caller = w->frame;
    if (w->frames[caller].depth + 1 >= w->frame_capacity) return simt_too_deep(sm, w, lanes);
    const Path *path = current(w);
    Join join = {.members = path->lanes, .here = path->lanes & ~lanes, .pc = w->pc + 1,
                 .frame = caller, .outer = path->join, .call = true, .turns = path->turns};
    uint32_t number = join_new(sm, its, &join), frame;
    if (!number || !(frame = its_frame_new(sm, w, caller, callee, lanes))) return false;
    w->frames[frame].call = site;
    *current(w) = (Path){.lanes = lanes, .frame = frame, .join = number};
    path_load(w, its->current);
    const uint8_t *from = w->frame_params + w->frames[caller].param_base;
    uint32_t stride = w->exec.frame_param_stride;
    exec_call_arguments(call, lanes, from, stride, w->exec.frame_params, stride);
    if (call->variable.bytes) exec_call_variable(call, lanes, from, stride, &w->exec);
    return true;
}

// Lanes of the current path leave it and the joins in front of `until`. Returns the place of those
// that they leave behind.
static uint32_t leave(Sm *sm, Warp *w, uint32_t until, LaneMask lanes)
{
    Its *its = w->its;
    uint32_t at = its->current, join = current(w)->join;
    Path *path = current(w);
    path->lanes &= ~lanes;
    path->pc = w->pc + 1;
    if (path->lanes) at++;
    else path_remove(its, at);
    joins_leave(sm, its, join, until, lanes, at);
    return at;
}

void its_return(Sm *sm, Warp *w, LaneMask lanes)
{
    Its *its = w->its;
    Frame *frame = &w->frames[w->frame];
    const PtxCall *call = &sm->launch->module->calls[frame->call];
    exec_call_results(call, lanes, w->exec.frame_params, w->exec.frame_param_stride,
                      w->frame_params + w->frames[frame->caller].param_base,
                      w->exec.frame_param_stride);
    frame->lanes &= ~lanes;
    uint32_t to = current(w)->join;
    while (!its->joins[to].call) to = its->joins[to].outer;
    uint32_t at = leave(sm, w, to, lanes);
    Join *join = &its->joins[to];
    join->here |= lanes;
    if (join->here == join->members) join_complete(sm, its, to, at);
    go_on(sm, w);
}

void its_exit(Sm *sm, Warp *w, LaneMask lanes)
{
    Block *block = &sm->blocks[w->block];
    for (uint32_t f = w->frame; f; f = w->frames[f].caller) w->frames[f].lanes &= ~lanes;
    leave(sm, w, 0, lanes);
    block->ended += lanes_count(lanes);
    its_check_masks(w);
    barrier_check(sm, block); // the others may wait for these lanes only
    go_on(sm, w);
}

// ---- waiting ----

bool its_set_apart(Sm *sm, Warp *w, LaneMask lanes, LaneMask same)
{
    SimtPart parts[3];
    unsigned count = 0;
    LaneMask out = w->exec.active & ~lanes, others = lanes & ~same;
    if (out) parts[count++] = (SimtPart){w->pc + 1, out};
    if (others) parts[count++] = (SimtPart){w->pc, others};
    parts[count++] = (SimtPart){w->pc, same};
    return count == 1 || its_split(sm, w, parts, count, w->pc + 1);
}

void its_wait(Warp *w, PathState state)
{
    Path *path = current(w);
    path->state = (uint8_t)state;
    path->at = w->pc;
    path->pc = state == PATH_SYNC ? w->pc : w->pc + 1;
}

bool its_waits(const Warp *w) { return current(w)->state != PATH_READY; }

void its_proceed(Sm *sm, Warp *w) { go_on(sm, w); }

void its_wake(Sm *sm, Warp *w)
{
    if (!w->at_barrier || last_ready(w->its, NO_PATH, true) == NO_PATH) return;
    warp_count(sm, w, w->pc_base + w->barrier_pc);
    w->at_barrier = false;
    hold_news(sm);
    pick(sm, w);
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_woken(trace, sm, w);
    frontend_redirect(sm, w);
    warp_classify(sm, w);
}

void its_woken(Sm *sm, Warp *w, LaneMask lanes)
{
    Its *its = w->its;
    for (uint32_t i = 0; i < its->count; i++)
        if (its->paths[i].state == PATH_SLEEP && (its->paths[i].lanes & lanes))
            its->paths[i].state = PATH_READY;
    its_wake(sm, w);
}

void its_pass_barrier(Sm *sm, Warp *w, uint32_t number)
{
    Its *its = w->its;
    bool last = its->current != NO_PATH && !w->at_barrier && current(w)->state == PATH_BARRIER;
    for (uint32_t i = 0; i < its->count; i++)
        if (its->paths[i].state == PATH_BARRIER && its->paths[i].barrier == number)
            its->paths[i].state = PATH_READY;
    // Compilers gather a warp in front of a barrier: its lanes leave it together.
    if (last && current(w)->state == PATH_READY) merge_with_current(sm, w);
    its_wake(sm, w);
}
