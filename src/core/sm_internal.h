// The inside of an SM, shared by the files of src/core and by nobody else.
#ifndef HEDDLE_CORE_SM_INTERNAL_H
#define HEDDLE_CORE_SM_INTERNAL_H

#include "core/istore.h"
#include "core/shadow_sm.h"
#include "core/sm.h"
#include "core/trace.h"
#include "core/warp.h"
#include "core/warpset.h"
#include "core/wheel.h"
#include "exec/texture.h"
#include "hooks/core_hooks.h"
#include "memory/coalesce.h"

// ---- blocks ----

enum { BLOCK_BARRIERS = 16 };

typedef struct Barrier {
    uint32_t arrived;  // warps; with independent threads, threads
    uint32_t expected; // of them; 0: all of the block
    uint32_t votes_true, votes_counted; // threads, for bar.red
} Barrier;

typedef struct Block {
    ExecBlock exec;
    bool placed; // in this launch: it and its warps have their stores
    bool live;
    uint32_t warps, finished; // finished: without lanes and with nothing on its way either
    uint32_t units, ended;    // that barriers count, warps or threads; of them without lanes
    Barrier barriers[BLOCK_BARRIERS];
    uint16_t first_warp; // place of its first warp
} Block;

// ---- memory instructions on their way ----

// Most accesses of one instruction: a linear filter in three dimensions needs 8 texels (and a
// 16-byte element of local memory lies in four rows).
enum { RECORD_ACCESSES = 8 * HD_MAX_LANES };

// One memory instruction from issue to its last answer.
typedef struct AccessRecord {
    uint32_t next_free;
    uint32_t function, index; // the instruction
    const UOp *op;
    uint64_t issued;
    uint32_t waiting; // accesses not yet answered
    uint32_t pc;      // static instruction number
    uint32_t slot_base; // of the frame that an atomic's results go to
    uint16_t warp;
    uint8_t kind;     // MemKind, or RECORD_SHARED
    uint8_t level;    // deepest level that answered so far
    uint8_t space;    // PtxSpace
    bool bypass;      // does not use the L1D
    uint16_t count, sent; // accesses; of them given to the L1 or the network
    uint16_t passes;  // shared memory
    CoalescedAccess *accesses; // [RECORD_ACCESSES]
    uint16_t arrays[RECORD_ACCESSES];
    AtomicLanes *atomics; // one per access, for atomics
    LaneMask lanes;
    ShadowStore shadow;
} AccessRecord;
// RECORD_BORDER: a texture fetch or surface access that touches no texel.
enum { RECORD_SHARED = MEM_KINDS, RECORD_CONSTANT, RECORD_BORDER };

// What stands in the L1D's pipeline in front of the tags.
typedef struct L1Slot {
    uint64_t ready;  // cycle of the tag look-up
    uint32_t record; // access record
    uint8_t access;  // which of its accesses
} L1Slot;

typedef struct RequestQueue {
    MemRequest *items;
    uint32_t head, count, capacity;
    uint32_t *queued; // of all queues of the SM
} RequestQueue;

// What a first-level cache other than the L1D needs: instructions, constants.
typedef struct SideCache {
    Cache *cache;
    uint64_t line; // bytes
    CacheCounters count;
    RequestQueue misses;
} SideCache;

// A line has come into a cache that only reads, and one may have left.
static inline void count_line(CacheCounters *count, const CacheVictim *victim)
{
    count->evictions += victim->evicted;
    count->insertions += victim->inserted;
}

// A cache access that was refused and is tried again when something has changed.
typedef struct Refused {
    bool blocked; // nothing has changed since
    bool pending; // its cycles are counted at the next try
    CacheRefusal reason;
    uint64_t since;
} Refused;

// Which warps a mechanism lets issue.
typedef struct Hold {
    bool on;        // a mechanism decides
    bool stale;     // what it decided by has changed
    uint64_t again; // the cycle in which to ask it at the latest
    HdWarpSet loads, anything;     // its answer
    HdWarp warps[WARPSET_MOST];    // room for the question ...
    uint16_t blocks[WARPSET_MOST]; // ... and for the order of age
} Hold;
_Static_assert((int)WARPSET_MOST == (int)HD_MAX_WARPS, "a mechanism's sets hold an SM's warps");

