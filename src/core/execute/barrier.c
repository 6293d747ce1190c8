// Barriers: arrival, and the result of bar.red.
#include "core/execute/barrier.h"

#include "core/execute/splits.h"

// The result of bar.red: the number of threads that voted true, or whether all or any did.
static void write_result(const UOp *op, ExecWarp *x, LaneMask lanes, const Barrier *barrier)
{
    if (op->modifier < BAR_RED_POPC) return;
    if (op->modifier == BAR_RED_POPC) {
        uint32_t *count = exec_operand(x, op->dst[0]);
        for (LaneMask m = lanes; m; m &= m - 1) count[lanes_first(m)] = barrier->votes_true;
        return;
    }
    bool all = barrier->votes_true == barrier->votes_counted, any = barrier->votes_true != 0;
    LaneMask *to = &x->predicates[op->dst[0]];
    *to = (op->modifier == BAR_RED_AND ? all : any) ? *to | lanes : *to & ~lanes;
}

bool barrier_pass(Warp *w, unsigned number)
{
    if (!w->flags.at_barrier || w->barrier.number != number) return false;
    write_result(&w->ops[w->barrier.pc], &w->exec, w->barrier.lanes, &w->block->barriers[number]);
    return true;
}

bool barrier_pass_splits(SmContext *context, Warp *w, unsigned number)
{
    for (uint32_t i = 0; i < w->splits->count; i++) {
        const WarpSplit *split = &w->splits->split[i];
        if (split->state != SPLIT_BARRIER || split->barrier != number) continue;
        ExecWarp x = splits_values(w, split);
        write_result(splits_waiting_op(w, split), &x, split->lanes, &w->block->barriers[number]);
    }
    return splits_pass_barrier(context, w, number);
}

bool barrier_arrive(SmContext *context, Warp *w, const UOp *op, LaneMask lanes)
{
    unsigned first = lanes_first(lanes);
    uint32_t number = ((const uint32_t *)exec_operand(&w->exec, op->src[0]))[first];
    if (number >= BLOCK_BARRIERS)
        return sm_fault(context, w, first, "barrier %u does not exist (0..%d)", number,
                        BLOCK_BARRIERS - 1);
    Barrier *barrier = &w->block->barriers[number];
    if (op->src[1] != OPERAND_NONE) {
        uint32_t threads = ((const uint32_t *)exec_operand(&w->exec, op->src[1]))[first];
        if (threads % context->config.core->width)
            return sm_fault(context, w, first,
                            "barrier %u: expected a multiple of %u threads, found %u", number,
                            context->config.core->width, threads);
        barrier->expected = w->splits ? threads : threads / context->config.core->width;
    }
    if (op->src[2] != OPERAND_NONE) {
        LaneMask votes = exec_predicate(&w->exec, op->src[2]);
        if (op->flags & UF_NEGATE_C) votes = ~votes;
        barrier->votes_true += lanes_count(votes & lanes);
        barrier->votes_counted += lanes_count(lanes);
    }
    barrier->arrived += w->splits ? lanes_count(lanes) : 1;
    if (op->modifier != BAR_ARRIVE && w->splits) {
        splits_wait(w, SPLIT_BARRIER);
        w->splits->split[w->splits->current].barrier = number;
    } else if (op->modifier != BAR_ARRIVE) {
        w->flags.at_barrier = true;
        w->barrier.number = number;
        w->barrier.pc = (uint32_t)(op - w->ops);
        w->barrier.lanes = lanes;
        context->warp_changes++;
    }
    return true;
}
