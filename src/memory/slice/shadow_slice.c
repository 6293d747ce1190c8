// Shadow data in an L2 slice, where the writes to its locations take place, and in the DRAM below.
#include "memory/shadow.h"

#include "exec/guest.h"
#include "memory/slice/slice_internal.h"

#include <stdio.h>

static ShadowMemory *memory_of(const Slice *slice) { return slice->context->shadow; }

// The history of the line of an address in the slice's space.
static ShadowHistory *place_at(const Slice *slice, uint64_t address)
{
    uint64_t line = address - address % SHADOW_BYTES;
    SliceAddress place = {slice->number, line};
    return shadow_history(memory_of(slice), address_map_join(&slice->context->map, place));
}

ShadowData shadow_staged(const Slice *slice) { return slice->shadow.staged; }

void shadow_stage_store(Slice *slice, uint64_t offset, CacheAccess *access)
{
    if (!access->write) return;
    const MemRequest *request = slice->requests[slice->head].request;
    const ShadowHistory *place = shadow_history(memory_of(slice), request->line);
    slice->shadow.staged = (ShadowData){.line = request->line};
    for (unsigned i = 0; i < slice->context->lookup_bytes; i++) {
        unsigned at = (unsigned)offset + i;
        if (!shadow_mask_has(request->written, at)) continue;
        slice->shadow.staged.version[at] = shadow_latest(place, at) + 1;
        slice->shadow.staged.byte[at] = request->shadow.byte[at];
    }
    access->shadow.data = &slice->shadow.staged;
    const ShadowData *here = shadow_line(slice->controller.cache, access->address);
    slice->shadow.before = here ? *here : (ShadowData){0};
}

// Enters the bytes of the head request, a store, into the history.
static void served_write(Slice *slice, const MemRequest *request, uint64_t offset, Tick now)
{
    ShadowHistory *place = shadow_history(memory_of(slice), request->line);
    for (unsigned i = 0; i < slice->context->lookup_bytes; i++) {
        unsigned at = (unsigned)offset + i;
        if (!shadow_mask_has(request->written, at)) continue;
        if (!request->shadow.version[at])
            shadow_error(slice->shadow.report, "a store of SM %u to 0x%llx has no data",
                         request->sm, (unsigned long long)request->line + at);
        shadow_add_write(place, at, request->shadow.byte[at], request->sm,
                         request->shadow.version[at] & ~SHADOW_OWN, now);
    }
    if (shadow_fault(memory_of(slice)) != FAULT_STALE_COPY_BACK || !slice->shadow.before.line)
        return;
    ShadowData *here =
        shadow_line(slice->controller.cache, slice->requests[slice->head].address + offset);
    if (here) *here = slice->shadow.before;
}

// The sectors of its line that the lookup at an address or offset has; if it has several at
// once, `sectors`.
static uint8_t lookup_sectors(const Slice *slice, uint64_t address, uint8_t sectors)
{
    if (slice->sectored) return sectors;
    return (uint8_t)(slice->context->lookup_mask << address % SHADOW_BYTES / SHADOW_SECTOR);
}

// A load gets these sectors of its line.
static void give(Slice *slice, SliceRequest *entry, uint8_t sectors)
{
    const MemRequest *request = entry->request;
    char who[96];
    snprintf(who, sizeof who, "%s of SM %u, instruction %u", mem_kind_name(request->kind),
             request->sm, request->pc);
    for (unsigned s = 0; s < SHADOW_SECTORS; s++) {
        if (!(sectors >> s & 1)) continue;
        const ShadowRead read = {request->line, s * SHADOW_SECTOR, SHADOW_SECTOR,
                                 entry->looked_up.at[s], who};
        shadow_check(memory_of(slice), slice->shadow.report, slice->shadow.at, &read);
        if (slice->shadow.at)
            shadow_copy(&entry->shadow, slice->shadow.at, s * SHADOW_SECTOR, SHADOW_SECTOR, false);
        entry->shadow.taken[s] = entry->looked_up.at[s];
        entry->shadow.asked[s] = request->shadow.asked[0];
    }
}

