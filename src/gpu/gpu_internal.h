// The state of a Gpu, which the files of src/gpu share.
#ifndef HEDDLE_GPU_GPU_INTERNAL_H
#define HEDDLE_GPU_GPU_INTERNAL_H

#include "base/team.h"
#include "core/shadow_sm.h"
#include "core/sm.h"
#include "exec/heap.h"
#include "exec/texture.h"
#include "gpu/engine_uses.h"
#include "gpu/launch_result.h"
#include "gpu/machine.h"
#include "hooks/cache_hooks.h"
#include "memory/cache/each_cache.h"

typedef struct LoadedModule {
    PtxModule *module;
    uint32_t *pc_base;  // by function: the number of its first static instruction
    uint32_t *totals;   // by function: 1 + its index in Gpu.kernels; 0: not launched yet
    uint8_t *constants; // the constant bank
    EngineUses engines;     // instructions of mechanisms' engines in its kernels
    uint64_t constants_at; // its address in device memory (gpu_constants); 0: in the host's memory
} LoadedModule;

typedef struct MechanismSums MechanismSums; // mechanism_sums.c

// How an SM's quantum ended.
typedef struct SmOutcome {
    bool ok;
    HdError err;
} SmOutcome;

// Where an SM's run ended.
typedef struct SmStop {
    uint64_t now; // the last cycle that was simulated
    bool waits;   // for the dispatcher's answer
} SmStop;

// Times in core cycles of device time.
typedef struct DeviceTime {
    uint64_t now;       // the end of the last launch; 1 at first, as Gpu.cycle
    uint64_t host;      // up to which the host has waited
    uint64_t submitted; // when the host had submitted the last launch
    uint64_t of_default; // the end of the default stream's last launch
    uint64_t blocking;  // the end of the last launch of the default or a blocking stream
} DeviceTime;

// What an SM has changed so far, and the number of its instructions at that time.
typedef struct SmChanges {
    uint64_t issued, changes;
} SmChanges;

// Memory of endless.c, kept from launch to launch.
typedef struct EndlessRoom {
    uint32_t *changing; // pcs of instructions that may change what warps read or wait for
    size_t count, capacity;
    SmChanges *by_sm; // of all SMs
} EndlessRoom;

struct Gpu {
    Machine machine;
    GpuOptions options;
    uint64_t seed;
    Clocks clocks;
    GuestMemory memory;
    TextureTable *textures;
    MemorySide *memory_side;
    Tick forward;      // minimum ticks from an SM to a slice
    uint64_t quantum;  // core cycles
    uint64_t cycle;    // up to which all SMs have run
    uint64_t until;    // within a quantum: SMs run the cycles before this one
    DeviceTime time;
    Sm **sms;
    CacheHooks **l1_hooks, **l2_hooks; // by SM, by slice; NULL without mechanisms
    CacheHooks *own_hooks;             // of the GPU; NULL: no mechanism is there
    KernelEngines *kernel_engines;     // of the launch, by mechanism; NULL: none has engines
    bool every_quantum;                // a mechanism wants the end of each
    uint32_t last_kernel_pc;           // the first static instruction of the last launch's kernel
    StoreLog **logs, **stored; // by SM; those with stores in the quantum
    Team *team;        // host threads; NULL: the calling thread alone
    uint64_t *next;    // by SM: the core cycle of its next event; 0: it has to be asked
    unsigned *acting;  // the SMs with an event in the quantum, in ascending order
    unsigned *order;   // of these SMs
    SmOutcome *outcomes; // of the last quantum or round, by SM
    SmStop *stops;       // likewise, with launch.dispatch = cycle
    const FunctionalRound *round; // of the current functional launch
    FunctionalRan *ran;  // in the last round, by SM
    struct RoundTables *round_tables; // NULL: no launch was functional
    double functional_seconds;
    bool warms;          // the functional launch warms the caches
    FunctionalMemory *warm; // by SM; NULL: no launch has warmed them
    struct WarmLog **warm_logs; // by SM; its entries are NULL if requests are served at once
    unsigned stored_count;
    bool failed;
    SmFault fault; // of the last launch
    LaunchStop stop;
    LaunchCut cut;
    MechanismSums *sums; // up to the cut; NULL: there is no cut, or no mechanism
    bool approximate; // gpu_is_approximate
    LoadedModule *modules;
    size_t module_count, module_capacity;
    uint32_t pcs;      // static instructions of all modules
    HookCounters counters_before[HOOK_CACHES]; // mechanisms_counters at the launch's start
    // Caches with queued prefetches as the last launch ended, before the mechanisms knew of it.
    unsigned prefetching;
    uint64_t launches;        // launches that have ended
    bool last_functional;     // the last launch that ended was functional
    bool calls_grow;          // calls in the last launch take memory while they run
    uint64_t placed_bytes;    // counted in the budget of `memory` for the storage of threads,
    uint64_t thread_bytes;    // and with what calls have taken
    unsigned active_sms;      // SMs that take part in the current launch: the first ones
    unsigned next_sm;         // the SM whose turn it is to get a block
    uint64_t l1d_size;        // bytes of the last launch's L1D, which decide its ways
    uint64_t l1d_changes;     // launches with another L1D than the launch before
    LaunchResult *results, total, functional;
    size_t result_count, result_capacity;
    LaunchResult recent;      // with only_totals: of the last launch; its tables are reused
    KernelTotal *kernels;
    size_t kernel_count, kernel_capacity;
    atomic_bool system_pending; // an SM has work for system_serve
    size_t *system_heads;    // by SM: elements of its lists that are served
    GuestHeap *heap;         // of malloc; NULL: not allocated yet
    uint64_t heap_bytes;     // 0: the default
    char **notices;
    size_t notice_count, notice_capacity;
    uint8_t *noticed;        // by static instruction: 1 if it has a notice
    size_t noticed_size;
    GpuTrace trace;    // put is NULL: no trace
    SmTrace traced;    // text of this quantum
    const struct LaunchState *watched; // while GpuOptions.progress is called
    unsigned progress_polls;
    double last_progress; // host seconds
    EndlessRoom endless;
    GpuHangFn *hang;      // gpu_on_hang; NULL: none
    void *hang_context;
};

