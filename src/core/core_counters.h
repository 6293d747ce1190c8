// The counters of an SM. A counter is a row of one of these lists.
#ifndef HEDDLE_CORE_CORE_COUNTERS_H
#define HEDDLE_CORE_CORE_COUNTERS_H

#include "core/waits.h"
#include "memory/cache/cache.h"
#include "memory/packets.h"
#include "ptx/uop.h"
#include "stats/stats.h"

// The use of an issue slot: one scheduler in one cycle.
typedef enum IssueSlot {
    SLOT_ISSUED,
    SLOT_MEMORY,
    SLOT_DEPENDENCY,
    SLOT_UNIT,
    SLOT_WAVE_TABLE,
    SLOT_LSU,
    SLOT_FETCH,
    SLOT_BARRIER,
    SLOT_THROTTLED,
    SLOT_IDLE,
    ISSUE_SLOTS
} IssueSlot;
#define ISSUE_BY_SLOT(C)                                                                           \
    C(issued, "slots", "Slots that issued an instruction of the program or of a mechanism.")       \
    C(stall_memory, "slots",                                                                       \
      "No warp was ready. At least one waited for the data of a load or atomic.")                  \
    C(stall_dependency, "slots",                                                                   \
      "No warp was ready. At least one waited for a result, none for a load or atomic.")           \
    C(stall_unit, "slots",                                                                         \
      "A warp was ready, but its execution unit or operand collector was busy.")                   \
    C(stall_wave_table, "slots",                                                                   \
      "A warp was ready, but waited for an entry of the table of waves.")                          \
    C(stall_lsu, "slots", "A warp was ready, but the load/store unit's queue was full.")           \
    C(stall_fetch, "slots",                                                                        \
      "No warp was ready. At least one waited for fetch or decode of its next instruction.")       \
    C(stall_barrier, "slots", "All warps were blocked at a barrier or fence.")                     \
    C(stall_throttled, "slots", "A warp was ready, but a mechanism throttled it.")                 \
    C(idle, "slots", "The scheduler had no warp.")
#define ISSUE_COUNTERS(C) C##_ARRAY(slots, ISSUE_SLOTS, ISSUE_BY_SLOT)

// Numbers of issuable warps, as the bins of yilmazer2020gw, Figures 11 and 12 (which print 2-3, and
// have no bin for 4).
typedef enum IssuableBin {
    BIN_0, BIN_1, BIN_2_4, BIN_5_8, BIN_9_16, BIN_MORE,
    ISSUABLE_BINS
} IssuableBin;
#define ISSUABLE_WARPS(C)                                                                          \
    C(issuable_warps_0, "core cycles", "Cycles in which no warp was issuable.")                    \
    C(issuable_warps_1, "core cycles", "Cycles in which 1 warp was issuable.")                     \
    C(issuable_warps_2_4, "core cycles", "Cycles in which 2 to 4 warps were issuable.")            \
    C(issuable_warps_5_8, "core cycles", "Cycles in which 5 to 8 warps were issuable.")            \
    C(issuable_warps_9_16, "core cycles", "Cycles in which 9 to 16 warps were issuable.")          \
    C(issuable_warps_more, "core cycles", "Cycles in which more than 16 warps were issuable.")
#define ISSUABLE_SCALARS(C)                                                                        \
    C(issuable_scalars_0, "core cycles", "Cycles in which no scalar instruction was issuable.")    \
    C(issuable_scalars_1, "core cycles", "Cycles in which 1 scalar instruction was issuable.")     \
    C(issuable_scalars_2_4, "core cycles",                                                         \
      "Cycles in which 2 to 4 scalar instructions were issuable.")                                 \
    C(issuable_scalars_5_8, "core cycles",                                                         \
      "Cycles in which 5 to 8 scalar instructions were issuable.")                                 \
    C(issuable_scalars_9_16, "core cycles",                                                        \
      "Cycles in which 9 to 16 scalar instructions were issuable.")                                \
    C(issuable_scalars_more, "core cycles",                                                        \
      "Cycles in which more than 16 scalar instructions were issuable.")

