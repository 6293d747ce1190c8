// Requests that go on from slice to slice until they are filled: a channel of their own, forward,
// which elements of the table cannot block.
//
// A request goes on as a guest of the next slice, which has one place for it. A slice sends only
// when it knows that this place is free, so what it sends never waits on the way, and there are
// never more guests than slices. All places may be taken: a guest leaves the table of its slice
// empty until it is filled, so one of them is filled, or the data end. With one slice nothing is
// sent: its guest stays.
#ifndef HEDDLE_MECHANISMS_IRU_TRAVEL_H
#define HEDDLE_MECHANISMS_IRU_TRAVEL_H

#include "iru.h"

// Receives of a guest, and sends of what leaves, one element each; and the notes that a guest has
// left.
void iru_travel_receive(HdPlace *place, IruCycle *c);
void iru_travel_send(HdPlace *place, IruCycle *c);

// Whether a guest is here with all its elements.
bool iru_guest_complete(const HdPlace *place);
// The guest is gone: the slice before may send another one.
void iru_guest_leave(HdPlace *place);

// Whether a request may go to the next slice now.
bool iru_may_leave(const HdPlace *place);
// Begins to send the group to the next slice.
void iru_leave(HdPlace *place, const IruGroup *group, IruCycle *c);

#endif
