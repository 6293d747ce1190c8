// The instructions: one row for each form of an opcode, and the modifiers.
//
// The last column gives the operands in order, one character each:
//   d  destination of the (first) type       a  source of the first type
//   w  destination twice as wide             A  source twice as wide
//   D  32-bit destination                    b  source of the second type
//   p  destination predicate                 i  32-bit source (counts, masks, lanes)
//   |  optional: "|" and a second            P  source predicate, "!" negates it
//      destination, a predicate              j  like i; missing if a predicate stands here
//   l  source address, 32 or 64 bits         #  integer, becomes op.imm
//   [  address                               v  destination, or {vector}
//   L  label                                 V  source, or {vector}
//   T  name of a .branchtargets table        C  operands of a call
//   M  operands of a mov                     ?  the remaining operands are optional
//   t  [texture, {coordinates}]              q  [texture]
//   f  level of a texture, float32           s  [surface, {coordinates}]
//   e  level of a texture, integer           g  gradient of coordinates, ignored
#include "ptx/internal.h"

#include <string.h>

#define T(type) (1u << PTX_##type)
#define I16 (T(U16) | T(S16))
#define I32 (T(U32) | T(S32))
#define I64 (T(U64) | T(S64))
#define INT (I16 | I32 | I64)
#define SIGNED (T(S16) | T(S32) | T(S64))
#define BITS (T(B16) | T(B32) | T(B64))
#define FLOAT (T(F32) | T(F64))
#define VALUES (INT | BITS | FLOAT)
#define WORDS (I32 | T(B32) | T(F32))
#define HALF (T(F16) | T(BF16))
#define HALVES (T(F16X2) | T(BF16X2))
#define ANY_HALF (HALF | HALVES)
#define PAIRS (T(U16X2) | T(S16X2))
#define PLACES (VALUES | T(U8) | T(S8) | T(B8) | T(F16))
#define NUMBERS (INT | T(U8) | T(S8) | HALF | FLOAT)
#define ACCESS (G_SPACE | G_CACHE | G_ORDER | G_SCOPE | G_VECTOR | G_HINT)
#define PIECES (BITS | T(B8))
#define SELECT(value) ((value) << UF_SELECT_SHIFT)
#define GATHER(channel) (UF_GATHER | SELECT(channel))
#define ATOMICS (I32 | I64 | BITS | FLOAT | ANY_HALF)

