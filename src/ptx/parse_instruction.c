// One instruction: its guard, opcode and modifiers choose a row of the table; the row's shape says
// how to read the operands.
#include "ptx/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FORMS_TEXT = 512 };

// opcode = WORD DOT*
static bool parse_opcode(Parser *p, const Token *name, Opcode *o)
{
    o->name = *name;
    o->count = o->type_count = 0;
    o->types[0] = o->types[1] = PTX_NONE;
    for (; p->token.kind == TOKEN_DOT; lex_next(p)) {
        if (o->count == MAX_MODIFIERS)
            return ptx_fail(p, &p->token, "more than %d modifiers", MAX_MODIFIERS);
        const Keyword *word = keyword_find(p, p->token.text + 1, p->token.length - 1);
        o->found[o->count] = word;
        o->words[o->count++] = p->token;
        if (!word || !word->type) continue;
        if (o->type_count == 3) return ptx_fail(p, &p->token, "one type too many");
        o->types[o->type_count++] = word->type;
    }
    return true;
}

static bool opcode_has(const Opcode *o, const char *word)
{
    for (unsigned i = 0; i < o->count; i++)
        if (token_is_dot(&o->words[i], word)) return true;
    return false;
}

static bool type_fits(uint32_t allowed, const Opcode *o, unsigned i)
{
    return i < o->type_count ? allowed >> o->types[i] & 1 : !allowed;
}

static bool form_fits(const OpcodeForm *row, const Opcode *o)
{
    return (!row->select || opcode_has(o, row->select)) &&
           type_fits(row->types, o, 0) && type_fits(row->types2, o, 1) && o->type_count < 3;
}

static const OpcodeForm *find_form(const Parser *p, const Opcode *o)
{
    const Keyword *word = keyword_find(p, o->name.text, o->name.length);
    const OpcodeForm *row = word && word->row != NO_ENTRY ? &ptx_forms[word->row] : NULL;
    while (row && !form_fits(row, o)) row = form_next(p, row);
    return row;
}

