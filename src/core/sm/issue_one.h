// The parts of an instruction's issue that are built into each function that issues.
#ifndef HEDDLE_CORE_SM_ISSUE_ONE_H
#define HEDDLE_CORE_SM_ISSUE_ONE_H

#include "core/execute/splits.h"
#include "core/issue/classify.h"
#include "core/issue/pick.h"
#include "core/operands/operands.h"
#include "core/sm/pipeline.h"

// Issues the next instruction of a warp, a micro-op or an instruction of the program.
static inline IssueOutcome issue_warp(Sm *sm, Warp *w)
{
    if (injector_is_active(w)) return sm_issue_injected(sm, w);
    SmTrace *trace = trace_of(&sm->context, w->id);
    return trace ? sm_issue_traced(sm, w, trace) : sm_issue(sm, w);
}

// With frontend.flush = scheduler, a warp drops what is behind its taken branch at once.
ALWAYS_INLINE void flush_issued(Sm *sm, Warp *w)
{
    if (sm->context.config.frontend->flush == FLUSH_SCHEDULER &&
        w->issue.sets->stale & w->issue.bit)
        sm_flush_stale(sm, w);
}

// Sets the scoreboard bits of the results until the write-back at `cycle`.
ALWAYS_INLINE bool book_results(SmContext *context, Warp *w, const UOpTiming *timing, uint32_t pc,
                                uint64_t cycle)
{
    if (__builtin_expect(!timing->write_count, 0)) {
        context->count.sm.committed++;
        return true;
    }
    scoreboard_book(w, timing);
    return wheel_set(&context->wheel, cycle, EVENT_WRITEBACK, w->id,
                     (EventPayload){.result = {timing, pc}}) ||
           sm_out_of_memory(context, "scheduling a write-back");
}

// The warp goes on after an instruction that has issued and run: counts, mechanisms, fetch.
// cycle: as in IssuedInstruction. usual: Issue.simple is set.
ALWAYS_INLINE IssueOutcome finish_issue(Sm *sm, Warp *w, const UOp *op, const UOpTiming *timing,
                                        uint32_t pc, LaneMask lanes, LaneMask active,
                                        uint64_t cycle, bool usual)
{
    SmContext *context = &sm->context;
    sm_count_instruction(context, pc, lanes);
    if (context->watched)
        sm_watch_issue(sm, w, &(IssuedInstruction){op, timing, pc, lanes, active, cycle});
    frontend_advance(&sm->frontend, context, w, pc);
    // Its scheduler has its turn: slots, and the warp's cycles, are counted up to this one.
    unsigned set = usual_set(&sm->issue, context, w, usual || sm->issue.simple);
    if (set == SET_UNKNOWN) {
        warp_classify_issued(&sm->issue, context, w);
        if (!w->flags.live && !sm_end_issued_warp(sm, w, cycle)) return ISSUE_FAILED;
    } else if (set != w->issue.set) {
        warp_place(w, set);
    }
    return context->failed ? ISSUE_FAILED : ISSUE_DONE;
}

#endif
