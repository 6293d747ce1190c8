// mov: between registers, from numbers, special registers and addresses, and between a register and
// its parts.
#include "ptx/internal.h"

#include <string.h>

static const struct {
    const char *name;
    SpecialReg first;
    bool vector; // has .x .y .z
} specials[] = {
    {"%tid", SREG_TID_X, true},
    {"%ntid", SREG_NTID_X, true},
    {"%ctaid", SREG_CTAID_X, true},
    {"%nctaid", SREG_NCTAID_X, true},
    {"%laneid", SREG_LANEID, false},
    {"%warpid", SREG_WARPID, false},
    {"%nwarpid", SREG_NWARPID, false},
    {"%smid", SREG_SMID, false},
    {"%nsmid", SREG_NSMID, false},
    {"%gridid", SREG_GRIDID, false},
    {"%lanemask_eq", SREG_LANEMASK_EQ, false},
    {"%lanemask_lt", SREG_LANEMASK_LT, false},
    {"%lanemask_le", SREG_LANEMASK_LE, false},
    {"%lanemask_gt", SREG_LANEMASK_GT, false},
    {"%lanemask_ge", SREG_LANEMASK_GE, false},
    {"%clock", SREG_CLOCK, false},
    {"%clock_hi", SREG_CLOCK_HI, false},
    {"%clock64", SREG_CLOCK64, false},
    {"%globaltimer", SREG_GLOBALTIMER, false},
    {"%globaltimer_lo", SREG_GLOBALTIMER_LO, false},
    {"%globaltimer_hi", SREG_GLOBALTIMER_HI, false},
    {"%dynamic_smem_size", SREG_DYNAMIC_SMEM_SIZE, false},
    {"%total_smem_size", SREG_TOTAL_SMEM_SIZE, false},
    {"WARP_SZ", SREG_WARP_SIZE, false},
};

int special_register(const Token *name, const Token *component)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (!token_is(name, specials[i].name)) continue;
        if (!specials[i].vector || !component) return (int)specials[i].first;
        const char *axis = component->length == 2 ? strchr("xyz", component->text[1]) : NULL;
        return axis && *axis ? (int)specials[i].first + (*axis == 'x' ? 0 : *axis == 'y' ? 1 : 2)
                             : -1;
    }
    return -1;
}

// special = NAME (".x" | ".y" | ".z")?
static bool parse_special(Parser *p, Instruction *in)
{
    Token name = p->token;
    lex_next(p);
    int reg = special_register(&name, &p->token);
    bool vector = special_register(&name, NULL) < SREG_LANEID;
    if (vector && (p->token.kind != TOKEN_DOT || reg < 0))
        return ptx_fail(p, &p->token, "'%.*s' needs .x, .y or .z behind it", TEXT(&name));
    if (vector) lex_next(p);
    if (type_is_float((PtxType)in->op.type) || ptx_type_bytes((PtxType)in->op.type) < 4)
        return ptx_fail(p, &name, "a special register has 32 or 64 bits: use mov.u32 or mov.u64");
    in->op.code = UOP_SREG;
    in->op.imm = reg;
    return true;
}

// The address of a variable: a constant, or for .local the activation's base plus one.
static bool move_address(Parser *p, Instruction *in, const Token *name, const Symbol *symbol)
{
    int64_t addend = 0;
    if (accept_char(p, '+') || at_char(p, '-'))
        if (!expect_integer(p, "an offset", &addend)) return false;
    unsigned slots = ptx_type_bytes((PtxType)in->op.type) == 8 ? 2 : 1;
    bool global = symbol->kind == SYMBOL_VARIABLE &&
                  p->variables[symbol->number].v.space == SPACE_GLOBAL;
    if (ptx_type_bytes((PtxType)in->op.type) < (global ? 8 : 4) ||
        type_is_float((PtxType)in->op.type))
        return ptx_fail(p, name, "the address of '%s' needs a mov.u64", symbol->name);
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
        p->builds[symbol->number]->address_taken = true;
        return constant_add(p, (uint64_t)addend, slots, CONSTANT_FUNCTION | symbol->number,
                            &in->src[0]);
    default: return ptx_fail(p, name, "'%s' has no address", symbol->name);
    }
}

// The parts of a register: each as wide as the whole divided by their number.
static bool parse_parts(Parser *p, Instruction *in, bool source)
{
    Value *values = source ? in->src : in->dst;
    Token at = p->token;
    unsigned count = 0, bytes = ptx_type_bytes((PtxType)in->op.type);
    // The width of a part follows from their number, so they are counted first.
    const char *close = at.text + strcspn(at.text, "};");
    unsigned wanted = 1;
    for (const char *s = at.text; s < close; s++) wanted += *s == ',';
    if (*close != '}' || (wanted != 2 && wanted != 4) || bytes / wanted == 0 || !bytes)
        return ptx_fail(p, &at, "a .%s value has two or four parts",
                        ptx_type_name((PtxType)in->op.type));
    PtxType type = type_bits(bytes / wanted);
    lex_next(p);
    do {
        if (!source && at_word(p, "_")) lex_next(p);
        else if (source && p->token.kind != TOKEN_WORD) {
            if (!parse_immediate(p, type, &values[count])) return false;
        } else if (!parse_register(p, type, type == PTX_B8, &values[count], NULL)) return false;
        count++;
    } while (count < wanted && accept_char(p, ','));
    in->op.vec = (uint8_t)count;
    in->op.code = source ? UOP_PACK : UOP_UNPACK;
    return expect_char(p, '}');
}

static bool move_predicate(Parser *p, Instruction *in)
{
    bool negated;
    if (!parse_register(p, PTX_PRED, false, &in->dst[0], NULL) || !expect_char(p, ',') ||
        !parse_predicate_source(p, &in->src[0], &negated))
        return false;
    if (negated) in->op.flags |= UF_NEGATE_A;
    return true;
}

// move = ("{" parts "}" | register) "," ("{" parts "}" | register | number | special | address)
bool parse_move(Parser *p, Instruction *in)
{
    PtxType type = (PtxType)in->op.type;
    if (type == PTX_PRED) return move_predicate(p, in);
    bool unpack = at_char(p, '{');
    if (unpack ? !parse_parts(p, in, false)
               : !parse_register(p, type, false, &in->dst[0], NULL))
        return false;
    if (!expect_char(p, ',')) return false;
    if (at_char(p, '{')) {
        if (unpack) return ptx_fail(p, &p->token, "only one side of a mov can be a vector");
        return parse_parts(p, in, true);
    }
    Token name = p->token;
    if (name.kind != TOKEN_WORD) return parse_immediate(p, type, &in->src[0]);
    uint32_t index;
    if (scope_find_register(p->scope, &name, &index))
        return parse_register(p, type, false, &in->src[0], NULL);
    if (!unpack && special_register(&name, NULL) >= 0) return parse_special(p, in);
    const Symbol *symbol = unpack ? NULL : scope_find(p->scope, name.text, name.length);
    if (!symbol) return parse_register(p, type, false, &in->src[0], NULL);
    lex_next(p);
    return move_address(p, in, &name, symbol);
}
