// One SM: fetch, decode, issue, operand read, units, load/store unit, first-level caches, and its
// blocks and warps. The parts are in the folders beside this header (core/sm/pipeline.h).
//
// An SM is independent of the others within a quantum. It runs up to a given cycle, reads the
// replies that the memory side has sent, and sends requests (docs/architecture.md, "Time in
// quanta").
#ifndef HEDDLE_CORE_SM_H
#define HEDDLE_CORE_SM_H

#include "core/core_config.h"
#include "core/core_counters.h"
#include "core/fault.h"
#include "core/system.h"
#include "core/trace.h"
#include "exec/exec.h"
#include "heddle/mechanism.h"
#include "memory/cache/each_cache.h"
#include "memory/clock.h"
#include "memory/packets.h"

typedef struct Sm Sm;

// The host's memory for the threads of a block, in bytes. A real GPU's registers do not count.
typedef struct BlockBytes {
    uint64_t local, parameters;     // of its threads
    uint64_t registers, predicates; // of its whole warps
    uint32_t threads;
} BlockBytes;

// A launch, shared by all SMs. Owned by the caller, and constant during the launch.
typedef struct SmLaunch {
    const PtxModule *module;
    const PtxFunction *kernel;
    const uint32_t *pc_base; // by function index of the module: its first static instruction number
    size_t first_pc, end_pc; // the launch may issue static instructions [first_pc, end_pc)
    uint32_t grid[3], block[3];
    uint32_t grid_id, sms;
    uint64_t dynamic_shared;
    uint64_t cooperation; // ExecBlock.cooperation
    const void *params;
    const uint8_t *constants; // the module's constant bank
    const struct TextureTable *textures; // the textures by handle
    CacheConfig l1d;      // the L1D's configuration, with the geometry of this launch
    uint64_t l1d_changes; // number of changes of this geometry up to this launch
    uint32_t blocks_per_sm;
    uint32_t spare_registers; // HdKernel.spare_registers
    BlockBytes block_bytes; // of one block, without what a recursion takes
    uint64_t frame_limit; // bytes of activations of a recursion on one SM
    uint64_t device_time; // less the core cycle, modulo 2^64: for %clock and %globaltimer
    double nanoseconds_per_cycle; // for %globaltimer
} SmLaunch;

// The map from addresses to the slices that own them: `place` sets owner and place of a request.
typedef struct SliceMap {
    void (*place)(const void *memory_side, MemRequest *request);
    const void *memory_side;
    unsigned slices;
    Exchange *exchange; // with the memory side
    Tick quantum;
} SliceMap;

// Executes requests to engines of mechanisms in functional launches.
typedef struct FunctionalEngines {
    void (*execute)(void *gpu, unsigned mechanism, const HdEngineRequest *request,
                    HdEngineReply *reply); // mechanism: its number in the plan
    void *gpu;
} FunctionalEngines;

// State that all SMs of a GPU share; it outlives them.
typedef struct SmShared {
    const Clocks *clocks;
    GuestMemory *guest;
    SliceMap map;
    FunctionalEngines engines;
    uint64_t seed;
    bool strict; // reports shuffles from inactive lanes
} SmShared;

Sm *sm_new(const SmConfig *config, const SmShared *shared, unsigned id, HdError *err);
void sm_free(Sm *sm);
// Attaches the mechanisms at its L1D and pipeline, before the first launch; `hooks` outlives the
// SM. false: out of memory.
bool sm_attach(Sm *sm, struct CacheHooks *hooks, HdError *err);

// The log of its stores, which are applied after each quantum.
StoreLog *sm_store_log(Sm *sm);

// Prepares for a launch that starts at core cycle `start`. allocations, pcs: sizes of the counter
// tables. Not needed for an SM that gets no block in the launch.
bool sm_begin(Sm *sm, const SmLaunch *launch, uint64_t start, size_t allocations, size_t pcs,
              HdError *err);

