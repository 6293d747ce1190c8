// Faults, which end a run: a fault of the guest, reported with its location, or lack of host
// memory.
#include "base/number.h"
#include "core/warp.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sm_out_of_memory(SmContext *context, const char *what)
{
    context->failed = true;
    sm_fault_as(context, GPU_FAULT_HOST, NO_FAULT_ADDRESS);
    return hd_fail_memory(context->err, what);
}

void fault_line(const PtxModule *module, const UOpTiming *timing, char text[FAULT_LINE])
{
    int length = snprintf(text, FAULT_LINE, "%u", timing->line);
    if (!timing->source_line) return;
    const char *file = module->files[timing->source_file], *slash = strrchr(file, '/');
    snprintf(text + length, FAULT_LINE - (size_t)length, " (%.48s:%u)", slash ? slash + 1 : file,
             timing->source_line);
}

void fault_place(const SmContext *context, const Warp *w, const PtxFunction *f, uint32_t index,
                 unsigned lane, char text[FAULT_PLACE])
{
    const PtxModule *module = context->launch->module;
    const UOpTiming *timing = &f->timing[index];
    const ExecBlock *b = w->exec.block;
    uint32_t t = w->exec.warp_in_block * b->width + lane;
    char source[512] = "", name[128];
    if (timing->source_line)
        snprintf(source, sizeof source, " (%s:%u)", module->files[timing->source_file],
                 timing->source_line);
    ptx_base_name(f->name, name, sizeof name);
    snprintf(text, FAULT_PLACE, "%s:%u: %s%s, block (%u,%u,%u), thread (%u,%u,%u): ", f->path,
             timing->line, name, source, b->index[0], b->index[1], b->index[2], t % b->block[0],
             t / b->block[0] % b->block[1], t / b->block[0] / b->block[1]);
}

bool fault_text(const SmContext *context, const char *place, const PtxFunction *f, uint32_t index,
                const char *what, HdError *err)
{
    return hd_fail(err, "%s%s\n    %s", place, what,
                   ptx_source_text(context->launch->module, f, index));
}

bool sm_fault(SmContext *context, const Warp *w, unsigned lane, const char *format, ...)
{
    char what[FAULT_PLACE], place[FAULT_PLACE];
    va_list args;
    va_start(args, format);
    number_format_list(what, sizeof what, format, args);
    va_end(args);
    context->failed = true;
    if (context->fault.kind == GPU_FAULT_NONE) context->fault.kind = GPU_FAULT_TRAP;
    const PtxFunction *f = warp_function(w);
    fault_place(context, w, f, w->pc, lane, place);
    return fault_text(context, place, f, w->pc, what, context->err);
}
