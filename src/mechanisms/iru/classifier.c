// Moves one element into each FIFO in a cycle (segura2022iru, section 3.2.1). Elements of one FIFO
// keep their order; those of different FIFOs overtake each other within the oldest `window` lines.
#include "classifier.h"

#include "prefetcher.h"
#include "queue.h"
#include "ring.h"

// FIFOs with a free place, a bit each.
static unsigned fifos_with_room(const HdPlace *place)
{
    unsigned room = 0;
    for (unsigned fifo = 0; fifo < IRU_FIFOS; fifo++)
        if (!iru_queue_full(place, fifo)) room |= 1u << fifo;
    return room;
}

// Moves elements of a line into the FIFOs of `open`, at most one into each, and takes these FIFOs
// out of it. Of an element whose FIFO has no room it is noted that it waits.
static void split(HdPlace *place, unsigned number, unsigned has_room, unsigned *open, IruCycle *c)
{
    IruLineState *line = iru_line(place, number);
    IruWaits *waits = iru_waits(place);
    IruHash hash = iru_hash(place);
    const IruPair *pairs = iru_line_pairs(place, number);
    for (uint32_t left = line->left; left && *open; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        unsigned fifo = iru_fifo_of(place, &hash, pairs[lane].index), bit = 1u << fifo;
        if (!(*open & bit)) continue;
        *open &= ~bit;
        if (has_room & bit) {
            iru_fifo_push(place, fifo, iru_line_element(place, number, lane));
            waits->fifos &= ~bit & 15;
            line->left &= ~(UINT32_C(1) << lane);
            c->moved = true;
        } else {
            ((IruCounted *)place->counters)->stalls_classifier++;
            waits->fifos |= bit & 15;
        }
    }
}

void iru_classifier_cycle(HdPlace *place, IruCycle *c)
{
    if (!iru_line(place, 0)) return;
    // FIFOs of which an element can still change something: it is moved, or it is noted as waiting.
    // A FIFO that the ring has written in this cycle is not among them.
    unsigned has_room = fifos_with_room(place);
    unsigned open = (has_room | (~iru_waits(place)->fifos & 15)) & ~c->written;
    unsigned window = iru_parameter(place, IRU_WINDOW);
    for (unsigned number = 0; open && number < window && iru_line(place, number); number++)
        split(place, number, has_room, &open, c);
    for (IruLineState *line; (line = iru_line(place, 0)) && !line->left;) iru_free_line(place);
}
