// The simulated GPU: memory, modules, launches. One Gpu is one machine with its state; several can
// live in one process.
#ifndef HEDDLE_GPU_GPU_H
#define HEDDLE_GPU_GPU_H

#include "core/fault.h"
#include "exec/guest.h"
#include "gpu/machine.h"
#include "hooks/hooks.h"
#include "ptx/ptx.h"

#include <signal.h>

typedef struct Gpu Gpu;

// How the simulation runs; nothing here changes a result, but max_cycles, max_instructions and stop
// can end it early: gpu_launch then fails, and gpu_stop tells where.
typedef struct GpuOptions {
    unsigned threads; // of the host, at most TEAM_MAX_THREADS; 0 and 1: the caller's alone; no more
                      // than SMs are used
    bool no_skip;        // run every cycle instead of jumping to the next event
    uint64_t shuffle; // not 0: within a quantum, run the SMs in an order drawn from this seed, and
                      // let the host threads take them at random
    bool functional;     // every launch is computed without time: see LaunchResult.functional
    uint64_t detail_first, detail_last; // the launches (the first is 1) that are simulated in time;
                         // those before them are functional and warm the caches, those behind are
                         // functional; 0: from the first; to the last
    uint64_t max_cycles; // of one launch; 0: no limit
    uint64_t max_instructions; // warp instructions of all launches; looked at where a quantum ends,
                               // so a few more may be issued; 0: no limit
    const volatile sig_atomic_t *stop; // looked at where a quantum ends: not 0 ends the launch; may
                                       // be NULL
    // Called now and then during a launch (at most some times per second of host time); may be
    // NULL.
    void (*progress)(void *context, uint64_t cycle, uint64_t blocks_done, uint64_t blocks);
    void *progress_context;
    bool granules; // device memory as CUDA's driver gives it out, in granules of 2 MiB, and takes
                   // it back; an access that leaves its array, but not the granule, is no fault,
                   // but told by gpu_notice
    bool strict;   // ... it is a fault
    // Get what kernels print, and the messages of their assertions, in the order of the guest's
    // time (cycle, SM, sequence; lanes ascending), when a quantum or the launch ends, from the
    // thread that called gpu_launch. NULL: they go to stdout and stderr.
    void (*print)(void *context, const char *text, size_t length);
    void (*print_error)(void *context, const char *text, size_t length);
    void *print_context;
    const HookPlan *mechanisms;   // outlives the Gpu; NULL: none
    bool only_totals; // gpu_results stays empty: memory and time of a launch then do not grow with
                      // the number of launches
    const char *const *registers; // NULL-terminated "kernel=N": registers per thread instead of the
                                  // front end's count (base or full name)
} GpuOptions;

// What to show of one warp, as text. It changes no result.
typedef struct GpuTrace {
    unsigned sm, warp; // the warp's place on the SM
    uint64_t launch;   // its number, the first is 1
    uint64_t from, to; // core cycles of the launch, both included
    bool all_lanes;    // values of all lanes, not of the first ones
    // Gets the text, in order, from the thread that called gpu_launch.
    void (*put)(void *context, const char *text, size_t length);
    void *context;
} GpuTrace;

// Everything that one launch counted (or, for the total, all of them).
typedef struct LaunchResult {
    char kernel[128]; // base name
    uint32_t grid[3], block[3];
    uint32_t registers, blocks_per_sm; // of a thread; that one SM holds at once
    const char *limit;                 // what limits it
    uint64_t shared_bytes;             // per block, static and dynamic
    uint64_t l1d_bytes;                // L1D size of this launch
    bool functional; // computed without time: only instructions (by place, class and active lanes),
                     // branches, barriers, warps and blocks are counted
    uint64_t cycles;                   // core cycles from launch to the last block's end
    uint64_t dram_cycles, l2_cycles;
    SmTables sm;        // sums over the SMs
    CacheCounters l2;
    IcntCounters icnt;
    DramCounters dram;
    AccessCounters *l2_allocations; // per array, one more for accesses outside allocations
    AccessCounters *l2_pcs;
    size_t allocations, pcs, allocation_capacity, pc_capacity; // the last two: of the tables
    size_t first_pc, end_pc; // only instructions [first_pc, end_pc) may have counted anything
    LinkFlits *sm_links, *slice_links; // by SM, by L2 slice
    unsigned sms, slices;
} LaunchResult;

