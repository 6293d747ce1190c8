// The text of a trace: instructions with their values, memory accesses with the level that answers
// them, and warp splits.
#include "core/trace_warp.h"

#include "core/execute/simt.h"
#include "core/value_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- text ----

static void put(SmTrace *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(SmTrace *t, const char *format, ...)
{
    enum { PIECE = 1024 };
    while (!t->failed && t->capacity - t->length < PIECE)
        t->failed = !hd_reserve(&t->text, t->capacity, &t->capacity, 1);
    if (t->failed) return;
    va_list args;
    va_start(args, format);
    int n = number_format_list(t->text + t->length, PIECE, format, args);
    va_end(args);
    t->length += n < 0 ? 0 : n < PIECE ? (size_t)n : PIECE - 1;
}

static void put_cycle(SmTrace *t, const SmContext *context)
{
    put(t, "%10" PRIu64 "  ", context->now - t->start);
}
#define INDENT "            "

// ---- values ----

static void put_value(SmTrace *t, PtxType type, uint64_t bits)
{
    char text[VALUE_TEXT];
    value_text(type, bits, text);
    put(t, " %s", text);
}

static uint64_t value_of(const ExecWarp *x, PtxType type, Operand operand, unsigned lane)
{
    if (type == PTX_PRED) return exec_predicate(x, operand) >> lane & 1;
    return exec_value(x, type, operand, lane);
}

// The number of these lanes that are shown.
static unsigned shown_lanes(const SmTrace *t, LaneMask lanes)
{
    enum { FIRST_LANES = 4 };
    unsigned count = lanes_count(lanes);
    return t->all_lanes || count <= FIRST_LANES ? count : FIRST_LANES;
}

// Writes "%r3 = 5 6 7 8 ..", in the order of the lanes, or one value if all lanes agree.
static void put_register(SmTrace *t, const ExecWarp *x, const PtxRegister *name, const UOp *op,
                         Operand operand, LaneMask lanes)
{
    PtxType type = name->type;
    bool bits = type == PTX_B8 || type == PTX_B16 || type == PTX_B32 || type == PTX_B64;
    // If the declared type says only the size (.b32), the instruction's type counts.
    if (bits && ptx_type_bytes((PtxType)op->type) == ptx_type_bytes(type))
        type = (PtxType)op->type;
    uint64_t first = value_of(x, type, operand, lanes_first(lanes));
    bool same = true;
    for (LaneMask m = lanes; m; m &= m - 1)
        same &= value_of(x, type, operand, lanes_first(m)) == first;
    unsigned left = same ? 1 : shown_lanes(t, lanes);
    put(t, "%s =", name->name);
    for (LaneMask m = lanes; m && left--; m &= m - 1)
        put_value(t, type, value_of(x, type, operand, lanes_first(m)));
    if (same && lanes_count(lanes) > 1)
        put(t, " (all)");
    else if (!same && shown_lanes(t, lanes) < lanes_count(lanes))
        put(t, " ..");
}

// Operands whose registers are shown, each once: "reads  %r1 = 3 (all); %r2 = 1 2 3 4 ..".
typedef struct OperandList {
    const char *what;        // "reads"
    const Operand *operands;
    const uint16_t *numbers; // of their registers
    unsigned count;
} OperandList;

static void put_registers(SmTrace *t, const ExecWarp *x, const PtxFunction *f, const UOp *op,
                          OperandList list, LaneMask lanes)
{
    const uint16_t *numbers = list.numbers;
    bool any = false;
    for (unsigned i = 0; i < list.count; i++) {
        bool again = numbers[i] == PTX_NO_REGISTER || f->names[numbers[i]].type == PTX_NONE;
        for (unsigned k = 0; k < i; k++) again |= numbers[k] == numbers[i];
        if (again) continue;
        put(t, any ? "; " : INDENT "%s  ", list.what);
        put_register(t, x, &f->names[numbers[i]], op, list.operands[i], lanes);
        any = true;
    }
    if (any) put(t, "\n");
}

// ---- a warp's life ----

SmTrace *trace_of_members(const SmContext *context, const MemoryOp *op)
{
    SmTrace *t = NULL;
    for (unsigned i = 0; !t && i < memory_op_members(op); i++)
        t = trace_of(context, memory_op_member(op, i)->id);
    return t;
}

void trace_start(SmTrace *t, const SmContext *context, const Warp *w)
{
    const uint32_t *b = w->exec.block->index;
    put_cycle(t, context);
    put(t, "starts: warp %u of block (%u,%u,%u), lanes %08x\n", w->exec.warp_in_block, b[0], b[1],
        b[2], w->exec.active);
}

void trace_end(SmTrace *t, const SmContext *context)
{
    put_cycle(t, context);
    put(t, "ends: nothing is in flight\n");
}

void trace_passed(SmTrace *t, const SmContext *context, const Warp *w)
{
    put_cycle(t, context);
    if (w->barrier.number < BLOCK_BARRIERS)
        put(t, "passes barrier %u\n", w->barrier.number);
    else
        put(t, "wakes up\n");
}

// ---- instructions ----

TraceBefore trace_before(const Warp *w)
{
    const Frame *frame = &w->calls.frames[w->calls.frame];
    return (TraceBefore){frame->function, w->exec, w->pc, simt_split_count(w)};
}

void trace_issue(SmTrace *t, const SmContext *context, const Warp *w, LaneMask lanes)
{
    TraceBefore b = trace_before(w);
    const UOp *op = &b.function->ops[b.index];
    const PtxOperands *o = &b.function->operands[b.index];
    put_cycle(t, context);
    put(t, "line %u, lanes %08x: %.400s\n", b.function->timing[b.index].line, lanes,
        ptx_source_text(context->launch->module, b.function, b.index));
    if (o->guard != PTX_NO_REGISTER)
        put_registers(t, &w->exec, b.function, op,
                      (OperandList){"guard", &op->guard, &o->guard, 1}, w->exec.active);
    if (lanes)
        put_registers(t, &w->exec, b.function, op, (OperandList){"reads", op->src, o->src, 5},
                      lanes);
}

void trace_group(SmTrace *t, const IssueGroup *group, unsigned member)
{
    if (group->kind == GROUP_WAVE)
        put(t, INDENT "wave of %u warps, lane %u", group->count, group->member[member].place);
    else if (group->scalar)
        put(t, INDENT "scalar");
    for (unsigned i = 0; group->kind == GROUP_PAIR && i < group->count; i++)
        if (i != member)
            put(t, "%swith warp slot %u", group->scalar ? ", " : INDENT,
                group->member[i].warp->id);
    put(t, "\n");
}

void trace_wave_table(SmTrace *t, const SmContext *context, const Warp *w)
{
    put_cycle(t, context);
    put(t, "line %u waits for an entry of the table of waves\n", w->timing[w->pc].line);
}

void trace_goes_on(SmTrace *t, const SmContext *context, const Warp *w)
{
    put_cycle(t, context);
    put(t, "line %u is in a wave; the warp goes on\n", w->timing[w->pc].line);
}

void trace_injected(SmTrace *t, const SmContext *context, const Warp *w, uint32_t index,
                    LaneMask lanes)
{
    const PtxFunction *f = warp_function(w);
    put_cycle(t, context);
    put(t, "injected, as line %u, lanes %08x: %.400s\n", f->timing[index].line, lanes,
        ptx_source_text(context->launch->module, f, index));
}

void trace_move(SmTrace *t, unsigned spare)
{
    put(t, INDENT "moved from spare register %u\n", spare);
}

static void put_split(SmTrace *t, const Warp *w, const char *what)
{
    put(t, INDENT "%s: lanes %08x continue at line %u", what, w->exec.active,
        w->timing[w->pc].line);
    uint32_t more = simt_split_count(w) - 1;
    if (more) put(t, "; %u more split%s", more, more == 1 ? "" : "s");
    put(t, "\n");
}

void trace_results(SmTrace *t, const Warp *w, const TraceBefore *before, LaneMask lanes)
{
    const UOp *op = &before->function->ops[before->index];
    const PtxOperands *o = &before->function->operands[before->index];
    // Results of atomics and engines arrive with the reply, bar.red's when the barrier completes.
    bool now = lanes && op->code != UOP_ATOM && op->code != UOP_ENGINE && op->code != UOP_BAR;
    if (now)
        put_registers(t, &before->exec, before->function, op,
                      (OperandList){"writes", op->dst, o->dst, 4}, lanes);
    LaneMask was = before->exec.active, is = w->exec.active;
    if (!w->flags.live || was == is) return;
    if (!(is & ~was))
        put_split(t, w, simt_split_count(w) > before->splits ? "diverges" : "fewer lanes");
    else
        put_split(t, w, was & ~is ? "next split" : "reconverges");
}

void trace_waits(SmTrace *t, const SmContext *context, const Warp *w, const TraceBefore *before)
{
    put_cycle(t, context);
    put(t, "line %u, lanes %08x: wait for the other lanes of the mask\n",
        before->function->timing[before->index].line, before->exec.active);
    if (!w->flags.at_barrier) put_split(t, w, "next split");
}

void trace_woken(SmTrace *t, const SmContext *context, const Warp *w)
{
    put_cycle(t, context);
    put(t, "continues\n");
    if (!w->flags.at_barrier) put_split(t, w, "next split");
}

void trace_written(SmTrace *t, const SmContext *context, const UOpTiming *timing)
{
    put_cycle(t, context);
    put(t, "result of line %u is written\n", timing->line);
}

// ---- memory ----

static const char *kind_text(const MemoryOp *r)
{
    switch (r->kind) {
    case MEMORY_OP_SHARED:
        return "shared memory";
    case MEMORY_OP_CONSTANT:
        return r->space == SPACE_PARAM ? "parameters" : "constants";
    case MEM_LOCAL_LOAD:
    case MEM_LOCAL_STORE:
        return r->space == SPACE_LOCAL ? "local memory" : "function parameters in local memory";
    default:
        return "global memory";
    }
}

// Writes the address, and "row[12]" if it lies in an allocation with elements of this size.
static void put_address(SmTrace *t, const SmContext *context, uint64_t address, unsigned bytes)
{
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned number = guest_find(context->guest, address, bytes, &hint);
    if (number == GUEST_NO_ALLOCATION) {
        put(t, "0x%" PRIx64, address);
        return;
    }
    const GuestAllocation *allocation = &context->guest->allocations[number];
    uint64_t offset = address - allocation->base;
    put(t, "0x%" PRIx64 " %s[%" PRIu64 "]", address, allocation->name, offset / bytes);
    if (offset % bytes) put(t, "+%" PRIu64, offset % bytes);
}

static void put_lines(SmTrace *t, const MemoryOp *r)
{
    for (unsigned i = 0; i < r->count; i++)
        put(t, INDENT "access %u of %u: line 0x%" PRIx64 ", lanes %08x%s\n", i + 1, r->count,
            r->accesses[i].line, r->accesses[i].lanes, r->bypass ? ", bypasses the L1" : "");
}

void trace_access(SmTrace *t, const SmContext *context, const MemoryOp *r,
                  const uint64_t *addresses)
{
    unsigned bytes = ptx_type_bytes((PtxType)r->op->type), shown = shown_lanes(t, r->lanes);
    bool same = true;
    for (LaneMask m = r->lanes; m; m &= m - 1)
        same &= addresses[lanes_first(m)] == addresses[lanes_first(r->lanes)];
    if (same) shown = 1;
    put(t, INDENT "%s, %u bytes a lane:", kind_text(r), bytes * r->op->vec);
    LaneMask left = r->lanes;
    for (unsigned i = 0; i < shown; i++, left &= left - 1) {
        uint64_t address = addresses[lanes_first(left)];
        put(t, i ? ", " : " ");
        if (r->space == SPACE_GLOBAL)
            put_address(t, context, address, bytes);
        else
            put(t, "+%" PRIu64, address);
    }
    put(t, "%s\n", !left ? "" : same ? " (all)" : " ..");
    if (r->kind == MEMORY_OP_SHARED) put(t, INDENT "%u passes of the banks\n", r->passes);
    put_lines(t, r);
}

void trace_texture(SmTrace *t, const SmContext *context, const MemoryOp *r,
                   const TextureFetch *fetch)
{
    unsigned bytes = exec_texture_bytes(fetch, lanes_first(r->lanes)), texels = 0;
    for (unsigned k = 0; k < fetch->corners; k++) texels += lanes_count(fetch->touched[k]);
    put(t, INDENT "texture, %u texels of %u bytes:", texels, bytes);
    LaneMask left = fetch->touched[0];
    for (unsigned i = 0; left && i < shown_lanes(t, r->lanes); i++, left &= left - 1) {
        put(t, i ? ", " : " ");
        put_address(t, context, fetch->address[0][lanes_first(left)], bytes);
    }
    put(t, "%s\n", texels == lanes_count(fetch->touched[0]) && !left ? "" : " ..");
    put_lines(t, r);
}

void trace_engine(SmTrace *t, const MemoryOp *r)
{
    put(t, INDENT "request to the engine of slice %u, %u bytes\n", r->engine->slice,
        r->engine->bytes);
}

static void put_access(SmTrace *t, const SmContext *context, const MemoryOp *r)
{
    put_cycle(t, context);
    put(t, "line %u, ", r->timing->line);
}

static void see_access(void *self, WatchKind kind, const void *event)
{
    static const char *const outcomes[] = {
        [CACHE_HIT] = "hit", [CACHE_MERGED] = "pending hit", [CACHE_MISS] = "miss"};
    (void)kind;
    const SmContext *context = self;
    const CacheEvent *seen = event;
    const CacheResult *result = seen->result;
    SmTrace *t = trace_of_op(context, seen->user);
    if (!t) return;
    put_access(t, context, seen->user);
    put(t, "access %u: ", seen->number + 1);
    for (const char *c = seen->at->name; *c; c++) put(t, "%c", text_upper(*c));
    put(t, " ");
    if (result->outcome == CACHE_STALLED)
        put(t, "stall, %s\n", cache_stall_name(result->stall));
    else
        put(t, "%s%s\n", outcomes[result->outcome],
            result->forwards_write ? ", the store is sent to the L2" : "");
}

bool trace_watch_cache(SmContext *context, CacheController *cache, HdError *err)
{
    watch_remove(&cache->watch, see_access, context);
    Watcher watcher = {WATCHER_TRACE, 1u << WATCH_ACCESS, see_access, context};
    return !context->trace || watch_add(&cache->watch, watcher, err);
}

void trace_answer(SmTrace *t, const SmContext *context, const MemoryOp *r, MemLevel level)
{
    static const char *const levels[] = {"the first level", "the L2", "DRAM"};
    put_access(t, context, r);
    put(t, "an access is answered by %s",
        r->kind == MEMORY_OP_SHARED ? "shared memory"
        : r->kind == MEM_ENGINE       ? "the engine"
                                    : levels[level]);
    if (r->waiting)
        put(t, "; %u more\n", r->waiting);
    else
        put(t, "; the last, %" PRIu64 " cycles after issue\n", context->now - r->issued);
    if (r->waiting || (r->kind != MEM_ATOMIC && r->kind != MEM_ENGINE)) return;
    const PtxFunction *f = &context->launch->module->functions[r->function];
    unsigned member = 0;
    while (memory_op_member(r, member)->id != t->warp) member++;
    ExecWarp frame = memory_op_frame(r, member);
    put_registers(t, &frame, f, r->op,
                  (OperandList){"writes", r->op->dst, f->operands[r->index].dst, 4},
                  memory_op_is_group(r) ? r->group->item[member].lanes : r->lanes);
}
