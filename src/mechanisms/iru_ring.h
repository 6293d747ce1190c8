// The ring interconnection: elements on their way to the slice of their set, and data processing,
// which inserts those that have come.
//
// Each direction has two buffers at each slice. An element is in the first one until it passes from
// the last slice to slice 0 or back, and in the second one from there on. It takes the shorter way,
// so it passes there once at most: no buffer waits for itself, and elements cannot block each
// other in a circle.
#ifndef HEDDLE_MECHANISMS_IRU_RING_H
#define HEDDLE_MECHANISMS_IRU_RING_H

#include "iru.h"

// The classifier's FIFO for an element of this slice or of another one (0 to IRU_FIFOS - 1).
unsigned iru_fifo_of(const HdPlace *place, const IruElement *element);

// Inserts one element into each bank, and sends one in each direction.
void iru_ring_cycle(HdPlace *place, IruCycle *c);
// Whether no element has come that is still in a ring buffer.
bool iru_ring_empty(const HdPlace *place);

#endif
