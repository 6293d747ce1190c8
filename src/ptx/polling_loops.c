// Which loops poll: wait for what another thread does to a place in memory.
//
// Such a loop reads the same place in each turn, by an atomic or a volatile (relaxed, acquire) load
// whose address the loop does not change, and what it reads decides whether the loop is left:
// directly, through other registers, or because only one outcome leads to an exit. What a function
// returns that the loop calls counts as read as well. A loop that goes through memory (a chain of
// places, one atomic per element) does not poll, however long it takes; nor does one that counts up
// to what it reads (a volatile bound): it ends by its own doing.
#include "ptx/internal.h"

#include <string.h>

typedef struct Polls {
    const FunctionBuilder *b;
    bool *inside;      // blocks of the loop, which are
    uint32_t *blocks, count; // ... these
    bool *decided;     // of these: reached by some outcome only of what was read
    uint32_t *stack;
    uint32_t *ways, *last_way, way; // from a branch: how many lead to a block, the last one counted
    uint8_t *writes;   // instructions of the loop that write the register, 2: more than one
    uint64_t *changes; // registers that may differ from turn to turn
    uint64_t *read;    // registers that hold what was read, or follow from it
} Polls;

// ---- the loop ----

static const Instruction *last_of(const FunctionBuilder *b, uint32_t block)
{
    return &b->code[b->blocks[block].end - 1];
}

static void add_block(Polls *l, uint32_t block)
{
    l->inside[block] = true;
    l->blocks[l->count++] = block;
}

// The blocks from which control comes to `latch` without passing `head`, which it goes back to.
// false: it does not come from there.
static bool find_loop(Polls *l, uint32_t head, uint32_t latch)
{
    const Block *blocks = l->b->blocks;
    uint32_t depth = 0;
    while (l->count) l->inside[l->blocks[--l->count]] = false;
    add_block(l, head);
    if (latch == head) return true;
    add_block(l, latch);
    l->stack[depth++] = latch;
    bool found = false;
    while (depth) {
        const Block *block = &blocks[l->stack[--depth]];
        for (uint32_t i = 0; i < block->previous_count; i++) {
            uint32_t from = block->previous[i];
            found |= from == head;
            if (l->inside[from]) continue;
            add_block(l, from);
            l->stack[depth++] = from;
        }
    }
    return found;
}

// ---- what differs from turn to turn ----

static bool is_memory(const UOp *op)
{
    return op->code == UOP_LD || op->code == UOP_ATOM;
}

static bool is_call(const UOp *op)
{
    return op->code == UOP_CALL || op->code == UOP_CALL_POINTER;
}

// Reads from L2, what other threads have written: what a loop waits for.
static bool is_shown(const UOp *op)
{
    return op->code == UOP_ATOM || op->flags & UF_VOLATILE || op->cache == CACHE_CV ||
           op->cache == CACHE_CG;
}

// Does the loop write where the instruction reads? (By the same address: in code that is not
// optimised all variables are in memory.)
static bool is_written(const Polls *l, const Instruction *load)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &l->b->blocks[l->blocks[i]];
        for (uint32_t at = block->start; at < block->end; at++) {
            const Instruction *in = &l->b->code[at];
            if (in->op.code == UOP_ST && in->src[0] == load->src[0] && in->op.imm == load->op.imm)
                return true;
        }
    }
    return false;
}

// Gives the same in each turn where its sources do. So does a plain load: a fence in the loop makes
// the compiler load the address anew that it polls.
static bool repeats(const Polls *l, const Instruction *in)
{
    const UOp *op = &in->op;
    switch (op->code) {
    case UOP_LD:
        return op->space != SPACE_FRAME_PARAM && !is_shown(op) && !is_written(l, in);
    case UOP_SREG: return op->imm < SREG_CLOCK || op->imm > SREG_GLOBALTIMER_HI;
    case UOP_ATOM:
    case UOP_CALL:
    case UOP_CALL_POINTER:
    case UOP_SYSTEM:
    case UOP_ALLOCA:
    case UOP_STACKSAVE:
    case UOP_TEX:
    case UOP_SULD:
    case UOP_SHFL:
    case UOP_VOTE:
    case UOP_ACTIVEMASK:
    case UOP_MATCH:
    case UOP_REDUX:
    case UOP_BAR: return false;
    default: return true;
    }
}

