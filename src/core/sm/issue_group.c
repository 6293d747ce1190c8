// The issue of a group of warps, or of a scalar instruction: one instruction for the execution
// unit, the values of each warp (core/issue/issue_group.h).
//
// First all members are resolved, and those that have to wait leave. Then the group takes its
// resources, and the scoreboards of all have its results. Then each warp goes on: its next
// instruction may depend on them.
#include "core/sm/pipeline.h"

#include "core/execute/simt.h"
#include "core/trace_warp.h"

#include "base/memory.h"

// The instruction of a group that issues, and the trace of the member that is shown.
typedef struct GroupIssue {
    IssueGroup *group;
    const UOp *op;
    const UOpTiming *timing;
    uint32_t function, index, pc;
    FurtherEntries more;
    SmTrace *trace;
    TraceBefore before;
    const Warp *traced;
} GroupIssue;

// ---- the group ----

// The entry that a warp's scalar instruction reads. The source of a marked mov is a register with
// a value for each lane.
static uint16_t entry_read(const GroupIssue *g, const Warp *w)
{
    return g->op->code == UOP_SCALAR ? w->banks.entry : w->banks.scalar_entry;
}

static void find_more_entries(GroupIssue *g)
{
    const IssueGroup *group = g->group;
    for (unsigned i = 1; i < group->count; i++) {
        uint16_t entry = entry_read(g, group->member[i].warp);
        bool known = entry == entry_read(g, group->member[0].warp);
        for (unsigned k = 0; k < g->more.count; k++) known |= entry == g->more.entry[k];
        if (!known) g->more.entry[g->more.count++] = entry;
    }
}

static GroupIssue begin(SmContext *context, IssueGroup *group)
{
    const Warp *first = group->member[0].warp;
    GroupIssue g = {.group = group, .op = &first->ops[first->pc],
                    .timing = &first->timing[first->pc],
                    .function = first->calls.frames[first->calls.frame].function_index,
                    .index = first->pc, .pc = warp_pc(first)};
    for (unsigned i = 0; i < group->count; i++) {
        GroupMember *member = &group->member[i];
        Warp *w = member->warp;
        if (!member->ahead) warp_count_wait(context, w, g.pc);
        member->active = w->exec.active;
        member->lanes = exec_guard(g.op, &w->exec, member->active);
        SmTrace *trace = trace_of(context, w->id);
        if (!trace) continue;
        g.trace = trace;
        g.traced = w;
        g.before = trace_before(w);
        trace_issue(trace, context, w, member->lanes);
    }
    return g;
}

// The member leaves the group; the ones behind it move up.
static void leave(GroupIssue *g, unsigned i, size_t trace_length)
{
    IssueGroup *group = g->group;
    if (g->traced == group->member[i].warp) {
        g->trace->length = trace_length; // it is tried again
        g->trace = NULL;
        g->traced = NULL;
    }
    group->count--;
    for (; i < group->count; i++) group->member[i] = group->member[i + 1];
}

// The lanes of the group in which these lanes of a member execute.
static LaneMask places_of(const IssueGroup *group, const GroupMember *member, LaneMask lanes)
{
    if (!group->scalar) return lanes << member->place;
    return lanes ? (LaneMask)1 << member->place : 0;
}

static void count_group(SmContext *context, const IssueGroup *group)
{
    GroupCounters *count = &context->count.groups;
    unsigned lanes = 0;
    for (unsigned i = 0; i < group->count; i++) {
        const GroupMember *member = &group->member[i];
        unsigned used = lanes_count(places_of(group, member, member->lanes));
        lanes += used;
        count->lanes_saved += lanes_count(member->lanes) - used;
    }
    if (group->scalar) count->scalars += group->count;
    if (group->kind == GROUP_WAVE) {
        count->waves++;
        count->wave_members += group->count;
        context->count.waves[group->count]++;
    } else if (group->count == 2) {
        count->pairs++;
    } else {
        count->lone++;
    }
    context->count.group_lanes[lanes]++;
}

// ---- memory instructions ----

