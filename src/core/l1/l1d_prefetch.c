// Prefetches of mechanisms at the L1D: their look-ups, requests and answers, and what becomes of
// those on their way.
#include "core/l1/l1d_parts.h"

#include <string.h>

// The mechanism of a prefetch, as its request names it.
static uint8_t prefetcher_of(const L1d *l1d, const Prefetch *prefetch)
{
    return (uint8_t)(cache_hooks_prefetcher(l1d->hooks, prefetch->owner)->number + 1);
}

// Sends a prefetch to the queue of its slice. The miss queue has room.
static PrefetchOutcome send_to_slice(L1d *l1d, const Prefetch *prefetch, unsigned allocation)
{
    const PrefetchQueue *from = &l1d->hooks->prefetches->items[prefetch->owner];
    *queue_add(&l1d->controller.misses) = (MemRequest){
        .line = prefetch->line & ~(uint64_t)(MAX_LINE_BYTES - 1),
        .token = prefetch->tag.tag,
        .warp_slot = prefetch->tag.warp_slot,
        .pc = HD_NO_PC,
        .allocation = (uint16_t)allocation,
        .kind = MEM_PREFETCH,
        .sectors = 1,
        .sideband_bytes = (uint8_t)divide_up(prefetch_tag_bits(&from->how), 8),
        .prefetcher = prefetcher_of(l1d, prefetch),
        .into_l2 = true};
    return PREFETCH_SENT;
}

