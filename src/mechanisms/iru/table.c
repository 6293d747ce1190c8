// The reordering hash of a slice (segura2022iru, section 3.3): inserts, merges and gives elements.
#include "table.h"

#include <string.h>

// ---- the hash ----

// Digits of the hash: 10 bits, for the paper's 1024 sets; more, if the sets of all slices need
// more.
static unsigned digit_bits(uint32_t sets)
{
    unsigned bits = sets > 1 ? 32 - (unsigned)__builtin_clz(sets - 1) : 0;
    return bits > 10 ? bits : 10;
}

IruHash iru_hash(const HdPlace *place)
{
    const IruConfiguration *c = iru_configuration(place);
    bool shared = place->parameters[IRU_TABLE] == IRU_SHARED;
    uint32_t slices = shared ? place->places : 1, sets = iru_parameter(place, IRU_SETS);
    return (IruHash){.target = iru_target(c), .type_size = c->type_size, .slices = slices,
                     .sets = sets, .banks = iru_parameter(place, IRU_BANKS),
                     .shift = place->parameters[IRU_BLOCK] == IRU_BLOCK_128 ? 7 : 5,
                     .bits = digit_bits(slices * sets),
                     .place = shared ? IRU_ANY_SLICE : place->number};
}

// ---- entries ----

static IruTable *table_of(const HdPlace *place) { return place->structures[IRU_TABLES]; }

static IruFill *fill_at(const HdPlace *place, unsigned set)
{
    return (IruFill *)place->structures[IRU_FILLS] + set;
}

static IruElement *elements_at(const HdPlace *place, unsigned set)
{
    return (IruElement *)place->structures[IRU_SET_TABLE] +
           (size_t)set * iru_parameter(place, IRU_ENTRY);
}

// Adds as the guest's add.f32 does: to nearest even, and one bit pattern for all NaNs.
static uint32_t add_floats(uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    float sum = x + y;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return sum != sum ? UINT32_C(0x7fffffff) : bits;
}

// Of equal secondaries, and without secondaries, the earlier element stays.
static void merge(const HdPlace *place, IruElement *old, const IruElement *element)
{
    if (iru_configuration(place)->filter == IRU_ADD)
        old->secondary = add_floats(old->secondary, element->secondary);
    else if (element->secondary < old->secondary)
        *old = *element;
}

static bool merges(const HdPlace *place, const IruHome *home, const IruElement *element)
{
    IruElement *elements = elements_at(place, home->set);
    if (iru_configuration(place)->filter == IRU_NONE) return false;
    for (unsigned i = 0; i < fill_at(place, home->set)->elements; i++)
        if (elements[i].index == element->index) {
            merge(place, &elements[i], element);
            return true;
        }
    return false;
}

// Whether the entry has an element of another block.
static bool is_beside(const HdPlace *place, const IruHome *home)
{
    const IruElement *elements = elements_at(place, home->set);
    IruHash hash = iru_hash(place);
    for (unsigned i = 0; i < fill_at(place, home->set)->elements; i++)
        if (iru_block(&hash, elements[i].index) != home->block) return true;
    return false;
}

IruInserted iru_table_insert(HdPlace *place, const IruHome *home, const IruElement *element)
{
    IruCounted *counted = place->counters;
    IruTable *table = table_of(place);
    IruFill *fill = fill_at(place, home->set);
    if (merges(place, home, element)) {
        counted->merged++;
        iru_balance(place)->merged++;
        iru_balance(place)->placed++;
        iru_launch(place)->placed++;
        return IRU_MERGED;
    }
    if (fill->elements == iru_parameter(place, IRU_ENTRY)) return IRU_FULL;
    counted->beside += is_beside(place, home);
    elements_at(place, home->set)[fill->elements++] = *element;
    table->elements++;
    iru_balance(place)->placed++;
    iru_launch(place)->placed++;
    unsigned best = table->known ? fill_at(place, table->best)->elements : 0;
    if (table->known && (fill->elements > best ||
                         (fill->elements == best && home->set < table->best)))
        table->best = home->set & 0xffff;
    return IRU_INSERTED;
}

unsigned iru_table_elements(const HdPlace *place) { return table_of(place)->elements; }

// In hardware a tree of comparators, which has its answer in each cycle. Here a loop that compilers
// vectorise: the largest number, whose low half prefers the lowest set.
static unsigned best_set(HdPlace *place)
{
    IruTable *table = table_of(place);
    if (table->known) return table->best;
    const IruFill *fills = fill_at(place, 0);
    uint32_t sets = iru_parameter(place, IRU_SETS), most = 0;
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t number = fills[set].elements << 16 | (IRU_MAX_SETS - 1 - set);
        most = number > most ? number : most;
    }
    table->best = ~most & 0xffff;
    table->known = 1;
    return table->best;
}

unsigned iru_table_most(HdPlace *place) { return fill_at(place, best_set(place))->elements; }

unsigned iru_table_take(HdPlace *place, unsigned most, IruElement *to)
{
    IruTable *table = table_of(place);
    unsigned taken = 0;
    while (taken < most && table->elements) {
        unsigned set = best_set(place);
        IruFill *fill = fill_at(place, set);
        IruElement *elements = elements_at(place, set);
        unsigned count = most - taken < fill->elements ? most - taken : fill->elements;
        memcpy(to + taken, elements, count * sizeof *to);
        memmove(elements, elements + count, (fill->elements - count) * sizeof *elements);
        fill->elements -= count;
        table->elements = (table->elements - count) & 0x3fffff;
        table->known = 0;
        taken += count;
    }
    return taken;
}
