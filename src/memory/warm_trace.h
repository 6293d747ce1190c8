// The accesses that an SM makes in a functional launch to its L1D and, beside it, to the L2. They
// are not made one by one, but many in a row (cache_warm_words).
#ifndef HEDDLE_MEMORY_WARM_TRACE_H
#define HEDDLE_MEMORY_WARM_TRACE_H

#include "memory/cache/cache.h"
#include "memory/coalesce.h"
#include "memory/warm_log.h"

// The caches of its words: the L1D; and none, for accesses to the L2.
typedef enum TraceCache { TRACE_L1D, TRACE_L2, TRACE_CACHES } TraceCache;
enum { TRACE_ACCESSES = 256 };

typedef struct WarmTrace {
    WarmLog *log;
    Cache *caches[TRACE_CACHES];
    unsigned count, stores;
    uint64_t words[TRACE_ACCESSES];
    WarmBytes bytes[TRACE_ACCESSES]; // of the words that are stores
} WarmTrace;

// Begins empty. log: of lines (warm_log_of_lines). l1d: NULL if it does not warm lines
// (cache_warms_lines); then only its misses come here. Both must outlive the last flush.
void warm_trace_begin(WarmTrace *trace, WarmLog *log, Cache *l1d);
static inline bool warm_trace_has_l1d(const WarmTrace *trace) { return trace->caches[TRACE_L1D]; }

void warm_trace_add(WarmTrace *trace, TraceCache cache, const WarmLine *access);
// Appends the accesses of a load or store to the L1D: coalesce_lines.
void warm_trace_lanes(WarmTrace *trace, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                      WarmKind kind);
// Appends a request to the L2. Returns 0, for FunctionalMemory.
uint32_t warm_trace_request(void *trace, const MemRequest *request);
// Makes the accesses, and removes them. What the L2 has to serve goes to the log.
void warm_trace_flush(WarmTrace *trace);

#endif
