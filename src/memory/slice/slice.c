// The L2 slice as a whole: its life, its cycle, and its reports.
#include "memory/slice/slice.h"
#include "memory/slice/slice_internal.h"

#include <stdio.h>
#include <stdlib.h>

// ---- life ----

// One entry per token that can wait in the MSHRs, one for the head, one while it completes.
static size_t requests_most(const MemoryConfig *config)
{
    return (size_t)config->l2->mshr_entries * config->l2->mshr_merges + 2;
}

// The most elements of a link, and their size. Each pending read has an MSHR entry.
static bool init_links(Slice *slice, HdTables *tables)
{
    const MemoryConfig *config = &slice->context->config;
    const struct {
        uint64_t capacity;
        size_t size;
    } links[SLICE_LINKS] = {
        [LINK_MISSES] = {(uint64_t)config->l2->miss_queue + slice->pipe_length, sizeof(Miss)},
        [LINK_RETURNED] = {config->l2->mshr_entries, sizeof(Returned)},
        [LINK_FILLS] = {(uint64_t)config->slice->fill_latency + 1, sizeof(Fill)},
        [LINK_OWED] = {config->l2->mshr_entries, sizeof(Owed)},
    };
    for (unsigned i = 0; i < SLICE_LINKS; i++)
        if (!link_init(&slice->links[i], links[i].capacity, links[i].size, tables)) return false;
    return true;
}

static bool allocate(Slice *slice, HdTables *tables)
{
    const MemoryConfig *config = &slice->context->config;
    slice->requests = hd_tables_new(tables, requests_most(config), sizeof *slice->requests);
    slice->reads = hd_tables_new(tables, requests_most(config), sizeof *slice->reads);
    slice->free_request = NO_REQUEST;
    return slice->requests && slice->reads && init_links(slice, tables) &&
           atomic_unit_init(&slice->atomic_unit, config->atomics, tables) &&
           out_port_init(&slice->out, &slice->context->icnt, tables);
}

static void set_usual(Slice *slice)
{
    bool off = slice->context->config.l2->mode == CACHE_OFF;
    slice->usual = !slice->every_cycle && !slice->hooks && !off && !slice->ranks;
    slice->due->shared = 0;
}

Slice *slice_new(const SliceContext *context, unsigned number, unsigned group, HdTables *tables,
                 GroupCounts *counts, SliceDue *due, uint64_t seed, HdError *err)
{
    const SliceConfig *config = context->config.slice;
    Slice *slice = hd_tables_new(tables, 1, sizeof *slice);
    if (!slice) {
        hd_fail_memory(err, "building an L2 slice");
        return NULL;
    }
    slice->context = context;
    slice->counts = counts;
    slice->due = due;
    slice->number = number;
    slice->group = group;
    in_port_init(&slice->in, &context->icnt);
    slice->pipe_length = config->miss_latency ? config->miss_latency : 1;
    set_usual(slice);
    slice->head = NO_REQUEST;
    slice->stall = SLICE_STALL_NONE;
    slice->channel_stall_since = CYCLE_NEVER;
    slice->engine_stall_since = CYCLE_NEVER;
    for (unsigned i = 0; i < SLICE_STAGES; i++) slice->at[i] = CYCLE_NEVER;
    due->in = due->act = due->engine = due->out = TICK_NEVER;
    bool ok = allocate(slice, tables);
    if (!ok) hd_fail_memory(err, "building an L2 slice");
    if (!ok || !controller_init(&slice->controller, context->config.l2, "l2", tables, seed + number,
                                err)) {
        slice_free(slice);
        return NULL;
    }
    cache_set_last_level(slice->controller.cache);
    shadow_slice_init(slice);
    return slice;
}

void slice_free(Slice *slice)
{
    if (!slice) return;
    controller_free(&slice->controller);
    version_table_free(slice->versions);
    free(slice->lookup_log.cycles);
    free(slice->taken.items);
    free(slice->taken.free);
}

