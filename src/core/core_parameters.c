// The SM's parameters, which a machine file may set.
#include "config/rows.h"
#include "core/core_config.h"
#include "core/issue/policy.h"
#include "memory/coalesce.h"

#define POLICY_NAME(constant, name, ...) [SCHEDULE_##constant] = name,
static const char *const policies[] = {SCHEDULER_POLICIES(POLICY_NAME) NULL};
#define POLICY_TEXT(constant, name, text, ...) " " name ": " text "."
static const char *const coalesce_rules[] = {
    [COALESCE_LINE] = "line", [COALESCE_SECTOR] = "sector", NULL,
};
static const char *const divergences[] = {
    [DIVERGENCE_STACK] = "stack", [DIVERGENCE_ITS] = "its", NULL,
};
static const char *const first_sides[] = {
    [FIRST_LOW_LANES] = "low-lanes", [FIRST_TAKEN] = "taken", NULL,
};
static const char *const bank_owners[] = {
    [BANKS_OF_SM] = "sm", [BANKS_OF_SCHEDULER] = "scheduler", NULL,
};
static const char *const atomic_waits[] = {
    [ATOMIC_WAIT_RESULT] = "result", [ATOMIC_WAIT_WARP] = "warp", NULL,
};
static const char *const scalar_modes[] = {
    [SCALAR_OFF] = "off", [SCALAR_EXECUTE] = "execute", [SCALAR_WAVES] = "waves", NULL,
};
static const char *const wave_members[] = {
    [MEMBERS_FIXED] = "fixed", [MEMBERS_CONSECUTIVE] = "consecutive", [MEMBERS_ANY] = "any", NULL,
};
static const char *const wave_matches[] = {[MATCH_OPEN] = "open", [MATCH_ALL] = "all", NULL};
static const char *const issue_orders[] = {
    [ORDER_PAIR_LONE_WAVE] = "pair>lone>wave", [ORDER_PAIR_WAVE_LONE] = "pair>wave>lone", NULL,
};
static const char *const buffers[] = {
    [BUFFER_PER_WARP] = "per-warp", [BUFFER_SHARED_STORE] = "shared-store", NULL,
};
static const char *const branches[] = {
    [BRANCH_FALL_THROUGH] = "fall-through", [BRANCH_STALL] = "stall", [BRANCH_TARGET] = "target",
    NULL,
};
static const char *const flushes[] = {
    [FLUSH_NEXT_CYCLE] = "next-cycle", [FLUSH_SCHEDULER] = "scheduler", NULL,
};
static const char *const fills[] = {[FILL_REFETCH] = "refetch", [FILL_FORWARD] = "forward", NULL};
static const char *const bank_numbers[] = {
    [BANK_BY_REGISTER] = "register", [BANK_BY_NAME] = "name", NULL,
};
static const char *const collects[] = {
    [COLLECT_RESERVED] = "reserved", [COLLECT_BEHIND_WRITES] = "behind-writes", NULL,
};
static const char *const turns[] = {[TURN_ISSUE] = "issue", [TURN_CYCLE] = "cycle", NULL};
static const char *const warp_exits[] = {
    [WARP_EXIT_ISSUE] = "issue", [WARP_EXIT_FETCH] = "fetch", NULL,
};
static const char *const nc_paths[] = {"l1d", "readonly", NULL};
static const char *const dispatches[] = {
    [DISPATCH_QUANTUM] = "quantum", [DISPATCH_CYCLE] = "cycle", NULL,
};
static const char *const round_robins[] = {
    [ROUND_ROBIN_RESTART] = "restart", [ROUND_ROBIN_CONTINUE] = "continue", NULL,
};
static const char *const shared_atomics[] = {
    [SHARED_ATOMICS_SERIAL] = "serial", [SHARED_ATOMICS_TOGETHER] = "together", NULL,
};
static const char *const orders[] = {[ORDER_LANE] = "lane", [ORDER_ADDRESS] = "address", NULL};
static const char *const dp_div_units[] = {"dp", "sfu", NULL};
static const char *const int_mul_units[] = {"int", "sfu", NULL};
static const char *const unclassed[] = {
    [UNCLASSED_AS_COUNTED] = "by-kind", [UNCLASSED_AS_MOVE] = "move", NULL,
};
static const char *const sizings[] = {
    [L1_FIXED] = "fixed", [L1_BY_SHARED_NEED] = "by-shared-need", [L1_UNIFIED] = "unified",
    [L1_UNIFIED_REGISTERS] = "unified-registers", NULL,
};

