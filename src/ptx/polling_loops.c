// Finds polling loops, which wait for another thread to change a memory location.
//
// A polling loop reads the same location in each iteration, by an atomic or a volatile (relaxed,
// acquire) load whose address the loop does not change. The value decides whether the loop exits:
// directly, through other registers, or because only one outcome leads to an exit. The result of a
// function that the loop calls counts as such a value. A loop that walks through memory (a linked
// list, one atomic per element) does not poll. Neither does a loop that counts up to the value (a
// volatile bound), because it ends without another thread.
//
// A loop also polls if it reads such a value anywhere and each iteration starts with the same
// values in all registers, without a store in between: nothing but another thread can make an
// iteration differ. Such a loop may walk through memory, and walk again from the start (insertion
// into a tree whose nodes are locked).
#include "ptx/internal.h"

#include <string.h>

typedef struct Polls {
    const FunctionBuilder *b;
    const Liveness *live;
    bool *inside;      // by block: is in the loop
    uint32_t *blocks, count; // block numbers of the loop, its head first
    bool *decided;     // by block: whether control reaches it depends on a polled value
    uint32_t *stack;
    uint32_t *ways;    // by block: how many successors of a branch lead to it
    uint32_t *last_way, way; // by block: the last successor that was counted; the current one
    uint8_t *writes;   // by register: how many instructions of the loop write it; 2: two or more
    uint64_t *changes; // registers that may differ between iterations
    uint64_t *read;    // registers that depend on a polled value
} Polls;

// ---- the loop ----

static void add_block(Polls *l, uint32_t block)
{
    l->inside[block] = true;
    l->blocks[l->count++] = block;
}

// Finds the blocks of the loop with the back edge from `latch` to `head`: those that reach `latch`
// without passing `head`. false: `head` does not lead to `latch`.
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

// ---- which registers change between iterations ----

static bool is_memory(const UOp *op)
{
    return op->code == UOP_LD || op->code == UOP_ATOM;
}

static bool is_call(const UOp *op)
{
    return op->code == UOP_CALL || op->code == UOP_CALL_POINTER;
}

// Whether the load or atomic sees other threads' writes: it reads from L2.
static bool reads_shared_value(const UOp *op)
{
    return op->code == UOP_ATOM || op->flags & UF_VOLATILE || op->cache == CACHE_CV ||
           op->cache == CACHE_CG;
}

// Whether the loop writes to the address of the load. In code without optimisation, all variables
// are in memory.
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

// Whether the instruction gives the same result in each iteration if its sources are the same. A
// plain load counts: with a fence in the loop, the compiler loads the polled address again in each
// iteration.
static bool repeats(const Polls *l, const Instruction *in)
{
    const UOp *op = &in->op;
    switch (op->code) {
    case UOP_LD:
        return op->space != SPACE_FRAME_PARAM && !reads_shared_value(op) && !is_written(l, in);
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

// Removes registers from `changes` that one instruction computes from registers that do not change.
// Returns whether there were any.
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
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->count; i++)
            again |= settle_block(l, &l->b->blocks[l->blocks[i]]);
    }
}

// Whether the registers that are live at the head of the loop do not change.
static bool starts_the_same(const Polls *l)
{
    const uint64_t *in = l->live->in + (size_t)l->blocks[0] * l->live->words;
    for (uint32_t w = 0; w < l->live->words; w++)
        for (uint64_t set = in[w]; set; set &= set - 1)
            if (bit_get(l->changes, l->live->numbers[w * 64 + (uint32_t)__builtin_ctzll(set)]))
                return false;
    return true;
}

// ---- which registers and blocks depend on a polled value ----

// Finds an instruction without a guard that writes the register in each iteration: in the first or
// last block of the loop.
static const Instruction *writer_in_each_iteration(const Polls *l, Value value)
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

