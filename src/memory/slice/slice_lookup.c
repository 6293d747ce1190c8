// A slice's tags: lookups.
#include "memory/slice/slice_reply.h"
#include "base/memory.h"

ALWAYS_INLINE void count_access(AccessCounters *row, CacheOutcome outcome)
{
    row->accesses++;
    switch (outcome) {
    case CACHE_HIT: row->hits++; break;
    case CACHE_MERGED: row->pending_hits++; break;
    default: row->misses++; break;
    }
}

// Counts a lookup that the controller has counted: what only the L2 counts, and rows.
ALWAYS_INLINE void count_served(Slice *slice, const MemRequest *request, const CacheResult *result)
{
    CacheCounters *c = &slice->controller.count;
    if (mem_kind_writes(request->kind)) {
        c->store_incomplete += result->incomplete;
        c->store_insertions += result->victim.inserted;
    } else if (mem_kind_atomic(request->kind)) {
        c->atomic_insertions += result->victim.inserted;
    }
    GroupCounts *counts = slice->counts;
    if (request->allocation < counts->allocation_count)
        count_access(&counts->by_allocation[request->allocation], result->outcome);
    if (request->pc < counts->pc_count) count_access(&counts->by_pc[request->pc], result->outcome);
}

// Counts the cycles for which the head has stalled; if the cache was the reason, also by the head's
// allocation and instruction.
static void end_stall(Slice *slice, uint64_t cycle)
{
    bool at_tags = slice->stall < CACHE_STALL_REASONS;
    const MemRequest *request = at_tags ? slice->requests[slice->head].request : NULL;
    uint64_t cycles = controller_end_stall(&slice->controller,
                                           (CacheUser){.cycle = cycle, .user = request});
    switch (slice->stall) {
    case SLICE_STALL_REPLIES: slice->icnt.stall_reply_queue += cycles; return;
    case SLICE_STALL_PORT: slice->icnt.stall_data_port += cycles; return;
    case SLICE_STALL_ATOMIC_UNIT: slice->icnt.stall_atomic_unit += cycles; return;
    default: break;
    }
    GroupCounts *counts = slice->counts;
    if (request->allocation < counts->allocation_count)
        counts->by_allocation[request->allocation].stalls[slice->stall] += cycles;
    if (request->pc < counts->pc_count) counts->by_pc[request->pc].stalls[slice->stall] += cycles;
}

void slice_set_stall(Slice *slice, unsigned reason, uint64_t cycle)
{
    if (slice->stall != SLICE_STALL_NONE) end_stall(slice, cycle);
    slice->stall = reason;
    if (reason != SLICE_STALL_NONE) controller_stall(&slice->controller, reason, cycle);
}

uint32_t slice_lookups(const SliceContext *context, const MemRequest *request)
{
    uint32_t lookups = 0, sectors_per_lookup = (uint32_t)(context->lookup_bytes / SECTOR_BYTES);
    if (sectors_per_lookup == 1) return request->sectors;
    for (uint32_t u = 0; u * sectors_per_lookup < MAX_LINE_BYTES / SECTOR_BYTES; u++)
        if (request->sectors >> (u * sectors_per_lookup) & context->lookup_mask) lookups |= 1u << u;
    return lookups;
}

// The index of a free entry, which stays free.
static inline uint32_t next_request(const Slice *slice)
{
    return slice->free_request != NO_REQUEST ? slice->free_request : slice->requests_used;
}
// Takes that entry.
static inline void take_request(Slice *slice)
{
    if (slice->free_request == NO_REQUEST) slice->requests_used++;
    else slice->free_request = slice->requests[slice->free_request].next;
}

// packet: the request at the input; NULL: an engine's read begins.
ALWAYS_INLINE void start_head(Slice *slice, Packet *packet, bool usual)
{
    slice->head = next_request(slice);
    take_request(slice);
    SliceRequest *entry = &slice->requests[slice->head];
    MemRequest *request = usual || packet ? &packet->request : &slice->reads[slice->head];
    unsigned reader = usual || packet ? 0 : slice_begin_read(slice, request);
    *entry = (SliceRequest){.request = request,
                            .packet = packet,
                            .address = request->place,
                            .level = LEVEL_L2,
                            .reader = (uint8_t)reader,
                            .version = usual ? 0 : slice_read_version(slice)};
    bool by_sector = slice->context->lookup_bytes == SECTOR_BYTES;
    slice->head_left = by_sector ? request->sectors : slice_lookups(slice->context, request);
}