static void count_writes(Polls *l)
{
    const FunctionBuilder *b = l->b;
    memset(l->writes, 0, b->register_count);
    memset(l->changes, 0, (b->register_count + 63) / 64 * sizeof *l->changes);
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOpTiming *t = &b->timing[at];
            for (unsigned k = 0; k < t->write_count; k++) {
                if (l->writes[t->writes[k]] < 2) l->writes[t->writes[k]]++;
                bit_set(l->changes, t->writes[k]);
            }
        }
    }
}

// Takes the registers out that a single instruction makes of what does not change.
static bool settle_block(Polls *l, const Block *block)
{
    const FunctionBuilder *b = l->b;
    bool settled = false;
    for (uint32_t at = block->start; at < block->end; at++) {
        const Instruction *in = &b->code[at];
        const UOpTiming *t = &b->timing[at];
        bool same = t->write_count == 1 && bit_get(l->changes, t->writes[0]) &&
                    l->writes[t->writes[0]] == 1 && in->guard == VALUE_NONE && repeats(l, in);
        for (unsigned k = 0; same && k < t->read_count; k++)
            same = !bit_get(l->changes, t->reads[k]);
        if (!same) continue;
        bit_clear(l->changes, t->writes[0]);
        settled = true;
    }
    return settled;
}

static void find_changes(Polls *l)
{
    count_writes(l);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->count; i++)
            again |= settle_block(l, &l->b->blocks[l->blocks[i]]);
    }
}

// ---- what follows from what was read ----

static bool reads_a_place(const Polls *l, const Instruction *in, bool calls)
{
    const UOp *op = &in->op;
    if (!is_memory(op) || op->space == SPACE_LOCAL) return false;
    if (op->code == UOP_LD && op->space == SPACE_FRAME_PARAM) return calls;
    return is_shown(op) && !(value_is_register(in->src[0]) && bit_get(l->changes, in->src[0]));
}

// Without a guard, in a block of each turn: the first or the last of the loop.
static const Instruction *writer_in_each_turn(const Polls *l, Value value)
{
    const FunctionBuilder *b = l->b;
    for (uint32_t i = 0; i < l->count && i < 2; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        for (uint32_t at = block->start; at < block->end; at++) {
            const Instruction *in = &b->code[at];
            if (in->guard == VALUE_NONE && in->dst[0] == value) return in;
        }
    }
    return NULL;
}

static bool varies(const Polls *l, Value value)
{
    return value_is_register(value) && bit_get(l->changes, value);
}

// The loop adds the same to this register in each turn: at once, or by way of another one.
static bool is_counted(const Polls *l, Value value)
{
    enum { STEPS = 3 };
    bool adds = false;
    Value at = value;
    for (unsigned step = 0; step < STEPS; step++) {
        if (!varies(l, at) || l->writes[at] != 1) return false;
        const Instruction *in = writer_in_each_turn(l, at);
        if (!in) return false;
        unsigned from = in->op.code == UOP_ADD && varies(l, in->src[1]);
        bool sum = in->op.code == UOP_ADD || in->op.code == UOP_SUB;
        if (!(sum && !varies(l, in->src[1 - from])) && in->op.code != UOP_MOV) return false;
        adds |= sum;
        at = in->src[from];
        if (at == value) return adds;
    }
    return false;
}

// Compares what was read, as a bound, with what the loop counts.
static bool is_bound(const Polls *l, const Instruction *in)
{
    return in->op.code == UOP_SETP && in->op.modifier != CMP_EQ && in->op.modifier != CMP_NE &&
           (is_counted(l, in->src[0]) || is_counted(l, in->src[1]));
}

static bool follows(const Polls *l, uint32_t at, bool calls)
{
    const UOpTiming *t = &l->b->timing[at];
    const Instruction *in = &l->b->code[at];
    for (unsigned k = 0; k < t->read_count; k++) // the guard is among them
        if (bit_get(l->read, t->reads[k])) return !is_bound(l, in);
    return reads_a_place(l, in, calls);
}

// Counts one more way to each block to which control comes from `from` in the same turn.
static void count_way(Polls *l, uint32_t from)
{
    const Block *blocks = l->b->blocks;
    uint32_t depth = 0, head = l->blocks[0];
    l->way++;
    if (!l->inside[from] || from == head) return;
    l->last_way[from] = l->way;
    l->stack[depth++] = from;
    while (depth) {
        uint32_t at = l->stack[--depth];
        l->ways[at]++;
        for (uint32_t i = 0; i < blocks[at].next_count; i++) {
            uint32_t to = blocks[at].next[i];
            if (!l->inside[to] || to == head || l->last_way[to] == l->way) continue;
            l->last_way[to] = l->way;
            l->stack[depth++] = to;
        }
    }
}

