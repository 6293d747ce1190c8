// PTX types: sizes and names.
#include "ptx/internal.h"

#include <string.h>

// As written, with the dot.
static const char *const words[PTX_TYPES] = {
    [PTX_NONE] = ".none",   [PTX_U8] = ".u8",         [PTX_U16] = ".u16",     [PTX_U32] = ".u32",
    [PTX_U64] = ".u64",     [PTX_S8] = ".s8",         [PTX_S16] = ".s16",     [PTX_S32] = ".s32",
    [PTX_S64] = ".s64",     [PTX_B8] = ".b8",         [PTX_B16] = ".b16",     [PTX_B32] = ".b32",
    [PTX_B64] = ".b64",     [PTX_F16] = ".f16",       [PTX_BF16] = ".bf16",   [PTX_F32] = ".f32",
    [PTX_F16X2] = ".f16x2", [PTX_BF16X2] = ".bf16x2", [PTX_F64] = ".f64",     [PTX_PRED] = ".pred",
    [PTX_U16X2] = ".u16x2", [PTX_S16X2] = ".s16x2",
};

const uint8_t ptx_type_sizes[PTX_TYPES] = {
    [PTX_U8] = 1,    [PTX_S8] = 1,     [PTX_B8] = 1,    [PTX_U16] = 2,   [PTX_S16] = 2,
    [PTX_B16] = 2,   [PTX_F16] = 2,    [PTX_BF16] = 2,  [PTX_U32] = 4,   [PTX_S32] = 4,
    [PTX_B32] = 4,   [PTX_F32] = 4,    [PTX_F16X2] = 4, [PTX_U16X2] = 4, [PTX_S16X2] = 4,
    [PTX_BF16X2] = 4, [PTX_U64] = 8,   [PTX_S64] = 8,   [PTX_B64] = 8,   [PTX_F64] = 8,
};

const char *ptx_type_name(PtxType type) { return words[type] + 1; }

PtxType type_of_word(const Token *word)
{
    for (int i = PTX_NONE + 1; i < PTX_TYPES; i++)
        if (token_is(word, words[i])) return (PtxType)i;
    return PTX_NONE;
}

bool type_is_float(PtxType type) { return type >= PTX_F16 && type <= PTX_F64; }
bool type_is_signed(PtxType type) { return type >= PTX_S8 && type <= PTX_S64; }

PtxType type_bits(unsigned bytes)
{
    return bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_B8;
}
