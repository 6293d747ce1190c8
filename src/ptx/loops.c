// Finds the innermost natural loops of a function, for mechanisms that work on loops.
//
// A back edge leads to a block that dominates its source. The loop of a header is the union of the
// blocks that reach the sources of the header's back edges without passing the header (Aho, Lam,
// Sethi, Ullman, "Compilers", 9.6.6). An innermost loop has no header of another one inside.
#include "ptx/internal.h"

#include <string.h>

typedef struct Loops {
    Parser *p;
    const FunctionBuilder *b;
    const Dominators *dominators;
    bool *heads;       // by block: whether it is the header of a loop
    bool *inside;      // by block: in the current loop
    bool *visited;     // by block: in the walk of the current loop
    uint32_t *blocks, count; // of the current loop
    uint32_t *stack, *edge;  // of the walk: blocks, and the next edge of each
    uint32_t *order;         // of the current loop, backward
} Loops;

static bool is_reached(const Loops *l, uint32_t block) { return l->dominators->end[block]; }

// Adds the blocks that reach the loop's blocks from `from` on without passing the header.
static uint64_t gather(Loops *l, uint32_t from)
{
    uint64_t steps = 0;
    uint32_t depth = 0;
    if (l->inside[from]) return 1;
    l->inside[from] = true;
    l->blocks[l->count++] = from;
    l->stack[depth++] = from;
    while (depth) {
        const Block *block = &l->b->blocks[l->stack[--depth]];
        steps += block->previous_count;
        for (uint32_t i = 0; i < block->previous_count; i++) {
            uint32_t to = block->previous[i];
            if (l->inside[to] || !is_reached(l, to)) continue;
            l->inside[to] = true;
            l->blocks[l->count++] = to;
            l->stack[depth++] = to;
        }
    }
    return steps;
}

// Sets l->order to the loop's blocks, so that each follows the ones that lead to it within one
// turn: the reverse of the order in which a depth-first walk leaves them.
static void walk_turn(Loops *l, uint32_t head)
{
    uint32_t depth = 0, done = l->count;
    l->visited[head] = true;
    l->stack[depth] = head;
    l->edge[depth++] = 0;
    while (depth) {
        uint32_t at = l->stack[depth - 1];
        const Block *block = &l->b->blocks[at];
        if (l->edge[depth - 1] == block->next_count) {
            l->order[--done] = at;
            depth--;
            continue;
        }
        uint32_t to = block->next[l->edge[depth - 1]++];
        if (!l->inside[to] || l->visited[to]) continue;
        l->visited[to] = true;
        l->stack[depth] = to;
        l->edge[depth++] = 0;
    }
}

// ---- the exit test ----

// Whether the loop's instructions write the register; *only: the one that does, if it is alone.
static bool is_written(const Loops *l, Value value, uint32_t *only)
{
    uint32_t writes = 0;
    *only = NO_NUMBER;
    if (!value_is_register(value)) return false;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &l->b->blocks[l->order[i]];
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOpTiming *t = &l->b->timing[at];
            for (unsigned k = 0; k < t->write_count; k++) {
                if (t->writes[k] != value) continue;
                *only = at;
                writes++;
            }
        }
    }
    if (writes != 1) *only = NO_NUMBER;
    return writes;
}

// Whether `index` changes in each turn by the same amount, in one instruction that adds or
// subtracts it.
static bool find_update(const Loops *l, PtxLoop *loop, Value index)
{
    uint32_t at, other;
    if (!is_written(l, index, &at) || at == NO_NUMBER) return false;
    const Instruction *in = &l->b->code[at];
    unsigned code = in->op.code, step = in->src[0] == index;
    if ((code != UOP_ADD && code != UOP_SUB) || in->guard != VALUE_NONE) return false;
    if (in->src[1 - step] != index || (code == UOP_SUB && !step)) return false;
    if (is_written(l, in->src[step], &other)) return false;
    loop->update = at;
    loop->step = (uint8_t)step;
    return true;
}

static bool is_integer(unsigned type) { return type >= PTX_U8 && type <= PTX_S64; }

// Whether a cvt has the value of its source, an integer, modulo 2 to the width of its result.
static bool keeps_value(const UOp *cvt)
{
    unsigned to = cvt->type, from = cvt->type2;
    return is_integer(to) && is_integer(from) && !(cvt->flags & UF_SAT) &&
           (ptx_type_bytes((PtxType)to) <= ptx_type_bytes((PtxType)from) || from >= PTX_S8);
}

// The register of which the only instruction of the loop that writes this one makes a copy; else
// this register. Compilers so compare an index that they keep in 64 bits.
static Value copied(const Loops *l, Value value)
{
    uint32_t at;
    if (!is_written(l, value, &at) || at == NO_NUMBER) return value;
    const Instruction *in = &l->b->code[at];
    bool copies = (in->op.code == UOP_MOV && in->op.vec <= 1) ||
                  (in->op.code == UOP_CVT && keeps_value(&in->op));
    return copies && in->guard == VALUE_NONE ? in->src[0] : value;
}

