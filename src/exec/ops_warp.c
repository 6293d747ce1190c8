// Operations across the lanes of a warp (shuffles, votes, matches, reductions), and others that
// write both a value and a predicate.
//
// A member that is not active does not take part. With independent threads (core.divergence=its)
// the core brings all members here at once. With the SIMT stack, diverged lanes of a warp execute
// one split after the other.
#include "exec/exec.h"
#include "exec/op_table.h"

typedef uint32_t __attribute__((may_alias)) lane_32;

// Calls `group` for each group of lanes with the same member mask, which is source operand
// `operand`: several tiles of a warp may execute one instruction together. Only active members take
// part.
static void by_members(const UOp *op, ExecWarp *w, LaneMask mask, unsigned operand,
                       void (*group)(const UOp *, ExecWarp *, LaneMask mask, LaneMask members))
{
    if (op->src[operand] == OPERAND_NONE) {
        group(op, w, mask, mask);
        return;
    }
    const lane_32 *members = exec_operand(w, op->src[operand]);
    for (LaneMask left = mask, same; left; left &= ~same) {
        uint32_t named = members[lanes_first(left)];
        same = 0;
        for (LaneMask rest = left; rest; rest &= rest - 1)
            if (members[lanes_first(rest)] == named) same |= rest & -rest;
        group(op, w, same, named & mask ? named & mask : same);
    }
}

static void store_predicate(ExecWarp *w, Operand dst, LaneMask mask, LaneMask value)
{
    if (dst == OPERAND_NONE) return;
    w->predicates[dst] = (w->predicates[dst] & ~mask) | (value & mask);
}

static void store_uniform(const UOp *op, ExecWarp *w, LaneMask mask, uint32_t value)
{
    if (op->dst[0] == OPERAND_NONE) return;
    lane_32 *to = exec_operand(w, op->dst[0]);
    for (LaneMask left = mask; left; left &= left - 1) to[lanes_first(left)] = value;
}

// ---- shfl ----

// Computes the lane that lane l reads. Returns whether it lies within the segment of l (PTX ISA,
// shfl: bits 0..4 of c are the clamp, bits 8..12 the segment mask).
static bool shuffle_source(ShflMode mode, unsigned l, uint32_t b, uint32_t c, unsigned *source)
{
    unsigned distance = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    unsigned most = (l & segment) | (clamp & ~segment), least = l & segment;
    bool within;
    switch (mode) {
    case SHFL_UP:
        within = (int)(l - distance) >= (int)most; // for .up the clamp is the lowest lane
        *source = l - distance;
        break;
    case SHFL_DOWN:
        within = l + distance <= most;
        *source = l + distance;
        break;
    case SHFL_BFLY:
        within = (l ^ distance) <= most;
        *source = l ^ distance;
        break;
    default: // SHFL_IDX
        *source = least | (distance & ~segment);
        within = *source <= most;
        break;
    }
    if (!within) *source = l;
    return within;
}

static void shfl_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    const lane_32 *a = exec_operand(w, op->src[0]), *b = exec_operand(w, op->src[1]),
                  *c = exec_operand(w, op->src[2]);
    LaneMask within = 0;
    uint32_t r[HD_MAX_LANES];
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left), source;
        bool in = shuffle_source(op->modifier, l, b[l], c[l], &source) &&
                  source < w->block->width;
        if (!in) source = l;
        // The value of an inactive lane is undefined in PTX; GPUs give 0.
        r[l] = mask >> source & 1 ? a[source] : 0;
        if (in) within |= left & -left;
    }
    lane_32 *to = exec_operand(w, op->dst[0]);
    for (LaneMask left = mask; left; left &= left - 1) to[lanes_first(left)] = r[lanes_first(left)];
    store_predicate(w, op->dst[1], mask, within);
}

int exec_shuffle_inactive(const UOp *op, const ExecWarp *w, LaneMask mask, LaneMask readers,
                          unsigned *source)
{
    const lane_32 *b = exec_operand(w, op->src[1]), *c = exec_operand(w, op->src[2]);
    for (LaneMask left = readers; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        if (shuffle_source(op->modifier, l, b[l], c[l], source) && *source < w->block->width &&
            !(mask >> *source & 1))
            return (int)l;
    }
    return -1;
}

// ---- vote, activemask ----

static void vote_group(const UOp *op, ExecWarp *w, LaneMask mask, LaneMask members)
{
    LaneMask p = exec_predicate(w, op->src[0]);
    if (op->flags & UF_NEGATE_A) p = ~p;
    p &= members;
    if (op->modifier == VOTE_BALLOT) {
        store_uniform(op, w, mask, p);
        return;
    }
    bool all = p == members, any = p != 0;
    bool result = op->modifier == VOTE_ALL ? all : op->modifier == VOTE_ANY ? any : all || !any;
    store_predicate(w, op->dst[0], mask, result ? mask : 0);
}
static void vote_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    by_members(op, w, mask, 1, vote_group);
}

static void activemask_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    store_uniform(op, w, mask, mask);
}

// ---- match ----

static uint64_t value_of(const UOp *op, const ExecWarp *w, unsigned l)
{
    return exec_value(w, op->type, op->src[0], l);
}

