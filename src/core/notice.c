// Notices: findings that do not end a launch.
#include "core/notice.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes room for the marks of all static instructions. false: out of memory.
static bool grow(SystemCalls *s, size_t size)
{
    uint8_t *noticed = realloc(s->noticed, size);
    if (!noticed) return false;
    memset(noticed + s->noticed_size, 0, size - s->noticed_size);
    s->noticed = noticed;
    s->noticed_size = size;
    return true;
}

bool sm_notice(SmContext *context, const Warp *w, unsigned lane, const char *format, ...)
{
    SystemCalls *s = context->system;
    uint32_t pc = w->pc_base + w->pc;
    if (notice_given(context, pc)) return true;
    if (pc >= s->noticed_size && !grow(s, context->bounds.size))
        return sm_out_of_memory(context, "adding a notice");
    s->noticed[pc] = 1;
    SystemNotice notice = {.cycle = context->now, .pc = pc, .text = hd_new(FAULT_PLACE * 2, 1)};
    if (!notice.text || !HD_PUSH(s->notices, s->notice_count, s->notice_capacity, notice)) {
        free(notice.text);
        return sm_out_of_memory(context, "adding a notice");
    }
    fault_place(context, w, warp_function(w), w->pc, lane, notice.text);
    size_t length = strlen(notice.text);
    va_list args;
    va_start(args, format);
    number_format_list(notice.text + length, FAULT_PLACE * 2 - length, format, args);
    va_end(args);
    system_calls_signal(s);
    return true;
}

bool notice_shuffle(SmContext *context, const Warp *w, const UOp *op, const ExecWarp *values,
                    LaneMask mask, LaneMask readers)
{
    unsigned source;
    int lane = exec_shuffle_inactive(op, values, mask, readers, &source);
    return lane < 0 || sm_notice(context, w, (unsigned)lane,
                                 "shuffle from lane %u, which is inactive or has exited: PTX "
                                 "leaves the value undefined, GPUs give 0",
                                 source);
}
