// The SM's parameters, which a machine file may set, and the tables of its counters.
#include "core/core.h"
#include "core/issue/policy.h"

#include <stddef.h>

STAT_TABLE(issue_table, IssueCounters, ISSUE_COUNTERS);
STAT_TABLE(sm_table, SmCounters, SM_COUNTERS);
STAT_TABLE(group_table, GroupCounters, GROUP_COUNTERS);
STAT_TABLE(pc_table, PcCounters, PC_COUNTERS);

static const char *const class_names[OP_CLASSES] = {
    "int_add", "int_max", "int_mul", "int_mad", "int_div", "fp_add",  "fp_max",  "fp_mul",
    "fp_mad",  "fp_div",  "dp_add",  "dp_max",  "dp_mul",  "dp_mad",  "dp_div",  "sfu",
    "setp",    "selp",    "logic",   "shift",   "bit",     "move",    "convert", "shuffle",
    "load",    "store",   "atomic",  "texture", "barrier", "fence",   "control",
};

const SmCacheNames sm_cache_names[SM_CACHES] = {
    [SM_L1D] = {"l1d", "L1D"}, [SM_L1I] = {"l1i", "L1I"},  [SM_L1C] = {"l1c", "L1C"},
    [SM_L1R] = {"l1r", "L1R"}, [SM_L15] = {"l15", "L1.5"},
};

const char *op_class_name(OpClass class) { return class_names[class]; }

#define POLICY_NAME(constant, name, ...) name,
static const char *const policies[] = {SCHEDULER_POLICIES(POLICY_NAME) NULL};
#define POLICY_TEXT(constant, name, text, ...) " " name ": " text "."
static const char *const coalesce_rules[] = {"line", "sector", NULL};
static const char *const divergences[] = {"stack", "its", NULL};
static const char *const first_sides[] = {"low-lanes", "taken", NULL};
static const char *const bank_owners[] = {"sm", "scheduler", NULL};
static const char *const atomic_waits[] = {"result", "warp", NULL};
static const char *const scalar_modes[] = {"off", "execute", "waves", NULL};
static const char *const wave_members[] = {"fixed", "any", NULL};
static const char *const issue_orders[] = {"pair>lone>wave", "pair>wave>lone", NULL};
static const char *const buffers[] = {"per-warp", "shared-store", NULL};
static const char *const branches[] = {"fall-through", "stall", "target", NULL};
static const char *const flushes[] = {"next-cycle", "scheduler", NULL};
static const char *const fills[] = {"refetch", "forward", NULL};
static const char *const bank_numbers[] = {"register", "name", NULL};
static const char *const collects[] = {"reserved", "behind-writes", NULL};
static const char *const turns[] = {"issue", "cycle", NULL};
static const char *const warp_exits[] = {"issue", "fetch", NULL};
static const char *const nc_paths[] = {"l1d", "readonly", NULL};
static const char *const dispatches[] = {"quantum", "cycle", NULL};
static const char *const round_robins[] = {"restart", "continue", NULL};
static const char *const shared_atomics[] = {"serial", "together", NULL};
static const char *const orders[] = {"lane", "address", NULL};
static const char *const dp_div_units[] = {"dp", "sfu", NULL};
static const char *const unclassed[] = {"by-kind", "move", NULL};
static const char *const sizings[] = {"fixed", "by-shared-need", "unified", "unified-registers",
                                      NULL};

#define COUNT(config, field, normal, low, high, what, text)                                        \
    {.key = #field, .type = KNOB_COUNT, .offset = offsetof(config, field), .value = normal,        \
     .min = low, .max = high, .unit = what, .doc = text}
#define BYTES(config, field, normal, low, high, text)                                              \
    {.key = #field, .type = KNOB_BYTES, .offset = offsetof(config, field), .value = normal,        \
     .min = low, .max = high, .doc = text}
#define TIME(config, field, text)                                                                  \
    {.key = #field, .type = KNOB_TIME, .offset = offsetof(config, field), .value = "0ns",          \
     .max = 1e9, .doc = text}
