// The L1 data cache: look-ups, fills and prefetches, with their counters and requests.
#include "core/l1/l1d.h"

#include "core/shadow_sm.h"
#include "core/l1/l1_request.h"
#include "core/trace_warp.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- life ----

void l1d_free(L1d *l1d)
{
    cache_free(l1d->cache);
    free(l1d->pipe);
    free(l1d->answers);
}

bool l1d_attach(L1d *l1d, CacheHooks *hooks, HdError *err)
{
    l1d->hooks = hooks;
    if (!core_hooks_want(hooks, CORE_HOLD)) return true;
    l1d->hold = hd_new(1, sizeof *l1d->hold);
    if (!l1d->hold) return hd_fail_memory(err, "attaching mechanisms");
    return hold_init(l1d->hold, hooks, err);
}

bool l1d_begin(L1d *l1d, SmContext *sm, HdError *err)
{
    const SmLaunch *launch = sm->launch;
    l1d->due = UINT64_MAX;
    if (l1d->cache && l1d->changes == launch->l1d_changes) {
        if (sm->config.path->invalidate_l1) cache_invalidate(l1d->cache);
        return true;
    }
    if (l1d->cache) cache_invalidate(l1d->cache); // mechanisms see the eviction of each line
    l1d_free(l1d);
    l1d->config = launch->l1d;
    l1d->changes = launch->l1d_changes;
    l1d->cache = cache_new(&l1d->config, "l1d", sm->seed, err);
    l1d->pipe = NULL;
    l1d->answers = NULL;
    if (!l1d->cache || !cache_attach(l1d->cache, l1d->hooks, err)) return false;
    l1d->capacity = l1d->config.latency * sm->config.path->l1_banks;
    l1d->head = l1d->count = 0;
    l1d->pipe = hd_new(l1d->capacity, sizeof *l1d->pipe);
    bool answers = l1d->hooks && l1d->hooks->prefetches;
    l1d->first_answer = l1d->answer_count = 0;
    if (answers) l1d->answers = hd_new(l1d->config.latency + 1, sizeof *l1d->answers);
    if (answers && !l1d->answers) return hd_fail_memory(err, "building an L1D");
    if (l1d->pipe && queue_init(&l1d->misses, l1d->config.miss_queue, &sm->tables)) return true;
    return hd_fail_memory(err, "building an L1D");
}

// ---- requests ----

// Whether the cache is sectored, with sectors of 32 bytes.
static bool is_sectored(const L1d *l1d) { return l1d->hooks && l1d->hooks->wants & HOOK_SECTORED; }
static uint64_t sector_bytes(const L1d *l1d)
{
    return is_sectored(l1d) ? SECTOR_BYTES : l1d->config.sector;
}

static void send_clean_victim(L1d *l1d, const CacheVictim *victim) __attribute__((noinline, cold));
static void send_clean_victim(L1d *l1d, const CacheVictim *victim)
{
    bool room = queue_room(&l1d->clean_victims);
    l1d->hooks->copied.sent += room;
    l1d->hooks->copied.dropped += !room;
    if (!room) return;
    MemRequest request = request_for_clean_victim(victim, sector_bytes(l1d));
    queue_push(&l1d->clean_victims, &request);
}

static void send_victim(L1d *l1d, SmContext *sm, const CacheVictim *victim)
{
    CacheCounters *count = &sm->count.l1d;
    count_victim(count, victim);
    if (victim->copy_back) send_clean_victim(l1d, victim);
    if (!victim->dirty_sectors) return;
    MemRequest request = request_for_victim(victim, sector_bytes(l1d));
    l1d->writebacks_out++;
    count->writebacks += lanes_count(victim->dirty_sectors);
    queue_push(&l1d->misses, &request);
}

// The sectors that a fetch requests. `fetch`: sectors of the line, if the cache is sectored.
static uint8_t fetched_sectors(const L1d *l1d, unsigned sector, uint8_t fetch)
{
    if (fetch) return fetch;
    return l1d->config.sector > SECTOR_BYTES ? 0xf : (uint8_t)(1u << sector);
}

static unsigned first_sector(const CoalescedAccess *a)
{
    return a->sectors ? lanes_first(a->sectors) : 0;
}