CacheController *slice_controller(Slice *slice) { return &slice->controller; }

static uint64_t guest_line(const void *context, uint64_t line)
{
    const Slice *slice = context;
    return address_map_join(&slice->context->map, (SliceAddress){slice->number, line});
}

bool slice_attach(Slice *slice, CacheHooks *hooks, HdError *err)
{
    const MemoryConfig *config = &slice->context->config;
    slice->hooks = hooks;
    slice->ranks = dram_ranks_prefetches(config->dram) && config->l2->mode != CACHE_OFF;
    set_usual(slice);
    if (hooks && hooks->copy_backs.queue) {
        slice->versions = version_table_new(slice->context->config.slice->write_versions);
        if (!slice->versions) return hd_fail_memory(err, "attaching mechanisms");
    }
    if (hooks) cache_hooks_set_guest_line(hooks, guest_line, slice);
    // A lookup of one sector is made and fetched by itself anyway.
    if (hooks && slice->context->lookup_bytes == SECTOR_BYTES)
        hooks->wants &= ~(uint32_t)HOOK_SECTORED;
    slice->sectored = hooks && hooks->wants & HOOK_SECTORED;
    slice_attach_engines(slice);
    if (hooks && !slice_watch(slice, err)) return false;
    return cache_attach(slice->controller.cache, hooks, err);
}
OutPort *slice_out(Slice *slice) { return &slice->out; }
LookupLog *slice_lookup_log(Slice *slice) { return &slice->lookup_log; }
size_t slice_background_count(const Slice *slice)
{
    return slice->background + slice_prefetches(slice);
}

// ---- ports ----

static Tick tick_of(const Slice *slice, uint64_t cycle)
{
    return cycle == CYCLE_NEVER ? TICK_NEVER : slice_tick(slice, cycle);
}

void slice_wake(Slice *slice, SliceStage stage, uint64_t cycle)
{
    if (slice->started && cycle <= slice->last) cycle = slice->last + 1;
    slice_due(slice, stage, cycle);
    Tick tick = tick_of(slice, cycle);
    slice_due_by(slice->due, &slice->due->act, tick);
    bool at_channel = stage == STAGE_SEND || stage == STAGE_RETURN;
    if (at_channel && tick < slice->due->shared) slice->due->shared = tick;
}

void slice_add(Slice *slice, Transit *request)
{
    in_port_add(&slice->in, request);
    slice_due_by(slice->due, &slice->due->in, request->time + slice->context->icnt.forward);
}

void slice_enter(Slice *slice, Transit *request, uint64_t ready)
{
    slice_wake(slice, STAGE_LOOK_UP, ready);
    in_port_enter(&slice->in, request, ready, &slice->context->icnt, &slice->icnt);
}

void slice_pass_in(Slice *slice, Tick until)
{
    const Transit *last = slice->in.passed.last; // stays there if the list is not empty
    bool any = slice->in.passed_count;
    slice->due->in = in_port_pass(&slice->in, until, &slice->context->icnt, &slice->icnt);
    const Transit *first = any ? last->next : in_port_head(&slice->in);
    if (first) slice_wake(slice, STAGE_LOOK_UP, first->cycle); // the others come later
}

// The first cycle that starts after `now`.
static uint64_t cycle_after(const Slice *slice, Tick now)
{
    return clock_cycle(&slice->context->clocks, CLOCK_L2, now + 1);
}

void slice_send_until(Slice *slice, Tick until)
{
    const IcntTiming *timing = &slice->context->icnt;
    OutPort *out = &slice->out;
    Tick next;
    while ((next = out_port_next(out, timing)) < until) {
        Transit *packet = out_port_send(out, timing, &slice->icnt);
        if (out->bounded) continue;
        slice->counts->finished += packet->last;
        exchange_answer(slice->context->exchange, slice->group, packet);
    }
    slice->due->out = next;
}

