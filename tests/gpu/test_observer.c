// Observers of all caches of a GPU: what they see adds up to the counters of the result and to the
// lines that the caches hold, and changes nothing.
#include "compare.h"
#include "mechanisms/mechanism_registry.h"
#include "mix.h"

#include "base/bits.h"
#include "base/memory.h"

enum { LINES = 512, ARRAY = LINES * 128 }; // of sweep.ptx

// What is seen of one cache, on the host thread that runs its owner. So it may not fail the test
// itself: `wrong` is the first thing that did not hold.
typedef struct Seen {
    CachePlace place;
    CacheController *cache;
    CacheCounters count;
    uint64_t kinds[WATCH_KINDS]; // events
    uint64_t *lines;             // that are in the cache, by their addresses there
    size_t held, capacity;
    bool has_stalled[CACHE_STALL_REASONS];
    CacheStall last_stall; // the last access has stalled; CACHE_STALL_REASONS: it has not
    uint64_t from;               // the guest's address of an array of ARRAY bytes
    uint64_t accesses_there, evicted_there; // in it: accesses, and clean lines that were evicted
    char wrong[128];
} Seen;

typedef struct Observer {
    Seen **caches;
    size_t count, capacity;
    uint64_t from;
} Observer;

static void expect(Seen *s, bool holds, const char *what, uint64_t address)
{
    if (!holds && !*s->wrong)
        snprintf(s->wrong, sizeof s->wrong, "%s %u: %s 0x%llx", s->place.name, s->place.index, what,
                 (unsigned long long)address);
}

// ---- the lines that are in the cache ----

static uint64_t line_of(const Seen *s, uint64_t address)
{
    return address & ~(s->cache->config->line - 1);
}

static bool is_valid(const Seen *s, uint64_t address)
{
    const CacheLine *line = cache_probe(s->cache->cache, address);
    return line && line->valid;
}

static size_t find(const Seen *s, uint64_t address)
{
    size_t i = 0;
    while (i < s->held && s->lines[i] != line_of(s, address)) i++;
    return i;
}

static void come(Seen *s, uint64_t address)
{
    if (!is_valid(s, address) || find(s, address) < s->held) return;
    if (!HD_PUSH(s->lines, s->held, s->capacity, line_of(s, address)))
        expect(s, false, "out of memory", address);
}

static void leave(Seen *s, uint64_t address)
{
    size_t i = find(s, address);
    expect(s, i < s->held, "a line leaves that was not there:", address);
    if (i < s->held) s->lines[i] = s->lines[--s->held];
}

// Whether it is in the array.
static bool is_there(const Seen *s, uint64_t address)
{
    return cache_guest_address(&s->place, address) - s->from < ARRAY;
}

// ---- the observer ----

static void see_access(Seen *s, const CacheEvent *event)
{
    const CacheResult *result = event->result;
    bool write = event->access->write, atomic = event->access->atomic, load = !write && !atomic;
    s->last_stall = CACHE_STALL_REASONS;
    if (result->outcome == CACHE_STALLED) {
        s->has_stalled[result->stall] = true;
        s->last_stall = result->stall;
        return;
    }
    CacheCounters *c = &s->count;
    c->accesses++;
    c->load_accesses += load;
    c->store_accesses += write;
    c->atomic_accesses += atomic;
    c->hits += result->outcome == CACHE_HIT;
    c->victim_hits += result->victim_hit;
    c->pending_hits += result->outcome == CACHE_MERGED;
    c->misses += result->outcome == CACHE_MISS;
    if (!result->victim.evicted) c->writebacks += lanes_count(result->victim.dirty_sectors);
    if (load && result->outcome == CACHE_HIT)
        expect(s, find(s, event->address) < s->held, "a hit of a line that has left:",
               event->address);
    come(s, event->address); // by a store
    expect(s, event->user != NULL, "an access without a user:", event->address);
    s->accesses_there += is_there(s, event->address);
}

