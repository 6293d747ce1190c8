// PTX text becomes a module: functions as micro-ops, with control flow, reconvergence points,
// liveness and uniformity worked out.
#ifndef HEDDLE_PTX_PTX_H
#define HEDDLE_PTX_PTX_H

#include "base/error.h"
#include "base/memory.h"
#include "ptx/uop.h"

#include <stddef.h>

typedef struct PtxParam {
    const char *name;
    PtxType type;            // element type
    uint32_t offset, bytes;  // in the parameter block (kernels) or in the frame (functions)
    uint32_t align;
    bool pointer;            // .ptr
} PtxParam;

// A module-scope variable (global, const), or a function's shared variable.
typedef struct PtxVariable {
    const char *name;
    PtxSpace space;   // GLOBAL, CONST or SHARED
    uint64_t bytes;   // 0 for `extern .shared .b8 name[]`: the dynamic part
    uint32_t align;
    const uint8_t *initial; // `bytes` long, or NULL for zeros
    bool texture; // a texture or surface reference (GLOBAL, no bytes): its address is a handle
    bool external;          // extern without a definition in this module (shared dynamic only)
    uint64_t address; // SHARED: offset in the block's shared memory (the dynamic part: 0, see
                      // PtxFunction.shared_bytes); CONST: offset in the constant bank; GLOBAL: 0
                      // until the loader places it (ptx_relocate)
    int line;
} PtxVariable;

// An address that is known only when the module is loaded: function.constants slot `slot`, all
// lanes, 64-bit, += variable's address. Or bytes in another variable's initialiser: all 8, or those
// of a packed structure one by one.
typedef struct PtxRelocation {
    uint32_t variable;   // index into PtxModule.variables
    int32_t function;    // index, or -1: in the initialiser of variable `in`
    uint32_t in, slot;   // slot number without OPERAND_CONST, or byte offset in the initialiser
    int64_t addend;
    uint8_t shift, bytes; // initialisers: `bytes` of them, of the address shifted right
    bool generic;        // wants the generic address (initialisers: generic(x)); global is the same
} PtxRelocation;

// A register as declared, for traces. The carry flag has no type.
typedef struct PtxRegister {
    const char *name; // "%r17"
    PtxType type;
} PtxRegister;

// The registers behind an operation's operands: virtual register numbers, or PTX_NO_REGISTER (none,
// or a constant).
enum { PTX_NO_REGISTER = 0xffff };
typedef struct PtxOperands {
    uint16_t guard, dst[4], src[5];
} PtxOperands;

typedef struct PtxFunction {
    const char *name;
    bool entry;     // a kernel
    bool recursive; // in a cycle of the call graph, or calls through a pointer
    int line;
    const char *unusable; // why it cannot run (ptx_parse_lenient); NULL: it can
    const PtxParam *params; // kernels: laid out in the parameter block; functions: in its frame
    size_t param_count;
    uint32_t param_bytes;
    UOp *ops;
    UOpTiming *timing;
    uint32_t op_count;
    // Frame of one activation. A caller places the callee's frame behind its own.
    // Slots are shared by live range. A register that LD or ATOM writes keeps its slot until it is
    // next read or written (a result may arrive late), so a RET must wait for what is outstanding.
    uint32_t frame_slots;      // data slots (each SLOT_BYTES)
    uint32_t frame_predicates; // LaneMasks
    uint32_t frame_param_bytes; // per thread: SPACE_FRAME_PARAM, as caller and as callee
    uint32_t local_bytes;      // per thread: .local variables (the depot)
    bool allocates;            // it or a callee uses alloca
    uint32_t virtual_registers; // how many numbers reads[] and writes[] use
    uint32_t *constants; // pool: constant_slots * HD_MAX_LANES words
    uint32_t constant_slots;
    uint32_t registers; // 32-bit registers per thread, counted from live ranges (allocation as
                        // ptxas would: max over the call graph for kernels)
    uint32_t shared_bytes;      // static shared memory, callees' included (kernels); the dynamic
                                // part starts there (already aligned for it)
    uint32_t max_call_local, max_call_slots, max_call_predicates, max_call_param_bytes; // own +
                                // deepest callee chain; for recursive functions own only
    uint32_t max_call_depth;    // 1 = calls nothing; 0 = unbounded (recursive)
    uint32_t signature; // functions whose parameters and results lie at the same places have the
                        // same one; 0: nothing takes its address, so no pointer calls it
    uint32_t block_count;       // basic blocks
    const char **source;        // op_count texts, for ptx_source_text
    const PtxOperands *operands;   // op_count
    const PtxRegister *names;      // by virtual register number
    // .maxntid, .reqntid, .minnctapersm; 0 where not given
    uint32_t max_threads[3], required_threads[3], min_blocks, max_registers;
} PtxFunction;

