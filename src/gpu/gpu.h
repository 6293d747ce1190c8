// The simulated GPU: memory, modules, launches. One Gpu is one machine with its state; several can
// live in one process.
#ifndef HEDDLE_GPU_GPU_H
#define HEDDLE_GPU_GPU_H

#include "core/fault.h"
#include "exec/guest.h"
#include "gpu/device_time.h"
#include "gpu/machine.h"
#include "hooks/cache_hooks.h"
#include "hooks/engine_instructions.h"
#include "memory/cache/each_cache.h"
#include "ptx/ptx.h"

#include <signal.h>

// How the simulation runs. threads, no_skip and shuffle change no result. max_cycles,
// max_instructions and stop can end a launch early: gpu_launch then fails, and gpu_stop reports
// where.
typedef struct GpuOptions {
    unsigned threads;    // host threads, at most TEAM_MAX_THREADS and one per SM; 0 and 1: only the
                         // calling thread
    bool no_skip;        // run every cycle instead of jumping to the next event
    uint64_t shuffle;    // not 0: run the SMs of a quantum in an order drawn from this seed, and
                         // let the host threads take them at random
    bool functional;     // make every launch functional: see LaunchResult.functional
    uint64_t detail_first, detail_last; // the timed launches (the first is 1); earlier ones are
                         // functional and warm the caches, later ones are functional; 0: no bound
    uint64_t max_cycles; // of one launch; 0: no limit
    uint64_t max_instructions; // warp instructions of all launches, checked at the end of a quantum
                               // (a few more may be issued); 0: no limit
    uint64_t max_thread_instructions; // of all timed launches: the launch that reaches it is cut at
                                      // the end of the quantum, and its rest and later launches
                                      // are functional (gpu_cut); 0: no limit
    uint64_t max_memory; // of the host, for the guest's memory: a launch that writes to more pages
                         // fails; 0: what the host has left
    const volatile sig_atomic_t *stop; // not 0: end the launch after the quantum, or a long copy;
                                       // may be NULL
    // Called a few times per second of host time during a launch; may be NULL.
    void (*progress)(void *context, uint64_t cycle, uint64_t blocks_done, uint64_t blocks);
    void *progress_context;
    bool granules; // allocate device memory in granules of 2 MiB, as CUDA's driver does; an access
                   // outside its allocation but inside its granule is a notice (gpu_notice)
    bool strict;   // with granules, such an access is a fault; a shuffle from an inactive lane is
                   // a notice
    // Called by the thread that called gpu_launch when a quantum or the launch ends: text that
    // kernels print, and messages of their assertions, in the order of the guest's time (cycle, SM,
    // sequence; lanes ascending). NULL: text goes to stdout and stderr.
    void (*print)(void *context, const char *text, size_t length);
    void (*print_error)(void *context, const char *text, size_t length);
    void *print_context;
    const HookPlan *mechanisms;   // outlives the Gpu; NULL: none
    // Instructions of the engines of these and of other mechanisms; outlives the Gpu; NULL: none.
    const EngineInstructions *engines;
    bool only_totals; // keep no result of each launch (gpu_results is empty), so that memory and
                      // time of a launch do not grow with the number of launches
    const char *const *registers; // NULL-terminated "kernel=N": registers per thread instead of the
                                  // front end's count (base or full name)
} GpuOptions;

// A trace of one warp, as text. Tracing changes no result.
typedef struct GpuTrace {
    unsigned sm, warp; // warp: index of the warp slot on the SM
    uint64_t launch;   // the first is 1
    uint64_t from, to; // core cycles of the launch, inclusive
    bool all_lanes;    // show the values of all lanes, not only of the first ones
    // Called with the text, in order, by the thread that called gpu_launch.
    void (*put)(void *context, const char *text, size_t length);
    void *context;
} GpuTrace;

