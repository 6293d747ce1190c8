// A group of slices and channels: its life, and its events in the order of time.
#include "memory/memory_group.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- life ----

bool memory_group_build(MemoryGroup *group, const SliceContext *context, HdTables *tables,
                        SliceDue *due, unsigned number, unsigned groups, uint64_t seed,
                        HdError *err)
{
    const DramConfig *dram = context->config.dram;
    group->context = context;
    group->channel_count = dram->channels / groups;
    group->slice_count = context->config.slice->count / groups;
    unsigned first_slice = number * group->slice_count;
    group->first_channel = number * group->channel_count;
    group->channels = context->channels + group->first_channel;
    group->slices = context->slices + first_slice;
    group->due = due + first_slice;
    for (unsigned i = 0; i < group->channel_count; i++) {
        group->channels[i] = channel_new(dram, &context->map, context->config.l2->sector, tables);
        if (!group->channels[i]) return hd_fail_memory(err, "building a DRAM channel");
    }
    for (unsigned i = 0; i < group->slice_count; i++) {
        group->slices[i] = slice_new(context, first_slice + i, tables, &group->tables,
                                     &group->due[i], seed, err);
        if (!group->slices[i]) return false;
    }
    return true;
}

void memory_group_free(MemoryGroup *group)
{
    for (unsigned i = 0; i < group->slice_count; i++) slice_free(group->slices[i]);
    free(group->tables.arrays);
    free(group->tables.pcs);
}

static bool enlarge(AccessCounters **rows, size_t *count, size_t wanted)
{
    if (wanted <= *count) return true;
    AccessCounters *larger = hd_new(wanted, sizeof *larger);
    if (!larger) return false;
    if (*count) memcpy(larger, *rows, *count * sizeof *larger);
    free(*rows);
    *rows = larger;
    *count = wanted;
    return true;
}

bool memory_group_resize(MemoryGroup *group, size_t arrays, size_t pcs)
{
    AccessTables *tables = &group->tables;
    return enlarge(&tables->arrays, &tables->array_count, arrays) &&
           enlarge(&tables->pcs, &tables->pc_count, pcs);
}

// ---- time ----

static Tick sooner(Tick a, Tick b) { return a < b ? a : b; }

static Tick cycle_tick(const MemoryGroup *group, ClockDomain domain, uint64_t cycle)
{
    return cycle == CYCLE_NEVER ? TICK_NEVER : clock_tick(&group->context->clocks, domain, cycle);
}

Tick memory_group_next(const MemoryGroup *group)
{
    Tick next = TICK_NEVER;
    for (unsigned i = 0; i < group->channel_count; i++)
        next = sooner(next, cycle_tick(group, CLOCK_DRAM, channel_next(group->channels[i])));
    for (unsigned i = 0; i < group->slice_count; i++) {
        const SliceDue *due = &group->due[i];
        next = sooner(next, sooner(due->in, sooner(due->act, due->out)));
        if (group->context->units) next = sooner(next, due->unit);
    }
    return next;
}

static void run_channel(MemoryGroup *group, unsigned at, Tick now)
{
    Channel *channel = group->channels[at];
    unsigned number = group->first_channel + at;
    uint64_t cycle = channel_next(channel);
    if (cycle_tick(group, CLOCK_DRAM, cycle) > now) return;
    const DramDone *done;
    unsigned count = channel_cycle(channel, cycle, &done);
    for (unsigned i = 0; i < count; i++)
        slice_on_dram_done(group->context->slices[done[i].request.slice], number, &done[i],
                   clock_tick(&group->context->clocks, CLOCK_DRAM, done[i].cycle));
    for (unsigned i = 0; count && i < group->slice_count; i++)
        slice_on_channel_freed(group->slices[i], number, now);
}

// Runs a cycle of the slices that are due. They take turns at being first.
static bool run_slices(MemoryGroup *group, Tick now)
{
    uint64_t cycle = clock_cycle(&group->context->clocks, CLOCK_L2, now);
    unsigned first = group->slice_count > 1 ? (unsigned)(cycle % group->slice_count) : 0;
    bool ok = true;
    for (unsigned i = 0; i < group->slice_count; i++) {
        unsigned at = first + i < group->slice_count ? first + i : first + i - group->slice_count;
        if (group->due[at].act <= now) ok = slice_cycle(group->slices[at], cycle) && ok;
    }
    return ok;
}

// Runs a cycle of the units that are due. What they send arrives in the next cycle, so their order
// does not matter.
static bool run_units(MemoryGroup *group, Tick now)
{
    uint64_t cycle = clock_cycle(&group->context->clocks, CLOCK_L2, now);
    bool ok = true;
    for (unsigned i = 0; i < group->slice_count; i++)
        if (group->due[i].unit <= now) ok = slice_unit_cycle(group->slices[i], cycle) && ok;
    return ok;
}

bool memory_group_run(MemoryGroup *group, Tick until)
{
    bool ok = true;
    for (Tick now; ok && (now = memory_group_next(group)) < until;) {
        bool act = false;
        for (unsigned i = 0; i < group->slice_count; i++) {
            if (group->due[i].in <= now) slice_pass_in(group->slices[i], now);
            act |= group->due[i].act <= now;
        }
        if (act) ok = run_slices(group, now);
        if (group->context->units) ok = run_units(group, now) && ok;
        for (unsigned i = 0; i < group->channel_count; i++) run_channel(group, i, now);
        for (unsigned i = 0; i < group->slice_count; i++)
            if (group->due[i].out <= now) ok = slice_send_out(group->slices[i], now) && ok;
    }
    return ok;
}
