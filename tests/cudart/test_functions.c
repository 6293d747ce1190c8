// Kernel attributes and occupancy. A grid of the reported occupancy, in which all blocks wait for
// each other, finishes.
#include "api_calls.h"
#include "stderr_capture.h"

#include "cudart/runtime/unsupported.h"

static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    // Static shared memory, local memory, parameters of several sizes.
    ".const .align 4 .b8 table[100];\n"
    ".visible .entry all(.param .u32 a, .param .u64 to, .param .align 4 .b8 pair[12])\n"
    ".maxntid 512, 1, 1\n"
    "{\n"
    "    .shared .align 4 .b8 own[1000];\n"
    "    .local .align 8 .b8 depot[48];\n"
    "    .reg .b64 %p;\n"
    "    .reg .b32 %x;\n"
    "    ld.param.u64 %p, [to];\n"
    "    ld.const.u32 %x, [table];\n"
    "    st.local.u32 [depot], %x;\n"
    "    ld.local.u32 %x, [depot];\n"
    "    st.shared.u32 [own], %x;\n"
    "    st.global.u32 [%p], %x;\n"
    "    ret;\n"
    "}\n"
    // One thread of each block increments a counter, and waits until all blocks have.
    ".visible .entry meet(.param .u64 count, .param .u32 blocks)\n"
    "{\n"
    "    .reg .b64 %p;\n"
    "    .reg .b32 %n, %x, %t;\n"
    "    .reg .pred %q;\n"
    "    mov.u32 %t, %tid.x;\n"
    "    setp.ne.u32 %q, %t, 0;\n"
    "    @%q bra OUT;\n"
    "    ld.param.u64 %p, [count];\n"
    "    ld.param.u32 %n, [blocks];\n"
    "    atom.global.add.u32 %x, [%p], 1;\n"
    "L:\n"
    "    ld.volatile.global.u32 %x, [%p];\n"
    "    setp.lt.u32 %q, %x, %n;\n"
    "    @%q bra L;\n"
    "OUT:\n"
    "    bar.sync 0;\n"
    "    ret;\n"
    "}\n"
    // Each block sets its word, waits at the grid barrier as cooperative groups do, and adds 1 to
    // the next block's word.
    ".visible .entry together(.param .u64 to)\n"
    "{\n"
    "    .reg .b64 %p, %g, %o;\n"
    "    .reg .b32 %lo, %hi, %b, %n, %one, %x, %y;\n"
    "    .reg .pred %q;\n"
    "    mov.u32 %lo, %envreg2;\n"
    "    mov.u32 %hi, %envreg1;\n"
    "    mov.b64 %g, {%lo, %hi};\n"
    "    ld.param.u64 %p, [to];\n"
    "    mov.u32 %b, %ctaid.x;\n"
    "    mov.u32 %n, %nctaid.x;\n"
    "    mul.wide.u32 %o, %b, 4;\n"
    "    add.u64 %o, %o, %p;\n"
    "    mov.u32 %x, 10;\n"
    "    st.global.u32 [%o], %x;\n"
    "    membar.gl;\n"
    "    sub.u32 %one, -2147483647, %n;\n"
    "    setp.eq.u32 %q, %b, 0;\n"
    "    selp.b32 %one, %one, 1, %q;\n"
    "    atom.global.add.u32 %x, [%g+4], %one;\n"
    "L:\n"
    "    ld.volatile.global.u32 %y, [%g+4];\n"
    "    xor.b32 %y, %y, %x;\n"
    "    setp.ge.s32 %q, %y, 0;\n"
    "    @%q bra L;\n"
    "    add.u32 %b, %b, 1;\n"
    "    rem.u32 %b, %b, %n;\n"
    "    mul.wide.u32 %o, %b, 4;\n"
    "    add.u64 %o, %o, %p;\n"
    "    atom.global.add.u32 %x, [%o], 1;\n"
    "    ret;\n"
    "}\n"
    ".extern .shared .align 4 .b8 any[];\n"
    ".visible .entry dynamic(.param .u64 to)\n"
    "{\n"
    "    .reg .b64 %p;\n"
    "    .reg .b32 %x;\n"
    "    ld.param.u64 %p, [to];\n"
    "    mov.u32 %x, 5;\n"
    "    st.shared.u32 [any+60000], %x;\n"
    "    ld.shared.u32 %x, [any+60000];\n"
    "    st.global.u32 [%p], %x;\n"
    "    ret;\n"
    "}\n";
