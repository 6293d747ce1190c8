// A launch for which the host has no memory fails with a message. If it was about to begin, the
// next one runs as if it were the first: what was built in part is built anew. Later, also while
// its counters are collected, the GPU takes no other launch. The linker's --wrap lets an allocation
// fail.
#include "support/bench.h"

#include <errno.h>

static size_t left = SIZE_MAX; // allocations that succeed before one fails; SIZE_MAX: all do
static bool failed;            // one has

static bool fails(void)
{
    if (left == SIZE_MAX || left--) return false;
    left = SIZE_MAX;
    errno = ENOMEM;
    return failed = true;
}

void *__real_calloc(size_t count, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return fails() ? NULL : __real_aligned_alloc(align, bytes);
}

static const char kernel[] = PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    ld.param.u64 %rd1, [out]; mad.wide.u32 %rd1, %r1, 4, %rd1;\n"
    "    ld.global.u32 %r2, [%rd1];\n"
    "    add.u32 %r2, %r2, 7;\n"
    "    st.global.u32 [%rd1], %r2;\n"
    "    ret;\n"
    "}\n";

typedef enum Outcome { BEGINS_AGAIN, NO_LAUNCH_MORE, NOTHING_FAILED } Outcome;

static Outcome launch_again(Bench *b, const Launch *launch, uint64_t out)
{
    if (gpu_launch(b->gpu, launch, &b->err)) {
        bench_run(b, &(BenchLaunch){"k", .block = {64}, .args = {out}});
        for (unsigned i = 0; i < 64; i++) assert_int_equal(bench_word(b, out, i), 2 * 7);
        return BEGINS_AGAIN;
    }
    assert_string_equal(b->err.text, "an earlier launch failed; this GPU cannot run another");
    return NO_LAUNCH_MORE;
}

// Makes a GPU and launches the kernel; the allocation with this number in the launch fails.
static Outcome run(size_t number)
{
    static const char *const settings[] = {"gpu.sms=1", NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, kernel);
    uint64_t out = bench_array(b, "out", NULL, 4 * 64);
    Launch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}, .params = &out};
    launch.kernel = gpu_kernel(b->gpu, "k", &launch.module, &b->err);
    assert_non_null(launch.kernel);
    left = number;
    failed = false;
    bool ok = gpu_launch(b->gpu, &launch, &b->err);
    left = SIZE_MAX;
    Outcome outcome = NOTHING_FAILED;
    assert_int_equal(ok, !failed);
    if (failed) {
        assert_non_null(strstr(b->err.text, "out of memory"));
        b->err.set = false;
        outcome = launch_again(b, &launch, out);
    }
    bench_free(b);
    return outcome;
}

static void test_next_launch(void **state)
{
    (void)state;
    size_t number = 0, first;
    Outcome outcome;
    while ((outcome = run(number)) == BEGINS_AGAIN) number++;
    assert_true(number > 10);
    for (first = number; outcome == NO_LAUNCH_MORE; outcome = run(++number)) continue;
    assert_int_equal(outcome, NOTHING_FAILED);
    assert_true(number > first + 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_next_launch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
