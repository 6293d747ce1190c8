// Shadow data in an SM: data of its stores, and checks of the data that its loads receive from the
// first-level caches and the slices.
#include "core/sm/pipeline.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// For each byte of a line, the SM's last store that has passed the L1D in this launch.
typedef struct OwnStores {
    uint64_t line;
    uint64_t at[SHADOW_BYTES];     // ShadowSmState.events at the store; 0: no store
    uint32_t number[SHADOW_BYTES]; // number of the store among the SM's stores
    uint32_t made[SHADOW_BYTES];   // the version that the slice gave it; 0: not yet known
} OwnStores;

typedef struct ShadowSmState {
    ShadowMemory *memory;
    ShadowReport *report;
    uint64_t events;    // count of events, in the order in which the caches see them
    uint32_t stores;    // accesses of stores so far
    OwnStores **own;    // open addressing
    size_t own_count, own_capacity; // a power of two
    ShadowData store;      // data of the store that is being looked up
    ShadowData kept;       // the line before that store, for planted faults
    uint32_t kept_version;
} ShadowSmState;

static void *need(void *made)
{
    if (made) return made;
    fputs("out of memory: keeping shadow data of an SM\n", stderr);
    exit(2);
}

// ---- life ----

static void forget_own(ShadowSmState *c)
{
    for (size_t i = 0; i < c->own_capacity; i++) {
        free(c->own[i]);
        c->own[i] = NULL;
    }
    c->own_count = 0;
}

void shadow_sm_free(SmContext *context)
{
    if (!context->shadow.state) return;
    forget_own(context->shadow.state);
    free(context->shadow.state->own);
    free(context->shadow.state);
}

void shadow_sm_begin(Sm *sm) { forget_own(sm->context.shadow.state); }

// ---- own stores ----

static OwnStores **own_home(const ShadowSmState *c, uint64_t line)
{
    size_t i = random_mix(line) & (c->own_capacity - 1);
    while (c->own[i] && c->own[i]->line != line) i = (i + 1) & (c->own_capacity - 1);
    return &c->own[i];
}

static OwnStores *own_line(ShadowSmState *c, uint64_t line)
{
    OwnStores **home = own_home(c, line);
    if (*home) return *home;
    if (2 * ++c->own_count > c->own_capacity) {
        ShadowSmState larger = {.own_capacity = 2 * c->own_capacity};
        larger.own = need(hd_new(larger.own_capacity, sizeof *larger.own));
        for (size_t i = 0; i < c->own_capacity; i++)
            if (c->own[i]) *own_home(&larger, c->own[i]->line) = c->own[i];
        free(c->own);
        c->own = larger.own;
        c->own_capacity = larger.own_capacity;
        home = own_home(c, line);
    }
    *home = need(hd_new(1, sizeof **home));
    (*home)->line = line;
    return *home;
}

// Reads a byte of local memory, which is interleaved by thread.
static uint8_t local_byte(const SmContext *context, const MemoryOp *r, uint64_t address)
{
    const CoreConfig *core = context->config.core;
    LocalRows rows = local_rows(context, r->owner);
    uint64_t word = (address - LOCAL_BASE) / 4 - rows.first;
    uint64_t column = word % rows.words, at = word / rows.words * 4 + address % 4;
    const Warp *w = r->owner;
    for (unsigned i = 0; i < memory_op_members(r); i++)
        if (core->paired && (memory_op_member(r, i)->id & 1) == column / core->width)
            w = memory_op_member(r, i);
    const ExecWarp *x = &w->exec;
    uint64_t lane = column % core->width;
    if (at >= x->local_stride) // a device function's parameter
        return w->values.frame_params[lane * x->frame_param_stride + at - x->local_stride];
    return x->local[lane * x->local_stride + at];
}

