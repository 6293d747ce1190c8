// The verifier: proves, before anything of a module runs, that each number in it stays within what
// it counts or indexes. It reads the finished module only, not how the parser made it.
//
// What it proves is what the layers above rely on. They index, unchecked, the register slots and
// predicates of a frame, the constant pool, the function's and the module's arrays, and copy
// parameters between frames. The bounds of memory whose addresses come from registers are checked
// as the instruction executes (exec/memory_access.c, core/bounds.c); the verifier checks the
// addresses that the text resolves.
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