#define SWITCH(config, field, normal, text)                                                        \
    {.key = #field, .type = KNOB_SWITCH, .offset = offsetof(config, field),                        \
     .value = normal, .doc = text}
#define END {0}

const Knob core_knobs[] = {
    {.key = "frequency", .type = KNOB_FREQUENCY, .offset = offsetof(CoreConfig, frequency),
     .value = "700MHz", .min = 1000, .max = 10000000, .doc = "Core clock."},
    COUNT(CoreConfig, width, "32", 4, HD_MAX_LANES, "lanes", "Lanes of a warp (a power of two)."),
    COUNT(CoreConfig, threads, "1536", 4, 65536, "threads", "Maximum threads per SM."),
    COUNT(CoreConfig, blocks, "8", 1, 256, "blocks", "Maximum blocks per SM."),
    COUNT(CoreConfig, registers, "32768", 32, 1 << 24, "registers", "32-bit registers per SM."),
    COUNT(CoreConfig, register_unit, "64", 1, 65536, "registers",
          "Allocation unit of registers, per warp."),
    COUNT(CoreConfig, warp_unit, "1", 1, 64, "warps",
          "The number of warps that fit in an SM's registers is rounded down to a multiple of "
          "this."),
    BYTES(CoreConfig, shared, "48KiB", 0, 1 << 24, "Shared memory per SM."),
    BYTES(CoreConfig, block_shared, "0B", 0, 1 << 24,
          "Maximum shared memory per block; 0: all of the SM's."),
    BYTES(CoreConfig, shared_reserved, "0B", 0, 1 << 20,
          "Shared memory that the system reserves in each block."),
    BYTES(CoreConfig, shared_unit, "1B", 1, 65536,
          "Allocation unit of shared memory, per block."),
    COUNT(CoreConfig, schedulers, "2", 1, 16, "schedulers",
          "Warp schedulers per SM. Warp i belongs to scheduler i modulo this (core.paired: the "
          "pair of warps does)."),
    {.key = "policy", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, policy), .value = "gto",
     .choices = policies,
     .doc = "Which of its ready warps a scheduler issues first." SCHEDULER_POLICIES(POLICY_TEXT)},
    {.key = "scheduler_turn", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, scheduler_turn),
     .value = "issue", .choices = turns,
     .doc = "Schedulers take turns in trying first, which matters for units that they share. The "
            "turn passes on after a cycle in which an instruction issues (issue), or after every "
            "cycle (cycle)."},
    COUNT(CoreConfig, issue, "1", 1, 2, "instructions",
          "Instructions per scheduler and cycle, from one warp, to different execution ports."),
    SWITCH(CoreConfig, paired, "off",
           "Warps 2p and 2p + 1 are a pair of scheduler p modulo core.schedulers, and issue "
           "together to units of twice core.width lanes if they are ready at one instruction. They "
           "need not be of one block. A register of a pair is one entry of a bank."),
    {.key = "two_level_active", .type = KNOB_COUNT,
     .offset = offsetof(CoreConfig, two_level_active), .value = "8", .min = 1, .max = 256,
     .unit = "warps", .when = "policy=two-level", .doc = "Size of a scheduler's active set."},
    {.key = "divergence", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, divergence),
     .value = "stack", .choices = divergences,
     .doc = "Divergence model: a reconvergence stack, which runs one warp split to its end before "
            "the next; or independent thread scheduling (its), in which a blocked or spinning warp "
            "split yields to others (Volta and newer)."},
    {.key = "first_side", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, first_side),
     .value = "low-lanes", .choices = first_sides, .when = "divergence=stack",
     .doc = "Side of a divergent branch that runs first: the one without the highest lane "
            "(low-lanes), or the taken one (taken)."},
    {.key = "its_yield", .type = KNOB_COUNT, .offset = offsetof(CoreConfig, its_yield),
     .value = "4", .min = 1, .max = 1000000, .unit = "branches", .when = "divergence=its",
     .doc = "Consecutive backward branches of the same lanes in a polling loop after which a warp "
            "split yields."},
    {.key = "its_patience", .type = KNOB_COUNT, .offset = offsetof(CoreConfig, its_patience),
     .value = "1048576", .min = 1, .max = 1000000000, .unit = "branches", .when = "divergence=its",
     .doc = "Consecutive backward branches of the same lanes in any loop after which a warp split "
            "yields."},
    {.key = "call_depth", .type = KNOB_COUNT, .offset = offsetof(CoreConfig, call_depth),
     .value = "1024", .min = 1, .max = 65536, .unit = "frames", .former = "stack",
     .doc = "Maximum call depth of a recursive kernel, including the kernel itself."},
    BYTES(CoreConfig, local, "512KiB", 0, 1 << 24, "Maximum local memory per thread."),
    {.key = "atomic_wait", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, atomic_wait),
     .value = "result", .choices = atomic_waits,
     .doc = "What waits while an atomic or a reduction is in flight: instructions that use its "
            "result (result), or every later instruction of its warp (warp). This includes atomics "
            "on shared memory."},
    {.key = "warp_exit", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, warp_exit),
     .value = "issue", .choices = warp_exits,
     .doc = "When an exited warp without memory accesses in flight frees its slot: when its last "
            "instruction issues (issue); or when the round robin of the fetch stage reaches the "
            "warp after this instruction has left the pipeline (fetch)."},
    COUNT(CoreConfig, system_call, "2000", 0, 1 << 24, "cycles",
          "Cycles for which printf, malloc or free block a warp; at least until the quantum ends."),
    END,
};

