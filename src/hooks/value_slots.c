// The bytes that fetches of an L1D bring.
#include "hooks/value_slots.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 }; // slots

uint8_t *value_slots_bytes(const ValueSlots *slots, uint16_t slot)
{
    return slots->chunks[(slot - 1) / CHUNK][(slot - 1) % CHUNK];
}

void value_slots_free(ValueSlots *slots)
{
    for (size_t i = 0; i < slots->count; i++) free(slots->chunks[i]);
    free(slots->chunks);
}

static bool add_chunk(ValueSlots *slots)
{
    if ((slots->count + 1) * CHUNK > UINT16_MAX) return false;
    uint8_t (*chunk)[VALUE_LINE] = hd_new(CHUNK, sizeof *chunk);
    if (!chunk || !HD_PUSH(slots->chunks, slots->count, slots->capacity, chunk)) {
        free(chunk);
        return false;
    }
    for (size_t i = 1; i <= CHUNK; i++)
        value_slots_give_back(slots, (uint16_t)(slots->count * CHUNK + 1 - i));
    return true;
}

uint16_t value_slots_take(ValueSlots *slots)
{
    if (!slots->free && !add_chunk(slots)) return 0;
    uint16_t slot = slots->free;
    memcpy(&slots->free, value_slots_bytes(slots, slot), sizeof slots->free);
    return slot;
}

void value_slots_give_back(ValueSlots *slots, uint16_t slot)
{
    memcpy(value_slots_bytes(slots, slot), &slots->free, sizeof slots->free);
    slots->free = slot;
}

void value_sectors_copy(uint8_t *to, const uint8_t *from, uint8_t sectors)
{
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) {
        unsigned at = lanes_first(sectors) * VALUE_SECTOR;
        memcpy(to + at, from + at, VALUE_SECTOR);
    }
}

void line_values_bring(LineValues *line, const uint8_t *bytes, uint8_t sectors)
{
    line->sectors |= sectors;
    value_sectors_copy(line->bytes, bytes, sectors);
}
