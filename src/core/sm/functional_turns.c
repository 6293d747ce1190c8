// Functional launches: warps compute values without timing, and warm the caches.
//
// Divergence, blocks and barriers work as on the timed SM. Instructions are not fetched or issued
// and have no latency. Warps take turns, so that a spinning warp does not block the warps that it
// waits for. Time does not pass, but %clock advances by one with each instruction of the SM.
//
// Launches run by rounds, in which an SM sees only its own stores (exec/round_log.h). A warp that
// needs the others ends its part in the round: at an atomic that returns a value, a load of what a
// reduction changes, a fence behind stores, a call of the system, a request to an engine.
#include "core/sm/pipeline.h"

#include "core/execute/access.h"
#include "core/execute/splits.h"
#include "core/lsu/shape.h"
#include "core/notice.h"
#include "core/sm/repeats.h"
#include "exec/round_log.h"
#include "hooks/engine_instructions.h"
#include "memory/warm_batch.h"

#include <string.h>

// A register slot holds integers or floats, and may be read as any type.
typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

// What became of an instruction in its turn.
typedef enum Step {
    STEP_DONE,
    STEP_LATER, // it executes in the next round
    STEP_FAULT
} Step;

// The warp's part in the round ends behind its current instruction.
static void end_part(Sm *sm, Warp *w) { w->turns.round = sm->round; }

// An atomic in global memory.
static bool log_atomic(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const uint64_t *addresses,
                       unsigned allocation)
{
    if (op->code == UOP_ATOM && lanes) end_part(sm, w);
    return round_log_atomic(sm->context.log, op, &w->exec, lanes, addresses, allocation) ||
           sm_out_of_memory(&sm->context, "logging an atomic");
}

static bool log_store(Sm *sm, const Warp *w, const UOp *op, LaneMask lanes,
                      const uint64_t *addresses, unsigned allocation)
{
    return round_log_store(sm->context.log, op, &w->exec, lanes, addresses, allocation) ||
           sm_out_of_memory(&sm->context, "logging a store");
}

// Takes the accesses of an operation through the caches, and frees it.
static void warm_caches(Sm *sm, const MemoryOp *op, uint32_t index, const FunctionalMemory *memory)
{
    lsu_warm(&sm->lsu, &sm->context, &sm->l1d, op, memory);
    memory_op_free(&sm->lsu.ops, index);
}

static bool warm_access(Sm *sm, const Warp *w, const ResolvedAccess *a,
                        const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    const UOp *op = &w->ops[w->pc];
    if (memory->batch && warm_batch_has_l1d(memory->batch) && a->space == SPACE_GLOBAL &&
        shape_in_l1_sectors(context, op)) {
        warm_batch_lanes(memory->batch, a->lanes, a->addresses, ptx_type_bytes(op->type) * op->vec,
                         op->code == UOP_ST ? WARM_STORE : WARM_LOAD);
        return true;
    }
    uint32_t index;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, a->space, a->lanes, &index);
    if (!r) return false;
    bool ok = shape_access(context, r, a->addresses, a->allocation);
    if (!ok) r->count = 0;
    warm_caches(sm, r, index, memory);
    return ok;
}

static Step run_surface(Sm *sm, Warp *w, const UOp *op, LaneMask lanes,
                        const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    SurfaceAccess access;
    ResolvedAccess inside = {.space = SPACE_GLOBAL};
    if (!surface_resolve(context, w, op, lanes, &access, &inside.allocation))
        return STEP_FAULT;
    if (op->code == UOP_SULD &&
        round_log_reduces(context->log, access.inside, access.address, inside.allocation))
        return STEP_LATER;
    inside.lanes = access.inside;
    memcpy(inside.addresses, access.address, sizeof inside.addresses);
    if (memory && access.inside && !warm_access(sm, w, &inside, memory)) return STEP_FAULT;
    bool ok = true;
    if (op->code == UOP_SULD)
        surface_load(context, w, op, lanes, &access);
    else if (op->code == UOP_SUST)
        ok = log_store(sm, w, op, access.inside, access.address, inside.allocation);
    else
        ok = log_atomic(sm, w, op, access.inside, access.address, inside.allocation);
    return ok ? STEP_DONE : STEP_FAULT;
}

