// A queue of requests that wait for a port to the next level.
#ifndef HEDDLE_MEMORY_REQUEST_QUEUE_H
#define HEDDLE_MEMORY_REQUEST_QUEUE_H

#include "memory/packet_pool.h"

// What all queues of a port share.
typedef struct QueuedRequests {
    PacketPool *pool; // of the packets of their requests
    uint32_t count;
    uint32_t filled; // a bit for each queue with requests
    bool news; // a request was added since the port last tried to send one
    uint64_t due; // the port does nothing before this cycle, without news of the memory side; 0:
                  // not known
} QueuedRequests;

typedef struct RequestQueue {
    Packet **items; // ring
    uint32_t head, count, capacity;
    QueuedRequests *queued; // of its port
    uint32_t bit;           // its own in QueuedRequests.filled
    uint64_t waiting; // for a credit: 1 and up, in the order in which queues began; 0: not
} RequestQueue;

// Makes room for `capacity` requests; the queue is empty. false: out of memory.
bool queue_init(RequestQueue *queue, uint32_t capacity, HdTables *tables);

static inline uint32_t queue_room(const RequestQueue *queue)
{
    return queue->capacity - queue->count;
}

// The place of request i of the queue, counted from its head.
static inline Packet **queue_place(const RequestQueue *queue, uint32_t i)
{
    uint32_t at = queue->head + i;
    return &queue->items[at < queue->capacity ? at : at - queue->capacity];
}
static inline Packet *queue_at(const RequestQueue *queue, uint32_t i)
{
    return *queue_place(queue, i);
}

// Adds a request, which the caller writes. The caller has checked that there is room.
static inline MemRequest *queue_add(RequestQueue *queue)
{
    Packet *packet = packet_take(queue->queued->pool);
    *queue_place(queue, queue->count++) = packet;
    queue->queued->count++;
    queue->queued->filled |= queue->bit;
    queue->queued->news = true;
    queue->queued->due = 0;
    return &packet->request;
}
static inline void queue_push(RequestQueue *queue, const MemRequest *request)
{
    *queue_add(queue) = *request;
}

// Removes the requests behind the head, which may wait for a credit, that `leaves` says. Returns
// their number.
unsigned queue_remove(RequestQueue *queue, bool (*leaves)(void *context, const MemRequest *request),
                      void *context);

static inline void queue_pop(RequestQueue *queue)
{
    if (++queue->head == queue->capacity) queue->head = 0;
    if (!--queue->count) queue->queued->filled &= ~queue->bit;
    queue->queued->count--;
}

#endif
