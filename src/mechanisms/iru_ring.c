// Moves elements from ring buffers and FIFOs into the table, and on to the neighbours
// (segura2022iru, sections 3.2.1 and 3.2.2).
#include "iru_ring.h"

#include "iru_queue.h"
#include "iru_table.h"

// Ring buffers in the order in which they are served: what has passed the ends goes first.
enum { BUFFERS = 4 };
static const unsigned buffers[BUFFERS] = {IRU_FORWARD_1, IRU_FORWARD_0, IRU_BACKWARD_1,
                                          IRU_BACKWARD_0};

unsigned iru_fifo_of(const HdPlace *place, const IruElement *element)
{
    IruHome home = iru_home(place, element->index);
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

// The ring before the slice's own FIFOs. Returns the ring buffers of which the head was inserted.
static unsigned process_data(HdPlace *place, IruCycle *c)
{
    unsigned free = 3, inserted = 0;
    IruWaits *waits = iru_waits(place);
    for (unsigned i = 0; i < BUFFERS; i++) {
        const IruElement *element = hd_received(place, buffers[i]);
        if (!element || !insert(place, element, &free, c)) continue;
        hd_drop_received(place, buffers[i]);
        inserted |= 1u << i;
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
    return inserted;
}

// ---- links ----

// Sends the element into the neighbour's buffer: the second one if it has passed the ends.
static bool send(HdPlace *place, bool forward, bool passed, const IruElement *element, IruCycle *c)
{
    passed |= place->number == (forward ? place->places - 1 : 0);
    unsigned to = forward ? (passed ? IRU_FORWARD_1 : IRU_FORWARD_0)
                          : (passed ? IRU_BACKWARD_1 : IRU_BACKWARD_0);
    if (!hd_send(place, to, element)) return false;
    ((IruCounted *)place->counters)->hops++;
    c->moved = true;
    return true;
}

// Sends an element that goes on, or else one of the classifier's FIFO. *passed_on: ring buffers of
// which the head has left. Returns whether one was there that could not leave.
static bool use_link(HdPlace *place, bool forward, unsigned *passed_on, IruCycle *c)
{
    unsigned fifo = forward ? IRU_FIFO_NEXT : IRU_FIFO_PREVIOUS;
    bool waits = false;
    for (unsigned i = forward ? 0 : 2; i < (forward ? 2u : 4u); i++) {
        const IruElement *element = hd_received(place, buffers[i]);
        if (!element || *passed_on >> i & 1 ||
            iru_home(place, element->index).slice == place->number)
            continue;
        waits = true;
        if (!send(place, forward, i % 2 == 0, element, c)) continue;
        hd_drop_received(place, buffers[i]);
        *passed_on |= 1u << i;
        return false;
    }
    const IruElement *element = iru_fifo_head(place, fifo);
    if (!element) return waits;
    if (!send(place, forward, false, element, c)) return true;
    iru_queue_pop(place, fifo);
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
            waits->ring &= ~bit & 15;
        } else if (hd_received(place, buffers[i])) {
            ((IruCounted *)place->counters)->stalls_ring += !(waits->ring & bit);
            waits->ring |= bit & 15;
        }
    }
}

void iru_ring_cycle(HdPlace *place, IruCycle *c)
{
    unsigned dropped = process_data(place, c);
    if (place->places == 1) return;
    note_link(place, 0, use_link(place, true, &dropped, c));
    note_link(place, 1, use_link(place, false, &dropped, c));
    note_heads(place, dropped);
}

bool iru_ring_empty(const HdPlace *place)
{
    for (unsigned i = 0; i < BUFFERS; i++)
        if (hd_received(place, buffers[i])) return false;
    return true;
}
