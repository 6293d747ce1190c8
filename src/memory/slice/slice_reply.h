// A slice's replies, for its lookups and its fills. Part of the inside of a slice, as
// slice_internal.h is.
#ifndef HEDDLE_MEMORY_SLICE_SLICE_REPLY_H
#define HEDDLE_MEMORY_SLICE_SLICE_REPLY_H

#include "base/bits.h"
#include "memory/slice/slice_internal.h"

// Data bytes in the one packet that answers a whole request.
static inline uint16_t reply_bytes(const MemRequest *request)
{
    if (request->kind == MEM_ATOMIC && request->atomic) {
        unsigned each = ptx_type_bytes(request->atomic->type) > 4 ? 8 : 4;
        return (uint16_t)round_up(lanes_count(request->atomic->lanes) * each, SECTOR_BYTES);
    }
    return (uint16_t)(__builtin_popcount(request->sectors) * SECTOR_BYTES);
}

// Reads these sectors of a load's line for mechanisms at its L1D.
static inline void read_values(Slice *slice, SliceRequest *entry, uint8_t sectors)
{
    const MemRequest *request = entry->request;
    value_sectors_copy(request->values, guest_host(slice->context->guest, request->line), sectors);
    shadow_slice_values(slice, entry, sectors);
}

static inline void free_request(Slice *slice, uint32_t at)
{
    slice->requests[at].next = slice->free_request;
    slice->free_request = at;
}

// Queues a packet of the reply, which has `sectors` (0: no data) and is ready in that cycle.
ALWAYS_INLINE void add_packet(Slice *slice, Packet *packet, uint8_t sectors, uint64_t ready,
                              uint8_t sideband, bool last)
{
    const MemRequest *request = &packet->request;
    bool by_sector = slice->context->config.slice->reply == REPLY_SECTORS;
    bool carries = !mem_kind_writes(request->kind) && request->kind != MEM_REDUCE;
    uint16_t bytes = 0;
    if (carries && sectors)
        bytes = by_sector ? (uint16_t)(SECTOR_BYTES * lanes_count(sectors)) : reply_bytes(request);
    Transit *transit = &packet->back[packet->packets++];
    transit->time = slice_tick(slice, ready);
    transit->from = (uint16_t)slice->number;
    transit->bytes = bytes;
    transit->sideband_bytes = sideband;
    transit->last = last;
    slice_add_packet(slice, transit);
}

// What the reply says, after its last packet was added.
ALWAYS_INLINE void write_reply(Packet *packet, MemLevel level, uint32_t tags, uint32_t version,
                               const ShadowData *shadow)
{
    const MemRequest *request = &packet->request;
    packet->reply = (MemReply){.line = request->line,
                               .token = request->token,
                               .kind = request->kind,
                               .sectors = request->sectors,
                               .level = (uint8_t)level,
                               .direct = request->direct,
                               .value_slot = request->value_slot,
                               .sideband_tags = tags,
                               .version = version,
                               .shadow = *shadow};
}

// Queues the reply to the lookup at `offset` of the line, if one is due now, and frees the request
// after its last lookup. The waiting count is up to date. Packets of a request become ready in the
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
    if (by_sector) sectors &= (uint8_t)(context->lookup_mask << offset / SECTOR_BYTES);
    if (!usual && entry->dropped) sectors = 0;
    if (request->value_slot && sectors) read_values(slice, entry, sectors);
    bool noted = !usual && slice->hooks && slice_wants_reply_tag(request) && !entry->dropped;
    add_packet(slice, entry->packet, sectors, entry->ready, noted ? context->extra : 0, last);
    if (!last) return;
    write_reply(entry->packet, entry->level, entry->sideband_tags, entry->version, &entry->shadow);
    if (!usual) entry->packet->reply.dropped = entry->dropped;
    free_request(slice, at);
}

#endif