// The watcher of accesses: a lookup of the head has been made.
static void see(void *self, WatchKind kind, const void *event)
{
    (void)kind;
    Slice *slice = self;
    const CacheEvent *seen = event;
    const CacheResult *result = seen->result;
    if (result->outcome == CACHE_STALLED) return;
    SliceRequest *entry = &slice->requests[slice->head];
    const MemRequest *request = entry->request;
    uint64_t offset = seen->address - entry->address;
    slice->shadow.now = slice_tick(slice, seen->cycle);
    if (mem_kind_writes(request->kind)) {
        served_write(slice, request, offset, slice->shadow.now);
        return;
    }
    uint8_t sectors = lookup_sectors(slice, offset, request->sectors);
    for (unsigned s = 0; s < SHADOW_SECTORS; s++)
        if (sectors >> s & 1) entry->looked_up.at[s] = slice->shadow.now;
    slice->shadow.at = shadow_line(slice->controller.cache, seen->address);
    // A lookup of several sectors may find some and wait for others.
    if (slice->sectored && result->outcome != CACHE_HIT)
        sectors &= shadow_readable_sectors(slice->controller.cache, seen->address);
    else if (result->outcome != CACHE_HIT)
        return;
    if (!mem_kind_atomic(request->kind)) give(slice, entry, sectors);
}

void shadow_slice_init(Slice *slice)
{
    shadow_add_slice(memory_of(slice), slice->number, slice->controller.cache);
    slice->shadow.report = shadow_add_report(memory_of(slice), "L2 slice", slice->number);
    Watcher watcher = {WATCHER_SHADOW, 1u << WATCH_ACCESS, see, slice};
    HdError err;
    if (!watch_add(&slice->controller.watch, watcher, &err)) shadow_out_of_memory();
}

void shadow_slice_values(Slice *slice, SliceRequest *entry, uint8_t sectors)
{
    const MemRequest *request = entry->request;
    ShadowFault fault = shadow_fault(memory_of(slice));
    const uint8_t *host = guest_host(slice->context->guest, request->line);
    for (unsigned at = 0; at < SHADOW_BYTES; at++) {
        if (!(sectors >> at / SHADOW_SECTOR & 1)) continue;
        if (fault == FAULT_WRONG_VALUES) request->values[at] = host[at ^ SHADOW_SECTOR];
        uint8_t byte = fault == FAULT_UNSENT_VALUES ? (uint8_t)~host[at] : host[at];
        entry->shadow.value[at] = (uint16_t)(1 + byte);
        if (fault == FAULT_UNSENT_VALUES) request->values[at] = byte;
        if (byte != entry->shadow.byte[at])
            shadow_doubt(slice->shadow.report, request->line + at, byte);
    }
}

void shadow_slice_atomics(Slice *slice, const MemRequest *request, uint64_t offset)
{
    const AtomicLanes *atomic = request->atomic;
    ShadowHistory *place = shadow_history(memory_of(slice), request->line);
    unsigned bytes = ptx_type_bytes(atomic->type);
    uint64_t done[2] = {0};
    char who[96];
    snprintf(who, sizeof who, "atomic of SM %u, instruction %u", request->sm, request->pc);
    for (LaneMask left = atomic->lanes; left; left &= left - 1) {
        uint64_t from = atomic->address[lanes_first(left)] - request->line;
        if (from - offset >= slice->context->lookup_bytes || shadow_mask_has(done, (unsigned)from))
            continue;
        done[from >> 6] |= UINT64_C(1) << (from & 63);
        // An atomic must read the latest bytes, because no other is at work on them.
        const ShadowRead read = {request->line, (unsigned)from, bytes, slice->shadow.now, who};
        ShadowData *data = slice->shadow.at;
        if (!shadow_check(memory_of(slice), slice->shadow.report, data, &read)) continue;
        const uint8_t *host = guest_host(slice->context->guest, request->line + from);
        for (unsigned i = 0; i < bytes; i++) {
            unsigned at = (unsigned)from + i;
            data->version[at] =
                shadow_add_write(place, at, host[i], request->sm, 0, slice->shadow.now);
            data->byte[at] = host[i];
        }
    }
}

