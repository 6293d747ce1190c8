// A cache's parameters: the table of a machine file's keys, the names of stall reasons, and the
// checks that no single parameter can make.
#include "memory/cache/cache_state.h"

#include "base/bits.h"
#include "config/rows.h"

#include <stddef.h>

static const char *const modes[] = {
    [CACHE_ON] = "cache", [CACHE_UNBOUNDED] = "unbounded", [CACHE_OFF] = "off", NULL,
};
static const char *const all_ways[] = {"all", NULL};
static const char *const replacements[] = {
    [REPLACE_LRU] = "lru", [REPLACE_FIFO] = "fifo", [REPLACE_RANDOM] = "random", NULL,
};
static const char *const indices[] = {
    [INDEX_LINEAR] = "linear", [INDEX_XOR] = "xor", [INDEX_FERMI] = "fermi",
    [INDEX_POLYNOMIAL] = "polynomial", [INDEX_PRIME] = "prime", NULL,
};
static const char *const allocations[] = {
    [ALLOCATE_ON_MISS] = "on_miss", [ALLOCATE_ON_FILL] = "on_fill", NULL,
};
static const char *const writes[] = {
    [WRITE_BACK] = "back", [WRITE_THROUGH] = "through", [WRITE_EVICT] = "evict", NULL,
};
static const char *const write_misses[] = {
    [WRITE_MISS_LAZY] = "lazy", [WRITE_MISS_FETCH] = "fetch", [WRITE_MISS_AROUND] = "around",
    [WRITE_MISS_FORWARD] = "fetch-and-forward", NULL,
};
static const char *const switches[] = {[BYPASS_MSHR_ON] = "on", [BYPASS_MSHR_OFF] = "off", NULL};
static const char *const off_requests[] = {
    [OFF_REQUEST_SECTOR] = "32B", [OFF_REQUEST_LINE] = "128B", NULL,
};
static const char *const completions[] = {
    [COMPLETE_BY_STORES] = "stores", [COMPLETE_BY_ONE_STORE] = "one-store", NULL,
};

enum {
    GIB = 1 << 30,
    MAX_TABLE_ENTRIES = 1 << 16,
    MAX_WAYS = 1 << 12,
    MAX_VICTIM_ENTRIES = 256,
    MAX_QUEUE_ENTRIES = 255
};

// The rows of a cache's section, for both tables. absent_mode: HdParameter.absent. only: .when.
#define CACHE_ROWS(default_mode, absent_mode, only)                                                \
    CHOICE(CacheConfig, mode, default_mode, modes,                                                 \
           "A finite cache, one that keeps every line (size, ways and index are ignored), or "     \
           "none (l1d, l1r, l15, l2 only).", .absent = absent_mode),                               \
    BYTES(CacheConfig, size, "16KiB", 0, GIB, "Data capacity; of the L2: of a slice.",             \
          .when = only),                                                                           \
    BYTES(CacheConfig, line, "128B", 32, 128, "Bytes of a line, which has one tag.",               \
          .when = only),                                                                           \
    BYTES(CacheConfig, sector, "128B", 16, 128,                                                    \
          "Bytes that are fetched and valid together; as large as the line: not sectored.",        \
          .when = only),                                                                           \
    WHOLE(CacheConfig, ways, 4, 0, MAX_WAYS, "lines",                                              \
          "Lines per set; all: fully associative; l1d only: 0 is the least number from 4 on "      \
          "that gives a power of two of sets.", .choices = all_ways, .when = only),                \
    CHOICE(CacheConfig, replacement, "lru", replacements,                                          \
           "The line that a new one replaces: least recently used, oldest, or random.",            \
           .when = only),                                                                          \
    CHOICE(CacheConfig, index, "linear", indices,                                                  \
           "How an address selects its set; prime leaves the sets above the greatest prime "       \
           "unused.", .when = only),                                                               \
    WHOLE(CacheConfig, polynomial, 0, 0, UINT32_MAX, NULL,                                         \
          "Irreducible polynomial, bit i the coefficient of x^i; 0: the smallest of the right "    \
          "degree.", .when = "index=polynomial"),                                                  \
    CHOICE(CacheConfig, allocate, "on_miss", allocations,                                          \
           "When a line is allocated for data that are fetched.", .when = only),                   \
    CHOICE(CacheConfig, write, "through", writes,                                                  \
           "What a store does (to any memory but thread-local memory).", .when = only),            \
    CHOICE(CacheConfig, local_write, "through", writes,                                            \
           "What a store to thread-local memory does.", .when = only),                             \
    CHOICE(CacheConfig, write_miss, "around", write_misses,                                        \
           "What a write-back store does on a miss: allocate and fetch on a later read, "          \
           "allocate and fetch now what it does not write, forward without allocating, or "        \
           "allocate, fetch whole sectors and forward as well, also while they are fetched.",      \
           .when = only),                                                                          \
    CHOICE(CacheConfig, complete_by, "stores", completions,                                        \
           "What makes a sector readable without a fetch: stores that together have written "      \
           "all of its bytes (stores), or only one store of all of them (one-store).",             \
           .when = only),                                                                          \
    WHOLE(CacheConfig, victim_entries, 0, 0, MAX_VICTIM_ENTRIES, "lines",                          \
          "Lines of a fully associative buffer of the lines last replaced in the sets; a hit "     \
          "there has the latency of any hit.", .when = only),                                      \
    WHOLE(CacheConfig, mshr_entries, 64, 1, MAX_TABLE_ENTRIES, "sectors",                          \
          "Fetches that can be pending at once.", .when = only),                                   \
    WHOLE(CacheConfig, mshr_merges, 8, 1, MAX_TABLE_ENTRIES, "requests",                           \
          "Requests that can wait for one fetch, the first included.", .when = only),              \
    CHOICE(CacheConfig, bypass_mshr, "on", switches,                                               \
           "Whether a miss whose data bypass the cache by a mechanism's decision takes an MSHR "   \
           "entry; off (l1d only): it needs no entry, is not merged with others, and goes on "     \
           "without keeping its tag if all ways wait for data.", .when = only),                    \
    WHOLE(CacheConfig, miss_queue, 8, 1, MAX_QUEUE_ENTRIES, "entries",                             \
          "Fetches, stores and write-backs that can wait for the next level.", .when = only),      \
    WHOLE(CacheConfig, latency, 1, 1, MAX_TABLE_ENTRIES, "cycles",                                 \
          "From a request to its data on a hit, in cycles of the cache's clock.", .when = only),   \
    BYTES(CacheConfig, port, "32B", 1, 4096, "Bytes moved per cycle of the cache's clock.",        \
          .when = only),

