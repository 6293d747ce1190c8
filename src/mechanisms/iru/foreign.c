// Serves secondaries to the prefetchers of other slices, and receives those of this slice.
#include "foreign.h"

#include "prefetcher.h"
#include "ring.h"

#include <string.h>

static IruServer *server_of(const HdPlace *place) { return place->structures[IRU_SERVERS]; }
static IruAsk *ask_of(const HdPlace *place) { return place->structures[IRU_ASKED]; }
static IruWord *words_of(const HdPlace *place) { return place->structures[IRU_SERVED]; }

static uint64_t address_of(const HdPlace *place, const IruAsk *ask)
{
    return iru_secondary(iru_configuration(place)) + (uint64_t)IRU_WORD * ask->position;
}

// What the own buffer of a channel had in this cycle: nothing, a head that this slice has taken, or
// a head that goes on or waits.
typedef enum Had { NOTHING, TAKEN, OTHER } Had;

static bool may_enter(const HdPlace *place, unsigned channel, Had had, IruCycle *c)
{
    return had != OTHER && iru_may_enter(place, channel, iru_parameter(place, IRU_CHANNEL),
                                         had == NOTHING, c);
}

// Sends the head of a channel's buffer on to the next slice.
static Had pass_on(HdPlace *place, unsigned channel, IruCycle *c)
{
    if (!hd_send(place, channel, hd_received(place, channel))) return OTHER;
    hd_drop_received(place, channel);
    c->moved = true;
    return OTHER;
}

static Had take(HdPlace *place, unsigned channel, IruCycle *c)
{
    hd_drop_received(place, channel);
    c->moved = true;
    return TAKEN;
}

static Had receive_word(HdPlace *place, IruCycle *c)
{
    const IruSecondary *word = hd_received(place, IRU_SECONDARIES);
    if (!word) return NOTHING;
    if (word->to != place->number) return pass_on(place, IRU_SECONDARIES, c);
    iru_put_secondary(place, word->line, word->lane, word->word);
    return take(place, IRU_SECONDARIES, c);
}

static Had receive_ask(HdPlace *place, IruCycle *c)
{
    const IruAsk *ask = hd_received(place, IRU_ASKS);
    if (!ask) return NOTHING;
    if (hd_slice_of(place, address_of(place, ask)) != place->number)
        return pass_on(place, IRU_ASKS, c);
    if (server_of(place)->state != IRU_IDLE) return OTHER;
    *ask_of(place) = *ask;
    *server_of(place) = (IruServer){.state = IRU_TO_READ};
    return take(place, IRU_ASKS, c);
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

void iru_foreign_on_data(HdPlace *place, const HdEngineData *data)
{
    const IruAsk *ask = ask_of(place);
    memcpy(words_of(place), data->bytes + address_of(place, ask) % IRU_LINE,
           (ask->last + 1u) * sizeof(IruWord));
    server_of(place)->state = IRU_SENDING;
}

static void send_word(HdPlace *place, Had had, IruCycle *c)
{
    const IruAsk *ask = ask_of(place);
    IruServer *server = server_of(place);
    if (!may_enter(place, IRU_SECONDARIES, had, c)) return;
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
    Had word = receive_word(place, c), ask = receive_ask(place, c);
    if (server_of(place)->state == IRU_SENDING) send_word(place, word, c);
    if (server_of(place)->state == IRU_TO_READ) read_words(place, c);
    IruCycle asks = *c; // without a line that asks, its turn is no reason to be called
    *may_ask = may_enter(place, IRU_ASKS, ask, &asks);
}
