// The free packets of an SM. A packet is made when none is free, so there are as many as are ever
// in use at once.
#ifndef HEDDLE_MEMORY_PACKET_POOL_H
#define HEDDLE_MEMORY_PACKET_POOL_H

#include "base/tables.h"
#include "memory/packets.h"

typedef struct PacketPool {
    Packet *free;
    size_t used; // not free
    HdTables *tables; // where they lie
    bool failed;  // the host was out of memory; the SM must end before its requests are taken
    Packet spare; // taken then
} PacketPool;

// Makes more packets. false: out of memory.
bool packet_pool_grow(PacketPool *pool);

// A packet for a request.
static inline Packet *packet_take(PacketPool *pool)
{
    if (!pool->free && !packet_pool_grow(pool)) {
        pool->failed = true;
        return &pool->spare;
    }
    Packet *packet = pool->free;
    pool->free = packet->next_free;
    pool->used++;
    packet->packets = 0;
    return packet;
}

// The packet is back at its SM, with nothing left to read.
static inline void packet_give_back(PacketPool *pool, Packet *packet)
{
    packet->next_free = pool->free;
    pool->free = packet;
    pool->used--;
}

#endif
