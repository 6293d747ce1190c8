// Units at slices: their reads, links and cycles.
#include "hooks/unit_hooks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool plan_has_units(const HookPlan *plan)
{
    for (size_t i = 0; plan && i < plan->count; i++)
        if (plan_has_unit(plan->items[i].mechanism)) return true;
    return false;
}

bool plan_links_slices(const HookPlan *plan)
{
    for (size_t i = 0; plan && i < plan->count; i++)
        for (const HdStructure *s = plan->items[i].mechanism->structures; s && s->name; s++)
            if (extent_is_link(s->extent)) return true;
    return false;
}

// ---- life ----

static bool add_reads(Unit *unit, HdReadEntry *entries, uint32_t count)
{
    unit->reads = entries;
    unit->read_capacity = count;
    unit->arrivals = hd_new(count, sizeof *unit->arrivals);
    unit->waiting = hd_new(count, sizeof *unit->waiting);
    return unit->arrivals && unit->waiting;
}

bool unit_new(HookedMechanism *h)
{
    if (!plan_has_unit(h->planned->mechanism)) return true;
    const HdStructure *s = h->planned->mechanism->structures;
    size_t structures = 0;
    while (s && s[structures].name) structures++;
    Unit *unit = h->unit = hd_new(1, sizeof *unit);
    if (!unit) return false;
    unit->owner = h->owner;
    unit->due = unit->cycle = UINT64_MAX;
    unit->links = hd_new(structures + 1, sizeof *unit->links);
    unit->linked = hd_new(structures + 1, sizeof *unit->linked);
    bool ok = unit->links && unit->linked;
    for (size_t i = 0; ok && i < structures; i++) {
        uint32_t entries = (uint32_t)cache_hooks_entries(h->owner, h->planned, &s[i]);
        if (s[i].extent == HD_READS) ok = add_reads(unit, h->structures[i], entries);
        if (!extent_is_link(s[i].extent)) continue;
        unit->links[i] = (UnitLink){.entries = h->structures[i], .capacity = entries,
                                    .sent_at = UINT64_MAX, .dropped_at = UINT64_MAX};
        if (entries) unit->linked[unit->linked_count++] = (uint16_t)i;
    }
    h->owner->has_units = true;
    return ok;
}

void unit_free(Unit *unit)
{
    if (!unit) return;
    free(unit->links);
    free(unit->linked);
    free(unit->arrivals);
    free(unit->waiting);
    free(unit);
}

void unit_hooks_connect(CacheHooks *const *slices, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        for (unsigned i = 0; slices[n] && i < slices[n]->count; i++) {
            Unit *unit = slices[n]->items[i].unit;
            if (!unit) continue;
            unit->next = slices[(n + 1) % count]->items[i].unit;
            unit->previous = slices[(n + count - 1) % count]->items[i].unit;
        }
}

void unit_hooks_set_actions(CacheHooks *hooks, const UnitActions *actions, void *slice)
{
    hooks->unit_actions = actions;
    hooks->slice = slice;
}

// ---- time ----

static void note_due(Unit *unit, uint64_t cycle)
{
    CacheHooks *owner = unit->owner;
    if (cycle < unit->due) unit->due = cycle;
    if (cycle >= owner->unit_due) return;
    owner->unit_due = cycle;
    owner->unit_actions->wake(owner->slice, cycle);
}

void unit_hooks_on_kernel_begin(CacheHooks *hooks, uint64_t cycle)
{
    for (unsigned i = 0; i < hooks->count; i++)
        if (hooks->items[i].unit) note_due(hooks->items[i].unit, cycle);
}

bool unit_hooks_busy(const CacheHooks *hooks)
{
    bool busy = hooks->unit_due != UINT64_MAX;
    for (unsigned i = 0; !busy && i < hooks->count; i++)
        busy = hooks->items[i].unit && hooks->items[i].unit->reads_out;
    return busy;
}

bool unit_hooks_take_request(CacheHooks *hooks, unsigned mechanism, const HdUnitRequest *request)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->number != mechanism) continue;
        if (!h->planned->mechanism->unit.take_request(&h->place, request)) return false;
        note_due(h->unit, request->cycle);
    }
    return true;
}

