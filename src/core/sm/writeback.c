// Completion: write-back of results, completed memory accesses, replies from the network.
#include "core/sm/pipeline.h"

#include "core/shadow_sm.h"
#include "core/trace_warp.h"

// ---- waits for memory ----

// Counts a wait for memory of this many cycles, which data of instruction `pc` from `allocation`
// ended.
static void count_memory_wait(SmContext *context, uint32_t pc, uint32_t allocation, WaitEnd end,
                              uint64_t cycles)
{
    if (!cycles) return;
    WaitRow *row = waits_row(&context->count.waited, pc, allocation);
    if (row) row->count.by_end[end] += cycles;
    else sm_out_of_memory(context, "counting waits");
}

// ---- results ----

// The result can end a wait for memory: a call or return waits for loads and other results alike,
// and an access to the line of an atomic in flight is tried again after each result.
void sm_write_back_counted(Sm *sm, Warp *w, const UOpTiming *timing, uint32_t pc)
{
    SmContext *context = &sm->context;
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_written(trace, context, timing);
    bool waits = w->issue.state == WARP_MEMORY;
    uint64_t cycles = context->now - w->issue.since;
    sm_write_results(sm, w, timing);
    sm_commit(sm, w, waits || w->issue.state == WARP_DEPENDENCY);
    if (waits && w->issue.state != WARP_MEMORY)
        count_memory_wait(context, pc, (uint32_t)context->allocations, WAIT_RESULT, cycles);
}

void sm_write_back_injected(Sm *sm, Warp *w, uint32_t row)
{
    const Injected *in = &w->injector->in_flight[row];
    sm_write_back(sm, w, &in->timing, in->pc);
}

// ---- issue groups ----

// The warp's part of a group's result, which it may wait for.
static void write_back_member(Sm *sm, Warp *w, const UOpTiming *timing, uint32_t pc)
{
    SmContext *context = &sm->context;
    bool waits = w->issue.state == WARP_MEMORY;
    uint64_t cycles = context->now - w->issue.since;
    scoreboard_release(w, timing);
    sm_commit(sm, w, waits || w->issue.state == WARP_DEPENDENCY);
    if (waits && w->issue.state != WARP_MEMORY)
        count_memory_wait(context, pc, (uint32_t)context->allocations, WAIT_RESULT, cycles);
}

void sm_write_back_group(Sm *sm, uint32_t index)
{
    SmContext *context = &sm->context;
    GroupInFlight group = sm->groups.items[index]; // the pool may move
    const PtxModule *module = context->launch->module;
    const UOpTiming *timing = &module->functions[group.function].timing[group.index];
    uint32_t pc = context->launch->pc_base[group.function] + group.index;
    groups_free(&sm->groups, index);
    if (timing->write_count) operands_write(&sm->operands, context, group.warps[0], timing);
    for (unsigned i = 0; timing->write_count && i < group.count; i++) {
        SmTrace *trace = trace_of(context, group.warps[i]->id);
        if (trace) trace_written(trace, context, timing);
        write_back_member(sm, group.warps[i], timing, pc);
    }
    if (group.wave) waves_end(&sm->issue, context, group.wave);
}

// ---- memory operations ----

// The operation is no longer in flight for the warp.
static void count_out(const SmContext *context, Warp *w, const MemoryOp *op)
{
    if (w->flags.waits_for_atomics && memory_op_blocks_warp(context, op))
        w->flags.waits_for_atomics = --w->memory.blocking_atomics;
    if (mem_kind_writes(op->kind)) w->memory.stores--;
    else if (mem_kind_atomic(op->kind)) w->memory.atomics--;
    else w->memory.loads--;
}

static void count_done(SmContext *context, const MemoryOp *op)
{
    if (mem_kind_writes(op->kind) || mem_kind_atomic(op->kind)) return;
    bool load = op->kind == MEM_LOAD || op->kind == MEM_LOCAL_LOAD || op->kind == MEM_READONLY;
    if (!load && op->kind != MEM_ENGINE) return;
    uint64_t cycles = context->now - op->issued;
    context->count.pcs[op->pc].latency += cycles;
    if (!load) return; // an engine is no cache: the counters by level are of loads
    context->count.sm.latency[op->level] += cycles;
    context->count.sm.loads[op->level]++;
}

