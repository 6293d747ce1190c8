// The SM's parameters and counters as tables: what a machine file may say of a core, and what the
// report and the JSON show of it.
#include "core/core.h"

#include <stddef.h>

STAT_TABLE(issue_table, IssueCounters, ISSUE_COUNTERS);
STAT_TABLE(sm_table, SmCounters, SM_COUNTERS);
STAT_TABLE(pc_table, PcCounters, PC_COUNTERS);

static const char *const class_names[OP_CLASSES] = {
    "int_add", "int_max", "int_mul", "int_mad", "int_div", "fp_add",  "fp_max",  "fp_mul",
    "fp_mad",  "fp_div",  "dp_add",  "dp_max",  "dp_mul",  "dp_mad",  "dp_div",  "sfu",
    "setp",    "selp",    "logic",   "shift",   "bit",     "move",    "convert", "shuffle",
    "load",    "store",   "atomic",  "texture", "barrier", "fence",   "control",
};

const char *op_class_name(OpClass class) { return class_names[class]; }

static const char *const policies[] = {"lrr", "gto", "two-level", NULL};
static const char *const coalesce_rules[] = {"line", "sector", NULL};
static const char *const divergences[] = {"stack", "its", NULL};
static const char *const buffers[] = {"per-warp", "shared-store", NULL};
static const char *const nc_paths[] = {"l1d", "readonly", NULL};
static const char *const sizings[] = {"fixed", "by-shared-need", "unified", NULL};

#define COUNT(config, field, normal, low, high, what, text)                                        \
    {.key = #field, .type = KNOB_COUNT, .offset = offsetof(config, field), .value = normal,        \
     .min = low, .max = high, .unit = what, .doc = text}
#define BYTES(config, field, normal, low, high, text)                                              \
    {.key = #field, .type = KNOB_BYTES, .offset = offsetof(config, field), .value = normal,        \
     .min = low, .max = high, .doc = text}
#define SWITCH(config, field, normal, text)                                                        \
    {.key = #field, .type = KNOB_SWITCH, .offset = offsetof(config, field),                        \
     .value = normal, .doc = text}
#define END {0}

const Knob core_knobs[] = {
    {.key = "frequency", .type = KNOB_FREQUENCY, .offset = offsetof(CoreConfig, frequency),
     .value = "700MHz", .min = 1000, .max = 10000000, .doc = "Core clock."},
    COUNT(CoreConfig, width, "32", 4, HD_MAX_LANES, "lanes", "Lanes of a warp (a power of two)."),
    COUNT(CoreConfig, threads, "1536", 4, 65536, "threads", "Most threads on an SM."),
    COUNT(CoreConfig, blocks, "8", 1, 256, "blocks", "Most blocks on an SM."),
    COUNT(CoreConfig, registers, "32768", 32, 1 << 24, "registers", "32-bit registers of an SM."),
    COUNT(CoreConfig, register_unit, "64", 1, 65536, "registers",
          "Registers are given to a warp in multiples of this."),
    COUNT(CoreConfig, warp_unit, "1", 1, 64, "warps",
          "The warps that an SM's registers suffice for are rounded down to a multiple of this."),
    BYTES(CoreConfig, shared, "48KiB", 0, 1 << 24, "Shared memory of an SM."),
    BYTES(CoreConfig, block_shared, "0B", 0, 1 << 24,
          "Most shared memory of a block; 0: all of the SM's."),
    BYTES(CoreConfig, shared_reserved, "0B", 0, 1 << 20,
          "Shared memory that every block takes beyond its own."),
    BYTES(CoreConfig, shared_unit, "1B", 1, 65536,
          "Shared memory is given to a block in multiples of this."),
    COUNT(CoreConfig, schedulers, "2", 1, 16, "schedulers",
          "Warp schedulers; warp i belongs to scheduler i modulo this."),
    {.key = "policy", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, policy), .value = "gto",
     .choices = policies,
     .doc = "Which ready warp issues: round robin, greedy then oldest, or round robin in an inner "
            "set."},
    COUNT(CoreConfig, issue, "1", 1, 2, "instructions",
          "Instructions that a scheduler issues per cycle, of one warp to different ports."),
    {.key = "two_level_active", .type = KNOB_COUNT,
     .offset = offsetof(CoreConfig, two_level_active), .value = "8", .min = 1, .max = 256,
     .unit = "warps", .when = "policy=two-level", .doc = "Size of a scheduler's inner set."},
    {.key = "divergence", .type = KNOB_CHOICE, .offset = offsetof(CoreConfig, divergence),
     .value = "stack", .choices = divergences,
     .doc = "How lanes of a warp that go different ways are kept: a stack of paths, one after the "
            "other; or independent threads, where a path that waits or spins lets others go on "
            "(Volta and newer)."},
    {.key = "its_yield", .type = KNOB_COUNT, .offset = offsetof(CoreConfig, its_yield),
     .value = "4", .min = 1, .max = 1000000, .unit = "branches", .when = "divergence=its",
     .doc = "Backward branches in a row, of the same lanes in a loop that polls, after which a "
            "path gives way to others."},
    {.key = "its_patience", .type = KNOB_COUNT, .offset = offsetof(CoreConfig, its_patience),
     .value = "1048576", .min = 1, .max = 1000000000, .unit = "branches", .when = "divergence=its",
     .doc = "... in any loop."},
    COUNT(CoreConfig, stack, "1024", 1, 65536, "frames",
          "Most functions that a thread may have open in a recursive kernel, the kernel included."),
    BYTES(CoreConfig, local, "512KiB", 0, 1 << 24, "Most local memory of a thread."),
    COUNT(CoreConfig, system_call, "2000", 0, 1 << 24, "cycles",
          "A warp that calls printf, malloc or free goes on after this, or when the quantum ends."),
    END,
};

