// Textures: the table of handles, and fetches (PTX tex, tld4, txq).
//
// The formulas are from the CUDA C++ Programming Guide, appendix "Texture Fetching". Every kind of
// texture lies in guest memory row by row, with a pitch; layers, slices and faces follow each
// other. A texture has one mipmap level, which every level of detail selects.
#ifndef HEDDLE_EXEC_TEXTURE_H
#define HEDDLE_EXEC_TEXTURE_H

#include "exec/exec.h"

typedef enum TextureKind {
    TEXTURE_LINEAR,  // plain memory, integer coordinates; reads 0 outside; no filter or modes
    TEXTURE_PITCH2D, // plain memory in rows
    TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, // arrays
    TEXTURE_LAYERS_1D, TEXTURE_LAYERS_2D, // depth: layers
    TEXTURE_CUBE, // depth: 6 faces of each cube, in the order +x -x +y -y +z -z
    TEXTURE_KINDS
} TextureKind;
typedef enum TextureChannel { CHANNEL_SIGNED, CHANNEL_UNSIGNED, CHANNEL_FLOAT } TextureChannel;
// How a coordinate outside of the texture is resolved. WRAP and MIRROR require normalized
// coordinates; otherwise they act as CLAMP.
typedef enum TextureMode {
    TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER
} TextureMode;

typedef struct Texture {
    uint64_t address; // of its first texel, a multiple of the texel's size
    TextureKind kind;
    uint32_t width, height, depth; // texels; 0 counts as 1 if the kind has no such axis
    uint64_t pitch;   // bytes from a row to the next; 0: the rows follow each other
    uint8_t bits[4];  // of channels x, y, z, w: 8, 16 or 32 for the first 1, 2 or 4, else 0
    TextureChannel channel;
    TextureMode mode[3];     // by axis
    bool linear;             // linear filter, else the nearest texel
    bool normalized_float;   // integers of 8 and 16 bits are read as 0..1 or -1..1
    bool normalized_coordinates; // 0..1 spans the axis
    float border[4];
    bool surface; // for suld, sust and sured only; false: for fetches only
} Texture;

typedef struct TextureTable TextureTable;

TextureTable *texture_table_new(HdError *err);
void texture_table_free(TextureTable *table);

// Create a handle for a texture, or for a texture reference that is not bound yet; the caller owns
// `name`. A handle is never 0, and is not reused soon. false and err if the texture is invalid or
// out of memory.
bool texture_add(TextureTable *table, const Texture *texture, uint64_t *handle, HdError *err);
bool texture_add_reference(TextureTable *table, const char *name, uint64_t *handle, HdError *err);
// Binds a reference to a texture; NULL unbinds it.
bool texture_bind(TextureTable *table, uint64_t handle, const Texture *texture, HdError *err);
// Destroys a texture. false: the handle is unknown, or a reference.
bool texture_remove(TextureTable *table, uint64_t handle);
// The texture of a handle, with every default filled in; NULL: unknown or not bound.
const Texture *texture_lookup(const TextureTable *table, uint64_t handle);
// Describes why a handle is unknown, not bound, or of the wrong type (texture or surface).
void texture_describe_missing(const TextureTable *table, uint64_t handle, char *text, size_t size);

// ---- fetches ----

// Most texels that one lane's fetch may need: 2 along each axis.
enum { TEXTURE_CORNERS = 8 };
struct PreparedTexture;

// The texels that the lanes of one fetch need. Texel k of a lane is the first or second along each
// axis: bit 0 of k selects along x, bit 1 along y, bit 2 along z.
typedef struct TextureFetch {
    const struct PreparedTexture *texture[HD_MAX_LANES];
    unsigned corners;                  // texels 0 to corners - 1 are needed by some lane
    LaneMask needed[TEXTURE_CORNERS];  // lanes for which texel k has a weight
    LaneMask touched[TEXTURE_CORNERS]; // lanes with texel k in memory, not in the border
    uint64_t address[TEXTURE_CORNERS][HD_MAX_LANES];
    uint32_t weight[TEXTURE_CORNERS][HD_MAX_LANES]; // in units of 2^-24
} TextureFetch;

// Computes which texels the lanes need. Returns -1, or the first lane with a handle (*handle) that
// is not a bound texture.
int exec_texture_plan(const UOp *op, const ExecWarp *w, LaneMask lanes, TextureFetch *fetch,
                      uint64_t *handle);
// The texel size of the lane's texture, in bytes.
unsigned exec_texture_bytes(const TextureFetch *fetch, unsigned lane);
// Reads and filters the texels. The caller has checked their bounds.
void exec_texture_read(const UOp *op, ExecWarp *w, LaneMask lanes, const TextureFetch *fetch,
                       const GuestMemory *memory, const StoreLog *log);
// txq: a property of the texture; 0 if the handle is unknown or not bound.
void exec_texture_query(const UOp *op, ExecWarp *w, LaneMask lanes);

#endif