// To mechanisms: what memory_instruction.c has reported as issued, and requests to engines.
static void report_done(Sm *sm, const MemoryOp *op) __attribute__((noinline, cold));
static void report_done(Sm *sm, const MemoryOp *op)
{
    if (op->kind >= MEM_KINDS || op->op->code == UOP_TEX) return; // shared memory, constants
    core_hooks_on_memory_done(sm->hooks, &(HdMemoryDone){
        .cycle = sm->context.now, .issued = op->issued, .pc = op->pc, .warp_slot = op->warp,
        .kind = (uint8_t)memory_op_kind(op), .injected = op->injected});
}

// Writes the old values of an atomic to the registers of a member (0: the owner).
static void write_atomic_results(const MemoryOp *op, unsigned member)
{
    ExecWarp to = memory_op_frame(op, member);
    bool group = memory_op_is_group(op);
    LaneMask places = group ? op->group->item[member].places : op->lanes;
    for (unsigned i = 0; i < op->count; i++)
        for (LaneMask m = op->accesses[i].lanes & places; m; m &= m - 1) {
            unsigned place = lanes_first(m), lane = group ? op->group->own[place] : place;
            exec_atomic_result(op->op, &to, lane, op->atomics[i].b[place]);
        }
}

// The warp's last answer from the operation. writes: the results take an access to their banks.
static inline void end_operation(Sm *sm, Warp *w, const MemoryOp *op, LaneMask lanes, bool writes)
{
    SmContext *context = &sm->context;
    const UOpTiming *timing = op->timing;
    count_out(context, w, op);
    bool waits = w->issue.state == WARP_MEMORY;
    uint64_t cycles = context->now - w->issue.since;
    if (writes && timing->write_count) sm_write_results(sm, w, timing);
    else scoreboard_release(w, timing);
    // Fences, barriers, accesses to an atomic's line, and with core.atomic_wait=warp all
    // instructions may have waited for this, too.
    if (context->work && !op->injected) work_commit(context, w, lanes_count(lanes));
    sm_commit(sm, w, waits || w->issue.state == WARP_DEPENDENCY || w->issue.state == WARP_BARRIER);
    if (!waits || w->issue.state == WARP_MEMORY) return;
    // If the accesses are to several allocations, the wait counts for the first one.
    static const WaitEnd ends[MEM_LEVELS] = {WAIT_L1, WAIT_L2, WAIT_DRAM};
    bool named = op->kind < MEM_KINDS && op->accesses[0].allocation < context->allocations;
    count_memory_wait(context, op->pc,
                      named ? op->accesses[0].allocation : (uint32_t)context->allocations,
                      op->kind == MEMORY_OP_SHARED ? WAIT_SHARED : ends[op->level], cycles);
}

// Returns, by bits, the members of a group that the answer is the last one for, and writes their
// results. Each warp has the last answer for its own lanes; one without lanes, the last of all.
__attribute__((noinline, cold))
static uint32_t answer_members(MemoryOp *op, unsigned access, bool last)
{
    MemoryMembers *group = op->group;
    LaneMask places = op->count ? op->accesses[access].lanes : op->lanes;
    uint32_t answered_all = 0;
    for (unsigned i = 0; i < op->members; i++) {
        MemoryMember *member = &group->item[i];
        if (member->done) continue;
        bool answered = member->places & places;
        if (answered && member->waiting) member->waiting--;
        if (!last && (!answered || member->waiting)) continue;
        member->done = true;
        answered_all |= UINT32_C(1) << i;
        if (op->kind == MEM_ATOMIC) write_atomic_results(op, i);
    }
    return answered_all;
}

// The last answer has come.
static inline void end_last(Sm *sm, const MemoryOp *op, uint32_t index)
{
    count_done(&sm->context, op);
    if (core_hooks_want(sm->hooks, CORE_MEMORY_DONE)) report_done(sm, op);
    if (mem_kind_atomic(op->kind)) memory_op_forget_atomic(&sm->lsu.ops, op);
    memory_op_free(&sm->lsu.ops, index); // it stays as it is until another instruction issues
}

