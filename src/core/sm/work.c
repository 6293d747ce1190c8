// The work of an SM and of its warps that mechanisms read.
#include "core/sm/pipeline.h"

#include "base/memory.h"

static HdWork of_sm(const Sm *sm)
{
    const SmContext *context = &sm->context;
    HdWork work = context->work[0];
    work.stalled += issue_stalled_slots(&sm->issue, context);
    return work;
}

void work_keep_stalls(Sm *sm)
{
    if (sm->context.work) sm->context.work[0] = of_sm(sm);
}

// A warp's own count of stalled cycles is the cycle of its start.
static HdWork read_work(const void *context, int slot)
{
    const Sm *sm = context;
    if (slot < 0) return of_sm(sm);
    HdWork work = sm->context.work[1 + slot];
    uint64_t lived = sm->context.now - work.stalled;
    work.stalled = lived > work.issued ? lived - work.issued : 0;
    return work;
}

bool work_attach(Sm *sm, HdError *err)
{
    const CoreConfig *core = sm->context.config.core;
    sm->context.work = hd_new(1 + core->threads / core->width, sizeof *sm->context.work);
    if (!sm->context.work) return hd_fail_memory(err, "attaching mechanisms");
    sm->hooks->sm.read_work = read_work;
    sm->hooks->sm.self = sm;
    return true;
}

void work_issue(SmContext *context, const Warp *w, LaneMask lanes, const UOpTiming *timing,
                uint64_t cycle)
{
    unsigned count = lanes_count(lanes);
    HdWork *const both[] = {&context->work[0], &context->work[1 + w->id]};
    for (unsigned i = 0; i < 2; i++) {
        both[i]->issued++;
        both[i]->issued_threads += count;
    }
    if (!cycle) return;
    if (!timing->write_count)
        work_commit(context, w, count);
    else if (!wheel_set(&context->wheel, cycle, EVENT_COMMIT, w->id,
                        (EventPayload){.commit = {count}}))
        sm_out_of_memory(context, "scheduling a commit");
}

void work_commit(SmContext *context, const Warp *w, unsigned lanes)
{
    HdWork *const both[] = {&context->work[0], &context->work[1 + w->id]};
    for (unsigned i = 0; i < 2; i++) {
        both[i]->committed++;
        both[i]->committed_threads += lanes;
    }
}
