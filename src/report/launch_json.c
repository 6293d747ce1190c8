// LaunchResult to JSON. Counters get their names from their tables; the order of keys is fixed.
#include "report/launch_json.h"

#include "base/memory.h"
#include "base/text.h"
#include "core/core_counters.h"
#include "gpu/launch_result.h"
#include "gpu/machine.h"
#include "memory/memory_side.h"
#include "report/format_numbers.h"
#include "report/code_location.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

json_t *json_finish(json_t *value, bool complete)
{
    if (complete) return value;
    json_decref(value);
    return NULL;
}

json_t *json_count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *json_text(const char *text)
{
    size_t size = 4 * strlen(text) + 1;
    char *escaped = hd_new(size, 1);
    json_t *string = escaped ? json_string(text_escape(escaped, size, text, "")) : NULL;
    free(escaped);
    return string;
}

json_t *json_texts(const char *const *texts)
{
    json_t *array = json_array();
    bool ok = array;
    for (; ok && texts && *texts; texts++)
        ok = json_array_append_new(array, json_text(*texts)) == 0;
    return json_finish(array, ok);
}

static json_t *integers_json(const uint64_t *values, size_t count)
{
    json_t *array = json_array();
    bool ok = array;
    for (size_t i = 0; ok && i < count; i++)
        ok = json_array_append_new(array, json_count(values[i])) == 0;
    return json_finish(array, ok);
}

static json_t *shape_json(const uint32_t shape[3])
{
    const uint64_t wide[3] = {shape[0], shape[1], shape[2]};
    return integers_json(wide, 3);
}

// A table's counters, and one derived number.
static json_t *with_rate(const StatTable *table, const void *counters, const char *key, double rate)
{
    json_t *object = stats_json(table, counters);
    bool ok = json_put(object, key, json_real(rate));
    return json_finish(object, ok);
}

static json_t *cache_json(const CacheCounters *c)
{
    return with_rate(&cache_table, c, "hit_rate", ratio(c->hits, c->accesses));
}

// The caches that the machine's SMs have.
static bool put_sm_caches(json_t *object, const Gpu *gpu, const LaunchResult *r)
{
    for (unsigned c = 0; c < SM_CACHES; c++) {
        if (c == SM_L15 && !l15_exists(&gpu_machine(gpu)->l15)) continue;
        if (!json_put(object, sm_cache_names[c].key, cache_json(&r->sm.caches[c]))) return false;
    }
    return true;
}

static json_t *dram_json(const DramCounters *d)
{
    return with_rate(&dram_table, d, "utilisation", ratio(d->bus_busy_cycles, d->channel_cycles));
}

// Removes the counters of waits that this run cannot have: of warps that a mechanism throttles, and
// for the table of waves.
static void drop_waits(const Gpu *gpu, json_t *object, const char *throttled, const char *table)
{
    if (!gpu_throttles_warps(gpu)) json_object_del(object, throttled);
    if (gpu_machine(gpu)->scalar.mode != SCALAR_WAVES) json_object_del(object, table);
}

// The counters of SMs. Only a run with a mechanism that injects micro-ops has `injected`.
static json_t *sm_json(const Gpu *gpu, const SmCounters *sm)
{
    json_t *object = stats_json(&sm_table, sm);
    if (!gpu_injects(gpu)) json_object_del(object, "injected");
    return object;
}

// The counters of the network. Only a run with a mechanism that has engines has those of requests
// to them.
static json_t *icnt_json(const Gpu *gpu, const IcntCounters *icnt)
{
    json_t *object = stats_json(&icnt_table, icnt);
    if (gpu_has_engines(gpu)) return object;
    json_object_del(object, "flits_to_memory_engine");
    json_object_del(object, "flits_to_sm_engine");
    json_object_del(object, "stall_engine");
    return object;
}

static json_t *issue_json(const Gpu *gpu, const IssueCounters *issue, uint64_t cycles)
{
    uint64_t slots = cycles * gpu_machine(gpu)->core.schedulers;
    json_t *object = stats_json(&issue_table, issue);
    bool ok = json_put(object, "slots", json_count(slots));
    if (ok) drop_waits(gpu, object, "stall_throttled", "stall_wave_table");
    return json_finish(object, ok);
}