const Knob scalar_knobs[] = {
    {.key = "mode", .type = KNOB_CHOICE, .offset = offsetof(ScalarConfig, mode), .value = "off",
     .choices = scalar_modes,
     .doc = "Execution of scalar instructions, which compute the same in all lanes: in all lanes "
            "as others (off); in one lane of each warp, with one value stored for the warp "
            "(execute); or so, and in waves of several warps at one instruction (waves)."},
    {.key = "entries", .type = KNOB_COUNT, .offset = offsetof(ScalarConfig, entries),
     .value = "16", .min = 1, .max = 1024, .unit = "waves", .when = "mode=waves",
     .doc = "Entries of the table of waves of an SM. An entry is taken from its first member's "
            "joining until the wave has finished, its loads included."},
    {.key = "members", .type = KNOB_CHOICE, .offset = offsetof(ScalarConfig, members),
     .value = "fixed", .choices = wave_members, .when = "mode=waves",
     .doc = "Warps that can be in a wave: those whose scalars are in one register entry, by their "
            "numbers at the scheduler (fixed); or any of the scheduler, with a read of a bank "
            "for each further register entry (any)."},
    {.key = "order", .type = KNOB_CHOICE, .offset = offsetof(ScalarConfig, order),
     .value = "pair>lone>wave", .choices = issue_orders, .when = "mode=waves",
     .doc = "What a scheduler tries first: a ready pair of warps, then a single ready warp, then "
            "the oldest wave (pair>lone>wave); or waves before single warps (pair>wave>lone)."},
    {.key = "patience", .type = KNOB_COUNT, .offset = offsetof(ScalarConfig, patience),
     .value = "1024", .min = 1, .max = 1000000000, .unit = "cycles", .when = "mode=waves",
     .doc = "Cycles after which a wave that has not issued goes first, so that warps which spin do "
            "not keep a scalar store back for ever."},
    END,
};

