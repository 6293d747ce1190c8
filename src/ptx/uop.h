// The micro-op: one PTX instruction, decoded once, with register slots resolved.
#ifndef HEDDLE_PTX_UOP_H
#define HEDDLE_PTX_UOP_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum UopCode {
#define UOP(name, ...) UOP_##name,
#include "ptx/uops.def"
#undef UOP
    UOP_CODES
} UopCode;

typedef enum PtxType {
    PTX_NONE,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64,
    PTX_F16, PTX_BF16, PTX_F16X2, PTX_BF16X2, PTX_F32, PTX_F64,
    PTX_U16X2, PTX_S16X2, // X2: two values in one 32-bit register
    PTX_PRED,
    PTX_TYPES
} PtxType;

// Bytes of a value; 0 for PTX_NONE and PTX_PRED.
extern const uint8_t ptx_type_sizes[PTX_TYPES];
static inline unsigned ptx_type_bytes(PtxType type) { return ptx_type_sizes[type]; }
// "u32", "pred", ...
const char *ptx_type_name(PtxType type);

typedef enum PtxSpace {
    SPACE_NONE,
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,      // a kernel's parameters: read-only, the same for all threads
    SPACE_FRAME_PARAM // a device function's parameters and return values, in its frame
} PtxSpace;

// Latency classes. A machine file gives each one below LATENCY_CLASSES a latency and an initiation
// interval.
typedef enum OpClass {
    CLASS_INT_ADD, CLASS_INT_MAX, CLASS_INT_MUL, CLASS_INT_MAD, CLASS_INT_DIV,
    CLASS_FP_ADD, CLASS_FP_MAX, CLASS_FP_MUL, CLASS_FP_MAD, CLASS_FP_DIV,
    CLASS_DP_ADD, CLASS_DP_MAX, CLASS_DP_MUL, CLASS_DP_MAD, CLASS_DP_DIV,
    CLASS_SFU, CLASS_SETP, CLASS_SELP, CLASS_LOGIC, CLASS_SHIFT, CLASS_BIT, CLASS_MOVE,
    CLASS_CONVERT, CLASS_SHUFFLE, CLASS_LOAD, CLASS_STORE, CLASS_ATOMIC, CLASS_TEXTURE,
    CLASS_BARRIER, CLASS_FENCE, CLASS_CONTROL,
    OP_CLASSES, // the classes above are counted; those below count as another one (uop_counted_as)
    CLASS_DP_RCP = OP_CLASSES, CLASS_DP_SQRT, CLASS_FP_RCP, CLASS_COUNT, CLASS_CONVERT64,
    LATENCY_CLASSES,
    // Operations that take the latency and unit of the class that they count as, or those of a move
    // (units.unclassed).
    CLASS_INT_ABS = LATENCY_CLASSES, CLASS_FP_ABS, CLASS_DP_ABS, // also negate, sad
    CLASS_INT_MUL24, CLASS_INT_MAD24, CLASS_INT_REM, CLASS_FP_FMA, CLASS_DP_FMA, CLASS_VOTE,
    ALL_CLASSES
} OpClass;

// The class below OP_CLASSES that an operation of this class is counted in.
OpClass uop_counted_as(OpClass class);

typedef enum Rounding { ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA } Rounding;

