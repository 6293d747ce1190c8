// A slice's tags and data array: lookups, fills, atomics, and the replies that they make.
#include "memory/slice/slice_internal.h"
#include "base/bits.h"
#include "exec/exec.h"

// Look-ups are built twice: for usual slices (Slice.usual), and for all.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

// ---- replies ----

// Data bytes in the one packet that answers a whole request.
static uint16_t reply_bytes(const MemRequest *request)
{
    if (request->kind == MEM_ATOMIC && request->atomic) {
        unsigned each = ptx_type_bytes(request->atomic->type) > 4 ? 8 : 4;
        return (uint16_t)round_up(lanes_count(request->atomic->lanes) * each, SECTOR_BYTES);
    }
    return (uint16_t)(__builtin_popcount(request->sectors) * SECTOR_BYTES);
}

// Reads these sectors of a load's line for mechanisms at its L1D.
static void read_values(Slice *slice, SliceRequest *entry, uint8_t sectors)
{
    const MemRequest *request = entry->request;
    value_sectors_copy(request->values, guest_host(slice->context->guest, request->line), sectors);
    shadow_slice_values(slice, entry, sectors);
}

static void free_request(Slice *slice, uint32_t at)
{
    slice->requests[at].next = slice->free_request;
    slice->free_request = at;
}

// Queues the reply to the unit at `offset` of the line, if one is due now, and frees the request
// after its last unit. The waiting count is up to date. Packets of a request become ready in the
// order in which they are made, so they leave in that order.
ALWAYS_INLINE void answer(Slice *slice, uint32_t at, uint64_t offset, bool usual)
{
    SliceRequest *entry = &slice->requests[at];
    const MemRequest *request = entry->request;
    const SliceContext *context = slice->context;
    bool by_sector = context->config.slice->reply == REPLY_SECTORS;
    bool last = entry->accepted && !entry->waiting;
    if (!usual && entry->reader) {
        if (!last) return;
        slice_answer_read(slice, entry);
        free_request(slice, at);
        return;
    }
    if (!last && !by_sector) return;
    uint8_t sectors = request->sectors; // that this packet answers
    if (by_sector) sectors &= (uint8_t)(context->unit_mask << offset / SECTOR_BYTES);
    if (request->value_slot) read_values(slice, entry, sectors);
    bool noted = !usual && slice->hooks && slice_wants_reply_tag(request);
    bool carries = !mem_kind_writes(request->kind) && request->kind != MEM_REDUCE;
    uint16_t bytes = 0;
    if (carries)
        bytes = by_sector ? (uint16_t)(SECTOR_BYTES * lanes_count(sectors)) : reply_bytes(request);
    Packet *packet = entry->packet;
    Transit *transit = &packet->back[packet->packets++];
    transit->time = slice_tick(slice, entry->ready);
    transit->from = (uint16_t)slice->number;
    transit->bytes = bytes;
    transit->sideband_bytes = noted ? context->extra : 0;
    transit->last = last;
    out_port_add(&slice->out, transit, &slice->context->icnt);
    slice->due->out = out_port_next(&slice->out, &context->icnt);
    if (!last) return;
    packet->reply = (MemReply){.line = request->line,
                               .token = request->token,
                               .kind = request->kind,
                               .sectors = request->sectors,
                               .level = entry->level,
                               .direct = request->direct,
                               .value_slot = request->value_slot,
                               .sideband_tags = entry->sideband_tags,
                               .version = entry->version,
                               .shadow = entry->shadow};
    free_request(slice, at);
}

Packet *slice_accept(Slice *slice, uint64_t cycle)
{
    Transit *request = in_port_head(&slice->in);
    in_port_pop(&slice->in);
    request->time = slice_tick(slice, cycle) + slice->context->icnt.reply;
    request->from = (uint16_t)slice->number;
    slice->counts->finished += packet_without_reply(request->packet);
    exchange_answer(slice->context->exchange, slice->group, request);
    return request->packet;
}

