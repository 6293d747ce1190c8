// Queues of requests: their room.
#include "memory/request_queue.h"

bool queue_init(RequestQueue *queue, uint32_t capacity, HdTables *tables)
{
    if (queue->capacity >= capacity) return true;
    queue->items = hd_tables_new(tables, capacity, sizeof *queue->items);
    queue->capacity = queue->items ? capacity : 0;
    return queue->items;
}
