// Streams and events: handles, order, simulated time, host functions.
#include "api_calls.h"

// Each thread counts for a while.
static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .entry spin(.param .u64 to, .param .u32 times)\n"
    "{\n"
    "    .reg .b64 %p;\n"
    "    .reg .b32 %n, %i;\n"
    "    .reg .pred %q;\n"
    "    ld.param.u64 %p, [to];\n"
    "    ld.param.u32 %n, [times];\n"
    "    mov.u32 %i, 0;\n"
    "L:\n"
    "    add.u32 %i, %i, 1;\n"
    "    setp.lt.u32 %q, %i, %n;\n"
    "    @%q bra L;\n"
    "    st.global.u32 [%p], %i;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry empty() { ret; }\n";
static const char spin, empty; // identify the kernels

static void *target;

static int start(void **state)
{
    (void)state;
    void **program = program_register(ptx);
    program_kernel(program, &spin, "spin");
    program_kernel(program, &empty, "empty");
    return cudaMalloc(&target, 4);
}

static void run(uint32_t times)
{
    OK(program_launch(&spin, 1, 32, 0, (void *[]){&target, &times}));
}

static void test_streams(void **state)
{
    (void)state;
    CudaStream a, b;
    unsigned flags;
    int priority;
    unsigned long long id, other;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreateWithPriority(&b, 1, -9));
    OK(cudaStreamGetFlags(b, &flags));
    assert_int_equal(flags, 1);
    OK(cudaStreamGetPriority(b, &priority));
    assert_int_equal(priority, -5);
    OK(cudaStreamGetPriority(a, &priority));
    assert_int_equal(priority, 0);
    OK(cudaStreamGetId(a, &id));
    OK(cudaStreamGetId(b, &other));
    assert_true(id != other);
    FAILS(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&b, 2, 0));
    OK(cudaMemsetAsync(target, 3, 4, a));
    uint32_t got = 0;
    OK(cudaMemcpyAsync(&got, target, 4, CUDA_DEVICE_TO_HOST, b));
    assert_int_equal(got, 0x03030303);
    for (uintptr_t i = 0; i < 3; i++) {
        OK(cudaStreamSynchronize((CudaStream)i)); // the default streams
        OK(cudaStreamQuery((CudaStream)i));
    }
    OK(cudaStreamDestroy(a));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(a));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(a));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemsetAsync(target, 3, 4, a));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyAsync(&got, target, 4, CUDA_DEVICE_TO_HOST, a));
    uint32_t times = 1;
    FAILS(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel(&spin, (CudaDim3){1, 1, 1}, (CudaDim3){1, 1, 1},
                           (void *[]){&target, &times}, 0, a));
    OK(cudaStreamDestroy(b));
}

// Only kernels and the time between them advance device time.
static void test_time(void **state)
{
    (void)state;
    CudaEvent a, b, c, untimed;
    float ab, bc, ac;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(cudaEventCreate(&c));
    OK(cudaEventCreateWithFlags(&untimed, 2));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ab, a, b)); // not recorded
    OK(cudaEventQuery(a));
    OK(cudaEventRecord(a, NULL));
    run(100);
    OK(cudaEventRecord(b, NULL));
    run(1000);
    OK(cudaEventRecord(c, NULL));
    OK(cudaEventSynchronize(c));
    OK(cudaStreamWaitEvent(NULL, c, 0));
    OK(cudaEventElapsedTime(&ab, a, b));
    OK(cudaEventElapsedTime(&bc, b, c));
    OK(cudaEventElapsedTime(&ac, a, c));
    assert_true(ab > 0 && bc > ab);
    // 900 rounds more of at least 3 instructions, each of them an issue slot of 1/1.53 ns.
    assert_true(bc - ab > 900 * 3 / 1.53e6);
    assert_true(ac > (ab + bc) * 0.999999f && ac < (ab + bc) * 1.000001f);
    OK(cudaEventRecord(a, NULL));
    OK(cudaEventElapsedTime(&ac, c, a));
    assert_true(ac == 0);
    OK(cudaEventRecord(untimed, NULL));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ab, a, untimed));
    FAILS(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, a, b));
    FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&untimed, 4)); // requires flag 2 as well
    OK(cudaEventDestroy(a));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(a, NULL));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventSynchronize(a));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(b, (CudaStream)&a));
}

