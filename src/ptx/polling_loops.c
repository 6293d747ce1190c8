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

#include <stdlib.h>

// The address of a store in the loop.
typedef struct Store {
    Value base;
    int64_t offset;
} Store;

typedef struct Polls {
    Parser *p;
    const FunctionBuilder *b;
    const Liveness *live;
    const Dominators *dominators;
    bool *inside;      // by block: is in the loop
    uint32_t *blocks, count; // block numbers of the loop, its head first
    uint32_t *in_order; // the same, in the order of the text
    size_t instructions; // of the loop
    Store *stores;
    size_t store_count;
    bool *decided;     // by block: whether control reaches it depends on a polled value
    bool *marked;      // by block: what its branch decides is marked, or will be
    uint32_t *found, found_count; // branches of two ways that a polled value decides, to be marked
    uint64_t *reach, *passed; // by block: ways that lead to it, and those that it passed on
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

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

// Finds the blocks of the loop with the back edge from `latch` to `head`: those that reach `latch`
// without passing `head`. `head` leads to `latch`.
static bool find_loop(Polls *l, uint32_t head, uint32_t latch)
{
    const Block *blocks = l->b->blocks;
    uint32_t depth = 0;
    uint64_t steps = 0;
    while (l->count) l->inside[l->blocks[--l->count]] = false;
    add_block(l, head);
    if (latch != head) {
        add_block(l, latch);
        l->stack[depth++] = latch;
    }
    while (depth) {
        const Block *block = &blocks[l->stack[--depth]];
        steps += block->previous_count;
        for (uint32_t i = 0; i < block->previous_count; i++) {
            uint32_t from = block->previous[i];
            if (l->inside[from]) continue;
            add_block(l, from);
            l->stack[depth++] = from;
        }
    }
    l->instructions = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &blocks[l->blocks[i]];
        l->in_order[i] = l->blocks[i];
        l->instructions += block->end - block->start;
    }
    return effort_spend(l->p, l->b, steps + l->instructions);
}

// Finds the loop that a branch from block `from` back to block `to` of the text is part of. It is
// the one with that back edge if `to` dominates `from`. Otherwise the text starts the loop in its
// middle, as clang's rotated loops do, and it is the innermost natural loop with the branch inside.
// Where no path has a single entry, it is every block that reaches `from`.
static bool find_loop_of_branch(Polls *l, uint32_t from, uint32_t to)
{
    const Dominators *d = l->dominators;
    uint64_t steps = 0;
    if (dominates(d, to, from)) return find_loop(l, to, from);
    for (uint32_t head = from; head != NO_NUMBER; head = d->of[head]) {
        const Block *block = &l->b->blocks[head];
        for (uint32_t i = 0; i < block->previous_count; i++) {
            if (!dominates(d, head, block->previous[i])) continue;
            if (!find_loop(l, head, block->previous[i])) return false;
            if (l->inside[from] && l->inside[to]) return effort_spend(l->p, l->b, steps);
        }
        steps += 1 + block->previous_count;
    }
    return effort_spend(l->p, l->b, steps) && find_loop(l, to, from);
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

static int by_address(const void *x, const void *y)
{
    const Store *a = x, *b = y;
    if (a->base != b->base) return a->base < b->base ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

// Whether the loop writes to the address of the load. In code without optimisation, all variables
// are in memory.
static bool is_written(const Polls *l, const Instruction *load)
{
    return bsearch(&(Store){load->src[0], load->op.imm}, l->stores, l->store_count,
                   sizeof *l->stores, by_address);
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
    case UOP_ENGINE:
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

// Makes the sets of registers empty again.
static void forget_changes(Polls *l)
{
    const FunctionBuilder *b = l->b;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOpTiming *t = &b->timing[at];
            for (unsigned k = 0; k < t->write_count; k++) {
                l->writes[t->writes[k]] = 0;
                bit_clear(l->changes, t->writes[k]);
                bit_clear(l->read, t->writes[k]);
            }
        }
    }
}

static bool find_changes(Polls *l)
{
    const FunctionBuilder *b = l->b;
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
            again |= settle_block(l, &l->b->blocks[l->in_order[i]]);
        if (!effort_spend(l->p, b, l->instructions)) return false;
    }
    return true;
}

// Whether the registers that are live at the head of the loop do not change.
static bool starts_the_same(const Polls *l)
{
    const FunctionBuilder *b = l->b;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOpTiming *t = &b->timing[at];
            for (unsigned k = 0; k < t->write_count; k++)
                if (bit_get(l->changes, t->writes[k]) &&
                    liveness_has(l->live, l->live->in, l->blocks[0], t->writes[k]))
                    return false;
        }
    }
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

enum { BRANCHES_AT_ONCE = 32 }; // two ways of each are 64 bits

