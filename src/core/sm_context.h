// The context that all parts of an SM share: parameters, clock, launch, counters, and faults, which
// end the run. A function of a part takes the part first, then the context.
#ifndef HEDDLE_CORE_SM_CONTEXT_H
#define HEDDLE_CORE_SM_CONTEXT_H

#include "base/tables.h"
#include "core/shadow_sm.h"
#include "core/sm.h"
#include "core/wheel.h"

typedef struct Warp Warp;

// State of the bounds checks of global accesses (bounds.h).
typedef struct Bounds {
    uint16_t *hint;     // by static instruction: the allocation of its last access
    size_t size;        // static instructions
} Bounds;

typedef struct SmContext {
    SmConfig config;
    HdTables tables;    // what the SM is built of
    const Clocks *clocks;
    unsigned id; // index of the SM
    uint64_t seed;
    GuestMemory *guest;
    Bounds bounds;
    StoreLog *log; // the SM's stores of this quantum, visible to its own loads
    SystemCalls *system; // receives notices (notice.h)
    bool strict;   // reports shuffles from inactive lanes
    uint64_t now;  // core cycle
    uint64_t issue_due;  // no warp issues before this cycle; 0: not known
    Wheel wheel;   // events at known later cycles

    const SmLaunch *launch;
    uint64_t frame_bytes; // of the activations of its warps, if the kernel is recursive
    uint64_t frame_limit; // at most SmLaunch.frame_limit
    bool functional; // the launch is functional: it computes only values

    SmTables count;
    HdWork *work; // of the SM, then of each warp slot; NULL: no mechanism reads it
    bool watched; // a mechanism reads the work or sees each instruction, or `repeats`
    bool repeats; // states that repeat are looked for (sm/repeats.h)
    uint64_t atomic_changes; // lanes of atomics, computed by the SM, that have changed memory
    size_t allocations, pcs; // rows of `count` by allocation (one less) and by static instruction
    size_t first_pc, end_pc; // rows by static instruction that the launch may use

    // How often a warp has started, ended, or reached or left a barrier: mechanisms that throttle
    // or order warps then decide again.
    uint64_t warp_changes;

    SmTrace *trace; // NULL: no trace
    HdError *err;   // receives errors of the current call of sm_run
    bool failed;
    SmFault fault; // the reason, if failed
    ShadowSm shadow;
} SmContext;

// ---- faults ----

enum { FAULT_PLACE = 1024, FAULT_LINE = 80 }; // sizes of text buffers in bytes

// Writes the line of an instruction: "98", or "98 (bfs.cu:12)" if the source line is known.
void fault_line(const PtxModule *module, const UOpTiming *timing, char text[FAULT_LINE]);
// Writes the location of instruction `index`: "test.ptx:7: kernel (walk.cu:42), block (0,0,0),
// thread (37,0,0): ".
void fault_place(const SmContext *context, const Warp *w, const PtxFunction *f, uint32_t index,
                 unsigned lane, char text[FAULT_PLACE]);
// Fails with a location from fault_place, `what`, and the instruction. Returns false.
bool fault_text(const SmContext *context, const char *place, const PtxFunction *f, uint32_t index,
                const char *what, HdError *err);
// Ends the run because the host is out of memory. Returns false.
bool sm_out_of_memory(SmContext *context, const char *what);
// Sets kind and address of the fault that sm_fault then records. Without this call it is a trap.
static inline void sm_fault_as(SmContext *context, GpuFault kind, uint64_t address)
{
    context->fault = (SmFault){kind, address};
}
// Ends the run with a fault of the guest. The message is the location (PTX line, kernel, source
// line, block, thread), then `format`. Returns false.
bool sm_fault(SmContext *context, const Warp *w, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
