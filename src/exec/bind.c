// Binding: every micro-op of a module gets the functions that compute it with the host's
// instruction set.
// An unsupported operation is reported here, with its line.
#include "exec/exec.h"
#include "exec/op_table.h"
#include "exec/texture.h"

_Static_assert(PTX_CONST_WINDOW == GUEST_CONST_BASE, "one window of the constant bank");

typedef struct Isa {
    const OpTable *tables[6];
} Isa;
#define ISA(name)                                                                                 \
    {{&ops_int_##name, &ops_move_##name, &ops_compare_##name, &ops_bits_##name,                    \
      &ops_float_##name, &ops_convert_##name}}
enum { TABLES_OF_ISA = 6 };

static const Isa isas[EXEC_ISAS] = {
    [EXEC_BASE] = ISA(base),
#ifdef HEDDLE_X86_ISAS
    [EXEC_AVX2] = ISA(avx2),
    [EXEC_AVX512] = ISA(avx512),
#endif
};

bool exec_isa_available(ExecIsa isa)
{
#ifdef HEDDLE_X86_ISAS
    switch (isa) {
    case EXEC_BASE: return true;
    case EXEC_AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case EXEC_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("fma");
    default: return false;
    }
#else
    return isa == EXEC_BASE;
#endif
}

ExecIsa exec_best_isa(void)
{
    for (unsigned i = EXEC_ISAS; i-- > 1;)
        if (exec_isa_available((ExecIsa)i)) return (ExecIsa)i;
    return EXEC_BASE;
}

// ---- lookup of rows ----

// Flags that change the computed value. The others are about operands, memory or control.
enum {
    VALUE_FLAGS = UF_SAT | UF_FTZ | UF_APPROX | UF_WRAP | UF_CC_OUT | UF_CC_IN | UF_INTEGRAL |
                  UF_TO | UF_SHIFTAMT | UF_HI | UF_BOOL_MASK | UF_NEGATE_A | UF_NEGATE_B |
                  UF_NEGATE_C | UF_WIDE_DST | UF_WIDE_SRC | UF_NAN | UF_XORSIGN | UF_RELU
};

static PtxType without_bits(PtxType type)
{
    return type >= PTX_B8 && type <= PTX_B64 ? (PtxType)(type - PTX_B8 + PTX_U8) : type;
}

static const OpRow *find_row(const OpTable *table, const UOp *op)
{
    PtxType type = without_bits((PtxType)op->type), type2 = without_bits((PtxType)op->type2);
    uint32_t flags = op->flags & VALUE_FLAGS;
    for (size_t i = 0; i < table->count; i++) {
        const OpRow *row = &table->rows[i];
        if (row->code == op->code && row->type == type &&
            (row->type2 == PTX_NONE || row->type2 == type2) &&
            (row->modifier == ANY_MODIFIER || row->modifier == op->modifier) &&
            (row->rounding == ANY_ROUNDING || row->rounding == op->rounding) &&
            (flags & row->needs) == row->needs && !(flags & ~(row->needs | row->also)))
            return row;
    }
    return NULL;
}

// ---- operations that the core executes ----

static bool atomic_type(const UOp *op)
{
    PtxType type = without_bits((PtxType)op->type);
    bool integer = type == PTX_U32 || type == PTX_S32 || type == PTX_U64 || type == PTX_S64;
    switch (op->modifier) {
    case ATOM_ADD: return integer || (type >= PTX_F16 && type <= PTX_F64);
    case ATOM_CAS: return integer || type == PTX_U16;
    case ATOM_INC: case ATOM_DEC: return type == PTX_U32;
    default: return integer;
    }
}

// Whether the core can execute this memory, barrier or control operation.
static bool core_executes(const UOp *op)
{
    const UopInfo *info = &uop_infos[op->code];
    if (info->control == CONTROL_LANES) return false;
    if (op->code == UOP_LD || op->code == UOP_ST) return ptx_type_bytes((PtxType)op->type) != 0;
    return info->modifier != MODIFIER_ATOM || atomic_type(op);
}

static const OpRow *look_up(const UOp *op, ExecIsa isa)
{
    const OpRow *row = find_row(&ops_warp, op);
    if (!row) row = find_row(&ops_packed, op);
    if (!row) row = find_row(&ops_video, op);
    for (unsigned t = 0; t < TABLES_OF_ISA && !row; t++)
        row = find_row(isas[isa].tables[t], op);
    return row;
}

// Caches the rows of earlier lookups: a module has few different operations.
enum { MEMO_ENTRIES = 1024 };
typedef struct Memo {
    uint64_t operation;
    uint32_t flags;
    const OpRow *row; // NULL: empty entry
} Memo;

static const OpRow *memo_row(Memo *memo, const UOp *op, ExecIsa isa)
{
    uint64_t operation = (uint64_t)op->code << 32 | (uint64_t)op->type << 24 | op->type2 << 16 |
                         op->modifier << 8 | op->rounding;
    uint32_t flags = op->flags & VALUE_FLAGS;
    Memo *r = &memo[(operation * 0x9e3779b97f4a7c15 + flags * 31) >> 17 & (MEMO_ENTRIES - 1)];
    if (!r->row || r->operation != operation || r->flags != flags)
        *r = (Memo){operation, flags, look_up(op, isa)};
    return r->row;
}

static bool is_usual_load(const UOp *op)
{
    unsigned bytes = ptx_type_bytes(op->type);
    return op->code == UOP_LD && op->space == SPACE_GLOBAL && op->vec == 1 &&
           op->src[0] != OPERAND_NONE && op->dst[0] != OPERAND_NONE &&
           !(op->flags & (UF_ADDRESS32 | UF_FRAME_RELATIVE)) &&
           (bytes == 8 || (bytes == 4 && !(op->flags & UF_WIDE_DST)));
}

static UopWay way_of(const UOp *op)
{
    if (op->code == UOP_BRA) return WAY_BRANCH;
    if (core_executes(op))
        return is_usual_load(op)                                  ? WAY_LOAD
               : uop_infos[op->code].control == CONTROL_MEMORY ? WAY_MEMORY
                                                               : WAY_OTHER;
    bool clock = op->code == UOP_SREG && op->imm >= SREG_CLOCK && op->imm <= SREG_GLOBALTIMER_HI;
    return clock || op->code == UOP_SHFL || op->flags & UF_SYNC ? WAY_OTHER : WAY_PLAIN;
}

static bool select_row(UOp *op, ExecIsa isa, Memo *memo)
{
    op->run = op->run_full = NULL;
    op->way = (uint8_t)way_of(op);
    if (core_executes(op)) return true;
    if (op->code == UOP_SREG && (uint64_t)op->imm >= SPECIAL_REGS) return false;
    if (op->code == UOP_TXQ) {
        op->run = op->run_full = exec_texture_query;
        return true;
    }
    if (op->code == UOP_ALLOCA || op->code == UOP_STACKSAVE || op->code == UOP_STACKRESTORE) {
        op->run = op->run_full = exec_stack;
        return true;
    }
    const OpRow *row = memo ? memo_row(memo, op, isa) : look_up(op, isa);
    if (!row) return false;
    op->run = row->some;
    op->run_full = row->full;
    return true;
}

bool exec_select(UOp *op, ExecIsa isa) { return select_row(op, isa, NULL); }

// Adds a register to those that delay the instruction. false: its words are too many.
static bool add_need(UOpTiming *timing, unsigned number)
{
    unsigned i = 0;
    while (i < timing->need_words && timing->need_word[i] != number / 64) i++;
    if (i == UOP_NEED_WORDS) return false;
    if (i == timing->need_words) {
        timing->need_word[i] = (uint16_t)(number / 64);
        timing->needs[i] = 0;
        timing->need_words++;
    }
    timing->needs[i] |= UINT64_C(1) << number % 64;
    return true;
}

// Whether an instruction may wait for more than its registers.
static bool is_ordered(const UOp *op)
{
    switch (op->code) {
    case UOP_BAR:
    case UOP_MEMBAR:
    case UOP_CALL:
    case UOP_CALL_POINTER:
    case UOP_SYSTEM:
    case UOP_RET: return true;
    default: return false;
    }
}

static void set_needs(UOpTiming *timing, const UOp *op)
{
    bool all = !is_ordered(op);
    timing->need_words = 0;
    for (unsigned i = 0; i < timing->read_count; i++)
        all = all && add_need(timing, timing->reads[i]);
    for (unsigned i = 0; i < timing->write_count; i++)
        all = all && add_need(timing, timing->writes[i]);
    if (!all) timing->need_words = 0;
    else if (!timing->need_words) timing->need_words = 1; // of which it needs nothing
    timing->row = op->space == SPACE_FRAME_PARAM ? UOP_ROW_FRAME_PARAM : op->class;
}

static void set_result(UOpTiming *timing)
{
    timing->one_word = true;
    timing->result = 0;
    timing->result_word = timing->write_count ? timing->writes[0] / 64 : 0;
    for (unsigned i = 0; i < timing->write_count; i++) {
        timing->one_word = timing->one_word && timing->writes[i] / 64 == timing->result_word;
        timing->result |= UINT64_C(1) << timing->writes[i] % 64;
    }
}

bool exec_bind(PtxModule *module, HdError *err)
{
    ExecIsa isa = exec_best_isa();
    Memo memo[MEMO_ENTRIES] = {0};
    for (size_t f = 0; f < module->function_count; f++) {
        PtxFunction *function = &module->functions[f];
        for (uint32_t i = 0; i < function->op_count; i++) {
            UOp *op = &function->ops[i];
            set_needs(&function->timing[i], op);
            set_result(&function->timing[i]);
            if (select_row(op, isa, memo)) continue;
            HdError why;
            hd_fail_at(&why, function->path, (int)function->timing[i].line, 0,
                       "'%s' with type .%s and these modifiers is not supported: %s: expected a "
                       "form that the PTX ISA lists",
                       uop_name((UopCode)op->code), ptx_type_name((PtxType)op->type),
                       ptx_source_text(module, function, i));
            if (!module->lenient) return hd_fail(err, "%s", why.text);
            if (!ptx_mark_unusable(module, function, why.text))
                return hd_fail_memory(err, "loading a module");
            op->code = UOP_TRAP;
            op->way = WAY_OTHER;
        }
    }
    return ptx_propagate_unusable(module) || hd_fail_memory(err, "loading a module");
}
