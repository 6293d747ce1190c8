// Violated invariants are found: of traffic, and of the outcomes of loads at caches with
// mechanisms.
#include "support/bench.h"

#include "gpu/gpu_internal.h"
#include "mechanisms/mechanism_registry.h"

static void kind(LaunchResult *r) { r->icnt.flits_to_memory_load++; }
static void reply_kind(LaunchResult *r) { r->icnt.flits_to_sm_store--; }
static void out_of_sm(LaunchResult *r) { r->sm_links[0].to_memory++; }
static void into_sm(LaunchResult *r) { r->sm_links[0].to_sm++; }
static void into_slice(LaunchResult *r) { r->slice_links[2].to_memory++; }
static void out_of_slice(LaunchResult *r) { r->slice_links[2].to_sm++; }
static void l1_miss(LaunchResult *r) { r->sm.l1d.load_misses++; }
static void l2_miss(LaunchResult *r) { r->l2.load_misses--; }

// Each counter is changed alone. The record belongs to the Gpu, so each has a run of its own.
static void test_broken(void **state)
{
    (void)state;
    static const struct {
        void (*change)(LaunchResult *r);
        const char *message;
    } cases[] = {
        {kind, "flits to L2 slices by kind of request, and in all"},
        {reply_kind, "flits to SMs by kind of request, and in all"},
        {out_of_sm, "flits out of SMs, and to L2 slices"},
        {into_sm, "flits into SMs, and to SMs"},
        {into_slice, "flits into slices, and to L2 slices"},
        {out_of_slice, "flits out of slices, and to SMs"},
        {l1_miss, "loads that missed the L1D by outcome, and in all"},
        {l2_miss, "loads that missed the L2 by outcome, and in all"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdError err = {0};
        HookPlan plan;
        if (!plan_read(&plan, "sector-use", mechanism_find, &err)) fail_msg("%s", err.text);
        GpuOptions options = {.mechanisms = &plan};
        Bench *b = bench_new("fermi-gtx480", NULL, &options, bench_ptx("gpu/load_store.ptx"));
        uint64_t data = bench_array(b, "data", NULL, 4096);
        bench_run(b, &(BenchLaunch){"k", .grid = {30}, .block = {32}, .args = {data}});
        LaunchResult *r = &b->gpu->results[0];
        char text[1024];
        cases[i].change(r);
        gpu_check_invariants(b->gpu, r, text, sizeof text);
        if (!strstr(text, cases[i].message)) fail_msg("%s: '%s'", cases[i].message, text);
        bench_free(b);
        plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_broken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
