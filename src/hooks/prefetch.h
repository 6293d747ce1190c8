// Prefetches at one cache: what its mechanisms have asked for, and what became of it.
//
// Each mechanism that prefetches has a queue of lines, which is one of its structures. The cache's
// owner looks up the first one, sector by sector, where nothing else wants the tags. Which sectors
// came by a prefetch and have not been used is known here to the line: it is what the counters
// `useful` and `useless` need, and no part of the modelled hardware.
#ifndef HEDDLE_HOOKS_PREFETCH_H
#define HEDDLE_HOOKS_PREFETCH_H

#include "heddle/mechanism.h"
#include "stats/stats.h"

// What a look-up has found; in the order of the counters.
typedef enum PrefetchOutcome {
    PREFETCH_OUTSIDE,
    PREFETCH_ELSEWHERE,
    PREFETCH_REDUNDANT,
    PREFETCH_NO_ROOM,
    PREFETCH_FETCHED, // it must be sent down
    PREFETCH_OUTCOMES
} PrefetchOutcome;

// A use: a hit, or what waits for data on their way, of anything but a store.
#define PREFETCH_COUNTERS(C)                                                                       \
    C(requested, "lines", "Lines that the mechanism has asked for.")                               \
    C(queue_full, "lines", "... that found its queue full.")                                       \
    C(kernel_end, "lines", "... that waited there as a kernel began or ended.")                    \
    C##_ARRAY(by_outcome, PREFETCH_OUTCOMES, PREFETCH_BY_OUTCOME)                                  \
    C(late, "sectors", "Of fetched: an access waited for them before they came.")                  \
    C(useful, "sectors", "... found by an access.")                                                \
    C(useless, "sectors", "... that left or were written over before one came.")                   \
    C(unused, "sectors", "... that are still there, and none has come.")
#define PREFETCH_BY_OUTCOME(C)                                                                     \
    C(unallocated, "lines", "... that lie in no allocation.")                                      \
    C(other_slice, "lines", "... that belong to another slice.")                                   \
    C(redundant, "sectors", "Sectors of the other lines that were there or on their way.")         \
    C(no_room, "sectors",                                                                          \
      "... for which there was no MSHR entry, place in the miss queue or line.")                   \
    C(fetched, "sectors", "... that were fetched.")
typedef struct PrefetchCounters { PREFETCH_COUNTERS(STAT_FIELD) } PrefetchCounters;
extern const StatTable prefetch_table;

typedef struct Prefetcher { // of one mechanism
    HdPrefetch *queue;      // the first one is looked up next
    uint32_t entries, waiting;
    uint8_t *unused;        // by line: its sectors that came by a prefetch and were not used
    PrefetchCounters counted;
} Prefetcher;

typedef struct Prefetches {
    Prefetcher *items;
    unsigned count;
    uint32_t line, sector; // bytes
    bool parts;   // sectors are parts of lines: all of a line are looked up, and fetched, as one
    size_t lines; // of the cache
} Prefetches;

// Of at most so many mechanisms; NULL: memory is out.
Prefetches *prefetches_new(unsigned most);
void prefetches_free(Prefetches *all);
// One more, with this queue, which is empty; `queue` outlives it.
Prefetcher *prefetches_add(Prefetches *all, HdPrefetch *queue, uint32_t entries);

// What the cache's lines are.
void prefetches_line(Prefetches *all, uint32_t line, uint32_t sector, bool parts);

// hd_prefetch.
void prefetcher_ask(Prefetcher *prefetcher, uint64_t address);
// A kernel begins or ends: nothing waits any more.
void prefetches_end(Prefetches *all);

// ---- lines, by their place in the cache; false: memory is out ----

// All are unused from now on, and there are so many; more are behind the others.
bool prefetches_size(Prefetches *all, size_t lines);
bool prefetches_grow(Prefetches *all, size_t lines);
// These sectors leave; the line of `from` takes the place of the one at `to`; two change places.
void prefetches_leave(Prefetches *all, size_t slot, uint8_t sectors);
void prefetches_move(Prefetches *all, size_t from, size_t to);
void prefetches_swap(Prefetches *all, size_t a, size_t b);
// Prefetched sectors have come, and for `late` of them somebody has waited.
void prefetches_filled(Prefetches *all, unsigned owner, size_t slot, uint8_t sectors, uint8_t late);
// The same, but that they stay nowhere: they were written over on their way.
void prefetches_lost(Prefetches *all, unsigned owner, uint8_t sectors, uint8_t late);
// What the access has found of its line is used.
void prefetches_used(Prefetches *all, size_t slot, const HdAccess *access);

// ---- look-ups ----

static inline bool prefetches_wait(const Prefetches *all)
{
    for (unsigned i = 0; i < all->count; i++)
        if (all->items[i].waiting) return true;
    return false;
}

typedef struct Prefetch {
    unsigned owner;   // index into items
    uint64_t line;    // address
    uint64_t address; // of the sector
} Prefetch;

// What is looked up next: the first mechanism's first. There is one.
Prefetch prefetches_first(const Prefetches *all);
// It has been; parts: where these are looked up as one, those that are not redundant.
void prefetches_looked_up(Prefetches *all, const Prefetch *prefetch, PrefetchOutcome outcome,
                          uint8_t parts);

// The counters of one mechanism, as they stand.
PrefetchCounters prefetcher_counters(const Prefetcher *prefetcher, size_t lines);

#endif
