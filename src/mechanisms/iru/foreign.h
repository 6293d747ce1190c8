// Secondaries of which another slice owns the line: the prefetcher asks the owner, which reads the
// line and sends the words.
//
// Asks and words each have a channel of their own, forward. As on the ring of elements, a slice
// puts in a new entry only if its own buffer of the channel is empty or it has taken the head in
// this cycle. So one place of the channel is always free, and what is on the way moves on. A word
// always finds its place in a line buffer. An ask waits for the owner's last one, which ends with
// its words.
#ifndef HEDDLE_MECHANISMS_IRU_FOREIGN_H
#define HEDDLE_MECHANISMS_IRU_FOREIGN_H

#include "iru.h"

// Receives asks and words, and serves an ask. *may_ask: whether this slice may send an ask now.
void iru_foreign_cycle(HdPlace *place, bool *may_ask, IruCycle *c);
// The words that the owner reads have come.
void iru_foreign_on_data(HdPlace *place, const HdEngineData *data);

#endif
