// Parses one instruction. The opcode and its modifiers select a form from the table; the form says
// how to parse the operands.
#include "ptx/internal.h"

#include "base/text.h"

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
            return ptx_fail(p, &p->token, "expected at most %d modifiers", MAX_MODIFIERS);
        const Keyword *word = keyword_find(p, p->token.text + 1, p->token.length - 1);
        o->found[o->count] = word;
        o->words[o->count++] = p->token;
        if (!word || !word->type) continue;
        if (o->type_count == 3) return ptx_fail(p, &p->token, "expected at most three types");
        o->types[o->type_count++] = word->type;
    }
    return true;
}

static bool type_fits(uint32_t allowed, const Opcode *o, unsigned i)
{
    return i < o->type_count ? allowed >> o->types[i] & 1 : !allowed;
}

static bool form_fits(const OpcodeForm *form, const Opcode *o)
{
    bool selected = !form->select;
    for (unsigned i = 0; i < o->count && !selected; i++)
        selected = token_is_dot(&o->words[i], form->select);
    return selected && type_fits(form->types, o, 0) && type_fits(form->types2, o, 1) &&
           o->type_count < 3;
}

static bool fail_unknown(Parser *p, const Token *name)
{
    const char *advice = unsupported_advice(name);
    if (advice)
        return ptx_fail(p, name, "'%.*s' is not supported: %s", TEXT(name), advice);
    Nearest n = {.count = 0};
    for (unsigned i = 0; i < ptx_form_count; i++) nearest_add(p, name, &n, ptx_forms[i].opcode);
    engines_add_nearest(p, name, &n);
    const char *near = nearest_end(p, name, &n);
    return ptx_fail(p, name, "unknown instruction '%.*s'%s%s%s", TEXT(name),
                    HD_DID_YOU_MEAN(near));
}

static void list_types(char *text, size_t size, uint32_t types)
{
    for (int t = 0; t < PTX_TYPES; t++) {
        size_t used = strlen(text);
        if (types >> t & 1)
            snprintf(text + used, size - used, " .%s", ptx_type_name((PtxType)t));
    }
}