static void match_group(const UOp *op, ExecWarp *w, LaneMask mask, LaneMask members)
{
    LaneMask equal[HD_MAX_LANES]; // members with the lane's value
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        equal[l] = 0;
        for (LaneMask other = members; other; other &= other - 1)
            if (value_of(op, w, lanes_first(other)) == value_of(op, w, l))
                equal[l] |= other & -other;
    }
    if (op->modifier) { // all
        bool same = equal[lanes_first(members)] == members;
        store_uniform(op, w, mask, same ? members : 0);
        store_predicate(w, op->dst[1], mask, same ? mask : 0);
        return;
    }
    if (op->dst[0] == OPERAND_NONE) return;
    lane_32 *to = exec_operand(w, op->dst[0]);
    for (LaneMask left = mask; left; left &= left - 1)
        to[lanes_first(left)] = equal[lanes_first(left)];
}
static void match_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    by_members(op, w, mask, 1, match_group);
}

// ---- elect: the lowest member ----

static void elect_group(const UOp *op, ExecWarp *w, LaneMask mask, LaneMask members)
{
    store_uniform(op, w, mask, lanes_first(members));
    store_predicate(w, op->dst[1], mask, members & -members);
}
static void elect_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    by_members(op, w, mask, 0, elect_group);
}

// ---- redux ----

static uint32_t reduce(AtomOp operation, PtxType type, uint32_t x, uint32_t y)
{
    bool less = type == PTX_S32 ? (int32_t)y < (int32_t)x : y < x;
    switch (operation) {
    case ATOM_ADD: return x + y;
    case ATOM_MIN: return less ? y : x;
    case ATOM_MAX: return less ? x : y;
    case ATOM_AND: return x & y;
    case ATOM_OR: return x | y;
    case ATOM_XOR: return x ^ y;
    default: return x; // exec_bind accepts no other
    }
}

static void redux_group(const UOp *op, ExecWarp *w, LaneMask mask, LaneMask members)
{
    const lane_32 *a = exec_operand(w, op->src[0]);
    uint32_t value = a[lanes_first(members)];
    for (LaneMask left = members & (members - 1); left; left &= left - 1)
        value = reduce(op->modifier, op->type, value, a[lanes_first(left)]);
    store_uniform(op, w, mask, value);
}
static void redux_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    by_members(op, w, mask, 1, redux_group);
}

// Active lanes are in step, so there is nothing to wait for. (With independent threads the core has
// already brought the members together.)
static void bar_warp_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    (void)op, (void)w, (void)mask;
}

// lop3 with a predicate: whether any bit of the result is set, combined with another predicate.
static void lop3_test_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    const lane_32 *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]),
                  *pc = exec_operand(w, op->src[2]);
    LaneMask other = exec_predicate(w, op->src[3]), any = 0;
    if (op->flags & UF_NEGATE_C) other = ~other;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint32_t r = 0;
        for (unsigned row = 0; row < 8; row++) // row = a * 4 + b * 2 + c
            if (op->imm >> row & 1)
                r |= (row & 4 ? pa[l] : ~pa[l]) & (row & 2 ? pb[l] : ~pb[l]) &
                     (row & 1 ? pc[l] : ~pc[l]);
        if (r) any |= left & -left;
        if (op->dst[0] != OPERAND_NONE) ((lane_32 *)exec_operand(w, op->dst[0]))[l] = r;
    }
    bool both = (op->flags & UF_BOOL_MASK) >> UF_BOOL_SHIFT == 1;
    store_predicate(w, op->dst[1], mask, both ? any & other : any | other);
}

#define ROW(code, type, also, fn)                                                                  \
    {UOP_##code, PTX_##type, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, 0, also, fn##_some, fn##_some}
#define REDUX_ROW(type, operation)                                                                 \
    {UOP_REDUX, PTX_##type, PTX_NONE, ATOM_##operation, ANY_ROUNDING, 0, UF_SYNC, redux_some,      \
     redux_some}

static const OpRow rows[] = {
    ROW(SHFL, U32, UF_SYNC, shfl),
    ROW(VOTE, PRED, UF_SYNC | UF_NEGATE_A, vote), ROW(VOTE, U32, UF_SYNC | UF_NEGATE_A, vote),
    ROW(VOTE, NONE, UF_SYNC | UF_NEGATE_A, vote),
    ROW(ACTIVEMASK, U32, 0, activemask), ROW(ACTIVEMASK, NONE, 0, activemask),
    ROW(MATCH, U32, UF_SYNC, match), ROW(MATCH, U64, UF_SYNC, match),
    ROW(ELECT, NONE, UF_SYNC, elect),
    REDUX_ROW(U32, ADD), REDUX_ROW(U32, MIN), REDUX_ROW(U32, MAX), REDUX_ROW(S32, ADD),
    REDUX_ROW(S32, MIN), REDUX_ROW(S32, MAX), REDUX_ROW(U32, AND), REDUX_ROW(U32, OR),
    REDUX_ROW(U32, XOR),
    ROW(LOP3_TEST, U32, UF_BOOL_MASK | UF_NEGATE_C, lop3_test),
    ROW(BAR_WARP, NONE, UF_SYNC, bar_warp), ROW(BAR_WARP, U32, UF_SYNC, bar_warp),
};
const OpTable ops_warp = {rows, sizeof rows / sizeof *rows};
