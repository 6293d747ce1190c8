// The context of the process: its lock, its device, the sticky errors.
#include "cudart/runtime/process_context.h"

#include "base/directories.h"
#include "base/hash.h"
#include "base/host_time.h"
#include "base/number.h"
#include "base/text.h"
#include "cudart/launch/hang_report.h"
#include "cudart/process/ending_signals.h"
#include "cudart/process/output_files.h"
#include "cudart/report/allocation_sites.h"
#include "cudart/report/printf_buffer.h"
#include "cudart/report/program_report.h"
#include "cudart/runtime/runtime_state.h"

#include <dlfcn.h>
#include <fenv.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Life cycle of the runtime in this process.
typedef enum Phase {
    PHASE_UNOPENED, // no call has needed the device yet
    PHASE_OPEN,
    PHASE_BROKEN,   // opening failed, which was reported
    PHASE_FORKED,   // a forked child: the simulator's threads exist only in the parent
    PHASE_CLOSED,   // the process is exiting
} Phase;

// The maximum number of different lines on stderr.
enum { MAX_MESSAGES = 256 };

typedef struct Context {
    pthread_mutex_t lock;
    bool process_watched, fork_watched, fork_warned, signals_watched;
    bool reported; // a device was closed, after its report
    atomic_bool last_report; // the process ends after the report that is being written
    pid_t process; // made the first call; a program with kernels does so before main
    atomic_bool exiting;
    Phase phase;
    Settings settings;
    HdDevice *device;
    double opened;         // time of opening the device, host_seconds()
    struct timespec begun; // start of the run, by the clock of file times
    Registry registry;
    Allocations allocations;
    RuntimeState state;
    AllocationSites sites;
    CudaError fault;     // cudaSuccess: none
    bool fault_reported; // a call has returned it
    uint64_t messages[MAX_MESSAGES]; // hashes of the lines on stderr
    unsigned message_count;
    const RtKernel *running;   // kernel of the current launch
    volatile sig_atomic_t end; // nonzero: the current launch or copy must stop
    bool resting; // the call that holds the lock may be left for ever: see cudart_rest
} Context;

// Global, because a process has one CUDA runtime and its API passes no context.
static Context context = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .state = {.device_pool = POOL_INITIAL},
};
// The calling thread's last error, and how many API calls it is in: two, if a signal handler or a
// callback of the program calls the API during a call.
static _Thread_local CudaError last_error;
static _Thread_local unsigned depth;

// Hashes a line without allocation numbers ("#3"), which change in a loop.
static uint64_t message_hash(const char *line)
{
    uint64_t hash = HASH_START;
    while (*line) {
        size_t part = strcspn(line, "#");
        hash = hash_bytes(hash, line, part);
        line += part;
        if (*line) line += 1 + strspn(line + 1, "0123456789");
    }
    return hash;
}

// Whether the line was printed before: a mistake in a loop is reported once.
static bool already_printed(const char *line)
{
    uint64_t hash = message_hash(line);
    for (unsigned i = 0; i < context.message_count; i++)
        if (context.messages[i] == hash) return true;
    if (context.message_count == MAX_MESSAGES) return true;
    context.messages[context.message_count++] = hash;
    return false;
}

void cudart_warn(const char *format, ...)
{
    char line[HD_ERROR_TEXT + 1024], annotated[sizeof line];
    va_list arguments;
    va_start(arguments, format);
    number_format_list(line, sizeof line, format, arguments);
    va_end(arguments);
    allocation_site_annotate(line, annotated, sizeof annotated);
    text_escape(line, sizeof line, annotated, "\n\t");
    if (already_printed(line)) return;
    fprintf(stderr, "heddle: %s\n", line);
    if (context.message_count == MAX_MESSAGES)
        fputs("heddle: further messages are suppressed\n", stderr);
}

// ---- the device ----

static void child_of_fork(void)
{
    signals_forget();
    context.signals_watched = false;
    context.end = 0; // the parent may be ending
    pthread_mutex_init(&context.lock, NULL);
    if (context.phase == PHASE_OPEN) context.phase = PHASE_FORKED;
}