// Performs the request's atomics on the unit at `offset` of the line, lanes in ascending order.
// Each address lies in one unit, so the order per address is the order of the lookups. Returns the
// cycle in which the last of them is done.
static uint64_t do_atomics(Slice *slice, const MemRequest *request, uint64_t offset,
                           uint64_t cycle)
{
    AtomicLanes *atomic = request->atomic;
    if (!atomic) return cycle;
    GuestMemory *guest = slice->context->guest;
    uint64_t first = request->line + offset;
    LaneMask lanes = 0; // on this unit
    for (LaneMask left = atomic->lanes; left; left &= left - 1) {
        unsigned lane = lanes_first(left);
        uint64_t address = atomic->address[lane];
        if (address - first >= slice->context->unit) continue;
        lanes |= (LaneMask)1 << lane;
        if (guest)
            atomic->b[lane] = exec_atomic(atomic->operation, atomic->type,
                                          guest_host(guest, address), atomic->b[lane],
                                          atomic->c[lane], &slice->atomic_changes);
    }
    slice->controller.count.atomic_lanes += lanes_count(lanes);
    if (guest) shadow_slice_atomics(slice, request, offset);
    return atomic_unit_perform(&slice->atomic_unit, atomic, lanes, cycle);
}

// ---- fills ----

uint64_t slice_port_cycles(const Slice *slice, uint8_t sectors)
{
    if (!slice->sectored) return slice->context->port_cycles;
    return divide_up((uint64_t)lanes_count(sectors) * SECTOR_BYTES,
                     slice->context->config.l2->port);
}

bool slice_fill(Slice *slice, uint64_t cycle)
{
    Link *fills = &slice->links[LINK_FILLS];
    slice->at[STAGE_FILL] = CYCLE_NEVER;
    if (!fills->count || slice_replies_full(slice)) return false; // slice_send_out
    slice->at[STAGE_FILL] = later(link_due(fills), slice->fill_free);
    if (slice->at[STAGE_FILL] > cycle) return false;
    Fill next = *(const Fill *)link_head(fills);
    link_pop(fills);
    slice_due(slice, STAGE_RETURN, later(link_due(&slice->links[LINK_RETURNED]), cycle + 1));
    CacheVictim victim; // L2 off: what an atomic has written; else lines are allocated on a miss
    unsigned count = controller_fill(&slice->controller, next.address,
                                     slice->sectored ? next.sectors : 0, cycle, NULL, &victim);
    slice->background -= next.background;
    slice->fill_free = cycle + slice_port_cycles(slice, next.sectors);
    slice->at[STAGE_FILL] = fills->count ? later(link_due(fills), slice->fill_free) : CYCLE_NEVER;
    if (victim.dirty_sectors) {
        *(Owed *)link_push(&slice->links[LINK_OWED]) = (Owed){.time = {cycle}, .unit = victim.line};
        slice->background++;
    }
    uint32_t version = slice_fill_version(slice, next.address);
    uint64_t offset = slice->sectored ? 0 : next.address % MAX_LINE_BYTES;
    shadow_slice_fill(slice, &next, cycle);
    for (unsigned i = 0; i < count; i++) { // the requests that wait for this fill
        uint32_t at = slice->controller.tokens[i];
        SliceRequest *entry = &slice->requests[at];
        if (version < entry->version) entry->version = version;
        shadow_slice_wake(slice, entry);
        if (entry->ready < cycle) entry->ready = cycle;
        entry->waiting--;
        // In a sectored cache a request waits for several fills, and goes on with the last.
        if (slice->sectored && entry->waiting) continue;
        if (mem_kind_atomic(entry->request->kind)) {
            uint64_t done = do_atomics(slice, entry->request, offset, cycle);
            if (entry->ready < done) entry->ready = done;
        }
        if (slice->hooks) slice_tag_fill_reply(slice, entry, offset, cycle);
        answer(slice, at, offset, false);
    }
    if (victim.dirty_sectors) shadow_owe_write(slice, &victim);
    return true;
}

// ---- lookups ----

static void count_access(AccessCounters *row, CacheOutcome outcome)
{
    row->accesses++;
    switch (outcome) {
    case CACHE_HIT: row->hits++; break;
    case CACHE_MERGED: row->pending_hits++; break;
    default: row->misses++; break;
    }
}

// Counts a lookup that the controller has counted: what only the L2 counts, and rows.
static void count_served(Slice *slice, const MemRequest *request, const CacheResult *result)
{
    CacheCounters *c = &slice->controller.count;
    if (mem_kind_writes(request->kind)) {
        c->store_incomplete += result->incomplete;
        c->store_insertions += result->victim.inserted;
    } else if (mem_kind_atomic(request->kind)) {
        c->atomic_insertions += result->victim.inserted;
    }
    GroupCounts *counts = slice->counts;
    if (request->array < counts->array_count)
        count_access(&counts->arrays[request->array], result->outcome);
    if (request->pc < counts->pc_count) count_access(&counts->pcs[request->pc], result->outcome);
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
    if (request->array < counts->array_count)
        counts->arrays[request->array].stalls[slice->stall] += cycles;
    if (request->pc < counts->pc_count) counts->pcs[request->pc].stalls[slice->stall] += cycles;
}

