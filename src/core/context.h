// What all parts of an SM share: its parameters, the clock, the launch, the counters, and how a
// fault ends the run. A function of a part takes the part, then the context.
#ifndef HEDDLE_CORE_CONTEXT_H
#define HEDDLE_CORE_CONTEXT_H

#include "core/shadow_sm.h"
#include "core/sm.h"
#include "core/wheel.h"

typedef struct Warp Warp;

// For bounds checks of global accesses (bounds.h).
typedef struct Bounds {
    uint16_t *hint;     // by static instruction: the allocation of its last access
    size_t size;        // static instructions
    SystemCalls *system; // overruns that a real device does not notice are recorded here
} Bounds;

typedef struct SmContext {
    SmConfig config;
    const Clocks *clocks;
    unsigned id; // of the SM
    uint64_t seed;
    GuestMemory *guest;
    Bounds bounds;
    StoreLog *log; // stores of this quantum, which the SM's loads see
    uint64_t now;  // core cycle
    Wheel wheel;   // what happens at a known later cycle

    const SmLaunch *launch;
    bool functional; // the launch computes values only

    SmTables count;
    size_t allocations, pcs; // rows of `count` by allocation (one less) and by static instruction
    size_t first_pc, end_pc; // rows by static instruction that the launch may use

    // A warp has started or ended, or has reached or left a barrier: a mechanism that throttles
    // warps is asked again.
    bool warps_changed;

    SmTrace *trace; // NULL: none
    HdError *err;   // of the current call of sm_run
    bool failed;
    SmFault fault; // why
    ShadowSm shadow;
} SmContext;

// ---- faults ----

enum { FAULT_PLACE = 1024, FAULT_LINE = 80 }; // bytes of texts

// "98", or "98 (bfs.cu:12)" where the source is known: the line of an instruction.
void fault_line(const PtxModule *module, const UOpTiming *timing, char text[FAULT_LINE]);
// "test.ptx:7: kernel (walk.cu:42), block (0,0,0), thread (37,0,0): " of instruction `index`.
void fault_place(const SmContext *sm, const Warp *w, const PtxFunction *f, uint32_t index,
                 unsigned lane, char text[FAULT_PLACE]);
// Fails with such a place, `what`, and the instruction. Returns false.
bool fault_text(const SmContext *sm, const char *place, const PtxFunction *f, uint32_t index,
                const char *what, HdError *err);
// Ends the run because the host has no memory. Returns false.
bool sm_out_of_memory(SmContext *sm, const char *what);
// Sets the kind of the fault that is recorded next (a trap if none is set) and its address.
static inline void sm_fault_as(SmContext *sm, GpuFault kind, uint64_t address)
{
    sm->fault = (SmFault){kind, address};
}
// Ends the run with a guest's fault: kernel, PTX line, source line, thread; then `format`. Returns
// false.
bool sm_fault(SmContext *sm, const Warp *w, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
