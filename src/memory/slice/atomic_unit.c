// When the atomic unit of a slice performs the lanes of an atomic.
#include "memory/slice/atomic_unit.h"

bool atomic_unit_init(AtomicUnit *unit, const AtomicsConfig *config, HdTables *tables)
{
    *unit = (AtomicUnit){.words = config->words, .word_cycles = config->word_cycles};
    if (unit->word_cycles < 2) return true; // a pass takes a cycle, so that no word has to wait
    // One request at a time, and each takes a cycle: a word is free after word_cycles requests.
    unit->recent = hd_tables_new(tables, (size_t)unit->word_cycles * HD_MAX_LANES,
                                 sizeof *unit->recent);
    return unit->recent;
}

// The words of a request, and how many lanes are on each.
typedef struct WordList {
    uint64_t address[HD_MAX_LANES];
    uint32_t lanes[HD_MAX_LANES];
    uint32_t count, most; // words; lanes of the most crowded one
} WordList;

static void find_words(WordList *list, const AtomicLanes *atomic, LaneMask lanes)
{
    list->count = list->most = 0;
    for (; lanes; lanes &= lanes - 1) {
        uint64_t address = atomic->address[lanes_first(lanes)];
        uint32_t i = 0;
        while (i < list->count && list->address[i] != address) i++;
        if (i == list->count) {
            list->address[list->count] = address;
            list->lanes[list->count++] = 0;
        }
        if (++list->lanes[i] > list->most) list->most = list->lanes[i];
    }
}

// The first cycle from `cycle` on in which a pass over all words may start. Forgets words that are
// free by then: the next request starts later.
static uint64_t first_start(AtomicUnit *unit, const WordList *list, uint64_t cycle)
{
    uint64_t start = cycle;
    uint32_t kept = 0;
    for (uint32_t r = 0; r < unit->recent_count; r++) {
        AtomicWord word = unit->recent[r];
        if (word.free <= cycle) continue;
        for (uint32_t i = 0; i < list->count; i++)
            if (list->address[i] == word.address && word.free > start) start = word.free;
        unit->recent[kept++] = word;
    }
    unit->recent_count = kept;
    return start;
}

// Remembers until when a word is taken.
static void take_word(AtomicUnit *unit, uint64_t address, uint64_t free_cycle)
{
    uint32_t r = 0;
    while (r < unit->recent_count && unit->recent[r].address != address) r++;
    if (r == unit->recent_count) unit->recent_count++;
    unit->recent[r] = (AtomicWord){address, free_cycle};
}

uint64_t atomic_unit_perform(AtomicUnit *unit, const AtomicLanes *atomic, LaneMask lanes,
                             uint64_t cycle)
{
    if (!atomic_unit_is_timed(unit) || !lanes) return cycle;
    WordList list;
    find_words(&list, atomic, lanes);
    if (unit->free > cycle) cycle = unit->free;
    uint64_t start = first_start(unit, &list, cycle), end = start;
    uint32_t passes = unit->word_cycles ? list.most : 1;
    for (uint32_t pass = 0; pass < passes; pass++) {
        uint32_t words = 0;
        for (uint32_t i = 0; i < list.count; i++) {
            words += list.lanes[i] > pass;
            if (unit->recent && list.lanes[i] == pass + 1) // its last lane
                take_word(unit, list.address[i], start + unit->word_cycles);
        }
        end = start + (unit->words ? divide_up(words, unit->words) : 1);
        start += unit->word_cycles;
        if (start < end) start = end; // of the next pass
    }
    unit->busy += end - cycle;
    unit->free = end;
    return end - 1;
}