static Step run_texture(Sm *sm, Warp *w, const UOp *op, LaneMask lanes,
                        const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    TextureFetch fetch;
    unsigned allocation;
    uint32_t index;
    if (!texture_resolve(context, w, op, lanes, &fetch, &allocation)) return STEP_FAULT;
    exec_texture_read(op, &w->exec, lanes, &fetch, context->guest, context->log);
    if (!memory) return STEP_DONE;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, SPACE_GLOBAL, lanes, &index);
    if (!r) return STEP_FAULT;
    shape_texture(context, r, &fetch, allocation);
    warm_caches(sm, r, index, memory);
    return STEP_DONE;
}

// An access to global memory.
static Step run_global(Sm *sm, Warp *w, const UOp *op, const ResolvedAccess *a,
                       const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    const StoreLog *log = context->log;
    bool loads = op->code == UOP_LD;
    if (loads && round_log_reduces(log, a->lanes, a->addresses, a->allocation)) return STEP_LATER;
    if (memory && !warm_access(sm, w, a, memory)) return STEP_FAULT;
    if (loads) {
        bool direct = round_log_unwritten(log, a->allocation);
        exec_global_load(op, &w->exec, a->lanes, a->addresses, context->guest,
                         direct ? NULL : log);
        return STEP_DONE;
    }
    bool ok = op->code == UOP_ST ? log_store(sm, w, op, a->lanes, a->addresses, a->allocation)
                                 : log_atomic(sm, w, op, a->lanes, a->addresses, a->allocation);
    return ok ? STEP_DONE : STEP_FAULT;
}

// Executes a memory instruction of the lanes in *lanes, and sets *lanes to the lanes that are done.
// memory NULL: the caches are not warmed.
static Step run_access(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes,
                       const FunctionalMemory *memory)
{
    SmContext *context = &sm->context;
    if (access_is_move(context, op))
        return access_frame_param(context, w, op, *lanes) ? STEP_DONE : STEP_FAULT;
    if (op->code == UOP_ENGINE) { // sm_run_engine_requests
        sm->engine_warps[sm->engine_count++] = w->id;
        return STEP_LATER;
    }
    if (op->code == UOP_TEX) return run_texture(sm, w, op, *lanes, memory);
    if (op->class == CLASS_TEXTURE) return run_surface(sm, w, op, *lanes, memory);
    ResolvedAccess a;
    if (!access_resolve(context, w, op, *lanes, &a)) return STEP_FAULT;
    *lanes = a.lanes;
    if (a.space == SPACE_GLOBAL) return run_global(sm, w, op, &a, memory);
    if (memory && a.space != SPACE_SHARED && !warm_access(sm, w, &a, memory)) return STEP_FAULT;
    return access_private(context, w, op, &a) ? STEP_DONE : STEP_FAULT;
}

