// Parses PTX text into a module: functions as micro-ops, with control flow, reconvergence points,
// liveness and uniformity computed.
#ifndef HEDDLE_PTX_PTX_H
#define HEDDLE_PTX_PTX_H

#include "base/fail.h"
#include "base/memory.h"
#include "ptx/uop.h"

#include <stddef.h>

typedef struct PtxParam {
    const char *name;
    PtxType type;            // element type
    uint32_t offset, bytes;  // kernels: in the parameter block; functions: in the frame
    uint32_t align;
    bool pointer;            // .ptr
} PtxParam;

// A module-scope variable (global, const), or a function's shared variable.
typedef struct PtxVariable {
    const char *name;
    PtxSpace space;   // GLOBAL, CONST or SHARED
    uint64_t bytes;   // 0 for `extern .shared .b8 name[]`: dynamic shared memory
    uint32_t align;
    const uint8_t *initial; // the first initial_bytes bytes; the others are zeros
    uint64_t initial_bytes;
    bool texture; // a texture or surface reference (GLOBAL, no bytes): address is a handle
    bool external;          // extern without a definition here: only dynamic shared memory
    uint64_t address; // SHARED: offset in the block's shared memory, 0 for dynamic shared memory
                      // (see PtxFunction.shared_bytes); CONST: offset in the constant bank; GLOBAL:
                      // 0 until ptx_relocate
    const char *path; // of the text that declares it, for messages
    int line;
} PtxVariable;

// An address that is known only when the module is loaded. It is added to a 64-bit constant of a
// function, in all lanes; or stored in another variable's initialiser, whole or byte by byte (in a
// packed structure).
typedef struct PtxRelocation {
    uint32_t variable;   // index into PtxModule.variables
    int32_t function;    // index into PtxModule.functions; -1: in the initialiser of variable `in`
    uint32_t in, slot;   // slot: constant slot without OPERAND_CONST, or byte offset in initialiser
    int64_t addend;
    uint8_t shift, bytes; // initialisers: the low `bytes` bytes of the address >> shift
    bool generic;        // the generic address (generic(x)), which equals the global one
} PtxRelocation;

// A declared register, for traces. The carry flag has type PTX_NONE.
typedef struct PtxRegister {
    const char *name; // "%r17"
    PtxType type;
} PtxRegister;

// The virtual register numbers of an operation's operands, for traces. PTX_NO_REGISTER: no operand,
// or a constant. A function has at most PTX_MAX_REGISTERS; the numbers behind a function's own are
// for registers that mechanisms add to a warp.
enum { PTX_NO_REGISTER = 0xffff, PTX_MAX_REGISTERS = 0xff00 };
typedef struct PtxOperands {
    uint16_t guard, dst[4], src[5];
} PtxOperands;

// PtxOptions.banks_by_name: the first number in a register's name. false: there is none.
bool ptx_bank_of_name(const char *name, uint16_t *number);

// An innermost natural loop: no other loop is inside. A turn leads from its header to an edge back
// to the header. All numbers are instructions of the function.
typedef struct PtxLoop {
    uint32_t header;  // its first instruction
    uint32_t closing; // the instruction of the last edge back to the header
    uint32_t *instructions, count; // all of it; each follows those that lead to it within a turn
    bool *always; // likewise: each whole turn has the instruction
    // The setp that decides whether the loop ends; PTX_NO_TEST: none is known. It compares
    // src[index], which may be a copy of the index, with src[1 - index], which no turn changes, and
    // the loop continues if the result is `continues`. In each turn, `update` adds to the index its
    // src[step], which no turn changes, or subtracts it.
    uint32_t test, update;
    uint8_t index, step;
    bool continues;
} PtxLoop;
#define PTX_NO_TEST UINT32_MAX