// The sectors of its line that a request reads or writes.
static uint8_t accessed_sectors(const MemRequest *request)
{
    if (!mem_kind_writes(request->kind)) return request->sectors;
    uint8_t written = 0; // a packet may cover sectors without written bytes
    for (unsigned part = 0; part < MAX_LINE_BYTES / SECTOR_BYTES; part++)
        if (request->written[part / 2] >> (part % 2 * SECTOR_BYTES) & UINT32_MAX)
            written |= (uint8_t)(1u << part);
    return written;
}

// The lookup at this address in the slice's space.
ALWAYS_INLINE CacheAccess access_of(const Slice *slice, const MemRequest *request, uint64_t address,
                                    bool usual)
{
    bool write = mem_kind_writes(request->kind);
    return (CacheAccess){
        .address = address,
        .bytes = {write ? request->written[0] : 0, write ? request->written[1] : 0},
        .write = write,
        .sectors = !usual && slice->sectored ? accessed_sectors(request) : 0,
        .local = request->kind == MEM_LOCAL_LOAD || request->kind == MEM_LOCAL_STORE,
        .bypass = !usual && request->kind == MEM_ENGINE && request->direct,
        .prefetch = !usual && slice_speculates(slice, request),
        .atomic = mem_kind_atomic(request->kind)};
}

// Whether the request makes copies of its line in L1s stale.
static bool changes(const MemRequest *request)
{
    return mem_kind_writes(request->kind) || mem_kind_atomic(request->kind);
}

ALWAYS_INLINE void access_cache(Slice *slice, const SliceRequest *entry, uint64_t offset,
                                uint64_t cycle, CacheResult *result, bool usual)
{
    CacheAccess access = access_of(slice, entry->request, entry->address + offset, usual);
    access.token = slice->head;
    access.room = slice_miss_room(slice);
    CacheUser user = {.cycle = cycle, .user = entry->request};
    // A write that the L2, being off, owes the DRAM for an atomic keeps its atomic's MSHR entry.
    uint32_t places = slice->context->config.l2->mshr_entries;
    const Link *owed = &slice->links[LINK_OWED];
    if (owed->count && !access.write &&
        owed->count + cache_mshr_used(slice->controller.cache) >= places) {
        controller_stall_access(&slice->controller, &access, STALL_MSHR, user, result);
        return;
    }
    for (uint32_t i = 0; i < owed->count; i++) // not yet in the miss queue
        if (((const Owed *)link_at(owed, i))->line == access.address) {
            controller_stall_access(&slice->controller, &access, STALL_STORE_ORDER, user, result);
            return;
        }
    shadow_stage_store(slice, offset, &access);
    if (!access.write && !access.atomic &&
        controller_load_hits(&slice->controller, access.address))
        *result = (CacheResult){.outcome = CACHE_HIT};
    else
        controller_access(&slice->controller, &access, user, result);
}

uint32_t slice_access_warm(Slice *slice, const MemRequest *request)
{
    const SliceContext *context = slice->context;
    if (request->kind == MEM_COPY_BACK) {
        CacheVictim victim; // its write-back is not simulated
        slice_insert_copy_back(slice, request, slice->last, &(CopyBackCounters){0}, &victim);
        return 0;
    }
    uint64_t line = request->place;
    uint32_t version = slice_line_version(slice, line);
    for (uint32_t lookups = slice_lookups(context, request); lookups; lookups &= lookups - 1) {
        uint64_t offset = lanes_first(lookups) * context->lookup_bytes;
        CacheAccess access = access_of(slice, request, line + offset, false);
        if (slice->hooks) slice_describe_access(slice, request, offset, slice->last);
        CacheResult result = cache_access_warm(slice->controller.cache, &access);
        if (!slice->hooks) continue;
        cache_hooks_on_insert(slice->hooks, &slice->hooks->current.access);
        if (slice->versions && changes(request)) version_table_on_write(slice->versions, line);
        bool last = !(lookups & (lookups - 1));
        if (last && result.outcome == CACHE_HIT)
            slice_after_hit(slice, request, line, line + offset);
    }
    return version;
}