// A usual load. Fewer than all lanes have no neighbouring addresses as a rule, and what there is to
// check of an address is checked as it is computed. Whatever is not as usual is left to run_access.
static Step run_load(Sm *sm, Warp *w, const UOp *op, LaneMask *active,
                     const FunctionalMemory *memory)
{
    const LaneMask lanes = *active;
    SmContext *context = &sm->context;
    const LongWord *base = exec_operand(&w->exec, op->src[0]);
    void *slot = exec_operand(&w->exec, op->dst[0]);
    const unsigned bytes = ptx_type_bytes(op->type);
    const uint64_t offset = (uint64_t)op->imm;
    ResolvedAccess a;
    uint64_t low = UINT64_MAX, high = 0, any = 0;
    a.lanes = lanes;
    a.space = SPACE_GLOBAL;
    if (lanes == ~(LaneMask)0) {
        exec_addresses(op, &w->exec, a.addresses);
        if (a.addresses[0] - GUEST_CONST_BASE < GUEST_WINDOW_SIZE)
            return run_access(sm, w, op, active, memory);
        return bounds_check(context, w, lanes, a.addresses, bytes, false, &a.allocation)
                   ? run_global(sm, w, op, &a, memory)
                   : STEP_FAULT;
    }
    for (LaneMask left = lanes; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t address = a.addresses[l] = base[l] + offset;
        low = address < low ? address : low;
        high = address > high ? address : high;
        any |= address;
    }
    a.allocation = guest_find(context->guest, low, high - low + bytes,
                              &context->bounds.hint[warp_pc(w)]);
    if (any & (bytes - 1) || a.allocation == GUEST_NO_ALLOCATION)
        return run_access(sm, w, op, active, memory);
    if (!round_log_unwritten(context->log, a.allocation) ||
        round_log_reduces(context->log, lanes, a.addresses, a.allocation))
        return run_global(sm, w, op, &a, memory);
    if (memory && !warm_access(sm, w, &a, memory)) return STEP_FAULT;
    const uintptr_t host = (uintptr_t)context->guest->host - GUEST_GLOBAL_BASE;
    for (LaneMask left = lanes; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        const void *from = (const void *)(host + a.addresses[l]);
        if (bytes == 4) memcpy((Word *)slot + l, from, 4);
        else memcpy((LongWord *)slot + l, from, 8);
    }
    return STEP_DONE;
}

// The instruction at the warp's pc has executed; it moves on.
static void advance(Sm *sm, Warp *w, uint32_t pc, LaneMask lanes)
{
    sm_count_instruction(&sm->context, pc, lanes);
    sm->functional_steps++;
    simt_advance(&sm->context, w);
}

// A turn of a warp.
typedef struct Turn {
    const FunctionalMemory *memory; // NULL: caches are not warmed
    uint32_t left; // instructions
    bool polls;    // it has ended because the warp waits for others
} Turn;

// It is the others' turn before a loop polls again: on a GPU a poll lasts many instructions.
// `index` of `timing` has executed.
static inline void check_poll(const Warp *w, const UOpTiming *timing, uint32_t index, Turn *turn)
{
    if (!timing->polls || w->pc > index) return;
    turn->left = 0;
    turn->polls = true;
}

static inline bool can_run(const Sm *sm, const Warp *w)
{
    return w->flags.live && !w->flags.at_barrier && w->turns.round != sm->round;
}

// A memory instruction. STEP_LATER: the warp's part has ended.
static Step run_memory(Sm *sm, Warp *w, const UOp *op, LaneMask lanes,
                       const FunctionalMemory *memory)
{
    uint32_t pc = warp_pc(w);
    Step outcome = !lanes                 ? STEP_DONE
                   : op->way == WAY_LOAD ? run_load(sm, w, op, &lanes, memory)
                                         : run_access(sm, w, op, &lanes, memory);
    if (outcome == STEP_DONE) advance(sm, w, pc, lanes);
    if (outcome == STEP_LATER) end_part(sm, w);
    return outcome;
}

// Executes instructions that lanes compute alone: at least one, up to another one, to the turn's
// end, to the point where the split reconverges, or to `most`. Returns how many.
static inline uint32_t run_plain(Sm *sm, Warp *w, uint32_t most)
{
    SmTables *count = &sm->context.count;
    const LaneMask active = w->exec.active;
    const unsigned all = lanes_count(active);
    const uint32_t left = w->reconverge - w->pc; // modulo 2^32: it may lie behind the warp
    const UOp *const first = &w->ops[w->pc], *const end = first + (left < most ? left : most);
    PcCounters *counter = &count->pcs[warp_pc(w)];
    const UOp *op = first;
    uint32_t guarded = 0;
    do {
        LaneMask lanes = active;
        counter->issued++;
        if (op->guard == OPERAND_NONE) {
            counter->lanes += all;
        } else {
            lanes = exec_guard(op, &w->exec, active);
            counter->lanes += lanes_count(lanes);
            count->lanes[lanes_count(lanes)]++;
            guarded++;
        }
        if (lanes == ~(LaneMask)0) op->run_full(op, &w->exec, lanes);
        else if (lanes) op->run(op, &w->exec, lanes);
        op++;
        counter++;
    } while (op != end && op->way == WAY_PLAIN);
    uint32_t ran = (uint32_t)(op - first);
    w->pc += ran;
    count->lanes[all] += ran - guarded;
    sm->functional_steps += ran;
    if (w->pc == w->reconverge) simt_reconverge(&sm->context, w);
    return ran;
}

