// Streams and events: order within a stream, waiting for another stream, and elapsed times.
#include "check.h"

enum { COUNT = 2048, STREAMS = 3 };

__global__ void times_plus(int *values, int factor, int addend)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * factor + addend;
}
__global__ void wait(int turns, int *out)
{
    int sum = 0;
    for (int i = 0; i < turns; i++) sum += i * sum + 1;
    out[threadIdx.x] = sum;
}

int main()
{
    cudaStream_t streams[STREAMS];
    cudaEvent_t begin, end, ready, longer;
    int *host, *device;
    CUDA(cudaMallocHost(&host, COUNT * STREAMS * sizeof(int)));
    CUDA(cudaMalloc(&device, COUNT * STREAMS * sizeof(int)));
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventCreate(&longer));
    CUDA(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    for (int i = 0; i < COUNT * STREAMS; i++) host[i] = i;
    for (int s = 0; s < STREAMS; s++) CUDA(cudaStreamCreate(&streams[s]));
    CUDA(cudaEventRecord(begin));
    for (int s = 0; s < STREAMS; s++) {
        int *part = device + s * COUNT;
        CUDA(cudaMemcpyAsync(part, host + s * COUNT, COUNT * sizeof(int), cudaMemcpyHostToDevice,
                             streams[s]));
        times_plus<<<COUNT / 256, 256, 0, streams[s]>>>(part, 3, s);
    }
    // The first stream waits for the last stream, and works on its part.
    CUDA(cudaEventRecord(ready, streams[STREAMS - 1]));
    CUDA(cudaStreamWaitEvent(streams[0], ready, 0));
    times_plus<<<COUNT / 256, 256, 0, streams[0]>>>(device + (STREAMS - 1) * COUNT, 2, 1);
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(host, device, COUNT * STREAMS * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < COUNT * STREAMS; i++) {
        int s = i / COUNT, value = 3 * i + s;
        wrong += host[i] != (s == STREAMS - 1 ? 2 * value + 1 : value);
    }
    float first = -1, second = -1, none = -1;
    CUDA(cudaEventElapsedTime(&first, begin, end));
    CUDA(cudaEventRecord(end));
    wait<<<1, 32>>>(3000, device);
    CUDA(cudaEventRecord(longer));
    CUDA(cudaEventSynchronize(longer));
    CUDA(cudaEventElapsedTime(&second, end, longer));
    bool refused = cudaEventElapsedTime(&none, ready, longer) == cudaErrorInvalidResourceHandle;
    cudaGetLastError();
    bool idle = cudaStreamQuery(streams[1]) == cudaSuccess && cudaEventQuery(longer) == cudaSuccess;
    for (int s = 0; s < STREAMS; s++) CUDA(cudaStreamDestroy(streams[s]));
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaFreeHost(host));
    CUDA(cudaFree(device));
    return verdict(!wrong && first > 0 && second > 0.001f && second < 10 && refused && idle,
                   "%d wrong, %.1f us and %.1f us", wrong, 1000 * first, 1000 * second);
}