// Whether a launch in progress can end (endless.c). Times are cycles or turns of the launch.
typedef struct Endless {
    bool timed;             // times are cycles
    uint64_t next;          // when to look again
    bool listed;            // EndlessRoom has this launch's instructions
    uint64_t changes;       // so far
    uint64_t blocks;        // that have started, and that have ended
    uint64_t since;         // no change and no block since then
    bool watching;          // the SMs watch whether states repeat
    uint64_t period;        // 0: none since then
    uint64_t watch_end, period_end;
    uint64_t polled;        // address of the last load seen that reads what others write; 0: none
    uint64_t last_block;    // about when a block has started or ended
    bool outside;           // the host may change memory during the launch
    bool reported;          // at most one report of a launch
} Endless;

// A launch in progress.
typedef struct LaunchState {
    SmLaunch launch;
    uint64_t blocks, next_block, start; // start: core cycle
    uint64_t collected;   // the core cycle up to which counters are collected
    LaunchCut cut;        // launch is 0: it is not cut
    LaunchResult part;    // if it is cut: the counters up to there
    uint64_t begins;        // device time of the first block
    LaunchCounters between; // the time in front of the launch
    GpuStream *stream;
    bool timed;
    size_t allocations, pcs;
    uint32_t registers;
    const char *limit;    // the resource that limits blocks_per_sm
    uint32_t block_slots; // blocks that all SMs together can hold
    Endless endless;
} LaunchState;

// ---- modules.c ----
void modules_free(Gpu *gpu);
// NULL: the module is not loaded.
const LoadedModule *module_of(const Gpu *gpu, const PtxModule *module);
// The instructions of a mechanism of the plan that the launch's kernel has, or a function that it
// may call: a bit for each of HdMechanism.instructions. *pc: the static number of the first one.
uint32_t kernel_engine_instructions(const Gpu *gpu, const SmLaunch *launch, unsigned mechanism,
                                    uint32_t *pc);

// ---- launch_prepare.c ----
// Checks the launch against the machine, and fills the part of `state` that all its blocks share.
bool launch_prepare(Gpu *gpu, const Launch *launch, LaunchState *state, HdError *err);

