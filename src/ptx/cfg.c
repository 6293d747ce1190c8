// The control-flow graph: basic blocks, edges, immediate post-dominators, and reconvergence points
// of branches.
//
// Post-dominators are the dominators of the reversed graph from a virtual exit.
#include "ptx/internal.h"

// A branch through a table has an edge to each of the table's targets. Memory for all of them is
// taken before the edges are counted.
enum { STEPS_OF_EDGE = 64 };

// ---- blocks ----

static bool ends_block(const Instruction *in)
{
    return control_ends_block(uop_infos[in->op.code].control);
}

// Makes the blocks.
static bool make_blocks(Parser *p, FunctionBuilder *b)
{
    UOpTiming *t = b->timing;
    uint32_t *of = b->block_of = scratch_new(p, b->count, sizeof *of);
    if (!of) return false;
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
    if (!b->blocks) return false;
    for (uint32_t i = 0; i < b->count; i++) {
        Block *block = &b->blocks[of[i]];
        if (t[i].starts_block) block->start = i;
        block->end = i + 1;
    }
    return true;
}

// ---- edges ----

// seen[i] == mark: the block has an edge to block i already.
static void add_edge(Block *block, uint32_t to, uint32_t *seen, uint32_t mark)
{
    if (seen[to] == mark) return;
    seen[to] = mark;
    block->next[block->next_count++] = to;
}

// Links each block to its successors, then to its predecessors. `targets`: the entries of the
// branch tables that the function's instructions use.
static bool make_edges(Parser *p, FunctionBuilder *b, size_t targets)
{
    const uint32_t *of = b->block_of;
    size_t edges = 0;
    uint32_t *next = scratch_new(p, 2 * (size_t)b->block_count + targets, sizeof *next);
    uint32_t *seen = scratch_new(p, b->block_count, sizeof *seen);
    if (!next || !seen) return false;
    for (uint32_t i = 0; i < b->block_count; i++) {
        Block *block = &b->blocks[i];
        const Instruction *last = &b->code[block->end - 1];
        const LabelTable *table = last->op.code == UOP_BRX ? &b->tables[last->op.imm] : NULL;
        block->next = next + edges;
        bool guarded = last->guard != VALUE_NONE;
        if (last->op.code == UOP_BRA) add_edge(block, of[last->op.target], seen, i + 1);
        for (uint32_t k = 0; table && k < table->count; k++)
            add_edge(block, of[table->targets[k]], seen, i + 1);
        if (!ends_block(last) || guarded) add_edge(block, i + 1, seen, i + 1);
        block->exits = uop_infos[last->op.code].control > CONTROL_BRANCH;
        edges += block->next_count;
    }
    uint32_t *previous = scratch_new(p, edges, sizeof *previous);
    if (!previous) return false;
    for (size_t i = 0; i < edges; i++) b->blocks[next[i]].previous_count++;
    for (uint32_t i = 0; i < b->block_count; i++) {
        Block *block = &b->blocks[i];
        block->previous = previous;
        previous += block->previous_count;
        block->previous_count = 0;
    }
    for (uint32_t i = 0; i < b->block_count; i++)
        for (uint32_t k = 0; k < b->blocks[i].next_count; k++) {
            Block *to = &b->blocks[b->blocks[i].next[k]];
            to->previous[to->previous_count++] = i;
        }
    return true;
}

bool cfg_compute(Parser *p, FunctionBuilder *b)
{
    size_t targets = 0;
    Dominators post;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->code[i].op.code == UOP_BRX) targets += b->tables[b->code[i].op.imm].count;
    if (!effort_spend(p, b, targets * STEPS_OF_EDGE)) return false;
    if (!make_blocks(p, b) || !make_edges(p, b, targets) || !dominators_find(p, b, true, &post))
        return false;
    for (uint32_t i = 0; i < b->block_count; i++) {
        Block *block = &b->blocks[i];
        unsigned last = b->code[block->end - 1].op.code;
        block->post = post.of[i];
        if (last != UOP_BRA && last != UOP_BRX) continue;
        b->timing[block->end - 1].reconverge =
            block->post == NO_NUMBER ? RECONVERGE_EXIT : b->blocks[block->post].start;
    }
    return true;
}
