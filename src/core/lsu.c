// The load/store unit: it makes the accesses of one memory instruction at a time, through the L1D's
// pipeline, the constant cache, shared memory, or past the L1 to the network.
#include "core/sm_internal.h"

void lsu_push(Sm *sm, uint32_t record)
{
    // mem_room bounds the instructions between issue and here, so the ring cannot overflow.
    sm->lsu_queue[(sm->lsu_head + sm->lsu_count++) % sm->lsu_capacity] = record;
}

static bool data_at(Sm *sm, uint64_t cycle, uint32_t record, MemLevel level)
{
    return wheel_set(&sm->wheel, cycle, EVENT_DATA, sm->records[record].warp, record, level) ||
           sm_out_of_memory(sm, "scheduling data");
}

// ---- requests to the next level ----

static void name_warp(const Sm *sm, const AccessRecord *r, unsigned access, MemRequest *request)
{
    request->warp = (uint16_t)sm->warps[r->warp].exec.warp_in_block;
    request->block = access_block(sm, r);
    request->lanes = r->accesses[access].lanes;
}

static MemRequest request_for(const Sm *sm, const AccessRecord *r, unsigned access,
                              uint32_t token)
{
    const CoalescedAccess *a = &r->accesses[access];
    MemRequest request = {.line = a->line & ~(uint64_t)(MAX_LINE_BYTES - 1), .token = token,
                          .pc = r->pc, .array = r->arrays[access], .kind = r->kind,
                          .sectors = a->sectors};
    if (sm->names_warps) name_warp(sm, r, access, &request);
    if (mem_kind_writes(r->kind)) {
        request.written[0] = a->bytes[0];
        request.written[1] = a->bytes[1];
        request.sectors = a->span_sectors;
        request.bytes = (uint16_t)(SECTOR_BYTES * lanes_count(a->span_sectors));
        shadow_packet(r, access, &request.shadow);
    } else if (mem_kind_atomic(r->kind)) {
        request.atomic = &r->atomics[access];
        request.bytes = (uint16_t)(SECTOR_BYTES * lanes_count(a->sectors));
    }
    return request;
}

static MemRequest request_for_victim(const CacheVictim *victim)
{
    return (MemRequest){.line = victim->line, .kind = MEM_LOCAL_STORE, .array = GUEST_NO_ARRAY,
                        .sectors = victim->dirty_sectors,
                        .bytes = (uint16_t)(SECTOR_BYTES * lanes_count(victim->dirty_sectors)),
                        .written = {victim->bytes[0], victim->bytes[1]},
                        .shadow = victim->shadow};
}

// Whether the L1D keeps its lines by parts of 32 bytes.
static bool l1_parts(const Sm *sm) { return sm->l1_hooks && sm->l1_hooks->wants & HOOK_PARTS; }
static uint64_t l1_sector(const Sm *sm)
{
    return l1_parts(sm) ? SECTOR_BYTES : sm->l1d_config.sector;
}

// A clean line that a mechanism sends back to its slice.
static MemRequest request_for_copy(const Sm *sm, const CacheVictim *victim)
{
    uint64_t line = victim->line & ~(uint64_t)(MAX_LINE_BYTES - 1);
    unsigned first = (unsigned)((victim->line - line) / SECTOR_BYTES), sectors = 0;
    unsigned wide = (unsigned)divide_up(l1_sector(sm), SECTOR_BYTES);
    for (unsigned s = 0; s < 8; s++)
        if (victim->copy_back >> s & 1) sectors |= (unsigned)lanes_all(wide) << (first + s * wide);
    return (MemRequest){.line = line, .token = victim->stamp, .kind = MEM_COPY_BACK,
                        .pc = HD_NO_PC, .array = GUEST_NO_ARRAY, .sectors = (uint8_t)sectors,
                        .bytes = (uint16_t)(SECTOR_BYTES * lanes_count(sectors)),
                        .extra = STAMP_BITS / 8,
                        .shadow = victim->shadow};
}

