// Scalar analysis: finds instructions that a warp may execute once, with one stored copy of each
// result (UOpTiming.scalar). Stricter than uniformity, which says only that the lanes that execute
// an instruction together get the same result.
//
// A register of which a warp needs a copy for each lane is a vector register; others are scalar
// registers. An instruction is scalar if its effect does not depend on how many lanes execute it
// (once_per_warp), and all registers that it reads or writes are scalar. The source of UOP_SCALAR,
// a mov that the program has marked, may be a vector register: its values are compared as it
// executes. A register is a vector register if
//   1. it varies (uniform.c),
//   2. one of its definitions is no scalar instruction, or
//   3. a side of a varying branch writes it, and it is live into another successor of the branch.
//      In `r=0; if (lane<4) {r=1; a=r;} else b=r;` each use of r is uniform, but where the sides
//      run one after the other, a single copy of r would be 1 for both.
//
// Why one copy is enough for all other registers. A warp with a reconvergence stack executes a
// sequence of instructions, each in a set of lanes. One copy goes wrong first at an instruction
// that reads a register r in a set with a lane l, while the last write W of r was executed without
// l; then l has not written r since. At W, l was not active but had not left the function (calls
// have registers of their own), so l was in a lower entry of the stack. That entry stood
//   - at a successor S of a varying branch B that other lanes left by another successor, which led
//     them to W before the post-dominator of B: a side runs up to there before S begins. l has run
//     from S to the read without a write of r, so r is live into S: rule 3; or
//   - at the post-dominator P of such a branch, whose sides still run. W is between B and P, and l
//     has run from P to the read without a write, so r is live into P: r varies, by uniform.c.
// A guard that differs between lanes varies, and so do the results of its instruction. A branch
// that does not vary does not divide a warp, even if its guard is in a vector register. Lanes that
// have left the function read nothing more. No side stops in the middle for another one; with
// independent threads one may, and then this analysis does not hold.
#include "ptx/internal.h"

typedef struct Scalar {
    Parser *p;
    const FunctionBuilder *b;
    const Liveness *live;
    Uniform *uniform;
    Mentions writers;
    MarkedRegisters vector;
    bool *done; // by block: ends in a branch whose successors were compared
    // By column of the live registers, if known[column] is the branch's block + 1: what is live
    // into at least one or two of the branch's successors.
    uint64_t *any, *several;
    uint32_t *known;
} Scalar;

// Whether an execution by one lane has the effect of an execution by several lanes with the same
// operands, and the result does not depend on the lanes that take part.
static bool once_per_warp(const Instruction *in)
{
    const UOp *op = &in->op;
    switch (op->code) {
    case UOP_LD:
    case UOP_ST:
        return op->space == SPACE_GLOBAL || op->space == SPACE_SHARED ||
               op->space == SPACE_CONST || op->space == SPACE_PARAM;
    case UOP_BRA: return in->guard != VALUE_NONE;
    case UOP_SCALAR: return true;
    case UOP_TXQ: // belongs to the texture unit
    case UOP_SHFL:
    case UOP_VOTE:
    case UOP_ACTIVEMASK:
    case UOP_MATCH:
    case UOP_ELECT:
    case UOP_REDUX:
    case UOP_ALLOCA:
    case UOP_STACKSAVE:
    case UOP_STACKRESTORE:
    case UOP_BAR_WARP: return false;
    default: return uop_infos[op->code].control == CONTROL_LANES;
    }
}

// ---- varying branches ----

// The registers of a column that are live into another successor of the block than this one.
static uint64_t live_elsewhere(Scalar *s, uint32_t branch, uint32_t column, uint32_t successor)
{
    const Block *block = &s->b->blocks[branch];
    if (s->known[column] != branch + 1) {
        uint64_t any = 0, several = 0;
        for (uint32_t k = 0; k < block->next_count; k++) {
            uint64_t set = s->live->in[liveness_word(s->live, column, block->next[k])];
            several |= any & set;
            any |= set;
        }
        s->any[column] = any;
        s->several[column] = several;
        s->known[column] = branch + 1;
    }
    uint64_t own = s->live->in[liveness_word(s->live, column, block->next[successor])];
    return s->several[column] | (s->any[column] & ~own);
}

// Marks what the side behind one successor writes and another successor needs.
static uint64_t compare_side(Scalar *s, uint32_t branch, uint32_t successor)
{
    Regions *r = &s->uniform->regions;
    uint64_t steps = region_walk(r, s->b->blocks[branch].next[successor], true);
    for (uint32_t c = 0; c < r->column_count; c++) {
        uint32_t column = r->columns[c];
        marked_add_column(&s->vector, s->live, column,
                          r->written[column] & live_elsewhere(s, branch, column, successor));
        r->written[column] = 0;
    }
    steps += r->column_count;
    r->column_count = 0;
    return steps;
}

static bool divides_lanes(const Scalar *s, uint32_t block)
{
    uint32_t last = s->b->blocks[block].end - 1;
    return is_branch(&s->b->code[last]) && !s->b->timing[last].uniform;
}

// Whether the branch is one of two ways in the current region, of which the first (*meets) leads to
// a block where the region's paths meet, and the second to a block of one path (*other).
static bool is_covered(const Scalar *s, uint32_t i, uint32_t *meets, uint32_t *other)
{
    const Block *block = &s->b->blocks[i];
    const Regions *r = &s->uniform->regions;
    if (block->next_count != 2 || s->done[i] || !divides_lanes(s, i)) return false;
    bool first = region_meets(r, block->next[0]);
    *meets = block->next[!first];
    *other = block->next[first];
    return first || region_meets(r, *meets);
}

