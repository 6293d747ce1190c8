// A queue of requests that wait for a port to the next level.
#ifndef HEDDLE_MEMORY_REQUEST_QUEUE_H
#define HEDDLE_MEMORY_REQUEST_QUEUE_H

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

// Adds a request, which the caller writes. The caller has checked that there is room.
static inline MemRequest *queue_add(RequestQueue *queue)
{
    uint32_t at = queue->head + queue->count++;
    queue->queued->count++;
    queue->queued->news = true;
    queue->queued->due = 0;
    return &queue->items[at < queue->capacity ? at : at - queue->capacity];
}
static inline void queue_push(RequestQueue *queue, const MemRequest *request)
{
    *queue_add(queue) = *request;
}

static inline void queue_pop(RequestQueue *queue)
{
    if (++queue->head == queue->capacity) queue->head = 0;
    queue->count--;
    queue->queued->count--;
}

#endif
