// One SM's parameters and counters: the tables that a machine file, the report and the docs use.
#ifndef HEDDLE_CORE_CORE_H
#define HEDDLE_CORE_CORE_H

#include "config/config.h"
#include "core/waits.h"
#include "memory/cache/cache.h"
#include "memory/memory_side.h"
#include "memory/request.h"
#include "ptx/uop.h"
#include "stats/stats.h"

// ---- parameters ----

typedef enum SchedulerPolicy { SCHEDULE_LRR, SCHEDULE_GTO, SCHEDULE_TWO_LEVEL } SchedulerPolicy;

typedef enum Divergence { DIVERGENCE_STACK, DIVERGENCE_ITS } Divergence;

typedef struct CoreConfig { // section `core`
    uint64_t frequency; // kHz
    uint32_t width;     // lanes of a warp
    uint32_t threads, blocks, registers, register_unit; // limits of one SM
    uint32_t warp_unit; // the number of warps that the registers allow is a multiple of this
    uint64_t shared;    // bytes of shared memory of one SM
    // Of a block, in bytes: most shared memory (0: all of the SM's), the part that the system
    // reserves, the allocation unit.
    uint64_t block_shared, shared_reserved, shared_unit;
    uint32_t schedulers, policy, issue, two_level_active;
    uint32_t divergence; // Divergence
    uint32_t its_yield, its_patience; // its: backward branches after which a split yields
    uint32_t stack;     // most functions that a thread may have open, the kernel included
    uint64_t local;     // most bytes of local memory per thread
    uint32_t system_call; // cycles that printf, malloc or free take a warp
} CoreConfig;

typedef enum FrontendBuffer { BUFFER_PER_WARP, BUFFER_SHARED_STORE } FrontendBuffer;

typedef struct FrontendConfig { // section `frontend`
    uint32_t fetches;     // fetches per cycle, each for one warp
    uint64_t fetch_bytes; // bytes of one fetch (never across a line)
    uint32_t instruction_bytes; // of one PTX instruction in instruction memory
    uint32_t buffer;      // FrontendBuffer
    uint32_t entries;     // per-warp: decoded instructions of a warp
    uint32_t store_entries, store_ways; // shared-store; each entry: one fetch
    uint32_t store_lookups; // shared-store: lookups per cycle
    uint32_t decode;      // cycles from the fetch to the instruction buffer
    bool perfect;         // every fetch hits
} FrontendConfig;

typedef struct OperandConfig { // section `operand`
    uint32_t banks;       // register file banks, one read or write per cycle each
    uint32_t sp, sfu, dp, mem; // collector units per execution port
    // Instructions that a port's latch holds before its collectors.
    uint32_t ports_sp, ports_sfu, ports_dp, ports_mem;
    uint32_t stages;      // cycles from issue to the first bank read
    uint32_t dispatch;    // cycles from the last operand to the unit
    uint32_t writeback;   // cycles from the unit's last stage to the scoreboard's release
} OperandConfig;

typedef struct UnitConfig { // section `units`
    uint32_t sp, sfu, dp; // how many of each (dp 0: DP instructions use the SFU)
} UnitConfig;

typedef struct LatencyConfig { // sections `latency` and `initiation`: cycles by class
    uint32_t of[OP_CLASSES];
} LatencyConfig;

typedef struct SharedConfig { // section `shared`
    uint32_t banks, latency;
    uint64_t bank_bytes;
} SharedConfig;

typedef enum L1Sizing { L1_FIXED, L1_BY_SHARED_NEED, L1_UNIFIED } L1Sizing;

typedef struct PathConfig { // section `memory`
    uint64_t capacity;     // bytes of device memory; 0: no limit
    uint32_t coalesce;     // CoalesceRule
    bool global_in_l1;     // global loads are cached in the L1D
    bool strong_in_l1;     // so are volatile loads, and loads ordered beyond the block
    uint32_t nc_path;      // ld.global.nc: 0 l1d, 1 readonly
    uint32_t texture_path; // textures: 0 l1d, 1 readonly
    bool copy_fills_l2;    // a host copy leaves its data in the L2
    bool invalidate_l1;    // between kernels
    uint32_t l1_sizing;    // L1Sizing
    uint64_t l1_large;     // BY_SHARED_NEED: L1D size if the kernel needs little shared memory
    uint64_t l1_large_shared; // BY_SHARED_NEED: most bytes of shared memory per block for l1_large
    uint64_t unified;      // UNIFIED: bytes of the store that L1D and shared memory divide
    uint32_t l1_banks;     // accesses per cycle into the L1D's pipeline
    uint32_t inject_buffer; // flits that wait for the network in an SM's injection port
} PathConfig;

typedef struct LaunchConfig { // section `launch`
    uint32_t queue;    // blocks that the dispatcher hands to an SM ahead of a free block slot
    uint32_t latency;  // core cycles from a launch to its first block
} LaunchConfig;

