// Uniformity analysis: finds instructions whose result is equal in all lanes that execute them
// together.
//
// A register varies if an instruction writes it that varies by itself (a thread index, an atomic,
// ...) or reads a varying register. A varying branch makes more registers vary: those that are
// written between the branch and a block where its paths meet, and that are live in that block. All
// other registers are uniform. This is divergence analysis (Coutinho, Sampaio, Pereira, Meira 2011)
// without SSA form.
#include "ptx/internal.h"

typedef struct Uniform {
    Parser *p;
    const FunctionBuilder *b;
    const Liveness *live;
    Mentions readers;
    uint64_t *varying; // registers
    uint32_t *found, found_count; // varying registers whose readers are not visited yet
    bool *walked; // by block: ends in a branch whose paths were walked, or need no walk
    uint32_t *reached; // by block: the last walk that reached it
    uint32_t walk;     // number of the current walk, one for each successor of a branch
    uint32_t *meets;   // by block: the last branch of which more than one successor reaches it, + 1
    uint32_t *region, region_count; // the blocks that the branch's successors reach
    uint32_t *stack;
    uint64_t *written; // by liveness position: written between the branch and the meeting blocks
    uint32_t *columns, column_count; // the words of `written` that are not 0
} Uniform;

// Whether the result differs between lanes for any operands.
static bool varies_by_itself(const UOp *op)
{
    switch (op->code) {
    case UOP_SREG:
        return op->imm <= SREG_TID_Z || op->imm == SREG_LANEID ||
               (op->imm >= SREG_LANEMASK_EQ && op->imm <= SREG_LANEMASK_GE);
    case UOP_ATOM:
    case UOP_UNIT:
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
    u->found[u->found_count++] = number;
}

// ---- varying branches ----

// Notes the registers that a block writes, and that are live beyond one block.
static void note_written(Uniform *u, const Block *block)
{
    for (uint32_t at = block->start; at < block->end; at++)
        for (unsigned k = 0; k < u->b->timing[at].write_count; k++) {
            uint32_t position = u->live->positions[u->b->timing[at].writes[k]];
            if (position == NO_NUMBER) continue;
            if (!u->written[position / 64]) u->columns[u->column_count++] = position / 64;
            bit_set(u->written, position);
        }
}

// Walks from one successor of a branch to the branch's post-dominator. `first`: the number of the
// walk from the branch's first successor. Returns the steps.
static uint64_t walk(Uniform *u, uint32_t branch, uint32_t from, uint32_t first)
{
    const Block *blocks = u->b->blocks;
    uint32_t depth = 0, post = blocks[branch].post;
    uint64_t steps = 0;
    u->walk++;
    u->stack[depth++] = from;
    while (depth) {
        uint32_t i = u->stack[--depth];
        if (u->reached[i] == u->walk) continue;
        bool again = u->reached[i] >= first; // another successor reached it
        if (again || i == post) u->meets[i] = branch + 1;
        if (!again) u->region[u->region_count++] = i;
        u->reached[i] = u->walk;
        if (i == post) continue;
        if (!again) note_written(u, &blocks[i]);
        for (uint32_t k = 0; k < blocks[i].next_count; k++)
            if (u->reached[blocks[i].next[k]] != u->walk) u->stack[depth++] = blocks[i].next[k];
        steps += 1 + blocks[i].next_count + (again ? 0 : blocks[i].end - blocks[i].start);
    }
    return steps;
}

static bool is_branch(const Instruction *in)
{
    return in->op.code == UOP_BRX || (in->op.code == UOP_BRA && in->guard != VALUE_NONE);
}

// A branch in the region of another one, of two ways, of which one leads to a block where the
// other's paths meet: all that its paths reach and write, the other's do, and where its paths meet,
// the other's do. So it needs no walk. This is the common case of many exits to one block.
static void skip_covered(Uniform *u, uint32_t branch)
{
    for (uint32_t k = 0; k < u->region_count; k++) {
        uint32_t i = u->region[k];
        const Block *block = &u->b->blocks[i];
        if (i == u->b->blocks[branch].post || block->next_count != 2) continue;
        for (unsigned n = 0; n < 2; n++)
            if (u->meets[block->next[n]] == branch + 1) u->walked[i] = true;
    }
}

// Marks registers that vary because of a varying branch.
static bool diverge(Uniform *u, uint32_t branch)
{
    const Block *block = &u->b->blocks[branch];
    uint32_t first = u->walk + 1;
    uint64_t steps = 0;
    u->region_count = u->column_count = 0;
    for (uint32_t k = 0; k < block->next_count; k++)
        steps += walk(u, branch, block->next[k], first);
    skip_covered(u, branch);
    for (uint32_t c = 0; c < u->column_count; c++) {
        uint32_t column = u->columns[c];
        uint64_t left = u->written[column];
        u->written[column] = 0;
        for (uint32_t k = 0; k < u->region_count; k++) {
            uint32_t i = u->region[k];
            if (u->meets[i] != branch + 1) continue;
            uint64_t set = u->live->in[liveness_word(u->live, column, i)] & left;
            for (left &= ~set; set; set &= set - 1)
                set_varying(u, u->live->numbers[column * 64 + (uint32_t)__builtin_ctzll(set)]);
        }
    }
    return effort_spend(u->p, u->b, steps + (uint64_t)u->column_count * u->region_count);
}

// ---- propagation ----

static bool visit(Uniform *u, uint32_t at)
{
    const UOpTiming *t = &u->b->timing[at];
    if (!varies(u, at)) return true;
    for (unsigned k = 0; k < t->write_count; k++) set_varying(u, t->writes[k]);
    if (!is_branch(&u->b->code[at])) return true;
    uint32_t block = u->b->block_of[at];
    if (u->walked[block]) return true;
    u->walked[block] = true;
    return diverge(u, block);
}

static bool propagate(Uniform *u)
{
    for (uint32_t i = 0; i < u->b->count; i++)
        if (!visit(u, i)) return false;
    while (u->found_count) {
        uint32_t number = u->found[--u->found_count];
        for (uint32_t k = u->readers.first[number]; k < u->readers.first[number + 1]; k++)
            if (!visit(u, u->readers.items[k])) return false;
    }
    return true;
}

bool uniform_compute(Parser *p, const FunctionBuilder *b, const Liveness *live)
{
    size_t edges = 0, blocks = b->block_count, registers = b->register_count + 1;
    for (uint32_t i = 0; i < blocks; i++) edges += b->blocks[i].next_count;
    Uniform u = {.p = p, .b = b, .live = live,
                 .varying = scratch_new(p, b->register_count / 64 + 1, sizeof *u.varying),
                 .found = scratch_new(p, registers, sizeof *u.found),
                 .walked = scratch_new(p, blocks, sizeof *u.walked),
                 .reached = scratch_new(p, blocks, sizeof *u.reached),
                 .meets = scratch_new(p, blocks, sizeof *u.meets),
                 .region = scratch_new(p, blocks, sizeof *u.region),
                 .stack = scratch_new(p, edges + 1, sizeof *u.stack),
                 .written = scratch_new(p, live->words, sizeof *u.written),
                 .columns = scratch_new(p, live->words, sizeof *u.columns)};
    if (!u.varying || !u.found || !u.walked || !u.reached || !u.meets || !u.region || !u.stack ||
        !u.written || !u.columns || !mentions_find(p, b, false, &u.readers) || !propagate(&u))
        return false;
    for (uint32_t i = 0; i < b->count; i++) {
        UOpTiming *t = &b->timing[i];
        t->uniform = !varies(&u, i);
        for (unsigned k = 0; k < t->write_count; k++)
            if (bit_get(u.varying, t->writes[k])) t->uniform = false;
    }
    return true;
}