// Reports the data that have come, the oldest first. Returns the cycle of the next data that are
// known to come; UINT64_MAX: none.
static uint64_t deliver(HookedMechanism *h, uint64_t cycle)
{
    Unit *unit = h->unit;
    for (;;) {
        uint32_t first = 0;
        uint64_t at = UINT64_MAX;
        for (uint32_t i = 0; i < unit->read_capacity; i++)
            if (unit->reads[i].sectors && unit->arrivals[i].cycle < at) {
                first = i;
                at = unit->arrivals[i].cycle;
            }
        if (at > cycle) return at;
        const HdReadEntry read = unit->reads[first];
        unit->reads[first] = (HdReadEntry){0};
        unit->reads_out--;
        HdUnitData data = {read.line, cycle, read.tag, read.sectors, unit->arrivals[first].bytes};
        h->planned->mechanism->unit.on_data(&h->place, &data);
    }
}

// Whether a neighbour has news of this cycle for the next: an entry that it has sent, or a place
// that it has freed in a full link.
static bool has_news(const Unit *unit, const HdStructure *s, uint64_t cycle)
{
    bool news = false;
    for (size_t k = 0; k < unit->linked_count && !news; k++) {
        unsigned i = unit->linked[k];
        const UnitLink *in = &unit->links[i];
        const Unit *to = s[i].extent == HD_FROM_PREVIOUS ? unit->next : unit->previous;
        const UnitLink *out = &to->links[i];
        news = (in->count && in->sent_at == cycle) ||
               (out->dropped_at == cycle && out->count + out->dropped >= out->capacity);
    }
    return news;
}

static void run(HookedMechanism *h, uint64_t cycle)
{
    Unit *unit = h->unit;
    uint64_t arrival = unit->reads_out ? deliver(h, cycle) : UINT64_MAX;
    unit->due = UINT64_MAX;
    unit->cycle = cycle;
    uint64_t next = h->planned->mechanism->unit.on_cycle(&h->place, cycle);
    unit->cycle = UINT64_MAX;
    // A neighbour may have run before, when this cycle was still due.
    const HdStructure *structures = h->planned->mechanism->structures;
    if (next <= cycle || has_news(unit, structures, cycle)) next = cycle + 1;
    if (arrival < next) next = arrival;
    if (next < unit->due) unit->due = next;
}

void unit_hooks_cycle(CacheHooks *hooks, uint64_t cycle, bool every)
{
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->unit) continue;
        if (every || h->unit->due <= cycle) run(h, cycle);
        if (h->unit->due < due) due = h->unit->due;
    }
    hooks->unit_due = due;
}

// ---- reads ----

bool hd_read_line(HdPlace *place, uint64_t line, uint8_t sectors, uint32_t tag, bool past_l2)
{
    Unit *unit = hooked_mechanism(place)->unit;
    if (!unit || unit->cycle == UINT64_MAX || unit->reads_out == unit->read_capacity) return false;
    uint32_t at = 0;
    while (unit->reads[at].sectors) at++;
    unit->reads[at] = (HdReadEntry){.line = line, .tag = tag, .sectors = sectors,
                                    .past_l2 = past_l2};
    unit->arrivals[at].cycle = UINT64_MAX;
    unit->reads_out++;
    unit->waiting[(unit->waiting_head + unit->waiting_count++) % unit->read_capacity] = at;
    unit->owner->unit_actions->look_up(unit->owner->slice);
    return true;
}

// The first mechanism whose unit has a read that waits; hooks->count: none.
static unsigned first_waiting(const CacheHooks *hooks)
{
    unsigned i = 0;
    while (i < hooks->count && !(hooks->items[i].unit && hooks->items[i].unit->waiting_count)) i++;
    return i;
}

bool unit_hooks_read_waits(const CacheHooks *hooks)
{
    return first_waiting(hooks) < hooks->count;
}

UnitRead unit_hooks_look_up(CacheHooks *hooks)
{
    unsigned i = first_waiting(hooks);
    Unit *unit = hooks->items[i].unit;
    uint32_t at = unit->waiting[unit->waiting_head];
    const HdReadEntry *entry = &unit->reads[at];
    unit->waiting_head = (unit->waiting_head + 1) % unit->read_capacity;
    unit->waiting_count--;
    return (UnitRead){entry->line, i, at, entry->sectors, entry->past_l2};
}

void unit_hooks_arrive(CacheHooks *hooks, unsigned item, uint32_t entry, uint64_t cycle,
                       const uint8_t *bytes)
{
    Unit *unit = hooks->items[item].unit;
    UnitArrival *arrival = &unit->arrivals[entry];
    arrival->cycle = cycle;
    memcpy(arrival->bytes, bytes, sizeof arrival->bytes);
    note_due(unit, cycle);
}

unsigned hd_slice_of(const HdPlace *place, uint64_t address)
{
    const CacheHooks *owner = hooked_mechanism(place)->owner;
    return owner->unit_actions ? owner->unit_actions->slice_of(owner->slice, address) : 0;
}

