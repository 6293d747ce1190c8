// Addresses of surface accesses.
#include "exec/surface.h"

#include "exec/texture_table.h"

#include <stdio.h>

typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

// For each shape, the number of the coordinate along x, y and z. NO_AXIS: the shape has none, and
// it counts as 0.
enum { NO_AXIS = SURFACE_COORDINATES };
static const uint8_t axes[][3] = {
    [TEX_1D] = {0, NO_AXIS, NO_AXIS}, [TEX_2D] = {0, 1, NO_AXIS},       [TEX_3D] = {0, 1, 2},
    [TEX_LAYERS_1D] = {1, NO_AXIS, 0}, [TEX_LAYERS_2D] = {1, 2, 0},
};

// Sets the position of one lane's access: x in bytes, y and z. A position beyond `last` is clamped
// if the operation says so. Returns whether the position is inside the surface.
static bool lane_position(const UOp *op, const ExecWarp *w, unsigned lane, const int64_t last[3],
                          int64_t at[3])
{
    bool inside = last[0] >= 0, clamps = inside && surface_outside(op) == OUTSIDE_CLAMP;
    for (unsigned i = 0; i < 3; i++) {
        unsigned which = axes[surface_shape(op)][i];
        const int32_t *coordinates =
            which == NO_AXIS ? NULL : exec_operand(w, surface_coordinate(op, which));
        at[i] = coordinates ? coordinates[lane] : 0;
        if (at[i] >= 0 && at[i] <= last[i]) continue;
        inside &= clamps;
        if (clamps) at[i] = at[i] < 0 ? 0 : last[i];
    }
    return inside;
}

int exec_surface_plan(const UOp *op, const ExecWarp *w, LaneMask lanes, SurfaceAccess *access,
                      char *why, size_t size)
{
    const TextureTable *table = w->block->textures;
    const LongWord *handles = exec_operand(w, op->src[0]);
    const PreparedTexture *surface = NULL;
    uint64_t handle = 0;
    unsigned bytes = ptx_type_bytes((PtxType)op->type) * op->vec;
    access->inside = 0;
    access->missing = false;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (!surface || handles[l] != handle) surface = texture_lookup_prepared(table, handles[l]);
        handle = handles[l];
        if (!surface || !surface->desc.surface) {
            access->missing = true;
            texture_describe_missing(table, handle, why, size);
            return (int)l;
        }
        const Texture *t = &surface->desc;
        const int64_t last[3] = {(int64_t)t->width * surface->texel_bytes - bytes,
                                 (int64_t)t->height - 1, (int64_t)t->depth - 1};
        int64_t at[3];
        if (lane_position(op, w, l, last, at)) {
            access->inside |= (LaneMask)1 << l;
            access->address[l] = t->address + (uint64_t)at[0] +
                                 ((uint64_t)at[2] * t->height + (uint64_t)at[1]) * t->pitch;
        } else if (surface_outside(op) != OUTSIDE_ZERO) {
            snprintf(why, size,
                     "surface access of %u bytes at byte %lld, row %lld, slice or layer %lld: "
                     "expected an access within %lld bytes per row, %lld rows and %lld slices or "
                     "layers",
                     bytes, (long long)at[0], (long long)at[1], (long long)at[2],
                     (long long)last[0] + bytes, (long long)last[1] + 1, (long long)last[2] + 1);
            return (int)l;
        }
    }
    return -1;
}

void exec_surface_zero(const UOp *op, ExecWarp *w, LaneMask lanes)
{
    bool wide = ptx_type_bytes((PtxType)op->type) == 8 || op->flags & UF_WIDE_DST;
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        for (LaneMask m = lanes; m; m &= m - 1)
            if (wide) ((LongWord *)slot)[lanes_first(m)] = 0;
            else ((Word *)slot)[lanes_first(m)] = 0;
    }
}