// Threads of a block that a bound names (max_threads, required_threads); 0 where it is not given.
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
// function has frame_param_bytes per thread, laid out as
//
//     [ incoming parameters | return values | areas of the .param variables of its own calls ]
//
// (a kernel: only the last part; its own parameters are in SPACE_PARAM). At the call the core
// copies `arguments` from the caller's area to the callee's, lane by lane; at the return of a lane
// it copies `results` from the callee's area to the caller's.
typedef struct PtxCall {
    uint32_t callee; // index into PtxModule.functions; UOP_CALL_POINTER: PTX_NO_FUNCTION;
                     // UOP_SYSTEM: none (its arguments and results are in the caller's area only)
    uint32_t signature; // UOP_CALL_POINTER: of the functions that it may call, 0: there is none
    const PtxCopy *arguments, *results;
    uint32_t argument_count, result_count;
    PtxCopy variable; // arguments that "..." stands for: to the start of the callee's .local
                      // variables, where it reads them; bytes 0: there are none
} PtxCall;
enum { PTX_VARIADIC_BYTES = 512 }; // room for them, in each activation of such a function

typedef struct PtxModule {
    HdArena arena;       // owns all of it
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
    bool lenient;          // of ptx_parse_lenient
    bool heap;            // calls malloc or free
} PtxModule;

// Parses `text` (zero-terminated; `path` is for messages). Everything that the module contains is
// checked here: an unknown or unsupported instruction, a type that does not fit, a missing symbol
// is an error with path:line:column, the offending line and a caret. NULL and err on failure.
PtxModule *ptx_parse(const char *text, const char *path, HdError *err);
// The same for a file of which not all need be used, as programs carry them: what is wrong inside
// of a function, or a call of one that is not defined, is no error, but kept with the function
// (PtxFunction.unusable) and said when a kernel that calls it, directly or not, is launched.
PtxModule *ptx_parse_lenient(const char *text, const char *path, HdError *err);
// Keeps a failure with a function of such a module. false: memory is out.
bool ptx_mark_unusable(PtxModule *module, PtxFunction *function, const char *why);
// What the callees of a function cannot do, it cannot do either: behind the last failure.
void ptx_propagate_unusable(PtxModule *module);
void ptx_free(PtxModule *module);

// The function called `name`: exact, or the only one whose demangled base name it is
// ("topo_expand" finds "_Z11topo_expandPKi..."). NULL and err (nearest name) otherwise.
PtxFunction *ptx_find_kernel(PtxModule *module, const char *name, HdError *err);

// Generic addresses of the constant bank (GUEST_CONST_BASE of exec/guest.h), for initialisers.
#define PTX_CONST_WINDOW UINT64_C(0x03000000)

// Function pointers. Code has addresses of its own, below all windows of memory: an access to one
// is a fault. The first, which no function has, is the address of one that is not defined here.
#define PTX_CODE_BASE UINT64_C(0x10000)
enum { PTX_CODE_STEP = 16 };
static inline uint64_t ptx_function_address(uint32_t index)
{
    return PTX_CODE_BASE + (uint64_t)PTX_CODE_STEP * (index + 1);
}
// The function at that address, which takes calls through pointers of that signature; NULL: none.
const PtxFunction *ptx_function_at(const PtxModule *module, uint64_t address, uint32_t signature);

// Gives GLOBAL variables their addresses: addresses[i] for variables[i] (ignored for other
// spaces), and applies all relocations. To be called once.
void ptx_relocate(PtxModule *module, const uint64_t *addresses);

// Index of basic base name of an Itanium-mangled function name: "_Z11topo_expandPKi" gives
// "topo_expand"; other names are copied. text: size bytes.
void ptx_base_name(const char *name, char *text, size_t size);

// One instruction as text for traces and messages ("add.s32 %r3, ..." as written). Owned by module.
const char *ptx_source_text(const PtxModule *module, const PtxFunction *function, uint32_t index);

// The lowest text of an operation, "mul.wide".
const char *uop_name(UopCode code);

#endif