extern const Knob core_knobs[], frontend_knobs[], operand_knobs[], unit_knobs[], latency_knobs[],
    initiation_knobs[], shared_knobs[], path_knobs[], launch_knobs[];

// Pointers to one SM's parameters; they outlive it.
typedef struct SmConfig {
    const CoreConfig *core;
    const FrontendConfig *frontend;
    const OperandConfig *operand;
    const UnitConfig *units;
    const LatencyConfig *latency, *initiation;
    const SharedConfig *shared;
    const CacheConfig *l1i, *l1c, *l1r; // the L1D's is the launch's (SmLaunch.l1d)
    const PathConfig *path;
    const LaunchConfig *launch;
    const IcntConfig *icnt;
} SmConfig;

// What became of an issue slot (one scheduler, one cycle).
typedef enum IssueSlot {
    SLOT_ISSUED,
    SLOT_MEMORY,
    SLOT_DEPENDENCY,
    SLOT_UNIT,
    SLOT_LSU,
    SLOT_FETCH,
    SLOT_BARRIER,
    SLOT_THROTTLED,
    SLOT_IDLE,
    ISSUE_SLOTS
} IssueSlot;
#define ISSUE_BY_SLOT(C)                                                                           \
    C(issued, "slots", "Slots that issued an instruction.")                                        \
    C(stall_memory, "slots", "All warps waited; one at least for the data of a load or atomic.")   \
    C(stall_dependency, "slots", "... no load, but the result of an earlier instruction.")         \
    C(stall_unit, "slots", "A warp was ready, but the unit or collector it needs was taken.")      \
    C(stall_lsu, "slots", "A warp was ready, but the load/store unit's queue was full.")           \
    C(stall_fetch, "slots",                                                                        \
      "All warps waited; one at least for its next instruction (fetch, decode).")                  \
    C(stall_barrier, "slots", "All warps stood at a barrier or fence.")                            \
    C(stall_throttled, "slots", "A warp was ready, but a mechanism held it back.")                 \
    C(idle, "slots", "No warp: nothing to do on this scheduler.")
#define ISSUE_COUNTERS(C) C##_ARRAY(slots, ISSUE_SLOTS, ISSUE_BY_SLOT)

#define LOADS_BY_LEVEL(C)                                                                          \
    C(loads_l1, "requests", "Load requests answered by the L1D.")                                  \
    C(loads_l2, "requests", "... by the L2.")                                                      \
    C(loads_dram, "requests", "... by DRAM.")
#define LATENCY_BY_LEVEL(C)                                                                        \
    C(latency_l1, "core cycles", "Sum over loads_l1 of the cycles from issue to data.")            \
    C(latency_l2, "core cycles", "Sum over loads_l2.")                                             \
    C(latency_dram, "core cycles", "Sum over loads_dram.")

#define SM_COUNTERS(C)                                                                             \
    C(cycles, "core cycles", "Cycles that passed, over all SMs.")                                  \
    C(active_cycles, "core cycles", "Cycles with at least one warp on the SM, over all SMs.")      \
    C(warp_cycles, "warp cycles",                                                                  \
      "Warps on the SM x cycles (/ active_cycles = average occupancy).")                           \
    C(warp_instructions, "instructions", "Warp instructions issued.")                              \
    C(thread_instructions, "instructions",                                                         \
      "The same, counted once per active lane (guards applied).")                                  \
    C(committed, "instructions",                                                                   \
      "Warp instructions finished (equals warp_instructions at the end).")                         \
    C(warps, "warps", "Warps started.")                                                            \
    C(blocks, "blocks", "Blocks started.")                                                         \
    C(branches, "instructions", "Branches issued.")                                                \
    C(divergent_branches, "instructions", "Branches that split their warp.")                       \
    C(reconvergences, "paths", "Times that all lanes which a branch had parted met again.")        \
    C(yields, "paths", "Independent threads: times that a path that spun gave way to another.")    \
    C(convergence_barriers_broken, "paths",                                                        \
      "... lanes that waited to reconverge went on without the others, which spun or waited.")     \
    C(sync_waits, "paths", "... lanes waited at a sync mask for lanes on other paths.")            \
    C(memory_instructions, "instructions",                                                         \
      "Global and local memory instructions issued with an active lane.")                          \
    C(memory_requests, "requests", "Accesses that the coalescer made of them.")                    \
    C(global_loads, "instructions", "Global loads.")                                               \
    C(global_stores, "instructions", "Global stores.")                                             \
    C(global_atomics, "instructions", "Global atomics and reductions.")                            \
    C(texture_fetches, "instructions", "Texture fetches, and loads from surfaces.")                \
    C(shared_instructions, "instructions", "Shared memory instructions.")                          \
    C(shared_passes, "passes", "Passes they took; passes - instructions are bank conflicts.")      \
    C(operand_reads, "operands", "Register operands read from the banks.")                         \
    C(operand_conflict_cycles, "cycles", "Cycles that operands waited for their bank.")            \
    C(barriers, "barriers", "Block barriers completed.")                                           \
    C(fetches, "fetches", "Instruction fetches.")                                                  \
    C(istore_lookups, "lookups", "Lookups in the shared store of decoded instructions.")           \
    C(istore_hits, "lookups", "Of them: the warp's next instruction was there.")                   \
    C(istore_misses, "lookups", "... was not, and is fetched.")                                    \
    C(istore_blocked, "fetches", "Fetches made again: each way of the store's set was in use.")    \
    C##_ARRAY(loads, MEM_LEVELS, LOADS_BY_LEVEL)                                                   \
    C##_ARRAY(latency, MEM_LEVELS, LATENCY_BY_LEVEL)                                               \
    C(injection_blocked, "core cycles", "Cycles in which the head of the miss queue had no credit.")