static void copy_back(Sm *sm, const CacheVictim *victim) __attribute__((noinline, cold));
static void copy_back(Sm *sm, const CacheVictim *victim)
{
    CopyBackCounters *counted = &sm->l1_hooks->copied;
    bool room = sm->copy_backs.count < sm->copy_backs.capacity;
    counted->sent += room;
    counted->dropped += !room;
    if (!room) return;
    MemRequest request = request_for_copy(sm, victim);
    queue_push(&sm->copy_backs, &request);
}

static void send_victim(Sm *sm, const CacheVictim *victim)
{
    count_line(&sm->count.l1d, victim);
    if (victim->copy_back) copy_back(sm, victim);
    if (!victim->dirty_sectors) return;
    MemRequest request = request_for_victim(victim);
    sm->writebacks_out++;
    sm->count.l1d.writebacks += lanes_count(victim->dirty_sectors);
    queue_push(&sm->l1d_misses, &request);
}

// ---- L1D ----

// The row of the per-array table: the last one is for what lies in no array.
static unsigned array_row(const Sm *sm, const AccessRecord *r, unsigned access)
{
    return r->arrays[access] < sm->arrays ? r->arrays[access] : (unsigned)sm->arrays;
}

static void count_l1(Sm *sm, const AccessRecord *r, unsigned access, CacheOutcome outcome)
{
    CacheCounters *c = &sm->count.l1d;
    AccessCounters *by_array = &sm->count.l1d_allocations[array_row(sm, r, access)];
    PcCounters *by_pc = &sm->count.pcs[r->pc];
    bool store = mem_kind_writes(r->kind);
    c->accesses++;
    by_array->accesses++;
    by_pc->l1_accesses++;
    *(store ? &c->store_accesses : &c->load_accesses) += 1;
    switch (outcome) {
    case CACHE_HIT:
        c->hits++;
        by_array->hits++;
        by_pc->l1_hits++;
        *(store ? &c->store_hits : &c->load_hits) += 1;
        break;
    case CACHE_MERGED:
        c->pending_hits++;
        by_array->pending_hits++;
        by_pc->l1_pending_hits++;
        c->load_pending_hits++;
        break;
    default:
        c->misses++;
        by_array->misses++;
        by_pc->l1_misses++;
        *(store ? &c->store_misses : &c->load_misses) += 1;
        break;
    }
}

// ---- refusals ----

static void refuse(Sm *sm, Refused *refused, CacheRefusal reason)
{
    *refused = (Refused){.blocked = true, .pending = true, .reason = reason, .since = sm->now};
}

// The access is tried again: the cycles for which it was refused (0: it was not).
static uint64_t refused_cycles(const Sm *sm, Refused *refused)
{
    if (!refused->pending) return 0;
    refused->pending = false;
    return sm->now - refused->since;
}

// The cycles for which the access at the head of the L1D has been refused: in all, by its array,
// and by its instruction.
static void l1_account_refusal(Sm *sm, const L1Slot *slot)
{
    uint64_t cycles = refused_cycles(sm, &sm->l1_head_refused);
    if (!cycles) return;
    const AccessRecord *r = &sm->records[slot->record];
    CacheRefusal reason = sm->l1_head_refused.reason;
    sm->count.l1d.stalls[reason] += cycles;
    AccessCounters *by_array = &sm->count.l1d_allocations[array_row(sm, r, slot->access)];
    by_array->stalls[reason] += cycles;
    sm->count.pcs[r->pc].l1_stalls[reason] += cycles;
}

static unsigned first_sector(const CoalescedAccess *a)
{
    return a->sectors ? lanes_first(a->sectors) : 0;
}

// The look-up that an access makes, but for its token and the room there is.
static CacheAccess l1_access(const AccessRecord *r, unsigned access)
{
    const CoalescedAccess *a = &r->accesses[access];
    bool store = mem_kind_writes(r->kind);
    return (CacheAccess){.address = a->line + first_sector(a) * SECTOR_BYTES,
                         .write = store, .local = r->space == SPACE_LOCAL, .parts = a->sectors,
                         .bytes = {store ? a->bytes[0] : 0, store ? a->bytes[1] : 0}};
}

