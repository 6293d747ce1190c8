// What slices read of a request beyond its address (HdMechanism.request_field_bits) makes its
// packet longer.
#include "support/bench.h"

// One warp loads LINES lines, stores one word, and adds to one word.
enum { LINES = 16 };
static const char walk[] =
    PTX_HEAD
    ".visible .entry walk(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %a<3>;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mov.u64 %a2, %a1;\n"
    "    mov.u32 %r1, 16;\n"
    "NEXT:\n"
    "    ld.global.u32 %r2, [%a1];\n"
    "    add.u64 %a1, %a1, 128;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra NEXT;\n"
    "    st.global.u32 [%a2], %r2;\n"
    "    red.global.add.u32 [%a2+128], 1;\n"
    "    ret;\n"
    "}\n";

static void on_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
}
static const HdMechanism all[] = {
    {.name = "blind", .l2 = {.on_access = on_access}},
    {.name = "four", .request_field_bits = 4, .l2 = {.on_access = on_access}},
    {.name = "five", .request_field_bits = 5, .l2 = {.on_access = on_access}},
    {.name = "sixty", .request_field_bits = 60, .l2 = {.on_access = on_access}},
    {.name = "sixty-one", .request_field_bits = 61, .l2 = {.on_access = on_access}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// With flits of 4 bytes, a request without data has 2 flits, for 8 bytes.
static IcntCounters run(const char *mechanisms)
{
    HdError err = {0};
    HookPlan plan;
    const char *const settings[] = {"gpu.sms=1", "icnt.flit=4B", NULL};
    if (!plan_read(&plan, mechanisms, find, &err)) fail_msg("%s", err.text);
    Bench *bench = bench_new("fermi-gtx480", settings, &(GpuOptions){.mechanisms = &plan}, walk);
    uint64_t in = bench_array(bench, "in", NULL, 128 * LINES);
    IcntCounters counters = bench_run(bench, &(BenchLaunch){"walk", .grid = {1}, .block = {32},
                                                            .args = {in}})->icnt;
    bench_free(bench);
    plan_free(&plan);
    return counters;
}

// The bits of all mechanisms together, in whole bytes, follow the 8 bytes: 4 bits make 9 bytes, 3
// flits; 4 and 5 make 10; 61 bits make 16, 4 flits, and so do 4 and 60; 4 and 61 make 17, 5 flits.
// Loads and atomics (here a reduction, with whole words of data) carry them, stores and replies do
// not.
static void test_packets(void **state)
{
    (void)state;
    static const struct {
        const char *mechanisms;
        unsigned flits;
    } cases[] = {{"blind", 2}, {"four", 3}, {"four+five", 3}, {"sixty-one", 4},
                 {"four+sixty", 4}, {"four+sixty-one", 5}};
    IcntCounters blind = run("blind");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        IcntCounters c = run(cases[i].mechanisms);
        assert_int_equal(c.flits_to_memory_load, LINES * cases[i].flits);
        assert_int_equal(c.flits_to_memory_reduce - blind.flits_to_memory_reduce,
                         cases[i].flits - 2);
        assert_int_equal(c.flits_to_memory_store, blind.flits_to_memory_store);
        assert_memory_equal(c.to_sm_by_kind, blind.to_sm_by_kind, sizeof c.to_sm_by_kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_packets)};
    return cmocka_run_group_tests_name("request fields", tests, NULL, NULL);
}
