// Scalar execution: one lane computes for its warp, which has one copy of the results.
#include "exec/exec.h"

// A register may be written as one type and read as another.
typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

void exec_broadcast(const UOp *op, ExecWarp *w, unsigned lane)
{
    for (unsigned i = 0; i < sizeof op->dst / sizeof *op->dst; i++) {
        OperandShape shape = uop_write(op, i);
        if (op->dst[i] == OPERAND_NONE) continue;
        if (shape.kind == OPERAND_PREDICATE) {
            w->predicates[op->dst[i]] = (LaneMask)0 - (w->predicates[op->dst[i]] >> lane & 1);
        } else if (shape.kind == OPERAND_SLOTS && shape.slots == 2) {
            LongWord *value = exec_operand(w, op->dst[i]);
            for (unsigned l = 0; l < HD_MAX_LANES; l++) value[l] = value[lane];
        } else if (shape.kind == OPERAND_SLOTS) {
            Word *value = exec_operand(w, op->dst[i]);
            for (unsigned l = 0; l < HD_MAX_LANES; l++) value[l] = value[lane];
        }
    }
    if (op->flags & UF_CC_OUT) w->carry = (LaneMask)0 - (w->carry >> lane & 1);
}

void exec_scalar(const UOp *op, ExecWarp *w, LaneMask mask)
{
    op->run(op, w, mask & -mask);
    exec_broadcast(op, w, lanes_first(mask));
}