// ---- thread_memory.c ----
// What a launch needs at the same time.
typedef struct ThreadStorage {
    BlockBytes block;
    uint64_t blocks; // on all SMs
    uint64_t per_sm; // of them on one SM, at most
} ThreadStorage;
// Counts it, and what the SMs still hold; a recursion takes none yet. false and err: the host has
// less memory left, or --max-memory allows less.
bool thread_memory_begin(Gpu *gpu, const PtxFunction *kernel, const ThreadStorage *need,
                         const char *name, HdError *err);
// If calls take memory while they run: before the SMs run, shares what is left among them;
// afterwards counts what the calls have taken, at most that.
void thread_memory_share(Gpu *gpu, const LaunchState *state);
bool thread_memory_count(Gpu *gpu, HdError *err);

// ---- device_time.c ----
// Nanoseconds in core cycles, rounded up.
uint64_t core_cycles(const Machine *machine, uint64_t nanoseconds);
// Sets when the launch begins in device time, and counts the time since the launch before.
void launch_wait(Gpu *gpu, const Launch *launch, LaunchState *state);
// The launch has ended after this many cycles.
void launch_advance(Gpu *gpu, const LaunchState *state, uint64_t cycles);

// ---- launch_cut.c ----
// Whether the quantum that has ended is the last one to be timed.
bool launch_is_cut(const Gpu *gpu, const LaunchState *state);
// Cuts the launch here, and runs the rest of it functionally.
bool launch_cut(Gpu *gpu, LaunchState *state, HdError *err);
// The cut, up to which the launch is collected.
LaunchCut launch_describe_cut(const Gpu *gpu, const LaunchState *state);

// ---- invariants.c ----
// The messages of violations, one line each, as far as they fit.
typedef struct Violations {
    char *text;
    size_t size, used;
} Violations;
typedef void InvariantCheck(Violations *violations, const Gpu *gpu, const LaunchResult *result);
// Of a result whose instructions are all done, though warps and blocks may be resident.
InvariantCheck check_completed;
// Of any result (gpu_check_invariants).
InvariantCheck check_result;
// false and err, which names the violations, if there are any.
bool launch_check(const Gpu *gpu, const LaunchResult *result, InvariantCheck *check, HdError *err);

// ---- launch_result.c ----
// Collects the counters of the launch into its result and the totals; checks the invariants.
bool launch_collect(Gpu *gpu, LaunchState *state, HdError *err);
// Collects the counters since LaunchState.collected into an empty result of the right size.
bool launch_collect_part(Gpu *gpu, LaunchState *state, LaunchResult *part, HdError *err);
// Adds a result to a sum, whose tables grow with the allocations and instructions.
bool launch_result_add(LaunchResult *sum, const LaunchResult *result, HdError *err);
bool launch_result_init(LaunchResult *result, const Machine *machine, size_t allocations,
                        size_t pcs, HdError *err);
void launch_result_free(LaunchResult *result);

// ---- dispatch.c ----
// Gives the next block to an SM.
void give_block(Gpu *gpu, LaunchState *state, unsigned sm);
// Hands out blocks before a quantum.
void dispatch_quantum(Gpu *gpu, LaunchState *state);
// launch.dispatch = cycle, in a quantum that ends at `end`: answers the SMs that have stopped first
// because they have room, and sets gpu->until to the end of the cycle in which the next SM has
// stopped. Puts the SMs that have to run up to there at the front of gpu->order, and returns their
// number. 0: all SMs have run the quantum.
unsigned dispatch_cycle(Gpu *gpu, LaunchState *state, uint64_t end);

// ---- gpu.c ----
// Moves gpu->cycle over whole quanta without an event. The ends of the quanta stay the same,
// because SMs see each other's stores at these times. false: no event is left.
bool skip_quanta(Gpu *gpu);
bool run_quantum(Gpu *gpu, LaunchState *state, HdError *err);
// Sets the SM's entry of gpu->stops, after a run and after its block limit has changed.
void note_stop(Gpu *gpu, unsigned sm);
// Sets the order in which the `count` SMs of gpu->acting run: by number, or shuffled
// (GpuOptions.shuffle) to show that the order does not matter.
void order_acting(Gpu *gpu, unsigned count, uint64_t draw);
// Calls options.progress from time to time.
void show_progress(Gpu *gpu, const LaunchState *state);