typedef struct PtxFunction {
    const char *name;
    bool entry;     // a kernel
    bool recursive; // in a cycle of the call graph, calls through pointers included
    const char *path; // of the text that defines it, for messages
    int line;
    const char *unusable; // why it cannot run (PtxOptions.lenient); NULL: it can run
    const PtxParam *params; // kernels: laid out in the parameter block; functions: in its frame
    size_t param_count;
    uint32_t param_bytes;
    UOp *ops;
    UOpTiming *timing;
    uint32_t op_count;
    // The frame of one activation. A caller places the callee's frame after its own. Registers with
    // disjoint live ranges share register slots. A register that LD, ATOM or ENGINE writes keeps
    // its slot until the next read or write, because the result may arrive late. So RET must wait
    // for outstanding results.
    uint32_t frame_slots;      // register slots for data, each SLOT_BYTES
    uint32_t frame_predicates; // register slots for predicates, each a LaneMask
    bool reads_unset;          // on some path it reads a register of a data slot that it has not
                               // written: a kernel's slots are zero at its start
    uint32_t frame_param_bytes; // per thread: SPACE_FRAME_PARAM, as caller and as callee
    uint32_t local_bytes;      // per thread: .local variables (the depot)
    bool allocates;            // it or a callee uses alloca, stacksave or stackrestore
    uint32_t virtual_registers; // how many register numbers reads[] and writes[] use
    uint32_t *constants; // constant pool: constant_slots * HD_MAX_LANES words
    uint32_t constant_slots;
    uint32_t registers; // 32-bit registers per thread, counted from live ranges; kernels: the
                        // maximum over the call graph, as ptxas allocates
    uint32_t shared_bytes;      // static shared memory; kernels: with the callees'. Dynamic shared
                                // memory starts there, aligned
    // The maximum over all call chains from here, this function included; recursive: own values
    // only.
    uint32_t max_call_local, max_call_slots, max_call_predicates, max_call_param_bytes;
    uint32_t max_call_depth;    // 1: calls nothing; 0: unbounded, a callee is recursive
    uint32_t signature; // equal for functions with the same layout of parameters and results; 0:
                        // its address is never taken, so no pointer calls it
    uint32_t block_count;       // basic blocks
    PtxLoop *loops;             // innermost loops (loops.c)
    uint32_t loop_count;
    uint32_t *loop_of;          // by instruction: the number of its loop in `loops` + 1; 0: none;
                                // NULL: the function has no loops
    uint32_t contracted;        // fused multiply-adds that contraction made (PtxOptions.contract)
    const char **source;        // op_count texts, for ptx_source_text
    const PtxOperands *operands;   // op_count
    const PtxRegister *names;      // by virtual register number
    // .maxntid, .reqntid, .minnctapersm; 0 where not given
    uint32_t max_threads[3], required_threads[3], min_blocks, max_registers;
} PtxFunction;

// Threads per block that a bound allows (max_threads, required_threads); 0: no bound.
static inline uint64_t ptx_bound_threads(const uint32_t bound[3])
{
    uint64_t threads = bound[0];
    for (int d = 1; d < 3; d++) threads *= bound[d] ? bound[d] : 1;
    return threads;
}

typedef struct PtxBranchTable { uint32_t *targets; uint32_t count; } PtxBranchTable;

// One copy between the SPACE_FRAME_PARAM areas of a caller and a callee, for each lane.
typedef struct PtxCopy { uint32_t from, to, bytes; } PtxCopy;

enum { PTX_NO_FUNCTION = UINT32_MAX };

// A call site (UOP_CALL, UOP_CALL_POINTER, UOP_SYSTEM: op->imm is its index). Each activation of a
// function has frame_param_bytes per thread with this layout:
//
//     [ incoming parameters | return values | areas of the .param variables of its own calls ]
//
// A kernel has only the third area; its parameters are in SPACE_PARAM. At the call the core copies
// `arguments` from the caller's area to the callee's, lane by lane. When a lane returns, it copies
// `results` from the callee's area to the caller's.
typedef struct PtxCall {
    uint32_t callee; // index into PtxModule.functions; UOP_CALL_POINTER: PTX_NO_FUNCTION; unused
                     // for UOP_SYSTEM, whose arguments and results stay in the caller's area
    uint32_t signature; // UOP_CALL_POINTER: signature of possible callees; 0: no function has it
    const PtxCopy *arguments, *results;
    uint32_t argument_count, result_count;
    PtxCopy variable; // variadic arguments ("..."), copied to the start of the callee's .local
                      // variables; bytes 0: none
} PtxCall;
enum { PTX_VARIADIC_BYTES = 512 }; // reserved for them in each activation of a variadic function

typedef struct PtxModule {
    HdArena arena;       // owns everything in the module
    const char *path;    // as given, for messages
    int version_major, version_minor; // .version
    const char *target;               // "sm_75"
    PtxFunction *functions; // those with a body, in the order of their first declarations
    size_t function_count;
    PtxVariable *variables;
    size_t variable_count;
    PtxRelocation *relocations;
    size_t relocation_count;
    PtxBranchTable *tables; // brx.idx
    size_t table_count;
    PtxCall *calls;
    size_t call_count;
    const char **files; // .file table, by dense index
    size_t file_count;
    uint32_t const_bytes; // size of the constant bank
    const struct EngineInstructions *engines; // PtxOptions.engines
    bool lenient;         // PtxOptions.lenient
    bool heap;            // calls malloc or free
} PtxModule;