const Knob frontend_knobs[] = {
    COUNT(FrontendConfig, fetches, "1", 1, 16, "fetches", "Warps fetched for per cycle."),
    BYTES(FrontendConfig, fetch_bytes, "16B", 1, 1024,
          "Instruction bytes of one fetch (never across a line)."),
    COUNT(FrontendConfig, instruction_bytes, "8", 1, 64, "bytes",
          "Of one PTX instruction in instruction memory."),
    {.key = "buffer", .type = KNOB_CHOICE, .offset = offsetof(FrontendConfig, buffer),
     .value = "per-warp", .choices = buffers,
     .doc = "Where decoded instructions lie: with their warp, or in a set-associative store that "
            "warps point into."},
    {.key = "entries", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, entries),
     .value = "2", .min = 1, .max = 16, .unit = "instructions", .when = "buffer=per-warp",
     .doc = "Decoded instructions per warp."},
    {.key = "store_entries", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, store_entries),
     .value = "48", .min = 1, .max = 65536, .unit = "entries", .when = "buffer=shared-store",
     .doc = "Entries of the store, each of one fetch's instructions."},
    {.key = "store_ways", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, store_ways),
     .value = "4", .min = 1, .max = 65536, .unit = "entries", .when = "buffer=shared-store",
     .doc = "Entries per set; LRU among those to which no warp points."},
    {.key = "store_lookups", .type = KNOB_COUNT, .offset = offsetof(FrontendConfig, store_lookups),
     .value = "2", .min = 1, .max = 16, .unit = "lookups", .when = "buffer=shared-store",
     .doc = "Warps that look for their next instruction per cycle."},
    COUNT(FrontendConfig, decode, "2", 1, 100, "cycles",
          "From a fetch to the instruction's first chance to issue."),
    SWITCH(FrontendConfig, perfect, "false", "Every instruction fetch hits."),
    END,
};

