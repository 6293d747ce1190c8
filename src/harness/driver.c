// The owner of the cache that a script drives.
#include "harness/driver.h"

#include "base/memory.h"
#include "hooks/core_hooks.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long Wide; // of a number in printf

bool driver_init(Driver *driver, HdError *err)
{
    driver->sectored = driver->hooks->wants & HOOK_SECTORED;
    driver->sector = driver->sectored ? SECTOR_BYTES : driver->config->sector;
    driver->fills_at_once = true;
    driver->tokens = hd_new(driver->config->mshr_merges, sizeof *driver->tokens);
    return driver->tokens || hd_fail_memory(err, "preparing a script's cache");
}

void driver_free(Driver *driver)
{
    free(driver->tokens);
    free(driver->fetches);
    free(driver->waiters);
    script_memory_free(&driver->memory);
}

// ---- addresses ----

static uint64_t line_of(const Driver *driver, uint64_t address)
{
    return address & ~(driver->config->line - 1);
}

// The number of an address's sector in its line, and of its 32 bytes.
static unsigned sector_of(const Driver *driver, uint64_t address)
{
    return (unsigned)(address % driver->config->line / driver->sector);
}

static uint16_t allocation_of(const Driver *driver, uint64_t address)
{
    return driver->memory.allocation_count ? script_memory_find(&driver->memory, address) : 0;
}

uint64_t driver_allocated(const Driver *driver, uint64_t address)
{
    uint16_t allocation = allocation_of(driver, address);
    const ScriptMemory *memory = &driver->memory;
    if (!memory->allocation_count) return UINT64_MAX - address; // all addresses belong to one
    if (allocation == HD_NO_ALLOCATION) return 0;
    const ScriptAllocation *a = &memory->allocations[allocation];
    return a->address + a->bytes - address;
}

bool driver_has(const Driver *driver, uint64_t address)
{
    const CacheLine *line = cache_probe(driver->cache, address);
    return line && line->readable >> sector_of(driver, address) & 1;
}

// ---- values ----

// The bytes of a line for mechanisms at an L2; NULL: none reads them.
static const uint8_t *l2_values(Driver *driver, uint64_t line)
{
    if (driver->level != HOOK_L2 || !(driver->hooks->wants & HOOK_VALUES)) return NULL;
    script_memory_read(&driver->memory, line, driver->line);
    return driver->line + line % MAX_LINE_BYTES;
}

// The sectors of 32 bytes of its line that a fetch brings.
static uint8_t brought_by(const Driver *driver, const DriverFetch *fetch)
{
    if (fetch->sectors) return fetch->sectors;
    unsigned parts = (unsigned)driver->sector / SECTOR_BYTES;
    return (uint8_t)(lanes_all(parts) << sector_of(driver, fetch->address) * parts);
}

// The fill brings the bytes of its fetch. Returns the slot; 0: none.
static uint16_t bring_values(Driver *driver, const DriverFetch *fetch)
{
    CacheHooks *hooks = driver->hooks;
    HdAccess *filled = &hooks->current.filled;
    filled->values = l2_values(driver, filled->line);
    if (filled->values) filled->value_sectors = brought_by(driver, fetch);
    if (!hooks->sm.values) return 0;
    uint16_t slot = value_slots_take(&hooks->sm.value_slots);
    if (!slot) {
        driver->record->failed = true;
        return 0;
    }
    script_memory_read(&driver->memory, filled->line,
                       value_slots_bytes(&hooks->sm.value_slots, slot));
    unsigned first = (unsigned)(filled->line % MAX_LINE_BYTES / SECTOR_BYTES);
    cache_hooks_bring_values(hooks, slot, (uint8_t)(brought_by(driver, fetch) << first));
    return slot;
}

// ---- what leaves the cache ----

static void count_victim(Driver *driver, const CacheVictim *victim)
{
    driver->counted.evictions += victim->evicted;
    driver->counted.insertions += victim->inserted;
    driver->counted.writebacks += lanes_count(victim->dirty_sectors);
    if (victim->dirty_sectors)
        record_print(driver->record, "write back line=0x%llx sectors=0x%x", (Wide)victim->line,
                     victim->dirty_sectors);
    if (!victim->copy_back) return;
    driver->hooks->copy_backs.counted.sent++;
    record_print(driver->record, "copy back line=0x%llx sectors=0x%x", (Wide)victim->line,
                 victim->copy_back);
    record_number(driver->record, RECORDED_COPIED_BACK, victim->line);
}