struct Sm {
    SmConfig config;
    const Clocks *clocks;
    unsigned id, slices;
    unsigned (*slice_of)(const void *memory_side, uint64_t address);
    const void *memory_side;
    GuestMemory *guest;
    uint64_t seed;
    uint64_t now;
    HdError *err; // of the current sm_run
    bool failed;
    SmFault fault; // why

    const SmLaunch *launch;
    Wheel wheel;

    // warps and blocks
    Warp *warps;
    struct WarpStores { // what the warps point into; grown by the launch that needs more
        void *slots, *predicates, *frame_params, *local, *frames, *pending, *shared;
        size_t slots_size, predicates_size, frame_params_size, local_size, frames_size,
            pending_size, shared_size;
    } store;
    unsigned warp_places, warps_live, warps_per_block;
    Block *blocks;
    unsigned block_places, blocks_live;
    unsigned block_limit; // blocks that it holds at once: all its places, or what a mechanism says
    uint64_t *queued_blocks;
    unsigned queued_head, queued_count, queued_capacity;
    uint64_t blocks_done, next_age, last_end;
    uint32_t scoreboard_words;

    // schedulers
    unsigned schedulers, set_words;
    unsigned first_scheduler; // that tries first in the next cycle
    struct Scheduler {
        WarpSet state[WARP_STATES]; // exclusive
        WarpSet ready[PORTS];       // WARP_READY by port
        unsigned last;              // last issued warp (local number)
        WarpSet active;             // two-level: the inner set
        unsigned active_count;
    } *scheduler;

    // front end
    WarpSet fetch_wanted;  // by place on the SM: warps that may fetch
    unsigned fetch_last;   // place of the warp fetched for last
    InstructionStore istore;
    WarpSet lookup_wanted; // ... that look for their next instruction in the store
    WarpSet store_blocked; // ... that wait for a place in the store
    unsigned lookup_last;   // place of the warp that looked for last
    uint64_t next_store_age;
    unsigned place_words;  // words of a set of places
    SideCache l1i;

    // operands and units
    uint64_t *bank_free;
    struct PortState {
        uint64_t *latch;     // cycle at which each place of the issue latch is free again
        uint64_t *collector; // ... each collector
        uint64_t *unit;      // ... each unit can start the next instruction
        unsigned latches, collectors, units;
        unsigned latch_next; // the place of latch[] that comes free first
        uint64_t latch_free; // earliest of latch[]
    } port[PORTS];
    unsigned port_of[OP_CLASSES];
    unsigned mem_taken, mem_room; // instructions between issue and the load/store unit

    // load/store unit
    AccessRecord *records; // pool; index 0 is never used
    uint32_t record_capacity, record_free, records_live;
    uint32_t *lsu_queue;   // ring: instructions with their operands, in order
    unsigned lsu_head, lsu_count, lsu_capacity;
    uint32_t lsu_current;  // the record whose accesses are being made, 0: none
    uint64_t lsu_free;     // cycle from which it takes the next instruction or pass
    L1Slot *l1_pipe;       // ring of l1d latency x banks entries
    unsigned l1_head, l1_count, l1_capacity;
    uint64_t l1_last;      // cycle of the last tag look-up
    unsigned l1_used;      // look-ups in that cycle
    Refused l1_head_refused;   // the access at the head of l1_pipe
    Refused side_refused;      // the current access, to the constant or read-only cache ...
    SideCache *side_refused_by; // ... which is this
    bool lsu_waits;        // the current access could not be made and nothing has changed since
    Cache *l1d;
    CacheHooks *l1_hooks; // mechanisms; NULL: none
    bool names_warps;     // requests say whose they are: mechanisms at the L2 want to know
    bool prefetching;     // EVENT_PREFETCH is set
    CacheConfig l1d_config;
    uint64_t l1d_changes; // as in the SmLaunch that it was made for
    RequestQueue l1d_misses, bypass;
    RequestQueue copy_backs; // of mechanisms; sent where nothing else can be
    SideCache l1c, l1r;
    uint32_t *fill_tokens; // room for one MSHR entry's requests
    uint64_t wake_free;    // next cycle of the port that hands data to waiting loads

