// Shadow data in an SM (memory/shadow.h): the bytes of its stores, and the checks of what its loads
// get. In a normal build the types are empty and the functions do nothing.
#ifndef HEDDLE_CORE_SHADOW_SM_H
#define HEDDLE_CORE_SHADOW_SM_H

#include "memory/cache/cache.h"
#include "memory/packets.h"
#include "memory/shadow.h"

struct L1d;
struct MemoryOp;
struct Sm;
struct SmContext;
struct Warp;

#ifdef HD_SHADOW_DATA

typedef struct ShadowSm {
    struct ShadowSmState *state;
} ShadowSm;
typedef struct ShadowStore {
    uint8_t (*bytes)[SHADOW_BYTES]; // [MEMORY_OP_ACCESSES]; NULL: not yet used
    uint32_t number;                // of the first access among the SM's stores; the others follow
} ShadowStore;

#else

typedef struct ShadowSm {} ShadowSm;       // of one SM
typedef struct ShadowStore {} ShadowStore; // the bytes of a store's accesses, from its issue on
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif

// Before the first launch; as a launch begins.
SHADOW_DO(shadow_sm_new(struct Sm *sm, ShadowMemory *memory))
SHADOW_DO(shadow_sm_begin(struct Sm *sm))
SHADOW_DO(shadow_sm_free(struct SmContext *context))

// A memory instruction has issued: keeps the bytes of a store. Frees what its operation keeps.
SHADOW_DO(shadow_issue(struct SmContext *context, struct MemoryOp *op))
SHADOW_DO(shadow_store_free(ShadowStore *store))
// A load that became a move has its values: they are those of memory.
SHADOW_DO(shadow_move(struct SmContext *context, struct Warp *w, uint32_t lanes))
// The bytes of one of its accesses, for its packet.
SHADOW_DO(shadow_packet(const struct MemoryOp *op, unsigned access, ShadowData *data))
// For a fetch: marks its place in the order of the SM's events.
SHADOW_GET(ShadowData, shadow_fetch(const struct SmContext *context))
// An access is about to be looked up in the L1D: the bytes of a store. Its outcome, and
// accesses and fills of the other first-level caches, reach the shadow data as a watcher.
SHADOW_GET(ShadowSource, shadow_l1_store(struct SmContext *context, struct L1d *l1d,
                                         const struct MemoryOp *op, unsigned access))
// A request hits in the L1.5: its bytes, for the reply.
SHADOW_DO(shadow_give_line(struct Cache *cache, uint64_t address, MemReply *reply))
// Mechanisms at the L1D are about to see these values: of a fill, of a hit, or of a prefetched line
// that was there. brought: the data of the reply; NULL: the line was there.
SHADOW_DO(shadow_values(struct SmContext *context, struct Cache *cache, const ShadowData *brought,
                        const struct HdAccess *access))
// A load that bypasses the L1D has its reply.
SHADOW_DO(shadow_bypass_reply(struct SmContext *context, const struct MemoryOp *op,
                              const MemReply *reply))

#ifndef HD_SHADOW_DATA
#pragma GCC diagnostic pop
#endif

#endif
