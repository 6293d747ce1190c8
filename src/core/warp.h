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
    uint32_t frame;   // index into WarpCalls.frames
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

// ---- the parts of a warp, each owned by a part of the SM ----

// Fetch (frontend).
typedef struct WarpFetch {
    // Decoded instructions [buffer_pc, buffer_pc + buffered), static numbers. With a shared store:
    // the next instruction, if the warp points to an entry.
    uint32_t buffer_pc;
    uint32_t pc; // static number of the first instruction of its latest fetch
    uint8_t buffered;
    bool in_flight; // a fetch or an instruction miss is
} WarpFetch;

// A warp at the shared store of decoded instructions (frontend).
typedef struct WarpStoreEntry {
    uint32_t index; // + 1: of the entry that the warp points to; 0: none
    uint64_t age;   // of its wait for an entry (istore.h); 0: it does not wait
} WarpStoreEntry;

// What stops a warp, or ends it.
typedef union WarpFlags {
    struct {
        bool live;              // has lanes that have not exited
        bool at_barrier;        // blocked at a barrier or asleep
        bool drains;            // it has changed its frame while results for another are in flight
        bool waits_for_atomics; // WarpMemory.blocking_atomics is not 0
    };
    uint32_t all;
} WarpFlags;

// The registers with results in flight.
typedef struct Scoreboard {
    uint64_t *pending; // one bit per register that will be written
    uint64_t *memory;  // one bit per register that a load or atomic will write
    unsigned count;    // results that it waits for
} Scoreboard;

// Its place at a scheduler (issue).
typedef struct WarpIssue {
    struct Scheduler *home; // its scheduler
    struct WarpSets *sets;  // the scheduler's sets that have the warp, and its bit in them
    uint64_t bit;
    uint64_t since;            // its cycles before this one are counted (PcCounters.waits)
    uint16_t scheduler, local; // the scheduler's number, and the warp's number there
    uint8_t state;             // WarpState
    uint8_t set;               // the scheduler's set that has the warp (scheduler.h)
} WarpIssue;

// Its entries of register banks (operands): of its registers, and of its scalars.
typedef struct WarpBanks {
    uint16_t entry, scalar_entry;
} WarpBanks;

// Issue groups (issue).
typedef struct WarpGroup {
    uint32_t number;   // of the group that issued its last instruction, or of its start
    uint16_t wave;     // 1 + index of the wave that it has joined (waves.h); 0: none
    uint16_t waits_for; // waits for an entry: 1 + index of the wave that must finish; 0: any one
    uint8_t wave_lane; // its lane in waves of fixed members
    // scalar.go_on: its scalar instructions in open waves from which it has gone on; of these, the
    // memory accesses; and by register, how many of these read it.
    uint16_t ahead, ahead_memory;
    uint16_t *ahead_reads;
    bool listed; // in Waves.joined
} WarpGroup;

// Its memory instructions in flight.
typedef struct WarpMemory {
    uint32_t stores, atomics, loads;
    uint32_t held; // that wait for look-ups in the L1D, if a mechanism holds accesses
    uint32_t blocking_atomics; // core.atomic_wait=warp: of these atomics and of shared memory's
} WarpMemory;

// The divergence stack, unless the machine has independent threads (execute).
typedef struct WarpStack {
    LaneMask exited; // with independent threads too
    SimtEntry *entries;
    uint32_t depth, capacity; // the entry on top is entries[depth - 1]
} WarpStack;

// Activations of functions (execute).
typedef struct WarpCalls {
    Frame *frames;
    uint32_t frame;    // of the current split: index into frames
    uint32_t capacity; // maximum call depth
    uint64_t bytes;    // of all activations at once, at most so far, if recursive
} WarpCalls;

// What blocks it at a barrier (execute).
typedef struct WarpBarrier {
    uint32_t number; // BLOCK_BARRIERS: none, the warp sleeps
    uint32_t pc;     // the barrier's or sleep's instruction
    LaneMask lanes;
} WarpBarrier;