// The counters of one launch, or the sums over several.
typedef struct LaunchResult {
    char kernel[128]; // base name
    const PtxFunction *function; // NULL: a sum
    uint32_t grid[3], block[3];
    uint32_t registers, blocks_per_sm; // registers: of a thread; blocks_per_sm: resident at once
    const char *limit;                 // the resource that limits blocks_per_sm
    uint64_t shared_bytes;             // per block, static and dynamic
    uint64_t l1d_bytes;                // L1D size of this launch
    bool functional;                   // not timed: counts only instructions (by PC, class, lanes),
                                       // branches, barriers, warps and blocks
    bool cut;                          // counted up to the cut (gpu_cut) only; a sum: some is
    uint64_t cycles;                   // core cycles from the launch to the end of the last block,
                                       // or to the cut
    uint64_t dram_cycles, l2_cycles;
    LaunchCounters launch;             // time in front of the launch, which `cycles` lacks
    SmTables sm;        // sums over the SMs
    CacheCounters l2;
    IcntCounters icnt;
    DramCounters dram;
    AccessCounters *l2_allocations; // by allocation, one more for accesses outside allocations
    AccessCounters *l2_pcs;
    size_t allocations, pcs; // rows of the tables
    size_t allocation_capacity, pc_capacity; // rows that the tables have room for
    size_t first_pc, end_pc; // only the rows of instructions [first_pc, end_pc) may be non-zero
    LinkFlits *sm_links, *slice_links; // by SM, by L2 slice
    unsigned sms, slices;
} LaunchResult;

// NULL and err if the machine is not possible or out of memory.
Gpu *gpu_new(const Machine *machine, const GpuOptions *options, uint64_t seed, HdError *err);
void gpu_free(Gpu *gpu);
const Machine *gpu_machine(const Gpu *gpu);
GuestMemory *gpu_memory(Gpu *gpu);
// Host threads in use.
unsigned gpu_threads(const Gpu *gpu);
// The quantum in core cycles.
uint64_t gpu_quantum(const Gpu *gpu);

// Traces a warp in a later launch. The simulation ends after the trace (STOP_TRACED). false and err
// if the machine has no such warp.
bool gpu_trace(Gpu *gpu, const GpuTrace *trace, HdError *err);

// Device memory. `name` appears in every statistic by allocation. 0 / false and err on failure.
uint64_t gpu_allocate(Gpu *gpu, uint64_t bytes, const char *name, HdError *err);
// The same for a call site, a number for a place in the program (not 0). With GpuOptions.granules,
// a released allocation gives its number, and so its row in every statistic, to a later one of the
// same call site.
uint64_t gpu_allocate_at_call_site(Gpu *gpu, uint64_t bytes, const char *name, uint64_t site,
                                   HdError *err);
// Free and total bytes of memory.capacity. With granules, a granule that is partly used counts as
// used.
uint64_t gpu_memory_free(const Gpu *gpu);
uint64_t gpu_memory_total(const Gpu *gpu);
bool gpu_release(Gpu *gpu, uint64_t address, HdError *err);
// Copies and fills fail if they leave an allocation, or if GpuOptions.stop ends them: then a part
// is done.
bool gpu_write(Gpu *gpu, uint64_t address, const void *from, uint64_t bytes, HdError *err);
bool gpu_read(Gpu *gpu, void *to, uint64_t address, uint64_t bytes, HdError *err);
bool gpu_fill(Gpu *gpu, uint64_t address, int byte, uint64_t bytes, HdError *err);
// Within device memory; the two may overlap.
bool gpu_copy(Gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes, HdError *err);

// The host program calls a mechanism (hd_call of heddle/device.h): at all SMs, slices and the GPU.
// A mechanism that is not in the run: no effect. false and err if it takes no calls, or refuses.
bool gpu_call(Gpu *gpu, const char *mechanism, const char *verb, const uint64_t *values,
              size_t count, HdError *err);

// How PTX for this GPU is parsed.
PtxOptions gpu_ptx_options(const Gpu *gpu);
// Loads a module: binds its operations, places its variables, numbers its static instructions after
// those of the modules before. The Gpu takes the module over, also on failure.
bool gpu_load(Gpu *gpu, PtxModule *module, HdError *err);
// A kernel of the loaded modules, by exact or base name.
PtxFunction *gpu_kernel(Gpu *gpu, const char *name, PtxModule **module, HdError *err);

// Registers per thread of the kernel: GpuOptions.registers, or the front end's count, limited by
// the kernel's own bounds (.maxntid, .minnctapersm, .maxnreg) and by what an SM has for a block of
// this many threads (0: of any number).
bool gpu_registers(const Gpu *gpu, const PtxFunction *kernel, unsigned threads,
                   uint32_t *registers, HdError *err);

// Whether each name in GpuOptions.registers is a kernel of the loaded modules. false and err: the
// first that is none.
bool gpu_check_registers(Gpu *gpu, HdError *err);

// A module-scope variable by exact name, of a loaded module, in SPACE_GLOBAL or SPACE_CONST. NULL
// and err if there is none.
const PtxVariable *gpu_variable(const Gpu *gpu, const PtxModule *module, const char *name,
                                HdError *err);
