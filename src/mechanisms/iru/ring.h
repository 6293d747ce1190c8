// The ring interconnection: elements on their way to the slice of their set, and data processing,
// which inserts those that have come.
//
// If all buffers of a direction were full, and all their heads had to go on, none could move. So a
// slice puts a new element on the ring only if the head of its own buffer is for its table, now or
// until this cycle, or if its buffer is empty. The latter has a free place afterwards, but for
// buffers of one place: an empty one can be filled in the same cycle, so only the slice whose turn
// it is may. So one buffer always has a free place, or a head that waits for the table alone.
//
// With `head=aside` a head that waits for the table moves to the FIFO of its bank, if that has
// room. The rule holds as it is: such a head leaves earlier, and one that still waits does so for a
// FIFO that waits for the table alone. What a bank's FIFO holds never goes on to another slice, so
// a ring buffer never waits for another one through a FIFO. The classifier may wait longer for a
// FIFO; nothing on the ring waits for the classifier.
#ifndef HEDDLE_MECHANISMS_IRU_RING_H
#define HEDDLE_MECHANISMS_IRU_RING_H

#include "table.h"

// The classifier's FIFO for an index of this slice or of another one (0 to IRU_FIFOS - 1).
unsigned iru_fifo_of(const HdPlace *place, const IruHash *hash, uint32_t index);

// Whether a new entry may enter a channel round the ring, of buffers with `places` places. empty:
// the own buffer of the channel had no entry in this cycle; else its head was for this slice.
bool iru_may_enter(const HdPlace *place, unsigned channel, unsigned places, bool empty,
                   IruCycle *c);

// Inserts one element into each bank, and sends one in each direction.
void iru_ring_cycle(HdPlace *place, IruCycle *c);
// Whether no element has come that is still in a ring buffer.
bool iru_ring_empty(const HdPlace *place);

#endif
