// Calls to the mechanisms at one place: events, decisions and actions.
#include "hooks/cache_hooks.h"

#include "base/bits.h"
#include "base/number.h"

#include <stdarg.h>
#include <string.h>

STAT_TABLE(hook_table, HookCounters, HOOK_COUNTERS);

// ---- calls ----

// This mechanism's tag among the current sideband tags. They are shifted as 64 bits, because a
// mechanism without tag bits may follow 32 bits of others.
static uint32_t own_tag(const CacheHooks *hooks, const HookedMechanism *h)
{
    return (uint32_t)((uint64_t)hooks->current.sideband_tags >> h->in_shift) & h->in_mask;
}

// An access as a mechanism sees it.
static const HdAccess *seen_by(CacheHooks *hooks, const HookedMechanism *h, HdAccess *access)
{
    access->sideband = own_tag(hooks, h);
    bool hides_fields = h->hides_fields || (h->hides_store_fields && access->kind == HD_STORE);
    if (!hides_fields && (!access->values || h->reads_values)) return access;
    HdAccess *shown = &hooks->current.shown;
    *shown = *access;
    if (!h->reads_values) {
        shown->values = NULL;
        shown->value_sectors = 0;
    }
    if (!hides_fields) return shown;
    shown->pc = HD_NO_PC;
    shown->allocation = HD_NO_ALLOCATION;
    shown->warp = shown->warp_slot = 0;
    shown->lanes = shown->block = 0;
    shown->inserted_in_l1 = false;
    return shown;
}

uint32_t cache_hooks_sideband_tags(CacheHooks *hooks)
{
    uint64_t tags = 0;
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        uint32_t (*get_tag)(HdPlace *, const HdAccess *) =
            hooks->level == HOOK_L1 ? h->hooks->request_tag : h->hooks->reply_tag;
        if (!get_tag) continue;
        const HdAccess *access = seen_by(hooks, h, &hooks->current.access);
        if (hooks->level == HOOK_L1) hooks->current.access.sideband = 0;
        tags |= (uint64_t)(get_tag(&h->place, access) & h->out_mask) << h->out_shift;
    }
    return (uint32_t)tags;
}

HdInsertion cache_hooks_decide_insert(CacheHooks *hooks, const HdRoom *room)
{
    HdInsertion answer = HD_PASS;
    for (unsigned i = 0; answer == HD_PASS && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->hooks->decide_insert) continue;
        answer = h->hooks->decide_insert(&h->place, seen_by(hooks, h, &hooks->current.access),
                                         room);
    }
    return answer == HD_PASS ? HD_INSERT : answer;
}

int cache_hooks_decide_victim(CacheHooks *hooks, const HdWays *ways)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        HdWay answer = h->hooks->decide_victim ? h->hooks->decide_victim(&h->place, ways) : HD_PASS;
        if (answer == HD_PASS) continue;
        if (answer <= ways->count && !hd_is_reserved(ways, answer - 1)) return (int)answer - 1;
        cache_hooks_blame(hooks, h, WRONG_WAY);
    }
    return -1;
}

bool cache_hooks_decide_stall(CacheHooks *hooks, HdStallReason reason)
{
    HdStalled answer = HD_PASS;
    for (unsigned i = 0; answer == HD_PASS && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->decide_stall)
            answer = h->hooks->decide_stall(&h->place, seen_by(hooks, h, &hooks->current.access),
                                            reason);
    }
    return answer == HD_BYPASS_L1;
}

void cache_hooks_blame(CacheHooks *hooks, const HookedMechanism *h, WrongAnswer wrong)
{
    if (hooks->wrong.what != WRONG_NONE) return;
    hooks->wrong.what = wrong;
    hooks->wrong.author = h->planned->mechanism->name;
}

void hd_fault(HdPlace *place, uint32_t pc, const char *format, ...)
{
    const HookedMechanism *h = hooked_mechanism(place);
    HookFault *fault = &h->owner->fault;
    if (fault->author) return;
    fault->author = h->planned->mechanism->name;
    fault->pc = pc;
    va_list arguments;
    va_start(arguments, format);
    number_format_list(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
}

const char *wrong_answer_text(WrongAnswer wrong)
{
    static const char *const texts[] = {
        [WRONG_WAY] = "its decide_victim chose a way that the set does not have, or that waits "
                      "for data: expected HD_WAY of another, or HD_PASS",
        [WRONG_QUEUE] = "its decide_queue chose a queue that it has not declared, or passed while "
                        "nothing was held: expected HD_QUEUE of another",
        [WRONG_NEXT] = "its decide_next chose a queue that holds nothing: expected HD_QUEUE of "
                       "another, or HD_PASS",
        [WRONG_WARP] = "its decide_warp chose a warp that is no candidate: expected HD_WARP of "
                       "one, HD_ISSUE_NONE or HD_PASS",
        [WRONG_IDLE] = "its decide_warp answered HD_ISSUE_NONE to a scheduler with candidates "
                       "1,000,000 times in a row (HD_MOST_IDLE_TURNS): expected HD_WARP of one"};
    _Static_assert(HD_MOST_IDLE_TURNS == 1000000, "the text says it");
    return texts[wrong];
}

void cache_hooks_on_replace(CacheHooks *hooks, const HdWays *ways, uint32_t way)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_replace) h->hooks->on_replace(&h->place, ways, way);
    }
}