// ---- answers ----

bool hd_answer(HdPlace *place, uint32_t number, const HdUnitReply *reply)
{
    HookedMechanism *h = hooked_mechanism(place);
    if (!h->unit || h->unit->cycle == UINT64_MAX) return false;
    bool known;
    bool sent = h->owner->unit_actions->answer(h->owner->slice, h->number, number, reply, &known);
    if (!known)
        hd_fault(place, HD_NO_PC, "its unit answers request %u, which it does not have: expected "
                                  "the number of one that it has taken", number);
    return sent;
}

// ---- links ----

// The unit that receives what this one sends to `structure`; NULL: no such link, or no on_cycle.
static Unit *receiver(const HdPlace *place, unsigned structure)
{
    const HookedMechanism *h = hooked_mechanism(place);
    if (!h->unit || h->unit->cycle == UINT64_MAX) return NULL;
    switch (h->planned->mechanism->structures[structure].extent) {
    case HD_FROM_PREVIOUS: return h->unit->next;
    case HD_FROM_NEXT: return h->unit->previous;
    default: return NULL;
    }
}

bool hd_may_send(const HdPlace *place, unsigned structure)
{
    const Unit *to = receiver(place, structure);
    if (!to) return false;
    uint64_t now = hooked_mechanism(place)->unit->cycle;
    const UnitLink *link = &to->links[structure];
    uint32_t freed = link->dropped_at == now ? link->dropped : 0; // seen from the next cycle on
    return link->sent_at != now && link->count + freed < link->capacity;
}

bool hd_send(HdPlace *place, unsigned structure, const void *entry)
{
    if (!hd_may_send(place, structure)) return false;
    const HookedMechanism *h = hooked_mechanism(place);
    Unit *to = receiver(place, structure);
    UnitLink *link = &to->links[structure];
    size_t bytes = h->planned->mechanism->structures[structure].bytes;
    uint32_t at = (link->head + link->count++) % link->capacity;
    memcpy(link->entries + at * bytes, entry, bytes);
    link->sent_at = h->unit->cycle;
    note_due(to, h->unit->cycle + 1);
    return true;
}

const void *hd_received(const HdPlace *place, unsigned structure)
{
    const HookedMechanism *h = hooked_mechanism(place);
    if (!h->unit || (h->unit->cycle == UINT64_MAX && !h->owner->may_peek)) return NULL;
    const UnitLink *link = &h->unit->links[structure];
    uint32_t arrived = link->count - (link->count && link->sent_at == h->unit->cycle);
    size_t bytes = h->planned->mechanism->structures[structure].bytes;
    return arrived ? link->entries + link->head * bytes : NULL;
}

void hd_drop_received(HdPlace *place, unsigned structure)
{
    if (!hd_received(place, structure)) return;
    Unit *unit = hooked_mechanism(place)->unit;
    UnitLink *link = &unit->links[structure];
    bool full = link->count == link->capacity;
    link->head = (link->head + 1) % link->capacity;
    link->count--;
    if (link->dropped_at != unit->cycle) link->dropped = 0;
    link->dropped_at = unit->cycle;
    link->dropped++;
    HdExtent extent = hooked_mechanism(place)->planned->mechanism->structures[structure].extent;
    Unit *sender = extent == HD_FROM_PREVIOUS ? unit->previous : unit->next;
    bool waits = full && unit->cycle != UINT64_MAX; // the sender may
    if (waits) note_due(sender, unit->cycle + 1);
}

// ---- functional launches ----

void unit_hooks_execute(CacheHooks *const *slices, unsigned count, unsigned mechanism,
                        const HdUnitRequest *request, HdUnitReply *reply)
{
    uint32_t left = request->lanes;
    *reply = (HdUnitReply){0};
    for (unsigned n = 0; left && n < count; n++)
        for (unsigned i = 0; left && i < slices[n]->count; i++) {
            HookedMechanism *h = &slices[n]->items[i];
            if (h->number != mechanism || !h->planned->mechanism->unit.execute) continue;
            slices[n]->may_peek = true;
            left &= ~h->planned->mechanism->unit.execute(&h->place, request, left, reply);
            slices[n]->may_peek = false;
        }
}

bool hd_peek(const HdPlace *place, uint64_t address, void *to, size_t bytes)
{
    const CacheHooks *owner = hooked_mechanism(place)->owner;
    if (!owner->may_peek) return false;
    const void *from = owner->unit_actions->peek(owner->slice, address, bytes);
    if (from) memcpy(to, from, bytes);
    return from;
}
