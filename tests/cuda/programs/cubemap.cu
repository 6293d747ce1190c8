// A cubemap, and a layered cubemap of two: a surface writes the faces, and a texture reads the
// texel that each ray from the centre meets. The forms with a level or gradients read the same.
#include "check.h"

enum { SIDE = 16, LAYERS = 2, RAYS = 6 * SIDE * SIDE };

// Texel (x, y) of a face.
__host__ __device__ float texel(int x, int y, int face) { return 1000 * face + 20 * y + x; }

__global__ void paint(cudaSurfaceObject_t cube)
{
    int face = blockIdx.x;
    surfCubemapLayeredwrite(texel(threadIdx.x, threadIdx.y, face), cube, threadIdx.x * 4,
                            threadIdx.y, face);
}

// The ray through the centre of a texel (faces +x -x +y -y +z -z, each as seen from inside).
__host__ __device__ float3 ray(int x, int y, int face)
{
    float s = (x + 0.5f) / (SIDE / 2) - 1, t = (y + 0.5f) / (SIDE / 2) - 1;
    switch (face) {
    case 0: return make_float3(1, -t, -s);
    case 1: return make_float3(-1, -t, s);
    case 2: return make_float3(s, 1, t);
    case 3: return make_float3(s, -1, -t);
    case 4: return make_float3(s, -t, 1);
    default: return make_float3(-s, -t, -1);
    }
}

__global__ void look(cudaTextureObject_t cube, float *out)
{
    int face = blockIdx.x;
    float3 to = ray(threadIdx.x, threadIdx.y, face);
    float4 step = make_float4(0.5f, 0.25f, 0.125f, 0);
    float *at = out + (face * SIDE + threadIdx.y) * SIDE + threadIdx.x;
    switch (threadIdx.x % 3) {
    case 0: *at = texCubemap<float>(cube, 3 * to.x, 3 * to.y, 3 * to.z); break;
    case 1: *at = texCubemapLod<float>(cube, 3 * to.x, 3 * to.y, 3 * to.z, 0); break;
    default: *at = texCubemapGrad<float>(cube, 3 * to.x, 3 * to.y, 3 * to.z, step, step);
    }
}

__global__ void look_in_layer(cudaTextureObject_t cube, float *out, int layer)
{
    int face = blockIdx.x;
    float3 to = ray(threadIdx.x, threadIdx.y, face);
    float4 step = make_float4(0.5f, 0.25f, 0.125f, 0);
    float *at = out + (face * SIDE + threadIdx.y) * SIDE + threadIdx.x;
    switch (threadIdx.x % 3) {
    case 0: *at = texCubemapLayered<float>(cube, to.x, to.y, to.z, layer); break;
    case 1: *at = texCubemapLayeredLod<float>(cube, to.x, to.y, to.z, layer, 0); break;
    default: *at = texCubemapLayeredGrad<float>(cube, to.x, to.y, to.z, layer, step, step);
    }
}

static int wrong(Buffer<float> &out, int first_face)
{
    LAUNCHED();
    std::vector<float> got = out.get();
    int bad = 0;
    for (int face = 0; face < 6; face++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                bad += got[(face * SIDE + y) * SIDE + x] != texel(x, y, first_face + face);
    return bad;
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    Buffer<float> out(RAYS);
    dim3 threads(SIDE, SIDE);
    int bad = 0;
    for (int layers = 1; layers <= LAYERS; layers++) {
        cudaArray_t array;
        CUDA(cudaMalloc3DArray(&array, &format, make_cudaExtent(SIDE, SIDE, 6 * layers),
                               cudaArrayCubemap | cudaArraySurfaceLoadStore |
                                   (layers > 1 ? cudaArrayLayered : 0)));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc how = {};
        how.normalizedCoords = 1;
        cudaSurfaceObject_t surface;
        cudaTextureObject_t texture;
        CUDA(cudaCreateSurfaceObject(&surface, &resource));
        CUDA(cudaCreateTextureObject(&texture, &resource, &how, NULL));
        paint<<<6 * layers, threads>>>(surface);
        for (int layer = 0; layer < layers; layer++) {
            if (layers == 1) look<<<6, threads>>>(texture, out);
            else look_in_layer<<<6, threads>>>(texture, out, layer);
            bad += wrong(out, 6 * layer);
        }
    }
    return verdict(!bad, "%d rays, %d of them wrong", 3 * RAYS, bad);
}
