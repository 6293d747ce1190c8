// Calls of the system from kernels.
#include "core/sm/pipeline.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SystemCalls *sm_system_calls(Sm *sm) { return &sm->system; }

static void clear(SystemCalls *s)
{
    for (size_t i = 0; i < s->notice_count; i++) free(s->notices[i].text);
    for (size_t i = 0; i < s->page_count; i++) free(s->pages[i].place);
    s->text.length = s->text_count = s->request_count = s->notice_count = s->page_count = 0;
}

void system_calls_clear(Sm *sm) { clear(&sm->system); }

void system_calls_free(SystemCalls *s)
{
    clear(s);
    free(s->text.text);
    free(s->texts);
    free(s->requests);
    free(s->notices);
    free(s->pages);
    free(s->noticed);
}

// ---- guest memory as a thread reads it ----

typedef struct ThreadMemory {
    const SmContext *context;
    const Warp *w;
    unsigned lane;
    uint16_t hint;
    uint64_t bad; // the address that could not be read
} ThreadMemory;

static bool read_thread(void *context, uint64_t address, void *to, unsigned bytes)
{
    ThreadMemory *m = context;
    uint64_t addresses[HD_MAX_LANES];
    LaneMask lane = (LaneMask)1 << m->lane, first;
    addresses[m->lane] = address;
    PtxSpace space = exec_generic_space(lane, addresses, &first);
    m->bad = address;
    if (space == SPACE_GLOBAL) {
        if (guest_find(m->context->guest, address, bytes, &m->hint) == GUEST_NO_ALLOCATION)
            return false;
        uint64_t value = store_log_read(m->context->log, m->context->guest, address, bytes);
        memcpy(to, &value, bytes);
        return true;
    }
    exec_generic_offset(space, lane, addresses);
    const ExecWarp *x = &m->w->exec;
    const uint8_t *start = x->block->constants;
    uint64_t size = x->block->const_bytes, offset = addresses[m->lane];
    if (space == SPACE_SHARED) {
        start = x->block->shared;
        size = x->block->total_shared;
    } else if (space == SPACE_LOCAL) {
        start = x->local + m->lane * x->local_stride;
        size = x->local_stride;
    } else if (space == SPACE_PARAM) {
        start = x->block->params;
        size = x->block->param_bytes;
    }
    if (!range_fits(offset, bytes, size)) return false;
    memcpy(to, start + offset, bytes);
    return true;
}

// ---- calls ----

static uint64_t argument(const Warp *w, const PtxCall *call, unsigned index, unsigned lane)
{
    uint64_t bits = 0;
    const PtxCopy *copy = &call->arguments[index];
    memcpy(&bits, w->exec.frame_params + (size_t)lane * w->exec.frame_param_stride + copy->from,
           copy->bytes);
    return bits;
}

// The address of lane 0's result, or NULL.
static uint8_t *result_of(const Warp *w, const PtxCall *call)
{
    return call->result_count ? w->exec.frame_params + call->results[0].to : NULL;
}

// Makes a piece of the text from `start` on.
static bool add_piece(Sm *sm, size_t start, bool error)
{
    SystemCalls *s = &sm->system;
    SystemText piece = {.cycle = sm->context.now, .start = start, .length = s->text.length - start,
                        .error = error};
    system_calls_signal(s);
    return !piece.length || HD_PUSH(s->texts, s->text_count, s->text_capacity, piece) ||
           sm_out_of_memory(&sm->context, "printing");
}

// Reports the outcome of formatting a text. `count`: of print_formatted. false: a fault.
static bool check_print(Sm *sm, Warp *w, const ThreadMemory *m, PrintOutcome outcome,
                        int32_t count)
{
    SmContext *context = &sm->context;
    size_t length = sm->system.text.length;
    char near[256];
    switch (outcome) {
    case PRINT_DONE:
        return length <= SYSTEM_TEXT_BYTES ||
               sm_fault(context, w, m->lane, "printf of %zu bytes of text by the threads of one SM "
                                             "at the same time: expected at most %d",
                        length, SYSTEM_TEXT_BYTES);
    case PRINT_NO_MEMORY: return sm_out_of_memory(context, "printing");
    case PRINT_TOO_WIDE:
        return sm_fault(context, w, m->lane, "printf with a field of %d characters: expected at "
                                             "most %d", count, PRINT_LONGEST);
    case PRINT_TOO_LONG:
        return sm_fault(context, w, m->lane, "printf of a longer text: expected a format, texts "
                                             "and an output of at most %d bytes each",
                        PRINT_LONGEST);
    default: break; // PRINT_BAD_ADDRESS
    }
    guest_nearest(context->guest, m->bad, near, sizeof near);
    sm_fault_as(context, GPU_FAULT_ADDRESS, m->bad);
    return sm_fault(context, w, m->lane, "a text or an argument to print is at 0x%llx; %s",
                    (unsigned long long)m->bad, near);
}

static bool call_printf(Sm *sm, Warp *w, const PtxCall *call, LaneMask lanes)
{
    uint8_t *results = result_of(w, call);
    PrintText *text = &sm->system.text;
    size_t start = text->length;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        ThreadMemory memory = {.context = &sm->context, .w = w, .lane = l,
                               .hint = GUEST_NO_ALLOCATION};
        int32_t count;
        PrintOutcome outcome =
            print_formatted(text, argument(w, call, 0, l), argument(w, call, 1, l),
                            &(PrintReader){read_thread, &memory}, &count);
        if (!check_print(sm, w, &memory, outcome, count)) return false;
        if (results) memcpy(results + (size_t)l * w->exec.frame_param_stride, &count, sizeof count);
    }
    return add_piece(sm, start, false);
}