// What mechanisms at the L1D, which know of the access, add to the request for its miss.
static void l1_note(CacheHooks *hooks, MemRequest *request)
{
    if (hooks->access.insertion != HD_PASS && hooks->access.insertion != HD_INSERT) request->keeps = false;
    if (!(hooks->wants & HOOK_ASKS)) return;
    request->notes = cache_hooks_notes(hooks);
    request->extra = hooks->note_bytes;
}

// The sectors of a request that the L1D asks the next level for, for one of its own. parts: those
// of the line, where it is kept by parts.
static uint8_t l1_fetched(const Sm *sm, unsigned sector, uint8_t parts)
{
    if (parts) return parts;
    return sm->l1d_config.sector > SECTOR_BYTES ? 0xf : (uint8_t)(1u << sector);
}

// What the L1D asks the next level for where an access misses.
static MemRequest l1_fetch(const Sm *sm, const AccessRecord *r, unsigned access, uint8_t parts,
                           uint32_t token)
{
    MemRequest request = request_for(sm, r, access, token);
    request.kind = r->space == SPACE_LOCAL ? MEM_LOCAL_LOAD : MEM_LOAD;
    request.bytes = 0;
    request.sectors = l1_fetched(sm, first_sector(&r->accesses[access]), parts);
    request.noted = request.keeps = sm->l1d_config.mode != CACHE_OFF;
    if (sm->l1_hooks) l1_note(sm->l1_hooks, &request);
    request.shadow = shadow_fetch(sm);
    return request;
}

// ---- prefetches ----

static CachePrefetch l1_prefetch(Sm *sm, const Prefetch *prefetch)
{
    RequestQueue *queue = &sm->l1d_misses;
    uint16_t hint = GUEST_NO_ARRAY;
    unsigned array = guest_find(sm->guest, prefetch->line, 1, &hint);
    if (array == GUEST_NO_ARRAY) return (CachePrefetch){.outcome = PREFETCH_OUTSIDE};
    CachePrefetch result = cache_prefetch(sm->l1d, prefetch->address, prefetch->owner,
                                          (uint8_t)(queue->capacity - queue->count));
    if (cache_out_of_memory(sm->l1d)) sm_out_of_memory(sm, "keeping what the L1D has met");
    if (result.outcome != PREFETCH_FETCHED) return result;
    send_victim(sm, &result.victim);
    uint64_t line = prefetch->address & ~(uint64_t)(MAX_LINE_BYTES - 1);
    unsigned sector = (unsigned)(prefetch->address - line) / SECTOR_BYTES;
    MemRequest request = {.line = line, .pc = HD_NO_PC, .array = (uint16_t)array,
                          .kind = MEM_PREFETCH, .sectors = l1_fetched(sm, sector, result.parts),
                          .noted = true, .keeps = true, .shadow = shadow_fetch(sm)};
    queue_push(queue, &request);
    return result;
}

// Where something is to be prefetched and no cycle for it is set: the next one.
static void prefetch_wake(Sm *sm)
{
    const Prefetches *all = sm->l1_hooks->prefetches;
    if (!all || sm->prefetching || !prefetches_wait(all)) return;
    sm->prefetching = wheel_set(&sm->wheel, sm->now + 1, EVENT_PREFETCH, 0, 0, 0) ||
                      sm_out_of_memory(sm, "scheduling a prefetch");
}

// An access that stands in front of the tags goes first, and wakes this when it has been served.
void lsu_prefetch(Sm *sm)
{
    sm->prefetching = false;
    if (sm->l1_count && sm->l1_pipe[sm->l1_head].ready <= sm->now) return;
    Prefetches *all = sm->l1_hooks->prefetches;
    Prefetch next = prefetches_first(all);
    CachePrefetch result = l1_prefetch(sm, &next);
    prefetches_looked_up(all, &next, result.outcome, result.parts);
    prefetch_wake(sm);
}

