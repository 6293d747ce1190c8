// The kinds of micro-ops: their names and classes, and what each operand is (uops.def).
#include "ptx/internal.h"

const UopInfo uop_infos[UOP_CODES] = {
#define UOP(name, text, class, control, modifier, imm, writes, reads)                              \
    [UOP_##name] = {text, CLASS_##class, CONTROL_##control, MODIFIER_##modifier, IMM_##imm,        \
                    writes, reads},
#include "ptx/uops.def"
#undef UOP
};

const char *uop_name(UopCode code) { return uop_infos[code].name; }

// ---- latency classes ----

OpClass uop_class(const UOp *op)
{
    OpClass class = uop_infos[op->code].class;
    PtxType type = (PtxType)op->type, from = (PtxType)op->type2;
    bool twice = type == PTX_F64, root = op->code == UOP_RCP || op->code == UOP_SQRT;
    if (class == CLASS_SFU && twice) return op->code == UOP_RCP ? CLASS_DP_RCP : CLASS_DP_SQRT;
    if (class == CLASS_SFU && root && !(op->flags & UF_APPROX)) return CLASS_FP_RCP;
    // Between integers, 64 bits are moves.
    if (op->code == UOP_CVT && (type_is_float(type) || type_is_float(from)) &&
        (ptx_type_bytes(type) == 8 || ptx_type_bytes(from) == 8))
        return CLASS_CONVERT64;
    if (!type_is_float(type)) return class;
    if (class >= CLASS_INT_ADD && class <= CLASS_INT_DIV)
        return (OpClass)(class - CLASS_INT_ADD + (twice ? CLASS_DP_ADD : CLASS_FP_ADD));
    if (class == CLASS_INT_ABS) return twice ? CLASS_DP_ABS : CLASS_FP_ABS;
    if (class == CLASS_FP_FMA && twice) return CLASS_DP_FMA;
    return class;
}

OpClass uop_counted_as(OpClass class)
{
    static const OpClass counted[ALL_CLASSES - OP_CLASSES] = {
        [CLASS_DP_RCP - OP_CLASSES] = CLASS_DP_DIV,
        [CLASS_DP_SQRT - OP_CLASSES] = CLASS_DP_DIV,
        [CLASS_FP_RCP - OP_CLASSES] = CLASS_SFU,
        [CLASS_COUNT - OP_CLASSES] = CLASS_BIT,
        [CLASS_CONVERT64 - OP_CLASSES] = CLASS_CONVERT,
        [CLASS_INT_ABS - OP_CLASSES] = CLASS_INT_ADD,
        [CLASS_FP_ABS - OP_CLASSES] = CLASS_FP_ADD,
        [CLASS_DP_ABS - OP_CLASSES] = CLASS_DP_ADD,
        [CLASS_INT_MUL24 - OP_CLASSES] = CLASS_INT_MUL,
        [CLASS_INT_MAD24 - OP_CLASSES] = CLASS_INT_MAD,
        [CLASS_INT_REM - OP_CLASSES] = CLASS_INT_DIV,
        [CLASS_FP_FMA - OP_CLASSES] = CLASS_FP_MAD,
        [CLASS_DP_FMA - OP_CLASSES] = CLASS_DP_MAD,
        [CLASS_VOTE - OP_CLASSES] = CLASS_SHUFFLE,
    };
    return class < OP_CLASSES ? class : counted[class - OP_CLASSES];
}

// ---- modifiers ----

unsigned uop_modifier_count(UopModifier kind)
{
    static const uint16_t counts[UOP_MODIFIERS] = {
        [MODIFIER_NONE] = 1,
        [MODIFIER_COMPARE] = CMP_NAN + 1,
        [MODIFIER_ATOM] = ATOM_CAS + 1,
        [MODIFIER_SHFL] = SHFL_IDX + 1,
        [MODIFIER_VOTE] = VOTE_BALLOT + 1,
        [MODIFIER_MATCH] = 2,
        [MODIFIER_PRMT] = PRMT_RC16 + 1,
        [MODIFIER_TEST] = TEST_SUBNORMAL + 1,
        [MODIFIER_BAR] = BAR_RED_OR + 1,
        [MODIFIER_FENCE] = FENCE_SYSTEM + 1,
        [MODIFIER_SHAPE] = TEX_CUBES + 1,
        [MODIFIER_VIDEO] = VIDEO_MAD + 1,
        [MODIFIER_FIELD] = UINT8_MAX + 1,
        [MODIFIER_SYSTEM] = SYSTEM_FREE + 1,
    };
    return counts[kind];
}