// HdSimulation.progress. On a terminal, shows progress once a launch has taken one second.
static void watch(void *nothing, uint64_t cycle, uint64_t done, uint64_t blocks)
{
    enum { PATIENCE = 1 }; // seconds
    (void)nothing;
    const char *report = context.settings.report;
    bool quiet = report && !strcmp(report, "none");
    if (!quiet && isatty(STDERR_FILENO))
        progress_update(&context.state.progress, PATIENCE, gpu_launches(cudart_gpu()) + 1, cycle,
                        done, blocks);
    context.resting = true;
    signals_deliver();
    context.resting = false;
}

static bool open_device(HdError *err)
{
    // Machine files are found from this library, in build/cudart/ or PREFIX/lib/.../heddle/.
    Dl_info info = {0};
    dladdr((const void *)&cudart_version, &info);
    Directories directories;
    directories_find(&directories, &(DirectoryQuery){"HEDDLE_MACHINES", "machines", "/machines",
                                                     info.dli_fname, 4});
    Settings *s = &context.settings;
    if (!settings_read(s, err)) return false;
    HdSimulation options = s->simulation;
    options.directories = directories.paths;
    options.granules = true;
    options.print = printf_buffer_append;
    options.only_totals = !s->per_kernel && !s->store; // a program may launch millions of kernels
    options.stop = &context.end;
    options.progress = watch;
    context.opened = host_seconds();
    fenv_t of_program; // the simulator's threads must not inherit it
    fegetenv(&of_program);
    fesetenv(FE_DFL_ENV);
    context.device = hd_device_simulate(&options, err);
    fesetenv(&of_program);
    if (context.device) gpu_on_hang(cudart_gpu(), hang_report, NULL);
    return context.device;
}

static void close_context(void);
static void note_exit(void) { context.exiting = true; }

// Installs the handlers of exit, once per process.
static void watch_process(void)
{
    if (context.process_watched) return;
    context.process_watched = true;
    context.begun = run_begin_time();
    atexit(note_exit); // runs before the unregistration of kernels, which was registered earlier
    at_quick_exit(close_context);
}

static CudaError ready(void)
{
    if (context.phase == PHASE_UNOPENED) {
        HdError err = {0};
        watch_process();
        context.phase = open_device(&err) ? PHASE_OPEN : PHASE_BROKEN;
        if (err.set) cudart_warn("cannot open the simulated GPU: %s", err.text);
    }
    if (context.phase == PHASE_FORKED && !context.fork_warned) {
        context.fork_warned = true;
        cudart_warn("a forked child cannot use the GPU that its parent opened: expected fork "
                    "before the first CUDA call");
    }
    switch (context.phase) {
    case PHASE_OPEN: return cudaSuccess;
    case PHASE_CLOSED: return cudaErrorCudartUnloading;
    default: return cudaErrorInitializationError;
    }
}

// Destroys what the program created on the device. `closing`: the device is closed next.
static void destroy_objects(bool closing)
{
    runtime_state_reset(closing);
    memory_reset(closing);
    modules_reset(closing);
}

static void report(int signal)
{
    printf_buffer_flush();
    program_report_write((ProgramReport){.device = context.device,
                                         .settings = &context.settings,
                                         .seconds = host_seconds() - context.opened,
                                         .begun = context.begun,
                                         .signal = signal});
}

static void close_device(void)
{
    report(0);
    context.reported = true;
    hd_device_close(context.device);
    context.device = NULL;
    settings_free(&context.settings);
}

// For a process that ends while a call holds the lock: calls nothing that another thread may be in.
static void print_no_report(const char *line)
{
    const char *report = context.settings.report;
    if (report && !strcmp(report, "none")) return;
    if (write(STDERR_FILENO, line, strlen(line)) < 0) return; // a closed stderr is no error
}

// A handler of the program exits while the call that it interrupted rests.
static void report_in_call(void)
{
    context.last_report = true;
    gpu_abandon(cudart_gpu());
    report(0);
}

// Runs after the program's own exit handlers, and before the libraries that this one needs unload.
// First stops a launch that another thread is in. Leaves cleaning up to the system if the process
// exits from within a call (a signal handler), or if the device belongs to the parent of a fork.
__attribute__((destructor)) static void close_context(void)
{
    context.end = 1;
    if (depth && context.resting) {
        report_in_call();
        return;
    }
    if (depth) {
        print_no_report("heddle: no report: the program exited during a CUDA runtime call, as from "
                        "a signal handler\n");
        return;
    }
    pthread_mutex_lock(&context.lock);
    context.last_report = true;
    if (context.phase == PHASE_OPEN) {
        destroy_objects(true);
        close_device();
    } else if (context.phase == PHASE_UNOPENED && context.process == getpid()) {
        program_report_unused();
    }
    allocation_sites_close();
    if (context.phase != PHASE_FORKED) context.phase = PHASE_CLOSED;
    pthread_mutex_unlock(&context.lock);
    signals_close();
}