Gpu *gpu_new(const Machine *machine, const GpuOptions *options, uint64_t seed, HdError *err);
void gpu_free(Gpu *gpu);
const Machine *gpu_machine(const Gpu *gpu);
GuestMemory *gpu_memory(Gpu *gpu);
// Host threads that run it.
unsigned gpu_threads(const Gpu *gpu);
// The quantum in core cycles.
uint64_t gpu_quantum(const Gpu *gpu);

// Traces a warp in a launch to come; what comes behind the trace is not run (STOP_TRACED). false
// and err where the machine has no such warp.
bool gpu_trace(Gpu *gpu, const GpuTrace *trace, HdError *err);

// Device memory. `name` appears in every per-array statistic. 0 / false and err on failure.
uint64_t gpu_allocate(Gpu *gpu, uint64_t bytes, const char *name, HdError *err);
// The same for a site, a number for a place in the program (not 0): with GpuOptions.granules,
// allocations of one site that were released give their number, and so their row in every
// statistic, to later ones.
uint64_t gpu_allocate_at_call_site(Gpu *gpu, uint64_t bytes, const char *name, uint64_t site,
                                   HdError *err);
// Bytes of memory.capacity (where that is no limit: of what the host can give) that nothing is in,
// and all of them. With granules, whole ones count.
uint64_t gpu_memory_free(const Gpu *gpu);
uint64_t gpu_memory_total(const Gpu *gpu);
bool gpu_release(Gpu *gpu, uint64_t address, HdError *err);
bool gpu_write(Gpu *gpu, uint64_t address, const void *from, uint64_t bytes, HdError *err);
bool gpu_read(Gpu *gpu, void *to, uint64_t address, uint64_t bytes, HdError *err);
bool gpu_fill(Gpu *gpu, uint64_t address, int byte, uint64_t bytes, HdError *err);
// Within device memory; the two may overlap.
bool gpu_copy(Gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes, HdError *err);

// Loads a module (the Gpu takes it over, also on failure): binds its operations, places its
// variables. Its static instructions get numbers behind those of modules loaded before.
bool gpu_load(Gpu *gpu, PtxModule *module, HdError *err);
// A kernel among the loaded modules, by exact or base name.
PtxFunction *gpu_kernel(Gpu *gpu, const char *name, PtxModule **module, HdError *err);

// Registers of a thread of the kernel: GpuOptions.registers, or what the front end counted, within
// the bounds that the kernel states (.maxntid, .minnctapersm, .maxnreg) and within what an SM has
// for a block of so many threads (0: of any number).
bool gpu_registers(const Gpu *gpu, const PtxFunction *kernel, unsigned threads,
                   uint32_t *registers, HdError *err);

// A module-scope variable by exact name, of a loaded module: its space (SPACE_GLOBAL, SPACE_CONST),
// its address (SPACE_CONST: the offset in the module's constant bank) and its size.
bool gpu_variable(const Gpu *gpu, const PtxModule *module, const char *name, PtxSpace *space,
                  uint64_t *address, uint64_t *bytes, HdError *err);
// Where a loaded module's constant bank is in device memory: from now on, so that the host can
// reach it as all device memory, and kernels can by pointers. 0 and err where memory is out.
uint64_t gpu_constants(Gpu *gpu, const PtxModule *module, HdError *err);
// All variables of a loaded module have their first values again.
bool gpu_reset_variables(Gpu *gpu, const PtxModule *module, HdError *err);

typedef struct Launch {
    PtxFunction *kernel;
    PtxModule *module;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared; // bytes
    const void *params;      // the parameter block, kernel->param_bytes long
    // Of a cooperative launch, whose blocks are all on the machine at once: the address of 8 bytes
    // of zeros by which they meet (cooperative groups' grid); else 0.
    uint64_t cooperation;
} Launch;

// Runs a launch to its end and appends its record to the Gpu's list (not with only_totals). false
// and err: a bad launch, a guest's fault (kernel, PTX line, thread, address, nearest array), a
// deadlock (warp by warp), or max_cycles.
bool gpu_launch(Gpu *gpu, const Launch *launch, HdError *err);

// Bytes of the heap of malloc in kernels: 8 MiB, or what was set before the first launch of a
// module that uses it; from then on it is an array of that size, "device heap".
bool gpu_set_heap(Gpu *gpu, uint64_t bytes, HdError *err);
uint64_t gpu_heap_bytes(const Gpu *gpu);

