// The verifier: proves, before anything of a module runs, that each number in it stays within what
// it counts or indexes. It reads the finished module only, not how the parser made it.
//
// Higher layers rely on the proofs. They index, unchecked, the register slots and predicates of a
// frame, the constant pool, the arrays of function and module, and copy parameters between frames.
// The verifier proves:
//
// - for each micro-op, that registers with their width, predicates, constants, vectors, the guard,
//   branch targets, branch tables, reconvergence points, source lines, and the scoreboard's numbers
//   are in bounds, and that control cannot leave the function's instructions;
// - that an access whose address the text resolves lies within the kernel's parameters, the frame's
//   parameters, the function's .local variables, or the constant bank;
// - that each call copies arguments and results within the frames of the caller and of every
//   function that it may reach, and that a call of the system has the system's parameters;
// - that a kernel has room for each chain of calls from it. A caller's maxima must be at least its
//   own frame plus its callee's maxima, which is enough by induction. A function in a recursion
//   cannot claim a depth, because the caller's depth must exceed the callee's. The core counts its
//   frames;
// - for the module, that relocations, variables, initialisers and parameters lie within their
//   objects. Sums are computed in 64 bits.
//
// Addresses from registers are checked as the instruction executes (exec/memory_access.c,
// core/bounds.c).
//
// One pass over the module, without recursion; memory for its tables, functions and calls. In
// instructions of the host, it takes 6 to 8 % of the loading of this project's kernels, and 1 % for
// a program with 1 MB of PTX.
#ifndef HEDDLE_PTX_VERIFY_H
#define HEDDLE_PTX_VERIFY_H

#include "ptx/ptx.h"

// Verifies a module after parsing and before ptx_relocate. On failure, err says where, which
// micro-op, which value, and what was expected. In a lenient module, a function that fails becomes
// unusable, and its code is replaced by a trap; the call fails only for what concerns the whole
// module, or if out of memory.
bool ptx_verify(PtxModule *module, HdError *err);

// A micro-op that is made at run time out of an instruction, and its frame: register slots, no
// predicates, and the constants of the instruction's function.
typedef struct PtxMadeOp {
    const UOp *op;
    const UOpTiming *timing;
    uint32_t index;       // of the instruction in its function
    uint32_t frame_slots;
    uint32_t registers;   // numbers that timing->reads and writes may use
} PtxMadeOp;
// Verifies it by the rules for instructions. It may compute values, or load from global memory. On
// failure, err says where, and what ptx_verify would say. Takes as long as for one instruction of a
// module.
bool ptx_verify_made(const PtxModule *module, const PtxFunction *function, const PtxMadeOp *made,
                     HdError *err);

// Writes an instruction as the simulator executes it: "@p1 add.s32 s4 = s0, c2". s: a register
// slot, c: a constant slot, s4:5 a 64-bit value in two of them, p: a predicate. For messages; any
// operation is written, also one that does not verify.
void ptx_disassemble(const PtxFunction *function, uint32_t index, char *text, size_t size);

#endif
