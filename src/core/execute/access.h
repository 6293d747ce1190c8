// Memory instructions at issue: the address that each lane accesses, and the values that do not
// wait for the memory side.
#ifndef HEDDLE_CORE_EXECUTE_ACCESS_H
#define HEDDLE_CORE_EXECUTE_ACCESS_H

#include "core/bounds.h"
#include "exec/surface.h"
#include "exec/texture.h"

typedef struct ResolvedAccess {
    LaneMask lanes;      // that access memory now
    PtxSpace space;      // never SPACE_GENERIC
    unsigned
        allocation; // that all lanes access; GUEST_NO_ALLOCATION: several, or not global memory
    uint64_t addresses[HD_MAX_LANES]; // offsets, in spaces other than global memory
} ResolvedAccess;

// Where the lanes inside the guard access memory; global accesses are checked. If generic addresses
// lie in several spaces, the lanes of one of them become the current path. false: a fault.
bool access_resolve(SmContext *sm, Warp *w, const UOp *op, LaneMask lanes,
                    ResolvedAccess *access);
// The values of an access to a space that belongs to a block or thread. false: a fault.
bool access_private(SmContext *sm, Warp *w, const UOp *op, const ResolvedAccess *access);
// A load or store of a device function's parameters: values only. false: a fault.
bool access_frame_param(SmContext *sm, Warp *w, const UOp *op, LaneMask lanes);

// Where the lanes access a surface, all of it within allocations. false: a fault.
bool surface_resolve(SmContext *sm, const Warp *w, const UOp *op, LaneMask lanes,
                     SurfaceAccess *access, unsigned *allocation);
// The values of a surface load.
void surface_load(SmContext *sm, Warp *w, const UOp *op, LaneMask lanes,
                  const SurfaceAccess *access);

// Which texels the lanes need, all of them within allocations. *allocation: the one that all lie in
// (GUEST_NO_ALLOCATION: they lie in several, or there are none). false: a fault.
bool texture_resolve(SmContext *sm, const Warp *w, const UOp *op, LaneMask lanes,
                     TextureFetch *fetch, unsigned *allocation);

#endif