const Knob frontend_knobs[] = {
    COUNT(FrontendConfig, fetches, "1", 1, 16, "fetches", "Fetches per cycle, each for one warp."),
    BYTES(FrontendConfig, fetch_bytes, "16B", 1, 1024,
          "Instruction bytes of one fetch."),
    SWITCH(FrontendConfig, cross_line, "false",
           "A fetch at the end of a line brings fetch_bytes too, without an access to the next "
           "line. Off: it ends with the line."),
    COUNT(FrontendConfig, instruction_bytes, "8", 1, 64, "bytes",
          "Size of a PTX instruction in instruction memory."),
    {.key = "buffer", .type = KNOB_CHOICE, .offset = offsetof(FrontendConfig, buffer),
     .value = "per-warp", .choices = buffers,
     .doc = "Where decoded instructions are buffered: in each warp, or in a set-associative store "
            "that all warps share."},
    {.key = "entries", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, entries),
     .value = "2", .min = 1, .max = 16, .unit = "instructions", .when = "buffer=per-warp",
     .doc = "Decoded instructions per warp."},
    {.key = "store_entries", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, store_entries),
     .value = "48", .min = 1, .max = 65536, .unit = "entries", .when = "buffer=shared-store",
     .doc = "Entries of the store; each holds the instructions of one fetch."},
    {.key = "store_ways", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, store_ways),
     .value = "4", .min = 1, .max = 65536, .unit = "entries", .when = "buffer=shared-store",
     .doc = "Entries per set; the LRU one that no warp uses is replaced."},
    {.key = "store_lookups", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, store_lookups),
     .value = "2", .min = 1, .max = 16, .unit = "lookups", .when = "buffer=shared-store",
     .doc = "Lookups per cycle, each for one warp."},
    COUNT(FrontendConfig, decode, "2", 1, 100, "cycles",
          "Cycles from a fetch until its instructions can issue."),
    {.key = "branch", .type = KNOB_CHOICE, .offset = offsetof(FrontendConfig, branch),
     .value = "fall-through", .choices = branches,
     .doc = "What a warp fetches when a branch empties its buffer: the instructions that follow "
            "the branch, which are dropped if it is taken (fall-through); or those at the target "
            "(target). stall: as target, and a fetch ends at a branch (except in a shared store)."},
    {.key = "flush", .type = KNOB_CHOICE, .offset = offsetof(FrontendConfig, flush),
     .value = "next-cycle", .choices = flushes,
     .doc = "When a warp drops the decoded instructions behind a taken branch, and fetches at the "
            "target: in the cycle after the branch or of their decoding, whichever is later "
            "(next-cycle); or when its scheduler next tries to issue from the warp (scheduler)."},
    {.key = "fill", .type = KNOB_CHOICE, .offset = offsetof(FrontendConfig, fill),
     .value = "refetch", .choices = fills,
     .doc = "How the warps that wait for an L1I line get their instructions: they fetch again, "
            "round robin among all warps (refetch); or from the line that arrives, one warp per "
            "cycle in order of their misses, before any fetch (forward)."},
    SWITCH(FrontendConfig, perfect, "false", "Every instruction fetch hits."),
    END,
};

#define COLLECTORS(name, field, normal, port)                                                      \
    {.key = name, .type = KNOB_COUNT, .offset = offsetof(OperandConfig, field), .value = normal,   \
     .min = 1, .max = 64, .unit = "collectors", .when = "shared_collectors=0",                     \
     .doc = "Operand collectors of the " port " port."}

static const char *const collector_orders[] = {"age", "turn", NULL};

