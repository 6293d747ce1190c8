// What a memory instruction becomes: the accesses to lines or sectors, constants or banks that the
// load/store unit makes for it, and the cache that they go through.
#ifndef HEDDLE_CORE_LSU_SHAPE_H
#define HEDDLE_CORE_LSU_SHAPE_H

#include "core/bounds.h"
#include "core/memory_op.h"
#include "exec/texture.h"

// Fills in the accesses of an operation whose op, pc, space and lanes are set, and counts nothing.
// allocation: that of all lanes, GUEST_NO_ALLOCATION if they access several. false: out of memory.
bool shape_access(SmContext *sm, const Warp *w, MemoryOp *op,
                  const uint64_t *addresses, unsigned allocation);
// The same for a texture fetch.
void shape_texture(SmContext *sm, MemoryOp *op, const TextureFetch *fetch,
                   unsigned allocation);
// The same for a fetch or surface access that touches nothing: the unit answers it.
void shape_nothing(MemoryOp *op);

// Counts an operation that has its accesses.
void shape_count(SmContext *sm, const MemoryOp *op);

#endif
