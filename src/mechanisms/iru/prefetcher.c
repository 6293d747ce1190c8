// Reads the arrays line by line, a limited number on the fly (segura2022iru, section 3.2.1).
#include "prefetcher.h"

#include "foreign.h"

#include <string.h>

enum { PART_BITS = 2 };

// ---- line buffers ----

static IruPrefetcher *prefetcher_of(const HdPlace *place)
{
    return place->structures[IRU_PREFETCHERS];
}
static IruLineState *state_at(const HdPlace *place, unsigned line)
{
    return (IruLineState *)place->structures[IRU_LINE_STATES] + line;
}
static IruLine *line_at(const HdPlace *place, unsigned line)
{
    return (IruLine *)place->structures[IRU_LINES] + line;
}

unsigned iru_line_buffers(const HdPlace *place)
{
    unsigned buffers = iru_parameter(place, IRU_LINE_BUFFERS);
    return buffers ? buffers : iru_parameter(place, IRU_PREFETCHES);
}

// The line buffer of this number, from the oldest, 0, on.
static unsigned buffer(const HdPlace *place, unsigned number)
{
    return (prefetcher_of(place)->first + number) % iru_line_buffers(place);
}

// Whether the prefetcher may read one more line: a buffer is free, and not too many lines are on
// the fly. In hardware a counter of valid bits.
static bool may_begin(const HdPlace *place)
{
    unsigned count = prefetcher_of(place)->count, most = iru_parameter(place, IRU_PREFETCHES);
    if (count == iru_line_buffers(place)) return false;
    unsigned flying = 0;
    for (unsigned i = 0; count >= most && i < count; i++)
        flying += state_at(place, buffer(place, i))->awaited > 0;
    return flying < most;
}

IruLineState *iru_line(const HdPlace *place, unsigned number)
{
    if (number >= prefetcher_of(place)->count) return NULL;
    IruLineState *line = state_at(place, buffer(place, number));
    return line->awaited ? NULL : line;
}

const IruPair *iru_line_pairs(const HdPlace *place, unsigned number)
{
    return line_at(place, buffer(place, number))->pairs;
}

IruElement iru_line_element(const HdPlace *place, unsigned number, unsigned lane)
{
    unsigned line = buffer(place, number);
    const IruPair *pair = &line_at(place, line)->pairs[lane];
    return (IruElement){.index = pair->index, .secondary = pair->secondary,
                        .position = (state_at(place, line)->position + lane) & 0xffffff};
}

void iru_free_line(HdPlace *place)
{
    IruPrefetcher *p = prefetcher_of(place);
    p->first = buffer(place, 1) & 63;
    p->count--;
}

bool iru_prefetcher_done(const HdPlace *place)
{
    const IruPrefetcher *p = prefetcher_of(place);
    IruLineState line;
    return !p->count && (p->done || !iru_next_line(place, p->next, &line));
}

// ---- lines ----

static unsigned min(uint64_t a, uint64_t b) { return (unsigned)(a < b ? a : b); }

// Words from an address to the end of its line.
static unsigned words_left(uint64_t address)
{
    return (unsigned)(IRU_LINE - address % IRU_LINE) / IRU_WORD;
}

bool iru_next_line(const HdPlace *place, uint64_t from, IruLineState *line)
{
    const IruConfiguration *c = iru_configuration(place);
    while (from < c->count) {
        uint64_t address = iru_index_address(c, from);
        unsigned count = min(words_left(address), c->count - from);
        if (hd_slice_of(place, address) == place->number) {
            *line = (IruLineState){.position = (uint32_t)from, .count = count & 63};
            return true;
        }
        from += count;
    }
    return false;
}

// Takes a buffer for the next line.
static void begin_line(HdPlace *place, IruCycle *c)
{
    IruPrefetcher *p = prefetcher_of(place);
    IruLineState line;
    if (p->done || !may_begin(place)) return;
    c->moved = true;
    if (!iru_next_line(place, p->next, &line)) {
        p->done = 1;
        return;
    }
    bool secondary = iru_secondary(iru_configuration(place));
    line.asked = secondary ? 0 : 1 << IRU_PART_FIRST | 1 << IRU_PART_SECOND;
    line.awaited = (line.count << secondary) & 127;
    line.left = UINT32_MAX >> (IRU_LANES - line.count);
    *state_at(place, buffer(place, p->count++)) = line;
    uint64_t next = (uint64_t)line.position + line.count;
    p->next = (uint32_t)next;
    p->done = next >= iru_configuration(place)->count;
    ((IruCounted *)place->counters)->lines++;
}

// ---- parts of a line: its indices, and its secondaries, which may lie in two lines ----

typedef struct Part {
    uint64_t address;
    unsigned lane, count;
} Part;

static Part part_of(const HdPlace *place, const IruLineState *line, unsigned part)
{
    const IruConfiguration *c = iru_configuration(place);
    if (part == IRU_PART_INDICES)
        return (Part){iru_index_address(c, line->position), 0, line->count};
    uint64_t address = iru_secondary(c) + (uint64_t)IRU_WORD * line->position;
    unsigned first = min(words_left(address), line->count);
    if (part == IRU_PART_FIRST) return (Part){address, 0, first};
    return (Part){address + IRU_WORD * first, first, line->count - first};
}

