// Uniformity analysis: finds instructions whose result is equal in all lanes that execute them
// together.
//
// A register varies if an instruction writes it that varies by itself (a thread index, an atomic,
// ...) or reads a varying register. A varying branch makes more registers vary: those that are
// written between the branch and a block where its paths meet, and that are live in that block. All
// other registers are uniform. This is divergence analysis (Coutinho, Sampaio, Pereira, Meira 2011)
// without SSA form.
#include "ptx/internal.h"

#include <string.h>

typedef struct Uniform {
    const FunctionBuilder *b;
    const Liveness *live;
    uint64_t *varying; // registers
    bool *divergent;   // by block: ends in a varying branch whose paths were walked
    uint32_t *reached; // by block: the branch's successor that reached it + 1; 0: none
    bool *meets;       // by block: more than one successor of the branch reaches it
    uint32_t *stack;
    uint64_t *written; // by liveness position: written between the branch and the meeting blocks
    bool changed;
} Uniform;

// Whether the result differs between lanes for any operands.
static bool varies_by_itself(const UOp *op)
{
    switch (op->code) {
    case UOP_SREG:
        return op->imm <= SREG_TID_Z || op->imm == SREG_LANEID ||
               (op->imm >= SREG_LANEMASK_EQ && op->imm <= SREG_LANEMASK_GE);
    case UOP_ATOM:
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

static bool varies(const Uniform *u, uint32_t i)
{
    const UOpTiming *t = &u->b->timing[i];
    const Instruction *in = &u->b->code[i];
    const UOp *op = &in->op;
    if (varies_by_itself(op)) return true;
    if (in->guard != VALUE_NONE && value_is_register(in->guard) && bit_get(u->varying, in->guard))
        return true;
    // The result of a collective operation is equal in all lanes even for varying operands.
    bool collective = op->code == UOP_VOTE || op->code == UOP_ACTIVEMASK ||
                      op->code == UOP_REDUX || op->code == UOP_MATCH ||
                      (op->code == UOP_BAR && op->modifier >= BAR_RED_POPC);
    for (unsigned k = 0; k < t->read_count && !collective; k++)
        if (bit_get(u->varying, t->reads[k])) return true;
    return false;
}

static void set_varying(Uniform *u, uint32_t number)
{
    if (bit_get(u->varying, number)) return;
    bit_set(u->varying, number);
    u->changed = true;
}

// Walks from one successor of a branch to the branch's post-dominator.
static void walk(Uniform *u, const Block *branch, uint32_t from)
{
    const Block *blocks = u->b->blocks;
    uint32_t depth = 0, mark = from + 1;
    u->stack[depth++] = from;
    while (depth) {
        uint32_t i = u->stack[--depth];
        if (u->reached[i] == mark) continue;
        u->meets[i] |= u->reached[i] != 0 || i == branch->post;
        u->reached[i] = mark;
        if (i == branch->post) continue;
        for (uint32_t at = blocks[i].start; at < blocks[i].end; at++)
            for (unsigned k = 0; k < u->b->timing[at].write_count; k++) {
                uint32_t position = u->live->positions[u->b->timing[at].writes[k]];
                if (position != NO_NUMBER) bit_set(u->written, position);
            }
        for (uint32_t k = 0; k < blocks[i].next_count; k++)
            if (u->reached[blocks[i].next[k]] != mark) u->stack[depth++] = blocks[i].next[k];
    }
}

// Marks registers that vary because of a varying branch.
static void diverge(Uniform *u, const Block *branch)
{
    uint32_t words = u->live->words, blocks = u->b->block_count;
    memset(u->reached, 0, blocks * sizeof *u->reached);
    memset(u->meets, 0, blocks * sizeof *u->meets);
    memset(u->written, 0, words * sizeof *u->written);
    for (uint32_t k = 0; k < branch->next_count; k++) walk(u, branch, branch->next[k]);
    for (uint32_t i = 0; i < blocks; i++) {
        if (!u->meets[i]) continue;
        const uint64_t *in = u->live->in + (size_t)i * words;
        for (uint32_t w = 0; w < words; w++)
            for (uint64_t set = in[w] & u->written[w]; set; set &= set - 1)
                set_varying(u, u->live->numbers[w * 64 + (uint32_t)__builtin_ctzll(set)]);
    }
}

static void visit_block(Uniform *u, uint32_t index)
{
    const FunctionBuilder *b = u->b;
    const Block *block = &b->blocks[index];
    for (uint32_t i = block->start; i < block->end; i++) {
        const Instruction *in = &b->code[i];
        const UOpTiming *t = &b->timing[i];
        if (!varies(u, i)) continue;
        for (unsigned k = 0; k < t->write_count; k++) set_varying(u, t->writes[k]);
        bool branch = in->op.code == UOP_BRX || (in->op.code == UOP_BRA && in->guard != VALUE_NONE);
        if (!branch || u->divergent[index]) continue;
        u->divergent[index] = true;
        diverge(u, block);
    }
}

bool uniform_compute(Parser *p, const FunctionBuilder *b, const Liveness *live)
{
    size_t edges = 0;
    for (uint32_t i = 0; i < b->block_count; i++) edges += b->blocks[i].next_count;
    Uniform u = {.b = b,
                 .live = live,
                 .varying = scratch_new(p, b->register_count / 64 + 1, sizeof *u.varying),
                 .divergent = scratch_new(p, b->block_count, sizeof *u.divergent),
                 .reached = scratch_new(p, b->block_count, sizeof *u.reached),
                 .meets = scratch_new(p, b->block_count, sizeof *u.meets),
                 .stack = scratch_new(p, edges + 1, sizeof *u.stack),
                 .written = scratch_new(p, live->words, sizeof *u.written)};
    if (!u.varying || !u.divergent || !u.reached || !u.meets || !u.stack || !u.written)
        return false;
    do {
        u.changed = false;
        for (uint32_t i = 0; i < b->block_count; i++) visit_block(&u, i);
    } while (u.changed);
    for (uint32_t i = 0; i < b->count; i++) {
        UOpTiming *t = &b->timing[i];
        t->uniform = !varies(&u, i);
        for (unsigned k = 0; k < t->write_count; k++)
            if (bit_get(u.varying, t->writes[k])) t->uniform = false;
    }
    return true;
}
