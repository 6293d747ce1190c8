// Texture fetches: which texels a fetch needs, and its result.
//
// A linear filter weights texels by 8-bit fractions (CUDA C++ Programming Guide, "Linear
// Filtering"). The position between two texels is rounded to the nearest 1/256, halves up. The
// weighted sum is computed in double precision, where it is nearly exact, and rounded once. Texels
// of weight 0 are not accessed.
#include "exec/texture_table.h"

#include "exec/float_bits.h"

#include <string.h>

typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

// ---- coordinates ----

// The one or two texels along one axis that a fetch needs. A texel of weight 0 is not needed.
typedef struct AxisTexels {
    int64_t index[2]; // -1: the border
    uint32_t weight[2]; // in units of 1/256
} AxisTexels;

enum { WEIGHT_ONE = 256 };

// Coordinates are clamped to this magnitude: far outside of every texture, and exact as a double.
#define FARTHEST 1e12

static int64_t floor_of(double x)
{
    if (!(x > -FARTHEST)) return x < 0 ? -(int64_t)FARTHEST : 0; // NaN gives 0
    if (x > FARTHEST) return (int64_t)FARTHEST;
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

static int64_t resolve(TextureMode mode, int64_t i, uint32_t n)
{
    if (i >= 0 && i < (int64_t)n) return i;
    switch (mode) {
    case TEXTURE_BORDER: return -1;
    case TEXTURE_WRAP: return (i % (int64_t)n + n) % n;
    default: return i < 0 ? 0 : (int64_t)n - 1; // CLAMP; folded MIRROR: at most 1 off
    }
}

// Converts a normalized coordinate to texels. Wrap and mirror fold it into the axis first.
static double in_texels(TextureMode mode, uint32_t n, double x)
{
    if (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR) {
        int64_t whole = floor_of(x);
        x -= (double)whole;
        if (!(x >= 0 && x < 1)) x = 0; // too large for a fraction
        if (mode == TEXTURE_MIRROR && whole & 1) x = 1 - x;
    }
    return x * n;
}

static AxisTexels axis_float(const Texture *t, unsigned axis, uint32_t n, double x, bool pair)
{
    TextureMode mode = t->mode[axis];
    if (t->normalized_coordinates) x = in_texels(mode, n, x);
    if (!pair) return (AxisTexels){{resolve(mode, floor_of(x), n)}, {WEIGHT_ONE}};
    int64_t place = floor_of(x * WEIGHT_ONE - (WEIGHT_ONE / 2 - 0.5)); // round(256 (x - 1/2))
    int64_t i = place >> 8;
    uint32_t part = (uint32_t)(place & (WEIGHT_ONE - 1));
    return (AxisTexels){{resolve(mode, i, n), resolve(mode, i + 1, n)},
                        {WEIGHT_ONE - part, part}};
}

// The face of a cube that a direction points to, and the position on that face (CUDA C++
// Programming Guide, "Cubemap Textures"): the coordinate of largest magnitude selects the face.
static unsigned cube_face(const double in[3], double at[2])
{
    double m[3];
    for (unsigned i = 0; i < 3; i++) m[i] = in[i] < 0 ? -in[i] : in[i];
    unsigned axis = m[0] >= m[1] && m[0] >= m[2] ? 0 : m[1] >= m[2] ? 1 : 2;
    bool negative = in[axis] < 0;
    double s = axis == 0 ? (negative ? in[2] : -in[2]) : axis == 2 && negative ? -in[0] : in[0];
    double t = axis == 1 ? (negative ? -in[2] : in[2]) : -in[1];
    at[0] = (s / m[axis] + 1) / 2;
    at[1] = (t / m[axis] + 1) / 2;
    return 2 * axis + negative;
}

// ---- planning ----

static double float_operand(const ExecWarp *w, Operand operand, unsigned lane)
{
    return f32_from(((const Word *)exec_operand(w, operand))[lane]);
}

static uint32_t integer_operand(const ExecWarp *w, Operand operand, unsigned lane)
{
    return ((const Word *)exec_operand(w, operand))[lane];
}

static uint64_t handle_operand(const UOp *op, const ExecWarp *w, unsigned lane)
{
    return ((const LongWord *)exec_operand(w, op->src[0]))[lane];
}

// For each shape of fetch, the number of coordinates, and whether a layer operand comes first.
static const struct {
    uint8_t coordinates;
    bool layers;
} shapes[] = {
    [TEX_1D] = {1, false},       [TEX_2D] = {2, false},  [TEX_3D] = {3, false},
    [TEX_LAYERS_1D] = {1, true}, [TEX_LAYERS_2D] = {2, true},
    [TEX_CUBE] = {3, false},     [TEX_CUBES] = {3, true},
};

// The z axis of a layered texture or cube: one layer (6 * cube + face for a cube), clamped to the
// last.
static AxisTexels axis_layer(const Texture *t, uint64_t layer)
{
    uint64_t last = t->depth - 1;
    return (AxisTexels){{(int64_t)(layer < last ? layer : last)}, {WEIGHT_ONE}};
}

static void cube_axes(const UOp *op, const ExecWarp *w, unsigned lane, const Texture *t,
                      AxisTexels axes[3])
{
    unsigned first = 1 + shapes[op->modifier].layers;
    double in[3], at[2];
    for (unsigned i = 0; i < 3; i++) in[i] = float_operand(w, op->src[first + i], lane);
    uint64_t cube = first > 1 ? integer_operand(w, op->src[1], lane) : 0;
    uint64_t face = cube_face(in, at), cubes = t->depth / 6;
    if (cube + 1 > cubes) cube = cubes ? cubes - 1 : 0;
    Texture folded = *t; // a cube's coordinates are always normalized
    folded.normalized_coordinates = true;
    folded.mode[0] = folded.mode[1] = TEXTURE_CLAMP;
    bool pair = t->linear || op->flags & UF_GATHER;
    axes[0] = axis_float(&folded, 0, t->width, at[0], pair);
    axes[1] = axis_float(&folded, 1, t->height, at[1], pair);
    axes[2] = axis_layer(t, 6 * cube + face);
}

static void lane_axes(const UOp *op, const ExecWarp *w, unsigned lane, const Texture *t,
                      AxisTexels axes[3])
{
    if (op->modifier == TEX_CUBE || op->modifier == TEX_CUBES) {
        cube_axes(op, w, lane, t, axes);
        return;
    }
    unsigned count = shapes[op->modifier].coordinates, first = 1 + shapes[op->modifier].layers;
    const uint32_t extent[3] = {t->width, t->height, t->depth};
    bool pair = t->linear || op->flags & UF_GATHER;
    for (unsigned a = 0; a < 3; a++) {
        if (a >= count) {
            axes[a] = (AxisTexels){{0}, {WEIGHT_ONE}};
        } else if (op->type2 == PTX_F32) {
            axes[a] = axis_float(t, a, extent[a], float_operand(w, op->src[first + a], lane),
                                 pair);
        } else { // an integer coordinate names a texel; wrap and mirror act as clamp
            TextureMode mode = t->mode[a] == TEXTURE_BORDER ? TEXTURE_BORDER : TEXTURE_CLAMP;
            int32_t i = (int32_t)integer_operand(w, op->src[first + a], lane);
            axes[a] = (AxisTexels){{resolve(mode, i, extent[a])}, {WEIGHT_ONE}};
        }
    }
    if (first > 1) axes[2] = axis_layer(t, integer_operand(w, op->src[1], lane));
}

// Sets the texels of one lane. A gather uses all four texels, whatever their weights.
static void plan_lane(const UOp *op, const ExecWarp *w, unsigned lane, TextureFetch *fetch)
{
    const PreparedTexture *p = fetch->texture[lane];
    const Texture *t = &p->desc;
    LaneMask bit = (LaneMask)1 << lane;
    AxisTexels axes[3];
    lane_axes(op, w, lane, t, axes);
    for (unsigned k = 0; k < TEXTURE_CORNERS; k++) {
        const unsigned at[3] = {k & 1, k >> 1 & 1, k >> 2};
        uint32_t weight = axes[0].weight[at[0]] * axes[1].weight[at[1]] * axes[2].weight[at[2]];
        if (op->flags & UF_GATHER) weight = k < 4;
        if (!weight) continue;
        fetch->weight[k][lane] = weight;
        fetch->needed[k] |= bit;
        if (fetch->corners <= k) fetch->corners = k + 1;
        int64_t x = axes[0].index[at[0]], y = axes[1].index[at[1]], z = axes[2].index[at[2]];
        if (x < 0 || y < 0 || z < 0) continue;
        fetch->touched[k] |= bit;
        fetch->address[k][lane] = t->address + ((uint64_t)z * t->height + (uint64_t)y) * t->pitch +
                                  (uint64_t)x * p->texel_bytes;
    }
}

// Fast path for tex1Dfetch of plain memory, the most frequent fetch.
static void plan_linear(const UOp *op, const ExecWarp *w, LaneMask lanes, TextureFetch *fetch)
{
    const PreparedTexture *p = fetch->texture[lanes_first(lanes)];
    const Word *index = exec_operand(w, op->src[1]);
    fetch->corners = 1;
    fetch->needed[0] = lanes;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        fetch->weight[0][l] = WEIGHT_ONE * WEIGHT_ONE * WEIGHT_ONE;
        if (index[l] >= p->desc.width) continue;
        fetch->touched[0] |= (LaneMask)1 << l;
        fetch->address[0][l] = p->desc.address + (uint64_t)index[l] * p->texel_bytes;
    }
}

