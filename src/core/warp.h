// A warp on an SM: its current split, what the warp waits for, and its registers.
#ifndef HEDDLE_CORE_WARP_H
#define HEDDLE_CORE_WARP_H

#include "core/block.h"
#include "core/sm_context.h"

#include <stddef.h>

// Execution port of an instruction. PORT_INT is used if there are integer units.
typedef enum Port { PORT_SP, PORT_SFU, PORT_DP, PORT_INT, PORT_MEM, PORTS } Port;

// An entry of the divergence stack: a warp split that runs until `reconverge`, where it merges with
// the entry below.
typedef struct SimtEntry {
    uint32_t pc, reconverge;
    LaneMask lanes;
    uint32_t frame;   // index into Warp.frames
    bool reconverges; // its pc is a reconvergence point of an earlier branch
} SimtEntry;

// One activation of a function.
typedef struct Frame {
    const PtxFunction *function;
    uint32_t function_index, pc_base;
    uint32_t call; // the call site (index into PtxModule.calls)
    uint32_t slot_base, predicate_base, param_base;
    uint64_t local_base;
    LaneMask returned; // stack: lanes that have returned from it
    // Independent threads: its lanes (0: the frame is free), its caller, its depth.
    LaneMask lanes;
    uint32_t caller, depth;
} Frame;

// The fields come by use: what each issue and each change of state touches is in two lines of the
// host's cache, followed by the values.
struct Warp {
    const UOp *ops; // of the current function
    const UOpTiming *timing;
    uint32_t pc;         // index into ops
    uint32_t pc_base;    // + pc = static instruction number
    uint32_t reconverge; // of the current split
    // Instruction buffer: decoded instructions [buffer_pc, buffer_pc + buffered), static numbers.
    // With a shared store: the next instruction, if the warp points to an entry.
    uint32_t buffer_pc;
    uint32_t op_count; // of the current function
    uint32_t fetch_pc; // static number of the first instruction of its latest fetch
    uint8_t buffered;
    bool fetching; // a fetch or an instruction miss is in flight
    uint8_t state; // WarpState
    uint8_t set;   // the scheduler's set that has the warp (scheduler.h)
    union {
        struct {
            bool live;       // has lanes that have not exited
            bool at_barrier; // blocked at a barrier or asleep
            bool drains;     // it has changed its frame while results for another are in flight
            bool waits_for_atomics; // blocking_atomics is not 0
        };
        uint32_t flags; // all of them (warp_goes_on)
    };
    unsigned pending_count; // results that the scoreboard waits for
    uint32_t turn;          // the bit of its scheduler
    uint64_t *pending;        // scoreboard: one bit per register that will be written
    uint64_t *pending_memory; // scoreboard: one bit per register that a load or atomic will write
    uint16_t id;               // warp slot on the SM
    uint16_t scheduler, local; // its scheduler, and its number there
    // Among the entries of register banks: the entry of its registers.
    uint16_t entry;
    struct Scheduler *home; // its scheduler
    struct WarpSets *sets;  // the scheduler's sets, and the warp's bit in them
    uint64_t bit;
    uint64_t since;   // its cycles before this one are counted (PcCounters.waits)
    struct WarpSplits *splits; // with independent threads, instead of the stack; else NULL
    struct WarpInjector *injector; // micro-ops of mechanisms (inject/injector.h); NULL: none

    ExecWarp exec; // values; exec.active: the lanes of the current split
    uint32_t frame; // of the current split: index into frames
    uint32_t istore_entry; // + 1: index of the entry that the warp points to; 0: none
    uint64_t istore_age;   // age of its wait for an entry (istore.h); 0: it does not wait
    Block *block;
    uint64_t age; // order of start (GTO: oldest first)
    uint32_t stores_out, atomics_out, loads_out; // memory instructions in flight
    uint32_t held; // of them: for look-ups in the L1D, if a mechanism holds accesses
    uint32_t blocking_atomics; // core.atomic_wait=warp: in flight, shared memory's too
    uint32_t group; // number of the issue group that issued its last instruction, or of its start
    uint16_t scalar_entry; // as entry, of its scalars
    uint16_t wave;         // 1 + index of the wave that it has joined (waves.h); 0: none
    uint8_t wave_lane;     // its lane in waves of fixed members
    uint8_t functional_turns; // turns since its start or a barrier, up to a limit

