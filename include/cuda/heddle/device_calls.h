// System functions for kernels: printf, malloc, free, and the target of assert. Must precede <new>,
// whose device operators call malloc and free.
#ifndef HEDDLE_CUDA_DEVICE_CALLS_H
#define HEDDLE_CUDA_DEVICE_CALLS_H

#include <stddef.h>

extern "C" {
// The compiler turns printf into vprintf and a buffer of its arguments.
__device__ int printf(const char *, ...);
__device__ int vprintf(const char *, const char *);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *what, const char *file, unsigned line,
                             const char *function, size_t char_size) __attribute__((noreturn));
__device__ static __inline__ void __assert_fail(const char *what, const char *file, unsigned line,
                                                const char *function)
{
    __assertfail(what, file, line, function, 1);
}
}
namespace std
{
__device__ static __inline__ void *malloc(size_t size)
{
    return ::malloc(size);
}
__device__ static __inline__ void free(void *memory)
{
    ::free(memory);
}
} // namespace std

#endif
