// The data replier: which elements the requests at this slice get, and the replies.
#ifndef HEDDLE_MECHANISMS_IRU_REPLIER_H
#define HEDDLE_MECHANISMS_IRU_REPLIER_H

#include "iru.h"

// Takes elements for the guest of the ring and for the oldest requests, and answers one request.
void iru_replier_cycle(HdPlace *place, IruCycle *c);

// Puts an element into a lane of a reply.
void iru_reply_add(HdEngineReply *reply, unsigned lane, unsigned instruction,
                   const IruElement *element);

#endif
