// Moves between registers, predicates, parts of registers, special registers, and windows of
// generic addresses; and logic on predicates.
#include "exec/ops.h"

// ---- registers ----

OP1(mov_32, u32, u32, a)
OP1(mov_64, u64, u64, a)

static unsigned part_bits(const UOp *op) { return 8 * ptx_type_bytes(op->type) / op->vec; }

// Reads lane l of an operand of `bits` (8 to 64) bits.
static uint64_t read_bits(const ExecWarp *w, Operand o, unsigned l, unsigned bits)
{
    const void *slot = exec_operand(w, o);
    if (bits == 64) return ((const lane_64 *)slot)[l];
    return ((const lane_32 *)slot)[l] & (~UINT64_C(0) >> (64 - bits));
}
static void write_bits(ExecWarp *w, Operand o, unsigned l, unsigned bits, uint64_t value)
{
    void *slot = exec_operand(w, o);
    if (bits == 64)
        ((lane_64 *)slot)[l] = value;
    else
        ((lane_32 *)slot)[l] = (uint32_t)(value & (~UINT64_C(0) >> (64 - bits)));
}

// Reads all sources of all lanes before it writes a destination: registers of different widths may
// overlap across lanes.
static void pack_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    unsigned bits = part_bits(op);
    uint64_t whole[HD_MAX_LANES] = {0};
    for (unsigned i = 0; i < op->vec; i++)
        for (unsigned l = 0; l < HD_MAX_LANES; l++)
            whole[l] |= read_bits(w, op->src[i], l, bits) << i * bits;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        write_bits(w, op->dst[0], l, bits * op->vec, whole[l]);
    }
}

static void unpack_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    unsigned bits = part_bits(op);
    uint64_t whole[HD_MAX_LANES];
    for (unsigned l = 0; l < HD_MAX_LANES; l++)
        whole[l] = read_bits(w, op->src[0], l, bits * op->vec);
    for (unsigned i = 0; i < op->vec; i++) {
        if (op->dst[i] == OPERAND_NONE) continue;
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            write_bits(w, op->dst[i], l, bits, whole[l] >> i * bits);
        }
    }
}

// ---- predicates ----

static LaneMask predicate_source(const UOp *op, const ExecWarp *w, unsigned i, uint32_t negate)
{
    LaneMask p = exec_predicate(w, op->src[i]);
    return op->flags & negate ? ~p : p;
}

#define PREDICATE(name, value)                                                                     \
    static void name##_some(const UOp *op, ExecWarp *w, LaneMask mask)                             \
    {                                                                                              \
        LaneMask a = predicate_source(op, w, 0, UF_NEGATE_A);                                      \
        store_predicate(w, op->dst[0], mask, value);                                               \
    }
#define PREDICATE_B predicate_source(op, w, 1, UF_NEGATE_B)
PREDICATE(mov_pred, a)
PREDICATE(not_pred, ~a)
PREDICATE(and_pred, a & PREDICATE_B)
PREDICATE(or_pred, a | PREDICATE_B)
PREDICATE(xor_pred, a ^ PREDICATE_B)

// ---- special registers ----

// %tid: threads are numbered through x, then y, then z, and assigned to warps in that order.
static uint64_t thread_index(const ExecWarp *w, unsigned lane, unsigned dimension)
{
    const uint32_t *size = w->block->block;
    uint32_t thread = w->warp_in_block * w->block->width + lane;
    if (thread < size[0]) return dimension == 0 ? thread : 0;
    if (dimension == 0) return thread % size[0];
    if (dimension == 1) return thread / size[0] % size[1];
    return thread / size[0] / size[1];
}

static uint64_t special_register(const UOp *op, const ExecWarp *w, unsigned lane)
{
    SpecialReg reg = (SpecialReg)op->imm;
    const ExecBlock *b = w->block;
    uint64_t bit = UINT64_C(1) << lane, all = lanes_all(b->width);
    switch (reg) {
    case SREG_TID_X: case SREG_TID_Y: case SREG_TID_Z:
        return thread_index(w, lane, reg - SREG_TID_X);
    case SREG_NTID_X: case SREG_NTID_Y: case SREG_NTID_Z: return b->block[reg - SREG_NTID_X];
    case SREG_CTAID_X: case SREG_CTAID_Y: case SREG_CTAID_Z: return b->index[reg - SREG_CTAID_X];
    case SREG_NCTAID_X: case SREG_NCTAID_Y: case SREG_NCTAID_Z:
        return b->grid[reg - SREG_NCTAID_X];
    case SREG_LANEID: return lane;
    case SREG_WARPID: return w->warp_in_block;
    case SREG_NWARPID:
        return divide_up((uint64_t)b->block[0] * b->block[1] * b->block[2], b->width);
    case SREG_SMID: return b->sm;
    case SREG_NSMID: return b->sm_count;
    case SREG_GRIDID: return b->grid_id;
    case SREG_LANEMASK_EQ: return bit & all;
    case SREG_LANEMASK_LT: return (bit - 1) & all;
    case SREG_LANEMASK_LE: return (bit - 1 + bit) & all;
    case SREG_LANEMASK_GT: return ~(bit - 1 + bit) & all;
    case SREG_LANEMASK_GE: return ~(bit - 1) & all;
    case SREG_CLOCK: case SREG_CLOCK64: return w->clock;
    case SREG_CLOCK_HI: return w->clock >> 32;
    case SREG_GLOBALTIMER: case SREG_GLOBALTIMER_LO: return w->nanoseconds;
    case SREG_GLOBALTIMER_HI: return w->nanoseconds >> 32;
    case SREG_DYNAMIC_SMEM_SIZE: return b->dynamic_shared;
    case SREG_TOTAL_SMEM_SIZE: return b->total_shared;
    case SREG_WARP_SIZE: return b->width;
    case SREG_ENVREG1: return b->cooperation >> 32;
    case SREG_ENVREG2: return (uint32_t)b->cooperation;
    case SREG_LOCAL_BASE: return w->local_base + read_bits(w, op->src[0], lane, 64);
    default: return 0; // exec_bind accepts no other
    }
}