// Time in us of `count` launches on streams in turn (NULL: the default stream), between two events.
static double measured(unsigned count, uint32_t times, CudaStream even, CudaStream odd)
{
    CudaEvent begin, end;
    float milliseconds;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(begin, NULL));
    for (unsigned i = 0; i < count; i++)
        OK(cudaLaunchKernel(times ? &spin : &empty, (CudaDim3){1, 1, 1}, (CudaDim3){32, 1, 1},
                            (void *[]){&target, &times}, 0, i % 2 ? odd : even));
    OK(cudaEventRecord(end, NULL));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&milliseconds, begin, end));
    OK(cudaEventDestroy(begin));
    OK(cudaEventDestroy(end));
    return milliseconds * 1e3;
}

static void near(double value, double expected)
{
    enum { TENTH = 10 }; // of a microsecond: a kernel's caches, and the rounding to cycles
    if (value < expected - 1.0 / TENTH || value > expected + 1.0 / TENTH)
        fail_msg("%f us, not %f us", value, expected);
}

// Events see the published times of a V100: 1.83 us for an empty kernel, and 1.081 us between long
// ones.
static void test_launches(void **state)
{
    (void)state;
    CudaStream a, b;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    measured(1, 0, NULL, NULL); // fills the L1I
    near(measured(1, 0, NULL, NULL), 1.83);
    near(measured(100, 0, NULL, NULL), 183);
    near(measured(100, 0, a, a), 183);
    near(measured(100, 0, a, b), 183);
    enum { LONG = 2000 };
    measured(1, LONG, NULL, NULL);
    double kernel = measured(1, LONG, NULL, NULL) - 1.83;
    assert_true(kernel > 2 * 1.83);
    near(measured(5, LONG, NULL, NULL), 1.83 + 5 * kernel + 4 * 1.081);
    near(measured(5, LONG, a, a), 1.83 + 5 * kernel + 4 * 1.081);
    // A stream's launch is prepared while the other stream's kernel runs.
    near(measured(5, LONG, a, b), 1.83 + 5 * kernel);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

static unsigned called;
static void count(void *data)
{
    // Earlier work in the stream has ended. A host function may call the API, even synchronising
    // calls.
    assert_int_equal(*(uint32_t *)data, 0x07070707);
    called++;
}
static void count_stream(CudaStream stream, CudaError status, void *data)
{
    assert_null(stream);
    assert_int_equal(status, cudaSuccess);
    count(data);
}

static void test_host_functions(void **state)
{
    (void)state;
    uint32_t got = 0;
    OK(cudaMemsetAsync(target, 7, 4, NULL));
    OK(cudaMemcpyAsync(&got, target, 4, CUDA_DEVICE_TO_HOST, NULL));
    OK(cudaLaunchHostFunc(NULL, count, &got));
    OK(cudaStreamAddCallback(NULL, count_stream, &got, 0));
    assert_int_equal(called, 2);
    FAILS(cudaErrorInvalidValue, cudaLaunchHostFunc(NULL, NULL, &got));
    FAILS(cudaErrorInvalidValue, cudaStreamAddCallback(NULL, count_stream, &got, 1));
    FAILS(cudaErrorInvalidResourceHandle, cudaLaunchHostFunc((CudaStream)&got, count, &got));
    assert_int_equal(called, 2);
}

// A reset invalidates handles.
static void test_reset(void **state)
{
    (void)state;
    CudaStream stream;
    CudaEvent event;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    OK(cudaDeviceReset());
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(event, NULL));
    OK(cudaMalloc(&target, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests_name("cudart streams", tests, start, NULL);
}
