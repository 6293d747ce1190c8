// Parses video instructions. These compute sums, differences, averages, minima, maxima and
// comparisons of all bytes or halves of a register (vabsdiff4), or of one byte, half or word
// (vadd), often combined with a third operand; and shifts and products of single values.
#include "ptx/internal.h"

static const struct {
    const char *opcode;
    VideoOp operation;
    uint8_t elements;
} forms[] = {
    {"vadd", VIDEO_ADD, 1},         {"vadd2", VIDEO_ADD, 2},         {"vadd4", VIDEO_ADD, 4},
    {"vsub", VIDEO_SUB, 1},         {"vsub2", VIDEO_SUB, 2},         {"vsub4", VIDEO_SUB, 4},
    {"vavrg2", VIDEO_AVERAGE, 2},   {"vavrg4", VIDEO_AVERAGE, 4},    {"vmin", VIDEO_MIN, 1},
    {"vmin2", VIDEO_MIN, 2},        {"vmin4", VIDEO_MIN, 4},         {"vmax", VIDEO_MAX, 1},
    {"vmax2", VIDEO_MAX, 2},        {"vmax4", VIDEO_MAX, 4},         {"vabsdiff", VIDEO_ABSDIFF, 1},
    {"vabsdiff2", VIDEO_ABSDIFF, 2}, {"vabsdiff4", VIDEO_ABSDIFF, 4}, {"vset", VIDEO_SET, 1},
    {"vshl", VIDEO_SHL, 1},         {"vshr", VIDEO_SHR, 1},          {"vmad", VIDEO_MAD, 1},
    {"vset2", VIDEO_SET, 2},        {"vset4", VIDEO_SET, 4},
};

bool is_video(const Token *opcode)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (token_is(opcode, forms[i].opcode)) return true;
    return false;
}

// Applies the types of the result (vset: none, always unsigned), of a and of b.
static bool apply_types(Parser *p, const Opcode *o, UOp *op, bool set)
{
    unsigned first = set ? 0 : 1;
    bool right = o->type_count == first + 2;
    for (unsigned i = 0; i < o->type_count; i++)
        right &= o->types[i] == PTX_U32 || o->types[i] == PTX_S32;
    if (!right)
        return ptx_fail(p, &o->name, "wrong types of '%.*s': expected %u, each .u32 or .s32",
                        TEXT(&o->name), first + 2);
    op->type = set ? PTX_U32 : o->types[0];
    if (o->types[first] == PTX_S32) op->imm |= VIDEO_A_SIGNED;
    if (o->types[first + 1] == PTX_S32) op->imm |= VIDEO_B_SIGNED;
    return true;
}

static bool apply_words(Parser *p, const Opcode *o, UOp *op, bool set)
{
    bool compares = false, mad = op->modifier == VIDEO_MAD, single = op->vec == 1 && !mad;
    bool shift = op->modifier == VIDEO_SHL || op->modifier == VIDEO_SHR;
    for (unsigned i = 0; i < o->count; i++) {
        const Token *word = &o->words[i];
        if (o->found[i] && o->found[i]->type) continue;
        const Modifier *compare = set ? modifier_find(p, o->found[i], G_COMPARE) : NULL;
        if (compare && compare->value <= CMP_GE) {
            op->imm |= (int64_t)compare->value << VIDEO_COMPARE_SHIFT;
            compares = true;
        } else if (token_is_dot(word, "sat") && !set) {
            op->flags |= UF_SAT;
        } else if (mad && token_is_dot(word, "po")) {
            op->imm |= VIDEO_PLUS_ONE;
        } else if (mad && token_is_dot(word, "shr7")) {
            op->imm |= INT64_C(7) << VIDEO_SCALE_SHIFT;
        } else if (mad && token_is_dot(word, "shr15")) {
            op->imm |= INT64_C(15) << VIDEO_SCALE_SHIFT;
        } else if (shift && token_is_dot(word, "wrap")) {
            op->flags |= UF_WRAP;
        } else if (!mad && token_is_dot(word, "add")) {
            op->imm |= VIDEO_THEN_ADD;
        } else if (single && token_is_dot(word, "min")) {
            op->imm |= VIDEO_THEN_MIN;
        } else if (single && token_is_dot(word, "max")) {
            op->imm |= VIDEO_THEN_MAX;
        } else if (!(shift && token_is_dot(word, "clamp"))) { // clamp: the default of a shift
            return ptx_fail(p, word, "'%.*s' does not take the modifier '%.*s'", TEXT(&o->name),
                            TEXT(word));
        }
    }
    return compares || !set ||
           ptx_fail(p, &o->name, "'%.*s' lacks a modifier: expected a comparison (.eq, .lt, ...)",
                    TEXT(&o->name));
}