const HdParameter core_parameters[] = {
    FREQUENCY(CoreConfig, frequency, "700MHz", 1000, 10000000, "Core clock."),
    WHOLE(CoreConfig, width, 32, 4, HD_MAX_LANES, "lanes", "Lanes of a warp (a power of two)."),
    WHOLE(CoreConfig, threads, 1536, 4, 65536, "threads", "Maximum threads per SM."),
    WHOLE(CoreConfig, blocks, 8, 1, 256, "blocks", "Maximum blocks per SM."),
    WHOLE(CoreConfig, registers, 32768, 32, 1 << 24, "registers", "32-bit registers per SM."),
    WHOLE(CoreConfig, register_unit, 64, 1, 65536, "registers",
          "Allocation unit of registers, per warp."),
    WHOLE(CoreConfig, warp_unit, 1, 1, 64, "warps",
          "The number of warps that fit in an SM's registers is rounded down to a multiple of "
          "this."),
    BYTES(CoreConfig, shared, "48KiB", 0, 1 << 24, "Shared memory per SM."),
    BYTES(CoreConfig, block_shared, "0B", 0, 1 << 24,
          "Maximum shared memory per block; 0: all of the SM's."),
    BYTES(CoreConfig, shared_reserved, "0B", 0, 1 << 20,
          "Shared memory that the system reserves in each block."),
    BYTES(CoreConfig, shared_unit, "1B", 1, 65536,
          "Allocation unit of shared memory, per block."),
    WHOLE(CoreConfig, schedulers, 2, 1, 16, "schedulers",
          "Warp schedulers per SM. Warp i belongs to scheduler i modulo this (core.paired: the "
          "pair of warps does)."),
    CHOICE(CoreConfig, policy, "gto", policies,
           "Which of its ready warps a scheduler issues first." SCHEDULER_POLICIES(POLICY_TEXT)),
    CHOICE(CoreConfig, scheduler_turn, "issue", turns,
           "Schedulers take turns in trying first, which matters for units that they share. The "
           "turn passes on after a cycle in which an instruction issues (issue), or after every "
           "cycle (cycle)."),
    WHOLE(CoreConfig, issue, 1, 1, 2, "instructions",
          "Instructions per scheduler and cycle, from one warp, to different execution ports."),
    SWITCH(CoreConfig, paired, false,
           "Warps 2p and 2p + 1 are a pair of scheduler p modulo core.schedulers, and issue "
           "together to units of twice core.width lanes if they are ready at one instruction. They "
           "need not be of one block. A register of a pair is one entry of a bank."),
    WHOLE(CoreConfig, two_level_active, 8, 1, 256, "warps", "Size of a scheduler's active set.",
          .when = "policy=two-level"),
    CHOICE(CoreConfig, divergence, "stack", divergences,
           "Divergence model: a reconvergence stack, which runs one warp split to its end before "
           "the next; or independent thread scheduling (its), in which a blocked or spinning "
           "warp split yields to others (Volta and newer)."),
    CHOICE(CoreConfig, first_side, "low-lanes", first_sides,
           "Side of a divergent branch that runs first: the one without the highest lane "
           "(low-lanes), or the taken one (taken).", .when = "divergence=stack"),
    WHOLE(CoreConfig, its_yield, 4, 1, 1000000, "branches",
          "Consecutive backward branches of the same lanes in a polling loop after which a warp "
          "split yields.", .when = "divergence=its"),
    WHOLE(CoreConfig, its_patience, 1048576, 1, 1000000000, "branches",
          "Consecutive backward branches of the same lanes in any loop after which a warp split "
          "yields.", .when = "divergence=its"),
    WHOLE(CoreConfig, call_depth, 1024, 1, 65536, "frames",
          "Maximum call depth of a recursive kernel, including the kernel itself."),
    BYTES(CoreConfig, local, "512KiB", 0, 1 << 24, "Maximum local memory per thread."),
    CHOICE(CoreConfig, atomic_wait, "result", atomic_waits,
           "What waits while an atomic or a reduction is in flight: instructions that use its "
           "result (result), or every later instruction of its warp (warp). This includes "
           "atomics on shared memory."),
    CHOICE(CoreConfig, warp_exit, "issue", warp_exits,
           "When an exited warp without memory accesses in flight frees its slot: when its last "
           "instruction issues (issue); or when the round robin of the fetch stage reaches the "
           "warp after this instruction has left the pipeline (fetch)."),
    WHOLE(CoreConfig, system_call, 2000, 0, 1 << 24, "cycles",
          "Cycles for which printf, malloc or free block a warp; at least until the quantum ends."),
    {0},
};

