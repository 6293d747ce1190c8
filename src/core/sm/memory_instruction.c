// The issue of a memory instruction: addresses, values, accesses, and its transfer to the
// load/store unit.
#include "core/sm/issue_one.h"

#include "core/shadow_sm.h"
#include "core/execute/access.h"
#include "core/lsu/shape.h"
#include "core/operands/schedule.h"
#include "core/trace_warp.h"

// Stores these lanes' values in the log. false: out of memory.
static bool log_store(SmContext *context, Warp *w, const UOp *op, LaneMask lanes,
                      const uint64_t *addresses)
{
    return exec_global_store(op, &w->exec, lanes, addresses, context->log, context->now) ||
           sm_out_of_memory(context, "logging a store");
}

// The operation is in flight for the warp. usual: as in shape_and_send_as.
ALWAYS_INLINE void book_operation(const Sm *sm, Warp *w, MemoryOp *op, bool usual)
{
    const UOpTiming *timing = op->timing;
    if (usual ? op->kind == MEM_STORE : mem_kind_writes(op->kind))
        w->memory.stores++;
    else if (!usual && mem_kind_atomic(op->kind))
        w->memory.atomics++;
    else
        w->memory.loads++;
    if (!usual && memory_op_blocks_warp(&sm->context, op)) {
        w->memory.blocking_atomics++;
        w->flags.waits_for_atomics = true;
    }
    if (!usual && sm->l1d.hold && memory_op_uses_l1d(op)) {
        op->looked_up = 0;
        w->memory.held++;
    }
    scoreboard_set(w->scoreboard.memory, timing);
    scoreboard_book(w, timing);
}

// Counts the operation, which has its accesses, and sends it to the load/store unit. `w`: its warp,
// or the first of its group. usual: as in shape_and_send_as.
ALWAYS_INLINE IssueOutcome send(Sm *sm, Warp *w, MemoryOp *op, uint32_t index,
                                const FurtherEntries *more, bool usual)
{
    SmContext *context = &sm->context;
    if (usual) shape_count_global(context, op);
    else shape_count(context, op);
    if (!usual && mem_kind_atomic(op->kind) && !memory_op_note_atomic(&sm->lsu.ops, index)) {
        sm_out_of_memory(context, "issuing an atomic");
        return ISSUE_FAILED;
    }
    if (!usual && memory_op_is_group(op))
        for (unsigned i = 0; i < op->members; i++)
            book_operation(sm, op->group->item[i].warp, op, false);
    else
        book_operation(sm, w, op, usual);
    uint64_t ready =
        usual ? operands_schedule_memory_plain(&sm->operands, context, w, op->op, op->timing,
                                               &op->read_at)
              : operands_schedule_memory(&sm->operands, context, w, op->op, op->timing, index,
                                         &op->read_at, more);
    if (wheel_set(&context->wheel, ready, EVENT_LSU_READY, w->id,
                  (EventPayload){.memory = {.op = index}}))
        return ISSUE_DONE;
    sm_out_of_memory(context, "scheduling a memory instruction");
    return ISSUE_FAILED;
}

static void report_issue(Sm *sm, const Warp *w, const MemoryOp *op, const uint64_t *addresses)
    __attribute__((noinline, cold));
