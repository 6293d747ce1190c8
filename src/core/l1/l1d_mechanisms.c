// The mechanisms at the L1D: the events of its accesses and fills, which they get as a watcher, and
// what their decisions add to requests.
#include "core/l1/l1d_parts.h"

// ---- descriptions ----

// Says of an access, or of a fill, what its memory operation knows.
static void describe_operation(HdAccess *described, const MemoryOp *op, unsigned access)
{
    described->pc = op->pc;
    described->allocation = op->accesses[access].allocation;
    described->sector_mask = op->accesses[access].sectors;
    described->warp = (uint16_t)op->owner->exec.warp_in_block;
    described->warp_slot = op->warp;
    described->block_slot = op->owner->block->slot;
    described->number = (uint16_t)access;
    described->count = op->count;
    described->lanes = op->accesses[access].lanes;
    described->block = memory_op_block(op);
}

void l1d_describe_access(L1d *l1d, const SmContext *context, const MemoryOp *op, unsigned access)
{
    uint64_t address = coalesced_address(&op->accesses[access]);
    uint64_t offset = address % l1d->config.line;
    l1d->hooks->current.access = (HdAccess){
        .line = address - offset, .cycle = context->now, .line_index = HD_NO_INDEX,
        .sm = (uint16_t)context->id, .sector = (uint8_t)(offset / l1d_sector_bytes(l1d)),
        .cache = HD_L1D, .kind = mem_kind_writes(op->kind) ? HD_STORE : HD_LOAD,
        .launch = l1d->hooks->launch};
    describe_operation(&l1d->hooks->current.access, op, access);
}

// ---- accesses ----

static void on_access(L1d *l1d, SmContext *context, CacheOutcome outcome)
{
    CacheHooks *hooks = l1d->hooks;
    if (outcome == CACHE_STALLED) {
        l1d_schedule_prefetch(l1d, context);
        return;
    }
    cache_hooks_on_insert(hooks, &hooks->current.access);
    if (!(hooks->wants & HOOK_ON_ACCESS)) return;
    uint32_t line_index = cache_line_index(l1d->controller.cache, hooks->current.access.line);
    if (outcome == CACHE_HIT) {
        cache_hooks_show_values(hooks, line_index);
        shadow_values(context, l1d->controller.cache, NULL, &hooks->current.access);
    }
    cache_hooks_on_access(hooks, (HdOutcome)outcome, line_index);
    l1d_schedule_prefetch(l1d, context);
}

void l1d_add_decisions(L1d *l1d, MemRequest *request)
{
    CacheHooks *hooks = l1d->hooks;
    if (hooks->current.access.insertion != HD_PASS && hooks->current.access.insertion != HD_INSERT)
        request->keeps = false;
    if (!(hooks->wants & HOOK_REQUEST_TAG)) return;
    request->sideband_tags = cache_hooks_sideband_tags(hooks);
    request->sideband_bytes = hooks->current.sideband_bytes;
}

_Static_assert((int)VALUE_LINE == MAX_LINE_BYTES && (int)VALUE_SECTOR == SECTOR_BYTES,
               "values are those of a line");

void l1d_fetch_values(L1d *l1d, SmContext *context, MemRequest *request)
{
    CacheHooks *hooks = l1d->hooks;
    if (!hooks->sm.values) return;
    if (!guest_host_range(context->guest, request->line, MAX_LINE_BYTES)) return;
    request->value_slot = value_slots_take(&hooks->sm.value_slots);
    if (request->value_slot)
        request->values = value_slots_bytes(&hooks->sm.value_slots, request->value_slot);
    else
        sm_out_of_memory(context, "reading values of fetches");
}

// ---- fills ----

// Finds the access of a load that missed on the sector at `address` (in a sectored cache: the
// line).
static unsigned access_to(const L1d *l1d, const MemoryOp *op, uint64_t address)
{
    uint64_t unit = l1d_is_sectored(l1d) ? l1d->config.line : l1d->config.sector;
    for (unsigned i = 0; i < op->count; i++)
        if (coalesced_address(&op->accesses[i]) / unit == address / unit) return i;
    return 0;
}

