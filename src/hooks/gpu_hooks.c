// The GPU's place: words from and to SMs and slices, and the calls.
#include "hooks/gpu_hooks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// What a mechanism's GPU place has of the structures that other places exchange with it.
struct Exchange {
    unsigned places[HOOK_CACHES];
    size_t structures;
    size_t *bytes; // by structure: of the entries of a place
    char **copies; // [structure][level]: entries by place; NULL: not exchanged
};

static char **copies_of(const Exchange *e, size_t structure, HookLevel level)
{
    return &e->copies[structure * HOOK_CACHES + level];
}

static bool is_exchanged(const HdStructure *s)
{
    return s->extent == HD_TO_GPU || s->extent == HD_FROM_GPU;
}

// ---- life ----

// The copies of one structure.
static bool init_copies(HookedMechanism *h, size_t structure)
{
    const HdStructure *s = &h->planned->mechanism->structures[structure];
    Exchange *e = h->exchange;
    size_t entries = is_exchanged(s) ? cache_hooks_entries(h->owner, h->planned, s) : 0;
    e->bytes[structure] = entries * s->bytes;
    for (HookLevel level = 0; entries && level < HOOK_CACHES; level++) {
        if (!hook_is_at(s, level)) continue;
        char *copies = hd_new(e->places[level], e->bytes[structure]);
        *copies_of(e, structure, level) = copies;
        if (!copies) return false;
        cache_hooks_start_entries(h, structure, copies, e->places[level] * entries);
    }
    return true;
}

static bool init(HookedMechanism *h, unsigned sms, unsigned slices)
{
    const HdStructure *s = h->planned->mechanism->structures;
    Exchange *e = h->exchange = hd_new(1, sizeof *e);
    if (!e) return false;
    e->places[HOOK_L1] = sms;
    e->places[HOOK_L2] = slices;
    const HdCounter *columns = h->planned->mechanism->columns;
    unsigned count = 0;
    while (columns && columns[count].name) count++;
    if (count && !(h->reported = reported_rows_new(count))) return false;
    while (s && s[e->structures].name) e->structures++;
    e->bytes = hd_new(e->structures + 1, sizeof *e->bytes);
    e->copies = hd_new(HOOK_CACHES * e->structures + 1, sizeof *e->copies);
    bool ok = e->bytes && e->copies;
    for (size_t i = 0; ok && i < e->structures; i++) ok = init_copies(h, i);
    return ok;
}

void exchange_free(Exchange *exchange)
{
    if (!exchange) return;
    for (size_t i = 0; exchange->copies && i < HOOK_CACHES * exchange->structures; i++)
        free(exchange->copies[i]);
    free(exchange->copies);
    free(exchange->bytes);
    free(exchange);
}

bool gpu_hooks_new(CacheHooks **hooks, const HookPlan *plan, unsigned sms, unsigned slices,
                   uint64_t seed, HdError *err)
{
    if (!cache_hooks_new(hooks, plan, HOOK_GPU, 0, seed, err)) return false;
    for (unsigned i = 0; *hooks && i < (*hooks)->count; i++)
        if (!init(&(*hooks)->items[i], sms, slices))
            return hd_fail_memory(err, "attaching mechanisms");
    if (*hooks) cache_hooks_set_place_count(*hooks, 1);
    return true;
}

// ---- calls ----

bool gpu_hooks_want_quanta(const CacheHooks *gpu)
{
    bool want = false;
    for (unsigned i = 0; gpu && i < gpu->count; i++) want = want || gpu->items[i].gpu->on_quantum;
    return want;
}

// Exchanges the words of one mechanism with one place of it. collects: to the GPU only.
static void exchange(const HookedMechanism *gpu, const HookedMechanism *place, HookLevel level,
                     bool collects)
{
    const HdStructure *s = gpu->planned->mechanism->structures;
    for (size_t i = 0; i < gpu->exchange->structures; i++) {
        char *copies = *copies_of(gpu->exchange, i, level);
        if (!copies) continue;
        size_t bytes = gpu->exchange->bytes[i];
        char *copy = copies + place->place.number * bytes;
        if (s[i].extent == HD_TO_GPU) memcpy(copy, place->structures[i], bytes);
        else if (!collects) memcpy(place->structures[i], copy, bytes);
    }
}

