// A queue of requests that wait for the injection port.
#ifndef HEDDLE_CORE_NETWORK_REQUEST_QUEUE_H
#define HEDDLE_CORE_NETWORK_REQUEST_QUEUE_H

#include "core/network/packet_pool.h"

// What all queues of a port share.
typedef struct QueuedRequests {
    PacketPool pool; // of the packets of their requests
    uint32_t count;
    bool news; // a request was added since the port last tried to send one
    uint64_t due; // the port does nothing before this cycle, without news of the memory side; 0:
                  // not known
} QueuedRequests;

typedef struct RequestQueue {
    Packet **items; // ring
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
    Packet *packet = packet_take(&queue->queued->pool);
    packet->request = *request;
    uint32_t at = queue->head + queue->count++;
    queue->items[at < queue->capacity ? at : at - queue->capacity] = packet;
    queue->queued->count++;
    queue->queued->news = true;
    queue->queued->due = 0;
}

static inline void queue_pop(RequestQueue *queue)
{
    if (++queue->head == queue->capacity) queue->head = 0;
    queue->count--;
    queue->queued->count--;
}

#endif
