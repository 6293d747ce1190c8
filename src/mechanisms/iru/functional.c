// Gives elements to requests functionally.
#include "functional.h"

#include "prefetcher.h"
#include "queue.h"
#include "replier.h"
#include "table.h"

// The element at a position, from memory.
static IruElement peek(HdPlace *place, uint32_t position)
{
    const IruConfiguration *c = iru_configuration(place);
    uint32_t index = 0, secondary = 0;
    hd_peek(place, iru_index_address(c, position), &index, sizeof index);
    if (iru_secondary(c))
        hd_peek(place, iru_secondary(c) + (uint64_t)IRU_WORD * position, &secondary,
                sizeof secondary);
    iru_check_index(place, index, position);
    return (IruElement){.index = index & (IRU_INDEX_END - 1), .secondary = secondary,
                        .position = position & 0xffffff};
}

// In a functional launch: the next element of the array.
static bool next_in_order(HdPlace *place, IruElement *element)
{
    IruLaunch *launch = iru_launch(place);
    if (place->number || launch->next == iru_configuration(place)->count) return false;
    *element = peek(place, launch->next++);
    return true;
}

// In a launch that was cut: an element that this slice still has.
static bool next_here(HdPlace *place, IruElement *element)
{
    if (iru_table_take(place, 1, element)) return true;
    for (unsigned fifo = 0; fifo < IRU_FIFOS; fifo++)
        if (iru_fifo_head(place, fifo)) {
            *element = *iru_fifo_head(place, fifo);
            iru_queue_pop(place, fifo);
            return true;
        }
    for (unsigned buffer = IRU_FORWARD; buffer <= IRU_BACKWARD; buffer++) {
        const IruElement *head = hd_received(place, buffer);
        if (!head) continue;
        *element = *head;
        hd_drop_received(place, buffer);
        return true;
    }
    uint32_t position;
    if (!iru_take_position(place, &position)) return false;
    *element = peek(place, position);
    return true;
}

uint32_t iru_execute(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                     HdEngineReply *reply)
{
    const IruLaunch *launch = iru_launch(place);
    uint32_t served = 0;
    IruElement element;
    while (lanes && launch->active &&
           (launch->functional ? next_in_order(place, &element) : next_here(place, &element))) {
        iru_reply_add(reply, (unsigned)__builtin_ctz(lanes), request->instruction, &element);
        iru_balance(place)->delivered++; // for the check at the end: counters are of timed requests
        served |= lanes & -lanes;
        lanes &= lanes - 1;
    }
    return served;
}
