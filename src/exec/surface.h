// Surfaces: the addresses of loads, stores and reductions through a surface object (PTX suld, sust,
// sured).
//
// A surface is an array like a texture's. Its x coordinate counts bytes; the other coordinates
// count rows, and slices or layers. It has no filter and no border.
#ifndef HEDDLE_EXEC_SURFACE_H
#define HEDDLE_EXEC_SURFACE_H

#include "exec/exec.h"

typedef struct SurfaceAccess {
    LaneMask inside; // lanes that access memory; the others are outside, which the operation allows
    uint64_t address[HD_MAX_LANES];
    bool missing; // if a lane faults: its handle is not the handle of a surface
} SurfaceAccess;

// Computes the addresses of the lanes. Returns -1, or the first lane with a faulting access and the
// reason in `why`.
int exec_surface_plan(const UOp *op, const ExecWarp *w, LaneMask lanes, SurfaceAccess *access,
                      char *why, size_t size);
// Writes the result of a load, 0, for lanes outside of the surface.
void exec_surface_zero(const UOp *op, ExecWarp *w, LaneMask lanes);

#endif
