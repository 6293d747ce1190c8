// Arrays: allocated, filled and read back by each kind of copy.
#include "api_calls.h"

enum { WIDTH = 5, HEIGHT = 3 }; // texels of 2 x 16 bits
static const size_t row = WIDTH * 4;

static uint32_t texel(unsigned x, unsigned y) { return 1000 * y + x + 1; }

static CudaArray filled(void)
{
    CudaChannels channels = cudaCreateChannelDesc(16, 16, 0, 0, CHANNEL_KIND_UNSIGNED);
    uint32_t texels[HEIGHT][WIDTH + 2] = {{0}};
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) texels[y][x] = texel(x, y);
    CudaArray array = NULL;
    OK(cudaMallocArray(&array, &channels, WIDTH, HEIGHT, 0));
    OK(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels[0], row, HEIGHT,
                           CUDA_HOST_TO_DEVICE));
    return array;
}

static void test_info(void **state)
{
    (void)state;
    CudaChannels channels = cudaCreateChannelDesc(32, 0, 0, 0, CHANNEL_KIND_FLOAT), got;
    CudaExtent extent;
    unsigned flags;
    CudaArray array;
    OK(cudaMalloc3DArray(&array, &channels, (CudaExtent){8, 4, 6}, 1));
    OK(cudaArrayGetInfo(&got, &extent, &flags, array));
    assert_memory_equal(&got, &channels, sizeof got);
    assert_int_equal(extent.depth, 6);
    assert_int_equal(flags, 1);
    OK(cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(&got, &extent, &flags, array));
    OK(cudaFreeArray(NULL));
    static const CudaChannels wrong[] = {
        {{8, 8, 8, 0}, CHANNEL_KIND_UNSIGNED}, {{32, 16, 0, 0}, CHANNEL_KIND_UNSIGNED},
        {{8, 0, 0, 0}, CHANNEL_KIND_FLOAT},    {{0, 0, 0, 0}, CHANNEL_KIND_SIGNED},
        {{64, 0, 0, 0}, CHANNEL_KIND_SIGNED},  {{8, 0, 0, 0}, CHANNEL_KIND_NONE},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &wrong[i], 4, 4, 0));
    FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &channels, 0, 4, 0));
    FAILS(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, (CudaExtent){4, 0, 4}, 0));
    FAILS(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, (CudaExtent){4, 4, 4}, 4));
    FAILS(cudaErrorNotSupported, cudaMallocArray(&array, &channels, 4, 4, 0x40));
    FAILS(cudaErrorMemoryAllocation, cudaMallocArray(&array, &channels, SIZE_MAX / 8, 4, 0));
}

// 2D copies, with another pitch on the other side.
static void test_rows(void **state)
{
    (void)state;
    CudaArray array = filled();
    uint32_t back[2][4] = {{0}};
    OK(cudaMemcpy2DFromArray(back, sizeof back[0], array, 4, 1, 12, 2, CUDA_DEVICE_TO_HOST));
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 4; x++)
            assert_int_equal(back[y][x], x < 3 ? texel(x + 1, y + 1) : 0);
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy2DFromArray(back, 16, array, 12, 1, 12, 2, CUDA_DEVICE_TO_HOST));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy2DFromArray(back, 16, array, 0, 2, 12, 2, CUDA_DEVICE_TO_HOST));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DFromArray(back, 16, NULL, 0, 2, 12, 1, CUDA_DEVICE_TO_HOST));
    OK(cudaFreeArray(array));
}

// 1D copies that continue in the next row.
static void test_runs(void **state)
{
    (void)state;
    CudaArray array = filled(), other = filled();
    uint32_t in[7] = {90, 91, 92, 93, 94, 95, 96}, out[WIDTH * HEIGHT] = {0};
    OK(cudaMemcpyToArray(array, 12, 0, in, sizeof in, CUDA_HOST_TO_DEVICE)); // from x = 3
    OK(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, CUDA_DEVICE_TO_HOST));
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(out[i], i >= 3 && i < 10 ? 90 + i - 3 : texel(i % WIDTH, i / WIDTH));
    OK(cudaMemcpyArrayToArray(other, 4, 1, array, 12, 0, sizeof in, CUDA_DEVICE_TO_DEVICE));
    OK(cudaMemcpyFromArray(out, other, 0, 0, sizeof out, CUDA_DEVICE_TO_HOST));
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(out[i], i >= 6 && i < 13 ? 90 + i - 6 : texel(i % WIDTH, i / WIDTH));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpyToArray(array, 12, 2, in, sizeof in, CUDA_HOST_TO_DEVICE));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyToArray(NULL, 0, 0, in, sizeof in, CUDA_HOST_TO_DEVICE));
    OK(cudaFreeArray(array));
    OK(cudaFreeArray(other));
}

// 3D copies: widths and positions are in texels, and the host's side has a pitch.
static void test_slices(void **state)
{
    (void)state;
    enum { X = 4, Y = 3, Z = 2 };
    CudaChannels channels = cudaCreateChannelDesc(8, 0, 0, 0, CHANNEL_KIND_UNSIGNED);
    uint8_t in[Z][Y][X + 1], out[Z][Y][X] = {{{0}}};
    for (unsigned z = 0; z < Z; z++)
        for (unsigned y = 0; y < Y; y++)
            for (unsigned x = 0; x <= X; x++) in[z][y][x] = (uint8_t)(100 * z + 10 * y + x + 1);
    CudaArray array;
    OK(cudaMalloc3DArray(&array, &channels, (CudaExtent){X, Y, Z}, 0));
    CudaCopy3D fill = {.source = {in, X + 1, X, Y}, .target_array = array, .extent = {X, Y, Z},
                       .kind = CUDA_HOST_TO_DEVICE};
    OK(cudaMemcpy3D(&fill));
    CudaCopy3D part = {.source_array = array, .source_position = {1, 1, 1},
                       .target = {out, X, X, Y}, .target_position = {2, 0, 1}, .extent = {2, 2, 1},
                       .kind = CUDA_DEVICE_TO_HOST};
    OK(cudaMemcpy3D(&part));
    for (unsigned z = 0; z < Z; z++)
        for (unsigned y = 0; y < Y; y++)
            for (unsigned x = 0; x < X; x++)
                assert_int_equal(out[z][y][x],
                                 z == 1 && y < 2 && x >= 2 ? in[1][y + 1][x - 1] : 0);
    part.source_position.z = 2;
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&part));
    OK(cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&part));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_slices),
    };
    return cmocka_run_group_tests_name("cudart arrays", tests, NULL, NULL);
}
