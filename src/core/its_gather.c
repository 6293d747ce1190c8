// Independent threads: instructions with a sync mask wait until all the lanes that the mask names
// have come, from whatever paths.
//
// Lanes belong together that stand at an instruction of the same kind with the same mask, as the
// PTX ISA asks of them; a lane that has exited is not waited for. Where all stand at the same
// instruction they go on as one path. Where not, the values are exchanged when the last one comes,
// and each path issues its own instruction.
#include "core/its.h"

#include "core/sm_internal.h"

#include <stdio.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

// Which operand names the lanes.
static Operand mask_operand(const UOp *op)
{
    switch (op->code) {
    case UOP_SHFL: return op->src[3];
    case UOP_BAR_WARP: return op->src[0];
    default: return op->src[1]; // vote, match, redux
    }
}

static bool same_kind(const UOp *a, const UOp *b)
{
    return a->code == b->code && a->modifier == b->modifier && a->type == b->type;
}

LaneMask its_missing(const Warp *w, const Path *path)
{
    const Its *its = w->its;
    LaneMask missing = path->mask & its->started & ~(w->exited | path->lanes);
    const UOp *op = its_waits_at(w, path);
    for (uint32_t i = 0; i < its->count; i++) {
        const Path *other = &its->paths[i];
        if (other->state == PATH_SYNC && other->mask == path->mask &&
            same_kind(its_waits_at(w, other), op))
            missing &= ~other->lanes;
    }
    return missing;
}

void its_check_masks(Warp *w)
{
    Its *its = w->its;
    // One of those that belong together suffices, it finds the others when it issues; without it
    // they are not complete.
    for (uint32_t i = 0; i < its->count; i++)
        if (its->paths[i].state == PATH_SYNC && !its_missing(w, &its->paths[i]))
            its->paths[i].state = PATH_READY;
}

// ---- values of lanes that stand at different instructions ----

// One instruction's operands, gathered from those of several: what each of them is.
typedef enum Piece { PIECE_NONE, PIECE_WORD, PIECE_VALUE, PIECE_PREDICATE } Piece;
typedef struct Pieces {
    uint8_t dst[2], src[4]; // Piece; PIECE_VALUE: of the instruction's type
} Pieces;

static Pieces pieces_of(const UOp *op)
{
    switch (op->code) {
    case UOP_SHFL:
        return (Pieces){{PIECE_WORD, PIECE_PREDICATE},
                        {PIECE_WORD, PIECE_WORD, PIECE_WORD, PIECE_WORD}};
    case UOP_VOTE:
        return (Pieces){{op->modifier == VOTE_BALLOT ? PIECE_WORD : PIECE_PREDICATE},
                        {PIECE_PREDICATE, PIECE_WORD}};
    case UOP_MATCH: return (Pieces){{PIECE_WORD, PIECE_PREDICATE}, {PIECE_VALUE, PIECE_WORD}};
    case UOP_REDUX: return (Pieces){{PIECE_WORD}, {PIECE_WORD, PIECE_WORD}};
    default: return (Pieces){0};
    }
}

// Copies some lanes of an operand.
static void copy_piece(const UOp *op, Piece piece, ExecWarp *to, Operand into, const ExecWarp *from,
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
    bool wide = piece == PIECE_VALUE && ptx_type_bytes((PtxType)op->type) == 8;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (wide) ((LongWord *)x)[l] = ((const LongWord *)y)[l];
        else ((Word *)x)[l] = ((const Word *)y)[l];
    }
}

// Room for the operands of one instruction, for all lanes: predicate and slots by operand.
enum { PLACES = 6, PLACE_SLOTS = 2 };
static Operand place_of(unsigned operand, Piece piece)
{
    return (Operand)(piece == PIECE_PREDICATE ? operand : operand * PLACE_SLOTS);
}

// Computes what the lanes of these paths give each other.
static void exchange(const Warp *w, Path *const *paths, unsigned count)
{
    _Alignas(64) uint8_t slots[PLACES * PLACE_SLOTS * SLOT_BYTES] = {0};
    LaneMask predicates[PLACES] = {0}, all = 0;
    UOp op = *its_waits_at(w, paths[0]);
    Pieces pieces = pieces_of(&op);
    ExecWarp x = w->exec;
    x.base[0] = slots;
    x.predicates = predicates;
    op.flags &= ~(uint32_t)UF_NEGATE_A;
    for (unsigned k = 0; k < 2; k++) op.dst[k] = place_of(k, pieces.dst[k]);
    for (unsigned k = 0; k < 4; k++) op.src[k] = place_of(2 + k, pieces.src[k]);
    for (unsigned i = 0; i < count; i++) {
        const UOp *own = its_waits_at(w, paths[i]);
        ExecWarp from = its_values(w, paths[i]);
        for (unsigned k = 0; k < 4; k++)
            copy_piece(own, pieces.src[k], &x, op.src[k], &from, own->src[k], paths[i]->lanes);
        if (own->flags & UF_NEGATE_A) predicates[2] ^= paths[i]->lanes;
        all |= paths[i]->lanes;
    }
    if (op.run) op.run(&op, &x, all);
    for (unsigned i = 0; i < count; i++) {
        const UOp *own = its_waits_at(w, paths[i]);
        ExecWarp to = its_values(w, paths[i]);
        for (unsigned k = 0; k < 2; k++)
            copy_piece(own, pieces.dst[k], &to, own->dst[k], &x, op.dst[k], paths[i]->lanes);
    }
}

