// The cycle of issue by its usual ways (Issue.way), from the turn of a scheduler to the reserved
// resources of an instruction, as one function of the host for each of them.
#include "core/sm/issue_one.h"

// As sm_issue, for an instruction that UOp.run executes whole, and for a branch.
ALWAYS_INLINE IssueOutcome issue_simple(Sm *sm, Warp *w, const UOp *op, IssueWay way)
{
    SmContext *context = &sm->context;
    uint32_t pc = warp_pc(w);
    const UOpTiming *timing = &w->timing[w->pc];
    LaneMask active = w->exec.active, lanes = exec_guard(op, &w->exec, active);
    warp_count_wait(context, w, pc);
    w->flags.drains = false;
    PortState *port = &sm->operands.port[w->issue.set - SET_READY];
    uint64_t cycle =
        way == ISSUE_PASSES
            ? operands_schedule(&sm->operands, context, w, op, timing, port, NULL)
            : operands_schedule_plain(&sm->operands, context, w, op, timing, port);
    if (!book_results(context, w, timing, pc, cycle)) return ISSUE_FAILED;
    if (__builtin_expect(op->way == WAY_PLAIN, 1)) {
        if (lanes) (lanes == ~(LaneMask)0 ? op->run_full : op->run)(op, &w->exec, lanes);
        simt_advance(context, w);
    } else {
        context->count.sm.branches++;
        if (!simt_branch(context, w, op->target, lanes, timing->reconverge)) return ISSUE_FAILED;
    }
    return finish_issue(sm, w, op, timing, pc, lanes, active, cycle, true);
}

ALWAYS_INLINE IssueOutcome issue_next_of(Sm *sm, Warp *w, IssueWay way)
{
    const UOp *op = &w->ops[w->pc];
    if (op->way == WAY_OTHER || (way == ISSUE_PASSES && op->way >= WAY_MEMORY))
        return sm_issue(sm, w);
    return op->way >= WAY_MEMORY ? sm_issue_access(sm, w, op) : issue_simple(sm, w, op, way);
}

// A second instruction of the same warp in the same cycle, to another port. ready: the set of
// the warp as it issued the first one.
__attribute__((noinline))
static IssueOutcome issue_second(Sm *sm, Warp *w, unsigned ready)
{
    SmContext *context = &sm->context;
    if (w->issue.state == WARP_READY && w->issue.set != ready &&
        port_has_room(&sm->operands, w->issue.set - SET_READY, context->now))
        issue_next_of(sm, w, ISSUE_DUAL);
    else
        flush_issued(sm, w);
    return context->failed ? ISSUE_FAILED : ISSUE_DONE;
}

// Issues an instruction of a warp that is ready, if there is one.
ALWAYS_INLINE IssueOutcome issue_ready(Sm *sm, Scheduler *s, IssueWay way)
{
    uint64_t set = candidates(&s->sets[0], &sm->operands, sm->context.now);
    while (set) {
        Warp *w = pick_usual(s, set);
        unsigned ready = w->issue.set;
        IssueOutcome outcome = issue_next_of(sm, w, way);
        if (outcome != ISSUE_BLOCKED) {
            s->last = w->issue.local;
            if (way == ISSUE_DUAL && outcome == ISSUE_DONE) return issue_second(sm, w, ready);
            return outcome;
        }
        set &= ~w->issue.bit;
    }
    return ISSUE_BLOCKED;
}

ALWAYS_INLINE void issue_cycle_by(Sm *sm, IssueWay way)
{
    SmContext *context = &sm->context;
    Issue *issue = &sm->issue;
    Turns turns = turns_begin(issue, context);
    Scheduler *s;
    while ((s = turns_next(issue, &turns))) {
        count_slots(context, s, 1, context->now);
        IssueOutcome outcome = __builtin_expect(any_stale(s, 1), 0)
                                   ? sm_issue_and_flush(sm, s)
                                   : issue_ready(sm, s, way);
        if (outcome == ISSUE_FAILED) break;
        turns_end(issue, context, s, &turns, outcome == ISSUE_DONE, 1);
    }
    turns_finish(issue, context, &turns);
}

void sm_issue_usual_cycle(Sm *sm) { issue_cycle_by(sm, ISSUE_USUAL); }

void sm_issue_dual_cycle(Sm *sm) { issue_cycle_by(sm, ISSUE_DUAL); }

void sm_issue_passes_cycle(Sm *sm) { issue_cycle_by(sm, ISSUE_PASSES); }
