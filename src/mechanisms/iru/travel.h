// Requests that travel with elements from slice to slice until they are filled: a channel of their
// own, forward, which elements of the table and requests that seek (seek.h) cannot block.
//
// A request travels as a guest of the next slice, which has one place for it. A slice sends only
// after a note that this place is free, so a sent request never waits on the way, and there are
// never more guests than slices. If a place is free, the nearest guest before it can move. If all
// places are taken, each guest takes the elements that its slice's table gets, so no entry stays
// full: one guest is filled, or the data end. With one slice nothing is sent: its guest stays.
#ifndef HEDDLE_MECHANISMS_IRU_TRAVEL_H
#define HEDDLE_MECHANISMS_IRU_TRAVEL_H

#include "iru.h"

// iru_travel_receive takes one element of the arriving guest, and the note that the next slice's
// guest has left. iru_travel_send sends one element of the leaving request, and such a note.
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