// ---- who may go on ----

// The lanes of the mask are all there: the others of them that stand at this instruction become
// part of the current path. Those that stand elsewhere get their values here, as it does: true.
static bool gather(Sm *sm, Warp *w)
{
    Its *its = w->its;
    Path *paths[HD_MAX_LANES];
    unsigned count = 0;
    Path path = its->paths[its->current];
    const UOp *op = its_waits_at(w, &path);
    for (uint32_t i = its->count; i-- > 0;) {
        const Path *other = &its->paths[i];
        bool mine = i != its->current && other->state == PATH_SYNC && other->mask == path.mask;
        if (!mine || other->pc != path.pc || other->frame != path.frame) continue;
        its_merge(sm, w, i);
        i = its->count; // joins may have become paths
    }
    paths[count++] = &its->paths[its->current];
    for (uint32_t i = 0; i < its->count; i++) {
        Path *other = &its->paths[i];
        if (i != its->current && other->state == PATH_SYNC && other->mask == path.mask &&
            same_kind(its_waits_at(w, other), op))
            paths[count++] = other;
    }
    if (count == 1) return false;
    exchange(w, paths, count);
    for (unsigned i = 1; i < count; i++) {
        paths[i]->state = PATH_READY;
        paths[i]->done = true;
    }
    return true;
}

// Of these lanes, those that have the mask of the first that waits for lanes not among them; 0:
// none waits for another.
static LaneMask incomplete(const Warp *w, const UOp *op, LaneMask lanes, LaneMask *mask)
{
    const Word *named = exec_operand(&w->exec, mask_operand(op));
    LaneMask missing = w->its->started & ~(w->exited | lanes), same = 0;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (!same && (named[l] & missing)) *mask = named[l];
        if (same ? named[l] == *mask : (named[l] & missing) != 0) same |= (LaneMask)1 << l;
    }
    return same;
}

bool its_ready(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes, bool *done)
{
    w->drains = false;
    if (!(op->flags & UF_SYNC) || !*lanes) return true;
    Its *its = w->its;
    Path *path = &its->paths[its->current];
    *done = path->done;
    path->done = false;
    LaneMask mask = 0, same = *done ? 0 : incomplete(w, op, *lanes, &mask);
    if (!same) return true;
    if (!its_set_apart(sm, w, *lanes, same)) return false;
    its_wait(w, PATH_SYNC);
    path = &its->paths[its->current];
    path->mask = mask;
    if (!its_missing(w, path)) {
        path->state = PATH_READY;
        *done = gather(sm, w);
        *lanes = w->exec.active;
        return true;
    }
    sm->count.sm.sync_waits++;
    its_proceed(sm, w);
    frontend_redirect(sm, w);
    warp_classify(sm, w);
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
    default: return "bar.warp.sync";
    }
}

static int describe_path(const Warp *w, const PtxModule *module, const char *who, uint32_t index,
                         char *text, size_t size)
{
    const Path *path = &w->its->paths[index];
    const UOpTiming *timing = w->frames[path->frame].function->timing;
    char line[FAULT_LINE];
    fault_line(module, &timing[path->at], line);
    switch ((PathState)path->state) {
    case PATH_SYNC:
        return snprintf(text, size,
                        "%s, lanes %08x: at line %s wait for lanes %08x to come to a %s of lanes "
                        "%08x\n",
                        who, path->lanes, line, its_missing(w, path),
                        sync_name(its_waits_at(w, path)), path->mask);
    case PATH_BARRIER:
        return snprintf(text, size, "%s, lanes %08x: stand at barrier %u at line %s\n", who,
                        path->lanes, path->barrier, line);
    case PATH_SLEEP:
        return snprintf(text, size, "%s, lanes %08x: sleep at line %s\n", who, path->lanes, line);
    default:
        fault_line(module, &timing[index == w->its->current ? w->pc : path->pc], line);
        return snprintf(text, size, "%s, lanes %08x: could run at line %s\n", who, path->lanes,
                        line);
    }
}

size_t its_describe(const Warp *w, const PtxModule *module, const char *who, char *text,
                    size_t size)
{
    const Its *its = w->its;
    size_t at = 0;
    for (uint32_t i = 0; i < its->count && at < size; i++)
        at += (size_t)describe_path(w, module, who, i, text + at, size - at);
    for (size_t j = 1; j < its->join_count && at < size; j++) {
        const Join *join = &its->joins[j];
        if (!join->here) continue;
        char line[FAULT_LINE];
        fault_line(module, &w->frames[join->frame].function->timing[join->pc], line);
        at += (size_t)snprintf(text + at, size - at,
                               "%s, lanes %08x: wait at line %s for lanes %08x\n", who, join->here,
                               line, join->members & ~join->here);
    }
    return at < size ? at : size;
}