void slice_push_victim(Slice *slice, const CacheVictim *victim)
{
    if (!victim->dirty_sectors) return;
    slice_push_miss(slice, &(Miss){.line = victim->line,
                                   .lookups = slice->sectored ? 1 : victim->dirty_sectors,
                                   .sectors = slice->sectored ? victim->dirty_sectors : 0,
                                   .write = true,
                                   .background = true,
                                   .shadow = victim->shadow});
}

// Queues the fetch, write-back and forwarded store that a lookup requires.
ALWAYS_INLINE void send_misses(Slice *slice, const MemRequest *request, const CacheResult *result,
                               uint64_t address, bool usual)
{
    if (result->fetch)
        slice_push_miss(slice, &(Miss){.line = address,
                                       .lookups = 1,
                                       .sectors = result->sectors,
                                       .background = mem_kind_writes(request->kind),
                                       .speculative = !usual && slice_speculates(slice, request),
                                       .prefetcher = prefetcher_at(request->prefetcher, HOOK_L1)});
    if (result->victim.dirty_sectors) slice_push_victim(slice, &result->victim);
    // After the write-back of what an atomic has left in the sector (write-evict): the store is the
    // later write.
    if (result->forwards_write)
        slice_push_miss(slice, &(Miss){.line = address,
                                       .lookups = 1,
                                       .sectors = !usual && slice->sectored
                                                      ? accessed_sectors(request) : 0,
                                       .write = true,
                                       .background = true,
                                       .shadow = shadow_staged(slice)});
}

// For how many cycles a lookup that did not stall keeps the data port busy (slice.port_bytes).
ALWAYS_INLINE uint64_t port_use(const Slice *slice, const MemRequest *request,
                                const CacheResult *result, uint64_t offset, bool usual)
{
    const SliceContext *context = slice->context;
    bool sectored = !usual && slice->sectored, hit = result->outcome == CACHE_HIT;
    uint64_t bytes;
    if (context->config.slice->port_bytes == PORT_BY_LOOKUP) {
        bool writes = mem_kind_writes(request->kind) && !result->forwards_write;
        if (!hit && !writes) return 0;
        return sectored ? slice_port_cycles(slice, accessed_sectors(request))
                        : context->port_cycles;
    }
    if (hit) {
        uint32_t looked_up = sectored ? UINT32_MAX : context->lookup_mask << offset / SECTOR_BYTES;
        bytes = (uint64_t)SECTOR_BYTES * lanes_count(request->sectors & looked_up);
    } else {
        bytes = (sectored ? SECTOR_BYTES : context->lookup_bytes) *
                lanes_count(result->victim.dirty_sectors);
    }
    return divide_up(bytes, context->config.l2->port);
}

// Counts a lookup of the head's that did not stall, sends what it needs, and performs atomics.
// Returns when what it has found is ready.
ALWAYS_INLINE uint64_t serve_lookup(Slice *slice, const SliceRequest *entry,
                                    const CacheResult *result, uint64_t offset, uint64_t cycle,
                                    bool usual)
{
    const MemRequest *request = entry->request;
    bool write = mem_kind_writes(request->kind), hit = result->outcome == CACHE_HIT;
    count_served(slice, request, result);
    if (!usual && slice->versions && changes(request))
        version_table_on_write(slice->versions, entry->address);
    if (!usual && slice->ranks && result->promoted)
        slice_promote(slice, entry->address + offset, slice->sectored ? result->promoted : 0,
                      cycle);
    send_misses(slice, request, result, entry->address + offset, usual);
    slice->port_free = cycle + port_use(slice, request, result, offset, usual);
    uint64_t ready = cycle;
    if (hit && mem_kind_atomic(request->kind))
        ready = slice_do_atomics(slice, request, offset, cycle);
    return hit && !write ? ready + slice->context->config.l2->latency : ready;
}

// Finishes the head's next lookup that did not stall.
ALWAYS_INLINE void serve(Slice *slice, SliceRequest *entry, const CacheResult *result,
                         uint64_t offset, uint64_t cycle, bool usual)
{
    const MemRequest *request = entry->request;
    bool hooks = !usual && slice->hooks, sectored = !usual && slice->sectored;
    bool write = mem_kind_writes(request->kind), hit = result->outcome == CACHE_HIT;
    uint64_t ready = serve_lookup(slice, entry, result, offset, cycle, usual);
    if (entry->ready < ready) entry->ready = ready;
    if (hit && hooks) slice_tag_hit_reply(slice, entry);
    if (!write && !hit) {
        entry->waiting += sectored ? result->pending_fetches : 1;
        entry->level = LEVEL_DRAM;
    }
    slice->head_left &= slice->head_left - 1;
    uint32_t at = slice->head;
    if (!slice->head_left) {
        if (usual || !entry->reader) slice_accept(slice, cycle);
        entry->accepted = true;
        slice->head = NO_REQUEST;
        if (hit && hooks) {
            uint64_t line = entry->address;
            uint8_t removed = slice_after_hit(slice, request, line, line + offset);
            if (removed) controller_note_invalidated(&slice->controller, line, removed, cycle);
        }
    }
    if (write || hit) answer(slice, at, offset, usual);
}

