// Queues of requests: their room, and requests that leave them out of order.
#include "memory/request_queue.h"

bool queue_init(RequestQueue *queue, uint32_t capacity, HdTables *tables)
{
    if (queue->capacity >= capacity) return true;
    queue->items = hd_tables_new(tables, capacity, sizeof *queue->items);
    queue->capacity = queue->items ? capacity : 0;
    return queue->items;
}

unsigned queue_remove(RequestQueue *queue, bool (*leaves)(void *context, const MemRequest *request),
                      void *context)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < queue->count; i++) {
        Packet *packet = queue_at(queue, i);
        if (leaves(context, &packet->request)) {
            packet_give_back(queue->queued->pool, packet);
            continue;
        }
        *queue_place(queue, kept++) = packet;
    }
    uint32_t removed = queue->count ? queue->count - kept : 0;
    queue->count -= removed;
    queue->queued->count -= removed;
    return removed;
}
