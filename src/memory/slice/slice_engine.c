// The engines of mechanisms at a slice (heddle/engines.h): the requests that they take from its
// input, their replies, and their reads.
#include "memory/slice/slice_internal.h"

#include "base/memory.h"

#include <stdlib.h>

// The number of a request says which slice took it.
enum { NUMBER_BITS = 24 };

void slice_place_request(const SliceContext *context, MemRequest *request)
{
    SliceAddress at = address_map_split(&context->map, request->line);
    request->place = at.address;
    request->owner = (uint16_t)((request->kind == MEM_ENGINE ? request->slice : at.slice) + 1);
}

// ---- requests ----

static bool add_taken(TakenRequests *taken, uint32_t *index)
{
    if (taken->free_count) {
        *index = taken->free[--taken->free_count];
        return true;
    }
    *index = (uint32_t)taken->count;
    // Room to give each of them back.
    return hd_reserve(&taken->free, taken->count, &taken->free_capacity, sizeof *taken->free) &&
           HD_PUSH(taken->items, taken->count, taken->capacity, (Packet *)NULL);
}

bool slice_offer_request(Slice *slice, uint64_t cycle)
{
    const MemRequest *request = &in_port_head(&slice->in)->packet->request;
    uint32_t index;
    if (!add_taken(&slice->taken, &index)) {
        slice->failed = true;
        return false;
    }
    HdEngineRequest seen = {.cycle = cycle, .number = slice->number << NUMBER_BITS | index,
                            .lanes = request->lanes, .pc = request->pc,
                            .instruction = request->engine->instruction, .sm = request->sm,
                            .warp_slot = request->warp_slot};
    cache_hooks_at(slice->hooks, cycle);
    if (!engine_hooks_take_request(slice->hooks, request->engine->mechanism, &seen)) {
        slice->taken.free[slice->taken.free_count++] = index;
        if (slice->engine_stall_since == CYCLE_NEVER) slice->engine_stall_since = cycle;
        return false;
    }
    slice_count_engine_stall(slice, cycle);
    slice->taken.items[index] = slice_accept(slice, cycle);
    return true;
}

void slice_count_engine_stall(Slice *slice, uint64_t cycle)
{
    if (slice->engine_stall_since == CYCLE_NEVER) return;
    slice->icnt.stall_engine += cycle - slice->engine_stall_since;
    slice->engine_stall_since = CYCLE_NEVER;
}

// The slice's tags look again at what waits, after the engine's cycle.
static void look_up(void *context)
{
    Slice *slice = context;
    slice_wake(slice, STAGE_LOOK_UP, slice->engine_cycle + 1);
}

// ---- replies ----

static void add_packet(Slice *slice, Packet *packet, uint16_t bytes, bool last)
{
    Transit *transit = &packet->back[packet->packets++];
    transit->time = slice_tick(slice, slice->engine_cycle);
    transit->from = (uint16_t)slice->number;
    transit->bytes = bytes;
    transit->sideband_bytes = 0;
    transit->last = last;
    slice_add_packet(slice, transit);
}

static bool answer(void *context, unsigned mechanism, uint32_t number, const HdEngineReply *reply,
                   bool *known)
{
    Slice *slice = context;
    unsigned owner = number >> NUMBER_BITS;
    uint32_t index = number & ((1u << NUMBER_BITS) - 1);
    bool own = owner == slice->number || slice->context->config.linked;
    TakenRequests *taken = own && owner < slice->context->config.slice->count
                               ? &slice->context->slices[owner]->taken
                               : NULL;
    Packet *packet = taken && index < taken->count ? taken->items[index] : NULL;
    *known = packet && packet->request.engine->mechanism == mechanism;
    if (!*known || slice_replies_full(slice, slice->engine_cycle)) return false;
    const MemRequest *request = &packet->request;
    packet->request.engine->reply = *reply;
    packet->reply = (MemReply){.line = request->line, .token = request->token, .kind = MEM_ENGINE,
                               .sectors = request->sectors, .level = LEVEL_L2};
    add_packet(slice, packet, reply->bytes[0], !reply->bytes[1]);
    if (reply->bytes[1]) add_packet(slice, packet, reply->bytes[1], true);
    // If the replies are full now, they are the reason why the head stalls.
    if (slice->stall == SLICE_STALL_PORT || slice->stall == SLICE_STALL_ATOMIC_UNIT)
        look_up(slice);
    taken->items[index] = NULL;
    taken->free[taken->free_count++] = index;
    return true;
}

// ---- reads ----

unsigned slice_begin_read(Slice *slice, MemRequest *request)
{
    const SliceContext *context = slice->context;
    EngineRead read = engine_hooks_look_up(slice->hooks);
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned allocation = context->guest ? guest_find(context->guest, read.line, 1, &hint)
                                         : GUEST_NO_ALLOCATION;
    *request = (MemRequest){.line = read.line, .token = read.entry, .pc = HD_NO_PC,
                            .allocation = (uint16_t)allocation, .kind = MEM_ENGINE,
                            .sectors = read.sectors, .direct = read.past_l2};
    slice_place_request(context, request);
    slice->background++;
    return read.item + 1;
}

void slice_answer_read(Slice *slice, const SliceRequest *entry)
{
    static const uint8_t zeros[MAX_LINE_BYTES];
    const GuestMemory *guest = slice->context->guest;
    const uint8_t *bytes = guest ? guest_host(guest, entry->request->line) : zeros;
    engine_hooks_arrive(slice->hooks, entry->reader - 1u, entry->request->token, entry->ready,
                        bytes);
    slice->background--;
}

// ---- cycles ----

static void wake_engine(void *context, uint64_t cycle)
{
    Slice *slice = context;
    slice_due_by(slice->due, &slice->due->engine, slice_tick(slice, cycle));
}

static unsigned slice_of(const void *context, uint64_t address)
{
    const Slice *slice = context;
    return address_map_split(&slice->context->map, address).slice;
}

static const void *peek(const void *context, uint64_t address, size_t bytes)
{
    const Slice *slice = context;
    return slice->context->guest ? guest_host_range(slice->context->guest, address, bytes) : NULL;
}

void slice_attach_engines(Slice *slice)
{
    static const EngineActions actions = {slice_of, peek, wake_engine, look_up, answer};
    slice->engines = slice->hooks && slice->hooks->slice.has_engines;
    if (slice->engines) engine_hooks_set_actions(slice->hooks, &actions, slice);
}

void slice_begin_engines(Slice *slice, uint64_t cycle)
{
    if (!slice->engines) return;
    engine_hooks_on_kernel_begin(slice->hooks, cycle);
}

bool slice_engine_busy(const Slice *slice)
{
    return slice->engines && engine_hooks_busy(slice->hooks);
}

bool slice_engine_cycle(Slice *slice, uint64_t cycle)
{
    slice->engine_cycle = cycle;
    cache_hooks_at(slice->hooks, cycle);
    engine_hooks_cycle(slice->hooks, cycle, slice->every_cycle);
    uint64_t next = slice->hooks->slice.due;
    if (slice->every_cycle && slice_engine_busy(slice)) next = cycle + 1;
    slice->due->engine = next == UINT64_MAX ? TICK_NEVER : slice_tick(slice, next);
    if (slice->engine_stall_since != CYCLE_NEVER) look_up(slice); // offer it again
    return !slice->failed;
}