void shadow_issue(SmContext *context, MemoryOp *r)
{
    if (!mem_kind_writes(r->kind)) return;
    if (!r->shadow.bytes)
        r->shadow.bytes = need(hd_new(MEMORY_OP_ACCESSES, sizeof *r->shadow.bytes));
    r->shadow.number = context->shadow.state->stores + 1;
    context->shadow.state->stores += r->count;
    for (unsigned k = 0; k < r->count; k++)
        for (unsigned i = 0; i < SHADOW_BYTES; i++) {
            uint64_t address = r->accesses[k].line + i;
            if (!shadow_mask_has(r->accesses[k].bytes, i)) continue;
            r->shadow.bytes[k][i] = memory_op_is_local(r)
                                  ? local_byte(context, r, address)
                                  : (uint8_t)store_log_read(context->log, context->guest, address,
                                                            1);
        }
}

void shadow_store_free(ShadowStore *store) { free(store->bytes); }

void shadow_packet(const MemoryOp *r, unsigned access, ShadowData *data)
{
    *data = (ShadowData){.line = r->accesses[access].line};
    if (!r->shadow.bytes) return; // a functional store: the caches' lines are adopted
    for (unsigned i = 0; i < SHADOW_BYTES; i++) {
        if (!shadow_mask_has(r->accesses[access].bytes, i)) continue;
        data->version[i] = SHADOW_OWN | (r->shadow.number + access);
        data->byte[i] = r->shadow.bytes[access][i];
    }
}

ShadowData shadow_fetch(const SmContext *context)
{
    return (ShadowData){.asked = {++context->shadow.state->events}};
}

// ---- checks of loaded data ----

// Checks a byte against the SM's own stores: data that were in the L1D when a store passed it, or
// that were requested after the store, must contain the store.
static bool check_own(SmContext *context, const ShadowData *given, OwnStores *own, unsigned at,
                      const char *who)
{
    ShadowSmState *c = context->shadow.state;
    uint32_t version = given->version[at];
    unsigned long long address = given->line + at;
    bool passed = own && own->at[at];
    if (version & SHADOW_OWN) {
        if (passed ? (version & ~SHADOW_OWN) == own->number[at]
                   : !context->config.path->invalidate_l1)
            return true;
        shadow_error(c->report,
                     "%s: byte 0x%llx is that of the SM's store %u, and not of its last, "
                     "%u",
                     who, address, version & ~SHADOW_OWN, passed ? own->number[at] : 0);
        return false;
    }
    if (!passed) return true;
    if (!own->made[at])
        own->made[at] = shadow_version_of(c->memory, given->line, at, context->id, own->number[at]);
    unsigned s = at / SHADOW_SECTOR;
    if (given->came[s] < own->at[at]) {
        shadow_error(c->report,
                     "%s: byte 0x%llx has version %u (0x%02x), which was in the L1D when "
                     "the SM's store %u (version %u; 0: not yet at the slice) passed it",
                     who, address, version, given->byte[at], own->number[at], own->made[at]);
        return false;
    }
    bool has = own->made[at] && own->made[at] <= version;
    if (has || given->asked[s] < own->at[at]) {
        c->report->older += !has; // once for each byte
        return true;
    }
    shadow_error(c->report, "%s: byte 0x%llx has version %u (0x%02x), asked for behind the SM's "
                            "store %u (version %u; 0: it never came to the slice)",
                 who, address, version, given->byte[at], own->number[at], own->made[at]);
    return false;
}

// The sectors of a line that a load receives.
typedef struct Received {
    const ShadowData *data; // NULL: none is kept
    uint64_t line;
    uint8_t sectors;
} Received;