// Lets the mechanisms decide how many blocks the SM may hold at once in this launch, before its
// first block. sm_block_limit returns their decision, or SmLaunch.blocks_per_sm without one.
void sm_decide_block_limit(Sm *sm, const HdKernel *kernel);
unsigned sm_block_limit(const Sm *sm);

// The core cycle until which the SM's own lack of room stops its prefetches (memory.prefetch_stop);
// UINT64_MAX: it lasts. And until when a lack of other SMs does.
uint64_t sm_stopped_until(const Sm *sm);
void sm_stop_prefetches(Sm *sm, uint64_t until);

// Starts a trace of one warp slot (NULL: ends it). The caller owns the trace. false and err: out of
// memory; the trace is then not started.
bool sm_trace(Sm *sm, SmTrace *trace, HdError *err);

// Visits the SM's caches, in the order of SmCache; an L1.5 only if the machine has one.
bool sm_each_cache(Sm *sm, CacheVisit *visit, void *self, HdError *err);

// The number of resident and queued blocks; of blocks of this launch that have finished.
unsigned sm_blocks_held(const Sm *sm);
uint64_t sm_blocks_done(const Sm *sm);
// Bytes of activations of a recursion, and of registers that independent threads take on several
// paths of calls; their maximum from now on (at first SmLaunch.frame_limit).
uint64_t sm_frame_bytes(const Sm *sm);
void sm_limit_frames(Sm *sm, uint64_t bytes);
// Between launches: the bytes that the SM has touched, at most, of the storage that it holds, and
// that `blocks` blocks of the next launch will touch; frees all of it.
uint64_t sm_storage_after(const Sm *sm, const BlockBytes *next, uint64_t blocks);
void sm_drop_storage(Sm *sm);
// Warp instructions issued in this launch so far, or since sm_begin_part.
uint64_t sm_instructions(const Sm *sm);
// Queues a block of the grid (linear number, x fastest). The SM starts one block per cycle
// while block slots are free.
void sm_queue_block(Sm *sm, uint64_t block);
// launch.dispatch = cycle: whether the SM has room for a block, and waits for either a block or the
// word that there is none left.
bool sm_waits_for_dispatch(const Sm *sm);
void sm_no_more_blocks(Sm *sm);

// Runs the cycles before `until`, up to the first one after which it waits for the dispatcher. The
// caller answers and calls again. skip: jump over cycles without events. false and err: a fault of
// the guest, or out of memory.
bool sm_run(Sm *sm, uint64_t until, bool skip, HdError *err);

// The last cycle that was simulated, and so the cycle of a fault.
uint64_t sm_now(const Sm *sm);
// The fault that ended the run.
SmFault sm_fault_of(const Sm *sm);

// The receiver of an SM's requests in a functional launch. `request` returns the version of the
// data that a request reads (memory/slice/version_table.h).
typedef struct FunctionalMemory {
    uint32_t (*request)(void *receiver, const MemRequest *request);
    void *receiver;
    struct WarmLog *log;     // of lines (warm_log_of_lines), for the SM's batches; else NULL
    struct WarmBatch *batch; // inside the SM: gets all accesses, requests too; NULL: none does
} FunctionalMemory;

// A round of a functional launch.
typedef struct FunctionalRound {
    uint32_t first, later; // the most instructions of a warp's turn: of the first turns after its
                           // start or a barrier, and of the others
    uint32_t turns;        // the most turns of a warp
    // Warps take no further turns after the SM has executed this many instructions, or logged this
    // many lanes of stores and atomics.
    uint64_t instructions, lanes;
} FunctionalRound;
// What an SM has done in a round.
typedef struct FunctionalRan {
    uint64_t instructions; // 0: all warps wait for each other
    uint32_t turns;        // of each warp that does not wait
} FunctionalRan;

// Runs a round of a functional launch, instead of sm_run. Each warp takes turns, up to an
// instruction whose result depends on other SMs. A turn ends at a barrier, and after a poll without
// success, at the latest. Queued blocks start in free block slots at the round's start. Stores and
// atomics go to the SM's log, so that SMs may run in parallel (exec/round_log.h). Counts
// instructions, but neither time nor accesses. With `memory` not NULL, accesses warm the caches.
// false and err: a fault of the guest, or out of memory.
bool sm_run_functional(Sm *sm, const FunctionalRound *limits, const FunctionalMemory *memory,
                       FunctionalRan *ran, HdError *err);
