// Atomic operations on one value, and on shared memory lane by lane.
#include "exec/exec.h"

#include "exec/exact.h"
#include "exec/float_bits.h"

#include <string.h>

typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

static bool is_signed(PtxType type) { return type == PTX_S32 || type == PTX_S64; }

// Sign-extends or zero-extends raw bits of the type to 64 bits, for comparisons.
static uint64_t widen(PtxType type, uint64_t x)
{
    unsigned shift = 64 - 8 * ptx_type_bytes(type);
    return is_signed(type) ? (uint64_t)((int64_t)(x << shift) >> shift) : x << shift >> shift;
}

static bool less(PtxType type, uint64_t a, uint64_t b)
{
    a = widen(type, a);
    b = widen(type, b);
    return is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

// Subnormals are kept in every space. (On NVIDIA hardware, .f32 atomics flush them in global memory
// but not in shared memory.)
static uint64_t add(PtxType type, uint64_t a, uint64_t b)
{
    if (type == PTX_F32)
        return f32_bits(f32_canonical(f32_from((uint32_t)a) + f32_from((uint32_t)b)));
    if (type == PTX_F64) return f64_bits(f64_canonical(f64_from(a) + f64_from(b)));
    const FloatFormat *f = exact_format(type);
    if (f && ptx_type_bytes(type) == 2) return exact_add(f, a & 0xffff, b & 0xffff, ROUND_RN);
    if (f) // two packed values
        return exact_add(f, a >> 16, b >> 16 & 0xffff, ROUND_RN) << 16 |
               exact_add(f, a & 0xffff, b & 0xffff, ROUND_RN);
    return a + b;
}

static uint64_t new_value(AtomOp operation, PtxType type, uint64_t old, uint64_t b, uint64_t c)
{
    switch (operation) {
    case ATOM_ADD: return add(type, old, b);
    case ATOM_MIN: return less(type, b, old) ? b : old;
    case ATOM_MAX: return less(type, old, b) ? b : old;
    case ATOM_INC: return less(type, old, b) ? old + 1 : 0;
    case ATOM_DEC: return old == 0 || less(type, b, old) ? b : old - 1;
    case ATOM_AND: return old & b;
    case ATOM_OR: return old | b;
    case ATOM_XOR: return old ^ b;
    case ATOM_EXCH: return b;
    case ATOM_CAS: return old == widen(type, b) ? c : old;
    }
    return old;
}

uint64_t exec_atomic(AtomOp operation, PtxType type, void *place, uint64_t b, uint64_t c,
                     uint64_t *changes)
{
    uint64_t old = 0;
    unsigned bytes = ptx_type_bytes(type);
    memcpy(&old, place, bytes);
    uint64_t value = new_value(operation, type, old, b, c);
    memcpy(place, &value, bytes);
    *changes += (value ^ old) << (64 - 8 * bytes) != 0;
    return old;
}

static uint64_t operand_bits(const UOp *op, const ExecWarp *w, Operand operand, unsigned lane)
{
    const void *slot = exec_operand(w, operand);
    return ptx_type_bytes(op->type) == 8 ? ((const LongWord *)slot)[lane]
                                         : ((const Word *)slot)[lane];
}

void exec_atomic_operands(const UOp *op, const ExecWarp *w, unsigned lane, uint64_t *b, uint64_t *c)
{
    *b = operand_bits(op, w, op->src[1], lane);
    *c = op->modifier == ATOM_CAS ? operand_bits(op, w, op->src[2], lane) : 0;
}

void exec_atomic_result(const UOp *op, ExecWarp *w, unsigned lane, uint64_t old)
{
    if (op->code != UOP_ATOM || op->dst[0] == OPERAND_NONE) return;
    void *slot = exec_operand(w, op->dst[0]);
    if (ptx_type_bytes(op->type) == 8)
        ((LongWord *)slot)[lane] = old;
    else
        ((Word *)slot)[lane] = (uint32_t)old;
}

int exec_shared_atomic(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                       uint64_t *changes)
{
    unsigned bytes = ptx_type_bytes(op->type);
    uint64_t size = w->block->total_shared;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t a = addresses[l];
        if (bytes > size || a > size - bytes || a % bytes) return (int)l;
    }
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t b, c;
        exec_atomic_operands(op, w, l, &b, &c);
        uint64_t old = exec_atomic(op->modifier, op->type, w->block->shared + addresses[l], b, c,
                                   changes);
        exec_atomic_result(op, w, l, old);
    }
    return -1;
}