// The request for an access that misses, with the mechanisms' decisions about it.
static MemRequest request_for_miss(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access,
                                   uint8_t fetch, uint32_t token)
{
    MemRequest request = request_for_access(op, access, token, l1d->fields);
    request.kind = memory_op_is_local(op) ? MEM_LOCAL_LOAD : MEM_LOAD;
    request.bytes = 0;
    request.sectors = fetched_sectors(l1d, first_sector(&op->accesses[access]), fetch);
    request.wants_reply_tag = request.keeps = l1d->config.mode != CACHE_OFF;
    CacheHooks *hooks = l1d->hooks;
    if (hooks && hooks->access.insertion != HD_PASS && hooks->access.insertion != HD_INSERT)
        request.keeps = false;
    if (hooks && hooks->wants & HOOK_REQUEST_TAG) {
        request.sideband_tags = cache_hooks_sideband_tags(hooks);
        request.sideband_bytes = hooks->sideband_bytes;
    }
    request.shadow = shadow_fetch(sm);
    return request;
}

_Static_assert((int)VALUE_LINE == MAX_LINE_BYTES && (int)VALUE_SECTOR == SECTOR_BYTES,
               "values are those of a line");

// Has the slice read the bytes of a fetch, if mechanisms want them.
static void fetch_values(L1d *l1d, SmContext *sm, MemRequest *request)
{
    CacheHooks *hooks = l1d->hooks;
    if (!hooks || !hooks->values || !guest_host_range(sm->guest, request->line, MAX_LINE_BYTES))
        return;
    request->value_slot = value_slots_take(&hooks->value_slots);
    if (request->value_slot)
        request->values = value_slots_bytes(&hooks->value_slots, request->value_slot);
    else
        sm_out_of_memory(sm, "reading values of fetches");
}

// ---- counters ----

// The row of an allocation. The last row counts accesses outside all allocations.
static size_t allocation_row(const SmContext *sm, const MemoryOp *op, unsigned access)
{
    return op->allocations[access] < sm->allocations ? op->allocations[access] : sm->allocations;
}

static void count_access(SmContext *sm, const MemoryOp *op, unsigned access, CacheOutcome outcome)
{
    CacheCounters *c = &sm->count.l1d;
    AccessCounters *by_allocation = &sm->count.l1d_allocations[allocation_row(sm, op, access)];
    PcCounters *by_pc = &sm->count.pcs[op->pc];
    bool store = mem_kind_writes(op->kind);
    c->accesses++;
    by_allocation->accesses++;
    by_pc->l1_accesses++;
    *(store ? &c->store_accesses : &c->load_accesses) += 1;
    switch (outcome) {
    case CACHE_HIT:
        c->hits++;
        by_allocation->hits++;
        by_pc->l1_hits++;
        *(store ? &c->store_hits : &c->load_hits) += 1;
        break;
    case CACHE_MERGED:
        c->pending_hits++;
        by_allocation->pending_hits++;
        by_pc->l1_pending_hits++;
        c->load_pending_hits++;
        break;
    default:
        c->misses++;
        by_allocation->misses++;
        by_pc->l1_misses++;
        *(store ? &c->store_misses : &c->load_misses) += 1;
        break;
    }
}

// ---- prefetches ----

// The mechanism of a prefetch, as its request names it.
static uint8_t prefetcher_of(const L1d *l1d, const Prefetch *prefetch)
{
    return (uint8_t)(cache_hooks_prefetcher(l1d->hooks, prefetch->owner)->number + 1);
}

// Sends a prefetch to the queue of its slice.
static PrefetchOutcome send_to_slice(L1d *l1d, const Prefetch *prefetch, unsigned allocation)
{
    const PrefetchQueue *from = &l1d->hooks->prefetches->items[prefetch->owner];
    if (!queue_room(&l1d->misses)) return PREFETCH_NO_ROOM;
    MemRequest request = {.line = prefetch->line & ~(uint64_t)(MAX_LINE_BYTES - 1),
                          .token = prefetch->tag.tag,
                          .warp_slot = prefetch->tag.warp_slot,
                          .pc = HD_NO_PC,
                          .array = (uint16_t)allocation,
                          .kind = MEM_PREFETCH,
                          .sectors = 1,
                          .sideband_bytes = (uint8_t)divide_up(prefetch_tag_bits(&from->how), 8),
                          .prefetcher = prefetcher_of(l1d, prefetch),
                          .into_l2 = true};
    queue_push(&l1d->misses, &request);
    return PREFETCH_SENT;
}

