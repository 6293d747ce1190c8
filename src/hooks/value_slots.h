// The bytes that fetches of an L1D bring, for mechanisms that read values
// (HdMechanism.reads_values).
//
// A fetch has a slot from its miss to its fill. The slice writes the bytes into it when it makes
// the reply; the SM reads them when the reply has come. From then on they belong to the line. The
// modelled hardware moves the same bytes anyway.
#ifndef HEDDLE_HOOKS_VALUE_SLOTS_H
#define HEDDLE_HOOKS_VALUE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

// Bytes of the largest line of an L1D, and of a sector of it.
enum { VALUE_LINE = 128, VALUE_SECTOR = 32 };

typedef struct ValueSlots {
    uint8_t (**chunks)[VALUE_LINE]; // slots keep their place; there is one for each fetch that has
                                    // been on its way at the same time
    size_t count, capacity;         // of chunks
    uint16_t free;                  // the first free slot, which names the next; 0: none
} ValueSlots;

void value_slots_free(ValueSlots *slots);

// Takes a slot, whose number is not 0. 0: out of memory.
uint16_t value_slots_take(ValueSlots *slots);
void value_slots_give_back(ValueSlots *slots, uint16_t slot);
// The bytes of a slot: of the 128-byte line that the fetch is to.
uint8_t *value_slots_bytes(const ValueSlots *slots, uint16_t slot);

// The bytes of a line of the cache.
typedef struct LineValues {
    uint8_t bytes[VALUE_LINE];
    uint8_t sectors; // of 32 bytes, which a fill has brought and which are still there
} LineValues;

// Copies these sectors of a line; bit 0: the first.
void value_sectors_copy(uint8_t *to, const uint8_t *from, uint8_t sectors);
// The same into a line of the cache. bytes: those of the line.
void line_values_bring(LineValues *line, const uint8_t *bytes, uint8_t sectors);

#endif