// The line that CUDA prints for a thread.
static PrintOutcome print_assertion(PrintText *text, const Warp *w, const PtxCall *call,
                                    ThreadMemory *memory)
{
    enum { LONGEST = 4096 };
    PrintText parts[3] = {0}; // what was asserted, the file, the function
    static const unsigned arguments[3] = {0, 1, 3};
    PrintReader reader = {read_thread, memory};
    PrintOutcome outcome = PRINT_DONE;
    for (unsigned i = 0; i < 3 && outcome == PRINT_DONE; i++)
        outcome = print_string(&parts[i], argument(w, call, arguments[i], memory->lane), LONGEST,
                               &reader);
    const ExecBlock *b = w->exec.block;
    uint32_t t = w->exec.warp_in_block * b->width + memory->lane;
    if (outcome == PRINT_DONE &&
        !print_text(text,
                    "%.*s:%u: %.*s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.*s` "
                    "failed.\n",
                    (int)parts[1].length, parts[1].length ? parts[1].text : "",
                    (unsigned)argument(w, call, 2, memory->lane), (int)parts[2].length,
                    parts[2].length ? parts[2].text : "", b->index[0], b->index[1], b->index[2],
                    t % b->block[0], t / b->block[0] % b->block[1],
                    t / b->block[0] / b->block[1], (int)parts[0].length,
                    parts[0].length ? parts[0].text : ""))
        outcome = PRINT_NO_MEMORY;
    for (unsigned i = 0; i < 3; i++) free(parts[i].text);
    return outcome;
}

// All lanes print it; the first one's fault ends the launch.
static bool call_assert(Sm *sm, Warp *w, const PtxCall *call, LaneMask lanes)
{
    PrintText *text = &sm->system.text;
    size_t start = text->length;
    for (LaneMask m = lanes; m; m &= m - 1) {
        ThreadMemory memory = {.context = &sm->context, .w = w, .lane = lanes_first(m),
                               .hint = GUEST_NO_ALLOCATION};
        PrintOutcome outcome = print_assertion(text, w, call, &memory);
        if (!check_print(sm, w, &memory, outcome, 0)) return false;
    }
    if (!add_piece(sm, start, true)) return false;
    sm_fault_as(&sm->context, GPU_FAULT_ASSERT, NO_FAULT_ADDRESS);
    return sm_fault(&sm->context, w, lanes_first(lanes), "an assertion failed: %.*s",
                    (int)strcspn(text->text + start, "\n"), text->text + start);
}

// Queues a call that is served at the end of the quantum, and blocks the warp until then.
static bool ask(Sm *sm, Warp *w, const UOp *op, const PtxCall *call, LaneMask lanes)
{
    SystemCalls *s = &sm->system;
    SystemRequest request = {
        .cycle = sm->context.now, .index = w->pc, .warp = w->id, .call = op->modifier,
        .lanes = lanes,
        .function = (uint32_t)(warp_function(w) - sm->context.launch->module->functions),
        .results = result_of(w, call), .stride = w->exec.frame_param_stride};
    for (LaneMask m = lanes; m; m &= m - 1)
        request.values[lanes_first(m)] = argument(w, call, 0, lanes_first(m));
    system_calls_signal(s);
    sm_block_warp(&sm->context, w);
    return HD_PUSH(s->requests, s->request_count, s->request_capacity, request) ||
           sm_out_of_memory(&sm->context, "asking for memory");
}

bool sm_system_call(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    const PtxCall *call = &sm->context.launch->module->calls[op->imm];
    switch ((SystemCall)op->modifier) {
    case SYSTEM_PRINTF:
        if (!call_printf(sm, w, call, lanes)) return false;
        return sm->context.functional ||
               sm_sleep(&sm->context, w, sm->context.config.core->system_call);
    case SYSTEM_ASSERT: return call_assert(sm, w, call, lanes);
    default: return ask(sm, w, op, call, lanes);
    }
}

// ---- answers ----

bool sm_system_answer(Sm *sm, const SystemRequest *r, const uint64_t *results, uint64_t earliest,
                      HdError *err)
{
    for (LaneMask m = r->lanes; r->results && m; m &= m - 1) {
        size_t l = lanes_first(m);
        memcpy(r->results + l * r->stride, &results[l], sizeof results[l]);
    }
    if (sm->context.functional) {
        sm_wake(sm, &sm->blocks.warps[r->warp], r->lanes);
        return true;
    }
    uint64_t at = r->cycle + sm->context.config.core->system_call;
    return wheel_set(&sm->context.wheel, at > earliest ? at : earliest, EVENT_WAKE, r->warp,
                     (EventPayload){.sleep = {r->lanes}}) ||
           hd_fail_memory(err, "answering a kernel");
}

SmFault sm_system_fault(const Sm *sm, const SystemRequest *r, unsigned lane, HdError *err,
                        const char *what)
{
    const PtxFunction *f = &sm->context.launch->module->functions[r->function];
    char place[FAULT_PLACE];
    fault_place(&sm->context, &sm->blocks.warps[r->warp], f, r->index, lane, place);
    fault_text(&sm->context, place, f, r->index, what, err);
    return (SmFault){GPU_FAULT_ADDRESS, r->values[lane]};
}

SmFault sm_page_fault(const Sm *sm, const SystemPage *page, const char *why, HdError *err)
{
    const PtxFunction *f = &sm->context.launch->module->functions[page->function];
    char what[FAULT_PLACE];
    snprintf(what, sizeof what, FIRST_WRITE "%.512s", page->bytes,
             (unsigned long long)page->address, why);
    fault_text(&sm->context, page->place, f, page->index, what, err);
    return (SmFault){GPU_FAULT_MEMORY, NO_FAULT_ADDRESS};
}