// Whether the branch at the block's end leaves the loop after a comparison of an index that changes
// by the same amount in each turn with a bound that does not change.
static bool find_test(const Loops *l, PtxLoop *loop, uint32_t number)
{
    const FunctionBuilder *b = l->b;
    const Block *block = &b->blocks[number];
    const Instruction *branch = &b->code[block->end - 1];
    uint32_t test, other;
    if (branch->op.code != UOP_BRA || block->next_count != 2 ||
        l->inside[block->next[0]] == l->inside[block->next[1]] ||
        !is_written(l, branch->guard, &test) || test == NO_NUMBER)
        return false;
    const Instruction *in = &b->code[test];
    if (in->op.code != UOP_SETP || in->dst[0] != branch->guard || in->op.flags & UF_BOOL_MASK ||
        in->guard != VALUE_NONE)
        return false;
    for (unsigned index = 0; index < 2; index++) {
        if (is_written(l, in->src[1 - index], &other) ||
            !find_update(l, loop, copied(l, in->src[index])))
            continue;
        bool taken_stays = l->inside[b->block_of[branch->op.target]];
        loop->test = test;
        loop->index = (uint8_t)index;
        loop->continues = taken_stays != branch->op.guard_negated;
        return true;
    }
    return false;
}

// ---- the loops ----

static bool add_loop(Loops *l, PtxFunction *f, uint32_t head, uint32_t closing)
{
    const FunctionBuilder *b = l->b;
    size_t instructions = 0;
    for (uint32_t i = 0; i < l->count; i++)
        instructions += b->blocks[l->order[i]].end - b->blocks[l->order[i]].start;
    PtxLoop *loop = &f->loops[f->loop_count];
    loop->instructions = module_new(l->p, instructions * sizeof *loop->instructions);
    loop->always = module_new(l->p, instructions * sizeof *loop->always);
    if (!loop->instructions || !loop->always) return false;
    f->loop_count++;
    for (uint32_t i = 0; i < l->count; i++) {
        bool always = true;
        for (uint32_t k = 0; k < b->blocks[head].previous_count; k++) {
            uint32_t from = b->blocks[head].previous[k];
            always &= !l->inside[from] || dominates(l->dominators, l->order[i], from);
        }
        for (uint32_t at = b->blocks[l->order[i]].start; at < b->blocks[l->order[i]].end; at++) {
            loop->always[loop->count] = always;
            loop->instructions[loop->count++] = at;
            f->loop_of[at] = f->loop_count;
        }
    }
    loop->header = b->blocks[head].start;
    loop->closing = b->blocks[closing].end - 1;
    loop->test = PTX_NO_TEST;
    if (find_test(l, loop, closing)) return true;
    for (uint32_t i = 0; i < l->count; i++)
        if (find_test(l, loop, l->order[i])) break;
    return true;
}

// Gathers the loop of a header and walks its turn. *closing: the source of the last back edge.
// *innermost: no other header is inside. false: it took too many steps.
static bool take_loop(Loops *l, uint32_t head, uint32_t *closing, bool *innermost)
{
    const Block *block = &l->b->blocks[head];
    uint64_t steps = 1;
    while (l->count) {
        uint32_t old = l->blocks[--l->count];
        l->inside[old] = l->visited[old] = false;
    }
    l->inside[head] = true;
    l->blocks[l->count++] = head;
    for (uint32_t i = 0; i < block->previous_count; i++)
        if (dominates(l->dominators, head, block->previous[i]))
            steps += gather(l, block->previous[i]);
    *innermost = true;
    for (uint32_t i = 0; i < l->count; i++)
        *innermost &= l->blocks[i] == head || !l->heads[l->blocks[i]];
    if (*innermost) walk_turn(l, head);
    *closing = head;
    for (uint32_t i = 0; *innermost && i < l->count; i++) {
        const Block *from = &l->b->blocks[l->order[i]];
        for (uint32_t k = 0; k < from->next_count; k++)
            if (from->next[k] == head) *closing = l->order[i];
        steps += from->end - from->start;
    }
    return effort_spend(l->p, l->b, steps);
}

// Marks the headers. Returns how many there are.
static uint32_t find_heads(Loops *l)
{
    const Dominators *d = l->dominators;
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const Block *block = &l->b->blocks[d->order[i]];
        for (uint32_t k = 0; k < block->next_count; k++) {
            uint32_t to = block->next[k];
            if (l->heads[to] || !dominates(l->dominators, to, d->order[i])) continue;
            l->heads[to] = true;
            count++;
        }
    }
    return count;
}

bool loops_find(Parser *p, FunctionBuilder *b)
{
    PtxFunction *f = &b->f;
    Dominators d;
    bool backward = false;
    for (uint32_t i = 0; i < b->block_count; i++)
        for (uint32_t k = 0; k < b->blocks[i].next_count; k++)
            backward |= b->blocks[i].next[k] <= i;
    if (!backward) return true;
    if (!dominators_find(p, b, false, &d)) return false;
    uint32_t n = b->block_count;
    Loops l = {.p = p, .b = b, .dominators = &d,
               .heads = scratch_new(p, n, sizeof *l.heads),
               .inside = scratch_new(p, n, sizeof *l.inside),
               .visited = scratch_new(p, n, sizeof *l.visited),
               .blocks = scratch_new(p, n, sizeof *l.blocks),
               .stack = scratch_new(p, n, sizeof *l.stack),
               .edge = scratch_new(p, n, sizeof *l.edge),
               .order = scratch_new(p, n, sizeof *l.order)};
    if (!l.heads || !l.inside || !l.visited || !l.blocks || !l.stack || !l.edge || !l.order)
        return false;
    uint32_t heads = find_heads(&l);
    if (!heads) return true;
    f->loops = module_new(p, heads * sizeof *f->loops);
    f->loop_of = module_new(p, b->count * sizeof *f->loop_of);
    if (!f->loops || !f->loop_of) return false;
    for (uint32_t i = 0; i < d.count; i++) {
        uint32_t closing, head = d.order[i];
        bool innermost;
        if (!l.heads[head]) continue;
        if (!take_loop(&l, head, &closing, &innermost)) return false;
        if (innermost && !add_loop(&l, f, head, closing)) return false;
    }
    return true;
}
