// A place of mechanisms, driven by a test.
#include "mechanism_rig.h"

#include "hooks/gpu_hooks.h"
#include "mechanisms/mechanism_registry.h"

#include <string.h>

// ---- set-up ----

static void attach(Rig *rig, const RigPlace *place, const char *text)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, place->find ? place->find : mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, place->level, place->number, 1, &err))
        fail_msg("%s", err.text);
    assert_non_null(rig->hooks);
}

void rig_init_place(Rig *rig, const RigPlace *place, const char *text)
{
    HdError err = {0};
    *rig = (Rig){0};
    attach(rig, place, text);
    size_t lines = place->lines ? place->lines : 64, sets = place->lines ? place->sets : 8;
    if (!cache_hooks_reset_lines(rig->hooks, lines, sets, (uint32_t)(lines / sets), &err))
        fail_msg("%s", err.text);
    cache_hooks_set_place_count(rig->hooks, place->count ? place->count : 1);
    cache_hooks_set_line(rig->hooks, RIG_LINE, RIG_SECTOR, false);
}

void rig_init(Rig *rig, HookLevel level, const char *text)
{
    rig_init_place(rig, &(RigPlace){.level = level}, text);
}

static void init_cache(Rig *rig, HookLevel level, const char *text, uint32_t sets, uint32_t ways,
                       CacheAllocate allocate)
{
    HdError err = {0};
    *rig = (Rig){
        .config = {.size = (uint64_t)sets * ways * RIG_LINE, .line = RIG_LINE, .sector = RIG_LINE,
                   .ways = ways, .allocate = allocate, .write = WRITE_EVICT,
                   .local_write = WRITE_EVICT, .mshr_entries = 4, .mshr_merges = 4, .miss_queue = 4,
                   .latency = 1, .port = 32}};
    attach(rig, &(RigPlace){.level = level}, text);
    rig->cache = cache_new(&rig->config, "test", 1, &err);
    if (!rig->cache || !cache_attach(rig->cache, rig->hooks, &err)) fail_msg("%s", err.text);
}

void rig_init_sets(Rig *rig, HookLevel level, const char *text, uint32_t sets, uint32_t ways)
{
    init_cache(rig, level, text, sets, ways, ALLOCATE_ON_MISS);
}

void rig_init_cache(Rig *rig, HookLevel level, const char *text, uint32_t lines,
                    CacheAllocate allocate)
{
    init_cache(rig, level, text, 1, lines, allocate);
}

void rig_free(Rig *rig)
{
    if (rig->cache) cache_free(rig->cache);
    cache_hooks_free(rig->hooks);
    cache_hooks_free(rig->gpu);
    plan_free(&rig->plan);
}

uint64_t place_counter(const CacheHooks *hooks, const HookPlan *plan, const char *name)
{
    const PlannedMechanism *planned = &plan->items[0];
    const HdCounter *counters = planned->mechanism->counters;
    for (size_t i = 0; counters[i].name; i++)
        if (strcmp(counters[i].name, name) == 0) return cache_hooks_counter(hooks, planned, i);
    fail_msg("no counter %s", name);
    return 0;
}

uint64_t rig_counter(const Rig *rig, const char *name)
{
    return place_counter(rig->hooks, &rig->plan, name);
}

void rig_kernel(Rig *rig, bool begins)
{
    cache_hooks_on_kernel(rig->hooks, 0, &(HdKernel){.name = "k"}, begins);
}

void rig_quantum(Rig *rig)
{
    HdError err = {0};
    if (!rig->gpu && !gpu_hooks_new(&rig->gpu, &rig->plan, 1, 1, 1, &err)) fail_msg("%s", err.text);
    CacheHooks *const *at[2] = {NULL, NULL};
    at[rig->hooks->level == HOOK_L2] = &rig->hooks;
    gpu_hooks_on_quantum(rig->gpu, at[0], at[1], &(HdQuantum){.sms = 1, .slices = 1});
}

// ---- without a cache ----

