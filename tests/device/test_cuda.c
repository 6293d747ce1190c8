// Tests of the backend `cuda` on a fake driver that runs the simulator (fake/driver.c): the order
// of driver calls, freed resources, and messages when the driver fails.
#include "support/scratch.h"

#include "device/cuda_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// data[i] += amount for every thread i; with a debug variant that stores at address 0.
#define BODY(name, at)                                                                             \
    ".visible .entry " name "(.param .u32 amount, .param .u64 data)\n"                             \
    "{\n"                                                                                          \
    "    .reg .b32 %r<8>;\n"                                                                       \
    "    .reg .b64 %rd<4>;\n"                                                                      \
    "    ld.param.u64 %rd1, [data];\n"                                                             \
    "    ld.param.u32 %r1, [amount];\n"                                                            \
    "    mov.u32 %r2, %ctaid.x;\n"                                                                 \
    "    mov.u32 %r3, %ntid.x;\n"                                                                  \
    "    mov.u32 %r4, %tid.x;\n"                                                                   \
    "    mad.lo.u32 %r5, %r2, %r3, %r4;\n"                                                         \
    "    mul.wide.u32 %rd2, %r5, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"                                                              \
    "    ld.global.u32 %r6, [%rd3];\n"                                                             \
    "    add.u32 %r7, %r6, %r1;\n"                                                                 \
    "    st.global.u32 " at ", %r7;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"
static const char ptx[] = ".version 3.2\n.target sm_35\n.address_size 64\n"
                          ".const .align 4 .u32 factor = 3;\n" BODY("_Z3addiPi", "[%rd3]")
                          BODY("wild", "[16]");

static int start(void **state)
{
    (void)state;
    unsetenv("FAKE_FAIL");
    unsetenv("FAKE_OLDEST");
    unsetenv("FAKE_RACE");
    unlink(scratch_path("calls"));
    return setenv("FAKE_LOG", scratch_path("calls"), 1);
}