// Counters of a machine that issues by groups (core_groups). A warp is issuable if its next
// instruction is decoded and has its operands, whatever the units do.
#define GROUP_COUNTERS(C)                                                                          \
    C(pairs, "groups", "Issue groups of a pair of warps.")                                         \
    C(lone, "groups", "Issue groups of one warp, waves aside.")                                    \
    C(waves, "groups", "Issue groups that are waves of scalar instructions.")                      \
    C(wave_members, "instructions", "Warp instructions in waves.")                                 \
    C(scalars, "instructions", "Warp instructions that executed in one lane.")                     \
    C(lanes_saved, "lanes", "Active lanes in which instructions of `scalars` did not execute.")    \
    C(shared_lookups, "instructions",                                                              \
      "Warp instructions that came by a look-up in the shared store, or a fetch, of another warp " \
      "of the group that issued before, or of a pair that starts.")                                \
    C(wave_table_full, "warp cycles",                                                              \
      "Cycles in which a scalar instruction waited for an entry of the table of waves.")           \
    C(waves_by_patience, "groups", "Waves that went first because of scalar.patience.")            \
    C##_ARRAY(issuable_warps, ISSUABLE_BINS, ISSUABLE_WARPS)                                       \
    C##_ARRAY(issuable_scalars, ISSUABLE_BINS, ISSUABLE_SCALARS)
typedef struct GroupCounters { GROUP_COUNTERS(STAT_FIELD) } GroupCounters;
extern const StatTable group_table;

#define LOADS_BY_LEVEL(C)                                                                          \
    C(loads_l1, "requests", "Load requests answered by the L1D.")                                  \
    C(loads_l2, "requests", "Load requests answered by the L2.")                                   \
    C(loads_dram, "requests", "Load requests answered by DRAM.")
#define LATENCY_BY_LEVEL(C)                                                                        \
    C(latency_l1, "core cycles", "Sum over loads_l1 of the cycles from issue to data.")            \
    C(latency_l2, "core cycles", "Sum over loads_l2 of the cycles from issue to data.")            \
    C(latency_dram, "core cycles", "Sum over loads_dram of the cycles from issue to data.")

