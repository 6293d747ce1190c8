// Instructions that mechanisms see, and micro-ops that they inject: reports and issue.
#include "core/sm/repeats.h"

#include "core/execute/access.h"
#include "core/execute/simt.h"
#include "core/lsu/shape.h"
#include "core/trace_warp.h"

#include <string.h>

// ---- what mechanisms may ask and do ----

static const HdInstruction *show_instruction(const void *context, uint32_t pc)
{
    const Sm *sm = context;
    return code_view_instruction(&sm->injector->code, pc);
}

static bool show_loop(const void *context, uint32_t pc, HdLoop *loop)
{
    const Sm *sm = context;
    return code_view_loop(&sm->injector->code, pc, loop);
}

static const void *show_register(const void *context, unsigned slot, HdOperand operand)
{
    const Sm *sm = context;
    const Warp *w = &sm->blocks.warps[slot];
    bool there = operand.kind == HD_REGISTER && slot < sm->blocks.warp_slots && w->flags.live &&
                 operand.number < warp_function(w)->frame_slots;
    return there ? exec_operand(&w->exec, operand.number) : NULL;
}

static bool inject(void *context, const HdIssued *behind, const HdMicroOp *op)
{
    Sm *sm = context;
    Warp *w = &sm->blocks.warps[behind->warp_slot];
    Injected in;
    if (!w->flags.live || !w->injector || !injector_make(sm->injector, w, op, &in)) return false;
    if (!injector_verify(sm->injector, w, &in, sm->context.err)) {
        sm->context.failed = true;
        sm_fault_as(&sm->context, GPU_FAULT_HOST, NO_FAULT_ADDRESS);
        return false;
    }
    injector_push(w, &in);
    return true;
}

static uint32_t show_spare_lanes(const void *context, unsigned slot, unsigned number)
{
    const Sm *sm = context;
    const Injector *injector = sm->injector;
    bool there = slot < injector->warp_count && number < injector->spare;
    return there ? injector->warps[slot].registers[number].lanes : 0;
}

static const CoreActions actions = {show_instruction, show_loop, show_register, inject,
                                    show_spare_lanes};

bool sm_attach_injector(Sm *sm, HdError *err)
{
    const SmConfig *config = &sm->context.config;
    sm->injector = injector_new(config->core->threads / config->core->width,
                                config->operand->bank_number == BANK_BY_NAME);
    if (!sm->injector) return hd_fail_memory(err, "attaching mechanisms");
    sm->hooks->sm.actions = &actions;
    sm->hooks->sm.self = sm;
    return true;
}

bool sm_begin_injector(Sm *sm)
{
    return !sm->injector ||
           injector_begin(sm->injector, sm->context.launch, sm->blocks.slots,
                          sm->blocks.scoreboard_numbers) ||
           sm_out_of_memory(&sm->context, "placing spare registers");
}

// ---- reports ----

// The next instruction is a load that mechanisms may replace: asks whether they do.
static void ask_for_move(Sm *sm, Warp *w)
{
    const HdInstruction *next = show_instruction(sm, warp_pc(w));
    w->injector->form = HD_AS_WRITTEN;
    if (next->opcode != HD_OP_LOAD) return;
    HdSpare spare = core_hooks_decide_move(sm->hooks, w->id, next);
    if (spare) injector_move(sm->injector, w, spare - 1);
}

static void report(Sm *sm, Warp *w, const IssuedInstruction *issued)
{
    const HdInstruction *in = show_instruction(sm, issued->pc);
    HdIssued seen = {.cycle = sm->context.now, .instruction = in, .lanes = issued->lanes,
                     .active = issued->active, .next_lanes = w->flags.live ? w->exec.active : 0,
                     .warp_slot = w->id, .form = w->injector->form,
                     .next_pc = w->flags.live ? warp_pc(w) : HD_NO_PC};
    for (unsigned i = 0; i < HD_SOURCES; i++)
        if (in->source[i].kind == HD_REGISTER || in->source[i].kind == HD_CONSTANT)
            seen.sources[i] = exec_operand(&w->exec, issued->op->src[i]);
    core_hooks_on_issue(sm->hooks, &seen);
    if (w->flags.live && !w->injector->count) ask_for_move(sm, w);
}

void sm_watch_issue(Sm *sm, Warp *w, const IssuedInstruction *issued)
{
    SmContext *context = &sm->context;
    if (context->repeats) repeats_issue(sm, w, issued->op, issued->lanes, issued->active);
    if (context->work) work_issue(context, w, issued->lanes, issued->timing, issued->cycle);
    if (w->injector) report(sm, w, issued);
}

// ---- issue ----

