// For CUDA programs: says where a graph search has its arrays, for the mechanism `dsap` of Heddle.
//
// guo2018dsap, section III.D and its Algorithm 3. On Heddle's runtime with `dsap` in the run, the
// prefetchers learn the addresses. On any other runtime, and without `dsap`, cudaMallocMark is
// cudaMalloc and the other functions do nothing.
//
//     cudaMallocMark(&worklist, bytes, 0);    // vertices to be searched
//     cudaMallocMark(&vertexlist, bytes, 1);  // the first edge of each vertex
//     cudaMallocMark(&edgelist, bytes, 2);    // the heads of the edges
//     cudaMallocMark(&visitedlist, bytes, 3); // a word of each vertex
//     while (wl_size != 0) {
//         cudaUpdateWl(wl_size);
//         bfs_kernel<<<...>>>(...);
//         ...
//     }
//
// Elements have 4 bytes, but for cudaMarkElements. A call that the mechanism refuses returns
// cudaErrorInvalidValue, and the reason is printed on stderr: docs/mechanisms/dsap.md.
#ifndef HEDDLE_DSAP_H
#define HEDDLE_DSAP_H

#include <cuda_runtime_api.h>

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#ifndef RTLD_DEFAULT
#define RTLD_DEFAULT ((void *)0) /* where dlfcn.h has it for _GNU_SOURCE only */
#endif

// Each file has its own copies. They are not inlined, so that reports name the line of the caller.
#define HEDDLE_DSAP_FUNCTION static __attribute__((unused, noinline)) cudaError_t

// Calls the mechanism, if the runtime is Heddle's.
HEDDLE_DSAP_FUNCTION heddle_dsap_call(const char *verb, const uint64_t *values, size_t count)
{
    cudaError_t (*call)(const char *, const char *, const uint64_t *, size_t);
    *(void **)&call = dlsym(RTLD_DEFAULT, "heddle_call");
    return call ? call("dsap", verb, values, count) : cudaSuccess;
}

// Marks allocated memory as array `id` of the search, in place of the array that was it before. An
// element has `element` bytes, 4 or 8. Not in the paper.
HEDDLE_DSAP_FUNCTION cudaMarkElements(const void *pointer, size_t bytes, int id, size_t element)
{
    const uint64_t values[4] = {(uint64_t)id, (uint64_t)(uintptr_t)pointer, bytes, element};
    return heddle_dsap_call("mark", values, 4);
}

// The same with elements of 4 bytes, for programs that swap two work lists.
HEDDLE_DSAP_FUNCTION cudaMark(const void *pointer, size_t bytes, int id)
{
    return cudaMarkElements(pointer, bytes, id, 4);
}

// Allocates memory and marks it as array `id` of the search, 0 to 3. If either fails, nothing is
// allocated.
HEDDLE_DSAP_FUNCTION cudaMallocMark(void **pointer, size_t bytes, int id)
{
    cudaError_t code = cudaMalloc(pointer, bytes);
    if (code != cudaSuccess) return code;
    code = cudaMark(*pointer, bytes, id);
    if (code == cudaSuccess) return code;
    cudaFree(*pointer);
    *pointer = NULL;
    return code;
}

// The number of entries of the work list, from the next kernel on.
HEDDLE_DSAP_FUNCTION cudaUpdateWl(size_t entries)
{
    const uint64_t values[1] = {entries};
    return heddle_dsap_call("size", values, 1);
}

#if defined(__cplusplus)
template <class T> static inline cudaError_t cudaMallocMark(T **pointer, size_t bytes, int id)
{
    return cudaMallocMark((void **)(void *)pointer, bytes, id);
}
#endif

#endif