const Knob operand_knobs[] = {
    COUNT(OperandConfig, banks, "16", 1, 256, "banks",
          "Register file banks; each reads or writes one operand per pass. Register r of warp w "
          "is in bank (r + w) modulo this."),
    {.key = "banks_of", .type = KNOB_CHOICE, .offset = offsetof(OperandConfig, banks_of),
     .value = "sm", .choices = bank_owners,
     .doc = "Whose registers a bank holds: all warps' (sm), or those of one scheduler's warps, "
            "which have an equal share of the banks (scheduler)."},
    COUNT(OperandConfig, passes, "1", 1, 2, "passes",
          "Passes per cycle. In each pass a bank reads or writes one operand, and instructions can "
          "enter and leave their collectors."),
    COUNT(OperandConfig, shared_collectors, "0", 0, 64, "collectors",
          "Collectors that all ports share; 0: each port has its own. A memory instruction keeps "
          "its collector while the load/store unit and shared_outputs have no room."),
    COUNT(OperandConfig, shared_outputs, "1", 1, 16, "instructions",
          "Instructions per port that have left the shared collectors and wait for a unit."),
    {.key = "collector_order", .type = KNOB_CHOICE,
     .offset = offsetof(OperandConfig, collector_order), .value = "age",
     .choices = collector_orders,
     .doc = "Which memory instruction leaves the shared collectors, if there are any and several "
            "have their operands: the first that had them (age); or by turns of the collectors, "
            "of which each instruction takes the first free one (turn)."},
    {.key = "bank_number", .type = KNOB_CHOICE, .offset = offsetof(OperandConfig, bank_number),
     .value = "register", .choices = bank_numbers,
     .doc = "The number r that selects a register's bank: one of its own, predicates aside "
            "(register); or the one in its name, so that %r5, %f5 and %p5 share a bank, and a "
            "register that an instruction names twice is read twice (name)."},
    COLLECTORS("sp", sp, "6", "SP"),
    COLLECTORS("sfu", sfu, "8", "SFU"),
    COLLECTORS("dp", dp, "2", "DP"),
    COLLECTORS("int", integer, "2", "integer"),
    COLLECTORS("mem", mem, "2", "load/store"),
    COUNT(OperandConfig, ports_sp, "2", 1, 16, "instructions",
          "Instructions that the latch between issue and the SP collectors holds."),
    COUNT(OperandConfig, ports_sfu, "1", 1, 16, "instructions",
          "Instructions that the latch between issue and the SFU collectors holds."),
    COUNT(OperandConfig, ports_dp, "1", 1, 16, "instructions",
          "Instructions that the latch between issue and the DP collectors holds."),
    COUNT(OperandConfig, ports_int, "1", 1, 16, "instructions",
          "Instructions that the latch between issue and the integer collectors holds."),
    COUNT(OperandConfig, ports_mem, "1", 1, 16, "instructions",
          "Instructions that the latch between issue and the load/store collectors holds."),
    {.key = "mem_collect", .type = KNOB_CHOICE, .offset = offsetof(OperandConfig, mem_collect),
     .value = "reserved", .choices = collects,
     .doc = "When a memory instruction reads its registers: in the cycles that are reserved at "
            "its issue (reserved); or a cycle later each time a result is written to the bank in "
            "this cycle, and at most one instruction per cycle reaches the load/store unit "
            "(behind-writes)."},
    COUNT(OperandConfig, mem_issue, "0", 0, 16, "instructions",
          "Memory instructions that all schedulers together issue per cycle; 0: no limit but the "
          "room in latch and collectors."),
    COUNT(OperandConfig, stages, "1", 0, 100, "cycles", "Cycles from issue to a collector."),
    COUNT(OperandConfig, dispatch, "2", 0, 100, "cycles",
          "Cycles from the last operand read to the unit's first stage."),
    COUNT(OperandConfig, writeback, "2", 0, 100, "cycles",
          "Cycles from the unit's last stage to write-back. Dependent instructions can issue after "
          "write-back."),
    END,
};

const Knob unit_knobs[] = {
    COUNT(UnitConfig, sp, "2", 1, 16, "units",
          "SP units (float32; without integer units everything that no other unit does), one warp "
          "wide."),
    {.key = "int", .type = KNOB_COUNT, .offset = offsetof(UnitConfig, integer), .value = "0",
     .max = 7, .unit = "units", // at most 56 units in all (operands/results.h)
     .doc = "Integer units, for everything that no other unit does; 0: the SP units do it."},
    COUNT(UnitConfig, sfu, "1", 1, 16, "units", "Special function units."),
    COUNT(UnitConfig, dp, "0", 0, 16, "units",
          "Double precision units; 0: the special function units execute double precision."),
    {.key = "dp_div", .type = KNOB_CHOICE, .offset = offsetof(UnitConfig, dp_div), .value = "dp",
     .choices = dp_div_units,
     .doc = "Unit of float64 divide, reciprocal and square root."},
    {.key = "unclassed", .type = KNOB_CHOICE, .offset = offsetof(UnitConfig, unclassed),
     .value = "by-kind", .choices = unclassed,
     .doc = "Unit and latency of abs, neg, sad, rem, fma, mul24, mad24, dp4a, dp2a, vote and "
            "activemask: those of the class that they resemble, as rem int_div, fma fp_mad and "
            "vote shuffle (by-kind); or those of a move, for all types (move)."},
    COUNT(UnitConfig, unit_results, "0", 0, 1, "results",
          "Results that leave a unit per cycle; 0: no limit. An instruction enters a unit once its "
          "result has a place; later ones of its port wait behind it."),
    COUNT(UnitConfig, sm_results, "0", 0, 64, "results",
          "Results that leave all units of an SM per cycle, the load/store unit aside; 0: no "
          "limit."),
    END,
};

