// Divergence: the stack of a warp, which reconverges at immediate post-dominators.
//
// Each entry is a warp split: lanes, their instruction, and the one at which they merge with the
// entry below. A divergent branch turns the entry into one that waits at the reconvergence point,
// and pushes one entry per target. The split of the highest lane is lowest, so the others run
// first. Lanes that return or exit are removed from the entries below when those become the top.
//
// A warp with independent threads has no stack; splits.c implements its divergence.
#include "core/execute/splits.h"

#include "base/memory.h"

static SimtEntry *simt_top(Warp *w) { return &w->stack.entries[w->stack.depth - 1]; }

void simt_enter(Warp *w, uint32_t index)
{
    const Frame *frame = &w->calls.frames[index];
    const PtxFunction *f = frame->function;
    w->calls.frame = index;
    w->ops = f->ops;
    w->op_count = f->op_count;
    w->timing = f->timing;
    w->pc_base = frame->pc_base;
    ExecWarp *x = &w->exec;
    x->base[0] = w->values.slots + (size_t)frame->slot_base * SLOT_BYTES;
    x->base[1] = (uint8_t *)f->constants;
    x->predicates = w->values.predicates + frame->predicate_base;
    x->frame_params = w->values.frame_params + frame->param_base;
    x->frame_param_bytes = f->frame_param_bytes;
    x->local_base = frame->local_base;
}

// Makes the entry on top the warp's current split.
static void simt_load(Warp *w)
{
    SimtEntry *top = simt_top(w);
    simt_enter(w, top->frame);
    w->pc = top->pc;
    w->reconverge = top->reconverge;
    w->exec.active = top->lanes;
}

// Pops entries that have no lanes left or are at their own reconvergence point, and closes the
// frames that they leave, until one can run or the warp has exited.
static void simt_settle(SmContext *context, Warp *w)
{
    while (w->stack.depth) {
        SimtEntry *top = simt_top(w);
        top->lanes &= ~(w->stack.exited | w->calls.frames[top->frame].returned);
        context->count.sm.reconvergences += top->reconverges && top->lanes;
        top->reconverges = false;
        if (top->lanes && top->pc != top->reconverge) {
            simt_load(w);
            return;
        }
        w->stack.depth--;
    }
    w->flags.live = false;
    w->exec.active = 0;
}

static bool simt_push(SmContext *context, Warp *w, SimtEntry entry)
{
    if (w->stack.depth == w->stack.capacity) {
        size_t capacity = w->stack.capacity;
        if (!hd_reserve(&w->stack.entries, w->stack.depth, &capacity, sizeof *w->stack.entries))
            return sm_out_of_memory(context, "deepening a divergence stack");
        w->stack.capacity = (uint32_t)capacity;
    }
    w->stack.entries[w->stack.depth++] = entry;
    return true;
}

void simt_frame(const SmContext *context, Frame *frame, const Frame *caller, uint32_t function)
{
    const SmLaunch *launch = context->launch;
    const PtxFunction *f = &launch->module->functions[function];
    *frame = (Frame){.function = f, .function_index = function,
                     .pc_base = launch->pc_base[function]};
    if (!caller) return;
    frame->slot_base = caller->slot_base + caller->function->frame_slots;
    frame->predicate_base = caller->predicate_base + caller->function->frame_predicates;
    frame->param_base = caller->param_base + caller->function->frame_param_bytes;
    frame->local_base = caller->local_base + caller->function->local_bytes;
}

bool simt_start(SmContext *context, Warp *w, LaneMask lanes)
{
    uint32_t kernel = (uint32_t)(context->launch->kernel - context->launch->module->functions);
    w->stack.exited = 0;
    w->flags.live = true;
    if (w->splits) {
        splits_start(context, w, kernel, lanes);
        return true;
    }
    if (!w->stack.entries) {
        enum { FIRST_DEPTH = 64 };
        w->stack.entries = hd_new(FIRST_DEPTH, sizeof *w->stack.entries);
        if (!w->stack.entries) return sm_out_of_memory(context, "starting a warp");
        w->stack.capacity = FIRST_DEPTH;
    }
    simt_frame(context, &w->calls.frames[0], NULL, kernel);
    w->stack.depth = 1;
    w->stack.entries[0] = (SimtEntry){.pc = 0, .reconverge = RECONVERGE_EXIT, .lanes = lanes};
    simt_load(w);
    return true;
}

void simt_reconverge(SmContext *context, Warp *w)
{
    if (w->splits) {
        splits_reconverge(context, w);
        return;
    }
    simt_top(w)->pc = w->pc;
    simt_settle(context, w);
}

