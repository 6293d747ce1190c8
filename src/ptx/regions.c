// The region of a branch: the blocks that its successors reach in front of its post-dominator. For
// analyses of what divergence does to registers.
#include "ptx/internal.h"

bool regions_new(Parser *p, const FunctionBuilder *b, const Liveness *live, Regions *r)
{
    size_t edges = 0, blocks = b->block_count;
    for (uint32_t i = 0; i < blocks; i++) edges += b->blocks[i].next_count;
    *r = (Regions){.b = b, .live = live,
                   .reached = scratch_new(p, blocks, sizeof *r->reached),
                   .meets = scratch_new(p, blocks, sizeof *r->meets),
                   .blocks = scratch_new(p, blocks, sizeof *r->blocks),
                   .stack = scratch_new(p, edges + 1, sizeof *r->stack),
                   .written = scratch_new(p, live->words, sizeof *r->written),
                   .columns = scratch_new(p, live->words, sizeof *r->columns)};
    return r->reached && r->meets && r->blocks && r->stack && r->written && r->columns;
}

void region_start(Regions *r, uint32_t branch)
{
    r->branch = branch;
    r->first = r->walk + 1;
    r->count = r->column_count = 0;
}

void region_note(Regions *r, uint32_t block)
{
    for (uint32_t at = r->b->blocks[block].start; at < r->b->blocks[block].end; at++)
        for (unsigned k = 0; k < r->b->timing[at].write_count; k++) {
            uint32_t position = r->live->positions[r->b->timing[at].writes[k]];
            if (position == NO_NUMBER) continue;
            if (!r->written[position / 64]) r->columns[r->column_count++] = position / 64;
            bit_set(r->written, position);
        }
}

uint64_t region_walk(Regions *r, uint32_t from, bool note_again)
{
    const Block *blocks = r->b->blocks;
    uint32_t depth = 0, post = blocks[r->branch].post;
    uint64_t steps = 0;
    r->walk++;
    r->stack[depth++] = from;
    while (depth) {
        uint32_t i = r->stack[--depth];
        if (r->reached[i] == r->walk) continue;
        bool again = r->reached[i] >= r->first; // another successor reached it
        if (again || i == post) r->meets[i] = r->branch + 1;
        if (!again) r->blocks[r->count++] = i;
        r->reached[i] = r->walk;
        if (i == post) continue;
        bool note = !again || note_again;
        if (note) region_note(r, i);
        for (uint32_t k = 0; k < blocks[i].next_count; k++)
            if (r->reached[blocks[i].next[k]] != r->walk) r->stack[depth++] = blocks[i].next[k];
        steps += 1 + blocks[i].next_count + (note ? blocks[i].end - blocks[i].start : 0);
    }
    return steps;
}

bool marked_new(Parser *p, const FunctionBuilder *b, MarkedRegisters *m)
{
    *m = (MarkedRegisters){.set = scratch_new(p, b->register_count / 64 + 1, sizeof *m->set),
                           .found = scratch_new(p, b->register_count + 1, sizeof *m->found)};
    return m->set && m->found;
}

void marked_add_column(MarkedRegisters *m, const Liveness *live, uint32_t column, uint64_t set)
{
    for (; set; set &= set - 1)
        marked_add(m, live->numbers[column * 64 + (uint32_t)__builtin_ctzll(set)]);
}
