// The network port: when requests leave, and when replies arrive.
#include "core/network/port.h"

#include "base/memory.h"

#include <stdlib.h>

// ---- life ----

bool port_init(NetworkPort *port, SliceMap map, unsigned sm, uint32_t credits, HdTables *tables)
{
    port->map = map;
    port->news = &map.exchange->news[sm];
    port->pool.tables = tables;
    port->queued.pool = &port->pool;
    arrivals_init(&port->arrivals, map.quantum);
    port->credits = hd_tables_new(tables, map.slices, sizeof *port->credits);
    if (!port->credits) return false;
    for (unsigned s = 0; s < map.slices; s++) port->credits[s] = credits;
    return true;
}

void port_free(NetworkPort *port) { free(port->later); }

void port_add_queue(NetworkPort *port, RequestQueue *queue)
{
    *queue = (RequestQueue){.queued = &port->queued, .bit = UINT32_C(1) << port->queue_count};
    port->queues[port->queue_count++] = queue;
}

// ---- replies ----

// The core cycle at which the first packet that arrives has passed the ejection port.
static uint64_t eject_cycle(NetworkPort *port, const SmContext *context, const Transit *packet)
{
    const IcntConfig *c = context->config.icnt;
    uint64_t arrival = clock_cycle(context->clocks, CLOCK_ICNT, packet->time);
    uint64_t flits = icnt_flits(c, (uint64_t)packet->bytes + packet->sideband_bytes);
    uint64_t done = port->eject_free + flits;
    port->links.to_sm += flits;
    if (done < arrival) done = arrival;
    port->eject_free = done;
    return clock_cycle(context->clocks, CLOCK_CORE, clock_tick(context->clocks, CLOCK_ICNT, done));
}

Packet *port_receive(NetworkPort *port, const SmContext *context)
{
    do {
        Transit *first = arrivals_first(&port->arrivals);
        if (!port->eject_head)
            port->reply_from = port->eject_head = eject_cycle(port, context, first);
        if (port->eject_head > context->now) return NULL;
        port->eject_head = port->reply_from = 0;
        arrivals_remove(&port->arrivals, first);
        if (first->last) return first->packet;
    } while (port_has_reply(port, context));
    return NULL;
}

// ---- credits ----

// Takes the credits that can be used at `now`.
static void take_credits(NetworkPort *port, Tick now)
{
    size_t kept = 0;
    for (size_t i = 0; i < port->later_count; i++) {
        const LaterCredit *credit = &port->later[i];
        if (credit->time <= now)
            port->credits[credit->slice]++;
        else
            port->later[kept++] = *credit;
    }
    port->later_count = kept;
}

// The core cycle from which on a credit for this slice can be used.
static uint64_t credit_next(const NetworkPort *port, const SmContext *context, unsigned slice)
{
    Tick next = TICK_NEVER;
    for (size_t i = 0; i < port->later_count; i++)
        if (port->later[i].slice == slice && port->later[i].time < next)
            next = port->later[i].time;
    return next == TICK_NEVER ? UINT64_MAX : clock_cycle(context->clocks, CLOCK_CORE, next);
}

static bool more_credits(NetworkPort *port) __attribute__((noinline, cold));
static bool more_credits(NetworkPort *port)
{
    return hd_reserve(&port->later, port->later_count, &port->later_capacity,
                      sizeof *port->later);
}

void port_take_news(NetworkPort *port, SmContext *context)
{
    port->news->any = false;
    port->queued.due = 0;
    port->reply_from = port->eject_head;
    take_credits(port, clock_tick(context->clocks, CLOCK_CORE, context->now));
    Transit *transit, *next;
    post_fetch(&port->map.exchange->replies, context->id);
    while ((transit = post_take(&port->map.exchange->replies, context->id)))
        for (; transit; transit = next) {
            next = transit->next;
            Packet *packet = transit->packet;
            if (transit != &packet->there) {
                arrivals_add(&port->arrivals, transit);
                continue;
            }
            if (port->later_count == port->later_capacity && !more_credits(port)) {
                sm_out_of_memory(context, "taking credits");
                return;
            }
            port->later[port->later_count++] = (LaterCredit){transit->time, transit->from};
            if (packet_without_reply(packet)) port_release(port, packet);
        }
}

// ---- requests ----

// Whether the queue in front of a crossbar is limited.
static bool queue_is_limited(const SmContext *context)
{
    const IcntConfig *c = context->config.icnt;
    return c->arbiter == ARBITER_INPUT_QUEUED && c->input_buffer;
}

// What waits in front of the crossbar at a network cycle, in 1/65536 flits.
static uint64_t queue_level(const QueueLevel *queue, uint64_t cycle)
{
    uint64_t left = cycle > queue->cycle ? (cycle - queue->cycle) * queue->drain : 0;
    return queue->flits > left ? queue->flits - left : 0;
}

// The network cycle in which this queue's head fits into what waits in front of the crossbar; 0: it
// fits.
static uint64_t queue_fits(const QueueLevel *queue, const SmContext *context, uint64_t flits)
{
    const IcntConfig *c = context->config.icnt;
    uint64_t most = flits < c->input_buffer ? (c->input_buffer - flits) * QUEUE_FLIT : 0;
    return queue->flits > most ? queue->cycle + divide_up(queue->flits - most, queue->drain) : 0;
}

static uint64_t request_flits(const SmContext *context, const MemRequest *request)
{
    return icnt_flits(context->config.icnt, (uint64_t)request->bytes + request->sideband_bytes);
}

static unsigned slice_of_head(const NetworkPort *port, const RequestQueue *queue)
{
    MemRequest *head = &queue->items[queue->head]->request;
    if (!head->owner) port->map.place(port->map.memory_side, head);
    return head->owner - 1u;
}

