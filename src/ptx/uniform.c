// Which instructions give all lanes of a warp the same result.
//
// A register varies when an instruction writes it that varies by itself (a thread index, an atomic,
// ...), reads a varying register, or stands in a block that some lanes may miss: one that is
// control-dependent on a varying branch (Ferrante, Ottenstein, Warren 1987), or on any branch in
// such a block. What is not found to vary is uniform.
#include "ptx/internal.h"

typedef struct Uniform {
    Build *b;
    uint64_t *varying; // registers
    bool *divergent;   // blocks
    bool changed;
} Uniform;

static bool special_varies(int64_t special)
{
    return special <= SREG_TID_Z || special == SREG_LANEID ||
           (special >= SREG_LANEMASK_EQ && special <= SREG_LANEMASK_GE);
}

// The result differs between lanes whatever the operands are.
static bool varies_by_itself(const UOp *op)
{
    switch (op->code) {
    case UOP_SREG: return special_varies(op->imm);
    case UOP_ATOM:
    case UOP_SHFL:
    case UOP_CALL: return true;
    case UOP_MATCH: return op->modifier == 0;
    case UOP_LD: // one's own memory, or what may be it
        return op->space == SPACE_LOCAL || op->space == SPACE_FRAME_PARAM ||
               op->space == SPACE_GENERIC;
    default: return false;
    }
}

// The lanes agree on the result, whatever each of them brings.
static bool is_collective(const UOp *op)
{
    return op->code == UOP_VOTE || op->code == UOP_ACTIVEMASK || op->code == UOP_REDUX ||
           op->code == UOP_MATCH || (op->code == UOP_BAR && op->modifier >= BAR_RED_POPC);
}

static bool reads_varying(const Uniform *u, uint32_t i)
{
    const UOpTiming *t = &u->b->timing[i];
    const Instruction *in = &u->b->code[i];
    if (is_collective(&in->op))
        return in->guard != VALUE_NONE && value_is_register(in->guard) &&
               bit_get(u->varying, in->guard);
    for (unsigned k = 0; k < t->read_count; k++)
        if (bit_get(u->varying, t->reads[k])) return true;
    return false;
}

// Every block between a branch and its post-dominator is run by some of the lanes only.
static void diverge(Uniform *u, const Block *branch)
{
    const Block *blocks = u->b->blocks;
    for (uint32_t k = 0; k < branch->next_count; k++)
        for (uint32_t i = branch->next[k]; i != branch->post && i != NO_NUMBER; i = blocks[i].post) {
            u->changed |= !u->divergent[i];
            u->divergent[i] = true;
        }
}

static void visit_block(Uniform *u, uint32_t index)
{
    Build *b = u->b;
    const Block *block = &b->blocks[index];
    for (uint32_t i = block->start; i < block->end; i++) {
        const Instruction *in = &b->code[i];
        UOpTiming *t = &b->timing[i];
        bool varies = u->divergent[index] || varies_by_itself(&in->op) || reads_varying(u, i);
        t->uniform = !varies;
        if (!varies) continue;
        for (unsigned k = 0; k < t->write_count; k++) {
            u->changed |= !bit_get(u->varying, t->writes[k]);
            bit_set(u->varying, t->writes[k]);
        }
        bool branch = in->op.code == UOP_BRX || (in->op.code == UOP_BRA && in->guard != VALUE_NONE);
        if (branch) diverge(u, block);
    }
}

bool uniform_build(Parser *p, Build *b)
{
    Uniform u = {.b = b,
                 .varying = make_scratch(p, b->register_count / 64 + 1, sizeof *u.varying),
                 .divergent = make_scratch(p, b->block_count, sizeof *u.divergent)};
    if (!u.varying || !u.divergent) return false;
    do {
        u.changed = false;
        for (uint32_t i = 0; i < b->block_count; i++) visit_block(&u, i);
    } while (u.changed);
    return true;
}
