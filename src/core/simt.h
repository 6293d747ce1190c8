// Divergence: the paths of a warp, and how instructions move them. With a stack of them (simt.c),
// or with independent threads (its.c).
#ifndef HEDDLE_CORE_SIMT_H
#define HEDDLE_CORE_SIMT_H

#include "core/sm.h"

typedef struct Warp Warp;

// A path of the stack: lanes that go on together until `reconverge`, where they join the entry
// below.
typedef struct SimtEntry {
    uint32_t pc, reconverge;
    LaneMask lanes;
    uint32_t frame; // index into Warp.frames
    bool joins;     // its pc is where lanes that have parted come together
} SimtEntry;

// One activation of a function.
typedef struct Frame {
    const PtxFunction *function;
    uint32_t function_index, pc_base;
    uint32_t call; // the call site that opened it (index into PtxModule.calls)
    uint32_t slot_base, predicate_base, param_base;
    uint64_t local_base;
    LaneMask returned; // stack: lanes that have left it
    // Independent threads: the lanes that have it open (0: it is free), who called, how deep.
    LaneMask lanes;
    uint32_t caller, depth;
} Frame;

// Starts the warp at the kernel's first instruction with these lanes.
bool simt_start(Sm *sm, Warp *w, LaneMask lanes);
// Goes to `target` with the lanes in `taken` and to pc + 1 with the others. false: memory out.
bool simt_branch(Sm *sm, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge);
// The same for a target per lane.
bool simt_branch_indexed(Sm *sm, Warp *w, const uint32_t targets[HD_MAX_LANES], LaneMask lanes,
                         uint32_t reconverge);
// The lanes in `same` become the path, at this instruction; the others in `lanes` are to execute it
// once more behind them, and those that the guard leaves out wait for both. false: memory out.
bool simt_set_apart(Sm *sm, Warp *w, LaneMask lanes, LaneMask same);
// The path has reached its reconvergence point (simt_advance goes to the next instruction).
void simt_reconverge(Sm *sm, Warp *w);
// Enters a function; leaves it, or the kernel, with some lanes.
bool simt_call(Sm *sm, Warp *w, uint32_t site, LaneMask lanes);
// The same through pointers (CALL_POINTER): of lanes that go to different functions, those of the
// first go there now, and the others execute the instruction once more.
bool simt_call_pointer(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
void simt_return(Sm *sm, Warp *w, LaneMask lanes);
void simt_exit(Sm *sm, Warp *w, LaneMask lanes);
// How many paths the warp has, those that wait for others included.
uint32_t simt_paths(const Warp *w);

// ---- for its.c ----
// A frame of the function, behind its caller's (NULL: the kernel's).
void simt_frame(const Sm *sm, Frame *frame, const Frame *caller, uint32_t function);
// The warp's instructions and registers are those of the frame.
void simt_enter(Warp *w, uint32_t frame);
// Lanes by the instruction that they go to at a branch by table, and behind it.
typedef struct SimtPart {
    uint32_t pc;
    LaneMask lanes;
} SimtPart;
// The fault of a call that opens too many frames; false.
bool simt_too_deep(Sm *sm, const Warp *w, LaneMask lanes);

#endif