const HdParameter cache_parameters[] = {CACHE_ROWS("cache", NULL, NULL) {0}};

const HdParameter l1d_parameters[] = {
    CACHE_ROWS("cache", NULL, NULL)
    CHOICE(CacheConfig, off_request, "32B", off_requests,
           "What a global load requests: each 32-byte sector apart, or all that its lanes access "
           "of a 128-byte line together. That request covers the line, or its half or quarter if "
           "no lane accesses the rest.", .when = "mode=off"),
    {0},
};

_Static_assert(offsetof(L15Config, cache) == 0, "rows of a cache's section fit");
#define WITH_L15 "mode=cache or unbounded"
const HdParameter l15_parameters[] = {
    CACHE_ROWS("off", "off", WITH_L15)
    SWITCH(L15Config, instructions, false,
           "Whether it serves the misses of the L1I, beside those of the L1C.", .when = WITH_L15),
    {0},
};

const char *cache_stall_name(CacheStall reason)
{
    static const char *const names[CACHE_STALL_REASONS] = {
        [STALL_LINE] = "line_allocation", [STALL_MSHR] = "mshr_entry",
        [STALL_MERGE] = "mshr_merge",     [STALL_MISS_QUEUE] = "miss_queue",
        [STALL_STORE_ORDER] = "store_order",
    };
    return (unsigned)reason < CACHE_STALL_REASONS ? names[reason] : "unknown";
}

bool cache_check(const CacheConfig *c, const char *name, HdError *err)
{
    if (!is_power_of_two(c->line) || c->line < 32 || c->line > MAX_LINE_BYTES)
        return hd_fail(err, "%s: line: %llu B: expected 32, 64 or 128 B", name,
                       (unsigned long long)c->line);
    if (!is_power_of_two(c->sector) || c->sector > c->line || c->line / c->sector > MAX_SECTORS)
        return hd_fail(err, "%s: sector: %llu B in lines of %llu B: expected a power of two from "
                            "%llu to %llu B",
                       name, (unsigned long long)c->sector, (unsigned long long)c->line,
                       (unsigned long long)c->line / MAX_SECTORS, (unsigned long long)c->line);
    if (c->mode == CACHE_ON) {
        if (!c->size)
            return hd_fail(err, "%s: size: 0 B: expected at least a line of %llu B", name,
                           (unsigned long long)c->line);
        if (!c->ways) return hd_fail(err, "%s: ways: 0: expected at least 1", name);
        uint64_t set = c->ways == WAYS_ALL ? c->line : c->line * c->ways;
        if (c->size % set)
            return hd_fail(err, "%s: size: %llu B is not a whole number of sets of %u x %llu B: "
                                "expected, for example, %llu B, or other ways",
                           name, (unsigned long long)c->size, (unsigned)(set / c->line),
                           (unsigned long long)c->line,
                           (unsigned long long)round_up(c->size, set));
        if (c->size / c->line > UINT32_MAX / 2)
            return hd_fail(err, "%s: size: %llu B: expected at most %u lines", name,
                           (unsigned long long)c->size, UINT32_MAX / 2);
    }
    if (c->mode == CACHE_UNBOUNDED && c->victim_entries)
        return hd_fail(err, "%s: victim_entries: an unbounded cache evicts no line: expected 0",
                       name);
    if (!c->mshr_entries || !c->mshr_merges)
        return hd_fail(err, "%s: mshr_entries, mshr_merges: expected at least 1 each", name);
    bool back = c->write == WRITE_BACK, local_back = c->local_write == WRITE_BACK;
    if ((back || local_back) && c->allocate == ALLOCATE_ON_FILL)
        return hd_fail(err, "%s: %s: back does not work with allocate: on_fill, where a fill would "
                            "wait for a write-back and the write-back for the fill: expected "
                            "allocate: on_miss, or write: through or evict",
                       name, back ? "write" : "local_write");
    if ((back || local_back) && c->write_miss == WRITE_MISS_FORWARD && c->miss_queue < 3)
        return hd_fail(err, "%s: miss_queue: %u: expected at least 3 with write_miss: "
                            "fetch-and-forward, for a store, its fetch, and the write-back that it "
                            "causes",
                       name, c->miss_queue);
    if ((back || local_back) && c->miss_queue < 2)
        return hd_fail(err, "%s: miss_queue: %u: expected at least 2, for a miss and the "
                            "write-back that it causes",
                       name, c->miss_queue);
    return true;
}
