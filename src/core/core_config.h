// The parameters of an SM, by sections of a machine file.
#ifndef HEDDLE_CORE_CORE_CONFIG_H
#define HEDDLE_CORE_CORE_CONFIG_H

#include "base/bits.h"
#include "config/config.h"
#include "memory/memory_side.h"
#include "ptx/uop.h"

typedef enum Divergence { DIVERGENCE_STACK, DIVERGENCE_ITS } Divergence;

// The side of a divergent branch that runs first: without the highest lane, or the taken one.
typedef enum FirstSide { FIRST_LOW_LANES, FIRST_TAKEN } FirstSide;

// What waits for an atomic in flight: users of its result, or its whole warp.
typedef enum AtomicWait { ATOMIC_WAIT_RESULT, ATOMIC_WAIT_WARP } AtomicWait;

// What moves on the scheduler that tries first: a cycle in which one has issued, or every cycle.
typedef enum SchedulerTurn { TURN_ISSUE, TURN_CYCLE } SchedulerTurn;

// When a warp without lanes gives its place back: when nothing of it is in flight, or when the
// fetch stage comes to it after its last instruction has left the pipeline.
typedef enum WarpExit { WARP_EXIT_ISSUE, WARP_EXIT_FETCH } WarpExit;

typedef struct CoreConfig { // section `core`
    uint64_t frequency; // kHz
    uint32_t width;     // lanes of a warp
    uint32_t threads, blocks, registers, register_unit; // limits of one SM
    uint32_t warp_unit; // the number of warps that the registers allow is a multiple of this
    uint64_t shared;    // bytes of shared memory of one SM
    // Shared memory in bytes: maximum per block (0: all of the SM's), what the system reserves in
    // each block, the allocation unit.
    uint64_t block_shared, shared_reserved, shared_unit;
    uint32_t schedulers, issue;
    uint32_t policy; // SchedulerPolicy (issue/policy.h)
    uint32_t two_level_active;
    bool paired; // warps 2p and 2p + 1 issue together if they are ready at one instruction
    uint32_t divergence; // Divergence
    uint32_t first_side; // stack: FirstSide
    uint32_t its_yield, its_patience; // its: backward branches after which a split yields
    uint32_t call_depth; // maximum, including the kernel
    uint64_t local;     // maximum bytes of local memory per thread
    uint32_t atomic_wait;    // AtomicWait
    uint32_t scheduler_turn; // SchedulerTurn
    uint32_t warp_exit;      // WarpExit
    uint32_t system_call;    // cycles for which printf, malloc or free block a warp
} CoreConfig;

// Execution of scalar instructions (UOpTiming.scalar): in all lanes; in one lane of each warp; or
// in one lane of each warp, by waves of several warps.
typedef enum ScalarMode { SCALAR_OFF, SCALAR_EXECUTE, SCALAR_WAVES } ScalarMode;

// The warps that a wave may have: of those whose scalars one register entry holds, which are of one
// scheduler (fixed) or consecutive on the SM; or any of a scheduler.
typedef enum ScalarMembers { MEMBERS_FIXED, MEMBERS_CONSECUTIVE, MEMBERS_ANY } ScalarMembers;

// The waves whose entry keeps a warp from another one for the same instruction and members: those
// that have not issued, or all in the table.
typedef enum ScalarMatch { MATCH_OPEN, MATCH_ALL } ScalarMatch;

// What a scheduler tries first.
typedef enum ScalarOrder { ORDER_PAIR_LONE_WAVE, ORDER_PAIR_WAVE_LONE } ScalarOrder;

typedef struct ScalarConfig { // section `scalar`
    uint32_t mode;     // ScalarMode
    uint32_t entries;  // waves: entries of the table of waves, of an SM
    uint32_t members;  // waves: ScalarMembers
    uint32_t match;    // waves: ScalarMatch
    uint32_t order;    // waves: ScalarOrder
    bool go_on;        // waves: a warp goes on from a scalar instruction that is in a wave
    uint32_t patience; // waves: cycles after which a wave goes first
} ScalarConfig;

// Whether warps go on from scalar instructions whose waves have not issued.
static inline bool scalars_go_on(const ScalarConfig *scalar)
{
    return scalar->mode == SCALAR_WAVES && scalar->go_on;
}

// Whether instructions issue by groups of warps, or scalar ones in one lane.
static inline bool core_groups(const CoreConfig *core, const ScalarConfig *scalar)
{
    return core->paired || scalar->mode != SCALAR_OFF;
}

// Lanes of an issue group, the most that issue together at a scheduler.
static inline unsigned core_group_lanes(const CoreConfig *core)
{
    return core->width << core->paired;
}
// Places for warps at each scheduler.
static inline unsigned core_scheduler_warps(const CoreConfig *core)
{
    unsigned groups = core->threads / core->width >> core->paired;
    return (unsigned)divide_up(groups, core->schedulers) << core->paired;
}
// Register entries that the scalars of a scheduler's warps need (consecutive: of the SM's warps):
// one for as many warps as a group has lanes (yilmazer2020gw, section 6.3.3).
static inline unsigned core_scalar_entries(const CoreConfig *core, const ScalarConfig *scalar)
{
    bool of_sm = scalar->members == MEMBERS_CONSECUTIVE;
    unsigned warps = of_sm ? core->threads / core->width : core_scheduler_warps(core);
    return (unsigned)divide_up(warps, core_group_lanes(core));
}

