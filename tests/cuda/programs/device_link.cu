// Relocatable device code: this file, device_link_more.cu and device_link_last.cu call each other's
// device functions and kernels, and share their variables.
#include "check.h"
#include "device_link.h"

#include <numeric>

__device__ int calls[OPERATIONS];
static __device__ int own = 1; // each file has one
__device__ void count_call(int operation) { atomicAdd(&calls[operation], own); }

static __global__ void weigh(int *sums, const int *values)
{
    int i = threadIdx.x;
    sums[i] = weighted(values + i, 4);
}

static __global__ void operate(int *results)
{
    int i = threadIdx.x;
    results[i] = operations[i % OPERATIONS](i, 10);
}

// Recursion through two files.
static __global__ void parity(unsigned *results) { results[threadIdx.x] = even_steps(threadIdx.x); }

// Dynamic shared memory that another file's function finds.
static __global__ void sum_blocks(int *result)
{
    extern __shared__ int mine[];
    mine[threadIdx.x] = twice((int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++) sum += block_sums()[i];
    *result = sum;
}

static __global__ void areas(int *results)
{
    Square square((int)threadIdx.x);
    Shape shape((int)threadIdx.x);
    results[threadIdx.x] = area_of(square) - area_of(shape);
}

static int wrong;
static void expect(bool good, const char *what)
{
    if (!good) printf("wrong: %s\n", what);
    wrong += !good;
}

static void check_variables()
{
    std::vector<int> values(POINTS + 4), wanted(POINTS);
    std::iota(values.begin(), values.end(), 0);
    Buffer<int> data(values), sums(POINTS);
    const int given[4] = {1, 10, 100, 1000}; // the constant of another file
    CUDA(cudaMemcpyToSymbol(weights, given, sizeof given));
    weigh<<<1, POINTS>>>(sums, data);
    LAUNCHED();
    for (int i = 0; i < POINTS; i++) wanted[i] = 1111 * i + 10 + 200 + 3000;
    expect(sums.get() == wanted, "constants of another file");

    Buffer<int> results(POINTS);
    operate<<<1, POINTS>>>(results);
    LAUNCHED();
    for (int i = 0; i < POINTS; i++)
        wanted[i] = i % OPERATIONS == 0 ? i + 10 : i % OPERATIONS == 1 ? i - 10 : i * 10;
    expect(results.get() == wanted, "function pointers of another file");
    int counted[OPERATIONS];
    CUDA(cudaMemcpyFromSymbol(counted, calls, sizeof counted));
    expect(counted[0] == 22 && counted[1] == 21 && counted[2] == 21, "counted calls");
    expect(total_calls() == 64, "a variable of this file, read by another one");
}

static void check_calls()
{
    Buffer<unsigned> even(POINTS);
    parity<<<1, POINTS>>>(even);
    LAUNCHED();
    std::vector<unsigned> found = even.get();
    for (unsigned i = 0; i < POINTS; i++) expect(found[i] == (i % 2 ? 0u : 1u), "recursion");

    Buffer<int> sum(1), results(POINTS);
    sum_blocks<<<1, 32, 32 * sizeof(int)>>>(sum);
    LAUNCHED();
    expect(sum.get()[0] == 2 * 31 * 32 / 2, "dynamic shared memory");
    areas<<<1, POINTS>>>(results);
    LAUNCHED();
    std::vector<int> got = results.get();
    for (int i = 0; i < POINTS; i++) expect(got[i] == i * i, "virtual functions");
}

int main()
{
    check_variables();
    check_calls();
    Buffer<int> values(POINTS);
    fill<int><<<1, POINTS>>>(values, 3);
    scale<<<1, POINTS>>>(values, 5); // a kernel of another file
    scale_there(values, 7);          // the same, launched by a third file, and its template
    LAUNCHED();
    std::vector<int> got = values.get();
    expect(got == std::vector<int>(POINTS, 4 * 7), "kernels of other files");
    return verdict(!wrong, "%d wrong", wrong);
}
