// The data replier (segura2022iru, section 3.2.2): decides which elements a request gets.
#include "replier.h"

#include "requests.h"
#include "table.h"
#include "travel.h"

// ---- which elements ----

static unsigned lanes_of(const IruGroup *group)
{
    return (unsigned)__builtin_popcount(group->of.lanes);
}

// Fills the group from the best entries, as far as elements are there. Returns whether one was.
static bool fill(HdPlace *place, IruGroup *group)
{
    unsigned taken = iru_table_take(place, lanes_of(group) - group->of.elements,
                                    group->elements + group->of.elements);
    group->of.elements = (group->of.elements + taken) & 63;
    ((IruCounted *)place->counters)->delivered += taken;
    iru_balance(place)->delivered += taken;
    return taken;
}

static void to_reply(HdPlace *place, const IruGroup *group, unsigned cause, IruCycle *c)
{
    IruGroup *reply = iru_group(place, IRU_REPLY);
    *reply = *group;
    reply->of.cause = cause & 3;
    c->moved = true;
}

// The guest takes what is there. It is answered here if it is full, or if there is nothing left
// anywhere; else it goes on. With one slice it stays.
static void serve_guest(HdPlace *place, IruCycle *c)
{
    const IruLaunch *launch = iru_launch(place);
    IruGroup *guest = iru_group(place, IRU_GUEST);
    if (!iru_guest_complete(place)) return;
    c->moved |= fill(place, guest);
    guest->of.moved = guest->of.elements;
    if (guest->of.elements == lanes_of(guest) || launch->drained) {
        if (iru_group(place, IRU_REPLY)->of.used) return;
        to_reply(place, guest, launch->ended ? IRU_BY_END : IRU_BY_TIMEOUT, c);
        iru_guest_leave(place);
    } else if (place->places > 1 && iru_may_leave(place)) {
        iru_leave(place, guest, c);
        iru_guest_leave(place);
    }
}

// A request cannot be filled here: it takes what there is and goes on, when it may.
static void send_away(HdPlace *place, IruGroup *request, IruOrigin origin, IruCycle *c)
{
    IruGroup *guest = iru_group(place, IRU_GUEST);
    bool alone = place->places == 1;
    if (alone ? guest->of.used : !iru_may_leave(place)) return;
    fill(place, request);
    if (alone) *guest = *request;
    else iru_leave(place, request, c);
    c->moved = true;
    iru_pop_oldest(place, origin, c);
}

static void serve_oldest(HdPlace *place, IruOrigin origin, IruCycle *c)
{
    const IruLaunch *launch = iru_launch(place);
    IruPending pending;
    if (iru_group(place, IRU_REPLY)->of.used || !iru_oldest(place, origin, &pending, c)) return;
    IruGroup request; // without elements
    request.of = (IruGroupHead){.used = 1, .number = pending.number, .lanes = pending.lanes,
                                .instruction = pending.instruction};
    unsigned lanes = lanes_of(&request), cause = IRU_BY_ENTRY;
    if (iru_table_most(place) < lanes) {
        bool late = iru_is_late(place, &pending, c);
        if (!late && !launch->ended) return;
        cause = launch->ended ? IRU_BY_END : IRU_BY_TIMEOUT;
        if (iru_table_elements(place) < lanes && !launch->drained) {
            send_away(place, &request, origin, c);
            return;
        }
    }
    fill(place, &request);
    to_reply(place, &request, cause, c);
    iru_pop_oldest(place, origin, c);
}

// ---- replies ----

void iru_reply_add(HdEngineReply *reply, unsigned lane, unsigned instruction,
                   const IruElement *element)
{
    unsigned next = 1;
    reply->predicate |= UINT32_C(1) << lane;
    reply->values[0][lane] = element->index;
    if (instruction & IRU_WITH_SECONDARY) reply->values[next++][lane] = element->secondary;
    if (instruction & IRU_WITH_POSITION) reply->values[next][lane] = element->position;
}

static void count_blocks(HdPlace *place, const IruGroup *group)
{
    uint64_t blocks[IRU_LANES];
    unsigned count = 0;
    for (unsigned i = 0; i < group->of.elements; i++) {
        uint64_t block = iru_home(place, group->elements[i].index).block;
        unsigned k = 0;
        while (k < count && blocks[k] != block) k++;
        if (k == count) blocks[count++] = block;
    }
    ((IruCounted *)place->counters)->blocks += count;
}

static void count_reply(HdPlace *place, const IruGroup *group)
{
    IruCounted *counted = place->counters;
    IruBalance *balance = iru_balance(place);
    unsigned enabled = group->of.elements, disabled = lanes_of(group) - enabled;
    counted->enabled += enabled;
    counted->disabled += disabled;
    counted->partly_disabled += enabled && disabled;
    counted->all_disabled += !enabled;
    counted->by_cause[group->of.cause]++;
    balance->enabled += enabled;
    balance->disabled += disabled;
    balance->partly += enabled && disabled;
    count_blocks(place, group);
}

// Packets: the indices of enabled lanes, 3 bytes each, and which lanes these are; then their
// secondaries and positions. Lanes without an element are the last ones.
static void answer(HdPlace *place, IruCycle *c)
{
    IruGroup *group = iru_group(place, IRU_REPLY);
    IruWaits *waits = iru_waits(place);
    if (!group->of.used) return;
    HdEngineReply reply = {0};
    uint32_t lanes = group->of.lanes;
    unsigned instruction = group->of.instruction, count = group->of.elements;
    for (unsigned i = 0; i < count; i++, lanes &= lanes - 1)
        iru_reply_add(&reply, (unsigned)__builtin_ctz(lanes), instruction, &group->elements[i]);
    unsigned more = (instruction & IRU_WITH_SECONDARY ? 4u : 0u) +
                    (instruction & IRU_WITH_POSITION ? 3u : 0u);
    reply.bytes[0] = (uint16_t)(3 * count + 4);
    reply.bytes[1] = (uint16_t)(more * count);
    if (!hd_answer(place, group->of.number, &reply)) {
        ((IruCounted *)place->counters)->stalls_replies += !waits->reply;
        waits->reply = 1;
        iru_wake(c, c->cycle + 1);
        return;
    }
    waits->reply = 0;
    count_reply(place, group);
    group->of.used = 0;
    c->moved = true;
}

void iru_replier_cycle(HdPlace *place, IruCycle *c)
{
    serve_guest(place, c);
    serve_oldest(place, IRU_SEEKING, c);
    serve_oldest(place, IRU_OWN, c);
    answer(place, c);
}