static void see(void *self, WatchKind kind, const void *what)
{
    Seen *s = self;
    const CacheEvent *event = what;
    s->kinds[kind]++;
    expect(s, event->at == s->cache, "another cache's event, at", event->address);
    switch (kind) {
    case WATCH_ACCESS: see_access(s, event); break;
    case WATCH_FILL:
        s->count.fills += event->fills;
        come(s, event->address);
        break;
    case WATCH_EVICT:
        s->count.evictions++;
        s->count.writebacks += lanes_count(event->victim->dirty_sectors);
        leave(s, event->address);
        expect(s, !is_valid(s, event->address), "an evicted line is there:", event->address);
        s->evicted_there += is_there(s, event->address) && !event->victim->dirty_sectors;
        break;
    case WATCH_INVALIDATE:
        if (event->address == CACHE_ALL_LINES) s->held = 0;
        else if (!is_valid(s, event->address)) leave(s, event->address);
        break;
    case WATCH_STALL: // in the L1I, of any of the warps that were tried
        s->count.stalls[event->reason] += event->stalled;
        bool was_seen = s->place.owner == OWNER_SM && s->place.number == SM_L1I
                            ? s->has_stalled[event->reason]
                            : s->last_stall == event->reason;
        expect(s, was_seen, "cycles of a stall that was not seen:", event->reason);
        break;
    default: break;
    }
}

static bool attach(void *self, const CachePlace *place, CacheController *cache, HdError *err)
{
    Observer *o = self;
    Seen *s = hd_new(1, sizeof *s);
    if (!s || !HD_PUSH(o->caches, o->count, o->capacity, s))
        return hd_fail_memory(err, "observing caches");
    s->place = *place;
    s->cache = cache;
    s->from = o->from;
    return watch_add(&cache->watch, (Watcher){WATCHER_OBSERVER, UINT32_MAX, see, s}, err);
}

static void observe(Observer *o, Gpu *gpu)
{
    HdError err = {0};
    if (!gpu_each_cache(gpu, attach, o, &err)) fail_msg("%s", err.text);
}

static void observer_free(Observer *o)
{
    for (size_t i = 0; i < o->count; i++) {
        free(o->caches[i]->lines);
        free(o->caches[i]);
    }
    free(o->caches);
    *o = (Observer){0};
}

// ---- what must add up ----

// The cache's counters in a result.
static const CacheCounters *counters_of(const LaunchResult *r, const CachePlace *place)
{
    return place->owner == OWNER_SLICE ? &r->l2 : &r->sm.caches[place->number];
}

#define EACH_COUNTER(C)                                                                            \
    C(accesses) C(load_accesses) C(store_accesses) C(atomic_accesses) C(hits) C(victim_hits)       \
    C(pending_hits) C(misses) C(fills) C(evictions)

static void check_sum(const CacheCounters *seen, const CacheCounters *counted, const char *name,
                      bool off)
{
#define CHECK(counter)                                                                             \
    if (seen->counter != counted->counter)                                                         \
        fail_msg("%s: " #counter ": %llu seen, %llu counted", name,                                \
                 (unsigned long long)seen->counter, (unsigned long long)counted->counter);
    EACH_COUNTER(CHECK)
    if (!off) CHECK(writebacks)
    for (unsigned reason = 0; reason < CACHE_STALL_REASONS; reason++)
        if (seen->stalls[reason] != counted->stalls[reason])
            fail_msg("%s: stalls for %s: %llu cycles seen, %llu counted", name,
                     cache_stall_name(reason), (unsigned long long)seen->stalls[reason],
                     (unsigned long long)counted->stalls[reason]);
}

