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
    "}\n";
static const char spin; // identifies the kernel

static void *target;

static int start(void **state)
{
    (void)state;
    program_kernel(program_register(ptx), &spin, "spin");
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

// Only kernels advance simulated time.
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
        cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests_name("cudart streams", tests, start, NULL);
}