// Reports a fill. waiter: the first operation that waited; NULL: none.
static void on_fill(L1d *l1d, SmContext *context, const MemReply *reply, const MemoryOp *waiter)
{
    l1d->prefetch_waits = false; // the fill may have made room for prefetches
    l1d_schedule_prefetch(l1d, context);
    CacheHooks *hooks = l1d->hooks;
    if (!(hooks->wants & (HOOK_ON_FILL | HOOK_ON_INSERT | HOOK_ON_PREFETCH | HOOK_VALUES))) return;
    HdAccess *filled = &hooks->current.filled;
    uint64_t address = mem_reply_address(reply), offset = address % l1d->config.line;
    *filled = (HdAccess){.line = address - offset, .victim = HD_NO_LINE, .cycle = context->now,
                         .pc = HD_NO_PC, .line_index = filled->line_index, .set = filled->set,
                         .allocation = HD_NO_ALLOCATION, .sm = (uint16_t)context->id,
                         .sector = (uint8_t)(offset / l1d_sector_bytes(l1d)), .kind = filled->kind,
                         .outcome = HD_MISS, .launch = hooks->launch};
    if (waiter) {
        filled->kind = HD_LOAD;
        describe_operation(filled, waiter, access_to(l1d, waiter, address));
    }
    hooks->current.sideband_tags = reply->sideband_tags;
    cache_hooks_on_insert(hooks, filled);
    if (reply->value_slot) {
        cache_hooks_bring_values(hooks, reply->value_slot, reply->sectors);
        shadow_values(context, l1d->controller.cache, &reply->shadow, filled);
    }
    cache_hooks_on_fill(hooks);
    hooks->current.sideband_tags = 0;
    cache_hooks_on_tagged_fill(hooks);
    if (reply->value_slot) value_slots_give_back(&hooks->sm.value_slots, reply->value_slot);
    l1d_schedule_prefetch(l1d, context);
}

void l1d_on_direct_reply(L1d *l1d, SmContext *context, const MemoryOp *op, const MemReply *reply)
{
    l1d->hooks->current.filled = (HdAccess){
        .line_index = HD_NO_INDEX,
        .set = cache_set_index(l1d->controller.cache, mem_reply_address(reply))};
    on_fill(l1d, context, reply, op);
}

// A line of an L1D is one of a request.
void l1d_warm_fill(L1d *l1d, const SmContext *context, const MemRequest *request, uint32_t version)
{
    CacheHooks *hooks = l1d->hooks;
    uint32_t index = hooks->current.filled.line_index;
    cache_hooks_lower_version(hooks, index, version);
    const uint8_t *bytes = guest_host_range(context->guest, request->line, MAX_LINE_BYTES);
    if (!hooks->sm.values || index == HD_NO_INDEX || !bytes) return;
    line_values_bring(&hooks->sm.values[index], bytes, request->sectors);
}

// ---- the watcher ----

static void see(void *self, WatchKind kind, const void *event)
{
    L1d *l1d = self;
    const CacheEvent *seen = event;
    if (kind == WATCH_ACCESS) {
        on_access(l1d, l1d->context, seen->result->outcome);
        return;
    }
    cache_hooks_lower_version(l1d->hooks, l1d->hooks->current.filled.line_index,
                              seen->reply->version);
    on_fill(l1d, l1d->context, seen->reply,
            seen->users ? &l1d->ops->items[token_op(seen->at->tokens[0])] : NULL);
}

bool l1d_attach(L1d *l1d, SmContext *context, const MemoryOps *ops, CacheHooks *hooks, HdError *err)
{
    l1d->hooks = hooks;
    l1d->context = context;
    l1d->ops = ops;
    Watcher watcher = {WATCHER_MECHANISMS, 1u << WATCH_ACCESS | 1u << WATCH_FILL, see, l1d};
    if (hooks && !watch_add(&l1d->controller.watch, watcher, err)) return false;
    if (!core_hooks_want(hooks, CORE_HOLD)) return true;
    l1d->hold = hd_new(1, sizeof *l1d->hold);
    if (!l1d->hold) return hd_fail_memory(err, "attaching mechanisms");
    return hold_init(l1d->hold, hooks, err);
}