// Hands the access to the hooks, as a cache's owner does.
static void present(Rig *rig, const HdAccess *access)
{
    cache_hooks_at(rig->hooks, access->cycle);
    rig->hooks->current.access = *access;
    rig->hooks->current.access.launch = rig->hooks->launch;
    rig->hooks->current.sideband_tags = access->sideband;
}

HdInsertion rig_decide_insert(Rig *rig, HdAccess miss, uint64_t victim)
{
    bool full = victim != HD_NO_LINE;
    HdRoom room = {full ? HD_ROOM_VICTIM : HD_ROOM_FREE, {.line = victim}};
    present(rig, &miss);
    return cache_hooks_decide_insert(rig->hooks, &room);
}

HdInsertion rig_decide_reserved(Rig *rig, HdAccess miss)
{
    present(rig, &miss);
    return cache_hooks_decide_insert(rig->hooks, &(HdRoom){.state = HD_ROOM_RESERVED});
}

void rig_serve(Rig *rig, HdAccess access, HdOutcome outcome)
{
    present(rig, &access);
    cache_hooks_on_access(rig->hooks, outcome, outcome == HD_HIT ? access.line_index : HD_NO_INDEX);
}

HdInsertion rig_miss(Rig *rig, HdAccess miss, uint64_t victim)
{
    HdInsertion decision = rig_decide_insert(rig, miss, victim);
    assert_int_equal(rig_decide_insert(rig, miss, victim), decision);
    miss.insertion = (uint8_t)decision;
    miss.victim = victim;
    rig_serve(rig, miss, HD_MISS);
    return decision;
}

void rig_fill(Rig *rig, HdAccess fill)
{
    cache_hooks_at(rig->hooks, fill.cycle);
    rig->hooks->current.filled = fill;
    rig->hooks->current.sideband_tags = fill.sideband;
    cache_hooks_on_fill(rig->hooks);
}

uint32_t rig_tag(Rig *rig, HdAccess access)
{
    present(rig, &access);
    return cache_hooks_sideband_tags(rig->hooks);
}

bool rig_sends_back(Rig *rig, uint32_t slot)
{
    return cache_hooks_decide_clean_eviction(rig->hooks, &(HdEviction){.line_index = slot});
}

// ---- with a cache ----

unsigned rig_access(Rig *rig, HdKind kind, HdCacheKind from, uint32_t pc, unsigned line,
                    unsigned sectors)
{
    HdAccess access = {.line = line * RIG_LINE,
                       .pc = pc,
                       .line_index = HD_NO_INDEX,
                       .sector_mask = (uint8_t)sectors,
                       .cache = (uint8_t)from,
                       .kind = (uint8_t)kind};
    rig->hooks->current.access = access;
    unsigned first = (unsigned)__builtin_ctz(sectors);
    CacheAccess look_up = {.address = line * RIG_LINE + first * RIG_SECTOR,
                           .sectors = (uint8_t)sectors, .atomic = kind == HD_ATOMIC};
    CacheResult result = cache_access_warm(rig->cache, &look_up);
    if (!result.fetch) return 0;
    access.line_index = rig->hooks->current.filled.line_index;
    rig_fill(rig, access);
    return result.sectors;
}

bool rig_reads(Rig *rig, uint32_t pc, unsigned line, unsigned sectors)
{
    HdAccess access = {.line = line * RIG_LINE, .pc = pc, .line_index = HD_NO_INDEX,
                       .sector_mask = (uint8_t)sectors, .kind = HD_LOAD};
    CacheHooks *hooks = rig->hooks;
    hooks->current.access = access;
    CacheAccess look_up = {.address = access.line, .sectors = (uint8_t)sectors};
    CacheResult result = cache_access_warm(rig->cache, &look_up);
    cache_hooks_on_insert(hooks, &hooks->current.access);
    cache_hooks_on_access(hooks, (HdOutcome)result.outcome,
                          cache_line_index(rig->cache, access.line));
    return result.outcome == CACHE_HIT;
}

bool rig_hits(Rig *rig, unsigned line) { return rig_reads(rig, 1, line, 0xf); }

unsigned rig_load(Rig *rig, uint32_t pc, unsigned line, unsigned sectors)
{
    return rig_access(rig, HD_LOAD, HD_L1D, pc, line, sectors);
}