unsigned texture_coordinates(unsigned shape)
{
    static const uint8_t coordinates[] = {
        [TEX_1D] = 1,        [TEX_2D] = 2,   [TEX_3D] = 3,    [TEX_LAYERS_1D] = 2,
        [TEX_LAYERS_2D] = 3, [TEX_CUBE] = 3, [TEX_CUBES] = 4,
    };
    return shape < sizeof coordinates ? coordinates[shape] : 0;
}

// ---- operands ----

int uop_members(UopCode code)
{
    const char *reads = uop_infos[code].reads, *members = strchr(reads, 'm');
    return members ? (int)(members - reads) : -1;
}

static const OperandShape UNUSED = {OPERAND_UNUSED, 0, true};

static inline OperandShape slots(unsigned count, bool optional)
{
    return (OperandShape){OPERAND_SLOTS, (uint8_t)count, optional};
}

static inline OperandShape predicate(bool optional)
{
    return (OperandShape){OPERAND_PREDICATE, 0, optional};
}

// A value of `bytes`, in 64-bit registers if `wide`.
static inline OperandShape value(unsigned bytes, bool wide, bool optional)
{
    return (OperandShape){bytes ? OPERAND_SLOTS : OPERAND_UNTYPED,
                          (uint8_t)(1 + (bytes == 8 || wide)), optional};
}

// Operands that only some modifiers have.
static OperandShape shape_by_modifier(const UOp *op, char letter, unsigned index)
{
    unsigned modifier = op->modifier, coordinates;
    switch (letter) {
    case 'c':
        if (modifier != ATOM_CAS) return UNUSED;
        return value(ptx_type_bytes((PtxType)op->type), false, false);
    case 'o': return modifier == VOTE_BALLOT ? slots(1, false) : predicate(false);
    case 'r':
        if (modifier < BAR_RED_POPC) return UNUSED;
        return modifier == BAR_RED_POPC ? slots(1, false) : predicate(false);
    case 's': return modifier < BAR_RED_POPC ? UNUSED : predicate(false);
    case 'z':
        if (op->code == UOP_VIDEO) return slots(1, modifier != VIDEO_MAD);
        return modifier == 16 ? UNUSED : slots(1, false);
    case 'u': return op->imm == SREG_LOCAL_BASE ? slots(2, false) : UNUSED;
    default: // 'x'
        coordinates = texture_coordinates(modifier);
        if (index <= coordinates) return slots(1, false);
        return index == 4 ? slots(1, true) : UNUSED;
    }
}

OperandShape uop_operand(const UOp *op, char letter, unsigned index, bool write)
{
    bool wide = op->flags & (write ? UF_WIDE_DST : UF_WIDE_SRC);
    PtxType type = (PtxType)op->type;
    unsigned bytes = ptx_type_bytes(type);
    switch (letter) {
    case 0: return UNUSED;
    case 'a': case 'A': return value(bytes, wide, letter == 'A');
    case 'b': return value(ptx_type_bytes((PtxType)op->type2), wide, false);
    case 'i': case 'I': return slots(1, letter == 'I');
    case 'l': return slots(2, false);
    case 'p': case 'P': return predicate(letter == 'P');
    case 'n': return type == PTX_PRED ? predicate(false) : value(bytes, wide, false);
    case 'w': return value(2 * bytes, false, false);
    case 'v': case 'V': // a store's values come after its address
        return (write ? index : index - 1) < op->vec ? value(bytes, wide, letter == 'V') : UNUSED;
    case 'e': case 'E':
        return index < op->vec ? value(bytes / op->vec, false, letter == 'E') : UNUSED;
    case 'm': return slots(1, !(op->flags & UF_SYNC));
    case '@': case '[': return slots(op->flags & UF_ADDRESS32 ? 1 : 2, letter == '[');
    case 'q': return op->flags & UF_BOOL_MASK ? predicate(false) : UNUSED;
    default: return shape_by_modifier(op, letter, index);
    }
}

// The character of an operand; 0: the operation has fewer.
static char letter_of(const char *letters, unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (!letters[i]) return 0;
    return letters[index];
}

OperandShape uop_write(const UOp *op, unsigned index)
{
    return uop_operand(op, letter_of(uop_infos[op->code].writes, index), index, true);
}

OperandShape uop_read(const UOp *op, unsigned index)
{
    return uop_operand(op, letter_of(uop_infos[op->code].reads, index), index, false);
}