bool iru_read(HdPlace *place, uint64_t address, unsigned count, unsigned tag)
{
    unsigned first = address % IRU_LINE / 32;
    unsigned last = (unsigned)(address % IRU_LINE + IRU_WORD * count - 1) / 32;
    uint8_t sectors = (uint8_t)((2u << last) - (1u << first));
    return hd_read_line(place, address & ~(uint64_t)(IRU_LINE - 1), sectors, tag,
                        place->parameters[IRU_L2] == IRU_PAST);
}

// Asks the slice that owns these secondaries for them.
static void ask_owner(HdPlace *place, unsigned line, const Part *part)
{
    IruAsk ask = {.position = state_at(place, line)->position + part->lane,
                  .last = (part->count - 1) & 31, .to = place->number & 255, .line = line & 63,
                  .lane = part->lane & 31};
    hd_send(place, IRU_ASKS, &ask);
}

// Asks for a part of the line, in this slice or in another one. false: it must wait.
static bool ask_for(HdPlace *place, unsigned line, unsigned part, bool *may_ask, IruCycle *c)
{
    Part of = part_of(place, state_at(place, line), part);
    if (!of.count) return true;
    if (hd_slice_of(place, of.address) == place->number) {
        if (!iru_read(place, of.address, of.count, line << PART_BITS | part)) return false;
        ((IruCounted *)place->counters)->secondary_lines += part != IRU_PART_INDICES;
        return true;
    }
    if (!*may_ask) {
        iru_wake(c, c->cycle + 1);
        return false;
    }
    ask_owner(place, line, &of);
    *may_ask = false;
    return true;
}

// Asks for one part, of the oldest line that lacks one.
static void ask_for_lines(HdPlace *place, bool may_ask, IruCycle *c)
{
    for (unsigned i = 0; i < prefetcher_of(place)->count; i++) {
        unsigned line = buffer(place, i);
        IruLineState *state = state_at(place, line);
        if (state->asked == 7) continue;
        unsigned part = (unsigned)__builtin_ctz(~state->asked);
        if (!ask_for(place, line, part, &may_ask, c)) return;
        state->asked |= 1u << part & 7;
        c->moved = true;
        return;
    }
}

void iru_prefetcher_begin(HdPlace *place)
{
    *prefetcher_of(place) = (IruPrefetcher){.done = !iru_configuration(place)->count};
}

void iru_prefetcher_cycle(HdPlace *place, IruCycle *c)
{
    bool may_ask;
    iru_foreign_cycle(place, &may_ask, c);
    begin_line(place, c);
    ask_for_lines(place, may_ask, c);
}

bool iru_take_position(HdPlace *place, uint32_t *position)
{
    IruPrefetcher *p = prefetcher_of(place);
    IruCycle none = {0};
    for (;;) {
        if (!p->count) begin_line(place, &none);
        if (!p->count) return false;
        IruLineState *line = state_at(place, buffer(place, 0));
        if (line->left) {
            *position = line->position + (uint32_t)__builtin_ctz(line->left);
            line->left &= line->left - 1;
            if (!line->left) iru_free_line(place);
            return true;
        }
        iru_free_line(place);
    }
}

// ---- data ----

void iru_check_index(HdPlace *place, uint32_t index, uint32_t position)
{
    if (index >= IRU_INDEX_END)
        hd_fault(place, HD_NO_PC, "index %u at position %u: expected less than 2^24 (%u)", index,
                 position, IRU_INDEX_END);
}

static void put_index(HdPlace *place, unsigned line, unsigned lane, uint32_t index)
{
    iru_check_index(place, index, state_at(place, line)->position + lane);
    IruPair *pair = &line_at(place, line)->pairs[lane];
    pair->index = index & (IRU_INDEX_END - 1);
    if (!iru_secondary(iru_configuration(place))) pair->secondary = 0;
    state_at(place, line)->awaited--;
}

void iru_put_secondary(const HdPlace *place, unsigned line, unsigned lane, uint32_t word)
{
    line_at(place, line)->pairs[lane].secondary = word;
    state_at(place, line)->awaited--;
}

void iru_on_data(HdPlace *place, const HdEngineData *data)
{
    unsigned line = data->tag >> PART_BITS, part = data->tag & ((1u << PART_BITS) - 1);
    if (part == IRU_PART_FOREIGN) {
        iru_foreign_on_data(place, data);
        return;
    }
    Part of = part_of(place, state_at(place, line), part);
    for (unsigned i = 0; i < of.count; i++) {
        uint32_t word;
        memcpy(&word, data->bytes + of.address % IRU_LINE + IRU_WORD * i, sizeof word);
        if (part == IRU_PART_INDICES) put_index(place, line, of.lane + i, word);
        else iru_put_secondary(place, line, of.lane + i, word);
    }
    if (part != IRU_PART_INDICES) return;
    ((IruCounted *)place->counters)->read += of.count;
    iru_balance(place)->read += of.count;
}
