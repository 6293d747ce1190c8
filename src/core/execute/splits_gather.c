// Independent threads: an instruction with a sync mask waits until all lanes of the mask have
// arrived, from any split.
//
// Lanes synchronise if they are at an instruction of the same kind with the same mask, as the PTX
// ISA requires. Exited lanes are not waited for. Lanes at the same instruction continue as one
// split. Otherwise the values are exchanged when the last lane arrives, and each split issues its
// own instruction.
#include "core/execute/splits.h"

#include "core/notice.h"

#include <stdio.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

static bool same_kind(const UOp *a, const UOp *b)
{
    return a->code == b->code && a->modifier == b->modifier && a->type == b->type;
}

LaneMask splits_missing_lanes(const Warp *w, const WarpSplit *split)
{
    const WarpSplits *splits = w->splits;
    LaneMask missing = split->mask & splits->started & ~(w->stack.exited | split->lanes);
    const UOp *op = splits_waiting_op(w, split);
    for (uint32_t i = 0; i < splits->count; i++) {
        const WarpSplit *other = &splits->split[i];
        if (other->state == SPLIT_SYNC && other->mask == split->mask &&
            same_kind(splits_waiting_op(w, other), op))
            missing &= ~other->lanes;
    }
    return missing;
}

void splits_check_masks(Warp *w)
{
    WarpSplits *splits = w->splits;
    // One of the waiting members is enough: it finds the others when it issues.
    for (uint32_t i = 0; i < splits->count; i++)
        if (splits->split[i].state == SPLIT_SYNC && !splits_missing_lanes(w, &splits->split[i]))
            splits->split[i].state = SPLIT_READY;
}

// ---- values of lanes that are at different instructions ----

// The kind of each operand of an instruction whose operands are gathered from several members.
typedef enum Piece { PIECE_NONE, PIECE_WORD, PIECE_LONG_WORD, PIECE_PREDICATE } Piece;
typedef struct Pieces {
    uint8_t dst[2], src[4]; // Piece
} Pieces;

static uint8_t piece_of(OperandShape shape)
{
    if (shape.kind == OPERAND_PREDICATE) return PIECE_PREDICATE;
    return shape.slots == 2 ? PIECE_LONG_WORD : shape.slots ? PIECE_WORD : PIECE_NONE;
}

static Pieces pieces_of(const UOp *op)
{
    Pieces pieces;
    for (unsigned i = 0; i < 2; i++) pieces.dst[i] = piece_of(uop_write(op, i));
    for (unsigned i = 0; i < 4; i++) pieces.src[i] = piece_of(uop_read(op, i));
    return pieces;
}

// Copies some lanes of an operand.
static void copy_piece(Piece piece, ExecWarp *to, Operand into, const ExecWarp *from,
                       Operand operand, LaneMask lanes)
{
    if (piece == PIECE_NONE || operand == OPERAND_NONE || into == OPERAND_NONE) return;
    if (piece == PIECE_PREDICATE) {
        to->predicates[into] =
            (to->predicates[into] & ~lanes) | (exec_predicate(from, operand) & lanes);
        return;
    }
    void *x = exec_operand(to, into);
    const void *y = exec_operand(from, operand);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (piece == PIECE_LONG_WORD) ((LongWord *)x)[l] = ((const LongWord *)y)[l];
        else ((Word *)x)[l] = ((const Word *)y)[l];
    }
}

// Room for the operands of one instruction, for all lanes: predicate and slots by operand.
enum { PLACES = 6, PLACE_SLOTS = 2 };
static Operand place_of(unsigned operand, Piece piece)
{
    return (Operand)(piece == PIECE_PREDICATE ? operand : operand * PLACE_SLOTS);
}

// Computes the values that the lanes of these splits exchange. Without memory for a notice, the run
// has failed (sm_out_of_memory).
static void exchange(SmContext *context, const Warp *w, WarpSplit *const *members, unsigned count)
{
    _Alignas(64) uint8_t slots[PLACES * PLACE_SLOTS * SLOT_BYTES] = {0};
    LaneMask predicates[PLACES] = {0}, all = 0;
    UOp op = *splits_waiting_op(w, members[0]);
    Pieces pieces = pieces_of(&op);
    ExecWarp x = w->exec;
    x.base[0] = slots;
    x.predicates = predicates;
    op.flags &= ~(uint32_t)UF_NEGATE_A;
    for (unsigned k = 0; k < 2; k++) op.dst[k] = place_of(k, pieces.dst[k]);
    for (unsigned k = 0; k < 4; k++) op.src[k] = place_of(2 + k, pieces.src[k]);
    for (unsigned i = 0; i < count; i++) {
        const UOp *own = splits_waiting_op(w, members[i]);
        ExecWarp from = splits_values(w, members[i]);
        for (unsigned k = 0; k < 4; k++)
            copy_piece(pieces.src[k], &x, op.src[k], &from, own->src[k], members[i]->lanes);
        if (own->flags & UF_NEGATE_A) predicates[2] ^= members[i]->lanes;
        all |= members[i]->lanes;
    }
    for (unsigned i = 0; context->strict && op.code == UOP_SHFL && i < count; i++) {
        Warp of_split = *w;
        simt_enter(&of_split, members[i]->frame);
        of_split.pc = members[i]->at;
        notice_shuffle(context, &of_split, &op, &x, all, members[i]->lanes);
    }
    if (op.run) op.run(&op, &x, all);
    for (unsigned i = 0; i < count; i++) {
        const UOp *own = splits_waiting_op(w, members[i]);
        ExecWarp to = splits_values(w, members[i]);
        for (unsigned k = 0; k < 2; k++)
            copy_piece(pieces.dst[k], &to, own->dst[k], &x, op.dst[k], members[i]->lanes);
    }
}

