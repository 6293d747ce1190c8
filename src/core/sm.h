// One SM: fetch, decode, issue, operand read, units, load/store unit, first-level caches, and its
// blocks and warps. The parts are in the folders beside this header (core/sm/pipeline.h).
//
// An SM knows nothing of the others. It runs on its own up to a given cycle: it reads its inbox,
// which the memory side has filled, and writes its outbox (docs/design.md, "Time").
#ifndef HEDDLE_CORE_SM_H
#define HEDDLE_CORE_SM_H

#include "core/core.h"
#include "core/fault.h"
#include "core/system.h"
#include "core/trace.h"
#include "exec/exec.h"
#include "heddle/mechanism.h"
#include "memory/clock.h"
#include "memory/request.h"

typedef struct Sm Sm;

// A launch, the same for all SMs; owned by the caller, and constant during the launch.
typedef struct SmLaunch {
    const PtxModule *module;
    const PtxFunction *kernel;
    const uint32_t *pc_base; // by function index of the module: its first static instruction number
    size_t first_pc, end_pc; // static instructions [first, end) that it may issue
    uint32_t grid[3], block[3];
    uint32_t grid_id, sms;
    uint64_t dynamic_shared;
    uint64_t cooperation; // ExecBlock.cooperation
    const void *params;
    const uint8_t *constants; // the module's constant bank
    const struct TextureTable *textures; // what handles stand for
    CacheConfig l1d;      // with the geometry of this launch; the only configuration of the L1D
    uint64_t l1d_changes; // how often the geometry has changed before this launch
    uint32_t blocks_per_sm;
    double nanoseconds_per_cycle; // for %globaltimer
} SmLaunch;

// Where requests go: the slice that owns an address.
typedef struct SliceMap {
    unsigned (*slice_of)(const void *memory_side, uint64_t address);
    const void *memory_side;
    unsigned slices;
} SliceMap;

// What all SMs of a GPU share; it outlives them.
typedef struct SmShared {
    const Clocks *clocks;
    GuestMemory *guest;
    SliceMap map;
    uint64_t seed;
} SmShared;

Sm *sm_new(const SmConfig *config, const SmShared *shared, unsigned id, HdError *err);
void sm_free(Sm *sm);
// Attaches the mechanisms at its L1D and pipeline, before the first launch; `hooks` outlives the
// SM. false: out of memory.
bool sm_attach(Sm *sm, struct CacheHooks *hooks, HdError *err);

// The mailboxes that the memory side empties and fills, and the log of stores that it applies.
Outbox *sm_outbox(Sm *sm);
Inbox *sm_inbox(Sm *sm);
StoreLog *sm_store_log(Sm *sm);

// Prepares for a launch that starts at core cycle `start`. allocations, pcs: sizes of the counter
// tables. Not needed for an SM that gets no block in the launch.
bool sm_begin(Sm *sm, const SmLaunch *launch, uint64_t start, size_t allocations, size_t pcs,
              HdError *err);

// Asks the mechanisms how many blocks the SM may hold at once in this launch, before it is given
// any; and their answer (SmLaunch.blocks_per_sm if they have none).
void sm_decide_block_limit(Sm *sm, const HdKernel *kernel);
unsigned sm_block_limit(const Sm *sm);

// Traces one of its warps from now on (NULL: none); the caller owns the trace.
void sm_trace(Sm *sm, SmTrace *trace);

// Blocks that are resident or queued; blocks of this launch that are finished.
unsigned sm_blocks_held(const Sm *sm);
uint64_t sm_blocks_done(const Sm *sm);
// Warp instructions issued in this launch so far (a sum over the static instructions).
uint64_t sm_instructions(const Sm *sm);
// Queues a block of the grid (linear number, x fastest). The SM starts one block per cycle
// while block slots are free.
void sm_queue_block(Sm *sm, uint64_t block);

// Runs the cycles before `until`. skip: jump over cycles in which nothing can act. false and err: a
// guest's fault, or out of memory.
bool sm_run(Sm *sm, uint64_t until, bool skip, HdError *err);

// The last cycle that was run: where a fault happened.
uint64_t sm_now(const Sm *sm);
// The fault that ended the run.
SmFault sm_fault_of(const Sm *sm);

// Where the requests of a functional launch go. `request` returns the version of the data that a
// request reads (memory/slice/version_table.h).
typedef struct FunctionalMemory {
    uint32_t (*request)(void *memory_side, const MemRequest *request);
    void *memory_side;
} FunctionalMemory;

// The most instructions of a warp's turn in a functional launch: of the first turns after its start
// or a barrier, and of the others.
typedef struct FunctionalTurns {
    uint32_t first, later;
} FunctionalTurns;

// Instead of sm_run, in a functional launch: gives every warp a turn, which ends at a barrier. Free
// block slots take queued blocks. All SMs see stores and atomics at once, so they must take turns.
// memory: the accesses warm the caches (NULL: they do not). Counts instructions, not time or
// accesses; *ran: how many there were (0: all warps wait for each other). false and err: a guest's
// fault, or out of memory.
bool sm_run_functional(Sm *sm, FunctionalTurns turns, const FunctionalMemory *memory,
                       uint64_t *ran, HdError *err);

// The next core cycle in which this SM can act without anything new from outside; UINT64_MAX: none.
uint64_t sm_next(const Sm *sm);
// Can anything happen, other than that a mechanism is asked again about warps that all wait?
bool sm_can_act(const Sm *sm);
// No block, and nothing in flight.
bool sm_idle(const Sm *sm);
// The name of a table or queue that is not empty after a launch; NULL: all are empty.
const char *sm_leftover(const Sm *sm);
// Core cycle at which the last block so far ended.
uint64_t sm_last_end(const Sm *sm);

// Ends a launch at core cycle `end`: counts the issue slots up to then and adds the counters to
// `total` (its tables are as large as in sm_begin). false: out of memory.
bool sm_collect(Sm *sm, uint64_t end, SmTables *total);

// Its requests name their warp from now on (MemRequest.warp, lanes, block).
void sm_tag_requests_with_warps(Sm *sm);

// Flits over its ports in the last launch.
LinkFlits sm_links(const Sm *sm);

// One line per warp that is not finished: its instruction and what it waits for.
void sm_describe(const Sm *sm, char *text, size_t size);
// Has a warp lanes that wait in its stack for its other lanes? With independent threads they might
// not have to.
bool sm_diverged(const Sm *sm);

#endif