// ---- look-ups ----

// What mechanisms at the L1D are told of the access.
static void l1_announce(Sm *sm, const AccessRecord *r, unsigned access)
{
    uint64_t address = l1_access(r, access).address, offset = address % sm->l1d_config.line;
    sm->l1_hooks->access = (HdAccess){
        .line = address - offset, .cycle = sm->now, .pc = r->pc, .line_index = HD_NO_INDEX,
        .allocation = r->arrays[access], .sm = (uint16_t)sm->id,
        .sector = (uint8_t)(offset / l1_sector(sm)),
        .sector_mask = r->accesses[access].sectors, .cache = HD_L1D,
        .kind = mem_kind_writes(r->kind) ? HD_STORE : HD_LOAD,
        .warp = (uint16_t)sm->warps[r->warp].exec.warp_in_block, .lanes = r->accesses[access].lanes,
        .block = access_block(sm, r), .launch = sm->l1_hooks->launch};
}

static void l1_tell(Sm *sm, CacheOutcome outcome)
{
    CacheHooks *hooks = sm->l1_hooks;
    if (!(hooks->wants & HOOK_SERVED)) return;
    cache_hooks_served(hooks, (HdOutcome)outcome, cache_slot(sm->l1d, hooks->access.line));
    prefetch_wake(sm);
}

// Looks the head of the pipeline up. false: refused.
static bool l1_lookup(Sm *sm, const L1Slot *slot)
{
    AccessRecord *r = &sm->records[slot->record];
    RequestQueue *queue = &sm->l1d_misses;
    CacheAccess access = l1_access(r, slot->access);
    access.token = slot->record;
    access.room = (uint8_t)(queue->capacity - queue->count);
    if (sm->l1_hooks) l1_announce(sm, r, slot->access);
    access.shadow = shadow_l1_store(sm, r, slot->access);
    CacheResult result = cache_access(sm->l1d, &access);
    SmTrace *trace = trace_of(sm, r->warp);
    if (trace) trace_cache(trace, sm, r, slot->access, "L1D", &result);
    if (result.outcome == CACHE_REFUSED) {
        if (cache_out_of_memory(sm->l1d)) sm_out_of_memory(sm, "keeping what the L1D has met");
        refuse(sm, &sm->l1_head_refused, result.refusal);
        return false;
    }
    count_l1(sm, r, slot->access, result.outcome);
    shadow_l1_access(sm, r, slot->access, result.outcome);
    if (sm->l1_hooks) l1_tell(sm, result.outcome);
    sm->count.l1d.victim_hits += result.victim_hit;
    send_victim(sm, &result.victim);
    if (result.fetch) {
        MemRequest request = l1_fetch(sm, r, slot->access, result.parts, slot->record);
        queue_push(queue, &request);
    }
    if (result.waits) r->waiting += result.waits - 1u; // answers of which one was expected
    if (result.sends_write) {
        MemRequest request = request_for(sm, r, slot->access, slot->record);
        queue_push(queue, &request);
    } else if (access.write || result.outcome == CACHE_HIT) {
        record_answered(sm, slot->record, LEVEL_L1);
    }
    return true;
}

static void l1_cycle(Sm *sm)
{
    if (sm->l1_last != sm->now) sm->l1_used = 0;
    while (sm->l1_count && !sm->l1_head_refused.blocked &&
           sm->l1_used < sm->config.path->l1_banks) {
        L1Slot slot = sm->l1_pipe[sm->l1_head];
        if (slot.ready > sm->now) return;
        l1_account_refusal(sm, &slot);
        if (!l1_lookup(sm, &slot)) return;
        sm->l1_head = (sm->l1_head + 1) % sm->l1_capacity;
        sm->l1_count--;
        sm->l1_last = sm->now;
        sm->l1_used++;
    }
}

// ---- the instruction whose accesses are being made ----