const OpcodeForm ptx_forms[] = {
    {"add", NULL, UOP_ADD, INT, 0, G_SAT | G_CARRY, 0, "daa"},
    {"add", NULL, UOP_ADD, FLOAT, 0, G_ROUND | G_FTZ | G_SAT, 0, "daa"},
    {"add", NULL, UOP_ADD, ANY_HALF, 0, G_ROUND | G_FTZ | G_SAT, 0, "daa"},
    {"add", NULL, UOP_ADD, PAIRS, 0, 0, 0, "daa"},
    {"addc", NULL, UOP_ADD, I32 | I64, 0, G_CARRY, UF_CC_IN, "daa"},
    {"sub", NULL, UOP_SUB, INT, 0, G_SAT | G_CARRY, 0, "daa"},
    {"sub", NULL, UOP_SUB, FLOAT, 0, G_ROUND | G_FTZ | G_SAT, 0, "daa"},
    {"sub", NULL, UOP_SUB, ANY_HALF, 0, G_ROUND | G_FTZ | G_SAT, 0, "daa"},
    {"subc", NULL, UOP_SUB, I32 | I64, 0, G_CARRY, UF_CC_IN, "daa"},
    {"mul", "lo", UOP_MUL_LO, INT, 0, 0, 0, "daa"},
    {"mul", "hi", UOP_MUL_HI, INT, 0, 0, 0, "daa"},
    {"mul", "wide", UOP_MUL_WIDE, I16 | I32, 0, 0, 0, "waa"},
    {"mul", NULL, UOP_MUL_LO, FLOAT, 0, G_ROUND | G_FTZ | G_SAT, 0, "daa"},
    {"mul", NULL, UOP_MUL_LO, ANY_HALF, 0, G_ROUND | G_FTZ | G_SAT, 0, "daa"},
    {"mad", "lo", UOP_MAD_LO, INT, 0, G_CARRY, 0, "daaa"},
    {"mad", "hi", UOP_MAD_HI, INT, 0, G_CARRY | G_SAT, 0, "daaa"},
    {"mad", "wide", UOP_MAD_WIDE, I16 | I32, 0, 0, 0, "waaA"},
    {"mad", NULL, UOP_FMA, FLOAT, 0, G_ROUND | G_FTZ | G_SAT, 0, "daaa"},
    {"madc", "lo", UOP_MAD_LO, I32 | I64, 0, G_CARRY, UF_CC_IN, "daaa"},
    {"madc", "hi", UOP_MAD_HI, I32 | I64, 0, G_CARRY, UF_CC_IN, "daaa"},
    {"fma", NULL, UOP_FMA, FLOAT, 0, G_ROUND | G_FTZ | G_SAT, 0, "daaa"},
    {"fma", NULL, UOP_FMA, ANY_HALF, 0, G_ROUND | G_FTZ | G_SAT | G_EXTRA, 0, "daaa"},
    {"mul24", "lo", UOP_MUL24_LO, I32, 0, 0, 0, "daa"},
    {"mul24", "hi", UOP_MUL24_HI, I32, 0, 0, 0, "daa"},
    {"mad24", "lo", UOP_MAD24_LO, I32, 0, 0, 0, "daaa"},
    {"mad24", "hi", UOP_MAD24_HI, I32, 0, G_SAT, 0, "daaa"},
    {"sad", NULL, UOP_SAD, INT, 0, 0, 0, "daaa"},
    {"div", NULL, UOP_DIV, INT, 0, 0, 0, "daa"},
    {"div", NULL, UOP_DIV, FLOAT, 0, G_ROUND | G_APPROX | G_FTZ, 0, "daa"},
    {"rem", NULL, UOP_REM, INT, 0, 0, 0, "daa"},
    {"abs", NULL, UOP_ABS, SIGNED, 0, 0, 0, "da"},
    {"abs", NULL, UOP_ABS, FLOAT | ANY_HALF, 0, G_FTZ, 0, "da"},
    {"neg", NULL, UOP_NEG, SIGNED, 0, 0, 0, "da"},
    {"neg", NULL, UOP_NEG, FLOAT | ANY_HALF, 0, G_FTZ, 0, "da"},
    {"min", NULL, UOP_MIN, INT | PAIRS, 0, G_EXTRA, 0, "daa"},
    {"min", NULL, UOP_MIN, FLOAT | ANY_HALF, 0, G_FTZ | G_EXTRA, 0, "daa"},
    {"max", NULL, UOP_MAX, INT | PAIRS, 0, G_EXTRA, 0, "daa"},
    {"max", NULL, UOP_MAX, FLOAT | ANY_HALF, 0, G_FTZ | G_EXTRA, 0, "daa"},
    {"rcp", NULL, UOP_RCP, FLOAT, 0, G_ROUND | G_APPROX | G_FTZ, 0, "da"},
    {"sqrt", NULL, UOP_SQRT, FLOAT, 0, G_ROUND | G_APPROX | G_FTZ, 0, "da"},
    {"rsqrt", NULL, UOP_RSQRT, FLOAT, 0, G_APPROX | G_FTZ, 0, "da"},
    {"sin", NULL, UOP_SIN, T(F32), 0, G_APPROX | G_FTZ, 0, "da"},
    {"cos", NULL, UOP_COS, T(F32), 0, G_APPROX | G_FTZ, 0, "da"},
    {"lg2", NULL, UOP_LG2, T(F32), 0, G_APPROX | G_FTZ, 0, "da"},
    {"ex2", NULL, UOP_EX2, T(F32) | ANY_HALF, 0, G_APPROX | G_FTZ, 0, "da"},
    {"tanh", NULL, UOP_TANH, T(F32) | ANY_HALF, 0, G_APPROX, 0, "da"},
    {"copysign", NULL, UOP_COPYSIGN, FLOAT, 0, 0, 0, "daa"},
    {"testp", NULL, UOP_TESTP, FLOAT, 0, G_TESTP, 0, "pa"},
    {"popc", NULL, UOP_POPC, T(B32) | T(B64), 0, 0, 0, "Da"},
    {"clz", NULL, UOP_CLZ, T(B32) | T(B64), 0, 0, 0, "Da"},
    {"bfind", NULL, UOP_BFIND, I32 | I64, 0, G_SHIFTAMT, 0, "Da"},
    {"fns", NULL, UOP_FNS, T(B32), 0, 0, 0, "diii"},
    {"brev", NULL, UOP_BREV, T(B32) | T(B64), 0, 0, 0, "da"},
    {"bfe", NULL, UOP_BFE, I32 | I64, 0, 0, 0, "daii"},
    {"bfi", NULL, UOP_BFI, T(B32) | T(B64), 0, 0, 0, "daaii"},
    {"bmsk", NULL, UOP_BMSK, T(B32), 0, G_WRAP, 0, "dii"},
    {"szext", NULL, UOP_SZEXT, I32, 0, G_WRAP, 0, "dai"},
    {"dp4a", NULL, UOP_DP4A, I32, I32, 0, 0, "daba"},
    {"dp2a", NULL, UOP_DP2A, I32, I32, G_HALF, 0, "daba"},
    {"setp", NULL, UOP_SETP, VALUES | ANY_HALF, 0, G_COMPARE | G_BOOL | G_FTZ, 0, "p|aa?P"},
    {"set", NULL, UOP_SET, WORDS | I16 | ANY_HALF, VALUES | ANY_HALF, G_COMPARE | G_BOOL | G_FTZ, 0,
     "dbb?P"},
    {"selp", NULL, UOP_SELP, VALUES, 0, 0, 0, "daaP"},
    {"slct", NULL, UOP_SLCT, VALUES, T(S32) | T(F32), G_FTZ, 0, "daab"},
    {"and", NULL, UOP_AND, BITS, 0, 0, 0, "daa"},
    {"and", NULL, UOP_AND, T(PRED), 0, 0, 0, "pPP"},
    {"or", NULL, UOP_OR, BITS, 0, 0, 0, "daa"},
    {"or", NULL, UOP_OR, T(PRED), 0, 0, 0, "pPP"},
    {"xor", NULL, UOP_XOR, BITS, 0, 0, 0, "daa"},
    {"xor", NULL, UOP_XOR, T(PRED), 0, 0, 0, "pPP"},
    {"not", NULL, UOP_NOT, BITS, 0, 0, 0, "da"},
    {"not", NULL, UOP_NOT, T(PRED), 0, 0, 0, "pP"},
    {"cnot", NULL, UOP_CNOT, BITS, 0, 0, 0, "da"},
    {"lop3", "and", UOP_LOP3_TEST, T(B32), 0, 0, 1 << UF_BOOL_SHIFT, "d|aaa#P"},
    {"lop3", "or", UOP_LOP3_TEST, T(B32), 0, 0, 2 << UF_BOOL_SHIFT, "d|aaa#P"},
    {"lop3", NULL, UOP_LOP3, T(B32), 0, 0, 0, "daaa#"},
    {"shl", NULL, UOP_SHL, BITS, 0, 0, 0, "dai"},
    {"shr", NULL, UOP_SHR, BITS | INT, 0, 0, 0, "dai"},
    {"shf", "l", UOP_SHF_L, T(B32), 0, G_WRAP, 0, "daai"},
    {"shf", "r", UOP_SHF_R, T(B32), 0, G_WRAP, 0, "daai"},
    {"prmt", NULL, UOP_PRMT, T(B32), 0, G_PRMT, 0, "daai"},
    {"mov", NULL, UOP_MOV, VALUES | T(F16) | T(PRED), 0, 0, 0, "M"},
    {"cvt", NULL, UOP_CVT, NUMBERS, NUMBERS, G_ROUND | G_INTEGRAL | G_FTZ | G_SAT | G_EXTRA, 0,
     "db"},
    {"cvt", NULL, UOP_CVT_PACK, HALVES, T(F32), G_ROUND | G_EXTRA, 0, "dbb"},
    {"cvta", NULL, UOP_CVTA, T(U32) | T(U64), 0, G_SPACE | G_TO, 0, "da"},
    {"isspacep", NULL, UOP_ISSPACEP, 0, 0, G_SPACE, 0, "pl"},
    {"shfl", NULL, UOP_SHFL, WORDS, 0, G_SHFL | G_SYNC, 0, "d|aii?i"},
    {"vote", NULL, UOP_VOTE, T(PRED), 0, G_VOTE | G_SYNC, 0, "pP?i"},
    {"vote", NULL, UOP_VOTE, T(B32), 0, G_VOTE | G_SYNC, 0, "dP?i"},
    {"activemask", NULL, UOP_ACTIVEMASK, T(B32), 0, 0, 0, "d"},
    {"match", NULL, UOP_MATCH, T(B32) | T(B64), 0, G_MATCH | G_SYNC, 0, "D|ai"},
    {"elect", NULL, UOP_ELECT, 0, 0, G_SYNC, UF_SYNC, "D|i"},
    {"redux", NULL, UOP_REDUX, I32 | T(B32), 0, G_ATOM | G_SYNC, 0, "dai"},
    {"ld", NULL, UOP_LD, PLACES, 0, ACCESS | G_NC, 0, "v["},
    {"ldu", NULL, UOP_LD, PLACES, 0, G_SPACE | G_VECTOR, UF_NC, "v["},
    {"st", NULL, UOP_ST, PLACES, 0, ACCESS, 0, "[V"},
    {"atom", NULL, UOP_ATOM, ATOMICS, 0, G_SPACE | G_ATOM | G_ORDER | G_SCOPE | G_HINT, 0, "d[a?a"},
    {"red", NULL, UOP_RED, ATOMICS, 0, G_SPACE | G_ATOM | G_ORDER | G_SCOPE | G_HINT, 0, "[a"},
    {"tex", "level", UOP_TEX, I32 | T(F32), T(F32), G_TEXTURE | G_VECTOR, 0, "vtf"},
    {"tex", "level", UOP_TEX, I32 | T(F32), T(S32), G_TEXTURE | G_VECTOR, 0, "vte"},
    {"tex", "base", UOP_TEX, I32 | T(F32), T(S32) | T(F32), G_TEXTURE | G_VECTOR, 0, "vt"},
    {"tex", "grad", UOP_TEX, I32 | T(F32), T(F32), G_TEXTURE | G_VECTOR, 0, "vtgg"},
    {"tex", NULL, UOP_TEX, I32 | T(F32), T(S32) | T(F32), G_TEXTURE | G_VECTOR, 0, "vt"},
    {"tld4", "r", UOP_TEX, I32 | T(F32), T(F32), G_TEXTURE | G_VECTOR, GATHER(0), "vt"},
    {"tld4", "g", UOP_TEX, I32 | T(F32), T(F32), G_TEXTURE | G_VECTOR, GATHER(1), "vt"},
    {"tld4", "b", UOP_TEX, I32 | T(F32), T(F32), G_TEXTURE | G_VECTOR, GATHER(2), "vt"},
    {"tld4", "a", UOP_TEX, I32 | T(F32), T(F32), G_TEXTURE | G_VECTOR, GATHER(3), "vt"},
    {"txq", "width", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_WIDTH), "dq"},
    {"txq", "height", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_HEIGHT), "dq"},
    {"txq", "depth", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_DEPTH), "dq"},
    {"txq", "array_size", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_LAYERS), "dq"},
    {"txq", "num_mipmap_levels", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_LEVELS), "dq"},
    {"txq", "normalized_coords", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_NORMALIZED), "dq"},
    {"suld", "b", UOP_SULD, PIECES, 0, G_TEXTURE | G_CACHE | G_VECTOR | G_OUTSIDE, 0, "vs"},
    {"sust", "b", UOP_SUST, PIECES, 0, G_TEXTURE | G_CACHE | G_VECTOR | G_OUTSIDE, 0, "sV"},
    {"sured", "b", UOP_SURED, I32 | I64 | T(B32), 0, G_TEXTURE | G_ATOM | G_OUTSIDE, 0, "sa"},
    {"suq", "width", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_WIDTH), "dq"},
    {"suq", "height", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_HEIGHT), "dq"},
    {"suq", "depth", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_DEPTH), "dq"},
    {"suq", "array_size", UOP_TXQ, T(B32), 0, 0, SELECT(QUERY_LAYERS), "dq"},
    {"alloca", NULL, UOP_ALLOCA, T(U64), 0, 0, 0, "da?#"},
    {"stacksave", NULL, UOP_STACKSAVE, T(U64), 0, 0, 0, "d"},
    {"stackrestore", NULL, UOP_STACKRESTORE, T(U64), 0, 0, 0, "a"},
    {"prefetch", NULL, UOP_PREFETCH, 0, 0, G_SPACE | G_HINT, 0, "["},
    {"applypriority", NULL, UOP_PREFETCH, 0, 0, G_SPACE | G_HINT, 0, "[#"},
    {"discard", NULL, UOP_PREFETCH, 0, 0, G_SPACE | G_HINT, 0, "[#"},
    {"prefetchu", NULL, UOP_PREFETCH, 0, 0, G_HINT, 0, "["},
    {"bar", "warp", UOP_BAR_WARP, 0, 0, G_SYNC, UF_SYNC, "i"},
    {"bar", "red", UOP_BAR, T(U32), 0, G_REDUCE | G_HINT | G_SCOPE, 0, "dijP"},
    {"bar", "red", UOP_BAR, T(PRED), 0, G_REDUCE | G_HINT | G_SCOPE, 0, "pijP"},
    {"bar", NULL, UOP_BAR, 0, 0, G_BARRIER | G_HINT | G_SCOPE, 0, "i?i"},
    {"barrier", "red", UOP_BAR, T(U32), 0, G_REDUCE | G_HINT | G_SCOPE, 0, "dijP"},
    {"barrier", "red", UOP_BAR, T(PRED), 0, G_REDUCE | G_HINT | G_SCOPE, 0, "pijP"},
    {"barrier", NULL, UOP_BAR, 0, 0, G_BARRIER | G_HINT | G_SCOPE, 0, "i?i"},
    {"membar", "proxy", UOP_MEMBAR, 0, 0, G_HINT, 0, ""},
    {"membar", NULL, UOP_MEMBAR, 0, 0, G_FENCE, 0, ""},
    {"fence", "proxy", UOP_MEMBAR, 0, 0, G_HINT | G_SPACE | G_ORDER | G_SCOPE, 0, ""},
    {"fence", "mbarrier_init", UOP_MEMBAR, 0, 0, G_ORDER | G_SCOPE, 0, ""},
    {"fence", NULL, UOP_MEMBAR, 0, 0, G_FENCE | G_ORDER, 0, ""},
    {"bra", NULL, UOP_BRA, 0, 0, G_UNIFORM, 0, "L"},
    {"brx", "idx", UOP_BRX, 0, 0, G_UNIFORM, 0, "iT"},
    {"call", NULL, UOP_CALL, 0, 0, G_UNIFORM, 0, "C"},
    {"ret", NULL, UOP_RET, 0, 0, G_UNIFORM, 0, ""},
    {"exit", NULL, UOP_EXIT, 0, 0, 0, 0, ""},
    {"trap", NULL, UOP_TRAP, 0, 0, 0, 0, ""},
    {"brkpt", NULL, UOP_BRKPT, 0, 0, 0, 0, ""},
    {"nanosleep", NULL, UOP_NANOSLEEP, T(U32), 0, 0, 0, "a"},
    {"griddepcontrol", NULL, UOP_NOP, 0, 0, G_HINT, 0, ""},
    {"pmevent", "mask", UOP_NOP, 0, 0, 0, 0, "#"},
    {"pmevent", NULL, UOP_NOP, 0, 0, 0, 0, "#"},
};
const unsigned ptx_form_count = sizeof ptx_forms / sizeof *ptx_forms;

