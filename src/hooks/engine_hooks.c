// Engines at slices: their reads, links and cycles.
#include "hooks/engine_hooks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool plan_has_engines(const HookPlan *plan)
{
    for (size_t i = 0; plan && i < plan->count; i++)
        if (plan_has_engine(plan->items[i].mechanism)) return true;
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

static bool add_reads(Engine *engine, HdReadEntry *entries, uint32_t count)
{
    engine->reads = entries;
    engine->read_capacity = count;
    engine->arrivals = hd_new(count, sizeof *engine->arrivals);
    engine->waiting = hd_new(count, sizeof *engine->waiting);
    return engine->arrivals && engine->waiting;
}

bool engine_new(HookedMechanism *h)
{
    if (!plan_has_engine(h->planned->mechanism)) return true;
    const HdStructure *s = h->planned->mechanism->structures;
    size_t structures = 0;
    while (s && s[structures].name) structures++;
    Engine *engine = h->engine = hd_new(1, sizeof *engine);
    if (!engine) return false;
    engine->owner = h->owner;
    engine->due = engine->cycle = UINT64_MAX;
    engine->links = hd_new(structures + 1, sizeof *engine->links);
    engine->linked = hd_new(structures + 1, sizeof *engine->linked);
    bool ok = engine->links && engine->linked;
    for (size_t i = 0; ok && i < structures; i++) {
        uint32_t entries = (uint32_t)cache_hooks_entries(h->owner, h->planned, &s[i]);
        if (s[i].extent == HD_READS) ok = add_reads(engine, h->structures[i], entries);
        if (!extent_is_link(s[i].extent)) continue;
        engine->links[i] = (EngineLink){.entries = h->structures[i], .capacity = entries,
                                        .sent_at = UINT64_MAX, .dropped_at = UINT64_MAX};
        if (entries) engine->linked[engine->linked_count++] = (uint16_t)i;
    }
    h->owner->slice.has_engines = true;
    return ok;
}

void engine_free(Engine *engine)
{
    if (!engine) return;
    free(engine->links);
    free(engine->linked);
    free(engine->arrivals);
    free(engine->waiting);
    free(engine);
}

void engine_hooks_connect(CacheHooks *const *slices, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        for (unsigned i = 0; slices[n] && i < slices[n]->count; i++) {
            Engine *engine = slices[n]->items[i].engine;
            if (!engine) continue;
            engine->next = slices[(n + 1) % count]->items[i].engine;
            engine->previous = slices[(n + count - 1) % count]->items[i].engine;
        }
}

void engine_hooks_set_actions(CacheHooks *hooks, const EngineActions *actions, void *slice)
{
    hooks->slice.actions = actions;
    hooks->slice.self = slice;
}

// ---- time ----

static void note_due(Engine *engine, uint64_t cycle)
{
    CacheHooks *owner = engine->owner;
    if (cycle < engine->due) engine->due = cycle;
    if (cycle >= owner->slice.due) return;
    owner->slice.due = cycle;
    owner->slice.actions->wake(owner->slice.self, cycle);
}

void engine_hooks_on_kernel_begin(CacheHooks *hooks, uint64_t cycle)
{
    for (unsigned i = 0; i < hooks->count; i++)
        if (hooks->items[i].engine) note_due(hooks->items[i].engine, cycle);
}

bool engine_hooks_busy(const CacheHooks *hooks)
{
    bool busy = hooks->slice.due != UINT64_MAX;
    for (unsigned i = 0; !busy && i < hooks->count; i++)
        busy = hooks->items[i].engine && hooks->items[i].engine->reads_out;
    return busy;
}

bool engine_hooks_take_request(CacheHooks *hooks, unsigned mechanism,
                               const HdEngineRequest *request)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->number != mechanism) continue;
        if (!h->planned->mechanism->engine.take_request(&h->place, request)) return false;
        note_due(h->engine, request->cycle);
    }
    return true;
}

// Reports the data that have come, the oldest first. Returns the cycle of the next data that are
// known to come; UINT64_MAX: none.
static uint64_t deliver(HookedMechanism *h, uint64_t cycle)
{
    Engine *engine = h->engine;
    for (;;) {
        uint32_t first = 0;
        uint64_t at = UINT64_MAX;
        for (uint32_t i = 0; i < engine->read_capacity; i++)
            if (engine->reads[i].sectors && engine->arrivals[i].cycle < at) {
                first = i;
                at = engine->arrivals[i].cycle;
            }
        if (at > cycle) return at;
        const HdReadEntry read = engine->reads[first];
        engine->reads[first] = (HdReadEntry){0};
        engine->reads_out--;
        HdEngineData data = {read.line, cycle, read.tag, read.sectors,
                             engine->arrivals[first].bytes};
        h->planned->mechanism->engine.on_data(&h->place, &data);
    }
}

