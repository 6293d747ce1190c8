// From a slice's miss queue to the DRAM channel that owns the address, and from the channel's
// return queue to the fill.
#include "base/bits.h"
#include "memory/slice/slice_internal.h"

// ---- miss queue and pipe ----

// A miss enters the pipe one cycle after it came at the earliest, one in each cycle, and is in it
// for slice.miss_latency cycles. That is known beforehand, so no cycle is run for it: the misses
// are moved in the next cycle of the slice.

static uint64_t entry_of(const Slice *slice, const Miss *miss)
{
    uint64_t entry = miss->time.due + 1;
    if (entry <= slice->last_entry) entry = slice->last_entry + 1;
    return entry > slice->pipe_since ? entry : slice->pipe_since;
}

uint64_t slice_next_entry(const Slice *slice)
{
    const Link *misses = &slice->links[LINK_MISSES];
    if (slice->piped == misses->count || slice->piped == slice->pipe_length) return CYCLE_NEVER;
    return entry_of(slice, link_at(misses, slice->piped));
}

bool slice_enter_pipe_further(Slice *slice, uint64_t cycle)
{
    const Link *misses = &slice->links[LINK_MISSES];
    uint32_t before = slice->piped;
    while (slice->piped < misses->count && slice->piped < slice->pipe_length) {
        Miss *miss = link_at(misses, slice->piped);
        uint64_t entry = entry_of(slice, miss);
        if (entry > cycle) break;
        miss->time.due = entry + slice->pipe_length;
        slice->last_entry = entry;
        slice->piped++;
    }
    return slice->piped > before;
}

// When the oldest miss can leave the pipe.
static uint64_t send_due(const Slice *slice)
{
    if (slice->piped) return link_due(&slice->links[LINK_MISSES]);
    uint64_t entry = slice_next_entry(slice);
    return entry == CYCLE_NEVER ? CYCLE_NEVER : entry + slice->pipe_length;
}

void slice_push_miss(Slice *slice, const Miss *miss)
{
    Link *misses = &slice->links[LINK_MISSES];
    Miss *queued = link_push(misses);
    *queued = *miss;
    queued->time.due = slice->last;
    queued->below = address_map_channel(&slice->context->map,
                                        (SliceAddress){slice->number, miss->line});
    if (miss->background) slice->background += (unsigned)__builtin_popcount(miss->lookups);
    if (misses->count == 1) slice->at[STAGE_SEND] = send_due(slice);
}

static bool fetches(const Miss *miss, uint64_t address, uint8_t sectors)
{
    return !miss->write && miss->line == address && (!sectors || miss->sectors & sectors);
}

void slice_promote(Slice *slice, uint64_t address, uint8_t sectors, uint64_t cycle)
{
    const Link *misses = &slice->links[LINK_MISSES];
    for (uint32_t i = 0; i < misses->count; i++) {
        Miss *miss = link_at(misses, i);
        if (fetches(miss, address, sectors)) miss->speculative = false;
    }
    const SliceContext *context = slice->context;
    ChannelAddress below =
        address_map_channel(&context->map, (SliceAddress){slice->number, address});
    Tick now = slice_tick(slice, cycle);
    channel_promote(context->channels[below.channel], slice->number, below.address, sectors,
                    clock_cycle(&context->clocks, CLOCK_DRAM, now));
    slice_note_channel(context, below.channel);
}

bool slice_send_owed_write(Slice *slice, uint64_t cycle)
{
    Link *owed = &slice->links[LINK_OWED];
    slice->at[STAGE_OWED] = CYCLE_NEVER; // until the miss queue has room
    if (slice_miss_queue_full(slice)) return false;
    const Owed *oldest = link_head(owed);
    slice->background--; // slice_push_miss counts the write again
    slice_push_miss(slice, &(Miss){.line = oldest->line, .lookups = 1, .write = true,
                                   .background = true, .shadow = oldest->shadow});
    link_pop(owed);
    if (owed->count) slice->at[STAGE_OWED] = cycle + 1;
    return true;
}

// ---- channels ----

