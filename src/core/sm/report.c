// Reports of an SM: whether it is idle, entries left by a launch, and the state of its warps.
#include "core/sm/pipeline.h"

#include "core/execute/splits.h"

#include <stdio.h>

bool sm_idle(Sm *sm)
{
    if (blocks_any(&sm->blocks) || !wheel_is_empty(&sm->context.wheel) || sm->port.queued.count ||
        sm->lsu.ops.live || sm->l1d.writebacks_out || cache_mshr_used(sm->frontend.l1i.cache) ||
        cache_mshr_used(sm->l1d.controller.cache))
        return false;
    port_look(&sm->port, &sm->context);
    return !sm->port.arrivals.count;
}

const char *sm_leftover(const Sm *sm)
{
    const InstructionStore *store = &sm->frontend.istore;
    bool store_used = false;
    for (uint32_t i = 0; store->entries && i < store->sets * store->ways; i++)
        store_used |= store->entries[i].references || store->entries[i].claim;
    bool injected = false, held = sm->l1d.hold && sm->l1d.hold->seen.held;
    for (unsigned i = 0; i < sm->blocks.warp_slots; i++) {
        injected |= injector_is_active(&sm->blocks.warps[i]);
        held |= sm->blocks.warps[i].memory.held;
    }
    const struct {
        bool left;
        const char *what;
    } places[] = {
        {blocks_any(&sm->blocks), "blocks"},
        {sm->blocks.warps_live, "warps"},
        {injected, "micro-ops of mechanisms"},
        {waves_left(&sm->issue.waves), "waves of scalar instructions"},
        {sm->groups.live, "issue groups in flight"},
        {!wheel_is_empty(&sm->context.wheel), "events"},
        {sm->operands.memory_taken, "memory instructions in front of the load/store unit"},
        {sm->lsu.count || sm->lsu.current, "memory instructions in the load/store unit"},
        {sm->l1d.count, "accesses in the L1D's pipeline"},
        {held, "accesses at a mechanism's hold point"},
        {sm->lsu.ops.live, "memory instructions without an answer"},
        {cache_mshr_used(sm->l1d.controller.cache), "MSHR entries of the L1D"},
        {cache_mshr_used(sm->frontend.l1i.cache), "MSHR entries of the L1I"},
        {cache_mshr_used(sm->lsu.l1c.cache), "MSHR entries of the L1C"},
        {cache_mshr_used(sm->lsu.l1r.cache), "MSHR entries of the L1R"},
        {sm->l1d.controller.misses.count || sm->l1d.refetches.count || sm->lsu.bypass.count,
         "requests of the load/store unit"},
        {sm->frontend.l1i.misses.count || sm->lsu.l1c.misses.count || sm->lsu.l1r.misses.count,
         "requests for instructions, constants or read-only data"},
        {sm->l15.on && (cache_mshr_used(sm->l15.controller.cache) || sm->l15.queued.count ||
                        sm->l15.controller.misses.count),
         "requests at the L1.5"},
        {sm->l1d.writebacks_out, "write-backs without an acknowledgement"},
        {sm->l1d.clean_victims.count, "copy-backs"},
        {port_has_sent(&sm->port, sm->context.id), "requests that the memory side has not taken"},
        {sm->port.arrivals.count, "replies that were not taken"},
        {sm->port.pool.used, "packets"},
        {!store_log_empty(sm->context.log), "stores that memory has not taken"},
        {store_used, "references into the instruction store"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].left) return places[i].what;
    return NULL;
}

// ---- the deadlock report ----

void sm_describe(const Sm *sm, char *text, size_t size)
{
    static const char *const states[] = {"exited, memory operations in flight",
                                         "ready",
                                         "waits for a load or atomic",
                                         "waits for a result",
                                         "waits for instruction fetch",
                                         "blocked at a barrier or fence",
                                         "throttled by a mechanism",
                                         "waits for an entry of the table of waves"};
    size_t at = 0;
    text[0] = 0;
    for (unsigned i = 0; i < sm->blocks.warp_slots && at + 1 < size; i++) {
        const Warp *w = &sm->blocks.warps[i];
        const Block *block = w->block;
        if (!block->live || (!w->flags.live && !w->memory.loads && !w->memory.stores &&
                             !w->memory.atomics))
            continue;
        const uint32_t *b = block->exec.index;
        if (w->flags.live && w->splits) {
            char who[128];
            snprintf(who, sizeof who, "  SM %u, block (%u,%u,%u), warp %u", sm->context.id, b[0],
                     b[1], b[2], w->exec.warp_in_block);
            at += splits_describe(w, sm->context.launch->module, who, text + at, size - at);
            continue;
        }
        // The pc of a warp at a barrier is the next instruction.
        bool barrier = w->flags.at_barrier && w->barrier.number < BLOCK_BARRIERS;
        uint32_t pc = barrier ? w->barrier.pc : w->pc;
        // In a functional launch there is nothing else to wait for.
        bool ready = sm->context.functional && !w->flags.at_barrier;
        WarpState state = ready ? WARP_READY : w->issue.state;
        char line[FAULT_LINE];
        fault_line(sm->context.launch->module, &w->timing[pc], line);
        int n = w->flags.live
                    ? snprintf(text + at, size - at,
                               "  SM %u, block (%u,%u,%u), warp %u: %s at line %s, lanes %08x\n",
                               sm->context.id, b[0], b[1], b[2], w->exec.warp_in_block,
                               states[state], line, w->exec.active)
                    : snprintf(text + at, size - at, "  SM %u, block (%u,%u,%u), warp %u: %s\n",
                               sm->context.id, b[0], b[1], b[2], w->exec.warp_in_block, states[0]);
        at += n > 0 ? (size_t)n : 0;
    }
}

bool sm_diverged(const Sm *sm)
{
    for (unsigned i = 0; i < sm->blocks.warp_slots; i++) {
        const Warp *w = &sm->blocks.warps[i];
        if (w->block->live && w->flags.live && !w->splits && w->stack.depth > 1) return true;
    }
    return false;
}