static void log_lookups(Slice *slice, unsigned count, uint64_t cycle)
{
    LookupLog *log = &slice->lookup_log;
    for (unsigned i = 0; log->on && i < count; i++)
        if (!HD_PUSH(log->cycles, log->count, log->capacity, cycle)) slice->failed = true;
}

// Whether there is something to look up: what has begun; else the request at the input, or an
// engine's read, in turn. *packet: the input's; NULL: a read.
ALWAYS_INLINE bool choose(Slice *slice, uint64_t cycle, Packet **packet, bool usual)
{
    const Transit *first = in_port_head(&slice->in);
    bool at_input = first && first->cycle <= cycle, read = false;
    if (!usual && slice->engines) {
        if (at_input && first->packet->request.kind == MEM_ENGINE) {
            slice_offer_request(slice, cycle);
            at_input = false;
        }
        read = slice->head != NO_REQUEST ? slice->requests[slice->head].reader
                                         : (!at_input || slice->read_turn) &&
                                               engine_hooks_read_waits(slice->hooks);
    }
    *packet = at_input && !read ? first->packet : NULL;
    return at_input || read;
}

// When the next look-up can be tried: of what is at the input, or of an engine's read.
ALWAYS_INLINE uint64_t input_due(const Slice *slice, uint64_t cycle, bool usual)
{
    const Transit *first = in_port_head(&slice->in);
    if (!usual && slice->engines && slice_reads(slice)) return cycle + 1;
    // A request for which an engine has no room is offered again after the engine's next cycle.
    if (!first || (!usual && slice->engine_stall_since != CYCLE_NEVER)) return CYCLE_NEVER;
    return larger(first->cycle, cycle + 1);
}

// The head stalls, and is tried again at `due`. A request to an engine behind it does not use the
// tags.
static void stall_until(Slice *slice, unsigned reason, uint64_t cycle, uint64_t due)
{
    slice_set_stall(slice, reason, cycle);
    slice->at[STAGE_LOOK_UP] = due;
    const Transit *first = in_port_head(&slice->in);
    if (slice->engines && first && first->packet->request.kind == MEM_ENGINE &&
        slice->engine_stall_since == CYCLE_NEVER)
        slice_due(slice, STAGE_LOOK_UP, larger(first->cycle, cycle + 1));
}

// Makes the request at the input, or an engine's read, the head. Returns its entry.
ALWAYS_INLINE SliceRequest *head_entry(Slice *slice, Packet *packet, bool usual)
{
    if (slice->head == NO_REQUEST) {
        start_head(slice, packet, usual);
        if (!usual) slice->read_turn = packet;
    }
    return &slice->requests[slice->head];
}

// Makes the next lookup of the head. false: it stalls, for this reason. again: it would have
// stalled as before, and is tried all the same.
ALWAYS_INLINE bool look_up_head(Slice *slice, Packet *packet, uint64_t cycle, bool again,
                                unsigned *reason, bool usual)
{
    SliceRequest *entry = head_entry(slice, packet, usual);
    uint64_t offset = (unsigned)__builtin_ctz(slice->head_left) * slice->context->lookup_bytes;
    // To mechanisms it is still the look-up that stalled.
    if (!usual && slice->hooks && !again)
        slice_describe_access(slice, entry->request, offset, cycle);
    CacheResult result;
    access_cache(slice, entry, offset, cycle, &result, usual);
    *reason = result.stall;
    if (result.outcome == CACHE_STALLED) return false;
    serve(slice, entry, &result, offset, cycle, usual);
    return true;
}

// Whether one lookup serves a request: if it finds its data, it is answered at once, and needs no
// entry. Most are such.
static inline bool is_single(const Slice *slice, const MemRequest *request)
{
    return slice->head == NO_REQUEST && slice->context->lookup_bytes == SECTOR_BYTES &&
           !(request->sectors & (request->sectors - 1));
}