typedef enum FrontendBuffer { BUFFER_PER_WARP, BUFFER_SHARED_STORE } FrontendBuffer;
typedef enum FrontendBranch { BRANCH_FALL_THROUGH, BRANCH_STALL, BRANCH_TARGET } FrontendBranch;
typedef enum FrontendFlush { FLUSH_NEXT_CYCLE, FLUSH_SCHEDULER } FrontendFlush;

typedef enum FrontendFill { FILL_REFETCH, FILL_FORWARD } FrontendFill;

typedef struct FrontendConfig { // section `frontend`
    uint32_t fetches;     // fetches per cycle, each for one warp
    uint64_t fetch_bytes; // bytes of one fetch
    bool cross_line;      // a fetch reaches into the next line, without an access to that line
    uint32_t instruction_bytes; // size of a PTX instruction in instruction memory
    uint32_t buffer;      // FrontendBuffer
    uint32_t entries;     // per-warp: decoded instructions that a warp buffers
    uint32_t store_entries, store_ways; // shared-store; one entry holds one fetch
    uint32_t store_lookups; // shared-store: lookups per cycle
    uint32_t decode;      // cycles from the fetch to the instruction buffer
    uint32_t branch;      // FrontendBranch: what a warp fetches after a branch
    uint32_t flush;       // FrontendFlush: when instructions behind a taken branch are dropped
    uint32_t fill;        // FrontendFill: how warps that wait for a line get their instructions
    bool perfect;         // every fetch hits
} FrontendConfig;
// Instructions of a fetch, which are those of an entry of a shared store.
static inline unsigned frontend_fetch_instructions(const FrontendConfig *f)
{
    return (unsigned)(f->fetch_bytes / f->instruction_bytes);
}

// The number by which a register's bank is chosen: one of its own, or the one in its name.
typedef enum BankNumber { BANK_BY_REGISTER, BANK_BY_NAME } BankNumber;

// Whose registers a bank holds.
typedef enum BanksOf { BANKS_OF_SM, BANKS_OF_SCHEDULER } BanksOf;

// When a memory instruction's registers are read: in cycles reserved at its issue, or behind the
// results that are written to their banks.
typedef enum MemCollect { COLLECT_RESERVED, COLLECT_BEHIND_WRITES } MemCollect;

// Which memory instruction leaves the shared collectors: the one that has had its operands longest,
// or by turns of the collectors.
typedef enum CollectorOrder { COLLECTORS_BY_AGE, COLLECTORS_BY_TURN } CollectorOrder;

typedef struct OperandConfig { // section `operand`
    uint32_t banks;       // register file banks
    uint32_t banks_of;    // BanksOf
    uint32_t bank_number; // BankNumber
    uint32_t passes;      // operands that a bank reads or writes per cycle, one after the other
    uint32_t shared_collectors; // that all ports share; 0: each port has its own
    uint32_t shared_outputs;    // with shared_collectors: instructions per port between
                                // collectors and unit
    uint32_t collector_order;   // with shared_collectors: CollectorOrder
    uint32_t sp, sfu, dp, mem, integer; // collector units per execution port
    // Instructions that the latch between issue and a port's collectors holds.
    uint32_t ports_sp, ports_sfu, ports_dp, ports_mem, ports_int;
    uint32_t mem_collect; // MemCollect
    uint32_t mem_issue;   // memory instructions of all schedulers per cycle; 0: no limit
    uint32_t stages;      // cycles from issue to the first bank read
    uint32_t dispatch;    // cycles from the last operand to the unit
    uint32_t writeback;   // cycles from the unit's last stage to the scoreboard's release
} OperandConfig;

typedef enum Unclassed { UNCLASSED_AS_COUNTED, UNCLASSED_AS_MOVE } Unclassed;

typedef struct UnitConfig { // section `units`
    // How many of each. dp 0: DP instructions use the SFU; integer 0: integer ones use the SP.
    uint32_t sp, sfu, dp, integer;
    uint32_t dp_div;      // unit of CLASS_DP_DIV, _RCP and _SQRT: 0 dp, 1 sfu
    uint32_t int_mul;     // unit of CLASS_INT_MUL and _MAD: 0 as other integers, 1 sfu
    uint32_t unclassed;   // Unclassed: the operations from LATENCY_CLASSES on
    uint32_t unit_results, sm_results; // results per cycle of a unit, of all units; 0: no limit
} UnitConfig;

typedef struct LatencyConfig { // sections `latency` and `initiation`: cycles by class
    uint32_t of[LATENCY_CLASSES];
} LatencyConfig;

const char *op_class_name(OpClass class); // "int_add"; also the parameter's name in `latency`

// Lanes of an atomic on one word of shared memory: a pass each, or one pass.
typedef enum SharedAtomics { SHARED_ATOMICS_SERIAL, SHARED_ATOMICS_TOGETHER } SharedAtomics;

