// Parses operands: registers, numbers, predicates, vectors and addresses, by an opcode form's list
// of operands.
#include "ptx/index_table.h"

#include "base/hash.h"

#include <string.h>

// ---- constants ----

static bool same_constant(const void *items, uint32_t item, const void *key)
{
    const Constant *a = (const Constant *)items + item, *b = key;
    return a->bits == b->bits && a->variable == b->variable && a->slots == b->slots;
}

bool constant_add(Parser *p, uint64_t bits, unsigned slots, uint32_t variable, Value *value)
{
    FunctionBuilder *b = p->builder;
    Constant c = {.bits = bits, .variable = variable, .slot = b->constant_slots,
                  .slots = (uint8_t)slots};
    uint64_t parts[] = {bits, variable, slots};
    uint32_t *entry = index_entry(p, &b->constant_index,
                                  &(IndexKey){hash_bytes(HASH_START, parts, sizeof parts), &c,
                                              b->constants, same_constant, &p->last, "constants"});
    if (!entry) return false;
    if (!*entry) {
        if (b->constant_slots + slots > OPERAND_NONE - OPERAND_CONST)
            return ptx_fail(p, &p->token, "the function needs more than %d slots for constants",
                            OPERAND_NONE - OPERAND_CONST);
        if (!PUSH(p, b->constants, b->constant_count, b->constant_capacity, c)) return false;
        *entry = (uint32_t)b->constant_count;
        b->constant_slots += slots;
    }
    *value = VALUE_CONST | OPERAND_CONST | b->constants[*entry - 1].slot;
    return true;
}

static unsigned slots_of(PtxType type) { return ptx_type_bytes(type) == 8 ? 2 : 1; }

// ---- numbers ----

static bool float_bits(Parser *p, PtxType type, bool negative, uint64_t *bits)
{
    const Token *t = &p->token;
    double number;
    if (t->kind == TOKEN_FLOAT) {
        float narrow;
        uint32_t word = (uint32_t)t->value;
        if (ptx_type_bytes(type) == 4) {
            *bits = negative ? word ^ UINT32_C(0x80000000) : word;
            return true;
        }
        memcpy(&narrow, &word, sizeof narrow);
        number = narrow;
    } else {
        memcpy(&number, &t->value, sizeof number);
    }
    if (negative) number = -number;
    if (ptx_type_bytes(type) == 8) {
        memcpy(bits, &number, sizeof number);
    } else if (ptx_type_bytes(type) == 4) {
        float narrow = (float)number;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        *bits = word;
    } else {
        return ptx_fail(p, t, "'%.*s': expected a number of type .%s, not a floating-point number",
                        TEXT(t), ptx_type_name(type));
    }
    return true;
}

static bool integer_bits(Parser *p, PtxType type, bool negative, uint64_t *bits)
{
    const Token *t = &p->token;
    unsigned width = ptx_type_bytes(type) * 8;
    uint64_t limit = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    // Unsigned types accept negative numbers: and.b32 with -1.
    if (negative ? t->value > limit / 2 + 1 : t->value > limit)
        return ptx_fail(p, t, "%s%.*s: expected a number of type .%s", negative ? "-" : "", TEXT(t),
                        ptx_type_name(type));
    uint64_t value = negative ? 0 - t->value : t->value;
    // Narrow values are sign- or zero-extended to a 32-bit lane.
    *bits = value & (width == 64 ? UINT64_MAX : UINT32_MAX);
    if (width < 32 && !type_is_signed(type)) *bits &= limit;
    return true;
}

// immediate = "-"? (INTEGER | FLOAT | DOUBLE)
bool parse_immediate(Parser *p, PtxType type, Value *value)
{
    bool negative = accept_char(p, '-');
    const Token *t = &p->token;
    bool integer = t->kind == TOKEN_INTEGER;
    uint64_t bits = 0;
    if (!integer && t->kind != TOKEN_FLOAT && t->kind != TOKEN_DOUBLE)
        return ptx_fail(p, t, "'%.*s': expected a register or a number", TEXT(t));
    if (integer && type_is_float(type))
        return ptx_fail(p, t,
                        "'%.*s': expected a number of type .%s: 0f..., 0d... or with a decimal "
                        "point",
                        TEXT(t), ptx_type_name(type));
    bool whole = type != PTX_NONE && !type_is_float(type) && type < PTX_B8;
    if (!integer && whole)
        return ptx_fail(p, t, "'%.*s': expected a number of type .%s, not a floating-point number",
                        TEXT(t), ptx_type_name(type));
    if (integer ? !integer_bits(p, type, negative, &bits) : !float_bits(p, type, negative, &bits))
        return false;
    lex_next(p);
    return constant_add(p, bits, slots_of(type), NO_NUMBER, value);
}

