// The places of the mechanisms at one cache: their life, and the memory of their structures and
// counters.
#include "hooks/cache_hooks.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "config/parameter.h"
#include "hooks/core_hooks.h"
#include "hooks/engine_hooks.h"
#include "hooks/gpu_hooks.h"
#include "hooks/keyed_entries.h"

#include <stdlib.h>
#include <string.h>

STAT_TABLE(copy_back_table, CopyBackCounters, COPY_BACK_COUNTERS);

enum { RANDOM_USER_MECHANISMS = 0x4d454348 };

// ---- life ----

static uint64_t computed_entries(const CacheHooks *hooks, const PlannedMechanism *planned,
                                 const HdStructure *structure)
{
    const HdMechanism *m = planned->mechanism;
    const HookedMechanism *h = hooks->items;
    while (h->planned != planned) h++;
    return m->count_entries(&h->place, (unsigned)(structure - m->structures));
}

uint64_t cache_hooks_entries(const CacheHooks *hooks, const PlannedMechanism *planned,
                             const HdStructure *structure)
{
    switch (structure->extent) {
    case HD_FIXED: return structure->entries;
    case HD_TO_GPU:
    case HD_FROM_GPU:
        return structure->entries ? structure->entries
                                  : computed_entries(hooks, planned, structure);
    case HD_PREFETCH_QUEUE:
    case HD_READS:
    case HD_FROM_PREVIOUS:
    case HD_FROM_NEXT:
    case HD_BY_PARAMETER: return (uint64_t)planned->parameters[structure->entries];
    case HD_PER_SET: return hooks->lines.sets;
    case HD_PER_WARP: return hooks->slots.warps;
    case HD_PER_BLOCK: return hooks->slots.blocks;
    case HD_PER_SCHEDULER: return hooks->slots.schedulers;
    case HD_COMPUTED:
    case HD_HELD:
    case HD_HOLD_QUEUES: return computed_entries(hooks, planned, structure);
    case HD_PER_KEY: return 0;
    case HD_PER_LINE: break;
    }
    return hooks->lines.count;
}

static uint32_t mask_of(unsigned bits)
{
    return (uint32_t)((UINT64_C(1) << bits) - 1);
}

void cache_hooks_start_entries(const HookedMechanism *h, size_t structure, void *entries,
                               size_t count)
{
    const HdMechanism *m = h->planned->mechanism;
    const HdStructure *s = &m->structures[structure];
    bool queue = s->extent == HD_PREFETCH_QUEUE || extent_is_of_engine(s->extent);
    if (!m->start_entry || queue) return;
    for (size_t i = 0; i < count; i++)
        m->start_entry(&h->place, (unsigned)structure, (char *)entries + i * s->bytes);
}

// Whether the number of entries is known only later: by the cache, or by the SM's slots.
static bool is_sized_later(HdExtent extent, HookLevel level)
{
    if (extent == HD_COMPUTED) return level != HOOK_L2;
    return extent == HD_PER_LINE || extent == HD_PER_SET || extent == HD_PER_WARP ||
           extent == HD_PER_BLOCK || extent == HD_PER_SCHEDULER || extent == HD_HELD ||
           extent == HD_HOLD_QUEUES;
}

