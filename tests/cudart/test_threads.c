// Threads of a program call the runtime at the same time. Each has its own memory, launches and
// last error.
#include "stderr_capture.h"

#include "sample_module.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 20, ELEMENTS = 64 };

typedef struct Worker {
    pthread_t thread;
    uint32_t number;
    const char *failed; // NULL: no failure
} Worker;

#define NEED(condition)                                                                            \
    if (!(condition)) return #condition

static const char *round_of(uint32_t number, uint32_t round)
{
    uint32_t host[ELEMENTS], amount = 1000 * number + round;
    void *data, *handle, *arguments[] = {&data, &amount};
    CudaDim3 grid = {1, 1, 1}, block = {ELEMENTS, 1, 1};
    size_t shared;
    CudaStream stream;
    for (uint32_t i = 0; i < ELEMENTS; i++) host[i] = number + i;
    NEED(cudaMalloc(&data, sizeof host) == cudaSuccess);
    NEED(cudaMemcpy(data, host, sizeof host, CUDA_HOST_TO_DEVICE) == cudaSuccess);
    NEED(__cudaPushCallConfiguration(grid, block, number, NULL) == 0);
    NEED(__cudaGetKernel(&handle, &host_add) == cudaSuccess);
    NEED(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
    NEED(shared == number);
    NEED(__cudaLaunchKernel(handle, grid, block, arguments, 0, stream) == cudaSuccess);
    NEED(cudaDeviceSynchronize() == cudaSuccess);
    memset(host, 0, sizeof host);
    NEED(cudaMemcpy(host, data, sizeof host, CUDA_DEVICE_TO_HOST) == cudaSuccess);
    for (uint32_t i = 0; i < ELEMENTS; i++) NEED(host[i] == number + i + amount);
    NEED(cudaFree(data) == cudaSuccess);
    // The last error is per thread.
    if (number % 2) NEED(cudaMemcpy(NULL, host, 4, (CudaCopyKind)9) != cudaSuccess);
    NEED(cudaGetLastError() == (number % 2 ? cudaErrorInvalidMemcpyDirection : cudaSuccess));
    return NULL;
}

static void *work(void *argument)
{
    Worker *worker = argument;
    for (uint32_t round = 0; round < ROUNDS && !worker->failed; round++)
        worker->failed = round_of(worker->number, round);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    void **module = module_open(1);
    Worker workers[THREADS] = {0};
    stderr_capture_begin();
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i].number = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    stderr_capture_end();
    for (uint32_t i = 0; i < THREADS; i++)
        if (workers[i].failed) fail_msg("thread %u: not %s", (unsigned)i, workers[i].failed);
    module_close(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, small_gpu, NULL);
}
