// The prefetcher: reads the lines of the index array that this slice owns, and their secondaries.
#ifndef HEDDLE_MECHANISMS_IRU_PREFETCHER_H
#define HEDDLE_MECHANISMS_IRU_PREFETCHER_H

#include "iru.h"

// Tags of reads: the line buffer, and what of it is read.
enum { IRU_PART_INDICES, IRU_PART_FIRST, IRU_PART_SECOND, IRU_PART_FOREIGN, IRU_PARTS = 3,
       IRU_TAG_BITS = 8 };

// Line buffers: lines are on the fly in them, or wait to be classified.
unsigned iru_line_buffers(const HdPlace *place);

// Before the first cycle of a launch.
void iru_prefetcher_begin(HdPlace *place);
void iru_prefetcher_cycle(HdPlace *place, IruCycle *c);
void iru_on_data(HdPlace *place, const HdEngineData *data);

// The line of this number, from the oldest, 0, on, if all its words have come, and its elements;
// NULL: there is none.
IruLineState *iru_line(const HdPlace *place, unsigned number);
IruElement iru_line_element(const HdPlace *place, unsigned number, unsigned lane);
const IruPair *iru_line_pairs(const HdPlace *place, unsigned number); // by lane
// Frees the oldest line.
void iru_free_line(HdPlace *place);
// Whether all lines of this slice have been read and classified.
bool iru_prefetcher_done(const HdPlace *place);

// The first line that this slice owns, from a position on, with which a line begins: its first
// position and how many elements it has. false: there is none.
bool iru_next_line(const HdPlace *place, uint64_t from, IruLineState *line);
// Reads `count` words of a line of this slice, from `address` on. false: there is no free read.
bool iru_read(HdPlace *place, uint64_t address, unsigned count, unsigned tag);
// In a launch that was cut: takes the next position that has not been classified. false: none.
bool iru_take_position(HdPlace *place, uint32_t *position);
// The launch fails if an index does not fit its 24 bits.
void iru_check_index(HdPlace *place, uint32_t index, uint32_t position);
// A secondary for a lane of a line buffer has come.
void iru_put_secondary(const HdPlace *place, unsigned line, unsigned lane, uint32_t word);

#endif
