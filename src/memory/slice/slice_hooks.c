// What the mechanisms at a slice's cache see, and the sideband tags that they put into its replies.
#include "memory/slice/slice_internal.h"

#include "base/bits.h"

// ---- events ----

static HdKind hook_kind(const MemRequest *request)
{
    return request->kind == MEM_COPY_BACK   ? HD_COPY_BACK
           : mem_kind_writes(request->kind) ? HD_STORE
           : mem_kind_atomic(request->kind) ? HD_ATOMIC
           : request->kind == MEM_PREFETCH  ? HD_PREFETCH
                                            : HD_LOAD;
}

// The cache of the SM that a request is for.
static HdCacheKind from_of(const MemRequest *request)
{
    switch ((MemKind)request->kind) {
    case MEM_INSTRUCTION: return HD_L1I;
    case MEM_CONSTANT: return HD_L1C;
    case MEM_READONLY: return HD_L1R;
    default: return HD_L1D;
    }
}

// The sectors of its line that a request accesses in the unit at `offset`.
static uint8_t sectors_in_unit(const SliceContext *context, const MemRequest *request,
                               uint64_t offset)
{
    unsigned first = (unsigned)(offset / SECTOR_BYTES);
    return (uint8_t)((request->sectors >> first & context->unit_mask) << first);
}

void slice_describe_access(Slice *slice, const MemRequest *request, uint64_t offset, uint64_t cycle)
{
    cache_hooks_at(slice->hooks, cycle);
    const CacheConfig *l2 = slice->context->config.l2;
    uint64_t address = request->line + offset, in_line = address % l2->line;
    uint8_t wanted = sectors_in_unit(slice->context, request, offset);
    uint64_t sector = slice->sectored ? lanes_first(wanted) : in_line / l2->sector;
    slice->hooks->access = (HdAccess){
        .line = address - in_line, .cycle = cycle, .pc = request->pc, .line_index = HD_NO_INDEX,
        .allocation = request->array, .sm = request->sm, .sector = (uint8_t)sector,
        .sector_mask = wanted, .cache = (uint8_t)from_of(request), .inserted_in_l1 = request->keeps,
        .kind = (uint8_t)hook_kind(request), .warp = request->warp,
        .warp_slot = request->warp_slot, .lanes = request->lanes,
        .block = request->block, .launch = slice->hooks->launch};
    slice->hooks->sideband_tags = request->sideband_tags;
    slice->hooks->read_version = slice_read_version(slice);
}

void slice_on_access(Slice *slice, CacheOutcome outcome, uint64_t address)
{
    cache_hooks_on_insert(slice->hooks, &slice->hooks->access);
    if (!(slice->hooks->wants & (HOOK_ON_ACCESS | HOOK_REPLY_TAG))) return;
    cache_hooks_on_access(slice->hooks, (HdOutcome)outcome,
                          cache_line_index(slice->cache, address));
}

void slice_on_fill(Slice *slice, uint64_t address, unsigned tokens, uint64_t cycle)
{
    cache_hooks_at(slice->hooks, cycle);
    const SliceContext *context = slice->context;
    HdAccess *filled = &slice->hooks->filled;
    uint64_t guest = address_map_join(&context->map, (SliceAddress){slice->number, address});
    uint64_t in_line = guest % context->config.l2->line;
    uint64_t sector = in_line / (slice->sectored ? SECTOR_BYTES : context->config.l2->sector);
    *filled = (HdAccess){.line = guest - in_line, .victim = HD_NO_LINE, .cycle = cycle,
                         .pc = HD_NO_PC, .line_index = filled->line_index, .set = filled->set,
                         .allocation = HD_NO_ALLOCATION,
                         .sector = (uint8_t)sector,
                         .kind = filled->kind, .outcome = HD_MISS,
                         .launch = slice->hooks->launch};
    if (tokens) {
        const MemRequest *first = &slice->requests[slice->tokens[0]].request;
        filled->pc = first->pc;
        filled->allocation = first->array;
        filled->sm = first->sm;
        filled->kind = (uint8_t)hook_kind(first);
        filled->cache = (uint8_t)from_of(first);
        filled->sector_mask = sectors_in_unit(context, first, slice->sectored ? 0 : in_line);
        filled->inserted_in_l1 = first->keeps;
        filled->warp = first->warp;
        filled->warp_slot = first->warp_slot;
        filled->lanes = first->lanes;
        filled->block = first->block;
        slice->hooks->sideband_tags = first->sideband_tags;
    }
    cache_hooks_on_fill(slice->hooks);
    slice->hooks->sideband_tags = 0;
    cache_hooks_on_tagged_fill(slice->hooks);
}

// ---- sideband tags ----

void slice_tag_hit_reply(Slice *slice, SliceRequest *entry)
{
    uint32_t version = slice_line_version(slice, entry->address);
    if (version < entry->version) entry->version = version;
    if (slice->hooks->wants & HOOK_REPLY_TAG && slice_wants_reply_tag(&entry->request))
        entry->sideband_tags = cache_hooks_sideband_tags(slice->hooks);
}

void slice_tag_fill_reply(Slice *slice, SliceRequest *entry, uint64_t offset, uint64_t cycle)
{
    if (!(slice->hooks->wants & HOOK_REPLY_TAG) || !slice_wants_reply_tag(&entry->request)) return;
    slice_describe_access(slice, &entry->request, offset, cycle);
    slice->hooks->access.line_index = slice->hooks->filled.line_index;
    slice->hooks->access.set = slice->hooks->filled.set;
    slice->hooks->access.outcome = HD_MISS;
    entry->sideband_tags = cache_hooks_sideband_tags(slice->hooks);
}
