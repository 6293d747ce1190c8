// Logs of requests that warm the L2.
#include "memory/warm_log.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct WarmShare {
    MemRequest *requests; // in the order in which they were made
    size_t count, capacity;
} WarmShare;

struct WarmLog {
    const MemorySide *memory;
    WarmShare shares[WARM_SHARES];
    bool failed;
};

WarmLog *warm_log_new(const MemorySide *memory)
{
    WarmLog *log = hd_new(1, sizeof *log);
    if (log) log->memory = memory;
    return log;
}

void warm_log_free(WarmLog *log)
{
    if (!log) return;
    for (unsigned i = 0; i < WARM_SHARES; i++) free(log->shares[i].requests);
    free(log);
}

bool warm_log_add(WarmLog *log, const MemRequest *request)
{
    MemRequest placed = *request;
    placed.atomic = NULL; // its operation does not live that long, and only its kind matters
    memory_side_place(log->memory, &placed);
    WarmShare *share = &log->shares[(placed.owner - 1u) % WARM_SHARES];
    bool ok = HD_PUSH(share->requests, share->count, share->capacity, placed);
    log->failed |= !ok;
    return ok;
}

bool warm_log_failed(const WarmLog *log) { return log->failed; }

void warm_log_apply(MemorySide *memory, WarmLog *const *logs, unsigned count, unsigned number)
{
    for (unsigned i = 0; i < count; i++) {
        WarmShare *share = &logs[i]->shares[number];
        for (size_t k = 0; k < share->count; k++)
            memory_side_access_warm(memory, &share->requests[k]);
        share->count = 0;
    }
}
