// A group of slices and channels: its life, and its events in the order of time.
#include "memory/memory_group.h"
#include "base/memory.h"

#include <string.h>

static Tick sooner(Tick a, Tick b) { return a < b ? a : b; }

// The tick of the group's next event, by what is known of each slice and channel.
static Tick find_next(const MemoryGroup *group)
{
    Tick next = TICK_NEVER;
    for (unsigned i = 0; i < group->channel_count; i++) next = sooner(next, group->channel_due[i]);
    for (unsigned i = 0; i < group->slice_count; i++) next = sooner(next, group->due[i].soonest);
    return next;
}

// ---- life ----

bool memory_group_build(MemoryGroup *group, const SliceContext *context, HdTables *tables,
                        SliceDue *due, Tick *next, size_t *open, unsigned number, unsigned groups,
                        uint64_t seed, HdError *err)
{
    const DramConfig *dram = context->config.dram;
    group->context = context;
    group->number = number;
    group->channel_count = dram->channels / groups;
    group->slice_count = context->config.slice->count / groups;
    unsigned first_slice = number * group->slice_count;
    group->first_channel = number * group->channel_count;
    group->channels = context->channels + group->first_channel;
    group->slices = context->slices + first_slice;
    group->due = due + first_slice;
    group->channel_due = context->channel_due + group->first_channel;
    group->next = next;
    group->open = open;
    for (unsigned i = 0; i < group->channel_count; i++) {
        group->channels[i] = channel_new(dram, &context->map, context->config.l2->sector, tables);
        if (!group->channels[i]) return hd_fail_memory(err, "building a DRAM channel");
        slice_note_channel(context, group->first_channel + i);
    }
    for (unsigned i = 0; i < group->slice_count; i++) {
        group->due[i].group = next;
        group->slices[i] = slice_new(context, first_slice + i, number, tables, &group->counts,
                                     &group->due[i], seed, err);
        if (!group->slices[i]) return false;
    }
    *next = find_next(group);
    return true;
}

void memory_group_free(MemoryGroup *group)
{
    for (unsigned i = 0; i < group->slice_count; i++) slice_free(group->slices[i]);
    hd_pages_free(group->counts.arrays, group->counts.array_count * sizeof *group->counts.arrays);
    hd_pages_free(group->counts.pcs, group->counts.pc_count * sizeof *group->counts.pcs);
}

// Most rows of most groups stay empty: the host provides their pages on first use.
static bool enlarge(AccessCounters **rows, size_t *count, size_t wanted)
{
    if (wanted <= *count) return true;
    AccessCounters *larger = hd_pages_new(wanted * sizeof *larger);
    if (!larger) return false;
    if (*count) memcpy(larger, *rows, *count * sizeof *larger);
    hd_pages_free(*rows, *count * sizeof *larger);
    *rows = larger;
    *count = wanted;
    return true;
}

bool memory_group_resize(MemoryGroup *group, size_t arrays, size_t pcs)
{
    GroupCounts *counts = &group->counts;
    return enlarge(&counts->arrays, &counts->array_count, arrays) &&
           enlarge(&counts->pcs, &counts->pc_count, pcs);
}

// ---- time ----

static Tick slice_soonest(const SliceDue *due)
{
    return sooner(sooner(due->in, due->act), sooner(due->unit, due->out));
}

static void run_channel(MemoryGroup *group, unsigned at, Tick now)
{
    const Clocks *clocks = &group->context->clocks;
    Channel *channel = group->channels[at];
    unsigned number = group->first_channel + at;
    const DramDone *done;
    unsigned count = channel_cycle(channel, channel_next(channel), &done);
    slice_note_channel(group->context, number);
    for (unsigned i = 0; i < count; i++)
        slice_on_dram_done(group->context->slices[done[i].request.slice], number, &done[i],
                           clock_tick(clocks, CLOCK_DRAM, done[i].cycle));
    for (unsigned i = 0; count && i < group->slice_count; i++)
        slice_on_channel_freed(group->slices[i], number, now);
}

// Runs what is due at `now`, the tick of the next event. What this makes due at `now` as well is of
// the same slices or channels. The slices take turns at being first. Returns the tick of the event
// after this one. *ok becomes false if a slice is out of memory.
static Tick run_tick(MemoryGroup *group, Tick now, bool *ok)
{
    SliceDue *due = group->due;
    uint64_t cycle = clock_cycle(&group->context->clocks, CLOCK_L2, now);
    unsigned count = group->slice_count;
    unsigned turn = count & (count - 1) ? (unsigned)(cycle % count) : cycle & (count - 1);
    for (unsigned i = 0; i < count; i++) {
        if (due[turn].act <= now && !slice_cycle(group->slices[turn], cycle)) *ok = false;
        if (++turn == count) turn = 0;
    }
    // What units send arrives in the next cycle, so their order does not matter.
    for (unsigned i = 0; group->context->units && i < count; i++)
        if (due[i].unit <= now && !slice_unit_cycle(group->slices[i], cycle)) *ok = false;
    Tick next = TICK_NEVER;
    for (unsigned i = 0; i < group->channel_count; i++) {
        if (group->channel_due[i] <= now) run_channel(group, i, now);
        next = sooner(next, group->channel_due[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        if (due[i].soonest <= now) {
            if (due[i].out <= now) slice_send_out(group->slices[i], now);
            due[i].soonest = slice_soonest(&due[i]);
        }
        next = sooner(next, due[i].soonest);
    }
    return next;
}

void memory_group_take(MemoryGroup *group)
{
    const SliceContext *context = group->context;
    Transit *request, *next;
    while ((request = post_take(&context->exchange->requests, group->number)))
        for (; request; request = next, group->requests++) {
            next = request->next;
            slice_add(context->slices[request->packet->request.owner - 1u], request);
        }
}

bool memory_group_run(MemoryGroup *group, Tick until)
{
    bool ok = true;
    for (unsigned i = 0; i < group->slice_count; i++) {
        if (group->due[i].in >= until) continue;
        slice_pass_in(group->slices[i], until);
        group->due[i].soonest = slice_soonest(&group->due[i]);
    }
    Tick now = find_next(group);
    while (now < until && ok) now = run_tick(group, now, &ok);
    *group->next = now;
    group->requests -= group->counts.finished;
    group->counts.finished = 0;
    size_t background = 0;
    for (unsigned i = 0; i < group->slice_count; i++)
        background += slice_background_count(group->slices[i]);
    *group->open = group->requests + background;
    return ok;
}
