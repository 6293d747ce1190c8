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

static void print_result(void) { printf("%u\n", compute()); }

static bool handled(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
}

// The runtime handles the signals that end a process from outside, and no others.
static void print_signals(void)
{
    for (int number = 1; number < 32; number++)
        if (handled(number)) printf("signal %d is handled\n", number);
}

// ---- ways to end ----

static int end_by_return(void)
{
    print_result();
    print_signals();
    return 3;
}

static int end_by_exit(void)
{
    print_result();
    exit(4);
}

static int end_by_quick_exit(void)
{
    print_result();
    quick_exit(10);
}

static void compute_late(void) { printf("at exit %u\n", compute()); }

static int compute_at_exit(void)
{
    atexit(compute_late);
    print_result();
    return 0;
}

static int end_unused(void) { return 9; }

// ---- threads ----

// Runs at exit, after handlers that were registered later.
static void *exit_with_result(void *nothing)
{
    (void)nothing;
    print_result();
    exit(5);
}

static int exit_from_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, exit_with_result, NULL);
    pthread_join(thread, NULL);
    return 1;
}

static void *launch_forever(void *nothing)
{
    uint32_t result;
    for (;;) add_five(&result);
    return nothing;
}

// Ends while another thread is in a call.
static int end_beside_calls(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, launch_forever, NULL);
    print_result();
    return 6;
}

// ---- a kernel that waits for the host ----

// Launches a kernel that waits for a word, which only the host can set.
static int await_word(uint32_t *word)
{
    const CudaDim3 one = {1, 1, 1};
    void *arguments[] = {&word};
    cudaLaunchKernel(&host_await, one, one, arguments, 0, NULL);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 12;
}

static uint32_t *new_word(void)
{
    void *word = NULL;
    if (cudaMallocHost(&word, 4) == cudaSuccess) *(uint32_t *)word = 0;
    return word;
}

static int await_nothing(void) { return await_word(new_word()); }

static void *set_word(void *word)
{
    usleep(500000);
    *(volatile uint32_t *)word = 1;
    return NULL;
}

static int await_thread(void)
{
    pthread_t thread;
    uint32_t *word = new_word();
    pthread_create(&thread, NULL, set_word, word);
    return await_word(word);
}

static uint32_t *handler_word;
static void set_in_handler(int number)
{
    (void)number;
    *(volatile uint32_t *)handler_word = 1;
}

static int await_handler(void)
{
    handler_word = new_word();
    signal(SIGALRM, set_in_handler);
    alarm(1);
    return await_word(handler_word);
}

// ---- signals ----

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

static int spin_after_result(void)
{
    print_result();
    spin(NULL);
    return 1;
}

// ---- waiting for a signal ----

static int copy_forever(void)
{
    enum { BYTES = 128 << 20 };
    void *data = NULL;
    print_result();
    while (data || cudaMalloc(&data, BYTES) == cudaSuccess) cudaMemset(data, 1, BYTES);
    return 1;
}

static int query_forever(void)
{
    print_result();
    while (cudaStreamQuery(NULL) == cudaSuccess) continue;
    return 1;
}

// In the program's own code, after the device was used.
static int wait_forever(void)
{
    print_result();
    while (pause() == -1) continue;
    return 1;
}

// In the program's own code, before the device is used.
static int wait_unused(void)
{
    printf("started\n");
    while (pause() == -1) continue;
    return 1;
}

// The signal may arrive while the device is opened, or the kernel is loaded.
static int spin_from_start(void)
{
    printf("started\n");
    spin(NULL);
    return 1;
}

// ---- handlers of the program ----

static void own_handler(int number) { _exit(100 + number); }

static int spin_with_handler(void)
{
    signal(SIGTERM, own_handler);
    return spin_after_result();
}

static void exiting_handler(int number) { exit(50 + number); } // from within the launch

static int spin_with_exiting_handler(void)
{
    signal(SIGTERM, exiting_handler);
    return spin_after_result();
}

static int copy_with_exiting_handler(void)
{
    signal(SIGTERM, exiting_handler);
    return copy_forever();
}

// ---- forks ----

// Prints the child's result; returns the child's status.
static int fork_computing(void)
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

static int fork_before_use(void)
{
    int status = fork_computing();
    print_result();
    return status ? 1 : 7;
}

// The child has no device.
static int fork_after_use(void)
{
    print_result();
    return fork_computing() ? 1 : 8;
}

static int fork_unused(void)
{
    pid_t child = fork();
    if (!child) exit(0);
    waitpid(child, NULL, 0);
    return 9;
}

// Forks while another thread is in a launch.
static int fork_beside_launch(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    while (!handled(SIGHUP)) usleep(1000);
    pid_t child = fork();
    if (!child) {
        print_signals();
        _exit(0); // at exit, the leak sanitizer would report the launch's memory
    }
    int status;
    waitpid(child, &status, 0);
    return status ? 1 : 11;
}

static const struct {
    const char *name;
    int (*run)(void); // returns the exit status of the program
} scenarios[] = {
    {"return", end_by_return},
    {"exit", end_by_exit},
    {"quick", end_by_quick_exit},
    {"late", compute_at_exit},
    {"unused", end_unused},
    {"thread", exit_from_thread},
    {"busy", end_beside_calls},
    {"spin", spin_after_result},
    {"copy", copy_forever},
    {"query", query_forever},
    {"wait", wait_forever},
    {"wait-unused", wait_unused},
    {"spin-start", spin_from_start},
    {"handled", spin_with_handler},
    {"exit-handled", spin_with_exiting_handler},
    {"exit-copy", copy_with_exiting_handler},
    {"fork", fork_before_use},
    {"fork-late", fork_after_use},
    {"unused-fork", fork_unused},
    {"fork-spin", fork_beside_launch},
    {"await", await_nothing},
    {"await-thread", await_thread},
    {"await-handler", await_handler},
};

int main(int count, char **arguments)
{
    const char *scenario = count > 1 ? arguments[1] : "";
    setbuf(stdout, NULL);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(scenario, scenarios[i].name)) return scenarios[i].run();
    fprintf(stderr, "no scenario '%s'\n", scenario);
    return 1;
}
