// One SM: fetch, decode, issue, operand read, units, load/store unit, first-level caches, and the
// blocks and warps that are on it.
//
// An SM knows nothing of the others. It runs on its own up to a given cycle, reading what the
// memory side put into its inbox and writing what it sends into its outbox
// (docs/design.md, "Time").
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

// What belongs to one launch and is the same for all SMs; owned by the caller, constant meanwhile.
typedef struct SmLaunch {
    const PtxModule *module;
    const PtxFunction *kernel;
    const uint32_t *pc_base; // by function index of the module: its first static instruction number
    size_t first_pc, end_pc; // static instructions that it may issue, the second not included
    uint32_t grid[3], block[3];
    uint32_t grid_id, sms;
    uint64_t dynamic_shared;
    uint64_t cooperation; // ExecBlock.cooperation
    const void *params;
    const uint8_t *constants; // the module's constant bank
    const struct TextureTable *textures; // what handles stand for
    CacheConfig l1d;          // resolved geometry
    uint64_t l1d_changes;     // launches before it whose geometry was not the one before
    uint32_t blocks_per_sm;
    double nanoseconds_per_cycle; // for %globaltimer
} SmLaunch;

Sm *sm_new(const SmConfig *config, const Clocks *clocks, unsigned id, unsigned slices,
           unsigned (*slice_of)(const void *memory_side, uint64_t address), const void *memory_side,
           GuestMemory *guest, uint64_t seed, HdError *err);
void sm_free(Sm *sm);
// The mechanisms at its L1D and pipeline, before the first launch; `hooks` outlives the SM. false:
// memory is out.
bool sm_attach(Sm *sm, struct CacheHooks *hooks, HdError *err);

// The mailboxes and the log that the memory side takes from and gives to.
Outbox *sm_outbox(Sm *sm);
Inbox *sm_inbox(Sm *sm);
StoreLog *sm_store_log(Sm *sm);

// Prepares for a launch that starts at core cycle `start`. arrays, pcs: sizes of the counter
// tables. An SM that takes no part in a launch may be left out: nothing between the calls runs it.
bool sm_begin(Sm *sm, const SmLaunch *launch, uint64_t start, size_t arrays, size_t pcs,
              HdError *err);

// Asks its mechanisms how many blocks it may hold at once in this launch, before it is given any;
// and what they said (SmLaunch.blocks_per_sm where they say nothing).
void sm_decide_block_limit(Sm *sm, const HdKernel *kernel);
unsigned sm_block_limit(const Sm *sm);

// Shows what one of its warps does from now on (NULL: none); the caller owns it.
void sm_trace(Sm *sm, SmTrace *trace);

// Blocks that are resident or queued; how many of the handed-over ones are finished.
unsigned sm_blocks_held(const Sm *sm);
uint64_t sm_blocks_done(const Sm *sm);
// Warp instructions issued in this launch so far (a sum over the static instructions).
uint64_t sm_instructions(const Sm *sm);
// Queues a block of the grid (linear number, x fastest). The SM starts one block per cycle as
// places are free.
void sm_queue_block(Sm *sm, uint64_t block);

// Runs the cycles before `until`. skip: jump over cycles in which nothing can act. false and err: a
// guest's fault or memory out.
bool sm_run(Sm *sm, uint64_t until, bool skip, HdError *err);

// The last cycle that was run: where a fault happened.
uint64_t sm_now(const Sm *sm);
// What kind of fault ended it.
SmFault sm_fault_of(const Sm *sm);
// Where an SM's requests go that are made outside the simulated time. Returns the stamp of the data
// that one reads (memory/stamps.h).
typedef struct FunctionalMemory {
    uint32_t (*request)(void *memory_side, const MemRequest *request);
    void *memory_side;
} FunctionalMemory;

// The most instructions of a warp's turn without time: of the first ones behind its start or a
// barrier, and of the others.
typedef struct FunctionalTurns {
    uint32_t first, later;
} FunctionalTurns;

// Instead of sm_run: gives every warp a turn, values only; a warp's turn ends at a barrier. Free
// places take queued blocks. Stores and atomics are seen by all SMs at once, so the SMs must take
// turns. Where touch is not NULL, the accesses leave in the caches what they would. Counts
// instructions, not time or accesses; *ran: how many there were (0: all warps wait for each other).
// false and err: a guest's fault or memory out.
bool sm_run_functional(Sm *sm, FunctionalTurns turns, const FunctionalMemory *touch, uint64_t *ran,
                       HdError *err);

// The next core cycle in which this SM can act without anything new from outside; UINT64_MAX: none.
uint64_t sm_next(const Sm *sm);
// Is that a cycle in which more may happen than that a mechanism is asked again about warps that
// all wait?
bool sm_can_act(const Sm *sm);
// No block, nothing on its way.
bool sm_idle(const Sm *sm);
// What is left of a launch where nothing should be (a table, a queue), or NULL.
const char *sm_leftover(const Sm *sm);
// Core cycle at which the last block so far ended.
uint64_t sm_last_end(const Sm *sm);

// Ends a launch at core cycle `end`: accounts the slots up to then and adds the counters to
// `total` (its tables as large as in sm_begin). false: memory is out.
bool sm_collect(Sm *sm, uint64_t end, SmTables *total);

// Its requests say from now on whose they are (MemRequest.warp, lanes, block).
void sm_tag_requests_with_warps(Sm *sm);

// Flits over its ports in the last launch.
LinkFlits sm_links(const Sm *sm);

// One line per warp that is not finished: where it stands and what it waits for.
void sm_describe(const Sm *sm, char *text, size_t size);
// Has a warp lanes that wait in its stack for others of it? With independent threads they might not
// have to.
bool sm_diverged(const Sm *sm);

#endif
