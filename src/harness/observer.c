// Watches mechanisms.
#include "harness/observer.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_TEXT = 64 };

static ObservedMechanism *of(const HdPlace *place)
{
    const HdMechanism *observed = hooked_mechanism(place)->planned->mechanism;
    return (ObservedMechanism *)((char *)(uintptr_t)observed -
                                 offsetof(ObservedMechanism, observed));
}

// The mechanism's own hooks at this place.
static const HdHooks *own(const HdPlace *place)
{
    const HdMechanism *m = of(place)->mechanism;
    return place->level == HD_L1 ? &m->l1 : &m->l2;
}

#define PRINT(place, ...) record_print(of(place)->record, __VA_ARGS__)
#define ANSWER(place, hook, ...)                                                                   \
    record_answer(of(place)->record, of(place)->mechanism->name, hook, __VA_ARGS__)
typedef unsigned long long Wide; // of a number in printf

// ---- events of a cache ----

// The word of an event that shows these sectors of values; empty: none.
static const char *values_word(char word[32], uint8_t sectors)
{
    *word = 0;
    if (sectors) snprintf(word, 32, " values=0x%x", sectors);
    return word;
}

static void print_access(const HdPlace *place, const char *hook, const HdAccess *a,
                         const char *what)
{
    char index[32] = "none", values[32];
    if (a->line_index != HD_NO_INDEX) snprintf(index, sizeof index, "%u", a->line_index);
    PRINT(place, "%s %s: %s line=0x%llx set=%u index=%s%s", of(place)->mechanism->name, hook, what,
          (Wide)a->line, a->set, index, values_word(values, a->value_sectors));
}

static const char *kind_name(const HdAccess *access)
{
    static const char *const names[] = {[HD_LOAD] = "load", [HD_STORE] = "store",
                                        [HD_ATOMIC] = "atomic", [HD_COPY_BACK] = "copy_back",
                                        [HD_PREFETCH] = "prefetch"};
    return names[access->kind];
}

static const char *const outcome_names[] = {[HD_HIT] = "hit", [HD_PENDING_HIT] = "pending_hit",
                                            [HD_MISS] = "miss"};

static void on_access(HdPlace *place, const HdAccess *access)
{
    print_access(place, "on_access", access, outcome_names[access->outcome]);
    own(place)->on_access(place, access);
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    print_access(place, "on_fill", access, kind_name(access));
    own(place)->on_fill(place, access);
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    print_access(place, "on_insert", access, kind_name(access));
    own(place)->on_insert(place, access);
}

static void on_replace(HdPlace *place, const HdWays *ways, uint32_t way)
{
    PRINT(place, "%s on_replace: way=%u set=%u index=%u", of(place)->mechanism->name, way,
          ways->set, ways->first + way);
    own(place)->on_replace(place, ways, way);
}

static void print_eviction(const HdPlace *place, const char *hook, const HdEviction *e)
{
    PRINT(place, "%s %s: line=0x%llx set=%u index=%u used_sectors=0x%x%s%s",
          of(place)->mechanism->name, hook, (Wide)e->line, e->set, e->line_index, e->used_sectors,
          e->dirty ? " dirty" : "", e->tags_only ? " tags_only" : "");
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    print_eviction(place, "on_evict", eviction);
    own(place)->on_evict(place, eviction);
}

static void on_invalidate(HdPlace *place, const HdEviction *line)
{
    print_eviction(place, "on_invalidate", line);
    own(place)->on_invalidate(place, line);
}

static void on_kernel_end_line(HdPlace *place, const HdEviction *line)
{
    print_eviction(place, "on_kernel_end_line", line);
    own(place)->on_kernel_end_line(place, line);
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    PRINT(place, "%s on_kernel_begin: %s", of(place)->mechanism->name, kernel->name);
    own(place)->on_kernel_begin(place, kernel);
}

static void on_kernel_end(HdPlace *place, const HdKernel *kernel)
{
    PRINT(place, "%s on_kernel_end: %s", of(place)->mechanism->name, kernel->name);
    own(place)->on_kernel_end(place, kernel);
}

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    PRINT(place, "%s on_period: cycle=%llu count=%llu", of(place)->mechanism->name,
          (Wide)ended->cycle, (Wide)ended->count);
    own(place)->on_period(place, ended);
}

