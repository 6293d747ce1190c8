// Data in an SM: those of its stores, and what its loads get from the first-level caches and past
// them.
#include "core/sm_internal.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The SM's last store to each byte of a line, of those that have passed the L1D in this launch.
typedef struct OwnStores {
    uint64_t line;
    uint64_t at[CARRIED_BYTES];     // by the SM's count of events; 0: none
    uint32_t number[CARRIED_BYTES]; // among the SM's stores
    uint32_t made[CARRIED_BYTES];   // the version that it got at the slice; 0: not yet known
} OwnStores;

typedef struct CarriedSm {
    CarriedMemory *memory;
    CarriedReport *report;
    uint64_t events;    // in the order in which the caches see them
    uint32_t stores;    // accesses of stores so far
    OwnStores **own;    // open addressing
    size_t own_count, own_capacity; // a power of two
    Carried store;      // that is being looked up
    Carried kept;       // the line in front of it, and its stamp, for faults
    uint32_t kept_stamp;
} CarriedSm;

static void *need(void *made)
{
    if (made) return made;
    fputs("out of memory: carrying data in an SM\n", stderr);
    exit(2);
}

// ---- life ----

void sm_carry(Sm *sm, CarriedMemory *memory)
{
    enum { LINES_AT_FIRST = 64 };
    sm->carried = need(hd_new(1, sizeof *sm->carried));
    *sm->carried = (CarriedSm){.memory = memory, .report = carried_add_report(memory, "SM", sm->id),
                               .own_capacity = LINES_AT_FIRST};
    sm->carried->own = need(hd_new(LINES_AT_FIRST, sizeof *sm->carried->own));
}

static void forget_own(CarriedSm *c)
{
    for (size_t i = 0; i < c->own_capacity; i++) {
        free(c->own[i]);
        c->own[i] = NULL;
    }
    c->own_count = 0;
}

void carried_sm_free(Sm *sm)
{
    if (!sm->carried) return;
    forget_own(sm->carried);
    free(sm->carried->own);
    free(sm->carried);
}

void sm_carry_begin(Sm *sm, bool adopt)
{
    forget_own(sm->carried);
    Cache *caches[] = {sm->l1d, sm->l1c.cache, sm->l1r.cache};
    for (unsigned i = 0; adopt && i < 3; i++) carried_adopt(sm->carried->memory, caches[i], -1);
}

// ---- own stores ----

static OwnStores **own_home(const CarriedSm *c, uint64_t line)
{
    size_t i = random_mix(line) & (c->own_capacity - 1);
    while (c->own[i] && c->own[i]->line != line) i = (i + 1) & (c->own_capacity - 1);
    return &c->own[i];
}

