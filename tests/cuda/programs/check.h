// Shared by the test programs: checked calls, buffers, random numbers, the verdict. The last line
// of each program is PASS or FAIL with its numbers; the exit status is 0 or 1.
#ifndef HEDDLE_TESTS_CUDA_CHECK_H
#define HEDDLE_TESTS_CUDA_CHECK_H

#include <cuda_runtime.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call) check_cuda((call), #call, __LINE__)
static inline void check_cuda(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess) return;
    printf("FAIL: line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
}
// After kernel<<<...>>>(...): checks that the kernel was launched and ended without an error.
#define LAUNCHED()                                                                                 \
    do {                                                                                           \
        CUDA(cudaGetLastError());                                                                  \
        CUDA(cudaDeviceSynchronize());                                                             \
    } while (0)

// A random number generator with the same sequence on every platform.
struct Random {
    unsigned state;
    explicit Random(unsigned seed) : state(seed * 2654435761u + 1) {}
    unsigned next()
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
    unsigned below(unsigned limit) { return next() % limit; }
    float unit() { return (float)(next() >> 8) / 16777216.0f; }
};

// Zeroed or filled device memory, freed with the object.
template <typename T> struct Buffer {
    T *device;
    size_t count;
    explicit Buffer(size_t n) : device(0), count(n)
    {
        CUDA(cudaMalloc(&device, n * sizeof(T)));
        CUDA(cudaMemset(device, 0, n * sizeof(T)));
    }
    explicit Buffer(const std::vector<T> &values) : device(0), count(values.size())
    {
        CUDA(cudaMalloc(&device, count * sizeof(T)));
        put(values);
    }
    ~Buffer() { cudaFree(device); }
    Buffer(const Buffer &) = delete;
    void operator=(const Buffer &) = delete;
    operator T *() const { return device; }
    void put(const std::vector<T> &values)
    {
        CUDA(cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> get() const
    {
        std::vector<T> values(count);
        CUDA(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};

template <typename T> static std::vector<T> random_values(size_t count, unsigned seed)
{
    Random random(seed);
    std::vector<T> values(count);
    for (size_t i = 0; i < count; i++) values[i] = (T)random.unit();
    return values;
}

// The largest difference, relative to the expected value if that is above 1.
template <typename T>
static double difference(const std::vector<T> &got, const std::vector<T> &wanted)
{
    double worst = got.size() == wanted.size() ? 0 : 1e30;
    for (size_t i = 0; i < got.size() && i < wanted.size(); i++) {
        double size = std::fabs((double)wanted[i]);
        double apart = std::fabs((double)got[i] - (double)wanted[i]) / (size > 1 ? size : 1);
        if (!(apart <= worst)) worst = apart;
    }
    return worst;
}

// Prints the last line; returns the exit status.
static inline int verdict(bool passed, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%s: ", passed ? "PASS" : "FAIL");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    return passed ? 0 : 1;
}

static inline unsigned blocks_for(size_t count, unsigned threads)
{
    return (unsigned)((count + threads - 1) / threads);
}

#endif
