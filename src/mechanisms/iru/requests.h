// The requests that wait for elements at a slice: its own, and those that have come to seek a full
// entry (seek.h). Of each kind the oldest one can get elements.
#ifndef HEDDLE_MECHANISMS_IRU_REQUESTS_H
#define HEDDLE_MECHANISMS_IRU_REQUESTS_H

#include "iru.h"

typedef enum IruOrigin { IRU_SEEKING, IRU_OWN, IRU_ORIGINS } IruOrigin;

// HdEngineHooks.take_request: false if the request buffer is full.
bool iru_take_request(HdPlace *place, const HdEngineRequest *request);

// The oldest request of this kind. false: there is none.
bool iru_oldest(const HdPlace *place, IruOrigin origin, IruPending *request, const IruCycle *c);
// The oldest request of this kind is gone.
void iru_pop_oldest(HdPlace *place, IruOrigin origin, const IruCycle *c);
// Whether a request waits here, of either kind.
bool iru_requests_wait(const HdPlace *place);

// Whether the request has waited for the timeout. If not, *c knows when it will have.
bool iru_is_late(const HdPlace *place, const IruPending *request, IruCycle *c);

#endif