// The accesses of a group's members, by the group's lanes.
typedef struct GroupAccess {
    LaneMask places;
    PtxSpace space;
    bool one_space;      // the space is known before the first access: that of the instruction
    unsigned allocation; // as ResolvedAccess.allocation
    uint64_t addresses[HD_MAX_LANES];
} GroupAccess;

// Resolves the member's access, and computes its values. ISSUE_BLOCKED: it leaves the group,
// because it has an atomic in flight there, or because the others access another space, and may
// join another wave.
static IssueOutcome resolve(Sm *sm, const GroupIssue *g, GroupMember *member, GroupAccess *all)
{
    SmContext *context = &sm->context;
    Warp *w = member->warp;
    bool scalar = g->group->scalar;
    ResolvedAccess access;
    LaneMask lanes = scalar ? member->lanes & -member->lanes : member->lanes;
    if (!access_resolve(context, w, g->op, lanes, &access)) return ISSUE_FAILED;
    if (!scalar) member->lanes = access.lanes;
    if (access.space == SPACE_GLOBAL &&
        lsu_has_atomic(&sm->lsu, w, access.lanes, access.addresses)) {
        warp_wait_for_atomic(&sm->issue, context, w);
        return ISSUE_BLOCKED;
    }
    if ((all->places || all->one_space) && access.space != all->space) {
        warp_classify(&sm->issue, context, w);
        return ISSUE_BLOCKED;
    }
    if (!sm_access_values(sm, w, g->op, &access)) return ISSUE_FAILED;
    if (scalar) exec_give_results(g->op, &w->exec, member->lanes);
    all->allocation = all->places && all->allocation != access.allocation ? GUEST_NO_ALLOCATION
                                                                          : access.allocation;
    all->space = access.space;
    for (LaneMask m = access.lanes; m; m &= m - 1) {
        unsigned lane = lanes_first(m), place = member->place + (scalar ? 0 : lane);
        all->addresses[place] = access.addresses[lane];
        all->places |= (LaneMask)1 << place;
    }
    return ISSUE_DONE;
}

// Resolves all members with lanes.
static IssueOutcome resolve_all(Sm *sm, GroupIssue *g, GroupAccess *all, size_t trace_length)
{
    for (unsigned i = 0; i < g->group->count;) {
        GroupMember *member = &g->group->member[i];
        IssueOutcome outcome = member->lanes ? resolve(sm, g, member, all) : ISSUE_DONE;
        if (outcome == ISSUE_FAILED) return ISSUE_FAILED;
        if (outcome == ISSUE_BLOCKED) leave(g, i, trace_length);
        else i++;
    }
    return g->group->count ? ISSUE_DONE : ISSUE_BLOCKED;
}

static bool set_members(SmContext *context, const IssueGroup *group, MemoryOp *op)
{
    if (!op->group) op->group = hd_new(1, sizeof *op->group);
    if (!op->group) return sm_out_of_memory(context, "tracking memory instructions");
    MemoryMembers *members = op->group;
    op->members = (uint8_t)group->count;
    members->wave = group->wave;
    for (unsigned i = 0; i < group->count; i++) {
        const GroupMember *from = &group->member[i];
        LaneMask places = places_of(group, from, from->lanes);
        const Frame *call = &from->warp->calls.frames[from->warp->calls.frame];
        members->item[i] = (MemoryMember){.warp = from->warp, .lanes = from->lanes,
                                          .places = places, .slot_base = call->slot_base};
        for (LaneMask m = places; m; m &= m - 1) {
            unsigned place = lanes_first(m);
            members->of[place] = (uint8_t)i;
            members->own[place] = (uint8_t)(group->scalar ? lanes_first(from->lanes)
                                                          : place - from->place);
        }
    }
    return true;
}

static IssueOutcome send(Sm *sm, GroupIssue *g, const GroupAccess *all)
{
    SmContext *context = &sm->context;
    Warp *first = g->group->member[0].warp;
    uint32_t index;
    MemoryOp *op = memory_op_new(&sm->lsu.ops, context, first, all->space, all->places, &index);
    if (!op || !set_members(context, g->group, op)) return ISSUE_FAILED;
    return sm_send_memory(sm, first, op, index, all->addresses, all->allocation, &g->more);
}

