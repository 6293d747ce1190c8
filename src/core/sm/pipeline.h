// An SM and its pipeline: the parts, and the signals between them.
//
// Each part uses only itself and the parts below it. The functions here carry signals upward:
// arrived data wake a warp, a written result frees a register, a barrier releases warps. They work
// on the whole SM and only call its parts.
//
// One cycle, in order: events that are due (results, decoded instructions, operands of memory
// instructions, data), replies, L1D look-ups, the load/store unit, requests to the network, the
// start of a block, throttling, issue, fetch.
#ifndef HEDDLE_CORE_SM_PIPELINE_H
#define HEDDLE_CORE_SM_PIPELINE_H

#include "core/blocks/blocks.h"
#include "core/execute/access.h"
#include "core/frontend/frontend.h"
#include "core/inject/injector.h"
#include "core/issue/scheduler.h"
#include "core/l1/l15.h"
#include "core/l1/l1d.h"
#include "core/lsu/lsu.h"
#include "core/network/port.h"
#include "core/operands/operands.h"
#include "core/sm/work.h"

struct Sm {
    SmContext context;
    Blocks blocks;
    Frontend frontend;
    Issue issue;
    GroupPool groups;          // issue groups in flight
    Operands operands;
    Lsu lsu;
    L1d l1d;
    L15 l15;
    NetworkPort port;
    SystemCalls system;
    uint64_t until;            // sm_run runs the cycles before this one
    bool mechanism_events;     // a mechanism has periods, or is woken: events of their own
    bool stopped;              // nothing issues any more (cut.c)
    bool sends_late;           // requests leave after the look-ups of the cycle (path.send)
    bool every_cycle;          // each stage runs in each cycle, whether it is due or not
    CacheHooks *hooks;         // mechanisms at the pipeline and the L1D; NULL: none
    Injector *injector;        // NULL: no mechanism injects micro-ops
    uint64_t functional_steps; // instructions of functional launches so far
    uint64_t functional_begin; // their number when this launch began, or went on functionally
    uint32_t round;            // number of the current one in functional launches; it wraps
    uint16_t *turns;           // warp slots that take turns in the round
    uint16_t *engine_warps;    // those whose requests to engines are served at its end
    unsigned engine_count;
    unsigned engine_turn;      // the slice that gets the next request to an engine
    FunctionalEngines engines;
    struct RepeatWatch *repeats; // NULL: states have never been watched
};

static inline CacheController *sm_controller(Sm *sm, SmCache cache)
{
    CacheController *const controllers[SM_CACHES] = {
        [SM_L1D] = &sm->l1d.controller, [SM_L1I] = &sm->frontend.l1i, [SM_L1C] = &sm->lsu.l1c,
        [SM_L1R] = &sm->lsu.l1r,        [SM_L15] = &sm->l15.controller};
    return controllers[cache];
}

// ---- dispatch.c ----

// Starts the next queued block, which must be able to (blocks_can_start). false: out of memory.
bool sm_start_block(Sm *sm);
// Finishes a warp that has no lanes and nothing in flight any more (core.warp_exit).
void sm_check_warp_end(Sm *sm, Warp *w);
// Finishes an exited warp to which the fetch stage has come (Frontend.exited).
void sm_reclaim_warp(Sm *sm, Warp *w);

// ---- cut.c ----

// Counts the waits of the resident warps up to cycle `end`, which is not before the current one.
void sm_count_waits(Sm *sm, uint64_t end);

// ---- usual_issue.c, any_issue.c ----

// A cycle of issue by each way (Issue.way).
void sm_issue_usual_cycle(Sm *sm);
void sm_issue_dual_cycle(Sm *sm);
void sm_issue_passes_cycle(Sm *sm);
void sm_issue_any_cycle(Sm *sm);
// One cycle: each scheduler issues an instruction, if it has a ready warp.
static inline void sm_issue_cycle(Sm *sm)
{
    const Issue *issue = &sm->issue;
    if (!issue->turn) return;
    IssueWay way = sm->context.trace ? ISSUE_ANY : issue->way;
    if (way == ISSUE_USUAL) sm_issue_usual_cycle(sm);
    else if (way == ISSUE_DUAL) sm_issue_dual_cycle(sm);
    else if (way == ISSUE_PASSES) sm_issue_passes_cycle(sm);
    else sm_issue_any_cycle(sm);
}
// The turn of a scheduler with stale warps. Flushes them, or with frontend.flush=scheduler those
// that it tries before a warp that issues. ISSUE_BLOCKED: none did.
IssueOutcome sm_issue_and_flush(Sm *sm, Scheduler *s);
// Drops the buffered instructions of a stale warp.
void sm_flush_stale(Sm *sm, Warp *w);