// The data that a prefetch has found are on their way for the latency of a hit. A cycle has one
// look-up, so the ring has room.
static void send_answer(L1d *l1d, SmContext *sm, const Prefetch *prefetch)
{
    HdPrefetched found = cache_hooks_present(
        l1d->hooks, prefetch, sm->now, cache_line_index(l1d->cache, prefetch->address), NULL);
    shadow_values(sm, l1d->cache, NULL, &(HdAccess){.line = found.line,
                                                    .line_index = found.line_index,
                                                    .value_sectors = found.value_sectors,
                                                    .values = found.values});
    if (!l1d->hooks->prefetches->items[prefetch->owner].how.tag_bits) return;
    unsigned latency = l1d->config.latency;
    L1Answer *answer =
        &l1d->answers[(l1d->first_answer + l1d->answer_count++) % (latency + 1)];
    answer->found = found;
    answer->owner = prefetch->owner;
    if (found.values) memcpy(answer->bytes, found.values, l1d->config.line);
    if (!wheel_set(&sm->wheel, sm->now + latency, EVENT_PREFETCHED, 0, (EventPayload){0}))
        sm_out_of_memory(sm, "answering a prefetch");
}

void l1d_answer_prefetch(L1d *l1d, SmContext *sm)
{
    L1Answer *answer = &l1d->answers[l1d->first_answer];
    l1d->first_answer = (l1d->first_answer + 1) % (l1d->config.latency + 1);
    l1d->answer_count--;
    HdPrefetched *found = &answer->found;
    found->cycle = sm->now;
    found->line_index = cache_line_index(l1d->cache, found->line); // it may have left
    if (found->values) found->values = answer->bytes;
    cache_hooks_on_prefetch(l1d->hooks, answer->owner, found);
    l1d_schedule_prefetch(l1d, sm);
}

static CachePrefetch look_up_prefetch(L1d *l1d, SmContext *sm, const Prefetch *prefetch)
{
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned allocation = guest_find(sm->guest, prefetch->line, 1, &hint);
    if (allocation == GUEST_NO_ALLOCATION) return (CachePrefetch){.outcome = PREFETCH_UNALLOCATED};
    if (l1d->hooks->prefetches->items[prefetch->owner].how.into_l2)
        return (CachePrefetch){.outcome = send_to_slice(l1d, prefetch, allocation)};
    CachePrefetch result = cache_prefetch(l1d->cache, prefetch->address, prefetch,
                                          (uint8_t)queue_room(&l1d->misses));
    if (result.there) send_answer(l1d, sm, prefetch);
    if (cache_out_of_memory(l1d->cache)) sm_out_of_memory(sm, "recording the lines of the L1D");
    if (result.outcome != PREFETCH_FETCHED) return result;
    cache_hooks_on_insert(l1d->hooks, &(HdAccess){
        .line = prefetch->line, .victim = HD_NO_LINE, .cycle = sm->now, .pc = HD_NO_PC,
        .set = cache_set_index(l1d->cache, prefetch->line), .allocation = (uint16_t)allocation,
        .sm = (uint16_t)sm->id, .kind = HD_PREFETCH, .outcome = HD_MISS});
    send_victim(l1d, sm, &result.victim);
    uint64_t line = prefetch->address & ~(uint64_t)(MAX_LINE_BYTES - 1);
    unsigned sector = (unsigned)(prefetch->address - line) / SECTOR_BYTES;
    MemRequest request = {.line = line,
                          .pc = HD_NO_PC,
                          .array = (uint16_t)allocation,
                          .kind = MEM_PREFETCH,
                          .sectors = fetched_sectors(l1d, sector, result.sectors),
                          .wants_reply_tag = true,
                          .keeps = true,
                          .prefetcher = prefetcher_of(l1d, prefetch),
                          .shadow = shadow_fetch(sm)};
    fetch_values(l1d, sm, &request);
    queue_push(&l1d->misses, &request);
    return result;
}

void l1d_schedule_prefetch(L1d *l1d, SmContext *sm)
{
    const PrefetchQueues *all = l1d->hooks->prefetches;
    if (!all || l1d->prefetch_scheduled || l1d->prefetch_waits || !prefetch_queues_pending(all))
        return;
    l1d->prefetch_scheduled =
        wheel_set(&sm->wheel, sm->now + 1, EVENT_PREFETCH, 0, (EventPayload){0}) ||
        sm_out_of_memory(sm, "scheduling a prefetch");
}

// A demand access that is due has priority, and schedules the prefetch again. One that is stalled
// does not use the tags.
void l1d_prefetch(L1d *l1d, SmContext *sm)
{
    l1d->prefetch_scheduled = false;
    if (l1d_has_access(l1d, sm->now)) return;
    PrefetchQueues *all = l1d->hooks->prefetches;
    Prefetch next = prefetch_queues_first(all);
    CachePrefetch result = look_up_prefetch(l1d, sm, &next);
    l1d->prefetch_waits =
        prefetch_queues_looked_up(all, &next, result.outcome, result.sectors);
    l1d_schedule_prefetch(l1d, sm);
}