static const char all, meet, together, dynamic, unknown;

static int start(void **state)
{
    (void)state;
    void **handle = program_register(ptx);
    program_kernel(handle, &all, "all");
    program_kernel(handle, &meet, "meet");
    program_kernel(handle, &together, "together");
    program_kernel(handle, &dynamic, "dynamic");
    return 0;
}

static void test_attributes(void **state)
{
    (void)state;
    enum { BYTES = 144, GUARD = 0x5a };
    unsigned char at[256];
    size_t size[3];
    int number[7];
    memset(at, GUARD, sizeof at);
    OK(cudaFuncGetAttributes(at, &all));
    memcpy(size, at, sizeof size);
    memcpy(number, at + sizeof size, sizeof number);
    assert_int_equal(size[0], 1000);
    assert_int_equal(size[1], 100);
    assert_int_equal(size[2], 48);
    assert_int_equal(number[0], 512); // maxThreadsPerBlock
    assert_in_range(number[1], 3, 32);
    assert_int_equal(number[2], 70); // ptxVersion
    assert_int_equal(number[3], 70); // binaryVersion
    assert_int_equal(number[5], (48 << 10) - 1000);
    assert_int_equal(number[6], -1);
    size_t end = cudart_version < 12000 ? 56 : BYTES;
    for (size_t i = end; i < sizeof at; i++) assert_int_equal(at[i], GUARD);
    for (size_t i = 52; i < end; i++) assert_int_equal(at[i], 0);
    FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(at, &unknown));
    FAILS(cudaErrorInvalidValue, cudaFuncGetAttributes(NULL, &all));
}

static void test_names(void **state)
{
    (void)state;
    const char *name;
    size_t offset, bytes;
    OK(cudaFuncGetName(&name, &meet));
    assert_string_equal(name, "meet");
    OK(cudaFuncGetParamInfo(&all, 1, &offset, &bytes));
    assert_int_equal(offset, 8);
    assert_int_equal(bytes, 8);
    OK(cudaFuncGetParamInfo(&all, 2, &offset, &bytes));
    assert_int_equal(offset, 16);
    assert_int_equal(bytes, 12);
    FAILS(cudaErrorInvalidValue, cudaFuncGetParamInfo(&all, 3, &offset, &bytes));
    OK(cudaFuncSetCacheConfig(&all, 1));
    FAILS(cudaErrorInvalidValue, cudaFuncSetCacheConfig(&all, 9));
}

// More than 48 KB of shared memory needs cudaFuncSetAttribute.
static void test_dynamic(void **state)
{
    (void)state;
    void *to;
    uint32_t got = 0;
    OK(cudaMalloc(&to, 4));
    FAILS(cudaErrorInvalidValue, program_launch(&dynamic, 1, 32, 64 << 10, (void *[]){&to}));
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(&dynamic, 8, (96 << 10) + 1));
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(&dynamic, 8, -1));
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(&dynamic, 7, 0));
    OK(cudaFuncSetAttribute(&dynamic, 9, 100));
    FAILS(cudaErrorNotSupported, cudaFuncSetAttribute(&dynamic, 14, 1)); // clusters
    int blocks;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &dynamic, 32, 64 << 10));
    assert_int_equal(blocks, 0);
    OK(cudaFuncSetAttribute(&dynamic, 8, 64 << 10));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &dynamic, 32, 64 << 10));
    assert_int_equal(blocks, 1);
    OK(program_launch(&dynamic, 1, 32, 64 << 10, (void *[]){&to}));
    OK(cudaMemcpy(&got, to, 4, CUDA_DEVICE_TO_HOST));
    assert_int_equal(got, 5);
    size_t bytes;
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &dynamic, 2, 64));
    assert_int_equal(bytes, 48 << 10); // half of 96 KB
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &all, 32, 32));
    assert_int_equal(bytes, 3072 - 1000); // of 96 KB, one of 32 parts
    OK(cudaFree(to));
}