// The entry on top waits at `reconverge` from now on. If it was going there anyway (a loop's back
// edge), it is popped, so that loops do not deepen the stack: returns true.
static bool simt_split(Warp *w, uint32_t reconverge)
{
    SimtEntry *top = simt_top(w);
    if (top->reconverge == reconverge) {
        w->stack.depth--;
        return true;
    }
    top->pc = reconverge;
    top->reconverges = true;
    return false;
}

bool simt_branch(SmContext *context, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge)
{
    if (w->splits) return splits_branch(context, w, target, taken, reconverge);
    LaneMask lanes = w->exec.active, other = lanes & ~taken;
    SimtEntry *top = simt_top(w);
    // A branch to the next instruction divides no lanes.
    if (!taken || !other || target == w->pc + 1) {
        w->pc = taken ? target : w->pc + 1;
        top->pc = w->pc;
        if (w->pc == w->reconverge) simt_settle(context, w);
        return true;
    }
    context->count.sm.divergent_branches++;
    SimtEntry entry = {.reconverge = reconverge, .frame = top->frame};
    uint32_t next = w->pc + 1;
    simt_split(w, reconverge);
    // The split that is pushed below runs last.
    bool taken_below = taken > other && context->config.core->first_side == FIRST_LOW_LANES;
    for (int i = 0; i < 2; i++) {
        bool is_taken = (i == 0) == taken_below;
        entry.lanes = is_taken ? taken : other;
        entry.pc = is_taken ? target : next;
        if (entry.pc != reconverge && !simt_push(context, w, entry)) return false;
    }
    simt_settle(context, w);
    return true;
}

bool simt_branch_indexed(SmContext *context, Warp *w, const uint32_t targets[HD_MAX_LANES],
                         LaneMask lanes, uint32_t reconverge)
{
    LaneGroup groups[HD_MAX_LANES];
    LaneMask left = w->exec.active, guarded_out = left & ~lanes;
    uint32_t next = w->pc + 1;
    unsigned count = 0;
    while (left) { // the group of the highest lane first
        unsigned highest = log2_floor(left);
        LaneGroup group = {.pc = guarded_out >> highest & 1 ? next : targets[highest]};
        for (LaneMask m = left; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            uint32_t to = guarded_out >> l & 1 ? next : targets[l];
            if (to == group.pc) group.lanes |= (LaneMask)1 << l;
        }
        left &= ~group.lanes;
        groups[count++] = group;
    }
    if (count == 1) return simt_branch(context, w, groups[0].pc, w->exec.active, reconverge);
    context->count.sm.divergent_branches++;
    if (w->splits) return splits_branch_to(context, w, groups, count, reconverge);
    SimtEntry entry = {.reconverge = reconverge, .frame = simt_top(w)->frame};
    simt_split(w, reconverge);
    for (unsigned i = 0; i < count; i++) {
        entry.pc = groups[i].pc;
        entry.lanes = groups[i].lanes;
        if (entry.pc != reconverge && !simt_push(context, w, entry)) return false;
    }
    simt_settle(context, w);
    return true;
}

bool simt_too_deep(SmContext *context, const Warp *w, LaneMask lanes)
{
    sm_fault_as(context, GPU_FAULT_STACK, NO_FAULT_ADDRESS);
    bool settable = w->calls.capacity == context->config.core->call_depth;
    return sm_fault(context, w, lanes_first(lanes),
                    "the call depth exceeds %u (%s); is the recursion unbounded?",
                    w->calls.capacity - 1,
                    settable ? "core.call_depth" : "a thread has 16 MiB of local memory at most");
}

uint64_t simt_bytes_to_end(const SmContext *context, const Frame *frame)
{
    const PtxFunction *f = frame->function;
    uint64_t stack = context->launch->kernel->allocates ? EXEC_STACK_ROOM : 0;
    uint64_t thread = frame->local_base + f->local_bytes + stack + frame->param_base +
                      f->frame_param_bytes;
    return thread * context->config.core->width +
           ((uint64_t)frame->slot_base + f->frame_slots) * SLOT_BYTES +
           ((uint64_t)frame->predicate_base + f->frame_predicates) * sizeof(LaneMask);
}

bool simt_count_frames(SmContext *context, const Warp *w, uint64_t bytes, LaneMask lanes)
{
    context->frame_bytes += bytes;
    if (context->frame_bytes <= context->frame_limit) return true;
    sm_fault_as(context, GPU_FAULT_STACK, NO_FAULT_ADDRESS);
    return sm_fault(context, w, lanes_first(lanes),
                    "the calls of all threads on SM %u take %llu bytes: expected at most %llu, its "
                    "part of %s%s", context->id, (unsigned long long)context->frame_bytes,
                    (unsigned long long)context->frame_limit,
                    context->frame_limit < context->launch->frame_limit
                        ? "the memory that this host has left, or that --max-memory allows"
                        : "memory.capacity",
                    context->launch->kernel->max_call_depth ? "" : "; is the recursion unbounded?");
}

