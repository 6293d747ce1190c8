// The stack of alloca in each thread's local memory.
#include "exec/exec.h"

typedef uint64_t __attribute__((may_alias)) LongWord;

enum { MIN_ALIGN = 8 };

static uint64_t *stack_top(const ExecWarp *w, unsigned lane)
{
    return (uint64_t *)(w->local + lane * w->local_stride + w->stack);
}

void exec_stack_start(ExecWarp *w)
{
    for (unsigned l = 0; l < w->block->width; l++) *stack_top(w, l) = w->stack + EXEC_STACK_HEAD;
}

void exec_stack(const UOp *op, ExecWarp *w, LaneMask mask)
{
    const LongWord *from = op->src[0] == OPERAND_NONE ? NULL : exec_operand(w, op->src[0]);
    LongWord *to = op->dst[0] == OPERAND_NONE ? NULL : exec_operand(w, op->dst[0]);
    uint64_t align = op->imm ? (uint64_t)op->imm : MIN_ALIGN, end = w->local_stride;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t *at = stack_top(w, l);
        if (op->code == UOP_ALLOCA) {
            uint64_t start = round_up(*at, align), bytes = from[l];
            bool fits = start <= end && bytes <= end - start;
            to[l] = fits ? start : end; // any access at the end faults
            if (fits) *at = start + bytes;
        } else if (op->code == UOP_STACKSAVE) {
            to[l] = *at;
        } else if (from[l] >= w->stack + EXEC_STACK_HEAD && from[l] <= end) {
            *at = from[l];
        }
    }
}