// ---- which members may continue ----

// All lanes of the mask have arrived. Those at this instruction join the current split. true:
// others are at another instruction, and all values are computed here.
static bool gather(SmContext *context, Warp *w)
{
    WarpSplits *splits = w->splits;
    WarpSplit *members[HD_MAX_LANES];
    unsigned count = 0;
    WarpSplit split = splits->split[splits->current];
    const UOp *op = splits_waiting_op(w, &split);
    for (uint32_t i = splits->count; i-- > 0;) {
        const WarpSplit *other = &splits->split[i];
        bool mine = i != splits->current && other->state == SPLIT_SYNC && other->mask == split.mask;
        if (!mine || other->pc != split.pc || other->frame != split.frame) continue;
        splits_merge(context, w, i);
        i = splits->count; // lanes of completed barriers may have become members
    }
    members[count++] = &splits->split[splits->current];
    for (uint32_t i = 0; i < splits->count; i++) {
        WarpSplit *other = &splits->split[i];
        if (i != splits->current && other->state == SPLIT_SYNC && other->mask == split.mask &&
            same_kind(splits_waiting_op(w, other), op))
            members[count++] = other;
    }
    if (count == 1) return false;
    exchange(context, w, members, count);
    for (unsigned i = 1; i < count; i++) {
        members[i]->state = SPLIT_READY;
        members[i]->done = true;
    }
    return true;
}

// Finds the first of these lanes whose mask names a lane that has neither arrived nor exited.
// Returns all of these lanes with that mask; 0: no lane waits for another.
static LaneMask incomplete(const Warp *w, const UOp *op, LaneMask lanes, LaneMask *mask)
{
    const Word *named = exec_operand(&w->exec, op->src[uop_members((UopCode)op->code)]);
    LaneMask missing = w->splits->started & ~(w->stack.exited | lanes), same = 0;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (!same && (named[l] & missing)) *mask = named[l];
        if (same ? named[l] == *mask : (named[l] & missing) != 0) same |= (LaneMask)1 << l;
    }
    return same;
}

bool splits_gather_lanes(SmContext *context, Warp *w, const UOp *op, LaneMask *lanes, bool *done)
{
    WarpSplits *splits = w->splits;
    WarpSplit *split = &splits->split[splits->current];
    *done = split->done;
    split->done = false;
    LaneMask mask = 0, same = *done ? 0 : incomplete(w, op, *lanes, &mask);
    if (!same) return true;
    if (!splits_separate(context, w, *lanes, same)) return false;
    splits_wait(w, SPLIT_SYNC);
    split = &splits->split[splits->current];
    split->mask = mask;
    if (!splits_missing_lanes(w, split)) {
        split->state = SPLIT_READY;
        *done = gather(context, w);
        *lanes = w->exec.active;
        return true;
    }
    context->count.sm.convergence_waits++;
    splits_continue(context, w);
    return false;
}

// ---- the deadlock report ----

static const char *sync_name(const UOp *op)
{
    switch (op->code) {
    case UOP_SHFL: return "shfl.sync";
    case UOP_VOTE: return "vote.sync";
    case UOP_MATCH: return "match.sync";
    case UOP_REDUX: return "redux.sync";
    case UOP_ELECT: return "elect.sync";
    default: return "bar.warp.sync";
    }
}

static int describe_split(const Warp *w, const PtxModule *module, const char *who, uint32_t index,
                         char *text, size_t size)
{
    const WarpSplit *split = &w->splits->split[index];
    const UOpTiming *timing = w->calls.frames[split->frame].function->timing;
    char line[FAULT_LINE];
    fault_line(module, &timing[split->at], line);
    switch ((SplitState)split->state) {
    case SPLIT_SYNC:
        return snprintf(text, size,
                        "%s, lanes %08x: at line %s wait for lanes %08x to reach a %s of lanes "
                        "%08x\n",
                        who, split->lanes, line, splits_missing_lanes(w, split),
                        sync_name(splits_waiting_op(w, split)), split->mask);
    case SPLIT_BARRIER:
        return snprintf(text, size, "%s, lanes %08x: blocked at barrier %u at line %s\n", who,
                        split->lanes, split->barrier, line);
    case SPLIT_SLEEP:
        return snprintf(text, size, "%s, lanes %08x: sleep at line %s\n", who, split->lanes, line);
    default:
        fault_line(module, &timing[index == w->splits->current ? w->pc : split->pc], line);
        return snprintf(text, size, "%s, lanes %08x: ready at line %s\n", who, split->lanes, line);
    }
}

size_t splits_describe(const Warp *w, const PtxModule *module, const char *who, char *text,
                       size_t size)
{
    const WarpSplits *splits = w->splits;
    size_t at = 0;
    for (uint32_t i = 0; i < splits->count && at < size; i++)
        at += (size_t)describe_split(w, module, who, i, text + at, size - at);
    for (size_t j = 1; j < splits->convergence_count && at < size; j++) {
        const ConvergenceBarrier *barrier = &splits->convergences[j];
        if (!barrier->here) continue;
        char line[FAULT_LINE];
        fault_line(module, &w->calls.frames[barrier->frame].function->timing[barrier->pc], line);
        at += (size_t)snprintf(text + at, size - at,
                               "%s, lanes %08x: wait at line %s for lanes %08x\n", who,
                               barrier->here, line, barrier->members & ~barrier->here);
    }
    return at < size ? at : size;
}
