// Surfaces: where a load, store or reduction through a surface object goes (PTX suld, sust, sured).
//
// A surface is an array as a texture sees it, with coordinates in bytes along x and in rows, slices
// or layers else, and nothing between or outside of its texels.
#ifndef HEDDLE_EXEC_SURFACE_H
#define HEDDLE_EXEC_SURFACE_H

#include "exec/exec.h"

typedef struct SurfaceAccess {
    LaneMask inside; // lanes that access memory; the others are outside, which their mode allows
    uint64_t address[HD_MAX_LANES];
    bool missing; // with a lane that may not: its handle stands for no surface
} SurfaceAccess;

// Returns the first lane that may not access, and why; or -1.
int exec_surface_plan(const UOp *op, const ExecWarp *w, LaneMask lanes, SurfaceAccess *access,
                      char *why, size_t size);
// What a load gives those lanes that are outside.
void exec_surface_zero(const UOp *op, ExecWarp *w, LaneMask lanes);

#endif
