// The control-flow graph: basic blocks, edges, immediate post-dominators, and reconvergence points
// of branches.
//
// Post-dominators are the dominators of the reversed graph from a virtual exit. Algorithm: Cooper,
// Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#include "ptx/internal.h"

// ---- blocks ----

static bool ends_block(const Instruction *in)
{
    return control_ends_block(uop_infos[in->op.code].control);
}

// Makes the blocks. Returns the block number of each instruction.
static uint32_t *make_blocks(Parser *p, FunctionBuilder *b)
{
    UOpTiming *t = b->timing;
    uint32_t *of = scratch_new(p, b->count, sizeof *of);
    if (!of) return NULL;
    t[0].starts_block = true;
    for (uint32_t i = 0; i < b->count; i++) {
        const Instruction *in = &b->code[i];
        if (ends_block(in) && i + 1 < b->count) t[i + 1].starts_block = true;
        if (in->op.code == UOP_BRA) t[in->op.target].starts_block = true;
        if (in->op.code != UOP_BRX) continue;
        const LabelTable *table = &b->tables[in->op.imm];
        for (uint32_t k = 0; k < table->count; k++) t[table->targets[k]].starts_block = true;
    }
    b->block_count = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        b->block_count += t[i].starts_block;
        of[i] = b->block_count - 1;
    }
    b->blocks = scratch_new(p, b->block_count, sizeof *b->blocks);
    if (!b->blocks) return NULL;
    for (uint32_t i = 0; i < b->count; i++) {
        Block *block = &b->blocks[of[i]];
        if (t[i].starts_block) block->start = i;
        block->end = i + 1;
    }
    return of;
}

// ---- edges ----

static void add_edge(Block *block, uint32_t to)
{
    for (uint32_t i = 0; i < block->next_count; i++)
        if (block->next[i] == to) return;
    block->next[block->next_count++] = to;
}

// Links each block to its successors, then to its predecessors.
static bool make_edges(Parser *p, FunctionBuilder *b, const uint32_t *of)
{
    for (uint32_t i = 0; i < b->block_count; i++) {
        Block *block = &b->blocks[i];
        const Instruction *last = &b->code[block->end - 1];
        const LabelTable *table = last->op.code == UOP_BRX ? &b->tables[last->op.imm] : NULL;
        block->next = scratch_new(p, 2 + (table ? table->count : 0), sizeof *block->next);
        if (!block->next) return false;
        bool guarded = last->guard != VALUE_NONE;
        if (last->op.code == UOP_BRA) add_edge(block, of[last->op.target]);
        for (uint32_t k = 0; table && k < table->count; k++)
            add_edge(block, of[table->targets[k]]);
        if (!ends_block(last) || guarded) add_edge(block, i + 1);
        block->exits = uop_infos[last->op.code].control > CONTROL_BRANCH;
    }
    for (uint32_t i = 0; i < b->block_count; i++)
        for (uint32_t k = 0; k < b->blocks[i].next_count; k++)
            b->blocks[b->blocks[i].next[k]].previous_count++;
    for (uint32_t i = 0; i < b->block_count; i++) {
        Block *block = &b->blocks[i];
        block->previous = scratch_new(p, block->previous_count, sizeof *block->previous);
        if (!block->previous) return false;
        block->previous_count = 0;
    }
    for (uint32_t i = 0; i < b->block_count; i++)
        for (uint32_t k = 0; k < b->blocks[i].next_count; k++) {
            Block *next = &b->blocks[b->blocks[i].next[k]];
            next->previous[next->previous_count++] = i;
        }
    return true;
}

// ---- post-dominators ----

// The reversed graph in post-order of a depth-first walk from the virtual exit, which is node
// block_count.
typedef struct Reverse {
    FunctionBuilder *b;
    bool *ends;      // blocks with an edge to the virtual exit
    uint32_t *order; // post-order position, by node
    uint32_t *nodes; // node, by position
    uint32_t count;
    uint32_t *stack, *edge; // of the walk: nodes, and the next edge of each
} Reverse;