// UOp.flags
enum {
    UF_SAT = 1 << 0,      // .sat
    UF_FTZ = 1 << 1,      // .ftz
    UF_APPROX = 1 << 2,   // .approx / .full
    UF_WRAP = 1 << 3,     // .wrap (else .clamp)
    UF_CC_OUT = 1 << 4,   // writes the carry flag (add.cc, mad.lo.cc, ...)
    UF_CC_IN = 1 << 5,    // reads the carry flag (addc, madc, ...)
    UF_INTEGRAL = 1 << 6, // cvt between floats rounds to an integral value (.rni, .rzi, ...)
    UF_TO = 1 << 7,       // cvta.to
    UF_SHIFTAMT = 1 << 8, // bfind.shiftamt
    UF_HI = 1 << 9,       // dp2a.hi
    UF_VOLATILE = 1 << 10,  // ld/st.volatile, .relaxed, .acquire, .release, .mmio
    UF_NC = 1 << 11,        // ld.global.nc: the read-only path
    UF_SYNC = 1 << 12,      // the .sync form of shfl, vote, match: has a members operand
    UF_UNIFORM_BRANCH = 1 << 13, // bra.uni, call.uni as written
    UF_BOOL_SHIFT = 14,          // setp/set with a predicate: 0 none, 1 and, 2 or, 3 xor
    UF_BOOL_MASK = 3 << 14,
    UF_NEGATE_C = 1 << 16, // predicate src[2] negated (setp, selp, bar.red); fma: -c
    UF_NEGATE_A = 1 << 17, // predicate src[0] negated (vote, and/or/.. on predicates, mov.pred);
                           // fma: -(a x b)
    UF_NEGATE_B = 1 << 18, // predicate src[1] negated
    // About the address of LD, ST, ATOM, RED or PREFETCH:
    UF_FRAME_RELATIVE = 1 << 19, // a .local variable ([depot+8]): add the activation's local base.
                                 // Without this flag a local address, which comes from a register,
                                 // is relative to the start of the thread's local memory
    UF_ADDRESS32 = 1 << 20,      // src[0] is a 32-bit register (one slot), zero-extended
    // LD, ST and CVT may use registers wider than their type:
    UF_WIDE_DST = 1 << 21, // dst are 64-bit registers, but the type is narrower: extend to 64 bits
                           // by the type's signedness
    UF_WIDE_SRC = 1 << 22, // the data (ST: src[1..], CVT: src[0]) are in 64-bit registers, but the
                           // type is narrower: use the low bits of each lane
    UF_GATHER = 1 << 23,    // tld4: one channel of the four texels that a linear filter weights
    UF_SELECT_SHIFT = 24,   // tld4: the channel; txq: TextureQuery
    UF_SELECT_MASK = 7 << 24,
    UF_NAN = 1 << 27,     // min/max.NaN: a NaN operand gives NaN
    UF_XORSIGN = 1 << 28, // min/max.xorsign.abs: of the magnitudes, with the product's sign
    UF_RELU = 1 << 29,    // a negative result becomes 0
    UF_CTA_SCOPE = 1 << 30, // .cta: UF_VOLATILE orders only within the block
};

typedef enum Compare {
    CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_LO, CMP_LS, CMP_HI, CMP_HS,
    CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN
} Compare;
typedef enum AtomOp {
    ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_INC, ATOM_DEC, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH,
    ATOM_CAS
} AtomOp;
typedef enum ShflMode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX } ShflMode;
typedef enum VoteMode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT } VoteMode;
typedef enum BarMode { BAR_SYNC, BAR_ARRIVE, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR } BarMode;
// Functions that the system defines for kernels (UOP_SYSTEM).
typedef enum SystemCall { SYSTEM_PRINTF, SYSTEM_ASSERT, SYSTEM_MALLOC, SYSTEM_FREE } SystemCall;
typedef enum FenceScope { FENCE_CTA, FENCE_GPU, FENCE_SYSTEM } FenceScope;
typedef enum PrmtMode {
    PRMT_INDEX, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR,
    PRMT_RC16
} PrmtMode;
typedef enum TestProperty {
    TEST_FINITE, TEST_INFINITE, TEST_NUMBER, TEST_NOTANUMBER,
    TEST_NORMAL, TEST_SUBNORMAL
} TestProperty;
// The coordinates of a texture fetch. LAYERS and CUBES have the layer first, then the coordinates
// of 1D, 2D or CUBE.
typedef enum TextureShape {
    TEX_1D, TEX_2D, TEX_3D, TEX_LAYERS_1D, TEX_LAYERS_2D, TEX_CUBE,
    TEX_CUBES
} TextureShape;
typedef enum TextureQuery {
    QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_LAYERS, QUERY_LEVELS, QUERY_NORMALIZED,
    QUERIES
} TextureQuery;
typedef enum VideoOp {
    VIDEO_ADD, VIDEO_SUB, VIDEO_AVERAGE, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX, VIDEO_SET,
    VIDEO_SHL, VIDEO_SHR, // UF_WRAP or clamp
    VIDEO_MAD // UF_NEGATE_A: negates the product; UF_NEGATE_C: negates the third operand
} VideoOp;
// Bit fields in UOp.imm of a VIDEO operation.
enum {
    VIDEO_A_SIGNED = 1 << 0,
    VIDEO_B_SIGNED = 1 << 1,
    VIDEO_THEN_ADD = 1 << 2, // how to combine the result with src[2]
    VIDEO_THEN_MIN = 2 << 2,
    VIDEO_THEN_MAX = 3 << 2,
    VIDEO_THEN_MASK = 3 << 2,
    VIDEO_COMPARE_SHIFT = 4, // Compare of vset
    VIDEO_COMPARE_MASK = 15,
    VIDEO_A_SHIFT = 8, // field of source a: 0: all, 1 to 4: a byte, 5 and 6: a half
    VIDEO_B_SHIFT = 12,
    VIDEO_SELECTOR = 15,
    VIDEO_PLUS_ONE = 1 << 16, // VIDEO_MAD
    // For instructions on several elements: which element of a and b (numbered through both) is
    // used as each element, in 3 bits per element, xor its default number.
    VIDEO_PICKS_A = 20,
    VIDEO_PICKS_B = 32,
    VIDEO_PICK = 7,
    VIDEO_KEEPS = 44,     // one bit per element: take it from src[2]
    VIDEO_TO_SHIFT = 48,  // field of src[2] that the result replaces, coded as for a source
    VIDEO_SCALE_SHIFT = 52 // VIDEO_MAD: right shift of the result
};
// What to do with an access outside of a surface.
typedef enum SurfaceOutside { OUTSIDE_TRAP, OUTSIDE_CLAMP, OUTSIDE_ZERO } SurfaceOutside;
// Bit fields in UOp.imm of a surface access: the operands of up to 3 coordinates (a layer first),
// from the lowest bits on; then the shape and SurfaceOutside.
enum {
    SURFACE_COORDINATES = 3,
    SURFACE_COORDINATE_BITS = 16,
    SURFACE_SHAPE_SHIFT = 48, // TextureShape, without CUBE and CUBES
    SURFACE_OUTSIDE_SHIFT = 52, // SurfaceOutside
    SURFACE_MASK = 15
};
// Cache operators of loads and stores (UOp.cache).
typedef enum CacheOp {
    CACHE_DEFAULT, CACHE_CA, CACHE_CG, CACHE_CS, CACHE_LU,
    CACHE_CV, CACHE_WB, CACHE_WT
} CacheOp;

