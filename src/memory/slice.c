// The L2 slice, one cycle at a time.
#include "memory/slice.h"
#include "base/bits.h"
#include "exec/exec.h"

#include <stdio.h>
#include <stdlib.h>

enum { NO_RECORD = UINT32_MAX, FULL_LINE = MAX_LINE_BYTES / SECTOR_BYTES };

// A request from its first lookup until its reply is ready.
typedef struct Record {
    MemRequest request;
    uint64_t ready; // L2 cycle at which what has been served so far can leave
    uint8_t waiting; // sectors that are being fetched
    uint8_t level;   // MemLevel
    bool accepted;   // every sector has been looked up
    uint32_t next;   // free list
} Record;

typedef struct Miss { // on its way to the channel
    uint64_t line;    // or sector, in the slice's space
    uint64_t cycle;   // when it can leave the pipe
    uint32_t units;   // which sectors of the cache's line
    bool write, background;
} Miss;

typedef struct Fill {
    uint64_t address, cycle; // the fill's first possible cycle
    bool background;
} Fill;

typedef struct Returned {
    uint64_t address;
    Tick tick; // may be taken in a cycle after this
    bool background;
} Returned;

struct Slice {
    const SliceContext *context;
    Channel *channel;
    AccessTables *tables;
    Cache *cache;
    unsigned number;
    uint16_t in_channel;
    InPort in;
    OutPort out;
    Record *records;
    uint32_t free_record;

    uint32_t head;      // record of the head request once a sector of it has been served
    uint32_t head_left; // units not yet looked up, while head is a record

    Miss *misses, *pipe;
    Ring miss_ring, pipe_ring;
    uint32_t pipe_length;
    Returned *returned;
    Ring returned_ring;
    Fill *fills;
    Ring fill_ring;
    uint32_t fill_length;
    uint32_t *tokens; // of one fill

    uint64_t port_free; // the data port's next cycle
    unsigned blocked;   // BLOCK_NONE, or why the head is not served ...
    uint64_t blocked_since;
    uint64_t queue_since; // since when the channel's queue refuses; CYCLE_NEVER
    uint64_t last, next;
    bool every_cycle, started, failed;

    CreditList credits;
    size_t background;
    uint64_t blocked_cycles[BLOCK_REASONS], refused_queue;
    IcntCounters icnt;
    CacheCounters counters;
};

// ---- making one ----

static bool allocate(Slice *slice)
{
    const MemoryConfig *config = &slice->context->config;
    const CacheConfig *l2 = config->l2;
    // One record per token that can wait in the MSHRs, one for the head, one while it completes.
    uint64_t records = (uint64_t)l2->mshr_entries * l2->mshr_merges + 2;
    uint64_t replies = (uint64_t)config->slice->reply_queue + l2->mshr_merges + 1;
    slice->records = hd_new(records, sizeof *slice->records);
    slice->tokens = hd_new(l2->mshr_merges, sizeof *slice->tokens);
    slice->misses = ring_new(&slice->miss_ring, l2->miss_queue, sizeof *slice->misses);
    slice->pipe = ring_new(&slice->pipe_ring, slice->pipe_length, sizeof *slice->pipe);
    slice->returned = ring_new(&slice->returned_ring, config->dram->return_queue,
                               sizeof *slice->returned);
    slice->fills = ring_new(&slice->fill_ring, slice->fill_length, sizeof *slice->fills);
    bool ports = in_port_init(&slice->in, config->icnt->credits);
    ports = out_port_init(&slice->out, (uint32_t)replies) && ports;
    if (!ports || !slice->records || !slice->tokens || !slice->misses || !slice->pipe ||
        !slice->returned || !slice->fills)
        return false;
    for (uint64_t i = 0; i < records; i++)
        slice->records[i].next = i + 1 < records ? (uint32_t)(i + 1) : NO_RECORD;
    return true;
}