// ---- fills ----

enum { FETCHES_PER_WORK = 64 }; // in the list of fetches, that are compared or moved

int64_t driver_find_fetch(Driver *driver, uint64_t address)
{
    driver->work += driver->fetch_count / FETCHES_PER_WORK;
    for (size_t i = 0; i < driver->fetch_count; i++) {
        const DriverFetch *fetch = &driver->fetches[i];
        bool same = line_of(driver, fetch->address) == line_of(driver, address);
        unsigned sector = sector_of(driver, address);
        if (same && (fetch->sectors ? fetch->sectors >> sector & 1
                                    : sector_of(driver, fetch->address) == sector))
            return (int64_t)i;
    }
    return -1;
}

// Sets what mechanisms see of the fill. first: the access that waited first; NULL: none.
static void describe_fill(Driver *driver, const DriverFetch *fetch, const DriverWaiter *first)
{
    HdAccess *filled = &driver->hooks->current.filled;
    uint64_t line = line_of(driver, fetch->address);
    const HdAccess none = {.pc = HD_NO_PC, .allocation = HD_NO_ALLOCATION, .kind = filled->kind};
    const HdAccess *seen = first ? &first->seen : &none;
    *filled = (HdAccess){.line = line, .victim = HD_NO_LINE, .cycle = driver->cycle,
                         .line_index = filled->line_index, .set = filled->set,
                         .sector = (uint8_t)sector_of(driver, fetch->address), .outcome = HD_MISS,
                         .launch = driver->hooks->launch, .pc = seen->pc,
                         .allocation = seen->allocation, .sm = seen->sm, .kind = seen->kind,
                         .cache = seen->cache, .sector_mask = seen->sector_mask,
                         .inserted_in_l1 = seen->inserted_in_l1, .warp = seen->warp,
                         .warp_slot = seen->warp_slot, .number = seen->number,
                         .count = seen->count, .lanes = seen->lanes, .block = seen->block};
}

// A prefetch of an L1 is a load to a slice.
static bool is_load(const HdAccess *access)
{
    return access->kind == HD_LOAD || access->kind == HD_PREFETCH;
}

// Whether the reply to a request carries sideband tags to an L1D.
static bool wants_reply_tag(const Driver *driver, const HdAccess *access)
{
    return driver->level == HOOK_L2 && driver->hooks->wants & HOOK_REPLY_TAG &&
           is_load(access) && access->cache == HD_L1D;
}

void driver_fill(Driver *driver, size_t index, uint32_t reply_tag)
{
    CacheHooks *hooks = driver->hooks;
    DriverFetch fetch = driver->fetches[index];
    driver->work += driver->fetch_count / FETCHES_PER_WORK;
    memmove(&driver->fetches[index], &driver->fetches[index + 1],
            (--driver->fetch_count - index) * sizeof fetch);
    CacheVictim victim = {0};
    cache_hooks_at(hooks, driver->cycle);
    unsigned count = 1;
    if (fetch.direct) {
        hooks->current.filled = (HdAccess){.line_index = HD_NO_INDEX,
                                           .set = cache_set_index(driver->cache, fetch.address)};
        driver->tokens[0] = fetch.token;
    } else {
        count = cache_fill(driver->cache, fetch.address, driver->tokens, &victim);
    }
    driver->counted.fills += fetch.sectors ? lanes_count(fetch.sectors) : 1;
    const DriverWaiter *first = count ? &driver->waiters[driver->tokens[0]] : NULL;
    describe_fill(driver, &fetch, first);
    record_print(driver->record, "fill: line=0x%llx sector=%u%s", (Wide)hooks->current.filled.line,
                 hooks->current.filled.sector,
                 hooks->current.filled.line_index == HD_NO_INDEX ? " bypasses the cache" : "");
    hooks->current.sideband_tags = driver->level == HOOK_L1 ? reply_tag
                                   : first                  ? first->request_tag
                                                            : 0;
    cache_hooks_on_insert(hooks, &hooks->current.filled);
    uint16_t slot = bring_values(driver, &fetch);
    cache_hooks_on_fill(hooks);
    for (unsigned i = 0; i < count; i++) {
        const DriverWaiter *waiter = &driver->waiters[driver->tokens[i]];
        if (!wants_reply_tag(driver, &waiter->seen)) continue;
        hooks->current.access = waiter->seen;
        hooks->current.access.line_index = hooks->current.filled.line_index;
        hooks->current.access.set = hooks->current.filled.set;
        hooks->current.access.outcome = HD_MISS;
        hooks->current.sideband_tags = waiter->request_tag;
        cache_hooks_sideband_tags(hooks);
    }
    hooks->current.sideband_tags = 0;
    cache_hooks_on_tagged_fill(hooks);
    if (slot) value_slots_give_back(&hooks->sm.value_slots, slot);
    count_victim(driver, &victim);
    if (!driver->fetch_count) driver->waiter_count = 0;
}