// One row per latency class: L(class index, key, latency, initiation, what).
#define CLASSES(L)                                                                                 \
    L(CLASS_INT_ADD, "int_add", "4", "1", "integer add, subtract")                                 \
    L(CLASS_INT_MAX, "int_max", "4", "1", "integer minimum, maximum")                              \
    L(CLASS_INT_MUL, "int_mul", "4", "2", "integer multiply")                                      \
    L(CLASS_INT_MAD, "int_mad", "5", "1", "integer multiply-add")                                  \
    L(CLASS_INT_DIV, "int_div", "145", "8", "integer divide")                                      \
    L(CLASS_FP_ADD, "fp_add", "4", "1", "float32 add, subtract")                                   \
    L(CLASS_FP_MAX, "fp_max", "4", "1", "float32 minimum, maximum")                                \
    L(CLASS_FP_MUL, "fp_mul", "4", "1", "float32 multiply")                                        \
    L(CLASS_FP_MAD, "fp_mad", "5", "1", "float32 multiply-add")                                    \
    L(CLASS_FP_DIV, "fp_div", "39", "4", "float32 divide")                                         \
    L(CLASS_DP_ADD, "dp_add", "8", "8", "float64 add, subtract")                                   \
    L(CLASS_DP_MAX, "dp_max", "8", "8", "float64 minimum, maximum")                                \
    L(CLASS_DP_MUL, "dp_mul", "8", "8", "float64 multiply")                                        \
    L(CLASS_DP_MAD, "dp_mad", "8", "8", "float64 multiply-add")                                    \
    L(CLASS_DP_DIV, "dp_div", "330", "130", "float64 divide")                                      \
    L(CLASS_DP_RCP, "dp_rcp", "330", "130", "float64 reciprocal")                                  \
    L(CLASS_DP_SQRT, "dp_sqrt", "330", "130", "float64 square root and its reciprocal")            \
    L(CLASS_FP_RCP, "fp_rcp", "8", "8", "float32 reciprocal and square root, rounded")             \
    L(CLASS_COUNT, "count", "4", "1", "counts of bits, the first bit set")                         \
    L(CLASS_CONVERT64, "convert64", "4", "1",                                                      \
      "conversions of or to floats, with a 64-bit type on a side")                                 \
    L(CLASS_SFU, "sfu", "8", "8",                                                                  \
      "float32 approximations: reciprocal, roots, sine, logarithm, exponential")                   \
    L(CLASS_SETP, "setp", "4", "1", "comparisons into predicates")                                 \
    L(CLASS_SELP, "selp", "4", "1", "selections")                                                  \
    L(CLASS_LOGIC, "logic", "4", "1", "and, or, xor, not, lop3, copysign")                         \
    L(CLASS_SHIFT, "shift", "4", "1", "shifts and funnel shifts")                                  \
    L(CLASS_BIT, "bit", "4", "1", "bit fields, permutes")                                          \
    L(CLASS_MOVE, "move", "4", "1", "moves, special registers, address conversions")               \
    L(CLASS_CONVERT, "convert", "4", "1", "conversions between types")                             \
    L(CLASS_SHUFFLE, "shuffle", "32", "4", "shuffles, matches")                                    \
    L(CLASS_LOAD, "load", "1", "1",                                                                \
      "the load/store unit's stage of a load, without memory latency")                             \
    L(CLASS_STORE, "store", "1", "1",                                                              \
      "the load/store unit's stage of a store, without memory latency")                            \
    L(CLASS_ATOMIC, "atomic", "1", "1",                                                            \
      "the load/store unit's stage of an atomic, without memory latency")                          \
    L(CLASS_TEXTURE, "texture", "1", "8",                                                          \
      "the texture unit's stage of a fetch, without memory latency")                               \
    L(CLASS_BARRIER, "barrier", "1", "1", "barriers")                                              \
    L(CLASS_FENCE, "fence", "1", "1", "fences")                                                    \
    L(CLASS_CONTROL, "control", "1", "1", "branches, calls, returns, exits")

