// Divergence: the warp splits of a warp, and the effect of control instructions on them. With a
// divergence stack (simt.c), or with independent threads (splits.c).
//
// The current split of a warp is in Warp.pc, reconverge and exec.active. Functions that return bool
// fail when out of memory or on a fault of the kernel; both end the run.
#ifndef HEDDLE_CORE_EXECUTE_SIMT_H
#define HEDDLE_CORE_EXECUTE_SIMT_H

#include "core/warp.h"

// Starts the warp at the kernel's first instruction with these lanes.
bool simt_start(SmContext *context, Warp *w, LaneMask lanes);
// The lanes in `taken` go to `target`, the other active lanes to pc + 1.
bool simt_branch(SmContext *context, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge);
// Each lane in `lanes` goes to its own target, the other active lanes to pc + 1.
bool simt_branch_indexed(SmContext *context, Warp *w, const uint32_t targets[HD_MAX_LANES],
                         LaneMask lanes, uint32_t reconverge);
// The lanes in `same` become the current split, at this instruction. The other lanes in `lanes`
// execute the instruction afterwards. Active lanes outside `lanes` skip it and wait for both.
bool simt_separate(SmContext *context, Warp *w, LaneMask lanes, LaneMask same);
// The current split has reached its reconvergence point, and merges or waits there.
void simt_reconverge(SmContext *context, Warp *w);
// Advances the current split to pc + 1.
static inline void simt_advance(SmContext *context, Warp *w)
{
    if (++w->pc == w->reconverge) simt_reconverge(context, w);
}

// The lanes call the function of call site `site`.
bool simt_call(SmContext *context, Warp *w, uint32_t site, LaneMask lanes);
// A call through pointers (CALL_POINTER). The lanes with the first lane's pointer call now; the
// others execute the instruction again.
bool simt_call_pointer(SmContext *context, Warp *w, const UOp *op, LaneMask lanes);
// The lanes return from a called function (WarpCalls.frame is not 0).
void simt_return(SmContext *context, Warp *w, LaneMask lanes);
// The lanes exit. With independent threads the caller then checks the block's barriers, which may
// have waited for these lanes only, and calls splits_continue.
void simt_exit(SmContext *context, Warp *w, LaneMask lanes);
// The number of splits of the warp, including waiting ones.
uint32_t simt_split_count(const Warp *w);

// ---- for splits.c ----

// A frame of the function, after its caller's (NULL: the kernel's).
void simt_frame(const SmContext *context, Frame *frame, const Frame *caller, uint32_t function);
// Makes the frame's instructions and registers the warp's current ones.
void simt_enter(Warp *w, uint32_t frame);
// Lanes that go to the same instruction.
typedef struct LaneGroup {
    uint32_t pc;
    LaneMask lanes;
} LaneGroup;
// All storage of a warp up to the end of an activation, and the storage for alloca, in bytes of the
// host.
uint64_t simt_bytes_to_end(const SmContext *context, const Frame *frame);
// Counts memory that calls take while they run. false: more than the SM's part of the device's
// memory; a fault.
bool simt_count_frames(SmContext *context, const Warp *w, uint64_t bytes, LaneMask lanes);
// Counts the storage of a new activation of a recursion. false: as simt_count_frames.
bool simt_take_frame(SmContext *context, Warp *w, const Frame *frame, LaneMask lanes);
// The fault of a call that opens too many frames. Returns false.
bool simt_too_deep(SmContext *context, const Warp *w, LaneMask lanes);

#endif
