// Sends requests that this slice cannot fill to the next slice, an element in each cycle.
#include "travel.h"

void iru_travel_receive(HdPlace *place, IruCycle *c)
{
    IruGroup *guest = iru_group(place, IRU_GUEST);
    const IruHead *head = hd_received(place, IRU_HEADS);
    if (hd_received(place, IRU_NOTES)) {
        iru_launch(place)->guest_room = 1;
        hd_drop_received(place, IRU_NOTES);
        c->moved = true;
    }
    if (head && !guest->of.used) {
        guest->of = (IruGroupHead){.used = 1, .number = head->number, .lanes = head->lanes,
                                   .instruction = head->instruction, .elements = head->elements};
        hd_drop_received(place, IRU_HEADS);
        c->moved = true;
    }
    const IruElement *element = hd_received(place, IRU_GROUP_ELEMENTS);
    if (!element || !guest->of.used || guest->of.moved == guest->of.elements) return;
    guest->elements[guest->of.moved++] = *element;
    hd_drop_received(place, IRU_GROUP_ELEMENTS);
    c->moved = true;
}

void iru_travel_send(HdPlace *place, IruCycle *c)
{
    const IruNote note = {.guest_room = 1};
    IruGroup *leaving = iru_group(place, IRU_LEAVING);
    IruWaits *waits = iru_waits(place);
    if (waits->note && hd_send(place, IRU_NOTES, &note)) waits->note = 0;
    if (!leaving->of.used) return;
    if (leaving->of.moved < leaving->of.elements) {
        if (!hd_send(place, IRU_GROUP_ELEMENTS, &leaving->elements[leaving->of.moved])) return;
        leaving->of.moved++;
        ((IruCounted *)place->counters)->request_elements++;
    }
    if (leaving->of.moved == leaving->of.elements) leaving->of.used = 0;
    c->moved = true;
}

bool iru_guest_complete(const HdPlace *place)
{
    const IruGroupHead *guest = &iru_group(place, IRU_GUEST)->of;
    return guest->used && (place->places == 1 || guest->moved >= guest->elements);
}

void iru_guest_leave(HdPlace *place)
{
    iru_group(place, IRU_GUEST)->of.used = 0;
    iru_waits(place)->note = place->places > 1;
}

bool iru_may_leave(const HdPlace *place)
{
    return iru_launch(place)->guest_room && !iru_group(place, IRU_LEAVING)->of.used &&
           hd_may_send(place, IRU_HEADS);
}

void iru_leave(HdPlace *place, const IruGroup *group, IruCycle *c)
{
    IruGroup *leaving = iru_group(place, IRU_LEAVING);
    IruHead head = {.number = group->of.number, .lanes = group->of.lanes,
                    .instruction = group->of.instruction, .elements = group->of.elements};
    *leaving = *group;
    leaving->of.moved = 0;
    hd_send(place, IRU_HEADS, &head); // iru_may_leave
    iru_launch(place)->guest_room = 0;
    ((IruCounted *)place->counters)->request_hops++;
    c->moved = true;
}
