// The memory side as a whole: takes the requests of the SMs, runs the groups up to the horizon, and
// delivers replies and credits.
//
// Groups (memory_group.h) share nothing, so a team of host threads runs them in parallel.
#include "memory/memory_side.h"
#include "memory/memory_group.h"
#include "base/bits.h"
#include "base/memory.h"
#include "hooks/cache_hooks.h"
#include "memory/network/network_crossbars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct MemorySide {
    SliceContext context;
    MemoryGroup *groups;
    unsigned group_count, sms;
    uint16_t *active; // numbers of those that the current run has to run
    bool failed;    // a group has run out of memory
    Tick until;     // end of the current run
    HdTables tables;
    Slice **slices; // all of them; groups point into these two and context.channels
    SliceDue *due;
    Tick *next;     // by group: MemoryGroup.next
    size_t *open;   // by group: MemoryGroup.open
    Exchange exchange; // with the SMs
    bool switched;     // icnt.arbiter: input-queued
    NetworkCrossbars switches; // if switched
    size_t switched_requests; // that the crossbars have taken, less replies that they have passed
    bool hooked;       // mechanisms are at the slices: background changes outside of runs, too
    uint64_t counted_to; // DRAM cycle
};

// ---- life ----

static bool check_buffer(const char *name, uint32_t flits, uint64_t longest, HdError *err)
{
    return flits >= longest ||
           hd_fail(err, "icnt.%s: %u flits: expected at least %llu, for a packet with a line", name,
                   flits, (unsigned long long)longest);
}

// The parameters of the crossbars, which a network without them ignores.
static bool check_crossbars(const IcntConfig *icnt, const SliceConfig *slice, HdError *err)
{
    if (icnt->arbiter != ARBITER_INPUT_QUEUED) return true;
    uint64_t longest = icnt_flits(icnt, MAX_LINE_BYTES);
    if (!check_buffer("reply_buffer", icnt->reply_buffer, longest, err) ||
        (icnt->input_buffer && !check_buffer("input_buffer", icnt->input_buffer, longest, err)))
        return false;
    if (icnt->matching == MATCHING_IN_TURN && icnt->speedup != 1)
        return hd_fail(err, "icnt.speedup = %u: expected 1 with icnt.matching: in-turn",
                       icnt->speedup);
    if (icnt->output_buffer && !slice->rop_latency)
        return hd_fail(err, "icnt.output_buffer: %u flits with slice.rop_latency = 0: expected "
                            "slice.rop_latency of at least 1, or 0 flits for no limit",
                       icnt->output_buffer);
    return true;
}

static bool check(const MemoryConfig *config, HdError *err)
{
    const CacheConfig *l2 = config->l2;
    if (l2->line != MAX_LINE_BYTES)
        return hd_fail(err, "l2.line: %llu bytes: expected %d",
                       (unsigned long long)l2->line, MAX_LINE_BYTES);
    if (l2->sector < SECTOR_BYTES || l2->sector > l2->line || !is_power_of_two(l2->sector))
        return hd_fail(err, "l2.sector: %llu bytes: expected 32, 64 or 128",
                       (unsigned long long)l2->sector);
    if (l2->allocate == ALLOCATE_ON_FILL)
        return hd_fail(err, "l2.allocate: on_fill: expected on_miss, because a dirty victim could "
                            "wait for the DRAM while the DRAM waits for the fill");
    if (l2->miss_queue < 2)
        return hd_fail(err, "l2.miss_queue: %u: expected at least 2, for a miss and the write-back "
                            "of its victim",
                       l2->miss_queue);
    if (!l2->port || !l2->mshr_entries || !l2->mshr_merges)
        return hd_fail(err, "l2: port, mshr_entries, mshr_merges: expected at least 1 each");
    if (!config->icnt->flit || !config->icnt->control || !config->icnt->credits)
        return hd_fail(err, "icnt: flit, control, credits: expected at least 1 each");
    if (!config->slice->reply_queue || config->slice->count > MAX_SLICES)
        return hd_fail(err, "slice: reply_queue, count: expected reply_queue of at least 1 and "
                            "count of at most %d",
                       MAX_SLICES);
    if (!is_power_of_two(config->slice->write_versions) ||
        config->slice->write_versions < VERSION_WAYS)
        return hd_fail(err, "slice.write_versions: %u: expected a power of two, at least %d",
                       config->slice->write_versions, VERSION_WAYS);
    return check_crossbars(config->icnt, config->slice, err) && dram_check(config->dram, err);
}