void slice_set_stall(Slice *slice, unsigned reason, uint64_t cycle)
{
    if (slice->stall != SLICE_STALL_NONE) end_stall(slice, cycle);
    slice->stall = reason;
    if (reason != SLICE_STALL_NONE) controller_stall(&slice->controller, reason, cycle);
}

uint32_t slice_lookups(const SliceContext *context, const MemRequest *request)
{
    uint32_t units = 0, per_unit = (uint32_t)(context->unit / SECTOR_BYTES);
    if (per_unit == 1) return request->sectors;
    for (uint32_t u = 0; u * per_unit < MAX_LINE_BYTES / SECTOR_BYTES; u++)
        if (request->sectors >> (u * per_unit) & context->unit_mask) units |= 1u << u;
    return units;
}

// packet: the request at the input; NULL: a unit's read begins.
ALWAYS_INLINE void start_head(Slice *slice, Packet *packet, bool usual)
{
    bool again = slice->free_request != NO_REQUEST;
    slice->head = again ? slice->free_request : slice->requests_used++;
    SliceRequest *entry = &slice->requests[slice->head];
    if (again) slice->free_request = entry->next;
    MemRequest *request = usual || packet ? &packet->request : &slice->reads[slice->head];
    unsigned reader = usual || packet ? 0 : slice_begin_read(slice, request);
    *entry = (SliceRequest){.request = request,
                            .packet = packet,
                            .address = request->place,
                            .level = LEVEL_L2,
                            .reader = (uint8_t)reader,
                            .version = usual ? 0 : slice_read_version(slice)};
    bool by_sector = slice->context->unit == SECTOR_BYTES;
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

// The lookup of a unit at this address in the slice's space.
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
        .bypass = !usual && request->kind == MEM_UNIT && request->direct,
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
        controller_refuse(&slice->controller, &access, STALL_MSHR, user, result);
        return;
    }
    for (uint32_t i = 0; i < owed->count; i++) // not yet in the miss queue
        if (((const Owed *)link_at(owed, i))->unit == access.address) {
            controller_refuse(&slice->controller, &access, STALL_STORE_ORDER, user, result);
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
    for (uint32_t units = slice_lookups(context, request); units; units &= units - 1) {
        uint64_t offset = lanes_first(units) * context->unit;
        CacheAccess access = access_of(slice, request, line + offset, false);
        if (slice->hooks) slice_describe_access(slice, request, offset, slice->last);
        CacheResult result = cache_access_warm(slice->controller.cache, &access);
        if (!slice->hooks) continue;
        cache_hooks_on_insert(slice->hooks, &slice->hooks->access);
        if (slice->versions && changes(request)) version_table_on_write(slice->versions, line);
        bool last = !(units & (units - 1));
        if (last && result.outcome == CACHE_HIT)
            slice_after_hit(slice, request, line, line + offset);
    }
    return version;
}

void slice_push_victim(Slice *slice, const CacheVictim *victim)
{
    if (!victim->dirty_sectors) return;
    slice_push_miss(slice, &(Miss){.line = victim->line,
                                   .units = slice->sectored ? 1 : victim->dirty_sectors,
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
                                       .units = 1,
                                       .sectors = result->sectors,
                                       .background = mem_kind_writes(request->kind),
                                       .prefetcher = prefetcher_at(request->prefetcher, HOOK_L1)});
    if (result->victim.dirty_sectors) slice_push_victim(slice, &result->victim);
    // After the write-back of what an atomic has left in the sector (write-evict): the store is the
    // later write.
    if (result->forwards_write)
        slice_push_miss(slice, &(Miss){.line = address,
                                       .units = 1,
                                       .sectors = !usual && slice->sectored
                                                      ? accessed_sectors(request) : 0,
                                       .write = true,
                                       .background = true,
                                       .shadow = shadow_staged(slice)});
}