// selector = ".b0" .. ".b3" | ".h0" | ".h1"
// A byte or a half of an operand.
static bool parse_selector(Parser *p, UOp *op, unsigned shift)
{
    static const char *const words[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    for (unsigned i = 0; i < 6; i++) {
        if (!accept_dot(p, words[i])) continue;
        op->imm |= (int64_t)(i + 1) << shift;
        return true;
    }
    return ptx_fail(p, &p->token, "'%.*s': expected .b0 to .b3, .h0 or .h1", TEXT(&p->token));
}

// Reads the element numbers after ".h" or ".b", highest first. Returns how many; 0: invalid.
static unsigned elements_of(const Token *t, const UOp *op, unsigned below, uint8_t elements[4])
{
    unsigned count = t->length - 2;
    if (t->kind != TOKEN_DOT || t->length < 3 || count > op->vec) return 0;
    if (t->text[1] != (op->vec == 2 ? 'h' : 'b')) return 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned element = (unsigned)(t->text[2 + i] - '0');
        if (element >= below) return 0;
        elements[count - 1 - i] = (uint8_t)element;
    }
    return count;
}

// picks = ".h10" | ".b7501" ...
// Selects the elements of a source from those of a and b, which are numbered consecutively.
static bool parse_picks(Parser *p, UOp *op, unsigned shift)
{
    uint8_t elements[4];
    unsigned first = shift == VIDEO_PICKS_A ? 0 : op->vec;
    if (elements_of(&p->token, op, 2u * op->vec, elements) != op->vec)
        return ptx_fail(p, &p->token, "'%.*s': expected %u elements of the sources, like %s",
                        TEXT(&p->token), op->vec, op->vec == 2 ? ".h32" : ".b7654");
    for (unsigned i = 0; i < op->vec; i++)
        op->imm |= (int64_t)(elements[i] ^ (first + i)) << (shift + 3 * i);
    lex_next(p);
    return true;
}

// mask = ".h1" | ".b320" ...
// The elements of the result that are written.
static bool parse_mask(Parser *p, UOp *op)
{
    uint8_t elements[4];
    unsigned count = elements_of(&p->token, op, op->vec, elements), written = 0;
    if (!count)
        return ptx_fail(p, &p->token, "'%.*s': expected elements of the result, like %s",
                        TEXT(&p->token), op->vec == 2 ? ".h10" : ".b3210");
    for (unsigned i = 0; i < count; i++) written |= 1u << elements[i];
    op->imm |= (int64_t)(~written & ((1u << op->vec) - 1)) << VIDEO_KEEPS;
    lex_next(p);
    return true;
}

// operand = "," "-"? source (selector | picks)?
static bool parse_operand_of(Parser *p, Instruction *in, unsigned i)
{
    static const uint32_t negations[] = {UF_NEGATE_A, UF_NEGATE_A, UF_NEGATE_C};
    static const uint8_t selectors[] = {VIDEO_A_SHIFT, VIDEO_B_SHIFT},
                         picks[] = {VIDEO_PICKS_A, VIDEO_PICKS_B};
    PtxType declared;
    UOp *op = &in->op;
    if (!expect_char(p, ',')) return false;
    if (op->modifier == VIDEO_MAD && accept_char(p, '-')) op->flags ^= negations[i];
    if (!parse_source(p, PTX_B32, false, &in->src[i], &declared)) return false;
    if (i == 2 || p->token.kind != TOKEN_DOT) return true;
    return op->vec > 1 ? parse_picks(p, op, picks[i]) : parse_selector(p, op, selectors[i]);
}

// video = register (selector | mask)? operand operand operand?
bool parse_video(Parser *p, const Opcode *o, Instruction *in)
{
    UOp *op = &in->op;
    unsigned form = 0;
    while (!token_is(&o->name, forms[form].opcode)) form++;
    bool set = forms[form].operation == VIDEO_SET;
    op->modifier = (uint8_t)forms[form].operation;
    op->vec = forms[form].elements;
    op->type2 = PTX_NONE;
    if (!apply_types(p, o, op, set) || !apply_words(p, o, op, set) ||
        !parse_register(p, PTX_B32, false, &in->dst[0], NULL))
        return false;
    bool part = p->token.kind == TOKEN_DOT;
    if (part && op->modifier == VIDEO_MAD)
        return ptx_fail(p, &p->token, "'%.*s': expected a whole register as result of vmad",
                        TEXT(&p->token));
    if (part && (op->vec > 1 ? !parse_mask(p, op) : !parse_selector(p, op, VIDEO_TO_SHIFT)))
        return false;
    if (!parse_operand_of(p, in, 0) || !parse_operand_of(p, in, 1)) return false;
    bool third = op->vec > 1 || op->modifier == VIDEO_MAD || op->imm & VIDEO_THEN_MASK ||
                 op->imm >> VIDEO_TO_SHIFT & VIDEO_SELECTOR;
    if (third && !parse_operand_of(p, in, 2)) return false;
    uint32_t both = UF_NEGATE_A | UF_NEGATE_C;
    bool twice = (op->flags & both) == both || (op->flags & both && op->imm & VIDEO_PLUS_ONE);
    return !twice || ptx_fail(p, &o->name, "expected at most one of: a negated product, a negated "
                                           "third operand, .po");
}
