// A group of slices and channels: its life, and its events in the order of time.
#include "memory/memory_group.h"
#include "base/memory.h"

#include <string.h>

// The tick at which the next engine of a mechanism is due.
static inline Tick engines_next(const MemoryGroup *group)
{
    Tick next = TICK_NEVER;
    for (unsigned i = 0; group->context->engines && i < group->slice_count; i++)
        next = smaller(next, group->due[i].engine);
    return next;
}

// The tick of the group's next event, by what is known of each slice and channel.
static Tick find_next(const MemoryGroup *group)
{
    Tick next = TICK_NEVER;
    for (unsigned i = 0; i < group->channel_count; i++) next = smaller(next, group->channel_due[i]);
    for (unsigned i = 0; i < group->slice_count; i++) next = smaller(next, group->due[i].act);
    return smaller(next, engines_next(group));
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
    hd_pages_free(group->counts.by_allocation,
                  group->counts.allocation_count * sizeof *group->counts.by_allocation);
    hd_pages_free(group->counts.by_pc, group->counts.pc_count * sizeof *group->counts.by_pc);
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

bool memory_group_resize(MemoryGroup *group, size_t allocations, size_t pcs)
{
    GroupCounts *counts = &group->counts;
    return enlarge(&counts->by_allocation, &counts->allocation_count, allocations) &&
           enlarge(&counts->by_pc, &counts->pc_count, pcs);
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

// Whether slices may run ahead: another slice can hasten what a channel does for them only if its
// return queue is full.
static bool channels_allow(const MemoryGroup *group)
{
    for (unsigned i = 0; i < group->channel_count; i++)
        if (channel_return_full(group->channels[i])) return false;
    return true;
}

// The next event of slices or channels.
typedef struct Event {
    Tick tick;
    unsigned slices; // that are due then; 0: channels are
    unsigned slice;  // the last of these
} Event;

// Runs each slice up to the first cycle that concerns another one or a channel: what it does before
// changes nothing for the others. It has to wait for what the channels do for it. Returns the next
// event; not before `until`: no other is sooner.
static Event run_alone(MemoryGroup *group, Tick until, bool *ok)
{
    const Clocks *clocks = &group->context->clocks;
    for (unsigned i = 0; i < group->channel_count; i++)
        until = smaller(until, group->channel_due[i]);
    Event next = {.tick = until};
    for (unsigned i = 0; i < group->slice_count; i++) {
        const SliceDue *due = &group->due[i];
        if (due->act < until && due->act < due->shared && channels_allow(group))
            *ok &= slice_run(group->slices[i], clock_cycle(clocks, CLOCK_L2, due->act),
                             clock_cycle(clocks, CLOCK_L2, until));
        if (due->act > next.tick) continue;
        next.slices = due->act == next.tick ? next.slices + 1 : 1;
        next.slice = i;
        next.tick = due->act;
    }
    return next;
}

// Runs the slices that are due at `now`. They take turns at being first.
static void run_slices(MemoryGroup *group, const Event *now, bool *ok)
{
    uint64_t cycle = clock_cycle(&group->context->clocks, CLOCK_L2, now->tick);
    if (now->slices == 1) {
        *ok &= slice_run(group->slices[now->slice], cycle, 0);
        return;
    }
    unsigned count = group->slice_count, first = (unsigned)(cycle % count);
    for (unsigned k = first; k < first + count; k++) {
        unsigned i = k < count ? k : k - count;
        if (group->due[i].act <= now->tick) *ok &= slice_run(group->slices[i], cycle, 0);
    }
}

// Runs the engines of mechanisms that are due. What they send arrives in the next cycle, so their
// order does not matter.
static void run_engines(MemoryGroup *group, Tick now, bool *ok)
{
    uint64_t cycle = clock_cycle(&group->context->clocks, CLOCK_L2, now);
    for (unsigned i = 0; i < group->slice_count; i++)
        if (group->due[i].engine <= now) *ok &= slice_engine_cycle(group->slices[i], cycle);
}

// Runs all events before `until`. What an event makes due at its own tick comes behind it: slices
// act for channels. *ok becomes false if a slice is out of memory.
static void run_events(MemoryGroup *group, Tick until, bool *ok)
{
    while (*ok) {
        Event next = run_alone(group, until, ok);
        Tick engine = engines_next(group);
        if (next.tick >= until && engine >= until) return;
        if (engine < next.tick || (engine == next.tick && !next.slices)) {
            run_engines(group, engine, ok);
            continue;
        }
        if (next.slices) {
            run_slices(group, &next, ok);
            continue;
        }
        for (unsigned i = 0; i < group->channel_count; i++)
            if (group->channel_due[i] <= next.tick) run_channel(group, i, next.tick);
    }
}

void memory_group_take(MemoryGroup *group)
{
    const SliceContext *context = group->context;
    Transit *request, *next;
    post_fetch(&context->exchange->requests, group->number);
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
    run_events(group, until, &ok);
    Tick next = find_next(group);
    size_t background = 0;
    for (unsigned i = 0; i < group->slice_count; i++) {
        if (due[i].out < until) slice_send_until(group->slices[i], until);
        next = smaller(next, smaller(due[i].in, due[i].out));
        background += slice_background_count(group->slices[i]);
    }
    *group->next = next;
    group->requests -= group->counts.finished;
    group->counts.finished = 0;
    *group->open = group->requests + background;
    return ok;
}