// ---- registers ----

bool register_new(Parser *p, PtxType type, const Token *name, uint32_t *number)
{
    FunctionBuilder *b = p->builder;
    char *text = module_new(p, name->length + 1);
    if (b->register_count >= PTX_MAX_REGISTERS)
        return ptx_fail(p, &p->token, "the function uses more than %d virtual registers",
                        PTX_MAX_REGISTERS);
    *number = (uint32_t)b->register_count;
    if (!text) return false;
    memcpy(text, name->text, name->length);
    return PUSH(p, b->names, b->name_count, b->name_capacity, text) &&
           PUSH(p, b->registers, b->register_count, b->register_capacity, type);
}

// Whether a register of type `declared` may be an operand of type `type`: an f32 register for f32
// and b32; u32 and s32 are interchangeable. `wider`: for integers, the register may have more bits.
static bool type_compatible(PtxType declared, PtxType type, bool wider)
{
    if ((declared == PTX_PRED) != (type == PTX_PRED)) return false;
    unsigned have = ptx_type_bytes(declared), want = ptx_type_bytes(type);
    bool untyped = (declared >= PTX_B8 && declared <= PTX_B64) ||
                   (type >= PTX_B8 && type <= PTX_B64);
    bool number = type_is_float(type) && want != 2;
    if (!untyped && type_is_float(declared) != type_is_float(type)) return false;
    return have == want || (wider && !number && have > want);
}

static bool fail_register(Parser *p, const Token *name)
{
    const Symbol *symbol = scope_find(p->scope, name->text, name->length);
    if (symbol || token_is(name, "_"))
        return ptx_fail(p, name, "'%.*s': expected a register", TEXT(name));
    const Symbol *range = scope_find_range(p->scope, name);
    if (range)
        return ptx_fail(p, name, "'%.*s' is not declared: line %d declares %s%u>", TEXT(name),
                        range->at.line, range->name, range->count);
    if (is_special_register(name))
        return ptx_fail(p, name, "'%.*s' is a special register: expected mov to read it",
                        TEXT(name));
    const char *near = scope_nearest(p, name);
    return ptx_fail(p, name, "'%.*s' is not declared%s%s%s", TEXT(name),
                    HD_DID_YOU_MEAN(near));
}

bool parse_register(Parser *p, PtxType type, bool wider, Value *value, PtxType *declared)
{
    const Token *name = &p->token;
    if (name->kind != TOKEN_NAME)
        return ptx_fail(p, name, "'%.*s': expected a register", TEXT(name));
    uint32_t index = 0;
    Symbol *symbol = scope_find_register(p->scope, name, &index);
    if (!symbol) return fail_register(p, name);
    if (!type_compatible(symbol->type, type, wider))
        return ptx_fail(p, name, "'%.*s' is a .%s register: expected .%s",
                        TEXT(name), ptx_type_name(symbol->type), ptx_type_name(type));
    uint32_t *number = register_number(p, symbol, index);
    if (!number) return false;
    if (*number == NO_NUMBER && !register_new(p, symbol->type, name, number)) return false;
    *value = *number;
    if (declared) *declared = symbol->type;
    lex_next(p);
    return true;
}

// WARP_SZ outside a mov: adds an instruction that reads the machine's warp width into a new
// register.
static bool parse_warp_size(Parser *p, PtxType type, Value *value)
{
    if (ptx_type_bytes(type) < 4 || type >= PTX_F16)
        return ptx_fail(p, &p->token, "WARP_SZ with type .%s: expected an integer of 32 or 64 bits",
                        ptx_type_name(type));
    Instruction in = instruction_start(UOP_SREG, &p->token);
    in.location = p->location;
    in.source = "mov.u32 ?, WARP_SZ";
    in.op.type = type;
    in.op.imm = SREG_WARP_SIZE;
    in.op.class = CLASS_MOVE;
    if (!register_new(p, type, &p->token, &in.dst[0])) return false;
    *value = in.dst[0];
    lex_next(p);
    return instruction_add(p, p->builder, &in);
}

