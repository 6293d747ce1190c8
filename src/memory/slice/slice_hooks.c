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
           : request->kind == MEM_ENGINE      ? HD_ENGINE_READ
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

// The sectors of its line that a request accesses in the lookup at `offset`.
static uint8_t lookup_sectors(const SliceContext *context, const MemRequest *request,
                              uint64_t offset)
{
    unsigned first = (unsigned)(offset / SECTOR_BYTES);
    return (uint8_t)((request->sectors >> first & context->lookup_mask) << first);
}

// Says of an access, or of a fill, what its request knows.
static void describe_request(HdAccess *described, const MemRequest *request)
{
    described->pc = request->pc;
    described->allocation = request->allocation;
    described->sm = request->sm;
    described->cache = (uint8_t)from_of(request);
    described->kind = (uint8_t)hook_kind(request);
    described->inserted_in_l1 = request->keeps;
    described->warp = request->warp;
    described->warp_slot = request->warp_slot;
    described->lanes = request->lanes;
    described->block = request->block;
}

void slice_describe_access(Slice *slice, const MemRequest *request, uint64_t offset, uint64_t cycle)
{
    cache_hooks_at(slice->hooks, cycle);
    const CacheConfig *l2 = slice->context->config.l2;
    uint64_t address = request->line + offset, in_line = address % l2->line;
    uint8_t wanted = lookup_sectors(slice->context, request, offset);
    uint64_t sector = slice->sectored ? lanes_first(wanted) : in_line / l2->sector;
    slice->hooks->current.access = (HdAccess){
        .line = address - in_line, .cycle = cycle, .line_index = HD_NO_INDEX,
        .sector = (uint8_t)sector, .sector_mask = wanted, .launch = slice->hooks->launch};
    describe_request(&slice->hooks->current.access, request);
    slice->hooks->current.sideband_tags = request->sideband_tags;
    slice->hooks->copy_backs.read_version = slice_read_version(slice);
}

const uint8_t *slice_values(const Slice *slice, uint64_t line)
{
    const SliceContext *context = slice->context;
    return slice->hooks->wants & HOOK_VALUES && context->guest
               ? guest_host_range(context->guest, line, context->config.l2->line)
               : NULL;
}

// Shows these sectors of the line to mechanisms.
static void show_values(const Slice *slice, HdAccess *access, uint8_t sectors)
{
    access->values = slice_values(slice, access->line);
    if (access->values) access->value_sectors = sectors;
}

// An access was served. address: in the slice's space.
static void on_access(Slice *slice, CacheOutcome outcome, uint64_t address)
{
    cache_hooks_on_insert(slice->hooks, &slice->hooks->current.access);
    if (!(slice->hooks->wants & (HOOK_ON_ACCESS | HOOK_REPLY_TAG))) return;
    if (outcome == CACHE_HIT)
        show_values(slice, &slice->hooks->current.access, slice->hooks->current.access.sector_mask);
    cache_hooks_on_access(slice->hooks, (HdOutcome)outcome,
                          cache_line_index(slice->controller.cache, address));
}

static void on_fill(Slice *slice, const CacheEvent *fill)
{
    cache_hooks_at(slice->hooks, fill->cycle);
    const SliceContext *context = slice->context;
    HdAccess *filled = &slice->hooks->current.filled;
    uint64_t guest = address_map_join(&context->map, (SliceAddress){slice->number, fill->address});
    uint64_t in_line = guest % context->config.l2->line;
    uint64_t sector = in_line / (slice->sectored ? SECTOR_BYTES : context->config.l2->sector);
    *filled = (HdAccess){.line = guest - in_line, .victim = HD_NO_LINE, .cycle = fill->cycle,
                         .pc = HD_NO_PC, .line_index = filled->line_index, .set = filled->set,
                         .allocation = HD_NO_ALLOCATION,
                         .sector = (uint8_t)sector,
                         .kind = filled->kind, .outcome = HD_MISS,
                         .launch = slice->hooks->launch};
    if (fill->users) {
        const MemRequest *first = slice->requests[slice->controller.tokens[0]].request;
        describe_request(filled, first);
        filled->sector_mask = lookup_sectors(context, first, slice->sectored ? 0 : in_line);
        slice->hooks->current.sideband_tags = first->sideband_tags;
    }
    show_values(slice, filled,
                slice->sectored ? fill->sectors
                                : (uint8_t)(context->lookup_mask << in_line / SECTOR_BYTES));
    cache_hooks_on_fill(slice->hooks);
    slice->hooks->current.sideband_tags = 0;
    cache_hooks_on_tagged_fill(slice->hooks);
}

// The watcher. A line that is copied back is no fill to mechanisms (slice_serve_copy_back).
static void see(void *self, WatchKind kind, const void *event)
{
    Slice *slice = self;
    const CacheEvent *seen = event;
    if (kind == WATCH_ACCESS) {
        if (seen->result->outcome != CACHE_STALLED)
            on_access(slice, seen->result->outcome, seen->address);
    } else if (seen->fills && slice->hooks->wants & (HOOK_ON_FILL | HOOK_ON_PREFETCH)) {
        on_fill(slice, seen);
    }
}

bool slice_watch(Slice *slice, HdError *err)
{
    Watcher watcher = {WATCHER_MECHANISMS, 1u << WATCH_ACCESS | 1u << WATCH_FILL, see, slice};
    return watch_add(&slice->controller.watch, watcher, err);
}

// ---- sideband tags ----

void slice_tag_hit_reply(Slice *slice, SliceRequest *entry)
{
    uint32_t version = slice_line_version(slice, entry->address);
    if (version < entry->version) entry->version = version;
    if (slice->hooks->wants & HOOK_REPLY_TAG && slice_wants_reply_tag(entry->request))
        entry->sideband_tags = cache_hooks_sideband_tags(slice->hooks);
}

void slice_tag_fill_reply(Slice *slice, SliceRequest *entry, uint64_t offset, uint64_t cycle)
{
    if (!(slice->hooks->wants & HOOK_REPLY_TAG) || !slice_wants_reply_tag(entry->request)) return;
    slice_describe_access(slice, entry->request, offset, cycle);
    slice->hooks->current.access.line_index = slice->hooks->current.filled.line_index;
    slice->hooks->current.access.set = slice->hooks->current.filled.set;
    slice->hooks->current.access.outcome = HD_MISS;
    entry->sideband_tags = cache_hooks_sideband_tags(slice->hooks);
}
