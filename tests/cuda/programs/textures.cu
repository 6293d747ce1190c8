// Texture objects of all shapes: linear memory, arrays of one, two and three dimensions, layers;
// with several element types, address modes, and reads as normalised floats. Textures have one
// level, so the forms with a level or gradients read the same values.
#include "check.h"

enum { N = 16 };

__global__ void linear(cudaTextureObject_t t, int4 *out)
{
    out[threadIdx.x] = tex1Dfetch<int4>(t, threadIdx.x);
}
__global__ void wrapped(cudaTextureObject_t t, float *out)
{
    float x = ((float)threadIdx.x + 0.5f) / N - 1.0f;
    out[threadIdx.x] = threadIdx.x % 2 ? tex1D<float>(t, x) : tex1DGrad<float>(t, x, 0.5f, 0.25f);
}
__global__ void bytes(cudaTextureObject_t t, float4 *out)
{
    float x = (float)(threadIdx.x % 4) + 0.5f, y = (float)(threadIdx.x / 4) + 0.5f;
    float2 step = make_float2(0.5f, 0.25f);
    out[threadIdx.x] =
        threadIdx.x % 2 ? tex2D<float4>(t, x, y) : tex2DGrad<float4>(t, x, y, step, step);
}
__global__ void border(cudaTextureObject_t t, unsigned *out)
{
    out[threadIdx.x] = tex2D<unsigned>(t, (float)threadIdx.x - 3.5f, 0.5f);
}
__global__ void volume(cudaTextureObject_t t, short2 *out)
{
    unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    float u = (float)x + 0.5f, v = (float)y + 0.5f, w = (float)z + 0.5f;
    float4 step = make_float4(0.5f, 0.25f, 0.125f, 0);
    out[(z * 4 + y) * 4 + x] =
        x % 2 ? tex3D<short2>(t, u, v, w) : tex3DGrad<short2>(t, u, v, w, step, step);
}
__global__ void layers(cudaTextureObject_t t, float *out)
{
    float x = (float)(threadIdx.x % 4) + 0.5f, y = (float)(threadIdx.x / 4) + 0.5f;
    int layer = (int)threadIdx.y;
    float2 step = make_float2(0.5f, 0.25f);
    float *to = out + threadIdx.y * 8 + threadIdx.x;
    switch (threadIdx.x % 3) {
    case 0:
        *to = tex2DLayered<float>(t, x, y, layer);
        break;
    case 1:
        *to = tex2DLayeredLod<float>(t, x, y, layer, 0);
        break;
    default:
        *to = tex2DLayeredGrad<float>(t, x, y, layer, step, step);
    }
}

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureAddressMode mode, bool normalised,
                                   cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc sampling = {};
    cudaTextureObject_t object;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    for (int i = 0; i < 3; i++) sampling.addressMode[i] = mode;
    sampling.normalizedCoords = normalised;
    sampling.readMode = read;
    CUDA(cudaCreateTextureObject(&object, &resource, &sampling, 0));
    return object;
}

template <typename T>
static cudaArray_t filled(const std::vector<T> &values, cudaExtent extent, unsigned flags)
{
    cudaArray_t array;
    cudaChannelFormatDesc element = cudaCreateChannelDesc<T>();
    if (extent.depth) {
        CUDA(cudaMalloc3DArray(&array, &element, extent, flags));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr((void *)values.data(), extent.width * sizeof(T),
                                          extent.width, extent.height);
        copy.dstArray = array;
        copy.extent = extent;
        copy.kind = cudaMemcpyHostToDevice;
        CUDA(cudaMemcpy3D(&copy));
        return array;
    }
    CUDA(cudaMallocArray(&array, &element, extent.width, extent.height));
    size_t rows = extent.height ? extent.height : 1;
    CUDA(cudaMemcpy2DToArray(array, 0, 0, values.data(), extent.width * sizeof(T),
                             extent.width * sizeof(T), rows, cudaMemcpyHostToDevice));
    return array;
}

