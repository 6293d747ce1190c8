// System calls of kernels: printed text, notices, the heap, and pages that are written for the
// first time, served for all SMs in the order of (cycle, SM, sequence).
#include "gpu/gpu_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The heap of a CUDA program by default.
#define HEAP_BYTES (UINT64_C(8) << 20)

void system_free_all(Gpu *gpu)
{
    heap_free(gpu->heap);
    for (size_t i = 0; i < gpu->notice_count; i++) free(gpu->notices[i]);
    free(gpu->notices);
    free(gpu->noticed);
    free(gpu->system_heads);
}

// ---- all SMs' lists, merged ----

// The cycle of element i of an SM's list; UINT64_MAX behind the last.
typedef uint64_t (*CycleOf)(const SystemCalls *system, size_t i);

static uint64_t text_cycle(const SystemCalls *s, size_t i)
{
    return i < s->text_count ? s->texts[i].cycle : UINT64_MAX;
}
static uint64_t request_cycle(const SystemCalls *s, size_t i)
{
    return i < s->request_count ? s->requests[i].cycle : UINT64_MAX;
}
static uint64_t page_cycle(const SystemCalls *s, size_t i)
{
    return i < s->page_count ? s->pages[i].cycle : UINT64_MAX;
}
static uint64_t notice_cycle(const SystemCalls *s, size_t i)
{
    return i < s->notice_count ? s->notices[i].cycle : UINT64_MAX;
}

// The SM with the earliest next element, of several the one with the lowest number; false: there is
// none up to cycle `last`.
static bool next_of(const Gpu *gpu, CycleOf cycle_of, uint64_t last, unsigned *sm)
{
    uint64_t cycle = UINT64_MAX;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        uint64_t next = cycle_of(sm_system_calls(gpu->sms[i]), gpu->system_heads[i]);
        if (next >= cycle) continue;
        cycle = next;
        *sm = i;
    }
    return cycle != UINT64_MAX && cycle <= last;
}

static bool begin_merge(Gpu *gpu)
{
    unsigned sms = gpu->machine.gpu.sms;
    if (!gpu->system_heads) gpu->system_heads = hd_new(sms, sizeof *gpu->system_heads);
    if (gpu->system_heads) memset(gpu->system_heads, 0, sms * sizeof *gpu->system_heads);
    return gpu->system_heads != NULL;
}

// ---- texts ----

static void put_texts(Gpu *gpu, uint64_t last)
{
    const GpuOptions *o = &gpu->options;
    for (unsigned i = 0; next_of(gpu, text_cycle, last, &i);) {
        const SystemCalls *s = sm_system_calls(gpu->sms[i]);
        const SystemText *piece = &s->texts[gpu->system_heads[i]++];
        const char *text = s->text.text + piece->start;
        void (*print)(void *, const char *, size_t) = piece->error ? o->print_error : o->print;
        if (print) print(o->print_context, text, piece->length);
        else fwrite(text, 1, piece->length, piece->error ? stderr : stdout);
    }
}

// ---- notices ----

// Keeps the first notice of each instruction.
static bool keep_notice(Gpu *gpu, SystemNotice *notice)
{
    if (notice->pc >= gpu->noticed_size) {
        uint8_t *noticed = realloc(gpu->noticed, gpu->pcs);
        if (!noticed) return false;
        memset(noticed + gpu->noticed_size, 0, gpu->pcs - gpu->noticed_size);
        gpu->noticed = noticed;
        gpu->noticed_size = gpu->pcs;
    }
    if (gpu->noticed[notice->pc]) return true;
    if (!HD_PUSH(gpu->notices, gpu->notice_count, gpu->notice_capacity, notice->text)) return false;
    gpu->noticed[notice->pc] = 1;
    notice->text = NULL; // owned by the Gpu now
    return true;
}