uint8_t cache_hooks_decide_fetch(CacheHooks *hooks, uint8_t have)
{
    bool asked = false;
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->hooks->decide_fetch) continue;
        const HdAccess *miss = seen_by(hooks, h, &hooks->current.access);
        uint8_t sectors = h->hooks->decide_fetch(&h->place, miss, have);
        if (sectors != HD_PASS) return sectors;
        asked = true;
    }
    return asked ? UINT8_MAX : 0;
}

bool cache_hooks_decide_clean_eviction(CacheHooks *hooks, const HdEviction *line)
{
    HdCleanEviction answer = HD_PASS;
    for (unsigned i = 0; answer == HD_PASS && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->decide_clean_eviction)
            answer = h->hooks->decide_clean_eviction(&h->place, line);
    }
    return answer == HD_SEND_BACK;
}

bool cache_hooks_decide_after_hit(CacheHooks *hooks)
{
    HdAfterHit answer = HD_PASS;
    for (unsigned i = 0; answer == HD_PASS && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->hooks->decide_after_hit) continue;
        answer = h->hooks->decide_after_hit(&h->place, seen_by(hooks, h, &hooks->current.access));
    }
    return answer == HD_REMOVE;
}

void cache_hooks_on_evict(CacheHooks *hooks, const HdEviction *eviction)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_evict) h->hooks->on_evict(&h->place, eviction);
    }
}

void cache_hooks_on_invalidate(CacheHooks *hooks, const HdEviction *line)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_invalidate) h->hooks->on_invalidate(&h->place, line);
    }
}

void cache_hooks_on_kernel_end_line(CacheHooks *hooks, const HdEviction *line)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_kernel_end_line) h->hooks->on_kernel_end_line(&h->place, line);
    }
}

void cache_hooks_bring_values(CacheHooks *hooks, uint16_t value_slot, uint8_t sectors)
{
    HdAccess *filled = &hooks->current.filled;
    unsigned first = (unsigned)(filled->line % VALUE_LINE); // of smaller lines
    const uint8_t *bytes = value_slots_bytes(&hooks->sm.value_slots, value_slot) + first;
    filled->value_sectors = (uint8_t)(sectors >> first / VALUE_SECTOR);
    filled->values = bytes;
    if (filled->line_index == HD_NO_INDEX) return;
    LineValues *line = &hooks->sm.values[filled->line_index];
    line_values_bring(line, bytes, filled->value_sectors);
    filled->value_sectors = line->sectors;
    filled->values = line->bytes;
}

void cache_hooks_on_access(CacheHooks *hooks, HdOutcome outcome, uint32_t slot)
{
    hooks->current.access.outcome = (uint8_t)outcome;
    hooks->current.access.line_index = slot;
    if (hooks->prefetches && hooks->current.access.kind != HD_STORE && slot != HD_NO_INDEX)
        prefetch_queues_on_access(hooks->prefetches, slot, &hooks->current.access);
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_access)
            h->hooks->on_access(&h->place, seen_by(hooks, h, &hooks->current.access));
    }
    hooks->current.access.values = NULL;
    hooks->current.access.value_sectors = 0;
}

void cache_hooks_on_fill(CacheHooks *hooks)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_fill)
            h->hooks->on_fill(&h->place, seen_by(hooks, h, &hooks->current.filled));
    }
}

const HookedMechanism *cache_hooks_prefetcher(const CacheHooks *hooks, unsigned owner)
{
    const HookedMechanism *h = hooks->items;
    while (h->prefetch_queue != &hooks->prefetches->items[owner]) h++;
    return h;
}

void cache_hooks_on_prefetch(CacheHooks *hooks, unsigned owner, HdPrefetched *prefetched)
{
    HookedMechanism *h = &hooks->items[cache_hooks_prefetcher(hooks, owner) - hooks->items];
    if (!h->reads_values) {
        prefetched->values = NULL;
        prefetched->value_sectors = 0;
    }
    if (h->hooks->on_prefetch) h->hooks->on_prefetch(&h->place, prefetched);
}