// The same as look_up_head for such a request, in a usual slice.
static inline bool look_up_single(Slice *slice, Packet *packet, uint64_t cycle, unsigned *reason)
{
    MemRequest *request = &packet->request;
    slice->head = next_request(slice);
    SliceRequest *entry = &slice->requests[slice->head]; // taken below, if it waits
    entry->request = request;
    entry->packet = packet;
    entry->address = request->place;
    entry->shadow = (ShadowData){};
    entry->looked_up = (ShadowTimes){};
    uint64_t offset = lanes_first(request->sectors) * SECTOR_BYTES;
    CacheResult result;
    access_cache(slice, entry, offset, cycle, &result, true);
    if (result.outcome == CACHE_STALLED) {
        start_head(slice, packet, true);
        *reason = result.stall;
        return false;
    }
    uint64_t ready = serve_lookup(slice, entry, &result, offset, cycle, true);
    slice_accept(slice, cycle);
    slice->head = NO_REQUEST;
    if (result.outcome == CACHE_HIT || mem_kind_writes(request->kind)) {
        if (request->value_slot) read_values(slice, entry, request->sectors);
        add_packet(slice, packet, request->sectors, ready, 0, true);
        write_reply(packet, LEVEL_L2, 0, 0, &entry->shadow);
        return true;
    }
    take_request(slice);
    entry->ready = ready;
    entry->reader = 0;
    entry->waiting = 1;
    entry->level = LEVEL_DRAM;
    entry->sideband_tags = entry->version = 0;
    entry->accepted = true;
    return true;
}

ALWAYS_INLINE bool look_up(Slice *slice, uint64_t cycle, bool changed, bool usual)
{
    Packet *packet; // NULL: an engine's read
    bool chosen = choose(slice, cycle, &packet, usual);
    const MemRequest *request = chosen && (usual || packet) ? &packet->request : NULL;
    if (request && (request->into_l2 || request->promotes)) {
        if (slice->stall != SLICE_STALL_NONE) slice_set_stall(slice, SLICE_STALL_NONE, cycle);
        log_lookups(slice, lanes_count(slice_lookups(slice->context, request)), cycle);
        slice_take_prefetch(slice, cycle);
        chosen = false;
    }
    if (!chosen) {
        slice->at[STAGE_LOOK_UP] = input_due(slice, cycle, usual);
        return false;
    }
    bool waits = slice->stall < CACHE_STALL_REASONS && !changed; // it would stall again
    if (waits && (usual || !slice->every_cycle)) {
        stall_until(slice, slice->stall, cycle, CYCLE_NEVER);
        return false;
    }
    bool copy = request && request->kind == MEM_COPY_BACK;
    if (request && !copy && slice_replies_full(slice, cycle)) {
        stall_until(slice, SLICE_STALL_REPLIES, cycle, slice_room_cycle(slice));
        return true;
    }
    if (slice->port_free > cycle) {
        stall_until(slice, SLICE_STALL_PORT, cycle, slice->port_free);
        return true;
    }
    if (request && slice->atomic_unit.free > cycle && mem_kind_atomic(request->kind)) {
        stall_until(slice, SLICE_STALL_ATOMIC_UNIT, cycle, slice->atomic_unit.free);
        return true;
    }
    if (slice->stall != SLICE_STALL_NONE) slice_set_stall(slice, SLICE_STALL_NONE, cycle);
    if (copy) {
        log_lookups(slice, lanes_count(slice_lookups(slice->context, request)), cycle);
        slice_serve_copy_back(slice, cycle);
    } else {
        unsigned reason;
        bool served = usual && is_single(slice, request)
                          ? look_up_single(slice, packet, cycle, &reason)
                          : look_up_head(slice, packet, cycle, waits, &reason, usual);
        if (!served) {
            slice->failed |= cache_out_of_memory(slice->controller.cache);
            stall_until(slice, reason, cycle, CYCLE_NEVER); // a fill, or a miss that enters
            return !waits;
        }
        if (request) log_lookups(slice, 1, cycle);
    }
    slice->at[STAGE_LOOK_UP] = input_due(slice, cycle, usual);
    return true;
}

bool slice_look_up(Slice *slice, uint64_t cycle, bool changed)
{
    return slice->usual ? look_up(slice, cycle, changed, true)
                        : look_up(slice, cycle, changed, false);
}