#define SM_COUNTERS(C)                                                                             \
    C(cycles, "core cycles", "Elapsed cycles, summed over all SMs.")                               \
    C(active_cycles, "core cycles",                                                                \
      "Cycles with at least one warp on the SM, summed over all SMs.")                             \
    C(warp_cycles, "warp cycles",                                                                  \
      "Warps on the SM x cycles (/ active_cycles = average occupancy).")                           \
    C(warp_instructions, "instructions", "Warp instructions issued.")                              \
    C(thread_instructions, "instructions",                                                         \
      "Thread instructions: warp instructions times active lanes, after guard predicates.")        \
    C(injected, "micro-ops",                                                                       \
      "Micro-ops of mechanisms issued. No counter of warp instructions has them.")                 \
    C(committed, "instructions",                                                                   \
      "Warp instructions and micro-ops completed: at the end, warp_instructions + injected.")      \
    C(scalar_instructions, "instructions",                                                         \
      "Of warp_instructions: those that compute the same in all lanes (UOpTiming.scalar).")        \
    C(warps, "warps", "Warps started.")                                                            \
    C(blocks, "blocks", "Blocks started.")                                                         \
    C(branches, "instructions", "Branches issued.")                                                \
    C(divergent_branches, "instructions", "Branches that split their warp.")                       \
    C(reconvergences, "events", "Reconvergences of all lanes that a branch had split.")            \
    C(yields, "events", "Independent threads: a spinning warp split yielded to another split.")    \
    C(convergence_barriers_broken, "events",                                                       \
      "Convergence barriers broken: lanes went on without others that spun or were blocked.")      \
    C(convergence_waits, "events", "Waits at a sync mask for lanes of other warp splits.")         \
    C(memory_instructions, "instructions",                                                         \
      "Global and local memory instructions issued with an active lane. A group of warps that "    \
      "issue together counts as one.")                                                             \
    C(memory_requests, "requests", "Accesses after coalescing, of memory_instructions.")           \
    C(global_loads, "instructions", "Global loads.")                                               \
    C(global_stores, "instructions", "Global stores.")                                             \
    C(global_atomics, "instructions", "Global atomics and reductions.")                            \
    C(atomic_lanes, "lanes", "Active lanes of global_atomics.")                                    \
    C(texture_fetches, "instructions", "Texture fetches, and loads from surfaces.")                \
    C(shared_instructions, "instructions", "Shared memory instructions.")                          \
    C(shared_passes, "passes",                                                                     \
      "Passes of shared_instructions. Passes minus instructions are bank conflicts.")              \
    C(operand_reads, "operands", "Register operands read from the banks.")                         \
    C(operand_conflict_cycles, "cycles",                                                           \
      "Cycles that operands waited for a conflicting access to their bank.")                       \
    C(barriers, "barriers", "Block barriers completed.")                                           \
    C(fetches, "fetches", "Instruction fetches.")                                                  \
    C(wrong_path_fetches, "fetches",                                                               \
      "Fetches, or lookups in the shared store, of which no instruction issued.")                  \
    C(instructions_decoded, "instructions",                                                        \
      "Instructions decoded into the buffers of warps, or into the shared store.")                 \
    C(instructions_flushed, "instructions",                                                        \
      "Decoded instructions dropped from the buffers of warps: behind a taken branch, or at the "  \
      "end of a warp.")                                                                            \
    C(instruction_store_lookups, "lookups",                                                        \
      "Lookups in the shared store of decoded instructions.")                                      \
    C(instruction_store_hits, "lookups",                                                           \
      "Lookups in the shared store that found the warp's next instruction.")                       \
    C(instruction_store_misses, "lookups",                                                         \
      "Lookups in the shared store that missed, which starts a fetch.")                            \
    C(instruction_store_blocked, "fetches",                                                        \
      "Fetches repeated because all ways of the shared store's set were in use.")                  \
    C##_ARRAY(loads, MEM_LEVELS, LOADS_BY_LEVEL)                                                   \
    C##_ARRAY(latency, MEM_LEVELS, LATENCY_BY_LEVEL)                                               \
    C(injection_blocked, "core cycles",                                                            \
      "Cycles in which the head of the miss queue had no network credit.")

typedef struct IssueCounters { ISSUE_COUNTERS(STAT_FIELD) } IssueCounters;
typedef struct SmCounters { SM_COUNTERS(STAT_FIELD) } SmCounters;
extern const StatTable issue_table, sm_table;

// What blocks a warp.
typedef enum WarpState {
    WARP_NONE,       // the slot has no warp, or all lanes of its warp have exited
    WARP_READY,      // the next instruction can issue
    WARP_MEMORY,     // waits for the result of a load or atomic
    WARP_DEPENDENCY, // waits for the result of another instruction
    WARP_FETCH,      // waits for the next instruction
    WARP_BARRIER,    // blocked at a barrier, or at a fence or barrier that drains memory operations
    WARP_THROTTLED,  // the next instruction could issue, but a mechanism throttles the warp
    WARP_WAVE_TABLE, // the next instruction has its operands, but no entry of the table of waves
    WARP_STATES
} WarpState;

