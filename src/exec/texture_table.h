// What the files of textures share: a texture as a fetch needs it.
#ifndef HEDDLE_EXEC_TEXTURE_TABLE_H
#define HEDDLE_EXEC_TEXTURE_TABLE_H

#include "exec/texture.h"

// How a channel's bits become a register's.
typedef enum TextureRead {
    READ_BITS,    // 32 bits as they are
    READ_UNSIGNED, READ_SIGNED, // fewer bits, extended
    READ_HALF,    // 16-bit float
    READ_UNIT,    // unsigned, divided by the greatest
    READ_SIGNED_UNIT // signed, divided by the greatest, the least too is -1
} TextureRead;

typedef struct PreparedTexture {
    Texture is;      // nothing left to be replaced
    uint8_t read;    // TextureRead
    uint8_t channels, channel_bytes, texel_bytes;
    bool gives_float;
} PreparedTexture;

// NULL: the handle stands for nothing.
const PreparedTexture *texture_lookup_prepared(const TextureTable *table, uint64_t handle);

#endif
