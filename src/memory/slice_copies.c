// Copy-backs at a slice: lines that L1Ds send, lines that leave the L2 for an L1D, and the versions
// by which a stale copy is recognised.
#include "memory/slice_internal.h"

#include "base/bits.h"

uint32_t slice_stamp(const Slice *slice) { return slice->stamps ? slice->stamps->sequence : 0; }

uint32_t slice_data_stamp(const Slice *slice, uint64_t line)
{
    if (!slice->stamps) return 0;
    uint32_t slot = cache_slot(slice->cache, line);
    bool overtaken = slot != HD_NO_INDEX && !slice->hooks->stamps[slot];
    return overtaken ? 0 : slice->stamps->sequence;
}

uint32_t slice_filled_stamp(Slice *slice, uint64_t address)
{
    if (!slice->stamps) return 0;
    CacheHooks *hooks = slice->hooks;
    if (stamps_stale(slice->stamps, address, hooks->fetch_version))
        cache_hooks_stamp(hooks, hooks->filled.line_index, 0);
    return hooks->fetch_version;
}

void slice_begin(Slice *slice)
{
    if (slice->stamps) stamps_begin(slice->stamps);
}

// The sectors of the cache's line that the request's data fill.
static uint8_t filled_sectors(const Slice *slice, const MemRequest *request)
{
    if (slice->sectored) return request->sectors;
    const SliceContext *context = slice->context;
    unsigned per_unit = (unsigned)(context->unit / SECTOR_BYTES), units = 0;
    for (unsigned u = 0; u * per_unit < MAX_LINE_BYTES / SECTOR_BYTES; u++)
        if ((request->sectors >> (u * per_unit) & context->unit_mask) == context->unit_mask)
            units |= 1u << u;
    return (uint8_t)units;
}

// Completes the insertion of a line: writes its victim back, and reports the fill to mechanisms.
static void copy_back_inserted(Slice *slice, const MemRequest *request, const CacheVictim *victim)
{
    slice->counters.copy_back_insertions += victim->inserted;
    slice_push_victim(slice, victim);
    CacheHooks *hooks = slice->hooks;
    if (!(hooks->wants & HOOK_FILLED)) return;
    uint32_t slot = hooks->filled.line_index, set = hooks->filled.set;
    hooks->filled = hooks->access;
    hooks->filled.line_index = slot;
    hooks->filled.set = set;
    hooks->filled.outcome = HD_MISS;
    hooks->filled.sector_mask = request->sectors;
    cache_hooks_filled(hooks);
}

bool slice_put(Slice *slice, const MemRequest *request, uint64_t cycle, CopyBackCounters *counted,
               CacheVictim *victim)
{
    uint64_t line = address_map_split(&slice->context->map, request->line).address;
    if (stamps_stale(slice->stamps, line, request->token)) {
        counted->stale++;
        return false;
    }
    slice_announce(slice, request, 0, cycle);
    slice->hooks->access.set = cache_set_of(slice->cache, line);
    CachePut put = cache_put(slice->cache, line, filled_sectors(slice, request),
                             slice->context->config.l2->miss_queue - slice->miss_ring.count,
                             victim);
    counted->inserted += put == PUT_INSERTED;
    counted->present += put == PUT_PRESENT;
    counted->declined += put == PUT_DECLINED;
    counted->no_room += put == PUT_NO_ROOM;
    slice->failed |= cache_out_of_memory(slice->cache);
    return put == PUT_INSERTED;
}

void slice_copied_back(Slice *slice, uint64_t cycle)
{
    MemRequest request = in_port_head(&slice->in)->request;
    CopyBackCounters *counted = &slice->hooks->copied;
    counted->arrived++;
    CacheVictim victim;
    if (slice_put(slice, &request, cycle, counted, &victim)) {
        shadow_slice_copy_back(slice, &request, cycle);
        copy_back_inserted(slice, &request, &victim);
        unsigned sectors = slice->sectored ? 1 : lanes_count(filled_sectors(slice, &request));
        slice->port_free = cycle + sectors * slice_port_cycles(slice, request.sectors);
    }
    slice->icnt.requests_answered++;
    slice_give_credit(slice, &request, cycle, true);
    in_port_pop(&slice->in);
}

void slice_after_hit(Slice *slice, const MemRequest *request, uint64_t line)
{
    CacheHooks *hooks = slice->hooks;
    if (!(hooks->wants & HOOK_AFTER_HIT) || !slice_noted(request) || !request->keeps) return;
    if (!cache_hooks_leaves_hit(hooks)) return;
    uint32_t sectors = slice->sectored ? request->sectors : slice_units(slice->context, request);
    hooks->copied.removed_on_hit += cache_give_up(slice->cache, line, (uint8_t)sectors);
}
