// An instruction's issue: its values are computed, its path taken, its results booked.
#include "core/its.h"
#include "core/sm_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- what the lanes of the path do at a control instruction ----

static bool branch_indexed(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, uint32_t reconverge)
{
    const PtxBranchTable *table = &sm->launch->module->tables[op->imm];
    const uint32_t *index = exec_operand(&w->exec, op->src[0]);
    uint32_t targets[HD_MAX_LANES];
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (index[l] >= table->count)
            return sm_fault(sm, w, l, "branch index %u is outside the list of %u targets", index[l],
                            table->count);
        targets[l] = table->targets[index[l]];
    }
    return simt_branch_indexed(sm, w, targets, lanes, reconverge);
}

void execute_end(Sm *sm, Warp *w)
{
    Block *block = &sm->blocks[w->block];
    if (!w->its) block->ended++;
    hold_news(sm);
    barrier_check(sm, block); // it may complete a barrier that the others stand at
    warp_check_end(sm, w);
}

static bool sleep_for(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    uint32_t nanoseconds =
        ((const uint32_t *)exec_operand(&w->exec, op->src[0]))[lanes_first(lanes)];
    return warp_sleep(sm, w, (uint64_t)(nanoseconds / sm->launch->nanoseconds_per_cycle) + 1);
}

void warp_stand(Sm *sm, Warp *w)
{
    if (w->its) {
        its_wait(w, PATH_SLEEP);
        return;
    }
    w->at_barrier = true;
    w->barrier = BLOCK_BARRIERS; // none: only its own event wakes it
    w->barrier_pc = w->pc;
    hold_news(sm);
}

bool warp_sleep(Sm *sm, Warp *w, uint64_t cycles)
{
    warp_stand(sm, w);
    return wheel_set(&sm->wheel, sm->now + cycles, EVENT_WAKE, w->id, w->exec.active, 0) ||
           sm_out_of_memory(sm, "scheduling a sleep");
}

// A barrier of the block: with independent threads, lanes that the guard leaves out do not wait.
static bool barrier(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    bool apart = w->its && op->modifier != BAR_ARRIVE;
    if (apart && !its_set_apart(sm, w, lanes, lanes)) return false;
    if (!barrier_arrive(sm, w, op, lanes)) return false;
    if (!apart) simt_advance(sm, w);
    barrier_check(sm, &sm->blocks[w->block]);
    if (apart) its_proceed(sm, w);
    return true;
}

// A trap or breakpoint of the kernel's, or one that stands for what cannot run.
static bool trapped(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    const PtxFunction *f = warp_function(w);
    return f->unusable ? sm_fault(sm, w, lanes_first(lanes), "%s", f->unusable)
                       : sm_fault(sm, w, lanes_first(lanes), "the kernel executed %s",
                                  uop_name((UopCode)op->code));
}

bool execute_control(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, uint32_t reconverge)
{
    switch (op->code) {
    case UOP_BRA: sm->count.sm.branches++; return simt_branch(sm, w, op->target, lanes, reconverge);
    case UOP_BRX:
        sm->count.sm.branches++;
        return branch_indexed(sm, w, op, lanes, reconverge);
    case UOP_CALL:
        if (lanes) return simt_call(sm, w, (uint32_t)op->imm, lanes);
        break;
    case UOP_CALL_POINTER:
        if (lanes) return simt_call_pointer(sm, w, op, lanes);
        break;
    case UOP_RET:
        if (!lanes) break;
        simt_return(sm, w, lanes);
        return true;
    case UOP_EXIT:
        if (!lanes) break;
        simt_exit(sm, w, lanes);
        return true;
    case UOP_TRAP:
    case UOP_BRKPT:
        if (lanes) return trapped(sm, w, op, lanes);
        break;
    case UOP_BAR:
        if (lanes) return barrier(sm, w, op, lanes);
        break;
    case UOP_NANOSLEEP:
        if (lanes && !sleep_for(sm, w, op, lanes)) return false;
        break;
    case UOP_SYSTEM:
        if (lanes && !system_call(sm, w, op, lanes)) return false;
        break;
    default: break; // fences (what they wait for is over), nop
    }
    if (w->its && its_waits(w)) its_proceed(sm, w); // it goes on where the wait ends
    else simt_advance(sm, w);
    return true;
}