uint64_t slice_room_cycle(const Slice *slice)
{
    Tick leaves = out_port_next(&slice->out, &slice->context->icnt);
    return leaves == TICK_NEVER ? CYCLE_NEVER : cycle_after(slice, leaves);
}

void slice_free_out_flits(Slice *slice, Tick time, uint32_t flits)
{
    out_port_freed(&slice->out, time, flits);
    if (slice->due->out <= time) return;
    // No room was known, or only room that becomes free later.
    slice_due_by(slice->due, &slice->due->out, out_port_next(&slice->out, &slice->context->icnt));
    if (slice->out.waiting_count < slice->context->config.slice->reply_queue) return;
    uint64_t room = slice_room_cycle(slice);
    slice_wake(slice, STAGE_FILL, room);
    slice_wake(slice, STAGE_LOOK_UP, room);
}

void slice_on_channel_freed(Slice *slice, unsigned channel, Tick now)
{
    // The pipe's oldest entry may wait for room in this channel's queue.
    if (slice->channel_stall_since != CYCLE_NEVER &&
        ((const Miss *)link_head(&slice->links[LINK_MISSES]))->below.channel == channel)
        slice_wake(slice, STAGE_SEND, cycle_after(slice, now));
}

void slice_every_cycle(Slice *slice, bool every_cycle)
{
    slice->every_cycle = every_cycle;
    set_usual(slice);
    if (every_cycle) slice_wake(slice, STAGE_SEND, 0);
}

// ---- a cycle ----

// The stage of prefetches runs in each cycle in which no request uses the tags, while one waits. A
// request at the tags has priority, unless it stalls.
static uint64_t prefetch_due(const Slice *slice, uint64_t cycle)
{
    if (slice->prefetch_waits || !slice_prefetches(slice)) return CYCLE_NEVER;
    const Transit *first = in_port_head(&slice->in);
    if (slice->engines && first && first->packet->request.kind == MEM_ENGINE) first = NULL;
    bool at_tags = first && first->cycle <= cycle + 1 && slice->stall >= CACHE_STALL_REASONS;
    return at_tags ? CYCLE_NEVER : cycle + 1;
}

// Runs the stages that are due. Returns the next cycle in which one is. usual: Slice.usual.
ALWAYS_INLINE uint64_t run_cycle(Slice *slice, uint64_t cycle, bool usual)
{
    uint64_t *at = slice->at;
    uint64_t due = !usual && slice->every_cycle ? UINT64_MAX : cycle;
    bool may_prefetch = !usual && slice->hooks && slice->hooks->prefetches;
    slice->last = cycle;
    slice->started = true;
    if (at[STAGE_SEND] <= due) slice_send_to_channel(slice, cycle);
    bool changed = slice_enter_pipe(slice, cycle);
    if (at[STAGE_RETURN] <= due) slice_take_returned(slice, cycle);
    if (at[STAGE_FILL] <= due) changed |= slice_fill(slice, cycle);
    if (!usual && slice->links[LINK_OWED].count)
        changed |= slice_send_owed_write(slice, cycle);
    if (!usual && changed) slice->prefetch_waits = false;
    bool used = false; // the tags
    bool again = changed && slice->stall != SLICE_STALL_NONE; // perhaps for another reason
    if (at[STAGE_LOOK_UP] <= due || again || (may_prefetch && slice_prefetches(slice)))
        used = slice_look_up(slice, cycle, changed);
    if (may_prefetch) {
        if (!used && !slice->prefetch_waits && slice_prefetches(slice))
            slice_prefetch(slice, cycle);
        at[STAGE_PREFETCH] = prefetch_due(slice, cycle);
    }
    uint64_t next = smaller(smaller(at[STAGE_SEND], at[STAGE_RETURN]),
                            smaller(at[STAGE_FILL], at[STAGE_LOOK_UP]));
    // What waits for the miss queue is tried again after a miss has entered the pipe.
    bool waits = slice->stall < CACHE_STALL_REASONS;
    if (!usual) {
        next = smaller(next, smaller(at[STAGE_OWED], at[STAGE_PREFETCH]));
        waits = waits || slice->links[LINK_OWED].count || slice->prefetch_waits;
    }
    if (waits) next = smaller(next, slice_next_entry(slice));
    return !usual && slice->every_cycle && !slice_idle(slice) ? cycle + 1 : next;
}

