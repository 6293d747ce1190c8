// Liveness of registers at the start and the end of each basic block: data-flow analysis over bit
// sets.
//
// A guarded write keeps the old value in the lanes that it skips, so it does not end a live range.
// The analysis is per thread: a lane only uses its own lanes of the register slots.
//
// The registers that are live beyond one block are analysed in columns of 64, one after the other,
// so that the sets of the analysis stay small.
#include "ptx/internal.h"

#include <string.h>

// Bound of the words of a set that is kept: 2^25 for 2^31 pairs of register and block.
enum { MAX_WORDS = 1 << 25 };

// Whether the result may arrive after later instructions have run.
static bool arrives_late(const Instruction *in)
{
    return in->op.code == UOP_LD || in->op.code == UOP_ATOM || in->op.code == UOP_TEX ||
           in->op.code == UOP_SULD || in->op.code == UOP_ENGINE;
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

// ---- the effects of blocks on a column ----

// A read or write of a register that has a position.
typedef struct Effect {
    uint32_t block;
    uint8_t bit; // of the column
    bool write, guarded, late;
} Effect;

// All effects in the order of the text, by column: those from first[column] on.
typedef struct Effects {
    Effect *items;
    size_t *first;
} Effects;

static void add_effect(const Liveness *l, Effects *e, size_t *at, uint32_t number, Effect effect)
{
    uint32_t position = l->positions[number];
    if (position == NO_NUMBER) return;
    effect.bit = position % 64;
    if (e->items) e->items[at[position / 64]] = effect;
    at[position / 64]++;
}

// Counts the effects of each column, or with e->items stores them.
static void add_effects(const FunctionBuilder *b, const Liveness *l, Effects *e, size_t *at)
{
    for (uint32_t i = 0; i < b->block_count; i++)
        for (uint32_t k = b->blocks[i].start; k < b->blocks[i].end; k++) {
            const UOpTiming *t = &b->timing[k];
            Effect effect = {.block = i};
            for (unsigned r = 0; r < t->read_count; r++) add_effect(l, e, at, t->reads[r], effect);
            if (!t->write_count) continue;
            effect.write = true;
            effect.guarded = b->code[k].guard != VALUE_NONE;
            effect.late = arrives_late(&b->code[k]);
            for (unsigned w = 0; w < t->write_count; w++)
                add_effect(l, e, at, t->writes[w], effect);
        }
}

static bool find_effects(Parser *p, const FunctionBuilder *b, const Liveness *l, Effects *e)
{
    *e = (Effects){.first = scratch_new(p, l->words + 1, sizeof *e->first)};
    size_t *at = scratch_new(p, l->words, sizeof *at), total = 0;
    if (!e->first || !at) return false;
    add_effects(b, l, e, at);
    for (uint32_t w = 0; w < l->words; w++) {
        e->first[w] = total;
        total += at[w];
        at[w] = e->first[w];
    }
    e->first[l->words] = total;
    e->items = scratch_new(p, total, sizeof *e->items);
    if (!e->items) return false;
    add_effects(b, l, e, at);
    return true;
}

// ---- data flow in a column ----

// The smallest sets with result = make | (meet & ~end), where `meet` has the results of all blocks
// before (backward: behind) the block. By block.
typedef struct Flow {
    uint64_t *make, *end, *meet, *result;
    bool backward;
} Flow;

typedef struct Column {
    const FunctionBuilder *b;
    Flow live, defined, pending;
    uint32_t *order; // the blocks; without loops, each is behind those that lead to it
    bool *dirty;     // by block: its meet is new
    uint32_t *queue; // a ring of dirty blocks
    uint32_t head, queued;
} Column;

static void put_in_queue(Column *c, uint32_t block)
{
    uint32_t at = c->head + c->queued++;
    c->queue[at < c->b->block_count ? at : at - c->b->block_count] = block;
}

// Computes a block's result, and passes a new one on. `queueing`: puts blocks that get something
// new into the queue. Returns the number of blocks that it was passed to.
static uint32_t advance(Column *c, const Flow *f, uint32_t index, bool queueing)
{
    const Block *block = &c->b->blocks[index];
    uint64_t result = f->make[index] | (f->meet[index] & ~f->end[index]);
    c->dirty[index] = false;
    if (result == f->result[index]) return 0;
    f->result[index] = result;
    uint32_t count = f->backward ? block->previous_count : block->next_count;
    const uint32_t *to = f->backward ? block->previous : block->next;
    for (uint32_t k = 0; k < count; k++) {
        if (!(result & ~f->meet[to[k]])) continue;
        f->meet[to[k]] |= result;
        if (!c->dirty[to[k]] && queueing) put_in_queue(c, to[k]);
        c->dirty[to[k]] = true;
    }
    return count;
}

// Sweeps over the blocks settle code whose loops are not nested deeply. What still changes then is
// handled block by block: each is visited at most once for each register.
static bool solve(Parser *p, Column *c, const Flow *f)
{
    enum { SWEEPS = 4 };
    uint32_t n = c->b->block_count;
    uint64_t steps = n / 8;
    for (uint32_t i = 0; i < n; i++) c->dirty[i] = f->make[i] != 0;
    for (unsigned sweep = 0; sweep < SWEEPS; sweep++) {
        uint32_t dirty = 0;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t i = c->order[f->backward ? n - 1 - k : k];
            if (!c->dirty[i]) continue;
            dirty++;
            steps += advance(c, f, i, false);
        }
        steps += dirty;
        if (!dirty) return effort_spend(p, c->b, steps);
    }
    if (!effort_spend(p, c->b, steps)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (c->dirty[i]) put_in_queue(c, i);
    while (c->queued) {
        uint32_t i = c->queue[c->head];
        c->head = c->head + 1 < n ? c->head + 1 : 0;
        c->queued--;
        if (!effort_spend(p, c->b, 1 + advance(c, f, i, true))) return false;
    }
    return true;
}

// ---- the results of a column ----

static void start_column(Column *c, const Effect *effect, const Effect *end)
{
    Flow *flows[] = {&c->live, &c->defined, &c->pending};
    for (int i = 0; i < 3; i++) {
        uint64_t *sets[] = {flows[i]->make, flows[i]->end, flows[i]->meet, flows[i]->result};
        for (int k = 0; k < 4; k++) memset(sets[k], 0, c->b->block_count * sizeof *sets[k]);
    }
    for (; effect < end; effect++) {
        uint32_t i = effect->block;
        uint64_t bit = UINT64_C(1) << effect->bit;
        c->pending.end[i] |= bit;
        c->pending.make[i] &= ~bit;
        if (effect->write) {
            if (!effect->guarded) c->live.end[i] |= bit;
            if (effect->late) c->pending.make[i] |= bit;
            c->defined.make[i] |= bit;
        } else {
            c->live.make[i] |= bit & ~c->live.end[i];
        }
    }
}

// Notes an instruction for the registers of a set that no instruction was noted for.
static void note(uint32_t *by_position, uint64_t set, uint64_t *seen, uint32_t at)
{
    for (set &= ~*seen, *seen |= set; set; set &= set - 1)
        by_position[__builtin_ctzll(set)] = at;
}

static void keep_column(const Column *c, Liveness *l, uint32_t column)
{
    uint32_t n = c->b->block_count, *first = l->first + column * 64, *last = l->last + column * 64;
    uint64_t *start = c->live.make, *end = c->pending.make; // no longer needed
    uint64_t seen = 0;
    for (uint32_t i = 0; i < n; i++) {
        const Block *block = &c->b->blocks[i];
        size_t word = liveness_word(l, column, i);
        l->in[word] = c->live.result[i];
        l->kept[word] = c->live.meet[i] & c->defined.result[i];
        start[i] = (c->live.result[i] & c->defined.meet[i]) | c->pending.meet[i];
        end[i] = l->kept[word] | c->pending.result[i];
        note(first, start[i], &seen, block->start);
        note(first, end[i], &seen, block->end - 1);
    }
    seen = 0;
    for (uint32_t i = n; i-- > 0;) {
        note(last, end[i], &seen, c->b->blocks[i].end - 1);
        note(last, start[i], &seen, c->b->blocks[i].start);
    }
}

// Orders the blocks by a depth-first walk: each is placed in front of those that the walk finished
// before it.
static bool order_blocks(Parser *p, const FunctionBuilder *b, uint32_t *order)
{
    uint32_t left = b->block_count;
    bool *seen = scratch_new(p, b->block_count, sizeof *seen);
    uint32_t *edge = scratch_new(p, b->block_count, sizeof *edge);
    uint32_t *stack = scratch_new(p, b->block_count, sizeof *stack);
    if (!seen || !edge || !stack) return false;
    for (uint32_t root = 0; root < b->block_count; root++) {
        uint32_t depth = 0;
        if (seen[root]) continue;
        seen[root] = true;
        stack[depth++] = root;
        while (depth) {
            uint32_t at = stack[depth - 1];
            const Block *block = &b->blocks[at];
            if (edge[at] == block->next_count) {
                order[--left] = at;
                depth--;
                continue;
            }
            uint32_t to = block->next[edge[at]++];
            if (seen[to]) continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    return true;
}

static bool make_column(Parser *p, const FunctionBuilder *b, Column *c)
{
    *c = (Column){.b = b, .live.backward = true,
                  .order = scratch_new(p, b->block_count, sizeof *c->order),
                  .dirty = scratch_new(p, b->block_count, sizeof *c->dirty),
                  .queue = scratch_new(p, b->block_count, sizeof *c->queue)};
    uint64_t **sets[] = {&c->live.make,   &c->live.end,      &c->live.meet,    &c->live.result,
                         &c->defined.make, &c->defined.end,  &c->defined.meet, &c->defined.result,
                         &c->pending.make, &c->pending.end,  &c->pending.meet, &c->pending.result};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (!(*sets[i] = scratch_new(p, b->block_count, sizeof **sets[i]))) return false;
    return c->order && c->dirty && c->queue && order_blocks(p, b, c->order);
}

bool liveness_compute(Parser *p, const FunctionBuilder *b, Liveness *l)
{
    *l = (Liveness){.positions = scratch_new(p, b->register_count, sizeof *l->positions),
                    .blocks = b->block_count};
    size_t capacity = 0;
    Seen *seen = scratch_new(p, b->register_count, sizeof *seen);
    if (!seen || !l->positions) return false;
    for (size_t i = 0; i < b->register_count; i++) l->positions[i] = NO_NUMBER;
    for (uint32_t i = 0; i < b->block_count; i++)
        if (!find_in_block(p, b, i, l, &capacity, seen)) return false;
    l->words = l->count / 64 + 1;

    size_t words = (size_t)l->words * b->block_count;
    if (words > MAX_WORDS)
        return ptx_fail(p, &b->at, "'%s' has %u basic blocks and %u registers that live beyond one "
                                   "block: expected at most 2^31 pairs of a block and a register",
                        b->f.name, b->block_count, l->count);
    Effects effects;
    Column column;
    l->in = scratch_new(p, words, sizeof *l->in);
    l->kept = scratch_new(p, words, sizeof *l->kept);
    l->first = scratch_new(p, (size_t)l->words * 64, sizeof *l->first);
    l->last = scratch_new(p, (size_t)l->words * 64, sizeof *l->last);
    if (!l->in || !l->kept || !l->first || !l->last || !find_effects(p, b, l, &effects) ||
        !make_column(p, b, &column))
        return false;
    memset(l->first, 0xff, (size_t)l->words * 64 * sizeof *l->first);
    for (uint32_t w = 0; w < l->words; w++) {
        start_column(&column, effects.items + effects.first[w],
                     effects.items + effects.first[w + 1]);
        if (!solve(p, &column, &column.live) || !solve(p, &column, &column.defined) ||
            !solve(p, &column, &column.pending))
            return false;
        keep_column(&column, l, w);
    }
    return true;
}

// ---- mentions of registers ----

bool mentions_find(Parser *p, const FunctionBuilder *b, bool writes, Mentions *m)
{
    size_t total = 0;
    m->first = scratch_new(p, b->register_count + 2, sizeof *m->first);
    if (!m->first) return false;
    // first[r + 2] counts register r; below, first[r + 1] is where its next item goes.
    for (uint32_t i = 0; i < b->count; i++) {
        const UOpTiming *t = &b->timing[i];
        unsigned count = writes ? t->write_count : t->read_count;
        for (unsigned k = 0; k < count; k++) m->first[(writes ? t->writes : t->reads)[k] + 2]++;
        total += count;
    }
    m->items = scratch_new(p, total, sizeof *m->items);
    if (!m->items) return false;
    for (size_t r = 2; r < b->register_count + 2; r++) m->first[r] += m->first[r - 1];
    for (uint32_t i = 0; i < b->count; i++) {
        const UOpTiming *t = &b->timing[i];
        unsigned count = writes ? t->write_count : t->read_count;
        for (unsigned k = 0; k < count; k++)
            m->items[m->first[(writes ? t->writes : t->reads)[k] + 1]++] = i;
    }
    return true;
}