// What UOP_SREG reads. X, Y, Z variants are consecutive.
typedef enum SpecialReg {
    SREG_TID_X,
    SREG_TID_Y,
    SREG_TID_Z,
    SREG_NTID_X,
    SREG_NTID_Y,
    SREG_NTID_Z,
    SREG_CTAID_X,
    SREG_CTAID_Y,
    SREG_CTAID_Z,
    SREG_NCTAID_X,
    SREG_NCTAID_Y,
    SREG_NCTAID_Z,
    SREG_LANEID,
    SREG_WARPID,
    SREG_NWARPID,
    SREG_SMID,
    SREG_NSMID,
    SREG_GRIDID,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_LT,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_GT,
    SREG_LANEMASK_GE,
    SREG_CLOCK,
    SREG_CLOCK_HI,
    SREG_CLOCK64,
    SREG_GLOBALTIMER,
    SREG_GLOBALTIMER_LO,
    SREG_GLOBALTIMER_HI,
    SREG_DYNAMIC_SMEM_SIZE,
    SREG_TOTAL_SMEM_SIZE,
    SREG_WARP_SIZE,
    SREG_ENVREG1,
    SREG_ENVREG2,    // upper and lower half of ExecBlock.cooperation
    SREG_LOCAL_BASE, // 64-bit: start of the activation's .local variables in the thread's local
                     // memory (ExecWarp.local_base) plus src[0], a 64-bit constant: the variable's
                     // offset. mov.u64 %rd, __local_depot0 reads this
    SPECIAL_REGS
} SpecialReg;

// Operands. A data operand is the number of a register slot: one 32-bit value for each of
// HD_MAX_LANES lanes (128 bytes, lane-contiguous). A 64-bit value takes two slots, read as 64-bit
// lanes (256 bytes, lane-contiguous). 8- and 16-bit values are in the low bits of a 32-bit lane;
// readers must truncate to their own type, so the upper bits (zero or sign) never matter. Slots 0
// to 0x7fff are in the warp's frame. With OPERAND_CONST, the slot is in the function's constant
// pool, which has the same layout with the value in every lane. A predicate operand is the number
// of a LaneMask among the frame's predicates; with OPERAND_CONST, 0x8000 is false in all lanes and
// 0x8001 true.
enum { OPERAND_CONST = 0x8000, OPERAND_NONE = 0xffff, SLOT_BYTES = 4 * HD_MAX_LANES };
typedef uint16_t Operand;