// ---- look-ups ----

// The look-up of an access, without its token and the room in the miss queue.
static CacheAccess cache_access_for(const MemoryOp *op, unsigned access)
{
    const CoalescedAccess *a = &op->accesses[access];
    bool store = mem_kind_writes(op->kind);
    return (CacheAccess){.address = a->line + first_sector(a) * SECTOR_BYTES,
                         .write = store, .local = memory_op_is_local(op), .sectors = a->sectors,
                         .bytes = {store ? a->bytes[0] : 0, store ? a->bytes[1] : 0}};
}

// Says of an access, or of a fill, what its memory operation knows.
static void describe_operation(HdAccess *described, const MemoryOp *op, unsigned access)
{
    described->pc = op->pc;
    described->allocation = op->allocations[access];
    described->sector_mask = op->accesses[access].sectors;
    described->warp = (uint16_t)op->owner->exec.warp_in_block;
    described->warp_slot = op->warp;
    described->block_slot = op->owner->block->slot;
    described->number = (uint16_t)access;
    described->count = op->count;
    described->lanes = op->accesses[access].lanes;
    described->block = memory_op_block(op);
}

// Describes the access to mechanisms.
static void describe_access(L1d *l1d, const SmContext *sm, const MemoryOp *op, unsigned access)
{
    uint64_t address = cache_access_for(op, access).address, offset = address % l1d->config.line;
    l1d->hooks->access = (HdAccess){
        .line = address - offset, .cycle = sm->now, .line_index = HD_NO_INDEX,
        .sm = (uint16_t)sm->id, .sector = (uint8_t)(offset / sector_bytes(l1d)),
        .cache = HD_L1D, .kind = mem_kind_writes(op->kind) ? HD_STORE : HD_LOAD,
        .launch = l1d->hooks->launch};
    describe_operation(&l1d->hooks->access, op, access);
}

typedef enum LookUp {
    LOOK_UP_STALLED,
    LOOK_UP_SENT, // the access waits for the next level
    LOOK_UP_ANSWERED
} LookUp;

static LookUp look_up(L1d *l1d, SmContext *sm, MemoryOp *op, uint32_t token)
{
    unsigned number = token_access(token);
    CacheAccess access = cache_access_for(op, number);
    access.token = token;
    access.room = (uint8_t)queue_room(&l1d->misses);
    if (l1d->hooks) describe_access(l1d, sm, op, number);
    access.shadow = shadow_l1_store(sm, l1d, op, number);
    CacheResult result = cache_access(l1d->cache, &access);
    SmTrace *trace = trace_of_op(sm, op);
    if (trace) trace_cache(trace, sm, op, number, "L1D", &result);
    if (result.outcome == CACHE_STALLED) {
        if (cache_out_of_memory(l1d->cache)) sm_out_of_memory(sm, "recording the lines of the L1D");
        stall_access(&l1d->stall, result.stall, sm->now);
        if (l1d->hooks) l1d_schedule_prefetch(l1d, sm);
        return LOOK_UP_STALLED;
    }
    count_access(sm, op, number, result.outcome);
    shadow_l1_access(sm, l1d, op, number, result.outcome);
    CacheHooks *hooks = l1d->hooks;
    if (hooks) cache_hooks_on_insert(hooks, &hooks->access);
    if (hooks && hooks->wants & HOOK_ON_ACCESS) {
        uint32_t line_index = cache_line_index(l1d->cache, hooks->access.line);
        if (result.outcome == CACHE_HIT) {
            cache_hooks_show_values(hooks, line_index);
            shadow_values(sm, l1d->cache, NULL, &hooks->access);
        }
        cache_hooks_on_access(hooks, (HdOutcome)result.outcome, line_index);
        l1d_schedule_prefetch(l1d, sm);
    }
    sm->count.l1d.victim_hits += result.victim_hit;
    send_victim(l1d, sm, &result.victim);
    if (result.fetch) {
        MemRequest request = request_for_miss(l1d, sm, op, number, result.sectors, token);
        request.direct = result.direct;
        fetch_values(l1d, sm, &request);
        queue_push(&l1d->misses, &request);
    }
    if (result.pending_fetches) memory_op_expect(op, number, result.pending_fetches);
    if (result.forwards_write) {
        MemRequest request = request_for_access(op, number, token, l1d->fields);
        queue_push(&l1d->misses, &request);
        return LOOK_UP_SENT;
    }
    return access.write || result.outcome == CACHE_HIT ? LOOK_UP_ANSWERED : LOOK_UP_SENT;
}