// Moves a loaded module's constant bank into device memory, where the host can reach it and kernels
// can point to it, and returns its address. 0 and err if out of memory.
uint64_t gpu_constants(Gpu *gpu, const PtxModule *module, HdError *err);
// Gives all variables of a loaded module their initial values again.
bool gpu_reset_variables(Gpu *gpu, const PtxModule *module, HdError *err);

typedef struct Launch {
    PtxFunction *kernel;
    PtxModule *module;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared; // bytes
    const void *params;      // the parameter block, kernel->param_bytes long
    // Of a cooperative launch (all blocks resident at once): the address of 8 zero bytes by which
    // the blocks synchronise (cooperative groups' grid); else 0.
    uint64_t cooperation;
    GpuStream *stream; // NULL: the default stream
    bool in_graph;     // another kernel of the same CUDA graph is before it
} Launch;

// Runs a launch to its end and appends its result to the Gpu's list (not with only_totals). false
// and err on a bad launch, a guest's fault (kernel, PTX line, thread, address, nearest allocation),
// a deadlock (warp by warp), or a limit of GpuOptions.
bool gpu_launch(Gpu *gpu, const Launch *launch, HdError *err);

// Bytes of the heap of malloc in kernels: 8 MiB, or the size set before the first launch of a
// module that uses it. That launch allocates the heap, under the name "device heap".
bool gpu_set_heap(Gpu *gpu, uint64_t bytes, HdError *err);
uint64_t gpu_heap_bytes(const Gpu *gpu);

// Findings that did not end a launch, and calls that a mechanism has refused (the first one with
// each reason): one line each, in the order in which they occurred; owned by gpu. NULL after the
// last.
const char *gpu_notice(const Gpu *gpu, size_t index);

// The kind of failure of the last launch. After GPU_FAULT_CONFIGURATION, _RESOURCES and
// _UNSUPPORTED the GPU can run further launches; after the others it cannot.
GpuFault gpu_fault(const Gpu *gpu);
// The guest address of an ADDRESS or MISALIGNED fault, which may also be a host address. false:
// none, or an address of a space other than global memory.
bool gpu_fault_address(const Gpu *gpu, uint64_t *address);

// Why and where a launch or a copy was ended early.
typedef enum StopReason {
    STOP_NONE, STOP_ASKED, STOP_CYCLES, STOP_INSTRUCTIONS,
    STOP_TRACED // the range of gpu_trace is complete
} StopReason;
typedef struct LaunchStop {
    StopReason reason;
    char kernel[128]; // base name; "": a copy was ended
    uint64_t cycle;   // core cycles of the launch so far
    uint64_t blocks_done, blocks;
    char warps[1024]; // as gpu_describe_warps
} LaunchStop;
// reason is STOP_NONE if no launch was ended. Results of earlier launches are complete; the ended
// launch has none.
const LaunchStop *gpu_stop(const Gpu *gpu);
// Where the timed part of the program ended, by GpuOptions.max_thread_instructions.
typedef struct LaunchCut {
    uint64_t launch;  // its number, from 1 on; 0: the program has not reached the limit
    char kernel[128]; // base name
    uint64_t cycle;   // core cycles of the launch up to the cut
    uint64_t blocks_done, blocks; // equal: the launch had ended
} LaunchCut;
const LaunchCut *gpu_cut(const Gpu *gpu);
// Whether launches were functional that are not behind the cut: caches may have been warmed.
bool gpu_is_approximate(const Gpu *gpu);
// For a process that exits in GpuOptions.progress: gpu_stop then reports the launch as one that
// GpuOptions.stop has ended. The GPU must not be used any more, but may be reported.
void gpu_abandon(Gpu *gpu);

// What the warps of the current launch wait for: one line each, as many as fit. May only be called
// from GpuOptions.progress.
void gpu_describe_warps(const Gpu *gpu, char *text, size_t size);