// The caches of a kind together have seen what the launches have counted, and what has come and
// not left is in the caches.
static void check(const Observer *o, const Gpu *gpu)
{
    const Machine *machine = gpu_machine(gpu);
    for (size_t first = 0; first < o->count; first++) {
        CacheCounters sum = {0};
        const CachePlace *kind = &o->caches[first]->place;
        for (size_t i = 0; i < o->count; i++) {
            const Seen *s = o->caches[i];
            if (strcmp(s->place.name, kind->name) != 0) continue;
            if (*s->wrong) fail_msg("%s", s->wrong);
            stats_add(&cache_table, &sum, &s->count);
            for (size_t l = 0; l < s->held; l++)
                if (!is_valid(s, s->lines[l]))
                    fail_msg("%s %u: line 0x%llx has left unseen", s->place.name, s->place.index,
                             (unsigned long long)s->lines[l]);
        }
        bool off = kind->owner == OWNER_SLICE && machine->l2.mode == CACHE_OFF;
        check_sum(&sum, counters_of(gpu_total(gpu), kind), kind->name, off);
    }
}

// ---- tests ----

// In the order of SMs, their caches, and slices. Without an L1.5 the machine has none to visit.
static void test_places(void **state)
{
    (void)state;
    static const char *const with[] = {"gpu.sms=2", "l15.mode=cache", NULL};
    static const char *const names[] = {"l1d", "l1i", "l1c", "l1r", "l15"};
    for (unsigned l15 = 0; l15 < 2; l15++) {
        const char *const without[] = {"gpu.sms=2", NULL};
        Observer o = {0};
        Bench *b = bench_new("fermi-gtx480", l15 ? with : without, NULL, NULL);
        observe(&o, b->gpu);
        unsigned each = 4 + l15, slices = gpu_machine(b->gpu)->slice.count;
        assert_int_equal(o.count, 2 * each + slices);
        for (size_t i = 0; i < o.count; i++) {
            const CachePlace *place = &o.caches[i]->place;
            bool slice = i >= 2 * each;
            assert_int_equal(place->owner, slice ? OWNER_SLICE : OWNER_SM);
            assert_int_equal(place->index, slice ? i - 2 * each : i / each);
            assert_string_equal(place->name, slice ? "l2" : names[i % each]);
        }
        bench_free(b);
        observer_free(&o);
    }
}

typedef struct Case {
    const char *machine, *mechanism;
    const char *settings[9];
} Case;

static const Case cases[] = {
    {"fermi-gtx480-gpgpusim4", NULL,
     {"gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=8KiB", "l1d.index=linear",
      "l1i.size=512B", "l1i.mshr_merges=1", "memory.copy_fills_l2=false"}},
    {"fermi-gtx480", NULL,
     {"gpu.sms=3", "l15.mode=cache", "l15.instructions=on", "l1i.size=1KiB", "l1c.size=512B",
      "l15.mshr_entries=1", "memory.nc_path=readonly", "l15.size=1KiB"}},
    {"volta-v100", NULL,
     {"gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l1d.index=linear", "l1d.ways=4",
      "l1d.mshr_entries=2", "l1i.miss_queue=1"}},
    {"fermi-macsim", NULL,
     {"gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=8KiB",
      "l1d.allocate=on_fill", "l1d.victim_entries=2", "l2.mshr_entries=2"}},
    {"fermi-gtx480", NULL,
     {"gpu.sms=3", "l1d.mode=off", "l2.mode=off", "l2.mshr_entries=2", "l2.miss_queue=2"}},
    {"fermi-gtx480", NULL, {"gpu.sms=3", "l1d.mode=unbounded", "l2.mode=unbounded"}},
    {"fermi-macsim", "exclusive",
     {"gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=8KiB",
      "memory.invalidate_l1=false"}},
    {"fermi-macsim", "next-line",
     {"gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=8KiB",
      "l1d.allocate=on_miss"}},
    {"volta-v100", "sector",
     {"gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l1d.index=linear", "l1d.ways=4"}},
};
enum { CASES = sizeof cases / sizeof *cases };

static HookPlan plan_of(const char *text)
{
    HdError err = {0};
    HookPlan plan = {0};
    if (text && !plan_read(&plan, text, mechanism_find, &err)) fail_msg("%s", err.text);
    return plan;
}

