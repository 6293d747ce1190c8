// Builds the requests that memory operations and first-level caches send to the next level.
#ifndef HEDDLE_CORE_L1_L1_REQUEST_H
#define HEDDLE_CORE_L1_L1_REQUEST_H

#include "core/memory_op.h"
#include "memory/cache/cache.h"
#include "memory/memory_side.h"
#include "memory/packets.h"

// Names the warp of an access in the request, for mechanisms at the L2.
void request_tag_warp(MemRequest *request, const MemoryOp *op, unsigned access);
// The request for one access of an operation. tag_warp: with request_tag_warp.
MemRequest request_for_access(const MemoryOp *op, unsigned access, uint32_t token, bool tag_warp);
// Counts a filled line, and the line that it may have evicted.
static inline void count_victim(CacheCounters *count, const CacheVictim *victim)
{
    count->evictions += victim->evicted;
    count->insertions += victim->inserted;
}
// The write-back of a dirty victim.
MemRequest request_for_victim(const CacheVictim *victim);
// The copy-back of a clean victim, which a mechanism requests. sector: bytes of an L1D sector.
MemRequest request_for_clean_victim(const CacheVictim *victim, uint64_t sector);

#endif