static bool build(CacheHooks *hooks, HookedMechanism *h, const PlannedMechanism *planned,
                  HdError *err)
{
    HookLevel level = hooks->level;
    const HdMechanism *mechanism = planned->mechanism;
    size_t structures = 0;
    while (mechanism->structures && mechanism->structures[structures].name) structures++;
    while (mechanism->counters && mechanism->counters[h->counters].name) h->counters++;
    h->planned = planned;
    h->owner = hooks;
    h->reads_values = mechanism->reads_values;
    h->hides_store_fields = level == HOOK_L2 && !mechanism->instrument;
    h->hides_fields = h->hides_store_fields && !mechanism->request_field_bits;
    h->hooks = plan_hooks(planned, level);
    h->core = level == HOOK_L1 ? &mechanism->core : NULL;
    h->gpu = level == HOOK_GPU ? &mechanism->gpu : NULL;
    size_t period;
    if (h->hooks->on_period && parameter_find(mechanism->parameters, PERIOD_PARAMETER, &period)) {
        h->period = h->period_end = (uint64_t)planned->parameters[period];
        if (h->period_end < hooks->due) hooks->due = h->period_end;
    }
    h->wake = UINT64_MAX;
    // Its bits in the packets that leave this level, and in those that arrive.
    bool l1 = level == HOOK_L1;
    uint32_t request = mask_of(mechanism->request_tag_bits);
    uint32_t reply = mask_of(mechanism->reply_tag_bits);
    h->out_shift = l1 ? planned->request_shift : planned->reply_shift;
    h->in_shift = l1 ? planned->reply_shift : planned->request_shift;
    h->out_mask = l1 ? request : reply;
    h->in_mask = l1 ? reply : request;
    h->structures = hd_new(structures + 1, sizeof *h->structures);
    h->place.structures = h->structures;
    h->place.parameters = planned->parameters;
    h->place.counters = hd_new(h->counters + 1, sizeof(uint64_t));
    bool ok = h->structures && h->place.counters;
    for (size_t i = 0; ok && i < structures; i++) {
        const HdStructure *s = &mechanism->structures[i];
        if (!hook_is_at(s, level) || is_sized_later(s->extent, level)) continue;
        bool remembered = s->extent == HD_PER_KEY;
        size_t entries = cache_hooks_entries(hooks, planned, s);
        h->structures[i] = remembered ? hd_new(1, sizeof(Remembered))
                                      : hd_new(entries + 1, s->bytes);
        ok = h->structures[i] && (!remembered || remembered_init(h->structures[i], s->bytes));
        if (ok) cache_hooks_start_entries(h, i, h->structures[i], entries);
    }
    if (ok && level == HOOK_L2) ok = engine_new(h);
    return ok || hd_fail_memory(err, "attaching a mechanism");
}

// If the mechanism declares a queue of prefetches, adds it to those of the cache. most: mechanisms
// at the cache, at most.
static bool add_queue(CacheHooks *hooks, HookedMechanism *h, size_t most, HdError *err)
{
    const HdStructure *s = h->planned->mechanism->structures;
    for (size_t i = 0; s && s[i].name; i++) {
        if (!hook_is_at(&s[i], hooks->level) || s[i].extent != HD_PREFETCH_QUEUE) continue;
        if (!hooks->prefetches) hooks->prefetches = prefetch_queues_new((unsigned)most);
        if (!hooks->prefetches) return hd_fail_memory(err, "attaching a mechanism");
        h->prefetch_queue =
            prefetch_queues_add(hooks->prefetches, h->structures[i],
                                (uint32_t)cache_hooks_entries(hooks, h->planned, &s[i]),
                                &h->planned->mechanism->prefetch);
    }
    return true;
}

static uint32_t needs_of(const HookedMechanism *h, HookLevel level)
{
    uint32_t wants =
        (h->hooks->on_access || h->prefetch_queue ? HOOK_ON_ACCESS : 0) |
        (h->hooks->on_fill ? HOOK_ON_FILL : 0) |
        (level == HOOK_L1 && h->hooks->request_tag ? HOOK_REQUEST_TAG : 0) |
        (level == HOOK_L2 && h->hooks->reply_tag ? HOOK_REPLY_TAG : 0) |
        (h->hooks->on_evict ? HOOK_ON_EVICT | HOOK_USED_SECTORS : 0) |
        (h->hooks->on_invalidate ? HOOK_ON_INVALIDATE | HOOK_USED_SECTORS : 0) |
        (h->hooks->on_kernel_end_line ? HOOK_ON_KERNEL_END_LINE | HOOK_USED_SECTORS : 0) |
        (h->hooks->decide_insert ? HOOK_USED_SECTORS : 0) |
        (h->hooks->decide_stall ? HOOK_STALL : 0) |
        (h->hooks->decide_victim || h->hooks->on_replace ? HOOK_VICTIM : 0) |
        (h->hooks->on_insert ? HOOK_ON_INSERT : 0) |
        (h->hooks->on_prefetch ? HOOK_ON_PREFETCH : 0) |
        (h->reads_values ? HOOK_VALUES : 0);
    if (level == HOOK_L1 && h->hooks->decide_clean_eviction) wants |= HOOK_CLEAN_EVICTION;
    if (level == HOOK_L2 && h->hooks->decide_after_hit) wants |= HOOK_AFTER_HIT;
    const HdStructure *s = h->planned->mechanism->structures;
    for (; s && s->name; s++)
        if (hook_is_at(s, level) && s->extent == HD_PER_LINE) wants |= HOOK_PER_LINE;
    return wants;
}

