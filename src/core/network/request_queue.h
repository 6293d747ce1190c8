// A queue of requests that wait for the injection port.
#ifndef HEDDLE_CORE_NETWORK_REQUEST_QUEUE_H
#define HEDDLE_CORE_NETWORK_REQUEST_QUEUE_H

#include "base/tables.h"
#include "memory/packets.h"

// Totals over all queues of a port.
typedef struct QueuedRequests {
    uint32_t count;
    bool news; // a request was added since the port last tried to send one
    uint64_t due; // the port does nothing before this cycle, without news of the memory side; 0:
                  // not known
} QueuedRequests;

typedef struct RequestQueue {
    MemRequest *items; // ring
    uint32_t head, count, capacity;
    QueuedRequests *queued; // of its port
    uint64_t waiting; // for a credit: 1 and up, in the order in which queues began; 0: not
} RequestQueue;

// Makes room for `capacity` requests; the queue is empty. false: out of memory.
bool queue_init(RequestQueue *queue, uint32_t capacity, HdTables *tables);

static inline uint32_t queue_room(const RequestQueue *queue)
{
    return queue->capacity - queue->count;
}

// The caller has checked that there is room.
static inline void queue_push(RequestQueue *queue, const MemRequest *request)
{
    queue->items[(queue->head + queue->count++) % queue->capacity] = *request;
    queue->queued->count++;
    queue->queued->news = true;
    queue->queued->due = 0;
}

static inline void queue_pop(RequestQueue *queue)
{
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    queue->queued->count--;
}

#endif
