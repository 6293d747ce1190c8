// PTX types: sizes and names.
#include "ptx/internal.h"

#include <string.h>

static const struct {
    const char *word; // as written, with the dot
    uint8_t bytes;
} types[PTX_TYPES] = {
    [PTX_NONE] = {".none", 0}, [PTX_U8] = {".u8", 1},   [PTX_U16] = {".u16", 2},
    [PTX_U32] = {".u32", 4},   [PTX_U64] = {".u64", 8}, [PTX_S8] = {".s8", 1},
    [PTX_S16] = {".s16", 2},   [PTX_S32] = {".s32", 4}, [PTX_S64] = {".s64", 8},
    [PTX_B8] = {".b8", 1},     [PTX_B16] = {".b16", 2}, [PTX_B32] = {".b32", 4},
    [PTX_B64] = {".b64", 8},   [PTX_F16] = {".f16", 2}, [PTX_BF16] = {".bf16", 2},
    [PTX_F16X2] = {".f16x2", 4}, [PTX_BF16X2] = {".bf16x2", 4}, [PTX_F32] = {".f32", 4},
    [PTX_F64] = {".f64", 8},   [PTX_U16X2] = {".u16x2", 4}, [PTX_S16X2] = {".s16x2", 4},
    [PTX_PRED] = {".pred", 0},
};

unsigned ptx_type_bytes(PtxType type) { return types[type].bytes; }
const char *ptx_type_name(PtxType type) { return types[type].word + 1; }

PtxType type_of_word(const Token *word)
{
    for (int i = PTX_NONE + 1; i < PTX_TYPES; i++)
        if (token_is(word, types[i].word)) return (PtxType)i;
    return PTX_NONE;
}

bool type_is_float(PtxType type) { return type >= PTX_F16 && type <= PTX_F64; }
bool type_is_signed(PtxType type) { return type >= PTX_S8 && type <= PTX_S64; }

PtxType type_bits(unsigned bytes)
{
    return bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_B8;
}
