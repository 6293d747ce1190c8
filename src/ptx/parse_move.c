// Parses mov: from registers, numbers, special registers and addresses, and between a register and
// a vector of its fields.
#include "ptx/internal.h"

#include "base/text.h"

#include <string.h>

// Special registers. Those without a meaning on the simulated GPU have a fixed value: clusters are
// single blocks, and there are no event counters.
enum { NOT_FIXED = -1 };
typedef struct Special {
    const char *name;
    SpecialReg first;
    bool vector;   // has .x .y .z
    bool numbered; // a number follows: %envreg17, %pm3_64
    int fixed;     // the fixed value, or NOT_FIXED
} Special;

#define ONE(name, reg) {name, SREG_##reg, false, false, NOT_FIXED}
#define THREE(name, reg) {name, SREG_##reg##_X, true, false, NOT_FIXED}
#define FIXED(name, value) {name, SPECIAL_REGS, false, false, value}
#define FIXED_THREE(name, value) {name, SPECIAL_REGS, true, false, value}
#define FIXED_MANY(name, value) {name, SPECIAL_REGS, false, true, value}
static const Special specials[] = {
    THREE("%tid", TID),
    THREE("%ntid", NTID),
    THREE("%ctaid", CTAID),
    THREE("%nctaid", NCTAID),
    ONE("%laneid", LANEID),
    ONE("%warpid", WARPID),
    ONE("%nwarpid", NWARPID),
    ONE("%smid", SMID),
    ONE("%nsmid", NSMID),
    ONE("%gridid", GRIDID),
    ONE("%lanemask_eq", LANEMASK_EQ),
    ONE("%lanemask_lt", LANEMASK_LT),
    ONE("%lanemask_le", LANEMASK_LE),
    ONE("%lanemask_gt", LANEMASK_GT),
    ONE("%lanemask_ge", LANEMASK_GE),
    ONE("%clock", CLOCK),
    ONE("%clock_hi", CLOCK_HI),
    ONE("%clock64", CLOCK64),
    ONE("%globaltimer", GLOBALTIMER),
    ONE("%globaltimer_lo", GLOBALTIMER_LO),
    ONE("%globaltimer_hi", GLOBALTIMER_HI),
    ONE("%dynamic_smem_size", DYNAMIC_SMEM_SIZE),
    ONE("%total_smem_size", TOTAL_SMEM_SIZE),
    ONE("%aggr_smem_size", TOTAL_SMEM_SIZE),
    ONE("WARP_SZ", WARP_SIZE),
    THREE("%clusterid", CTAID),
    THREE("%nclusterid", NCTAID),
    FIXED_THREE("%cluster_ctaid", 0),
    FIXED_THREE("%cluster_nctaid", 1),
    FIXED("%cluster_ctarank", 0),
    FIXED("%cluster_nctarank", 1),
    FIXED("%is_explicit_cluster", 0),
    FIXED("%current_graph_exec", 0),
    ONE("%envreg1", ENVREG1),
    ONE("%envreg2", ENVREG2),
    FIXED_MANY("%envreg", 0),
    FIXED_MANY("%pm", 0),
    FIXED_MANY("%reserved_smem_offset_", 0),
    FIXED("%reserved_smem_offset_begin", 0),
    FIXED("%reserved_smem_offset_end", 0),
    FIXED("%reserved_smem_offset_cap", 0),
};

static const Special *find_special(const Token *word)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const Special *s = &specials[i];
        size_t length = strlen(s->name);
        bool begins = word->length > length && !memcmp(word->text, s->name, length);
        if (s->numbered ? begins && text_is_digit(word->text[length])
                        : token_is(word, s->name))
            return s;
    }
    return NULL;
}

bool is_special_register(const Token *word)
{
    return (word->text[0] == '%' || word->text[0] == 'W') && find_special(word);
}

// special = NAME (".x" | ".y" | ".z")?
static bool parse_special(Parser *p, Instruction *in)
{
    Token name = p->token;
    const Special *s = find_special(&name);
    PtxType type = (PtxType)in->op.type;
    int axis = 0;
    lex_next(p);
    if (s->vector) {
        axis = at_dot(p, "x") ? 0 : at_dot(p, "y") ? 1 : at_dot(p, "z") ? 2 : -1;
        if (axis < 0)
            return ptx_fail(p, &p->token, "'%.*s' without a component: expected .x, .y or .z",
                            TEXT(&name));
        lex_next(p);
    }
    if (type == PTX_PRED || type_is_float(type) || ptx_type_bytes(type) < 4)
        return ptx_fail(p, &name, "a special register in mov.%s: expected mov.u32 or mov.u64",
                        ptx_type_name(type));
    if (s->fixed != NOT_FIXED)
        return constant_add(p, (uint64_t)s->fixed, ptx_type_bytes(type) / 4, NO_NUMBER,
                            &in->src[0]);
    in->op.code = UOP_SREG;
    in->op.imm = s->first + axis;
    return true;
}