const HdParameter scalar_parameters[] = {
    CHOICE(ScalarConfig, mode, "off", scalar_modes,
           "Execution of scalar instructions, which compute the same in all lanes: in all lanes "
           "as others (off); in one lane of each warp, with one value stored for the warp "
           "(execute); or so, and in waves of several warps at one instruction (waves)."),
    WHOLE(ScalarConfig, entries, 16, 1, 1024, "waves",
          "Entries of the table of waves of an SM. An entry is taken from its first member's "
          "joining until the wave has finished, its loads included.", .when = "mode=waves"),
    CHOICE(ScalarConfig, members, "fixed", wave_members,
           "Warps that can be in a wave: those whose scalars are in one register entry, by their "
           "numbers at the scheduler (fixed), or on the SM, whose waves issue at any scheduler "
           "(consecutive); or any of the scheduler, with a read of a bank for each further "
           "register entry (any).", .when = "mode=waves"),
    CHOICE(ScalarConfig, match, "open", wave_matches,
           "A warp finds an entry of its instruction, for a wave that it can be in. If that wave "
           "has issued and not finished, the warp opens a wave in another entry (open), or waits "
           "until the wave has finished (all).", .when = "mode=waves"),
    CHOICE(ScalarConfig, order, "pair>lone>wave", issue_orders,
           "What a scheduler tries first: a ready pair of warps, then a single ready warp, then "
           "the oldest wave (pair>lone>wave); or waves before single warps (pair>wave>lone).",
           .when = "mode=waves"),
    SWITCH(ScalarConfig, go_on, false,
           "A warp goes on from a scalar instruction other than a branch at the end of the cycle "
           "in which the instruction joins a wave, instead of when the wave issues. Later "
           "instructions of the warp wait for the wave if they use its results, overwrite what it "
           "reads, or access memory as it does; and so do barriers, fences, calls and exits.",
           .when = "mode=waves"),
    WHOLE(ScalarConfig, patience, 1024, 1, 1000000000, "cycles",
          "Cycles after which a wave that has not issued goes first, so that warps which spin do "
          "not keep a scalar store back for ever.", .when = "mode=waves"),
    {0},
};

