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

enum {
    GIB = 1 << 30,
    MAX_TABLE_ENTRIES = 1 << 16,
    MAX_WAYS = 1 << 12,
    MAX_VICTIM_ENTRIES = 256,
    MAX_QUEUE_ENTRIES = 255
};

#define AT(field) offsetof(CacheConfig, field)
const Knob cache_knobs[] = {
    {"mode", KNOB_CHOICE, AT(mode), "cache", 0, 0, modes, NULL, NULL,
     "A finite cache, one that keeps every line (size, ways and index are ignored), or none (l1d, "
     "l1r, l2 only)."},
    {"size", KNOB_BYTES, AT(size), "16 KiB", 0, GIB, NULL, NULL, NULL, "Data capacity."},
    {"line", KNOB_BYTES, AT(line), "128 B", 32, 128, NULL, NULL, NULL,
     "Bytes of a line, which has "
     "one tag."},
    {"sector", KNOB_BYTES, AT(sector), "128 B", 16, 128, NULL, NULL, NULL,
     "Bytes that are fetched and valid together; as large as the line: not sectored."},
    {"ways", KNOB_COUNT, AT(ways), "4", 0, MAX_WAYS, all_ways, "lines", NULL,
     "Lines per set; all: fully associative; l1d only: 0 is the least number from 4 on that gives "
     "a power of two of sets."},
    {"replacement", KNOB_CHOICE, AT(replacement), "lru", 0, 0, replacements, NULL, NULL,
     "The line that a new one replaces: least recently used, oldest, or random."},
    {"index", KNOB_CHOICE, AT(index), "linear", 0, 0, indices, NULL, NULL,
     "How an address selects its set; prime leaves the sets above the greatest prime unused."},
    {"polynomial", KNOB_COUNT, AT(polynomial), "0", 0, UINT32_MAX, NULL, NULL, "index=polynomial",
     "Irreducible polynomial, bit i the coefficient of x^i; 0: the smallest of the right degree."},
    {"allocate", KNOB_CHOICE, AT(allocate), "on_miss", 0, 0, allocations, NULL, NULL,
     "When a line is allocated for data that are fetched."},
    {"write", KNOB_CHOICE, AT(write), "through", 0, 0, writes, NULL, NULL,
     "What a store does (to any memory but thread-local memory)."},
    {"local_write", KNOB_CHOICE, AT(local_write), "through", 0, 0, writes, NULL, NULL,
     "What a store to thread-local memory does."},
    {"write_miss", KNOB_CHOICE, AT(write_miss), "around", 0, 0, write_misses, NULL, NULL,
     "What a write-back store does on a miss: allocate and fetch on a later read, allocate and "
     "fetch now, or forward without allocating."},
    {"victim_entries", KNOB_COUNT, AT(victim_entries), "0", 0, MAX_VICTIM_ENTRIES, NULL, "lines",
     NULL,
     "Lines of a fully associative buffer of the lines last replaced in the sets; a hit there has "
     "the latency of any hit."},
    {"mshr_entries", KNOB_COUNT, AT(mshr_entries), "64", 1, MAX_TABLE_ENTRIES, NULL, "sectors",
     NULL, "Fetches that can be pending at once."},
    {"mshr_merges", KNOB_COUNT, AT(mshr_merges), "8", 1, MAX_TABLE_ENTRIES, NULL, "requests", NULL,
     "Requests that can wait for one fetch, the first included."},
    {"miss_queue", KNOB_COUNT, AT(miss_queue), "8", 1, MAX_QUEUE_ENTRIES, NULL, "entries", NULL,
     "Fetches, stores and write-backs that can wait for the next level."},
    {"latency", KNOB_COUNT, AT(latency), "1", 1, MAX_TABLE_ENTRIES, NULL, "cycles", NULL,
     "From a request to its data on a hit, in cycles of the cache's clock."},
    {"port", KNOB_BYTES, AT(port), "32 B", 1, 4096, NULL, NULL, NULL,
     "Bytes moved per cycle of the cache's clock."},
    {NULL, KNOB_COUNT, 0, NULL, 0, 0, NULL, NULL, NULL, NULL},
};

const char *cache_stall_name(CacheStall reason)
{
    static const char *const names[CACHE_STALL_REASONS] = {
        [STALL_LINE] = "line_allocation", [STALL_MSHR] = "mshr_entry",
        [STALL_MERGE] = "mshr_merge",     [STALL_MISS_QUEUE] = "miss_queue",
        [STALL_CONFLICT] = "conflict",
    };
    return (unsigned)reason < CACHE_STALL_REASONS ? names[reason] : "unknown";
}

static bool check_geometry(const CacheConfig *c, const char *name, HdError *err)
{
    if (!is_power_of_two(c->line) || c->line < 32 || c->line > MAX_LINE_BYTES)
        return hd_fail(err, "%s: line: %llu B: expected 32, 64 or 128 B", name,
                       (unsigned long long)c->line);
    if (!is_power_of_two(c->sector) || c->sector > c->line || c->line / c->sector > MAX_SECTORS)
        return hd_fail(err, "%s: sector: %llu B in lines of %llu B: expected a power of two from "
                            "%llu to %llu B",
                       name, (unsigned long long)c->sector, (unsigned long long)c->line,
                       (unsigned long long)c->line / MAX_SECTORS, (unsigned long long)c->line);
    if (c->mode != CACHE_ON) return true;
    if (!c->ways) return hd_fail(err, "%s: ways: 0: expected at least 1", name);
    uint64_t set = c->ways == WAYS_ALL ? c->line : c->line * c->ways;
    if (!c->size || c->size % set)
        return hd_fail(err, "%s: size: %llu B is not a whole number of sets of %u x %llu B: "
                            "expected, for example, %llu B, or other ways",
                       name, (unsigned long long)c->size, (unsigned)(set / c->line),
                       (unsigned long long)c->line,
                       (unsigned long long)round_up(c->size ? c->size : 1, set));
    if (c->size / c->line > UINT32_MAX / 2)
        return hd_fail(err, "%s: size: %llu B: expected at most %u lines", name,
                       (unsigned long long)c->size, UINT32_MAX / 2);
    return true;
}

bool cache_check(const CacheConfig *c, const char *name, HdError *err)
{
    if (!check_geometry(c, name, err)) return false;
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
