// The stack of alloca in each thread's local memory.
#include "exec/exec.h"

#include <string.h>

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

static uint64_t allocate(const ExecWarp *w, uint64_t *from, uint64_t bytes, uint64_t align)
{
    uint64_t end = w->local_stride, start = round_up(*from, align);
    if (start > end || bytes > end - start) return end; // any access there faults
    *from = start + bytes;
    return start;
}

void exec_stack(const UOp *op, ExecWarp *w, LaneMask mask)
{
    const LongWord *from = op->src[0] == OPERAND_NONE ? NULL : exec_operand(w, op->src[0]);
    LongWord *to = op->dst[0] == OPERAND_NONE ? NULL : exec_operand(w, op->dst[0]);
    uint64_t align = op->imm ? (uint64_t)op->imm : MIN_ALIGN;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t *at = stack_top(w, l);
        if (op->code == UOP_ALLOCA) to[l] = allocate(w, at, from[l], align);
        else if (op->code == UOP_STACKSAVE) to[l] = *at;
        else if (from[l] >= w->stack + EXEC_STACK_HEAD && from[l] <= w->local_stride) *at = from[l];
    }
}