HdPrefetched cache_hooks_present(const CacheHooks *hooks, const Prefetch *prefetch, uint64_t cycle,
                                 uint32_t line_index, const uint8_t *values)
{
    uint64_t offset = prefetch->address - prefetch->line;
    uint32_t sector = hooks->prefetches->sector;
    HdPrefetched prefetched = {
        .line = prefetch->line, .cycle = cycle, .line_index = line_index,
        .tag = prefetch->tag.tag, .warp_slot = prefetch->tag.warp_slot, .outcome = HD_HIT,
        .sector = (uint8_t)(offset / sector), .values = values};
    prefetched.sector_mask = prefetch_queues_sectors(hooks->prefetches, prefetched.sector);
    if (values)
        prefetched.value_sectors =
            (uint8_t)(lanes_all(sector / VALUE_SECTOR) << offset / VALUE_SECTOR);
    if (hooks->sm.values && line_index != HD_NO_INDEX && hooks->sm.values[line_index].sectors) {
        prefetched.value_sectors = hooks->sm.values[line_index].sectors;
        prefetched.values = hooks->sm.values[line_index].bytes;
    }
    return prefetched;
}

void cache_hooks_on_tagged_fill(CacheHooks *hooks)
{
    const HdAccess *filled = &hooks->current.filled;
    for (unsigned i = 0; hooks->prefetches && i < hooks->prefetches->tags; i++) {
        PendingTag brought = hooks->prefetches->brought[i];
        if (!brought.owner) continue;
        hooks->prefetches->brought[i].owner = 0;
        cache_hooks_on_prefetch(hooks, brought.owner - 1u, &(HdPrefetched){
            .line = filled->line, .cycle = filled->cycle, .line_index = filled->line_index,
            .tag = brought.tag.tag, .warp_slot = brought.tag.warp_slot, .sector = filled->sector,
            .sector_mask = prefetch_queues_sectors(hooks->prefetches, filled->sector),
            .outcome = brought.outcome,
            .late = brought.outcome == HD_MISS && hooks->prefetches->late,
            .value_sectors = filled->value_sectors, .values = filled->values});
    }
}

void cache_hooks_add_prefetch(CacheHooks *hooks, unsigned number, uint64_t address,
                              PrefetchTag tag)
{
    for (unsigned i = 0; i < hooks->count; i++)
        if (hooks->items[i].number == number)
            prefetch_queue_push(hooks->items[i].prefetch_queue, address, tag);
}

void cache_hooks_on_insert(CacheHooks *hooks, const HdAccess *access)
{
    if (hooks->current.inserted == HD_NO_INDEX) return;
    HdAccess inserted = *access;
    inserted.line_index = hooks->current.inserted;
    hooks->current.inserted = HD_NO_INDEX;
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->hooks->on_insert) h->hooks->on_insert(&h->place, seen_by(hooks, h, &inserted));
    }
}

void cache_hooks_on_kernel(CacheHooks *hooks, uint64_t cycle, const HdKernel *kernel, bool begins)
{
    cache_hooks_at(hooks, cycle);
    hooks->launch += begins;
    hooks->drains = false;
    if (!begins && hooks->wants & HOOK_ON_KERNEL_END_LINE && hooks->lines.visit)
        hooks->lines.visit(hooks->lines.cache);
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        void (*hook)(HdPlace *, const HdKernel *) =
            begins ? h->hooks->on_kernel_begin : h->hooks->on_kernel_end;
        HdKernel seen = kernel_seen_by(h, kernel);
        if (hook) hook(&h->place, &seen);
        if (!begins) h->wake = UINT64_MAX;
    }
    if (hooks->prefetches) prefetch_queues_clear(hooks->prefetches);
}

const char *cache_hooks_on_call(CacheHooks *hooks, const char *mechanism, const HdCall *call,
                                bool *takes)
{
    const char *refused = NULL;
    for (unsigned i = 0; !refused && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        const char *(*hook)(HdPlace *, const HdCall *) = h->gpu ? h->gpu->on_call
                                                                : h->hooks->on_call;
        if (!hook || strcmp(h->planned->mechanism->name, mechanism) != 0) continue;
        *takes = true;
        refused = hook(&h->place, call);
    }
    return refused;
}

void cache_hooks_on_release(CacheHooks *hooks, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        void (*hook)(HdPlace *, uint64_t, uint64_t) = h->gpu ? h->gpu->on_release
                                                             : h->hooks->on_release;
        if (hook) hook(&h->place, address, bytes);
    }
}

