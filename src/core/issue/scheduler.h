// Issue: the state of each warp (scoreboard, ordering, throttling), and the ready warp that a
// scheduler selects.
//
// A warp is in one of the scheduler's sets, by its state. Code that changes what a warp waits for
// calls warp_classify; waiting warps are not polled.
#ifndef HEDDLE_CORE_ISSUE_SCHEDULER_H
#define HEDDLE_CORE_ISSUE_SCHEDULER_H

#include "core/blocks/blocks.h"
#include "core/issue/choice.h"
#include "core/issue/order.h"
#include "core/issue/policy.h"
#include "core/issue/throttle.h"
#include "core/issue/waves.h"
#include "core/operands/operands.h"
#include "core/warpset.h"

#include <stddef.h>

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
    uint32_t present; // bit i: of[i] is not empty
    uint64_t stale;   // warps whose buffered instructions are not their next ones
    uint64_t of[WARP_SETS];
    // Issue by groups: ready warps whose next instruction is scalar, and the even warps of pairs at
    // one instruction. The bits of warps that are not ready have no meaning.
    uint64_t scalar, pairs;
} WarpSets;
enum {
    PRESENT_PORTS = (1 << PORTS) - 1,
    PRESENT_READY = PRESENT_PORTS | 1 << SET_WAVE
};

struct Scheduler {
    // Its slots in the cycles before this one are counted. They are counted when one of its warps
    // changes its set, for all the cycles since then.
    uint64_t counted;
    Warp **warps;   // by their number at this scheduler
    uint16_t last;  // the number of the warp that issued last
    uint16_t next;  // the number of the scheduler behind it
    uint32_t bit;   // of this scheduler
    WarpSets sets[WARPSET_WORDS];
    uint64_t *before; // by warp: those of its word that go before it; NULL: only round robin
    uint64_t greedy;  // all bits: the warp that issued last goes first while it is ready; else 0
    uint64_t *key;    // by warp: its place in the order that `before` has, over all words
    uint64_t *table;  // of `before`, also while only round robin is used; NULL: never needed
    ActiveWarps active;
} __attribute__((aligned(64)));
_Static_assert(offsetof(Scheduler, sets) + offsetof(WarpSets, of) + SET_BARRIER * 8 <= 128,
               "an issue touches two lines of the host's cache");

// How a cycle issues, if nothing is traced. All but ISSUE_ANY: Issue.simple and not Issue.always.
typedef enum IssueWay {
    ISSUE_ANY,
    ISSUE_USUAL, // one instruction of a warp in a cycle, Operands.plain: nearly all machines
    ISSUE_DUAL,  // the same, but a warp may issue a second instruction in a cycle (core.issue)
    ISSUE_PASSES // as ISSUE_USUAL, but not Operands.plain
} IssueWay;

struct Issue {
    uint32_t turn;  // a bit by scheduler that may have ready or stale warps
    // In a cycle of issue: the scheduler whose turn came first, and the one whose turn it is. Else
    // both are the same.
    unsigned began, at;
    unsigned schedulers, set_words; // words of a scheduler's sets in use
    Scheduler *scheduler;
    Warp **warps;                   // of all schedulers
    unsigned first;                 // the scheduler that tries first in the next cycle
    const Policy *policy;           // core.policy
    bool always;                    // a cycle without an issue changes the state of schedulers
    // core.scheduler_turn = cycle: instead, scheduler 0 tried first in cycle `turn_zero`. `turns`:
    // the cycles of earlier launches in which the SM had blocks.
    uint64_t turn_zero, turns;
    bool turn_by_cycle;
    uint8_t port_of[UOP_ROWS]; // the execution port of instructions, by UOpTiming.row
    uint64_t cycles_counted; // the cycles of blocks and warps are counted up to this one
    uint64_t issuable_counted; // by number of issuable warps, cycles are counted up to this one
    Throttle throttle;
    bool grouped;            // instructions issue by groups of warps (core_groups)
    bool decides;            // more than the warp itself says whether it is ready: a mechanism that
                             // throttles, or its group
    bool simple; // no `decides`, no micro-ops in front of instructions, one word of sets
    IssueWay way, usual_way; // usual_way: with an order that the usual ways know
    WarpOrder order;
    WarpChoice choice;
    Waves waves;
    uint32_t group;          // number of the last group that issued
    Frontend *frontend; // releases a throttled warp's shared entry
};

