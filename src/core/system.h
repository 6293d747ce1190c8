// System calls of an SM's warps (printf, assert, malloc, free), notices (notice.h), and pages of
// global memory that a warp is the first to write (bounds.h). All are kept until the end of the
// quantum, when the GPU serves them in time order.
//
// A warp's text is formatted at once. Memory is allocated at the end of the quantum, for all SMs in
// the order of (cycle, SM, sequence), so that the result does not depend on the number of host
// threads; the warp sleeps until then.
#ifndef HEDDLE_CORE_SYSTEM_H
#define HEDDLE_CORE_SYSTEM_H

#include "base/bits.h"
#include "base/fail.h"
#include "core/fault.h"
#include "exec/print.h"
#include "ptx/uop.h"

#include <stdatomic.h>

typedef struct Sm Sm;

// The most bytes of text that an SM keeps until the end of the quantum. More is a fault of the
// kernel: the threads that an SM can hold print less in the calls of one quantum.
enum { SYSTEM_TEXT_BYTES = 8 << 20 };

// A piece of text.
typedef struct SystemText {
    uint64_t cycle;
    size_t start, length; // in SystemCalls.text
    bool error;           // for stderr
} SystemText;

// A call that is served at the end of the quantum.
typedef struct SystemRequest {
    uint64_t cycle;
    uint32_t function, index; // the instruction
    uint16_t warp;
    uint8_t call;             // SystemCall
    LaneMask lanes;
    uint64_t values[HD_MAX_LANES]; // bytes to allocate, or the address to free
    uint8_t *results;              // address of lane 0's result, or NULL
    uint32_t stride;               // bytes between the results of neighbouring lanes
} SystemRequest;

// A finding that does not end the launch.
typedef struct SystemNotice {
    uint64_t cycle;
    uint32_t pc; // static instruction number
    char *text;
} SystemNotice;

// A page that is not counted as the host's memory yet, and the instruction that writes it.
typedef struct SystemPage {
    uint64_t cycle;
    uint64_t address; // of the access, `bytes` long
    uint32_t bytes;
    uint32_t function, index; // the instruction
    char *place;              // of fault_place
} SystemPage;
// How the message of a page begins for which there is no memory; the reason follows.
#define FIRST_WRITE "access of %u bytes at 0x%llx, the first write to its page: "

typedef struct SystemCalls {
    PrintText text;
    SystemText *texts;
    SystemRequest *requests;
    SystemNotice *notices;
    SystemPage *pages;
    size_t text_count, text_capacity, request_count, request_capacity, notice_count,
        notice_capacity, page_count, page_capacity;
    uint8_t *noticed; // by static instruction: 1 if it has a notice
    size_t noticed_size;
    atomic_bool *news; // set when the lists are not empty; NULL: not used
} SystemCalls;

// Tells the GPU that the lists are not empty.
static inline void system_calls_signal(SystemCalls *s)
{
    if (s->news) atomic_store_explicit(s->news, true, memory_order_relaxed);
}

SystemCalls *sm_system_calls(Sm *sm);
// Empties the lists after the GPU has served them.
void system_calls_clear(Sm *sm);

// Completes a request with the results of its lanes. The warp continues at `earliest` or later.
bool sm_system_answer(Sm *sm, const SystemRequest *request, const uint64_t *results,
                      uint64_t earliest, HdError *err);
// Returns the guest's fault that a lane's request causes, with its message in err.
SmFault sm_system_fault(const Sm *sm, const SystemRequest *request, unsigned lane, HdError *err,
                        const char *what);
// The same if a page cannot be counted, for the reason `why`.
SmFault sm_page_fault(const Sm *sm, const SystemPage *page, const char *why, HdError *err);

#endif
