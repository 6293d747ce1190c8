// A cache's parameters: the knobs of a machine file, the names of refusals, and the checks that no
// single knob can make.
#include "memory/cache_state.h"

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
    GIB = 1 << 30, TABLE_MOST = 1 << 16, WAYS_MOST = 1 << 12, VICTIMS_MOST = 256, QUEUE_MOST = 255
};

#define AT(field) offsetof(CacheConfig, field)
const Knob cache_knobs[] = {
    {"mode", KNOB_CHOICE, AT(mode), "cache", 0, 0, modes, NULL, NULL,
     "A cache, one that keeps every line (size, ways and index then mean nothing), or none (l1d, "
     "l1r, l2 only)."},
    {"size", KNOB_BYTES, AT(size), "16 KiB", 0, GIB, NULL, NULL, NULL, "Data capacity."},
    {"line", KNOB_BYTES, AT(line), "128 B", 32, 128, NULL, NULL, NULL, "Bytes under one tag."},
    {"sector", KNOB_BYTES, AT(sector), "128 B", 16, 128, NULL, NULL, NULL,
     "Bytes fetched and validated as one; as large as the line: not sectored."},
    {"ways", KNOB_COUNT, AT(ways), "4", 0, WAYS_MOST, all_ways, "lines", NULL,
     "Lines per set; all: there is one set; l1d only: 0 takes the least from 4 that gives a "
     "power-of-two number of sets."},
    {"replacement", KNOB_CHOICE, AT(replacement), "lru", 0, 0, replacements, NULL, NULL,
     "Which line a new one replaces: least recently used, oldest, or random."},
    {"index", KNOB_CHOICE, AT(index), "linear", 0, 0, indices, NULL, NULL,
     "How an address chooses its set; prime leaves the sets above the greatest prime unused."},
    {"polynomial", KNOB_COUNT, AT(polynomial), "0", 0, UINT32_MAX, NULL, NULL, "index=polynomial",
     "Irreducible polynomial, bit i the coefficient of x^i; 0: the smallest of the right degree."},
    {"allocate", KNOB_CHOICE, AT(allocate), "on_miss", 0, 0, allocations, NULL, NULL,
     "When a line is taken for data that are fetched."},
    {"write", KNOB_CHOICE, AT(write), "through", 0, 0, writes, NULL, NULL,
     "What a store does (to any memory but thread-local memory)."},
    {"local_write", KNOB_CHOICE, AT(local_write), "through", 0, 0, writes, NULL, NULL,
     "What a store to thread-local memory does."},
    {"write_miss", KNOB_CHOICE, AT(write_miss), "around", 0, 0, write_misses, NULL, NULL,
     "What a store that is written back does where it misses: allocate and fetch when read, "
     "allocate and fetch now, or pass on without allocating."},
    {"victim_entries", KNOB_COUNT, AT(victim_entries), "0", 0, VICTIMS_MOST, NULL, "lines", NULL,
     "Lines of a fully associative buffer of what the sets last gave up; a hit there takes as long "
     "as any."},
    {"mshr_entries", KNOB_COUNT, AT(mshr_entries), "64", 1, TABLE_MOST, NULL, "sectors", NULL,
     "Sectors that can be on their way at once."},
    {"mshr_merges", KNOB_COUNT, AT(mshr_merges), "8", 1, TABLE_MOST, NULL, "requests", NULL,
     "Requests that can wait for one sector, the first included."},
    {"miss_queue", KNOB_COUNT, AT(miss_queue), "8", 1, QUEUE_MOST, NULL, "entries", NULL,
     "Fetches, stores and write-backs that can wait for the next level."},
    {"latency", KNOB_COUNT, AT(latency), "1", 1, TABLE_MOST, NULL, "cycles", NULL,
     "From a request to its data on a hit, in cycles of the cache's clock."},
    {"port", KNOB_BYTES, AT(port), "32 B", 1, 4096, NULL, NULL, NULL,
     "Data moved per cycle of the cache's clock."},
    {NULL, KNOB_COUNT, 0, NULL, 0, 0, NULL, NULL, NULL, NULL},
};

const char *cache_refusal_name(CacheRefusal reason)
{
    static const char *const names[CACHE_REFUSALS] = {
        [REFUSED_LINE] = "line_allocation", [REFUSED_MSHR] = "mshr_entry",
        [REFUSED_MERGE] = "mshr_merge",     [REFUSED_MISS_QUEUE] = "miss_queue",
        [REFUSED_CONFLICT] = "conflict",
    };
    return (unsigned)reason < CACHE_REFUSALS ? names[reason] : "unknown";
}

static bool check_geometry(const CacheConfig *c, const char *name, HdError *err)
{
    if (!is_power_of_two(c->line) || c->line < 32 || c->line > MAX_LINE_BYTES)
        return hd_fail(err, "%s: line: %llu B is not possible; 32, 64 or 128 B is", name,
                       (unsigned long long)c->line);
    if (!is_power_of_two(c->sector) || c->sector > c->line || c->line / c->sector > MAX_SECTORS)
        return hd_fail(err, "%s: sector: a line of %llu B cannot have sectors of %llu B; a power "
                            "of two from %llu to %llu B divides it",
                       name, (unsigned long long)c->line, (unsigned long long)c->sector,
                       (unsigned long long)c->line / MAX_SECTORS, (unsigned long long)c->line);
    if (c->mode != CACHE_ON) return true;
    if (!c->ways) return hd_fail(err, "%s: ways: a set needs at least 1 line", name);
    uint64_t set = c->ways == WAYS_ALL ? c->line : c->line * c->ways;
    if (!c->size || c->size % set)
        return hd_fail(err, "%s: size: %llu B is not a whole number of sets of %u x %llu B; "
                            "%llu B would be, or other ways",
                       name, (unsigned long long)c->size, (unsigned)(set / c->line),
                       (unsigned long long)c->line,
                       (unsigned long long)round_up(c->size ? c->size : 1, set));
    if (c->size / c->line > UINT32_MAX / 2)
        return hd_fail(err, "%s: size: %llu B is more than %u lines", name,
                       (unsigned long long)c->size, UINT32_MAX / 2);
    return true;
}

bool cache_check(const CacheConfig *c, const char *name, HdError *err)
{
    if (!check_geometry(c, name, err)) return false;
    if (c->mode == CACHE_UNBOUNDED && c->victim_entries)
        return hd_fail(err, "%s: victim_entries: an unbounded cache gives up no line; 0 is right",
                       name);
    if (!c->mshr_entries || !c->mshr_merges)
        return hd_fail(err, "%s: mshr_entries and mshr_merges must be at least 1 each", name);
    bool back = c->write == WRITE_BACK, local_back = c->local_write == WRITE_BACK;
    if ((back || local_back) && c->allocate == ALLOCATE_ON_FILL)
        return hd_fail(err, "%s: %s: back cannot go with allocate: on_fill: the data that come "
                            "would wait for a dirty line to leave, and it for them; use allocate: "
                            "on_miss, or write through or evict",
                       name, back ? "write" : "local_write");
    if ((back || local_back) && c->miss_queue < 2)
        return hd_fail(err, "%s: miss_queue: a miss and the write-back it causes do not fit into "
                            "%u; 2 or more entries do",
                       name, c->miss_queue);
    return true;
}
