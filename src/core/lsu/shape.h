// Coalescing: divides a memory instruction into accesses to lines or sectors, constants, or banks,
// and selects the cache that they use.
#ifndef HEDDLE_CORE_LSU_SHAPE_H
#define HEDDLE_CORE_LSU_SHAPE_H

#include "core/bounds.h"
#include "core/memory_op.h"
#include "exec/texture.h"

// Fills in the accesses of an operation whose op, pc, space and lanes are set. Counts nothing.
// allocation: the one that all lanes access; GUEST_NO_ALLOCATION: several. false: out of memory.
bool shape_access(SmContext *sm, MemoryOp *op, const uint64_t *addresses, unsigned allocation);
// Whether the accesses of a global load or store are to sectors of the L1D, in the order of lanes.
bool shape_is_usual(const SmContext *sm, const UOp *op);
// Fills in the accesses of a texture fetch.
void shape_texture(SmContext *sm, MemoryOp *op, const TextureFetch *fetch,
                   unsigned allocation);
// Fills in a texture fetch or surface access without texels, which the unit completes itself.
void shape_nothing(MemoryOp *op);

// Fills in a request to the unit of a slice. false: out of memory.
bool shape_unit(SmContext *sm, const Warp *w, MemoryOp *op, unsigned slice);

// Counts an operation with its accesses.
void shape_count(SmContext *sm, const MemoryOp *op);

#endif