bool cache_hooks_new(CacheHooks **hooks, const HookPlan *plan, HookLevel level, unsigned number,
                     uint64_t seed, HdError *err)
{
    *hooks = NULL;
    size_t count = 0;
    for (size_t i = 0; plan && i < plan->count; i++) count += plan_applies(&plan->items[i], level);
    // The L2 of sectored L1s is sectored too, with or without mechanisms of its own.
    bool sectored =
        plan_is_sectored(plan, level) || (level == HOOK_L2 && plan_is_sectored(plan, HOOK_L1));
    unsigned queue = plan_copy_back_queue(plan); // copy-backs need hooks at both levels
    if (!count && (level == HOOK_GPU || (!sectored && !queue))) return true;
    CacheHooks *made = *hooks = hd_new(1, sizeof *made);
    if (made) made->items = hd_new(count + 1, sizeof *made->items);
    if (!made || !made->items) return hd_fail_memory(err, "attaching mechanisms");
    made->level = level;
    made->current.inserted = HD_NO_INDEX;
    made->due = made->slice.due = UINT64_MAX;
    made->wants = sectored ? HOOK_SECTORED | HOOK_USED_SECTORS : 0;
    unsigned bits = level == HOOK_L1 ? plan->request_tag_bits + plan->request_field_bits
                                     : plan->reply_tag_bits;
    made->copy_backs.queue = queue;
    made->current.sideband_bytes = (uint8_t)divide_up(bits, 8);
    for (size_t i = 0; i < plan->count; i++) {
        if (!plan_applies(&plan->items[i], level)) continue;
        HookedMechanism *h = &made->items[made->count++];
        h->number = (unsigned)i;
        h->place.number = number;
        h->place.level = hook_level_flag(level);
        h->place.levels = plan->items[i].levels;
        // The seed depends on the mechanism's name, so that a mechanism draws the same numbers
        // with and without others.
        const char *name = plan->items[i].mechanism->name;
        h->place.seed = random_draw(seed, RANDOM_USER_MECHANISMS, (uint32_t)level << 16 | number,
                                    hash_bytes(HASH_START, name, strlen(name)));
        if (!build(made, h, &plan->items[i], err) || !add_queue(made, h, count, err))
            return false;
        made->wants |= needs_of(h, level);
        made->core_wants |= core_hooks_wants(h);
    }
    return true;
}

void cache_hooks_free(CacheHooks *hooks)
{
    if (!hooks) return;
    for (unsigned i = 0; hooks->items && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        const HdStructure *s = h->planned->mechanism->structures;
        for (size_t n = 0; h->structures && s && s[n].name; n++) {
            if (h->structures[n] && s[n].extent == HD_PER_KEY)
                remembered_free(h->structures[n]);
            free(h->structures[n]);
        }
        exchange_free(h->exchange);
        reported_rows_free(h->reported);
        engine_free(h->engine);
        free(h->structures);
        free(h->place.counters);
    }
    free(hooks->items);
    free(hooks->lines.used);
    free(hooks->copy_backs.versions);
    free(hooks->sm.values);
    value_slots_free(&hooks->sm.value_slots);
    prefetch_queues_free(hooks->prefetches);
    free(hooks);
}

void cache_hooks_set_place_count(CacheHooks *hooks, unsigned places)
{
    for (unsigned i = 0; i < hooks->count; i++) hooks->items[i].place.places = places;
}

void cache_hooks_set_line(CacheHooks *hooks, uint32_t line, uint32_t sector, bool sectored)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        hooks->items[i].place.line_bytes = line;
        hooks->items[i].place.sector_bytes = sector;
    }
    if (hooks->prefetches) prefetch_queues_set_line(hooks->prefetches, line, sector, sectored);
}

