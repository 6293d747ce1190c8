// Issue: the state of each warp (scoreboard, ordering, throttling), and the ready warp that a
// scheduler selects.
//
// A warp is in one of the scheduler's sets, by its state. Code that changes what a warp waits for
// calls warp_classify; waiting warps are not polled.
#ifndef HEDDLE_CORE_ISSUE_SCHEDULER_H
#define HEDDLE_CORE_ISSUE_SCHEDULER_H

#include "core/blocks/blocks.h"
#include "core/issue/throttle.h"
#include "core/issue/waves.h"
#include "core/operands/operands.h"
#include "core/warpset.h"

typedef struct Frontend Frontend;

// A warp is in the set of its state, or of the port of its next instruction if it is ready. The
// first set that is not empty says why the scheduler issues nothing.
enum {
    SET_READY, // + port
    SET_WAVE = SET_READY + PORTS, // ready, in an open wave
    SET_WAVE_FULL,                // ready, waits for an entry of the table of waves
    SET_THROTTLED,
    SET_MEMORY,
    SET_DEPENDENCY,
    SET_FETCH,
    SET_BARRIER,
    SET_NONE,
    WARP_SETS
};

// The sets of 64 warps of a scheduler, side by side: each is a word of a WarpSet.
typedef struct WarpSets {
    uint64_t of[WARP_SETS];
    uint64_t stale;   // warps whose buffered instructions are not their next ones
    // Issue by groups: ready warps whose next instruction is scalar, and the even warps of pairs at
    // one instruction. The bits of warps that are not ready have no meaning.
    uint64_t scalar, pairs;
    uint32_t *present; // bit i: of[i] is not empty; PRESENT_STALE: there are stale ones
} WarpSets;
enum {
    PRESENT_PORTS = (1 << PORTS) - 1,
    PRESENT_READY = PRESENT_PORTS | 1 << SET_WAVE,
    PRESENT_STALE = 1 << WARP_SETS
};

typedef struct Scheduler {
    WarpSets sets[WARPSET_WORDS];
    Warp **warps;   // by their number at this scheduler
    unsigned last;  // the number of the warp that issued last
    WarpSet active; // two-level: the active set
    unsigned active_count;
} Scheduler;

typedef struct Issue {
    uint32_t *present; // WarpSets.present: set_words of each scheduler
    Scheduler *scheduler;
    Warp **warps;                   // of all schedulers
    unsigned schedulers, set_words; // words of a scheduler's sets in use
    unsigned first;                 // the scheduler that tries first in the next cycle
    bool always;                    // a cycle without an issue changes the state of schedulers
    // core.scheduler_turn = cycle: instead, scheduler 0 tried first in cycle `turn_zero`. `turns`:
    // the cycles of earlier launches in which the SM had blocks.
    uint64_t turn_zero, turns;
    unsigned port_of[ALL_CLASSES];
    unsigned param_port; // of loads and stores of a device function's parameters
    uint64_t accounted;      // issue slots are counted up to this cycle
    uint64_t cycles_counted; // and the cycles of blocks and warps up to this one
    Throttle throttle;
    bool grouped;            // instructions issue by groups of warps (core_groups)
    bool decides;            // more than the warp itself says whether it is ready: a mechanism that
                             // throttles, or its group
    Waves waves;
    uint32_t group;          // number of the last group that issued
    Frontend *frontend; // drops stale instructions; releases a throttled warp's shared entry
    Sm *sm;             // whose sm_issue sends an instruction down the pipeline
} Issue;

typedef enum IssueOutcome {
    ISSUE_DONE,
    ISSUE_BLOCKED, // the warp has to wait, and nothing else has changed
    ISSUE_FAILED
} IssueOutcome;

// Its sets lie among `tables`. false: out of memory.
bool issue_init(Issue *issue, const SmConfig *config, const Blocks *blocks, Frontend *frontend,
                Sm *sm, HdTables *tables);
void issue_begin(Issue *issue, SmContext *sm, uint64_t start);

// Puts the warp into the set for what its next instruction waits for.
void warp_classify(Issue *issue, SmContext *sm, Warp *w);
// The warp's next instruction is there: reclassifies the warp. A micro-op in front of it is not
// fetched, and goes on waiting for what it waits for.
void warp_fetched(Issue *issue, SmContext *sm, Warp *w);
// The execution port of an instruction.
static inline unsigned issue_port(const Issue *issue, const UOp *op)
{
    return op->space == SPACE_FRAME_PARAM ? issue->param_port : issue->port_of[op->class];
}
// A warp that waited for an entry of the table of waves is now in a wave.
void warp_in_wave(SmContext *sm, Warp *w);
// The warp is no longer blocked at a barrier, or asleep. The caller reclassifies it.
void warp_leave_barrier(SmContext *sm, Warp *w);
// The next instruction accesses a line on which this warp has an atomic in flight: it waits for a
// reply.
void warp_wait_for_atomic(SmContext *sm, Warp *w);

// One cycle: each scheduler issues an instruction, if it has a ready warp.
void issue_cycle(Issue *issue, SmContext *sm, const Operands *operands);
// Implemented by the SM: sends the warp's next instruction down the pipeline; and shows it in a
// trace.
IssueOutcome sm_issue(Sm *sm, Warp *w);
IssueOutcome sm_issue_traced(Sm *sm, Warp *w, SmTrace *trace);
// Issues the next instruction of the members of a group together (core/sm/group.c). Members that
// have to wait leave the group. ISSUE_BLOCKED: all have.
IssueOutcome sm_issue_group(Sm *sm, IssueGroup *group);
// Issues the warp's first injected micro-op or, if there is none, the move in the place of its next
// instruction.
IssueOutcome sm_issue_injected(Sm *sm, Warp *w);
// Implemented by the SM: the fetch stage has come to an exited warp (core.warp_exit=fetch).
void sm_reclaim_warp(Sm *sm, Warp *w);

// As a scheduler's turn in issue_cycle, by groups. Returns whether it issued (grouped.c).
bool issue_grouped(Issue *issue, SmContext *sm, Scheduler *s, const Operands *operands);
// Drops the buffered instructions of a stale warp.
void issue_flush_stale(Issue *issue, SmContext *sm, Warp *w);
// Counts `cycles` cycles with the warps that are issuable now.
void issue_count_issuable(const Issue *issue, SmContext *sm, uint64_t cycles);

// Removes the warp from a two-level scheduler's active set until it is ready.
void issue_set_aside(Issue *issue, const Warp *w);
// Counts the issue slots of cycles [accounted, until), in which nothing was issued.
void issue_count_idle_slots(Issue *issue, SmContext *sm, uint64_t until);
static inline void issue_account_idle(Issue *issue, SmContext *sm, uint64_t until)
{
    if (until > issue->accounted) issue_count_idle_slots(issue, sm, until);
}
// Counts the accounted cycles for the blocks and warps that are live; called before their number
// changes.
void issue_count_cycles(Issue *issue, SmContext *sm, const Blocks *blocks);
// The next cycle in which a ready warp finds its port free, or a warp drops stale instructions; now
// + 1 at least, UINT64_MAX: none.
uint64_t issue_find_next(const Issue *issue, const Operands *operands, uint64_t now);
// Whether a warp is throttled.
bool issue_any_throttled(const Issue *issue);

#endif
