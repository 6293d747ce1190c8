// The accesses of an SM, many in a row.
#include "memory/warm_batch.h"

void warm_batch_begin(WarmBatch *batch, WarmLog *log, Cache *l1d)
{
    batch->log = log;
    batch->caches[BATCH_L1D] = l1d;
    batch->caches[BATCH_L2] = NULL;
    batch->count = batch->stores = 0;
}

void warm_batch_add(WarmBatch *batch, BatchCache cache, const WarmLine *access)
{
    if (batch->count == BATCH_ACCESSES) warm_batch_flush(batch);
    batch->words[batch->count++] = warm_word(cache, access->line, access->sectors, access->kind);
    if (warm_kind_writes(access->kind)) batch->bytes[batch->stores++] = access->bytes;
}

void warm_batch_lanes(WarmBatch *batch, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                      WarmKind kind)
{
    _Static_assert(BATCH_L1D == 0, "words of coalesce_lines are to the L1D");
    if (batch->count > BATCH_ACCESSES - COALESCE_MAX) warm_batch_flush(batch);
    unsigned count = coalesce_lines(mask, addresses, bytes, kind, &batch->words[batch->count],
                                    &batch->bytes[batch->stores]);
    batch->count += count;
    if (warm_kind_writes(kind)) batch->stores += count;
}

uint32_t warm_batch_request(void *batch, const MemRequest *request)
{
    warm_batch_add(batch, BATCH_L2, &(WarmLine){.line = request->line,
                                                .bytes = {{request->written[0],
                                                           request->written[1]}},
                                                .sectors = request->sectors,
                                                .kind = (uint8_t)warm_kind_of(request->kind)});
    return 0;
}

static void send(void *log, uint64_t line, uint8_t sectors, WarmKind kind, const uint64_t *bytes)
{
    warm_log_line(log, line, sectors, kind, bytes);
}

void warm_batch_flush(WarmBatch *batch)
{
    cache_warm_words(batch->caches, batch->words, batch->count, batch->bytes,
                     (WarmNext){send, batch->log});
    batch->count = batch->stores = 0;
}