    // network
    bool functional;       // of the launch: values only (functional.c) ...
    uint64_t steps;        // ... instructions so far
    Outbox outbox;
    Inbox inbox;
    uint32_t *credits;       // by slice
    uint32_t queued;         // requests in all miss queues
    LinkFlits links;         // over its two ports, in this launch
    uint64_t inject_free;    // network cycle from which the injection port is free
    uint64_t eject_free;     // the same of the ejection port
    size_t writebacks_out;   // write-backs that have not been acknowledged
    uint64_t eject_head;     // core cycle at which the first reply is in whole; 0: not yet known
    bool inject_blocked;     // no head of a queue has a credit
    bool inject_news;        // ... but a request has come to its queue since the last try
    uint64_t inject_blocked_since;
    StoreLog *log;
    SystemCalls system;

    SmTrace *trace; // NULL: none
    ShadowSm shadow;

    // counters
    SmTables count;
    uint64_t accounted; // slots are accounted up to this cycle
    size_t arrays, pcs;
    size_t first_pc, end_pc; // rows of `count` that this launch may use
    uint16_t *array_hint; // by static instruction

    Hold hold;
};

typedef struct Scheduler Scheduler;
typedef struct PortState PortState;

// ---- block.c ----
bool blocks_allocate(Sm *sm);
void blocks_free(Sm *sm);
bool block_start(Sm *sm, uint64_t number);
// A warp has no lanes and nothing on its way any more.
void warp_finish(Sm *sm, Warp *w);
// The same, where a warp without lanes may have had its last answer: finishes it if so.
void warp_check_end(Sm *sm, Warp *w);
// The warp arrives at (and, for BAR_ARRIVE, passes) a barrier.
bool barrier_arrive(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
// Barriers of the block that a warp's exit completes.
void barrier_check(Sm *sm, Block *block);

// ---- issue.c ----
// Puts the warp into the set that fits what its next instruction waits for.
void warp_classify(Sm *sm, Warp *w);
// Adds the warp's cycles since the last change to what its instruction `pc` waited for.
static inline void warp_count(Sm *sm, Warp *w, uint32_t pc)
{
    uint64_t cycles = sm->now - w->since;
    if (!cycles) return; // it has changed in this cycle before
    sm->count.pcs[pc].waits[w->state] += cycles;
    w->since = sm->now;
}
// The warp goes on after a barrier or a sleep.
void warp_pass_barrier(Sm *sm, Warp *w);
// An answer for instruction `pc`, about `array`, has ended a wait for memory of so many cycles.
void warp_waited(Sm *sm, uint32_t pc, uint32_t array, WaitEnd end, uint64_t cycles);
// The next instruction touches what an atomic of this warp is still out for: it waits for an
// answer.
void warp_wait_for_atomic(Sm *sm, Warp *w);
void issue_cycle(Sm *sm);
// Takes the warp out of a two-level scheduler's inner set until it is ready.
void issue_set_aside(Sm *sm, const Warp *w);
// Accounts the slots of the cycles [accounted, until), in which nothing was issued.
void issue_account_idle(Sm *sm, uint64_t until);
// The next cycle in which a ready warp finds its port free; now + 1 at least, UINT64_MAX: none.
uint64_t issue_next(const Sm *sm);
static inline bool scoreboard_has(const uint64_t *bits, unsigned r)
{
    return bits[r >> 6] >> (r & 63) & 1;
}
// Releases the results of an instruction.
void scoreboard_release(Sm *sm, Warp *w, const UOpTiming *timing);

// ---- hold.c: warps that a mechanism holds back ----
// A launch begins.
void hold_begin(Sm *sm);
// A warp has come, has lost its last lane, or has reached or left a barrier.
static inline void hold_news(Sm *sm) { sm->hold.stale = true; }
// Asks the mechanism, where it is time.
void hold_cycle(Sm *sm);
// Is the warp's next instruction, which could issue, held back? It gives up its place in a shared
// store then.
bool hold_back(Sm *sm, Warp *w, const UOp *op);
// The next cycle in which to ask; UINT64_MAX: none.
uint64_t hold_next(const Sm *sm);
// Is a warp held back, which it may let go?
bool hold_any(const Sm *sm);
// What mechanisms are shown of it.
HdWarp hold_warp(const Warp *w);

// ---- frontend.c ----
// Makes what frontend.buffer asks for. false: memory is out.
bool frontend_init(Sm *sm);
void frontend_cycle(Sm *sm);
// Where a static instruction lies for the caches, and what the L1I asks for where it is not there.
uint64_t frontend_address(const Sm *sm, uint32_t pc);
MemRequest frontend_request(const Sm *sm, uint32_t pc);
// The warp has no instruction: it looks for it in the store, or fetches.
void frontend_want(Sm *sm, Warp *w);
// An instruction line has come.
void frontend_fill(Sm *sm, uint64_t address);
// What it fetched at static instruction `pc` is decoded.
void frontend_fetched(Sm *sm, Warp *w, unsigned count, uint32_t pc);
// An instruction has issued (static number `pc`) and the warp has moved on: the next one is at
// hand, or is looked for.
void frontend_advance(Sm *sm, Warp *w, uint32_t pc);
// The warp goes on elsewhere without having issued.
void frontend_redirect(Sm *sm, Warp *w);
// The next instruction of the warp is decoded and at hand.
static inline bool frontend_ready(const Warp *w)
{
    return w->buffered && w->buffer_pc == w->pc_base + w->pc;
}
// Anything to do in the next cycle?
static inline bool frontend_busy(const Sm *sm)
{
    return warpset_any(&sm->fetch_wanted, sm->place_words) ||
           warpset_any(&sm->lookup_wanted, sm->place_words);
}

// ---- store.c: with frontend.buffer=shared-store ----
static inline bool shared_store(const Sm *sm) { return sm->istore.entries; }
static inline uint32_t instructions_per_entry(const Sm *sm)
{
    return (uint32_t)(sm->config.frontend->fetch_bytes / sm->config.frontend->instruction_bytes);
}
// Warps look for their next instruction.
void store_cycle(Sm *sm);
// What the warp fetched is decoded.
void store_decoded(Sm *sm, Warp *w);
void store_advance(Sm *sm, Warp *w, uint32_t pc);
// The warp points to its entry no more.
void store_give_up(Sm *sm, Warp *w);
// The warp may go on after a barrier or a sleep (with or without a store).
void store_woken(Sm *sm, Warp *w);

// ---- operand.c ----
// Room in the port's latch this cycle?
static inline bool port_has_room(const Sm *sm, unsigned p)
{
    return p == PORT_MEM ? sm->mem_taken < sm->mem_room : sm->port[p].latch_free <= sm->now;
}
// Reserves latch, collector, banks and unit for an instruction issued now at a port that is not
// PORT_MEM; the cycle of its write-back.
uint64_t operand_schedule(Sm *sm, const Warp *w, const UOp *op, const UOpTiming *timing,
                          unsigned p);
// The same for PORT_MEM; the cycle at which it reaches the load/store unit.
uint64_t operand_schedule_memory(Sm *sm, const Warp *w, const UOp *op, const UOpTiming *timing);
void operand_write(Sm *sm, const Warp *w, const UOpTiming *timing);

// ---- execute.c ----
typedef enum IssueOutcome { ISSUE_DONE, ISSUE_BLOCKED, ISSUE_FAILED } IssueOutcome;
// Computes the warp's next instruction and sends it down the pipeline. ISSUE_BLOCKED: it must wait
// for one of its own atomics (nothing has changed).
IssueOutcome execute_issue(Sm *sm, Warp *w);
// The same, with what a trace shows of it.
IssueOutcome execute_traced(Sm *sm, Warp *w, SmTrace *trace);
// The values of an instruction that is no memory access; counts it by instruction and lanes.
void execute_values(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
void execute_count(Sm *sm, uint32_t pc, LaneMask lanes);
// Control, barriers, fences: takes the path. false: a fault.
bool execute_control(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, uint32_t reconverge);
// The warp's lanes have all exited.
void execute_end(Sm *sm, Warp *w);
// The warp stands until its own event wakes it; ... which comes after so many cycles.
void warp_stand(Sm *sm, Warp *w);
bool warp_sleep(Sm *sm, Warp *w, uint64_t cycles);
static inline bool execute_is_memory(const UOp *op)
{
    return op->code == UOP_LD || op->code == UOP_ST || op->code == UOP_ATOM ||
           op->code == UOP_RED || op->code == UOP_TEX || op->code == UOP_SULD ||
           op->code == UOP_SUST || op->code == UOP_SURED;
}

// ---- access.c: memory instructions at issue ----
// Where a warp's local memory lies for the caches: outside every guest array.
#define LOCAL_BASE (UINT64_C(4) << 44)
static inline uint64_t local_base(const Sm *sm, const Warp *w)
{
    uint64_t width = sm->config.core->width;
    uint64_t warp = (uint64_t)sm->id * (sm->config.core->threads / width) + w->id;
    return LOCAL_BASE + warp * w->exec.local_stride * width;
}
// *lanes: those inside of the guard; behind it, those that have done it (access_resolve).
IssueOutcome access_issue(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes);
// A load or store of a device function's parameters: values only. false: a fault.
bool access_frame_param(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
// The parts of access_issue that values alone need too. The space (never GENERIC) and address of
// each lane's access, checked in global memory, and the array that all lie in. Where generic
// addresses lie in several spaces, *lanes and the path become those of one. false: a fault.
bool access_resolve(Sm *sm, Warp *w, const UOp *op, LaneMask *lanes, uint64_t *addresses,
                    PtxSpace *space, unsigned *array);
// The values of an access to a space that belongs to a block or thread. false: a fault.
bool access_private(Sm *sm, Warp *w, const UOp *op, PtxSpace space, LaneMask lanes,
                    const uint64_t *addresses);
// Fills in what the load/store unit does for the access: r's op, pc, space and lanes are set.
bool access_shape(Sm *sm, Warp *w, const UOp *op, AccessRecord *r, const uint64_t *addresses,
                  unsigned array);
// ... for an access that touches nothing.
void access_shape_nothing(AccessRecord *r);
// Does the warp have an atomic out on a line that one of these addresses lies in?
bool access_meets_own_atomic(const Sm *sm, const Warp *w, LaneMask lanes,
                             const uint64_t *addresses);
// Checks alignment and bounds of a global access, and names the array of all its lanes
// (GUEST_NO_ARRAY: they lie in several). false: a fault.
bool access_check_global(Sm *sm, const Warp *w, LaneMask lanes, const uint64_t *addresses,
                         unsigned bytes, uint32_t pc, unsigned *array);
// The record of the warp's next instruction, without its accesses; counts it and sends it to the
// load/store unit when it has them. NULL, ISSUE_FAILED: memory is out.
AccessRecord *access_record(Sm *sm, const Warp *w, const UOp *op, PtxSpace space, LaneMask lanes,
                            uint32_t *index);
IssueOutcome access_send(Sm *sm, Warp *w, AccessRecord *r, uint32_t index);
AccessRecord *record_new(Sm *sm, uint32_t *index);
void record_free(Sm *sm, uint32_t index);
// One access of the record has been answered by `level`.
void record_answered(Sm *sm, uint32_t index, MemLevel level);

// ---- texture.c ----
// A texture fetch at issue; without time (false: a fault).
IssueOutcome texture_issue(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
bool texture_now(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const FunctionalMemory *touch);

// ---- lsu.c ----
// The number in the grid, the lower 32 bits, of the block whose access it is.
uint32_t access_block(const Sm *sm, const AccessRecord *r);
void lsu_push(Sm *sm, uint32_t record);
void lsu_cycle(Sm *sm);
uint64_t lsu_next(const Sm *sm);
// Something has changed (a fill, room in a queue): refused accesses are tried again.
void lsu_retry(Sm *sm);
// Mechanisms at the L1D: one sector of a prefetch is looked up, where nothing else wants the tags.
void lsu_prefetch(Sm *sm);
// Data for one of the caches: fills it and wakes the loads that waited.
void lsu_fill(Sm *sm, const MemReply *reply);
// Takes a record's access through the first-level caches outside the simulated time, and what they
// do not hold to `touch`.
void lsu_touch(Sm *sm, const AccessRecord *r, unsigned access, const FunctionalMemory *touch);

// ---- trace.c: what a traced warp does; each site asks trace_of first ----
// The trace, where this warp is shown in this cycle; or NULL.
SmTrace *trace_wanted(const Sm *sm, unsigned warp);
static inline SmTrace *trace_of(const Sm *sm, unsigned warp)
{
    return __builtin_expect(sm->trace != NULL, 0) ? trace_wanted(sm, warp) : NULL;
}
void trace_start(SmTrace *t, const Sm *sm, const Warp *w);
void trace_end(SmTrace *t, const Sm *sm);
// An instruction of these lanes, before it is done.
void trace_issue(SmTrace *t, const Sm *sm, const Warp *w, LaneMask lanes);
// ... and behind it: `before` is the warp as it was.
typedef struct TraceBefore {
    const PtxFunction *function;
    ExecWarp exec; // where its registers lie
    uint32_t index, paths;
} TraceBefore;
TraceBefore trace_before(const Warp *w);
void trace_results(SmTrace *t, const Warp *w, const TraceBefore *before, LaneMask lanes);
void trace_access(SmTrace *t, const Sm *sm, const AccessRecord *r, const uint64_t *addresses);
void trace_texture(SmTrace *t, const Sm *sm, const AccessRecord *r, const TextureFetch *fetch);
// What became of access `access` of a record: "L1D: hit".
void trace_cache(SmTrace *t, const Sm *sm, const AccessRecord *r, unsigned access,
                 const char *cache, const CacheResult *result);
void trace_answer(SmTrace *t, const Sm *sm, const AccessRecord *r, MemLevel level);
void trace_written(SmTrace *t, const Sm *sm, uint32_t function, uint32_t index);
void trace_passed(SmTrace *t, const Sm *sm, const Warp *w);
// Independent threads: the warp, which stood, goes on; its path waits for the lanes of its mask.
void trace_woken(SmTrace *t, const Sm *sm, const Warp *w);
void trace_waits(SmTrace *t, const Sm *sm, const Warp *w, const TraceBefore *before);

// ---- network.c ----
bool queue_init(RequestQueue *queue, uint32_t capacity, uint32_t *queued);
void queue_push(RequestQueue *queue, const MemRequest *request); // room was checked
void network_receive(Sm *sm);
void network_send_queued(Sm *sm);
static inline void network_send(Sm *sm)
{
    sm->inject_news = false;
    if (sm->queued) network_send_queued(sm);
}
uint64_t network_next(const Sm *sm);

// ---- sm.c ----
// Starts the next queued block where one has a place. false: memory is out.
bool sm_start_block(Sm *sm);

// ---- system.c: what kernels ask of the system (core/system.h) ----
// Carries out a UOP_SYSTEM. false: a fault.
bool system_call(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
// Of an access, once for each instruction: has it been noticed; it is now. false: memory is out.
static inline bool system_noticed(const Sm *sm, uint32_t pc)
{
    return pc < sm->system.noticed_size && sm->system.noticed[pc];
}
bool system_notice(Sm *sm, const Warp *w, unsigned lane, uint32_t pc, const char *what);
void system_free(Sm *sm);

// ---- fault.c ----
enum { FAULT_PLACE = 1024, FAULT_LINE = 80 }; // bytes of texts
static inline const PtxFunction *warp_function(const Warp *w)
{
    return w->frames[w->frame].function;
}
// "98", or "98 (bfs.cu:12)" where the source is known: the line of an instruction.
void fault_line(const PtxModule *module, const UOpTiming *timing, char text[FAULT_LINE]);
// "test.ptx:7: kernel (walk.cu:42), block (0,0,0), thread (37,0,0): " of instruction `index`.
void fault_place(const Sm *sm, const Warp *w, const PtxFunction *f, uint32_t index, unsigned lane,
                 char *text, size_t size);
// Fails with that place, `what`, and the instruction.
bool fault_text(const Sm *sm, const Warp *w, const PtxFunction *f, uint32_t index, unsigned lane,
                HdError *err, const char *what);
bool sm_out_of_memory(Sm *sm, const char *what);
// Says of the fault that is recorded next what it is (else a trap) and, where it is about one, the
// address.
static inline void sm_fault_as(Sm *sm, GpuFault kind, uint64_t address)
{
    sm->fault = (SmFault){kind, address};
}
// Records a guest's fault: kernel, PTX line, source line, thread; then `format`.
bool sm_fault(Sm *sm, const Warp *w, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
