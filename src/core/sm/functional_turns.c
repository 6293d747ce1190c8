// Functional launches: warps compute values without timing, and warm the caches.
//
// Divergence, blocks and barriers work as on the timed SM. Instructions are not fetched or issued
// and have no latency; stores and atomics are visible at once. Warps take turns, so that a spinning
// warp does not block the warps that it waits for. Time does not pass, but %clock advances by one
// with each instruction of the SM.
#include "core/sm/pipeline.h"

#include "core/execute/access.h"
#include "core/execute/its.h"
#include "core/lsu/shape.h"
#include "core/notice.h"
#include "core/sm/repeats.h"
#include "hooks/unit_instructions.h"

#include <string.h>

// Values of an atomic in global memory, lanes in ascending order.
static void compute_atomic(SmContext *sm, Warp *w, const UOp *op, LaneMask lanes,
                           const uint64_t *addresses)
{
    for (LaneMask left = lanes; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t b, c;
        exec_atomic_operands(op, &w->exec, l, &b, &c);
        uint64_t old =
            exec_atomic(op->modifier, op->type, guest_host(sm->guest, addresses[l]), b, c,
                        &sm->atomic_changes);
        if (op->code == UOP_ATOM) exec_atomic_result(op, &w->exec, l, old);
    }
}

// Takes the accesses of an operation through the caches, and frees it.
static void warm_caches(Sm *sm, const MemoryOp *op, uint32_t index, const FunctionalMemory *memory)
{
    for (unsigned i = 0; i < op->count; i++)
        lsu_warm(&sm->lsu, &sm->context, &sm->l1d, op, i, memory);
    memory_op_free(&sm->lsu.ops, index);
}

static bool warm_access(Sm *sm, const Warp *w, const ResolvedAccess *a,
                        const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    uint32_t index;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, a->space, a->lanes, &index);
    if (!r) return false;
    bool ok = shape_access(context, r, a->addresses, a->allocation);
    if (!ok) r->count = 0;
    warm_caches(sm, r, index, memory);
    return ok;
}

static bool run_surface(Sm *sm, Warp *w, const UOp *op, LaneMask lanes,
                        const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    SurfaceAccess access;
    ResolvedAccess inside = {.space = SPACE_GLOBAL};
    if (!surface_resolve(context, w, op, lanes, &access, &inside.allocation))
        return false;
    inside.lanes = access.inside;
    memcpy(inside.addresses, access.address, sizeof inside.addresses);
    if (memory && access.inside && !warm_access(sm, w, &inside, memory)) return false;
    if (op->code == UOP_SULD)
        surface_load(context, w, op, lanes, &access);
    else if (op->code == UOP_SUST)
        exec_global_store_functional(op, &w->exec, access.inside, access.address, context->guest);
    else
        compute_atomic(context, w, op, access.inside, access.address);
    return true;
}

static bool run_texture(Sm *sm, Warp *w, const UOp *op, LaneMask lanes,
                        const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    TextureFetch fetch;
    unsigned allocation;
    uint32_t index;
    if (!texture_resolve(context, w, op, lanes, &fetch, &allocation)) return false;
    exec_texture_read(op, &w->exec, lanes, &fetch, context->guest, context->log);
    if (!memory) return true;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, SPACE_GLOBAL, lanes, &index);
    if (!r) return false;
    shape_texture(context, r, &fetch, allocation);
    warm_caches(sm, r, index, memory);
    return true;
}

static void run_unit(const Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    const SmContext *context = &sm->context;
    const UnitInstruction *item = &context->launch->module->units->items[op->imm];
    HdUnitRequest request = {.lanes = lanes, .pc = warp_pc(w), .instruction = item->number,
                             .sm = (uint16_t)context->id, .warp_slot = w->id};
    HdUnitReply reply = {0};
    sm->units.execute(sm->units.gpu, item->planned, &request, &reply);
    exec_unit_result(op, &w->exec, lanes, &reply);
}

// Executes a memory instruction of the lanes in *lanes, and sets *lanes to the lanes that are done.
// memory NULL: the caches are not warmed.
static bool run_access(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes,
                       const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    if (access_is_move(context, op)) return access_frame_param(context, w, op, *lanes);
    if (op->code == UOP_UNIT) {
        run_unit(sm, w, op, *lanes);
        return true;
    }
    if (op->code == UOP_TEX) return run_texture(sm, w, op, *lanes, memory);
    if (op->class == CLASS_TEXTURE) return run_surface(sm, w, op, *lanes, memory);
    ResolvedAccess a;
    if (!access_resolve(context, w, op, *lanes, &a)) return false;
    *lanes = a.lanes;
    if (memory && a.space != SPACE_SHARED && !warm_access(sm, w, &a, memory)) return false;
    if (a.space != SPACE_GLOBAL) return access_private(context, w, op, &a);
    if (op->code == UOP_LD)
        exec_global_load(op, &w->exec, a.lanes, a.addresses, context->guest, context->log);
    else if (op->code == UOP_ST)
        exec_global_store_functional(op, &w->exec, a.lanes, a.addresses, context->guest);
    else
        compute_atomic(context, w, op, a.lanes, a.addresses);
    return true;
}