static bool build(MemorySide *memory, uint64_t seed, HdError *err)
{
    SliceContext *context = &memory->context;
    const SliceConfig *slice = context->config.slice;
    const DramConfig *dram = context->config.dram;
    if (!address_map_init(&context->map, slice, dram, err)) return false;
    bool apart = context->map.per_channel && !context->config.linked;
    unsigned groups = apart ? dram->channels : 1;
    HdTables *tables = &memory->tables;
    memory->slices = hd_tables_new(tables, slice->count, sizeof *memory->slices);
    context->slices = memory->slices;
    memory->due = hd_tables_new(tables, slice->count, sizeof *memory->due);
    memory->groups = hd_tables_new(tables, groups, sizeof *memory->groups);
    memory->active = hd_tables_new(tables, groups, sizeof *memory->active);
    memory->next = hd_tables_new(tables, groups, sizeof *memory->next);
    memory->open = hd_tables_new(tables, groups, sizeof *memory->open);
    context->channels = hd_tables_new(tables, dram->channels, sizeof *context->channels);
    context->channel_due = hd_tables_new(tables, dram->channels, sizeof *context->channel_due);
    if (!memory->slices || !memory->due || !memory->groups || !memory->active || !memory->next ||
        !memory->open || !context->channels || !context->channel_due)
        return hd_fail_memory(err, "building the memory side");
    memory->group_count = groups;
    context->exchange = &memory->exchange;
    memory->switched = context->config.icnt->arbiter == ARBITER_INPUT_QUEUED;
    if (!exchange_init(&memory->exchange, memory->sms, groups, slice->count / groups,
                       memory->switched, context->clocks.period[CLOCK_CORE], tables))
        return hd_fail_memory(err, "building the memory side");
    if (!memory->switched) memory->exchange.groups_due = memory->next;
    for (unsigned g = 0; g < groups; g++)
        if (!memory_group_build(&memory->groups[g], context, tables, memory->due, &memory->next[g],
                                &memory->open[g], g, groups, seed, err))
            return false;
    if (memory->switched &&
        !network_crossbars_init(&memory->switches, context, memory->slices, memory->sms, groups))
        return hd_fail_memory(err, "building the crossbars");
    return true;
}

bool memory_side_check(const MemoryConfig *config, const Clocks *clocks, Tick *round_trip,
                       HdError *err)
{
    AddressMap map;
    IcntTiming timing;
    if (!check(config, err) || !address_map_init(&map, config->slice, config->dram, err))
        return false;
    icnt_timing(&timing, config, clocks);
    *round_trip = timing.forward + timing.reply;
    return true;
}

MemorySide *memory_side_new(const MemoryConfig *config, const Clocks *clocks, unsigned sms,
                            GuestMemory *guest, uint64_t seed, HdError *err)
{
    if (!check(config, err)) return NULL;
    MemorySide *memory = hd_new_aligned(1, sizeof *memory, 64);
    if (!memory) {
        hd_fail_memory(err, "building the memory side");
        return NULL;
    }
    SliceContext *context = &memory->context;
    *context = (SliceContext){.config = *config, .clocks = *clocks, .guest = guest};
    context->lookup_bytes = config->l2->sector;
    context->lookup_mask = (1u << (context->lookup_bytes / SECTOR_BYTES)) - 1;
    context->port_cycles = (uint32_t)divide_up(context->lookup_bytes, config->l2->port);
    shadow_new(&context->shadow, &context->map, config->slice->count, guest);
    icnt_timing(&context->icnt, config, clocks);
    memory->sms = sms;
    if (build(memory, seed, err)) return memory;
    memory_side_free(memory);
    return NULL;
}