void cache_hooks_set_guest_line(CacheHooks *hooks,
                        uint64_t (*guest_line)(const void *context, uint64_t line),
                        const void *context)
{
    hooks->lines.guest_line = guest_line;
    hooks->lines.guest_context = context;
}

// ---- structures by line, set and slot ----

// The entries of a structure: of a mechanism, or the cache's own.
typedef struct Entries {
    void **memory;
    size_t bytes;             // of one
    const HookedMechanism *h; // NULL: the cache's own
    size_t structure;
} Entries;

static void start_new(const Entries *e, size_t first, size_t count)
{
    if (e->h)
        cache_hooks_start_entries(e->h, e->structure, (char *)*e->memory + first * e->bytes, count);
}

typedef bool Visit(const Entries *e, size_t a, size_t b);

// Calls visit for each structure of this extent. false: a call failed.
static bool each_of(CacheHooks *hooks, HdExtent extent, Visit *visit, size_t a, size_t b)
{
    bool ok = true;
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        const HdStructure *s = h->planned->mechanism->structures;
        for (size_t n = 0; s && s[n].name; n++)
            if (s[n].extent == extent && hook_is_at(&s[n], hooks->level))
                ok = visit(&(Entries){&h->structures[n], s[n].bytes, h, n}, a, b) && ok;
    }
    return ok;
}

static bool renew(const Entries *e, size_t entries, size_t unused)
{
    (void)unused;
    free(*e->memory);
    *e->memory = hd_new(entries, e->bytes);
    if (*e->memory) start_new(e, 0, entries);
    return *e->memory;
}

// Makes a structure whose entries the mechanism counts.
static bool compute(const Entries *e, size_t unused, size_t unused_too)
{
    (void)unused;
    (void)unused_too;
    const HdStructure *s = &e->h->planned->mechanism->structures[e->structure];
    return renew(e, cache_hooks_entries(e->h->owner, e->h->planned, s), 0);
}

bool cache_hooks_set_slots(CacheHooks *hooks, SmSlots slots, HdError *err)
{
    hooks->slots = slots;
    for (unsigned i = 0; i < hooks->count; i++) {
        HdPlace *place = &hooks->items[i].place;
        place->warp_slots = slots.warps;
        place->block_slots = slots.blocks;
        place->schedulers = slots.schedulers;
        place->sms = slots.sms;
    }
    bool ok = each_of(hooks, HD_PER_WARP, renew, slots.warps, 0) &&
              each_of(hooks, HD_PER_BLOCK, renew, slots.blocks, 0) &&
              each_of(hooks, HD_PER_SCHEDULER, renew, slots.schedulers, 0) &&
              each_of(hooks, HD_COMPUTED, compute, 0, 0) &&
              each_of(hooks, HD_HELD, compute, 0, 0) &&
              each_of(hooks, HD_HOLD_QUEUES, compute, 0, 0);
    return ok || hd_fail_memory(err, "attaching mechanisms");
}

// The cache's own entries by line, of these bytes each.
static Entries own(void *memory, size_t bytes)
{
    return (Entries){.memory = memory, .bytes = bytes};
}

// Whether lines here have versions. Whoever allocates a line clears its version first.
static bool has_versions(const CacheHooks *hooks) { return hooks->copy_backs.queue; }

static bool has_values(const CacheHooks *hooks)
{
    return hooks->level == HOOK_L1 && hooks->wants & HOOK_VALUES;
}

bool cache_hooks_reset_lines(CacheHooks *hooks, size_t lines, size_t sets, uint32_t ways,
                             HdError *err)
{
    hooks->lines.count = lines;
    hooks->lines.sets = sets;
    for (unsigned i = 0; i < hooks->count; i++) {
        hooks->items[i].place.sets = sets;
        hooks->items[i].place.ways = ways;
    }
    Entries used = own(&hooks->lines.used, 1);
    Entries versions = own(&hooks->copy_backs.versions, VERSION_BITS / 8);
    Entries values = own(&hooks->sm.values, sizeof *hooks->sm.values);
    bool ok = each_of(hooks, HD_PER_LINE, renew, lines, 0) &&
              each_of(hooks, HD_PER_SET, renew, sets, 0) &&
              (!(hooks->wants & HOOK_USED_SECTORS) || renew(&used, lines, 0)) &&
              (!has_versions(hooks) || renew(&versions, lines, 0)) &&
              (!has_values(hooks) || renew(&values, lines, 0)) &&
              (!hooks->prefetches || prefetch_queues_reset_lines(hooks->prefetches, lines));
    return ok || hd_fail_memory(err, "attaching mechanisms");
}

