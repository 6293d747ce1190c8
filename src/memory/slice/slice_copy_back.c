// Copy-backs at a slice: lines that L1Ds send, lines that leave the L2 for an L1D, and the versions
// by which a stale copy is recognised.
#include "memory/slice/slice_internal.h"

#include "base/bits.h"

uint32_t slice_read_version(const Slice *slice)
{
    return slice->versions ? slice->versions->sequence : 0;
}

uint32_t slice_line_version(const Slice *slice, uint64_t line)
{
    if (!slice->versions) return 0;
    uint32_t slot = cache_line_index(slice->controller.cache, line);
    bool overtaken = slot != HD_NO_INDEX && !slice->hooks->copy_backs.versions[slot];
    return overtaken ? 0 : slice->versions->sequence;
}

uint32_t slice_fill_version(Slice *slice, uint64_t address)
{
    if (!slice->versions) return 0;
    CacheHooks *hooks = slice->hooks;
    if (version_table_is_stale(slice->versions, address, hooks->copy_backs.fetch_version))
        cache_hooks_lower_version(hooks, hooks->current.filled.line_index, 0);
    return hooks->copy_backs.fetch_version;
}

void slice_on_kernel_begin(Slice *slice)
{
    if (slice->versions) version_table_on_kernel_begin(slice->versions);
}

// The sectors of the cache's line that the request's data fill.
static uint8_t filled_sectors(const Slice *slice, const MemRequest *request)
{
    if (slice->sectored) return request->sectors;
    const SliceContext *context = slice->context;
    unsigned step = (unsigned)(context->lookup_bytes / SECTOR_BYTES), lookups = 0;
    uint32_t mask = context->lookup_mask;
    for (unsigned u = 0; u * step < MAX_LINE_BYTES / SECTOR_BYTES; u++)
        if ((request->sectors >> (u * step) & mask) == mask) lookups |= 1u << u;
    return (uint8_t)lookups;
}

bool slice_insert_copy_back(Slice *slice, const MemRequest *request, uint64_t cycle,
                            CopyBackCounters *counted, CacheVictim *victim)
{
    uint64_t line = address_map_split(&slice->context->map, request->line).address;
    if (version_table_is_stale(slice->versions, line, request->token)) {
        counted->stale++;
        return false;
    }
    slice_describe_access(slice, request, 0, cycle);
    Cache *cache = slice->controller.cache;
    slice->hooks->current.access.set = cache_set_index(cache, line);
    uint32_t room = slice->context->config.l2->miss_queue - slice_misses_queued(slice);
    CacheInsertion put =
        cache_insert_copy_back(cache, line, filled_sectors(slice, request), room, victim);
    counted->inserted += put == INSERTION_DONE;
    counted->present += put == INSERTION_PRESENT;
    counted->declined += put == INSERTION_DECLINED;
    counted->no_room += put == INSERTION_NO_ROOM;
    slice->failed |= cache_out_of_memory(cache);
    return put == INSERTION_DONE;
}

void slice_serve_copy_back(Slice *slice, uint64_t cycle)
{
    const MemRequest *request = &slice_accept(slice, cycle)->request;
    CacheHooks *hooks = slice->hooks;
    CopyBackCounters *counted = &hooks->copy_backs.counted;
    counted->arrived++;
    CacheVictim victim;
    if (slice_insert_copy_back(slice, request, cycle, counted, &victim)) {
        shadow_slice_copy_back(slice, request, cycle);
        controller_count_copy_back(&slice->controller, request->place, &victim, cycle);
        slice_push_victim(slice, &victim);
        if (hooks->wants & (HOOK_ON_FILL | HOOK_ON_INSERT)) {
            uint32_t slot = hooks->current.filled.line_index, set = hooks->current.filled.set;
            hooks->current.filled = hooks->current.access;
            hooks->current.filled.line_index = slot;
            hooks->current.filled.set = set;
            hooks->current.filled.outcome = HD_MISS;
            hooks->current.filled.sector_mask = request->sectors;
            cache_hooks_on_insert(hooks, &hooks->current.filled);
            cache_hooks_on_fill(hooks);
        }
        unsigned sectors = slice->sectored ? 1 : lanes_count(filled_sectors(slice, request));
        slice->port_free = cycle + sectors * slice_port_cycles(slice, request->sectors);
    }
    slice->icnt.requests_answered++;
}

uint8_t slice_after_hit(Slice *slice, const MemRequest *request, uint64_t line, uint64_t last)
{
    CacheHooks *hooks = slice->hooks;
    if (!(hooks->wants & HOOK_AFTER_HIT) || !slice_wants_reply_tag(request) || !request->keeps)
        return 0;
    hooks->current.access.outcome = HD_HIT;
    hooks->current.access.line_index = cache_line_index(slice->controller.cache, last);
    if (!cache_hooks_decide_after_hit(hooks)) return 0;
    uint32_t sectors = slice->sectored ? request->sectors : slice_lookups(slice->context, request);
    uint8_t removed = cache_invalidate_clean(slice->controller.cache, line, (uint8_t)sectors);
    hooks->copy_backs.counted.removed_on_hit += removed != 0;
    return removed;
}
