// The mechanisms of a run as JSON: parameters, counters, storage.
#include "report/mechanism_json.h"

#include "gpu/machine.h"
#include "hooks/gpu_hooks.h"
#include "report/launch_json.h"
#include "report/mechanism_counters.h"
#include "report/prefetch_ratios.h"

// ---- one mechanism ----

static json_t *parameters_json(const PlannedMechanism *planned)
{
    json_t *object = json_object();
    bool ok = object;
    const HdParameter *p = planned->mechanism->parameters;
    for (unsigned i = 0; ok && p && p[i].name; i++)
        ok = json_put(object, p[i].name, parameter_json(&p[i], &planned->parameters[i]));
    return json_finish(object, ok);
}

// The counters of mechanism number `index` of the plan, over all caches of a level.
static json_t *counters_json(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level)
{
    json_t *object = json_object();
    bool ok = object;
    const HdCounter *c = planned->mechanism->counters;
    for (unsigned i = 0; ok && c && c[i].name; i++)
        ok = json_put(object, c[i].name, json_count(gpu_mechanism_counter(gpu, planned, level, i)));
    return json_finish(object, ok);
}

static json_t *ratios_json(const Gpu *gpu, const PlannedMechanism *planned)
{
    json_t *object = json_object();
    bool ok = object;
    for (const HdRatio *r = planned->mechanism->ratios; ok && r->name; r++)
        ok = json_put(object, r->name, json_real(mechanism_ratio(gpu, planned, r)));
    return json_finish(object, ok);
}

// Outcomes of the prefetches that the mechanism requested, and their ratios, by level.
static json_t *prefetches_json(const Gpu *gpu, const PlannedMechanism *planned)
{
    json_t *object = json_object();
    bool ok = object;
    for (HookLevel level = 0; ok && level < HOOK_CACHES; level++) {
        PrefetchCounters sum;
        if (!gpu_prefetches(gpu, planned, level, &sum)) continue;
        json_t *here = stats_json(&prefetch_table, &sum);
        ok = json_put(here, "accuracy", json_real(prefetch_accuracy(&sum))) &&
             json_put(here, "coverage", json_real(prefetch_coverage(&sum)));
        ok = json_put(object, hook_level_name(level), json_finish(here, ok));
    }
    return json_finish(object, ok);
}

// Adds one structure at a level to the array, and its total bits to *bits.
static bool put_structure(json_t *array, const Gpu *gpu, const PlannedMechanism *planned,
                          const HdStructure *s, HookLevel level, uint64_t *bits)
{
    const CacheHooks *hooks = gpu_hooks(gpu, level, 0);
    uint64_t entries = cache_hooks_entries(hooks, planned, s);
    unsigned places = gpu_mechanism_places(gpu, level);
    *bits += entries * s->bits * places;
    json_t *object =
        json_pack("{ss ss sI si si}", "name", s->name, "level", hook_level_name(level), "entries",
                  (json_int_t)entries, "bits", (int)s->bits, "places", (int)places);
    return json_array_append_new(array, object) == 0;
}

static json_t *structures_json(const Gpu *gpu, const PlannedMechanism *planned, uint64_t *all)
{
    json_t *array = json_array();
    bool ok = array;
    *all = 0;
    for (HookLevel level = 0; level < HOOK_LEVELS; level++) {
        if (!plan_applies(planned, level)) continue;
        const HdStructure *s = planned->mechanism->structures;
        for (; ok && s && s->name; s++)
            if (hook_is_at(s, level)) ok = put_structure(array, gpu, planned, s, level, all);
    }
    for (HookLevel level = 0; ok && level < HOOK_CACHES; level++) {
        const Machine *machine = gpu_machine(gpu);
        const CacheConfig *cache = level == HOOK_L1 ? &machine->l1d : &machine->l2;
        HdStructure tags;
        if (prefetch_tag_structure(planned, level, cache->mshr_entries, &tags))
            ok = put_structure(array, gpu, planned, &tags, level, all);
    }
    if (planned->mechanism->instrument) *all = 0;
    return json_finish(array, ok);
}