// Fails, because no form matches, and lists the forms of the opcode.
static bool fail_forms(Parser *p, const Opcode *o)
{
    char forms[FORMS_TEXT] = "";
    bool known = false;
    for (unsigned i = 0; i < ptx_form_count; i++) {
        const OpcodeForm *form = &ptx_forms[i];
        if (!token_is(&o->name, form->opcode)) continue;
        size_t used = strlen(forms);
        snprintf(forms + used, sizeof forms - used, "%s%s%s%s", known ? "; " : "", form->opcode,
                 form->select ? "." : "", form->select ? form->select : "");
        list_types(forms, sizeof forms, form->types);
        used = strlen(forms);
        if (form->types2) snprintf(forms + used, sizeof forms - used, " with");
        list_types(forms, sizeof forms, form->types2);
        known = true;
    }
    if (!known) return fail_unknown(p, &o->name);
    return ptx_fail(p, &o->name, "'%.*s' does not have these modifiers and types: expected one of: "
                                 "%s", TEXT(&o->name), forms);
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

// Groups from which an instruction that accepts them must have a modifier.
enum {
    REQUIRED = G_COMPARE | G_ATOM | G_SHFL | G_VOTE | G_MATCH | G_TESTP | G_BARRIER | G_REDUCE |
             G_FENCE | G_TEXTURE
};

static bool apply_modifiers(Parser *p, const OpcodeForm *form, const Opcode *o, Instruction *in)
{
    uint64_t seen = 0;
    for (unsigned i = 0; i < o->count; i++) {
        const Token *word = &o->words[i];
        if (o->found[i] && o->found[i]->type) continue;
        if (form->select && token_is_dot(word, form->select)) continue;
        const Modifier *m = modifier_find(p, o->found[i], form->groups);
        if (!m)
            return ptx_fail(p, word, "'%s' does not take the modifier '%.*s'", form->opcode,
                            TEXT(word));
        if (seen & m->group & ~(G_HINT | G_ORDER | G_EXTRA)) {
            unsigned earlier = 0;
            while (!modifier_find(p, o->found[earlier], form->groups & m->group)) earlier++;
            return ptx_fail(p, word, "'%.*s' contradicts '%.*s': expected one of them", TEXT(word),
                            TEXT(&o->words[earlier]));
        }
        seen |= m->group;
        apply_modifier(m, &in->op);
    }
    in->rounded = seen & G_ROUND;
    uint64_t missing = form->groups & REQUIRED & ~seen;
    if (missing)
        return ptx_fail(p, &o->name, "'%s' lacks a modifier: expected %s", form->opcode,
                        missing & G_COMPARE   ? "a comparison (.eq, .lt, ...)"
                        : missing & G_TEXTURE ? "a geometry (.1d, .2d, ...)"
                        : missing & G_FENCE   ? "a scope (.cta, .gl, .sys)"
                                              : "an operation");
    return true;
}

// Checks what the table cannot express of instructions of a warp or a block.
static bool check_together(Parser *p, const OpcodeForm *form, const Instruction *in)
{
    const UOp *op = &in->op;
    int members = uop_members(form->code);
    if (form->code == UOP_VOTE && (op->modifier == VOTE_BALLOT) != (op->type == PTX_B32))
        return ptx_fail(p, &in->at,
                        "wrong type: expected .b32 for vote.ballot, .pred for other votes");
    if (form->code == UOP_BAR && op->modifier >= BAR_RED_POPC &&
        (op->modifier == BAR_RED_POPC) != (op->type == PTX_U32))
        return ptx_fail(p, &in->at, "wrong type: expected .u32 for %s.red.popc, .pred for "
                                    "%s.red.and and %s.red.or",
                        form->opcode, form->opcode, form->opcode);
    bool sync = op->flags & UF_SYNC, lanes = members >= 0 && in->src[members] != VALUE_NONE;
    if (members < 0 || sync == lanes) return true;
    if (lanes)
        return ptx_fail(p, &in->at, "'%s' with a mask of lanes, but without .sync: expected "
                                    "'%s.sync'", form->opcode, form->opcode);
    return ptx_fail(p, &in->at, "'%s' with .sync, but without lanes: expected a mask of the lanes "
                                "that take part as the last operand", form->opcode);
}

// Checks what the table cannot express.
static bool check_instruction(Parser *p, const OpcodeForm *form, const Instruction *in)
{
    const UOp *op = &in->op;
    bool memory = form->code == UOP_LD || form->code == UOP_ST || form->code == UOP_ATOM ||
                  form->code == UOP_RED || form->code == UOP_SULD || form->code == UOP_SUST;
    if (memory && op->vec > 1 && op->vec * ptx_type_bytes((PtxType)op->type) > 16)
        return ptx_fail(p, &in->at, "a vector access of more than 16 bytes: expected at most 16");
    if (form->code == UOP_CVTA || form->code == UOP_ISSPACEP) {
        if (op->space == SPACE_GENERIC)
            return ptx_fail(p, &in->at,
                            "'%s' lacks a state space: expected .global, .shared, .local "
                            "or .const",
                            form->opcode);
        if (op->space == SPACE_PARAM && !p->builder->f.entry)
            return ptx_fail(p, &in->at, "generic addresses of a function's parameters are not "
                                        "supported: copy the parameter to a local variable");
    }
    if (form->code == UOP_ATOM && (op->modifier == ATOM_CAS) != (in->src[2] != VALUE_NONE))
        return ptx_fail(p, &in->at, "wrong number of values after the address: expected two for "
                                    "atom.cas, one for other operations");
    if (form->code == UOP_RED && (op->modifier == ATOM_CAS || op->modifier == ATOM_EXCH))
        return ptx_fail(p, &in->at, "'red' with .cas or .exch: expected 'atom'");
    if ((form->code == UOP_ATOM || form->code == UOP_RED) && op->space != SPACE_GLOBAL &&
        op->space != SPACE_SHARED && op->space != SPACE_GENERIC)
        return ptx_fail(p, &in->at,
                        "an atomic in .local, .const or .param: expected .global or .shared");
    if (form->code == UOP_ALLOCA && op->imm &&
        (!is_power_of_two((uint64_t)op->imm) || (uint64_t)op->imm > MAX_ALIGN))
        return ptx_fail(p, &in->at, "an alignment of %lld: expected a power of two up to %d",
                        (long long)op->imm, MAX_ALIGN);
    if (form->code == UOP_SURED && op->modifier != ATOM_ADD && op->modifier != ATOM_MIN &&
        op->modifier != ATOM_MAX && op->modifier != ATOM_AND && op->modifier != ATOM_OR)
        return ptx_fail(p, &in->at,
                        "wrong operation: expected .add, .min, .max, .and or .or for sured");
    if (form->code == UOP_ST && op->space == SPACE_CONST)
        return ptx_fail(p, &in->at, "a store to .const memory, which is read-only: expected "
                                    ".global, .shared or .local");
    if (form->code == UOP_ST && op->space == SPACE_PARAM)
        return ptx_fail(p, &in->at, "a store to a parameter of a kernel, which is read-only: "
                                    "expected a .param variable of the body");
    bool compares = form->code == UOP_SETP || form->code == UOP_SET;
    if (compares && !(op->flags & UF_BOOL_MASK) && in->src[2] != VALUE_NONE)
        return ptx_fail(p, &in->at, "a predicate after the compared values: expected .and, .or or "
                                    ".xor, which combines the result with it");
    if ((op->flags & UF_BOOL_MASK) && in->src[2] == VALUE_NONE)
        return ptx_fail(p, &in->at, "a comparison with .and, .or or .xor: expected a predicate "
                                    "after the compared values");
    return check_together(p, form, in);
}

// The instruction as written, with each run of blanks replaced by one blank.
static const char *source_text(Parser *p, const char *start, const char *end)
{
    char *text = module_new(p, (size_t)(end - start) + 1);
    if (!text) return NULL;
    char *to = text;
    bool printable = true;
    for (const char *s = start; s < end; s++) {
        bool blank = text_is_blank(*s);
        printable &= blank || text_is_printable(*s);
        if (!blank) *to++ = *s;
        else if (to > text && to[-1] != ' ') *to++ = ' ';
    }
    while (to > text && to[-1] == ' ') *--to = 0;
    if (!printable) text_mask(text, ""); // a comment may hold anything
    return text;
}

Instruction instruction_start(UopCode code, const Token *at)
{
    Instruction in = {.at = *at, .guard = VALUE_NONE, .variable = NO_NUMBER,
                      .op = {.code = code, .vec = 1}};
    for (int i = 0; i < 4; i++) in.dst[i] = VALUE_NONE;
    for (int i = 0; i < 5; i++) in.src[i] = VALUE_NONE;
    return in;
}

bool instruction_add(Parser *p, FunctionBuilder *b, const Instruction *in)
{
    // The number of the instruction is known only here, because an operand may have added others.
    AddressPatch use = {(uint32_t)b->count, in->variable};
    if (in->variable != NO_NUMBER && !PUSH(p, b->uses, b->use_count, b->use_capacity, use))
        return false;
    return PUSH(p, b->code, b->count, b->capacity, *in);
}

bool parse_instruction(Parser *p, const Token *name, const Token *guard, bool negated,
                       Value guard_value)
{
    const Token *first = guard ? guard : name;
    Opcode o;
    if (!parse_opcode(p, name, &o)) return false;
    static const OpcodeForm video = {"video", NULL, UOP_VIDEO, 0, 0, 0, 0, ""};
    static const OpcodeForm pack = {"cvt", "pack", UOP_PACK_SAT, 0, 0, 0, 0, ""};
    static const OpcodeForm engine = {"engine", NULL, UOP_ENGINE, 0, 0, 0, 0, ""};
    const Keyword *word = keyword_find(p, name->text, name->length);
    const OpcodeForm *form = word && word->form != NO_ENTRY ? &ptx_forms[word->form] : NULL;
    while (form && !form_fits(form, &o)) form = form_next(p, form);
    if (is_pack(&o)) form = &pack;
    else if (!form && is_video(name)) form = &video;
    else if (!form && is_engine(p, name)) form = &engine;
    if (!form) return fail_forms(p, &o);

    Instruction in = instruction_start(form->code, name);
    in.guard = guard_value;
    in.location = p->location;
    in.op = (UOp){.code = form->code, .vec = 1, .flags = form->flags, .guard_negated = negated,
                  .type = o.types[0], .type2 = o.types[1],
                  .space = form->groups & G_SPACE || form->code == UOP_PREFETCH ? SPACE_GENERIC
                                                                              : SPACE_NONE};
    if (form == &video  ? !parse_video(p, &o, &in)
        : form == &pack ? !parse_pack(p, &o, &in)
        : form == &engine ? !parse_engine(p, &o, &in)
                       : !apply_modifiers(p, form, &o, &in) || !parse_operands(p, form, &in))
        return false;
    Token semicolon = p->token;
    if (!expect_char(p, ';') || !check_instruction(p, form, &in)) return false;
    // An atomic whose result is not used is a reduction.
    if (in.op.code == UOP_ATOM && in.dst[0] == VALUE_NONE) in.op.code = UOP_RED;
    in.op.class = uop_class(&in.op);
    // mad.f32 and mad.f64 are fused too, but a machine may time them otherwise.
    if (in.op.code == UOP_FMA && strcmp(form->opcode, "mad") == 0)
        in.op.class = uop_counted_as((OpClass)in.op.class);
    in.source = source_text(p, first->text, semicolon.text);
    if (!in.source) return false;
    if (p->marked && !mark_apply(p, &in)) return false;
    FunctionBuilder *b = p->builder;
    b->f.allocates |= in.op.code == UOP_ALLOCA || in.op.code == UOP_STACKSAVE ||
                      in.op.code == UOP_STACKRESTORE;
    if (in.op.code == UOP_RET && !stack_restore(p, b, &in)) return false;
    return instruction_add(p, b, &in);
}