void shadow_slice_fill(Slice *slice, Fill *fill, uint64_t cycle)
{
    slice->shadow.came = lookup_sectors(slice, fill->address, fill->sectors);
    ShadowData *here =
        shadow_fill_line(slice->controller.cache, fill->address, slice->shadow.came, &fill->shadow);
    slice->shadow.at = here ? here : &fill->shadow;
    slice->shadow.now = slice_tick(slice, cycle);
}

void shadow_slice_wake(Slice *slice, SliceRequest *entry)
{
    if (mem_kind_atomic(entry->request->kind)) return;
    give(slice, entry,
         slice->sectored ? slice->shadow.came & entry->request->sectors : slice->shadow.came);
}

// The inserted data must be what the location holds.
void shadow_slice_copy_back(Slice *slice, const MemRequest *request, uint64_t cycle)
{
    uint64_t address = address_map_split(&slice->context->map, request->line).address;
    uint8_t sectors = request->sectors & shadow_readable_sectors(slice->controller.cache, address);
    ShadowData *here =
        shadow_fill_line(slice->controller.cache, address, sectors, &request->shadow);
    char who[96];
    snprintf(who, sizeof who, "copy-back of SM %u", request->sm);
    for (unsigned s = 0; s < SHADOW_SECTORS; s++) {
        const ShadowRead read = {request->line, s * SHADOW_SECTOR, SHADOW_SECTOR,
                                 slice_tick(slice, cycle), who};
        if (sectors >> s & 1)
            shadow_check(memory_of(slice), slice->shadow.report, here, &read);
    }
}

void shadow_owe_write(Slice *slice, const CacheVictim *victim)
{
    const Link *owed = &slice->links[LINK_OWED];
    ((Owed *)link_at(owed, owed->count - 1))->shadow =
        shadow_select(slice->shadow.at, victim->bytes);
}

// ---- DRAM ----

void shadow_dram_write(Slice *slice, const DramRequest *done)
{
    if (shadow_fault(memory_of(slice)) == FAULT_LOST_WRITE_BACK) return;
    ShadowData *image = shadow_dram_image(place_at(slice, done->slice_address));
    uint8_t sectors = lookup_sectors(slice, done->slice_address, done->sectors);
    for (unsigned at = 0; at < SHADOW_BYTES; at++) {
        uint32_t version = done->shadow.version[at];
        if (!version || !(sectors >> at / SHADOW_SECTOR & 1)) continue;
        if (version < image->version[at])
            shadow_error(slice->shadow.report,
                         "version %u of byte 0x%llx is written to DRAM over %u", version,
                         (unsigned long long)image->line + at, image->version[at]);
        shadow_copy(image, &done->shadow, at, 1, false);
    }
}

ShadowData shadow_dram_read(Slice *slice, const DramRequest *done)
{
    const ShadowData *image = shadow_dram_image(place_at(slice, done->slice_address));
    ShadowData data = {.line = image->line};
    uint8_t sectors = lookup_sectors(slice, done->slice_address, done->sectors);
    bool wrong = shadow_fault(memory_of(slice)) == FAULT_WRONG_SECTOR;
    for (unsigned at = 0; at < SHADOW_BYTES; at++) {
        unsigned from = wrong ? at ^ SHADOW_SECTOR : at;
        if (!(sectors >> at / SHADOW_SECTOR & 1)) continue;
        data.version[at] = image->version[from];
        data.byte[at] = image->byte[from];
    }
    return data;
}