// Runs the six kernels of mix.ptx, observed twice, and not observed.
static void run_case(const Case *c, GpuOptions options, uint64_t *kinds, uint64_t *of_l1i)
{
    HookPlan plan = plan_of(c->mechanism);
    if (c->mechanism) options.mechanisms = &plan;
    Bench *plain = bench_new(c->machine, c->settings, &options, mix_ptx());
    mix_run(plain);
    Observer o = {0}, other = {0};
    Bench *b = bench_new(c->machine, c->settings, &options, mix_ptx());
    observe(&o, b->gpu);
    observe(&other, b->gpu);
    mix_run(b);
    compare_records(plain, b);
    check(&o, b->gpu);
    check(&other, b->gpu);
    for (size_t i = 0; i < o.count; i++)
        for (unsigned k = 0; k < WATCH_KINDS; k++) {
            assert_int_equal(o.caches[i]->kinds[k], other.caches[i]->kinds[k]);
            kinds[k] += o.caches[i]->kinds[k];
            if (!strcmp(o.caches[i]->place.name, "l1i")) of_l1i[k] += o.caches[i]->kinds[k];
        }
    bench_free(plain);
    bench_free(b);
    observer_free(&o);
    observer_free(&other);
    if (c->mechanism) plan_free(&plan);
}

static void test_adds_up(void **state)
{
    (void)state;
    const GpuOptions ways[] = {{.max_cycles = 20000000},
                               {.max_cycles = 20000000, .no_skip = true},
                               {.max_cycles = 20000000, .threads = 3, .shuffle = 5}};
    for (unsigned w = 0; w < 3; w++) {
        uint64_t kinds[WATCH_KINDS] = {0}, of_l1i[WATCH_KINDS] = {0};
        for (unsigned c = 0; c < CASES; c++) run_case(&cases[c], ways[w], kinds, of_l1i);
        for (unsigned k = 0; k < WATCH_KINDS; k++) assert_int_not_equal(kinds[k], 0);
        assert_int_not_equal(of_l1i[WATCH_STALL], 0);
        assert_int_not_equal(of_l1i[WATCH_EVICT], 0);
    }
}

// The sweep of 512 lines, twice, through an L1D of 128 lines: each load evicts the line that was
// filled 128 loads before, which is clean. The L2 sees the 4 sectors of each line twice, and keeps
// them. A launch after the watchers have been removed is not seen.
static void test_addresses(void **state)
{
    (void)state;
    enum { L1_LINES = 128 };
    static const char *const settings[] = {"gpu.sms=1", NULL};
    Bench *b = bench_new("fermi-gtx480-gpgpusim4", settings, NULL, bench_ptx("gpu/sweep.ptx"));
    Observer o = {.from = bench_array(b, "in", NULL, ARRAY)};
    observe(&o, b->gpu);
    const Seen *l1d = o.caches[SM_L1D];
    for (unsigned launch = 0; launch < 2; launch++) {
        bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {o.from}});
        uint64_t l2_accesses = 0, l2_evicted = 0;
        for (size_t i = 4; i < o.count; i++) {
            l2_accesses += o.caches[i]->accesses_there;
            l2_evicted += o.caches[i]->evicted_there;
        }
        assert_int_equal(l2_accesses, 4 * 2 * LINES);
        assert_int_equal(l2_evicted, 0);
        assert_int_equal(l1d->accesses_there, 2 * LINES);
        assert_int_equal(l1d->evicted_there, 2 * LINES - L1_LINES);
        assert_int_equal(l1d->held, L1_LINES);
        if (!launch) check(&o, b->gpu);
        for (size_t i = 0; i < o.count; i++)
            watch_remove(&o.caches[i]->cache->watch, see, o.caches[i]);
    }
    bench_free(b);
    observer_free(&o);
}

static void ignore_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    (void)place;
    (void)address;
    (void)bytes;
}
static const HdMechanism idle = {.name = "idle", .l2 = {.on_release = ignore_release}};
static const HdMechanism *find_idle(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&idle, 1, name, library, err);
}

