// A cache's parameters: the table of a machine file's keys, the names of stall reasons, and the
// checks that no single parameter can make.
#include "memory/cache/cache_state.h"

#include "base/bits.h"

#include <stddef.h>

static const char *const modes[] = {"cache", "unbounded", "off", NULL};
static const char *const all_ways[] = {"all", NULL};
static const char *const replacements[] = {"lru", "fifo", "random", NULL};
static const char *const indices[] = {"linear", "xor", "fermi", "polynomial", "prime",
                                      NULL};
static const char *const allocations[] = {"on_miss", "on_fill", NULL};
static const char *const writes[] = {"back", "through", "evict", NULL};
static const char *const write_misses[] = {"lazy", "fetch", "around", NULL};
static const char *const switches[] = {"on", "off", NULL};
static const char *const completions[] = {"stores", "one-store", NULL};

enum {
    GIB = 1 << 30,
    MAX_TABLE_ENTRIES = 1 << 16,
    MAX_WAYS = 1 << 12,
    MAX_VICTIM_ENTRIES = 256,
    MAX_QUEUE_ENTRIES = 255
};

#define AT(field) offsetof(CacheConfig, field)
// The rows of a cache's section, for both tables. absent_mode: Knob.absent. only: Knob.when.
#define CACHE_KNOBS(default_mode, absent_mode, only)                                               \
    {.key = "mode", .type = KNOB_CHOICE, .offset = AT(mode), .value = default_mode,                \
     .choices = modes, .absent = absent_mode,                                                      \
     .doc = "A finite cache, one that keeps every line (size, ways and index are ignored), or "    \
            "none (l1d, l1r, l15, l2 only)."},                                                     \
    {.key = "size", .type = KNOB_BYTES, .offset = AT(size), .value = "16 KiB", .max = GIB,         \
     .when = only,                                                                                 \
     .doc = "Data capacity."},                                                                     \
    {.key = "line", .type = KNOB_BYTES, .offset = AT(line), .value = "128 B", .min = 32,           \
     .max = 128, .when = only,                                                                     \
     .doc = "Bytes of a line, which has one tag."},                                                \
    {.key = "sector", .type = KNOB_BYTES, .offset = AT(sector), .value = "128 B", .min = 16,       \
     .max = 128, .when = only,                                                                     \
     .doc = "Bytes that are fetched and valid together; as large as the line: not sectored."},     \
    {.key = "ways", .type = KNOB_COUNT, .offset = AT(ways), .value = "4", .max = MAX_WAYS,         \
     .choices = all_ways, .unit = "lines", .when = only,                                           \
     .doc = "Lines per set; all: fully associative; l1d only: 0 is the least number from 4 on "    \
            "that gives a power of two of sets."},                                                 \
    {.key = "replacement", .type = KNOB_CHOICE, .offset = AT(replacement), .value = "lru",         \
     .choices = replacements, .when = only,                                                        \
     .doc = "The line that a new one replaces: least recently used, oldest, or random."},          \
    {.key = "index", .type = KNOB_CHOICE, .offset = AT(index), .value = "linear",                  \
     .choices = indices, .when = only,                                                             \
     .doc = "How an address selects its set; prime leaves the sets above the greatest prime "      \
            "unused."},                                                                            \
    {.key = "polynomial", .type = KNOB_COUNT, .offset = AT(polynomial), .value = "0",              \
     .max = UINT32_MAX, .when = "index=polynomial",                                                \
     .doc = "Irreducible polynomial, bit i the coefficient of x^i; 0: the smallest of the right "  \
            "degree."},                                                                            \
    {.key = "allocate", .type = KNOB_CHOICE, .offset = AT(allocate), .value = "on_miss",           \
     .choices = allocations, .when = only,                                                         \
     .doc = "When a line is allocated for data that are fetched."},                                \
    {.key = "write", .type = KNOB_CHOICE, .offset = AT(write), .value = "through",                 \
     .choices = writes, .when = only,                                                              \
     .doc = "What a store does (to any memory but thread-local memory)."},                         \
    {.key = "local_write", .type = KNOB_CHOICE, .offset = AT(local_write), .value = "through",     \
     .choices = writes, .when = only,                                                              \
     .doc = "What a store to thread-local memory does."},                                          \
    {.key = "write_miss", .type = KNOB_CHOICE, .offset = AT(write_miss), .value = "around",        \
     .choices = write_misses, .when = only,                                                        \
     .doc = "What a write-back store does on a miss: allocate and fetch on a later read, "         \
            "allocate and fetch now, or forward without allocating."},                             \
    {.key = "complete_by", .type = KNOB_CHOICE, .offset = AT(complete_by), .value = "stores",      \
     .choices = completions, .when = only,                                                         \
     .doc = "What makes a sector readable without a fetch: stores that together have written all " \
            "of its bytes (stores), or only one store of all of them (one-store)."},               \
    {.key = "victim_entries", .type = KNOB_COUNT, .offset = AT(victim_entries), .value = "0",      \
     .max = MAX_VICTIM_ENTRIES, .unit = "lines", .when = only,                                     \
     .doc = "Lines of a fully associative buffer of the lines last replaced in the sets; a hit "   \
            "there has the latency of any hit."},                                                  \
    {.key = "mshr_entries", .type = KNOB_COUNT, .offset = AT(mshr_entries), .value = "64",         \
     .min = 1, .max = MAX_TABLE_ENTRIES, .unit = "sectors", .when = only,                          \
     .doc = "Fetches that can be pending at once."},                                               \
    {.key = "mshr_merges", .type = KNOB_COUNT, .offset = AT(mshr_merges), .value = "8", .min = 1,  \
     .max = MAX_TABLE_ENTRIES, .unit = "requests", .when = only,                                   \
     .doc = "Requests that can wait for one fetch, the first included."},                          \
    {.key = "bypass_mshr", .type = KNOB_CHOICE, .offset = AT(bypass_mshr), .value = "on",          \
     .choices = switches, .when = only,                                                            \
     .doc = "Whether a miss whose data bypass the cache by a mechanism's decision takes an MSHR "  \
            "entry; off (l1d only): it needs no entry, is not merged with others, and goes on "    \
            "without keeping its tag if all ways wait for data."},                                 \
    {.key = "miss_queue", .type = KNOB_COUNT, .offset = AT(miss_queue), .value = "8", .min = 1,    \
     .max = MAX_QUEUE_ENTRIES, .unit = "entries", .when = only,                                    \
     .doc = "Fetches, stores and write-backs that can wait for the next level."},                  \
    {.key = "latency", .type = KNOB_COUNT, .offset = AT(latency), .value = "1", .min = 1,          \
     .max = MAX_TABLE_ENTRIES, .unit = "cycles", .when = only,                                     \
     .doc = "From a request to its data on a hit, in cycles of the cache's clock."},               \
    {.key = "port", .type = KNOB_BYTES, .offset = AT(port), .value = "32 B", .min = 1,             \
     .max = 4096, .when = only,                                                                    \
     .doc = "Bytes moved per cycle of the cache's clock."},

const Knob cache_knobs[] = {CACHE_KNOBS("cache", NULL, NULL) {0}};

_Static_assert(offsetof(L15Config, cache) == 0, "rows of a cache's section fit");
#define WITH_L15 "mode=cache or unbounded"
const Knob l15_knobs[] = {
    CACHE_KNOBS("off", "off", WITH_L15)
    {.key = "instructions", .type = KNOB_SWITCH, .offset = offsetof(L15Config, instructions),
     .value = "off", .when = WITH_L15,
     .doc = "Whether it serves the misses of the L1I, beside those of the L1C."},
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
    if ((back || local_back) && c->miss_queue < 2)
        return hd_fail(err, "%s: miss_queue: %u: expected at least 2, for a miss and the "
                            "write-back that it causes",
                       name, c->miss_queue);
    return true;
}