bool simt_take_frame(SmContext *context, Warp *w, const Frame *frame, LaneMask lanes)
{
    if (context->launch->kernel->max_call_depth) return true; // checked before the launch
    uint64_t bytes = simt_bytes_to_end(context, frame), before = w->calls.bytes;
    if (bytes <= before) return true;
    w->calls.bytes = bytes;
    return simt_count_frames(context, w, bytes - before, lanes);
}

static bool call_function(SmContext *context, Warp *w, uint32_t site, uint32_t callee,
                          LaneMask lanes)
{
    if (w->splits) return splits_call(context, w, site, callee, lanes);
    const PtxCall *call = &context->launch->module->calls[site];
    SimtEntry *top = simt_top(w);
    uint32_t index = top->frame + 1;
    if (index >= w->calls.capacity) return simt_too_deep(context, w, lanes);
    top->pc = w->pc + 1;
    simt_frame(context, &w->calls.frames[index], &w->calls.frames[top->frame], callee);
    if (!simt_take_frame(context, w, &w->calls.frames[index], lanes)) return false;
    w->calls.frames[index].call = site;
    SimtEntry entry = {.pc = 0, .reconverge = RECONVERGE_EXIT, .lanes = lanes, .frame = index};
    if (!simt_push(context, w, entry)) return false;
    uint8_t *caller_params = w->exec.frame_params;
    simt_load(w);
    exec_call_arguments(call, lanes, caller_params, w->exec.frame_param_stride,
                        w->exec.frame_params, w->exec.frame_param_stride);
    if (call->variable.bytes)
        exec_call_variable(call, lanes, caller_params, w->exec.frame_param_stride, &w->exec);
    return true;
}

bool simt_call(SmContext *context, Warp *w, uint32_t site, LaneMask lanes)
{
    return call_function(context, w, site, context->launch->module->calls[site].callee, lanes);
}

bool simt_separate(SmContext *context, Warp *w, LaneMask lanes, LaneMask same)
{
    context->count.sm.divergent_branches++;
    if (w->splits) return splits_separate(context, w, lanes, same);
    uint32_t next = w->pc + 1;
    SimtEntry entry = {.pc = w->pc, .reconverge = next, .frame = simt_top(w)->frame};
    simt_split(w, next);
    entry.lanes = lanes & ~same;
    if (!simt_push(context, w, entry)) return false;
    entry.lanes = same;
    if (!simt_push(context, w, entry)) return false;
    simt_load(w);
    return true;
}

bool simt_call_pointer(SmContext *context, Warp *w, const UOp *op, LaneMask lanes)
{
    const PtxModule *module = context->launch->module;
    const uint64_t *pointers = exec_operand(&w->exec, op->src[0]);
    unsigned first = lanes_first(lanes);
    const PtxFunction *f =
        ptx_function_at(module, pointers[first], module->calls[op->imm].signature);
    if (!f)
        return sm_fault(context, w, first,
                        "a call through the pointer 0x%llx, where no function with these "
                        "parameters starts",
                        (unsigned long long)pointers[first]);
    LaneMask same = 0;
    for (LaneMask left = lanes; left; left &= left - 1)
        if (pointers[lanes_first(left)] == pointers[first]) same |= left & -left;
    if (same != lanes && !simt_separate(context, w, lanes, same)) return false;
    return call_function(context, w, (uint32_t)op->imm, (uint32_t)(f - module->functions), same);
}

void simt_return(SmContext *context, Warp *w, LaneMask lanes)
{
    uint32_t index = w->calls.frame;
    if (!index) {
        simt_exit(context, w, lanes);
        return;
    }
    if (w->splits) {
        splits_return(context, w, lanes);
        return;
    }
    Frame *frame = &w->calls.frames[index];
    const PtxCall *call = &context->launch->module->calls[frame->call];
    exec_call_results(call, lanes, w->exec.frame_params, w->exec.frame_param_stride,
                      w->values.frame_params + frame[-1].param_base, w->exec.frame_param_stride);
    frame->returned |= lanes;
    simt_top(w)->pc = w->pc + 1;
    simt_settle(context, w);
}

void simt_exit(SmContext *context, Warp *w, LaneMask lanes)
{
    w->stack.exited |= lanes;
    if (w->splits) {
        splits_exit(context, w, lanes);
        return;
    }
    simt_top(w)->pc = w->pc + 1;
    simt_settle(context, w);
}

uint32_t simt_split_count(const Warp *w) { return w->splits ? splits_count(w) : w->stack.depth; }