// As uniform.c does, avoids the walks from branches in the region that lead to a block M where its
// paths meet: all registers that the other side writes and M needs vary. What remains are registers
// that M's side writes and the other one needs. M's side consists of blocks where the region's
// paths meet; all that these write is taken for it.
static uint64_t cover_branches(Scalar *s)
{
    Regions *r = &s->uniform->regions;
    uint32_t post = s->b->blocks[r->branch].post;
    uint64_t steps = r->count;
    bool noted = false;
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t i = r->blocks[k], meets, other;
        if (i == post || !is_covered(s, i, &meets, &other)) continue;
        s->done[i] = true;
        if (meets == s->b->blocks[i].post || region_meets(r, other)) continue;
        for (uint32_t n = 0; n < r->count && !noted; n++)
            if (r->blocks[n] != post && region_meets(r, r->blocks[n])) {
                region_note(r, r->blocks[n]);
                steps += s->b->blocks[r->blocks[n]].end - s->b->blocks[r->blocks[n]].start;
            }
        noted = true;
        for (uint32_t c = 0; c < r->column_count; c++) {
            uint64_t in = s->live->in[liveness_word(s->live, r->columns[c], other)];
            marked_add_column(&s->vector, s->live, r->columns[c], r->written[r->columns[c]] & in);
        }
        steps += r->column_count;
    }
    for (uint32_t c = 0; c < r->column_count; c++) r->written[r->columns[c]] = 0;
    r->column_count = 0;
    return steps;
}

// Marks registers that have several values in a warp because of a varying branch.
static bool diverge(Scalar *s, uint32_t branch)
{
    const Block *block = &s->b->blocks[branch];
    s->done[branch] = true;
    // No side runs behind a successor that is the post-dominator, and what this needs was compared
    // by uniform.c: the case of an if without else, and of a loop's exit.
    if (block->next_count == 2 && (block->next[0] == block->post || block->next[1] == block->post))
        return true;
    uint64_t steps = 0;
    region_start(&s->uniform->regions, branch);
    for (uint32_t k = 0; k < block->next_count; k++) steps += compare_side(s, branch, k);
    return effort_spend(s->p, s->b, steps + cover_branches(s));
}

// ---- propagation ----

static bool is_scalar(const Scalar *s, uint32_t at)
{
    const UOpTiming *t = &s->b->timing[at];
    if (!once_per_warp(&s->b->code[at])) return false;
    bool marked = s->b->code[at].op.code == UOP_SCALAR; // its source may be a vector register
    for (unsigned k = 0; k < t->read_count && !marked; k++)
        if (bit_get(s->vector.set, t->reads[k])) return false;
    for (unsigned k = 0; k < t->write_count; k++)
        if (bit_get(s->vector.set, t->writes[k])) return false;
    return true;
}

// Marks the results of an instruction that is not scalar.
static void visit(Scalar *s, uint32_t at)
{
    const UOpTiming *t = &s->b->timing[at];
    if (!t->write_count || is_scalar(s, at)) return;
    for (unsigned k = 0; k < t->write_count; k++) marked_add(&s->vector, t->writes[k]);
}

static void propagate(Scalar *s)
{
    const Mentions *mentions[] = {&s->uniform->readers, &s->writers};
    for (uint32_t i = 0; i < s->b->count; i++) visit(s, i);
    while (s->vector.found_count) {
        uint32_t number = s->vector.found[--s->vector.found_count];
        for (unsigned m = 0; m < 2; m++)
            for (uint32_t k = mentions[m]->first[number]; k < mentions[m]->first[number + 1]; k++)
                visit(s, mentions[m]->items[k]);
    }
}

bool scalar_compute(Parser *p, const FunctionBuilder *b, Uniform *u, const uint64_t **vector)
{
    const Liveness *live = u->regions.live;
    Scalar s = {.p = p, .b = b, .live = live, .uniform = u,
                .done = scratch_new(p, b->block_count, sizeof *s.done),
                .any = scratch_new(p, live->words, sizeof *s.any),
                .several = scratch_new(p, live->words, sizeof *s.several),
                .known = scratch_new(p, live->words, sizeof *s.known)};
    if (!s.done || !s.any || !s.several || !s.known || !marked_new(p, b, &s.vector) ||
        !mentions_find(p, b, true, &s.writers))
        return false;
    for (uint32_t i = 0; i < b->register_count; i++)
        if (bit_get(u->varying.set, i)) marked_add(&s.vector, i);
    for (uint32_t i = 0; i < b->block_count; i++)
        if (!s.done[i] && divides_lanes(&s, i) && !diverge(&s, i)) return false;
    propagate(&s);
    for (uint32_t i = 0; i < b->count; i++) {
        UOp *op = &b->code[i].op;
        UOpTiming *t = &b->timing[i];
        if (op->code == UOP_SCALAR && (!t->read_count || !bit_get(s.vector.set, t->reads[0])))
            op->code = UOP_MOV; // proved, so there is nothing to check
        t->scalar = is_scalar(&s, i);
    }
    *vector = s.vector.set;
    return true;
}