// A launch whose end is not in sight, by simulated time: equal on every host.
typedef enum HangKind {
    HANG_ENDLESS, // unless something outside the launch changes memory, it never ends: proved
    HANG_QUIET,   // no memory has changed for long
    HANG_LONG     // no block has started or ended for very long
} HangKind;
typedef struct LaunchHang {
    HangKind kind;
    char kernel[128];    // base name
    bool timed;
    uint64_t now, since; // of the launch: so far, and up to the last change
    const char *unit;    // of these: "cycles", or if functional "turns of each warp"
    uint64_t blocks_done, blocks;
    char polls[256];     // memory that a warp polls, as guest_nearest describes it; "": unknown
    char warps[512];     // as gpu_describe_warps
} LaunchHang;
// Returns, for HANG_ENDLESS, whether something outside the launch may change memory: the launch
// then goes on. If not, it fails with GPU_FAULT_DEADLOCK.
typedef bool GpuHangFn(void *context, const LaunchHang *hang);
// Calls `hang` during launches, at most once for each. NULL, the default: launches that never end
// fail, and nothing else is reported.
void gpu_on_hang(Gpu *gpu, GpuHangFn *hang, void *context);

// Visits all caches of the machine: SM by SM, in the order of SmCache, then slice by slice. Between
// launches, or before the first one. An observer adds its watchers in such a visit (watch_add).
// false and err: a visit failed.
bool gpu_each_cache(Gpu *gpu, CacheVisit *visit, void *self, HdError *err);

// The mechanisms (NULL or empty: none).
const HookPlan *gpu_mechanisms(const Gpu *gpu);
// How many caches of a level have mechanisms: all of them, or 0.
unsigned gpu_mechanism_places(const Gpu *gpu, HookLevel level);
// The hooks at one of these caches, by the index of the SM or slice.
const CacheHooks *gpu_hooks(const Gpu *gpu, HookLevel level, unsigned place);
// What mechanisms have counted, summed over all places; if the run is cut, up to the cut.
// A counter of a mechanism of the plan, by its index; the decisions of all at a level's caches.
uint64_t gpu_mechanism_counter(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                               unsigned index);
HookCounters gpu_decisions(const Gpu *gpu, HookLevel level);
// Outcomes of the lines that mechanisms copied back.
void gpu_copy_backs(const Gpu *gpu, CopyBackCounters *sum);
// The prefetches of a mechanism of the plan into the caches of a level. false: it does not prefetch
// there.
bool gpu_prefetches(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                    PrefetchCounters *sum);
// Whether a mechanism throttles warps; whether one injects micro-ops.
bool gpu_throttles_warps(const Gpu *gpu);
bool gpu_injects(const Gpu *gpu);
// Whether a mechanism's engines take requests of warps.
bool gpu_has_engines(const Gpu *gpu);

// Storage that a cache needs in addition if mechanisms decide which sectors of a line are fetched:
// valid bits of each line, and the pending sectors of each fetch. Ends with a NULL name.
enum { SECTOR_STRUCTURES = 4 };
void gpu_sector_structures(const Gpu *gpu, HdStructure structures[SECTOR_STRUCTURES + 1]);

// The results so far, in order; owned by the Gpu, valid until the next launch.
const LaunchResult *gpu_results(const Gpu *gpu, size_t *count);
// The sums over all timed launches (kernel "", registers 0), and over all functional launches;
// owned by the Gpu.
const LaunchResult *gpu_total(const Gpu *gpu);
const LaunchResult *gpu_functional(const Gpu *gpu);
// Seconds of the host's clock that functional launches have taken.
double gpu_functional_seconds(const Gpu *gpu);

// The sums over all launches of one kernel.
typedef struct KernelTotal {
    const PtxModule *module;
    const PtxFunction *kernel;
    uint64_t launches; // timed launches
    uint64_t functional, functional_instructions; // functional launches; their warp instructions
    uint64_t cycles;
    SM_TABLES(SM_TABLE_FIELD)
    CacheCounters l1d, l2;
    DramCounters dram;
    uint32_t grid[3], block[3];        // of the last launch
    uint32_t registers, blocks_per_sm; // of the last launch
    const char *limit;                 // of the last launch; see LaunchResult.limit
} KernelTotal;
// By kernel, in the order of their first launches; owned by the Gpu, valid until the next launch.
const KernelTotal *gpu_kernel_totals(const Gpu *gpu, size_t *count);
// Launches that have ended.
uint64_t gpu_launches(const Gpu *gpu);

// The location of a static instruction, by its number.
typedef struct PcLocation {
    const PtxModule *module;
    const PtxFunction *function;
    uint32_t index;
} PcLocation;
PcLocation gpu_locate_pc(const Gpu *gpu, uint32_t pc);

// The invariants that a result violates, one line each (empty text: none). gpu_launch checks them
// too; a violation is an error.
void gpu_check_invariants(const Gpu *gpu, const LaunchResult *result, char *text, size_t size);

#endif
