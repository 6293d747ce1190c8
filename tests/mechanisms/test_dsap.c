// The prefetches of dsap for the work list on an SM. (scripts/dsap*.txt test the mechanism at a
// cache, in which a load issues and is looked up at once.)
#include "mechanism_rig.h"
#include "support/bench.h"

#include "mechanisms/mechanism_registry.h"

// A thread loads the items of a list one after the other: each address depends on the item before.
static const char walk_ptx[] =
    PTX_HEAD
    ".visible .entry walk(.param .u64 list, .param .u64 end)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<2>;\n"
    "    .reg .b64 %d<4>;\n"
    "    ld.param.u64 %d1, [list];\n"
    "    ld.param.u64 %d2, [end];\n"
    "NEXT:\n"
    "    ld.global.u32 %r1, [%d1];\n"
    "    cvt.u64.u32 %d3, %r1;\n"
    "    add.u64 %d1, %d1, %d3;\n" // an item is 4: the bytes to the next one
    "    setp.lt.u64 %p1, %d1, %d2;\n"
    "    @%p1 bra NEXT;\n"
    "    ret;\n"
    "}\n";

enum { LINE_ITEMS = 32, ITEMS = 2 * LINE_ITEMS };

// The list has two lines. Load 0 misses, and the request for item 1 finds the line on its way: not
// the prefetch fetches it. Load 31, a hit, requests item 32 in the second line, for which load 32
// comes too early. All other requests find their lines there. The last item has no next one.
static void test_behind_its_load(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=1", NULL};
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        HdError err = {0};
        HookPlan plan;
        if (!plan_read(&plan, "dsap:adaptive=off", mechanism_find, &err)) fail_msg("%s", err.text);
        GpuOptions options = {.mechanisms = &plan, .no_skip = no_skip};
        Bench *b = bench_new("fermi-gtx480", settings, &options, walk_ptx);
        uint32_t items[ITEMS];
        for (unsigned i = 0; i < ITEMS; i++) items[i] = 4;
        uint64_t list = bench_array(b, "list", items, sizeof items);
        const uint64_t mark[] = {0, list, sizeof items}, size = ITEMS;
        assert_true(gpu_call(b->gpu, "dsap", "mark", mark, 3, &err));
        assert_true(gpu_call(b->gpu, "dsap", "size", &size, 1, &err));
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"walk", {1}, {1}, .args = {list, list + sizeof items}});
        const CacheHooks *hooks = gpu_hooks(b->gpu, HOOK_L1, 0);
        PrefetchCounters fate = prefetch_queue_counters(&hooks->prefetches->items[0], 0);
        assert_int_equal(place_counter(hooks, &plan, "monitored"), ITEMS);
        assert_int_equal(place_counter(hooks, &plan, "work"), ITEMS - 1);
        assert_int_equal(fate.redundant, ITEMS - 2);
        assert_int_equal(fate.fetched, 1);
        assert_int_equal(fate.late, 1);
        assert_int_equal(fate.useful, 0);
        assert_int_equal(r->sm.l1d.load_misses, 1);
        assert_int_equal(r->sm.l1d.load_pending_hits, 1);
        bench_free(b);
        plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_behind_its_load)};
    return cmocka_run_group_tests_name("dsap", tests, NULL, NULL);
}
