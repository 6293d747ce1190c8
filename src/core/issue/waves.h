// Waves: scalar instructions of several warps at one instruction, which issue together, a lane for
// each warp; and the table of the waves of an SM (Yilmazer-Metin, "Graph-Waving architecture",
// 2020, section 6.3: Scalar-Wave Formation Unit, Scalar-Wave Status Table).
//
// A warp whose next instruction is scalar, and has its operands, joins the open wave of its
// instruction and register entry, or opens one in a free entry of the table, or waits for one. An
// entry becomes free again after the wave has finished, its loads included. Until then, with
// scalar.match = all, warps of the same instruction and register entry wait for this entry.
//
// W is the lanes of a group. A wave's members, and its Scalar-Wave ID, are by scalar.members:
//   fixed        the warps whose scalars are in one register entry (section 6.3.3): of scheduler s,
//                those with numbers k x W ... k x W + W - 1 there. ID: s x ceil(warps / W) + k. The
//                wave issues at this scheduler.
//   consecutive  the warps of the SM with numbers k x W ... k x W + W - 1, whose scalars are in one
//                register entry. ID: k. The wave issues at any scheduler.
//   any          any W of the scheduler.
#ifndef HEDDLE_CORE_ISSUE_WAVES_H
#define HEDDLE_CORE_ISSUE_WAVES_H

#include "core/issue/issue_group.h"

typedef struct Operands Operands;
typedef struct Issue Issue;

typedef enum WaveState { WAVE_FREE, WAVE_OPEN, WAVE_ISSUED } WaveState;

typedef struct Wave {
    uint8_t state;      // WaveState
    uint8_t port;       // of the instruction
    uint16_t scheduler; // of its first member
    uint16_t swid;      // Scalar-Wave ID of its first member
    uint32_t pc;        // static instruction number
    uint64_t since;     // cycle of opening
    unsigned count;     // members
    LaneMask places;    // lanes that are taken
    LaneMask ahead;     // those of warps that have gone on from the instruction (scalar.go_on)
    uint64_t went;      // cycle in which some of these went on, and the number that they got as
    uint32_t number;    // their WarpGroup.number
    Warp *warp[HD_MAX_LANES];       // by lane
    LaneMask active[HD_MAX_LANES];  // of the warps that have gone on
} Wave;

// Where a warp is.
typedef struct WarpCursor {
    uint32_t pc, reconverge;
    LaneMask active;
} WarpCursor;

typedef struct Waves {
    Wave *items;        // NULL: the machine has no waves
    unsigned count, lanes;
    uint32_t members;   // ScalarMembers
    bool match_all;     // scalar.match = all
    uint16_t *open;     // the open waves, as indices, in the order of opening
    unsigned opened;    // their number
    uint16_t *free;     // the free entries, as indices
    unsigned left;      // their number
    Warp **waiting;     // ring: the warps that wait for an entry, the longest first
    unsigned first, waiters, capacity;
    uint64_t full_since; // the cycles of waiting are counted up to this one
    // scalar.members = consecutive: the warps that have issued in this cycle, which are classified
    // after the turns of all schedulers. Else one of these could issue the next instruction in the
    // same cycle.
    Warp **issued;
    unsigned issued_count;
    // scalar.go_on: the warps that have joined waves, and may go on from their instruction.
    bool go_on;
    Warp **joined;
    unsigned joined_count;
    unsigned ahead; // instructions in open waves from which their warps have gone on
    WarpCursor cursor[HD_MAX_LANES]; // of the wave that issues, by lane: where such warps are
} Waves;

// false: out of memory.
bool waves_init(Waves *waves, const SmConfig *config, HdTables *tables);
// Empties the table. No wave is in flight.
void waves_begin(Waves *waves, const SmContext *context);

// Whether any scheduler issues any wave.
static inline bool waves_are_shared(const Waves *waves)
{
    return waves->items && waves->members == MEMBERS_CONSECUTIVE;
}

// The schedulers that may issue an open wave though they have no warp that is ready or in a wave, a
// bit each.
uint32_t waves_turns(const Waves *waves, unsigned schedulers);

// The warp's next instruction is scalar and has its operands: joins or opens a wave. false: it
// waits for an entry.
bool waves_join(Waves *waves, SmContext *context, Warp *w, unsigned port);
// The wave that the scheduler issues next: the oldest open one whose port has room; NULL: none.
// which: of those, only one that has waited for scalar.patience, or from which a warp has gone on.
typedef enum WavesWanted { WAVES_ALL, WAVES_LATE, WAVES_AHEAD } WavesWanted;
Wave *waves_oldest(const Waves *waves, const SmContext *context, unsigned scheduler,
                   const Operands *operands, WavesWanted which);
// The open wave issues now: makes its group.
void waves_issue(Waves *waves, Wave *wave, IssueGroup *group);
// The wave (1 + its index) has finished: warps that wait for an entry join or open waves.
void waves_end(Issue *issue, SmContext *context, uint16_t wave);
// Counts the cycles up to `until` in which warps waited for an entry.
void waves_count_waiting(Waves *waves, SmContext *context, uint64_t until);
// Whether a wave is in flight, or a warp waits for an entry of the table.
bool waves_left(const Waves *waves);
// As issue_next, of the open waves.
uint64_t waves_next(const Waves *waves, const Operands *operands, uint64_t now);

#endif