static void test_occupancy(void **state)
{
    (void)state;
    int blocks, sms = 2;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &meet, 1024, 0));
    assert_int_equal(blocks, 2);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &meet, 1025, 0));
    assert_int_equal(blocks, 0);
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &meet, 0, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &meet, 96, 0));
    assert_int_equal(blocks, 21); // 64 warps in blocks of 3
    uint32_t count = (uint32_t)(blocks * sms), zero = 0, got = 0;
    void *to;
    OK(cudaMalloc(&to, 4));
    OK(cudaMemcpy(to, &zero, 4, CUDA_HOST_TO_DEVICE));
    OK(program_launch(&meet, count, 96, 0, (void *[]){&to, &count}));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&got, to, 4, CUDA_DEVICE_TO_HOST));
    assert_int_equal(got, count);
    OK(cudaFree(to));
}

// The blocks of a cooperative grid synchronise. Twice, because the barrier must be reusable.
static void test_cooperative(void **state)
{
    (void)state;
    enum { BLOCKS = 64 }; // all that two SMs hold
    uint32_t got[BLOCKS];
    int value;
    void *to;
    OK(cudaDeviceGetAttribute(&value, 95, 0));
    assert_int_equal(value, 1);
    OK(cudaMalloc(&to, sizeof got));
    for (int round = 0; round < 2; round++) {
        OK(cudaLaunchCooperativeKernel(&together, (CudaDim3){BLOCKS, 1, 1}, (CudaDim3){1, 1, 1},
                                       (void *[]){&to}, 0, NULL));
        OK(cudaMemcpy(got, to, sizeof got, CUDA_DEVICE_TO_HOST));
        for (int i = 0; i < BLOCKS; i++) assert_int_equal(got[i], 11);
    }
    FAILS(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(&together, (CudaDim3){BLOCKS + 1, 1, 1},
                                      (CudaDim3){1, 1, 1}, (void *[]){&to}, 0, NULL));
    OK(cudaFree(to));
}

// PTX for a newer capability than the machine's runs, with a warning for the first such module.
static void test_newer(void **state)
{
    (void)state;
    static const char newer[] =
        ".version 8.0\n"
        ".target sm_90\n"
        ".address_size 64\n"
        ".visible .entry nothing()\n"
        "{\n"
        "    ret;\n"
        "}\n";
    static const char first, second;
    const char *name;
    program_kernel(program_register(newer), &first, "nothing");
    program_kernel(program_register(newer), &second, "nothing");
    EXPECT_MESSAGE(cudaSuccess, program_launch(&first, 1, 1, 0, NULL),
                   "is PTX for compute capability 9.0, but volta-v100 has 7.0");
    stderr_capture_begin();
    OK(program_launch(&second, 1, 1, 0, NULL));
    assert_string_equal(stderr_capture_end(), "");
    OK(cudaFuncGetName(&name, &second));
    // An unsupported function is reported by name, once.
    EXPECT_MESSAGE(cudaErrorNotSupported, cudaDeviceGetNvSciSyncAttributes(),
                   "cudaDeviceGetNvSciSyncAttributes is not supported: ");
    stderr_capture_begin();
    FAILS(cudaErrorNotSupported, cudaDeviceGetNvSciSyncAttributes());
    assert_string_equal(stderr_capture_end(), "");
}

// Each call is counted that fails because Heddle lacks something.
static void test_incomplete(void **state)
{
    (void)state;
    Incomplete before = unsupported_summary();
    stderr_capture_begin();
    FAILS(cudaErrorNotSupported, cudaDeviceGetNvSciSyncAttributes());
    FAILS(cudaErrorNotSupported, cudaDeviceGetNvSciSyncAttributes());
    stderr_capture_end();
    assert_int_equal(cudaGetLastError(), cudaErrorNotSupported);
    Incomplete after = unsupported_summary();
    assert_true(after.any);
    assert_int_equal(after.calls, before.calls + 2);
    assert_int_equal(after.launches, before.launches);
    assert_int_equal(after.libraries.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_dynamic),
        cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_cooperative),
        cmocka_unit_test(test_newer),
        cmocka_unit_test(test_incomplete),
    };
    setenv("HEDDLE_SET", "gpu.sms=2", 1);
    return cmocka_run_group_tests_name("cudart functions", tests, start, NULL);
}