// After the logs of all SMs are applied, ends the round: answers the warps that wait for engines,
// SM by SM. Returns whether there were any.
bool sm_end_functional_round(Sm *sm);
// Warp instructions executed functionally since sm_begin or sm_begin_functional.
uint64_t sm_functional_instructions(const Sm *sm);

// The next core cycle in which the SM can act without a new message; UINT64_MAX: none.
uint64_t sm_next(Sm *sm);
// Whether the SM has an event other than asking a mechanism again about warps that are all blocked.
bool sm_can_act(Sm *sm);
// Whether the SM has no block and nothing in flight.
bool sm_idle(Sm *sm);
// The name of a table or queue that is not empty after a launch; NULL: all are empty.
const char *sm_leftover(const Sm *sm);
// The core cycle at which the last finished block ended.
uint64_t sm_last_end(const Sm *sm);

// The counters of a launch, or of a part of it, take three steps. First, this counts what lasts up
// to core cycle `end`. ended: the launch has ended. Else `end` is the cycle that the SM has
// reached, and a wait for memory that goes on is not yet counted by what ends it.
void sm_count_to(Sm *sm, uint64_t end, bool ended);
// Then these add the counters up, in any order, also at the same time: those of instructions
// [first, end), which are then zero, to `rows` (by static instruction); and all others to `total`,
// whose tables have the sizes of sm_begin. false: out of memory.
void sm_move_rows(Sm *sm, size_t first, size_t end, PcCounters *rows);
bool sm_collect(Sm *sm, SmTables *total);
// Last, if the launch goes on: all counters are zero again. false: out of memory.
bool sm_begin_part(Sm *sm);

// Thread instructions issued in this launch, or since sm_begin_part.
uint64_t sm_thread_instructions(const Sm *sm);

// A launch that is cut: no instruction issues and no block starts any more, but sm_run completes
// what has issued. When all SMs and the memory side are done with that, sm_begin_functional lets
// sm_run_functional continue the launch; `now` is the cycle that the SM has reached.
void sm_stop_issue(Sm *sm);
void sm_begin_functional(Sm *sm, uint64_t now);

// Makes later requests name their warp (MemRequest.warp, lanes, block). Packets of loads and
// atomics grow by this number of bits.
void sm_add_request_fields(Sm *sm, unsigned bits);

// Watches from now on whether states of warps repeat (sm/repeats.h). Call again to forget what was
// seen. false and err: out of memory. Ends with sm_end_watch, or the launch.
bool sm_watch_repeats(Sm *sm, HdError *err);
void sm_end_watch(Sm *sm);
typedef struct SmRepeats {
    uint64_t polled;  // global address of the last load that reads what others write; 0: none
    bool all; // no store is on its way, no block only waits for replies, and each warp repeats its
              // states or is blocked
} SmRepeats;
SmRepeats sm_repeats(const Sm *sm);
// Whether the instruction, other than an atomic, may change what another warp reads or waits for,
// or what the watch does not see of the warp's own memory. Holds for the launch.
bool sm_changes_memory(const Sm *sm, const UOp *op);
// Lanes of these instructions so far, and lanes of the SM's atomics that have changed memory.
uint64_t sm_changes(const Sm *sm, const uint32_t *pcs, size_t count);
uint64_t sm_atomic_changes(const Sm *sm);

// Flits over the SM's ports in the last launch.
LinkFlits sm_links(const Sm *sm);

// Writes one line per unfinished warp: its instruction and what the warp waits for.
void sm_describe(const Sm *sm, char *text, size_t size);
// Whether lanes of a warp wait in its divergence stack for other lanes. Independent threads might
// avoid such a deadlock.
bool sm_diverged(const Sm *sm);

#endif