static inline bool run_branch(Sm *sm, Warp *w, const UOp *op, Turn *turn)
{
    SmContext *context = &sm->context;
    uint32_t index = w->pc;
    const UOpTiming *timing = &w->timing[index];
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    sm_count_instruction(context, w->pc_base + index, lanes);
    sm->functional_steps++;
    context->count.sm.branches++;
    if (!simt_branch(context, w, op->target, lanes, timing->reconverge)) return false;
    check_poll(w, timing, index, turn);
    return true;
}

// Executes branches, memory instructions and those that lanes compute alone, up to another one, to
// the turn's end, or to the end of these instructions in a row. false: a fault.
static bool run_usual(Sm *sm, Warp *w, Turn *turn, uint32_t in_row)
{
    for (uint32_t ran = 0; turn->left && in_row; in_row -= ran) {
        const UOp *op = &w->ops[w->pc];
        uint32_t first = w->pc;
        ran = 1;
        if (op->way == WAY_PLAIN) {
            ran = run_plain(sm, w, turn->left < in_row ? turn->left : in_row);
            turn->left -= ran;
        } else if (op->way >= WAY_MEMORY) {
            turn->left--;
            LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
            Step outcome = run_memory(sm, w, op, lanes, turn->memory);
            if (outcome != STEP_DONE) return outcome == STEP_LATER;
        } else if (op->way == WAY_BRANCH) {
            turn->left--;
            if (!run_branch(sm, w, op, turn)) return false;
        } else {
            break;
        }
        if (!can_run(sm, w) || (turn->memory && w->pc != first + ran)) break;
    }
    return true;
}

// Executes an instruction of an SM's control, in these lanes.
static Step run_control(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, Turn *turn)
{
    SmContext *context = &sm->context;
    uint32_t index = w->pc;
    const UOpTiming *timing = &w->timing[index]; // a call changes w->timing
    sm_count_instruction(context, w->pc_base + index, lanes);
    sm->functional_steps++;
    switch (op->code) {
    case UOP_NANOSLEEP: // the others' turn
        turn->left = 0;
        turn->polls = true;
        simt_advance(context, w);
        if (w->splits && w->flags.live && !w->flags.at_barrier) splits_pause(context, w);
        return STEP_DONE;
    case UOP_BAR: // the last warp to arrive ends its turn as well
        turn->left = 0;
        w->turns.count = 0;
        break;
    case UOP_MEMBAR: // its stores are visible to other SMs before what follows
        if (lanes && op->modifier != FENCE_CTA && !store_log_empty(context->log)) end_part(sm, w);
        break;
    case UOP_SYSTEM: // at most one call of each thread is served at a time
        if (lanes) end_part(sm, w);
        break;
    default: break;
    }
    if (!sm_execute_control(sm, w, op, lanes, timing->reconverge)) return STEP_FAULT;
    check_poll(w, timing, index, turn);
    return STEP_DONE;
}

