// The prepared form of a texture, shared by the files that implement textures and surfaces.
#ifndef HEDDLE_EXEC_TEXTURE_TABLE_H
#define HEDDLE_EXEC_TEXTURE_TABLE_H

#include "exec/texture.h"

// How the bits of a channel are converted to a register value.
typedef enum TextureRead {
    READ_BITS,    // 32 bits as they are
    READ_UNSIGNED, READ_SIGNED, // 8 or 16 bits, extended to 32
    READ_HALF,    // 16-bit float
    READ_UNIT,    // unsigned, divided by the largest value: 0..1
    READ_SIGNED_UNIT // signed, divided by the largest value: -1..1, clamped at -1
} TextureRead;

typedef struct PreparedTexture {
    Texture desc;    // with every default filled in
    uint8_t read;    // TextureRead
    uint8_t channels, channel_bytes, texel_bytes;
    bool returns_float;
} PreparedTexture;

// NULL: the handle is unknown, or a reference that is not bound.
const PreparedTexture *texture_lookup_prepared(const TextureTable *table, uint64_t handle);

#endif
