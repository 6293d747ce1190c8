// Host functions in a stream: each runs after the earlier work of the stream and before the later
// work.
#include "check.h"

__global__ void set(int *value, int to)
{
    *value = to;
}

struct Note {
    int *host;
    std::vector<int> seen;
};

static void look(void *data)
{
    Note *note = (Note *)data;
    note->seen.push_back(*note->host);
}
static void look_at_stream(cudaStream_t, cudaError_t status, void *data)
{
    Note *note = (Note *)data;
    note->seen.push_back(status == cudaSuccess ? -*note->host : 0);
}

int main()
{
    cudaStream_t stream;
    Note note;
    Buffer<int> value(1);
    CUDA(cudaMallocHost(&note.host, sizeof(int)));
    CUDA(cudaStreamCreate(&stream));
    for (int i = 1; i <= 4; i++) {
        set<<<1, 1, 0, stream>>>(value, i);
        CUDA(cudaMemcpyAsync(note.host, value, sizeof(int), cudaMemcpyDeviceToHost, stream));
        if (i % 2)
            CUDA(cudaLaunchHostFunc(stream, look, &note));
        else
            CUDA(cudaStreamAddCallback(stream, look_at_stream, &note, 0));
    }
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaStreamDestroy(stream));
    int wanted[] = {1, -2, 3, -4};
    bool right = note.seen == std::vector<int>(wanted, wanted + 4);
    CUDA(cudaFreeHost(note.host));
    return verdict(right, "%zu calls", note.seen.size());
}