// The counters of a machine that issues by groups.
static json_t *groups_json(const CoreConfig *core, const SmTables *sm)
{
    json_t *object = stats_json(&group_table, &sm->groups);
    unsigned rows = core_group_lanes(core) + 1;
    bool ok = json_put(object, "lanes", integers_json(sm->group_lanes, rows)) &&
              json_put(object, "waves_by_members", integers_json(sm->waves, rows));
    return json_finish(object, ok);
}

static json_t *classes_json(const SmTables *sm)
{
    json_t *object = json_object();
    bool ok = object;
    for (int c = 0; ok && c < OP_CLASSES; c++)
        ok = json_put(object, op_class_name((OpClass)c),
                      json_pack("{sI sI}", "warp", (json_int_t)sm->by_class[c], "thread",
                                (json_int_t)sm->thread_by_class[c]));
    return json_finish(object, ok);
}

static json_t *level_json(uint64_t loads, uint64_t latency)
{
    return json_pack("{sI sI sf}", "loads", (json_int_t)loads, "cycles", (json_int_t)latency,
                     "average", ratio(latency, loads));
}

// ---- arrays ----

// Accesses to one array, and how long warps waited for them. The number of arrays, with a NULL
// array: accesses to no array.
static json_t *array_json(const GuestAllocation *array, const LaunchResult *r, size_t number)
{
    MemoryWaitCounters waited = {0};
    for (size_t pc = 0; pc < r->pcs; pc++) {
        const WaitRow *row = waits_first(&r->sm.waited, pc);
        for (; row && row->allocation <= number; row = waits_next(&r->sm.waited, row))
            if (row->allocation == number) stats_add(&memory_wait_table, &waited, &row->count);
    }
    json_t *object = json_object();
    bool ok = object && (!array || json_put(object, "bytes", json_count(array->bytes))) &&
              json_put(object, "l1d", stats_json(&access_table, &r->sm.l1d_allocations[number])) &&
              json_put(object, "l2", stats_json(&access_table, &r->l2_allocations[number])) &&
              json_put(object, "waited", stats_json(&memory_wait_table, &waited));
    return json_finish(object, ok);
}

// All arrays by name; repeated names are numbered: "data", "data#2".
static json_t *arrays_json(Gpu *gpu, const LaunchResult *r)
{
    const GuestMemory *memory = gpu_memory(gpu);
    json_t *arrays = json_object();
    bool ok = arrays;
    for (size_t a = 0; ok && a < r->allocations; a++) {
        const GuestAllocation *array = &memory->allocations[a];
        char key[sizeof array->name + 16];
        snprintf(key, sizeof key, "%s", array->name);
        for (unsigned again = 2; json_object_get(arrays, key); again++)
            snprintf(key, sizeof key, "%s#%u", array->name, again);
        ok = json_put(arrays, key, array_json(array, r, a));
    }
    ok = ok && r->sm.l1d_allocations &&
         json_put(arrays, "(none)", array_json(NULL, r, r->allocations));
    return json_finish(arrays, ok);
}

// ---- static instructions ----

// How long warps waited for the instruction, by allocation.
static json_t *pc_waited_json(const LaunchResult *r, size_t pc, const char *const *keys)
{
    json_t *object = json_object();
    bool ok = object;
    const WaitRow *row = waits_first(&r->sm.waited, pc);
    for (; ok && row; row = waits_next(&r->sm.waited, row))
        ok = json_put(object, keys[row->allocation], stats_json(&memory_wait_table, &row->count));
    return json_finish(object, ok);
}

static json_t *pc_json(const Gpu *gpu, const LaunchResult *r, size_t pc, const char *const *keys)
{
    CodeLocation location = code_location(gpu, (uint32_t)pc);
    char source[512];
    if (location.source_file)
        snprintf(source, sizeof source, "%s:%u", location.source_file, location.source_line);
    json_t *object = json_object();
    bool ok = json_put(object, "function", json_text(location.function)) &&
              json_put(object, "ptx_line", json_integer(location.ptx_line)) &&
              json_put(object, "source", location.source_file ? json_text(source) : json_null()) &&
              json_put(object, "text", json_text(location.text)) &&
              stats_put(&pc_table, &r->sm.pcs[pc], object) &&
              json_put(object, "l2", stats_json(&access_table, &r->l2_pcs[pc])) &&
              json_put(object, "waited", pc_waited_json(r, pc, keys));
    if (ok) drop_waits(gpu, object, "wait_throttled", "wait_wave_table");
    return json_finish(object, ok);
}

