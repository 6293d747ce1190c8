// The issue of an instruction: computes its values, updates divergence, and schedules its results.
#include "core/sm/issue_one.h"

#include "core/execute/barrier.h"
#include "core/execute/splits.h"
#include "core/execute/scalar_mark.h"
#include "core/notice.h"
#include "core/trace_warp.h"

#include <string.h>

// ---- blocked warps ----

void sm_resume(Sm *sm, Warp *w)
{
    frontend_redirect(&sm->frontend, &sm->context, w);
    warp_classify(&sm->issue, &sm->context, w);
}

// Reclassifies a warp that has left a barrier or a sleep, and fetches for it.
static void resume_woken(Sm *sm, Warp *w)
{
    if (w->splits) {
        sm_resume(sm, w);
        return;
    }
    warp_classify(&sm->issue, &sm->context, w);
    frontend_woken(&sm->frontend, &sm->context, w);
}

// Warps have left a barrier or a sleep: a mechanism that throttles decides before they are
// reclassified.
static void ask_about_woken(Sm *sm)
{
    if (sm->issue.throttle.on && !sm->context.functional)
        throttle_ask(&sm->issue.throttle, &sm->context, &sm->blocks);
}

void sm_wake(Sm *sm, Warp *w, LaneMask lanes)
{
    if (!w->splits) warp_leave_barrier(&sm->context, w);
    else if (!splits_end_sleep(&sm->context, w, lanes)) return;
    ask_about_woken(sm);
    resume_woken(sm, w);
}

void sm_block_warp(SmContext *context, Warp *w)
{
    if (w->splits) {
        splits_wait(w, SPLIT_SLEEP);
        return;
    }
    w->flags.at_barrier = true;
    w->barrier.number = BLOCK_BARRIERS;
    w->barrier.pc = w->pc;
    context->warp_changes++;
}

bool sm_sleep(SmContext *context, Warp *w, uint64_t cycles)
{
    sm_block_warp(context, w);
    return wheel_set(&context->wheel, context->now + cycles, EVENT_WAKE, w->id,
                     (EventPayload){.sleep = {w->exec.active}}) ||
           sm_out_of_memory(context, "scheduling a sleep");
}

static void release_barrier(Sm *sm, Block *block, unsigned number)
{
    Warp *warps = &sm->blocks.warps[block->first_warp];
    WarpSet passed = {0};
    issue_end_turns(&sm->issue, &sm->context);
    for (unsigned i = 0; i < block->warps; i++) {
        Warp *w = &warps[i];
        if (!w->flags.live) continue;
        if (w->splits ? !barrier_pass_splits(&sm->context, w, number) : !barrier_pass(w, number))
            continue;
        if (!w->splits) warp_leave_barrier(&sm->context, w);
        warpset_add(&passed, i);
    }
    ask_about_woken(sm);
    for (unsigned i = 0; i < block->warps; i++)
        if (warpset_has(&passed, i)) resume_woken(sm, &warps[i]);
    memset(&block->barriers[number], 0, sizeof block->barriers[number]);
    sm->context.count.sm.barriers++;
}

// Releases the barriers that the arrival of a warp or the exit of lanes completes.
static void check_barriers(Sm *sm, Block *block)
{
    for (unsigned i = 0; i < BLOCK_BARRIERS; i++)
        if (barrier_complete(block, &block->barriers[i])) release_barrier(sm, block, i);
}

void sm_end_warp(Sm *sm, Warp *w)
{
    if (!w->splits) w->block->ended++;
    sm->context.warp_changes++;
    check_barriers(sm, w->block);
    sm_check_warp_end(sm, w);
}

// ---- control instructions ----

static bool branch_indexed(SmContext *context, Warp *w, const UOp *op, LaneMask lanes,
                           uint32_t reconverge)
{
    const PtxBranchTable *table = &context->launch->module->tables[op->imm];
    const uint32_t *index = exec_operand(&w->exec, op->src[0]);
    uint32_t targets[HD_MAX_LANES];
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (index[l] >= table->count)
            return sm_fault(context, w, l, "branch index %u is outside the list of %u targets",
                            index[l], table->count);
        targets[l] = table->targets[index[l]];
    }
    return simt_branch_indexed(context, w, targets, lanes, reconverge);
}

