// The block dispatcher: which SM gets which block, and when (docs/decisions/0002).
#include "gpu/gpu_internal.h"

void give_block(Gpu *gpu, LaunchState *s, unsigned sm)
{
    const LaunchConfig *config = &gpu->machine.launch;
    sm_queue_block(gpu->sms[sm], s->next_block++);
    gpu->stops[sm].waits = false;
    gpu->next[sm] = 0;
    if (config->round_robin == ROUND_ROBIN_CONTINUE || config->dispatch == DISPATCH_CYCLE)
        gpu->next_sm = sm + 1 < gpu->machine.gpu.sms ? sm + 1 : 0;
}

// Hands out blocks first to free block slots, one per SM and round, then to the SMs' queues while
// enough blocks are left for all SMs.
static void dispatch_ahead(Gpu *gpu, LaunchState *s)
{
    unsigned sms = gpu->active_sms, queue = gpu->machine.launch.queue;
    unsigned max = s->launch.blocks_per_sm + queue;
    for (unsigned held = 0; held < max && s->next_block < s->blocks; held++) {
        bool few = s->blocks - s->next_block < s->block_slots;
        if (few && held >= s->launch.blocks_per_sm) return;
        unsigned first = gpu->next_sm;
        for (unsigned i = 0; i < sms && s->next_block < s->blocks; i++) {
            unsigned sm = (first + i) % sms;
            if (sm_blocks_held(gpu->sms[sm]) != held) continue;
            unsigned limit = sm_block_limit(gpu->sms[sm]);
            if (held < limit || (!few && held < limit + queue)) give_block(gpu, s, sm);
        }
    }
}

// Answers the SMs that wait for a block in the earliest cycle in which one does, or all of them if
// no block is left. false: none waits. *later: the earliest cycle in which another SM waits;
// UINT64_MAX: none does.
static bool answer_earliest(Gpu *gpu, LaunchState *s, uint64_t *later)
{
    unsigned sms = gpu->active_sms, first = gpu->next_sm;
    uint64_t cycle = UINT64_MAX; // the earliest in which an SM has room
    *later = UINT64_MAX;
    for (unsigned i = 0; i < sms; i++)
        if (gpu->stops[i].waits && gpu->stops[i].now < cycle) cycle = gpu->stops[i].now;
    if (cycle == UINT64_MAX) return false;
    for (unsigned i = 0, sm = first; i < sms; i++, sm++) {
        if (sm == sms) sm = 0;
        SmStop *stop = &gpu->stops[sm];
        if (!stop->waits) continue;
        if (s->next_block == s->blocks) {
            sm_no_more_blocks(gpu->sms[sm]);
            stop->waits = false;
        } else if (stop->now == cycle) {
            give_block(gpu, s, sm);
        } else if (stop->now < *later) {
            *later = stop->now;
        }
    }
    return true;
}

// Puts the SMs that have to run up to gpu->until at the front of gpu->order. Returns their number.
static unsigned find_running(Gpu *gpu, uint64_t end)
{
    unsigned count = 0;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        const SmStop *stop = &gpu->stops[i];
        if (stop->waits || stop->now + 1 >= gpu->until || !gpu->outcomes[i].ok) continue;
        // Before the quantum's end, only SMs with an event have to.
        if (gpu->until == end || gpu->next[i] < gpu->until) gpu->order[count++] = i;
    }
    return count;
}

unsigned dispatch_cycle(Gpu *gpu, LaunchState *s, uint64_t end)
{
    if (gpu->machine.launch.dispatch != DISPATCH_CYCLE) return 0;
    unsigned count;
    do {
        uint64_t later;
        if (!answer_earliest(gpu, s, &later) && gpu->until == end) return 0;
        gpu->until = later < end ? later + 1 : end;
        count = find_running(gpu, end);
    } while (!count && gpu->until < end);
    return count;
}

void dispatch_quantum(Gpu *gpu, LaunchState *s)
{
    uint64_t later;
    if (gpu->machine.launch.dispatch == DISPATCH_CYCLE) answer_earliest(gpu, s, &later);
    else dispatch_ahead(gpu, s);
}
