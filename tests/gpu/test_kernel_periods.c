// Periods of mechanisms at the ends of kernels: whoever had no event for long gets them before the
// hook of the kernel.
#include "support/bench.h"

enum { PERIOD = 10, PLACES = 16, LAUNCHES = 3 };

// By level and place: periods that have ended; kernels that have begun and ended.
static struct {
    uint64_t periods[PLACES];
    unsigned begun, ended;
} seen[2];
static unsigned places[2];

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    uint64_t *periods = &seen[place->level == HD_L2].periods[place->number];
    *periods += ended->count;
    assert_int_equal(ended->cycle, *periods * PERIOD);
}

// Places are called in their order. By the last one's turn, all have had the periods of their
// common clock.
static void compare(const HdPlace *place)
{
    unsigned level = place->level == HD_L2;
    places[level] = place->places;
    assert_true(place->places <= PLACES);
    if (place->number + 1 < place->places) return;
    for (unsigned i = 0; i < place->places; i++)
        assert_int_equal(seen[level].periods[i], seen[level].periods[0]);
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    seen[place->level == HD_L2].begun++;
    compare(place);
}

static void on_kernel_end(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    unsigned level = place->level == HD_L2;
    seen[level].ended++;
    compare(place);
    assert_true(seen[level].periods[place->number] > 0);
}

static const HdParameter parameters[] = {
    {.name = "period", .value = PERIOD, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
static const HdMechanism clocked = {
    .name = "clocked", .parameters = parameters,
    .l1 = {.on_period = on_period, .on_kernel_begin = on_kernel_begin,
           .on_kernel_end = on_kernel_end},
    .l2 = {.on_period = on_period, .on_kernel_begin = on_kernel_begin,
           .on_kernel_end = on_kernel_end}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &clocked;
}

// One warp loads one word: one SM and one slice have something to do.
static void test_kernels(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".visible .entry one(.param .u64 in)\n"
        "{\n"
        "    .reg .b32 %r<3>;\n"
        "    .reg .b64 %a<2>;\n"
        "    ld.param.u64 %a1, [in];\n"
        "    ld.global.u32 %r1, [%a1];\n"
        "    add.u32 %r2, %r1, 1;\n"
        "    st.global.u32 [%a1], %r2;\n"
        "    ret;\n"
        "}\n";
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        HdError err = {0};
        HookPlan plan;
        memset(seen, 0, sizeof seen);
        if (!plan_read(&plan, "clocked", find, &err)) fail_msg("%s", err.text);
        Bench *bench = bench_new("fermi-gtx480", NULL,
                                 &(GpuOptions){.mechanisms = &plan, .no_skip = no_skip}, ptx);
        uint64_t in = bench_array(bench, "in", NULL, 4);
        for (unsigned i = 0; i < LAUNCHES; i++)
            bench_run(bench, &(BenchLaunch){"one", .block = {32}, .args = {in}});
        for (unsigned level = 0; level < 2; level++) {
            assert_true(places[level] > 1);
            assert_int_equal(seen[level].begun, LAUNCHES * places[level]);
            assert_int_equal(seen[level].ended, LAUNCHES * places[level]);
        }
        bench_free(bench);
        plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};
    return cmocka_run_group_tests_name("periods of kernels", tests, NULL, NULL);
}