void memory_side_free(MemorySide *memory)
{
    if (!memory) return;
    for (unsigned g = 0; g < memory->group_count; g++) memory_group_free(&memory->groups[g]);
    if (memory->switched) network_crossbars_free(&memory->switches);
    shadow_free(memory->context.shadow);
    hd_tables_free(&memory->tables);
    free(memory);
}

typedef struct Resizing {
    MemoryGroup *groups;
    size_t allocations, pcs;
    bool failed; // a group is out of memory
} Resizing;

static void resize_group(void *context, unsigned number)
{
    Resizing *to = context;
    if (!memory_group_resize(&to->groups[number], to->allocations, to->pcs))
        __atomic_store_n(&to->failed, true, __ATOMIC_RELAXED);
}

bool memory_side_resize(MemorySide *memory, size_t allocations, size_t pcs, Team *team,
                        HdError *err)
{
    Resizing to = {.groups = memory->groups, .allocations = allocations, .pcs = pcs};
    team_run(team, memory->group_count, resize_group, &to);
    return !to.failed || hd_fail_memory(err, "enlarging the tables of accesses");
}

// ---- queries ----

Tick memory_side_forward_latency(const MemorySide *memory) { return memory->context.icnt.forward; }
Tick memory_side_reply_latency(const MemorySide *memory) { return memory->context.icnt.reply; }

unsigned memory_side_slice(const MemorySide *memory, uint64_t address)
{
    return address_map_split(&memory->context.map, address).slice;
}

Exchange *memory_side_exchange(MemorySide *memory) { return &memory->exchange; }

void memory_side_place(const MemorySide *memory, MemRequest *request)
{
    slice_place_request(&memory->context, request);
}

// The number of slices, over all groups.
static unsigned slice_count(const MemorySide *memory)
{
    return memory->context.config.slice->count;
}

static unsigned channel_count(const MemorySide *memory)
{
    return memory->context.config.dram->channels;
}

// Requests that are taken and not yet answered.
static size_t requests(const MemorySide *memory)
{
    size_t sum = memory->switched_requests;
    for (unsigned g = 0; g < memory->group_count; g++) sum += memory->groups[g].requests;
    return sum;
}

size_t memory_side_outstanding(const MemorySide *memory)
{
    size_t outstanding = requests(memory);
    for (unsigned s = 0; s < slice_count(memory); s++)
        outstanding +=
            slice_background_count(memory->slices[s]) + slice_engine_busy(memory->slices[s]);
    return outstanding;
}

bool memory_side_busy(const MemorySide *memory)
{
    if (!memory->hooked) {
        size_t open = memory->switched_requests;
        for (unsigned g = 0; g < memory->group_count; g++) open += memory->open[g];
        return open;
    }
    if (requests(memory)) return true;
    for (unsigned s = 0; s < slice_count(memory); s++)
        if (slice_background_count(memory->slices[s]) || slice_engine_busy(memory->slices[s]))
            return true;
    return false;
}

// ---- time ----

static void fail_memory(MemorySide *memory)
{
    __atomic_store_n(&memory->failed, true, __ATOMIC_RELAXED);
}

static void run_group(MemorySide *memory, unsigned number)
{
    if (!memory_group_run(&memory->groups[memory->active[number]], memory->until))
        fail_memory(memory);
}

static void run_active(void *context, unsigned number)
{
    MemorySide *memory = context;
    memory_group_take(&memory->groups[memory->active[number]]);
    run_group(memory, number);
}

// Finds the groups that have something to do before `until`, or requests to take.
static unsigned find_active(MemorySide *memory, Tick until)
{
    const Tick *next = memory->next;
    unsigned active = 0;
    for (unsigned g = 0; g < memory->group_count; g++)
        if (next[g] < until) memory->active[active++] = (uint16_t)g;
    memory->until = until;
    return active;
}

static Tick groups_next(const MemorySide *memory)
{
    Tick next = TICK_NEVER;
    for (unsigned g = 0; g < memory->group_count; g++)
        next = smaller(next, memory->next[g]);
    return next;
}

// A window of the groups, and what the crossbars pass at the same time.
typedef struct Pass {
    bool (*run)(NetworkCrossbars *switches, Tick until);
    Tick until;
} Pass;
typedef struct Window {
    MemorySide *memory;
    unsigned passes;
    Pass pass[2];
} Window;