static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    char values[32];
    PRINT(place, "%s on_prefetch: %s line=0x%llx sector=%u tag=%u warp_slot=%u%s",
          of(place)->mechanism->name, outcome_names[prefetched->outcome], (Wide)prefetched->line,
          prefetched->sector, prefetched->tag, prefetched->warp_slot,
          values_word(values, prefetched->value_sectors));
    own(place)->on_prefetch(place, prefetched);
}

// ---- calls of the host ----

static const char *answer_call(HdPlace *place, const char *refused)
{
    ANSWER(place, "on_call", "%s", refused ? refused : "accepted");
    return refused;
}

static const char *on_call(HdPlace *place, const HdCall *call)
{
    return answer_call(place, own(place)->on_call(place, call));
}

static const char *on_gpu_call(HdPlace *gpu, const HdCall *call)
{
    return answer_call(gpu, of(gpu)->mechanism->gpu.on_call(gpu, call));
}

static void print_release(const HdPlace *place, const char *hook, uint64_t address, uint64_t bytes)
{
    PRINT(place, "%s %s: 0x%llx bytes=%llu", of(place)->mechanism->name, hook, (Wide)address,
          (Wide)bytes);
}

static void on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    print_release(place, "on_release", address, bytes);
    own(place)->on_release(place, address, bytes);
}

static void on_gpu_release(HdPlace *gpu, uint64_t address, uint64_t bytes)
{
    print_release(gpu, "gpu on_release", address, bytes);
    of(gpu)->mechanism->gpu.on_release(gpu, address, bytes);
}

// ---- the GPU ----

static void on_gpu_kernel_begin(HdPlace *gpu, const HdKernel *kernel)
{
    PRINT(gpu, "%s gpu on_kernel_begin: %s", of(gpu)->mechanism->name, kernel->name);
    of(gpu)->mechanism->gpu.on_kernel_begin(gpu, kernel);
}

static void on_gpu_kernel_end(HdPlace *gpu, const HdKernel *kernel)
{
    PRINT(gpu, "%s gpu on_kernel_end: %s", of(gpu)->mechanism->name, kernel->name);
    of(gpu)->mechanism->gpu.on_kernel_end(gpu, kernel);
}

static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    PRINT(gpu, "%s gpu on_quantum: cycle=%llu", of(gpu)->mechanism->name,
          (Wide)quantum->cycle);
    of(gpu)->mechanism->gpu.on_quantum(gpu, quantum);
}

// ---- answers of a cache ----

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    uint32_t tag = own(place)->request_tag(place, miss);
    ANSWER(place, "request_tag", "%u", tag);
    return tag;
}

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    uint32_t tag = own(place)->reply_tag(place, load);
    ANSWER(place, "reply_tag", "%u", tag);
    return tag;
}

static const char *const passes = "pass";

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    static const char *const names[] = {[HD_INSERT] = "insert", [HD_TAGS_ONLY] = "tags_only",
                                        [HD_BYPASS] = "bypass"};
    HdInsertion answer = own(place)->decide_insert(place, miss, room);
    ANSWER(place, "decide_insert", "%s",
           answer == HD_PASS      ? passes
           : answer <= HD_BYPASS ? names[answer]
                                  : "unknown");
    return answer;
}

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    HdWay answer = own(place)->decide_victim(place, ways);
    if (answer == HD_PASS) ANSWER(place, "decide_victim", "%s", passes);
    else ANSWER(place, "decide_victim", "way %u", answer - 1);
    return answer;
}

static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    uint8_t answer = own(place)->decide_fetch(place, miss, have);
    if (answer == HD_PASS) ANSWER(place, "decide_fetch", "%s", passes);
    else ANSWER(place, "decide_fetch", "0x%x", answer);
    return answer;
}