const Modifier ptx_modifiers[] = {
    {"rn", G_ROUND, ROUND_RN, 0},
    {"rz", G_ROUND, ROUND_RZ, 0},
    {"rm", G_ROUND, ROUND_RM, 0},
    {"rp", G_ROUND, ROUND_RP, 0},
    {"rna", G_ROUND, ROUND_RNA, 0},
    {"rni", G_INTEGRAL, ROUND_RN, UF_INTEGRAL},
    {"rzi", G_INTEGRAL, ROUND_RZ, UF_INTEGRAL},
    {"rmi", G_INTEGRAL, ROUND_RM, UF_INTEGRAL},
    {"rpi", G_INTEGRAL, ROUND_RP, UF_INTEGRAL},
    {"sat", G_SAT, 0, UF_SAT},
    {"ftz", G_FTZ, 0, UF_FTZ},
    {"approx", G_APPROX, 0, UF_APPROX},
    {"full", G_APPROX, 0, UF_APPROX},
    {"wrap", G_WRAP, 0, UF_WRAP},
    {"clamp", G_WRAP, 0, 0},
    {"cc", G_CARRY, 0, UF_CC_OUT},
    {"to", G_TO, 0, UF_TO},
    {"shiftamt", G_SHIFTAMT, 0, UF_SHIFTAMT},
    {"lo", G_HALF, 0, 0},
    {"hi", G_HALF, 0, UF_HI},
    {"eq", G_COMPARE, CMP_EQ, 0},
    {"ne", G_COMPARE, CMP_NE, 0},
    {"lt", G_COMPARE, CMP_LT, 0},
    {"le", G_COMPARE, CMP_LE, 0},
    {"gt", G_COMPARE, CMP_GT, 0},
    {"ge", G_COMPARE, CMP_GE, 0},
    {"lo", G_COMPARE, CMP_LO, 0},
    {"ls", G_COMPARE, CMP_LS, 0},
    {"hi", G_COMPARE, CMP_HI, 0},
    {"hs", G_COMPARE, CMP_HS, 0},
    {"equ", G_COMPARE, CMP_EQU, 0},
    {"neu", G_COMPARE, CMP_NEU, 0},
    {"ltu", G_COMPARE, CMP_LTU, 0},
    {"leu", G_COMPARE, CMP_LEU, 0},
    {"gtu", G_COMPARE, CMP_GTU, 0},
    {"geu", G_COMPARE, CMP_GEU, 0},
    {"num", G_COMPARE, CMP_NUM, 0},
    {"nan", G_COMPARE, CMP_NAN, 0},
    {"and", G_BOOL, 0, 1 << UF_BOOL_SHIFT},
    {"or", G_BOOL, 0, 2 << UF_BOOL_SHIFT},
    {"xor", G_BOOL, 0, 3 << UF_BOOL_SHIFT},
    {"global", G_SPACE, SPACE_GLOBAL, 0},
    {"shared", G_SPACE, SPACE_SHARED, 0},
    {"shared::cta", G_SPACE, SPACE_SHARED, 0},
    {"shared::cluster", G_SPACE, SPACE_SHARED, 0}, // a cluster is one block
    {"local", G_SPACE, SPACE_LOCAL, 0},
    {"const", G_SPACE, SPACE_CONST, 0},
    {"param", G_SPACE, SPACE_PARAM, 0},
    {"param::entry", G_SPACE, SPACE_PARAM, 0},
    {"param::func", G_SPACE, SPACE_PARAM, 0},
    {"ca", G_CACHE, CACHE_CA, 0},
    {"cg", G_CACHE, CACHE_CG, 0},
    {"cs", G_CACHE, CACHE_CS, 0},
    {"lu", G_CACHE, CACHE_LU, 0},
    {"cv", G_CACHE, CACHE_CV, 0},
    {"wb", G_CACHE, CACHE_WB, 0},
    {"wt", G_CACHE, CACHE_WT, 0},
    {"weak", G_ORDER, 0, 0},
    {"volatile", G_ORDER, 0, UF_VOLATILE},
    {"relaxed", G_ORDER, 0, UF_VOLATILE},
    {"acquire", G_ORDER, 0, UF_VOLATILE},
    {"release", G_ORDER, 0, UF_VOLATILE},
    {"acq_rel", G_ORDER, 0, UF_VOLATILE},
    {"mmio", G_ORDER, 0, UF_VOLATILE},
    {"sc", G_ORDER, 0, UF_VOLATILE},
    {"cta", G_SCOPE, 0, UF_CTA_SCOPE},
    {"cluster", G_SCOPE, 0, 0},
    {"gpu", G_SCOPE, 0, 0},
    {"sys", G_SCOPE, 0, 0},
    {"v2", G_VECTOR, 2, 0},
    {"v4", G_VECTOR, 4, 0},
    {"nc", G_NC, 0, UF_NC},
    {"add", G_ATOM, ATOM_ADD, 0},
    {"min", G_ATOM, ATOM_MIN, 0},
    {"max", G_ATOM, ATOM_MAX, 0},
    {"inc", G_ATOM, ATOM_INC, 0},
    {"dec", G_ATOM, ATOM_DEC, 0},
    {"and", G_ATOM, ATOM_AND, 0},
    {"or", G_ATOM, ATOM_OR, 0},
    {"xor", G_ATOM, ATOM_XOR, 0},
    {"exch", G_ATOM, ATOM_EXCH, 0},
    {"cas", G_ATOM, ATOM_CAS, 0},
    {"up", G_SHFL, SHFL_UP, 0},
    {"down", G_SHFL, SHFL_DOWN, 0},
    {"bfly", G_SHFL, SHFL_BFLY, 0},
    {"idx", G_SHFL, SHFL_IDX, 0},
    {"all", G_VOTE, VOTE_ALL, 0},
    {"any", G_VOTE, VOTE_ANY, 0},
    {"uni", G_VOTE, VOTE_UNI, 0},
    {"ballot", G_VOTE, VOTE_BALLOT, 0},
    {"any", G_MATCH, 0, 0},
    {"all", G_MATCH, 1, 0},
    {"f4e", G_PRMT, PRMT_F4E, 0},
    {"b4e", G_PRMT, PRMT_B4E, 0},
    {"rc8", G_PRMT, PRMT_RC8, 0},
    {"ecl", G_PRMT, PRMT_ECL, 0},
    {"ecr", G_PRMT, PRMT_ECR, 0},
    {"rc16", G_PRMT, PRMT_RC16, 0},
    {"finite", G_TESTP, TEST_FINITE, 0},
    {"infinite", G_TESTP, TEST_INFINITE, 0},
    {"number", G_TESTP, TEST_NUMBER, 0},
    {"notanumber", G_TESTP, TEST_NOTANUMBER, 0},
    {"normal", G_TESTP, TEST_NORMAL, 0},
    {"subnormal", G_TESTP, TEST_SUBNORMAL, 0},
    {"sync", G_BARRIER, BAR_SYNC, 0},
    {"arrive", G_BARRIER, BAR_ARRIVE, 0},
    {"popc", G_REDUCE, BAR_RED_POPC, 0},
    {"and", G_REDUCE, BAR_RED_AND, 0},
    {"or", G_REDUCE, BAR_RED_OR, 0},
    {"cta", G_FENCE, FENCE_CTA, 0},
    {"cluster", G_FENCE, FENCE_GPU, 0},
    {"gl", G_FENCE, FENCE_GPU, 0},
    {"gpu", G_FENCE, FENCE_GPU, 0},
    {"sys", G_FENCE, FENCE_SYSTEM, 0},
    {"sync", G_SYNC, 0, UF_SYNC},
    {"uni", G_UNIFORM, 0, UF_UNIFORM_BRANCH},
    {"1d", G_TEXTURE, TEX_1D, 0},
    {"2d", G_TEXTURE, TEX_2D, 0},
    {"3d", G_TEXTURE, TEX_3D, 0},
    {"a1d", G_TEXTURE, TEX_LAYERS_1D, 0},
    {"a2d", G_TEXTURE, TEX_LAYERS_2D, 0},
    {"cube", G_TEXTURE, TEX_CUBE, 0},
    {"acube", G_TEXTURE, TEX_CUBES, 0},
    {"trap", G_OUTSIDE, OUTSIDE_TRAP, 0},
    {"clamp", G_OUTSIDE, OUTSIDE_CLAMP, 0},
    {"zero", G_OUTSIDE, OUTSIDE_ZERO, 0},
    {"NaN", G_EXTRA, 0, UF_NAN},
    {"xorsign", G_EXTRA, 0, UF_XORSIGN},
    {"abs", G_EXTRA, 0, 0},
    {"relu", G_EXTRA, 0, UF_RELU},
    {"noftz", G_HINT, 0, 0},
    {"launch_dependents", G_HINT, 0, 0}, // launches never overlap
    {"wait", G_HINT, 0, 0},
    {"aligned", G_HINT, 0, 0},
    {"alias", G_HINT, 0, 0}, // the proxies of a fence
    {"async", G_HINT, 0, 0},
    {"tensormap::generic", G_HINT, 0, 0},
    {"L1", G_HINT, 0, 0},
    {"L2", G_HINT, 0, 0},
    {"L1::evict_normal", G_HINT, 0, 0},
    {"L1::evict_unchanged", G_HINT, 0, 0},
    {"L1::evict_first", G_HINT, 0, 0},
    {"L1::evict_last", G_HINT, 0, 0},
    {"L1::no_allocate", G_HINT, 0, 0},
    {"L2::evict_last", G_HINT, 0, 0},
    {"L2::evict_normal", G_HINT, 0, 0},
    {"L2::evict_first", G_HINT, 0, 0},
    {"L2::64B", G_HINT, 0, 0},
    {"L2::128B", G_HINT, 0, 0},
    {"L2::256B", G_HINT, 0, 0},
};

