// Notices: findings that do not end a launch, at most one for each static instruction.
#ifndef HEDDLE_CORE_NOTICE_H
#define HEDDLE_CORE_NOTICE_H

#include "core/warp.h"

// Whether static instruction `pc` has its notice.
static inline bool notice_given(const SmContext *context, uint32_t pc)
{
    return pc < context->system->noticed_size && context->system->noticed[pc];
}

// Adds a notice about the warp's next instruction, unless there is one: the location (PTX line,
// kernel, source line, block, thread), then `format`. false: out of memory.
bool sm_notice(SmContext *context, const Warp *w, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Adds a notice if one of the lanes `readers` reads a lane outside of `mask` in a shuffle of the
// lanes `mask`. op, values: the shuffle and its operands. The location is the warp's next
// instruction. false: out of memory.
bool notice_shuffle(SmContext *context, const Warp *w, const UOp *op, const ExecWarp *values,
                    LaneMask mask, LaneMask readers);

#endif