// Checks received sectors. fresh: the slice must have read them in this launch. own: the SM's own
// stores must be in them.
static void check(SmContext *context, Received received, bool fresh, bool own, const char *who)
{
    ShadowSmState *c = context->shadow.state;
    static const ShadowData nothing;
    const ShadowData *given = received.data ? received.data : &nothing;
    uint64_t line = received.line;
    for (unsigned s = 0; s < SHADOW_SECTORS; s++) {
        if (!(received.sectors >> s & 1)) continue;
        unsigned first = s * SHADOW_SECTOR;
        const ShadowRead read = {line, first, SHADOW_SECTOR, given->taken[s], who};
        bool left = fresh && given->line && given->taken[s] < shadow_launch_start(c->memory);
        for (unsigned at = first; left && at < first + SHADOW_SECTOR; at++)
            left = !(given->version[at] & SHADOW_OWN); // written here, not taken
        if (left)
            shadow_error(c->report, "%s: sector %u of line 0x%llx was taken before this launch",
                         who, s, (unsigned long long)line);
        else if (!shadow_check(c->memory, c->report, given, &read))
            return;
        OwnStores *stores = own ? *own_home(c, line) : NULL;
        for (unsigned at = first; own && at < first + SHADOW_SECTOR; at++)
            if (!check_own(context, given, stores, at, who)) return;
    }
}

static void name_load(char *who, size_t size, const MemoryOp *r, const char *from)
{
    snprintf(who, size, "load of warp %u, instruction %u, from %s", r->warp, r->pc, from);
}

void shadow_move(SmContext *context, Warp *w, LaneMask lanes)
{
    const UOp *load = &w->ops[w->pc];
    size_t bytes = 4 * (size_t)uop_write(load, 0).slots;
    uint8_t moved[HD_MAX_LANES * 8], *to = exec_operand(&w->exec, load->dst[0]);
    uint64_t addresses[HD_MAX_LANES];
    if (shadow_fault(context->shadow.state->memory) == FAULT_WRONG_MOVE)
        to[lanes_first(lanes) * bytes] ^= 1;
    memcpy(moved, to, HD_MAX_LANES * bytes);
    exec_addresses(load, &w->exec, addresses);
    exec_global_load(load, &w->exec, lanes, addresses, context->guest, context->log);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned lane = lanes_first(m);
        if (!memcmp(moved + lane * bytes, to + lane * bytes, bytes)) continue;
        shadow_error(context->shadow.state->report,
                     "load of warp %u, instruction %u, moved from a spare register: lane %u has "
                     "another value than memory at 0x%llx",
                     w->id, warp_pc(w), lane, (unsigned long long)addresses[lane]);
        return;
    }
}

// ---- the L1D ----

static uint64_t address_of(const CoalescedAccess *a)
{
    return a->line + (a->sectors ? lanes_first(a->sectors) : 0) * SECTOR_BYTES;
}

ShadowSource shadow_l1_store(SmContext *context, L1d *l1d, const MemoryOp *r, unsigned access)
{
    ShadowSmState *c = context->shadow.state;
    if (!mem_kind_writes(r->kind)) return (ShadowSource){0};
    shadow_packet(r, access, &c->store);
    const ShadowData *here = shadow_line(l1d->controller.cache, address_of(&r->accesses[access]));
    c->kept = here ? *here : (ShadowData){0};
    if (here && l1d->hooks && l1d->hooks->copy_backs.versions)
        c->kept_version =
            l1d->hooks->copy_backs.versions[cache_line_index(l1d->controller.cache,
                                                             r->accesses[access].line)];
    return (ShadowSource){&c->store};
}

// Planted fault: copies the line back with its data from before the store, after the store.
static void send_old(SmContext *context, L1d *l1d)
{
    const ShadowSmState *c = context->shadow.state;
    uint8_t sectors = 0;
    for (unsigned at = 0; at < SHADOW_BYTES; at++)
        if (c->kept.version[at]) sectors |= (uint8_t)(1u << at / SHADOW_SECTOR);
    if (!sectors || l1d->clean_victims.count == l1d->clean_victims.capacity) return;
    bool forged = shadow_fault(c->memory) == FAULT_FORGED_VERSION;
    MemRequest request = {.line = c->kept.line, .kind = MEM_COPY_BACK,
                          .allocation = GUEST_NO_ALLOCATION,
                          .token = forged ? UINT32_MAX - 1 : c->kept_version, .sectors = sectors,
                          .bytes = (uint16_t)(SECTOR_BYTES * lanes_count(sectors)),
                          .sideband_bytes = VERSION_BITS / 8, .shadow = c->kept};
    l1d->hooks->copy_backs.counted.sent++;
    queue_push(&l1d->clean_victims, &request);
}