// Counters of a static instruction. wait_* divides the time of a warp, from the issue of its
// previous instruction (or its start) to the issue of this one (or its end), by what the warp
// waited for. The sum over all instructions is warp_cycles.
#define PC_COUNTERS(C)                                                                             \
    C(issued, "instructions", "Warp instructions issued.")                                         \
    C(lanes, "lanes", "Sum of active lanes over the issues.")                                      \
    C(requests, "requests", "Memory accesses after coalescing.")                                   \
    C(latency, "core cycles", "Loads: sum of the cycles from issue to the last lane's data.")      \
    C(l1_accesses, "accesses", "L1D accesses.")                                                    \
    C(l1_hits, "accesses", "L1D hits.")                                                            \
    C(l1_pending_hits, "accesses", "L1D pending hits.")                                            \
    C(l1_misses, "accesses", "L1D misses.")                                                        \
    C##_ARRAY(l1_stalls, CACHE_STALL_REASONS, PC_L1_STALLS)                                        \
    C##_ARRAY(waits, WARP_STATES, PC_WAITS)
#define PC_L1_STALLS(C)                                                                            \
    STALL_COUNTERS(C, l1_stall,                                                                    \
                     "Cycles in which an access stalled at the head of the L1D")
#define PC_WAITS(C)                                                                                \
    C(wait_end, "warp cycles",                                                                     \
      "The warp has exited, but instructions that it issued are in flight.")                       \
    C(wait_ready, "warp cycles",                                                                   \
      "The instruction was ready, but another warp issued or the unit was busy.")                  \
    C(wait_memory, "warp cycles", "The instruction waited for the data of a load or atomic.")      \
    C(wait_dependency, "warp cycles",                                                              \
      "The instruction waited for the result of another one, not a load or atomic.")               \
    C(wait_fetch, "warp cycles", "The instruction waited for fetch or decode.")                    \
    C(wait_barrier, "warp cycles", "The warp was blocked at this barrier, fence or sleep.")        \
    C(wait_throttled, "warp cycles",                                                               \
      "The instruction was ready, but a mechanism throttled the warp.")                            \
    C(wait_wave_table, "warp cycles",                                                              \
      "The instruction was ready, but waited for an entry of the table of waves.")
typedef struct PcCounters { PC_COUNTERS(STAT_FIELD) } PcCounters;
extern const StatTable pc_table;

// The caches of an SM.
typedef enum SmCache { SM_L1D, SM_L1I, SM_L1C, SM_L1R, SM_L15, SM_CACHES } SmCache;
typedef struct SmCacheNames {
    const char *key;   // of its counters in a result, and of its section in a machine file
    const char *label; // in messages
} SmCacheNames;
extern const SmCacheNames sm_cache_names[SM_CACHES];

// The counters of an SM but for those of its caches: a field of SmTables, its type and table, and
// in messages what it counts.
#define SM_TABLES(T)                                                                               \
    T(issue, IssueCounters, issue_table, "issue slots")                                            \
    T(sm, SmCounters, sm_table, "SMs")                                                             \
    T(groups, GroupCounters, group_table, "issue groups") // zeros if it does not issue by groups
#define SM_TABLE_FIELD(field, type, table, of) type field;

// All counters of an SM.
typedef struct SmTables {
    SM_TABLES(SM_TABLE_FIELD)
    union {
        struct {
            CacheCounters l1d, l1i, l1c, l1r, l15;
        };
        CacheCounters caches[SM_CACHES]; // the same
    };
    uint64_t by_class[OP_CLASSES];            // warp instructions by latency class
    uint64_t thread_by_class[OP_CLASSES];
    uint64_t lanes[HD_MAX_LANES + 1];         // warp instructions by active lanes
    uint64_t requests[HD_MAX_LANES + 1];      // memory instructions by number of accesses
    // A machine that issues by groups: groups by lanes used; waves by members.
    uint64_t group_lanes[HD_MAX_LANES + 1], waves[HD_MAX_LANES + 1];
    // By allocation; the last row counts accesses outside all allocations.
    struct AccessCounters *l1d_allocations; // memory/memory_side.h
    PcCounters *pcs;            // by static instruction of the module
    WaitTable waited;           // wait_memory again, by the instruction that the warp waited for
} SmTables;

// Adds all counters that are not rows by allocation or instruction.
void sm_tables_add(SmTables *into, const SmTables *from);

#endif
