// Divergence: the stack of paths of a warp, reconverging at immediate post-dominators.
//
// Each entry is a path: lanes, the instruction they stand at, and the one at which they join the
// entry below. A branch that splits its lanes turns the entry into the one that waits at the
// reconvergence point and pushes one entry per target; the path of the highest lane lies lowest, so
// the others run first. Lanes that return or exit vanish from the entries below when those come up.
#include "core/sm_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static SimtEntry *simt_top(Warp *w) { return &w->stack[w->depth - 1]; }

// Makes the entry on top the warp's current path.
static void simt_load(Warp *w)
{
    SimtEntry *top = simt_top(w);
    Frame *frame = &w->frames[top->frame];
    const PtxFunction *f = frame->function;
    w->ops = f->ops;
    w->timing = f->timing;
    w->pc = top->pc;
    w->pc_base = frame->pc_base;
    w->reconverge = top->reconverge;
    ExecWarp *x = &w->exec;
    x->active = top->lanes;
    x->base[0] = w->slots + (size_t)frame->slot_base * SLOT_BYTES;
    x->base[1] = (uint8_t *)f->constants;
    x->predicates = w->predicates + frame->predicate_base;
    x->frame_params = w->frame_params + frame->param_base;
    x->local_base = frame->local_base;
}

// Pops entries that have no lanes left or stand at their own reconvergence point, and closes the
// frames they leave, until one can run or the warp has ended.
static void simt_settle(Warp *w)
{
    while (w->depth) {
        SimtEntry *top = simt_top(w);
        top->lanes &= ~(w->exited | w->frames[top->frame].returned);
        if (top->lanes && top->pc != top->reconverge) {
            simt_load(w);
            return;
        }
        w->depth--;
    }
    w->live = false;
    w->exec.active = 0;
}

static bool simt_push(Sm *sm, Warp *w, SimtEntry entry)
{
    if (w->depth == w->stack_capacity) {
        size_t capacity = w->stack_capacity;
        if (!hd_reserve(&w->stack, w->depth, &capacity, sizeof *w->stack))
            return sm_out_of_memory(sm, "deepening a divergence stack");
        w->stack_capacity = (uint32_t)capacity;
    }
    w->stack[w->depth++] = entry;
    return true;
}

static void frame_open(Sm *sm, Warp *w, uint32_t index, uint32_t function_index)
{
    const PtxFunction *f = &sm->launch->module->functions[function_index];
    Frame *frame = &w->frames[index];
    *frame = (Frame){.function = f, .function_index = function_index,
                     .pc_base = sm->launch->pc_base[function_index]};
    if (!index) return;
    const Frame *caller = frame - 1;
    frame->slot_base = caller->slot_base + caller->function->frame_slots;
    frame->predicate_base = caller->predicate_base + caller->function->frame_predicates;
    frame->param_base = caller->param_base + caller->function->frame_param_bytes;
    frame->local_base = caller->local_base + caller->function->local_bytes;
}

void simt_start(Sm *sm, Warp *w, LaneMask lanes)
{
    const SmLaunch *launch = sm->launch;
    frame_open(sm, w, 0, (uint32_t)(launch->kernel - launch->module->functions));
    w->exited = 0;
    w->depth = 1;
    w->stack[0] = (SimtEntry){.pc = 0, .reconverge = RECONVERGE_EXIT, .lanes = lanes};
    w->live = true;
    simt_load(w);
}

void simt_advance(Warp *w)
{
    w->pc++;
    if (w->pc != w->reconverge) return;
    simt_top(w)->pc = w->pc;
    simt_settle(w);
}

// The entry on top waits at `reconverge` from now on, unless that is where it was going anyway (a
// loop's back edge then does not deepen the stack): returns whether the paths may reuse it.
static bool simt_split(Warp *w, uint32_t reconverge)
{
    SimtEntry *top = simt_top(w);
    if (top->reconverge == reconverge) {
        w->depth--;
        return true;
    }
    top->pc = reconverge;
    return false;
}

bool simt_branch(Sm *sm, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge)
{
    LaneMask lanes = w->exec.active, other = lanes & ~taken;
    SimtEntry *top = simt_top(w);
    if (!taken || !other) {
        w->pc = taken ? target : w->pc + 1;
        top->pc = w->pc;
        if (w->pc == w->reconverge) simt_settle(w);
        return true;
    }
    sm->count.sm.divergent_branches++;
    SimtEntry path = {.reconverge = reconverge, .frame = top->frame};
    uint32_t next = w->pc + 1;
    simt_split(w, reconverge);
    // The path of the highest lane goes below, the other runs first.
    bool taken_below = taken > other;
    for (int i = 0; i < 2; i++) {
        bool is_taken = (i == 0) == taken_below;
        path.lanes = is_taken ? taken : other;
        path.pc = is_taken ? target : next;
        if (path.pc != reconverge && !simt_push(sm, w, path)) return false;
    }
    simt_settle(w);
    return true;
}

