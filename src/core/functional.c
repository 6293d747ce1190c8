// Warps without time: what a launch computes, and what it leaves in the caches.
//
// The paths of warps, blocks and barriers are those of the timed SM; instructions are not fetched
// or issued, have no latency, and memory shows stores and atomics at once. Warps take turns, so
// that one that spins lets those it waits for come to their end. Time stands still, but %clock goes
// on by one with each instruction of the SM.
#include "core/its.h"
#include "core/sm_internal.h"
#include "core/surface.h"

// Values of an atomic in global memory, lanes in ascending order.
static void atomic_now(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const uint64_t *addresses)
{
    for (LaneMask left = lanes; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t b, c;
        exec_atomic_operands(op, &w->exec, l, &b, &c);
        uint64_t old =
            exec_atomic(op->modifier, op->type, guest_host(sm->guest, addresses[l]), b, c);
        if (op->code == UOP_ATOM) exec_atomic_result(op, &w->exec, l, old);
    }
}

static bool touch_caches(Sm *sm, Warp *w, const UOp *op, PtxSpace space, LaneMask lanes,
                         const uint64_t *addresses, unsigned array, const FunctionalMemory *touch)
{
    uint32_t index;
    AccessRecord *r = record_new(sm, &index);
    if (!r) return false;
    r->op = op;
    r->pc = w->pc_base + w->pc;
    r->warp = w->id;
    r->space = (uint8_t)space;
    r->lanes = lanes;
    bool ok = access_shape(sm, w, op, r, addresses, array);
    for (unsigned i = 0; ok && i < r->count; i++) lsu_touch(sm, r, i, touch);
    record_free(sm, index);
    return ok;
}

// An access of a surface: its address is known, and those outside do none.
static bool surface_now(Sm *sm, Warp *w, const UOp *op, LaneMask lanes,
                        const FunctionalMemory *touch)
{
    SurfaceAccess access;
    unsigned array;
    if (!surface_plan(sm, w, op, lanes, &access, &array)) return false;
    if (touch && access.inside &&
        !touch_caches(sm, w, op, SPACE_GLOBAL, access.inside, access.address, array, touch))
        return false;
    if (op->code == UOP_SULD)
        surface_load(sm, w, op, lanes, &access);
    else if (op->code == UOP_SUST)
        exec_global_store_functional(op, &w->exec, access.inside, access.address, sm->guest);
    else
        atomic_now(sm, w, op, access.inside, access.address);
    return true;
}

// *all: the lanes inside of the guard; behind it, those that have done it.
static bool access_now(Sm *sm, Warp *w, const UOp *op, LaneMask *all, const FunctionalMemory *touch)
{
    LaneMask lanes = *all;
    if (op->space == SPACE_FRAME_PARAM) return access_frame_param(sm, w, op, lanes);
    if (op->code == UOP_TEX) return texture_now(sm, w, op, lanes, touch);
    if (op->class == CLASS_TEXTURE) return surface_now(sm, w, op, lanes, touch);
    uint64_t addresses[HD_MAX_LANES];
    PtxSpace space;
    unsigned array;
    if (!access_resolve(sm, w, op, all, addresses, &space, &array)) return false;
    lanes = *all;
    if (touch && space != SPACE_SHARED &&
        !touch_caches(sm, w, op, space, lanes, addresses, array, touch))
        return false;
    if (space != SPACE_GLOBAL) return access_private(sm, w, op, space, lanes, addresses);
    if (op->code == UOP_LD)
        exec_global_load(op, &w->exec, lanes, addresses, sm->guest, sm->log);
    else if (op->code == UOP_ST)
        exec_global_store_functional(op, &w->exec, lanes, addresses, sm->guest);
    else
        atomic_now(sm, w, op, lanes, addresses);
    return true;
}

// One instruction of a warp; *left: of its turn. false: a fault.
static bool step(Sm *sm, Warp *w, const FunctionalMemory *touch, uint32_t *left)
{
    uint32_t index = w->pc;
    const UOp *op = &w->ops[index];
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    bool done = false; // its values are there already
    if (w->its && !its_ready(sm, w, op, &lanes, &done)) {
        sm->steps--;
        return !sm->failed;
    }
    bool memory = execute_is_memory(op);
    if (!memory) execute_count(sm, w->pc_base + index, lanes);
    --*left;
    if (op->run) {
        w->exec.clock = w->exec.nanoseconds = sm->steps;
        if (lanes && !done) (lanes == ~(LaneMask)0 ? op->run_full : op->run)(op, &w->exec, lanes);
        simt_advance(sm, w);
        return true;
    }
    if (memory) {
        if (lanes && !access_now(sm, w, op, &lanes, touch)) return false;
        execute_count(sm, w->pc_base + index, lanes);
        simt_advance(sm, w);
        return true;
    }
    if (op->code == UOP_NANOSLEEP) { // the others' turn
        *left = 0;
        simt_advance(sm, w);
        if (w->its && w->live && !w->at_barrier) its_rest(sm, w);
        return true;
    }
    if (op->code == UOP_BAR) { // the last to come ends its turn as well
        *left = 0;
        w->turns = 0;
    }
    return execute_control(sm, w, op, lanes, w->timing[index].reconverge);
}

// Instruction lines that the warp's turn meets, where they change.
static void touch_instruction(Sm *sm, const Warp *w, const FunctionalMemory *touch, uint64_t *line)
{
    uint64_t address = frontend_address(sm, w->pc_base + w->pc), now = address / sm->l1i.line;
    if (now == *line) return;
    *line = now;
    if (!cache_touch(sm->l1i.cache, &(CacheAccess){.address = address}).fetch) return;
    MemRequest request = frontend_request(sm, w->pc_base + w->pc);
    touch->request(touch->memory_side, &request);
}

static bool take_turn(Sm *sm, Warp *w, FunctionalTurns turns, const FunctionalMemory *touch)
{
    enum { FIRST_TURNS = 4 };
    bool first = w->turns < FIRST_TURNS;
    uint32_t left = first ? turns.first : turns.later;
    w->turns += first;
    uint64_t line = UINT64_MAX;
    bool touch_instructions = touch && !sm->config.frontend->perfect;
    while (left && w->live && !w->at_barrier) {
        if (touch_instructions) touch_instruction(sm, w, touch, &line);
        sm->steps++;
        if (!step(sm, w, touch, &left)) return false;
    }
    if (!w->live || w->at_barrier) warp_classify(sm, w);
    if (w->live) return true;
    execute_end(sm, w);
    return !sm->failed;
}

bool sm_run_functional(Sm *sm, FunctionalTurns turns, const FunctionalMemory *touch, uint64_t *ran,
                       HdError *err)
{
    sm->err = err;
    sm->functional = true;
    uint64_t before = sm->steps;
    while (sm->queued_count && sm->blocks_live < sm->block_limit)
        if (!sm_start_block(sm)) return false;
    for (unsigned i = 0; i < sm->warp_places; i++) {
        Warp *w = &sm->warps[i];
        if (sm->blocks[w->block].live && w->live && !w->at_barrier &&
            !take_turn(sm, w, turns, touch))
            return false;
    }
    *ran = sm->steps - before;
    sm->count.sm.committed += *ran;
    return true;
}