int exec_texture_plan(const UOp *op, const ExecWarp *w, LaneMask lanes, TextureFetch *fetch,
                      uint64_t *handle)
{
    const TextureTable *table = w->block->textures;
    const PreparedTexture *texture = NULL;
    bool same = true;
    *handle = 0;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        uint64_t lane_handle = handle_operand(op, w, l);
        if (!texture || lane_handle != *handle) {
            same &= !texture;
            *handle = lane_handle;
            texture = texture_lookup_prepared(table, lane_handle);
        }
        if (!texture || texture->desc.surface) return (int)l;
        fetch->texture[l] = texture;
    }
    memset(fetch->needed, 0, sizeof fetch->needed);
    memset(fetch->touched, 0, sizeof fetch->touched);
    fetch->corners = 0;
    if (same && texture->desc.kind == TEXTURE_LINEAR && op->type2 != PTX_F32 &&
        op->modifier == TEX_1D)
        plan_linear(op, w, lanes, fetch);
    else
        for (LaneMask m = lanes; m; m &= m - 1) plan_lane(op, w, lanes_first(m), fetch);
    return -1;
}

unsigned exec_texture_bytes(const TextureFetch *fetch, unsigned lane)
{
    return fetch->texture[lane]->texel_bytes;
}

// ---- values ----

