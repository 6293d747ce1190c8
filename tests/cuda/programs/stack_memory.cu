// Stack memory that is allocated at run time: arrays whose size differs by thread, freed when their
// function returns, also in recursion. nvcc has alloca and variadic functions for device code.
// clang has neither: the program uses the alloca instruction, and leaves out variadic functions.
#include "check.h"

#ifdef __clang__
__device__ __forceinline__ void *take(size_t bytes)
{
    void *taken;
    asm volatile("alloca.u64 %0, %1, 16;\n\tcvta.local.u64 %0, %0;" : "=l"(taken) : "l"(bytes));
    return taken;
}
#define TAKE(bytes) take(bytes)
#else
#include <alloca.h>
#include <cstdarg>
#define TAKE(bytes) alloca(bytes)
#endif

enum { THREADS = 64, BLOCKS = 2, TURNS = 220 };

// The sum of n squares, from an array that is read backwards.
__device__ __noinline__ int squares(int n)
{
    int *array = (int *)TAKE(n * sizeof(int));
    for (int i = 0; i < n; i++) array[i] = i * i;
    int sum = 0;
    for (int i = n - 1; i >= 0; i--) sum += array[i];
    return sum;
}

// Recursive: the array of each call must keep its values during the inner calls.
__device__ __noinline__ int deep(int n, int levels)
{
    int *array = (int *)TAKE(n * sizeof(int));
    for (int i = 0; i < n; i++) array[i] = i + levels;
    int sum = levels ? deep(n + 1, levels - 1) : 0;
    for (int i = 0; i < n; i++) sum += array[(i * 7) % n];
    return sum;
}

// 220 calls of up to 640 bytes: if returning did not free them, the stack would overflow.
__global__ void many(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) sum += squares((t * 37 + i * 101) % 160);
    out[t] = sum;
}

__global__ void recursive(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = deep(3 + t % 5, 10) + deep(2, t % 3);
}

static int squares_of(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += i * i;
    return sum;
}
static int deep_of(int n, int levels)
{
    int sum = levels ? deep_of(n + 1, levels - 1) : 0;
    for (int i = 0; i < n; i++) sum += (i * 7) % n + levels;
    return sum;
}

#ifndef __clang__
// Sums its arguments. `kinds` has one letter for each: i int, l long long, d double.
__device__ __noinline__ double total(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    double sum = 0;
    for (; *kinds; kinds++)
        sum += *kinds == 'i'   ? (double)va_arg(list, int)
               : *kinds == 'l' ? (double)va_arg(list, long long)
                               : va_arg(list, double);
    va_end(list);
    return sum;
}
__device__ __noinline__ int largest(int count, ...)
{
    va_list list;
    va_start(list, count);
    int most = -1;
    for (int i = 0; i < count; i++) most = max(most, va_arg(list, int));
    va_end(list);
    return most;
}
__global__ void variable(double *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = t % 2 ? total("idli", t, 0.5, 1LL << 40, -1) : total("d", t + 0.25);
    out[t] = sum + largest(3, t, 200, 7) + largest(0);
}
static int variable_wrong()
{
    Buffer<double> out(THREADS * BLOCKS);
    variable<<<BLOCKS, THREADS>>>(out);
    LAUNCHED();
    std::vector<double> got = out.get();
    int wrong = 0;
    for (int t = 0; t < THREADS * BLOCKS; t++) {
        double sum = t % 2 ? t + 0.5 + (double)(1LL << 40) - 1 : t + 0.25;
        wrong += got[t] != sum + (t > 200 ? t : 200) - 1;
    }
    return wrong;
}
#else
static int variable_wrong() { return 0; }
#endif

int main()
{
    Buffer<int> out(THREADS * BLOCKS);
    int wrong = 0;
    many<<<BLOCKS, THREADS>>>(out);
    LAUNCHED();
    std::vector<int> got = out.get();
    for (int t = 0; t < THREADS * BLOCKS; t++) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) sum += squares_of((t * 37 + i * 101) % 160);
        wrong += got[t] != sum;
    }
    recursive<<<BLOCKS, THREADS>>>(out);
    LAUNCHED();
    got = out.get();
    for (int t = 0; t < THREADS * BLOCKS; t++)
        wrong += got[t] != deep_of(3 + t % 5, 10) + deep_of(2, t % 3);
    int variables = variable_wrong();
    return verdict(!wrong && !variables, "%d and %d wrong", wrong, variables);
}