static bool push_l1(Sm *sm, AccessRecord *r)
{
    if (sm->l1_count == sm->l1_capacity) return false;
    sm->l1_pipe[(sm->l1_head + sm->l1_count++) % sm->l1_capacity] =
        (L1Slot){.ready = sm->now + sm->l1d_config.latency, .record = sm->lsu_current,
                 .access = r->sent};
    return true;
}

static bool push_bypass(Sm *sm, AccessRecord *r)
{
    if (sm->bypass.count == sm->bypass.capacity) return false;
    MemRequest request = request_for(sm, r, r->sent, sm->lsu_current);
    queue_push(&sm->bypass, &request);
    return true;
}

// What a cache that only reads asks the next level for where it does not hold an address.
static MemRequest side_fetch(const SideCache *side, uint64_t address, uint32_t pc, MemKind kind)
{
    uint64_t line = address & ~(uint64_t)(MAX_LINE_BYTES - 1);
    unsigned first = (unsigned)((address - line) / SECTOR_BYTES);
    uint64_t bytes = side->line < MAX_LINE_BYTES ? side->line : MAX_LINE_BYTES;
    unsigned sectors = (unsigned)divide_up(bytes, SECTOR_BYTES);
    return (MemRequest){.line = line, .pc = pc, .array = GUEST_NO_ARRAY, .kind = kind,
                        .sectors = (uint8_t)(lanes_all(sectors) << first)};
}

// One access to a cache that only reads (constants and parameters, read-only data).
static bool push_side(Sm *sm, SideCache *side, AccessRecord *r, uint32_t latency, MemKind kind)
{
    if (sm->side_refused.blocked) return false;
    uint64_t refused = refused_cycles(sm, &sm->side_refused);
    if (refused) sm->side_refused_by->count.stalls[sm->side_refused.reason] += refused;
    RequestQueue *queue = &side->misses;
    const CoalescedAccess *a = &r->accesses[r->sent];
    CacheAccess access = {.address = a->line, .token = sm->lsu_current,
                          .room = (uint8_t)(queue->capacity - queue->count)};
    CacheResult result = cache_access(side->cache, &access);
    SmTrace *trace = trace_of(sm, r->warp);
    if (trace) trace_cache(trace, sm, r, r->sent, kind == MEM_CONSTANT ? "L1C" : "L1R", &result);
    if (result.outcome == CACHE_REFUSED) {
        if (cache_out_of_memory(side->cache))
            sm_out_of_memory(sm, "keeping what an L1 has met");
        sm->side_refused_by = side;
        refuse(sm, &sm->side_refused, result.refusal);
        return false;
    }
    CacheCounters *c = &side->count;
    c->accesses++;
    c->load_accesses++;
    if (result.outcome == CACHE_HIT) {
        c->hits++;
        c->load_hits++;
        c->victim_hits += result.victim_hit;
        shadow_read_only_hit(sm, side, a->line, kind);
        data_at(sm, sm->now + latency, sm->lsu_current, LEVEL_L1);
    } else if (result.outcome == CACHE_MERGED) {
        c->pending_hits++;
        c->load_pending_hits++;
    } else {
        c->misses++;
        c->load_misses++;
        count_line(c, &result.victim);
        MemRequest request = side_fetch(side, a->line, r->pc, kind);
        if (sm->names_warps) name_warp(sm, r, r->sent, &request);
        request.token = sm->lsu_current;
        if (r->op->class == CLASS_TEXTURE) request.array = r->arrays[r->sent];
        queue_push(queue, &request);
    }
    return true;
}

static bool push_access(Sm *sm, AccessRecord *r)
{
    if (r->kind == RECORD_CONSTANT)
        return push_side(sm, &sm->l1c, r, sm->config.l1c->latency, MEM_CONSTANT);
    if (r->kind == MEM_READONLY)
        return push_side(sm, &sm->l1r, r, sm->config.l1r->latency, MEM_READONLY);
    return r->bypass ? push_bypass(sm, r) : push_l1(sm, r);
}

