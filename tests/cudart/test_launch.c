// Launches as compilers generate them, illegal launches, faults of kernels.
#include "stderr_capture.h"

#include "fatbin_writer.h"
#include "sample_module.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

static const CudaDim3 one = {1, 1, 1};

static int open_module(void **state)
{
    *state = module_open(PACKED_ZSTD);
    return 0;
}

static int close_module(void **state)
{
    cudaDeviceReset();
    cudaGetLastError();
    module_close(*state);
    return 0;
}

static void *allocate(size_t bytes)
{
    void *pointer = NULL;
    assert_int_equal(cudaMalloc(&pointer, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(pointer, 0, bytes), cudaSuccess);
    return pointer;
}

static uint32_t word(const void *data, size_t index)
{
    uint32_t value;
    assert_int_equal(cudaMemcpy(&value, (const uint32_t *)data + index, sizeof value,
                                CUDA_DEVICE_TO_HOST),
                     cudaSuccess);
    return value;
}

// add<<<grid, block>>>(data, amount), by the kernel's handle as in CUDA 12, or by its stub
// function.
static CudaError launch_add(CudaDim3 grid, CudaDim3 block, void *data, uint32_t amount,
                            bool by_handle)
{
    void *handle = NULL, *arguments[] = {&data, &amount};
    if (__cudaPushCallConfiguration(grid, block, 0, NULL)) return cudaErrorUnknown;
    size_t shared;
    CudaStream stream;
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    if (!by_handle) return cudaLaunchKernel(&host_add, grid, block, arguments, shared, stream);
    assert_int_equal(__cudaGetKernel(&handle, &host_add), cudaSuccess);
    return __cudaLaunchKernel(handle, grid, block, arguments, shared, stream);
}

static void test_launches(void **state)
{
    (void)state;
    void *data = allocate(4 * 128);
    assert_int_equal(launch_add((CudaDim3){2, 1, 1}, (CudaDim3){64, 1, 1}, data, 3, false),
                     cudaSuccess);
    assert_int_equal(launch_add((CudaDim3){1, 1, 1}, (CudaDim3){64, 1, 1}, data, 4, true),
                     cudaSuccess);
    assert_int_equal(word(data, 63), 7);
    assert_int_equal(word(data, 64), 3);
    assert_int_equal(word(data, 127), 3);
    uint32_t amount = 10;
    void *arguments[] = {&data, &amount};
    CudaLaunchAttribute cooperative = {.id = CUDA_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CudaLaunchConfig config = {.grid = {2, 1, 1}, .block = {64, 1, 1}, .attributes = &cooperative,
                               .attribute_count = 1};
    assert_int_equal(cudaLaunchKernelExC(&config, &host_add, arguments), cudaSuccess);
    assert_int_equal(cudaLaunchCooperativeKernel(&host_add, config.grid, config.block, arguments, 0,
                                                 NULL),
                     cudaSuccess);
    assert_int_equal(word(data, 127), 23);
    // A cluster of one block is a block; clusters of two are not modelled.
    CudaLaunchAttribute clusters = {.id = CUDA_ATTRIBUTE_CLUSTER, .value.cluster = {1, 1, 1}};
    config.attributes = &clusters;
    assert_int_equal(cudaLaunchKernelExC(&config, &host_add, arguments), cudaSuccess);
    clusters.value.cluster.x = 2;
    stderr_capture_begin();
    CudaError code = cudaLaunchKernelExC(&config, &host_add, arguments);
    assert_string_equal(stderr_capture_end(),
                        "heddle: cannot launch add: clusters of 2 blocks: expected a launch "
                        "without, because clusters are not modelled\n");
    assert_int_equal(code, cudaErrorNotSupported);
    assert_int_equal(cudaGetLastError(), cudaErrorNotSupported);
    assert_int_equal(word(data, 127), 33);
}

// Parameters in the kernel's layout; the module's variables.
static void test_parameters(void **state)
{
    (void)state;
    struct { char c; double d; } s = {'s', 2.5};
    char c0 = 'c';
    uint32_t got[7];
    double d;
    void *data = allocate(sizeof got), *arguments[] = {&c0, &s, &data};
    for (uint32_t round = 0; round < 2; round++) {
        assert_int_equal(cudaLaunchKernel(&host_scatter, one, one, arguments, 0, NULL),
                         cudaSuccess);
        assert_int_equal(cudaMemcpy(got, data, sizeof got, CUDA_DEVICE_TO_HOST), cudaSuccess);
        memcpy(&d, &got[2], sizeof d);
        assert_int_equal(got[0], 'c');
        assert_int_equal(got[1], 's');
        assert_true(d == 2.5);
        assert_int_equal(got[4], 30);
        assert_int_equal(got[5], 5 + round);
        assert_int_equal(got[6], 9 + round);
    }
    uint32_t forty = 40;
    assert_int_equal(cudaMemcpyToSymbol(&host_table, &forty, 4, 8, CUDA_HOST_TO_DEVICE),
                     cudaSuccess);
    assert_int_equal(cudaLaunchKernel(&host_scatter, one, one, arguments, 0, NULL), cudaSuccess);
    assert_int_equal(word(data, 4), 40);
}

static void test_managed(void **state)
{
    void **module = *state;
    size_t bytes;
    stderr_capture_begin();
    char made = __cudaInitModule(module);
    if (strstr(stderr_capture_end(), "from 4 GiB on")) skip(); // a sanitizer's shadow is there
    assert_int_equal(made, 1);
    assert_non_null(host_managed);
    assert_int_equal(cudaGetSymbolSize(&bytes, host_managed), cudaSuccess);
    assert_int_equal(bytes, 4);
    assert_int_equal(*host_managed, 9);
    *host_managed = 100;
    struct { char c; double d; } s = {0};
    void *data = allocate(28), *arguments[] = {&s, &s, &data};
    assert_int_equal(cudaLaunchKernel(&host_scatter, one, one, arguments, 0, NULL), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(*host_managed, 101);
    assert_int_equal(word(data, 6), 100);
}

// The program's rounding mode does not affect the device, and is preserved.
static void test_rounding(void **state)
{
    (void)state;
    float a = 1, b = 0x1p-30f, result;
    void *data = allocate(sizeof result), *arguments[] = {&data, &a, &b};
    int before = fegetround();
    assert_int_equal(fesetround(FE_UPWARD), 0);
    feclearexcept(FE_ALL_EXCEPT);
    CudaError code = cudaLaunchKernel(&host_sum, one, one, arguments, 0, NULL);
    int raised = fetestexcept(FE_ALL_EXCEPT), after = fegetround();
    fesetround(before);
    assert_int_equal(code, cudaSuccess);
    assert_int_equal(after, FE_UPWARD);
    assert_int_equal(raised, 0);
    assert_int_equal(cudaMemcpy(&result, data, sizeof result, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_true(result == 1);
}

// f<<<...>>>(g<<<...>>>(), ...): the inner launch takes its own configuration.
static void test_nested_configurations(void **state)
{
    (void)state;
    CudaDim3 grid, block;
    size_t shared;
    CudaStream stream;
    assert_int_equal(__cudaPushCallConfiguration((CudaDim3){5, 6, 7}, one, 11, (CudaStream)1), 0);
    assert_int_equal(__cudaPushCallConfiguration((CudaDim3){8, 9, 10}, one, 12, (CudaStream)2), 0);
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    assert_int_equal(grid.z, 10);
    assert_int_equal(shared, 12);
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    assert_int_equal(grid.x, 5);
    assert_ptr_equal(stream, (CudaStream)1);
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
                     cudaErrorMissingConfiguration);
    assert_int_equal(cudaGetLastError(), cudaErrorMissingConfiguration);
}

static CudaError launch_plain(const void *kernel, CudaDim3 grid, CudaDim3 block, size_t shared)
{
    uint64_t value = 0;
    void *arguments[] = {&value, &value};
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, NULL);
}

static void test_illegal(void **state)
{
    (void)state;
    const CudaDim3 large = {1024, 2, 1}, deep = {1, 1, 65}, none = {1, 0, 1}, tall = {1, 65536, 1};
    EXPECT_MESSAGE(
        cudaErrorInvalidConfiguration, launch_plain(&host_trap, one, large, 0),
        "cannot launch trapped: a grid of (1,1,1) blocks of (1024,2,1) threads: expected");
    EXPECT_MESSAGE(cudaErrorInvalidConfiguration, launch_plain(&host_trap, one, deep, 0),
                   "(1,1,65)");
    EXPECT_MESSAGE(cudaErrorInvalidConfiguration, launch_plain(&host_trap, none, one, 0),
                   "(1,0,1)");
    EXPECT_MESSAGE(cudaErrorInvalidConfiguration, launch_plain(&host_trap, tall, one, 0), "65536");
    EXPECT_MESSAGE(cudaErrorInvalidValue, launch_plain(&host_wide, one, one, 48 * 1024 - 20000 + 1),
                   "29153 bytes of dynamic shared memory: expected at most 29152 beside 20000");
    assert_int_equal(launch_plain(&host_wide, one, one, 48 * 1024 - 20000), cudaSuccess);
    EXPECT_MESSAGE(cudaErrorInvalidValue, launch_plain(&host_bounded, one, (CudaDim3){65, 1, 1}, 0),
                   "65 threads per block: expected at most 64, by its __launch_bounds__");
    assert_int_equal(launch_plain(&host_bounded, one, (CudaDim3){64, 1, 1}, 0), cudaSuccess);
    EXPECT_MESSAGE(cudaErrorInvalidDeviceFunction, launch_plain(&host_absent, one, one, 0),
                   "the module has no kernel absent");
    EXPECT_MESSAGE(cudaErrorInvalidDeviceFunction, launch_plain(&host_counter, one, one, 0),
                   "expected a __global__ function");
    // 2 SMs hold 32 blocks each.
    EXPECT_MESSAGE(cudaErrorCooperativeLaunchTooLarge,
                   cudaLaunchCooperativeKernel(&host_bounded, (CudaDim3){65, 1, 1}, one, NULL, 0,
                                               NULL),
                   "a cooperative grid of 65 blocks: expected at most 64, which");
    assert_int_equal(cudaLaunchKernel(&host_add, one, one, NULL, 0, NULL), cudaErrorInvalidValue);
    // The device still works.
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

// A block for which an SM lacks registers runs with fewer registers, and warns once.
static void test_registers(void **state)
{
    (void)state;
    void *data;
    assert_int_equal(cudaMalloc(&data, 4096), cudaSuccess);
    void *arguments[] = {&data};
    const CudaDim3 small = {512, 1, 1}, large = {1024, 1, 1};
    for (int i = 0; i < 3; i++) {
        stderr_capture_begin();
        assert_int_equal(cudaLaunchKernel(&host_many, one, i ? large : small, arguments, 0, NULL),
                         cudaSuccess);
        const char *said = stderr_capture_end();
        if (i == 1)
            assert_non_null(strstr(said,
                                   "a block of 1024 threads has 64: it runs as if compiled with "
                                   "-maxrregcount 64"));
        else
            assert_string_equal(said, "");
    }
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaFree(data), cudaSuccess);
}

// The launch succeeds. The next synchronising call returns the fault, and so do all calls after it.
static void expect_fault(CudaError code)
{
    size_t bytes;
    void *pointer;
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    stderr_capture_begin();
    CudaError behind = launch_plain(&host_bounded, one, one, 0);
    assert_string_equal(stderr_capture_end(), "");
    assert_int_equal(behind, cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), code);
    assert_int_equal(cudaGetLastError(), code);
    assert_int_equal(cudaMalloc(&pointer, 4), code);
    assert_int_equal(cudaGetSymbolSize(&bytes, &host_table), code);
    assert_int_equal(launch_plain(&host_bounded, one, one, 0), code);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    cudaGetLastError();
    assert_int_equal(launch_plain(&host_bounded, one, one, 0), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

static CudaError launch_hole(const void *data, uint64_t offset)
{
    void *arguments[] = {&data, &offset};
    return cudaLaunchKernel(&host_hole, one, one, arguments, 0, NULL);
}

static void test_faults(void **state)
{
    (void)state;
    uint32_t of_host = 0;
    stderr_capture_begin();
    int code = launch_hole(allocate(4096), 1 << 30);
    const char *said = stderr_capture_end();
    assert_int_equal(code, cudaSuccess);
    assert_non_null(strstr(said, "hole, block (0,0,0), thread (0,0,0): access of 4 bytes"));
    assert_null(strstr(said, "host"));
    expect_fault(cudaErrorIllegalAddress);
    stderr_capture_begin();
    code = launch_hole(allocate(4096), 2);
    stderr_capture_end();
    assert_int_equal(code, cudaSuccess);
    expect_fault(cudaErrorMisalignedAddress);
    stderr_capture_begin();
    code = launch_plain(&host_trap, one, one, 0);
    stderr_capture_end();
    assert_int_equal(code, cudaSuccess);
    expect_fault(cudaErrorLaunchFailure);
    stderr_capture_begin();
    code = launch_hole(&of_host, 0);
    said = stderr_capture_end();
    assert_int_equal(code, cudaSuccess);
    assert_non_null(strstr(said, "argument 1 of the kernel"));
    assert_non_null(strstr(said, "points to host memory"));
    assert_int_equal(of_host, 0);
    expect_fault(cudaErrorIllegalAddress);
    stderr_capture_begin();
    code = launch_hole(NULL, 8);
    said = stderr_capture_end();
    assert_int_equal(code, cudaSuccess);
    assert_non_null(strstr(said, "argument 1 of the kernel is a null pointer"));
    expect_fault(cudaErrorIllegalAddress);
}

// ---- unusable modules ----

static char host_kernel;

static CudaError launch_of(FatbinWrapper *wrapper, char *said, size_t size)
{
    void **handle = __cudaRegisterFatBinary(wrapper);
    __cudaRegisterFunction(handle, &host_kernel, "k", "k", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    stderr_capture_begin();
    CudaError code = launch_plain(&host_kernel, one, one, 0);
    CudaError again = launch_plain(&host_kernel, one, one, 0); // reported once
    strncpy(said, stderr_capture_end(), size - 1);
    assert_int_equal(code, again);
    __cudaUnregisterFatBinary(handle);
    return code;
}

static void expect_unusable(FatbinWrapper wrapper, CudaError code, const char *text)
{
    char said[4096] = {0};
    assert_int_equal(launch_of(&wrapper, said, sizeof said), code);
    if (!strstr(said, text)) fail_msg("'%s' does not say '%s'", said, text);
    assert_ptr_equal(strstr(said, "heddle: "), said);
    assert_null(strstr(said + 1, "heddle: "));
}

static void expect_unusable_image(Image image, CudaError code, const char *text)
{
    size_t size;
    uint8_t *binary = fatbin_new(&image, 1, &size);
    expect_unusable((FatbinWrapper){FATBIN_WRAPPER_MAGIC, 1, binary, NULL}, code, text);
    free(binary);
}

static void test_unusable_modules(void **state)
{
    (void)state;
    expect_unusable_image((Image){FATBIN_MACHINE_CODE, 86, "code", PACKED_NOT},
                          cudaErrorNoKernelImageForDevice,
                          "machine code for sm_86: expected PTX, which is what Heddle runs; "
                          "compile with nvcc -gencode arch=compute_75,code=compute_75");
    expect_unusable_image((Image){FATBIN_PTX, 75, "no PTX", PACKED_ZSTD}, cudaErrorInvalidPtx,
                          ".ptx:1:1: ");
    expect_unusable((FatbinWrapper){FATBIN_WRAPPER_MAGIC, 1, "damaged: too short?", NULL},
                    cudaErrorInvalidKernelImage,
                    "cannot read the program's fat binary: it starts with");
    expect_unusable((FatbinWrapper){0}, cudaErrorInvalidKernelImage, "no fat binary");
    cudaGetLastError();
}

// ---- relocatable code: a list of fat binaries, of one file each ----

enum { MAX_FILES = 4 };

typedef struct Linked {
    const void *files[MAX_FILES + 1];
    FatbinWrapper wrapper;
} Linked;

static Linked *linked_new(const Image *images, size_t count)
{
    size_t size;
    Linked *linked = calloc(1, sizeof *linked);
    assert_non_null(linked);
    for (size_t i = 0; i < count; i++) linked->files[i] = fatbin_new(&images[i], 1, &size);
    linked->wrapper = (FatbinWrapper){FATBIN_WRAPPER_MAGIC, FATBIN_WRAPPER_LINKED, NULL,
                                      linked->files};
    return linked;
}

static void linked_free(Linked *linked)
{
    for (size_t i = 0; linked->files[i]; i++) free((void *)linked->files[i]);
    free(linked);
}

#define PTX_TEXT(text) ".version 7.5\n.target sm_70\n.address_size 64\n" text
#define FILE_OF_KERNEL                                                                             \
    PTX_TEXT(".extern .func add();\n"                                                              \
             ".visible .global .u32 v = 5;\n"                                                      \
             ".visible .entry k() { call add; ret; }\n")
#define FILE_OF_FUNCTION                                                                           \
    PTX_TEXT(".extern .global .u32 v;\n"                                                           \
             ".visible .func add() { .reg .b32 %r; atom.global.add.u32 %r, [v], 2; ret; }\n")

static void test_relocatable(void **state)
{
    (void)state;
    // nvcc links the toolkit's device runtime to each program.
    Image images[] = {{FATBIN_PTX, 70, FILE_OF_KERNEL, PACKED_ZSTD},
                      {FATBIN_MACHINE_CODE, 70, "code", PACKED_NOT},
                      {FATBIN_PTX, 121, "__nv_static_9__f_cuda_device_runtime_cu_0", PACKED_LZ4},
                      {FATBIN_PTX, 75, FILE_OF_FUNCTION, PACKED_NOT}};
    static char host_v;
    Linked *linked = linked_new(images, 4);
    void **handle = __cudaRegisterFatBinary(&linked->wrapper);
    __cudaRegisterFunction(handle, &host_kernel, "k", "k", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &host_v, "v", "v", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    uint32_t v = 0;
    assert_int_equal(launch_plain(&host_kernel, one, one, 0), cudaSuccess);
    assert_int_equal(cudaMemcpyFromSymbol(&v, &host_v, 4, 0, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(v, 7);
    __cudaUnregisterFatBinary(handle);
    linked_free(linked);
}

static void expect_unlinked(const Image *images, size_t count, CudaError code, const char *text)
{
    Linked *linked = linked_new(images, count);
    expect_unusable(linked->wrapper, code, text);
    linked_free(linked);
}

static void test_unusable_relocatable(void **state)
{
    (void)state;
    Image twice[] = {{FATBIN_PTX, 70, FILE_OF_KERNEL, PACKED_NOT},
                     {FATBIN_PTX, 70, FILE_OF_KERNEL, PACKED_NOT}};
    expect_unlinked(twice, 2, cudaErrorInvalidPtx, ".2.ptx:6:17: 'k' is defined twice: in ");
    Image code[] = {{FATBIN_MACHINE_CODE, 90, "code", PACKED_NOT},
                    {FATBIN_MACHINE_CODE, 90, "code", PACKED_NOT}};
    expect_unlinked(code, 2, cudaErrorNoKernelImageForDevice,
                    "only machine code for sm_90: expected PTX");
    expect_unlinked(code, 0, cudaErrorNoKernelImageForDevice, "no device code: expected PTX");
    expect_unusable((FatbinWrapper){FATBIN_WRAPPER_MAGIC, FATBIN_WRAPPER_LINKED, NULL, NULL},
                    cudaErrorNoKernelImageForDevice, "no device code: expected PTX");
    const void *damaged[] = {"damaged: too short?", NULL};
    expect_unusable((FatbinWrapper){FATBIN_WRAPPER_MAGIC, FATBIN_WRAPPER_LINKED, NULL, damaged},
                    cudaErrorInvalidKernelImage,
                    "cannot read the program's fat binary: it starts with");
    Image missing[] = {{FATBIN_MACHINE_CODE, 70, "code", PACKED_NOT},
                       {FATBIN_PTX, 70, FILE_OF_KERNEL, PACKED_NOT}};
    Linked *linked = linked_new(missing, 2);
    char said[4096] = {0};
    assert_int_not_equal(launch_of(&linked->wrapper, said, sizeof said), cudaSuccess);
    assert_non_null(strstr(said, "function 'add' is not defined in any of the program's files that "
                                 "have PTX"));
    linked_free(linked);
    cudaGetLastError();
}

// Each packing, and two modules with the same names in one program.
static void test_packings(void **state)
{
    (void)state;
    void *data = allocate(4 * 64);
    for (int packing = PACKED_NOT; packing <= PACKED_ZSTD; packing++) {
        void **module = module_open(packing); // host addresses now identify this module
        assert_int_equal(launch_add(one, (CudaDim3){64, 1, 1}, data, 1, false), cudaSuccess);
        assert_int_equal(word(data, 63), packing + 1);
        module_close(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_launches, open_module, close_module),
        cmocka_unit_test_setup_teardown(test_parameters, open_module, close_module),
        cmocka_unit_test_setup_teardown(test_managed, open_module, close_module),
        cmocka_unit_test_setup_teardown(test_rounding, open_module, close_module),
        cmocka_unit_test(test_nested_configurations),
        cmocka_unit_test_setup_teardown(test_registers, open_module, close_module),
        cmocka_unit_test_setup_teardown(test_illegal, open_module, close_module),
        cmocka_unit_test_setup_teardown(test_faults, open_module, close_module),
        cmocka_unit_test(test_unusable_modules),
        cmocka_unit_test(test_relocatable),
        cmocka_unit_test(test_unusable_relocatable),
        cmocka_unit_test(test_packings),
    };
    return cmocka_run_group_tests(tests, small_gpu, NULL);
}