static HdStalled decide_stall(HdPlace *place, const HdAccess *load, HdStallReason reason)
{
    HdStalled answer = own(place)->decide_stall(place, load, reason);
    ANSWER(place, "decide_stall", "%s",
           answer == HD_PASS        ? passes
           : answer == HD_BYPASS_L1 ? "bypass_l1"
                                    : "retry");
    return answer;
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    HdCleanEviction answer = own(place)->decide_clean_eviction(place, line);
    ANSWER(place, "decide_clean_eviction", "%s",
           answer == HD_PASS        ? passes
           : answer == HD_SEND_BACK ? "send_back"
                                    : "drop");
    return answer;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    HdAfterHit answer = own(place)->decide_after_hit(place, hit);
    ANSWER(place, "decide_after_hit", "%s",
           answer == HD_PASS     ? passes
           : answer == HD_REMOVE ? "remove"
                                 : "keep");
    return answer;
}

// ---- the pipeline ----

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *instruction)
{
    PRINT(place, "%s on_memory_issue: pc=%u warp_slot=%u lanes=0x%x accesses=%u",
          of(place)->mechanism->name, instruction->pc, instruction->warp_slot, instruction->lanes,
          instruction->accesses);
    of(place)->mechanism->core.on_memory_issue(place, instruction);
}

static void print_number(const HdPlace *place, const char *hook, uint64_t number)
{
    PRINT(place, "%s %s: %llu", of(place)->mechanism->name, hook, (Wide)number);
}

static void on_block_start(HdPlace *place, const HdBlock *block)
{
    print_number(place, "on_block_start", block->number);
    of(place)->mechanism->core.on_block_start(place, block);
}

static void on_block_end(HdPlace *place, const HdBlock *block)
{
    print_number(place, "on_block_end", block->number);
    of(place)->mechanism->core.on_block_end(place, block);
}

static void on_warp_start(HdPlace *place, const HdWarp *warp)
{
    print_number(place, "on_warp_start", warp->slot);
    of(place)->mechanism->core.on_warp_start(place, warp);
}

static void on_warp_end(HdPlace *place, const HdWarp *warp)
{
    print_number(place, "on_warp_end", warp->slot);
    of(place)->mechanism->core.on_warp_end(place, warp);
}

static void on_wake(HdPlace *place, uint64_t cycle)
{
    print_number(place, "on_wake", cycle);
    of(place)->mechanism->core.on_wake(place, cycle);
}

static void on_sm_quantum(HdPlace *place, const HdQuantum *quantum)
{
    print_number(place, "on_quantum", quantum->cycle);
    of(place)->mechanism->core.on_quantum(place, quantum);
}

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    uint32_t answer = of(place)->mechanism->core.decide_block_limit(place, kernel, fit);
    if (answer == HD_PASS) ANSWER(place, "decide_block_limit", "%s", passes);
    else ANSWER(place, "decide_block_limit", "%u", answer);
    return answer;
}

static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    bool decided = of(place)->mechanism->core.decide_issuable(place, warps, issuable);
    char at[SLOTS_TEXT] = "";
    if (issuable->ask_at != UINT64_MAX)
        snprintf(at, sizeof at, ", ask at %llu", (Wide)issuable->ask_at);
    ANSWER(place, "decide_issuable", "%s%s", decided ? "decided" : passes, at);
    return decided;
}

static bool decide_order(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    bool decided = of(place)->mechanism->core.decide_order(place, warps, order);
    char at[SLOTS_TEXT] = "";
    if (order->ask_at != UINT64_MAX)
        snprintf(at, sizeof at, ", ask at %llu", (Wide)order->ask_at);
    ANSWER(place, "decide_order", "%s%s%s%s", decided ? "decided" : passes,
           decided && order->greedy ? ", greedy" : "",
           decided && order->rotates ? ", rotates" : "", at);
    return decided;
}

static HdChoice decide_warp(HdPlace *place, const HdTurn *turn)
{
    HdChoice choice = of(place)->mechanism->core.decide_warp(place, turn);
    if (choice == HD_PASS) ANSWER(place, "decide_warp", "%s", passes);
    else if (choice == HD_ISSUE_NONE) ANSWER(place, "decide_warp", "none");
    else ANSWER(place, "decide_warp", "warp %u", choice - 1);
    return choice;
}

// ---- prefetches ----

