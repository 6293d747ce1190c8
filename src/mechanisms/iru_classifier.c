// Moves one element into each FIFO in a cycle (segura2022iru, section 3.2.1). Elements of one FIFO
// keep their order; those of different FIFOs overtake each other within their line.
#include "iru_classifier.h"

#include "iru_prefetcher.h"
#include "iru_queue.h"
#include "iru_ring.h"

// FIFOs with a free place, a bit each.
static unsigned open_fifos(const HdPlace *place)
{
    unsigned open = 0;
    for (unsigned fifo = 0; fifo < IRU_FIFOS; fifo++)
        if (!iru_queue_full(place, fifo)) open |= 1u << fifo;
    return open;
}

void iru_classifier_cycle(HdPlace *place, IruCycle *c)
{
    IruLineState *state = iru_oldest_line(place);
    IruWaits *waits = iru_waits(place);
    if (!state) return;
    // FIFOs of which an element can still change something: it is moved, or it is noted as waiting.
    unsigned has_room = open_fifos(place), open = has_room | (~waits->fifos & 15);
    for (uint32_t left = state->left; left && open; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        IruElement element = iru_line_element(place, lane);
        unsigned fifo = iru_fifo_of(place, &element), bit = 1u << fifo;
        if (!(open & bit)) continue;
        open &= ~bit;
        if (has_room & bit) {
            iru_fifo_push(place, fifo, element);
            waits->fifos &= ~bit & 15;
            state->left &= ~(UINT32_C(1) << lane);
            c->moved = true;
        } else {
            ((IruCounted *)place->counters)->stalls_classifier++;
            waits->fifos |= bit & 15;
        }
    }
    if (!state->left) iru_free_line(place);
}