// Finishes a lookup of the head's next unit that did not stall.
ALWAYS_INLINE void serve(Slice *slice, SliceRequest *entry, const CacheResult *result,
                         uint64_t offset, uint64_t cycle, bool usual)
{
    const MemRequest *request = entry->request;
    bool hooks = !usual && slice->hooks, sectored = !usual && slice->sectored;
    bool write = mem_kind_writes(request->kind), hit = result->outcome == CACHE_HIT;
    count_served(slice, request, result);
    if (!usual && slice->versions && changes(request))
        version_table_on_write(slice->versions, entry->address);
    send_misses(slice, request, result, entry->address + offset, usual);
    if (hit || (write && !result->forwards_write))
        slice->port_free =
            cycle + (sectored ? slice_port_cycles(slice, accessed_sectors(request))
                              : slice->context->port_cycles);
    uint64_t ready = cycle;
    if (hit && mem_kind_atomic(request->kind)) ready = do_atomics(slice, request, offset, cycle);
    if (hit && !write) ready += slice->context->config.l2->latency;
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

// Whether there is something to look up: what has begun; else the request at the input, or a unit's
// read, in turn. *packet: the input's; NULL: a read.
ALWAYS_INLINE bool choose(Slice *slice, uint64_t cycle, Packet **packet, bool usual)
{
    const Transit *first = in_port_head(&slice->in);
    bool at_input = first && first->cycle <= cycle, read = false;
    if (!usual && slice->units) {
        if (at_input && first->packet->request.kind == MEM_UNIT) {
            slice_offer_request(slice, cycle);
            at_input = false;
        }
        read = slice->head != NO_REQUEST ? slice->requests[slice->head].reader
                                         : (!at_input || slice->read_turn) &&
                                               unit_hooks_read_waits(slice->hooks);
    }
    *packet = at_input && !read ? first->packet : NULL;
    return at_input || read;
}

// When the next look-up can be tried: of what is at the input, or of a unit's read.
ALWAYS_INLINE uint64_t input_due(const Slice *slice, uint64_t cycle, bool usual)
{
    const Transit *first = in_port_head(&slice->in);
    if (!usual && slice->units && slice_reads(slice)) return cycle + 1;
    // A request for which a unit has no room is offered again after the unit's next cycle.
    if (!first || (!usual && slice->unit_stall_since != CYCLE_NEVER)) return CYCLE_NEVER;
    return later(first->cycle, cycle + 1);
}

// The head stalls, and is tried again at `due`. A request to a unit behind it does not use the
// tags.
static void stall_until(Slice *slice, unsigned reason, uint64_t cycle, uint64_t due)
{
    slice_set_stall(slice, reason, cycle);
    slice->at[STAGE_LOOK_UP] = due;
    const Transit *first = in_port_head(&slice->in);
    if (slice->units && first && first->packet->request.kind == MEM_UNIT &&
        slice->unit_stall_since == CYCLE_NEVER)
        slice_due(slice, STAGE_LOOK_UP, later(first->cycle, cycle + 1));
}

// Makes the request at the input, or a unit's read, the head. Returns its entry.
ALWAYS_INLINE SliceRequest *head_entry(Slice *slice, Packet *packet, bool usual)
{
    if (slice->head == NO_REQUEST) {
        start_head(slice, packet, usual);
        if (!usual) slice->read_turn = packet;
    }
    return &slice->requests[slice->head];
}

ALWAYS_INLINE bool look_up(Slice *slice, uint64_t cycle, bool changed, bool usual)
{
    Packet *packet; // NULL: a unit's read
    bool chosen = choose(slice, cycle, &packet, usual);
    const MemRequest *request = chosen && (usual || packet) ? &packet->request : NULL;
    if (request && request->into_l2) {
        if (slice->stall != SLICE_STALL_NONE) slice_set_stall(slice, SLICE_STALL_NONE, cycle);
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
    if (request && !copy && slice_replies_full(slice)) {
        stall_until(slice, SLICE_STALL_REPLIES, cycle, CYCLE_NEVER); // slice_send_out
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
        SliceRequest *entry = head_entry(slice, packet, usual);
        uint64_t offset = (unsigned)__builtin_ctz(slice->head_left) * slice->context->unit;
        // What waits stalls again (every_cycle): to mechanisms it is still the look-up that
        // stalled.
        if (!usual && slice->hooks && !waits)
            slice_describe_access(slice, entry->request, offset, cycle);
        CacheResult result;
        access_cache(slice, entry, offset, cycle, &result, usual);
        if (result.outcome == CACHE_STALLED) {
            slice->failed |= cache_out_of_memory(slice->controller.cache);
            stall_until(slice, result.stall, cycle, CYCLE_NEVER); // a fill, or a miss that enters
            return !waits;
        }
        if (request) log_lookups(slice, 1, cycle);
        serve(slice, entry, &result, offset, cycle, usual);
    }
    slice->at[STAGE_LOOK_UP] = input_due(slice, cycle, usual);
    return true;
}

bool slice_look_up(Slice *slice, uint64_t cycle, bool changed)
{
    return slice->usual ? look_up(slice, cycle, changed, true)
                        : look_up(slice, cycle, changed, false);
}
