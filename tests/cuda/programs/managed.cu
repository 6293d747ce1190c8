// Managed memory: host and device alternately use the same pointers, also inside a structure.
#include "check.h"

enum { COUNT = 1000 };

struct Table {
    int count;
    float *values;
};

__global__ void square(Table *table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < table->count) table->values[i] *= table->values[i];
}

int main()
{
    Table *table;
    CUDA(cudaMallocManaged(&table, sizeof *table));
    table->count = COUNT;
    CUDA(cudaMallocManaged(&table->values, COUNT * sizeof(float)));
    for (int i = 0; i < COUNT; i++) table->values[i] = (float)i;
    for (int round = 0; round < 2; round++) {
        square<<<blocks_for(COUNT, 128), 128>>>(table);
        LAUNCHED();
        for (int i = 0; i < COUNT; i++) table->values[i] += 1; // the host writes between launches
    }
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        float x = (float)i * (float)i + 1;
        wrong += table->values[i] != x * x + 1;
    }
    cudaPointerAttributes attributes;
    CUDA(cudaPointerGetAttributes(&attributes, table->values));
    bool managed = attributes.type == cudaMemoryTypeManaged;
    CUDA(cudaFree(table->values));
    CUDA(cudaFree(table));
    return verdict(!wrong && managed, "%d values, %d wrong", COUNT, wrong);
}