void slice_send_to_channel(Slice *slice, uint64_t cycle)
{
    Link *misses = &slice->links[LINK_MISSES];
    slice_enter_pipe(slice, cycle - 1); // those of this cycle enter behind this stage
    slice->at[STAGE_SEND] = send_due(slice);
    if (!slice->piped || slice->at[STAGE_SEND] > cycle) return;
    Miss *miss = link_head(misses);
    const SliceContext *context = slice->context;
    Channel *channel = context->channels[miss->below.channel];
    uint64_t offset = (unsigned)__builtin_ctz(miss->lookups) * context->lookup_bytes;
    if (miss->sectors) offset = lanes_first(miss->sectors) * SECTOR_BYTES;
    uint64_t address = miss->below.address + offset;
    if (channel_full(channel, address)) {
        if (slice->channel_stall_since == CYCLE_NEVER) slice->channel_stall_since = cycle;
        slice->at[STAGE_SEND] = CYCLE_NEVER; // slice_on_channel_freed
        if (!slice->ranks || !context->config.dram->drop_prefetches) return;
        channel_make_room(channel, address,
                          clock_cycle(&context->clocks, CLOCK_DRAM, slice_tick(slice, cycle)));
        slice_note_channel(context, miss->below.channel);
        return;
    }
    if (slice->channel_stall_since != CYCLE_NEVER)
        slice->stall_queue += cycle - slice->channel_stall_since;
    slice->channel_stall_since = CYCLE_NEVER;
    DramRequest request = {.address = address,
                           .slice_address = miss->line + offset,
                           .slice = (uint16_t)slice->number,
                           .sectors = miss->sectors,
                           .write = miss->write,
                           .background = miss->background,
                           .speculative = miss->speculative,
                           .prefetcher = miss->prefetcher,
                           .shadow = miss->shadow};
    Tick now = slice_tick(slice, cycle);
    channel_push(channel, &request, clock_cycle(&context->clocks, CLOCK_DRAM, now));
    slice_note_channel(context, miss->below.channel);
    miss->lookups &= miss->lookups - 1;
    if (!miss->lookups) {
        if (slice->piped == slice->pipe_length) slice->pipe_since = cycle;
        link_pop(misses);
        slice->piped--;
    }
    uint64_t due = send_due(slice);
    slice->at[STAGE_SEND] = due > cycle ? due : cycle + 1;
}

// The slice learns of it on the way that the data would have taken.
__attribute__((noinline, cold)) static void
on_dropped(Slice *slice, unsigned channel, const DramRequest *request, uint64_t cycle)
{
    Link *returned = &slice->links[LINK_RETURNED];
    cache_drop_fetch(slice->controller.cache, request->slice_address); // which is speculative
    if (returned->count) { // behind data that are still being read
        const LinkTime *newest = link_at(returned, returned->count - 1);
        cycle = larger(cycle, newest->due);
    }
    *(Returned *)link_push(returned) = (Returned){.time = {cycle},
                                                  .address = request->slice_address,
                                                  .channel = (uint16_t)channel,
                                                  .sectors = request->sectors,
                                                  .background = request->background,
                                                  .dropped = true};
    if (!link_full(&slice->links[LINK_FILLS])) slice_wake(slice, STAGE_RETURN, cycle);
}

void slice_on_dram_done(Slice *slice, unsigned channel, const DramDone *done, Tick tick)
{
    if (done->request.write) {
        slice->background--;
        shadow_dram_write(slice, &done->request);
        return;
    }
    uint64_t cycle = clock_cycle(&slice->context->clocks, CLOCK_L2, tick + 1);
    if (done->dropped) {
        on_dropped(slice, channel, &done->request, cycle);
        return;
    }
    *(Returned *)link_push(&slice->links[LINK_RETURNED]) =
        (Returned){.time = {cycle},
                   .address = done->request.slice_address,
                   .channel = (uint16_t)channel,
                   .sectors = done->request.sectors,
                   .background = done->request.background,
                   .shadow = shadow_dram_read(slice, &done->request)};
    if (!link_full(&slice->links[LINK_FILLS])) slice_wake(slice, STAGE_RETURN, cycle);
}

void slice_take_returned(Slice *slice, uint64_t cycle)
{
    Link *from = &slice->links[LINK_RETURNED], *fills = &slice->links[LINK_FILLS];
    slice->at[STAGE_RETURN] = CYCLE_NEVER;
    if (!from->count || link_full(fills)) return; // the next fill makes room
    slice->at[STAGE_RETURN] = link_due(from);
    if (link_due(from) > cycle) return;
    const Returned *returned = link_head(from);
    uint64_t filled = cycle + slice->context->config.slice->fill_latency;
    *(Fill *)link_push(fills) = (Fill){.time = {filled},
                                       .address = returned->address,
                                       .sectors = returned->sectors,
                                       .background = returned->background,
                                       .dropped = returned->dropped,
                                       .shadow = returned->shadow};
    if (fills->count == 1)
        slice->at[STAGE_FILL] = filled > slice->fill_free ? filled : slice->fill_free;
    if (!returned->dropped) {
        channel_taken(slice->context->channels[returned->channel],
                      clock_cycle(&slice->context->clocks, CLOCK_DRAM, slice_tick(slice, cycle)));
        slice_note_channel(slice->context, returned->channel);
    }
    link_pop(from);
    uint64_t next = link_full(fills) ? CYCLE_NEVER : link_due(from);
    slice->at[STAGE_RETURN] = next > cycle ? next : cycle + 1;
}