// The unit takes nothing else for these cycles, counted from now.
static void lsu_occupy(Sm *sm, uint64_t cycles)
{
    if (sm->lsu_free < sm->now + cycles) sm->lsu_free = sm->now + cycles;
}

static void lsu_take(Sm *sm)
{
    if (sm->lsu_current || !sm->lsu_count || sm->lsu_free > sm->now) return;
    sm->lsu_current = sm->lsu_queue[sm->lsu_head];
    sm->lsu_head = (sm->lsu_head + 1) % sm->lsu_capacity;
    sm->lsu_count--;
    sm->mem_taken--;
    const UOp *op = sm->records[sm->lsu_current].op;
    sm->lsu_free = sm->now + sm->config.initiation->of[op->class];
}

void lsu_cycle(Sm *sm)
{
    l1_cycle(sm);
    lsu_take(sm);
    if (!sm->lsu_current) return;
    AccessRecord *r = &sm->records[sm->lsu_current];
    sm->lsu_waits = false;
    if (r->kind == RECORD_SHARED) {
        lsu_occupy(sm, r->passes);
        data_at(sm, sm->now + r->passes - 1 + sm->config.shared->latency, sm->lsu_current,
                LEVEL_L1);
        sm->lsu_current = 0;
        return;
    }
    if (r->kind == RECORD_BORDER) {
        const CacheConfig *cache = sm->config.path->texture_path ? sm->config.l1r
                                                                 : sm->config.l1d;
        data_at(sm, sm->now + cache->latency, sm->lsu_current, LEVEL_L1);
    }
    for (unsigned i = 0; i < sm->config.path->l1_banks && r->sent < r->count; i++) {
        if (!push_access(sm, r)) {
            sm->lsu_waits = true;
            break;
        }
        r->sent++;
    }
    if (r->sent < r->count) return;
    sm->lsu_current = 0;
    lsu_occupy(sm, 1);
}

uint64_t lsu_next(const Sm *sm)
{
    uint64_t next = UINT64_MAX;
    if (sm->l1_count && !sm->l1_head_refused.blocked) next = sm->l1_pipe[sm->l1_head].ready;
    if (sm->lsu_current && !sm->lsu_waits) next = sm->now + 1;
    if (!sm->lsu_current && sm->lsu_count && sm->lsu_free < next) next = sm->lsu_free;
    return next > sm->now ? next : sm->now + 1;
}

void lsu_retry(Sm *sm)
{
    sm->l1_head_refused.blocked = sm->side_refused.blocked = sm->lsu_waits = false;
}

// Which of a load's accesses has missed for the sector (or, kept by parts, the line) at `address`.
static unsigned access_to(const Sm *sm, const AccessRecord *r, uint64_t address)
{
    uint64_t sector = l1_parts(sm) ? sm->l1d_config.line : sm->l1d_config.sector;
    for (unsigned i = 0; i < r->count; i++)
        if (l1_access(r, i).address / sector == address / sector) return i;
    return 0;
}

// Tells mechanisms at the L1D of data for these tokens.
static void l1_tell_filled(Sm *sm, const MemReply *reply, uint64_t address, unsigned tokens)
{
    prefetch_wake(sm); // a line may have left for them
    if (!(sm->l1_hooks->wants & HOOK_FILLED)) return;
    HdAccess *filled = &sm->l1_hooks->filled;
    uint64_t offset = address % sm->l1d_config.line;
    *filled = (HdAccess){.line = address - offset, .victim = HD_NO_LINE, .cycle = sm->now,
                         .pc = HD_NO_PC, .line_index = filled->line_index, .set = filled->set,
                         .allocation = HD_NO_ALLOCATION, .sm = (uint16_t)sm->id,
                         .sector = (uint8_t)(offset / l1_sector(sm)),
                         .kind = filled->kind, .outcome = HD_MISS};
    if (tokens) {
        const AccessRecord *r = &sm->records[sm->fill_tokens[0]];
        filled->pc = r->pc;
        unsigned access = access_to(sm, r, address);
        filled->allocation = r->arrays[access];
        filled->sector_mask = r->accesses[access].sectors;
        filled->kind = HD_LOAD;
    }
    sm->l1_hooks->notes = reply->notes;
    cache_hooks_filled(sm->l1_hooks);
    sm->l1_hooks->notes = 0;
    prefetch_wake(sm);
}

