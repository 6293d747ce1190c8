// The one context of the process: its lock, its device, the errors that stay.
#include "cudart/runtime/context.h"

#include "base/directories.h"
#include "base/hash.h"
#include "base/host_time.h"
#include "cudart/process/launch_signals.h"
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

// The runtime's life in this process.
typedef enum Phase {
    PHASE_UNOPENED, // no call has needed the device yet
    PHASE_OPEN,
    PHASE_BROKEN,   // it cannot be opened: told once
    PHASE_FORKED,   // a child of the process that opened it: its threads are not here
    PHASE_CLOSED,   // the process is ending
} Phase;

// Lines on stderr. A program that has been told so many different ones has been told enough.
enum { MAX_MESSAGES = 256 };

typedef struct Context {
    pthread_mutex_t lock;
    bool process_watched, fork_warned;
    pid_t process; // that made the first call, as programs with kernels do at their start
    atomic_bool exiting;
    Phase phase;
    Settings settings;
    HdDevice *device;
    double opened; // by the host's clock
    struct timespec begun; // the run, by the clock of files
    Registry registry;
    Allocations allocations;
    RuntimeState state;
    AllocationSites sites;
    CudaError fault;           // cudaSuccess: none
    bool told;                 // a call has returned it
    uint64_t said[MAX_MESSAGES];  // hashes of what was said on stderr
    unsigned said_count;
    const RtKernel *running;   // of the launch under way
    volatile sig_atomic_t end; // the launch under way is to end: the process does
} Context;

// A CUDA runtime is one per process, and its calls name no context.
static Context context = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .state = {.device_pool = POOL_INITIAL},
};
// Of the calling thread: its last error, and the calls that it is in (more than one: a function of
// the program's own, such as a signal handler, calls from within a call).
static _Thread_local CudaError last_error;
static _Thread_local unsigned depth;

// Its hash without the numbers of allocations (#3), which change in a loop.
static uint64_t hash_of(const char *line)
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

// A program that makes the same mistake in a loop is told of it once.
static bool already_printed(const char *line)
{
    uint64_t hash = hash_of(line);
    for (unsigned i = 0; i < context.said_count; i++)
        if (context.said[i] == hash) return true;
    if (context.said_count == MAX_MESSAGES) return true;
    context.said[context.said_count++] = hash;
    return false;
}