static bool fail_unknown(Parser *p, const Token *name)
{
    const char *advice = unsupported_advice(name);
    if (advice)
        return ptx_fail(p, name, "'%.*s' is not supported: %s", TEXT(name), advice);
    const char **names = scratch_new(p, ptx_form_count, sizeof *names);
    char *word = scratch_new(p, name->length + 1, 1);
    if (!names || !word) return false;
    for (unsigned i = 0; i < ptx_form_count; i++) names[i] = ptx_forms[i].opcode;
    memcpy(word, name->text, name->length);
    const char *near = hd_nearest(word, names, (int)ptx_form_count);
    return ptx_fail(p, name, "unknown instruction '%.*s'%s%s%s", TEXT(name),
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void list_types(char *text, size_t size, uint32_t types)
{
    for (int t = 0; t < PTX_TYPES; t++) {
        size_t used = strlen(text);
        if (types >> t & 1)
            snprintf(text + used, size - used, " .%s", ptx_type_name((PtxType)t));
    }
}

// No row fits: says which forms the opcode has.
static bool fail_forms(Parser *p, const Opcode *o)
{
    char forms[FORMS_TEXT] = "";
    bool known = false;
    for (unsigned i = 0; i < ptx_form_count; i++) {
        const OpcodeForm *row = &ptx_forms[i];
        if (!token_is(&o->name, row->opcode)) continue;
        size_t used = strlen(forms);
        snprintf(forms + used, sizeof forms - used, "%s%s%s%s", known ? "; " : "", row->opcode,
                 row->select ? "." : "", row->select ? row->select : "");
        list_types(forms, sizeof forms, row->types);
        used = strlen(forms);
        if (row->types2) snprintf(forms + used, sizeof forms - used, " with");
        list_types(forms, sizeof forms, row->types2);
        known = true;
    }
    if (!known) return fail_unknown(p, &o->name);
    return ptx_fail(p, &o->name, "no form of '%.*s' has these modifiers and types; there are: %s",
                    TEXT(&o->name), forms);
}

static void apply_modifier(const Modifier *m, UOp *op)
{
    op->flags |= m->flags;
    switch (m->group) {
    case G_ROUND:
    case G_INTEGRAL: op->rounding = m->value; break;
    case G_SPACE: op->space = m->value; break;
    case G_CACHE: op->cache = m->value; break;
    case G_VECTOR: op->vec = m->value; break;
    case G_COMPARE:
    case G_ATOM:
    case G_SHFL:
    case G_VOTE:
    case G_MATCH:
    case G_PRMT:
    case G_TESTP:
    case G_BARRIER:
    case G_REDUCE:
    case G_FENCE: op->modifier = m->value; break;
    case G_TEXTURE:
        if (op->code == UOP_TEX) op->modifier = m->value;
        else op->imm |= (int64_t)m->value << SURFACE_SHAPE_SHIFT;
        break;
    case G_OUTSIDE: op->imm |= (int64_t)m->value << SURFACE_OUTSIDE_SHIFT; break;
    default: break;
    }
}

// Groups of which an instruction that takes them must have one word.
enum {
    NEEDED = G_COMPARE | G_ATOM | G_SHFL | G_VOTE | G_MATCH | G_TESTP | G_BARRIER | G_REDUCE |
             G_FENCE | G_TEXTURE
};

static bool apply_modifiers(Parser *p, const OpcodeForm *row, const Opcode *o, UOp *op)
{
    uint64_t seen = 0;
    for (unsigned i = 0; i < o->count; i++) {
        const Token *word = &o->words[i];
        if (o->found[i] && o->found[i]->type) continue;
        if (row->select && token_is_dot(word, row->select)) continue;
        const Modifier *m = modifier_find(p, o->found[i], row->groups);
        if (!m)
            return ptx_fail(p, word, "'%s' does not take the modifier '%.*s'", row->opcode,
                            TEXT(word));
        if (seen & m->group & ~(G_HINT | G_ORDER | G_EXTRA))
            return ptx_fail(p, word, "'%.*s' contradicts a modifier before it", TEXT(word));
        seen |= m->group;
        apply_modifier(m, op);
    }
    uint64_t missing = row->groups & NEEDED & ~seen;
    if (missing)
        return ptx_fail(p, &o->name, "'%s' lacks a modifier that says %s", row->opcode,
                        missing & G_COMPARE ? "what to compare (.eq, .lt, ...)"
                        : missing & G_TEXTURE ? "what it reads (.1d, .2d, ...)"
                        : missing & G_FENCE ? "whom it orders (.cta, .gl, .sys)"
                                            : "what it does");
    return true;
}

// What the table cannot say of an instruction.
static bool check_instruction(Parser *p, const OpcodeForm *row, const Instruction *in)
{
    const UOp *op = &in->op;
    bool memory = row->code == UOP_LD || row->code == UOP_ST || row->code == UOP_ATOM ||
                  row->code == UOP_RED || row->code == UOP_SULD || row->code == UOP_SUST;
    if (memory && op->vec > 1 && op->vec * ptx_type_bytes((PtxType)op->type) > 16)
        return ptx_fail(p, &in->at, "a vector access moves at most 16 bytes");
    if (row->code == UOP_CVTA || row->code == UOP_ISSPACEP) {
        if (op->space == SPACE_GENERIC)
            return ptx_fail(p, &in->at, "'%s' must name a space: .global, .shared, .local, .const",
                            row->opcode);
        if (op->space == SPACE_PARAM && !p->builder->f.entry)
            return ptx_fail(p, &in->at, "generic addresses of a function's parameters are not "
                                        "supported: copy them to a local variable first");
    }
    if (row->code == UOP_VOTE && (op->modifier == VOTE_BALLOT) != (op->type == PTX_B32))
        return ptx_fail(p, &in->at, "vote.ballot has type .b32, the other votes .pred");
    if (row->code == UOP_ATOM && (op->modifier == ATOM_CAS) != (in->src[2] != VALUE_NONE))
        return ptx_fail(p, &in->at, "atom.cas has two values behind the address, the others one");
    if (row->code == UOP_RED && (op->modifier == ATOM_CAS || op->modifier == ATOM_EXCH))
        return ptx_fail(p, &in->at, "red has no .cas and no .exch: use atom");
    if ((row->code == UOP_ATOM || row->code == UOP_RED) && op->space != SPACE_GLOBAL &&
        op->space != SPACE_SHARED && op->space != SPACE_GENERIC)
        return ptx_fail(p, &in->at, "atomics work on .global and .shared memory only");
    if (row->code == UOP_ALLOCA && in->op.imm && !is_power_of_two((uint64_t)in->op.imm))
        return ptx_fail(p, &in->at, "alloca's alignment is a power of two");
    if (row->code == UOP_SURED && op->modifier != ATOM_ADD && op->modifier != ATOM_MIN &&
        op->modifier != ATOM_MAX && op->modifier != ATOM_AND && op->modifier != ATOM_OR)
        return ptx_fail(p, &in->at, "sured has .add, .min, .max, .and and .or only");
    if (row->code == UOP_ST && op->space == SPACE_CONST)
        return ptx_fail(p, &in->at, ".const memory can only be read");
    bool compares = row->code == UOP_SETP || row->code == UOP_SET;
    if (compares && !(op->flags & UF_BOOL_MASK) && in->src[2] != VALUE_NONE)
        return ptx_fail(p, &in->at, "a predicate to combine with needs .and, .or or .xor");
    if ((op->flags & UF_BOOL_MASK) && in->src[2] == VALUE_NONE)
        return ptx_fail(p, &in->at, "a comparison with .and, .or or .xor needs a predicate to "
                                    "combine with");
    return true;
}

// The instruction as written, with every run of blanks as one blank.
static const char *source_text(Parser *p, const char *start, const char *end)
{
    char *text = module_new(p, (size_t)(end - start) + 1);
    if (!text) return NULL;
    char *to = text;
    for (const char *s = start; s < end; s++) {
        bool blank = isspace((unsigned char)*s);
        if (!blank) *to++ = *s;
        else if (to > text && to[-1] != ' ') *to++ = ' ';
    }
    while (to > text && to[-1] == ' ') *--to = 0;
    return text;
}

// An atomic whose old value nobody wants is a reduction.
static void drop_unused_result(Instruction *in)
{
    if (in->op.code == UOP_ATOM && in->dst[0] == VALUE_NONE) in->op.code = UOP_RED;
}

bool parse_instruction(Parser *p, const Token *name, const Token *guard, bool negated,
                       Value guard_value)
{
    const Token *first = guard ? guard : name;
    Opcode o;
    if (!parse_opcode(p, name, &o)) return false;
    static const OpcodeForm video = {"video", NULL, UOP_VIDEO, 0, 0, 0, 0, ""};
    static const OpcodeForm pack = {"cvt", "pack", UOP_PACK_SAT, 0, 0, 0, 0, ""};
    const OpcodeForm *row = is_pack(&o) ? &pack : find_form(p, &o);
    if (!row && is_video(name)) row = &video;
    if (!row) return fail_forms(p, &o);

    Instruction in = {.at = *name, .guard = guard_value, .location = p->location};
    for (int i = 0; i < 4; i++) in.dst[i] = VALUE_NONE;
    for (int i = 0; i < 5; i++) in.src[i] = VALUE_NONE;
    in.op = (UOp){.code = row->code, .vec = 1, .flags = row->flags, .guard_negated = negated,
                  .type = o.types[0], .type2 = o.types[1],
                  .space = row->groups & G_SPACE || row->code == UOP_PREFETCH ? SPACE_GENERIC
                                                                              : SPACE_NONE};
    if (row == &video  ? !parse_video(p, &o, &in)
        : row == &pack ? !parse_pack(p, &o, &in)
                       : !apply_modifiers(p, row, &o, &in.op) || !parse_operands(p, row, &in))
        return false;
    Token semicolon = p->token;
    if (!expect_char(p, ';') || !check_instruction(p, row, &in)) return false;
    drop_unused_result(&in);
    in.op.class = uop_class(in.op.code, (PtxType)in.op.type);
    in.source = source_text(p, first->text, semicolon.text);
    if (!in.source) return false;
    FunctionBuilder *b = p->builder;
    if (in.op.code == UOP_RET && !stack_restore(p, b, &in)) return false;
    return PUSH(p, b->code, b->count, b->capacity, in);
}
