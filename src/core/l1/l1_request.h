// Builds the requests that memory operations and first-level caches send to the next level.
#ifndef HEDDLE_CORE_L1_L1_REQUEST_H
#define HEDDLE_CORE_L1_L1_REQUEST_H

#include "core/memory_op.h"
#include "memory/cache/cache.h"
#include "memory/memory_side.h"
#include "memory/packets.h"

// Adds what mechanisms at the L2 read of an access: its warp, and the bytes for it.
void request_add_fields(MemRequest *request, const MemoryOp *op, unsigned access,
                        RequestFields fields);
// Writes the request for one access of an operation, with these fields.
void request_for_access(const MemoryOp *op, unsigned access, uint32_t token, RequestFields fields,
                        MemRequest *request);
// The request of an operation of kind MEM_ENGINE.
MemRequest request_for_engine(const MemoryOp *op, uint32_t token);
// The request for the line of an address, of a cache with this configuration that is only read.
MemRequest request_for_line(const CacheConfig *config, uint64_t address, uint32_t pc, MemKind kind);
// The write-back of a dirty victim; the copy-back of a clean victim, which a mechanism requests.
// sector: bytes of an L1D sector.
MemRequest request_for_victim(const CacheVictim *victim, uint64_t sector);
MemRequest request_for_clean_victim(const CacheVictim *victim, uint64_t sector);

// The functional access that the operation's accesses from *access on are together, as many as are
// to the same line and, of stores, to other sectors. *access moves on behind them.
void warm_line_next(const MemoryOp *op, unsigned *access, WarmLine *line);

#endif