bool slice_run(Slice *slice, uint64_t cycle, uint64_t bound)
{
    uint64_t shared = 0; // the first cycle that may concern other slices or a channel
    if (!slice->usual) {
        cycle = run_cycle(slice, cycle, false);
    } else {
        do {
            cycle = run_cycle(slice, cycle, true);
            shared = smaller(slice->at[STAGE_SEND], slice->at[STAGE_RETURN]);
            if (slice->channel_stall_since != CYCLE_NEVER) shared = 0;
        } while (cycle < bound && cycle < shared);
    }
    slice->due->act = tick_of(slice, cycle);
    slice->due->shared = tick_of(slice, shared);
    return !slice->failed;
}

// ---- reports ----

void slice_count_to(Slice *slice, uint64_t cycle)
{
    if (slice->stall != SLICE_STALL_NONE && cycle > slice->controller.stall.since)
        slice_set_stall(slice, slice->stall, cycle);
    if (slice->channel_stall_since != CYCLE_NEVER && cycle > slice->channel_stall_since) {
        slice->stall_queue += cycle - slice->channel_stall_since;
        slice->channel_stall_since = cycle;
    }
    bool engine_stalls = slice->engine_stall_since != CYCLE_NEVER;
    slice_count_engine_stall(slice, cycle);
    if (engine_stalls) slice->engine_stall_since = cycle;
}

void slice_counters(Slice *slice, IcntCounters *icnt, CacheCounters *cache, DramCounters *dram)
{
    slice->controller.count.atomic_unit_cycles += slice->atomic_unit.busy;
    slice->atomic_unit.busy = 0;
    if (icnt) stats_add(&icnt_table, icnt, &slice->icnt);
    if (cache) stats_add(&cache_table, cache, &slice->controller.count);
    if (dram) dram->stall_queue += slice->stall_queue;
    slice->icnt = (IcntCounters){0};
    slice->controller.count = (CacheCounters){0};
    slice->stall_queue = 0;
}

LinkFlits slice_links(const Slice *slice)
{
    const IcntCounters *c = &slice->icnt;
    return (LinkFlits){c->flits_to_memory_control + c->flits_to_memory_data,
                       c->flits_to_sm_control + c->flits_to_sm_data};
}

uint64_t slice_atomic_changes(const Slice *slice) { return slice->atomic_changes; }

bool slice_idle(const Slice *slice)
{
    uint32_t waiting = in_port_count(&slice->in) + slice->out.waiting_count;
    for (unsigned i = 0; i < SLICE_LINKS; i++) waiting += slice->links[i].count;
    return !waiting && !slice_prefetches(slice);
}

void slice_describe(const Slice *slice, char *text, size_t size)
{
    const char *reason = "";
    if (slice->stall < CACHE_STALL_REASONS) reason = cache_stall_name(slice->stall);
    if (slice->stall == SLICE_STALL_REPLIES) reason = "reply_queue";
    if (slice->stall == SLICE_STALL_PORT) reason = "data_port";
    if (slice->stall == SLICE_STALL_ATOMIC_UNIT) reason = "atomic_unit";
    snprintf(text, size,
             "L2 slice %u: %u requests (%u at the tags%s%s), %u misses queued, %u towards DRAM, "
             "%u to be filled, %u replies wait, %u MSHRs in use\n",
             slice->number, in_port_count(&slice->in), slice->in.passed_count,
             *reason ? ", refused: " : "", reason, slice_misses_queued(slice), slice->piped,
             slice->links[LINK_RETURNED].count + slice->links[LINK_FILLS].count,
             slice->out.waiting_count,
             cache_mshr_used(slice->controller.cache));
}