    LaneMask exited;
    SimtEntry *stack;
    uint32_t depth, stack_capacity; // the entry on top is stack[depth - 1]
    Frame *frames;
    uint32_t frame_capacity; // maximum call depth
    uint64_t frame_bytes;    // of all activations at once, at most so far, if recursive

    uint8_t *slots; // registers
    LaneMask *predicates;
    uint8_t *frame_params;
    uint8_t *local_memory;

    uint32_t barrier;    // the barrier that blocks it; BLOCK_BARRIERS: none, the warp sleeps
    uint32_t barrier_pc; // the barrier's or sleep's instruction
    LaneMask barrier_lanes;
    uint32_t round; // of a functional launch: the last one in which its part has ended
} __attribute__((aligned(64)));
_Static_assert(offsetof(Warp, exec) <= 128, "an issue touches few lines of the host's cache");

// Whether the warp has lanes, and only its next instruction says what it waits for.
static inline bool warp_goes_on(const Warp *w)
{
    static const Warp usual = {.live = true};
    return w->flags == usual.flags;
}

static inline const PtxFunction *warp_function(const Warp *w)
{
    return w->frames[w->frame].function;
}

// Counts the warp's cycles since its last change of state as a wait of instruction `pc`.
static inline void warp_count_wait(SmContext *context, Warp *w, uint32_t pc)
{
    uint64_t cycles = context->now - w->since;
    if (!cycles) return; // the state has changed in this cycle before
    context->count.pcs[pc].waits[w->state] += cycles;
    w->since = context->now;
}

// The static number of the warp's next instruction.
static inline uint32_t warp_pc(const Warp *w) { return w->pc_base + w->pc; }

// Whether the warp's next instruction is decoded and buffered.
static inline bool warp_has_instruction(const Warp *w)
{
    return w->buffered && w->buffer_pc == warp_pc(w);
}

static inline bool scoreboard_has(const uint64_t *bits, unsigned r)
{
    return bits[r >> 6] >> (r & 63) & 1;
}

// Sets the scoreboard bits of an instruction in `bits`, Warp.pending or pending_memory.
static inline void scoreboard_set(uint64_t *bits, const UOpTiming *timing)
{
    if (timing->one_word) {
        bits[timing->result_word] |= timing->result;
        return;
    }
    for (unsigned i = 0; i < timing->write_count; i++)
        bits[timing->writes[i] >> 6] |= UINT64_C(1) << (timing->writes[i] & 63);
}

// Sets the scoreboard bits of an instruction, no memory access, until its results are written.
static inline void scoreboard_book(Warp *w, const UOpTiming *timing)
{
    scoreboard_set(w->pending, timing);
    w->pending_count += timing->write_count;
}

// Clears the scoreboard bits of an instruction whose results are written.
static inline void scoreboard_release(Warp *w, const UOpTiming *timing)
{
    w->pending_count -= timing->write_count;
    if (timing->one_word) {
        w->pending[timing->result_word] &= ~timing->result;
        w->pending_memory[timing->result_word] &= ~timing->result;
        return;
    }
    for (unsigned i = 0; i < timing->write_count; i++) {
        unsigned r = timing->writes[i];
        w->pending[r >> 6] &= ~(UINT64_C(1) << (r & 63));
        w->pending_memory[r >> 6] &= ~(UINT64_C(1) << (r & 63));
    }
}

// Describes a warp to mechanisms.
static inline HdWarp warp_for_mechanism(const Warp *w)
{
    return (HdWarp){.age = w->age, .slot = w->id, .scheduler = w->scheduler,
                    .block = w->block->slot, .index = (uint16_t)w->exec.warp_in_block};
}

// Whether the instruction accesses memory, parameters of a device function, or a mechanism's
// engine.
static inline bool op_is_memory(const UOp *op)
{
    return op->code == UOP_LD || op->code == UOP_ST || op->code == UOP_ATOM ||
           op->code == UOP_RED || op->code == UOP_TEX || op->code == UOP_SULD ||
           op->code == UOP_SUST || op->code == UOP_SURED || op->code == UOP_ENGINE;
}

#endif