const Knob operand_knobs[] = {
    COUNT(OperandConfig, banks, "16", 1, 256, "banks",
          "Register file banks, one operand read or written per cycle each; register r of warp w "
          "lies in bank (r + w) modulo this."),
    COUNT(OperandConfig, sp, "6", 1, 64, "collectors", "Operand collectors of the SP port."),
    COUNT(OperandConfig, sfu, "8", 1, 64, "collectors", "... of the SFU port."),
    COUNT(OperandConfig, dp, "2", 1, 64, "collectors", "... of the DP port."),
    COUNT(OperandConfig, mem, "2", 1, 64, "collectors", "... of the load/store port."),
    COUNT(OperandConfig, ports_sp, "2", 1, 16, "instructions",
          "Instructions between issue and the SP collectors."),
    COUNT(OperandConfig, ports_sfu, "1", 1, 16, "instructions", "... the SFU collectors."),
    COUNT(OperandConfig, ports_dp, "1", 1, 16, "instructions", "... the DP collectors."),
    COUNT(OperandConfig, ports_mem, "1", 1, 16, "instructions", "... the load/store collectors."),
    COUNT(OperandConfig, stages, "1", 0, 100, "cycles", "From issue to a collector."),
    COUNT(OperandConfig, dispatch, "2", 0, 100, "cycles",
          "From the last operand's read to the unit's first stage."),
    COUNT(OperandConfig, writeback, "2", 0, 100, "cycles",
          "From the unit's last stage to the write-back, after which a dependent instruction can "
          "issue."),
    END,
};

const Knob unit_knobs[] = {
    COUNT(UnitConfig, sp, "2", 1, 16, "units", "SP units (integer, logic, float32), a warp wide."),
    COUNT(UnitConfig, sfu, "1", 1, 16, "units", "Special function units."),
    COUNT(UnitConfig, dp, "0", 0, 16, "units",
          "Double precision units; 0: double precision runs on the special function units."),
    END,
};

// One row per latency class: L(class index, key, latency, initiation, what).
#define CLASSES(L)                                                                                 \
    L(CLASS_INT_ADD, "int_add", "4", "1", "integer add, subtract, absolute, negate, sad")          \
    L(CLASS_INT_MAX, "int_max", "4", "1", "integer minimum, maximum")                              \
    L(CLASS_INT_MUL, "int_mul", "4", "2", "integer multiply")                                      \
    L(CLASS_INT_MAD, "int_mad", "5", "1", "integer multiply-add")                                  \
    L(CLASS_INT_DIV, "int_div", "145", "8", "integer divide, remainder")                           \
    L(CLASS_FP_ADD, "fp_add", "4", "1", "float32 add, subtract")                                   \
    L(CLASS_FP_MAX, "fp_max", "4", "1", "float32 minimum, maximum")                                \
    L(CLASS_FP_MUL, "fp_mul", "4", "1", "float32 multiply")                                        \
    L(CLASS_FP_MAD, "fp_mad", "5", "1", "float32 fused multiply-add")                              \
    L(CLASS_FP_DIV, "fp_div", "39", "4", "float32 divide")                                         \
    L(CLASS_DP_ADD, "dp_add", "8", "8", "float64 add, subtract")                                   \
    L(CLASS_DP_MAX, "dp_max", "8", "8", "float64 minimum, maximum")                                \
    L(CLASS_DP_MUL, "dp_mul", "8", "8", "float64 multiply")                                        \
    L(CLASS_DP_MAD, "dp_mad", "8", "8", "float64 fused multiply-add")                              \
    L(CLASS_DP_DIV, "dp_div", "330", "130", "float64 divide")                                      \
    L(CLASS_SFU, "sfu", "8", "8", "reciprocal, roots, sine, cosine, logarithm, exponential")       \
    L(CLASS_SETP, "setp", "4", "1", "comparisons into predicates")                                 \
    L(CLASS_SELP, "selp", "4", "1", "selections")                                                  \
    L(CLASS_LOGIC, "logic", "4", "1", "and, or, xor, not, lop3, copysign")                         \
    L(CLASS_SHIFT, "shift", "4", "1", "shifts and funnel shifts")                                  \
    L(CLASS_BIT, "bit", "4", "1", "bit fields, counts, permutes")                                  \
    L(CLASS_MOVE, "move", "4", "1", "moves, special registers, address conversions")               \
    L(CLASS_CONVERT, "convert", "4", "1", "conversions between types")                             \
    L(CLASS_SHUFFLE, "shuffle", "32", "4", "shuffles, votes, matches")                             \
    L(CLASS_LOAD, "load", "1", "1",                                                                \
      "load/store unit's own stage of a load (its memory comes on top)")                           \
    L(CLASS_STORE, "store", "1", "1", "... of a store")                                            \
    L(CLASS_ATOMIC, "atomic", "1", "1", "... of an atomic")                                        \
    L(CLASS_TEXTURE, "texture", "1", "8", "texture units' own stage of a fetch")                   \
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
     .doc = "Cycles until the same unit takes the next: " what "."},