// ---- group_turn.c ----

// The turn of a scheduler that issues by groups. Returns whether it has issued.
bool sm_issue_from_groups(Sm *sm, Scheduler *s);

// ---- go_on.c: with scalar.go_on ----

// The first `count` warps of Waves.joined, which have joined waves before this cycle's turns, go on
// from their instructions if the waves have not issued.
void sm_run_ahead(Sm *sm, unsigned count);
// The wave issues: members that have gone on go back to its instruction, and then to where they
// were.
void sm_go_back(Sm *sm, const IssueGroup *group);
void sm_go_forth(Sm *sm, const IssueGroup *group);

// ---- issue_group.c ----

// Issues the next instruction of the members of a group together. Members that have to wait leave
// the group. ISSUE_BLOCKED: all have.
IssueOutcome sm_issue_group(Sm *sm, IssueGroup *group);

// ---- instruction.c ----

// Sends the warp's next instruction down the pipeline; and shows it in a trace.
IssueOutcome sm_issue(Sm *sm, Warp *w);
IssueOutcome sm_issue_traced(Sm *sm, Warp *w, SmTrace *trace);
// Executes a control instruction: branches, calls, barriers, sleeps, calls of the system. false: a
// fault.
bool sm_execute_control(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, uint32_t reconverge);
// An instruction of the program that has issued.
typedef struct IssuedInstruction {
    const UOp *op;
    const UOpTiming *timing;
    uint32_t pc;
    LaneMask lanes, active; // after the guard, and before it
    uint64_t cycle;         // of write-back; 0: it is a memory instruction
} IssuedInstruction;
// Executes an instruction that is no memory access, in these lanes, and moves the warp on.
// computed: its values are there already. scalar: one lane executes it, and the warp has one copy
// of its results. false: a fault.
bool sm_run_instruction(Sm *sm, Warp *w, const UOp *op, const UOpTiming *timing, LaneMask lanes,
                        bool computed, bool scalar);
// The warp has exited by an instruction that has issued. With core.warp_exit = fetch it stays in
// its place until the instruction leaves the pipeline at `cycle`. false: out of memory.
bool sm_end_issued_warp(Sm *sm, Warp *w, uint64_t cycle);
// The warp goes on after an instruction that has issued and run: counts, mechanisms, fetch.
IssueOutcome sm_finish_issue(Sm *sm, Warp *w, const IssuedInstruction *issued);
// Issues the warp's next instruction, a load, as a move from its spare register.
IssueOutcome sm_issue_move(Sm *sm, Warp *w);
// Counts an instruction of these lanes.
static inline void sm_count_instruction(SmContext *context, uint32_t pc, LaneMask lanes)
{
    PcCounters *count = &context->count.pcs[pc];
    unsigned active = lanes_count(lanes);
    count->issued++;
    count->lanes += active;
    context->count.lanes[active]++;
}
// The warp's lanes have all exited.
void sm_end_warp(Sm *sm, Warp *w);
// Blocks the warp (the current split) until its event wakes it.
void sm_block_warp(SmContext *context, Warp *w);
// Puts the warp (the current split) to sleep for this number of cycles. false: out of memory.
bool sm_sleep(SmContext *context, Warp *w, uint64_t cycles);
// Ends the sleep of these lanes.
void sm_wake(Sm *sm, Warp *w, LaneMask lanes);
// The warp has switched splits: requests its next instruction and reclassifies it.
void sm_resume(Sm *sm, Warp *w);

// ---- injected.c ----