static bool enlarge(const Entries *e, size_t lines, size_t old)
{
    void *larger = hd_new(lines, e->bytes);
    if (!larger) return false;
    memcpy(larger, *e->memory, old * e->bytes);
    free(*e->memory);
    *e->memory = larger;
    start_new(e, old, lines - old);
    return true;
}

bool cache_hooks_grow_lines(CacheHooks *hooks, size_t lines)
{
    Entries used = own(&hooks->lines.used, 1);
    Entries versions = own(&hooks->copy_backs.versions, VERSION_BITS / 8);
    Entries values = own(&hooks->sm.values, sizeof *hooks->sm.values);
    if (!each_of(hooks, HD_PER_LINE, enlarge, lines, hooks->lines.count) ||
        (hooks->lines.used && !enlarge(&used, lines, hooks->lines.count)) ||
        (hooks->copy_backs.versions && !enlarge(&versions, lines, hooks->lines.count)) ||
        (hooks->sm.values && !enlarge(&values, lines, hooks->lines.count)) ||
        (hooks->prefetches && !prefetch_queues_grow_lines(hooks->prefetches, lines)))
        return false;
    hooks->lines.count = lines;
    return true;
}

static char *entry(const Entries *e, size_t at) { return (char *)*e->memory + at * e->bytes; }

static bool clear(const Entries *e, size_t to, size_t unused)
{
    (void)unused;
    memset(entry(e, to), 0, e->bytes);
    start_new(e, to, 1);
    return true;
}

static bool move(const Entries *e, size_t from, size_t to)
{
    memcpy(entry(e, to), entry(e, from), e->bytes);
    return true;
}

static bool swap(const Entries *e, size_t a, size_t b)
{
    for (size_t i = 0; i < e->bytes; i++) {
        char *x = entry(e, a) + i, *y = entry(e, b) + i, kept = *x;
        *x = *y;
        *y = kept;
    }
    return true;
}

void cache_hooks_clear_slot(CacheHooks *hooks, HdExtent extent, unsigned slot)
{
    each_of(hooks, extent, clear, slot, 0);
}

void cache_hooks_clear_line(CacheHooks *hooks, size_t to)
{
    if (hooks->lines.used) hooks->lines.used[to] = 0;
    if (hooks->copy_backs.versions) hooks->copy_backs.versions[to] = UINT32_MAX;
    if (hooks->sm.values) hooks->sm.values[to].sectors = 0;
    if (hooks->wants & HOOK_PER_LINE) each_of(hooks, HD_PER_LINE, clear, to, 0);
    if (hooks->prefetches) prefetch_queues_on_invalidate(hooks->prefetches, to, UINT8_MAX);
}

void cache_hooks_move_line(CacheHooks *hooks, size_t from, size_t to)
{
    if (hooks->lines.used) hooks->lines.used[to] = hooks->lines.used[from];
    uint32_t *versions = hooks->copy_backs.versions;
    if (versions) versions[to] = versions[from];
    if (hooks->sm.values) hooks->sm.values[to] = hooks->sm.values[from];
    if (hooks->wants & HOOK_PER_LINE) each_of(hooks, HD_PER_LINE, move, from, to);
    if (hooks->prefetches) prefetch_queues_move_line(hooks->prefetches, from, to);
}

void cache_hooks_swap_lines(CacheHooks *hooks, size_t a, size_t b)
{
    Entries used = own(&hooks->lines.used, 1);
    Entries versions = own(&hooks->copy_backs.versions, VERSION_BITS / 8);
    Entries values = own(&hooks->sm.values, sizeof *hooks->sm.values);
    if (hooks->lines.used) swap(&used, a, b);
    if (hooks->copy_backs.versions) swap(&versions, a, b);
    if (hooks->sm.values) swap(&values, a, b);
    if (hooks->wants & HOOK_PER_LINE) each_of(hooks, HD_PER_LINE, swap, a, b);
    if (hooks->prefetches) prefetch_queues_swap_lines(hooks->prefetches, a, b);
}

