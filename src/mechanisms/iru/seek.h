// Balancing (segura2022iru, section 3.2.2): a request whose slice has no full entry goes to a slice
// that has one, with `balance=ready`.
//
// A slice with a full entry, and without requests that wait for elements, announces it to the slice
// before. That slice sends its oldest request, or, if none waits there either, announces the entry
// to the slice before it; so the nearest request gets it. An announcement passes fewer links than
// there are slices. It is good for one request: the sender forgets it, and the receiver announces
// again after the request has left it. Another request may take the entry before. Then the request
// waits where it is, as one of that slice, until it is late or a slice announces another entry.
//
// Requests that seek have a channel of their own, forward, so they stop neither late requests nor
// elements. None stays in it:
// - The head of a slice's buffer gets elements before the slice's own oldest request, and by the
//   same rules: from a full entry; at its timeout, which counts on; after the end of the data.
// - A late head that the slice cannot fill becomes a guest, as an own request does (travel.h). It
//   waits for a place for guests, and no guest waits for a request that seeks.
// Announcements are taken in the cycle in which they come, so their buffers have room again. A late
// request does not seek any more, so none goes round without end. A slice is called for a request
// that comes, an announcement, and a timeout: requests that wait cost no cycles.
#ifndef HEDDLE_MECHANISMS_IRU_SEEK_H
#define HEDDLE_MECHANISMS_IRU_SEEK_H

#include "iru.h"

// iru_seek_receive takes an announcement of the next slice. iru_seek_send sends one request that
// this slice has no entry for, and announces a full entry that it has no request for.
void iru_seek_receive(HdPlace *place, IruCycle *c);
void iru_seek_send(HdPlace *place, IruCycle *c);

// The oldest request that seeks and is here; NULL: none. It is valid until iru_seeker_leave.
const IruPending *iru_seeker(const HdPlace *place);
void iru_seeker_leave(HdPlace *place);

#endif
