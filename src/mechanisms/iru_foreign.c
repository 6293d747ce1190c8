// Serves secondaries to the prefetchers of other slices, and receives those of this slice.
#include "iru_foreign.h"

#include "iru_prefetcher.h"

#include <string.h>

static IruServer *server_of(const HdPlace *place) { return place->structures[IRU_SERVERS]; }
static IruAsk *ask_of(const HdPlace *place) { return place->structures[IRU_ASKED]; }
static IruWord *words_of(const HdPlace *place) { return place->structures[IRU_SERVED]; }

static uint64_t address_of(const HdPlace *place, const IruAsk *ask)
{
    return iru_secondary(iru_configuration(place)) + (uint64_t)IRU_WORD * ask->position;
}

// Whether a new entry may enter a channel now, of which the own buffer is `empty`.
static bool may_enter(const HdPlace *place, unsigned channel, bool empty, const IruCycle *c)
{
    return empty && hd_may_send(place, channel) &&
           (iru_parameter(place, IRU_CHANNEL) > 1 || c->cycle % place->places == place->number);
}

// Sends the head of a channel's buffer on to the next slice.
static void pass_on(HdPlace *place, unsigned channel, IruCycle *c)
{
    if (!hd_send(place, channel, hd_received(place, channel))) return;
    hd_drop_received(place, channel);
    c->moved = true;
}

static void receive_word(HdPlace *place, IruCycle *c)
{
    const IruSecondary *word = hd_received(place, IRU_SECONDARIES);
    if (!word) return;
    if (word->to != place->number) {
        pass_on(place, IRU_SECONDARIES, c);
        return;
    }
    iru_put_secondary(place, word->line, word->lane, word->word);
    hd_drop_received(place, IRU_SECONDARIES);
    c->moved = true;
}

static void receive_ask(HdPlace *place, IruCycle *c)
{
    const IruAsk *ask = hd_received(place, IRU_ASKS);
    IruServer *server = server_of(place);
    if (!ask) return;
    if (hd_slice_of(place, address_of(place, ask)) != place->number) {
        pass_on(place, IRU_ASKS, c);
    } else if (server->state == IRU_IDLE) {
        *ask_of(place) = *ask;
        *server = (IruServer){.state = IRU_TO_READ};
        hd_drop_received(place, IRU_ASKS);
        c->moved = true;
    }
}

static void read_words(HdPlace *place, IruCycle *c)
{
    const IruAsk *ask = ask_of(place);
    uint64_t address = address_of(place, ask);
    if (!iru_read(place, address, ask->last + 1u, IRU_PART_FOREIGN)) return;
    ((IruCounted *)place->counters)->secondary_lines++;
    server_of(place)->state = IRU_READING;
    c->moved = true;
}

void iru_foreign_on_data(HdPlace *place, const HdUnitData *data)
{
    const IruAsk *ask = ask_of(place);
    memcpy(words_of(place), data->bytes + address_of(place, ask) % IRU_LINE,
           (ask->last + 1u) * sizeof(IruWord));
    server_of(place)->state = IRU_SENDING;
}

static void send_word(HdPlace *place, bool empty, IruCycle *c)
{
    const IruAsk *ask = ask_of(place);
    IruServer *server = server_of(place);
    iru_wake(c, c->cycle + 1);
    if (!may_enter(place, IRU_SECONDARIES, empty, c)) return;
    IruSecondary word = {.word = words_of(place)[server->sent].word, .to = ask->to,
                         .line = ask->line, .lane = (ask->lane + server->sent) & 31};
    hd_send(place, IRU_SECONDARIES, &word);
    ((IruCounted *)place->counters)->foreign++;
    if (server->sent++ == ask->last) server->state = IRU_IDLE;
    c->moved = true;
}

void iru_foreign_cycle(HdPlace *place, bool *may_ask, IruCycle *c)
{
    *may_ask = false;
    if (place->places == 1) return;
    bool no_word = !hd_received(place, IRU_SECONDARIES), no_ask = !hd_received(place, IRU_ASKS);
    receive_word(place, c);
    receive_ask(place, c);
    if (server_of(place)->state == IRU_SENDING) send_word(place, no_word, c);
    if (server_of(place)->state == IRU_TO_READ) read_words(place, c);
    *may_ask = may_enter(place, IRU_ASKS, no_ask, c);
}