Slice *slice_new(const SliceContext *context, unsigned number, Channel *channel,
                 AccessTables *tables, uint64_t seed, HdError *err)
{
    const SliceConfig *config = context->config.slice;
    Slice *slice = hd_new(1, sizeof *slice);
    if (!slice) {
        hd_fail_memory(err, "building an L2 slice");
        return NULL;
    }
    slice->context = context;
    slice->channel = channel;
    slice->tables = tables;
    slice->number = number;
    slice->in_channel = (uint16_t)(number % context->map.per_channel);
    slice->pipe_length = config->miss_latency ? config->miss_latency : 1;
    slice->fill_length = config->fill_latency + 1;
    slice->head = NO_RECORD;
    slice->blocked = BLOCK_NONE;
    slice->queue_since = slice->next = CYCLE_NEVER;
    bool ok = allocate(slice);
    if (!ok) hd_fail_memory(err, "building an L2 slice");
    if (ok) slice->cache = cache_new(context->config.l2, "l2", seed + number, err);
    if (slice->cache) return slice;
    slice_free(slice);
    return NULL;
}

void slice_free(Slice *slice)
{
    if (!slice) return;
    cache_free(slice->cache);
    in_port_free(&slice->in);
    out_port_free(&slice->out);
    free(slice->records);
    free(slice->tokens);
    free(slice->misses);
    free(slice->pipe);
    free(slice->returned);
    free(slice->fills);
    free(slice->credits.items);
    free(slice);
}

InPort *slice_in(Slice *slice) { return &slice->in; }
OutPort *slice_out(Slice *slice) { return &slice->out; }
Cache *slice_cache(Slice *slice) { return slice->cache; }
IcntCounters *slice_icnt_counters(Slice *slice) { return &slice->icnt; }
uint64_t slice_next(const Slice *slice) { return slice->next; }
bool slice_healthy(const Slice *slice) { return !slice->failed; }
size_t slice_background(const Slice *slice) { return slice->background; }

CreditList *slice_credits(Slice *slice) { return &slice->credits; }

void slice_wake(Slice *slice, uint64_t cycle)
{
    if (slice->started && cycle <= slice->last) cycle = slice->last + 1;
    if (cycle < slice->next) slice->next = cycle;
}

void slice_every_cycle(Slice *slice, bool every_cycle)
{
    slice->every_cycle = every_cycle;
    if (every_cycle) slice_wake(slice, 0);
}

static Tick tick_of(const Slice *slice, uint64_t cycle)
{
    return clock_tick(&slice->context->clocks, CLOCK_L2, cycle);
}

// ---- towards DRAM ----

static void push_miss(Slice *slice, Miss miss)
{
    slice->misses[ring_push(&slice->miss_ring)] = miss;
    if (miss.background) slice->background += (unsigned)__builtin_popcount(miss.units);
}

static uint32_t miss_room(const Slice *slice)
{
    return slice->context->config.l2->miss_queue - slice->miss_ring.count;
}

// The pipe's oldest entry offers one sector to the channel.
static void send_to_channel(Slice *slice, uint64_t cycle)
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
    Tick now = tick_of(slice, cycle);
    channel_push(slice->channel, &request, clock_cycle(&context->clocks, CLOCK_DRAM, now));
    miss->units &= miss->units - 1;
    if (!miss->units) ring_pop(&slice->pipe_ring);
}

