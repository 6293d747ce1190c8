// First-in first-out queues of a slice that are circular in a structure of their own.
#ifndef HEDDLE_MECHANISMS_IRU_QUEUE_H
#define HEDDLE_MECHANISMS_IRU_QUEUE_H

#include "iru.h"

// The places of a queue (IRU_FIFO_..., IRU_REQUEST_QUEUE).
static inline unsigned iru_queue_places(const HdPlace *place, unsigned queue)
{
    return iru_parameter(place, queue == IRU_REQUEST_QUEUE ? IRU_REQUESTS : IRU_CLASSIFIER);
}
static inline bool iru_queue_full(const HdPlace *place, unsigned queue)
{
    return iru_queue(place, queue)->count == iru_queue_places(place, queue);
}
// The place of entry `number`, from the oldest, 0, on; of entry `count` the next free place.
static inline unsigned iru_queue_at(const HdPlace *place, unsigned queue, unsigned number)
{
    return (iru_queue(place, queue)->first + number) % iru_queue_places(place, queue);
}
static inline void iru_queue_pop(const HdPlace *place, unsigned queue)
{
    iru_queue(place, queue)->first = iru_queue_at(place, queue, 1) & 0xfff;
    iru_queue(place, queue)->count--;
}

// The element at the head of a classifier's FIFO; NULL: it is empty.
static inline const IruElement *iru_fifo_head(const HdPlace *place, unsigned fifo)
{
    const IruElement *elements = place->structures[IRU_OWN_0 + fifo];
    return iru_queue(place, fifo)->count ? &elements[iru_queue_at(place, fifo, 0)] : NULL;
}
static inline void iru_fifo_push(const HdPlace *place, unsigned fifo, IruElement element)
{
    IruElement *elements = place->structures[IRU_OWN_0 + fifo];
    elements[iru_queue_at(place, fifo, iru_queue(place, fifo)->count++)] = element;
}

#endif