const HdParameter frontend_parameters[] = {
    WHOLE(FrontendConfig, fetches, 1, 1, 16, "fetches", "Fetches per cycle, each for one warp."),
    BYTES(FrontendConfig, fetch_bytes, "16B", 1, 1024,
          "Instruction bytes of one fetch."),
    SWITCH(FrontendConfig, cross_line, false,
           "A fetch at the end of a line brings fetch_bytes too, without an access to the next "
           "line. Off: it ends with the line."),
    WHOLE(FrontendConfig, instruction_bytes, 8, 1, 64, "bytes",
          "Size of a PTX instruction in instruction memory."),
    CHOICE(FrontendConfig, buffer, "per-warp", buffers,
           "Where decoded instructions are buffered: in each warp, or in a set-associative store "
           "that all warps share."),
    WHOLE(FrontendConfig, entries, 2, 1, 16, "instructions", "Decoded instructions per warp.",
          .when = "buffer=per-warp"),
    WHOLE(FrontendConfig, store_entries, 48, 1, 65536, "entries",
          "Entries of the store; each holds the instructions of one fetch.",
          .when = "buffer=shared-store"),
    WHOLE(FrontendConfig, store_ways, 4, 1, 65536, "entries",
          "Entries per set; the LRU one that no warp uses is replaced.",
          .when = "buffer=shared-store"),
    WHOLE(FrontendConfig, store_lookups, 2, 1, 16, "lookups",
          "Lookups per cycle, each for one warp.", .when = "buffer=shared-store"),
    WHOLE(FrontendConfig, decode, 2, 1, 100, "cycles",
          "Cycles from a fetch until its instructions can issue."),
    CHOICE(FrontendConfig, branch, "fall-through", branches,
           "What a warp fetches when a branch empties its buffer: the instructions that follow "
           "the branch, which are dropped if it is taken (fall-through); or those at the target "
           "(target). stall: as target, and a fetch ends at a branch (except in a shared store)."),
    CHOICE(FrontendConfig, flush, "next-cycle", flushes,
           "When a warp drops the decoded instructions behind a taken branch, and fetches at the "
           "target: in the cycle after the branch or of their decoding, whichever is later "
           "(next-cycle); or when its scheduler next tries to issue from the warp (scheduler)."),
    CHOICE(FrontendConfig, fill, "refetch", fills,
           "How the warps that wait for an L1I line get their instructions: they fetch again, "
           "round robin among all warps (refetch); or from the line that arrives, one warp per "
           "cycle in order of their misses, before any fetch (forward)."),
    SWITCH(FrontendConfig, perfect, false, "Every instruction fetch hits."),
    {0},
};

#define COLLECTORS(field, name, default_, port)                                                    \
    ROW(OperandConfig, field, name, HD_WHOLE, "Operand collectors of the " port " port.",          \
        .value = default_, .min = 1, .max = 64, .unit = "collectors",                              \
        .when = "shared_collectors=0")

static const char *const collector_orders[] = {
    [COLLECTORS_BY_AGE] = "age", [COLLECTORS_BY_TURN] = "turn", NULL,
};