void cudart_warn(const char *format, ...)
{
    char line[HD_ERROR_TEXT + 512], told[sizeof line + 512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    allocation_site_annotate(line, told, sizeof told);
    if (already_printed(told)) return;
    fprintf(stderr, "heddle: %s\n", told);
    if (context.said_count == MAX_MESSAGES) fputs("heddle: more of this is left out\n", stderr);
}

// ---- the device ----

static void child_of_fork(void)
{
    signals_restore(); // of a launch in the parent
    pthread_mutex_init(&context.lock, NULL);
    if (context.phase == PHASE_OPEN) context.phase = PHASE_FORKED;
}

// The machines beside this library: build/cudart/ or PREFIX/lib/.../heddle/.
static void find_machines(Directories *directories)
{
    Dl_info info = {0};
    dladdr((const void *)&cudart_version, &info);
    directories_find(directories, &(DirectoryQuery){"HEDDLE_MACHINES", "machines", "/machines",
                                                    info.dli_fname, 4});
}

static bool wants_progress(void)
{
    const char *report = context.settings.report;
    return isatty(STDERR_FILENO) && !(report && !strcmp(report, "none"));
}

static void warn_hang(uint64_t cycle, uint64_t done, uint64_t blocks)
{
    char warps[512], name[256];
    progress_clear(&context.state.progress);
    ptx_base_name(context.running->name, name, sizeof name);
    gpu_describe_warps(cudart_gpu(), warps, sizeof warps);
    cudart_warn("no block of %s has ended for a minute, %" PRIu64 " of %" PRIu64 " have in all, in "
               "%" PRIu64 " cycles. If it waits for what never comes: Ctrl-C ends it, --max-cycles "
               "N sets a limit. Among its warps:\n%s", name, done, blocks, cycle, warps);
}

// A launch takes its time. On a terminal that is told, once it has taken a second.
static void watch(void *nothing, uint64_t cycle, uint64_t done, uint64_t blocks)
{
    enum { PATIENCE = 1 };
    uint64_t launch = gpu_launches(cudart_gpu()) + 1;
    (void)nothing;
    signals_watch(&context.end);
    if (wants_progress())
        progress_update(&context.state.progress, PATIENCE, launch, cycle, done, blocks);
    if (hang_suspected(&context.state.hang, launch, done, host_seconds()))
        warn_hang(cycle, done, blocks);
}

static bool open_device(HdError *err)
{
    Directories directories;
    find_machines(&directories);
    Settings *s = &context.settings;
    if (!settings_read(s, err)) return false;
    HdSimulation options = s->simulation;
    options.directories = directories.paths;
    options.granules = true;
    options.print = printf_buffer_append;
    options.only_totals = true;
    options.stop = &context.end;
    options.progress = watch;
    context.opened = host_seconds();
    fenv_t of_program; // is not to be that of the simulator's threads
    fegetenv(&of_program);
    fesetenv(FE_DFL_ENV);
    context.device = hd_device_simulate(&options, err);
    fesetenv(&of_program);
    return context.device;
}

static void close_context(void);
static void note_exit(void) { context.exiting = true; }

// Once in the process's life.
static void watch_process(void)
{
    if (context.process_watched) return;
    context.process_watched = true;
    context.begun = run_begin_time();
    pthread_atfork(NULL, NULL, child_of_fork);
    atexit(note_exit); // called before what was registered earlier, as kernels are
    at_quick_exit(close_context);
}

static CudaError ready(void)
{
    if (context.phase == PHASE_UNOPENED) {
        HdError err = {0};
        watch_process();
        context.phase = open_device(&err) ? PHASE_OPEN : PHASE_BROKEN;
        if (err.set) cudart_warn("the simulated GPU cannot be opened: %s", err.text);
    }
    if (context.phase == PHASE_FORKED && !context.fork_warned) {
        context.fork_warned = true;
        cudart_warn("a child of fork cannot use the GPU that its parent has opened: fork "
                   "before the first call of CUDA");
    }
    switch (context.phase) {
    case PHASE_OPEN: return cudaSuccess;
    case PHASE_CLOSED: return cudaErrorCudartUnloading;
    default: return cudaErrorInitializationError;
    }
}

// What the program has made on the device; gone: with the device itself.
static void forget(bool gone)
{
    runtime_state_reset(gone);
    memory_reset(gone);
    modules_reset(gone);
}

static void report(int signal)
{
    printf_buffer_flush();
    program_report_write((ProgramReport){.device = context.device, .settings = &context.settings,
                           .seconds = host_seconds() - context.opened, .begun = context.begun,
                           .signal = signal});
}

static void close_device(void)
{
    report(0);
    hd_device_close(context.device);
    context.device = NULL;
    settings_free(&context.settings);
}

// Behind the program's own functions of the exit, and before the libraries that this one needs go.
// A call that another thread is in is ended first. Where the exit comes from within a call (a
// signal handler), or the device belongs to the parent of a fork, the system is left to clean up.
__attribute__((destructor)) static void close_context(void)
{
    static const char no_report[] = "heddle: the program has ended from within a call of the CUDA "
                                    "runtime, as from a signal handler: there is no report\n";
    context.end = 1;
    if (depth) {
        bool wanted = !context.settings.report || strcmp(context.settings.report, "none");
        if (wanted && write(STDERR_FILENO, no_report, sizeof no_report - 1) < 0) return;
        return;
    }
    pthread_mutex_lock(&context.lock);
    if (context.phase == PHASE_OPEN) {
        forget(true);
        close_device();
    } else if (context.phase == PHASE_UNOPENED && context.process == getpid()) {
        program_report_unused();
    }
    allocation_sites_close();
    if (context.phase != PHASE_FORKED) context.phase = PHASE_CLOSED;
    pthread_mutex_unlock(&context.lock);
}

void cudart_stop_launch_at_exit(void)
{
    if (!context.exiting || depth) return;
    if (pthread_mutex_trylock(&context.lock)) context.end = 1;
    else pthread_mutex_unlock(&context.lock);
}

// ---- a call ----

CudaError cudart_enter(CallKind kind)
{
    if (depth++) return cudaErrorNotPermitted;
    pthread_mutex_lock(&context.lock);
    if (!context.process) context.process = getpid();
    if (kind == CALL_HOST) return cudaSuccess;
    CudaError code = ready();
    if (!code && kind == CALL_SYNC) printf_buffer_flush();
    if (code || !context.fault) return code;
    if (kind == CALL_SYNC) context.told = true;
    return context.told ? context.fault : cudaSuccess;
}

CudaError cudart_set_last_error(CudaError code)
{
    if (code) last_error = code;
    return code;
}

CudaError cudart_leave(CudaError code)
{
    if (!--depth) pthread_mutex_unlock(&context.lock);
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

bool cudart_ending(void) { return context.end; }
bool cudart_exiting(void) { return context.exiting; }

void cudart_launch_begin(const RtKernel *kernel)
{
    context.running = kernel;
    // Signals are watched by system calls, which a program that is soon over need not wait for.
    static const double soon = 0.05;
    if (host_seconds() - context.opened > soon) signals_watch(&context.end);
}

void cudart_launch_end(void)
{
    int number = signals_caught();
    if (number) {
        report(number); // which a second signal may cut off
        signals_end_by(number);
    }
    signals_restore();
}

void cudart_set_fault(CudaError code)
{
    if (!context.fault) context.fault = code;
}

bool cudart_faulted(void) { return context.fault; }

void cudart_reset(void)
{
    if (context.phase != PHASE_OPEN) return;
    bool gone = context.fault;
    forget(gone);
    if (gone) close_device();
    if (!gone) return;
    context.phase = PHASE_UNOPENED;
    context.fault = cudaSuccess;
    context.told = false;
    context.said_count = 0;
}