// Whether another queue has waited longer for a credit of this slice. Without this turn, warps that
// poll through one queue could keep the store that they wait for in another queue for ever.
__attribute__((noinline))
static bool is_turn(const NetworkPort *port, const RequestQueue *queue, unsigned slice)
{
    for (unsigned i = 0; i < port->queue_count; i++) {
        const RequestQueue *other = port->queues[i];
        if (other->waiting && (!queue->waiting || other->waiting < queue->waiting) &&
            slice_of_head(port, other) == slice)
            return false;
    }
    return true;
}

// Whether there is a credit for the slice after those that have come are taken. If not, the queue
// waits for one.
__attribute__((noinline))
static bool credit_has_come(NetworkPort *port, const SmContext *context, RequestQueue *queue,
                            unsigned slice)
{
    take_credits(port, clock_tick(context->clocks, CLOCK_CORE, context->now));
    if (port->credits[slice]) return true;
    if (!queue->waiting) {
        queue->waiting = ++port->stalls;
        port->waiting_queues++;
    }
    return false;
}

// A packet has entered the queue in front of the crossbar.
__attribute__((noinline))
static void raise_level(QueueLevel *level, uint64_t icnt_now, uint64_t flits)
{
    uint64_t drain = level->drain ? level->drain : QUEUE_FLIT;
    *level = (QueueLevel){queue_level(level, icnt_now) + flits * QUEUE_FLIT, icnt_now, drain,
                          level->known};
}

// Sends the head of the queue if its slice's buffer has room for it.
static bool send_head(NetworkPort *port, SmContext *context, RequestQueue *queue, uint64_t icnt_now)
{
    Packet *packet = queue->items[queue->head];
    MemRequest *request = &packet->request;
    unsigned slice = slice_of_head(port, queue);
    if (!port->credits[slice] && !credit_has_come(port, context, queue, slice)) return false;
    uint64_t flits = request_flits(context, request);
    QueueLevel *level = queue_is_limited(context) ? &port->news->queue : NULL;
    if (level && queue_fits(level, context, flits) > icnt_now) return false;
    if (port->waiting_queues) {
        if (!is_turn(port, queue, slice)) return false;
        port->waiting_queues -= queue->waiting != 0;
        queue->waiting = 0;
    }
    if (level) raise_level(level, icnt_now, flits);
    port->credits[slice]--;
    if (port->inject_free < icnt_now) port->inject_free = icnt_now;
    port->inject_free += flits;
    port->links.to_memory += flits;
    request->sm = packet->there.from = (uint16_t)context->id;
    packet->there.time = clock_tick(context->clocks, CLOCK_ICNT, port->inject_free);
    exchange_send(port->map.exchange, context->id, &packet->there);
    queue_pop(queue);
    return true;
}

bool port_send_queued(NetworkPort *port, SmContext *context)
{
    Tick now = clock_tick(context->clocks, CLOCK_CORE, context->now);
    uint64_t icnt_now = clock_cycle(context->clocks, CLOCK_ICNT, now);
    if (port->inject_free >= icnt_now + context->config.path->inject_buffer) return false;
    for (uint32_t filled = port->queued.filled; filled; filled &= filled - 1) {
        RequestQueue *queue = port->queues[__builtin_ctz(filled)];
        if (!send_head(port, context, queue, icnt_now)) continue;
        if (port->blocked)
            context->count.sm.injection_blocked += context->now - port->blocked_since;
        port->blocked = false;
        return true;
    }
    if (!port->blocked) port->blocked_since = context->now;
    port->blocked = true;
    return false;
}

// The first core cycle in which the head of a queue fits in front of the crossbar: none before the
// level is known, because an SM that has slept learns the level late.
static uint64_t fits_next(const NetworkPort *port, const SmContext *context)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < port->queue_count; i++) {
        const RequestQueue *queue = port->queues[i];
        if (!queue->count || !port->credits[slice_of_head(port, queue)]) continue;
        uint64_t fits = queue_fits(&port->news->queue, context,
                                   request_flits(context, &queue->items[queue->head]->request));
        uint64_t cycle = context->now + 1;
        if (fits) { // behind the network cycle before (port_send_queued rounds up)
            Tick before = clock_tick(context->clocks, CLOCK_ICNT, fits - 1);
            cycle = clock_cycle(context->clocks, CLOCK_CORE, before + 1);
        }
        if (cycle < next) next = cycle;
    }
    return next < port->news->queue.known ? port->news->queue.known : next;
}

uint64_t port_send_next(const NetworkPort *port, const SmContext *context)
{
    if (port->blocked && !port->queued.news) {
        uint64_t next = queue_is_limited(context) ? fits_next(port, context) : UINT64_MAX;
        for (unsigned i = 0; i < port->queue_count; i++) {
            const RequestQueue *queue = port->queues[i];
            unsigned slice = queue->count ? slice_of_head(port, queue) : 0;
            if (!queue->count || port->credits[slice]) continue;
            uint64_t credit = credit_next(port, context, slice);
            if (credit < next) next = credit;
        }
        return next;
    }
    if (port->inject_free < context->config.path->inject_buffer) return context->now + 1;
    // There is room after the next network cycle (port_send_queued rounds up).
    uint64_t full = port->inject_free - context->config.path->inject_buffer;
    Tick tick = clock_tick(context->clocks, CLOCK_ICNT, full);
    return clock_cycle(context->clocks, CLOCK_CORE, tick + 1);
}

bool port_has_sent(const NetworkPort *port, unsigned sm)
{
    const Post *requests = &port->map.exchange->requests;
    for (unsigned r = 0; r < requests->receivers; r++)
        if (requests->lists[sm * requests->receivers + r].first) return true;
    return false;
}