// Issues the warp's first injected micro-op or, if there is none, the move in the place of its next
// instruction.
IssueOutcome sm_issue_injected(Sm *sm, Warp *w);
// Attaches the mechanisms that see or inject instructions. false and err: out of memory.
bool sm_attach_injector(Sm *sm, HdError *err);
// Prepares the injector for the context's launch. false: out of memory.
bool sm_begin_injector(Sm *sm);
// Reports the instruction to mechanisms (SmContext.watched).
void sm_watch_issue(Sm *sm, Warp *w, const IssuedInstruction *issued);

// ---- memory_instruction.c ----

// Sends the operation, an access to these addresses, to the load/store unit. `w`: its warp, or the
// first of its group. more: as in operands_schedule.
IssueOutcome sm_send_memory(Sm *sm, Warp *w, MemoryOp *op, uint32_t index,
                            const uint64_t *addresses, unsigned allocation,
                            const FurtherEntries *more);

// Computes the values of an access to memory, but for results that the memory side computes. false:
// a fault.
bool sm_access_values(Sm *sm, Warp *w, const UOp *op, const ResolvedAccess *access);
// Issues a memory instruction of the lanes in *lanes, and sets *lanes to the lanes that issued it.
IssueOutcome sm_issue_memory(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes);
// As sm_issue, if Operands.plain and Issue.simple, for a memory instruction.
IssueOutcome sm_issue_access(Sm *sm, Warp *w, const UOp *op);

// ---- writeback.c ----

// An instruction is done. `waits`: the warp may wait for it.
static inline void sm_commit(Sm *sm, Warp *w, bool waits)
{
    sm->context.count.sm.committed++;
    if (!w->flags.live) sm_check_warp_end(sm, w);
    else if (waits) warp_classify_here(&sm->issue, &sm->context, w);
}
static inline void sm_write_results(Sm *sm, Warp *w, const UOpTiming *timing)
{
    scoreboard_release(w, timing);
    operands_write(&sm->operands, &sm->context, w, timing);
}
// sm_write_back for a warp in WARP_MEMORY, or with a trace.
void sm_write_back_counted(Sm *sm, Warp *w, const UOpTiming *timing, uint32_t pc);
// The result of an instruction (not of a load) is written. pc: its static number.
static inline void sm_write_back(Sm *sm, Warp *w, const UOpTiming *timing, uint32_t pc)
{
    if (sm->context.trace || w->issue.state == WARP_MEMORY) {
        sm_write_back_counted(sm, w, timing, pc);
        return;
    }
    sm_write_results(sm, w, timing);
    sm_commit(sm, w, w->issue.state == WARP_DEPENDENCY);
}
// The results of an issue group in flight are written.
void sm_write_back_group(Sm *sm, uint32_t group);
// The result of the micro-op that writes this row of the warp's spare registers is written.
void sm_write_back_injected(Sm *sm, Warp *w, uint32_t row);
// sm_answer for the last access of an operation, for an issue group, or with a trace.
void sm_answer_any(Sm *sm, MemoryOp *op, uint32_t token, MemLevel level, bool last);
// One access of an in-flight memory operation is complete. Most are not the last one.
static inline void sm_answer(Sm *sm, uint32_t token, MemLevel level)
{
    MemoryOp *op = &sm->lsu.ops.items[token_op(token)];
    bool last = memory_op_answer(op, level, 1);
    if (last || sm->context.trace || memory_op_is_group(op))
        sm_answer_any(sm, op, token, level, last);
}
// The L1D has answered `count` accesses of an operation, from the one of this token on.
static inline void sm_answer_hits(Sm *sm, uint32_t token, unsigned count)
{
    MemoryOp *op = &sm->lsu.ops.items[token_op(token)];
    if (__builtin_expect(sm->context.trace || memory_op_is_group(op), 0))
        for (; count--; token += access_token(0, 1)) sm_answer(sm, token, LEVEL_L1);
    else if (memory_op_answer(op, LEVEL_L1, count))
        sm_answer_any(sm, op, token, LEVEL_L1, true);
}
// A reply has arrived from the network.
void sm_deliver(Sm *sm, const MemReply *reply);
// Data for a request at the L1.5 arrive at its first-level cache. level: that has answered.
void sm_deliver_l15(Sm *sm, uint32_t waiter, MemLevel level);

// ---- system_calls.c ----

// Executes a UOP_SYSTEM. false: a fault.
bool sm_system_call(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
void system_calls_free(SystemCalls *system);

#endif