static void note_due(CacheHooks *hooks, uint64_t cycle)
{
    if (cycle < hooks->due) hooks->due = cycle;
}

static void end_periods(HookedMechanism *h, uint64_t cycle)
{
    uint64_t ended = (cycle - h->period_end) / h->period + 1;
    h->period_end += ended * h->period;
    h->hooks->on_period(&h->place, &(HdPeriods){h->period_end - h->period, ended});
}

// A mechanism that wants to be woken again is, in a later cycle.
static void wake(HookedMechanism *h, uint64_t cycle)
{
    h->wake = UINT64_MAX;
    h->core->on_wake(&h->place, cycle);
    if (h->wake <= cycle) h->wake = cycle + 1;
}

void cache_hooks_call_due(CacheHooks *hooks, uint64_t cycle)
{
    for (unsigned i = 0; i < hooks->count; i++)
        if (hooks->items[i].period && hooks->items[i].period_end <= cycle)
            end_periods(&hooks->items[i], cycle);
    for (unsigned i = 0; i < hooks->count; i++)
        if (hooks->items[i].wake <= cycle) wake(&hooks->items[i], cycle);
    hooks->due = UINT64_MAX;
    for (unsigned i = 0; i < hooks->count; i++) {
        const HookedMechanism *h = &hooks->items[i];
        if (h->period) note_due(hooks, h->period_end);
        note_due(hooks, h->wake);
    }
}

void hd_wake(HdPlace *place, uint64_t cycle)
{
    HookedMechanism *h = hooked_mechanism(place);
    if (!h->core || !h->core->on_wake) return;
    if (cycle < h->wake) h->wake = cycle;
    note_due(h->owner, h->wake);
}

enum { WHOLE_SM = -1 }; // in place of a warp slot

HdWork hd_work_of_sm(const HdPlace *place)
{
    const CacheHooks *hooks = hooked_mechanism(place)->owner;
    return hooks->sm.read_work ? hooks->sm.read_work(hooks->sm.self, WHOLE_SM) : (HdWork){0};
}

HdWork hd_work_of_warp(const HdPlace *place, unsigned slot)
{
    const CacheHooks *hooks = hooked_mechanism(place)->owner;
    if (!hooks->sm.read_work || slot >= hooks->slots.warps) return (HdWork){0};
    return hooks->sm.read_work(hooks->sm.self, (int)slot);
}

const HdInstruction *hd_instruction(const HdPlace *place, uint32_t pc)
{
    const CacheHooks *hooks = hooked_mechanism(place)->owner;
    return hooks->sm.actions ? hooks->sm.actions->instruction(hooks->sm.self, pc) : NULL;
}

bool hd_loop(const HdPlace *place, uint32_t pc, HdLoop *loop)
{
    const CacheHooks *hooks = hooked_mechanism(place)->owner;
    return hooks->sm.actions && hooks->sm.actions->loop(hooks->sm.self, pc, loop);
}

const void *hd_register(const HdPlace *place, unsigned warp_slot, HdOperand operand)
{
    const SmHooks *sm = &hooked_mechanism(place)->owner->sm;
    return sm->actions ? sm->actions->register_values(sm->self, warp_slot, operand) : NULL;
}

bool hd_inject(HdPlace *place, const HdIssued *behind, const HdMicroOp *op)
{
    const HookedMechanism *h = hooked_mechanism(place);
    const CacheHooks *hooks = h->owner;
    return hooks->sm.actions && h->planned->mechanism->injects &&
           hooks->sm.actions->inject(hooks->sm.self, behind, op);
}

uint32_t hd_spare_lanes(const HdPlace *place, unsigned warp_slot, unsigned number)
{
    const SmHooks *sm = &hooked_mechanism(place)->owner->sm;
    return sm->actions ? sm->actions->spare_lanes(sm->self, warp_slot, number) : 0;
}

void hd_reconsider(HdPlace *place)
{
    CacheHooks *hooks = hooked_mechanism(place)->owner;
    hooks->reconsider.warps = hooks->reconsider.order = hooks->reconsider.blocks = true;
}

bool hd_prefetch(HdPlace *place, uint64_t address)
{
    return hd_prefetch_tagged(place, address, 0, 0);
}

bool hd_prefetch_tagged(HdPlace *place, uint64_t address, uint32_t tag, uint16_t warp_slot)
{
    HookedMechanism *h = hooked_mechanism(place);
    bool works = h->prefetch_queue && !h->owner->drains;
    bool queued = works && prefetch_queue_push(h->prefetch_queue, address,
                                               (PrefetchTag){tag, warp_slot});
    if (h->observe_prefetch) h->observe_prefetch(place, address, queued);
    return works;
}