// The address of a variable: a constant; for .local, the activation's base plus a constant.
static bool move_address(Parser *p, Instruction *in, const Token *name, const Symbol *symbol)
{
    int64_t addend;
    if (!accept_offset(p, &addend)) return false;
    unsigned slots = ptx_type_bytes((PtxType)in->op.type) == 8 ? 2 : 1;
    bool global = symbol->kind == SYMBOL_VARIABLE &&
                  p->variables[symbol->number].v.space == SPACE_GLOBAL;
    if (ptx_type_bytes((PtxType)in->op.type) < (global ? 8 : 4) ||
        type_is_float((PtxType)in->op.type))
        return ptx_fail(p, name, "the address of '%s' in mov.%s: expected mov.u64", symbol->name,
                        ptx_type_name((PtxType)in->op.type));
    uint64_t offset = symbol->offset + (uint64_t)addend;
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
        return constant_add(p, (uint64_t)addend, slots, symbol->number, &in->src[0]);
    case SYMBOL_LOCAL:
        in->op.code = UOP_SREG;
        in->op.imm = SREG_LOCAL_BASE;
        return constant_add(p, offset, 2, NO_NUMBER, &in->src[0]);
    case SYMBOL_PARAM:
    case SYMBOL_FRAME_PARAM: return constant_add(p, offset, slots, NO_NUMBER, &in->src[0]);
    case SYMBOL_FUNCTION:
        p->builders[symbol->number]->address_taken = true;
        return constant_add(p, (uint64_t)addend, slots, CONSTANT_FUNCTION | symbol->number,
                            &in->src[0]);
    default: return ptx_fail(p, name, "'%s': expected a variable or a function", symbol->name);
    }
}

// Looks ahead from "{": how many elements there are up to "}".
static unsigned count_fields(Parser *p)
{
    LexPlace start = lex_place(p);
    unsigned count = 1;
    for (; !at_char(p, '}') && !at_char(p, ';') && p->token.kind > TOKEN_ERROR; lex_next(p))
        count += at_char(p, ',');
    lex_return(p, &start);
    return count;
}

// fields = "{" field ("," field)* "}"
// The fields of a register: two or four of equal width.
static bool parse_fields(Parser *p, Instruction *in, bool source)
{
    Value *values = source ? in->src : in->dst;
    Token at = p->token;
    unsigned count = 0, bytes = ptx_type_bytes((PtxType)in->op.type);
    unsigned wanted = count_fields(p); // the width of a field follows from their number
    if ((wanted != 2 && wanted != 4) || bytes < wanted)
        return ptx_fail(p, &at, "a vector of %u elements for a .%s value: expected two or four",
                        wanted, ptx_type_name((PtxType)in->op.type));
    PtxType type = type_bits(bytes / wanted);
    lex_next(p);
    do {
        if (!source && at_name(p, "_")) lex_next(p);
        else if (source && p->token.kind != TOKEN_NAME) {
            if (!parse_immediate(p, type, &values[count])) return false;
        } else if (!parse_register(p, type, type == PTX_B8, &values[count], NULL)) return false;
        count++;
    } while (count < wanted && accept_char(p, ','));
    in->op.vec = (uint8_t)count;
    in->op.code = source ? UOP_PACK : UOP_UNPACK;
    return expect_char(p, '}');
}

// move = ("{" fields "}" | register) "," ("{" fields "}" | register | number | special | address)
//      | PREDICATE "," "!"? PREDICATE
bool parse_move(Parser *p, Instruction *in)
{
    PtxType type = (PtxType)in->op.type;
    if (type == PTX_PRED) {
        bool negated;
        if (!parse_register(p, type, false, &in->dst[0], NULL) || !expect_char(p, ',') ||
            !parse_predicate_source(p, &in->src[0], &negated))
            return false;
        if (negated) in->op.flags |= UF_NEGATE_A;
        return true;
    }
    bool unpack = at_char(p, '{');
    if (unpack ? !parse_fields(p, in, false)
               : !parse_register(p, type, false, &in->dst[0], NULL))
        return false;
    if (!expect_char(p, ',')) return false;
    if (at_char(p, '{')) {
        if (unpack)
            return ptx_fail(p, &p->token, "a mov between vectors: expected one vector at most");
        return parse_fields(p, in, true);
    }
    Token name = p->token;
    if (name.kind != TOKEN_NAME) return parse_immediate(p, type, &in->src[0]);
    if (current_register(p)) return parse_register(p, type, false, &in->src[0], NULL);
    if (!unpack && is_special_register(&name)) return parse_special(p, in);
    const Symbol *symbol = unpack ? NULL : scope_find(p->scope, name.text, name.length);
    if (!symbol) return parse_register(p, type, false, &in->src[0], NULL);
    lex_next(p);
    return move_address(p, in, &name, symbol);
}