// ---- issue ----

void execute_count(Sm *sm, uint32_t pc, LaneMask lanes)
{
    PcCounters *count = &sm->count.pcs[pc];
    unsigned active = lanes_count(lanes);
    count->issued++;
    count->lanes += active;
    sm->count.lanes[active]++;
}

// Books the results: the scoreboard holds them until the write-back at `cycle`.
static bool book_results(Sm *sm, Warp *w, const UOpTiming *timing, uint32_t index, uint64_t cycle)
{
    if (!timing->write_count) {
        sm->count.sm.committed++;
        return true;
    }
    for (unsigned i = 0; i < timing->write_count; i++)
        w->pending[timing->writes[i] >> 6] |= UINT64_C(1) << (timing->writes[i] & 63);
    w->pending_count += timing->write_count;
    uint32_t function = w->frames[w->frame].function_index;
    return wheel_set(&sm->wheel, cycle, EVENT_WRITEBACK, w->id, function, index) ||
           sm_out_of_memory(sm, "scheduling a write-back");
}

void execute_values(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    if (op->code == UOP_SREG) {
        w->exec.clock = sm->now;
        w->exec.nanoseconds = (uint64_t)((double)sm->now * sm->launch->nanoseconds_per_cycle);
    }
    if (lanes) (lanes == ~(LaneMask)0 ? op->run_full : op->run)(op, &w->exec, lanes);
}

IssueOutcome execute_issue(Sm *sm, Warp *w)
{
    uint32_t index = w->pc, pc = w->pc_base + index;
    const UOp *op = &w->ops[index];
    const UOpTiming *timing = &w->timing[index];
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    warp_count(sm, w, pc);
    bool done = false; // its values are there already
    if (w->its && !its_ready(sm, w, op, &lanes, &done)) return ISSUE_BLOCKED;
    bool memory = execute_is_memory(op) && op->space != SPACE_FRAME_PARAM && lanes;
    if (memory) {
        IssueOutcome outcome = access_issue(sm, w, op, &lanes);
        if (outcome != ISSUE_DONE) {
            if (outcome == ISSUE_BLOCKED) warp_wait_for_atomic(sm, w);
            return outcome;
        }
        simt_advance(sm, w);
    } else {
        unsigned port = w->port == PORT_MEM ? PORT_SP : w->port;
        uint64_t cycle = operand_schedule(sm, w, op, timing, port);
        if (!book_results(sm, w, timing, index, cycle)) return ISSUE_FAILED;
        if (op->run) {
            if (!done) execute_values(sm, w, op, lanes);
            simt_advance(sm, w);
        } else if (execute_is_memory(op)) {
            if (lanes && !access_frame_param(sm, w, op, lanes)) return ISSUE_FAILED;
            simt_advance(sm, w);
        } else if (!execute_control(sm, w, op, lanes, timing->reconverge)) {
            return ISSUE_FAILED;
        }
    }
    execute_count(sm, pc, lanes);
    frontend_advance(sm, w, pc);
    warp_classify(sm, w);
    if (!w->live) execute_end(sm, w);
    return sm->failed ? ISSUE_FAILED : ISSUE_DONE;
}

IssueOutcome execute_traced(Sm *sm, Warp *w, SmTrace *trace)
{
    TraceBefore before = trace_before(w);
    LaneMask lanes = exec_guard(&w->ops[w->pc], &w->exec, w->exec.active);
    size_t length = trace->length;
    trace_issue(trace, sm, w, lanes);
    IssueOutcome outcome = execute_issue(sm, w);
    if (outcome == ISSUE_BLOCKED) { // it is tried again
        trace->length = length;
        if (w->its) trace_waits(trace, sm, w, &before);
    }
    else if (outcome == ISSUE_DONE) trace_results(trace, w, &before, lanes);
    return outcome;
}
