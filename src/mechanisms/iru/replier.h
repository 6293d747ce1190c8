// The data replier: the requests of warps that wait at this slice, and the replies.
#ifndef HEDDLE_MECHANISMS_IRU_REPLIER_H
#define HEDDLE_MECHANISMS_IRU_REPLIER_H

#include "iru.h"

// HdEngineHooks.take_request: false if the request buffer is full.
bool iru_take_request(HdPlace *place, const HdEngineRequest *request);

// Takes elements for the guest of the ring or for the oldest request, and answers one request.
void iru_replier_cycle(HdPlace *place, IruCycle *c);

// Puts an element into a lane of a reply.
void iru_reply_add(HdEngineReply *reply, unsigned lane, unsigned instruction,
                   const IruElement *element);

#endif