static void report_issue(Sm *sm, const Warp *w, const MemoryOp *op, const uint64_t *addresses)
{
    SmContext *context = &sm->context;
    uint64_t local[HD_MAX_LANES];
    if (op->kind >= MEM_KINDS) return; // shared memory, constants
    bool is_local = memory_op_is_local(op);
    for (LaneMask m = is_local ? op->lanes : 0; m; m &= m - 1) {
        unsigned lane = lanes_first(m), own;
        const Warp *of = memory_op_warp(op, lane, &own);
        local[lane] = local_address(context, of, own, local_offset(op, of, addresses[lane]));
    }
    core_hooks_on_memory_issue(sm->hooks, &(HdMemoryInstruction){
        .cycle = context->now, .addresses = is_local ? local : addresses,
        .lanes = op->lanes, .pc = op->pc, .block = memory_op_block(op), .warp_slot = w->id,
        .block_slot = w->block->slot, .warp = (uint16_t)w->exec.warp_in_block,
        .accesses = op->count,
        .allocation = op->count ? op->accesses[0].allocation : HD_NO_ALLOCATION,
        .bytes = (uint8_t)(ptx_type_bytes(op->op->type) * op->op->vec),
        .kind = (uint8_t)memory_op_kind(op), .injected = op->injected,
        .bypasses_l1 = op->bypass || op->kind == MEM_READONLY});
    l1d_schedule_prefetch(&sm->l1d, context);
}

// Gives the operation its accesses, and sends it. usual: of one warp, without mechanisms and trace,
// on a machine that issues as usual; and shape_is_global.
ALWAYS_INLINE IssueOutcome shape_and_send_as(Sm *sm, Warp *w, MemoryOp *op, uint32_t index,
                                             const uint64_t *addresses, unsigned allocation,
                                             const FurtherEntries *more, bool usual)
{
    SmContext *context = &sm->context;
    if (usual) {
        shape_global(context, op, addresses, allocation);
        shadow_issue(context, op);
        return send(sm, w, op, index, more, true);
    }
    if (!shape_access(context, op, addresses, allocation)) return ISSUE_FAILED;
    if (memory_op_is_group(op)) memory_op_count_waiting(op);
    shadow_issue(context, op);
    if (core_hooks_want(sm->hooks, CORE_MEMORY)) report_issue(sm, w, op, addresses);
    SmTrace *trace = trace_of_op(context, op);
    if (trace) trace_access(trace, context, op, addresses);
    return send(sm, w, op, index, more, false);
}

static IssueOutcome shape_and_send(Sm *sm, Warp *w, MemoryOp *op, uint32_t index,
                                   const uint64_t *addresses, unsigned allocation,
                                   const FurtherEntries *more)
{
    return shape_and_send_as(sm, w, op, index, addresses, allocation, more, false);
}

IssueOutcome sm_send_memory(Sm *sm, Warp *w, MemoryOp *op, uint32_t index,
                            const uint64_t *addresses, unsigned allocation,
                            const FurtherEntries *more)
{
    return shape_and_send(sm, w, op, index, addresses, allocation, more);
}

static IssueOutcome issue_texture(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    SmContext *context = &sm->context;
    TextureFetch fetch;
    unsigned allocation;
    uint32_t index;
    if (!texture_resolve(context, w, op, lanes, &fetch, &allocation)) return ISSUE_FAILED;
    exec_texture_read(op, &w->exec, lanes, &fetch, context->guest, context->log);
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, SPACE_GLOBAL, lanes, &index);
    if (!r) return ISSUE_FAILED;
    shape_texture(context, r, &fetch, allocation);
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_texture(trace, context, r, &fetch);
    return send(sm, w, r, index, NULL, false);
}

// Loads follow the path of texture fetches; stores and reductions follow the path of other memory
// instructions. The slice computes the values of reductions.
static IssueOutcome issue_surface(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    SmContext *context = &sm->context;
    SurfaceAccess access;
    unsigned allocation;
    uint32_t index;
    if (!surface_resolve(context, w, op, lanes, &access, &allocation)) return ISSUE_FAILED;
    if (lsu_has_atomic(&sm->lsu, w, access.inside, access.address)) return ISSUE_BLOCKED;
    if (op->code == UOP_SULD)
        surface_load(context, w, op, lanes, &access);
    else if (op->code == UOP_SUST && !log_store(context, w, op, access.inside, access.address))
        return ISSUE_FAILED;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, SPACE_GLOBAL, access.inside, &index);
    if (!r) return ISSUE_FAILED;
    if (access.inside)
        return shape_and_send(sm, w, r, index, access.address, allocation, NULL);
    shape_nothing(r);
    return send(sm, w, r, index, NULL, false);
}

