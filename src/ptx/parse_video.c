// Video instructions: sums, differences, averages, extremes and comparisons of the bytes or halves
// of a register (vabsdiff4), or of one of them or the whole (vadd), often added to a third operand.
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
    {"vset2", VIDEO_SET, 2},        {"vset4", VIDEO_SET, 4},
};

bool is_video(const Token *opcode)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (token_is(opcode, forms[i].opcode)) return true;
    return false;
}

// The types: of the result (vset: always unsigned), of a and of b.
static bool apply_types(Parser *p, const Opcode *o, UOp *op, bool set)
{
    unsigned first = set ? 0 : 1;
    bool right = o->type_count == first + 2;
    for (unsigned i = 0; i < o->type_count; i++)
        right &= o->types[i] == PTX_U32 || o->types[i] == PTX_S32;
    if (!right)
        return ptx_fail(p, &o->name, "'%.*s' has %u types, each .u32 or .s32", TEXT(&o->name),
                        first + 2);
    op->type = set ? PTX_U32 : o->types[0];
    if (o->types[first] == PTX_S32) op->imm |= VIDEO_A_SIGNED;
    if (o->types[first + 1] == PTX_S32) op->imm |= VIDEO_B_SIGNED;
    return true;
}

static bool apply_words(Parser *p, const Opcode *o, UOp *op, bool set)
{
    bool compares = false;
    for (unsigned i = 0; i < o->count; i++) {
        const Token *word = &o->words[i];
        if (o->found[i] && o->found[i]->type) continue;
        const Modifier *compare = set ? modifier_find(p, o->found[i], G_COMPARE) : NULL;
        if (compare && compare->value <= CMP_GE) {
            op->imm |= (int64_t)compare->value << VIDEO_COMPARE_SHIFT;
            compares = true;
        } else if (token_is_dot(word, "sat") && !set) {
            op->flags |= UF_SAT;
        } else if (token_is_dot(word, "add")) {
            op->imm |= VIDEO_THEN_ADD;
        } else if (token_is_dot(word, "min") && op->vec == 1) {
            op->imm |= VIDEO_THEN_MIN;
        } else if (token_is_dot(word, "max") && op->vec == 1) {
            op->imm |= VIDEO_THEN_MAX;
        } else {
            return ptx_fail(p, word, "'%.*s' does not take the modifier '%.*s'", TEXT(&o->name),
                            TEXT(word));
        }
    }
    return compares || !set ||
           ptx_fail(p, &o->name, "'%.*s' lacks what to compare (.eq, .lt, ...)", TEXT(&o->name));
}

// selector = ".b0" .. ".b3" | ".h0" | ".h1": which part of a source, where not the whole
static bool parse_selector(Parser *p, UOp *op, unsigned shift)
{
    static const char *const words[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    if (p->token.kind != TOKEN_DOT) return true;
    for (unsigned i = 0; i < 6 && op->vec == 1; i++) {
        if (!accept_dot(p, words[i])) continue;
        op->imm |= (int64_t)(i + 1) << shift;
        return true;
    }
    return ptx_fail(p, &p->token, "'%.*s' is not supported here: single parts of the operands of "
                                  "instructions on one value, .b0 to .b3, .h0, .h1, are",
                    TEXT(&p->token));
}

static bool parse_operand_of(Parser *p, Instruction *in, unsigned i, unsigned shift)
{
    PtxType declared;
    return expect_char(p, ',') && parse_source(p, PTX_B32, false, &in->src[i], &declared) &&
           (!shift || parse_selector(p, &in->op, shift));
}

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
    if (p->token.kind == TOKEN_DOT)
        return ptx_fail(p, &p->token, "parts of the destination are not supported");
    if (!parse_operand_of(p, in, 0, VIDEO_A_SHIFT) || !parse_operand_of(p, in, 1, VIDEO_B_SHIFT))
        return false;
    bool third = op->vec > 1 || op->imm & VIDEO_THEN_MASK;
    return !third || parse_operand_of(p, in, 2, 0);
}