typedef struct SharedConfig { // section `shared`
    uint32_t banks, latency;
    uint64_t bank_bytes;
    uint32_t atomics; // SharedAtomics
} SharedConfig;

typedef enum L1Sizing {
    L1_FIXED,
    L1_BY_SHARED_NEED,
    L1_UNIFIED,           // one store for the L1D and shared memory
    L1_UNIFIED_REGISTERS, // one store for the L1D, shared memory and registers
} L1Sizing;

// The order in which the accesses of one instruction are made.
typedef enum AccessOrder { ORDER_LANE, ORDER_ADDRESS } AccessOrder;

// When an SM sends requests in a cycle: behind its look-ups, so that a miss can leave in the same
// cycle, or before them.
typedef enum SendTime { SEND_AFTER_LOOKUPS, SEND_BEFORE_LOOKUPS } SendTime;

// Where the parameters and results of device functions are.
typedef enum FunctionParams { FUNCTION_PARAMS_REGISTERS, FUNCTION_PARAMS_LOCAL } FunctionParams;

// The threads whose words of local memory lie side by side: of a warp, or of the GPU.
typedef enum LocalLayout { LOCAL_BY_WARP, LOCAL_BY_GPU } LocalLayout;

// What full MSHRs of an SM stop: its own prefetches, or those of all SMs.
typedef enum PrefetchStopBy { STOP_BY_SM, STOP_BY_GPU } PrefetchStopBy;

typedef struct PathConfig { // section `memory`
    uint64_t capacity;     // bytes of device memory
    uint32_t coalesce;     // CoalesceRule
    uint32_t access_order; // AccessOrder
    uint32_t send;         // SendTime
    bool global_in_l1;     // global loads are cached in the L1D
    bool strong_in_l1;     // also volatile loads, and loads of a scope wider than the block
    uint32_t nc_path;      // ld.global.nc: 0 l1d, 1 readonly
    uint32_t texture_path; // textures: 0 l1d, 1 readonly
    bool copy_fills_l2;    // a host copy leaves its data in the L2
    bool invalidate_l1;    // the L1D and the read-only cache, between kernels
    bool perfect_constants; // constants and kernel parameters are always there
    uint32_t function_params; // FunctionParams
    uint32_t local_layout;    // LocalLayout
    uint32_t l1_sizing;    // L1Sizing
    uint64_t l1_large;     // BY_SHARED_NEED: L1D size if the kernel needs little shared memory
    uint64_t l1_large_shared; // BY_SHARED_NEED: maximum shared memory per block for l1_large
    uint64_t unified;      // UNIFIED, UNIFIED_REGISTERS: bytes of the store
    uint32_t lsu_rate;     // instructions per cycle that the load/store unit takes
    uint32_t l1_banks;     // accesses per cycle into the L1D's pipeline
    uint32_t inject_buffer; // flits that an SM's injection port buffers
    uint32_t prefetch_stop; // core cycles without prefetches after a lack of room; 0: none
    uint32_t prefetch_stop_by; // PrefetchStopBy
    bool prefetch_flush;    // a lack of room drops prefetches that have not left the SM
} PathConfig;

typedef enum LaunchRoundRobin { ROUND_ROBIN_RESTART, ROUND_ROBIN_CONTINUE } LaunchRoundRobin;

// When the dispatcher hands out blocks: at the ends of quanta, or in every cycle.
typedef enum LaunchDispatch { DISPATCH_QUANTUM, DISPATCH_CYCLE } LaunchDispatch;

typedef struct LaunchConfig { // section `launch`
    uint32_t dispatch; // LaunchDispatch
    uint32_t queue;    // DISPATCH_QUANTUM: blocks queued at an SM ahead of a free block slot
    uint32_t latency;  // core cycles from a launch to its first block
    uint32_t round_robin; // LaunchRoundRobin: the SM that gets a launch's first block
    // In ns, between launches (gpu/device_time.h):
    uint64_t overhead;       // from the end of a stream's kernel to its next one
    uint64_t graph_overhead; // the same between kernels of a graph
    uint64_t interval;       // in which the host submits a launch
} LaunchConfig;

extern const HdParameter core_parameters[], scalar_parameters[], frontend_parameters[],
    operand_parameters[], unit_parameters[], latency_parameters[], initiation_parameters[],
    shared_parameters[], path_parameters[], launch_parameters[];

// Pointers to the parameters of an SM. The parameters outlive the SM.
typedef struct SmConfig {
    const CoreConfig *core;
    const ScalarConfig *scalar;
    const FrontendConfig *frontend;
    const OperandConfig *operand;
    const UnitConfig *units;
    const LatencyConfig *latency, *initiation;
    const SharedConfig *shared;
    const CacheConfig *l1i, *l1c, *l1r; // each launch has its own L1D configuration: SmLaunch.l1d
    const L15Config *l15; // NULL: none
    const PathConfig *path;
    const LaunchConfig *launch;
    const IcntConfig *icnt;
    const DramConfig *dram;
    const AtomicsConfig *atomics;
} SmConfig;

#endif