// Lanes whose element lies in no allocation do not load.
static LaneMask lanes_inside(SmContext *context, const Injected *in, LaneMask lanes,
                             const uint64_t *addresses)
{
    LaneMask inside = 0;
    unsigned bytes = ptx_type_bytes((PtxType)in->op.type);
    for (LaneMask m = lanes; m; m &= m - 1) {
        uint64_t address = addresses[lanes_first(m)];
        unsigned allocation =
            guest_find(context->guest, address, bytes, &context->bounds.hint[in->pc]);
        if (address % bytes == 0 && allocation != GUEST_NO_ALLOCATION) inside |= m & -m;
    }
    return inside;
}

// The load of a micro-op that is still in the queue.
static IssueOutcome issue_load(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    const Injected *queued = &w->injector->queue[w->injector->first];
    uint64_t addresses[HD_MAX_LANES];
    ExecWarp frame = injector_frame(sm->injector, w, queued);
    exec_addresses(&queued->op, &frame, addresses);
    LaneMask lanes = injector_lanes(sm->injector, w, queued);
    lanes = lanes_inside(context, queued, lanes, addresses);
    if (lsu_has_atomic(&sm->lsu, w, lanes, addresses)) {
        warp_wait_for_atomic(&sm->issue, context, w);
        return ISSUE_BLOCKED;
    }
    Injected *in = injector_take(sm->injector, w);
    injector_write(sm->injector, w, in, lanes, addresses);
    context->count.sm.injected++;
    if (!lanes) {
        context->count.sm.committed++;
        return ISSUE_DONE;
    }
    exec_global_load(&in->op, &frame, lanes, addresses, context->guest, context->log);
    uint32_t index;
    MemoryOp *op = memory_op_new(&sm->lsu.ops, context, w, SPACE_GLOBAL, lanes, &index);
    if (!op) return ISSUE_FAILED;
    op->op = &in->op;
    op->timing = &in->timing;
    op->index = in->pc - w->pc_base;
    op->pc = in->pc;
    op->injected = true;
    return sm_send_memory(sm, w, op, index, addresses, GUEST_NO_ALLOCATION, NULL);
}

static IssueOutcome issue_arithmetic(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    const Injected *in = injector_take(sm->injector, w);
    uint32_t row = injector_row(sm->injector, in->target);
    LaneMask lanes = injector_lanes(sm->injector, w, in);
    injector_write(sm->injector, w, in, lanes, NULL);
    uint64_t cycle = operands_schedule(&sm->operands, context, w, &in->op, &in->timing,
                                       &sm->operands.port[w->issue.set - SET_READY], NULL);
    scoreboard_book(w, &in->timing);
    context->count.sm.injected++;
    ExecWarp frame = injector_frame(sm->injector, w, in);
    if (lanes) in->op.run(&in->op, &frame, lanes);
    if (wheel_set(&context->wheel, cycle, EVENT_INJECTED, w->id,
                  (EventPayload){.injected = {row}}))
        return ISSUE_DONE;
    sm_out_of_memory(context, "scheduling a write-back");
    return ISSUE_FAILED;
}

// The move in the place of the warp's next instruction, with its trace, if there is one.
static IssueOutcome issue_move(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    SmTrace *trace = trace_of(context, w->id);
    if (!trace) return sm_issue_move(sm, w);
    TraceBefore before = trace_before(w);
    LaneMask lanes = exec_guard(&w->ops[w->pc], &w->exec, w->exec.active);
    trace_issue(trace, context, w, lanes);
    trace_move(trace, w->injector->source);
    IssueOutcome outcome = sm_issue_move(sm, w);
    if (outcome == ISSUE_DONE) trace_results(trace, w, &before, lanes);
    return outcome;
}

IssueOutcome sm_issue_injected(Sm *sm, Warp *w)
{
    SmContext *context = &sm->context;
    WarpInjector *injector = w->injector;
    warp_count_wait(context, w, warp_pc(w));
    if (!injector->count) return issue_move(sm, w);
    const Injected *next = &injector->queue[injector->first];
    SmTrace *trace = trace_of(context, w->id);
    size_t length = trace ? trace->length : 0;
    if (trace) trace_injected(trace, context, w, next->pc - w->pc_base, next->lanes);
    IssueOutcome outcome =
        next->op.code == UOP_LD ? issue_load(sm, w) : issue_arithmetic(sm, w);
    if (trace && outcome == ISSUE_BLOCKED) trace->length = length; // it is tried again
    if (outcome != ISSUE_DONE) return outcome;
    if (!injector->count) {
        injector_rest(w);
        ask_for_move(sm, w);
    }
    warp_classify_issued(&sm->issue, context, w);
    return context->failed ? ISSUE_FAILED : ISSUE_DONE;
}