// A barrier of the block. With independent threads, lanes outside the guard do not wait.
static bool barrier(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    SmContext *context = &sm->context;
    bool splits = w->splits && op->modifier != BAR_ARRIVE;
    if (splits && !splits_separate(context, w, lanes, lanes)) return false;
    if (!barrier_arrive(context, w, op, lanes)) return false;
    if (!splits) simt_advance(context, w);
    check_barriers(sm, w->block);
    if (splits) splits_continue(context, w);
    return true;
}

// A trap is the kernel's own, or stands in place of code that cannot be simulated.
static bool trap(SmContext *context, Warp *w, const UOp *op, LaneMask lanes)
{
    const char *unusable = warp_function(w)->unusable;
    if (unusable) return sm_fault(context, w, lanes_first(lanes), "%s", unusable);
    return sm_fault(context, w, lanes_first(lanes), "the kernel executed %s",
                    uop_name((UopCode)op->code));
}

bool sm_execute_control(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, uint32_t reconverge)
{
    SmContext *context = &sm->context;
    switch (op->code) {
    case UOP_BRA:
        context->count.sm.branches++;
        return simt_branch(context, w, op->target, lanes, reconverge);
    case UOP_BRX:
        context->count.sm.branches++;
        return branch_indexed(context, w, op, lanes, reconverge);
    case UOP_CALL:
        if (lanes) return simt_call(context, w, (uint32_t)op->imm, lanes);
        break;
    case UOP_CALL_POINTER:
        if (lanes) return simt_call_pointer(context, w, op, lanes);
        break;
    case UOP_RET:
    case UOP_EXIT:
        if (!lanes) break;
        if (op->code == UOP_RET && w->calls.frame) {
            simt_return(context, w, lanes);
            return true;
        }
        simt_exit(context, w, lanes);
        if (!w->splits) return true;
        check_barriers(sm, w->block); // the other threads may wait for these lanes only
        splits_continue(context, w);
        return true;
    case UOP_TRAP:
    case UOP_BRKPT:
        if (lanes) return trap(context, w, op, lanes);
        break;
    case UOP_BAR:
        if (lanes) return barrier(sm, w, op, lanes);
        break;
    case UOP_NANOSLEEP:
        if (lanes) {
            const uint32_t *nanoseconds = exec_operand(&w->exec, op->src[0]);
            double cycles =
                nanoseconds[lanes_first(lanes)] / context->launch->nanoseconds_per_cycle;
            if (!sm_sleep(context, w, (uint64_t)cycles + 1)) return false;
        }
        break;
    case UOP_SCALAR:
        if (lanes && !scalar_mark_execute(context, w, op, lanes)) return false;
        break;
    case UOP_SYSTEM:
        if (lanes && !sm_system_call(sm, w, op, lanes)) return false;
        break;
    default: break; // nop, and fences: they issue when their wait is over
    }
    // A waiting split continues at the pc that splits_wait has set.
    if (w->splits && splits_is_waiting(w)) splits_continue(context, w);
    else simt_advance(context, w);
    return true;
}

// ---- issue ----

bool sm_end_issued_warp(Sm *sm, Warp *w, uint64_t cycle)
{
    SmContext *context = &sm->context;
    if (context->config.core->warp_exit == WARP_EXIT_FETCH) {
        w->scoreboard.count++;
        if (!wheel_set(&context->wheel, cycle, EVENT_EXIT, w->id, (EventPayload){0}))
            return sm_out_of_memory(context, "scheduling an exit");
    }
    sm_end_warp(sm, w);
    return true;
}

IssueOutcome sm_finish_issue(Sm *sm, Warp *w, const IssuedInstruction *issued)
{
    return finish_issue(sm, w, issued->op, issued->timing, issued->pc, issued->lanes,
                        issued->active, issued->cycle, false);
}