const HdParameter operand_parameters[] = {
    WHOLE(OperandConfig, banks, 16, 1, 256, "banks",
          "Register file banks; each reads or writes one operand per pass. Register r of warp w "
          "is in bank (r + w) modulo this."),
    CHOICE(OperandConfig, banks_of, "sm", bank_owners,
           "Whose registers a bank holds: all warps' (sm), or those of one scheduler's warps, "
           "which have an equal share of the banks (scheduler)."),
    WHOLE(OperandConfig, passes, 1, 1, 2, "passes",
          "Passes per cycle. In each pass a bank reads or writes one operand, and instructions can "
          "enter and leave their collectors."),
    WHOLE(OperandConfig, shared_collectors, 0, 0, 64, "collectors",
          "Collectors that all ports share; 0: each port has its own. A memory instruction keeps "
          "its collector while the load/store unit and shared_outputs have no room."),
    WHOLE(OperandConfig, shared_outputs, 1, 1, 16, "instructions",
          "Instructions per port that have left the shared collectors and wait for a unit."),
    CHOICE(OperandConfig, collector_order, "age", collector_orders,
           "Which memory instruction leaves the shared collectors, if there are any and several "
           "have their operands: the first that had them (age); or by turns of the collectors, "
           "of which each instruction takes the first free one (turn)."),
    CHOICE(OperandConfig, bank_number, "register", bank_numbers,
           "The number r that selects a register's bank: one of its own, predicates aside "
           "(register); or the one in its name, so that %r5, %f5 and %p5 share a bank, and a "
           "register that an instruction names twice is read twice (name)."),
    COLLECTORS(sp, "sp", 6, "SP"),
    COLLECTORS(sfu, "sfu", 8, "SFU"),
    COLLECTORS(dp, "dp", 2, "DP"),
    COLLECTORS(integer, "int", 2, "integer"),
    COLLECTORS(mem, "mem", 2, "load/store"),
    WHOLE(OperandConfig, ports_sp, 2, 1, 16, "instructions",
          "Instructions that the latch between issue and the SP collectors holds."),
    WHOLE(OperandConfig, ports_sfu, 1, 1, 16, "instructions",
          "Instructions that the latch between issue and the SFU collectors holds."),
    WHOLE(OperandConfig, ports_dp, 1, 1, 16, "instructions",
          "Instructions that the latch between issue and the DP collectors holds."),
    WHOLE(OperandConfig, ports_int, 1, 1, 16, "instructions",
          "Instructions that the latch between issue and the integer collectors holds."),
    WHOLE(OperandConfig, ports_mem, 1, 1, 16, "instructions",
          "Instructions that the latch between issue and the load/store collectors holds."),
    CHOICE(OperandConfig, mem_collect, "reserved", collects,
           "When a memory instruction reads its registers: in the cycles that are reserved at "
           "its issue (reserved); or a cycle later each time a result is written to the bank in "
           "this cycle, and at most one instruction per cycle reaches the load/store unit "
           "(behind-writes)."),
    WHOLE(OperandConfig, mem_issue, 0, 0, 16, "instructions",
          "Memory instructions that all schedulers together issue per cycle; 0: no limit but the "
          "room in latch and collectors."),
    WHOLE(OperandConfig, stages, 1, 0, 100, "cycles", "Cycles from issue to a collector."),
    WHOLE(OperandConfig, dispatch, 2, 0, 100, "cycles",
          "Cycles from the last operand read to the unit's first stage."),
    WHOLE(OperandConfig, writeback, 2, 0, 100, "cycles",
          "Cycles from the unit's last stage to write-back. Dependent instructions can issue after "
          "write-back."),
    {0},
};

const HdParameter unit_parameters[] = {
    WHOLE(UnitConfig, sp, 2, 1, 16, "units",
          "SP units (float32; without integer units everything that no other unit does), one warp "
          "wide."),
    // at most 56 units in all (operands/results.h)
    ROW(UnitConfig, integer, "int", HD_WHOLE,
        "Integer units, for everything that no other unit does; 0: the SP units do it.", .value = 0,
        .min = 0, .max = 7, .unit = "units"),
    WHOLE(UnitConfig, sfu, 1, 1, 16, "units", "Special function units."),
    WHOLE(UnitConfig, dp, 0, 0, 16, "units",
          "Double precision units; 0: the special function units execute double precision."),
    CHOICE(UnitConfig, dp_div, "dp", dp_div_units,
           "Unit of float64 divide, reciprocal and square root."),
    CHOICE(UnitConfig, int_mul, "int", int_mul_units,
           "Unit of integer multiplications and multiply-adds: as of other integer instructions "
           "(int), or the special function units."),
    CHOICE(UnitConfig, unclassed, "by-kind", unclassed,
           "Unit and latency of abs, neg, sad, rem, fma, mul24, mad24, dp4a, dp2a, vote and "
           "activemask: those of the class that they resemble, as rem int_div, fma fp_mad and "
           "vote shuffle (by-kind); or those of a move, for all types (move)."),
    WHOLE(UnitConfig, unit_results, 0, 0, 1, "results",
          "Results that leave a unit per cycle; 0: no limit. An instruction enters a unit once its "
          "result has a place; later ones of its port wait behind it."),
    WHOLE(UnitConfig, sm_results, 0, 0, 64, "results",
          "Results that leave all units of an SM per cycle, the load/store unit aside; 0: no "
          "limit."),
    {0},
};