static void fetch_begins(Driver *driver, DriverFetch fetch)
{
    uint64_t line = line_of(driver, fetch.address);
    if (fetch.sectors) fetch.address = line + lanes_first(fetch.sectors) * driver->sector;
    if (!HD_PUSH(driver->fetches, driver->fetch_count, driver->fetch_capacity, fetch))
        driver->record->failed = true;
    while (driver->fills_at_once && driver->fetch_count) driver_fill(driver, 0, 0);
}

// ---- accesses ----

static void count_access(CacheCounters *c, HdKind kind, CacheOutcome outcome)
{
    c->accesses++;
    *(kind == HD_STORE    ? &c->store_accesses
      : kind == HD_ATOMIC ? &c->atomic_accesses
                          : &c->load_accesses) += 1;
    uint64_t *hits = &c->hits, *misses = &c->misses;
    *(outcome == CACHE_HIT ? hits : outcome == CACHE_MERGED ? &c->pending_hits : misses) += 1;
    if (kind == HD_LOAD || kind == HD_PREFETCH)
        *(outcome == CACHE_HIT      ? &c->load_hits
          : outcome == CACHE_MERGED ? &c->load_pending_hits
                                    : &c->load_misses) += 1;
    if (kind == HD_STORE) *(outcome == CACHE_HIT ? &c->store_hits : &c->store_misses) += 1;
}

// How the outcome of an access that does not stall is called.
static const char *outcome_name(CacheOutcome outcome, const HdAccess *access)
{
    if (outcome == CACHE_HIT) return "hit";
    if (outcome == CACHE_MERGED) return "pending_hit";
    return access->insertion == HD_TAGS_ONLY ? "tags_only"
           : access->insertion == HD_BYPASS  ? "bypassed"
                                             : "miss";
}

static const char *stall_outcome(CacheStall reason)
{
    static const char *const names[CACHE_STALL_REASONS] = {
        [STALL_LINE] = "stalled:line_allocation", [STALL_MSHR] = "stalled:mshr_entry",
        [STALL_MERGE] = "stalled:mshr_merge",     [STALL_MISS_QUEUE] = "stalled:miss_queue",
        [STALL_STORE_ORDER] = "stalled:store_order",
    };
    return names[reason];
}

static void print_outcome(const Driver *driver, const char *name, const DriverAccess *access)
{
    record_outcome(driver->record, name);
    record_print(driver->record, "%s: line=0x%llx sectors=0x%x", name, (Wide)access->seen.line,
                 access->seen.sector_mask);
}

// At a slice: the tags of the reply to a hit, and whether the line stays.
static void reply_to_hit(Driver *driver, const DriverAccess *access)
{
    CacheHooks *hooks = driver->hooks;
    if (wants_reply_tag(driver, &access->seen)) cache_hooks_sideband_tags(hooks);
    if (!access->request || !(hooks->wants & HOOK_AFTER_HIT) || !is_load(&access->seen) ||
        access->seen.cache != HD_L1D || !access->seen.inserted_in_l1)
        return;
    if (!cache_hooks_decide_after_hit(hooks)) return;
    uint8_t removed = cache_invalidate_clean(driver->cache, access->seen.line, access->request);
    hooks->copy_backs.counted.removed_on_hit += removed != 0;
    if (removed) record_print(driver->record, "removed line=0x%llx", (Wide)access->seen.line);
}

enum { WORK_OF_WAITER = 4 }; // which takes memory