static void observe_prefetch(const HdPlace *place, uint64_t address, bool queued)
{
    PRINT(place, "%s hd_prefetch: 0x%llx %s", of(place)->mechanism->name, (Wide)address,
          queued ? "queued" : "dropped");
    record_number(of(place)->record, RECORDED_PREFETCHED, address);
}

void observer_attach(CacheHooks *hooks)
{
    for (unsigned i = 0; i < hooks->count; i++) hooks->items[i].observe_prefetch = observe_prefetch;
}

// ---- mechanisms ----

// Puts the observer's hook where the mechanism has one.
#define WATCH(hooks, hook)                                                                         \
    if ((hooks)->hook) (hooks)->hook = hook

static void watch_cache(HdHooks *hooks)
{
    WATCH(hooks, request_tag);
    WATCH(hooks, reply_tag);
    WATCH(hooks, on_access);
    WATCH(hooks, on_fill);
    WATCH(hooks, on_insert);
    WATCH(hooks, on_replace);
    WATCH(hooks, on_evict);
    WATCH(hooks, on_invalidate);
    WATCH(hooks, on_kernel_end_line);
    WATCH(hooks, on_kernel_begin);
    WATCH(hooks, on_kernel_end);
    WATCH(hooks, on_period);
    WATCH(hooks, on_call);
    WATCH(hooks, on_release);
    WATCH(hooks, on_prefetch);
    WATCH(hooks, decide_insert);
    WATCH(hooks, decide_victim);
    WATCH(hooks, decide_fetch);
    WATCH(hooks, decide_stall);
    WATCH(hooks, decide_clean_eviction);
    WATCH(hooks, decide_after_hit);
}

static void watch_core(HdCoreHooks *hooks)
{
    WATCH(hooks, on_memory_issue);
    WATCH(hooks, on_block_start);
    WATCH(hooks, on_block_end);
    WATCH(hooks, on_warp_start);
    WATCH(hooks, on_warp_end);
    WATCH(hooks, on_wake);
    WATCH(hooks, decide_block_limit);
    WATCH(hooks, decide_issuable);
    WATCH(hooks, decide_order);
    WATCH(hooks, decide_warp);
    if (hooks->on_quantum) hooks->on_quantum = on_sm_quantum;
}

static void watch_gpu(HdGpuHooks *hooks)
{
    if (hooks->on_kernel_begin) hooks->on_kernel_begin = on_gpu_kernel_begin;
    if (hooks->on_kernel_end) hooks->on_kernel_end = on_gpu_kernel_end;
    if (hooks->on_call) hooks->on_call = on_gpu_call;
    if (hooks->on_release) hooks->on_release = on_gpu_release;
    WATCH(hooks, on_quantum);
}

// The mechanism that records evictions, so that they are known with any mechanism and with none.
static void record_eviction(HdPlace *place, const HdEviction *eviction)
{
    PRINT(place, "evict line=0x%llx", (Wide)eviction->line);
    record_number(of(place)->record, RECORDED_EVICTED, eviction->line);
}
static const HdMechanism recorder = {.name = "recorder", .instrument = true,
                                     .l1 = {.on_evict = record_eviction},
                                     .l2 = {.on_evict = record_eviction}};

ObservedMechanism *observer_watch(HookPlan *plan, Record *record)
{
    ObservedMechanism *all = hd_new(plan->count + 1, sizeof *all);
    PlannedMechanism *items = hd_new(plan->count + 1, sizeof *items);
    if (!all || !items) {
        free(all);
        free(items);
        return NULL;
    }
    if (plan->count) memcpy(items, plan->items, plan->count * sizeof *items);
    items[plan->count] = (PlannedMechanism){.mechanism = &recorder, .levels = HD_L1 | HD_L2};
    free(plan->items);
    plan->items = items;
    for (size_t i = 0; i <= plan->count; i++) {
        all[i] = (ObservedMechanism){*items[i].mechanism, items[i].mechanism, record};
        items[i].mechanism = &all[i].observed;
        if (i == plan->count) break;
        watch_cache(&all[i].observed.l1);
        watch_cache(&all[i].observed.l2);
        watch_core(&all[i].observed.core);
        watch_gpu(&all[i].observed.gpu);
    }
    plan->count++;
    return all;
}