// Returns the log of driver calls.
static const char *calls(void)
{
    static char text[1 << 16];
    FILE *file = fopen(scratch_path("calls"), "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
    if (file) fclose(file);
    return text;
}

static HdDevice *open_cuda(HdError *err)
{
    *err = (HdError){0};
    return hd_device_cuda(&(HdCuda){0}, err);
}

static HdDevice *must_open(HdError *err)
{
    HdDevice *device = open_cuda(err);
    if (!device) fail_msg("%s", err->text);
    return device;
}

static bool launch(HdDevice *device, const char *kernel, HdAddress data, uint32_t blocks,
                   uint64_t shared, HdError *err)
{
    return hd_launch(device,
                     &(HdLaunch){
                         .kernel = kernel,
                         .grid = {blocks, 1, 1},
                         .block = {64, 1, 1},
                         .dynamic_shared = shared,
                         .args = (HdArg[]){hd_u32(5), hd_buffer(data)},
                         .arg_count = 2,
                     },
                     err);
}

static void test_program(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    assert_int_equal(hd_device_warp_width(device), 32);
    HdAddress data = hd_allocate(device, 512, "data", &err);
    HdAddress other = hd_allocate(device, 64, "other", &err);
    assert_true(data && other && hd_release(device, other, &err));
    const uint32_t first[] = {100, 200};
    uint32_t host[128];
    // Buffers are zeroed, as on the simulator.
    assert_true(hd_read(device, host, data, sizeof host, &err));
    assert_int_equal(host[127], 0);
    assert_true(hd_write(device, data + 4, first, sizeof first, &err));
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    assert_true(launch(device, "add", data, 2, 0, &err));
    assert_true(launch(device, "add", data, 1, 0, &err));
    assert_true(hd_read(device, host, data, sizeof host, &err));
    assert_int_equal(host[0], 10);
    assert_int_equal(host[2], 210);
    assert_int_equal(host[64], 5);
    assert_true(hd_fill(device, data, 0xff, 4, &err) && hd_read(device, host, data, 4, &err));
    assert_int_equal(host[0], UINT32_MAX);
    assert_int_equal(hd_launch_count(device), 2);

    size_t count;
    const CudaLaunch *launches = device_cuda_launches(device, &count);
    assert_int_equal(count, 2);
    assert_string_equal(launches[0].kernel, "add");
    assert_int_equal(launches[0].grid[0], 2);
    assert_true(launches[0].milliseconds == 0.25 && launches[1].milliseconds == 0.25);
    assert_true(launches[0].registers > 0);
    assert_null(device_cuda_target(device));
    const CudaInfo *info = device_cuda_info(device);
    assert_string_equal(info->name, "Fake GPU");
    assert_int_equal(info->major * 10 + info->minor, 90);
    assert_int_equal(info->sms, 4);
    hd_device_close(device);
    assert_contains(calls(), "cuLaunchKernel _Z3addiPi 2,1,1 64,1,1 0\n");
    assert_contains(calls(), "left: 0 arrays, 0 modules, 0 events\n");
}

// Each launch lies between two events, and the host does not wait between launches.
static void test_order(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    HdAddress data = hd_allocate(device, 256, "data", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    unlink(scratch_path("calls"));
    assert_true(launch(device, "add", data, 1, 0, &err) && launch(device, "add", data, 1, 0, &err));
    assert_true(hd_synchronise(device, &err) && hd_synchronise(device, &err));
    assert_string_equal(calls(), "cuModuleGetFunction _Z3addiPi\n"
                                 "cuFuncGetAttribute 4\ncuFuncGetAttribute 1\n"
                                 "cuFuncGetAttribute 3\n"
                                 "cuEventCreate 0\ncuEventCreate 0\n"
                                 "cuEventRecord\ncuLaunchKernel _Z3addiPi 1,1,1 64,1,1 0\n"
                                 "cuEventRecord\n"
                                 "cuEventCreate 0\ncuEventCreate 0\n"
                                 "cuEventRecord\ncuLaunchKernel _Z3addiPi 1,1,1 64,1,1 0\n"
                                 "cuEventRecord\n"
                                 "cuCtxSynchronize\ncuEventElapsedTime\ncuEventElapsedTime\n");
    hd_device_close(device);
}

// Shared memory beyond 48 KiB must be requested explicitly.
static void test_dynamic_shared(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    HdAddress data = hd_allocate(device, 256, "data", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    launch(device, "add", data, 1, 48 << 10, &err);
    assert_null(strstr(calls(), "cuFuncSetAttribute"));
    launch(device, "add", data, 1, 64 << 10, &err);
    assert_contains(calls(), "cuFuncSetAttribute 8 65536\n");
    assert_false(launch(device, "add", data, 1, UINT64_C(1) << 32, &err));
    assert_contains(err.text, ", more than any GPU has");
    hd_device_close(device);
}

static void test_old_target(void **state)
{
    (void)state;
    HdError err;
    setenv("FAKE_OLDEST", "75", 1);
    HdDevice *device = must_open(&err);
    HdAddress data = hd_allocate(device, 256, "data", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    assert_string_equal(device_cuda_target(device), ".target sm_75");
    assert_contains(calls(), "cuModuleLoadDataEx .target sm_35\n");
    assert_contains(calls(), "cuModuleLoadDataEx .target sm_75\n");
    assert_true(launch(device, "add", data, 1, 0, &err) && hd_synchronise(device, &err));
    hd_device_close(device);
    // If the second try fails as well, the error is that of the original module.
    setenv("FAKE_OLDEST", "80", 1);
    device = must_open(&err);
    assert_false(hd_load(device, ptx, "add.ptx", &err));
    assert_string_equal(err.text, "add.ptx: the driver's compiler: ptxas fatal: sm_35 is not "
                                  "known: CUDA_ERROR_UNSUPPORTED_PTX_VERSION: a sentence");
    assert_false(launch(device, "add", data, 1, 0, &err));
    assert_contains(err.text, "no module is loaded");
    hd_device_close(device);
    // Drivers differ in the error code. An unrelated error causes no second try.
    unsetenv("FAKE_OLDEST");
    setenv("FAKE_FAIL", "cuModuleLoadDataEx=209", 1);
    device = must_open(&err);
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    assert_string_equal(device_cuda_target(device), ".target sm_75");
    hd_device_close(device);
    setenv("FAKE_FAIL", "cuModuleLoadDataEx=2", 1);
    device = must_open(&err);
    assert_false(hd_load(device, ptx, "add.ptx", &err));
    assert_string_equal(err.text, "add.ptx: the driver's compiler: CUDA_ERROR_OUT_OF_MEMORY: out "
                                  "of memory");
    hd_device_close(device);
}

// Errors found by device.c or by Heddle's front end cause no driver call.
static void test_bad_calls(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    assert_false(hd_load(device, ".version 6.0\n.target sm_35\nnonsense", "bad.ptx", &err));
    assert_contains(err.text, "bad.ptx:3:");
    assert_null(strstr(calls(), "cuModuleLoadDataEx"));
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    assert_false(launch(device, "sub", 0, 1, 0, &err));
    assert_contains(err.text, "sub");
    HdArg swapped[] = {hd_buffer(0), hd_u32(5)};
    assert_false(hd_launch(device, &(HdLaunch){.kernel = "add", .grid = {1, 1, 1},
                                               .block = {1, 1, 1}, .args = swapped,
                                               .arg_count = 2}, &err));
    assert_contains(err.text, "argument 0 is buf (8 bytes)");
    assert_false(hd_release(device, 12345, &err));
    assert_contains(err.text, "is not the start of an allocation");
    assert_null(strstr(calls(), "cuLaunchKernel"));
    hd_device_close(device);
}

// The address of a variable is the driver's.
static void test_variable(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    assert_int_equal(hd_variable(device, "factor", &err), 0);
    assert_string_equal(err.text, "there is no variable factor: no module is loaded");
    err = (HdError){0};
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    HdAddress factor = hd_variable(device, "factor", &err);
    uint32_t value = 4;
    assert_true(factor && hd_read(device, &value, factor, sizeof value, &err));
    assert_int_equal(value, 3);
    assert_contains(calls(), "cuModuleGetGlobal_v2 factor\n");
    assert_int_equal(hd_variable(device, "absent", &err), 0);
    assert_contains(err.text, "variable absent: ");
    hd_device_close(device);
}

// Thread i stores the float number i + 1 of a texture.
static const char fetch_ptx[] =
    ".version 3.2\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry fetch(.param .u64 texture, .param .u64 out)\n"
    "{\n"
    "    .reg .b64 %t, %p, %o;\n"
    "    .reg .b32 %i;\n"
    "    .reg .f32 %x, %y, %z, %w;\n"
    "    ld.param.u64 %t, [texture];\n"
    "    ld.param.u64 %p, [out];\n"
    "    mov.u32 %i, %tid.x;\n"
    "    mul.wide.u32 %o, %i, 4;\n"
    "    add.u64 %p, %p, %o;\n"
    "    add.u32 %i, %i, 1;\n"
    "    tex.1d.v4.f32.s32 {%x, %y, %z, %w}, [%t, {%i}];\n"
    "    st.global.f32 [%p], %x;\n"
    "    ret;\n"
    "}\n";

// A texture object over plain memory, which is destroyed with the device.
static void test_texture(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    const float floats[4] = {1, 2, 3, 4};
    float got[4];
    HdAddress data = hd_allocate(device, sizeof floats, "floats", &err);
    HdAddress out = hd_allocate(device, sizeof got, "out", &err);
    assert_true(hd_write(device, data, floats, sizeof floats, &err));
    assert_true(hd_load(device, fetch_ptx, "fetch.ptx", &err));
    uint64_t texture = hd_texture(device, data, 3, &err);
    if (!texture) fail_msg("%s", err.text);
    HdArg args[] = {{HD_ARG_U64, {.u64 = texture}}, hd_buffer(out)};
    assert_true(hd_launch(device, &(HdLaunch){.kernel = "fetch", .grid = {1, 1, 1},
                                              .block = {4, 1, 1}, .args = args, .arg_count = 2},
                          &err));
    assert_true(hd_read(device, got, out, sizeof got, &err));
    for (int i = 0; i < 4; i++) assert_true(got[i] == (i < 2 ? floats[i + 1] : 0));
    assert_contains(calls(), "cuTexObjectCreate 1 12\n");
    setenv("FAKE_FAIL", "cuTexObjectCreate=2", 1);
    assert_int_equal(hd_texture(device, data, 3, &err), 0);
    assert_string_equal(err.text, "a texture of 3 floats of 'floats': CUDA_ERROR_OUT_OF_MEMORY: "
                                  "out of memory");
    hd_device_close(device);
    assert_contains(calls(), "cuTexObjectDestroy\n");
    assert_contains(calls(), "left: 0 arrays, 0 modules, 0 events\n");
}

// Each driver call may fail: the error is reported and all resources are freed.
// Calls of mechanisms have no effect, and there are none.
static void test_mechanism_calls(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    const uint64_t values[] = {0, 1, 2};
    char before[1 << 16];
    snprintf(before, sizeof before, "%s", calls());
    assert_true(hd_call(device, "dsap", "mark", values, 3, &err));
    assert_false(hd_has_mechanism(device, "dsap"));
    assert_string_equal(before, calls());
    hd_device_close(device);
}

static void test_driver_errors(void **state)
{
    (void)state;
    static const char *const calls_of_program[] = {
        "cuInit", "cuDriverGetVersion", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
        "cuDeviceGetPCIBusId", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",
        "cuModuleLoadDataEx", "cuModuleGetFunction", "cuFuncGetAttribute", "cuMemAlloc_v2",
        "cuMemsetD8_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemFree_v2", "cuEventCreate",
        "cuEventCreate:2", "cuEventRecord", "cuEventRecord:2", "cuLaunchKernel",
        "cuCtxSynchronize", "cuEventElapsedTime",
    };
    for (size_t i = 0; i < sizeof calls_of_program / sizeof *calls_of_program; i++) {
        HdError err = {0};
        char wish[64];
        uint32_t word = 0;
        snprintf(wish, sizeof wish, "%s=700", calls_of_program[i]);
        unlink(scratch_path("calls"));
        setenv("FAKE_FAIL", wish, 1);
        HdDevice *device = open_cuda(&err);
        HdAddress data = device ? hd_allocate(device, 256, "data", &err) : 0;
        bool ok = data && hd_write(device, data, &word, sizeof word, &err) &&
                  hd_load(device, ptx, "add.ptx", &err) &&
                  launch(device, "add", data, 1, 0, &err) &&
                  hd_read(device, &word, data, sizeof word, &err) &&
                  hd_release(device, data, &err);
        hd_device_close(device);
        if (ok) fail_msg("%s has no effect", wish);
        assert_contains(err.text, "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access");
        if (strstr(calls(), "cuDevicePrimaryCtxRelease") &&
            strcmp(calls_of_program[i], "cuMemFree_v2") != 0)
            assert_contains(calls(), "left: 0 arrays, 0 modules, 0 events\n");
    }
}

static void test_texts(void **state)
{
    (void)state;
    HdError err;
    setenv("FAKE_FAIL", "cuInit=100", 1);
    assert_null(open_cuda(&err));
    assert_string_equal(err.text, "a real GPU cannot be used: the driver is there, but it finds no "
                                  "GPU (CUDA_ERROR_NO_DEVICE; CUDA_VISIBLE_DEVICES may hide it)");
    setenv("FAKE_FAIL", "cuMemAlloc_v2:2=2", 1);
    HdDevice *device = must_open(&err);
    assert_true(hd_allocate(device, 256, "row", &err));
    assert_false(hd_allocate(device, 1000, "col", &err));
    assert_string_equal(err.text,
                        "allocation 'col' of 1000 bytes: CUDA_ERROR_OUT_OF_MEMORY: out of memory");
    hd_device_close(device);
    setenv("FAKE_FAIL", "cuInit=9999", 1);
    assert_null(open_cuda(&err));
    assert_string_equal(err.text, "a real GPU cannot be used: starting the driver: error 9999 of "
                                  "the CUDA driver");
}

// A kernel fault is reported at the next wait, with the launches that may have caused it.
static void test_fault(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = must_open(&err);
    HdAddress data = hd_allocate(device, 256, "data", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    assert_true(launch(device, "add", data, 1, 0, &err) && hd_synchronise(device, &err));
    assert_true(launch(device, "add", data, 1, 0, &err));
    assert_true(launch(device, "wild", data, 1, 0, &err));
    uint32_t word;
    assert_false(hd_read(device, &word, data, sizeof word, &err));
    assert_string_equal(err.text, "kernel wild, launch 3, or an earlier one from 2 on (the "
                                  "simulator locates a fault): CUDA_ERROR_ILLEGAL_ADDRESS: an "
                                  "illegal memory access was encountered");
    size_t count;
    device_cuda_launches(device, &count);
    assert_int_equal(count, 1);
    hd_device_close(device);
}

static void test_stop(void **state)
{
    (void)state;
    HdError err = {0};
    volatile sig_atomic_t stop = 0;
    HdDevice *device = hd_device_cuda(&(HdCuda){.stop = &stop}, &err);
    assert_non_null(device);
    HdAddress data = hd_allocate(device, 256, "data", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err) && launch(device, "add", data, 1, 0, &err));
    stop = 1;
    assert_false(launch(device, "add", data, 1, 0, &err));
    assert_string_equal(err.text, "interrupted before launch 2, of add");
    hd_device_close(device);
    // A simulated device supports none of this.
    device = hd_device_simulate(&(HdSimulation){0}, &err);
    size_t count;
    assert_null(device_cuda_info(device));
    assert_null(device_cuda_launches(device, &count));
    hd_device_close(device);
}

static HdDevice *open_repeatable(HdError *err)
{
    *err = (HdError){0};
    HdDevice *device = hd_device_cuda(&(HdCuda){.repeatable = true}, err);
    if (!device) fail_msg("%s", err->text);
    return device;
}

static void assert_word(HdDevice *device, HdAddress at, uint32_t expected)
{
    uint32_t words[32]; // larger than a flag, so repetitions skip this read
    HdError err;
    assert_true(hd_read(device, words, at, sizeof words, &err));
    assert_int_equal(words[0], expected);
}

// A repetition starts from the same memory contents, so results do not accumulate.
static void test_repeat(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = open_repeatable(&err);
    uint32_t words[64] = {100}, word = 1000;
    HdAddress zeroed = hd_allocate(device, 256, "zeroed", &err);
    HdAddress large = hd_allocate(device, 256, "large", &err);
    HdAddress small = hd_allocate(device, 256, "small", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err));
    assert_true(hd_write(device, large, words, sizeof words, &err));
    assert_true(hd_write(device, small, &word, sizeof word, &err));
    assert_true(launch(device, "add", zeroed, 1, 0, &err));
    assert_true(launch(device, "add", large, 1, 0, &err));
    assert_true(launch(device, "add", small, 1, 0, &err));
    assert_true(hd_read(device, &word, small, sizeof word, &err));
    assert_true(hd_release(device, zeroed, &err)); // repetitions must keep the buffer
    assert_int_equal(word, 1005);
    // Reads of many words, or of none, are not repeated.
    unlink(scratch_path("calls"));
    for (int i = 0; i < 3; i++) assert_true(device_cuda_repeat(device, &err));
    assert_null(strstr(calls(), "cuMemcpyDtoH_v2 128\n"));
    assert_contains(calls(), "cuMemcpyDtoH_v2 4\n");
    assert_contains(calls(), "cuMemcpyDtoD_v2 256\n");
    assert_word(device, large, 105);
    assert_word(device, small, 1005);
    assert_word(device, zeroed, 5);
    size_t count, strayed;
    const CudaLaunch *launches = device_cuda_launches(device, &count);
    assert_int_equal(count, 3);
    assert_true(launches[2].repeated == 0.75 && launches[2].milliseconds == 0.25);
    assert_int_equal(device_cuda_repetitions(device, &strayed), 3);
    assert_int_equal(strayed, 0);
    device_cuda_forget(device);
    setenv("FAKE_RACE", "1", 1);
    assert_true(device_cuda_repeat(device, &err));
    assert_int_equal(device_cuda_repetitions(device, &strayed), 1);
    assert_int_equal(strayed, 1);
    assert_true(launches[2].repeated == 0.25);
    hd_device_close(device);
    assert_contains(calls(), "left: 0 arrays, 0 modules, 0 events\n");
}

static void test_repeat_errors(void **state)
{
    (void)state;
    HdError err;
    uint32_t words[64] = {0};
    HdDevice *device = open_repeatable(&err);
    HdAddress data = hd_allocate(device, sizeof words, "data", &err);
    assert_true(hd_load(device,
        ".version 6.0\n"
        ".target sm_35\n"
        ".address_size 64\n"
        ".global .u32 counter = 3;\n"
        ".visible .entry f()\n"
        "{\n"
        "    ret;\n"
        "}\n",
        "counter.ptx", &err));
    assert_false(device_cuda_repeat(device, &err));
    assert_string_equal(err.text, "counter.ptx: cannot be repeated: the initial value of its "
                                  "variable counter is lost");
    setenv("FAKE_FAIL", "cuMemAlloc_v2=2", 1);
    assert_false(hd_write(device, data, words, sizeof words, &err));
    assert_contains(err.text, "a copy of 256 bytes, needed to repeat the program: "
                    "CUDA_ERROR_OUT_OF_MEMORY");
    setenv("FAKE_FAIL", "cuMemcpyDtoD_v2=2", 1);
    assert_false(hd_write(device, data, words, sizeof words, &err));
    hd_device_close(device);
    assert_contains(calls(), "left: 0 arrays, 0 modules, 0 events\n");
    // A fault in a repetition is reported as in the first run.
    device = open_repeatable(&err);
    data = hd_allocate(device, 256, "data", &err);
    assert_true(hd_load(device, ptx, "add.ptx", &err) && launch(device, "add", data, 1, 0, &err));
    assert_true(hd_synchronise(device, &err));
    setenv("FAKE_FAIL", "cuCtxSynchronize=700", 1);
    assert_false(device_cuda_repeat(device, &err));
    assert_contains(err.text, "waiting for the GPU: CUDA_ERROR_ILLEGAL_ADDRESS");
    hd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_program, start),
        cmocka_unit_test_setup(test_order, start),
        cmocka_unit_test_setup(test_dynamic_shared, start),
        cmocka_unit_test_setup(test_old_target, start),
        cmocka_unit_test_setup(test_bad_calls, start),
        cmocka_unit_test_setup(test_variable, start),
        cmocka_unit_test_setup(test_texture, start),
        cmocka_unit_test_setup(test_mechanism_calls, start),
        cmocka_unit_test_setup(test_driver_errors, start),
        cmocka_unit_test_setup(test_texts, start),
        cmocka_unit_test_setup(test_fault, start),
        cmocka_unit_test_setup(test_stop, start),
        cmocka_unit_test_setup(test_repeat, start),
        cmocka_unit_test_setup(test_repeat_errors, start),
    };
    return cmocka_run_group_tests_name("device-cuda", tests, scratch_setup, scratch_teardown);
}