// The miss queue's oldest enters the pipe.
static bool leave_miss_queue(Slice *slice, uint64_t cycle)
{
    if (!slice->miss_ring.count || slice->pipe_ring.count == slice->pipe_length) return false;
    Miss miss = slice->misses[slice->miss_ring.head];
    ring_pop(&slice->miss_ring);
    miss.cycle = cycle + slice->context->config.slice->miss_latency;
    slice->pipe[ring_push(&slice->pipe_ring)] = miss;
    return true;
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

// ---- replies ----

static uint16_t reply_bytes(const MemRequest *request)
{
    if (mem_kind_writes(request->kind) || request->kind == MEM_REDUCE) return 0;
    if (request->kind == MEM_ATOMIC && request->atomic) {
        unsigned each = ptx_type_bytes(request->atomic->type) > 4 ? 8 : 4;
        return (uint16_t)round_up(lanes_count(request->atomic->lanes) * each, SECTOR_BYTES);
    }
    return (uint16_t)(__builtin_popcount(request->sectors) * SECTOR_BYTES);
}

// Everything that the request needs is there: its reply waits for the port, the record is free.
static void complete(Slice *slice, uint32_t at)
{
    Record *record = &slice->records[at];
    const MemRequest *request = &record->request;
    OutPacket packet = {.reply = {.line = request->line,
                                  .token = request->token,
                                  .kind = request->kind,
                                  .sectors = request->sectors,
                                  .level = record->level,
                                  .slice = (uint8_t)slice->number,
                                  .bytes = reply_bytes(request)},
                        .ready = tick_of(slice, record->ready),
                        .sm = request->sm};
    out_port_add(&slice->out, &packet);
    record->next = slice->free_record;
    slice->free_record = at;
}

static bool replies_full(const Slice *slice)
{
    return slice->out.ring.count >= slice->context->config.slice->reply_queue;
}

// Does the request's atomics on one unit (offset in the line), lanes in ascending order. Each
// address lies in one unit, so the order per address is the order of the lookups.
static void do_atomics(Slice *slice, const MemRequest *request, uint64_t offset)
{
    AtomicLanes *atomic = request->atomic;
    if (!atomic || !slice->context->guest) return;
    uint64_t first = request->line + offset;
    for (LaneMask left = atomic->lanes; left; left &= left - 1) {
        unsigned lane = lanes_first(left);
        uint64_t address = atomic->address[lane];
        if (address - first >= slice->context->unit) continue;
        void *place = guest_host(slice->context->guest, address);
        atomic->b[lane] = exec_atomic(atomic->operation, atomic->type, place, atomic->b[lane],
                                      atomic->c[lane]);
    }
}

// ---- fills ----

static void use_port(Slice *slice, uint64_t cycle)
{
    const CacheConfig *l2 = slice->context->config.l2;
    slice->port_free = cycle + divide_up(slice->context->unit, l2->port);
}

static void take_returned(Slice *slice, uint64_t cycle)
{
    const Returned *returned = &slice->returned[slice->returned_ring.head];
    if (!slice->returned_ring.count || slice->fill_ring.count == slice->fill_length ||
        returned->tick >= tick_of(slice, cycle))
        return;
    slice->fills[ring_push(&slice->fill_ring)] =
        (Fill){returned->address, cycle + slice->context->config.slice->fill_latency,
               returned->background};
    ring_pop(&slice->returned_ring);
    const Clocks *clocks = &slice->context->clocks;
    channel_taken(slice->channel, clock_cycle(clocks, CLOCK_DRAM, tick_of(slice, cycle)));
}

// A waiting request got the unit that starts at `offset` of its line.
static void wake_record(Slice *slice, uint32_t at, uint64_t offset, uint64_t cycle)
{
    Record *record = &slice->records[at];
    if (mem_kind_atomic(record->request.kind)) do_atomics(slice, &record->request, offset);
    if (record->ready < cycle) record->ready = cycle;
    record->waiting--;
    if (record->accepted && !record->waiting) complete(slice, at);
}

static bool fill(Slice *slice, uint64_t cycle)
{
    if (!slice->fill_ring.count || slice->port_free > cycle || replies_full(slice)) return false;
    Fill next = slice->fills[slice->fill_ring.head];
    if (next.cycle > cycle) return false;
    ring_pop(&slice->fill_ring);
    CacheVictim victim; // nothing: lines are allocated at the miss
    unsigned count = cache_fill(slice->cache, next.address, slice->tokens, &victim);
    slice->counters.fills++;
    slice->background -= next.background;
    use_port(slice, cycle);
    for (unsigned i = 0; i < count; i++)
        if (slice->tokens[i] != NO_RECORD)
            wake_record(slice, slice->tokens[i], next.address % MAX_LINE_BYTES, cycle);
    return true;
}

// ---- lookups ----

static void count_access(AccessCounters *row, CacheOutcome outcome)
{
    row->accesses++;
    row->hits += outcome == CACHE_HIT;
    row->pending_hits += outcome == CACHE_MERGED;
    row->misses += outcome == CACHE_MISS;
}

static void count_served(Slice *slice, const MemRequest *request, const CacheResult *result)
{
    CacheCounters *c = &slice->counters;
    bool hit = result->outcome == CACHE_HIT, miss = result->outcome == CACHE_MISS;
    bool merged = result->outcome == CACHE_MERGED;
    c->accesses++;
    c->hits += hit;
    c->pending_hits += merged;
    c->misses += miss;
    if (mem_kind_writes(request->kind)) {
        c->store_accesses++;
        c->store_hits += hit;
        c->store_misses += miss;
    } else if (mem_kind_atomic(request->kind)) {
        c->atomic_accesses++;
    } else {
        c->load_accesses++;
        c->load_hits += hit;
        c->load_pending_hits += merged;
        c->load_misses += miss;
    }
    c->evictions += result->victim.evicted;
    c->writebacks += (unsigned)__builtin_popcount(result->victim.dirty_sectors);
    AccessTables *tables = slice->tables;
    if (request->array < tables->array_count)
        count_access(&tables->arrays[request->array], result->outcome);
    if (request->pc < tables->pc_count) count_access(&tables->pcs[request->pc], result->outcome);
}

static void block(Slice *slice, unsigned reason, uint64_t cycle)
{
    if (slice->blocked != BLOCK_NONE)
        slice->blocked_cycles[slice->blocked] += cycle - slice->blocked_since;
    slice->blocked = reason;
    slice->blocked_since = cycle;
}

// The units that the request touches, one bit each.
static uint32_t units_of(const SliceContext *context, const MemRequest *request)
{
    uint32_t units = 0, per_unit = (uint32_t)(context->unit / SECTOR_BYTES);
    for (uint32_t u = 0; u * per_unit < FULL_LINE; u++)
        if (request->sectors >> (u * per_unit) & context->unit_mask) units |= 1u << u;
    return units;
}

static CacheResult look_up(Slice *slice, const MemRequest *request, uint64_t address)
{
    const SliceContext *context = slice->context;
    uint32_t room = miss_room(slice);
    uint64_t offset = address % MAX_LINE_BYTES;
    bool write = mem_kind_writes(request->kind);
    CacheAccess access = {
        .address = address,
        .token = write ? NO_RECORD : slice->head, // nobody waits for a store's fetch
        .write = write,
        .local = request->kind == MEM_LOCAL_LOAD || request->kind == MEM_LOCAL_STORE,
        .atomic = mem_kind_atomic(request->kind),
        .room = (uint8_t)(room > UINT8_MAX ? UINT8_MAX : room)};
    for (unsigned half = 0; write && half < 2; half++) { // the written bytes of this unit
        uint64_t first = half * 64, end = first + 64;
        if (offset >= end || offset + context->unit <= first) continue;
        uint64_t unit = context->unit >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << context->unit) - 1;
        access.bytes[half] = request->written[half] & unit << (offset > first ? offset - first : 0);
    }
    return cache_access(slice->cache, &access);
}