static bool keep_notices(Gpu *gpu, uint64_t last)
{
    bool ok = true;
    for (unsigned i = 0; next_of(gpu, notice_cycle, last, &i);)
        ok &= keep_notice(gpu, &sm_system_calls(gpu->sms[i])->notices[gpu->system_heads[i]++]);
    return ok;
}

const char *gpu_notice(const Gpu *gpu, size_t index)
{
    return index < gpu->notice_count ? gpu->notices[index] : NULL;
}

// ---- the heap ----

bool gpu_set_heap(Gpu *gpu, uint64_t bytes, HdError *err)
{
    if (gpu->heap)
        return hd_fail(err, "the device heap is in use already; set its size before the first "
                            "launch of a kernel that calls malloc");
    gpu->heap_bytes = bytes;
    return true;
}

uint64_t gpu_heap_bytes(const Gpu *gpu) { return gpu->heap_bytes ? gpu->heap_bytes : HEAP_BYTES; }

bool system_heap(Gpu *gpu, HdError *err)
{
    if (gpu->heap) return true;
    uint64_t bytes = gpu_heap_bytes(gpu), base = gpu_allocate(gpu, bytes, "device heap", err);
    if (base) gpu->heap = heap_new(base, bytes, err);
    return gpu->heap != NULL;
}

static bool answer(Gpu *gpu, Sm *sm, const SystemRequest *r, uint64_t earliest, HdError *err)
{
    uint64_t results[HD_MAX_LANES];
    for (LaneMask m = r->lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        uint64_t value = r->values[l];
        if (r->call == SYSTEM_MALLOC) {
            results[l] = heap_allocate(gpu->heap, value);
        } else if (value && !heap_release(gpu->heap, value)) {
            char what[256];
            snprintf(what, sizeof what, "free of 0x%" PRIx64 ", which is not an address that "
                                        "malloc gave, or is free already", value);
            gpu->fault = sm_system_fault(sm, r, l, err, what);
            return false;
        }
    }
    if (sm_system_answer(sm, r, results, earliest, err)) return true;
    gpu->fault.kind = GPU_FAULT_HOST;
    return false;
}

static bool answer_requests(Gpu *gpu, uint64_t earliest, HdError *err)
{
    for (unsigned i = 0; next_of(gpu, request_cycle, UINT64_MAX, &i);) {
        const SystemRequest *r = &sm_system_calls(gpu->sms[i])->requests[gpu->system_heads[i]++];
        if (!answer(gpu, gpu->sms[i], r, earliest, err)) return false;
        gpu->next[i] = 0;
    }
    return true;
}

// ---- pages ----

static bool take_pages(Gpu *gpu, HdError *err)
{
    for (unsigned i = 0; next_of(gpu, page_cycle, UINT64_MAX, &i);) {
        const SystemPage *p = &sm_system_calls(gpu->sms[i])->pages[gpu->system_heads[i]++];
        HdError why = {0};
        if (guest_take(&gpu->memory, p->address, p->bytes, &why)) continue;
        gpu->fault = sm_page_fault(gpu->sms[i], p, why.text, err);
        return false;
    }
    return true;
}

// ---- the end of a quantum ----

bool system_serve(Gpu *gpu, uint64_t last, uint64_t earliest, HdError *err)
{
    if (!atomic_load_explicit(&gpu->system_pending, memory_order_relaxed)) return true;
    atomic_store_explicit(&gpu->system_pending, false, memory_order_relaxed);
    bool memory = begin_merge(gpu), ok = true;
    if (memory) put_texts(gpu, last);
    memory = memory && begin_merge(gpu) && keep_notices(gpu, last);
    if (memory && last == UINT64_MAX)
        ok = begin_merge(gpu) && take_pages(gpu, err) && begin_merge(gpu) &&
             answer_requests(gpu, earliest, err);
    for (unsigned i = 0; i < gpu->active_sms; i++) system_calls_clear(gpu->sms[i]);
    if (memory) return ok;
    gpu->fault.kind = GPU_FAULT_HOST;
    return hd_fail_memory(err, "printing text of kernels");
}
