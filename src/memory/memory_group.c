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
    for (unsigned i = 0; i < group->slice_count; i++) next = sooner(next, group->due[i].act);
    for (unsigned i = 0; group->context->units && i < group->slice_count; i++)
        next = sooner(next, group->due[i].unit);
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

static bool may_run_alone(const MemoryGroup *group, unsigned slice, uint64_t cycle)
{
    if (!slice_alone(group->slices[slice], cycle)) return false;
    for (unsigned i = 0; i < group->channel_count; i++)
        if (channel_return_full(group->channels[i])) return false;
    return true;
}

// Runs each slice up to the first cycle that concerns another one or a channel. What a slice does
// before changes nothing for the others, so it need not wait for them. It has to wait for what the
// channels do for it; another slice can hasten that only if a return queue is full. Returns the
// tick of the next event; not before `until`: no other is sooner.
static Tick run_alone(MemoryGroup *group, Tick until, bool *ok)
{
    const Clocks *clocks = &group->context->clocks;
    for (unsigned i = 0; i < group->channel_count; i++)
        until = sooner(until, group->channel_due[i]);
    Tick next = until;
    for (unsigned i = 0; i < group->slice_count; i++) {
        SliceDue *due = &group->due[i];
        if (due->act < until) {
            uint64_t cycle = clock_cycle(clocks, CLOCK_L2, due->act);
            if (may_run_alone(group, i, cycle))
                *ok = slice_run(group->slices[i], cycle, clock_cycle(clocks, CLOCK_L2, until)) &&
                      *ok;
            next = sooner(next, due->act);
        }
        if (group->context->units) next = sooner(next, due->unit);
    }
    return next;
}

// Runs the slices from `from` to `to` that are due at `now`, in which `cycle` begins.
static void run_slices(MemoryGroup *group, unsigned from, unsigned to, Tick now, uint64_t cycle,
                       bool *ok)
{
    for (unsigned i = from; i < to; i++)
        if (group->due[i].act <= now && !slice_run(group->slices[i], cycle, 0)) *ok = false;
}

// Runs what is due at `now`, the tick of the next event. What this makes due at `now` as well is of
// the same slices or channels. The slices take turns at being first. *ok becomes false if a slice
// is out of memory.
static void run_tick(MemoryGroup *group, Tick now, bool *ok)
{
    SliceDue *due = group->due;
    uint64_t cycle = clock_cycle(&group->context->clocks, CLOCK_L2, now);
    unsigned count = group->slice_count, first = (unsigned)(cycle % count);
    run_slices(group, first, count, now, cycle, ok);
    run_slices(group, 0, first, now, cycle, ok);
    // What units send arrives in the next cycle, so their order does not matter.
    for (unsigned i = 0; group->context->units && i < count; i++)
        if (due[i].unit <= now && !slice_unit_cycle(group->slices[i], cycle)) *ok = false;
    for (unsigned i = 0; i < group->channel_count; i++)
        if (group->channel_due[i] <= now) run_channel(group, i, now);
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
    SliceDue *due = group->due;
    for (unsigned i = 0; i < group->slice_count; i++)
        if (due[i].in < until) slice_pass_in(group->slices[i], until);
    Tick next;
    while ((next = run_alone(group, until, &ok)) < until && ok) run_tick(group, next, &ok);
    next = find_next(group);
    size_t background = 0;
    for (unsigned i = 0; i < group->slice_count; i++) {
        slice_send_until(group->slices[i], until);
        next = sooner(next, sooner(due[i].in, due[i].out));
        background += slice_background_count(group->slices[i]);
    }
    *group->next = next;
    group->requests -= group->counts.finished;
    group->counts.finished = 0;
    *group->open = group->requests + background;
    return ok;
}