static uint32_t half_bits(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, rest = half & 0x3ff;
    if (!exponent) return f32_bits((float)rest * 0x1p-24f) | sign;
    if (exponent == 31) return rest ? F32_NAN : sign | F32_INFINITY;
    return sign | (exponent + 112) << 23 | rest << 13;
}

// One channel of a texel as a register value, without a filter.
static uint32_t channel_value(const PreparedTexture *p, uint32_t bits)
{
    unsigned shift = 32 - 8u * p->channel_bytes;
    int32_t number = (int32_t)(bits << shift) >> shift;
    float most = (float)((1u << (8 * p->channel_bytes - 1)) - 1);
    switch ((TextureRead)p->read) {
    case READ_SIGNED: return (uint32_t)number;
    case READ_HALF: return half_bits(bits);
    case READ_UNIT: return f32_bits((float)bits / (most * 2 + 1));
    case READ_SIGNED_UNIT: return f32_bits((float)number < -most ? -1 : (float)number / most);
    default: return bits; // READ_BITS, READ_UNSIGNED
    }
}

// The channels of texel k; of the border colour if the texel is not in memory.
static void texel_values(const TextureFetch *fetch, unsigned k, unsigned lane,
                         const GuestMemory *memory, const StoreLog *log, uint32_t values[4])
{
    const PreparedTexture *p = fetch->texture[lane];
    if (!(fetch->touched[k] >> lane & 1)) {
        for (unsigned c = 0; c < p->channels; c++)
            values[c] = p->returns_float ? f32_bits(p->desc.border[c])
                                       : (uint32_t)floor_of(p->desc.border[c]);
        return;
    }
    uint64_t address = fetch->address[k][lane];
    for (unsigned c = 0; c < p->channels; c++, address += p->channel_bytes) {
        uint32_t bits = 0;
        if (store_log_empty(log))
            memcpy(&bits, guest_host(memory, address), p->channel_bytes);
        else
            bits = (uint32_t)store_log_read(log, memory, address, p->channel_bytes);
        values[c] = channel_value(p, bits);
    }
}