// The data that a prefetch has found are on their way for the latency of a hit. A cycle has one
// look-up, so the ring has room.
static void send_answer(L1d *l1d, SmContext *context, const Prefetch *prefetch)
{
    Cache *cache = l1d->controller.cache;
    HdPrefetched found = cache_hooks_present(l1d->hooks, prefetch, context->now,
                                             cache_line_index(cache, prefetch->address), NULL);
    shadow_values(context, cache, NULL, &(HdAccess){.line = found.line,
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
    if (!wheel_set(&context->wheel, context->now + latency, EVENT_PREFETCHED, 0, (EventPayload){0}))
        sm_out_of_memory(context, "answering a prefetch");
}

void l1d_answer_prefetch(L1d *l1d, SmContext *context)
{
    L1Answer *answer = &l1d->answers[l1d->first_answer];
    l1d->first_answer = (l1d->first_answer + 1) % (l1d->config.latency + 1);
    l1d->answer_count--;
    HdPrefetched *found = &answer->found;
    found->cycle = context->now;
    found->line_index = cache_line_index(l1d->controller.cache, found->line); // it may have left
    if (found->values) found->values = answer->bytes;
    cache_hooks_on_prefetch(l1d->hooks, answer->owner, found);
    l1d_schedule_prefetch(l1d, context);
}

// Whether a request fetches for the L1D what only prefetches want, or wanted when it was sent.
static bool is_prefetch(const MemRequest *request)
{
    return request->kind == MEM_PREFETCH && !request->into_l2 && !request->promotes;
}

// ---- a lack of room ----

static bool drops(void *self, const MemRequest *request)
{
    L1d *l1d = self;
    ValueSlots *slots = &l1d->hooks->sm.value_slots;
    if (!is_prefetch(request)) return false;
    Cache *cache = l1d->controller.cache;
    uint64_t address = request->line + SECTOR_BYTES * lanes_first(request->sectors);
    if (!cache_drop_fetch(cache, address)) return false;
    cache_end_dropped(cache, address, l1d->controller.tokens);
    if (request->value_slot) value_slots_give_back(slots, request->value_slot);
    return true;
}

unsigned l1d_flush_prefetches(L1d *l1d, const SmContext *context)
{
    if (!l1d->hooks || !context->config.path->prefetch_flush) return 0;
    return queue_remove(&l1d->controller.misses, drops, l1d);
}

static bool is_stopped(const L1d *l1d, const SmContext *context)
{
    if (!context->config.path->prefetch_stop) return false;
    return context->now < l1d_stopped_until(l1d) || context->now < l1d->others_stopped_until;
}

// What becomes of a prefetch that has found no room.
static PrefetchOutcome without_room(L1d *l1d, const SmContext *context, bool stopped)
{
    const CacheController *controller = &l1d->controller;
    bool full = cache_mshr_used(controller->cache) == l1d->config.mshr_entries ||
                !queue_room(&controller->misses);
    if (full && !stopped) {
        l1d_stop_prefetches(l1d, context, context->now);
        if (l1d_flush_prefetches(l1d, context)) l1d_retry(l1d);
    }
    return is_stopped(l1d, context) ? PREFETCH_STOPPED : PREFETCH_NO_ROOM;
}

// ---- look-ups ----

static CachePrefetch look_up_prefetch(L1d *l1d, SmContext *context, const Prefetch *prefetch)
{
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned allocation = guest_find(context->guest, prefetch->line, 1, &hint);
    if (allocation == GUEST_NO_ALLOCATION) return (CachePrefetch){.outcome = PREFETCH_UNALLOCATED};
    bool stopped = is_stopped(l1d, context);
    CacheController *controller = &l1d->controller;
    uint8_t room = stopped ? 0 : (uint8_t)queue_room(&controller->misses);
    CachePrefetch result = {.outcome = PREFETCH_NO_ROOM};
    if (!l1d->hooks->prefetches->items[prefetch->owner].how.into_l2)
        result = cache_prefetch(controller->cache, prefetch->address, prefetch, room);
    else if (room)
        result.outcome = send_to_slice(l1d, prefetch, allocation);
    if (result.outcome == PREFETCH_NO_ROOM) result.outcome = without_room(l1d, context, stopped);
    if (result.there) send_answer(l1d, context, prefetch);
    if (cache_out_of_memory(controller->cache))
        sm_out_of_memory(context, "recording the lines of the L1D");
    if (result.outcome != PREFETCH_FETCHED) return result;
    cache_hooks_on_insert(l1d->hooks, &(HdAccess){
        .line = prefetch->line, .victim = HD_NO_LINE, .cycle = context->now, .pc = HD_NO_PC,
        .set = cache_set_index(controller->cache, prefetch->line),
        .allocation = (uint16_t)allocation, .sm = (uint16_t)context->id, .kind = HD_PREFETCH,
        .outcome = HD_MISS});
    controller_count_victim(controller, &result.victim, context->now);
    l1d_send_victim(l1d, &result.victim);
    MemRequest request = {.line = prefetch->address & ~(uint64_t)(MAX_LINE_BYTES - 1),
                          .pc = HD_NO_PC,
                          .allocation = (uint16_t)allocation,
                          .kind = MEM_PREFETCH,
                          .sectors = l1d_fetched_sectors(l1d, prefetch->address, result.sectors),
                          .wants_reply_tag = true,
                          .keeps = true,
                          .prefetcher = prefetcher_of(l1d, prefetch),
                          .shadow = shadow_fetch(context)};
    l1d_fetch_values(l1d, context, &request);
    *queue_add(&controller->misses) = request;
    return result;
}

void l1d_schedule_prefetch(L1d *l1d, SmContext *context)
{
    const PrefetchQueues *all = l1d->hooks->prefetches;
    if (!all || l1d->prefetch_scheduled || l1d->prefetch_waits || !prefetch_queues_pending(all))
        return;
    l1d->prefetch_scheduled =
        wheel_set(&context->wheel, context->now + 1, EVENT_PREFETCH, 0, (EventPayload){0}) ||
        sm_out_of_memory(context, "scheduling a prefetch");
}

// A demand access that is due has priority, and schedules the prefetch again. One that is stalled
// does not use the tags.
void l1d_prefetch(L1d *l1d, SmContext *context)
{
    l1d->prefetch_scheduled = false;
    if (l1d_has_access(l1d, context->now)) return;
    PrefetchQueues *all = l1d->hooks->prefetches;
    Prefetch next = prefetch_queues_first(all);
    CachePrefetch result = look_up_prefetch(l1d, context, &next);
    l1d->prefetch_waits =
        prefetch_queues_looked_up(all, &next, result.outcome, result.sectors);
    l1d_schedule_prefetch(l1d, context);
}

// ---- on their way ----

// One that has left the SM becomes a demand request by a packet, if there is room for it. (MacSim's
// request is one object wherever it is.)
void l1d_promote(L1d *l1d, SmContext *context, uint64_t address, uint8_t promoted)
{
    if (!dram_ranks_prefetches(context->config.dram)) return;
    RequestQueue *misses = &l1d->controller.misses;
    uint64_t line = address & ~(uint64_t)(MAX_LINE_BYTES - 1);
    uint8_t sent = l1d_fetched_sectors(l1d, address, l1d_is_sectored(l1d) ? promoted : 0);
    for (uint32_t i = 0; i < misses->count; i++) {
        MemRequest *request = &queue_at(misses, i)->request;
        if (!is_prefetch(request) || request->line != line || !(request->sectors & sent)) continue;
        request->demanded = true;
        sent &= (uint8_t)~request->sectors;
    }
    if (!sent || !queue_room(misses)) return;
    *queue_add(misses) = (MemRequest){.line = line, .pc = HD_NO_PC,
                                      .allocation = GUEST_NO_ALLOCATION, .kind = MEM_PREFETCH,
                                      .sectors = sent, .promotes = true};
}

void l1d_on_dropped(L1d *l1d, SmContext *context, const MemRequest *request)
{
    if (!drops(l1d, request)) {
        MemRequest *again = queue_add(&l1d->refetches);
        *again = *request;
        again->demanded = true;
        again->shadow = shadow_fetch(context);
    }
    l1d_schedule_prefetch(l1d, context);
}
