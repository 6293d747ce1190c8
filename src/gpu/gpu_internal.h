// The inside of the GPU, shared by the files of src/gpu.
#ifndef HEDDLE_GPU_GPU_INTERNAL_H
#define HEDDLE_GPU_GPU_INTERNAL_H

#include "base/team.h"
#include "core/sm.h"
#include "exec/heap.h"
#include "exec/texture.h"
#include "gpu/gpu.h"

typedef struct LoadedModule {
    PtxModule *module;
    uint32_t *pc_base;  // by function: its first static instruction number
    uint32_t *totals;   // by function: its place in Gpu.kernels + 1, 0: not launched yet
    uint8_t *constants; // the constant bank
    uint64_t constants_at; // where it is device memory (gpu_constants); 0: it is the host's
} LoadedModule;

// How an SM's quantum ended.
typedef struct SmOutcome {
    bool ok;
    HdError err;
} SmOutcome;

struct Gpu {
    Machine machine;
    GpuOptions options;
    uint64_t seed;
    Clocks clocks;
    GuestMemory memory;
    TextureTable *textures;
    MemorySide *memory_side;
    Tick forward;      // least ticks from an SM to a slice
    uint64_t quantum;  // core cycles
    uint64_t cycle;    // where all SMs stand
    Sm **sms;
    CacheHooks **l1_hooks, **l2_hooks; // by SM, by slice; NULL without mechanisms
    Outbox **outboxes;
    Inbox **inboxes;
    StoreLog **logs;
    Team *team;        // host threads; NULL: the caller alone
    unsigned *order;   // of the SMs in a quantum; those that act in it first
    SmOutcome *outcomes; // by SM: of its last quantum
    bool failed;
    SmFault fault; // of the last launch
    LaunchStop stop;
    LoadedModule *modules;
    size_t module_count, module_capacity;
    uint32_t pcs;      // static instructions of all modules
    HookCounters counters_before[HOOK_LEVELS]; // mechanisms_counters at the launch's beginning
    uint64_t launches;        // that have ended
    bool last_functional;     // was the last of them without time?
    unsigned active_sms;         // the first SMs, which take part in the launch under way
    CacheConfig l1d;          // of the last launch
    uint64_t l1d_changes;     // how often it was another than that of the launch before
    LaunchResult *results, total, functional;
    size_t result_count, result_capacity;
    LaunchResult recent;      // with only_totals: the last launch's, whose tables serve again
    KernelTotal *kernels;
    size_t kernel_count, kernel_capacity;
    atomic_bool system_pending; // an SM has something for system_serve
    size_t *system_heads;    // by SM: what of its lists is done
    GuestHeap *heap;         // of malloc; NULL: not yet
    uint64_t heap_bytes;     // 0: as it comes
    char **notices;
    size_t notice_count, notice_capacity;
    uint8_t *noticed;        // by static instruction: it has a notice
    size_t noticed_size;
    GpuTrace trace;    // put NULL: none
    SmTrace traced;    // its text of this quantum
    unsigned progress_polls;    // progress
    double last_progress;
};

// A launch in progress.
typedef struct LaunchState {
    SmLaunch launch;
    uint64_t blocks, next_block, start;
    bool timed;
    size_t allocations, pcs;
    uint32_t registers;
    const char *limit;  // of blocks_per_sm
    uint32_t places;    // blocks that all SMs together may hold
} LaunchState;

// ---- modules.c ----
void modules_free(Gpu *gpu);
const LoadedModule *module_of(const Gpu *gpu, const PtxModule *module);

// ---- launch.c ----
// Checks the launch against the machine and works out everything that is the same for its blocks.
bool launch_prepare(Gpu *gpu, const Launch *launch, LaunchState *state, HdError *err);

// ---- launch_result.c ----
// Collects what the launch counted into its record and the totals; checks the conservation laws.
bool launch_collect(Gpu *gpu, const LaunchState *state, HdError *err);
bool launch_result_init(LaunchResult *result, const Machine *machine, size_t allocations,
                        size_t pcs, HdError *err);
void launch_result_free(LaunchResult *result);

// ---- gpu.c ----
// Tells options.progress where the launch stands, now and then.
void show_progress(Gpu *gpu, const LaunchState *state);

// ---- mechanisms.c ----
// Attaches options.mechanisms to the SMs and slices.
bool mechanisms_attach(Gpu *gpu, HdError *err);
void mechanisms_free(Gpu *gpu);
// What the caches of a level have done by their decisions, in the whole run.
HookCounters mechanisms_counters(const Gpu *gpu, HookLevel level);
// Tells them that a launch begins or has ended.
void mechanisms_on_kernel(Gpu *gpu, const LaunchState *state, bool begins);
// Whether they have remembered all that they wanted to. false and err: memory is out.
bool mechanisms_check_memory(const Gpu *gpu, HdError *err);
// Asks them how many blocks each SM may hold.
void mechanisms_limit_blocks(Gpu *gpu, LaunchState *state);

// ---- carried_launch.c: of a build that carries data in the caches (memory/carried.h) ----
// A launch begins.
CARRY(void carried_launch(Gpu *gpu);)

// ---- functional.c ----
// Is the next launch simulated in time?
bool launch_is_timed(const Gpu *gpu);
// Runs a launch without time.
bool run_functional(Gpu *gpu, LaunchState *state, HdError *err);

// ---- trace.c ----
// Where the launch is the one to trace: tells its name and starts. false and err: it has no such
// warp.
bool trace_begin(Gpu *gpu, const LaunchState *state, HdError *err);
// Nothing more is to be traced.
bool trace_finished(const Gpu *gpu, const LaunchState *state);
// Hands out what was traced in a quantum. false: memory is out.
bool trace_flush(Gpu *gpu, HdError *err);

// ---- system.c ----
// Hands out what kernels have printed up to cycle `last` (UINT64_MAX: nothing has failed), and
// answers what they have asked for: their warps go on at `earliest` or later. false: a fault.
bool system_serve(Gpu *gpu, uint64_t last, uint64_t earliest, HdError *err);
// Makes the device heap where there is none.
bool system_heap(Gpu *gpu, HdError *err);
void system_free_all(Gpu *gpu);

// ---- stop.c ----
uint64_t blocks_done(const Gpu *gpu);
// Fails where the launch is to be ended now.
bool launch_may_continue(Gpu *gpu, const LaunchState *state, HdError *err);
// Fails with what every warp waits for.
bool launch_deadlocked(Gpu *gpu, const LaunchState *state, HdError *err);

#endif