// One row per latency class: L(class index, key, latency, initiation, what).
#define CLASSES(L)                                                                                 \
    L(CLASS_INT_ADD, "int_add", 4, 1, "integer add, subtract")                                     \
    L(CLASS_INT_MAX, "int_max", 4, 1, "integer minimum, maximum")                                  \
    L(CLASS_INT_MUL, "int_mul", 4, 2, "integer multiply")                                          \
    L(CLASS_INT_MAD, "int_mad", 5, 1, "integer multiply-add")                                      \
    L(CLASS_INT_DIV, "int_div", 145, 8, "integer divide")                                          \
    L(CLASS_FP_ADD, "fp_add", 4, 1, "float32 add, subtract")                                       \
    L(CLASS_FP_MAX, "fp_max", 4, 1, "float32 minimum, maximum")                                    \
    L(CLASS_FP_MUL, "fp_mul", 4, 1, "float32 multiply")                                            \
    L(CLASS_FP_MAD, "fp_mad", 5, 1, "float32 multiply-add")                                        \
    L(CLASS_FP_DIV, "fp_div", 39, 4, "float32 divide")                                             \
    L(CLASS_DP_ADD, "dp_add", 8, 8, "float64 add, subtract")                                       \
    L(CLASS_DP_MAX, "dp_max", 8, 8, "float64 minimum, maximum")                                    \
    L(CLASS_DP_MUL, "dp_mul", 8, 8, "float64 multiply")                                            \
    L(CLASS_DP_MAD, "dp_mad", 8, 8, "float64 multiply-add")                                        \
    L(CLASS_DP_DIV, "dp_div", 330, 130, "float64 divide")                                          \
    L(CLASS_DP_RCP, "dp_rcp", 330, 130, "float64 reciprocal")                                      \
    L(CLASS_DP_SQRT, "dp_sqrt", 330, 130, "float64 square root and its reciprocal")                \
    L(CLASS_FP_RCP, "fp_rcp", 8, 8, "float32 reciprocal and square root, rounded")                 \
    L(CLASS_COUNT, "count", 4, 1, "counts of bits, the first bit set")                             \
    L(CLASS_CONVERT64, "convert64", 4, 1,                                                          \
      "conversions of or to floats, with a 64-bit type on a side")                                 \
    L(CLASS_SFU, "sfu", 8, 8,                                                                      \
      "float32 approximations: reciprocal, roots, sine, logarithm, exponential")                   \
    L(CLASS_SETP, "setp", 4, 1, "comparisons into predicates")                                     \
    L(CLASS_SELP, "selp", 4, 1, "selections")                                                      \
    L(CLASS_LOGIC, "logic", 4, 1, "and, or, xor, not, lop3, copysign")                             \
    L(CLASS_SHIFT, "shift", 4, 1, "shifts and funnel shifts")                                      \
    L(CLASS_BIT, "bit", 4, 1, "bit fields, permutes")                                              \
    L(CLASS_MOVE, "move", 4, 1, "moves, special registers, address conversions")                   \
    L(CLASS_CONVERT, "convert", 4, 1, "conversions between types")                                 \
    L(CLASS_SHUFFLE, "shuffle", 32, 4, "shuffles, matches")                                        \
    L(CLASS_LOAD, "load", 1, 1,                                                                    \
      "the load/store unit's stage of a load, without memory latency")                             \
    L(CLASS_STORE, "store", 1, 1,                                                                  \
      "the load/store unit's stage of a store, without memory latency")                            \
    L(CLASS_ATOMIC, "atomic", 1, 1,                                                                \
      "the load/store unit's stage of an atomic, without memory latency")                          \
    L(CLASS_TEXTURE, "texture", 1, 8,                                                              \
      "the texture unit's stage of a fetch, without memory latency")                               \
    L(CLASS_BARRIER, "barrier", 1, 1, "barriers")                                                  \
    L(CLASS_FENCE, "fence", 1, 1, "fences")                                                        \
    L(CLASS_CONTROL, "control", 1, 1, "branches, calls, returns, exits")