// Whether a neighbour has news of this cycle for the next: an entry that it has sent, or a place
// that it has freed in a full link.
static bool has_news(const Engine *engine, const HdStructure *s, uint64_t cycle)
{
    bool news = false;
    for (size_t k = 0; k < engine->linked_count && !news; k++) {
        unsigned i = engine->linked[k];
        const EngineLink *in = &engine->links[i];
        const Engine *to = s[i].extent == HD_FROM_PREVIOUS ? engine->next : engine->previous;
        const EngineLink *out = &to->links[i];
        news = (in->count && in->sent_at == cycle) ||
               (out->dropped_at == cycle && out->count + out->dropped >= out->capacity);
    }
    return news;
}

static void run(HookedMechanism *h, uint64_t cycle)
{
    Engine *engine = h->engine;
    uint64_t arrival = engine->reads_out ? deliver(h, cycle) : UINT64_MAX;
    engine->due = UINT64_MAX;
    engine->cycle = cycle;
    uint64_t next = h->planned->mechanism->engine.on_cycle(&h->place, cycle);
    engine->cycle = UINT64_MAX;
    // A neighbour may have run before, when this cycle was still due.
    const HdStructure *structures = h->planned->mechanism->structures;
    if (next <= cycle || has_news(engine, structures, cycle)) next = cycle + 1;
    if (arrival < next) next = arrival;
    if (next < engine->due) engine->due = next;
}

void engine_hooks_cycle(CacheHooks *hooks, uint64_t cycle, bool every)
{
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->engine) continue;
        if (every || h->engine->due <= cycle) run(h, cycle);
        if (h->engine->due < due) due = h->engine->due;
    }
    hooks->slice.due = due;
}

// ---- reads ----

bool hd_read_line(HdPlace *place, uint64_t line, uint8_t sectors, uint32_t tag, bool past_l2)
{
    Engine *engine = hooked_mechanism(place)->engine;
    if (!engine || engine->cycle == UINT64_MAX ||
        engine->reads_out == engine->read_capacity) return false;
    uint32_t at = 0;
    while (engine->reads[at].sectors) at++;
    engine->reads[at] = (HdReadEntry){.line = line, .tag = tag, .sectors = sectors,
                                      .past_l2 = past_l2};
    engine->arrivals[at].cycle = UINT64_MAX;
    engine->reads_out++;
    engine->waiting[(engine->waiting_head + engine->waiting_count++) % engine->read_capacity] = at;
    engine->owner->slice.actions->look_up(engine->owner->slice.self);
    return true;
}

// The first mechanism whose engine has a read that waits; hooks->count: none.
static unsigned first_waiting(const CacheHooks *hooks)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        const Engine *engine = hooks->items[i].engine;
        if (engine && engine->waiting_count) return i;
    }
    return hooks->count;
}

bool engine_hooks_read_waits(const CacheHooks *hooks)
{
    return first_waiting(hooks) < hooks->count;
}

EngineRead engine_hooks_look_up(CacheHooks *hooks)
{
    unsigned i = first_waiting(hooks);
    Engine *engine = hooks->items[i].engine;
    uint32_t at = engine->waiting[engine->waiting_head];
    const HdReadEntry *entry = &engine->reads[at];
    engine->waiting_head = (engine->waiting_head + 1) % engine->read_capacity;
    engine->waiting_count--;
    return (EngineRead){entry->line, i, at, entry->sectors, entry->past_l2};
}

void engine_hooks_arrive(CacheHooks *hooks, unsigned item, uint32_t entry, uint64_t cycle,
                         const uint8_t *bytes)
{
    Engine *engine = hooks->items[item].engine;
    EngineArrival *arrival = &engine->arrivals[entry];
    arrival->cycle = cycle;
    memcpy(arrival->bytes, bytes, sizeof arrival->bytes);
    note_due(engine, cycle);
}

unsigned hd_slice_of(const HdPlace *place, uint64_t address)
{
    const CacheHooks *owner = hooked_mechanism(place)->owner;
    return owner->slice.actions ? owner->slice.actions->slice_of(owner->slice.self, address) : 0;
}

// ---- answers ----