static void note_store(SmContext *context, L1d *l1d, const MemoryOp *r, unsigned access)
{
    ShadowSmState *c = context->shadow.state;
    const CoalescedAccess *a = &r->accesses[access];
    OwnStores *own = own_line(c, a->line);
    c->events++;
    for (unsigned i = 0; i < SHADOW_BYTES; i++) {
        if (!shadow_mask_has(a->bytes, i)) continue;
        own->at[i] = c->events;
        own->number[i] = r->shadow.number + access;
        own->made[i] = 0;
    }
    ShadowFault fault = shadow_fault(c->memory);
    if (c->kept.line && fault == FAULT_KEPT_LINE) {
        cache_warm_sector(l1d->controller.cache, address_of(a));
        ShadowData *here = shadow_line(l1d->controller.cache, a->line);
        if (here) *here = c->kept;
    }
    if (c->kept.line && (fault == FAULT_OLD_COPY_BACK || fault == FAULT_FORGED_VERSION))
        send_old(context, l1d);
}

// The sectors of a 128-byte line that a cache's sector at an address has.
static uint8_t sectors_at(uint64_t address, uint64_t sector)
{
    if (sector > SHADOW_BYTES) sector = SHADOW_BYTES;
    unsigned first = (unsigned)(address / sector * sector % SHADOW_BYTES / SHADOW_SECTOR);
    unsigned count = sector > SHADOW_SECTOR ? (unsigned)(sector / SHADOW_SECTOR) : 1;
    return (uint8_t)(lanes_all(count) << first);
}

static void check_l1d_access(SmContext *context, L1d *l1d, const MemoryOp *r, unsigned access,
                             CacheOutcome outcome)
{
    if (mem_kind_writes(r->kind)) {
        note_store(context, l1d, r, access);
        return;
    }
    if (outcome != CACHE_HIT) return;
    bool sectors = l1d->hooks && l1d->hooks->wants & HOOK_SECTORED;
    uint64_t address = address_of(&r->accesses[access]);
    char who[96];
    name_load(who, sizeof who, r, "the L1D");
    Received received = {
        .data = shadow_line(l1d->controller.cache, address), .line = r->accesses[access].line,
        .sectors = sectors ? r->accesses[access].sectors
                           : sectors_at(address, l1d->config.sector)};
    check(context, received, context->config.path->invalidate_l1, true, who);
}

// ---- replies, and the other caches ----

static void check_read_only_hit(SmContext *context, const CacheController *cache, uint64_t address,
                                bool constant)
{
    Received received = {shadow_line(cache->cache, address), address - address % SHADOW_BYTES,
                         sectors_at(address, cache->config->line)};
    check(context, received, !constant && context->config.path->invalidate_l1, false,
          constant ? "load from the L1C" : "load from the L1R");
}

static void check_fill(SmContext *context, Cache *cache, bool is_l1d, const MemReply *reply)
{
    ShadowSmState *c = context->shadow.state;
    ShadowData data = reply->shadow;
    uint64_t address = mem_reply_address(reply);
    c->events++;
    for (unsigned s = 0; s < SHADOW_SECTORS; s++) data.came[s] = c->events;
    ShadowData *here = shadow_fill_line(cache, address, reply->sectors, &data);
    for (unsigned s = 0; here && s < SHADOW_SECTORS; s++)
        if (reply->sectors >> s & 1) here->came[s] = c->events;
    Received received = {here ? here : &data, reply->line, reply->sectors};
    check(context, received, false, is_l1d, "data from the L2");
}

void shadow_give_line(Cache *cache, uint64_t address, MemReply *reply)
{
    reply->shadow = *shadow_line(cache, address);
}

