// State that a launch leaves behind is found: one object after another is planted in a structure
// that must be empty.
#include "support/bench.h"

#include "core/sm/pipeline.h"
#include "gpu/gpu_internal.h"

enum { SM = 3 };

static void plant_request(Sm *sm)
{
    static Packet packet = {.request.owner = 1, .there.packet = &packet};
    exchange_send(sm->port.map.exchange, SM, &packet.there);
}

static void plant_store(Sm *sm)
{
    uint64_t address = GUEST_GLOBAL_BASE;
    uint32_t value = 0;
    assert_true(store_log_add(sm->context.log, sm->context.now,
                              &(WarpStore){1, &address, &value, 4, 4}));
}

static void plant_miss(Sm *sm)
{
    CacheAccess access = {.address = 1 << 20, .room = 8};
    assert_int_equal(cache_access(sm->l1d.controller.cache, &access).outcome, CACHE_MISS);
}

static void plant_l15_miss(Sm *sm)
{
    CacheAccess access = {.address = 1 << 20, .room = 8};
    assert_int_equal(cache_access(sm->l15.controller.cache, &access).outcome, CACHE_MISS);
}

static void plant_event(Sm *sm)
{
    assert_true(wheel_set(&sm->context.wheel, sm->context.now + 9, EVENT_WAKE, 0,
                          (EventPayload){0}));
}
static void plant_packet(Sm *sm) { sm->port.pool.used++; }
static void plant_record(Sm *sm) { sm->lsu.ops.live++; }
static void plant_lsu(Sm *sm) { sm->lsu.count++; }
static void plant_warp(Sm *sm) { sm->blocks.warps_live++; }

static void plant_micro_op(Sm *sm)
{
    static WarpInjector injector = {.count = 1};
    sm->blocks.warps[sm->blocks.warp_slots - 1].injector = &injector;
}

static void plant_move(Sm *sm)
{
    static WarpInjector injector = {.moves = true};
    sm->blocks.warps[0].injector = &injector;
}

static void test_planted(void **state)
{
    (void)state;
    static const struct {
        void (*plant)(Sm *sm);
        const char *message;
    } cases[] = {
        {plant_request, "requests that the memory side has not taken"},
        {plant_packet, "packets"},
        {plant_store, "stores that memory has not taken"},
        {plant_miss, "MSHR entries of the L1D"},
        {plant_l15_miss, "requests at the L1.5"},
        {plant_event, "events"},
        {plant_record, "memory instructions without an answer"},
        {plant_lsu, "memory instructions in the load/store unit"},
        {plant_warp, "warps"},
        {plant_micro_op, "micro-ops of mechanisms"},
        {plant_move, "micro-ops of mechanisms"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const settings[] = {"l15.mode=cache", NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, bench_ptx("gpu/load_store.ptx"));
        uint64_t data = bench_array(b, "data", NULL, 4096);
        // bench_run finds no leftover state.
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .grid = {30}, .block = {32}, .args = {data}});
        Sm *sm = b->gpu->sms[SM];
        cases[i].plant(sm);
        char text[1024], expected[128];
        gpu_check_invariants(b->gpu, r, text, sizeof text);
        snprintf(expected, sizeof expected, "  left on SM %d: %s\n", SM, cases[i].message);
        assert_string_equal(text, expected);
        bench_free(b);
    }
}

// On the memory side: a request that is never served.
static void test_planted_on_the_memory_side(void **state)
{
    (void)state;
    static const char *const machines[] = {"fermi-gtx480", "fermi-gtx480-gpgpusim4"};
    for (unsigned m = 0; m < 2; m++) {
        Bench *b = bench_new(machines[m], NULL, NULL, bench_ptx("gpu/load_store.ptx"));
        uint64_t data = bench_array(b, "data", NULL, 4096);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .grid = {30}, .block = {32}, .args = {data}});
        Gpu *gpu = b->gpu;
        Packet packet = {
            .request = {.line = data, .kind = MEM_LOAD, .sectors = 1, .token = 1},
            .there = {.packet = &packet,
                      .time = clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle + 1000)}};
        memory_side_place(gpu->memory_side, &packet.request);
        exchange_send(memory_side_exchange(gpu->memory_side), 0, &packet.there);
        assert_true(memory_side_run(gpu->memory_side,
                                    clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle) + gpu->forward,
                                    NULL, &b->err));
        char text[1024];
        gpu_check_invariants(gpu, r, text, sizeof text);
        assert_contains(text, "  left on the memory side: ");
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_planted_on_the_memory_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
