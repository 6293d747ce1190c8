// The SM's port to the network. Requests wait in queues of the caches and leave through the
// injection port; replies come in through the ejection port.
//
// The port owns the SM's packets, the replies that arrive, the credits for the slices' input
// buffers, and the time at which either port is free. The queues belong to the caches; the port
// takes the first request that has a credit, in the order in which the queues were added. Of heads
// that wait for the same slice's credit, the one that has waited longest is served first.
#ifndef HEDDLE_CORE_NETWORK_PORT_H
#define HEDDLE_CORE_NETWORK_PORT_H

#include "core/sm_context.h"
#include "memory/network/arrivals.h"
#include "memory/request_queue.h"

enum { PORT_QUEUES = 7 };

// A credit that may be used from a tick on.
typedef struct LaterCredit {
    Tick time;
    uint16_t slice;
} LaterCredit;

typedef struct NetworkPort {
    SliceMap map;
    SmNews *news;      // from the memory side
    Arrivals arrivals; // packets of replies
    uint32_t *credits; // by slice
    LaterCredit *later; // credits that are not among `credits` yet
    size_t later_count, later_capacity;
    RequestQueue *queues[PORT_QUEUES];
    unsigned queue_count;
    PacketPool pool;
    QueuedRequests queued;
    uint64_t stalls;         // for lack of a credit, so far
    unsigned waiting_queues; // whose heads wait for a credit
    LinkFlits links;      // over both ports, in this launch
    uint64_t inject_free; // network cycle from which the injection port is free
    uint64_t eject_free;  // network cycle from which the ejection port is free
    uint64_t eject_head;  // core cycle at which the first packet has passed; 0: not known yet
    uint64_t reply_from;  // the same or, if it is not known, that at which the first packet
                          // arrives; 0: it is not known, either
    bool blocked;         // no head of a queue has a credit and room in front of the crossbar
    uint64_t blocked_since;
} NetworkPort;

// The port of SM `sm`. false: out of memory.
bool port_init(NetworkPort *port, SliceMap map, unsigned sm, uint32_t credits, HdTables *tables);
void port_free(NetworkPort *port);
// Adds a queue whose requests leave through the port, with lower priority than queues added before.
// The port frees its items.
void port_add_queue(NetworkPort *port, RequestQueue *queue);

static inline void port_note_arrival(NetworkPort *port, const SmContext *context)
{
    const Transit *first = arrivals_first(&port->arrivals);
    port->reply_from = clock_cycle(context->clocks, CLOCK_CORE, first->time);
}
// Whether a reply may be complete in this cycle.
static inline bool port_has_reply(NetworkPort *port, const SmContext *context)
{
    if (!port->arrivals.count) return false;
    if (!port->reply_from) port_note_arrival(port, context);
    return port->reply_from <= context->now;
}
// Returns the next packet whose reply is complete in this cycle; NULL: none. The caller has asked
// port_has_reply, and gives the packet back with port_release.
Packet *port_receive(NetworkPort *port, const SmContext *context);
static inline void port_release(NetworkPort *port, Packet *packet)
{
    packet_give_back(&port->pool, packet);
}

// Takes what the memory side has sent.
void port_take_news(NetworkPort *port, SmContext *context);
static inline void port_look(NetworkPort *port, SmContext *context)
{
    if (port->news->any) port_take_news(port, context);
}
// Whether the memory side has not taken all requests.
bool port_has_sent(const NetworkPort *port, unsigned sm);

// Sends the first request that can leave. Returns whether one has left, which makes room in its
// queue.
bool port_send_queued(NetworkPort *port, SmContext *context);
static inline bool port_send(NetworkPort *port, SmContext *context)
{
    port->queued.news = false;
    return port->queued.count && port_send_queued(port, context);
}

// When the injection port could take a request, of which there is one: at once, when its buffer
// drains, or with the next credit.
uint64_t port_send_next(const NetworkPort *port, const SmContext *context);

// Notes the next cycle in which the port can act without a message from outside.
static inline void port_note_due(NetworkPort *port, const SmContext *context)
{
    uint64_t next = port->queued.count ? port_send_next(port, context) : UINT64_MAX;
    if (port->arrivals.count) {
        if (!port->reply_from) port_note_arrival(port, context);
        if (port->reply_from < next) next = port->reply_from;
    }
    port->queued.due = next > context->now ? next : context->now + 1;
    port->news->waits_for_credit = port->queued.count && port->blocked;
}

#endif