bool parse_source(Parser *p, PtxType type, bool wider, Value *value, PtxType *declared)
{
    *declared = type;
    if (at_name(p, "WARP_SZ")) return parse_warp_size(p, type, value);
    if (p->token.kind != TOKEN_NAME) return parse_immediate(p, type, value);
    return parse_register(p, type, wider, value, declared);
}

bool parse_predicate_source(Parser *p, Value *value, bool *negated)
{
    *negated = accept_char(p, '!');
    if (p->token.kind == TOKEN_NAME) return parse_register(p, PTX_PRED, false, value, NULL);
    int64_t number;
    if (!expect_integer(p, "a predicate", INT64_MIN, INT64_MAX, &number)) return false;
    *value = VALUE_CONST | OPERAND_CONST | (number != 0);
    return true;
}

// ---- vectors ----

static bool narrow_in_wide(PtxType type, PtxType declared)
{
    return ptx_type_bytes(type) < 8 && ptx_type_bytes(declared) == 8;
}

// vector = element | "{" element ("," element)* "}"
// element = register | number | "_" (an element of a destination that is dropped)
static bool parse_vector(Parser *p, Instruction *in, bool source)
{
    Value *values = source ? in->src + 1 : in->dst;
    PtxType type = (PtxType)in->op.type;
    Token at = p->token;
    bool braces = accept_char(p, '{'), wider = in->op.code != UOP_TEX;
    unsigned count = 0, wide = 0;
    do {
        if (count == in->op.vec)
            return ptx_fail(p, &at, "too many elements: expected %u", count);
        PtxType declared = type;
        if (at_name(p, "_")) {
            if (source)
                return ptx_fail(p, &p->token, "'_' as a source: expected a register or a number");
            values[count] = VALUE_NONE;
            lex_next(p);
        } else if (source ? !parse_source(p, type, wider, &values[count], &declared)
                          : !parse_register(p, type, wider, &values[count], &declared)) {
            return false;
        }
        wide += narrow_in_wide(type, declared);
        count++;
    } while (braces && accept_char(p, ','));
    if (braces && !expect_char(p, '}')) return false;
    if (count != in->op.vec)
        return ptx_fail(p, &at, "%u elements: expected %u", count, in->op.vec);
    if (wide && wide != count)
        return ptx_fail(p, &at, "a vector of different registers: expected registers of one width");
    if (wide) in->op.flags |= source ? UF_WIDE_SRC : UF_WIDE_DST;
    return true;
}

// ---- addresses ----

// Parses a register that holds an address, of 32 or 64 bits.
static bool parse_address_register(Parser *p, Instruction *in, Value *value)
{
    const Symbol *symbol = current_register(p);
    bool narrow = symbol && ptx_type_bytes(symbol->type) == 4;
    if (narrow) in->op.flags |= UF_ADDRESS32;
    return parse_register(p, narrow ? PTX_U32 : PTX_U64, false, value, NULL);
}

// Fails, because the variable `name` is in the space `is`, and the instruction names another one.
static bool fail_space(Parser *p, const Token *name, PtxSpace is, PtxSpace expected)
{
    static const char *const where[] = {
        [SPACE_GLOBAL] = "in .global memory", [SPACE_SHARED] = "in .shared memory",
        [SPACE_LOCAL] = "in .local memory",   [SPACE_CONST] = "in .const memory",
        [SPACE_PARAM] = "a parameter"};
    return ptx_fail(p, name, "'%.*s' is %s: expected %s%s, the state space of the instruction",
                    TEXT(name), where[is], expected == SPACE_PARAM ? "" : "a variable ",
                    where[expected]);
}

static bool address_of_variable(Parser *p, Instruction *in, const Token *name, const Symbol *symbol)
{
    UOp *op = &in->op;
    PtxSpace space = p->variables[symbol->number].v.space;
    if (p->variables[symbol->number].v.texture)
        return ptx_fail(p, name, "'%s' is a texture reference: expected tex to read it",
                        symbol->name);
    if (op->space == SPACE_GENERIC) op->space = space;
    if (op->space != space) return fail_space(p, name, space, op->space);
    if (space == SPACE_GLOBAL) return constant_add(p, 0, 2, symbol->number, &in->src[0]);
    in->variable = symbol->number;
    return true;
}