bool hd_answer(HdPlace *place, uint32_t number, const HdEngineReply *reply)
{
    HookedMechanism *h = hooked_mechanism(place);
    if (!h->engine || h->engine->cycle == UINT64_MAX) return false;
    bool known;
    bool sent = h->owner->slice.actions->answer(h->owner->slice.self, h->number, number, reply,
                                                &known);
    if (!known)
        hd_fault(place, HD_NO_PC, "its engine answers request %u, which it does not have: expected "
                                  "the number of one that it has taken", number);
    return sent;
}

// ---- links ----

// The engine that receives what this one sends to `structure`; NULL: no such link, or no on_cycle.
static Engine *receiver(const HdPlace *place, unsigned structure)
{
    const HookedMechanism *h = hooked_mechanism(place);
    if (!h->engine || h->engine->cycle == UINT64_MAX) return NULL;
    switch (h->planned->mechanism->structures[structure].extent) {
    case HD_FROM_PREVIOUS: return h->engine->next;
    case HD_FROM_NEXT: return h->engine->previous;
    default: return NULL;
    }
}

bool hd_may_send(const HdPlace *place, unsigned structure)
{
    const Engine *to = receiver(place, structure);
    if (!to) return false;
    uint64_t now = hooked_mechanism(place)->engine->cycle;
    const EngineLink *link = &to->links[structure];
    uint32_t freed = link->dropped_at == now ? link->dropped : 0; // seen from the next cycle on
    return link->sent_at != now && link->count + freed < link->capacity;
}

bool hd_send(HdPlace *place, unsigned structure, const void *entry)
{
    if (!hd_may_send(place, structure)) return false;
    const HookedMechanism *h = hooked_mechanism(place);
    Engine *to = receiver(place, structure);
    EngineLink *link = &to->links[structure];
    size_t bytes = h->planned->mechanism->structures[structure].bytes;
    uint32_t at = (link->head + link->count++) % link->capacity;
    memcpy(link->entries + at * bytes, entry, bytes);
    link->sent_at = h->engine->cycle;
    note_due(to, h->engine->cycle + 1);
    return true;
}

const void *hd_received(const HdPlace *place, unsigned structure)
{
    const HookedMechanism *h = hooked_mechanism(place);
    if (!h->engine || (h->engine->cycle == UINT64_MAX && !h->owner->slice.may_peek)) return NULL;
    const EngineLink *link = &h->engine->links[structure];
    uint32_t arrived = link->count - (link->count && link->sent_at == h->engine->cycle);
    size_t bytes = h->planned->mechanism->structures[structure].bytes;
    return arrived ? link->entries + link->head * bytes : NULL;
}

void hd_drop_received(HdPlace *place, unsigned structure)
{
    if (!hd_received(place, structure)) return;
    Engine *engine = hooked_mechanism(place)->engine;
    EngineLink *link = &engine->links[structure];
    bool full = link->count == link->capacity;
    link->head = (link->head + 1) % link->capacity;
    link->count--;
    if (link->dropped_at != engine->cycle) link->dropped = 0;
    link->dropped_at = engine->cycle;
    link->dropped++;
    HdExtent extent = hooked_mechanism(place)->planned->mechanism->structures[structure].extent;
    Engine *sender = extent == HD_FROM_PREVIOUS ? engine->previous : engine->next;
    bool waits = full && engine->cycle != UINT64_MAX; // the sender may
    if (waits) note_due(sender, engine->cycle + 1);
}

// ---- functional launches ----

void engine_hooks_execute(CacheHooks *const *slices, unsigned count, unsigned mechanism,
                          const HdEngineRequest *request, HdEngineReply *reply)
{
    uint32_t left = request->lanes;
    *reply = (HdEngineReply){0};
    for (unsigned n = 0; left && n < count; n++)
        for (unsigned i = 0; left && i < slices[n]->count; i++) {
            HookedMechanism *h = &slices[n]->items[i];
            if (h->number != mechanism || !h->planned->mechanism->engine.execute) continue;
            slices[n]->slice.may_peek = true;
            left &= ~h->planned->mechanism->engine.execute(&h->place, request, left, reply);
            slices[n]->slice.may_peek = false;
        }
}

bool hd_peek(const HdPlace *place, uint64_t address, void *to, size_t bytes)
{
    const CacheHooks *owner = hooked_mechanism(place)->owner;
    if (!owner->slice.may_peek) return false;
    const void *from = owner->slice.actions->peek(owner->slice.self, address, bytes);
    if (from) memcpy(to, from, bytes);
    return from;
}