static void sreg_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    unsigned bits = 8 * ptx_type_bytes(op->type);
    SpecialReg reg = (SpecialReg)op->imm;
    uint32_t first = w->warp_in_block * w->block->width;
    // The value increases by one from each lane to the next.
    bool counts = reg == SREG_LANEID ||
                  (reg == SREG_TID_X && first + HD_MAX_LANES <= w->block->block[0]);
    bool differs = reg <= SREG_TID_Z || reg == SREG_LANEID ||
                   (reg >= SREG_LANEMASK_EQ && reg <= SREG_LANEMASK_GE);
    if (bits == 32 && (counts || !differs)) {
        unsigned from = counts ? 0 : lanes_first(mask);
        uint32_t value = (uint32_t)special_register(op, w, from), number = counts ? ~0u : 0;
        lane_32 *to = exec_operand(w, op->dst[0]);
        for (unsigned l = 0; l < HD_MAX_LANES; l++)
            to[l] = mask & lane_bit[l] ? value + (l & number) : to[l];
        return;
    }
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        write_bits(w, op->dst[0], l, bits, special_register(op, w, l));
    }
}

// ---- generic addresses ----

OPS_INLINE uint64_t window_base(PtxSpace space)
{
    return space == SPACE_SHARED  ? GUEST_SHARED_BASE
           : space == SPACE_LOCAL ? GUEST_LOCAL_BASE
           : space == SPACE_CONST ? GUEST_CONST_BASE
           : space == SPACE_PARAM ? GUEST_PARAM_BASE
                                  : 0;
}

OPS_INLINE uint64_t convert_address(const UOp *op, uint64_t a)
{
    uint64_t base = window_base(op->space);
    return op->flags & UF_TO ? a - base : a + base;
}
OP1(cvta_32, u32, u32, convert_address(op, a))
OP1(cvta_64, u64, u64, convert_address(op, a))

OPS_INLINE bool in_window(PtxSpace space, uint64_t address)
{
    bool shared = address - GUEST_SHARED_BASE < GUEST_WINDOW_SIZE;
    bool local = address - GUEST_LOCAL_BASE < GUEST_WINDOW_SIZE;
    bool constant = address - GUEST_CONST_BASE < GUEST_WINDOW_SIZE;
    bool param = address - GUEST_PARAM_BASE < GUEST_WINDOW_SIZE;
    switch (space) {
    case SPACE_PARAM: return param;
    case SPACE_SHARED: return shared;
    case SPACE_LOCAL: return local;
    case SPACE_CONST: return constant;
    default: return !shared && !local && !constant && !param; // SPACE_GLOBAL
    }
}

static void isspacep_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    LaneMask result = 0;
    unsigned bits = op->flags & UF_ADDRESS32 ? 32 : 64;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        if (in_window(op->space, read_bits(w, op->src[0], l, bits))) result |= left & -left;
    }
    store_predicate(w, op->dst[0], mask, result);
}

// ---- rows ----

#define ROW_PLAIN(code, type, also, fn)                                                            \
    {UOP_##code, PTX_##type, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, 0, also, fn##_some, fn##_some}
#define PREDICATE_ROW(code, fn) ROW_PLAIN(code, PRED, UF_NEGATE_A | UF_NEGATE_B, fn)

static const OpRow rows[] = {
    ROW_BOTH(MOV, 32, mov_32), ROW(MOV, F32, mov_32), ROW_BOTH(MOV, 64, mov_64),
    ROW(MOV, F64, mov_64), ROW_BOTH(MOV, 16, mov_32), ROW(MOV, F16, mov_32),
    ROW_BOTH(MOV, 8, mov_32),
    ROW_PLAIN(PACK, U16, 0, pack), ROW_PLAIN(PACK, U32, 0, pack), ROW_PLAIN(PACK, U64, 0, pack),
    ROW_PLAIN(UNPACK, U16, 0, unpack), ROW_PLAIN(UNPACK, U32, 0, unpack),
    ROW_PLAIN(UNPACK, U64, 0, unpack),
    PREDICATE_ROW(MOV, mov_pred), PREDICATE_ROW(NOT, not_pred), PREDICATE_ROW(AND, and_pred),
    PREDICATE_ROW(OR, or_pred), PREDICATE_ROW(XOR, xor_pred),
    ROW_PLAIN(SREG, U16, 0, sreg), ROW_PLAIN(SREG, S16, 0, sreg), ROW_PLAIN(SREG, U32, 0, sreg),
    ROW_PLAIN(SREG, S32, 0, sreg), ROW_PLAIN(SREG, U64, 0, sreg), ROW_PLAIN(SREG, S64, 0, sreg),
    ROW_IF(CVTA, U32, PTX_NONE, 0, UF_TO, cvta_32), ROW_IF(CVTA, U64, PTX_NONE, 0, UF_TO, cvta_64),
    ROW_PLAIN(ISSPACEP, NONE, 0, isspacep),
};

OPS_TABLE(move);