// Executes one instruction of a warp, at the cost of one of the turn's.
static Step step(Sm *sm, Warp *w, Turn *turn)
{
    SmContext *context = &sm->context;
    const UOp *op = &w->ops[w->pc];
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    bool done = false; // its values are there already
    if (w->splits && !splits_ready(context, w, op, &lanes, &done)) {
        sm_resume(sm, w);
        return context->failed ? STEP_FAULT : STEP_DONE;
    }
    if (turn->left) turn->left--;
    if (op->run) {
        w->exec.clock = w->exec.nanoseconds = sm->functional_steps + 1;
        if (context->strict && op->code == UOP_SHFL && !done &&
            !notice_shuffle(context, w, op, &w->exec, lanes, lanes))
            return STEP_FAULT;
        if (lanes && !done) (lanes == ~(LaneMask)0 ? op->run_full : op->run)(op, &w->exec, lanes);
        advance(sm, w, warp_pc(w), lanes);
        return context->failed ? STEP_FAULT : STEP_DONE;
    }
    return op->way >= WAY_MEMORY ? run_memory(sm, w, op, lanes, turn->memory)
                                 : run_control(sm, w, op, lanes, turn);
}

static Step watched_step(Sm *sm, Warp *w, Turn *turn)
{
    const UOp *op = &w->ops[w->pc];
    LaneMask active = w->exec.active, lanes = exec_guard(op, &w->exec, active);
    Step outcome = step(sm, w, turn);
    if (outcome != STEP_LATER) repeats_issue(sm, w, op, lanes, active);
    return outcome;
}

// The instructions of a warp's turn that lie in one line of the L1I.
typedef struct FetchLine {
    uint64_t number; // UINT64_MAX: there is none yet
    uint32_t first, count;
} FetchLine;

// Warms the L1I with the line of the warp's next instruction. Returns how many instructions from
// this one on lie in it.
static uint32_t warm_instruction(Sm *sm, const Warp *w, const FunctionalMemory *memory,
                                 FetchLine *line)
{
    const SmContext *context = &sm->context;
    uint32_t pc = warp_pc(w), size = context->config.frontend->instruction_bytes;
    if (pc - line->first < line->count) return line->first + line->count - pc;
    uint64_t address = frontend_address(&sm->frontend, context, pc);
    uint64_t bytes = context->config.l1i->line, number = address / bytes, offset = address % bytes;
    bool known = number == line->number;
    // The entries of a shared store begin anew: ask for each instruction.
    bool store = address != frontend_address(&sm->frontend, context, 0) + (uint64_t)pc * size;
    *line = (FetchLine){number, store ? pc : pc - (uint32_t)(offset / size),
                        store ? 1 : (uint32_t)(offset / size + divide_up(bytes - offset, size))};
    if (!known && controller_warm_load(&sm->frontend.l1i, address)) {
        MemRequest request = frontend_request(&sm->frontend, context, pc);
        l15_warm(sm->frontend.l15, &request, memory);
    }
    return line->first + line->count - pc;
}

// A round of the SM.
typedef struct Round {
    const FunctionalRound *limits;
    const FunctionalMemory *memory; // NULL: caches are not warmed
    unsigned warps; // in sm->turns: those whose part goes on
    bool progress;  // since it was cleared, a warp has done more than to poll
} Round;

// false: a fault.
static bool take_turn(Sm *sm, Warp *w, Round *round)
{
    enum { FIRST_TURNS = 4 };
    bool first = w->turns.count < FIRST_TURNS;
    Turn turn = {.memory = round->memory,
                 .left = first ? round->limits->first : round->limits->later};
    w->turns.count += first;
    FetchLine line = {.number = UINT64_MAX};
    bool warm = turn.memory && !sm->context.config.frontend->perfect;
    while (turn.left && can_run(sm, w)) {
        uint32_t before = turn.left, in_row = before;
        if (warm) in_row = warm_instruction(sm, w, turn.memory, &line);
        if (!sm->context.repeats && !run_usual(sm, w, &turn, in_row)) return false;
        if (turn.memory && turn.left != before) continue; // perhaps in another line
        if (!turn.left || !can_run(sm, w)) break;
        if ((sm->context.repeats ? watched_step : step)(sm, w, &turn) == STEP_FAULT) return false;
    }
    round->progress |= !turn.polls;
    if (!w->flags.live || w->flags.at_barrier) warp_classify(&sm->issue, &sm->context, w);
    if (w->flags.live) return true;
    sm_end_warp(sm, w);
    return !sm->context.failed;
}