// Looks up one access. false: it stalls.
static bool look_up(Driver *driver, const DriverAccess *access)
{
    CacheHooks *hooks = driver->hooks;
    const HdKind kind = (HdKind)access->seen.kind;
    CacheAccess look_up = {.address = access->address, .write = kind == HD_STORE,
                           .atomic = kind == HD_ATOMIC, .room = UINT8_MAX,
                           .token = (uint32_t)driver->waiter_count,
                           .sectors = access->seen.sector_mask,
                           .bytes = {access->bytes[0], access->bytes[1]}};
    if (is_load(&access->seen)) look_up.bytes[0] = look_up.bytes[1] = 0;
    cache_hooks_at(hooks, driver->cycle);
    hooks->current.access = access->seen;
    hooks->current.access.cycle = driver->cycle;
    hooks->current.access.launch = hooks->launch;
    hooks->current.sideband_tags = access->request_tag;
    CacheResult result = cache_access(driver->cache, &look_up);
    if (result.outcome == CACHE_STALLED) {
        driver->counted.stalls[result.stall]++;
        print_outcome(driver, stall_outcome(result.stall), access);
        return false;
    }
    count_access(&driver->counted, kind, result.outcome);
    driver->counted.victim_hits += result.victim_hit;
    cache_hooks_on_insert(hooks, &hooks->current.access);
    uint32_t line_index = cache_line_index(driver->cache, access->address);
    if (result.outcome == CACHE_HIT) {
        hooks->current.access.values = l2_values(driver, access->seen.line);
        if (hooks->current.access.values)
            hooks->current.access.value_sectors = access->seen.sector_mask;
        cache_hooks_show_values(hooks, line_index);
    }
    cache_hooks_on_access(hooks, (HdOutcome)result.outcome, line_index);
    count_victim(driver, &result.victim);
    if (result.outcome == CACHE_HIT) reply_to_hit(driver, access);
    if (driver->level == HOOK_L1 && result.fetch && kind == HD_LOAD &&
        hooks->wants & HOOK_REQUEST_TAG)
        cache_hooks_sideband_tags(hooks);
    print_outcome(driver, outcome_name(result.outcome, &hooks->current.access), access);
    bool waits = kind != HD_STORE && result.outcome != CACHE_HIT;
    driver->work += waits ? WORK_OF_WAITER : 1;
    if (waits &&
        !HD_PUSH(driver->waiters, driver->waiter_count, driver->waiter_capacity,
                 (DriverWaiter){access->seen, access->request_tag}))
        driver->record->failed = true;
    if (result.fetch && !driver->record->failed)
        fetch_begins(driver, (DriverFetch){access->address, result.sectors, result.direct,
                                           look_up.token});
    return true;
}

static void look_up_all(Driver *driver)
{
    bool served = true;
    while (served && driver->next < driver->access_count && !driver->record->failed) {
        served = look_up(driver, &driver->accesses[driver->next]);
        driver->next += served;
        driver->cycle++;
    }
    driver->record->failed |= cache_out_of_memory(driver->cache);
}

bool driver_retry(Driver *driver)
{
    if (driver->next == driver->access_count) return false;
    look_up_all(driver);
    return true;
}

// ---- instructions ----

// Appends the accesses that one coalesced access makes: one for each sector that it touches.
static void add_accesses(Driver *driver, const DriverInstruction *i, const CoalescedAccess *from)
{
    uint64_t unit = driver->sectored ? driver->config->line : driver->sector;
    DriverAccess *last = NULL;
    for (uint64_t offset = 0; offset < MAX_LINE_BYTES; offset += unit) {
        uint64_t bytes[2] = {0};
        for (uint64_t at = offset; at < offset + unit; at++)
            bytes[at / 64] |= from->bytes[at / 64] & UINT64_C(1) << at % 64;
        if (!bytes[0] && !bytes[1]) continue;
        uint64_t address = from->line + offset, line = line_of(driver, address);
        if (last && last->seen.line != line) last = NULL; // another line, another request
        uint64_t first = bytes[0] ? (uint64_t)__builtin_ctzll(bytes[0])
                                  : 64 + (uint64_t)__builtin_ctzll(bytes[1]);
        if (driver->sectored) address = from->line + first / SECTOR_BYTES * SECTOR_BYTES;
        uint8_t mask = 0; // 32-byte sectors of the line
        for (unsigned s = 0; s < MAX_LINE_BYTES / SECTOR_BYTES; s++) {
            uint64_t base = from->line + s * SECTOR_BYTES;
            if (bytes[s / 2] >> s % 2 * SECTOR_BYTES & UINT32_MAX)
                mask |= (uint8_t)(1u << ((base - line) / SECTOR_BYTES));
        }
        uint8_t looked_up = driver->sectored ? mask : (uint8_t)(1u << sector_of(driver, address));
        DriverAccess *access = &driver->accesses[driver->access_count++];
        *access = (DriverAccess){
            .seen = {.line = line, .pc = i->pc, .line_index = HD_NO_INDEX,
                     .allocation = allocation_of(driver, address), .sm = i->sm, .warp = i->warp,
                     .warp_slot = i->warp_slot, .block = i->block,
                     .lanes = i->kind == HD_PREFETCH ? 0 : from->lanes,
                     .sector = (uint8_t)sector_of(driver, address), .sector_mask = mask,
                     .cache = (uint8_t)i->cache, .kind = (uint8_t)i->kind,
                     .inserted_in_l1 = driver->level == HOOK_L2 && i->inserted_in_l1},
            .address = address, .bytes = {bytes[0], bytes[1]}, .request_tag = i->request_tag,
            .request = (uint8_t)(looked_up | (last ? last->request : 0))};
        if (last) last->request = 0;
        last = access;
    }
}