static void run_item(void *context, unsigned item)
{
    const Window *window = context;
    MemorySide *memory = window->memory;
    if (item >= window->passes)
        run_group(memory, item - window->passes);
    else if (!window->pass[item].run(&memory->switches, window->pass[item].until))
        fail_memory(memory);
}

// Runs the groups up to `end`. At the same time, requests and replies pass up to these ticks (0:
// none do).
static void run_window(MemorySide *memory, Tick end, Tick requests, Tick replies, Team *team)
{
    Window window = {.memory = memory};
    if (requests)
        window.pass[window.passes++] = (Pass){network_crossbars_pass_requests, requests};
    if (replies) window.pass[window.passes++] = (Pass){network_crossbars_pass_replies, replies};
    team_run(team, window.passes + find_active(memory, end), run_item, &window);
}

static bool exchange(MemorySide *memory)
{
    size_t answered;
    bool ok = network_crossbars_exchange(&memory->switches, &answered);
    memory->switched_requests -= answered;
    return ok && !memory->failed;
}

// With crossbars: runs the groups window by window. While they run, the requests of the next
// windows pass, and the replies of the last one. If a slice's room does not last, it must learn of
// the room of these replies first. Without intakes the lead of requests is not limited.
static bool run_windows(MemorySide *memory, Tick until, Team *team)
{
    NetworkCrossbars *switches = &memory->switches;
    const IcntTiming *timing = &memory->context.icnt;
    const Tick lead = switches->intakes ? network_crossbars_lead(switches) : until,
               news = network_crossbars_news(switches),
               longest = (timing->forward + timing->reply) / 4;
    Tick ran = 0, passed = 0; // the groups have run, and requests have passed, up to here
    while (exchange(memory)) {
        Tick reply = network_crossbars_next_reply(switches);
        Tick from = smaller(smaller(groups_next(memory), network_crossbars_next_request(switches)),
                            until);
        if (smaller(from, reply) >= until) return true;
        // The slices send nothing between `ran` and `from`, unless they learn of more room: up to
        // `sent` all replies are here.
        Tick sent = smaller(from, reply < TICK_NEVER - news ? reply + news : TICK_NEVER);
        if (sent < ran) sent = ran;
        Tick end = smaller(network_crossbars_window(switches, from, reply), until);
        if (reply < sent && (from == until || end < from + news)) {
            if (!network_crossbars_pass_replies(switches, sent)) return false;
            continue;
        }
        end = smaller(end, from + longest);
        if (end > passed) { // the window's own requests are not there yet
            passed = smaller(smaller(end, from + lead), until);
            if (!network_crossbars_pass_requests(switches, passed) || !exchange(memory))
                return false;
        }
        end = ran = smaller(end, passed);
        Tick ahead = smaller(smaller(end + 2 * (end - from), from + lead), until);
        bool further = ahead > passed;
        if (further) passed = ahead;
        run_window(memory, end, further ? passed : 0, reply < sent ? sent : 0, team);
    }
    return false;
}

Tick memory_side_next(const MemorySide *memory)
{
    if (!memory_side_busy(memory)) return TICK_NEVER; // refreshes alone need no run
    const NetworkCrossbars *switches = &memory->switches;
    Tick next = groups_next(memory);
    if (!memory->switched) return next;
    return smaller(smaller(next, network_crossbars_next_report(switches)),
                   smaller(network_crossbars_next_reply(switches),
                           network_crossbars_next_request(switches)));
}

void memory_side_no_skip(MemorySide *memory, bool every_cycle)
{
    for (unsigned s = 0; s < slice_count(memory); s++)
        slice_every_cycle(memory->slices[s], every_cycle);
    for (unsigned c = 0; c < channel_count(memory); c++) {
        channel_every_cycle(memory->context.channels[c], every_cycle);
        slice_note_channel(&memory->context, c);
    }
    for (unsigned g = 0; g < memory->group_count; g++) memory->next[g] = 0;
}

// ---- a run ----