#define LATENCY_ROW(class, name, latency, initiation, what)                                        \
    ROW(LatencyConfig, of[class], name, HD_WHOLE, "Latency: " what ".", .value = latency,          \
        .min = 1, .max = 1000, .unit = "cycles"),
#define INITIATION_ROW(class, name, latency, initiation, what)                                     \
    ROW(LatencyConfig, of[class], name, HD_WHOLE,                                                  \
        "Cycles until the same unit accepts the next instruction: " what ".",                      \
        .value = initiation, .min = 1, .max = 1000, .unit = "cycles"),
#define CLASS_NAME(class, name, latency, initiation, what) [class] = name,
static const char *const class_names[LATENCY_CLASSES] = {CLASSES(CLASS_NAME)};
const char *op_class_name(OpClass class) { return class_names[class]; }

const HdParameter latency_parameters[] = {CLASSES(LATENCY_ROW){0}};
const HdParameter initiation_parameters[] = {CLASSES(INITIATION_ROW){0}};

const HdParameter shared_parameters[] = {
    WHOLE(SharedConfig, banks, 32, 1, 256, "banks", "Banks of shared memory."),
    WHOLE(SharedConfig, latency, 26, 1, 1000, "cycles", "Cycles from the last pass to the data."),
    BYTES(SharedConfig, bank_bytes, "4B", 4, 8, "Width of a bank (4B or 8B)."),
    CHOICE(SharedConfig, atomics, "serial", shared_atomics,
           "Lanes of an atomic that are on one word: a pass each (serial), or one pass as for "
           "loads (together)."),
    {0},
};

static const char *const local_layouts[] = {[LOCAL_BY_WARP] = "warp", [LOCAL_BY_GPU] = "gpu", NULL};
static const char *const function_params[] = {
    [FUNCTION_PARAMS_REGISTERS] = "registers", [FUNCTION_PARAMS_LOCAL] = "local", NULL,
};
static const char *const send_times[] = {
    [SEND_AFTER_LOOKUPS] = "after-lookups", [SEND_BEFORE_LOOKUPS] = "before-lookups", NULL,
};

static const char *const stops[] = {
    [STOP_BY_SM] = "sm", [STOP_BY_GPU] = "gpu", NULL,
};

