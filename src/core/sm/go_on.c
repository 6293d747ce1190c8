// Warps that go on from a scalar instruction once it is in a wave, and before the wave issues
// (scalar.go_on; Yilmazer-Metin, "Graph-Waving architecture", 2020, section 6.3.1: "A pending
// scoreboard entry is created to indicate dependencies associated with this instruction for the
// warp").
//
// The instruction executes when its wave issues. Until then the warp's scoreboard has its results
// as pending, and no later instruction overwrites what it reads (ahead_check in issue/classify.c).
// A register has a slot of its own (PtxOptions.slots_apart), so that the values are there as well.
#include "core/sm/pipeline.h"

#include "core/execute/simt.h"
#include "core/trace_warp.h"

// ---- on from an instruction ----

// Whether the warp may go on from its next instruction. A branch decides where it goes on. An
// access that may have to leave its wave stays the warp's next instruction: the warp has an atomic
// in flight, or the address is of another space than others' (access_resolve).
static bool may_go_on(const Warp *w)
{
    const UOp *op = &w->ops[w->pc];
    if (uop_infos[op->code].control >= CONTROL_BRANCH) return false;
    if (!op_is_memory(op)) return w->timing[w->pc].write_count;
    if (w->memory.atomics) return false;
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    if (!lanes || op->space != SPACE_GLOBAL) return true;
    uint64_t addresses[HD_MAX_LANES];
    exec_addresses(op, &w->exec, addresses);
    return addresses[lanes_first(lanes)] - GUEST_CONST_BASE >= GUEST_WINDOW_SIZE;
}

static unsigned place_in(const Wave *wave, const Warp *w)
{
    unsigned place = 0;
    while (!(wave->places >> place & 1) || wave->warp[place] != w) place++;
    return place;
}

// The warps that go on from an instruction in one cycle share their look-up in a shared store.
static void number(Issue *issue, const SmContext *context, Wave *wave, Warp *w)
{
    if (!wave->ahead || wave->went != context->now) wave->number = ++issue->group;
    wave->went = context->now;
    w->group.number = wave->number;
}

static void go_on(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    Waves *waves = &sm->issue.waves;
    Wave *wave = &waves->items[w->group.wave - 1];
    unsigned place = place_in(wave, w);
    const UOpTiming *timing = &w->timing[w->pc];
    uint32_t pc = warp_pc(w);
    warp_count_wait(context, w, pc);
    number(&sm->issue, context, wave, w);
    wave->ahead |= (LaneMask)1 << place;
    wave->active[place] = w->exec.active;
    waves->ahead++;
    w->group.wave = 0;
    w->group.ahead++;
    w->group.ahead_memory += op_is_memory(&w->ops[w->pc]);
    for (unsigned i = 0; i < timing->read_count; i++) w->group.ahead_reads[timing->reads[i]]++;
    scoreboard_book(w, timing);
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_goes_on(trace, context, w);
    simt_advance(context, w);
    frontend_advance(&sm->frontend, context, w, pc);
    warp_classify(&sm->issue, context, w);
}

void sm_run_ahead(Sm *sm, unsigned count)
{
    Waves *waves = &sm->issue.waves;
    for (unsigned i = 0; i < count; i++) {
        Warp *w = waves->joined[i];
        w->group.listed = false;
        if (w->group.wave && may_go_on(w)) go_on(sm, w);
    }
    waves->joined_count -= count;
    for (unsigned i = 0; i < waves->joined_count; i++)
        waves->joined[i] = waves->joined[i + count];
}

// ---- back to it, when its wave issues ----

void sm_go_back(Sm *sm, const IssueGroup *group)
{
    Waves *waves = &sm->issue.waves;
    const Wave *wave = &waves->items[group->wave - 1];
    for (unsigned i = 0; i < group->count; i++) {
        const GroupMember *member = &group->member[i];
        Warp *w = member->warp;
        if (!member->ahead) continue;
        waves->cursor[member->place] = (WarpCursor){w->pc, w->reconverge, w->exec.active};
        w->pc = wave->pc - w->pc_base;
        w->reconverge = UINT32_MAX; // the warp has moved on already
        w->exec.active = wave->active[member->place];
        const UOpTiming *timing = &w->timing[w->pc];
        waves->ahead--;
        w->group.ahead--;
        w->group.ahead_memory -= op_is_memory(&w->ops[w->pc]);
        for (unsigned k = 0; k < timing->read_count; k++) w->group.ahead_reads[timing->reads[k]]--;
        scoreboard_release(w, timing); // the issue books the results again
    }
}

void sm_go_forth(Sm *sm, const IssueGroup *group)
{
    const Waves *waves = &sm->issue.waves;
    for (unsigned i = 0; i < group->count; i++) {
        const GroupMember *member = &group->member[i];
        Warp *w = member->warp;
        if (!member->ahead) continue;
        WarpCursor to = waves->cursor[member->place];
        w->pc = to.pc;
        w->reconverge = to.reconverge;
        w->exec.active = to.active;
        warp_classify(&sm->issue, &sm->context, w);
    }
}