// What was noticed without ending a launch, one line each, in the order in which it happened; owned
// by gpu. NULL behind the last.
const char *gpu_notice(const Gpu *gpu, size_t index);

// What kind of failure the last launch had. Behind GPU_FAULT_CONFIGURATION, _RESOURCES and
// _UNSUPPORTED the GPU can go on; behind the others it runs no launch any more.
GpuFault gpu_fault(const Gpu *gpu);
// The guest address that an ADDRESS or MISALIGNED fault was about, which may well be one of the
// host's. false: none, or one of a space other than global memory.
bool gpu_fault_address(const Gpu *gpu, uint64_t *address);

// Simulated time since the GPU was built: launches back to back, with launch.latency before each.
// What the host does takes none.
double gpu_nanoseconds(const Gpu *gpu);

// Why and where a launch was ended early.
typedef enum StopReason {
    STOP_NONE, STOP_ASKED, STOP_CYCLES, STOP_INSTRUCTIONS,
    STOP_TRACED // all that gpu_trace asked for has been shown
} StopReason;
typedef struct LaunchStop {
    StopReason reason;
    char kernel[128]; // base name
    uint64_t cycle;   // core cycles of the launch that had passed
    uint64_t blocks_done, blocks;
    char warps[1024]; // as gpu_describe_warps
} LaunchStop;
// reason is STOP_NONE where no launch was. The records of the launches before it are whole; there
// is none of it.
const LaunchStop *gpu_stop(const Gpu *gpu);

// What the warps of the launch under way wait for: a line for each, as many as there is room for.
// To be called from GpuOptions.progress.
void gpu_describe_warps(const Gpu *gpu, char *text, size_t size);

// Its mechanisms (NULL or empty: none); the caches of a level that have some (0, or all of them);
// and those at one of these, by the number of the SM or slice.
const HookPlan *gpu_mechanisms(const Gpu *gpu);
unsigned gpu_mechanism_places(const Gpu *gpu, HookLevel level);
const CacheHooks *gpu_hooks(const Gpu *gpu, HookLevel level, unsigned place);
// What became of the lines that they copied back, over all places.
void gpu_copy_backs(const Gpu *gpu, CopyBackCounters *sum);
// Is one of them among those that hold warps back?
bool gpu_throttles_warps(const Gpu *gpu);

// What the caches keep beyond what they do otherwise where mechanisms decide which parts of a line
// come: which are there, of each line, and which come, of each fetch. Ends with a NULL name.
enum { SECTOR_STRUCTURES = 4 };
void gpu_sector_structures(const Gpu *gpu, HdStructure structures[SECTOR_STRUCTURES + 1]);

// The records so far, in order; owned by the Gpu, valid until the next launch.
const LaunchResult *gpu_results(const Gpu *gpu, size_t *count);
// The sum of all launches that were simulated in time (kernel "", registers 0), and of those that
// were not; owned by the Gpu.
const LaunchResult *gpu_total(const Gpu *gpu);
const LaunchResult *gpu_functional(const Gpu *gpu);

// What all launches of one kernel counted.
typedef struct KernelTotal {
    const PtxModule *module;
    const PtxFunction *kernel;
    uint64_t launches; // simulated in time; all but the next two are about these
    uint64_t functional, functional_instructions; // launches that were not, warp instructions
    uint64_t cycles;
    IssueCounters issue;
    SmCounters sm;
    CacheCounters l1d, l2;
    DramCounters dram;
    uint32_t grid[3], block[3];        // of its last launch, as the next two
    uint32_t registers, blocks_per_sm;
    const char *limit;
} KernelTotal;
// By kernel, in the order of their first launches; owned by the Gpu, valid until the next launch.
const KernelTotal *gpu_kernel_totals(const Gpu *gpu, size_t *count);
// Launches that have ended.
uint64_t gpu_launches(const Gpu *gpu);

// Static instruction number -> where it is.
typedef struct PcLocation {
    const PtxModule *module;
    const PtxFunction *function;
    uint32_t index;
} PcLocation;
PcLocation gpu_locate_pc(const Gpu *gpu, uint32_t pc);

// The conservation laws that do not hold, one line each (empty text: all hold). Checked by
// gpu_launch too, where a violation is an error.
void gpu_check_invariants(const Gpu *gpu, const LaunchResult *record, char *text, size_t size);

#endif
