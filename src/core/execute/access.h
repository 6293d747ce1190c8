// Memory instructions at issue: the address of each lane, and the values that do not depend on the
// memory side.
#ifndef HEDDLE_CORE_EXECUTE_ACCESS_H
#define HEDDLE_CORE_EXECUTE_ACCESS_H

#include "core/bounds.h"
#include "exec/surface.h"
#include "exec/texture.h"

typedef struct ResolvedAccess {
    LaneMask lanes;      // the lanes that access memory now
    PtxSpace space;      // never SPACE_GENERIC
    unsigned allocation; // that all lanes access; GUEST_NO_ALLOCATION: several, or not global
    uint64_t addresses[HD_MAX_LANES]; // offsets, in spaces other than global memory
} ResolvedAccess;

// Resolves generic addresses. If they lie in different windows (one load for the halo from global
// memory and for other elements from shared memory), the lanes in the first lane's window access
// memory now. The others execute the instruction again. false: a fault.
bool access_resolve_generic(SmContext *context, Warp *w, ResolvedAccess *access);
// Resolves the addresses of the lanes inside the guard, and checks global ones. If generic
// addresses lie in several spaces, the lanes of one space become the current split. false: a fault.
static inline bool access_resolve(SmContext *context, Warp *w, const UOp *op, LaneMask lanes,
                                  ResolvedAccess *a)
{
    exec_addresses(op, &w->exec, a->addresses);
    a->lanes = lanes;
    a->space = (PtxSpace)op->space;
    a->allocation = GUEST_NO_ALLOCATION;
    // On the hardware, constants lie in global memory: compilers read a constant by ld.global if
    // its address comes from a variable.
    bool generic = a->space == SPACE_GENERIC ||
                   (a->space == SPACE_GLOBAL &&
                    a->addresses[lanes_first(lanes)] - GUEST_CONST_BASE < GUEST_WINDOW_SIZE);
    if (generic && !access_resolve_generic(context, w, a)) return false;
    return a->space != SPACE_GLOBAL ||
           bounds_check(context, w, a->lanes, a->addresses, ptx_type_bytes(op->type) * op->vec,
                        op->code != UOP_LD, &a->allocation);
}
// Computes the values of an access to a space of a block or thread. false: a fault.
bool access_private(SmContext *context, Warp *w, const UOp *op, const ResolvedAccess *access);
// Whether the memory instruction is only a move: of a device function's parameter in a register.
static inline bool access_is_move(const SmContext *context, const UOp *op)
{
    return op->space == SPACE_FRAME_PARAM &&
           context->config.path->function_params == FUNCTION_PARAMS_REGISTERS;
}
// Loads or stores parameters of a device function, which needs no memory access. false: a fault.
bool access_frame_param(SmContext *context, Warp *w, const UOp *op, LaneMask lanes);

// Resolves the addresses of a surface access, all within allocations. false: a fault.
bool surface_resolve(SmContext *context, const Warp *w, const UOp *op, LaneMask lanes,
                     SurfaceAccess *access, unsigned *allocation);
// Computes the values of a surface load.
void surface_load(SmContext *context, Warp *w, const UOp *op, LaneMask lanes,
                  const SurfaceAccess *access);

// Finds the texels of the lanes, all within allocations. *allocation: the one that all lie in;
// GUEST_NO_ALLOCATION: several, or no texel. false: a fault.
bool texture_resolve(SmContext *context, const Warp *w, const UOp *op, LaneMask lanes,
                     TextureFetch *fetch, unsigned *allocation);

#endif