#define LATENCY_KNOB(class, name, latency, initiation, what)                                       \
    {.key = name, .type = KNOB_COUNT, .offset = offsetof(LatencyConfig, of[class]),                \
     .value = latency, .min = 1, .max = 1000, .unit = "cycles",                                    \
     .doc = "Latency: " what "."},
#define INITIATION_KNOB(class, name, latency, initiation, what)                                    \
    {.key = name, .type = KNOB_COUNT, .offset = offsetof(LatencyConfig, of[class]),                \
     .value = initiation, .min = 1, .max = 1000, .unit = "cycles",                                 \
     .doc = "Cycles until the same unit accepts the next instruction: " what "."},
const Knob latency_knobs[] = {CLASSES(LATENCY_KNOB) END};
const Knob initiation_knobs[] = {CLASSES(INITIATION_KNOB) END};

const Knob shared_knobs[] = {
    COUNT(SharedConfig, banks, "32", 1, 256, "banks", "Banks of shared memory."),
    COUNT(SharedConfig, latency, "26", 1, 1000, "cycles", "Cycles from the last pass to the data."),
    BYTES(SharedConfig, bank_bytes, "4B", 4, 8, "Width of a bank (4B or 8B)."),
    {.key = "atomics", .type = KNOB_CHOICE, .offset = offsetof(SharedConfig, atomics),
     .value = "serial", .choices = shared_atomics,
     .doc = "Lanes of an atomic that are on one word: a pass each (serial), or one pass as for "
            "loads (together)."},
    END,
};

static const char *const local_layouts[] = {"warp", "gpu", NULL};
static const char *const function_params[] = {"registers", "local", NULL};
static const char *const send_times[] = {"after-lookups", "before-lookups", NULL};