// What follows from what was read decides a branch: and so whether control comes in this turn to
// what only some of its ways lead to.
static bool mark_decided(Polls *l, uint32_t branch)
{
    const Block *block = &l->b->blocks[branch];
    bool news = false;
    for (uint32_t i = 0; i < l->count; i++) l->ways[l->blocks[i]] = 0;
    for (uint32_t i = 0; i < block->next_count; i++) count_way(l, block->next[i]);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t at = l->blocks[i];
        if (!l->ways[at] || l->ways[at] == block->next_count || l->decided[at]) continue;
        l->decided[at] = news = true;
    }
    return news;
}

// Can the loop be left at the end of the block?
static bool leaves(const Polls *l, const Block *block)
{
    bool out = block->exits;
    for (uint32_t i = 0; i < block->next_count; i++) out |= !l->inside[block->next[i]];
    return out;
}

// One pass over a block. Returns whether something new follows; *polls: an exit does.
static bool spread(Polls *l, uint32_t index, bool calls, bool *polls)
{
    const FunctionBuilder *b = l->b;
    const Block *block = &b->blocks[index];
    bool news = false;
    for (uint32_t at = block->start; at < block->end; at++) {
        const UOpTiming *t = &b->timing[at];
        if (!l->decided[index] && !follows(l, at, calls)) continue;
        for (unsigned k = 0; k < t->write_count; k++) {
            news |= !bit_get(l->read, t->writes[k]);
            bit_set(l->read, t->writes[k]);
        }
    }
    uint32_t end = block->end - 1;
    bool decides = block->next_count + block->exits > 1 && follows(l, end, false);
    if (leaves(l, block) && (decides || l->decided[index])) *polls = true;
    return (decides && mark_decided(l, index)) || news;
}

static bool loop_polls(Polls *l)
{
    const FunctionBuilder *b = l->b;
    bool calls = false, source = false, polls = false;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        l->decided[l->blocks[i]] = false;
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOp *op = &b->code[at].op;
            calls |= is_call(op);
            source |= is_call(op) || (is_memory(op) && is_shown(op));
        }
    }
    if (!source) return false;
    find_changes(l);
    memset(l->read, 0, (b->register_count + 63) / 64 * sizeof *l->read);
    for (bool again = true; again && !polls;) {
        again = false;
        for (uint32_t i = 0; i < l->count && !polls; i++)
            again |= spread(l, l->blocks[i], calls, &polls);
    }
    return polls;
}

bool polling_loops_find(Parser *p, const FunctionBuilder *b)
{
    size_t words = b->register_count / 64 + 1, edges = 2;
    for (uint32_t i = 0; i < b->block_count; i++)
        edges += b->blocks[i].next_count + b->blocks[i].previous_count;
    Polls l = {.b = b,
               .inside = scratch_new(p, b->block_count, sizeof *l.inside),
               .blocks = scratch_new(p, b->block_count, sizeof *l.blocks),
               .decided = scratch_new(p, b->block_count, sizeof *l.decided),
               .stack = scratch_new(p, edges, sizeof *l.stack),
               .ways = scratch_new(p, b->block_count, sizeof *l.ways),
               .last_way = scratch_new(p, b->block_count, sizeof *l.last_way),
               .writes = scratch_new(p, b->register_count + 1, sizeof *l.writes),
               .changes = scratch_new(p, words, sizeof *l.changes),
               .read = scratch_new(p, words, sizeof *l.read)};
    if (!l.inside || !l.blocks || !l.decided || !l.stack || !l.ways || !l.last_way || !l.writes ||
        !l.changes || !l.read)
        return false;
    for (uint32_t i = 0; i < b->block_count; i++) {
        const Block *block = &b->blocks[i];
        unsigned code = last_of(b, i)->op.code;
        if (code != UOP_BRA && code != UOP_BRX) continue;
        for (uint32_t k = 0; k < block->next_count; k++) {
            if (block->next[k] > i || !find_loop(&l, block->next[k], i)) continue;
            if (loop_polls(&l)) b->timing[block->end - 1].polls = true;
        }
    }
    return true;
}