bool simt_branch_indexed(Sm *sm, Warp *w, const uint32_t targets[HD_MAX_LANES], LaneMask lanes,
                         uint32_t reconverge)
{
    LaneMask left = w->exec.active, guarded_out = left & ~lanes;
    SimtEntry path = {.reconverge = reconverge, .frame = simt_top(w)->frame};
    uint32_t next = w->pc + 1;
    unsigned paths = 0;
    SimtEntry found[HD_MAX_LANES + 1];
    while (left) {
        unsigned highest = log2_floor(left);
        bool out = guarded_out >> highest & 1;
        path.pc = out ? next : targets[highest];
        path.lanes = 0;
        for (LaneMask m = left; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            uint32_t to = guarded_out >> l & 1 ? next : targets[l];
            if (to == path.pc) path.lanes |= (LaneMask)1 << l;
        }
        left &= ~path.lanes;
        found[paths++] = path;
    }
    if (paths == 1) return simt_branch(sm, w, path.pc, w->exec.active, reconverge);
    sm->count.sm.divergent_branches++;
    simt_split(w, reconverge);
    for (unsigned i = 0; i < paths; i++)
        if (found[i].pc != reconverge && !simt_push(sm, w, found[i])) return false;
    simt_settle(w);
    return true;
}

static bool call_function(Sm *sm, Warp *w, uint32_t site, uint32_t callee, LaneMask lanes)
{
    const PtxCall *call = &sm->launch->module->calls[site];
    SimtEntry *top = simt_top(w);
    uint32_t index = top->frame + 1;
    if (index >= w->frame_capacity) {
        sm_fault_as(sm, GPU_FAULT_STACK, NO_FAULT_ADDRESS);
        return sm_fault(
            sm, w, lanes_first(lanes),
            "more than %u device functions are open (core.stack); does the recursion end?",
            w->frame_capacity - 1);
    }
    top->pc = w->pc + 1;
    frame_open(sm, w, index, callee);
    w->frames[index].call = site;
    SimtEntry entry = {.pc = 0, .reconverge = RECONVERGE_EXIT, .lanes = lanes, .frame = index};
    if (!simt_push(sm, w, entry)) return false;
    uint8_t *caller_params = w->exec.frame_params;
    simt_load(w);
    exec_call_arguments(call, lanes, caller_params, w->exec.frame_param_stride,
                        w->exec.frame_params, w->exec.frame_param_stride);
    return true;
}

bool simt_call(Sm *sm, Warp *w, uint32_t site, LaneMask lanes)
{
    return call_function(sm, w, site, sm->launch->module->calls[site].callee, lanes);
}

// The lanes that have the same pointer as the first of them, which *callee is the function of.
static LaneMask lanes_of_callee(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, uint32_t *callee)
{
    const PtxModule *module = sm->launch->module;
    uint64_t pointers[HD_MAX_LANES];
    memcpy(pointers, exec_operand(&w->exec, op->src[0]), sizeof pointers);
    unsigned first = lanes_first(lanes);
    const PtxFunction *f =
        ptx_function_at(module, pointers[first], module->calls[op->imm].signature);
    if (!f) {
        sm_fault(sm, w, first, "a call through the pointer 0x%llx, where no function with these "
                               "parameters starts", (unsigned long long)pointers[first]);
        return 0;
    }
    *callee = (uint32_t)(f - module->functions);
    LaneMask same = 0;
    for (LaneMask left = lanes; left; left &= left - 1)
        if (pointers[lanes_first(left)] == pointers[first]) same |= left & -left;
    return same;
}

bool simt_call_pointer(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    uint32_t callee;
    LaneMask same = lanes_of_callee(sm, w, op, lanes, &callee);
    if (!same) return false;
    if (same != lanes) {
        uint32_t next = w->pc + 1;
        SimtEntry path = {.pc = w->pc, .reconverge = next, .frame = simt_top(w)->frame};
        sm->count.sm.divergent_branches++;
        simt_split(w, next);
        path.lanes = lanes & ~same;
        if (!simt_push(sm, w, path)) return false;
        path.lanes = same;
        if (!simt_push(sm, w, path)) return false;
        simt_load(w);
    }
    return call_function(sm, w, (uint32_t)op->imm, callee, same);
}

void simt_return(Sm *sm, Warp *w, LaneMask lanes)
{
    uint32_t index = simt_top(w)->frame;
    if (!index) {
        simt_exit(w, lanes);
        return;
    }
    Frame *frame = &w->frames[index];
    const PtxCall *call = &sm->launch->module->calls[frame->call];
    exec_call_results(call, lanes, w->exec.frame_params, w->exec.frame_param_stride,
                      w->frame_params + frame[-1].param_base, w->exec.frame_param_stride);
    frame->returned |= lanes;
    simt_top(w)->pc = w->pc + 1;
    simt_settle(w);
}

void simt_exit(Warp *w, LaneMask lanes)
{
    w->exited |= lanes;
    simt_top(w)->pc = w->pc + 1;
    simt_settle(w);
}