typedef struct IssueCounters { ISSUE_COUNTERS(STAT_FIELD) } IssueCounters;
typedef struct SmCounters { SM_COUNTERS(STAT_FIELD) } SmCounters;
extern const StatTable issue_table, sm_table;

// What a warp waits for.
typedef enum WarpState {
    WARP_NONE,       // no warp here, or all its lanes have exited
    WARP_READY,      // its next instruction could issue
    WARP_MEMORY,     // waits for a load's or an atomic's result
    WARP_DEPENDENCY, // waits for another instruction's result
    WARP_FETCH,      // waits for its next instruction
    WARP_BARRIER,    // blocked at a barrier, or a fence or barrier waits for its memory operations
    WARP_THROTTLED,  // its next instruction could issue, but a mechanism throttles the warp
    WARP_STATES
} WarpState;

// By static instruction. wait_*: the cycles of a warp from its last instruction's issue to this
// one's (from its start; to its end), by what it waited for in them; their sum is warp_cycles.
#define PC_COUNTERS(C)                                                                             \
    C(issued, "instructions", "Warp instructions issued here.")                                    \
    C(lanes, "lanes", "Active lanes over them.")                                                   \
    C(requests, "requests", "Memory accesses that the coalescer made of them.")                    \
    C(latency, "core cycles", "Loads: sum of the cycles from issue to the last lane's data.")      \
    C(l1_accesses, "accesses", "L1D accesses.")                                                    \
    C(l1_hits, "accesses", "L1D hits.")                                                            \
    C(l1_pending_hits, "accesses", "L1D pending hits.")                                            \
    C(l1_misses, "accesses", "L1D misses.")                                                        \
    C##_ARRAY(l1_stalls, CACHE_STALL_REASONS, PC_L1_STALLS)                                        \
    C##_ARRAY(waits, WARP_STATES, PC_WAITS)
#define PC_L1_STALLS(C)                                                                            \
    STALL_COUNTERS(C, l1_stall,                                                                    \
                     "Cycles in which its access at the head of the L1D was refused")
#define PC_WAITS(C)                                                                                \
    C(wait_end, "warp cycles", "The warp has ended, but not all that it issued is finished.")      \
    C(wait_ready, "warp cycles", "It could issue: others went first, or its unit was taken.")      \
    C(wait_memory, "warp cycles", "It waited for the data of a load or atomic.")                   \
    C(wait_dependency, "warp cycles", "... for the result of another instruction.")                \
    C(wait_fetch, "warp cycles", "... to be fetched and decoded.")                                 \
    C(wait_barrier, "warp cycles", "The warp stood at this barrier, fence or sleep.")              \
    C(wait_throttled, "warp cycles", "It could issue, but a mechanism held it back.")
typedef struct PcCounters { PC_COUNTERS(STAT_FIELD) } PcCounters;
extern const StatTable pc_table;

// By array: the SM's half (the slices' half is AccessCounters).
typedef struct SmTables {
    IssueCounters issue;
    SmCounters sm;
    CacheCounters l1d, l1i, l1c, l1r;
    uint64_t by_class[OP_CLASSES];            // warp instructions by latency class
    uint64_t thread_by_class[OP_CLASSES];
    uint64_t lanes[HD_MAX_LANES + 1];         // warp instructions by active lanes
    uint64_t requests[HD_MAX_LANES + 1];      // memory instructions by requests made
    AccessCounters *l1d_allocations; // per array; one more at the end for accesses outside arrays
    PcCounters *pcs;            // per static instruction of the module
    WaitTable waited;           // wait_memory again, by the instruction that was waited for
} SmTables;

const char *op_class_name(OpClass class); // "int_add", ...: also the key in `latency`

#endif
