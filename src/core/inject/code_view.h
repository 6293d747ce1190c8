// The instructions and loops of a launch as mechanisms see them (heddle/instructions.h).
#ifndef HEDDLE_CORE_INJECT_CODE_VIEW_H
#define HEDDLE_CORE_INJECT_CODE_VIEW_H

#include "core/sm.h"

typedef struct CodeView {
    const PtxModule *module; // NULL: nothing is shown yet
    size_t first_pc, end_pc;
    HdInstruction *instructions; // from first_pc on
    uint32_t *loop_of;           // likewise: the number of the loop in `loops` + 1; 0: none
    uint8_t *verified;           // likewise (code_view_verified)
    HdLoop *loops;
    size_t loop_count;
    uint32_t *loop_pcs; // what HdLoop.instructions points into
} CodeView;

// Shows the launch's static instructions. What an earlier launch showed stays if it is the same.
// false: out of memory. Free with code_view_free, after failure too.
bool code_view_set(CodeView *view, const SmLaunch *launch);
void code_view_free(CodeView *view);

// The instruction with this static number; NULL: the launch has none.
const HdInstruction *code_view_instruction(const CodeView *view, uint32_t pc);
// Of an instruction that the launch has: bit s is whether its repetition with the set s of own
// sources has been verified.
static inline uint8_t *code_view_verified(const CodeView *view, uint32_t pc)
{
    return &view->verified[pc - view->first_pc];
}
// Its innermost loop; false: none.
bool code_view_loop(const CodeView *view, uint32_t pc, HdLoop *loop);

#endif
