// Independent threads (core.divergence=its): the splits of a warp and its convergence barriers.
//
// A divergent branch divides the current split. Each split has its own lanes and pc; only the
// current one issues. Each divergence has a convergence barrier, set at the branch, at the branch's
// immediate post-dominator. A split that reaches the barrier waits there. When all lanes that have
// not exited have arrived, they continue as one split. A call has a convergence barrier after it as
// well. The hardware has 16 such barriers per warp and spills them to registers; here their number
// is not limited, and they cost no instructions.
//
// The current split goes on until it is blocked (at its convergence barrier, a barrier of the
// block, a sync mask whose lanes are not complete, a sleep) or yields: it has branched backward
// core.its_yield times in a row, in a loop that polls, without losing a lane (core.its_patience
// times in any loop). While no split yields, the splits run in the order that the divergence stack
// gives. If all ready splits have yielded, convergence barriers with waiting lanes are broken:
// progress takes precedence over reconvergence, as with YIELD on the hardware. Two ready splits at
// the same instruction of the same frame merge.
#ifndef HEDDLE_CORE_EXECUTE_SPLITS_H
#define HEDDLE_CORE_EXECUTE_SPLITS_H

#include "core/execute/simt.h"

typedef enum SplitState {
    SPLIT_READY,
    SPLIT_SYNC,    // waits for the other lanes of its mask
    SPLIT_BARRIER, // waits at a barrier of the block
    SPLIT_SLEEP    // sleeps, or waits for the system
} SplitState;

// Backward branches in a row by the same lanes.
typedef struct SpinCount {
    LaneMask lanes;
    uint32_t pc;    // of the last branch (static instruction number)
    uint32_t polls; // executions in a row of the branch at `pc`, whose loop polls
    uint32_t all;   // of any branch
} SpinCount;

typedef struct WarpSplit {
    LaneMask lanes;
    uint32_t pc;          // next instruction; Warp.pc is newer if the split is the current one
    uint32_t frame;       // index into WarpCalls.frames
    uint32_t convergence; // the innermost convergence barrier of its lanes; 0: none
    uint32_t at;          // the instruction at which it waits
    uint32_t barrier;     // SPLIT_BARRIER: number of the block's barrier
    LaneMask mask;        // SPLIT_SYNC: the mask that the instruction names
    uint8_t state;        // SplitState
    bool yielded;         // has yielded since the last time that all had
    bool done;            // the values of the instruction at pc are already computed
    SpinCount spins;
} WarpSplit;

typedef struct ConvergenceBarrier {
    LaneMask members; // the lanes that converge here and have not exited; 0: the entry is free
    LaneMask here;    // the lanes that have arrived
    uint32_t pc, frame; // where they continue
    uint32_t outer;     // their next convergence barrier; 0: none
    bool call;          // after a call
    SpinCount spins;    // when they diverged
} ConvergenceBarrier;

typedef struct WarpSplits {
    WarpSplit split[HD_MAX_LANES]; // the last ready one runs first
    uint32_t count, current;        // current: NO_SPLIT while there is none
    uint32_t yields;                // splits that have spun long enough, so far; it wraps
    LaneMask started;
    ConvergenceBarrier *convergences; // [1, convergence_count): index 0 is never used
    size_t convergence_count, convergence_capacity;
    Frame *frames; // WarpCalls.frames
    size_t frame_count, frame_capacity;
    uint8_t *own_slots; // NULL, or registers beyond the warp's part of the SM's storage
    size_t slots;       // capacity of WarpValues.slots
} WarpSplits;
enum { NO_SPLIT = UINT32_MAX };

// ---- splits_frames.c ----