// Functional launches warm the caches unseen, by lines and, with a mechanism at the L2, by
// requests. As the second one begins, the L1D has no line. After it, it has the last 128, and the
// L2 all: the timed launch behind hits them, and is seen.
static void test_functional(void **state)
{
    (void)state;
    enum { L1_LINES = 128 };
    static const char *const settings[] = {"gpu.sms=1", NULL};
    HdError err = {0};
    HookPlan plan = {0};
    if (!plan_read(&plan, "idle", find_idle, &err)) fail_msg("%s", err.text);
    for (unsigned hooked = 0; hooked < 2; hooked++) {
        const GpuOptions options = {.detail_first = 3, .mechanisms = hooked ? &plan : NULL};
        Bench *b =
            bench_new("fermi-gtx480-gpgpusim4", settings, &options, bench_ptx("gpu/sweep.ptx"));
        Observer o = {.from = bench_array(b, "in", NULL, ARRAY)};
        observe(&o, b->gpu);
        const BenchLaunch launch = {"k", .block = {32}, .args = {o.from}};
        for (unsigned i = 0; i < 2; i++) assert_true(bench_run(b, &launch)->functional);
        for (size_t i = 0; i < o.count; i++)
            for (unsigned k = 0; k < WATCH_KINDS; k++)
                assert_int_equal(o.caches[i]->kinds[k], k != WATCH_INVALIDATE ? 0
                                                        : i == SM_L1D         ? 1
                                                        : i == SM_L1R         ? 2
                                                                              : 0);
        for (uint64_t n = 0; n < LINES; n++)
            assert_int_equal(is_valid(o.caches[SM_L1D], o.from + n * 128), n >= LINES - L1_LINES);
        const LaunchResult *r = bench_run(b, &launch);
        assert_false(r->functional);
        assert_int_equal(r->l2.hits, r->l2.accesses);
        uint64_t l2_accesses = 0;
        for (size_t i = 4; i < o.count; i++) l2_accesses += o.caches[i]->accesses_there;
        assert_int_equal(l2_accesses, 4 * 2 * LINES);
        bench_free(b);
        observer_free(&o);
    }
    plan_free(&plan);
}

// A warp loads a line and then stores to it (write-evict): the store invalidates the line. The
// next launch begins with an L1D and a read-only cache without lines.
static void test_invalidations(void **state)
{
    (void)state;
    static const char kernel[] = PTX_HEAD
        ".visible .entry k(.param .u64 data)\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    .reg .b64 %rd<4>;\n"
        "    ld.param.u64 %rd1, [data];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mul.wide.u32 %rd2, %r1, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    ld.global.u32 %r2, [%rd3];\n"
        "    add.u32 %r3, %r2, 1;\n"
        "    st.global.u32 [%rd3], %r3;\n"
        "    ret;\n"
        "}\n";
    static const char *const settings[] = {"gpu.sms=1", NULL};
    Bench *b = bench_new("fermi-gtx480-gpgpusim4", settings, NULL, kernel);
    uint64_t data = bench_array(b, "data", NULL, 128);
    Observer o = {0};
    observe(&o, b->gpu);
    const Seen *l1d = o.caches[SM_L1D], *l1r = o.caches[SM_L1R];
    bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {data}});
    assert_int_equal(l1d->kinds[WATCH_INVALIDATE], 1);
    assert_int_equal(l1d->kinds[WATCH_ACCESS], 2);
    assert_int_equal(l1d->held, 0);
    assert_int_equal(l1r->kinds[WATCH_INVALIDATE], 1);
    bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {data}});
    assert_int_equal(l1d->kinds[WATCH_INVALIDATE], 3);
    assert_int_equal(l1r->kinds[WATCH_INVALIDATE], 2);
    check(&o, b->gpu);
    bench_free(b);
    observer_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_adds_up),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_functional),
        cmocka_unit_test(test_invalidations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