static json_t *pcs_json(const Gpu *gpu, const LaunchResult *r, json_t *arrays)
{
    // The keys of the arrays, in the order of their numbers, and "(none)" at the end.
    const char **keys = hd_new(json_object_size(arrays), sizeof *keys), *key;
    size_t count = 0;
    json_t *array = json_array(), *counters;
    bool ok = keys && array;
    if (keys) json_object_foreach(arrays, key, counters) keys[count++] = key;
    for (size_t pc = 0; ok && pc < r->pcs; pc++)
        if (r->sm.pcs[pc].issued || r->l2_pcs[pc].accesses)
            ok = json_array_append_new(array, pc_json(gpu, r, pc, keys)) == 0;
    free(keys);
    return json_finish(array, ok);
}

// ---- a record ----

// Flits over each link of SMs or slices in one direction.
static json_t *direction_json(const LinkFlits *links, unsigned count, bool to_sm)
{
    json_t *array = json_array();
    bool ok = array;
    for (unsigned i = 0; ok && i < count; i++)
        ok = json_array_append_new(
                 array, json_count(to_sm ? links[i].to_sm : links[i].to_memory)) == 0;
    return json_finish(array, ok);
}

static json_t *links_json(const LinkFlits *links, unsigned count)
{
    return json_pack("{so so}", "to_memory", direction_json(links, count, false), "to_sm",
                     direction_json(links, count, true));
}

static bool put_numbers(json_t *object, const Gpu *gpu, uint64_t cycles, const SmCounters *sm)
{
    return json_put(object, "cycles", json_count(cycles)) &&
           json_put(object, "warp_instructions", json_count(sm->warp_instructions)) &&
           (!gpu_injects(gpu) || json_put(object, "injected", json_count(sm->injected))) &&
           json_put(object, "thread_instructions", json_count(sm->thread_instructions)) &&
           json_put(object, "ipc", json_real(ratio(sm->warp_instructions, cycles))) &&
           json_put(object, "thread_ipc", json_real(ratio(sm->thread_instructions, cycles)));
}

bool launch_json_put(json_t *object, Gpu *gpu, const LaunchResult *r)
{
    const CoreConfig *core = &gpu_machine(gpu)->core;
    const SmCounters *sm = &r->sm.sm;
    return put_numbers(object, gpu, r->cycles, sm) &&
           json_put(object, "l2_cycles", json_count(r->l2_cycles)) &&
           json_put(object, "dram_cycles", json_count(r->dram_cycles)) &&
           json_put(object, "launch", stats_json(&launch_table, &r->launch)) &&
           json_put(object, "issue", issue_json(gpu, &r->sm.issue, sm->cycles)) &&
           json_put(object, "sm", sm_json(gpu, sm)) &&
           (!core_groups(core, &gpu_machine(gpu)->scalar) ||
            json_put(object, "groups", groups_json(core, &r->sm))) &&
           json_put(object, "instruction_classes", classes_json(&r->sm)) &&
           json_put(object, "lanes", integers_json(r->sm.lanes, core->width + 1)) &&
           json_put(object, "requests", integers_json(r->sm.requests, HD_MAX_LANES + 1)) &&
           json_put(object, "load_latency",
                    json_pack("{so so so}", "l1", level_json(sm->loads_l1, sm->latency_l1), "l2",
                              level_json(sm->loads_l2, sm->latency_l2), "dram",
                              level_json(sm->loads_dram, sm->latency_dram))) &&
           put_sm_caches(object, gpu, r) &&
           json_put(object, "l2", cache_json(&r->l2)) &&
           json_put(object, "icnt", icnt_json(gpu, &r->icnt)) &&
           json_put(object, "links",
                    json_pack("{so so}", "sm", links_json(r->sm_links, r->sms), "slice",
                              links_json(r->slice_links, r->slices))) &&
           json_put(object, "dram", dram_json(&r->dram)) &&
           json_put(object, "allocations", arrays_json(gpu, r)) &&
           json_put(object, "pcs", pcs_json(gpu, r, json_object_get(object, "allocations")));
}