const HdParameter path_parameters[] = {
    BYTES(PathConfig, capacity, "1536MiB", 1, UINT64_C(1) << 44,
          "Device memory that a program can allocate."),
    CHOICE(PathConfig, coalesce, "line", coalesce_rules,
           "What one access covers: a 128-byte line (compute capability 2, 3) or a 32-byte "
           "sector."),
    CHOICE(PathConfig, access_order, "lane", orders,
           "Order of an instruction's accesses to caches and the network: of their first lanes "
           "(lane), or from the highest address down (address)."),
    CHOICE(PathConfig, send, "after-lookups", send_times,
           "When an SM sends requests in a cycle. After its look-ups: a miss can leave in the "
           "same cycle (after-lookups). Before: in the next one (before-lookups)."),
    SWITCH(PathConfig, global_in_l1, true, "Global loads are cached in the L1D."),
    SWITCH(PathConfig, strong_in_l1, true,
           "The L1D also caches volatile loads, and relaxed and acquire loads of a scope wider "
           "than the block; otherwise these go to the L2."),
    CHOICE(PathConfig, nc_path, "l1d", nc_paths, "Cache that ld.global.nc uses."),
    CHOICE(PathConfig, texture_path, "readonly", nc_paths, "Cache that texture fetches use."),
    SWITCH(PathConfig, copy_fills_l2, false, "A copy from the host leaves its data in the L2."),
    SWITCH(PathConfig, invalidate_l1, true,
           "The L1D and the read-only cache are invalidated between kernels."),
    SWITCH(PathConfig, perfect_constants, false,
           "Loads of constants and kernel parameters take l1c.latency, whatever the number of "
           "their lines, and do not access the L1C."),
    CHOICE(PathConfig, function_params, "registers", function_params,
           "Where parameters and results of device functions are: in registers, or in local "
           "memory, which ld.param and st.param then access (local). A call copies them in no "
           "time."),
    CHOICE(PathConfig, local_layout, "warp", local_layouts,
           "Whose words of local memory with the same offset lie side by side: those of the "
           "threads of a warp, or of all threads that the GPU holds (gpu)."),
    CHOICE(PathConfig, l1_sizing, "fixed", sizings,
           "How a launch sets the L1D's size: l1d.size (fixed), by the block's shared memory "
           "(by-shared-need), or what shared memory (unified), or shared memory and registers "
           "(unified-registers), leave of memory.unified."),
    BYTES(PathConfig, l1_large, "48KiB", 0, 1 << 24,
          "L1D size of a launch whose blocks need little shared memory.",
          .when = "l1_sizing=by-shared-need"),
    BYTES(PathConfig, l1_large_shared, "16KiB", 0, 1 << 24,
          "Maximum shared memory per block with which the L1D has l1_large.",
          .when = "l1_sizing=by-shared-need"),
    BYTES(PathConfig, unified, "128KiB", 0, 1 << 24,
          "Size of the store that the L1D shares with shared memory and, with unified-registers, "
          "with the registers.", .when = "l1_sizing=unified or unified-registers"),
    WHOLE(PathConfig, lsu_rate, 1, 1, 4, "instructions",
          "Memory instructions that the load/store unit takes per cycle, each with a pass of the "
          "banks of shared memory. The L1D takes l1_banks accesses per cycle all the same."),
    WHOLE(PathConfig, l1_banks, 1, 1, 16, "accesses", "Accesses that enter the L1D per cycle."),
    WHOLE(PathConfig, inject_buffer, 64, 1, 4096, "flits",
          "Flits that an SM's injection port buffers."),
    WHOLE(PathConfig, prefetch_stop, 0, 0, 1000000, "cycles",
          "Cycles in which an SM fetches no prefetches of mechanisms, after an access or a "
          "prefetch has found all MSHR entries or the whole miss queue of the L1D in use; 0: "
          "none."),
    CHOICE(PathConfig, prefetch_stop_by, "sm", stops,
           "The SMs that prefetch_stop stops: the one that lacks room (sm), or all (gpu), the "
           "others from the next quantum on."),
    SWITCH(PathConfig, prefetch_flush, false,
           "An access or a prefetch that finds all MSHR entries or the whole miss queue of the L1D "
           "in use drops the prefetches that wait in the miss queue, but for its first entry."),
    {0},
};

const HdParameter launch_parameters[] = {
    CHOICE(LaunchConfig, dispatch, "quantum", dispatches,
           "When the dispatcher hands out blocks: at the ends of quanta, to SMs that will soon "
           "have room (quantum); or in every cycle, round robin to the SMs that have room "
           "(cycle)."),
    WHOLE(LaunchConfig, queue, 1, 0, 64, "blocks",
          "Blocks queued at an SM ahead of a free block slot.", .when = "dispatch=quantum"),
    WHOLE(LaunchConfig, latency, 0, 0, 1000000, "cycles",
          "Cycles from a launch to its first block."),
    CHOICE(LaunchConfig, round_robin, "restart", round_robins,
           "The SM that gets the first block of a launch: SM 0 (restart), or the SM behind the "
           "one which got the last block of the launch before (continue)."),
    TIME(LaunchConfig, overhead, "0ns", 1e9,
         "Time from the end of a kernel to the next kernel of its stream, in no kernel's cycles."),
    TIME(LaunchConfig, graph_overhead, "0ns", 1e9,
         "Time from the end of a kernel to the next kernel of its CUDA graph, in no kernel's "
         "cycles."),
    TIME(LaunchConfig, interval, "0ns", 1e9,
         "Time that the host takes to submit a launch: the least time from one launch to the "
         "next."),
    {0},
};
