// A warp on an SM: where its path stands, what it waits for, and what its lanes hold.
#ifndef HEDDLE_CORE_WARP_H
#define HEDDLE_CORE_WARP_H

#include "core/simt.h"

// What an instruction issues through.
typedef enum Port { PORT_SP, PORT_SFU, PORT_DP, PORT_MEM, PORTS } Port;

struct Warp {
    ExecWarp exec;      // values; exec.active: the lanes of the current path
    const UOp *ops;     // of the current function
    const UOpTiming *timing;
    uint32_t pc;        // in it
    uint32_t pc_base;   // + pc = static instruction number
    uint32_t reconverge; // of the current path
    uint32_t frame;      // index into frames: the current path's
    // instruction buffer: decoded instructions [buffer_pc, buffer_pc + buffered), static numbers;
    // with a shared store, the next instruction, where the warp points to an entry
    uint32_t buffer_pc;
    uint8_t buffered;
    uint32_t store_entry; // + 1: index of the entry that it points to; 0: none
    uint64_t store_age;   // since when it has waited for a place there; 0: it does not
    bool fetching;      // a fetch or an instruction miss is under way
    bool at_barrier;
    bool live;          // has lanes that have not exited
    uint8_t turns;      // without time: that it has had behind its start or a barrier, up to some
    uint8_t state;      // WarpState
    uint64_t since;     // cycle up to which its cycles are counted (PcCounters.wait_*)
    uint8_t port;       // Port of the next instruction, where state is WARP_READY
    uint16_t block;     // resident block's place
    uint16_t id;        // place on the SM
    uint16_t scheduler, local; // its scheduler, and its number there
    uint64_t age;       // order of start (GTO: oldest first)
    uint32_t stores_out, atomics_out, loads_out; // memory instructions not yet answered
    uint64_t *pending;  // scoreboard: one bit per register that will be written
    uint64_t *pending_memory; // ... by a load or atomic
    unsigned pending_count;
    LaneMask exited;
    SimtEntry *stack;
    uint32_t depth, stack_capacity; // the entry on top is stack[depth - 1]
    struct Its *its;    // with independent threads (its.h), instead of the stack; else NULL
    bool drains;        // its path has changed the frame: results for another are on their way
    Frame *frames;
    uint32_t frame_capacity; // most that may be open, one in the other
    uint8_t *slots;
    LaneMask *predicates;
    uint8_t *frame_params;
    uint8_t *local_memory;
    uint32_t barrier;   // which it stands at
    uint32_t barrier_pc; // the instruction (a barrier's or a sleep's)
    LaneMask barrier_lanes;
};

// The path continues at pc + 1.
static inline void simt_advance(Sm *sm, Warp *w)
{
    if (++w->pc == w->reconverge) simt_reconverge(sm, w);
}

#endif