struct UOp;
struct ExecWarp;
// Executes the instruction in the lanes of `mask`, which is never empty. src/exec binds it at load
// time.
typedef void (*ExecFn)(const struct UOp *op, struct ExecWarp *warp, LaneMask mask);

// How it executes.
typedef enum UopWay {
    WAY_OTHER,
    WAY_PLAIN, // `run` is all that it does: it asks for no clock and no other lanes
    WAY_BRANCH, // BRA
    WAY_MEMORY,
    WAY_LOAD   // of the memory instructions: a load of one element of 4 or 8 bytes, as it is, from
               // global memory, at an address of 64 bits in a register
} UopWay;

typedef struct UOp {
    ExecFn run;      // for any mask; NULL for memory, barrier and control operations
    ExecFn run_full; // for a mask of all HD_MAX_LANES lanes; `run` if not specialised
    uint8_t code;    // UopCode
    uint8_t type, type2; // PtxType
    uint8_t rounding;    // Rounding
    uint8_t modifier;    // Compare, AtomOp, ShflMode, ..., depending on code
    uint8_t space;       // PtxSpace
    uint8_t cache;       // CacheOp
    uint8_t vec;         // elements of a vector ld/st/mov: 1, 2, 4
    uint32_t flags;
    Operand guard;    // predicate, or OPERAND_NONE
    bool guard_negated;
    uint8_t class;    // OpClass
    Operand dst[4], src[5];
    uint8_t way; // UopWay, set by exec_bind
    uint32_t target;  // BRA: instruction index in the function; CALL: function index
    int64_t imm;
} UOp;

// ---- what a kind of micro-op reads and writes (uops.def) ----

// What executes it, and where control goes.
typedef enum UopControl {
    CONTROL_LANES,  // UOp.run computes its values; to the next instruction
    CONTROL_MEMORY, // the core, a memory access; to the next instruction
    CONTROL_CORE,   // the core; to the next instruction
    CONTROL_CALL,   // to a callee, and back to the next instruction
    CONTROL_BRANCH, // to instructions of the function
    CONTROL_LEAVE,  // out of the function
    CONTROL_STOP    // the launch ends
} UopControl;
// Whether it is the last instruction of its basic block.
static inline bool control_ends_block(UopControl c) { return c >= CONTROL_BRANCH; }

// What UOp.modifier is; MODIFIER_NONE: 0.
typedef enum UopModifier {
    MODIFIER_NONE, MODIFIER_COMPARE, MODIFIER_ATOM, MODIFIER_SHFL, MODIFIER_VOTE, MODIFIER_MATCH,
    MODIFIER_PRMT, MODIFIER_TEST, MODIFIER_BAR, MODIFIER_FENCE, MODIFIER_SHAPE, MODIFIER_VIDEO,
    MODIFIER_FIELD, // bits of a field: 2, 4, 8 or 16
    MODIFIER_SYSTEM,
    UOP_MODIFIERS
} UopModifier;

// What UOp.imm is.
typedef enum UopImm {
    IMM_NONE,      // 0
    IMM_NUMBER,    // any number
    IMM_OFFSET,    // added to the address; `space` is the address space
    IMM_SPECIAL,   // SpecialReg
    IMM_ALIGNMENT, // a power of two; 0: the default
    IMM_VIDEO,     // VIDEO_A_SIGNED ...
    IMM_SURFACE,   // operands of coordinates, TextureShape, SurfaceOutside
    IMM_TABLE,     // index into PtxModule.tables
    IMM_CALL,      // index into PtxModule.calls
    IMM_ENGINE       // index into PtxModule.engines
} UopImm;

typedef struct UopInfo {
    const char *name;
    OpClass class;
    UopControl control;
    UopModifier modifier;
    UopImm imm;
    const char *writes, *reads; // a character for each operand
} UopInfo;
extern const UopInfo uop_infos[UOP_CODES];
// The latency class of an operation, by its code, types and flags.
OpClass uop_class(const UOp *op);