typedef enum IssueOutcome {
    ISSUE_DONE,
    ISSUE_BLOCKED, // the warp has to wait, and nothing else has changed
    ISSUE_FAILED
} IssueOutcome;

// Its sets lie among `tables`. false: out of memory.
bool issue_init(Issue *issue, const SmConfig *config, const Blocks *blocks, Frontend *frontend,
                HdTables *tables);
// Attaches the mechanisms that throttle or order warps. false: out of memory.
bool issue_attach(Issue *issue, const SmConfig *config, CacheHooks *hooks, HdTables *tables);
// Gives each scheduler the tables of an order of its warps. false: out of memory.
bool issue_new_tables(Issue *issue, HdTables *tables);
// injects: a mechanism injects micro-ops.
void issue_begin(Issue *issue, SmContext *context, const Operands *operands, uint64_t start,
                 bool injects);

// The warp starts: it is the youngest of its scheduler.
void issue_note_start(const Warp *w);
// The warp starts in no wave, as the second warp of the group of the warp slot before, or in a
// group of its own.
void issue_group_start(Issue *issue, Warp *w, bool second);
// The SM goes on functionally: no wave is in flight any more.
void issue_abandon(Issue *issue, SmContext *context);
// Puts the warp into the set for what its next instruction waits for.
void warp_classify(Issue *issue, SmContext *context, Warp *w);
// warp_classify for a warp whose set usual_set (classify.h) does not determine.
void warp_classify_unusual(Issue *issue, SmContext *context, Warp *w);
// warp_classify_unusual for a warp that has issued in this cycle.
void warp_classify_issued(Issue *issue, SmContext *context, Warp *w);
// The warp's next instruction is there: reclassifies the warp. A micro-op in front of it is not
// fetched, and goes on waiting for what it waits for.
void warp_fetched(Issue *issue, SmContext *context, Warp *w);
// The execution port of an instruction.
static inline unsigned issue_port(const Issue *issue, const UOp *op)
{
    return issue->port_of[op->space == SPACE_FRAME_PARAM ? UOP_ROW_FRAME_PARAM : op->class];
}
// A warp that waited for an entry of the table of waves is now in a wave.
void warp_in_wave(Issue *issue, SmContext *context, Warp *w);
// The warp is no longer blocked at a barrier, or asleep. The caller reclassifies it.
void warp_leave_barrier(SmContext *context, Warp *w);
// The next instruction accesses a line on which this warp has an atomic in flight: it waits for a
// reply.
void warp_wait_for_atomic(Issue *issue, SmContext *context, Warp *w);

// The warp waits for an entry of the shared store (Policy.set_aside).
void issue_set_aside(const Issue *issue, const Warp *w);

// ---- slots.c ----

// Counts the cycles before `until`, by the number of warps that are issuable now.
void issue_count_issuable(Issue *issue, SmContext *context, uint64_t until);
// Counts the slots of all schedulers in the cycles before `until`, by the sets that have warps now.
void issue_count_slots(Issue *issue, SmContext *context, uint64_t until);
// Counts the slots of the schedulers whose turn in this cycle is over, before warps of others
// change: a barrier opens, or a stage behind issue runs.
void issue_end_turns(Issue *issue, SmContext *context);
// The slots so far in which a scheduler with warps has issued nothing: of all cycles before this
// one, and during issue, of the schedulers whose turn is over.
uint64_t issue_stalled_slots(const Issue *issue, const SmContext *context);
// Counts the cycles before `until` for the blocks and warps that are live; called before their
// number changes.
void issue_count_cycles(Issue *issue, SmContext *context, const Blocks *blocks, uint64_t until);
// At the end of a launch or a cut: counts all that issue counts up to this cycle.
void issue_count_to(Issue *issue, SmContext *context, const Blocks *blocks, uint64_t end);
// The next cycle in which a ready warp finds its port free; now + 1 at least, UINT64_MAX: none.
uint64_t issue_find_next(const Issue *issue, const Operands *operands, uint64_t now);
// The same, or when a warp drops stale instructions.
static inline uint64_t issue_next(const Issue *issue, const Operands *operands, uint64_t now)
{
    return issue->turn ? issue_find_next(issue, operands, now) : UINT64_MAX;
}
// Whether a warp is throttled.
bool issue_any_throttled(const Issue *issue);

#endif