// Whether the loop adds the same value to the register in each iteration, directly or through other
// registers.
static bool is_counted(const Polls *l, Value value)
{
    enum { STEPS = 3 };
    bool adds = false;
    Value at = value;
    for (unsigned step = 0; step < STEPS; step++) {
        if (!varies(l, at) || l->writes[at] != 1) return false;
        const Instruction *in = writer_in_each_iteration(l, at);
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

// Whether the instruction compares a loop counter with a bound.
static bool is_bound(const Polls *l, const Instruction *in)
{
    return in->op.code == UOP_SETP && in->op.modifier != CMP_EQ && in->op.modifier != CMP_NE &&
           (is_counted(l, in->src[0]) || is_counted(l, in->src[1]));
}

// Whether the instruction depends on a polled value: an operand does, or the instruction itself
// polls. `calls`: results of functions count.
static bool depends(const Polls *l, uint32_t at, bool calls)
{
    const UOpTiming *t = &l->b->timing[at];
    const Instruction *in = &l->b->code[at];
    const UOp *op = &in->op;
    for (unsigned k = 0; k < t->read_count; k++) // the guard included
        if (bit_get(l->read, t->reads[k])) return !is_bound(l, in);
    if (!is_memory(op) || op->space == SPACE_LOCAL) return false;
    if (op->code == UOP_LD && op->space == SPACE_FRAME_PARAM) return calls;
    return reads_shared_value(op) && !varies(l, in->src[0]);
}

// Counts one more way to each block that `from` reaches in the same iteration.
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

// A polled value decides the branch at the end of a block. Marks the blocks that only some of its
// successors reach in the same iteration. Returns whether any is new.
static bool mark_decided(Polls *l, uint32_t branch)
{
    const Block *block = &l->b->blocks[branch];
    bool changed = false;
    for (uint32_t i = 0; i < l->count; i++) l->ways[l->blocks[i]] = 0;
    for (uint32_t i = 0; i < block->next_count; i++) count_way(l, block->next[i]);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t at = l->blocks[i];
        if (!l->ways[at] || l->ways[at] == block->next_count || l->decided[at]) continue;
        l->decided[at] = changed = true;
    }
    return changed;
}

// Propagates the dependence through a block. Returns whether anything changed. Sets *polls if an
// exit depends on a polled value.
static bool spread(Polls *l, uint32_t index, bool calls, bool *polls)
{
    const FunctionBuilder *b = l->b;
    const Block *block = &b->blocks[index];
    bool changed = false;
    for (uint32_t at = block->start; at < block->end; at++) {
        const UOpTiming *t = &b->timing[at];
        if (!l->decided[index] && !depends(l, at, calls)) continue;
        for (unsigned k = 0; k < t->write_count; k++) {
            changed |= !bit_get(l->read, t->writes[k]);
            bit_set(l->read, t->writes[k]);
        }
    }
    uint32_t end = block->end - 1;
    bool decides = block->next_count + block->exits > 1 && depends(l, end, false);
    bool leaves = block->exits; // the loop can exit at the end of this block
    for (uint32_t i = 0; i < block->next_count; i++) leaves |= !l->inside[block->next[i]];
    if (leaves && (decides || l->decided[index])) *polls = true;
    return (decides && mark_decided(l, index)) || changed;
}

static bool loop_polls(Polls *l)
{
    const FunctionBuilder *b = l->b;
    bool calls = false, reads = false, stores = false, polls = false;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        l->decided[l->blocks[i]] = false;
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOp *op = &b->code[at].op;
            calls |= is_call(op);
            reads |= is_memory(op) && reads_shared_value(op);
            stores |= op->code == UOP_ST || op->code == UOP_RED || op->code == UOP_SUST ||
                      op->code == UOP_SURED || op->code == UOP_SYSTEM;
        }
    }
    if (!calls && !reads) return false;
    find_changes(l);
    if (!calls && !stores && starts_the_same(l)) return true;
    memset(l->read, 0, (b->register_count + 63) / 64 * sizeof *l->read);
    for (bool again = true; again && !polls;) {
        again = false;
        for (uint32_t i = 0; i < l->count && !polls; i++)
            again |= spread(l, l->blocks[i], calls, &polls);
    }
    return polls;
}

bool polling_loops_find(Parser *p, const FunctionBuilder *b, const Liveness *live)
{
    size_t words = b->register_count / 64 + 1, edges = 2;
    for (uint32_t i = 0; i < b->block_count; i++)
        edges += b->blocks[i].next_count + b->blocks[i].previous_count;
    Polls l = {.b = b,
               .live = live,
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
        unsigned code = b->code[block->end - 1].op.code;
        if (code != UOP_BRA && code != UOP_BRX) continue;
        for (uint32_t k = 0; k < block->next_count; k++) {
            if (block->next[k] > i || !find_loop(&l, block->next[k], i)) continue;
            if (loop_polls(&l)) b->timing[block->end - 1].polls = true;
        }
    }
    return true;
}