void driver_instruction(Driver *driver, const DriverInstruction *i, uint64_t address,
                        bool issue_only)
{
    uint64_t addresses[HD_MAX_LANES];
    CoalescedAccess coalesced[COALESCE_MAX];
    for (unsigned lane = 0; lane < HD_MAX_LANES; lane++)
        addresses[lane] = address + lane * (uint64_t)i->stride;
    cache_hooks_at(driver->hooks, driver->cycle);
    unsigned count = coalesce(COALESCE_LINE, i->lanes, addresses, i->bytes, coalesced);
    driver->access_count = driver->next = 0;
    for (unsigned n = 0; n < count; n++) add_accesses(driver, i, &coalesced[n]);
    bool l1 = driver->level == HOOK_L1;
    bool bypasses = l1 && (i->bypasses_l1 || i->kind == HD_ATOMIC);
    for (unsigned n = 0; l1 && n < driver->access_count; n++) {
        driver->accesses[n].seen.number = (uint16_t)n;
        driver->accesses[n].seen.count = (uint16_t)driver->access_count;
    }
    if (core_hooks_want(driver->hooks, CORE_MEMORY))
        core_hooks_on_memory_issue(driver->hooks, &(HdMemoryInstruction){
            .cycle = driver->cycle, .addresses = addresses, .lanes = i->lanes, .pc = i->pc,
            .block = i->block, .warp_slot = i->warp_slot, .block_slot = i->block_slot,
            .warp = i->warp, .accesses = (uint16_t)driver->access_count,
            .allocation = allocation_of(driver, addresses[lanes_first(i->lanes)]),
            .bytes = (uint8_t)i->bytes, .kind = (uint8_t)i->kind, .bypasses_l1 = bypasses});
    if (bypasses) record_print(driver->record, "bypasses the L1");
    if (issue_only || bypasses) driver->access_count = 0;
    look_up_all(driver);
}

void driver_wait(Driver *driver, uint64_t cycles)
{
    uint64_t end = driver->cycle + cycles;
    while (driver->level == HOOK_L1 && driver->hooks->due <= end && !driver_overworked(driver)) {
        driver->work++;
        if (driver->cycle < driver->hooks->due) driver->cycle = driver->hooks->due;
        cache_hooks_at(driver->hooks, driver->cycle);
    }
    driver->cycle = end;
}

// ---- prefetches and copy-backs ----

static CachePrefetch look_up_prefetch(Driver *driver, const Prefetch *prefetch)
{
    uint16_t allocation = allocation_of(driver, prefetch->line);
    if (allocation == HD_NO_ALLOCATION) return (CachePrefetch){.outcome = PREFETCH_UNALLOCATED};
    if (driver->level == HOOK_L1 && driver->hooks->prefetches->items[prefetch->owner].how.into_l2)
        return (CachePrefetch){.outcome = PREFETCH_SENT};
    CachePrefetch result = cache_prefetch(driver->cache, prefetch->address, prefetch, UINT8_MAX);
    if (result.there)
        cache_hooks_on_present(driver->hooks, prefetch, driver->cycle,
                               cache_line_index(driver->cache, prefetch->address),
                               l2_values(driver, prefetch->line));
    if (result.outcome != PREFETCH_FETCHED) return result;
    cache_hooks_on_insert(driver->hooks, &(HdAccess){
        .line = prefetch->line, .victim = HD_NO_LINE, .cycle = driver->cycle, .pc = HD_NO_PC,
        .set = cache_set_index(driver->cache, prefetch->line), .allocation = allocation,
        .kind = HD_PREFETCH, .outcome = HD_MISS});
    count_victim(driver, &result.victim);
    return result;
}