static bool try_linear()
{
    std::vector<int4> values(N);
    for (int i = 0; i < N; i++) values[i] = make_int4(i, -i, 2 * i, 1000 + i);
    Buffer<int4> data(values), out(N);
    cudaResourceDesc resource = {};
    cudaTextureDesc sampling = {};
    cudaTextureObject_t object;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data.device;
    resource.res.linear.desc = cudaCreateChannelDesc<int4>();
    resource.res.linear.sizeInBytes = N * sizeof(int4);
    CUDA(cudaCreateTextureObject(&object, &resource, &sampling, 0));
    linear<<<1, N>>>(object, out);
    LAUNCHED();
    bool right = true;
    std::vector<int4> got = out.get();
    for (int i = 0; i < N; i++)
        right &= got[i].x == i && got[i].y == -i && got[i].z == 2 * i && got[i].w == 1000 + i;
    CUDA(cudaDestroyTextureObject(object));
    return right;
}

static bool try_flat()
{
    std::vector<float> line = random_values<float>(N, 41);
    std::vector<uchar4> pixels(16);
    std::vector<unsigned> row(4);
    for (int i = 0; i < 16; i++) pixels[i] = make_uchar4(0, 255, (unsigned char)(17 * i), 51);
    for (int i = 0; i < 4; i++) row[i] = 100 + i;
    Buffer<float> a(3 * N);
    Buffer<float4> b(16);
    Buffer<unsigned> c(11);
    wrapped<<<1, 3 * N>>>(
        texture(filled(line, make_cudaExtent(N, 0, 0), 0), cudaAddressModeWrap, true), a);
    bytes<<<1, 16>>>(texture(filled(pixels, make_cudaExtent(4, 4, 0), 0), cudaAddressModeClamp,
                             false, cudaReadModeNormalizedFloat),
                     b);
    border<<<1, 11>>>(
        texture(filled(row, make_cudaExtent(4, 1, 0), 0), cudaAddressModeBorder, false), c);
    LAUNCHED();
    bool right = true;
    std::vector<float> got = a.get();
    std::vector<float4> colours = b.get();
    std::vector<unsigned> edge = c.get();
    for (int i = 0; i < 3 * N; i++) right &= got[i] == line[i % N];
    for (int i = 0; i < 16; i++)
        right &= colours[i].x == 0 && colours[i].y == 1 && colours[i].w == 0.2f &&
                 std::fabs(colours[i].z - (float)i / 15) < 1e-6f;
    for (int i = 0; i < 11; i++) right &= edge[i] == (i >= 4 && i < 8 ? 100u + (unsigned)i - 4 : 0);
    return right;
}

static bool try_deep()
{
    std::vector<short2> cube(64);
    std::vector<float> sheets = random_values<float>(4 * 2 * 3, 42);
    for (int i = 0; i < 64; i++) cube[i] = make_short2((short)i, (short)-i);
    Buffer<short2> a(64);
    Buffer<float> b(24);
    volume<<<1, dim3(4, 4, 4)>>>(
        texture(filled(cube, make_cudaExtent(4, 4, 4), 0), cudaAddressModeClamp, false), a);
    layers<<<1, dim3(8, 3)>>>(texture(filled(sheets, make_cudaExtent(4, 2, 3), cudaArrayLayered),
                                      cudaAddressModeClamp, false),
                              b);
    LAUNCHED();
    bool right = b.get() == sheets;
    std::vector<short2> got = a.get();
    for (int i = 0; i < 64; i++) right &= got[i].x == i && got[i].y == -i;
    return right;
}

int main()
{
    bool line = try_linear(), flat = try_flat(), deep = try_deep();
    return verdict(line && flat && deep, "linear %d, 1D and 2D %d, 3D and layers %d", line, flat,
                   deep);
}
