// Prefetches at a slice: their lookups, in cycles in which no request is at the tags, and requests
// that queue or promote some.
#include "memory/slice/slice_internal.h"

static CachePrefetch look_up(Slice *slice, const Prefetch *prefetch, uint64_t cycle)
{
    const SliceContext *context = slice->context;
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned allocation = guest_find(context->guest, prefetch->line, 1, &hint);
    if (allocation == GUEST_NO_ALLOCATION)
        return (CachePrefetch){.outcome = PREFETCH_UNALLOCATED};
    Cache *cache = slice->controller.cache;
    SliceAddress place = address_map_split(&context->map, prefetch->address);
    if (place.slice != slice->number) return (CachePrefetch){.outcome = PREFETCH_OTHER_SLICE};
    slice->hooks->copy_backs.read_version = slice_read_version(slice);
    CachePrefetch result =
        cache_prefetch(cache, place.address, prefetch, slice_miss_room(slice));
    if (result.there)
        cache_hooks_on_present(slice->hooks, prefetch, cycle,
                               cache_line_index(cache, place.address),
                               slice_values(slice, prefetch->line));
    slice->failed |= cache_out_of_memory(cache);
    if (result.outcome != PREFETCH_FETCHED) return result;
    unsigned mechanism = cache_hooks_prefetcher(slice->hooks, prefetch->owner)->number;
    cache_hooks_on_insert(slice->hooks, &(HdAccess){
        .line = prefetch->line, .victim = HD_NO_LINE, .cycle = cycle, .pc = HD_NO_PC,
        .set = cache_set_index(cache, place.address), .allocation = (uint16_t)allocation,
        .kind = HD_PREFETCH, .outcome = HD_MISS});
    slice_push_miss(slice, &(Miss){.line = place.address,
                                   .lookups = 1,
                                   .sectors = result.sectors,
                                   .background = true,
                                   .speculative = slice->ranks,
                                   .prefetcher = prefetcher_at(mechanism + 1, HOOK_L2)});
    controller_count_victim(&slice->controller, &result.victim, cycle);
    slice_push_victim(slice, &result.victim);
    return result;
}

void slice_prefetch(Slice *slice, uint64_t cycle)
{
    cache_hooks_at(slice->hooks, cycle);
    PrefetchQueues *all = slice->hooks->prefetches;
    Prefetch next = prefetch_queues_first(all);
    CachePrefetch result = look_up(slice, &next, cycle);
    slice->prefetch_waits =
        prefetch_queues_looked_up(all, &next, result.outcome, result.sectors);
}

// Promotes the pending fetches of a request's sectors.
static void promote(Slice *slice, const MemRequest *request, uint64_t cycle)
{
    Cache *cache = slice->controller.cache;
    for (uint32_t left = slice_lookups(slice->context, request); left; left &= left - 1) {
        uint64_t address = request->place + lanes_first(left) * slice->context->lookup_bytes;
        uint8_t promoted = cache_promote(cache, address, request->sectors);
        if (promoted) slice_promote(slice, address, slice->sectored ? promoted : 0, cycle);
    }
}

void slice_take_prefetch(Slice *slice, uint64_t cycle)
{
    const MemRequest *request = &slice_accept(slice, cycle)->request;
    if (request->promotes)
        promote(slice, request, cycle);
    else
        cache_hooks_add_prefetch(slice->hooks, request->prefetcher - 1u, request->line,
                                 (PrefetchTag){request->token, request->warp_slot});
    slice->icnt.requests_answered++;
}