// ---- endless.c ----
// Before the first block, and where a launch that is cut goes on functionally.
void endless_begin(Gpu *gpu, Endless *endless, bool timed);
// Call with the cycles or turns of the launch so far when they reach Endless.next. false and err:
// the launch cannot end, or out of memory.
bool endless_look(Gpu *gpu, LaunchState *state, uint64_t now, HdError *err);
// The launch has ended.
void endless_end(Gpu *gpu, Endless *endless);

// ---- mechanisms.c ----
// Attaches options.mechanisms to the SMs and slices.
bool mechanisms_attach(Gpu *gpu, HdError *err);
void mechanisms_free(Gpu *gpu);
// The decisions of mechanisms at all caches of a level, in the whole run.
HookCounters mechanisms_counters(const Gpu *gpu, HookLevel level);
// As gpu_copy_backs and gpu_prefetches, in the whole run.
void mechanisms_copy_backs(const Gpu *gpu, CopyBackCounters *sum);
bool mechanisms_prefetches(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                           PrefetchCounters *sum);
// Calls on_kernel_begin or on_kernel_end at all places.
void mechanisms_on_kernel(Gpu *gpu, const LaunchState *state, bool begins);
// The host has released an allocation: calls on_release at all places.
void mechanisms_on_release(Gpu *gpu, uint64_t address, uint64_t bytes);
// false and err if a mechanism ran out of memory, or mechanisms_check_faults fails.
bool mechanisms_check(const Gpu *gpu, HdError *err);
// Checked at the end of each quantum: what mechanisms have said by hd_fault, and wrong answers.
bool mechanisms_check_faults(const Gpu *gpu, HdError *err);
// Lets mechanisms lower the number of blocks that each SM holds.
void mechanisms_limit_blocks(Gpu *gpu, LaunchState *state);
// A quantum has ended: SMs, slices and the GPU exchange words; the limits of blocks are decided
// again where a mechanism wants it.
void mechanisms_on_quantum(Gpu *gpu, LaunchState *state);

// ---- mechanism_sums.c ----
// Keeps what mechanisms have counted up to the cut, which is now.
bool mechanisms_keep_sums(Gpu *gpu, HdError *err);
void mechanisms_free_sums(MechanismSums *sums);

// ---- shadow_launch.c: of the shadow build (memory/shadow.h) ----
// A timed launch begins. Functional ones take no time: what they wrote counts as written now.
#ifdef HD_SHADOW_DATA
void shadow_launch(Gpu *gpu);
#else
static inline void shadow_launch(const Gpu *gpu) { (void)gpu; }
#endif

// ---- launch_functional.c ----
// Whether the next launch is timed.
bool launch_is_timed(const Gpu *gpu);
// Frees what functional launches have allocated.
void functional_free(Gpu *gpu);
// Runs a functional launch.
bool run_functional(Gpu *gpu, LaunchState *state, HdError *err);

// ---- launch_trace.c ----
// If the launch is the one to trace: writes its name and starts the trace. false and err if it has
// no such warp.
bool trace_begin(Gpu *gpu, const LaunchState *state, HdError *err);
// Whether the traced range is complete.
bool trace_finished(const Gpu *gpu, const LaunchState *state);
// Passes on the text of a quantum. false: out of memory.
bool trace_flush(Gpu *gpu, HdError *err);

// ---- system.c ----
// Passes on the text that kernels have printed up to cycle `last` (UINT64_MAX: no SM has failed),
// counts the pages that they write, and answers their requests: the warps continue at `earliest` or
// later. false: a fault.
bool system_serve(Gpu *gpu, uint64_t last, uint64_t earliest, HdError *err);
// Allocates the device heap if there is none yet.
bool system_heap(Gpu *gpu, HdError *err);
void system_free_all(Gpu *gpu);

// ---- stop.c ----
uint64_t blocks_done(const Gpu *gpu);
// false and err if the launch has reached a limit of the options.
bool launch_may_continue(Gpu *gpu, const LaunchState *state, HdError *err);
// Advice for a launch whose warps wait for ever: a line behind the message, or "".
const char *launch_advice(const Gpu *gpu);
// Fails with the reason that each warp waits for.
bool launch_deadlocked(Gpu *gpu, const LaunchState *state, HdError *err);

#endif