// The access in front of the tags.
static inline L1Access first_access(const L1d *l1d)
{
    if (!l1d->hold) return l1d->pipe[l1d->head];
    const HdHeld *first = hold_first(l1d->hold);
    return (L1Access){.op = first->instruction, .access = (uint8_t)first->access};
}

static inline void leave_pipe(L1d *l1d)
{
    if (++l1d->head == l1d->capacity) l1d->head = 0;
    l1d->count--;
}

// Counts the cycles for which the access in front of the tags has stalled.
static inline void count_stall(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access)
{
    uint64_t stalled = stall_end(&l1d->stall, sm->now);
    if (!stalled) return;
    CacheStall reason = l1d->stall.reason;
    sm->count.l1d.stalls[reason] += stalled;
    sm->count.l1d_allocations[allocation_row(sm, op, access)].stalls[reason] += stalled;
    sm->count.pcs[op->pc].l1_stalls[reason] += stalled;
}

// An access that comes may be the next one, in place of one that stalls.
void l1d_hold(L1d *l1d, SmContext *sm, const MemoryOps *ops)
{
    L1Hold *hold = l1d->hold;
    for (unsigned i = 0; i < sm->config.path->l1_banks && !hold->waits; i++) {
        if (!l1d->count || l1d->pipe[l1d->head].ready > sm->now) return;
        L1Access due = l1d->pipe[l1d->head], before = {0};
        if (hold->seen.held) before = first_access(l1d);
        describe_access(l1d, sm, &ops->items[due.op], due.access);
        if (!hold_push(hold, due.op, due.access)) return;
        leave_pipe(l1d);
        L1Access next = first_access(l1d);
        if (before.op == next.op && before.access == next.access) continue;
        if (before.op) count_stall(l1d, sm, &ops->items[before.op], before.access);
        l1d->stall.blocked = false;
    }
}

// The usual look-up: a load that hits, which neither mechanisms nor a trace see.
static inline bool hits(const L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access)
{
    if (l1d->hooks || SHADOW_BUILD || sm->trace || mem_kind_writes(op->kind)) return false;
    const CoalescedAccess *a = &op->accesses[access];
    if (!cache_load_hits(l1d->cache, a->line + first_sector(a) * SECTOR_BYTES)) return false;
    count_access(sm, op, access, CACHE_HIT);
    return true;
}

bool l1d_look_up(L1d *l1d, SmContext *sm, MemoryOps *ops, uint32_t *token)
{
    L1Access head = first_access(l1d);
    MemoryOp *item = &ops->items[head.op];
    *token = access_token(head.op, head.access);
    count_stall(l1d, sm, item, head.access);
    LookUp outcome = hits(l1d, sm, item, head.access) ? LOOK_UP_ANSWERED
                                                      : look_up(l1d, sm, item, *token);
    if (outcome == LOOK_UP_STALLED) return false;
    if (l1d->hold) hold_pop(l1d->hold);
    else leave_pipe(l1d);
    if (l1d->last_cycle != sm->now) l1d->look_ups = 0;
    l1d->last_cycle = sm->now;
    l1d->look_ups++;
    return outcome == LOOK_UP_ANSWERED;
}

// ---- fills ----

// Finds the access of a load that missed on the sector at `address` (in a sectored cache: the
// line).
static unsigned access_to(const L1d *l1d, const MemoryOp *op, uint64_t address)
{
    uint64_t unit = is_sectored(l1d) ? l1d->config.line : l1d->config.sector;
    for (unsigned i = 0; i < op->count; i++)
        if (cache_access_for(op, i).address / unit == address / unit) return i;
    return 0;
}

