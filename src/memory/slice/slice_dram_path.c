// From a slice's miss queue to the DRAM channel that owns the address, and from the channel's
// return queue to the fill.
#include "memory/slice/slice_internal.h"

void slice_push_miss(Slice *slice, const Miss *miss)
{
    Miss *queued = &slice->misses[ring_push(&slice->miss_ring)];
    *queued = *miss;
    queued->below = address_map_channel(&slice->context->map,
                                        (SliceAddress){slice->number, miss->line});
    if (miss->background) slice->background += (unsigned)__builtin_popcount(miss->units);
}

bool slice_send_owed_write(Slice *slice)
{
    if (slice->miss_ring.count == slice->context->config.l2->miss_queue) return false;
    Owed owed = slice->owed[slice->owed_ring.head];
    ring_pop(&slice->owed_ring);
    slice->background--; // slice_push_miss counts the write again
    slice_push_miss(slice, &(Miss){.line = owed.unit, .units = 1, .write = true,
                                   .background = true, .shadow = owed.shadow});
    return true;
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

void slice_send_to_channel(Slice *slice, uint64_t cycle)
{
    Miss *miss = &slice->pipe[slice->pipe_ring.head];
    if (!slice->pipe_ring.count || miss->cycle > cycle) return;
    const SliceContext *context = slice->context;
    Channel *channel = context->channels[miss->below.channel];
    if (channel_full(channel)) {
        if (slice->channel_stall_since == CYCLE_NEVER) slice->channel_stall_since = cycle;
        return;
    }
    if (slice->channel_stall_since != CYCLE_NEVER)
        slice->stall_queue += cycle - slice->channel_stall_since;
    slice->channel_stall_since = CYCLE_NEVER;
    uint64_t offset = (unsigned)__builtin_ctz(miss->units) * context->unit;
    if (miss->sectors) offset = lanes_first(miss->sectors) * SECTOR_BYTES;
    DramRequest request = {.address = miss->below.address + offset,
                           .slice_address = miss->line + offset,
                           .slice = (uint16_t)slice->number,
                           .sectors = miss->sectors,
                           .write = miss->write,
                           .background = miss->background,
                           .prefetcher = miss->prefetcher,
                           .shadow = miss->shadow};
    Tick now = slice_tick(slice, cycle);
    channel_push(channel, &request, clock_cycle(&context->clocks, CLOCK_DRAM, now));
    slice_note_channel(context, miss->below.channel);
    miss->units &= miss->units - 1;
    if (!miss->units) ring_pop(&slice->pipe_ring);
}

void slice_on_dram_done(Slice *slice, unsigned channel, const DramDone *done, Tick tick)
{
    if (done->request.write) {
        slice->background--;
        shadow_dram_write(slice, &done->request);
        return;
    }
    slice->returned[ring_push(&slice->returned_ring)] =
        (Returned){.address = done->request.slice_address,
                   .tick = tick,
                   .channel = (uint16_t)channel,
                   .sectors = done->request.sectors,
                   .background = done->request.background,
                   .shadow = shadow_dram_read(slice, &done->request)};
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
        (Fill){.address = returned->address,
               .cycle = filled,
               .sectors = returned->sectors,
               .background = returned->background,
               .shadow = returned->shadow};
    channel_taken(slice->context->channels[returned->channel],
                  clock_cycle(&slice->context->clocks, CLOCK_DRAM, now));
    slice_note_channel(slice->context, returned->channel);
    ring_pop(&slice->returned_ring);
}
