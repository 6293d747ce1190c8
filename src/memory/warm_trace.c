// The accesses of an SM, many in a row.
#include "memory/warm_trace.h"

void warm_trace_begin(WarmTrace *trace, WarmLog *log, Cache *l1d)
{
    trace->log = log;
    trace->caches[TRACE_L1D] = l1d;
    trace->caches[TRACE_L2] = NULL;
    trace->count = trace->stores = 0;
}

void warm_trace_add(WarmTrace *trace, TraceCache cache, const WarmLine *access)
{
    if (trace->count == TRACE_ACCESSES) warm_trace_flush(trace);
    trace->words[trace->count++] = warm_word(cache, access->line, access->sectors, access->kind);
    if (warm_kind_writes(access->kind)) trace->bytes[trace->stores++] = access->bytes;
}

void warm_trace_lanes(WarmTrace *trace, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                      WarmKind kind)
{
    _Static_assert(TRACE_L1D == 0, "words of coalesce_lines are to the L1D");
    if (trace->count > TRACE_ACCESSES - COALESCE_MAX) warm_trace_flush(trace);
    unsigned count = coalesce_lines(mask, addresses, bytes, kind, &trace->words[trace->count],
                                    &trace->bytes[trace->stores]);
    trace->count += count;
    if (warm_kind_writes(kind)) trace->stores += count;
}

uint32_t warm_trace_request(void *trace, const MemRequest *request)
{
    warm_trace_add(trace, TRACE_L2, &(WarmLine){.line = request->line,
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

void warm_trace_flush(WarmTrace *trace)
{
    cache_warm_words(trace->caches, trace->words, trace->count, trace->bytes,
                     (WarmNext){send, trace->log});
    trace->count = trace->stores = 0;
}
