// Calls of the system by an SM's warps (printf, assert, malloc, free), and accesses that overrun
// their allocation: kept here until the end of the quantum, when the GPU takes them in the order of
// time.
//
// A warp's text is formatted at once. Memory is allocated at the end of the quantum, for all SMs in
// the order of (cycle, SM, sequence), so that the result does not depend on the number of host
// threads; the warp sleeps until then.
#ifndef HEDDLE_CORE_SYSTEM_H
#define HEDDLE_CORE_SYSTEM_H

#include "base/bits.h"
#include "base/error.h"
#include "core/fault.h"
#include "exec/print.h"
#include "ptx/uop.h"

#include <stdatomic.h>

typedef struct Sm Sm;

// A piece of text.
typedef struct SystemText {
    uint64_t cycle;
    size_t start, length; // in SystemCalls.text
    bool error;           // for stderr
} SystemText;

// A call that is answered at the quantum's end.
typedef struct SystemRequest {
    uint64_t cycle;
    uint32_t function, index; // the instruction
    uint16_t warp;
    uint8_t call;             // SystemCall
    LaneMask lanes;
    uint64_t values[HD_MAX_LANES]; // bytes to allocate, or the address to free
    uint8_t *results;              // lane 0's, or NULL
    uint32_t stride;               // from one lane's to the next's
} SystemRequest;

// An access outside its allocation that a real device does not notice.
typedef struct SystemNotice {
    uint64_t cycle;
    uint32_t pc; // static instruction number
    char *text;
} SystemNotice;

typedef struct SystemCalls {
    PrintText text;
    SystemText *texts;
    SystemRequest *requests;
    SystemNotice *notices;
    size_t text_count, text_capacity, request_count, request_capacity, notice_count,
        notice_capacity;
    uint8_t *noticed; // by static instruction: it has a notice
    size_t noticed_size;
    atomic_bool *news; // set when there is something to take; NULL: not used
} SystemCalls;

// There is something for the GPU to take.
static inline void system_calls_signal(SystemCalls *s)
{
    if (s->news) atomic_store_explicit(s->news, true, memory_order_relaxed);
}

SystemCalls *sm_system_calls(Sm *sm);
// Empties it, when the GPU has taken it.
void system_calls_clear(Sm *sm);

// Answers a request with the results of its lanes. The warp goes on at `earliest` or later.
bool sm_system_answer(Sm *sm, const SystemRequest *request, const uint64_t *results,
                      uint64_t earliest, HdError *err);
// Records the guest's fault that a lane's request is.
SmFault sm_system_fault(const Sm *sm, const SystemRequest *request, unsigned lane, HdError *err,
                        const char *what);

#endif
