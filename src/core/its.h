// Independent threads (core.divergence=its): the paths of a warp and its convergence barriers.
//
// Lanes that a branch parts go on as paths of their own, of which one is current: the only one that
// issues. Each divergence has a join, where its lanes meet again: the hardware's convergence
// barrier, set where the lanes part and waited for at the branch's immediate post-dominator. A path
// that reaches it waits there; when all have come that have not exited, they go on as one path. A
// call has a join behind it as well. The hardware has 16 such barriers per warp and spills them to
// registers; here there are as many as needed, and they cost no instructions.
//
// The current path goes on until it cannot (it has reached its join, a barrier, a sync mask whose
// lanes are not all there, a sleep) or gives way: it has gone backwards core.its_yield times in a
// row, in a loop that polls, without losing a lane (core.its_patience times in any loop). While no
// path gives way the paths take the turns that the stack gives them. Where all that could run have
// given way, those that wait at a join are let go: reconvergence is given up for progress, as a
// YIELD on the hardware does. They join again wherever two paths that could run are found at the
// same instruction of the same frame.
#ifndef HEDDLE_CORE_ITS_H
#define HEDDLE_CORE_ITS_H

#include "core/simt.h"

typedef enum PathState {
    PATH_READY,
    PATH_SYNC,    // waits for the other lanes of its mask
    PATH_BARRIER, // stands at a barrier of the block
    PATH_SLEEP    // ... or waits for the system
} PathState;

// Backward branches in a row by the same lanes.
typedef struct Turns {
    LaneMask lanes;
    uint32_t pc;    // of the last one (static instruction number)
    uint32_t polls; // of this instruction, in a loop that polls
    uint32_t all;   // of any
} Turns;

typedef struct Path {
    LaneMask lanes;
    uint32_t pc;      // where it goes on; Warp.pc is ahead of the current path's
    uint32_t frame;   // index into Warp.frames
    uint32_t join;    // the innermost that its lanes are to come to; 0: none
    uint32_t at;      // the instruction at which it waits
    uint32_t barrier; // PATH_BARRIER: its number
    LaneMask mask;    // PATH_SYNC: as the instruction names it
    uint8_t state;    // PathState
    bool yielded;     // has given way since all had
    bool done;        // the instruction at pc has its values already
    Turns turns;
} Path;

typedef struct Join {
    LaneMask members; // the lanes that are to come and have not exited; 0: it is free
    LaneMask here;    // of them: have come
    uint32_t pc, frame, outer; // where they go on, and to which join they are to come then
    bool call;        // behind a call
    Turns turns;      // when they parted
} Join;

typedef struct Its {
    Path paths[HD_MAX_LANES]; // of those that could run, the last goes first
    uint32_t count, current;  // current: NO_PATH while it has gone
    LaneMask started;
    Join *joins; // [1, join_count): index 0 is never used
    size_t join_count, join_capacity;
    Frame *frames; // Warp.frames
    size_t frame_count, frame_capacity;
    uint8_t *own_slots; // NULL, or room for slots beyond the warp's place in the SM's store
    size_t slots;       // that fit at Warp.slots
} Its;
enum { NO_PATH = UINT32_MAX };

// ---- its_frames.c ----
void its_free(Its *its);
// A launch gives the warp this many slots. false: memory is out.
bool its_place(Warp *w, size_t slots);
// A new activation of `callee`, called from `caller`; 0: memory is out.
uint32_t its_frame_new(Sm *sm, Warp *w, uint32_t caller, uint32_t callee, LaneMask lanes);

// ---- simt.h's, for a warp with independent threads ----
void its_start(Sm *sm, Warp *w, uint32_t kernel, LaneMask lanes);
bool its_branch(Sm *sm, Warp *w, uint32_t target, LaneMask taken, uint32_t reconverge);
// The parts of the current path go on at their instructions, the last one first, and meet at
// `reconverge`. false: memory is out.
bool its_split(Sm *sm, Warp *w, const SimtPart *parts, unsigned count, uint32_t reconverge);
void its_reconverge(Sm *sm, Warp *w);
bool its_call(Sm *sm, Warp *w, uint32_t site, uint32_t callee, LaneMask lanes);
void its_return(Sm *sm, Warp *w, LaneMask lanes);
void its_exit(Sm *sm, Warp *w, LaneMask lanes);
uint32_t its_paths(const Warp *w);

// ---- waiting ----
// The lanes in `same` become the current path, at this instruction. The others in `lanes` are to
// execute it behind them; those that the guard leaves out wait behind it. false: memory is out.
bool its_set_apart(Sm *sm, Warp *w, LaneMask lanes, LaneMask same);
// The current path waits from now on, and goes on at pc + 1 (PATH_SYNC: at pc). its_proceed lets
// another one take its place, unless something has ended the wait in between.
void its_wait(Warp *w, PathState state);
bool its_waits(const Warp *w);
void its_proceed(Sm *sm, Warp *w);
// The current path lets others go first, where there are any: a sleep without time.
void its_rest(Sm *sm, Warp *w);
// A path could run again: where the warp stood, it goes on.
void its_wake(Sm *sm, Warp *w);
// The path of these lanes has slept enough, or has the answer of the system that it waited for.
void its_woken(Sm *sm, Warp *w, LaneMask lanes);
// The paths at that barrier of the block go on.
void its_pass_barrier(Sm *sm, Warp *w, uint32_t number);
// The values as a path sees them.
ExecWarp its_values(const Warp *w, const Path *path);
// The instruction at which a path waits.
const UOp *its_waits_at(const Warp *w, const Path *path);

// ---- its_gather.c: instructions with a sync mask ----
// May the current path issue this instruction, with its lanes inside of the guard? Where it must
// wait for others, or is split, it does so: false. *lanes: who takes part, those included that
// have come from other paths; *done: its values are there already.
bool its_ready(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes, bool *done);
// Paths whose masks are complete without the lanes that have exited could run.
void its_check_masks(Warp *w);
// The lanes that a path in PATH_SYNC waits for.
LaneMask its_missing(const Warp *w, const Path *path);
// The path at `index` becomes part of the current one, which stands at the same place.
void its_merge(Sm *sm, Warp *w, uint32_t index);

// One line per path, for the deadlock report: `who` is the warp. Returns the length.
size_t its_describe(const Warp *w, const PtxModule *module, const char *who, char *text,
                    size_t size);

#endif
