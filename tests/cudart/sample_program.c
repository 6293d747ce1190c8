// A program on the drop-in library, for process.sh: sample_program SCENARIO. Prints what it
// computes, and ends in the scenario's way.
#include "sample_module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void **module;

// Adds 5 to one element on the device.
static bool add_five(uint32_t *result)
{
    const CudaDim3 one = {1, 1, 1};
    uint32_t amount = 5;
    void *data = NULL, *arguments[] = {&data, &amount};
    return cudaMalloc(&data, 4) == cudaSuccess && cudaMemset(data, 0, 4) == cudaSuccess &&
           cudaLaunchKernel(&host_add, one, one, arguments, 0, NULL) == cudaSuccess &&
           cudaMemcpy(result, data, 4, CUDA_DEVICE_TO_HOST) == cudaSuccess &&
           cudaFree(data) == cudaSuccess;
}

static uint32_t compute(void)
{
    uint32_t result = 0;
    if (!add_five(&result)) printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return result;
}

__attribute__((constructor)) static void begin(void) { module = module_open(0); }
__attribute__((destructor)) static void end(void) { module_close(module); }

static void compute_late(void) { printf("at exit %u\n", compute()); }

// Runs at exit, after handlers that were registered later.
static void *exit_from_thread(void *nothing)
{
    (void)nothing;
    printf("%u\n", compute());
    exit(5);
}

static void *launch_forever(void *nothing)
{
    uint32_t result;
    for (;;) add_five(&result);
    return nothing;
}

// Launches a kernel that never ends.
static void *spin(void *nothing)
{
    const CudaDim3 one = {1, 1, 1};
    void *data = NULL, *arguments[] = {&data};
    if (cudaMalloc(&data, 4) == cudaSuccess && cudaMemset(data, 0, 4) == cudaSuccess)
        cudaLaunchKernel(&host_spin, one, one, arguments, 0, NULL);
    cudaDeviceSynchronize();
    return nothing;
}

static void own_handler(int number) { _exit(100 + number); }
static void exiting_handler(int number) { exit(50 + number); } // from within the launch

static void count_signals(void)
{
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) || action.sa_handler == SIG_DFL) continue;
        printf("signal %d is handled\n", number);
    }
}

static bool handled(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
}

// Forks while another thread is in a launch.
static int fork_beside_launch(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    while (!handled(SIGHUP)) usleep(1000);
    pid_t child = fork();
    if (!child) {
        count_signals();
        _exit(0); // the leak sanitizer would not know what the launch has
    }
    int status;
    waitpid(child, &status, 0);
    return status;
}

static int forked(void)
{
    pid_t child = fork();
    if (!child) {
        printf("child %u\n", compute());
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return status;
}

int main(int count, char **arguments)
{
    const char *scenario = count > 1 ? arguments[1] : "";
    setbuf(stdout, NULL);
    if (!strcmp(scenario, "return")) {
        printf("%u\n", compute());
        count_signals();
        return 3;
    }
    if (!strcmp(scenario, "exit")) {
        printf("%u\n", compute());
        exit(4);
    }
    if (!strcmp(scenario, "late")) {
        atexit(compute_late);
        printf("%u\n", compute());
        return 0;
    }
    if (!strcmp(scenario, "thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, exit_from_thread, NULL);
        pthread_join(thread, NULL);
    }
    if (!strcmp(scenario, "busy")) { // ends while another thread is in a call
        pthread_t thread;
        pthread_create(&thread, NULL, launch_forever, NULL);
        printf("%u\n", compute());
        return 6;
    }
    if (!strcmp(scenario, "fork")) {
        int status = forked();
        printf("%u\n", compute());
        return status ? 1 : 7;
    }
    if (!strcmp(scenario, "fork-late")) { // the child has no device
        printf("%u\n", compute());
        return forked() ? 1 : 8;
    }
    if (!strcmp(scenario, "unused")) return 9;
    if (!strcmp(scenario, "unused-fork")) {
        pid_t child = fork();
        if (!child) exit(0);
        waitpid(child, NULL, 0);
        return 9;
    }
    if (!strcmp(scenario, "quick")) {
        printf("%u\n", compute());
        quick_exit(10);
    }
    if (!strcmp(scenario, "spin")) {
        printf("%u\n", compute());
        spin(NULL);
    }
    if (!strcmp(scenario, "handled") || !strcmp(scenario, "exit-handled")) {
        signal(SIGTERM, strcmp(scenario, "handled") ? exiting_handler : own_handler);
        printf("%u\n", compute());
        spin(NULL);
    }
    if (!strcmp(scenario, "fork-spin")) return fork_beside_launch() ? 1 : 11;
    fprintf(stderr, "no scenario '%s'\n", scenario);
    return 1;
}