void cudart_stop_launch_at_exit(void)
{
    if (!context.exiting || depth) return;
    if (pthread_mutex_trylock(&context.lock)) context.end = 1;
    else pthread_mutex_unlock(&context.lock);
}

// ---- signals ----

// Writes the report, and ends the process by the signal. Requires the lock. A program that has not
// used its GPU yet gets a report as well, of no launch.
_Noreturn static void end_by_signal(int number)
{
    context.last_report = true;
    if (context.phase == PHASE_UNOPENED && !context.reported && context.registry.modules) ready();
    if (context.phase == PHASE_OPEN) report(number); // a second signal may cut this off
    signals_end_by(number);
}

// In the thread of the signals. A call that holds the lock ends soon, and then the process with it
// (cudart_leave).
static void end_soon(int number)
{
    static const long patience = 700000000; // nanoseconds
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += patience;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (pthread_mutex_timedlock(&context.lock, &until) != 0) {
        until.tv_sec++;
        if (context.last_report) continue;
        print_no_report("heddle: no report: a CUDA runtime call did not end\n");
        signals_end_by(number);
    }
    end_by_signal(number);
}

// From the first call on, which registers kernels before main.
static void watch_signals(void)
{
    if (context.signals_watched || context.phase > PHASE_OPEN) return;
    if (!context.fork_watched) pthread_atfork(NULL, NULL, child_of_fork);
    context.fork_watched = context.signals_watched = true;
    signals_watch(&context.end, end_soon);
}

// ---- a call ----

CudaError cudart_enter(CallKind kind)
{
    if (depth++) return cudaErrorNotPermitted;
    pthread_mutex_lock(&context.lock);
    if (!context.process) context.process = getpid();
    watch_signals();
    if (signals_caught()) end_by_signal(signals_caught());
    if (kind == CALL_HOST) return cudaSuccess;
    CudaError code = ready();
    if (!code && kind == CALL_SYNC) {
        printf_buffer_flush();
        gpu_host_waits(cudart_gpu());
    }
    if (code || !context.fault) return code;
    if (kind == CALL_SYNC) context.fault_reported = true;
    return context.fault_reported ? context.fault : cudaSuccess;
}

CudaError cudart_set_last_error(CudaError code)
{
    if (code) last_error = code;
    return code;
}

CudaError cudart_leave(CudaError code)
{
    if (!--depth) {
        if (signals_caught()) end_by_signal(signals_caught());
        pthread_mutex_unlock(&context.lock);
        signals_resume();
    }
    return cudart_set_last_error(code);
}

CudaError cudart_last_error(bool clear)
{
    CudaError code = last_error;
    if (clear) last_error = cudaSuccess;
    return code;
}

Registry *cudart_registry(void) { return &context.registry; }
Allocations *cudart_allocations(void) { return &context.allocations; }
RuntimeState *cudart_state(void) { return &context.state; }
AllocationSites *cudart_allocation_sites(void) { return &context.sites; }
Gpu *cudart_gpu(void) { return device_sim_gpu(context.device); }
HdDevice *cudart_device(void) { return context.device; }
const Settings *cudart_settings(void) { return &context.settings; }

void cudart_rest(bool resting) { context.resting = resting; }

bool cudart_ending(void) { return context.end; }
bool cudart_exiting(void) { return context.exiting; }

void cudart_launch_begin(const RtKernel *kernel) { context.running = kernel; }

void cudart_set_fault(CudaError code)
{
    if (!context.fault) context.fault = code;
}

bool cudart_faulted(void) { return context.fault; }

void cudart_reset(void)
{
    if (context.phase != PHASE_OPEN) return;
    bool closing = context.fault;
    destroy_objects(closing);
    if (!closing) return;
    close_device();
    context.phase = PHASE_UNOPENED;
    context.fault = cudaSuccess;
    context.fault_reported = false;
    context.message_count = 0;
}