static OwnStores *own_line(CarriedSm *c, uint64_t line)
{
    OwnStores **home = own_home(c, line);
    if (*home) return *home;
    if (2 * ++c->own_count > c->own_capacity) {
        CarriedSm larger = {.own_capacity = 2 * c->own_capacity};
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

// The byte at an address of local memory, which lies interleaved by thread.
static uint8_t local_byte(const Sm *sm, const Warp *w, uint64_t address)
{
    uint64_t width = sm->config.core->width, offset = address - local_base(sm, w);
    uint64_t lane = offset / 4 % width, at = offset / 4 / width * 4 + offset % 4;
    return w->exec.local[lane * w->exec.local_stride + at];
}

void carried_issue(Sm *sm, const Warp *w, AccessRecord *r)
{
    if (!mem_kind_writes(r->kind)) return;
    if (!r->stored) r->stored = need(hd_new(RECORD_ACCESSES, sizeof *r->stored));
    r->store_number = sm->carried->stores + 1;
    sm->carried->stores += r->count;
    for (unsigned k = 0; k < r->count; k++)
        for (unsigned i = 0; i < CARRIED_BYTES; i++) {
            uint64_t address = r->accesses[k].line + i;
            if (!carried_in(r->accesses[k].bytes, i)) continue;
            r->stored[k][i] = r->space == SPACE_LOCAL
                                  ? local_byte(sm, w, address)
                                  : (uint8_t)store_log_read(sm->log, sm->guest, address, 1);
        }
}

void carried_packet(const AccessRecord *r, unsigned access, Carried *data)
{
    *data = (Carried){.line = r->accesses[access].line};
    if (!r->stored) return; // outside of time: what it leaves in the caches is adopted
    for (unsigned i = 0; i < CARRIED_BYTES; i++) {
        if (!carried_in(r->accesses[access].bytes, i)) continue;
        data->version[i] = CARRIED_OWN | (r->store_number + access);
        data->byte[i] = r->stored[access][i];
    }
}

Carried carried_asks(Sm *sm) { return (Carried){.asked = {++sm->carried->events}}; }

// ---- what loads get ----

// An own store has passed the L1D, and the data were there before, or were asked for behind it.
static bool check_own(Sm *sm, const Carried *given, OwnStores *own, unsigned at, const char *who)
{
    CarriedSm *c = sm->carried;
    uint32_t version = given->version[at];
    unsigned long long address = given->line + at;
    bool passed = own && own->at[at];
    if (version & CARRIED_OWN) {
        if (passed ? (version & ~CARRIED_OWN) == own->number[at]
                   : !sm->config.path->invalidate_l1)
            return true;
        carried_say(c->report, "%s: byte 0x%llx is that of the SM's store %u, and not of its last, "
                               "%u",
                    who, address, version & ~CARRIED_OWN, passed ? own->number[at] : 0);
        return false;
    }
    if (!passed) return true;
    if (!own->made[at])
        own->made[at] = carried_made(c->memory, given->line, at, sm->id, own->number[at]);
    unsigned s = at / CARRIED_SECTOR;
    if (given->came[s] < own->at[at]) {
        carried_say(c->report, "%s: byte 0x%llx has version %u (0x%02x), which was in the L1D when "
                               "the SM's store %u (version %u; 0: not yet at the slice) passed it",
                    who, address, version, given->byte[at], own->number[at], own->made[at]);
        return false;
    }
    bool has = own->made[at] && own->made[at] <= version;
    if (has || given->asked[s] < own->at[at]) {
        c->report->older += !has; // once for each byte
        return true;
    }
    carried_say(c->report, "%s: byte 0x%llx has version %u (0x%02x), asked for behind the SM's "
                           "store %u (version %u; 0: it never came to the slice)",
                who, address, version, given->byte[at], own->number[at], own->made[at]);
    return false;
}

// A load gets these sectors of a line. `fresh`: they must have been taken in this launch.
static void check(Sm *sm, const Carried *given, uint64_t line, uint8_t sectors, bool fresh,
                  bool own, const char *who)
{
    CarriedSm *c = sm->carried;
    static const Carried nothing;
    if (!given) given = &nothing;
    for (unsigned s = 0; s < CARRIED_SECTORS; s++) {
        if (!(sectors >> s & 1)) continue;
        unsigned first = s * CARRIED_SECTOR;
        bool left = fresh && given->line && given->taken[s] < carried_began(c->memory);
        for (unsigned at = first; left && at < first + CARRIED_SECTOR; at++)
            left = !(given->version[at] & CARRIED_OWN); // written here, not taken
        if (left)
            carried_say(c->report, "%s: sector %u of line 0x%llx was taken before this launch",
                        who, s, (unsigned long long)line);
        else if (!carried_check(c->memory, c->report, given, line, first, CARRIED_SECTOR,
                                given->taken[s], who))
            return;
        OwnStores *stores = own ? *own_home(c, line) : NULL;
        for (unsigned at = first; own && at < first + CARRIED_SECTOR; at++)
            if (!check_own(sm, given, stores, at, who)) return;
    }
}

static void name_load(char *who, size_t size, const AccessRecord *r, const char *from)
{
    snprintf(who, size, "load of warp %u, instruction %u, from %s", r->warp, r->pc, from);
}

// ---- the L1D ----

static uint64_t address_of(const CoalescedAccess *a)
{
    return a->line + (a->sectors ? lanes_first(a->sectors) : 0) * SECTOR_BYTES;
}

const Carried *carried_l1_store(Sm *sm, const AccessRecord *r, unsigned access)
{
    CarriedSm *c = sm->carried;
    if (!mem_kind_writes(r->kind)) return NULL;
    carried_packet(r, access, &c->store);
    const Carried *here = carried_here(sm->l1d, address_of(&r->accesses[access]));
    c->kept = here ? *here : (Carried){0};
    if (here && sm->l1_hooks && sm->l1_hooks->stamps)
        c->kept_stamp = sm->l1_hooks->stamps[cache_slot(sm->l1d, r->accesses[access].line)];
    return &c->store;
}

// The line in front of the store goes back to its slice behind it.
static void send_old(Sm *sm)
{
    const CarriedSm *c = sm->carried;
    uint8_t sectors = 0;
    for (unsigned at = 0; at < CARRIED_BYTES; at++)
        if (c->kept.version[at]) sectors |= (uint8_t)(1u << at / CARRIED_SECTOR);
    if (!sectors || sm->copy_backs.count == sm->copy_backs.capacity) return;
    bool forged = carried_fault(c->memory) == FAULT_FORGED_STAMP;
    MemRequest request = {.line = c->kept.line, .kind = MEM_COPY_BACK, .array = GUEST_NO_ARRAY,
                          .token = forged ? UINT32_MAX - 1 : c->kept_stamp, .sectors = sectors,
                          .bytes = (uint16_t)(SECTOR_BYTES * lanes_count(sectors)),
                          .extra = STAMP_BITS / 8, .data = c->kept};
    sm->l1_hooks->copied.sent++;
    queue_push(&sm->copy_backs, &request);
}

static void keep_line(Sm *sm, const CoalescedAccess *a)
{
    cache_warm(sm->l1d, address_of(a));
    Carried *here = carried_here(sm->l1d, a->line);
    if (here) *here = sm->carried->kept;
}

static void note_store(Sm *sm, const AccessRecord *r, unsigned access)
{
    CarriedSm *c = sm->carried;
    const CoalescedAccess *a = &r->accesses[access];
    OwnStores *own = own_line(c, a->line);
    c->events++;
    for (unsigned i = 0; i < CARRIED_BYTES; i++) {
        if (!carried_in(a->bytes, i)) continue;
        own->at[i] = c->events;
        own->number[i] = r->store_number + access;
        own->made[i] = 0;
    }
    CarriedFault fault = carried_fault(c->memory);
    if (c->kept.line && fault == FAULT_KEPT_LINE) keep_line(sm, a);
    if (c->kept.line && (fault == FAULT_OLD_COPY_BACK || fault == FAULT_FORGED_STAMP)) send_old(sm);
}

// The sectors of a 128-byte line that a cache's sector at an address has.
static uint8_t sectors_at(uint64_t address, uint64_t sector)
{
    if (sector > CARRIED_BYTES) sector = CARRIED_BYTES;
    unsigned first = (unsigned)(address / sector * sector % CARRIED_BYTES / CARRIED_SECTOR);
    unsigned count = sector > CARRIED_SECTOR ? (unsigned)(sector / CARRIED_SECTOR) : 1;
    return (uint8_t)(lanes_all(count) << first);
}

void carried_l1_served(Sm *sm, const AccessRecord *r, unsigned access, CacheOutcome outcome)
{
    if (mem_kind_writes(r->kind)) {
        note_store(sm, r, access);
        return;
    }
    if (outcome != CACHE_HIT) return;
    bool parts = sm->l1_hooks && sm->l1_hooks->wants & HOOK_PARTS;
    uint64_t address = address_of(&r->accesses[access]);
    char who[96];
    name_load(who, sizeof who, r, "the L1D");
    check(sm, carried_here(sm->l1d, address), r->accesses[access].line,
          parts ? r->accesses[access].sectors : sectors_at(address, sm->l1d_config.sector),
          sm->config.path->invalidate_l1, true, who);
}

// ---- replies, and the other caches ----

void carried_side_hit(Sm *sm, const SideCache *side, uint64_t address, MemKind kind)
{
    bool constant = kind == MEM_CONSTANT;
    check(sm, carried_here(side->cache, address), address - address % CARRIED_BYTES,
          sectors_at(address, side->line), !constant && sm->config.path->invalidate_l1, false,
          constant ? "load from the L1C" : "load from the L1R");
}

void carried_reply(Sm *sm, Cache *cache, const MemReply *reply)
{
    CarriedSm *c = sm->carried;
    Carried data = reply->data;
    uint64_t address = reply->line + SECTOR_BYTES * lanes_first(reply->sectors);
    c->events++;
    for (unsigned s = 0; s < CARRIED_SECTORS; s++) data.came[s] = c->events;
    Carried *here = carried_fill(cache, address, reply->sectors, &data);
    for (unsigned s = 0; here && s < CARRIED_SECTORS; s++)
        if (reply->sectors >> s & 1) here->came[s] = c->events;
    check(sm, here ? here : &data, reply->line, reply->sectors, false, cache == sm->l1d,
          "data from the L2");
}

void carried_past(Sm *sm, const MemReply *reply)
{
    const AccessRecord *r = &sm->records[reply->token];
    CarriedSm *c = sm->carried;
    char who[96];
    name_load(who, sizeof who, r, "the L2");
    for (unsigned s = 0; s < CARRIED_SECTORS; s++)
        if (reply->sectors >> s & 1 &&
            reply->data.taken[s] < clock_tick(sm->clocks, CLOCK_CORE, r->issued))
            carried_say(c->report, "%s: sector %u of line 0x%llx was taken before the load issued",
                        who, s, (unsigned long long)reply->line);
    check(sm, &reply->data, reply->line, reply->sectors, true, false, who);
}