// Sets the channels that the texture does not have: 0, and 1 for the fourth.
static void complete_values(const PreparedTexture *p, uint32_t values[4])
{
    for (unsigned c = p->channels; c < 4; c++)
        values[c] = c < 3 ? 0 : p->returns_float ? f32_bits(1) : 1;
}

static void filter_lane(const TextureFetch *fetch, unsigned lane, const GuestMemory *memory,
                        const StoreLog *log, uint32_t values[4])
{
    const PreparedTexture *p = fetch->texture[lane];
    double sum[4] = {0};
    for (unsigned k = 0; k < fetch->corners; k++) {
        if (!(fetch->needed[k] >> lane & 1)) continue;
        texel_values(fetch, k, lane, memory, log, values);
        for (unsigned c = 0; c < p->channels; c++)
            sum[c] += (double)f32_from(values[c]) * fetch->weight[k][lane];
    }
    for (unsigned c = 0; c < p->channels; c++)
        values[c] = f32_bits(f32_canonical((float)(sum[c] * 0x1p-24)));
}

// One channel of the four texels, counterclockwise from the lower left texel: PTX's order for tld4.
static void gather_lane(const TextureFetch *fetch, unsigned lane, unsigned channel,
                        const GuestMemory *memory, const StoreLog *log, uint32_t values[4])
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t texel[4];
        texel_values(fetch, order[i], lane, memory, log, texel);
        complete_values(fetch->texture[lane], texel);
        values[i] = texel[channel];
    }
}

void exec_texture_read(const UOp *op, ExecWarp *w, LaneMask lanes, const TextureFetch *fetch,
                       const GuestMemory *memory, const StoreLog *log)
{
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        uint32_t values[4];
        if (op->flags & UF_GATHER) {
            gather_lane(fetch, l, (op->flags & UF_SELECT_MASK) >> UF_SELECT_SHIFT, memory, log,
                        values);
        } else {
            if (fetch->texture[l]->desc.linear && op->type2 == PTX_F32)
                filter_lane(fetch, l, memory, log, values);
            else
                texel_values(fetch, 0, l, memory, log, values);
            complete_values(fetch->texture[l], values);
        }
        for (unsigned c = 0; c < 4; c++)
            if (op->dst[c] != OPERAND_NONE) ((Word *)exec_operand(w, op->dst[c]))[l] = values[c];
    }
}

// ---- queries ----

void exec_texture_query(const UOp *op, ExecWarp *w, LaneMask lanes)
{
    Word *to = exec_operand(w, op->dst[0]);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        const Texture *t = texture_lookup(w->block->textures, handle_operand(op, w, l));
        uint32_t value = 0;
        switch (t ? (TextureQuery)((op->flags & UF_SELECT_MASK) >> UF_SELECT_SHIFT) : QUERIES) {
        case QUERY_WIDTH: value = t->width; break;
        case QUERY_HEIGHT: value = t->height; break;
        case QUERY_DEPTH: value = t->depth; break;
        case QUERY_LAYERS: value = t->kind == TEXTURE_CUBE ? t->depth / 6 : t->depth; break;
        case QUERY_LEVELS: value = 1; break;
        case QUERY_NORMALIZED: value = t->normalized_coordinates; break;
        case QUERIES: break;
        }
        to[l] = value;
    }
}