// Warps that go on together have their results in one entry of each bank.
__attribute__((noinline, cold))
static void answer_group(Sm *sm, MemoryOp *op, uint32_t token, MemLevel level, bool last)
{
    uint16_t wave = op->group->wave;
    uint32_t members = answer_members(op, token_access(token), last);
    SmTrace *trace = trace_of_op(&sm->context, op);
    if (trace) trace_answer(trace, &sm->context, op, level);
    if (last) end_last(sm, op, token_op(token));
    for (uint32_t m = members; m; m &= m - 1) {
        const MemoryMember *member = &op->group->item[__builtin_ctz(m)];
        end_operation(sm, member->warp, op, member->lanes, m == members);
    }
    if (last && wave) waves_end(&sm->issue, &sm->context, wave);
}

void sm_answer_any(Sm *sm, MemoryOp *op, uint32_t token, MemLevel level, bool last)
{
    SmContext *context = &sm->context;
    if (memory_op_is_group(op)) {
        answer_group(sm, op, token, level, last);
        return;
    }
    SmTrace *trace = trace_of_op(context, op);
    if (trace) trace_answer(trace, context, op, level);
    if (!last) return;
    end_last(sm, op, token_op(token));
    end_operation(sm, &sm->blocks.warps[op->warp], op, op->lanes, true);
}

// ---- replies ----

__attribute__((noinline, cold))
static void write_engine_results(const MemoryOp *op)
{
    ExecWarp to = memory_op_frame(op, 0);
    exec_engine_result(op->op, &to, op->lanes, &op->engine->request.reply);
}

static const MemoryOp *op_of(const Sm *sm, const MemReply *reply)
{
    return &sm->lsu.ops.items[token_op(reply->token)];
}

void sm_deliver_l15(Sm *sm, uint32_t waiter, MemLevel level)
{
    MemReply reply = l15_take(&sm->l15, waiter, level);
    if (reply.kind == MEM_INSTRUCTION)
        frontend_fill(&sm->frontend, &sm->context, &sm->blocks, &reply);
    else
        lsu_fill(&sm->lsu, &sm->context, &sm->l1d, &reply);
}

// Fills the L1.5, and the first-level caches that wait for it.
__attribute__((noinline, cold))
static void fill_l15(Sm *sm, const MemReply *reply)
{
    unsigned users = l15_fill(&sm->l15, &sm->context, reply);
    for (unsigned i = 0; i < users; i++)
        sm_deliver_l15(sm, sm->l15.controller.tokens[i], (MemLevel)reply->level);
}

void sm_deliver(Sm *sm, const MemReply *reply)
{
    const MemoryOp *op = NULL; // that waits for the reply
    bool fills = true;         // a first-level cache
    if (l15_serves(&sm->l15, reply->kind)) {
        fill_l15(sm, reply);
        return;
    }
    switch (reply->kind) {
    case MEM_INSTRUCTION:
        frontend_fill(&sm->frontend, &sm->context, &sm->blocks, reply);
        return;
    case MEM_STORE:
    case MEM_LOCAL_STORE:
        if (!reply->token) {
            sm->l1d.writebacks_out--;
            return;
        }
        fills = false;
        break;
    case MEM_ATOMIC:
    case MEM_REDUCE:
        op = op_of(sm, reply);
        // Before the last answer, its old values become results.
        if (op->kind == MEM_ATOMIC && op->waiting == 1 && !memory_op_is_group(op))
            write_atomic_results(op, 0);
        fills = false;
        break;
    case MEM_ENGINE:
        write_engine_results(op_of(sm, reply));
        fills = false;
        break;
    case MEM_LOAD:
        op = op_of(sm, reply);
        fills = !reply->direct && !(op->bypass && op->waiting);
        break;
    // The operation of a store that fetches may be another's by now.
    case MEM_LOCAL_LOAD: fills = !reply->direct && sm->l1d.config.mode != CACHE_OFF; break;
    default: break;
    }
    if (fills) {
        lsu_fill(&sm->lsu, &sm->context, &sm->l1d, reply);
        return;
    }
    op = op_of(sm, reply);
    if (reply->direct) l1d_on_direct_reply(&sm->l1d, &sm->context, op, reply);
    if (reply->kind == MEM_LOAD || reply->kind == MEM_LOCAL_LOAD)
        shadow_bypass_reply(&sm->context, op, reply);
    sm_answer(sm, reply->token, (MemLevel)reply->level);
}
