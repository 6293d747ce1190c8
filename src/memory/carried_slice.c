// Data in an L2 slice, where the writes to its locations take place, and in the DRAM below.
#include "memory/carried.h"

#include "exec/guest.h"
#include "memory/slice_internal.h"

#include <stdio.h>

static CarriedMemory *memory_of(const Slice *slice) { return slice->context->carried; }

// The history of the line of an address in the slice's space.
static CarriedPlace *place_at(const Slice *slice, uint64_t address)
{
    uint64_t line = address - address % CARRIED_BYTES;
    SliceAddress place = {slice->number, line};
    return carried_place(memory_of(slice), address_map_join(&slice->context->map, place));
}

void carried_stage(Slice *slice, uint64_t offset, CacheAccess *access)
{
    if (!access->write) return;
    const MemRequest *request = &slice->records[slice->head].request;
    const CarriedPlace *place = carried_place(memory_of(slice), request->line);
    slice->staged = (Carried){.line = request->line};
    for (unsigned i = 0; i < slice->context->unit; i++) {
        unsigned at = (unsigned)offset + i;
        if (!carried_in(request->written, at)) continue;
        slice->staged.version[at] = carried_latest(place, at) + 1;
        slice->staged.byte[at] = request->data.byte[at];
    }
    access->data = &slice->staged;
    const Carried *here = carried_here(slice->cache, access->address);
    slice->before = here ? *here : (Carried){0};
}

// The store at the head takes place.
static void served_write(Slice *slice, const MemRequest *request, uint64_t offset, Tick now)
{
    CarriedPlace *place = carried_place(memory_of(slice), request->line);
    for (unsigned i = 0; i < slice->context->unit; i++) {
        unsigned at = (unsigned)offset + i;
        if (!carried_in(request->written, at)) continue;
        if (!request->data.version[at])
            carried_say(slice->report, "a store of SM %u to 0x%llx carries no data", request->sm,
                        (unsigned long long)request->line + at);
        carried_written(place, at, request->data.byte[at], request->sm,
                        request->data.version[at] & ~CARRIED_OWN, now);
    }
    if (carried_fault(memory_of(slice)) != FAULT_STALE_COPY_BACK || !slice->before.line) return;
    Carried *here = carried_here(slice->cache, slice->records[slice->head].address + offset);
    if (here) *here = slice->before;
}

// The sectors of its line that the unit at an address or offset has; with parts, these.
static uint8_t unit_sectors(const Slice *slice, uint64_t address, uint8_t parts)
{
    if (slice->parts) return parts;
    return (uint8_t)(slice->context->unit_mask << address % CARRIED_BYTES / CARRIED_SECTOR);
}

// A load gets these sectors of its line.
static void give(Slice *slice, Record *record, uint8_t sectors)
{
    const MemRequest *request = &record->request;
    char who[96];
    snprintf(who, sizeof who, "%s of SM %u, instruction %u", mem_kind_name(request->kind),
             request->sm, request->pc);
    for (unsigned s = 0; s < CARRIED_SECTORS; s++) {
        if (!(sectors >> s & 1)) continue;
        carried_check(memory_of(slice), slice->report, slice->at, request->line, s * CARRIED_SECTOR,
                      CARRIED_SECTOR, record->since[s], who);
        if (slice->at)
            carried_put(&record->data, slice->at, s * CARRIED_SECTOR, CARRIED_SECTOR, false);
        record->data.taken[s] = record->since[s];
        record->data.asked[s] = request->data.asked[0];
    }
}

void carried_served(Slice *slice, const CacheResult *result, uint64_t offset, uint64_t cycle)
{
    Record *record = &slice->records[slice->head];
    const MemRequest *request = &record->request;
    slice->now = slice_tick(slice, cycle);
    if (mem_kind_writes(request->kind)) {
        served_write(slice, request, offset, slice->now);
        return;
    }
    uint8_t sectors = unit_sectors(slice, offset, request->sectors);
    for (unsigned s = 0; s < CARRIED_SECTORS; s++)
        if (sectors >> s & 1) record->since[s] = slice->now;
    uint64_t address = record->address + offset;
    slice->at = carried_here(slice->cache, address);
    // A look-up of several parts finds some, and waits for others.
    if (slice->parts && result->outcome != CACHE_HIT)
        sectors &= carried_sectors(slice->cache, address);
    else if (result->outcome != CACHE_HIT)
        return;
    if (!mem_kind_atomic(request->kind)) give(slice, record, sectors);
}