IssueOutcome sm_issue_move(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    const UOp *load = &w->ops[w->pc];
    const UOpTiming *timing = &w->timing[w->pc];
    const WarpInjector *from = w->injector;
    uint32_t pc = warp_pc(w);
    LaneMask active = w->exec.active, lanes = exec_guard(load, &w->exec, active);
    uint64_t cycle = operands_schedule(&sm->operands, context, w, &from->move_op,
                                       &from->move_timing,
                                       &sm->operands.port[w->issue.set - SET_READY], NULL);
    if (!book_results(context, w, timing, pc, cycle)) return ISSUE_FAILED;
    injector_copy(sm->injector, w, lanes);
    shadow_move(context, w, lanes);
    w->injector->form = HD_MOVED;
    simt_advance(context, w);
    return finish_issue(sm, w, load, timing, pc, lanes, active, cycle, false);
}

bool sm_run_instruction(Sm *sm, Warp *w, const UOp *op, const UOpTiming *timing, LaneMask lanes,
                        bool computed, bool scalar)
{
    SmContext *context = &sm->context;
    if (op->run) {
        if (op->code == UOP_SREG) {
            double nanoseconds = context->launch->nanoseconds_per_cycle;
            w->exec.clock = context->now + context->launch->device_time;
            w->exec.nanoseconds = (uint64_t)((double)w->exec.clock * nanoseconds);
        }
        if (context->strict && op->code == UOP_SHFL && !computed &&
            !notice_shuffle(context, w, op, &w->exec, lanes, lanes))
            return false;
        if (scalar && lanes)
            exec_scalar(op, &w->exec, lanes);
        else if (lanes && !computed)
            (lanes == ~(LaneMask)0 ? op->run_full : op->run)(op, &w->exec, lanes);
        simt_advance(context, w);
        return true;
    }
    if (op_is_memory(op)) { // parameters of a device function, or no lanes
        if (lanes && !access_frame_param(context, w, op, lanes)) return false;
        simt_advance(context, w);
        return true;
    }
    return sm_execute_control(sm, w, op, lanes, timing->reconverge);
}

IssueOutcome sm_issue(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    uint32_t index = w->pc, pc = w->pc_base + index;
    const UOp *op = &w->ops[index];
    const UOpTiming *timing = &w->timing[index];
    LaneMask active = w->exec.active, lanes = exec_guard(op, &w->exec, active);
    warp_count_wait(context, w, pc);
    bool done = false; // its values are there already
    if (w->splits && !splits_ready(context, w, op, &lanes, &done)) {
        sm_resume(sm, w);
        return ISSUE_BLOCKED;
    }
    uint64_t cycle = 0; // of write-back
    if (op_is_memory(op) && lanes && !access_is_move(context, op)) {
        IssueOutcome outcome = sm_issue_memory(sm, w, op, &lanes);
        if (outcome != ISSUE_DONE) {
            if (outcome == ISSUE_BLOCKED) warp_wait_for_atomic(&sm->issue, context, w);
            return outcome;
        }
        simt_advance(context, w);
    } else {
        unsigned port = w->issue.set - SET_READY;
        if (port == PORT_MEM) port = sm->issue.port_of[CLASS_MOVE]; // no lanes
        cycle = operands_schedule(&sm->operands, context, w, op, timing,
                                  &sm->operands.port[port], NULL);
        if (!book_results(context, w, timing, pc, cycle) ||
            !sm_run_instruction(sm, w, op, timing, lanes, done, false))
            return ISSUE_FAILED;
    }
    return finish_issue(sm, w, op, timing, pc, lanes, active, cycle, false);
}

IssueOutcome sm_issue_traced(Sm *sm, Warp *w, SmTrace *trace)
{
    TraceBefore before = trace_before(w);
    LaneMask lanes = exec_guard(&w->ops[w->pc], &w->exec, w->exec.active);
    size_t length = trace->length;
    trace_issue(trace, &sm->context, w, lanes);
    IssueOutcome outcome = sm_issue(sm, w);
    if (outcome == ISSUE_BLOCKED) { // it is tried again
        trace->length = length;
        if (w->splits) trace_waits(trace, &sm->context, w, &before);
    } else if (outcome == ISSUE_DONE) {
        trace_results(trace, w, &before, lanes);
    }
    return outcome;
}