// Sends down what the lookup asks for.
static void send_misses(Slice *slice, const MemRequest *request, const CacheResult *result,
                        uint64_t address)
{
    bool write = mem_kind_writes(request->kind);
    uint64_t sector = address - address % slice->context->config.l2->sector;
    if (result->fetch) push_miss(slice, (Miss){sector, 0, 1, false, write});
    if (result->sends_write) push_miss(slice, (Miss){sector, 0, 1, true, true});
    const CacheVictim *victim = &result->victim;
    if (victim->dirty_sectors)
        push_miss(slice, (Miss){victim->line, 0, victim->dirty_sectors, true, true});
}

static void give_credit(Slice *slice, const MemRequest *request, uint64_t cycle)
{
    Tick time = tick_of(slice, cycle) + slice->context->icnt.reply;
    SliceCredit credit = {{time, (uint16_t)slice->number}, request->sm};
    CreditList *list = &slice->credits;
    if (!HD_PUSH(list->items, list->count, list->capacity, credit))
        slice->failed = true;
}

// Takes the head's next unit as served.
static void serve(Slice *slice, const CacheResult *result, uint64_t offset, uint64_t cycle)
{
    Record *record = &slice->records[slice->head];
    const MemRequest *request = &record->request;
    bool write = mem_kind_writes(request->kind), hit = result->outcome == CACHE_HIT;
    count_served(slice, request, result);
    if (hit || (write && !result->sends_write)) use_port(slice, cycle);
    uint64_t ready = cycle;
    if (!write && hit) ready += slice->context->config.l2->latency;
    if (record->ready < ready) record->ready = ready;
    if (!write && hit && mem_kind_atomic(request->kind)) do_atomics(slice, request, offset);
    if (!write && !hit) {
        record->waiting++;
        record->level = LEVEL_DRAM;
    }
    slice->head_left &= slice->head_left - 1;
    if (slice->head_left) return;
    give_credit(slice, request, cycle);
    in_port_pop(&slice->in);
    record->accepted = true;
    if (!record->waiting) complete(slice, slice->head);
    slice->head = NO_RECORD;
}

