// Logs of requests that warm the L2.
#include "memory/warm_log.h"

#include "base/memory.h"
#include "memory/cache/cache.h"
#include "memory/warm_word.h"

#include <stdlib.h>

_Static_assert((int)MAX_SLICES <= (int)WORD_CACHES, "a word has room for the slice");

typedef struct WarmShare { // in the order in which they were made
    uint64_t *words;      // of a log of lines: warm_word, with the line's place and slice
    WarmBytes *stores;    // of the words that are stores
    MemRequest *requests; // of another log
    size_t count, capacity, store_count, store_capacity;
} WarmShare;

struct WarmLog {
    const MemorySide *memory;
    WarmShare shares[WARM_SHARES];
    bool lines;
    bool failed;
};

WarmLog *warm_log_new(const MemorySide *memory)
{
    WarmLog *log = hd_new(1, sizeof *log);
    if (!log) return NULL;
    log->memory = memory;
    log->lines = memory_side_warms_lines(memory);
    return log;
}

void warm_log_free(WarmLog *log)
{
    if (!log) return;
    for (unsigned i = 0; i < WARM_SHARES; i++) {
        free(log->shares[i].words);
        free(log->shares[i].stores);
        free(log->shares[i].requests);
    }
    free(log);
}

bool warm_log_of_lines(const WarmLog *log) { return log->lines; }
bool warm_log_failed(const WarmLog *log) { return log->failed; }

void warm_log_line(WarmLog *log, uint64_t line, uint8_t sectors, WarmKind kind,
                   const uint64_t *bytes)
{
    uint64_t place;
    unsigned slice = memory_side_locate(log->memory, line, &place);
    WarmShare *share = &log->shares[slice % WARM_SHARES];
    if (share->count == share->capacity &&
        !hd_reserve(&share->words, share->count, &share->capacity, sizeof *share->words)) {
        log->failed = true;
        return;
    }
    share->words[share->count++] = warm_word(slice, place, sectors, kind);
    if (warm_kind_writes(kind))
        log->failed |= !HD_PUSH(share->stores, share->store_count, share->store_capacity,
                                ((WarmBytes){{bytes[0], bytes[1]}}));
}

void warm_log_add(WarmLog *log, const MemRequest *request)
{
    MemRequest placed = *request;
    placed.atomic = NULL; // its operation does not live that long, and only its kind matters
    memory_side_place(log->memory, &placed);
    WarmShare *share = &log->shares[(placed.owner - 1u) % WARM_SHARES];
    log->failed |= !HD_PUSH(share->requests, share->count, share->capacity, placed);
}

void warm_log_apply(MemorySide *memory, WarmLog *const *logs, unsigned count, unsigned number)
{
    Cache *caches[MAX_SLICES];
    for (unsigned s = number; s < memory_side_slices(memory); s += WARM_SHARES)
        caches[s] = memory_side_l2(memory, s);
    for (unsigned i = 0; i < count; i++) {
        WarmShare *share = &logs[i]->shares[number];
        if (logs[i]->lines) // dirty victims need no write
            cache_warm_words(caches, share->words, share->count, share->stores, (WarmNext){0});
        for (size_t k = 0; !logs[i]->lines && k < share->count; k++)
            memory_side_access_warm(memory, &share->requests[k]);
        share->count = share->store_count = 0;
    }
}