// Where its values lie (blocks).
typedef struct WarpValues {
    uint8_t *slots; // registers
    LaneMask *predicates;
    uint8_t *frame_params;
    uint8_t *local_memory;
} WarpValues;

// Of functional launches (sm/functional_turns.c).
typedef struct WarpTurns {
    uint8_t count;  // turns since its start or a barrier, up to a limit
    uint32_t round; // the last one in which its part has ended
} WarpTurns;

// What each issue and each change of state touches comes first, in two lines of the host's cache,
// followed by the values.
struct Warp {
    const UOp *ops; // of the current function
    const UOpTiming *timing;
    uint32_t pc;         // index into ops
    uint32_t pc_base;    // + pc = static instruction number
    uint32_t reconverge; // of the current split
    uint32_t op_count;   // of the current function
    WarpFetch fetch;
    WarpFlags flags;
    Scoreboard scoreboard;
    WarpIssue issue;
    struct WarpSplits *splits; // with independent threads, instead of the stack; else NULL
    uint16_t id;               // warp slot on the SM
    WarpBanks banks;

    ExecWarp exec; // values; exec.active: the lanes of the current split
    WarpCalls calls;
    Block *block;
    uint64_t age; // order of start (GTO: oldest first)
    struct WarpInjector *injector; // micro-ops of mechanisms (inject/injector.h); NULL: none
    WarpStoreEntry store;
    WarpMemory memory;
    WarpGroup group;
    WarpStack stack;
    WarpValues values;
    WarpBarrier barrier;
    WarpTurns turns;
} __attribute__((aligned(64)));
_Static_assert(offsetof(Warp, exec) <= 128, "an issue touches few lines of the host's cache");

// Whether the warp has lanes, and only its next instruction says what it waits for.
static inline bool warp_goes_on(const Warp *w)
{
    static const Warp usual = {.flags.live = true};
    return w->flags.all == usual.flags.all;
}

static inline const PtxFunction *warp_function(const Warp *w)
{
    return w->calls.frames[w->calls.frame].function;
}

// Counts the warp's cycles since its last change of state as a wait of instruction `pc`.
static inline void warp_count_wait(SmContext *context, Warp *w, uint32_t pc)
{
    uint64_t cycles = context->now - w->issue.since;
    if (!cycles) return; // the state has changed in this cycle before
    context->count.pcs[pc].waits[w->issue.state] += cycles;
    w->issue.since = context->now;
}

// The static number of the warp's next instruction.
static inline uint32_t warp_pc(const Warp *w) { return w->pc_base + w->pc; }

// Whether the warp's next instruction is decoded and buffered.
static inline bool warp_has_instruction(const Warp *w)
{
    return w->fetch.buffered && w->fetch.buffer_pc == warp_pc(w);
}

static inline bool scoreboard_has(const uint64_t *bits, unsigned r)
{
    return bits[r >> 6] >> (r & 63) & 1;
}

// Sets the scoreboard bits of an instruction in `bits`, Scoreboard.pending or .memory.
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
    scoreboard_set(w->scoreboard.pending, timing);
    w->scoreboard.count += timing->write_count;
}

// Clears the scoreboard bits of an instruction whose results are written.
static inline void scoreboard_release(Warp *w, const UOpTiming *timing)
{
    w->scoreboard.count -= timing->write_count;
    if (timing->one_word) {
        w->scoreboard.pending[timing->result_word] &= ~timing->result;
        w->scoreboard.memory[timing->result_word] &= ~timing->result;
        return;
    }
    for (unsigned i = 0; i < timing->write_count; i++) {
        unsigned r = timing->writes[i];
        w->scoreboard.pending[r >> 6] &= ~(UINT64_C(1) << (r & 63));
        w->scoreboard.memory[r >> 6] &= ~(UINT64_C(1) << (r & 63));
    }
}

// Describes a warp to mechanisms.
static inline HdWarp warp_for_mechanism(const Warp *w)
{
    return (HdWarp){.age = w->age, .slot = w->id, .scheduler = w->issue.scheduler,
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