const Knob path_knobs[] = {
    BYTES(PathConfig, capacity, "1536MiB", 1, UINT64_C(1) << 44,
          "Device memory that a program can allocate."),
    {.key = "coalesce", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, coalesce),
     .value = "line", .choices = coalesce_rules,
     .doc = "What one access covers: a 128-byte line (compute capability 2, 3) or a 32-byte "
            "sector."},
    {.key = "access_order", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, access_order),
     .value = "lane", .choices = orders,
     .doc = "Order of an instruction's accesses to caches and the network: of their first lanes "
            "(lane), or from the highest address down (address)."},
    {.key = "send", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, send),
     .value = "after-lookups", .choices = send_times,
     .doc = "When an SM sends requests in a cycle. After its look-ups: a miss can leave in the "
            "same cycle (after-lookups). Before: in the next one (before-lookups)."},
    SWITCH(PathConfig, global_in_l1, "true", "Global loads are cached in the L1D."),
    SWITCH(PathConfig, strong_in_l1, "true",
           "The L1D also caches volatile loads, and relaxed and acquire loads of a scope wider "
           "than the block; otherwise these go to the L2."),
    {.key = "nc_path", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, nc_path), .value = "l1d",
     .choices = nc_paths, .doc = "Cache that ld.global.nc uses."},
    {.key = "texture_path", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, texture_path),
     .value = "readonly", .choices = nc_paths, .doc = "Cache that texture fetches use."},
    SWITCH(PathConfig, copy_fills_l2, "false", "A copy from the host leaves its data in the L2."),
    SWITCH(PathConfig, invalidate_l1, "true",
           "The L1D and the read-only cache are invalidated between kernels."),
    SWITCH(PathConfig, perfect_constants, "false",
           "Loads of constants and kernel parameters take l1c.latency, whatever the number of "
           "their lines, and do not access the L1C."),
    {.key = "function_params", .type = KNOB_CHOICE,
     .offset = offsetof(PathConfig, function_params), .value = "registers",
     .choices = function_params,
     .doc = "Where parameters and results of device functions are: in registers, or in local "
            "memory, which ld.param and st.param then access (local). A call copies them in no "
            "time."},
    {.key = "local_layout", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, local_layout),
     .value = "warp", .choices = local_layouts,
     .doc = "Whose words of local memory with the same offset lie side by side: those of the "
            "threads of a warp, or of all threads that the GPU holds (gpu)."},
    {.key = "l1_sizing", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, l1_sizing),
     .value = "fixed", .choices = sizings,
     .doc = "How a launch sets the L1D's size: l1d.size (fixed), by the block's shared memory "
            "(by-shared-need), or what shared memory (unified), or shared memory and registers "
            "(unified-registers), leave of memory.unified."},
    {.key = "l1_large", .type = KNOB_BYTES, .offset = offsetof(PathConfig, l1_large),
     .value = "48KiB", .max = 1 << 24, .when = "l1_sizing=by-shared-need",
     .doc = "L1D size of a launch whose blocks need little shared memory."},
    {.key = "l1_large_shared", .type = KNOB_BYTES, .offset = offsetof(PathConfig, l1_large_shared),
     .value = "16KiB", .max = 1 << 24, .when = "l1_sizing=by-shared-need",
     .doc = "Maximum shared memory per block with which the L1D has l1_large."},
    {.key = "unified", .type = KNOB_BYTES, .offset = offsetof(PathConfig, unified),
     .value = "128KiB", .max = 1 << 24, .when = "l1_sizing=unified or unified-registers",
     .doc = "Size of the store that the L1D shares with shared memory and, with "
            "unified-registers, with the registers."},
    COUNT(PathConfig, lsu_rate, "1", 1, 4, "instructions",
          "Memory instructions that the load/store unit takes per cycle, each with a pass of the "
          "banks of shared memory. The L1D takes l1_banks accesses per cycle all the same."),
    COUNT(PathConfig, l1_banks, "1", 1, 16, "accesses", "Accesses that enter the L1D per cycle."),
    COUNT(PathConfig, inject_buffer, "64", 1, 4096, "flits",
          "Flits that an SM's injection port buffers."),
    END,
};

const Knob launch_knobs[] = {
    {.key = "dispatch", .type = KNOB_CHOICE, .offset = offsetof(LaunchConfig, dispatch),
     .value = "quantum", .choices = dispatches,
     .doc = "When the dispatcher hands out blocks: at the ends of quanta, to SMs that will soon "
            "have room (quantum); or in every cycle, round robin to the SMs that have room "
            "(cycle)."},
    {.key = "queue", .type = KNOB_COUNT, .offset = offsetof(LaunchConfig, queue), .value = "1",
     .min = 0, .max = 64, .unit = "blocks", .when = "dispatch=quantum",
     .doc = "Blocks queued at an SM ahead of a free block slot."},
    COUNT(LaunchConfig, latency, "0", 0, 1000000, "cycles",
          "Cycles from a launch to its first block."),
    {.key = "round_robin", .type = KNOB_CHOICE, .offset = offsetof(LaunchConfig, round_robin),
     .value = "restart", .choices = round_robins,
     .doc = "The SM that gets the first block of a launch: SM 0 (restart), or the SM behind the "
            "one which got the last block of the launch before (continue)."},
    TIME(LaunchConfig, overhead, "Time from the end of a kernel to the next kernel of its stream, "
                                 "in no kernel's cycles."),
    TIME(LaunchConfig, graph_overhead, "Time from the end of a kernel to the next kernel of its "
                                       "CUDA graph, in no kernel's cycles."),
    TIME(LaunchConfig, interval, "Time that the host takes to submit a launch: the least time from "
                                 "one launch to the next."),
    END,
};