static void end_quantum(const HookedMechanism *gpu, CacheHooks *const *sms,
                        const HdQuantum *quantum)
{
    for (unsigned n = 0; sms && n < quantum->sms; n++)
        for (unsigned i = 0; sms[n] && i < sms[n]->count; i++) {
            HookedMechanism *h = &sms[n]->items[i];
            if (h->planned == gpu->planned && h->core->on_quantum)
                h->core->on_quantum(&h->place, quantum);
        }
}

static void exchange_with(HookedMechanism *gpu, CacheHooks *const *places, HookLevel level,
                          bool collects)
{
    for (unsigned n = 0; places && n < gpu->exchange->places[level]; n++)
        for (unsigned i = 0; places[n] && i < places[n]->count; i++)
            if (places[n]->items[i].planned == gpu->planned)
                exchange(gpu, &places[n]->items[i], level, collects);
}

void gpu_hooks_on_quantum(CacheHooks *gpu, CacheHooks *const *sms, CacheHooks *const *slices,
                          const HdQuantum *quantum)
{
    for (unsigned i = 0; i < gpu->count; i++) {
        HookedMechanism *h = &gpu->items[i];
        end_quantum(h, sms, quantum);
        exchange_with(h, sms, HOOK_L1, false);
        exchange_with(h, slices, HOOK_L2, false);
        if (h->gpu->on_quantum) h->gpu->on_quantum(&h->place, quantum);
    }
}

void gpu_hooks_collect(CacheHooks *gpu, CacheHooks *const *sms, CacheHooks *const *slices)
{
    for (unsigned i = 0; i < gpu->count; i++) {
        exchange_with(&gpu->items[i], sms, HOOK_L1, true);
        exchange_with(&gpu->items[i], slices, HOOK_L2, true);
    }
}

void gpu_hooks_on_kernel(CacheHooks *gpu, const HdKernel *kernel, bool begins)
{
    for (unsigned i = 0; i < gpu->count; i++) {
        HookedMechanism *h = &gpu->items[i];
        void (*hook)(HdPlace *, const HdKernel *) =
            begins ? h->gpu->on_kernel_begin : h->gpu->on_kernel_end;
        if (begins && h->reported) reported_rows_begin(h->reported, kernel->name);
        HdKernel seen = kernel_seen_by(h, kernel);
        if (hook) hook(&h->place, &seen);
        if (!begins && h->reported) h->reported->kernel = NULL;
    }
}

void gpu_hooks_close_reports(CacheHooks *gpu)
{
    for (unsigned i = 0; i < gpu->count; i++)
        if (gpu->items[i].reported) gpu->items[i].reported->closed = true;
}

const ReportedRows *gpu_hooks_reported(const CacheHooks *gpu, const PlannedMechanism *planned)
{
    for (unsigned i = 0; gpu && i < gpu->count; i++)
        if (gpu->items[i].planned == planned) return gpu->items[i].reported;
    return NULL;
}

void hd_report(HdPlace *gpu, const uint64_t *values)
{
    ReportedRows *rows = hooked_mechanism(gpu)->reported;
    if (rows) reported_rows_add(rows, values);
}

void *hd_exchanged(HdPlace *gpu, unsigned structure, unsigned level, unsigned number)
{
    const HookedMechanism *h = hooked_mechanism(gpu);
    const Exchange *e = h->exchange;
    HookLevel at = level == HD_L1 ? HOOK_L1 : HOOK_L2;
    if (!e || structure >= e->structures || (level != HD_L1 && level != HD_L2)) return NULL;
    char *copies = *copies_of(e, structure, at);
    if (!copies || number >= e->places[at]) return NULL;
    return copies + number * e->bytes[structure];
}
