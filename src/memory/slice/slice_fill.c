// A slice's data array: fills and atomics.
#include "exec/exec.h"
#include "memory/slice/slice_reply.h"

uint64_t slice_do_atomics(Slice *slice, const MemRequest *request, uint64_t offset,
                          uint64_t cycle)
{
    AtomicLanes *atomic = request->atomic;
    if (!atomic) return cycle;
    GuestMemory *guest = slice->context->guest;
    uint64_t first = request->line + offset;
    LaneMask lanes = 0; // on this lookup
    for (LaneMask left = atomic->lanes; left; left &= left - 1) {
        unsigned lane = lanes_first(left);
        uint64_t address = atomic->address[lane];
        if (address - first >= slice->context->lookup_bytes) continue;
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

uint64_t slice_port_cycles(const Slice *slice, uint8_t sectors)
{
    if (!slice->sectored) return slice->context->port_cycles;
    return divide_up((uint64_t)lanes_count(sectors) * SECTOR_BYTES,
                     slice->context->config.l2->port);
}

// A channel has dropped the request of this fetch. The prefetches that wait for it get no data.
__attribute__((noinline, cold)) static void end_dropped(Slice *slice, const Fill *fetch,
                                                         uint64_t cycle)
{
    uint64_t offset = slice->sectored ? 0 : fetch->address % MAX_LINE_BYTES;
    uint32_t *tokens = slice->controller.tokens;
    unsigned count = cache_end_dropped(slice->controller.cache, fetch->address, tokens);
    slice->background -= fetch->background;
    for (unsigned i = 0; i < count; i++) {
        SliceRequest *entry = &slice->requests[tokens[i]];
        entry->dropped = true;
        if (entry->ready < cycle) entry->ready = cycle;
        entry->waiting--;
        if (slice->sectored && entry->waiting) continue;
        answer(slice, tokens[i], offset, false);
    }
}

bool slice_fill(Slice *slice, uint64_t cycle)
{
    Link *fills = &slice->links[LINK_FILLS];
    slice->at[STAGE_FILL] = CYCLE_NEVER;
    if (!fills->count) return false;
    if (slice_replies_full(slice, cycle)) {
        slice->at[STAGE_FILL] = slice_room_cycle(slice);
        return false;
    }
    slice->at[STAGE_FILL] = larger(link_due(fills), slice->fill_free);
    if (slice->at[STAGE_FILL] > cycle) return false;
    Fill next = *(const Fill *)link_head(fills);
    link_pop(fills);
    slice_due(slice, STAGE_RETURN, larger(link_due(&slice->links[LINK_RETURNED]), cycle + 1));
    if (next.dropped) {
        end_dropped(slice, &next, cycle);
        slice->at[STAGE_FILL] = fills->count ? larger(link_due(fills), cycle + 1) : CYCLE_NEVER;
        return true;
    }
    CacheVictim victim; // L2 off: what an atomic has written; else lines are allocated on a miss
    unsigned count = controller_fill(&slice->controller, next.address,
                                     slice->sectored ? next.sectors : 0, cycle, NULL, &victim);
    slice->background -= next.background;
    slice->fill_free = cycle + slice_port_cycles(slice, next.sectors);
    slice->at[STAGE_FILL] = fills->count ? larger(link_due(fills), slice->fill_free) : CYCLE_NEVER;
    if (victim.dirty_sectors) {
        *(Owed *)link_push(&slice->links[LINK_OWED]) = (Owed){.time = {cycle}, .line = victim.line};
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
            uint64_t done = slice_do_atomics(slice, entry->request, offset, cycle);
            if (entry->ready < done) entry->ready = done;
        }
        if (slice->hooks) slice_tag_fill_reply(slice, entry, offset, cycle);
        answer(slice, at, offset, false);
    }
    if (victim.dirty_sectors) shadow_owe_write(slice, &victim);
    return true;
}
