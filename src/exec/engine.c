// The results of instructions that mechanisms add for their engines.
#include "exec/exec.h"

typedef uint32_t __attribute__((may_alias)) Word; // of any 32-bit type

void exec_engine_result(const UOp *op, ExecWarp *w, LaneMask mask, const HdEngineReply *reply)
{
    if (op->dst[0] != OPERAND_NONE) {
        LaneMask *predicate = &w->predicates[op->dst[0]];
        *predicate = (*predicate & ~mask) | (reply->predicate & mask);
    }
    for (unsigned i = 0; i < HD_ENGINE_REGISTERS && op->dst[1 + i] != OPERAND_NONE; i++) {
        Word *slot = exec_operand(w, op->dst[1 + i]);
        for (LaneMask m = mask; m; m &= m - 1)
            slot[lanes_first(m)] = reply->values[i][lanes_first(m)];
    }
}