// Executes one instruction of a warp. *left: instructions left in its turn. false: a fault.
static bool step(Sm *sm, Warp *w, const FunctionalMemory *memory, uint32_t *left)
{
    SmContext *context = &sm->context;
    uint32_t index = w->pc;
    const UOp *op = &w->ops[index];
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    bool done = false; // its values are there already
    if (w->its && !its_ready(context, w, op, &lanes, &done)) {
        sm_resume(sm, w);
        sm->functional_steps--;
        return !context->failed;
    }
    bool is_memory = op_is_memory(op);
    if (!is_memory) sm_count_instruction(context, w->pc_base + index, lanes);
    --*left;
    if (op->run) {
        w->exec.clock = w->exec.nanoseconds = sm->functional_steps;
        if (context->strict && op->code == UOP_SHFL && !done &&
            !notice_shuffle(context, w, op, &w->exec, lanes, lanes))
            return false;
        if (lanes && !done) (lanes == ~(LaneMask)0 ? op->run_full : op->run)(op, &w->exec, lanes);
        simt_advance(context, w);
        return !context->failed;
    }
    if (is_memory) {
        if (lanes && !run_access(sm, w, op, &lanes, memory)) return false;
        sm_count_instruction(context, w->pc_base + index, lanes);
        simt_advance(context, w);
        return true;
    }
    if (op->code == UOP_NANOSLEEP) { // the others' turn
        *left = 0;
        simt_advance(context, w);
        if (w->its && w->live && !w->at_barrier) its_pause(context, w);
        return true;
    }
    if (op->code == UOP_BAR) { // the last warp to arrive ends its turn as well
        *left = 0;
        w->functional_turns = 0;
    }
    const UOpTiming *timing = &w->timing[index]; // a call changes w->timing
    bool ok = sm_execute_control(sm, w, op, lanes, timing->reconverge);
    // It is the others' turn before it polls again: on a GPU a poll lasts many instructions.
    if (timing->polls && w->pc <= index) *left = 0;
    return ok;
}

static bool watched_step(Sm *sm, Warp *w, const FunctionalMemory *memory, uint32_t *left)
{
    const UOp *op = &w->ops[w->pc];
    LaneMask active = w->exec.active, lanes = exec_guard(op, &w->exec, active);
    bool ok = step(sm, w, memory, left);
    repeats_issue(sm, w, op, lanes, active);
    return ok;
}

// Warms the L1I with the instruction lines of the warp's turn. *line: the last one.
static void warm_instruction(Sm *sm, const Warp *w, const FunctionalMemory *memory, uint64_t *line)
{
    uint32_t pc = w->pc_base + w->pc;
    uint64_t address = frontend_address(&sm->frontend, &sm->context, pc);
    uint64_t now = address / sm->context.config.l1i->line;
    if (now == *line) return;
    *line = now;
    if (!controller_warm_load(&sm->frontend.l1i, address)) return;
    MemRequest request = frontend_request(&sm->frontend, &sm->context, pc);
    if (sm->frontend.l15) l15_warm(sm->frontend.l15, &request, memory);
    else memory->request(memory->memory_side, &request);
}

static bool take_turn(Sm *sm, Warp *w, FunctionalTurns turns, const FunctionalMemory *memory)
{
    enum { FIRST_TURNS = 4 };
    bool first = w->functional_turns < FIRST_TURNS;
    uint32_t left = first ? turns.first : turns.later;
    w->functional_turns += first;
    uint64_t line = UINT64_MAX;
    bool warm_instructions = memory && !sm->context.config.frontend->perfect;
    while (left && w->live && !w->at_barrier) {
        if (warm_instructions) warm_instruction(sm, w, memory, &line);
        sm->functional_steps++;
        if (sm->context.repeats ? !watched_step(sm, w, memory, &left)
                                : !step(sm, w, memory, &left))
            return false;
    }
    if (!w->live || w->at_barrier) warp_classify(&sm->issue, &sm->context, w);
    if (w->live) return true;
    sm_end_warp(sm, w);
    return !sm->context.failed;
}

uint64_t sm_functional_instructions(const Sm *sm)
{
    return sm->functional_steps - sm->functional_begin;
}

bool sm_run_functional(Sm *sm, FunctionalTurns turns, const FunctionalMemory *memory,
                       uint64_t *ran, HdError *err)
{
    sm->context.err = err;
    sm->context.functional = true;
    uint64_t before = sm->functional_steps;
    while (blocks_can_start(&sm->blocks))
        if (!sm_start_block(sm)) return false;
    for (unsigned i = 0; i < sm->blocks.warp_slots; i++) {
        Warp *w = &sm->blocks.warps[i];
        if (w->block->live && w->live && !w->at_barrier && !take_turn(sm, w, turns, memory))
            return false;
    }
    *ran = sm->functional_steps - before;
    sm->context.count.sm.committed += *ran;
    return true;
}