static bool address_of_place(Parser *p, Instruction *in, const Token *name, const Symbol *symbol)
{
    UOp *op = &in->op;
    bool local = symbol->kind == SYMBOL_LOCAL;
    if (symbol->variadic && op->space == SPACE_PARAM) op->space = SPACE_LOCAL;
    PtxSpace space = local ? SPACE_LOCAL : SPACE_PARAM;
    if (op->space == SPACE_GENERIC) op->space = space;
    if (op->space != space) return fail_space(p, name, space, op->space);
    int64_t last = op->imm + ptx_type_bytes((PtxType)op->type) * op->vec;
    if (!local && (op->imm < 0 || last > (int64_t)symbol->bytes))
        return ptx_fail(p, name, "an access outside of '%s': expected a range within its %u bytes",
                        symbol->name, (unsigned)symbol->bytes);
    if (local) op->flags |= UF_FRAME_RELATIVE;
    if (symbol->kind == SYMBOL_FRAME_PARAM) op->space = SPACE_FRAME_PARAM;
    op->imm += (int64_t)symbol->offset;
    return true;
}

// address = "[" (register | variable | number) ("+" number | "-" number)? "]"
static bool parse_address(Parser *p, Instruction *in)
{
    UOp *op = &in->op;
    if (!expect_char(p, '[')) return false;
    Token name = p->token;
    const Symbol *symbol = NULL;
    if (name.kind == TOKEN_NAME) {
        symbol = scope_find(p->scope, name.text, name.length);
        if (symbol && symbol->kind == SYMBOL_REGISTER) symbol = NULL;
        if (symbol) lex_next(p);
        else if (!parse_address_register(p, in, &in->src[0])) return false;
        if (!symbol && op->space == SPACE_PARAM && !p->builder->f.entry)
            op->space = SPACE_FRAME_PARAM;
        if (!accept_offset(p, &op->imm)) return false;
    } else if (!expect_integer(p, "an address", 0, UINT32_MAX, &op->imm)) {
        return false;
    }
    if (!expect_char(p, ']')) return false;
    if (!symbol) return true;
    switch (symbol->kind) {
    case SYMBOL_VARIABLE: return address_of_variable(p, in, &name, symbol);
    case SYMBOL_LOCAL:
    case SYMBOL_PARAM:
    case SYMBOL_FRAME_PARAM: return address_of_place(p, in, &name, symbol);
    default: return ptx_fail(p, &name, "'%s': expected a variable in memory", symbol->name);
    }
}

// ---- operands by the form's list (instruction_table.c) ----

static PtxType wide_type(PtxType type)
{
    return type == PTX_S16 ? PTX_S32 : type == PTX_U16 ? PTX_U32 : type == PTX_S32 ? PTX_S64
                                                                                   : PTX_U64;
}

// Indices of the next destination and source.
typedef struct Cursor { unsigned dst, src; } Cursor;

static bool parse_destination(Parser *p, Instruction *in, PtxType type, Cursor *c)
{
    PtxType declared = type;
    Value *value = &in->dst[c->dst++];
    UopCode code = (UopCode)in->op.code;
    // The mask of match.any is its only result.
    bool dropped = code == UOP_ATOM || code == UOP_ELECT || code == UOP_SETP ||
                   code == UOP_LOP3_TEST || (code == UOP_MATCH && in->op.modifier);
    if (dropped && at_name(p, "_")) {
        lex_next(p);
        return true;
    }
    if (!parse_register(p, type, in->op.code == UOP_CVT, value, &declared)) return false;
    if (narrow_in_wide(type, declared)) in->op.flags |= UF_WIDE_DST;
    return true;
}

static bool parse_shape_source(Parser *p, Instruction *in, PtxType type, Cursor *c)
{
    PtxType declared;
    if (!parse_source(p, type, in->op.code == UOP_CVT, &in->src[c->src++], &declared)) return false;
    if (narrow_in_wide(type, declared)) in->op.flags |= UF_WIDE_SRC;
    return true;
}

static bool parse_shape_predicate(Parser *p, Instruction *in, Cursor *c)
{
    static const uint32_t negate[] = {UF_NEGATE_A, UF_NEGATE_B, UF_NEGATE_C, UF_NEGATE_C};
    bool negated;
    unsigned i = c->src++;
    if (!parse_predicate_source(p, &in->src[i], &negated)) return false;
    if (negated) in->op.flags |= negate[i];
    return true;
}

static bool at_predicate(const Parser *p)
{
    const Symbol *symbol = current_register(p);
    return at_char(p, '!') || (symbol && symbol->type == PTX_PRED);
}