static void walk_from(Reverse *r, uint32_t root)
{
    uint32_t depth = 0;
    if (r->order[root] != NO_NUMBER) return;
    r->order[root] = NO_NUMBER - 1; // on the stack
    r->stack[depth] = root;
    r->edge[depth++] = 0;
    while (depth) {
        uint32_t node = r->stack[depth - 1];
        const Block *block = &r->b->blocks[node];
        if (r->edge[depth - 1] == block->previous_count) {
            r->order[node] = r->count;
            r->nodes[r->count++] = node;
            depth--;
            continue;
        }
        uint32_t next = block->previous[r->edge[depth - 1]++];
        if (r->order[next] != NO_NUMBER) continue;
        r->order[next] = NO_NUMBER - 1;
        r->stack[depth] = next;
        r->edge[depth++] = 0;
    }
}

// Orders all blocks. For infinite loops, from which no path leads to the end, adds edges to the
// virtual exit one at a time, from the last block of the text backward.
static bool make_reverse(Parser *p, FunctionBuilder *b, Reverse *r)
{
    uint32_t n = b->block_count;
    *r = (Reverse){.b = b,
                   .ends = scratch_new(p, n, sizeof *r->ends),
                   .order = scratch_new(p, n + 1, sizeof *r->order),
                   .nodes = scratch_new(p, n + 1, sizeof *r->nodes),
                   .stack = scratch_new(p, n + 1, sizeof *r->stack),
                   .edge = scratch_new(p, n + 1, sizeof *r->edge)};
    if (!r->ends || !r->order || !r->nodes || !r->stack || !r->edge) return false;
    for (uint32_t i = 0; i <= n; i++) r->order[i] = NO_NUMBER;
    for (uint32_t i = 0; i < n; i++) {
        r->ends[i] = b->blocks[i].exits;
        if (r->ends[i]) walk_from(r, i);
    }
    for (uint32_t i = n; i-- > 0;) {
        if (r->order[i] != NO_NUMBER) continue;
        r->ends[i] = true;
        walk_from(r, i);
    }
    r->order[n] = r->count;
    r->nodes[r->count] = n;
    return true;
}

// The nearest common post-dominator of two nodes, by the current state of the iteration.
static uint32_t common(const Reverse *r, const uint32_t *post, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (r->order[x] < r->order[y]) x = post[x];
        while (r->order[y] < r->order[x]) y = post[y];
    }
    return x;
}

static bool find_post_dominators(Parser *p, FunctionBuilder *b)
{
    Reverse r;
    uint32_t n = b->block_count;
    uint32_t *post = scratch_new(p, n + 1, sizeof *post);
    if (!post || !make_reverse(p, b, &r)) return false;
    for (uint32_t i = 0; i < n; i++) post[i] = NO_NUMBER;
    post[n] = n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = n; k-- > 0;) {
            uint32_t node = r.nodes[k], found = r.ends[node] ? n : NO_NUMBER;
            const Block *block = &b->blocks[node];
            for (uint32_t i = 0; i < block->next_count; i++) {
                uint32_t next = block->next[i];
                if (post[next] == NO_NUMBER) continue;
                found = found == NO_NUMBER ? next : common(&r, post, found, next);
            }
            changed |= post[node] != found;
            post[node] = found;
        }
    }
    for (uint32_t i = 0; i < n; i++) b->blocks[i].post = post[i] == n ? NO_NUMBER : post[i];
    return true;
}

bool cfg_compute(Parser *p, FunctionBuilder *b)
{
    const uint32_t *of = make_blocks(p, b);
    if (!of || !make_edges(p, b, of) || !find_post_dominators(p, b)) return false;
    for (uint32_t i = 0; i < b->block_count; i++) {
        const Block *block = &b->blocks[i];
        unsigned last = b->code[block->end - 1].op.code;
        if (last != UOP_BRA && last != UOP_BRX) continue;
        b->timing[block->end - 1].reconverge =
            block->post == NO_NUMBER ? RECONVERGE_EXIT : b->blocks[block->post].start;
    }
    return true;
}