// The crossbars take the requests that the SMs have sent.
static void take_requests(MemorySide *memory)
{
    Transit *request, *next;
    while ((request = post_take(&memory->exchange.requests, 0)))
        for (; request; request = next, memory->switched_requests++) {
            next = request->next;
            network_crossbars_take(&memory->switches, request);
        }
}

bool memory_side_run(MemorySide *memory, Tick until, Team *team, HdError *err)
{
    bool ok;
    if (memory->switched) {
        take_requests(memory);
        ok = run_windows(memory, until, team);
        if (memory->context.config.icnt->input_buffer)
            network_crossbars_report(&memory->switches, until);
    } else {
        team_run(team, find_active(memory, until), run_active, memory);
        ok = !memory->failed;
    }
    return ok || hd_fail_memory(err, "running the memory side");
}

void memory_side_warm(MemorySide *memory, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = address - address % SECTOR_BYTES; at < address + bytes; at += SECTOR_BYTES) {
        SliceAddress place = address_map_split(&memory->context.map, at);
        cache_warm_sector(slice_controller(memory->slices[place.slice])->cache, place.address);
    }
}

bool memory_side_attach(MemorySide *memory, unsigned slice, struct CacheHooks *hooks,
                        HdError *err)
{
    const IcntConfig *icnt = memory->context.config.icnt;
    memory->hooked = memory->hooked || hooks;
    uint8_t version = hooks && hooks->copy_backs.queue ? VERSION_BITS / 8 : 0;
    if (hooks) memory->context.extra = (uint8_t)(hooks->current.sideband_bytes + version);
    uint64_t longest = icnt_flits(icnt, MAX_LINE_BYTES + memory->context.extra);
    if (memory->switched && icnt->reply_buffer < longest)
        return hd_fail(err, "icnt.reply_buffer: %u flits: expected at least %llu, for a packet "
                            "with a line and the sideband tags of mechanisms",
                       icnt->reply_buffer, (unsigned long long)longest);
    memory->context.engines = memory->context.engines || (hooks && hooks->slice.has_engines);
    return slice_attach(memory->slices[slice], hooks, err);
}

bool memory_side_each_cache(MemorySide *memory, CacheVisit *visit, void *self, HdError *err)
{
    for (unsigned s = 0; s < slice_count(memory); s++) {
        const CachePlace place = {.name = "l2", .owner = OWNER_SLICE, .index = s,
                                  .map = &memory->context.map};
        if (!visit(self, &place, slice_controller(memory->slices[s]), err)) return false;
    }
    return true;
}

bool memory_side_count_prefetchers(MemorySide *memory, unsigned prefetchers, HdError *err)
{
    bool ok = true;
    for (unsigned c = 0; ok && c < channel_count(memory); c++)
        ok = channel_count_prefetchers(memory->context.channels[c], prefetchers, &memory->tables);
    return ok || hd_fail_memory(err, "attaching mechanisms");
}

void memory_side_on_kernel_begin(MemorySide *memory)
{
    for (unsigned s = 0; s < slice_count(memory); s++) slice_on_kernel_begin(memory->slices[s]);
}

void memory_side_begin_engines(MemorySide *memory, Tick now)
{
    Tick arrives = now + memory->context.icnt.forward; // slices have run up to here at most
    uint64_t cycle = clock_cycle(&memory->context.clocks, CLOCK_L2, arrives);
    for (unsigned s = 0; s < slice_count(memory); s++)
        slice_begin_engines(memory->slices[s], cycle);
}

bool memory_side_warms_lines(const MemorySide *memory)
{
    return !memory->hooked && cache_warms_lines(slice_controller(memory->slices[0])->cache);
}

unsigned memory_side_locate(const MemorySide *memory, uint64_t line, uint64_t *place)
{
    SliceAddress at = address_map_split(&memory->context.map, line);
    *place = at.address;
    return at.slice;
}

unsigned memory_side_slices(const MemorySide *memory) { return slice_count(memory); }

Cache *memory_side_l2(const MemorySide *memory, unsigned slice)
{
    return slice_controller(memory->slices[slice])->cache;
}