// Runs a turn of each warp in sm->turns, and keeps those there whose part goes on. false: a fault.
static bool sweep(Sm *sm, Round *round)
{
    unsigned kept = 0;
    round->progress = false;
    for (unsigned i = 0; i < round->warps; i++) {
        Warp *w = &sm->blocks.warps[sm->turns[i]];
        if (can_run(sm, w) && !take_turn(sm, w, round)) return false;
        if (w->flags.live && w->turns.round != sm->round) sm->turns[kept++] = w->id;
    }
    round->warps = kept;
    return true;
}

uint64_t sm_functional_instructions(const Sm *sm)
{
    return sm->functional_steps - sm->functional_begin;
}

static bool run_part(Sm *sm, const FunctionalRound *limits, const FunctionalMemory *memory,
                     FunctionalRan *ran, HdError *err)
{
    SmContext *context = &sm->context;
    context->err = err;
    context->functional = true;
    *ran = (FunctionalRan){0};
    sm->round++;
    while (blocks_can_start(&sm->blocks))
        if (!sm_start_block(sm)) return false;
    Round round = {.limits = limits, .memory = memory, .progress = true};
    for (unsigned i = 0; i < sm->blocks.warp_slots; i++)
        if (sm->blocks.warps[i].block->live && sm->blocks.warps[i].flags.live)
            sm->turns[round.warps++] = (uint16_t)i;
    uint64_t begin = sm->functional_steps;
    while (round.progress && ran->turns < limits->turns &&
           ran->instructions < limits->instructions &&
           round_log_lanes(context->log) < limits->lanes) {
        uint64_t before = sm->functional_steps;
        if (!sweep(sm, &round)) return false;
        round.progress &= sm->functional_steps != before;
        ran->turns++;
        ran->instructions = sm->functional_steps - begin;
    }
    context->count.sm.committed += ran->instructions;
    return true;
}

bool sm_run_functional(Sm *sm, const FunctionalRound *limits, const FunctionalMemory *memory,
                       FunctionalRan *ran, HdError *err)
{
    if (!memory || !memory->log) return run_part(sm, limits, memory, ran, err);
    WarmBatch batch;
    Cache *l1d = sm->l1d.controller.cache;
    warm_batch_begin(&batch, memory->log, cache_warms_lines(l1d) ? l1d : NULL);
    FunctionalMemory batched = {.request = warm_batch_request, .receiver = &batch,
                               .log = memory->log, .batch = &batch};
    bool ok = run_part(sm, limits, &batched, ran, err);
    warm_batch_flush(&batch);
    return ok;
}

// ---- the end of a round ----

// The instruction executes now: it has waited at the warp's pc.
static void run_engine_request(Sm *sm, Warp *w)
{
    const SmContext *context = &sm->context;
    const UOp *op = &w->ops[w->pc];
    LaneMask lanes = exec_guard(op, &w->exec, w->exec.active);
    const EngineInstruction *item = &context->launch->module->engines->items[op->imm];
    HdEngineRequest request = {.lanes = lanes, .pc = warp_pc(w), .instruction = item->number,
                               .sm = (uint16_t)context->id, .warp_slot = w->id};
    HdEngineReply reply = {0};
    sm->engines.execute(sm->engines.gpu, item->planned, &request, &reply);
    exec_engine_result(op, &w->exec, lanes, &reply);
    advance(sm, w, warp_pc(w), lanes);
    sm->context.count.sm.committed++;
}

bool sm_end_functional_round(Sm *sm)
{
    bool any = sm->engine_count;
    for (unsigned i = 0; i < sm->engine_count; i++)
        run_engine_request(sm, &sm->blocks.warps[sm->engine_warps[i]]);
    sm->engine_count = 0;
    sm->context.atomic_changes += round_log_clear(sm->context.log);
    return any;
}