// One operand of a micro-op, by the micro-op's types, modifier and flags.
typedef enum OperandKind {
    OPERAND_UNUSED,
    OPERAND_SLOTS,      // `slots` register slots, 1 or 2
    OPERAND_PREDICATE,
    OPERAND_UNTYPED     // of a type without values
} OperandKind;
typedef struct OperandShape {
    uint8_t kind;     // OperandKind
    uint8_t slots;
    bool optional;    // may be OPERAND_NONE
} OperandShape;
OperandShape uop_write(const UOp *op, unsigned index); // of dst[index]
OperandShape uop_read(const UOp *op, unsigned index);  // of src[index]
// The same, for a caller that has the operand's character.
OperandShape uop_operand(const UOp *op, char letter, unsigned index, bool write);
// How many values `modifier` of this kind has; UINT8_MAX + 1 for MODIFIER_FIELD.
unsigned uop_modifier_count(UopModifier kind);
// The number of the operand with the lanes that take part (UF_SYNC); -1: there is none.
int uop_members(UopCode code);
// Coordinates of a texture's shape, a layer included; 0: no such shape.
unsigned texture_coordinates(unsigned shape);

static inline Operand surface_coordinate(const UOp *op, unsigned i)
{
    return (Operand)(op->imm >> (SURFACE_COORDINATE_BITS * i));
}
static inline unsigned surface_shape(const UOp *op)
{
    return (unsigned)(op->imm >> SURFACE_SHAPE_SHIFT) & SURFACE_MASK;
}
static inline SurfaceOutside surface_outside(const UOp *op)
{
    return (SurfaceOutside)(op->imm >> SURFACE_OUTSIDE_SHIFT & SURFACE_MASK);
}

// What the pipeline needs to know about the instruction.
enum { UOP_MAX_READS = 9, UOP_MAX_WRITES = 6, UOP_NEED_WORDS = 3 };
typedef struct UOpTiming {
    // What every issue looks at fills a line of the host's cache. exec_bind has put the numbers of
    // `reads` and `writes` into bits of 64-bit words: `needs` are those of both, in need_words
    // words; `result` those of `writes`, in the word result_word.
    uint64_t needs[UOP_NEED_WORDS];
    uint16_t need_word[UOP_NEED_WORDS];
    uint8_t need_words; // 0: they lie in more words, or it waits for more than registers
    uint8_t row;        // its OpClass; UOP_ROW_FRAME_PARAM: it accesses SPACE_FRAME_PARAM
    uint64_t result;
    uint16_t result_word;
    bool one_word; // false: `writes` lie in several words
    uint8_t write_count, read_count;
    // For the register file: the number of each register that is read from a bank or written to one
    // (PtxOptions.banks_by_name).
    uint8_t bank_read_count, bank_write_count;
    uint16_t bank_reads[UOP_MAX_READS], bank_writes[UOP_MAX_WRITES];
    // For the scoreboard: virtual register numbers, unique within the function, predicates and the
    // carry flag included. A 64-bit register is one number.
    uint16_t reads[UOP_MAX_READS], writes[UOP_MAX_WRITES];
    // Bit i: bank_reads[i] or bank_writes[i] is a scalar register, of which a warp needs one copy.
    uint16_t scalar_bank_reads, scalar_bank_writes;
    uint32_t reconverge; // BRA/BRX: instruction index of the immediate post-dominator;
                         // RECONVERGE_EXIT if that is the function's end
    uint32_t line;       // 1-based line in the PTX text
    uint32_t source_line; // from .loc: line in the source file; 0: unknown
    uint16_t source_file; // index into PtxModule.files, valid if source_line is not 0
    union {
        struct {
            // The result is equal in all lanes that execute the instruction together, and stays so
            // wherever the register is read (a branch: all lanes go one way). Found by static
            // analysis (uniform.c).
            bool uniform : 1;
            // Executed once for a warp, with one copy stored of each result, it gives what the
            // lanes would compute (scalar.c), with a reconvergence stack. UOP_SCALAR reads a value
            // of each lane even so.
            bool scalar : 1;
            // A branch back to the start of a loop that waits for another thread to change a
            // memory location (polling_loops.c).
            bool polls : 1;
            bool starts_block : 1; // first instruction of a basic block
        };
        uint8_t marks; // all of them
    };
} UOpTiming;
enum { UOP_ROW_FRAME_PARAM = ALL_CLASSES, UOP_ROWS };
_Static_assert(sizeof(UOpTiming) == 128, "an element is found by a shift");
enum { RECONVERGE_EXIT = UINT32_MAX };

#endif