bool driver_prefetch(Driver *driver)
{
    PrefetchQueues *all = driver->hooks->prefetches;
    if (!all || !prefetch_queues_pending(all) || driver_overworked(driver)) return false;
    driver->work++;
    cache_hooks_at(driver->hooks, driver->cycle);
    Prefetch next = prefetch_queues_first(all);
    CachePrefetch result = look_up_prefetch(driver, &next);
    bool waits = prefetch_queues_looked_up(all, &next, result.outcome, result.sectors);
    const char *name = prefetch_table.rows[offsetof(PrefetchCounters, by_outcome) /
                                               sizeof(uint64_t) + result.outcome].name;
    record_outcome(driver->record, name);
    record_print(driver->record, "%s: prefetch of 0x%llx", name, (Wide)next.address);
    if (result.outcome == PREFETCH_FETCHED)
        fetch_begins(driver, (DriverFetch){.address = next.address, .sectors = result.sectors});
    driver->cycle++;
    return !waits;
}

bool driver_receive_prefetch(Driver *driver, uint64_t address, PrefetchTag tag)
{
    CacheHooks *hooks = driver->hooks;
    unsigned i = 0;
    while (i < hooks->count && (!hooks->items[i].prefetch_queue ||
                                !hooks->items[i].planned->mechanism->prefetch.into_l2))
        i++;
    if (i == hooks->count) return false;
    cache_hooks_at(hooks, driver->cycle);
    cache_hooks_add_prefetch(hooks, hooks->items[i].number, line_of(driver, address), tag);
    return true;
}

void driver_copy_back(Driver *driver, uint64_t address, uint8_t sectors, uint16_t sm)
{
    CacheHooks *hooks = driver->hooks;
    uint64_t line = line_of(driver, address);
    uint8_t filled = 0; // sectors of the cache that the data fill
    for (unsigned s = 0; s < driver->config->line / driver->sector; s++) {
        uint64_t first = s * driver->sector / SECTOR_BYTES;
        uint64_t wide = divide_up(driver->sector, SECTOR_BYTES);
        uint32_t all = (uint32_t)(lanes_all((unsigned)wide) << first);
        if ((sectors & all) == all) filled |= (uint8_t)(1u << s);
    }
    cache_hooks_at(hooks, driver->cycle);
    hooks->copy_backs.counted.arrived++;
    hooks->current.access = (HdAccess){.line = line, .cycle = driver->cycle++, .pc = HD_NO_PC,
                                       .line_index = HD_NO_INDEX, .allocation = HD_NO_ALLOCATION,
                                       .sm = sm, .sector_mask = sectors, .kind = HD_COPY_BACK,
                                       .launch = hooks->launch,
                                       .set = cache_set_index(driver->cache, line)};
    CacheVictim victim;
    CacheInsertion put =
        cache_insert_copy_back(driver->cache, line, filled, UINT8_MAX, &victim);
    static const char *const names[] = {[INSERTION_DONE] = "inserted",
                                        [INSERTION_PRESENT] = "present",
                                        [INSERTION_DECLINED] = "declined",
                                        [INSERTION_NO_ROOM] = "no_room"};
    hooks->copy_backs.counted.inserted += put == INSERTION_DONE;
    hooks->copy_backs.counted.present += put == INSERTION_PRESENT;
    hooks->copy_backs.counted.declined += put == INSERTION_DECLINED;
    hooks->copy_backs.counted.no_room += put == INSERTION_NO_ROOM;
    record_outcome(driver->record, names[put]);
    record_print(driver->record, "%s: copy-back of 0x%llx", names[put], (Wide)line);
    if (put != INSERTION_DONE) return;
    driver->counted.copy_back_insertions += victim.inserted;
    count_victim(driver, &victim);
    uint32_t index = hooks->current.filled.line_index, set = hooks->current.filled.set;
    hooks->current.filled = hooks->current.access;
    hooks->current.filled.line_index = index;
    hooks->current.filled.set = set;
    hooks->current.filled.outcome = HD_MISS;
    cache_hooks_on_insert(hooks, &hooks->current.filled);
    cache_hooks_on_fill(hooks);
}