// ---- other instructions ----

// Takes the unit, and books the results. Returns the cycle of write-back; 0: out of memory.
static uint64_t schedule(Sm *sm, GroupIssue *g)
{
    SmContext *context = &sm->context;
    const IssueGroup *group = g->group;
    unsigned port = issue_port(&sm->issue, g->op);
    if (port == PORT_MEM) port = sm->issue.port_of[CLASS_MOVE]; // no lanes
    uint64_t cycle = operands_schedule(&sm->operands, context, group->member[0].warp, g->op,
                                       g->timing, &sm->operands.port[port], &g->more);
    if (!g->timing->write_count) context->count.sm.committed += group->count;
    if (!g->timing->write_count && !group->wave) return cycle;
    uint32_t index = groups_new(&sm->groups);
    if (!index || !wheel_set(&context->wheel, cycle, EVENT_GROUP, group->member[0].warp->id,
                             (EventPayload){.group = {index}})) {
        sm_out_of_memory(context, "scheduling a write-back");
        return 0;
    }
    GroupInFlight *flight = &sm->groups.items[index];
    flight->function = g->function;
    flight->index = g->index;
    flight->wave = group->wave;
    flight->count = (uint16_t)group->count;
    for (unsigned i = 0; i < group->count; i++) {
        flight->warps[i] = group->member[i].warp;
        scoreboard_book(group->member[i].warp, g->timing);
    }
    return cycle;
}

// ---- issue ----

// A member goes on. accesses: its values are computed. cycle: as in IssuedInstruction.
static IssueOutcome go_on(Sm *sm, const GroupIssue *g, const GroupMember *member, bool accesses,
                          uint64_t cycle)
{
    Warp *w = member->warp;
    if (accesses)
        simt_advance(&sm->context, w);
    else if (!sm_run_instruction(sm, w, g->op, g->timing, member->lanes, false,
                                 g->group->scalar))
        return ISSUE_FAILED;
    if (g->traced == w) trace_results(g->trace, w, &g->before, member->lanes);
    IssuedInstruction issued = {g->op, g->timing, g->pc, member->lanes, member->active, cycle};
    if (!member->ahead) return sm_finish_issue(sm, w, &issued);
    sm_count_instruction(&sm->context, g->pc, member->lanes);
    if (sm->context.watched) sm_watch_issue(sm, w, &issued);
    return sm->context.failed ? ISSUE_FAILED : ISSUE_DONE;
}

static IssueOutcome issue_members(Sm *sm, IssueGroup *group)
{
    SmContext *context = &sm->context;
    SmTrace *trace = context->trace;
    size_t trace_length = trace ? trace->length : 0;
    GroupIssue g = begin(context, group);
    GroupAccess all = {.space = (PtxSpace)g.op->space, .one_space = group->ahead};
    if (op_is_memory(g.op) && !access_is_move(context, g.op)) {
        IssueOutcome outcome = resolve_all(sm, &g, &all, trace_length);
        if (outcome != ISSUE_DONE) return outcome;
    }
    if (group->scalar) find_more_entries(&g);
    for (unsigned i = 0; g.trace && i < group->count; i++)
        if (group->member[i].warp == g.traced) trace_group(g.trace, group, i);
    uint64_t cycle = 0;
    if (all.places ? send(sm, &g, &all) != ISSUE_DONE : !(cycle = schedule(sm, &g)))
        return ISSUE_FAILED;
    count_group(context, group);
    for (unsigned i = 0; i < group->count; i++)
        if (go_on(sm, &g, &group->member[i], all.places, cycle) != ISSUE_DONE) return ISSUE_FAILED;
    return ISSUE_DONE;
}

IssueOutcome sm_issue_group(Sm *sm, IssueGroup *group)
{
    if (!group->ahead) return issue_members(sm, group);
    sm_go_back(sm, group);
    IssueOutcome outcome = issue_members(sm, group);
    if (outcome == ISSUE_DONE) sm_go_forth(sm, group);
    return outcome;
}