// Counts one more way to each block that `from` reaches in the same iteration. Returns the steps.
static uint64_t count_way(Polls *l, uint32_t from)
{
    const Block *blocks = l->b->blocks;
    uint32_t depth = 0, head = l->blocks[0];
    uint64_t steps = 1;
    l->way++;
    if (!l->inside[from] || from == head) return steps;
    l->last_way[from] = l->way;
    l->stack[depth++] = from;
    while (depth) {
        uint32_t at = l->stack[--depth];
        l->ways[at]++;
        steps += 1 + blocks[at].next_count;
        for (uint32_t i = 0; i < blocks[at].next_count; i++) {
            uint32_t to = blocks[at].next[i];
            if (!l->inside[to] || to == head || l->last_way[to] == l->way) continue;
            l->last_way[to] = l->way;
            l->stack[depth++] = to;
        }
    }
    return steps;
}

// Marks the blocks that only some successors of the branch reach in the same iteration. *changed:
// there are new ones.
static bool mark_branch(Polls *l, uint32_t branch, bool *changed)
{
    const Block *block = &l->b->blocks[branch];
    uint64_t steps = 2 * (uint64_t)l->count;
    for (uint32_t i = 0; i < l->count; i++) l->ways[l->blocks[i]] = 0;
    for (uint32_t i = 0; i < block->next_count; i++) steps += count_way(l, block->next[i]);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t at = l->blocks[i];
        if (!l->ways[at] || l->ways[at] == block->next_count || l->decided[at]) continue;
        l->decided[at] = *changed = true;
    }
    return effort_spend(l->p, l->b, steps);
}

// Adds ways to a block that a way reaches in the same iteration.
static bool add_ways(Polls *l, uint32_t block, uint64_t ways)
{
    if (!l->inside[block] || block == l->blocks[0] || !(ways & ~l->reach[block])) return false;
    l->reach[block] |= ways;
    return true;
}

// The same as mark_branch for the branches in `found`, together: the two ways of branch i are bits
// 2i and 2i + 1.
static bool mark_found(Polls *l, bool *changed)
{
    const Block *blocks = l->b->blocks;
    uint64_t steps = 2 * (uint64_t)l->count;
    for (uint32_t i = 0; i < l->count; i++)
        l->reach[l->blocks[i]] = l->passed[l->blocks[i]] = 0;
    for (uint32_t i = 0; i < 2 * l->found_count; i++)
        add_ways(l, blocks[l->found[i / 2]].next[i % 2], UINT64_C(1) << i);
    l->found_count = 0;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->count; i++) {
            uint32_t at = l->in_order[i];
            uint64_t ways = l->reach[at];
            if (ways == l->passed[at]) continue;
            l->passed[at] = ways;
            steps += blocks[at].next_count;
            for (uint32_t k = 0; k < blocks[at].next_count; k++)
                again |= add_ways(l, blocks[at].next[k], ways) && blocks[at].next[k] <= at;
        }
        if (!effort_spend(l->p, l->b, l->count)) return false;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t at = l->blocks[i];
        uint64_t one = (l->reach[at] ^ l->reach[at] >> 1) & UINT64_C(0x5555555555555555);
        if (!one || l->decided[at]) continue;
        l->decided[at] = *changed = true;
    }
    return effort_spend(l->p, l->b, steps);
}

// A polled value decides the branch at the end of a block. *changed: blocks are marked for it.
static bool mark_decided(Polls *l, uint32_t branch, bool *changed)
{
    if (l->marked[branch]) return true;
    l->marked[branch] = true;
    if (l->b->blocks[branch].next_count < 2) return true;
    if (l->b->blocks[branch].next_count > 2) return mark_branch(l, branch, changed);
    l->found[l->found_count++] = branch;
    return l->found_count < BRANCHES_AT_ONCE || mark_found(l, changed);
}

// Propagates the dependence through a block. *changed: something is new. Sets *polls if an exit
// depends on a polled value.
static bool spread(Polls *l, uint32_t index, bool calls, bool *polls, bool *changed)
{
    const FunctionBuilder *b = l->b;
    const Block *block = &b->blocks[index];
    for (uint32_t at = block->start; at < block->end; at++) {
        const UOpTiming *t = &b->timing[at];
        if (!l->decided[index] && !depends(l, at, calls)) continue;
        for (unsigned k = 0; k < t->write_count; k++) {
            *changed |= !bit_get(l->read, t->writes[k]);
            bit_set(l->read, t->writes[k]);
        }
    }
    uint32_t end = block->end - 1;
    bool decides = block->next_count + block->exits > 1 && depends(l, end, false);
    bool leaves = block->exits; // the loop can exit at the end of this block
    for (uint32_t i = 0; i < block->next_count; i++) leaves |= !l->inside[block->next[i]];
    if (leaves && (decides || l->decided[index])) *polls = true;
    return !decides || mark_decided(l, index, changed);
}

// Spreads the dependence until nothing is new, or an exit depends on a polled value.
static bool spread_all(Polls *l, bool calls, bool *polls)
{
    for (bool again = true; again && !*polls;) {
        again = false;
        for (uint32_t i = 0; i < l->count && !*polls; i++)
            if (!spread(l, l->in_order[i], calls, polls, &again)) return false;
        if (!*polls && l->found_count && !mark_found(l, &again)) return false;
        if (!effort_spend(l->p, l->b, l->instructions)) return false;
    }
    return true;
}