uint32_t memory_side_access_warm(MemorySide *memory, const MemRequest *request)
{
    if (request->owner) return slice_access_warm(memory->slices[request->owner - 1], request);
    MemRequest placed = *request;
    memory_side_place(memory, &placed);
    return slice_access_warm(memory->slices[placed.owner - 1], &placed);
}

ShadowMemory *memory_side_shadow(MemorySide *memory) { return memory->context.shadow; }

// ---- reports ----

static void move_rows(AccessCounters *into, AccessCounters *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) access_move(&into[i], &rows[i]);
}

void memory_side_rows(MemorySide *memory, AccessCounters *allocations, AccessCounters *pcs,
                      size_t first_pc, size_t end_pc)
{
    for (unsigned g = 0; g < memory->group_count; g++) {
        GroupCounts *counts = &memory->groups[g].counts;
        if (allocations) move_rows(allocations, counts->by_allocation, counts->allocation_count);
        if (first_pc < end_pc)
            move_rows(&pcs[first_pc], &counts->by_pc[first_pc], end_pc - first_pc);
    }
}

void memory_side_links(const MemorySide *memory, LinkFlits *slices)
{
    for (unsigned s = 0; s < slice_count(memory); s++) slices[s] = slice_links(memory->slices[s]);
}

void memory_side_count_to(MemorySide *memory, Tick now)
{
    uint64_t cycle = clock_cycle(&memory->context.clocks, CLOCK_L2, now);
    for (unsigned s = 0; s < slice_count(memory); s++) slice_count_to(memory->slices[s], cycle);
}

void memory_side_counters(MemorySide *memory, Tick now, IcntCounters *icnt, CacheCounters *l2,
                          DramCounters *dram)
{
    for (unsigned s = 0; s < slice_count(memory); s++)
        slice_counters(memory->slices[s], icnt, l2, dram);
    for (unsigned c = 0; c < channel_count(memory); c++) {
        DramCounters *counters = channel_counters(memory->context.channels[c]);
        if (dram) stats_add(&dram_table, dram, counters);
        *counters = (DramCounters){0};
    }
    if (memory->switched) {
        if (icnt) stats_add(&icnt_table, icnt, &memory->switches.counters);
        memory->switches.counters = (IcntCounters){0};
    }
    uint64_t cycle = clock_cycle(&memory->context.clocks, CLOCK_DRAM, now);
    if (cycle <= memory->counted_to) return;
    if (dram) dram->channel_cycles += (cycle - memory->counted_to) * channel_count(memory);
    memory->counted_to = cycle;
}

uint64_t memory_side_atomic_changes(const MemorySide *memory)
{
    uint64_t sum = 0;
    for (unsigned s = 0; s < slice_count(memory); s++)
        sum += slice_atomic_changes(memory->slices[s]);
    return sum;
}

uint64_t memory_side_prefetched(const MemorySide *memory, unsigned prefetcher)
{
    uint64_t bytes = 0;
    for (unsigned c = 0; c < channel_count(memory); c++)
        bytes += channel_prefetched(memory->context.channels[c], prefetcher);
    return bytes;
}

void memory_side_describe(const MemorySide *memory, char *text, size_t size)
{
    size_t used = 0;
    if (size) *text = 0;
    for (unsigned s = 0; s < slice_count(memory) && used < size; s++) {
        const Slice *slice = memory->slices[s];
        if (slice_idle(slice) && !cache_mshr_used(slice_controller(memory->slices[s])->cache))
            continue;
        slice_describe(slice, text + used, size - used);
        used += strlen(text + used);
    }
    for (unsigned sm = 0; memory->switched && sm < memory->sms && used < size; sm++) {
        const SentRequests *sent = &memory->switches.sent[sm];
        if (!sent->count) continue;
        snprintf(text + used, size - used, "%zu requests of SM %u at the crossbar\n",
                 sent->count, sm);
        used += strlen(text + used);
    }
    for (unsigned c = 0; c < channel_count(memory) && used < size; c++) {
        unsigned queued = channel_queued(memory->context.channels[c]);
        if (!queued) continue;
        snprintf(text + used, size - used, "DRAM channel %u: %u sectors queued\n", c, queued);
        used += strlen(text + used);
    }
}
