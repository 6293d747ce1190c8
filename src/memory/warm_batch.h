// The accesses that an SM makes in a functional launch to its L1D and, beside it, to the L2. They
// are not made one by one, but many in a row (cache_warm_words).
#ifndef HEDDLE_MEMORY_WARM_BATCH_H
#define HEDDLE_MEMORY_WARM_BATCH_H

#include "memory/cache/cache.h"
#include "memory/coalesce.h"
#include "memory/warm_log.h"

// The caches of its words: the L1D; and none, for accesses to the L2.
typedef enum BatchCache { BATCH_L1D, BATCH_L2, BATCH_CACHES } BatchCache;
enum { BATCH_ACCESSES = 256 };

typedef struct WarmBatch {
    WarmLog *log;
    Cache *caches[BATCH_CACHES];
    unsigned count, stores;
    uint64_t words[BATCH_ACCESSES];
    WarmBytes bytes[BATCH_ACCESSES]; // of the words that are stores
} WarmBatch;

// Begins empty. log: of lines (warm_log_of_lines). l1d: NULL if it does not warm lines
// (cache_warms_lines); then only its misses come here. Both must outlive the last flush.
void warm_batch_begin(WarmBatch *batch, WarmLog *log, Cache *l1d);
static inline bool warm_batch_has_l1d(const WarmBatch *batch) { return batch->caches[BATCH_L1D]; }

// Appends an access to one of the caches.
void warm_batch_add(WarmBatch *batch, BatchCache cache, const WarmLine *access);
// Appends the accesses of a load or store to the L1D: coalesce_lines.
void warm_batch_lanes(WarmBatch *batch, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                      WarmKind kind);
// Appends a request to the L2. Returns 0, for FunctionalMemory.
uint32_t warm_batch_request(void *batch, const MemRequest *request);
// Makes the accesses, and removes them. What the L2 has to serve goes to the log.
void warm_batch_flush(WarmBatch *batch);

#endif