// Slices take turns: the engine of any slice may answer.
static IssueOutcome issue_engine(Sm *sm, Warp *w, LaneMask lanes)
{
    SmContext *context = &sm->context;
    uint32_t index;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, SPACE_GLOBAL, lanes, &index);
    if (!r || !shape_engine(context, w, r, sm->engine_turn)) return ISSUE_FAILED;
    sm->engine_turn = (sm->engine_turn + 1) % sm->port.map.slices;
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_engine(trace, r);
    return send(sm, w, r, index, NULL, false);
}

static inline bool access_values(Sm *sm, Warp *w, const UOp *op, const ResolvedAccess *access)
{
    SmContext *context = &sm->context;
    if (access->space != SPACE_GLOBAL) return access_private(context, w, op, access);
    if (op->code == UOP_LD)
        exec_global_load(op, &w->exec, access->lanes, access->addresses, context->guest,
                         context->log);
    else if (op->code == UOP_ST) // the slice computes the values of atomics
        return log_store(context, w, op, access->lanes, access->addresses);
    return true;
}

bool sm_access_values(Sm *sm, Warp *w, const UOp *op, const ResolvedAccess *access)
{
    return access_values(sm, w, op, access);
}

// Issues an access of the lanes in *lanes, as sm_issue_memory. usual: on a machine that issues as
// usual.
ALWAYS_INLINE IssueOutcome issue_access(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes, bool usual)
{
    SmContext *context = &sm->context;
    ResolvedAccess access;
    uint32_t index;
    if (!access_resolve(context, w, op, *lanes, &access)) return ISSUE_FAILED;
    *lanes = access.lanes;
    if (access.space == SPACE_GLOBAL &&
        lsu_has_atomic(&sm->lsu, w, access.lanes, access.addresses))
        return ISSUE_BLOCKED;
    if (!access_values(sm, w, op, &access)) return ISSUE_FAILED;
    MemoryOp *r = memory_op_new(&sm->lsu.ops, context, w, access.space, access.lanes, &index);
    if (!r) return ISSUE_FAILED;
    if (usual && !sm->hooks && shape_is_global(context, op, access.allocation))
        return shape_and_send_as(sm, w, r, index, access.addresses, access.allocation, NULL, true);
    return shape_and_send(sm, w, r, index, access.addresses, access.allocation, NULL);
}

IssueOutcome sm_issue_memory(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes)
{
    if (op->class == CLASS_TEXTURE)
        return op->code == UOP_TEX ? issue_texture(sm, w, op, *lanes)
                                   : issue_surface(sm, w, op, *lanes);
    if (op->code == UOP_ENGINE) return issue_engine(sm, w, *lanes);
    return issue_access(sm, w, op, lanes, false);
}

IssueOutcome sm_issue_access(Sm *sm, Warp *w, const UOp *op)
{
    SmContext *context = &sm->context;
    LaneMask active = w->exec.active, lanes = exec_guard(op, &w->exec, active);
    if (!lanes || op->class == CLASS_TEXTURE || op->code == UOP_ENGINE ||
        access_is_move(context, op))
        return sm_issue(sm, w);
    const UOpTiming *timing = &w->timing[w->pc];
    uint32_t pc = warp_pc(w);
    warp_count_wait(context, w, pc);
    w->flags.drains = false;
    IssueOutcome outcome = issue_access(sm, w, op, &lanes, true);
    if (outcome != ISSUE_DONE) {
        if (outcome == ISSUE_BLOCKED) warp_wait_for_atomic(&sm->issue, context, w);
        return outcome;
    }
    simt_advance(context, w);
    return finish_issue(sm, w, op, timing, pc, lanes, active, 0, true);
}
