// What the host program says to mechanisms between launches: calls, and allocations that it
// releases.
#include "support/bench.h"

// ---- a mechanism that notes what it hears ----

enum { MAX_HEARD = 64, REFUSE_AT_SLICE = 9 };
static struct {
    unsigned level, number;
    char verb[8];
    uint64_t values[HD_CALL_VALUES], allocated;
    size_t count;
} heard[MAX_HEARD];
static unsigned calls;
static struct {
    unsigned level, number;
    uint64_t address, bytes;
} released[MAX_HEARD];
static unsigned releases;

// "stop" with REFUSE_AT_SLICE is refused by the second slice.
static const char *on_call(HdPlace *place, const HdCall *call)
{
    heard[calls].level = place->level;
    heard[calls].number = place->number;
    snprintf(heard[calls].verb, sizeof heard[calls].verb, "%s", call->verb);
    for (size_t i = 0; i < call->count; i++) heard[calls].values[i] = call->values[i];
    heard[calls].count = call->count;
    heard[calls].allocated = call->count ? call->allocated(call, call->values[0]) : 0;
    calls++;
    bool refuses = call->count && call->values[0] == REFUSE_AT_SLICE && place->level == HD_L2 &&
                   place->number == 1;
    return refuses ? "expected another number" : NULL;
}

static void on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    released[releases].level = place->level;
    released[releases].number = place->number;
    released[releases].address = address;
    released[releases++].bytes = bytes;
}

static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    (void)gpu;
    (void)quantum;
}

static const HdMechanism all[] = {
    {.name = "hears", .l1 = {.on_call = on_call, .on_release = on_release},
     .l2 = {.on_call = on_call, .on_release = on_release},
     .gpu = {.on_call = on_call, .on_release = on_release}},
    {.name = "slices", .l2 = {.on_call = on_call, .on_release = on_release}},
    {.name = "deaf", .gpu = {.on_quantum = on_quantum}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- running ----

enum { SMS = 3, SLICES = 2 };
static const char *const small[] = {"gpu.sms=3", "slice.count=2", "dram.channels=2", NULL};

typedef struct Run {
    HookPlan plan;
    Bench *bench;
} Run;

static void run_init(Run *run, const char *mechanism)
{
    HdError err;
    calls = releases = 0;
    if (!plan_read(&run->plan, mechanism, find, &err)) fail_msg("%s", err.text);
    run->bench = bench_new("fermi-gtx480", small, &(GpuOptions){.mechanisms = &run->plan}, NULL);
}

static void run_free(Run *run)
{
    bench_free(run->bench);
    plan_free(&run->plan);
}

// ---- tests ----

// Each SM, each slice and the GPU hear the call, in this order, with its values.
static void test_call(void **state)
{
    (void)state;
    Run run;
    HdError err;
    run_init(&run, "deaf+hears");
    uint64_t array = bench_array(run.bench, "array", NULL, 1000);
    uint64_t values[] = {array + 96, 7};
    assert_true(gpu_call(run.bench->gpu, "hears", "begin", values, 2, &err));
    assert_int_equal(calls, SMS + SLICES + 1);
    for (unsigned i = 0; i < calls; i++) {
        bool sm = i < SMS, slice = !sm && i < SMS + SLICES;
        assert_int_equal(heard[i].level, sm ? HD_L1 : slice ? HD_L2 : HD_GPU);
        assert_int_equal(heard[i].number, sm ? i : slice ? i - SMS : 0);
        assert_string_equal(heard[i].verb, "begin");
        assert_int_equal(heard[i].count, 2);
        assert_int_equal(heard[i].values[0], array + 96);
        assert_int_equal(heard[i].values[1], 7);
        assert_int_equal(heard[i].allocated, 904);
    }
    // A call of another mechanism, and one without values.
    assert_true(gpu_call(run.bench->gpu, "absent", "begin", values, 2, &err));
    assert_int_equal(calls, SMS + SLICES + 1);
    assert_true(gpu_call(run.bench->gpu, "hears", "end", NULL, 0, &err));
    assert_string_equal(heard[calls - 1].verb, "end");
    assert_int_equal(heard[calls - 1].count, 0);
    run_free(&run);
}

// Behind the end of an allocation, and in one that has been released, there is nothing allocated.
static void test_allocated(void **state)
{
    (void)state;
    Run run;
    HdError err;
    run_init(&run, "slices");
    uint64_t array = bench_array(run.bench, "array", NULL, 1000);
    const uint64_t end[] = {array + 1000}, last[] = {array + 999}, first[] = {array};
    assert_true(gpu_call(run.bench->gpu, "slices", "a", end, 1, &err));
    assert_int_equal(heard[0].allocated, 0);
    assert_true(gpu_call(run.bench->gpu, "slices", "a", last, 1, &err));
    assert_int_equal(heard[SLICES].allocated, 1);
    assert_true(gpu_release(run.bench->gpu, array, &err));
    assert_true(gpu_call(run.bench->gpu, "slices", "a", first, 1, &err));
    assert_int_equal(heard[2 * SLICES].allocated, 0);
    run_free(&run);
}

static void test_release(void **state)
{
    (void)state;
    Run run;
    HdError err;
    run_init(&run, "hears");
    uint64_t one = bench_array(run.bench, "one", NULL, 1000);
    uint64_t two = bench_array(run.bench, "two", NULL, 24);
    assert_false(gpu_release(run.bench->gpu, one + 4, &err));
    assert_int_equal(releases, 0);
    assert_true(gpu_release(run.bench->gpu, two, &err));
    assert_false(gpu_release(run.bench->gpu, two, &err));
    assert_int_equal(releases, SMS + SLICES + 1);
    for (unsigned i = 0; i < releases; i++) {
        bool sm = i < SMS, slice = !sm && i < SMS + SLICES;
        assert_int_equal(released[i].level, sm ? HD_L1 : slice ? HD_L2 : HD_GPU);
        assert_int_equal(released[i].number, sm ? i : slice ? i - SMS : 0);
        assert_int_equal(released[i].address, two);
        assert_int_equal(released[i].bytes, 24);
    }
    run_free(&run);
}

static void check(Gpu *gpu, const char *mechanism, const uint64_t *values, size_t count,
                  const char *message)
{
    HdError err;
    assert_false(gpu_call(gpu, mechanism, "stop", values, count, &err));
    assert_string_equal(err.text, message);
}

// The second slice refuses: the GPU is not asked. A mechanism without the hook takes no calls. The
// first call with each reason is a notice.
static void test_refused(void **state)
{
    (void)state;
    Run run;
    run_init(&run, "hears+deaf");
    const uint64_t values[] = {REFUSE_AT_SLICE, 65535, 65536, 0x100000000};
    check(run.bench->gpu, "hears", values, 4,
          "mechanism hears: stop(9, 65535, 0x10000, 0x100000000): expected another number");
    assert_int_equal(calls, SMS + SLICES);
    check(run.bench->gpu, "deaf", values, 0,
          "mechanism deaf: stop(): expected no calls: it has no hook for them");
    check(run.bench->gpu, "hears", values, 1, "mechanism hears: stop(9): expected another number");
    assert_string_equal(gpu_notice(run.bench->gpu, 0), "mechanism hears: stop(9, 65535, 0x10000, "
                                                       "0x100000000): expected another number");
    assert_string_equal(gpu_notice(run.bench->gpu, 1),
                        "mechanism deaf: stop(): expected no calls: it has no hook for them");
    assert_null(gpu_notice(run.bench->gpu, 2));
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_allocated),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("calls of the host", tests, NULL, NULL);
}
