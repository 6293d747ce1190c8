// Moves elements from ring buffers and FIFOs into the table, and on to the neighbours
// (segura2022iru, sections 3.2.1 and 3.2.2).
#include "ring.h"

#include "queue.h"
#include "table.h"

// Ring buffers in the order in which they are served, and the FIFOs that feed them.
enum { BUFFERS = 2 };
static const unsigned buffers[BUFFERS] = {IRU_FORWARD, IRU_BACKWARD};
static const unsigned fifos[BUFFERS] = {IRU_FIFO_NEXT, IRU_FIFO_PREVIOUS};

unsigned iru_fifo_of(const HdPlace *place, const IruHash *hash, uint32_t index)
{
    IruHome home = iru_home_by(hash, index);
    if (home.slice == place->number) return home.bank;
    unsigned forward = (home.slice + place->places - place->number) % place->places;
    bool back = place->parameters[IRU_TIES] == IRU_TIES_ALTERNATE && place->number % 2;
    return 2 * forward + back <= place->places ? IRU_FIFO_NEXT : IRU_FIFO_PREVIOUS;
}

// ---- data processing ----

// Inserts the element, if its bank is not busy in this cycle. free: banks that are not.
static bool insert(HdPlace *place, const IruElement *element, unsigned *free, IruCycle *c)
{
    IruHome home = iru_home(place, element->index);
    if (home.slice != place->number || !(*free >> home.bank & 1)) return false;
    if (iru_table_insert(place, &home, element) == IRU_FULL) return false;
    *free &= ~(1u << home.bank);
    c->moved = true;
    return true;
}

// With `head=aside`: the head of a ring buffer that its bank does not take moves to the bank's
// FIFO, which takes one element in a cycle. false: the head is for another slice, or must wait.
static bool step_aside(HdPlace *place, const IruElement *element, IruCycle *c)
{
    if (place->parameters[IRU_RING_HEAD] != IRU_HEAD_ASIDE) return false;
    IruHome home = iru_home(place, element->index);
    if (home.slice != place->number || iru_queue_full(place, home.bank) ||
        c->written >> home.bank & 1) return false;
    iru_fifo_push(place, home.bank, *element);
    c->written |= 1u << home.bank;
    c->moved = true;
    return true;
}

// The ring before the slice's own FIFOs. Returns the ring buffers of which the head was taken.
static unsigned process_data(HdPlace *place, IruCycle *c)
{
    unsigned free = 3, taken = 0;
    IruWaits *waits = iru_waits(place);
    for (unsigned i = 0; i < BUFFERS; i++) {
        const IruElement *element = hd_received(place, buffers[i]);
        if (!element || !(insert(place, element, &free, c) || step_aside(place, element, c)))
            continue;
        hd_drop_received(place, buffers[i]);
        taken |= 1u << i;
    }
    for (unsigned bank = 0; bank < 2; bank++) {
        const IruElement *element = iru_fifo_head(place, bank);
        unsigned bit = 1u << bank;
        if (element && insert(place, element, &free, c)) {
            iru_queue_pop(place, bank);
            waits->banks &= ~bit & 3;
        } else if (element) {
            ((IruCounted *)place->counters)->stalls_table += !(waits->banks & bit);
            waits->banks |= bit & 3;
        }
    }
    return taken;
}

// ---- links ----

static bool send(HdPlace *place, unsigned link, const IruElement *element, IruCycle *c)
{
    if (!hd_send(place, buffers[link], element)) return false;
    ((IruCounted *)place->counters)->hops++;
    c->moved = true;
    return true;
}

bool iru_may_enter(const HdPlace *place, unsigned channel, unsigned places, bool empty,
                   IruCycle *c)
{
    if (!hd_may_send(place, channel)) return false;
    if (!empty || places > 1 || c->cycle % place->places == place->number) return true;
    iru_wake(c, c->cycle + 1);
    return false;
}

// Passes on the head of the ring buffer; or sends the head of the classifier's FIFO, if there is no
// head, or it is for this slice. *dropped: ring buffers of which the head has left in this
// cycle. Returns whether an element waits for the link.
static bool use_link(HdPlace *place, unsigned link, unsigned *dropped, IruCycle *c)
{
    const IruElement *head = hd_received(place, buffers[link]);
    const IruElement *own = iru_fifo_head(place, fifos[link]);
    bool left = *dropped >> link & 1;
    if (head && !left && iru_home(place, head->index).slice != place->number) {
        if (!send(place, link, head, c)) return true;
        hd_drop_received(place, buffers[link]);
        *dropped |= 1u << link;
        return false;
    }
    if (!own) return false;
    unsigned places = iru_parameter(place, IRU_RING);
    if (!iru_may_enter(place, buffers[link], places, !head && !left, c)) return true;
    send(place, link, own, c);
    iru_queue_pop(place, fifos[link]);
    return false;
}

// A slice that cannot send is called when the neighbour's buffer has room.
static void note_link(HdPlace *place, unsigned link, bool blocked)
{
    IruWaits *waits = iru_waits(place);
    unsigned bit = 1u << link;
    ((IruCounted *)place->counters)->stalls_link += blocked && !(waits->links & bit);
    waits->links = (blocked ? waits->links | bit : waits->links & ~bit) & 3;
}

// Notes the ring buffers of which the head waits.
static void note_heads(HdPlace *place, unsigned dropped)
{
    IruWaits *waits = iru_waits(place);
    for (unsigned i = 0; i < BUFFERS; i++) {
        unsigned bit = 1u << i;
        if (dropped & bit) {
            waits->ring &= ~bit & 3;
        } else if (hd_received(place, buffers[i])) {
            ((IruCounted *)place->counters)->stalls_ring += !(waits->ring & bit);
            waits->ring |= bit & 3;
        }
    }
}

void iru_ring_cycle(HdPlace *place, IruCycle *c)
{
    unsigned dropped = process_data(place, c);
    if (place->places == 1) return;
    for (unsigned link = 0; link < BUFFERS; link++)
        note_link(place, link, use_link(place, link, &dropped, c));
    note_heads(place, dropped);
}

bool iru_ring_empty(const HdPlace *place)
{
    for (unsigned i = 0; i < BUFFERS; i++)
        if (hd_received(place, buffers[i])) return false;
    return true;
}