static void start_head(Slice *slice, const MemRequest *request)
{
    slice->head = slice->free_record;
    Record *record = &slice->records[slice->head];
    slice->free_record = record->next;
    *record = (Record){.request = *request, .level = LEVEL_L2};
    slice->head_left = units_of(slice->context, request);
}

// The head request looks up one unit.
static void access_tags(Slice *slice, uint64_t cycle, bool changed)
{
    const InPacket *packet = in_port_head(&slice->in);
    if (!packet || packet->ready > cycle) return;
    if (slice->blocked < CACHE_REFUSALS && !changed && !slice->every_cycle) return;
    if (replies_full(slice) || slice->port_free > cycle) {
        block(slice, replies_full(slice) ? BLOCK_REPLIES : BLOCK_PORT, cycle);
        return;
    }
    if (slice->head == NO_RECORD) start_head(slice, &packet->request);
    const MemRequest *request = &slice->records[slice->head].request;
    uint64_t offset = (unsigned)__builtin_ctz(slice->head_left) * slice->context->unit;
    uint64_t address = address_map_split(&slice->context->map, request->line).address + offset;
    CacheResult result = look_up(slice, request, address);
    if (result.outcome == CACHE_REFUSED) {
        block(slice, result.refusal, cycle);
        return;
    }
    block(slice, BLOCK_NONE, cycle);
    send_misses(slice, request, &result, address);
    serve(slice, &result, offset, cycle);
}

// ---- a cycle ----

static uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

