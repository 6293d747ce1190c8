// Parses cvt.pack: saturates two integers to fields of 16, 8, 4 or 2 bits, and packs them. Fields
// of fewer than 16 bits are shifted into a third operand.
#include "ptx/internal.h"

static const struct {
    const char *word;
    uint8_t bits;
    PtxType sign;
} parts[] = {
    {"u16", 16, PTX_U32}, {"s16", 16, PTX_S32}, {"u8", 8, PTX_U32}, {"s8", 8, PTX_S32},
    {"u4", 4, PTX_U32},   {"s4", 4, PTX_S32},   {"u2", 2, PTX_U32}, {"s2", 2, PTX_S32},
};

bool is_pack(const Opcode *o)
{
    return o->count && token_is(&o->name, "cvt") && token_is_dot(&o->words[0], "pack");
}

// cvt.pack.sat.PART.s32[.b32] d, a, b [, c]
bool parse_pack(Parser *p, const Opcode *o, Instruction *in)
{
    bool right = o->count >= 4 && token_is_dot(&o->words[1], "sat") &&
                 token_is_dot(&o->words[3], "s32");
    in->op.modifier = 0;
    in->op.type2 = PTX_NONE;
    for (size_t i = 0; right && i < sizeof parts / sizeof *parts; i++) {
        if (!token_is_dot(&o->words[2], parts[i].word)) continue;
        in->op.modifier = parts[i].bits;
        in->op.type = parts[i].sign;
    }
    bool third = in->op.modifier != 16;
    right &= in->op.modifier && o->count == (third ? 5 : 4) &&
             (!third || token_is_dot(&o->words[4], "b32"));
    if (!right)
        return ptx_fail(p, &o->name,
                        "wrong modifiers of cvt.pack: expected .sat.T.s32 with T u16 or "
                        "s16, or .sat.T.s32.b32 with T u8, s8, u4, s4, u2 or s2");
    PtxType declared;
    if (!parse_register(p, PTX_B32, false, &in->dst[0], NULL)) return false;
    for (unsigned i = 0; i < (third ? 3 : 2); i++)
        if (!expect_char(p, ',') || !parse_source(p, PTX_B32, false, &in->src[i], &declared))
            return false;
    return true;
}
