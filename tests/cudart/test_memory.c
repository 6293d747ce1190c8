// Device memory: allocations, copies, fills, symbols.
#include "stderr_capture.h"

#include "sample_module.h"

#include <stdio.h>
#include <string.h>

static void *allocate(size_t bytes)
{
    void *pointer = NULL;
    assert_int_equal(cudaMalloc(&pointer, bytes), cudaSuccess);
    assert_non_null(pointer);
    return pointer;
}

static void test_copies(void **state)
{
    (void)state;
    uint8_t from[1000], to[1000] = {0};
    for (int i = 0; i < 1000; i++) from[i] = (uint8_t)(i * 7);
    char *a = allocate(1000), *b = allocate(1000);
    assert_int_equal(cudaMemcpy(a, from, 1000, CUDA_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy(b, a, 1000, CUDA_DEVICE_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy(to + 10, b + 10, 500, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_memory_equal(to + 10, from + 10, 500);
    assert_int_equal(to[9] | to[510], 0);
    // With the kind cudaMemcpyDefault, in all four directions.
    memset(to, 0, sizeof to);
    assert_int_equal(cudaMemcpy(b, from, 1000, CUDA_COPY_DEFAULT), cudaSuccess);
    assert_int_equal(cudaMemcpy(a, b, 1000, CUDA_COPY_DEFAULT), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(to, a, 1000, CUDA_COPY_DEFAULT, NULL), cudaSuccess);
    assert_memory_equal(to, from, 1000);
    assert_int_equal(cudaMemcpy(to, to + 500, 500, CUDA_COPY_DEFAULT), cudaSuccess);
    assert_memory_equal(to, from + 500, 500);
    assert_int_equal(cudaMemcpy(to, from, 10, CUDA_HOST_TO_HOST), cudaSuccess);
    assert_memory_equal(to, from, 10);
    assert_int_equal(cudaMemcpy(NULL, NULL, 0, CUDA_HOST_TO_DEVICE), cudaSuccess);
    // Within one allocation, with overlap.
    assert_int_equal(cudaMemcpy(a + 100, a, 900, CUDA_DEVICE_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy(to, a, 1000, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_memory_equal(to + 100, from, 900);
    assert_int_equal(cudaFree(a), cudaSuccess);
    assert_int_equal(cudaFree(b), cudaSuccess);
}

static void test_wrong_copies(void **state)
{
    (void)state;
    char host[256] = {0}, *a = allocate(200);
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemcpy(a, host, 201, CUDA_HOST_TO_DEVICE),
                   "cudaMemcpy: a copy of 201 bytes at");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemcpy(host, a + 1, 200, CUDA_DEVICE_TO_HOST),
                   "leaves its allocation; 1 bytes into \"cudaMalloc #");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemcpy(host, host + 8, 8, CUDA_HOST_TO_DEVICE),
                   "cudaMemcpy: target 0x");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemcpy(host, host + 8, 8, CUDA_DEVICE_TO_HOST),
                   "expected device memory, as the kind is cudaMemcpyDeviceToHost");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemcpy(a, NULL, 8, CUDA_HOST_TO_DEVICE),
                   "the source is NULL");
    EXPECT_MESSAGE(cudaErrorInvalidMemcpyDirection, cudaMemcpy(a, host, 8, (CudaCopyKind)5),
                   "kind 5: expected 0 (cudaMemcpyHostToHost) to 4 (cudaMemcpyDefault)");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemset(host, 0, 8), "expected device memory");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemset(a, 0, 201), "leaves its allocation");
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaFree(a), cudaSuccess);
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMemcpy(host, a, 8, CUDA_DEVICE_TO_HOST),
                   "cudaMemcpy: ");
}