// An atomic reads what it writes: that must be the latest, as no other is at work on it.
static void do_lane(Slice *slice, const MemRequest *request, CarriedPlace *place, unsigned from,
                    unsigned bytes)
{
    char who[96];
    snprintf(who, sizeof who, "atomic of SM %u, instruction %u", request->sm, request->pc);
    if (!carried_check(memory_of(slice), slice->report, slice->at, request->line, from, bytes,
                       slice->now, who))
        return;
    const uint8_t *host = guest_host(slice->context->guest, request->line + from);
    for (unsigned i = 0; i < bytes; i++) {
        slice->at->version[from + i] =
            carried_written(place, from + i, host[i], request->sm, 0, slice->now);
        slice->at->byte[from + i] = host[i];
    }
}

void carried_atomics(Slice *slice, const MemRequest *request, uint64_t offset)
{
    const AtomicLanes *atomic = request->atomic;
    CarriedPlace *place = carried_place(memory_of(slice), request->line);
    unsigned bytes = ptx_type_bytes(atomic->type);
    uint64_t done[2] = {0};
    for (LaneMask left = atomic->lanes; left; left &= left - 1) {
        uint64_t from = atomic->address[lanes_first(left)] - request->line;
        if (from - offset >= slice->context->unit || carried_in(done, (unsigned)from)) continue;
        done[from >> 6] |= UINT64_C(1) << (from & 63);
        do_lane(slice, request, place, (unsigned)from, bytes);
    }
}

void carried_filled(Slice *slice, Fill *fill, uint64_t cycle)
{
    slice->came = unit_sectors(slice, fill->address, fill->parts);
    Carried *here = carried_fill(slice->cache, fill->address, slice->came, &fill->data);
    slice->at = here ? here : &fill->data;
    slice->now = slice_tick(slice, cycle);
}

void carried_woken(Slice *slice, Record *record)
{
    if (mem_kind_atomic(record->request.kind)) return;
    give(slice, record, slice->parts ? slice->came & record->request.sectors : slice->came);
}

// What has come in must be what the location holds.
void carried_copied(Slice *slice, const MemRequest *request, uint64_t cycle)
{
    uint64_t address = address_map_split(&slice->context->map, request->line).address;
    uint8_t sectors = request->sectors & carried_sectors(slice->cache, address);
    Carried *here = carried_fill(slice->cache, address, sectors, &request->data);
    char who[96];
    snprintf(who, sizeof who, "copy-back of SM %u", request->sm);
    for (unsigned s = 0; s < CARRIED_SECTORS; s++)
        if (sectors >> s & 1)
            carried_check(memory_of(slice), slice->report, here, request->line, s * CARRIED_SECTOR,
                          CARRIED_SECTOR, slice_tick(slice, cycle), who);
}

void carried_owed(Slice *slice, const CacheVictim *victim)
{
    slice->owed[ring_at(&slice->owed_ring, slice->owed_ring.count - 1)].data =
        carried_part(slice->at, victim->bytes);
}

// ---- DRAM ----

void carried_below(Slice *slice, const DramRequest *done)
{
    if (carried_fault(memory_of(slice)) == FAULT_LOST_WRITE_BACK) return;
    Carried *image = carried_image(place_at(slice, done->slice_address));
    uint8_t sectors = unit_sectors(slice, done->slice_address, done->parts);
    for (unsigned at = 0; at < CARRIED_BYTES; at++) {
        uint32_t version = done->data.version[at];
        if (!version || !(sectors >> at / CARRIED_SECTOR & 1)) continue;
        if (version < image->version[at])
            carried_say(slice->report, "version %u of byte 0x%llx is written to DRAM over %u",
                        version, (unsigned long long)image->line + at, image->version[at]);
        carried_put(image, &done->data, at, 1, false);
    }
}

Carried carried_above(Slice *slice, const DramRequest *done)
{
    const Carried *image = carried_image(place_at(slice, done->slice_address));
    Carried data = {.line = image->line};
    uint8_t sectors = unit_sectors(slice, done->slice_address, done->parts);
    bool wrong = carried_fault(memory_of(slice)) == FAULT_WRONG_SECTOR;
    for (unsigned at = 0; at < CARRIED_BYTES; at++) {
        unsigned from = wrong ? at ^ CARRIED_SECTOR : at;
        if (!(sectors >> at / CARRIED_SECTOR & 1)) continue;
        data.version[at] = image->version[from];
        data.byte[at] = image->byte[from];
    }
    return data;
}
