// Adds the events of a traced warp to its trace. Each caller first obtains the trace by trace_of.
#ifndef HEDDLE_CORE_TRACE_WARP_H
#define HEDDLE_CORE_TRACE_WARP_H

#include "core/issue/issue_group.h"
#include "core/memory_op.h"
#include "exec/texture.h"
#include "memory/cache/controller.h"

// Returns the trace if it shows this warp in this cycle; otherwise NULL.
static inline SmTrace *trace_of(const SmContext *context, unsigned warp)
{
    SmTrace *t = context->trace;
    if (__builtin_expect(t == NULL, 1)) return NULL;
    uint64_t cycle = context->now - t->start;
    return warp == t->warp && cycle >= t->from && cycle <= t->to ? t : NULL;
}

// The trace, if it shows a warp of the operation.
SmTrace *trace_of_members(const SmContext *context, const MemoryOp *op);
static inline SmTrace *trace_of_op(const SmContext *context, const MemoryOp *op)
{
    return __builtin_expect(context->trace == NULL, 1) ? NULL : trace_of_members(context, op);
}

void trace_start(SmTrace *t, const SmContext *context, const Warp *w);
void trace_end(SmTrace *t, const SmContext *context);
// An instruction of these lanes, before it executes.
void trace_issue(SmTrace *t, const SmContext *context, const Warp *w, LaneMask lanes);
// The other members of the group that issues it.
void trace_group(SmTrace *t, const IssueGroup *group, unsigned member);
// The next instruction waits for an entry of the table of waves.
void trace_wave_table(SmTrace *t, const SmContext *context, const Warp *w);
// The warp goes on from its next instruction, which is in a wave.
void trace_goes_on(SmTrace *t, const SmContext *context, const Warp *w);
// A micro-op of a mechanism issues in these lanes, before the warp's next instruction. It repeats
// instruction `index` of the warp's function. trace_move: the next instruction, a load, issues as a
// move from a spare register.
void trace_injected(SmTrace *t, const SmContext *context, const Warp *w, uint32_t index,
                    LaneMask lanes);
void trace_move(SmTrace *t, unsigned spare);
// The state of a warp before an instruction.
typedef struct TraceBefore {
    const PtxFunction *function;
    ExecWarp exec; // locates its registers
    uint32_t index, splits;
} TraceBefore;
TraceBefore trace_before(const Warp *w);
// The results of an instruction of these lanes, after it has executed.
void trace_results(SmTrace *t, const Warp *w, const TraceBefore *before, LaneMask lanes);
void trace_access(SmTrace *t, const SmContext *context, const MemoryOp *op,
                  const uint64_t *addresses);
void trace_texture(SmTrace *t, const SmContext *context, const MemoryOp *op,
                   const TextureFetch *fetch);
void trace_engine(SmTrace *t, const MemoryOp *op);
// From now on the SM's trace shows the outcomes of accesses to this cache, whose users are
// operations: "L1D hit". Without a trace the cache is no longer watched. false and err: out of
// memory.
bool trace_watch_cache(SmContext *context, CacheController *cache, HdError *err);
void trace_answer(SmTrace *t, const SmContext *context, const MemoryOp *op, MemLevel level);
// The result of an instruction is written.
void trace_written(SmTrace *t, const SmContext *context, const UOpTiming *timing);
// The warp continues after a barrier or a sleep.
void trace_passed(SmTrace *t, const SmContext *context, const Warp *w);
// Independent threads. trace_woken: a blocked warp continues. trace_waits: the split waits for the
// lanes of its mask.
void trace_woken(SmTrace *t, const SmContext *context, const Warp *w);
void trace_waits(SmTrace *t, const SmContext *context, const Warp *w, const TraceBefore *before);

#endif