static void test_frees(void **state)
{
    (void)state;
    char host, *a = allocate(64), *none = &host;
    assert_int_equal(cudaFree(NULL), cudaSuccess);
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaFree(a + 4), "expected the start of an allocation");
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaFree(&host), "it is a host address");
    assert_int_equal(cudaFree(a), cudaSuccess);
    EXPECT_MESSAGE(cudaErrorInvalidValue, cudaFree(a), "cudaFree(0x");
    assert_int_equal(cudaMalloc((void **)&none, 0), cudaSuccess);
    assert_null(none);
}

// Where the result of an allocation goes must be memory that can be written: not NULL, nothing, or
// a constant.
static void test_no_place_for_the_result(void **state)
{
    (void)state;
    static void *const constant = NULL;
    void **const places[] = {NULL, (void **)8, (void **)&constant};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char text[128];
        snprintf(text, sizeof text, "heddle: cudaMalloc: expected the address of a pointer in the "
                                    "program's memory, found %p\n", (void *)places[i]);
        EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMalloc(places[i], 4), text);
        snprintf(text, sizeof text, "heddle: cudaMallocPitch: expected the address of a pointer in "
                                    "the program's memory, found %p\n", (void *)places[i]);
        size_t pitch;
        EXPECT_MESSAGE(cudaErrorInvalidValue, cudaMallocPitch(places[i], &pitch, 4, 4), text);
    }
}

static void test_capacity(void **state)
{
    (void)state;
    size_t free_bytes, total, left;
    void *a = NULL;
    assert_int_equal(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    assert_int_equal(total, UINT64_C(16) << 30); // volta-v100
    assert_true(free_bytes <= total);
    EXPECT_MESSAGE(cudaErrorMemoryAllocation, cudaMalloc(&a, total + 1),
                   "cudaMalloc of 17179869185");
    assert_null(a);
    assert_int_equal(cudaMalloc(&a, 8 << 20), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&left, &total), cudaSuccess);
    assert_int_equal(free_bytes - left, 8 << 20);
    assert_int_equal(cudaFree(a), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&left, &total), cudaSuccess);
    assert_int_equal(left, free_bytes);
}