// Frees what the warp has beside the tables of its SM. splits: may be NULL.
void splits_free(WarpSplits *splits);
// Between launches: frees the registers beyond the warp's part. splits: may be NULL.
void splits_drop_slots(WarpSplits *splits);
// Prepares a warp for a launch that gives it this many registers. false: out of memory.
bool splits_place(SmContext *context, Warp *w, size_t slots);
// A new activation of `callee`, called from `caller`; 0: out of memory.
uint32_t splits_frame_new(SmContext *context, Warp *w, uint32_t caller, uint32_t callee,
                          LaneMask lanes);

// ---- the functions of simt.h, for a warp with independent threads ----

void splits_start(SmContext *context, Warp *w, uint32_t kernel, LaneMask lanes);
bool splits_branch(SmContext *context, Warp *w, uint32_t target, LaneMask taken,
                   uint32_t reconverge);
// Divides the current split. The last group runs first; all meet at `reconverge`. false: out of
// memory.
bool splits_branch_to(SmContext *context, Warp *w, const LaneGroup *groups, unsigned count,
                      uint32_t reconverge);
void splits_reconverge(SmContext *context, Warp *w);
bool splits_call(SmContext *context, Warp *w, uint32_t site, uint32_t callee, LaneMask lanes);
void splits_return(SmContext *context, Warp *w, LaneMask lanes);
void splits_exit(SmContext *context, Warp *w, LaneMask lanes);
uint32_t splits_count(const Warp *w);
bool splits_separate(SmContext *context, Warp *w, LaneMask lanes, LaneMask same);

// ---- waiting ----

// Blocks the current split, which will continue at pc + 1 (SPLIT_SYNC: at pc). splits_continue then
// switches to another split, unless the wait has ended by then.
void splits_wait(Warp *w, SplitState state);
bool splits_is_waiting(const Warp *w);
// Selects the next split after the current one has changed, blocked or disappeared. If none is
// ready, the warp is blocked (WarpFlags.at_barrier) or has exited (.live).
void splits_continue(SmContext *context, Warp *w);
// The current split yields to others, if any: a sleep in a functional launch.
void splits_pause(SmContext *context, Warp *w);
// Ends the sleep or system call of the split of these lanes. Returns whether the warp was blocked
// and continues: the caller then fetches for it and reclassifies it.
bool splits_end_sleep(SmContext *context, Warp *w, LaneMask lanes);
// Releases the splits at this barrier of the block. Returns as splits_end_sleep does.
bool splits_pass_barrier(SmContext *context, Warp *w, uint32_t number);
// The warp's values with the registers of a split's frame.
ExecWarp splits_values(const Warp *w, const WarpSplit *split);
// The instruction at which a split waits.
const UOp *splits_waiting_op(const Warp *w, const WarpSplit *split);

// ---- splits_gather.c: instructions with a sync mask ----

// Whether the current split may issue this instruction, with its lanes inside the guard. false: it
// has to wait for other lanes or for some of its own, and the warp has switched splits; the caller
// fetches for the warp and reclassifies it. *lanes: the lanes that take part, including lanes
// that have arrived from other splits. *done: the values are already computed.
bool splits_gather_lanes(SmContext *context, Warp *w, const UOp *op, LaneMask *lanes, bool *done);
static inline bool splits_ready(SmContext *context, Warp *w, const UOp *op, LaneMask *lanes,
                                bool *done)
{
    w->flags.drains = false;
    return !(op->flags & UF_SYNC) || !*lanes || splits_gather_lanes(context, w, op, lanes, done);
}
// Splits whose masks are complete without the lanes that have exited become ready.
void splits_check_masks(Warp *w);
// The lanes that a split in SPLIT_SYNC waits for.
LaneMask splits_missing_lanes(const Warp *w, const WarpSplit *split);
// The split at `index` becomes part of the current one, which is at the same instruction.
void splits_merge(SmContext *context, Warp *w, uint32_t index);

// One line per split, for the deadlock report: `who` is the warp. Returns the length.
size_t splits_describe(const Warp *w, const PtxModule *module, const char *who, char *text,
                       size_t size);

#endif