const unsigned ptx_modifier_count = sizeof ptx_modifiers / sizeof *ptx_modifiers;

#define NO_TENSORS "tensor cores are not modelled: compile a version of the kernel without them"
#define NO_ASYNC "asynchronous copies are not modelled: compile for compute_75 or older"
#define NO_CLUSTERS "clusters are not modelled: compile for compute_75 or older"
#define NO_HINTS "cache policies are not modelled: leave the hint out"

static const struct {
    const char *opcode, *advice;
} unsupported[] = {
    {"wmma", NO_TENSORS},        {"mma", NO_TENSORS},
    {"wgmma", NO_TENSORS},       {"ldmatrix", NO_TENSORS},
    {"stmatrix", NO_TENSORS},    {"movmatrix", NO_TENSORS},
    {"tcgen05", NO_TENSORS},     {"cp", NO_ASYNC},
    {"mbarrier", NO_ASYNC},      {"tensormap", NO_ASYNC},
    {"multimem", NO_CLUSTERS},   {"mapa", NO_CLUSTERS},
    {"getctarank", NO_CLUSTERS}, {"clusterlaunchcontrol", NO_CLUSTERS},
    {"createpolicy", NO_HINTS},
    {"setmaxnreg", "compile for compute_75 or older"},
};

const char *unsupported_advice(const Token *opcode)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (token_is(opcode, unsupported[i].opcode)) return unsupported[i].advice;
    return NULL;
}

static const struct {
    const char *name;
    OpClass class;
} operations[UOP_CODES] = {
#define UOP(name, text, class) [UOP_##name] = {text, CLASS_##class},
#include "ptx/uops.def"
#undef UOP
};

const char *uop_name(UopCode code) { return operations[code].name; }

OpClass uop_class(const UOp *op)
{
    OpClass class = operations[op->code].class;
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