// Reports a fill to mechanisms. waiter: the first operation that waited; NULL: none.
static void report_fill(L1d *l1d, SmContext *sm, const MemReply *reply, uint64_t address,
                        const MemoryOp *waiter)
{
    l1d->prefetch_waits = false; // the fill may have made room for prefetches
    l1d_schedule_prefetch(l1d, sm);
    CacheHooks *hooks = l1d->hooks;
    if (!(hooks->wants & (HOOK_ON_FILL | HOOK_ON_INSERT | HOOK_ON_PREFETCH | HOOK_VALUES))) return;
    HdAccess *filled = &hooks->filled;
    uint64_t offset = address % l1d->config.line;
    *filled = (HdAccess){.line = address - offset, .victim = HD_NO_LINE, .cycle = sm->now,
                         .pc = HD_NO_PC, .line_index = filled->line_index, .set = filled->set,
                         .allocation = HD_NO_ALLOCATION, .sm = (uint16_t)sm->id,
                         .sector = (uint8_t)(offset / sector_bytes(l1d)), .kind = filled->kind,
                         .outcome = HD_MISS, .launch = hooks->launch};
    if (waiter) {
        filled->kind = HD_LOAD;
        describe_operation(filled, waiter, access_to(l1d, waiter, address));
    }
    hooks->sideband_tags = reply->sideband_tags;
    cache_hooks_on_insert(hooks, filled);
    if (reply->value_slot) {
        cache_hooks_bring_values(hooks, reply->value_slot, reply->sectors);
        shadow_values(sm, l1d->cache, &reply->shadow, filled);
    }
    cache_hooks_on_fill(hooks);
    hooks->sideband_tags = 0;
    cache_hooks_on_tagged_fill(hooks);
    if (reply->value_slot) value_slots_give_back(&hooks->value_slots, reply->value_slot);
    l1d_schedule_prefetch(l1d, sm);
}

void l1d_on_direct_reply(L1d *l1d, SmContext *sm, const MemoryOp *op, const MemReply *reply)
{
    uint64_t address = reply->line + SECTOR_BYTES * lanes_first(reply->sectors);
    l1d->hooks->filled = (HdAccess){.line_index = HD_NO_INDEX,
                                    .set = cache_set_index(l1d->cache, address)};
    report_fill(l1d, sm, reply, address, op);
}

unsigned l1d_fill(L1d *l1d, SmContext *sm, const MemoryOps *ops, const MemReply *reply,
                  uint32_t *tokens)
{
    CacheVictim victim = {0};
    uint64_t address = reply->line + SECTOR_BYTES * lanes_first(reply->sectors);
    unsigned count = cache_fill(l1d->cache, address, tokens, &victim);
    shadow_reply(sm, l1d->cache, true, reply);
    sm->count.l1d.fills += is_sectored(l1d) ? lanes_count(reply->sectors) : 1;
    if (l1d->hooks) {
        cache_hooks_lower_version(l1d->hooks, l1d->hooks->filled.line_index, reply->version);
        report_fill(l1d, sm, reply, address, count ? &ops->items[token_op(tokens[0])] : NULL);
    }
    send_victim(l1d, sm, &victim);
    return count;
}

// ---- functional accesses ----

// The bytes that a functional fetch has brought into a line. A line of an L1D is one of a request.
static void warm_values(L1d *l1d, const SmContext *sm, const MemRequest *request)
{
    uint32_t index = l1d->hooks->filled.line_index;
    const uint8_t *bytes = guest_host_range(sm->guest, request->line, MAX_LINE_BYTES);
    if (!l1d->hooks->values || index == HD_NO_INDEX || !bytes) return;
    line_values_bring(&l1d->hooks->values[index], bytes, request->sectors);
}

void l1d_warm(L1d *l1d, SmContext *sm, const MemoryOp *op, unsigned access,
              const FunctionalMemory *memory)
{
    CacheAccess look_up = cache_access_for(op, access);
    if (l1d->hooks) describe_access(l1d, sm, op, access);
    CacheResult result = cache_access_warm(l1d->cache, &look_up);
    if (l1d->hooks) cache_hooks_on_insert(l1d->hooks, &l1d->hooks->access);
    MemRequest request;
    if (result.victim.dirty_sectors) {
        request = request_for_victim(&result.victim, sector_bytes(l1d));
        memory->request(memory->receiver, &request);
    }
    if (result.victim.copy_back) {
        request = request_for_clean_victim(&result.victim, sector_bytes(l1d));
        memory->request(memory->receiver, &request);
    }
    if (result.fetch) {
        request = request_for_miss(l1d, sm, op, access, result.sectors, 0);
        uint32_t version = memory->request(memory->receiver, &request);
        if (l1d->hooks) {
            cache_hooks_lower_version(l1d->hooks, l1d->hooks->filled.line_index, version);
            warm_values(l1d, sm, &request);
        }
    }
    if (result.forwards_write) {
        request = request_for_access(op, access, 0, l1d->fields);
        memory->request(memory->receiver, &request);
    }
}
