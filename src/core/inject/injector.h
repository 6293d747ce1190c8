// Micro-ops that mechanisms inject into a warp, and the spare registers that they write.
//
// A micro-op waits in its warp's queue until it issues, before the warp's next own instruction.
// Then it stays at its destination register until its result is there; the scoreboard lets no
// second writer of that register issue before.
//
// Spare registers belong to a warp, not to a frame of its call stack. Micro-ops run in a frame of
// their own (injector_frame): the spare registers, and copies of the program's registers that they
// read. So an operand is small, however deep the warp's calls are.
#ifndef HEDDLE_CORE_INJECT_INJECTOR_H
#define HEDDLE_CORE_INJECT_INJECTOR_H

#include "core/blocks/blocks.h"
#include "core/inject/code_view.h"

enum { INJECT_QUEUE = 16 };

typedef struct Injected {
    UOp op;
    UOpTiming timing;
    LaneMask lanes;
    uint32_t pc;    // static number of the instruction that it repeats
    uint8_t target; // the spare or temporary register that it writes
    uint8_t source[HD_SOURCES]; // those that it reads; HD_OWN_REGISTER: none
    Operand own[HD_SOURCES];    // registers of the warp's frame to copy; OPERAND_NONE: none
} Injected;

// What a spare or temporary register holds: the lanes that have a value, and for a load, where it
// is from. A spare register has 32 bits: a value of 64 bits takes it and the next one, which then
// has no lanes.
typedef struct SpareRegister {
    LaneMask lanes;
    bool pair;    // a value of 64 bits
    uint8_t form; // how a load has extended its element; 0: no load has written it
    uint64_t addresses[HD_MAX_LANES];
} SpareRegister;

typedef struct WarpInjector {
    Injected queue[INJECT_QUEUE];
    uint8_t first, count;
    uint8_t form;  // HdForm of the next own instruction
    bool moves;    // the next own instruction is replaced by a move from `source`
    uint8_t source;
    UOp move_op;   // the move
    UOpTiming move_timing;
    Injected *in_flight;      // by spare or temporary register (injector_row)
    SpareRegister *registers; // likewise
} WarpInjector;

typedef struct Injector {
    WarpInjector *warps;      // by warp slot
    Injected *in_flight;      // of all warps
    SpareRegister *registers; // likewise
    unsigned warp_count;
    bool banks_by_name;       // PtxOptions.banks_by_name
    unsigned spare;           // spare registers of a thread in this launch
    size_t capacity;          // rows of in_flight and registers
    size_t first_slot;        // of the micro-ops' frame, among a warp's register slots
    uint32_t first_number;    // of the spare registers, in the scoreboard
    CodeView code;
} Injector;

// A register's row: the spare registers come first.
static inline unsigned injector_row(const Injector *injector, unsigned number)
{
    return number < HD_TEMPORARY ? number : injector->spare + number - HD_TEMPORARY;
}
// The spare and temporary registers of a launch with this number of spare registers.
static inline unsigned injector_rows(unsigned spare) { return spare + HD_TEMPORARIES; }
// Register slots of the micro-ops' frame: 64 bits for each register, and for each copied source.
static inline size_t injector_slots(unsigned spare)
{
    return 2 * ((size_t)injector_rows(spare) + HD_SOURCES);
}

// Makes the injector of an SM with this number of warp slots. NULL: out of memory.
Injector *injector_new(unsigned warps, bool banks_by_name);
void injector_free(Injector *injector);
// Prepares for the launch, in which warps have `slots` register slots, the last ones for the
// micro-ops' frame. The scoreboard numbers of spare registers begin with `number`, at most
// PTX_MAX_REGISTERS. false: out of memory.
bool injector_begin(Injector *injector, const SmLaunch *launch, size_t slots, uint32_t number);
// A warp starts: its queue and its spare registers are empty.
void injector_start(Injector *injector, Warp *w);

// Makes the micro-op for the warp, in the call frame that the warp is in. false: the queue is full,
// or the micro-op names an instruction or a register that there is not.
bool injector_make(const Injector *injector, const Warp *w, const HdMicroOp *op, Injected *in);
// Verifies the micro-op like the program's instructions, once for each launch's instruction and set
// of own sources. false: err says why it does not verify.
bool injector_verify(Injector *injector, const Warp *w, const Injected *in, HdError *err);
// Queues the micro-op.
void injector_push(Warp *w, const Injected *in);
// Takes the first micro-op of the queue to its destination register, to issue.
Injected *injector_take(const Injector *injector, Warp *w);
// The state in which the micro-op runs: the warp's, with the micro-ops' frame, into which the
// micro-op's own sources have been copied.
ExecWarp injector_frame(const Injector *injector, const Warp *w, const Injected *in);
// The lanes of a micro-op whose sources all have a value.
LaneMask injector_lanes(const Injector *injector, const Warp *w, const Injected *in);
// The micro-op issues: it writes its register in these lanes. A pair of which it takes one register
// has no lanes any more. addresses: of a load, by lane; else NULL.
void injector_write(const Injector *injector, Warp *w, const Injected *in, LaneMask lanes,
                    const uint64_t *addresses);
// Has the warp's next own instruction, a load, replaced by a move from the spare register. false:
// the register lacks lanes, or has data from another address or of a load of another type; the
// reason becomes WarpInjector.form.
bool injector_move(const Injector *injector, Warp *w, unsigned source);
// Moves the values to the destination of the load, in these lanes.
void injector_copy(const Injector *injector, Warp *w, LaneMask lanes);
// The warp has no micro-op and no move any more.
void injector_rest(Warp *w);

// Whether a micro-op is the next to issue.
static inline bool injector_has_micro_op(const Warp *w)
{
    return w->injector && w->injector->count;
}
// Whether a micro-op, or a move in the place of the next instruction, is the next to issue.
static inline bool injector_is_active(const Warp *w)
{
    return w->injector && (w->injector->count || w->injector->moves);
}
// What issues next.
static inline const UOp *injector_op(const WarpInjector *i)
{
    return i->count ? &i->queue[i->first].op : &i->move_op;
}
static inline const UOpTiming *injector_timing(const WarpInjector *i)
{
    return i->count ? &i->queue[i->first].timing : &i->move_timing;
}

#endif
