// One place of mechanisms (an SM with its L1, or a slice of the L2), driven by accesses that a test
// makes up: through the calls with which caches and their owners reach mechanisms, or through a
// cache. A mechanism that cannot be attached fails the test.
#ifndef HEDDLE_TESTS_MECHANISMS_MECHANISM_RIG_H
#define HEDDLE_TESTS_MECHANISMS_MECHANISM_RIG_H

#include "hooks/cache_hooks.h"
#include "memory/cache/cache.h"

// cmocka wants these before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RIG_LINE = 128, RIG_SECTOR = 32 }; // bytes

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
    CacheHooks *gpu;    // its place of the GPU; NULL before rig_quantum
    CacheConfig config; // of the cache
    Cache *cache;       // NULL unless rig_init_cache
} Rig;

// Attaches the mechanisms of `text`, as in --mechanism, to cache 0 of this level. That cache has
// 64 lines in 8 sets.
void rig_init(Rig *rig, HookLevel level, const char *text);

// The same with other numbers.
typedef struct RigPlace {
    HookLevel level;
    unsigned number, count; // of the SM or slice; of all SMs or slices (0: 1)
    size_t lines, sets;     // lines 0: 64 lines in 8 sets
    MechanismFinder *find;  // NULL: Heddle's own mechanisms
} RigPlace;
void rig_init_place(Rig *rig, const RigPlace *place, const char *text);

// The same with a real cache: `lines` lines of 4 sectors in one set. allocate: when lines are
// chosen, ALLOCATE_ON_MISS or ALLOCATE_ON_FILL.
void rig_init_cache(Rig *rig, HookLevel level, const char *text, uint32_t lines,
                    CacheAllocate allocate);
// The same with `sets` sets of `ways` lines, which are chosen on a miss; line number n is in set
// n % sets.
void rig_init_sets(Rig *rig, HookLevel level, const char *text, uint32_t sets, uint32_t ways);
void rig_free(Rig *rig);

// A counter of the plan's first mechanism at a place, by its name.
uint64_t place_counter(const CacheHooks *hooks, const HookPlan *plan, const char *name);
// The same at the rig's place.
uint64_t rig_counter(const Rig *rig, const char *name);

// A kernel begins or ends.
void rig_kernel(Rig *rig, bool begins);

// A quantum ends, on a GPU of one SM and one slice, of which this is one.
void rig_quantum(Rig *rig);

// ---- without a cache: the test gives the outcome of an access ----
// `sideband` of an access is the tag of the request (at the L2) or of the reply (at the L1).

// Decides the insertion of a load's miss. `victim`: the line that it would evict; HD_NO_LINE: none.
HdInsertion rig_decide_insert(Rig *rig, HdAccess miss, uint64_t victim);

// The same where all ways wait for data.
HdInsertion rig_decide_reserved(Rig *rig, HdAccess miss);

// Serves the access. A hit finds its line at `access.line_index`. After any other outcome the line
// has no index.
void rig_serve(Rig *rig, HdAccess access, HdOutcome outcome);

// A load misses. It stalls once, so that its insertion is decided twice, with the same decision;
// then it is served as a miss. Returns the decision.
HdInsertion rig_miss(Rig *rig, HdAccess miss, uint64_t victim);

// Fills the line at `fill.line_index`.
void rig_fill(Rig *rig, HdAccess fill);

// The tag bits in the request (at the L1) or the reply (at the L2) of this access.
uint32_t rig_tag(Rig *rig, HdAccess access);

// Whether a clean line in this slot is copied back to the L2 when the L1 evicts it.
bool rig_sends_back(Rig *rig, uint32_t slot);

// ---- with a cache ----

// An access by instruction `pc` of an SM's cache `from` to these sectors of line number `line`. A
// miss is filled at once. Returns the sectors that were fetched.
unsigned rig_access(Rig *rig, HdKind kind, HdCacheKind from, uint32_t pc, unsigned line,
                    unsigned sectors);
// A load of these sectors by instruction `pc`, with all its events; a miss is filled at once.
// Returns whether it hits.
bool rig_reads(Rig *rig, uint32_t pc, unsigned line, unsigned sectors);
// The same for a whole line, by instruction 1.
bool rig_hits(Rig *rig, unsigned line);
// A load of the L1D.
unsigned rig_load(Rig *rig, uint32_t pc, unsigned line, unsigned sectors);

#endif
