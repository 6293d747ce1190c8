// Host threads that use the device at once, each with its own stream, memory and last error.
#include "check.h"

#include <thread>

enum { THREADS = 4, ROUNDS = 5, COUNT = 512 };

__global__ void mix(unsigned *values, unsigned seed)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = (values[i] ^ seed) * 2654435761u + i;
}

static void work(unsigned thread, bool *right)
{
    std::vector<unsigned> values(COUNT), wanted(COUNT);
    cudaStream_t stream;
    unsigned *device;
    *right = cudaMalloc(&device, COUNT * sizeof(unsigned)) == cudaSuccess &&
             cudaStreamCreate(&stream) == cudaSuccess;
    if (!*right) return;
    for (unsigned i = 0; i < COUNT; i++) values[i] = wanted[i] = i * thread;
    for (unsigned round = 0; round < ROUNDS; round++) {
        *right &= !cudaMemcpyAsync(device, values.data(), COUNT * sizeof(unsigned),
                                   cudaMemcpyHostToDevice, stream);
        mix<<<COUNT / 128, 128, 0, stream>>>(device, thread * 77 + round);
        *right &= !cudaMemcpyAsync(values.data(), device, COUNT * sizeof(unsigned),
                                   cudaMemcpyDeviceToHost, stream);
        *right &= !cudaStreamSynchronize(stream);
        for (unsigned i = 0; i < COUNT; i++)
            wanted[i] = (wanted[i] ^ (thread * 77 + round)) * 2654435761u + i;
    }
    if (thread == 1) { // sets the last error of this thread only
        *right &= cudaMemcpy(device, 0, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection;
        *right &= cudaGetLastError() == cudaErrorInvalidMemcpyDirection;
    } else {
        *right &= cudaGetLastError() == cudaSuccess;
    }
    *right &= values == wanted && !cudaFree(device) && !cudaStreamDestroy(stream);
}

int main()
{
    bool right[THREADS];
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < THREADS; i++) threads.push_back(std::thread(work, i, &right[i]));
    for (std::thread &t : threads) t.join();
    int good = 0;
    for (bool r : right) good += r;
    return verdict(good == THREADS, "%d of %d threads", good, THREADS);
}