// The rows that it has reported, each an object with a key for each column.
static json_t *table_json(const Gpu *gpu, const PlannedMechanism *planned)
{
    const HdCounter *columns = planned->mechanism->columns;
    const ReportedRows *rows = gpu_hooks_reported(gpu_hooks(gpu, HOOK_GPU, 0), planned);
    json_t *array = json_array();
    bool ok = array;
    for (size_t i = 0; ok && i < rows->count; i++) {
        json_t *row = json_object();
        bool complete = json_put(row, "kernel", json_text(rows->rows[i].kernel)) &&
                        json_put(row, "launch", json_count(rows->rows[i].launch));
        for (unsigned c = 0; complete && c < rows->columns; c++)
            complete = json_put(row, columns[c].name, json_count(rows->rows[i].values[c]));
        ok = json_array_append_new(array, json_finish(row, complete)) == 0;
    }
    return json_finish(array, ok);
}

static json_t *mechanism_json(const Gpu *gpu, const PlannedMechanism *planned)
{
    uint64_t bits;
    json_t *object = json_object();
    bool ok = json_put(object, "name", json_text(planned->mechanism->name)) &&
              json_put(object, "after", json_boolean(planned->after)) &&
              json_put(object, "instrument", json_boolean(planned->mechanism->instrument)) &&
              json_put(object, "parameters", parameters_json(planned));
    for (HookLevel level = 0; ok && level < HOOK_LEVELS; level++)
        if (plan_applies(planned, level))
            ok = json_put(object, hook_level_name(level), counters_json(gpu, planned, level));
    if (ok && planned->mechanism->ratios)
        ok = json_put(object, "ratios", ratios_json(gpu, planned));
    if (ok && planned->mechanism->columns)
        ok = json_put(object, "table", table_json(gpu, planned));
    ok = ok && json_put(object, "prefetches", prefetches_json(gpu, planned));
    ok = ok && json_put(object, "structures", structures_json(gpu, planned, &bits)) &&
         json_put(object, "storage_bits", json_count(bits));
    return json_finish(object, ok);
}

// ---- all mechanisms ----

// Adds structures that the core keeps once for all mechanisms, and their bits. A NULL name ends the
// list.
static bool put_structures(json_t *object, const Gpu *gpu, const HdStructure *structures)
{
    uint64_t bits = 0;
    json_t *array = json_array();
    bool ok = array;
    for (const HdStructure *s = structures; ok && s->name; s++) {
        HookLevel level = hook_is_at(s, HOOK_L1) ? HOOK_L1 : HOOK_L2; // each is at one level
        ok = put_structure(array, gpu, NULL, s, level, &bits);
    }
    if (ok) return json_put(object, "structures", array) &&
                   json_put(object, "storage_bits", json_count(bits));
    json_decref(array);
    return false;
}

// Outcomes of copied-back lines, and the core's storage for them.
static json_t *copy_backs_json(const Gpu *gpu)
{
    CopyBackCounters sum;
    HdStructure structures[COPY_BACK_STRUCTURES + 1];
    gpu_copy_backs(gpu, &sum);
    copy_back_structures(gpu_hooks(gpu, HOOK_L1, 0)->copy_backs.queue,
                         gpu_machine(gpu)->slice.write_versions, structures);
    json_t *object = json_object();
    bool ok = json_put(object, "counts", stats_json(&copy_back_table, &sum)) &&
              put_structures(object, gpu, structures);
    return json_finish(object, ok);
}

json_t *mechanisms_json(const Gpu *gpu)
{
    const HookPlan *plan = gpu_mechanisms(gpu);
    json_t *object = json_object(), *list = json_array();
    bool ok = json_put(object, "list", list);
    for (size_t i = 0; ok && i < plan->count; i++)
        ok = json_array_append_new(list, mechanism_json(gpu, &plan->items[i])) == 0;
    for (HookLevel level = 0; ok && level < HOOK_CACHES; level++) {
        if (!gpu_mechanism_places(gpu, level)) continue;
        HookCounters sum;
        gpu_decisions(gpu, level, &sum);
        ok = json_put(object, hook_level_name(level), stats_json(&hook_table, &sum));
    }
    if (ok && (plan_is_sectored(plan, HOOK_L1) || plan_is_sectored(plan, HOOK_L2))) {
        HdStructure structures[SECTOR_STRUCTURES + 1]; // of the caches, for sectored lines
        json_t *sectors = json_object();
        gpu_sector_structures(gpu, structures);
        bool complete = put_structures(sectors, gpu, structures);
        ok = json_put(object, "sectors", json_finish(sectors, complete));
    }
    if (ok && plan_copy_back_queue(plan)) ok = json_put(object, "copy_backs", copy_backs_json(gpu));
    return json_finish(object, ok);
}