// *polls: whether the loop does.
static bool loop_polls(Polls *l, bool *polls)
{
    const FunctionBuilder *b = l->b;
    bool calls = false, reads = false, stores = false;
    *polls = false;
    l->store_count = l->found_count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const Block *block = &b->blocks[l->blocks[i]];
        l->decided[l->blocks[i]] = l->marked[l->blocks[i]] = false;
        for (uint32_t at = block->start; at < block->end; at++) {
            const UOp *op = &b->code[at].op;
            calls |= is_call(op);
            reads |= is_memory(op) && reads_shared_value(op);
            stores |= op->code == UOP_ST || op->code == UOP_RED || op->code == UOP_SUST ||
                      op->code == UOP_SURED || op->code == UOP_SYSTEM;
            if (op->code == UOP_ST)
                l->stores[l->store_count++] = (Store){b->code[at].src[0], op->imm};
        }
    }
    if (!calls && !reads) return true;
    qsort(l->in_order, l->count, sizeof *l->in_order, by_number);
    qsort(l->stores, l->store_count, sizeof *l->stores, by_address);
    if (!find_changes(l)) return false;
    *polls = !calls && !stores && starts_the_same(l);
    bool ok = *polls || spread_all(l, calls, polls);
    forget_changes(l);
    return ok;
}

// ---- all loops ----

// Whether a loop of the function may poll. *stores: how many there are.
static bool may_poll(const FunctionBuilder *b, size_t *stores)
{
    bool may = false;
    *stores = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const UOp *op = &b->code[i].op;
        may |= is_call(op) || (is_memory(op) && reads_shared_value(op));
        *stores += op->code == UOP_ST;
    }
    return may;
}

// The strong components of the control-flow graph, by block.
static uint32_t *find_components(Parser *p, const FunctionBuilder *b, size_t edges)
{
    uint32_t *component = scratch_new(p, b->block_count, sizeof *component), count = 0;
    uint32_t *order = scratch_new(p, b->block_count, sizeof *order);
    Graph g = {.count = b->block_count,
               .first = scratch_new(p, (size_t)b->block_count + 1, sizeof *g.first),
               .to = scratch_new(p, edges, sizeof *g.to)};
    if (!component || !order || !g.first || !g.to) return NULL;
    for (uint32_t i = 0; i < b->block_count; i++) {
        for (uint32_t k = 0; k < b->blocks[i].next_count; k++)
            g.to[count++] = b->blocks[i].next[k];
        g.first[i + 1] = count;
    }
    return components_find(p, &g, component, order) ? component : NULL;
}

bool polling_loops_find(Parser *p, const FunctionBuilder *b, const Liveness *live)
{
    size_t words = b->register_count / 64 + 1, blocks = b->block_count, edges = 2, stores;
    if (!may_poll(b, &stores)) return true;
    for (uint32_t i = 0; i < blocks; i++)
        edges += b->blocks[i].next_count + b->blocks[i].previous_count;
    const uint32_t *component = find_components(p, b, edges);
    Dominators dominators;
    if (!component || !dominators_find(p, b, false, &dominators)) return false;
    Polls l = {.p = p, .b = b, .live = live, .dominators = &dominators,
               .inside = scratch_new(p, blocks, sizeof *l.inside),
               .blocks = scratch_new(p, blocks, sizeof *l.blocks),
               .in_order = scratch_new(p, blocks, sizeof *l.in_order),
               .stores = scratch_new(p, stores, sizeof *l.stores),
               .decided = scratch_new(p, blocks, sizeof *l.decided),
               .marked = scratch_new(p, blocks, sizeof *l.marked),
               .found = scratch_new(p, BRANCHES_AT_ONCE, sizeof *l.found),
               .reach = scratch_new(p, blocks, sizeof *l.reach),
               .passed = scratch_new(p, blocks, sizeof *l.passed),
               .stack = scratch_new(p, edges, sizeof *l.stack),
               .ways = scratch_new(p, blocks, sizeof *l.ways),
               .last_way = scratch_new(p, blocks, sizeof *l.last_way),
               .writes = scratch_new(p, b->register_count + 1, sizeof *l.writes),
               .changes = scratch_new(p, words, sizeof *l.changes),
               .read = scratch_new(p, words, sizeof *l.read)};
    if (!l.inside || !l.blocks || !l.in_order || !l.stores || !l.decided ||
        !l.marked || !l.found || !l.reach || !l.passed || !l.stack || !l.ways || !l.last_way ||
        !l.writes || !l.changes || !l.read)
        return false;
    for (uint32_t i = 0; i < blocks; i++) {
        const Block *block = &b->blocks[i];
        unsigned code = b->code[block->end - 1].op.code;
        if (code != UOP_BRA && code != UOP_BRX) continue;
        for (uint32_t k = 0; k < block->next_count; k++) {
            bool polls;
            if (block->next[k] > i || component[block->next[k]] != component[i]) continue;
            if (!find_loop_of_branch(&l, i, block->next[k]) || !loop_polls(&l, &polls))
                return false;
            b->timing[block->end - 1].polls |= polls;
        }
    }
    return true;
}