// 5 rows of 7 bytes, in host rows of 10 bytes and device rows with the device's pitch.
static void test_rows(void **state)
{
    (void)state;
    uint8_t from[50], to[50] = {0};
    for (int i = 0; i < 50; i++) from[i] = (uint8_t)(i + 1);
    void *a = NULL;
    size_t pitch = 0;
    assert_int_equal(cudaMallocPitch(&a, &pitch, 7, 5), cudaSuccess);
    assert_int_equal(pitch, 512);
    assert_int_equal(cudaMemset(a, 0xee, pitch * 5), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(a, pitch, from, 10, 7, 5, CUDA_HOST_TO_DEVICE), cudaSuccess);
    uint8_t row[8];
    assert_int_equal(cudaMemcpy(row, (char *)a + 3 * pitch, 8, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_memory_equal(row, from + 30, 7);
    assert_int_equal(row[7], 0xee);
    assert_int_equal(cudaMemset2D((char *)a + 2, pitch, 0, 3, 2), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(to, 10, a, pitch, 7, 5, CUDA_DEVICE_TO_HOST), cudaSuccess);
    for (int i = 0; i < 50; i++) {
        bool gap = i % 10 >= 7, filled = i < 20 && i % 10 >= 2 && i % 10 < 5;
        assert_int_equal(to[i], gap || filled ? 0 : from[i]);
    }
    assert_int_equal(cudaMemcpy2D(to, 6, a, pitch, 7, 5, CUDA_DEVICE_TO_HOST),
                     cudaErrorInvalidPitchValue);
    assert_int_equal(cudaFree(a), cudaSuccess);
}

// A box of 3 x 2 x 2 bytes at (1, 1, 0) of 8 x 4 x 3.
static void test_slices(void **state)
{
    (void)state;
    uint8_t from[8 * 4 * 3], to[8 * 4 * 3];
    for (int i = 0; i < 96; i++) from[i] = (uint8_t)(i + 1);
    CudaPitched device;
    CudaExtent all = {8, 4, 3};
    assert_int_equal(cudaMalloc3D(&device, all), cudaSuccess);
    assert_int_equal(device.pitch, 512);
    assert_int_equal(device.xsize, 8);
    assert_int_equal(device.ysize, 4);
    assert_int_equal(cudaMemset3D(device, 0x55, all), cudaSuccess);
    CudaPitched source = {from, 8, 8, 4}, target = {to, 8, 8, 4};
    CudaCopy3D in = {.source = source, .source_position = {1, 1, 0}, .target = device,
                     .target_position = {2, 0, 1}, .extent = {3, 2, 2},
                     .kind = CUDA_HOST_TO_DEVICE};
    assert_int_equal(cudaMemcpy3D(&in), cudaSuccess);
    CudaCopy3D out = {.source = device, .target = target, .extent = all,
                      .kind = CUDA_DEVICE_TO_HOST};
    assert_int_equal(cudaMemcpy3D(&out), cudaSuccess);
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 8; x++) {
                bool copied = x >= 2 && x < 5 && y < 2 && z >= 1;
                int expected = copied ? from[(z - 1) * 32 + (y + 1) * 8 + x - 1] : 0x55;
                assert_int_equal(to[z * 32 + y * 8 + x], expected);
            }
    assert_int_equal(cudaFree(device.ptr), cudaSuccess);
}

static void test_symbols(void **state)
{
    (void)state;
    void **module = module_open(0);
    size_t bytes;
    int values[4] = {0}, other[2] = {77, 88}, unknown;
    assert_int_equal(cudaGetSymbolSize(&bytes, &host_table), cudaSuccess);
    assert_int_equal(bytes, 16);
    assert_int_equal(cudaMemcpyFromSymbol(values, &host_table, 16, 0, CUDA_DEVICE_TO_HOST),
                     cudaSuccess);
    assert_int_equal(values[0], 10);
    assert_int_equal(values[3], 40);
    assert_int_equal(cudaMemcpyToSymbol(&host_table, other, 8, 4, CUDA_HOST_TO_DEVICE),
                     cudaSuccess);
    // The address of a constant is in device memory.
    char *address;
    assert_int_equal(cudaGetSymbolAddress((void **)&address, &host_table), cudaSuccess);
    assert_int_equal(cudaMemcpy(values, address, 16, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(values[1], 77);
    assert_int_equal(values[2], 88);
    assert_int_equal(cudaGetSymbolAddress((void **)&address, &host_counter), cudaSuccess);
    assert_int_equal(cudaMemcpy(values, address, 4, CUDA_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(values[0], 5);
    EXPECT_MESSAGE(cudaErrorInvalidValue,
                   cudaMemcpyToSymbol(&host_table, other, 8, 9, CUDA_HOST_TO_DEVICE),
                   "8 bytes at offset 9 of table: expected a range within its 16 bytes");
    EXPECT_MESSAGE(cudaErrorInvalidSymbol,
                   cudaMemcpyToSymbol(&unknown, other, 8, 0, CUDA_HOST_TO_DEVICE),
                   "expected a __device__ or __constant__ variable");
    assert_int_equal(cudaMemcpyToSymbol(&host_table, other, 8, 0, CUDA_DEVICE_TO_HOST),
                     cudaErrorInvalidMemcpyDirection);
    // A reset restores the initial values.
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_int_equal(cudaMemcpyFromSymbol(values, &host_table, 16, 0, CUDA_DEVICE_TO_HOST),
                     cudaSuccess);
    assert_int_equal(values[1], 20);
    module_close(module);
    EXPECT_MESSAGE(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, &host_table),
                   "expected a __device__ or __constant__ variable");
    cudaGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_wrong_copies),
        cmocka_unit_test(test_frees),    cmocka_unit_test(test_no_place_for_the_result),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_slices),
        cmocka_unit_test(test_symbols),
    };
    return cmocka_run_group_tests(tests, small_gpu, NULL);
}