void lsu_fill(Sm *sm, const MemReply *reply)
{
    CacheVictim victim = {0};
    Cache *cache = reply->kind == MEM_CONSTANT   ? sm->l1c.cache
                   : reply->kind == MEM_READONLY ? sm->l1r.cache
                                                 : sm->l1d;
    CacheCounters *count = reply->kind == MEM_CONSTANT   ? &sm->l1c.count
                           : reply->kind == MEM_READONLY ? &sm->l1r.count
                                                         : &sm->count.l1d;
    uint64_t address = reply->line + SECTOR_BYTES * lanes_first(reply->sectors);
    unsigned tokens = cache_fill(cache, address, sm->fill_tokens, &victim);
    shadow_reply(sm, cache, reply);
    count->fills += cache == sm->l1d && l1_parts(sm) ? lanes_count(reply->sectors) : 1;
    if (cache == sm->l1d && sm->l1_hooks) {
        cache_hooks_stamp(sm->l1_hooks, sm->l1_hooks->filled.line_index, reply->stamp);
        l1_tell_filled(sm, reply, address, tokens);
    }
    if (cache == sm->l1d) send_victim(sm, &victim);
    else count_line(count, &victim);
    for (unsigned i = 0; i < tokens; i++) {
        uint64_t cycle = sm->now + 2;
        if (sm->wake_free > cycle) cycle = sm->wake_free;
        sm->wake_free = cycle + 1;
        data_at(sm, cycle, sm->fill_tokens[i], (MemLevel)reply->level);
    }
    lsu_retry(sm);
}

// ---- outside the simulated time ----

static void side_touch(SideCache *side, const AccessRecord *r, unsigned access, MemKind kind,
                       const FunctionalMemory *touch)
{
    uint64_t address = r->accesses[access].line;
    if (!cache_touch(side->cache, &(CacheAccess){.address = address}).fetch) return;
    MemRequest request = side_fetch(side, address, r->pc, kind);
    if (r->op->class == CLASS_TEXTURE) request.array = r->arrays[access];
    touch->request(touch->memory_side, &request);
}

static void l1_touch(Sm *sm, const AccessRecord *r, unsigned access, const FunctionalMemory *touch)
{
    CacheAccess look_up = l1_access(r, access);
    if (sm->l1_hooks) l1_announce(sm, r, access);
    CacheResult result = cache_touch(sm->l1d, &look_up);
    MemRequest request;
    if (result.victim.dirty_sectors) {
        request = request_for_victim(&result.victim);
        touch->request(touch->memory_side, &request);
    }
    if (result.victim.copy_back) {
        request = request_for_copy(sm, &result.victim);
        touch->request(touch->memory_side, &request);
    }
    if (result.fetch) {
        request = l1_fetch(sm, r, access, result.parts, 0);
        uint32_t stamp = touch->request(touch->memory_side, &request);
        if (sm->l1_hooks) cache_hooks_stamp(sm->l1_hooks, sm->l1_hooks->filled.line_index, stamp);
    }
    if (result.sends_write) {
        request = request_for(sm, r, access, 0);
        touch->request(touch->memory_side, &request);
    }
}

void lsu_touch(Sm *sm, const AccessRecord *r, unsigned access, const FunctionalMemory *touch)
{
    if (r->kind == RECORD_CONSTANT) {
        side_touch(&sm->l1c, r, access, MEM_CONSTANT, touch);
    } else if (r->kind == MEM_READONLY) {
        side_touch(&sm->l1r, r, access, MEM_READONLY, touch);
    } else if (r->bypass) {
        MemRequest request = request_for(sm, r, access, 0);
        touch->request(touch->memory_side, &request);
    } else {
        l1_touch(sm, r, access, touch);
    }
}