bool launch_json_put_summary(json_t *object, const Gpu *gpu, const LaunchResult *r)
{
    return json_put(object, "name", json_text(r->kernel)) &&
           json_put(object, "grid", shape_json(r->grid)) &&
           json_put(object, "block", shape_json(r->block)) &&
           json_put(object, "registers", json_integer(r->registers)) &&
           json_put(object, "blocks_per_sm", json_integer(r->blocks_per_sm)) &&
           json_put(object, "limit", json_text(r->limit)) &&
           json_put(object, "shared_bytes", json_count(r->shared_bytes)) &&
           json_put(object, "l1d_bytes", json_count(r->l1d_bytes)) &&
           json_put(object, "functional", json_boolean(r->functional)) &&
           (!r->cut || json_put(object, "cut", json_true())) && // else there is no such key
           put_numbers(object, gpu, r->cycles, &r->sm.sm);
}

json_t *partial_run_json(const Gpu *gpu, bool signalled)
{
    static const char *const reasons[] = {
        [STOP_ASKED] = "signal", [STOP_CYCLES] = "max-cycles",
        [STOP_INSTRUCTIONS] = "max-instructions"};
    const LaunchStop *stop = gpu_stop(gpu);
    StopReason reason = stop->reason == STOP_NONE && signalled ? STOP_ASKED : stop->reason;
    if (reason == STOP_NONE) return json_null();
    return json_pack("{ss sI so sI sI sI}", "reason", reasons[reason], "launches",
                     (json_int_t)gpu_launches(gpu), "kernel",
                     *stop->kernel ? json_text(stop->kernel) : json_null(), "cycle",
                     (json_int_t)stop->cycle, "blocks_done", (json_int_t)stop->blocks_done,
                     "blocks", (json_int_t)stop->blocks);
}

bool cut_json_put(json_t *object, const Gpu *gpu, uint64_t max_thread_instructions)
{
    const LaunchCut *cut = gpu_cut(gpu);
    if (max_thread_instructions &&
        !json_put(object, "max_thread_instructions", json_count(max_thread_instructions)))
        return false;
    return !cut->launch ||
           json_put(object, "cut",
                    json_pack("{sI so sI sI sI}", "launch", (json_int_t)cut->launch, "kernel",
                              json_text(cut->kernel), "cycle", (json_int_t)cut->cycle,
                              "blocks_done", (json_int_t)cut->blocks_done, "blocks",
                              (json_int_t)cut->blocks));
}

json_t *functional_launches_json(const Gpu *gpu)
{
    const LaunchResult *f = gpu_functional(gpu);
    if (!f->pcs) return json_null();
    return json_pack("{sI sI}", "warp_instructions", (json_int_t)f->sm.sm.warp_instructions,
                     "thread_instructions", (json_int_t)f->sm.sm.thread_instructions);
}

json_t *kernel_total_json(const Gpu *gpu, const KernelTotal *k, const char *name)
{
    json_t *object = json_object();
    bool ok = json_put(object, "name", json_text(name)) &&
              json_put(object, "launches", json_count(k->launches)) &&
              json_put(object, "functional", json_count(k->functional)) &&
              put_numbers(object, gpu, k->cycles, &k->sm) &&
              json_put(object, "grid", shape_json(k->grid)) &&
              json_put(object, "block", shape_json(k->block)) &&
              json_put(object, "registers", json_integer(k->registers)) &&
              json_put(object, "blocks_per_sm", json_integer(k->blocks_per_sm)) &&
              json_put(object, "limit", json_text(k->limit)) &&
              json_put(object, "issue", issue_json(gpu, &k->issue, k->sm.cycles)) &&
              json_put(object, "sm", sm_json(gpu, &k->sm)) &&
              json_put(object, "l1d", cache_json(&k->l1d)) &&
              json_put(object, "l2", cache_json(&k->l2)) &&
              json_put(object, "dram", dram_json(&k->dram));
    return json_finish(object, ok);
}
