// From a slice's miss queue to its DRAM channel, and from the channel's return queue to the fill.
#include "memory/slice_internal.h"

void slice_push_miss(Slice *slice, const Miss *miss)
{
    slice->misses[ring_push(&slice->miss_ring)] = *miss;
    if (miss->background) slice->background += (unsigned)__builtin_popcount(miss->units);
}

bool slice_enter_pipe(Slice *slice, uint64_t cycle)
{
    if (!slice->miss_ring.count || slice->pipe_ring.count == slice->pipe_length) return false;
    Miss miss = slice->misses[slice->miss_ring.head];
    ring_pop(&slice->miss_ring);
    miss.cycle = cycle + slice->context->config.slice->miss_latency;
    slice->pipe[ring_push(&slice->pipe_ring)] = miss;
    return true;
}

void slice_offer(Slice *slice, uint64_t cycle)
{
    Miss *miss = &slice->pipe[slice->pipe_ring.head];
    if (!slice->pipe_ring.count || miss->cycle > cycle) return;
    if (channel_full(slice->channel)) {
        if (slice->queue_since == CYCLE_NEVER) slice->queue_since = cycle;
        return;
    }
    if (slice->queue_since != CYCLE_NEVER) slice->refused_queue += cycle - slice->queue_since;
    slice->queue_since = CYCLE_NEVER;
    const SliceContext *context = slice->context;
    unsigned unit = (unsigned)__builtin_ctz(miss->units);
    uint64_t address = miss->line + unit * context->config.l2->sector;
    DramRequest request = {
        .address = address_map_channel(&context->map, (SliceAddress){slice->number, address}),
        .slice_address = address,
        .slice = slice->in_channel,
        .write = miss->write,
        .background = miss->background};
    Tick now = slice_tick(slice, cycle);
    channel_push(slice->channel, &request, clock_cycle(&context->clocks, CLOCK_DRAM, now));
    miss->units &= miss->units - 1;
    if (!miss->units) ring_pop(&slice->pipe_ring);
}

void slice_done(Slice *slice, const DramDone *done, Tick tick)
{
    if (done->request.write) {
        slice->background--;
        return;
    }
    slice->returned[ring_push(&slice->returned_ring)] =
        (Returned){done->request.slice_address, tick, done->request.background};
    slice_wake(slice, clock_cycle(&slice->context->clocks, CLOCK_L2, tick + 1));
}

void slice_take_returned(Slice *slice, uint64_t cycle)
{
    if (!slice->returned_ring.count || slice->fill_ring.count == slice->fill_length) return;
    const Returned *returned = &slice->returned[slice->returned_ring.head];
    Tick now = slice_tick(slice, cycle);
    if (returned->tick >= now) return;
    uint64_t filled = cycle + slice->context->config.slice->fill_latency;
    slice->fills[ring_push(&slice->fill_ring)] =
        (Fill){returned->address, filled, returned->background};
    ring_pop(&slice->returned_ring);
    channel_taken(slice->channel, clock_cycle(&slice->context->clocks, CLOCK_DRAM, now));
}