// address-value = register | (variable | parameter) ("+" number | "-" number)?
static bool parse_address_value(Parser *p, Instruction *in, Cursor *c)
{
    Token name = p->token;
    const Symbol *symbol = NULL;
    if (name.kind == TOKEN_NAME && !current_register(p))
        symbol = scope_find(p->scope, name.text, name.length);
    bool variable = symbol && symbol->kind == SYMBOL_VARIABLE;
    if (!variable && !(symbol && symbol->kind == SYMBOL_PARAM))
        return parse_shape_source(p, in, (PtxType)in->op.type, c);
    PtxSpace space = variable ? p->variables[symbol->number].v.space : SPACE_PARAM;
    if (in->op.flags & UF_TO || in->op.type != PTX_U64)
        return ptx_fail(p, &name, "'%.*s': expected a register; cvta.u64 without .to takes a "
                                  "variable's name", TEXT(&name));
    if (in->op.space != space && in->op.space != SPACE_GENERIC) // check_instruction fails for it
        return fail_space(p, &name, space, (PtxSpace)in->op.space);
    int64_t addend;
    lex_next(p);
    if (!accept_offset(p, &addend)) return false;
    return constant_add(p, (variable ? 0 : symbol->offset) + (uint64_t)addend, 2,
                        variable ? symbol->number : NO_NUMBER, &in->src[c->src++]);
}

// The table of a lop3, the alignment of an alloca, or a number that has no effect here.
static bool parse_constant(Parser *p, Instruction *in)
{
    int64_t ignored, *to = in->op.code == UOP_ALLOCA ? &in->op.imm : &ignored;
    if (in->op.code == UOP_LOP3 || in->op.code == UOP_LOP3_TEST)
        return expect_integer(p, "a table", 0, UINT8_MAX, &in->op.imm);
    return expect_integer(p, "a constant", INT64_MIN, INT64_MAX, to);
}

static bool parse_shape(Parser *p, char shape, Instruction *in, Cursor *c)
{
    PtxType type = (PtxType)in->op.type, type2 = (PtxType)in->op.type2;
    switch (shape) {
    case 'd': return parse_destination(p, in, type, c);
    case 'w': return parse_destination(p, in, wide_type(type), c);
    case 'D': return parse_destination(p, in, PTX_B32, c);
    case 'p': return parse_destination(p, in, PTX_PRED, c);
    case 'a':
        if (in->op.code == UOP_CVTA) return parse_address_value(p, in, c);
        return parse_shape_source(p, in, type, c);
    case 'A': return parse_shape_source(p, in, wide_type(type), c);
    case 'b': return parse_shape_source(p, in, type2, c);
    case 'j':
    case 'i': return parse_shape_source(p, in, PTX_B32, c);
    case 'l': return parse_address_register(p, in, &in->src[c->src++]);
    case 'P': return parse_shape_predicate(p, in, c);
    case '[': c->src++; return parse_address(p, in);
    case 'v': return parse_vector(p, in, false);
    case 'V': return parse_vector(p, in, true);
    case '#': return parse_constant(p, in);
    case 't': c->src = 4; return parse_texture(p, in);
    case 's': c->src = 1; return parse_surface(p, in);
    case 'q': return parse_texture_name(p, in);
    case 'f': return parse_level(p, PTX_F32, &in->src[4]);
    case 'e': return parse_level(p, PTX_S32, &in->src[4]);
    case 'g': return parse_gradient(p);
    case 'L': return parse_branch_target(p, in);
    case 'T': return parse_branch_table(p, in);
    case 'C': return parse_call(p, in);
    default: return parse_move(p, in); // 'M'
    }
}

bool parse_operands(Parser *p, const OpcodeForm *form, Instruction *in)
{
    Cursor c = {0, 0};
    bool comma = false;
    for (const char *shape = form->shape; *shape; shape++) {
        if (*shape == '?') {
            if (!at_char(p, ',')) return true;
        } else if (*shape == '|') {
            if (accept_char(p, '|') && !parse_destination(p, in, PTX_PRED, &c)) return false;
        } else {
            if (comma && !expect_char(p, ',')) return false;
            comma = true;
            if (*shape == 'j' && at_predicate(p)) {
                c.src++;
                comma = false;
            } else if (!parse_shape(p, *shape, in, &c)) {
                return false;
            }
        }
    }
    return true;
}
