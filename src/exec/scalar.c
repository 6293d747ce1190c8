// Scalar execution: one lane computes for the lanes of its warp.
#include "exec/exec.h"

// A register may be written as one type and read as another.
typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

static LaneMask give(LaneMask value, LaneMask lanes, unsigned from)
{
    return value >> from & 1 ? value | lanes : value & ~lanes;
}

void exec_give_results(const UOp *op, ExecWarp *w, LaneMask lanes)
{
    unsigned from = lanes_first(lanes);
    for (unsigned i = 0; i < sizeof op->dst / sizeof *op->dst; i++) {
        OperandShape shape = uop_write(op, i);
        if (op->dst[i] == OPERAND_NONE) continue;
        if (shape.kind == OPERAND_PREDICATE) {
            w->predicates[op->dst[i]] = give(w->predicates[op->dst[i]], lanes, from);
        } else if (shape.kind == OPERAND_SLOTS && shape.slots == 2) {
            LongWord *value = exec_operand(w, op->dst[i]);
            for (LaneMask m = lanes; m; m &= m - 1) value[lanes_first(m)] = value[from];
        } else if (shape.kind == OPERAND_SLOTS) {
            Word *value = exec_operand(w, op->dst[i]);
            for (LaneMask m = lanes; m; m &= m - 1) value[lanes_first(m)] = value[from];
        }
    }
    if (op->flags & UF_CC_OUT) w->carry = give(w->carry, lanes, from);
}

void exec_scalar(const UOp *op, ExecWarp *w, LaneMask mask)
{
    op->run(op, w, mask & -mask);
    exec_give_results(op, w, mask);
}