// Parses zero-terminated text; `path` is for messages. Checks the whole module: an unknown or
// unsupported instruction, a wrong type or a missing symbol is an error with path:line:column, the
// offending line and a caret. The caller frees the module with ptx_free. NULL and err on failure.
PtxModule *ptx_parse(const char *text, const char *path, HdError *err);
typedef struct PtxOptions {
    // For PTX in programs, of which not all functions may be used: an error inside a function, or a
    // call of an undefined function, does not fail, but makes the function unusable
    // (PtxFunction.unusable). Launching a kernel that calls it, directly or not, reports the error.
    bool lenient;
    bool contract; // unrounded mul and add or sub become fused multiply-adds, as ptxas makes them
    // In the register file, a register has the number in its name (none: it is in no bank), each
    // operand is read, and a predicate is a register. Otherwise a register has its scoreboard's
    // number, is read once, and predicates are not read.
    bool banks_by_name;
    bool slots_apart; // each register has a slot of its own, also if it is not live with others
    // Instructions that mechanisms add (hooks/engine_instructions.h); NULL: none. It outlives the
    // module.
    const struct EngineInstructions *engines;
} PtxOptions;
// The same, with options.
PtxModule *ptx_parse_with(const char *text, const char *path, PtxOptions options, HdError *err);

// A text of relocatable PTX, of one source file. A module may have several.
typedef struct PtxText {
    const char *text; // zero-terminated
    const char *path; // for messages
} PtxText;
// Parses texts, and links them: one module, named `path`. Names that are .visible, .weak, .common
// or .extern are common to all texts; others belong to their text. Two definitions of a name,
// neither of them weak, are an error that names both places; so is a declaration with another
// space, size or parameters than the definition's.
PtxModule *ptx_link(const PtxText *texts, size_t count, const char *path, PtxOptions options,
                    HdError *err);
// Makes a function of such a module unusable, with the reason. false: out of memory.
bool ptx_mark_unusable(PtxModule *module, PtxFunction *function, const char *why);
// Makes the callers of unusable functions unusable. Call after the last ptx_mark_unusable. false:
// out of memory.
bool ptx_propagate_unusable(PtxModule *module);
void ptx_free(PtxModule *module);

// Finds the kernel `name`: by its exact name, or by its base name if that is unique ("topo_expand"
// finds "_Z11topo_expandPKi..."). NULL and err with the nearest name on failure.
PtxFunction *ptx_find_kernel(PtxModule *module, const char *name, HdError *err);

// Generic address of the constant bank, for initialisers; equals GUEST_CONST_BASE of exec/guest.h.
#define PTX_CONST_WINDOW UINT64_C(0x03000000)

// Function pointers. Code addresses are below all memory windows, so that a memory access there is
// a fault. All functions that are not defined in the module have the first address.
#define PTX_CODE_BASE UINT64_C(0x10000)
enum { PTX_CODE_STEP = 16 };
static inline uint64_t ptx_function_address(uint32_t index)
{
    return PTX_CODE_BASE + (uint64_t)PTX_CODE_STEP * (index + 1);
}
// The function at that address, if it has the signature of the call; else NULL.
const PtxFunction *ptx_function_at(const PtxModule *module, uint64_t address, uint32_t signature);

// Sets the addresses of GLOBAL variables, addresses[i] for variables[i], and applies all
// relocations. Entries of other variables are ignored. Call once.
void ptx_relocate(PtxModule *module, const uint64_t *addresses);

// In relocatable code, nvcc puts a file's name in front of static names:
// "__nv_static_10__ab_4_a_cu_x" is "x". Returns the rest of such a name, else the name.
const char *ptx_source_name(const char *name);

// Extracts the base name of an Itanium-mangled function name: "_Z11topo_expandPKi" gives
// "topo_expand". Copies other names. `text` has `size` bytes.
void ptx_base_name(const char *name, char *text, size_t size);

// The text of an instruction as written ("add.s32 %r3, ..."), for traces and messages. Owned by the
// module.
const char *ptx_source_text(const PtxModule *module, const PtxFunction *function, uint32_t index);

// The name of an operation without types: "mul.wide".
const char *uop_name(UopCode code);

#endif