void cache_hooks_invalidate_sectors(CacheHooks *hooks, size_t slot, uint8_t sectors)
{
    if (hooks->prefetches) prefetch_queues_on_invalidate(hooks->prefetches, slot, sectors);
    if (!hooks->sm.values) return;
    unsigned parts = hooks->items->place.sector_bytes / VALUE_SECTOR;
    for (unsigned s = 0; s * parts < VALUE_LINE / VALUE_SECTOR; s++)
        if (sectors >> s & 1)
            hooks->sm.values[slot].sectors &= (uint8_t)~(lanes_all(parts) << s * parts);
}

// ---- draws and entries by key ----

double hd_draw(HdPlace *place)
{
    return random_unit(random_draw(place->seed, RANDOM_USER_MECHANISMS, 0, place->draws++));
}

void *hd_entry_for_key(HdPlace *place, unsigned structure, uint64_t key, bool *fresh)
{
    return remembered_find(place->structures[structure], key, fresh);
}

bool cache_hooks_complete(const CacheHooks *hooks)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        const HookedMechanism *h = &hooks->items[i];
        const HdStructure *s = h->planned->mechanism->structures;
        if (h->reported && h->reported->failed) return false;
        for (size_t n = 0; s && s[n].name; n++)
            if (s[n].extent == HD_PER_KEY && h->structures[n] &&
                ((const Remembered *)h->structures[n])->failed)
                return false;
    }
    return !hooks->prefetches || !hooks->prefetches->left.failed;
}

// ---- for the result ----

bool cache_hooks_prefetch_counters(const CacheHooks *hooks, const PlannedMechanism *planned,
                            PrefetchCounters *counters)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        const HookedMechanism *h = &hooks->items[i];
        if (h->planned != planned || !h->prefetch_queue) continue;
        *counters = prefetch_queue_counters(h->prefetch_queue, hooks->lines.count);
        return true;
    }
    return false;
}

uint64_t cache_hooks_counter(const CacheHooks *hooks, const PlannedMechanism *planned,
                             size_t index)
{
    for (unsigned i = 0; i < hooks->count; i++)
        if (hooks->items[i].planned == planned)
            return ((const uint64_t *)hooks->items[i].place.counters)[index];
    return 0;
}

bool prefetch_tag_structure(const PlannedMechanism *planned, HookLevel level,
                            uint32_t mshr_entries, HdStructure *structure)
{
    unsigned bits = prefetch_mshr_bits(&planned->mechanism->prefetch);
    if (!bits || !plan_prefetches(planned, level)) return false;
    *structure = (HdStructure){"prefetch tags", level == HOOK_L1 ? HD_EACH_L1 : HD_EACH_L2,
                               mshr_entries, HD_FIXED, bits, 1};
    return true;
}

void copy_back_structures(unsigned queue, unsigned write_versions,
                          HdStructure structures[COPY_BACK_STRUCTURES + 1])
{
    // Data, address and mask of the sectors, version.
    enum { LINE_BITS = 8 * 128, ADDRESS_BITS = 40 };
    uint32_t waiting = LINE_BITS + ADDRESS_BITS + VERSION_BITS;
    const HdStructure all[COPY_BACK_STRUCTURES + 1] = {
        {"line_versions", HD_EACH_L1, 0, HD_PER_LINE, VERSION_BITS, VERSION_BITS / 8},
        {"copy_back_queue", HD_EACH_L1, queue, HD_FIXED, waiting, waiting / 8},
        {"write_versions", HD_EACH_L2, write_versions, HD_FIXED, VERSION_BITS + VERSION_TAG_BITS,
         (VERSION_BITS + VERSION_TAG_BITS) / 8},
        {"evicted_versions", HD_EACH_L2, write_versions / VERSION_WAYS, HD_FIXED, VERSION_BITS,
         VERSION_BITS / 8},
        {"overtaken", HD_EACH_L2, 0, HD_PER_LINE, 1, 1},
        {"write_sequence", HD_EACH_L2, 2, HD_FIXED, VERSION_BITS, VERSION_BITS / 8},
        {0}};
    memcpy(structures, all, sizeof all);
}
