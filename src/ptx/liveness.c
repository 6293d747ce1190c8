// Liveness of registers at the start and the end of each basic block: data-flow analysis over bit
// sets.
//
// A guarded write keeps the old value in the lanes that it skips, so it does not end a live range.
// The analysis is per thread: a lane only uses its own lanes of the register slots.
#include "ptx/internal.h"

#include <string.h>

// The effects of a block, as bit sets.
typedef struct Effects { uint64_t *use, *kill, *written, *pending, *settled; } Effects;

// Whether the result may arrive after later instructions have run.
static bool arrives_late(const Instruction *in)
{
    return in->op.code == UOP_LD || in->op.code == UOP_ATOM || in->op.code == UOP_TEX ||
           in->op.code == UOP_SULD;
}

// ---- which registers are live beyond one block ----

// The last block that wrote a register without a guard, and that left a late result outstanding:
// block number + 1.
typedef struct Seen { uint32_t written, late; } Seen;

static bool give_position(Parser *p, Liveness *l, size_t *capacity, uint32_t number)
{
    if (l->positions[number] != NO_NUMBER) return true;
    l->positions[number] = l->count;
    return PUSH(p, l->numbers, l->count, *capacity, number);
}

// Gives positions to registers that the block reads before it writes them, and to registers that
// have a late result outstanding at its end.
static bool find_in_block(Parser *p, const FunctionBuilder *b, uint32_t index, Liveness *l,
                          size_t *capacity, Seen *seen)
{
    const Block *block = &b->blocks[index];
    for (uint32_t i = block->start; i < block->end; i++) {
        const UOpTiming *t = &b->timing[i];
        for (unsigned k = 0; k < t->read_count; k++) {
            Seen *s = &seen[t->reads[k]];
            if (s->written != index + 1 && !give_position(p, l, capacity, t->reads[k]))
                return false;
            s->late = 0;
        }
        for (unsigned k = 0; k < t->write_count; k++) {
            Seen *s = &seen[t->writes[k]];
            if (b->code[i].guard == VALUE_NONE) s->written = index + 1;
            s->late = arrives_late(&b->code[i]) ? index + 1 : 0;
        }
    }
    for (uint32_t i = block->start; i < block->end; i++)
        for (unsigned k = 0; k < b->timing[i].write_count; k++) {
            uint32_t number = b->timing[i].writes[k];
            if (seen[number].late == index + 1 && !give_position(p, l, capacity, number))
                return false;
        }
    return true;
}

// ---- effects of a block ----

static void block_effects(const FunctionBuilder *b, const Block *block, const Liveness *l,
                          const Effects *e)
{
    for (uint32_t i = block->start; i < block->end; i++) {
        const UOpTiming *t = &b->timing[i];
        const Instruction *in = &b->code[i];
        for (unsigned k = 0; k < t->read_count; k++) {
            uint32_t at = l->positions[t->reads[k]];
            if (at == NO_NUMBER) continue;
            if (!bit_get(e->kill, at)) bit_set(e->use, at);
            bit_clear(e->pending, at);
            bit_set(e->settled, at);
        }
        for (unsigned k = 0; k < t->write_count; k++) {
            uint32_t at = l->positions[t->writes[k]];
            if (at == NO_NUMBER) continue;
            if (in->guard == VALUE_NONE) bit_set(e->kill, at);
            bit_set(e->written, at);
            bit_set(e->settled, at);
            if (arrives_late(in)) bit_set(e->pending, at);
            else bit_clear(e->pending, at);
        }
    }
}

// ---- data flow ----

// Backward: in = use | (out & ~kill). Returns whether anything changed.
static bool flow_backward(const FunctionBuilder *b, Liveness *l, const Effects *e)
{
    bool changed = false;
    for (uint32_t i = b->block_count; i-- > 0;) {
        const Block *block = &b->blocks[i];
        size_t row = (size_t)i * l->words;
        for (uint32_t w = 0; w < l->words; w++) {
            uint64_t out = 0;
            for (uint32_t k = 0; k < block->next_count; k++)
                out |= l->in[(size_t)block->next[k] * l->words + w];
            uint64_t in = e[i].use[w] | (out & ~e[i].kill[w]);
            changed |= in != l->in[row + w] || out != l->out[row + w];
            l->in[row + w] = in;
            l->out[row + w] = out;
        }
    }
    return changed;
}

// Forward: registers that were written, and registers with outstanding results. Returns whether
// anything changed.
static bool flow_forward(const FunctionBuilder *b, Liveness *l, const Effects *e)
{
    bool changed = false;
    for (uint32_t i = 0; i < b->block_count; i++) {
        const Block *block = &b->blocks[i];
        size_t row = (size_t)i * l->words;
        for (uint32_t w = 0; w < l->words; w++) {
            uint64_t defined = 0, pending = 0;
            for (uint32_t k = 0; k < block->previous_count; k++) {
                size_t at = (size_t)block->previous[k] * l->words + w;
                defined |= l->defined_out[at];
                pending |= l->pending_out[at];
            }
            l->defined_in[row + w] = defined;
            l->pending_in[row + w] = pending;
            defined |= e[i].written[w];
            pending = e[i].pending[w] | (pending & ~e[i].settled[w]);
            changed |= defined != l->defined_out[row + w] || pending != l->pending_out[row + w];
            l->defined_out[row + w] = defined;
            l->pending_out[row + w] = pending;
        }
    }
    return changed;
}

static bool make_sets(Parser *p, uint64_t **sets[], unsigned count, size_t words)
{
    for (unsigned i = 0; i < count; i++) {
        *sets[i] = scratch_new(p, words, sizeof **sets[i]);
        if (!*sets[i]) return false;
    }
    return true;
}

bool liveness_compute(Parser *p, const FunctionBuilder *b, Liveness *l)
{
    *l = (Liveness){.positions = scratch_new(p, b->register_count, sizeof *l->positions)};
    size_t capacity = 0;
    Seen *seen = scratch_new(p, b->register_count, sizeof *seen);
    if (!seen || !l->positions) return false;
    for (size_t i = 0; i < b->register_count; i++) l->positions[i] = NO_NUMBER;
    for (uint32_t i = 0; i < b->block_count; i++)
        if (!find_in_block(p, b, i, l, &capacity, seen)) return false;
    l->words = l->count / 64 + 1;

    size_t words = (size_t)l->words * b->block_count;
    uint64_t **sets[] = {&l->in,         &l->out,        &l->defined_in,
                         &l->defined_out, &l->pending_in, &l->pending_out};
    Effects *e = scratch_new(p, b->block_count, sizeof *e);
    if (!e || !make_sets(p, sets, 6, words)) return false;
    for (uint32_t i = 0; i < b->block_count; i++) {
        uint64_t **own[] = {&e[i].use, &e[i].kill, &e[i].written, &e[i].pending, &e[i].settled};
        if (!make_sets(p, own, 5, l->words)) return false;
        block_effects(b, &b->blocks[i], l, &e[i]);
    }
    while (flow_backward(b, l, e)) {}
    while (flow_forward(b, l, e)) {}
    return true;
}
