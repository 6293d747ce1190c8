// The packets of an SM: where they come from.
#include "memory/packet_pool.h"

enum { PACKETS = 64 }; // made at once

bool packet_pool_grow(PacketPool *pool)
{
    Packet *packets = hd_tables_new(pool->tables, PACKETS, sizeof *packets);
    if (!packets) return false;
    for (unsigned i = 0; i < PACKETS; i++) {
        Packet *packet = &packets[i];
        packet->there.packet = packet;
        for (unsigned k = 0; k < REPLY_PACKETS; k++) packet->back[k].packet = packet;
        packet->next_free = i + 1 < PACKETS ? packet + 1 : NULL;
    }
    pool->free = packets;
    return true;
}