// The first cycle after `cycle` in which one of the parts can act by itself. Parts that wait for
// another are woken by it: what the other does happens in one of this slice's cycles, or wakes it.
static uint64_t find_next(const Slice *slice, uint64_t cycle)
{
    uint64_t next = CYCLE_NEVER;
    if (slice->pipe_ring.count) {
        uint64_t leave = slice->pipe[slice->pipe_ring.head].cycle;
        bool refused = slice->queue_since != CYCLE_NEVER && channel_full(slice->channel);
        if (!refused) next = sooner(next, leave);
    }
    if (slice->miss_ring.count && slice->pipe_ring.count < slice->pipe_length) next = 0;
    if (slice->returned_ring.count && slice->fill_ring.count < slice->fill_length) {
        Tick tick = slice->returned[slice->returned_ring.head].tick;
        next = sooner(next, clock_cycle(&slice->context->clocks, CLOCK_L2, tick + 1));
    }
    if (slice->fill_ring.count && !replies_full(slice)) {
        uint64_t at = slice->fills[slice->fill_ring.head].cycle;
        next = sooner(next, at > slice->port_free ? at : slice->port_free);
    }
    const InPacket *packet = in_port_head(&slice->in);
    if (packet && slice->blocked == BLOCK_NONE) next = sooner(next, packet->ready);
    if (packet && slice->blocked == BLOCK_PORT) next = sooner(next, slice->port_free);
    return next > cycle ? next : cycle + 1;
}

bool slice_idle(const Slice *slice)
{
    return !slice->in.ring.count && !slice->out.ring.count && !slice->miss_ring.count && !slice->pipe_ring.count &&
           !slice->returned_ring.count && !slice->fill_ring.count;
}

void slice_cycle(Slice *slice, uint64_t cycle)
{
    slice->last = cycle;
    slice->started = true;
    send_to_channel(slice, cycle);
    bool changed = leave_miss_queue(slice, cycle);
    take_returned(slice, cycle);
    changed |= fill(slice, cycle);
    access_tags(slice, cycle, changed);
    slice->next = find_next(slice, cycle);
    if (slice->every_cycle && !slice_idle(slice)) slice->next = cycle + 1;
}

// ---- reports ----

void slice_counters(Slice *slice, uint64_t cycle, IcntCounters *icnt, CacheCounters *cache,
                    DramCounters *dram)
{
    if (slice->blocked != BLOCK_NONE && cycle > slice->blocked_since)
        block(slice, slice->blocked, cycle);
    if (slice->queue_since != CYCLE_NEVER && cycle > slice->queue_since) {
        slice->refused_queue += cycle - slice->queue_since;
        slice->queue_since = cycle;
    }
    uint64_t *blocked = slice->blocked_cycles;
    slice->counters.refused_line_allocation += blocked[REFUSED_LINE];
    slice->counters.refused_mshr_entry += blocked[REFUSED_MSHR];
    slice->counters.refused_mshr_merge += blocked[REFUSED_MERGE];
    slice->counters.refused_miss_queue += blocked[REFUSED_MISS_QUEUE];
    slice->counters.refused_conflict += blocked[REFUSED_CONFLICT];
    slice->icnt.refused_reply_queue += blocked[BLOCK_REPLIES];
    slice->icnt.refused_data_port += blocked[BLOCK_PORT];
    for (unsigned i = 0; i < BLOCK_REASONS; i++) blocked[i] = 0;
    if (icnt) stats_add(&icnt_table, icnt, &slice->icnt);
    if (cache) stats_add(&cache_table, cache, &slice->counters);
    if (dram) dram->refused_queue += slice->refused_queue;
    slice->icnt = (IcntCounters){0};
    slice->counters = (CacheCounters){0};
    slice->refused_queue = 0;
}

void slice_describe(const Slice *slice, char *text, size_t size)
{
    const char *reason = "";
    if (slice->blocked < CACHE_REFUSALS) reason = cache_refusal_name(slice->blocked);
    if (slice->blocked == BLOCK_REPLIES) reason = "reply_queue";
    if (slice->blocked == BLOCK_PORT) reason = "data_port";
    snprintf(text, size,
             "L2 slice %u: %u requests (%u at the tags%s%s), %u misses queued, %u towards DRAM, "
             "%u to be filled, %u replies wait, %u MSHRs in use\n",
             slice->number, slice->in.ring.count, slice->in.passed, *reason ? ", refused: " : "",
             reason, slice->miss_ring.count, slice->pipe_ring.count,
             slice->returned_ring.count + slice->fill_ring.count, slice->out.ring.count,
             cache_mshr_used(slice->cache));
}
