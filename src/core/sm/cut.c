// A launch that is cut: the SM stops issuing, completes what has issued, and then computes the rest
// functionally.
#include "core/sm/pipeline.h"

uint64_t sm_thread_instructions(const Sm *sm)
{
    uint64_t sum = 0;
    for (unsigned lanes = 1; lanes <= HD_MAX_LANES; lanes++)
        sum += lanes * sm->context.count.lanes[lanes];
    return sum;
}

void sm_stop_issue(Sm *sm)
{
    sm->stopped = true;
    sm->blocks.block_limit = 0; // no block starts
}

// Whether the warp has started and not ended. A warp that has exited may have memory operations in
// flight, or wait for the fetch stage (core.warp_exit).
static bool is_resident(const Sm *sm, const Warp *w)
{
    return w->block->live &&
           (w->flags.live || w->scoreboard.count || w->memory.loads || w->memory.stores ||
            w->memory.atomics || warpset_has(&sm->frontend.fetch_wanted, w->id));
}

void sm_count_waits(Sm *sm, uint64_t end)
{
    SmContext *context = &sm->context;
    uint64_t now = context->now;
    context->now = end;
    for (unsigned i = 0; i < sm->blocks.warp_slots; i++) {
        Warp *w = &sm->blocks.warps[i];
        if (!is_resident(sm, w)) continue;
        bool barrier = w->flags.at_barrier && !w->splits; // its pc is the next instruction
        warp_count_wait(context, w, w->pc_base + (barrier ? w->barrier.pc : w->pc));
    }
    context->now = now;
}

void sm_begin_functional(Sm *sm, uint64_t now)
{
    SmContext *context = &sm->context;
    context->now = now;
    sm->stopped = false;
    sm->blocks.block_limit = sm->blocks.block_slots;
    frontend_abandon(&sm->frontend, context, &sm->blocks);
    issue_abandon(&sm->issue, context);
    for (unsigned i = 0; sm->injector && i < sm->blocks.warp_slots; i++) {
        Warp *w = &sm->blocks.warps[i];
        if (!injector_is_active(w)) continue;
        w->injector->count = 0; // they change no value of the program
        w->injector->moves = false;
        injector_rest(w);
    }
    // %clock and %globaltimer, which count instructions from now on, do not go back.
    uint64_t clock = now + context->launch->device_time;
    double nanoseconds = (double)clock * context->launch->nanoseconds_per_cycle;
    if (nanoseconds > (double)clock) clock = (uint64_t)nanoseconds;
    if (sm->functional_steps < clock) sm->functional_steps = clock;
    sm->functional_begin = sm->functional_steps;
}
