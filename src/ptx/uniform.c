// Uniformity analysis: finds instructions whose result is equal in all lanes that execute them
// together.
//
// A register varies if an instruction writes it that varies by itself (a thread index, an atomic,
// ...) or reads a varying register. A varying branch makes more registers vary: those that are
// written between the branch and a block where its paths meet, and that are live in that block. All
// other registers are uniform. This is divergence analysis (Coutinho, Sampaio, Pereira, Meira 2011)
// without SSA form.
#include "ptx/internal.h"

typedef struct Search {
    Parser *p;
    const FunctionBuilder *b;
    Uniform *u;
    bool *walked; // by block: ends in a branch whose paths were walked, or need no walk
} Search;

// Whether the result differs between lanes for any operands.
static bool varies_by_itself(const UOp *op)
{
    switch (op->code) {
    case UOP_SREG:
        return op->imm <= SREG_TID_Z || op->imm == SREG_LANEID ||
               (op->imm >= SREG_LANEMASK_EQ && op->imm <= SREG_LANEMASK_GE);
    case UOP_ATOM:
    case UOP_ENGINE:
    case UOP_ALLOCA:
    case UOP_STACKSAVE:
    case UOP_SHFL:
    case UOP_ELECT:
    case UOP_CALL:
    case UOP_CALL_POINTER: return true;
    case UOP_MATCH: return op->modifier == 0;
    case UOP_LD: // per-thread memory, or generic addresses that may point to it
        return op->space == SPACE_LOCAL || op->space == SPACE_FRAME_PARAM ||
               op->space == SPACE_GENERIC;
    default: return false;
    }
}

static bool varies(const Search *s, uint32_t i)
{
    const UOpTiming *t = &s->b->timing[i];
    const Instruction *in = &s->b->code[i];
    const UOp *op = &in->op;
    const uint64_t *varying = s->u->varying.set;
    if (varies_by_itself(op)) return true;
    if (in->guard != VALUE_NONE && value_is_register(in->guard) && bit_get(varying, in->guard))
        return true;
    // The result of a collective operation is equal in all lanes that name the same members, even
    // for varying values. So is the result of a marked mov: values that differ are a fault.
    bool collective = op->code == UOP_SCALAR || op->code == UOP_VOTE ||
                      op->code == UOP_ACTIVEMASK || op->code == UOP_REDUX ||
                      op->code == UOP_MATCH ||
                      (op->code == UOP_BAR && op->modifier >= BAR_RED_POPC);
    if (collective) {
        int members = uop_members((UopCode)op->code);
        return members >= 0 && value_is_register(in->src[members]) &&
               bit_get(varying, in->src[members]);
    }
    for (unsigned k = 0; k < t->read_count; k++)
        if (bit_get(varying, t->reads[k])) return true;
    return false;
}

// ---- varying branches ----

// A branch in the region of another one, of two ways, of which one leads to a block where the
// other's paths meet: all that its paths reach and write, the other's do, and where its paths meet,
// the other's do. So it needs no walk. This is the common case of many exits to one block.
static void skip_covered(Search *s)
{
    const Regions *r = &s->u->regions;
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t i = r->blocks[k];
        const Block *block = &s->b->blocks[i];
        if (i == s->b->blocks[r->branch].post || block->next_count != 2) continue;
        for (unsigned n = 0; n < 2; n++)
            if (region_meets(r, block->next[n])) s->walked[i] = true;
    }
}

// Marks registers that vary because of a varying branch.
static bool diverge(Search *s, uint32_t branch)
{
    const Block *block = &s->b->blocks[branch];
    Regions *r = &s->u->regions;
    uint64_t steps = 0;
    region_start(r, branch);
    for (uint32_t k = 0; k < block->next_count; k++)
        steps += region_walk(r, block->next[k], false);
    skip_covered(s);
    for (uint32_t c = 0; c < r->column_count; c++) {
        uint32_t column = r->columns[c];
        uint64_t left = r->written[column];
        r->written[column] = 0;
        for (uint32_t k = 0; k < r->count; k++) {
            uint32_t i = r->blocks[k];
            if (!region_meets(r, i)) continue;
            uint64_t set = r->live->in[liveness_word(r->live, column, i)] & left;
            left &= ~set;
            marked_add_column(&s->u->varying, r->live, column, set);
        }
    }
    return effort_spend(s->p, s->b, steps + (uint64_t)r->column_count * r->count);
}

// ---- propagation ----

static bool visit(Search *s, uint32_t at)
{
    const UOpTiming *t = &s->b->timing[at];
    if (!varies(s, at)) return true;
    for (unsigned k = 0; k < t->write_count; k++) marked_add(&s->u->varying, t->writes[k]);
    if (!is_branch(&s->b->code[at])) return true;
    uint32_t block = s->b->block_of[at];
    if (s->walked[block]) return true;
    s->walked[block] = true;
    return diverge(s, block);
}

static bool propagate(Search *s)
{
    MarkedRegisters *varying = &s->u->varying;
    const Mentions *readers = &s->u->readers;
    for (uint32_t i = 0; i < s->b->count; i++)
        if (!visit(s, i)) return false;
    while (varying->found_count) {
        uint32_t number = varying->found[--varying->found_count];
        for (uint32_t k = readers->first[number]; k < readers->first[number + 1]; k++)
            if (!visit(s, readers->items[k])) return false;
    }
    return true;
}

bool uniform_compute(Parser *p, const FunctionBuilder *b, const Liveness *live, Uniform *u)
{
    Search s = {.p = p, .b = b, .u = u, .walked = scratch_new(p, b->block_count, sizeof *s.walked)};
    if (!s.walked || !marked_new(p, b, &u->varying) || !regions_new(p, b, live, &u->regions) ||
        !mentions_find(p, b, false, &u->readers) || !propagate(&s))
        return false;
    for (uint32_t i = 0; i < b->count; i++) {
        UOpTiming *t = &b->timing[i];
        t->uniform = !varies(&s, i);
        for (unsigned k = 0; k < t->write_count; k++)
            if (bit_get(u->varying.set, t->writes[k])) t->uniform = false;
    }
    return true;
}