const Knob latency_knobs[] = {CLASSES(LATENCY_KNOB) END};
const Knob initiation_knobs[] = {CLASSES(INITIATION_KNOB) END};

const Knob shared_knobs[] = {
    COUNT(SharedConfig, banks, "32", 1, 256, "banks", "Banks of shared memory."),
    COUNT(SharedConfig, latency, "26", 1, 1000, "cycles", "From the last pass to the data."),
    BYTES(SharedConfig, bank_bytes, "4B", 4, 8, "Width of a bank (4B or 8B)."),
    END,
};

const Knob path_knobs[] = {
    BYTES(PathConfig, capacity, "0B", 0, UINT64_C(1) << 44,
          "Device memory that a program can allocate; 0: no limit."),
    {.key = "coalesce", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, coalesce),
     .value = "line", .choices = coalesce_rules,
     .doc = "What one access covers: a 128-byte line (compute capability 2, 3) or a 32-byte "
            "sector."},
    SWITCH(PathConfig, global_in_l1, "true", "Global loads are cached in the L1D."),
    SWITCH(PathConfig, strong_in_l1, "true",
           "... also volatile loads, and relaxed and acquire ones of a scope beyond the block; "
           "else these go to the L2."),
    {.key = "nc_path", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, nc_path), .value = "l1d",
     .choices = nc_paths, .doc = "Where ld.global.nc goes."},
    {.key = "texture_path", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, texture_path),
     .value = "readonly", .choices = nc_paths, .doc = "Where texture fetches go."},
    SWITCH(PathConfig, copy_fills_l2, "false", "A copy from the host leaves its data in the L2."),
    SWITCH(PathConfig, invalidate_l1, "true",
           "The L1D and the read-only cache are emptied between kernels."),
    {.key = "l1_sizing", .type = KNOB_CHOICE, .offset = offsetof(PathConfig, l1_sizing),
     .value = "fixed", .choices = sizings,
     .doc = "Size of the L1D at a launch: l1d.size, by the block's shared memory, or the rest of a "
            "unified store."},
    {.key = "l1_large", .type = KNOB_BYTES, .offset = offsetof(PathConfig, l1_large),
     .value = "48KiB", .max = 1 << 24, .when = "l1_sizing=by-shared-need",
     .doc = "L1D size where the blocks need little shared memory."},
    {.key = "l1_large_shared", .type = KNOB_BYTES, .offset = offsetof(PathConfig, l1_large_shared),
     .value = "16KiB", .max = 1 << 24, .when = "l1_sizing=by-shared-need",
     .doc = "... which is at most this much per block."},
    {.key = "unified", .type = KNOB_BYTES, .offset = offsetof(PathConfig, unified),
     .value = "128KiB", .max = 1 << 24, .when = "l1_sizing=unified",
     .doc = "The store that L1D and shared memory divide."},
    COUNT(PathConfig, l1_banks, "1", 1, 16, "accesses", "Accesses that enter the L1D per cycle."),
    COUNT(PathConfig, inject_buffer, "64", 1, 4096, "flits",
          "Flits that an SM's injection port holds for the network."),
    END,
};

const Knob launch_knobs[] = {
    COUNT(LaunchConfig, queue, "1", 0, 64, "blocks",
          "Blocks that an SM is given ahead of a free place (the dispatcher answers once a "
          "quantum)."),
    COUNT(LaunchConfig, latency, "0", 0, 1000000, "cycles", "From a launch to its first block."),
    END,
};
