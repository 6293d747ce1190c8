// Textures: what a handle stands for, and what a fetch gives (PTX tex, tld4, txq).
//
// The formulas are those of the CUDA C++ Programming Guide, appendix "Texture Fetching". A texture
// lies in guest memory row by row, with a pitch, whatever it is a texture of; layers, slices and
// faces follow each other. It has one level: a level of detail chooses that one.
#ifndef HEDDLE_EXEC_TEXTURE_H
#define HEDDLE_EXEC_TEXTURE_H

#include "exec/exec.h"

typedef enum TextureKind {
    TEXTURE_LINEAR,  // plain memory, by whole numbers: outside of it is 0; no filter, no modes
    TEXTURE_PITCH2D, // plain memory in rows
    TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, // arrays
    TEXTURE_LAYERS_1D, TEXTURE_LAYERS_2D, // depth: layers
    TEXTURE_CUBE, // depth: 6 faces of each cube, in the order +x -x +y -y +z -z
    TEXTURE_KINDS
} TextureKind;
typedef enum TextureChannel { CHANNEL_SIGNED, CHANNEL_UNSIGNED, CHANNEL_FLOAT } TextureChannel;
// What a coordinate outside of the texture means; the first and the third only where coordinates
// are normalized (else they are as clamp).
typedef enum TextureMode {
    TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER
} TextureMode;

typedef struct Texture {
    uint64_t address; // of its first texel, a multiple of the texel's size
    TextureKind kind;
    uint32_t width, height, depth; // texels; 0 stands for 1 where the kind has no such axis
    uint64_t pitch;   // bytes from a row to the next; 0: the rows follow each other
    uint8_t bits[4];  // of the channels x, y, z, w: 8, 16 or 32 each of the first 1, 2 or 4
    TextureChannel channel;
    TextureMode mode[3];     // by axis
    bool linear;             // linear filter, else the nearest texel
    bool normalized_float;   // whole numbers of 8 and 16 bits are read as 0..1 or -1..1
    bool normalized_coordinates; // 0..1 is the whole axis
    float border[4];
    bool surface; // for suld, sust and sured only, as any other is not
} Texture;

typedef struct TextureTable TextureTable;

TextureTable *texture_table_new(HdError *err);
void texture_table_free(TextureTable *table);

// A new handle for a texture (never 0, not soon used again), or for a texture reference (`name`,
// owned by the caller) that stands for none until texture_bind. false and err: it cannot be.
bool texture_add(TextureTable *table, const Texture *texture, uint64_t *handle, HdError *err);
bool texture_add_reference(TextureTable *table, const char *name, uint64_t *handle, HdError *err);
// What a reference stands for from now on; NULL: nothing.
bool texture_bind(TextureTable *table, uint64_t handle, const Texture *texture, HdError *err);
// false: there is no such texture.
bool texture_remove(TextureTable *table, uint64_t handle);
// What a handle stands for, with 0 replaced; NULL: nothing.
const Texture *texture_lookup(const TextureTable *table, uint64_t handle);
// Says why a handle stands for nothing, or not for what it is used as.
void texture_describe_missing(const TextureTable *table, uint64_t handle, char *text, size_t size);

// ---- fetches ----

// Texels that one lane's fetch may need: 2 along each axis.
enum { TEXTURE_CORNERS = 8 };
struct PreparedTexture;

// What the lanes of one fetch need. Texel k of a lane: bit 0 of k is the second along x, bit 1
// along y, bit 2 along z.
typedef struct TextureFetch {
    const struct PreparedTexture *texture[HD_MAX_LANES];
    unsigned corners;                  // no lane needs texels from here on
    LaneMask needed[TEXTURE_CORNERS];  // lanes that texel k counts for
    LaneMask touched[TEXTURE_CORNERS]; // lanes whose texel k is in memory, not the border
    uint64_t address[TEXTURE_CORNERS][HD_MAX_LANES];
    uint32_t weight[TEXTURE_CORNERS][HD_MAX_LANES]; // of 2^24
} TextureFetch;

// Works out which texels the lanes need. Returns the first lane whose handle stands for nothing
// (*handle), or -1.
int exec_texture_plan(const UOp *op, const ExecWarp *w, LaneMask lanes, TextureFetch *fetch,
                      uint64_t *handle);
// Bytes of a texel of that lane.
unsigned exec_texture_bytes(const TextureFetch *fetch, unsigned lane);
// Reads and filters the texels; their bounds are already checked.
void exec_texture_read(const UOp *op, ExecWarp *w, LaneMask lanes, const TextureFetch *fetch,
                       const GuestMemory *memory, const StoreLog *log);
// txq: a number that describes the texture; 0 where the handle stands for nothing.
void exec_texture_query(const UOp *op, ExecWarp *w, LaneMask lanes);

#endif