// The watcher of the SM's caches.
static void see(void *self, WatchKind kind, const void *event)
{
    Sm *sm = self;
    const CacheEvent *seen = event;
    const CacheController *at = seen->at;
    bool is_l1d = at == &sm->l1d.controller;
    if (kind == WATCH_FILL) {
        check_fill(&sm->context, at->cache, is_l1d, seen->reply);
        return;
    }
    CacheOutcome outcome = seen->result->outcome;
    if (is_l1d && outcome != CACHE_STALLED)
        check_l1d_access(&sm->context, &sm->l1d, seen->user, seen->number, outcome);
    else if (!is_l1d && outcome == CACHE_HIT)
        check_read_only_hit(&sm->context, at, seen->address, at == &sm->lsu.l1c);
}

// Instructions have no shadow data. What hits in the L1.5 is checked by the cache that asked.
static bool watch_cache(void *self, const CachePlace *place, CacheController *cache, HdError *err)
{
    Watcher watcher = {WATCHER_SHADOW, 1u << WATCH_ACCESS | 1u << WATCH_FILL, see, self};
    if (place->number == SM_L15) watcher.kinds = 1u << WATCH_FILL;
    return place->number == SM_L1I || watch_add(&cache->watch, watcher, err);
}

void shadow_sm_new(Sm *sm, ShadowMemory *memory)
{
    enum { LINES_AT_FIRST = 64 };
    ShadowSmState *c = sm->context.shadow.state = need(hd_new(1, sizeof *c));
    *c = (ShadowSmState){.memory = memory,
                         .report = shadow_add_report(memory, "SM", sm->context.id),
                         .own_capacity = LINES_AT_FIRST};
    c->own = need(hd_new(LINES_AT_FIRST, sizeof *c->own));
    HdError err;
    if (!sm_each_cache(sm, watch_cache, sm, &err)) need(NULL);
}

void shadow_values(SmContext *context, Cache *cache, const ShadowData *brought,
                   const HdAccess *access)
{
    ShadowReport *report = context->shadow.state->report;
    unsigned first = (unsigned)(access->line % SHADOW_BYTES);
    uint8_t has = (uint8_t)(access->value_sectors << first / SHADOW_SECTOR);
    bool bypasses = brought && access->line_index == HD_NO_INDEX;
    const ShadowData *given = bypasses ? brought : shadow_line(cache, access->line);
    uint8_t here = bypasses ? has : shadow_readable_sectors(cache, access->line);
    if (has & ~here || (has && !given))
        shadow_error(report, "mechanisms see sectors 0x%x of line 0x%llx: it has 0x%x", has,
                     (unsigned long long)access->line, here);
    for (unsigned at = 0; given && at < SHADOW_BYTES; at++) {
        bool own = !given->version[at] || given->version[at] & SHADOW_OWN;
        if (own || !given->value[at] || !(here >> at / SHADOW_SECTOR & 1)) continue;
        int seen = has >> at / SHADOW_SECTOR & 1 ? access->values[at - first] : -1;
        if (seen == given->value[at] - 1) continue;
        shadow_error(report, "mechanisms see %d at 0x%llx: expected %d", seen,
                     (unsigned long long)given->line + at, given->value[at] - 1);
        return;
    }
}

void shadow_bypass_reply(SmContext *context, const MemoryOp *r, const MemReply *reply)
{
    ShadowSmState *c = context->shadow.state;
    char who[96];
    name_load(who, sizeof who, r, "the L2");
    for (unsigned s = 0; s < SHADOW_SECTORS; s++)
        if (reply->sectors >> s & 1 &&
            reply->shadow.taken[s] < clock_tick(context->clocks, CLOCK_CORE, r->issued))
            shadow_error(c->report, "%s: sector %u of line 0x%llx was taken before the load issued",
                         who, s, (unsigned long long)reply->line);
    check(context, (Received){&reply->shadow, reply->line, reply->sectors}, true, false, who);
}
