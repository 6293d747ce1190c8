// The analyses of a function, in the order in which they run. Part of internal.h, which declares
// what they work on.
#ifndef HEDDLE_PTX_ANALYSES_H
#define HEDDLE_PTX_ANALYSES_H

bool timing_compute(Parser *p, FunctionBuilder *b);  // timing.c: reads and writes
// timing.c: bank reads and writes. vector: the registers that are no scalar registers.
void banks_compute(const Parser *p, const FunctionBuilder *b, const uint64_t *vector);
bool cfg_compute(Parser *p, FunctionBuilder *b); // cfg.c: blocks, post-dominators, reconvergence

// dominators.c
typedef struct Dominators {
    uint32_t *of; // by block: the immediate dominator; NO_NUMBER: none, or the virtual exit
    uint32_t *order, count; // the blocks that were reached, each behind its dominator
    // Not with `post`. By block: the blocks that it dominates have the numbers from `start` on,
    // before `end`, in an order of the tree of dominators. end 0: it is never reached.
    uint32_t *start, *end;
} Dominators;
// Finds the dominators of all blocks that are reachable from block 0. `post`: the post-dominators
// of all blocks; then `order` contains the virtual exit, block_count.
bool dominators_find(Parser *p, const FunctionBuilder *b, bool post, Dominators *d);
// Whether block `above` is on each path from block 0 to block `at`. false if one is never reached.
static inline bool dominates(const Dominators *d, uint32_t above, uint32_t at)
{
    return d->end[at] && d->start[above] <= d->start[at] && d->start[at] < d->end[above];
}
// The edges of node i lead to the nodes to[first[i]] .. to[first[i + 1] - 1].
typedef struct Graph {
    uint32_t count, *first, *to;
} Graph;
// Numbers the strong components, in an order in which no edge leads to a larger number. `order`:
// the nodes in this order.
bool components_find(Parser *p, const Graph *g, uint32_t *component, uint32_t *order);

// liveness.c: bit sets of registers by block, in columns of 64 registers. Most registers are live
// within one block only; these have no position in the sets.
typedef struct Liveness {
    uint32_t words, count, blocks;
    uint32_t *numbers; // virtual register numbers, by position
    uint32_t *positions; // by register number; NO_NUMBER: none
    uint64_t *in;   // at a block's start: read before written, on some path
    uint64_t *kept; // at a block's end: the same, and written on some path from the entry
    // By position: the first and last instruction at which the register is kept or a late result
    // may still be outstanding, at the start or the end of a block. None: first > last.
    uint32_t *first, *last;
} Liveness;
bool liveness_compute(Parser *p, const FunctionBuilder *b, Liveness *live);
// The word of a bit set for 64 registers, from position 64 * column on.
static inline size_t liveness_word(const Liveness *l, uint32_t column, uint32_t block)
{
    return (size_t)column * l->blocks + block;
}
// Whether the register is in the set of a block.
static inline bool liveness_has(const Liveness *l, const uint64_t *set, uint32_t block,
                                uint32_t number)
{
    uint32_t at = l->positions[number];
    return at != NO_NUMBER && set[liveness_word(l, at / 64, block)] >> (at % 64) & 1;
}

// The instructions that read each register, in the order of the text: items[first[r]] ..
// items[first[r + 1] - 1]. With `writes`, those that write it.
typedef struct Mentions { uint32_t *first, *items; } Mentions;
bool mentions_find(Parser *p, const FunctionBuilder *b, bool writes, Mentions *m);

// contract.c: makes fused multiply-adds of unrounded multiplications and additions. *changed: the
// analyses above must run again.
bool contract(Parser *p, FunctionBuilder *b, const Liveness *live, bool *changed);

// Registers that an analysis has marked, and those of them whose consequences are not found yet.
typedef struct MarkedRegisters {
    uint64_t *set;
    uint32_t *found, found_count;
} MarkedRegisters;

// regions.c: the blocks that the successors of a branch reach in front of its post-dominator. One
// region at a time.
typedef struct Regions {
    const FunctionBuilder *b;
    const Liveness *live;
    uint32_t branch;         // the block that ends in the branch
    uint32_t *blocks, count; // that the walks have reached
    uint32_t *reached; // by block: the last walk that reached it
    uint32_t walk, first; // the last walk, and the first one of this branch
    uint32_t *meets; // by block: the last branch of which more than one successor reaches it, + 1
    uint32_t *stack;
    uint64_t *written; // by liveness position: registers that noted blocks write
    uint32_t *columns, column_count; // the words of `written` that are not 0
} Regions;
bool regions_new(Parser *p, const FunctionBuilder *b, const Liveness *live, Regions *r);
void region_start(Regions *r, uint32_t branch);
// Walks from one successor to the branch's post-dominator, and notes the blocks. note_again: also
// those that an earlier walk has noted. Returns the steps.
uint64_t region_walk(Regions *r, uint32_t from, bool note_again);
// Notes the registers that a block writes, and that are live beyond one block.
void region_note(Regions *r, uint32_t block);
// Whether more than one successor of the branch reaches the block, or the block is its
// post-dominator.
static inline bool region_meets(const Regions *r, uint32_t block)
{
    return r->meets[block] == r->branch + 1;
}
bool marked_new(Parser *p, const FunctionBuilder *b, MarkedRegisters *m); // none is marked
// Marks the registers of a column's set.
void marked_add_column(MarkedRegisters *m, const Liveness *live, uint32_t column, uint64_t set);

// uniform.c: UOpTiming.uniform
typedef struct Uniform {
    MarkedRegisters varying;
    Mentions readers;
    Regions regions;
} Uniform;
bool uniform_compute(Parser *p, const FunctionBuilder *b, const Liveness *live, Uniform *u);
// scalar.c: UOpTiming.scalar. *vector: the set of registers that are no scalar registers.
bool scalar_compute(Parser *p, const FunctionBuilder *b, Uniform *u, const uint64_t **vector);
// polling_loops.c
bool polling_loops_find(Parser *p, const FunctionBuilder *b, const Liveness *live);
bool loops_find(Parser *p, FunctionBuilder *b); // loops.c: PtxFunction.loops
// register_count.c; 0: failed
uint32_t registers_count(Parser *p, const FunctionBuilder *b, const Liveness *live);
bool slots_assign(Parser *p, FunctionBuilder *b, const Liveness *live); // register_slots.c
bool function_finish(Parser *p, FunctionBuilder *b); // finish.c: runs all analyses
// Counts steps of an analysis that may take more than linear time. Fails if the function's analyses
// take too many for its size. In finish.c.
bool effort_spend(Parser *p, const FunctionBuilder *b, uint64_t steps);

static inline bool bit_get(const uint64_t *set, uint32_t i) { return set[i / 64] >> (i % 64) & 1; }
static inline void bit_set(uint64_t *set, uint32_t i) { set[i / 64] |= UINT64_C(1) << (i % 64); }
static inline void bit_clear(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
static inline void marked_add(MarkedRegisters *m, uint32_t number)
{
    if (bit_get(m->set, number)) return;
    bit_set(m->set, number);
    m->found[m->found_count++] = number;
}
// Whether the instruction may send lanes to different blocks.
static inline bool is_branch(const Instruction *in)
{
    return in->op.code == UOP_BRX || (in->op.code == UOP_BRA && in->guard != VALUE_NONE);
}

#endif
