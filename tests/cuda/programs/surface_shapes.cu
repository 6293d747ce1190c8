// Surfaces of 1 and 3 dimensions, layers and cubes, with elements of 1 to 16 bytes: one kernel
// writes a value by position, another reverses the rows and adds 1, and copies read the result.
#include "check.h"

// Converts a number to an element and back; -1: the element is damaged.
template <typename T> __host__ __device__ T made(int n) { return (T)n; }
template <typename T> __host__ __device__ int number(T v) { return (int)v; }
template <> __host__ __device__ uchar4 made<uchar4>(int n)
{
    return make_uchar4(n & 255, n >> 8 & 255, 7, (n ^ 0x55) & 255);
}
template <> __host__ __device__ int number<uchar4>(uchar4 v)
{
    return v.z == 7 && v.w == ((v.x ^ 0x55) & 255) ? v.x | v.y << 8 : -1;
}
template <> __host__ __device__ float2 made<float2>(int n) { return make_float2(n, -n); }
template <> __host__ __device__ int number<float2>(float2 v) { return v.x == -v.y ? (int)v.x : -1; }
template <> __host__ __device__ int4 made<int4>(int n) { return make_int4(n, n + 1, n + 2, n + 3); }
template <> __host__ __device__ int number<int4>(int4 v)
{
    return v.y == v.x + 1 && v.z == v.x + 2 && v.w == v.x + 3 ? v.x : -1;
}

enum { LINE, VOLUME, LINES, SHEETS, CUBE, SHAPES };
static const char *const names[] = {"1d", "3d", "1d layers", "2d layers", "cube"};

template <int SHAPE, typename T>
__device__ void put(cudaSurfaceObject_t s, T value, int x, int y, int z)
{
    int at = x * (int)sizeof(T);
    if (SHAPE == LINE) surf1Dwrite(value, s, at);
    if (SHAPE == VOLUME) surf3Dwrite(value, s, at, y, z);
    if (SHAPE == LINES) surf1DLayeredwrite(value, s, at, z);
    if (SHAPE == SHEETS) surf2DLayeredwrite(value, s, at, y, z);
    if (SHAPE == CUBE) surfCubemapwrite(value, s, at, y, z);
}

template <int SHAPE, typename T> __device__ T get(cudaSurfaceObject_t s, int x, int y, int z)
{
    int at = x * (int)sizeof(T);
    T value;
    if (SHAPE == LINE) surf1Dread(&value, s, at, cudaBoundaryModeTrap);
    if (SHAPE == VOLUME) surf3Dread(&value, s, at, y, z);
    if (SHAPE == LINES) value = surf1DLayeredread<T>(s, at, z, cudaBoundaryModeClamp);
    if (SHAPE == SHEETS) surf2DLayeredread(&value, s, at, y, z, cudaBoundaryModeZero);
    if (SHAPE == CUBE) value = surfCubemapread<T>(s, at, y, z);
    return value;
}

template <int SHAPE, typename T>
__global__ void write(cudaSurfaceObject_t s, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, row = i / width;
    put<SHAPE>(s, made<T>(i % 120), x, row % height, row / height);
}

// Reverses each row and adds 1.
template <int SHAPE, typename T>
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, row = i / width;
    T value = get<SHAPE, T>(from, width - 1 - x, row % height, row / height);
    put<SHAPE>(to, made<T>(number(value) + 1), x, row % height, row / height);
}

template <int SHAPE, typename T> static int wrong()
{
    cudaExtent extent = {24, 1, 1};
    unsigned flags = cudaArraySurfaceLoadStore;
    if (SHAPE == VOLUME) extent = {12, 5, 4};
    if (SHAPE == LINES) extent.depth = 5, flags |= cudaArrayLayered;
    if (SHAPE == SHEETS) extent = {20, 6, 3}, flags |= cudaArrayLayered;
    if (SHAPE == CUBE) extent = {8, 8, 6}, flags |= cudaArrayCubemap;
    int threads = (int)extent.width, rows = (int)(extent.height * extent.depth);
    cudaExtent asked = extent;
    if (SHAPE == LINE) asked.height = asked.depth = 0;
    if (SHAPE == LINES) asked.height = 0;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    for (int i = 0; i < 2; i++) {
        CUDA(cudaMalloc3DArray(&arrays[i], &format, asked, flags));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        CUDA(cudaCreateSurfaceObject(&surfaces[i], &resource));
    }
    write<SHAPE, T><<<rows, threads>>>(surfaces[0], threads, (int)extent.height);
    turn<SHAPE, T><<<rows, threads>>>(surfaces[0], surfaces[1], threads, (int)extent.height);
    LAUNCHED();
    std::vector<T> got(threads * rows);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = arrays[1];
    copy.dstPtr = make_cudaPitchedPtr(got.data(), threads * sizeof(T), threads, extent.height);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaMemcpy3D(&copy));
    int bad = 0;
    for (int i = 0; i < threads * rows; i++) {
        int from = i - i % threads + threads - 1 - i % threads;
        bad += number(got[i]) != from % 120 + 1;
    }
    if (bad) printf("%s, %d bytes: %d wrong\n", names[SHAPE], (int)sizeof(T), bad);
    for (int i = 0; i < 2; i++) {
        CUDA(cudaDestroySurfaceObject(surfaces[i]));
        CUDA(cudaFreeArray(arrays[i]));
    }
    return bad;
}

template <typename T> static int all_shapes()
{
    return wrong<LINE, T>() + wrong<VOLUME, T>() + wrong<LINES, T>() + wrong<SHEETS, T>() +
           wrong<CUBE, T>();
}

int main()
{
    int bad = all_shapes<unsigned char>() + all_shapes<short>() + all_shapes<uchar4>() +
              all_shapes<float2>() + all_shapes<int4>();
    return verdict(!bad, "5 shapes of 5 elements, %d wrong", bad);
}
