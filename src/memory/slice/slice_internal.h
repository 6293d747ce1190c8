// A slice's state, for the files that implement slice.h: slice.c (life, cycle, reports),
// slice_lookup.c (tags), slice_fill.c (fills, atomics), slice_reply.h (replies), slice_dram_path.c
// (to the DRAM channels and back), slice_hooks.c, slice_copy_back.c, slice_prefetch.c and
// slice_engine.c (mechanisms). No other file includes it.
//
// The slice makes one lookup of a request at a time: of a sector of the cache or, if its cache is
// sectored, of all sectors of the request.
#ifndef HEDDLE_MEMORY_SLICE_SLICE_INTERNAL_H
#define HEDDLE_MEMORY_SLICE_SLICE_INTERNAL_H

#include "base/inline.h"
#include "hooks/engine_hooks.h"
#include "memory/cache/controller.h"
#include "memory/link.h"
#include "memory/slice/atomic_unit.h"
#include "memory/slice/slice.h"
#include "memory/slice/version_table.h"

// Cycles and look-ups are built twice: for usual slices (Slice.usual), and for all.

enum { NO_REQUEST = UINT32_MAX };

// A request from its first lookup until its last reply is ready.
typedef struct SliceRequest {
    MemRequest *request;
    Packet *packet;   // of the request; NULL: an engine's read
    uint64_t address; // of its line, in the slice's space
    uint64_t ready;   // L2 cycle at which the lookups served so far can leave
    uint8_t reader;   // 1 + index in hooks->items of the mechanism whose engine reads, and
                      // request->token is the read's entry; 0: a request of an SM
    uint8_t waiting;  // fetches that it waits for
    uint8_t level;    // MemLevel
    uint32_t sideband_tags;   // sideband tags of the reply
    uint32_t version;   // version of the data: the lowest of its lookups
    bool accepted;    // every lookup has been made
    bool dropped;     // a prefetch that gets no data: a channel has dropped a fetch of its
    uint32_t next;    // free list
    ShadowData shadow; // data read, for the reply
    ShadowTimes looked_up;
} SliceRequest;

// The requests that engines have taken and not answered.
typedef struct TakenRequests {
    Packet **items; // NULL: free
    size_t count, capacity;
    uint32_t *free; // indices of the free ones
    size_t free_count, free_capacity;
} TakenRequests;

// The stages of a slice's cycle, in their order. Engines (slice_engine.c) have a cycle of their
// own.
typedef enum SliceStage {
    STAGE_SEND,    // a sector goes from the pipe to its channel
    STAGE_RETURN,  // a sector goes from a channel's return queue to the fill pipe
    STAGE_FILL,    // a sector is written into the data array
    STAGE_OWED,    // a write that is owed goes to the miss queue
    STAGE_LOOK_UP, // the head request, or an engine's read, looks up the tags
    STAGE_PREFETCH,
    SLICE_STAGES
} SliceStage;

// The links between its stages. The first one has the miss queue and the pipe behind it.
typedef enum SliceLink { LINK_MISSES, LINK_RETURNED, LINK_FILLS, LINK_OWED, SLICE_LINKS } SliceLink;

typedef struct Miss { // on its way to a channel
    LinkTime time;    // in the pipe: when it can leave it. In the miss queue: when it came
    uint64_t line;    // address of a line or sector, in the slice's space
    uint32_t lookups; // of the line, one bit each; bit 0 begins at `line`
    uint8_t sectors;  // a sectored cache: of the line, as one DRAM request; else 0
    bool write;
    bool background;  // no request waits for it
    bool speculative; // as in DramRequest
    uint16_t prefetcher;  // as in DramRequest
    ChannelAddress below; // of line; set by slice_push_miss
    ShadowData shadow;    // of a write
} Miss;

typedef struct Returned { // read by a channel
    LinkTime time;
    uint64_t address;
    uint16_t channel;
    uint8_t sectors; // as in Miss
    bool background;
    bool dropped;    // there are no data
    ShadowData shadow;
} Returned;

typedef struct Fill { // on its way to the data array
    LinkTime time;
    uint64_t address;
    uint8_t sectors; // as in Miss
    bool background;
    bool dropped;    // there are no data
    ShadowData shadow;
} Fill;

typedef struct Owed { // L2 off: bytes that an atomic has written
    LinkTime time;
    uint64_t line; // address in the slice's space
    ShadowData shadow;
} Owed;

struct Slice {
    const SliceContext *context;
    GroupCounts *counts;
    SliceDue *due;
    CacheController controller; // its misses are in LINK_MISSES
    CacheHooks *hooks; // mechanisms; NULL: none
    bool sectored;     // a lookup is to several sectors of 32 bytes of a line
    VersionTable *versions;    // of lines that L1Ds copy back; NULL: no mechanism copies back
    unsigned number, group;
    InPort in;
    OutPort out;
    SliceRequest *requests;
    MemRequest *reads; // of engines, by the index of their entry in `requests`
    uint32_t free_request;  // given back; NO_REQUEST: none
    uint32_t requests_used; // the first ones were ever used

    uint32_t head;      // index of the head request after its first lookup was tried
    uint32_t head_left; // its lookups that are not made yet

    uint64_t at[SLICE_STAGES]; // when each stage is due; CYCLE_NEVER: it waits for another stage
    Link links[SLICE_LINKS];
    uint32_t pipe_length;
    uint32_t piped;      // of LINK_MISSES, the oldest ones: in the pipe
    uint64_t last_entry; // when the newest of these has entered it
    uint64_t pipe_since; // since when the pipe has had room, if it has been full
    AtomicUnit atomic_unit;
    uint64_t atomic_changes; // lanes of atomics so far that have changed memory

    uint64_t port_free; // the data port's next cycle
    uint64_t fill_free; // the fill port's
    unsigned stall;     // why the head is not served: controller.stall; SLICE_STALL_NONE: it is
    uint64_t channel_stall_since; // a channel's queue has no room for the pipe's oldest entry since
                                  // then; CYCLE_NEVER: it has
    uint64_t last;                // cycle done
    bool every_cycle, started, failed;
    bool usual; // no mechanisms are here, the L2 is on, and stages run only if they are due
    bool ranks; // mechanisms may prefetch, and channels distinguish their prefetches; then a lookup
                // that promotes one concerns a channel, so that the slice is not usual

    bool engines;                // a mechanism has an engine here
    bool read_turn;              // the next lookup is for an engine's read, if one waits
    uint64_t engine_cycle;       // of the engines: the last one; news are for later ones
    uint64_t engine_stall_since; // no room in an engine for the request at the input since then;
                                 // CYCLE_NEVER: there is
    TakenRequests taken;

    bool prefetch_waits; // the next prefetch found no room; nothing has changed since

    LookupLog lookup_log;
    size_t background;
    uint64_t stall_queue;
    IcntCounters icnt;
    ShadowSlice shadow;
};

static inline Tick slice_tick(const Slice *slice, uint64_t cycle)
{
    return clock_tick(&slice->context->clocks, CLOCK_L2, cycle);
}

// Adds a packet of a reply. When it leaves is asked at the end of the group's run.
static inline void slice_add_packet(Slice *slice, Transit *packet)
{
    out_port_add(&slice->out, packet, &slice->context->icnt);
    slice->due->out = 0;
}
// Whether the reply queue has no room in `cycle`. Replies that have left before are sent only now,
// or at the end of the group's run: when a reply leaves is known beforehand.
static inline bool slice_replies_full(Slice *slice, uint64_t cycle)
{
    uint32_t places = slice->context->config.slice->reply_queue;
    if (slice->out.waiting_count < places) return false;
    slice_send_until(slice, slice_tick(slice, cycle));
    return slice->out.waiting_count >= places;
}
// The first cycle after the one in which the first reply leaves, after slice_replies_full.
// CYCLE_NEVER: the crossbar's queue has no room for it, and slice_free_out_flits wakes the slice.
uint64_t slice_room_cycle(const Slice *slice);

// Takes the oldest request out of the input buffer. Its SM gets the credit back.
static inline Packet *slice_accept(Slice *slice, uint64_t cycle)
{
    Transit *request = in_port_head(&slice->in);
    in_port_pop(&slice->in);
    request->time = slice_tick(slice, cycle) + slice->context->icnt.reply;
    request->from = (uint16_t)slice->number;
    slice->counts->finished += packet_without_reply(request->packet);
    exchange_answer(slice->context->exchange, slice->group, request);
    return request->packet;
}

// A stage may have something to do from `cycle` on. Not within a cycle of the slice.
void slice_wake(Slice *slice, SliceStage stage, uint64_t cycle);

static inline void slice_due(Slice *slice, SliceStage stage, uint64_t cycle)
{
    if (cycle < slice->at[stage]) slice->at[stage] = cycle;
}

static inline uint32_t slice_misses_queued(const Slice *slice)
{
    return slice->links[LINK_MISSES].count - slice->piped;
}
static inline bool slice_miss_queue_full(const Slice *slice)
{
    return slice_misses_queued(slice) == slice->context->config.l2->miss_queue;
}
// Free entries of the miss queue, as many as CacheAccess.room can say.
static inline uint8_t slice_miss_room(const Slice *slice)
{
    uint32_t room = slice->context->config.l2->miss_queue - slice_misses_queued(slice);
    return (uint8_t)(room > UINT8_MAX ? UINT8_MAX : room);
}

// Whether a mechanism's prefetch waits for a lookup.
static inline bool slice_prefetches(const Slice *slice)
{
    return slice->hooks && slice->hooks->prefetches &&
           prefetch_queues_pending(slice->hooks->prefetches);
}

// ---- slice_dram_path.c ----

// Moves misses from the miss queue to the pipe, one in each cycle up to this one. Returns whether
// any was moved.
bool slice_enter_pipe_further(Slice *slice, uint64_t cycle); // some wait
static inline bool slice_enter_pipe(Slice *slice, uint64_t cycle)
{
    return slice->piped != slice->links[LINK_MISSES].count &&
           slice_enter_pipe_further(slice, cycle);
}
// When the next miss can enter the pipe; CYCLE_NEVER: none waits, or the pipe is full.
uint64_t slice_next_entry(const Slice *slice);
// Stages of a cycle.
void slice_send_to_channel(Slice *slice, uint64_t cycle);
void slice_take_returned(Slice *slice, uint64_t cycle);
bool slice_send_owed_write(Slice *slice, uint64_t cycle); // false: the miss queue has no room
// Appends to the miss queue, in a cycle of the slice. There is room.
void slice_push_miss(Slice *slice, const Miss *miss);
// Demand accesses want the data at `address` in the slice's space, which only prefetches wanted so
// far: their misses are no longer speculative, wherever they are. sectors: as in Miss.
void slice_promote(Slice *slice, uint64_t address, uint8_t sectors, uint64_t cycle);

// ---- slice_lookup.c ----

// Writes a victim back where it is dirty. There is room in the miss queue.
void slice_push_victim(Slice *slice, const CacheVictim *victim);
// Stage: a lookup of the head request. changed: a fill or the miss queue may have removed the
// reason of a stall. false: no request uses the tags, or it stalls as before.
bool slice_look_up(Slice *slice, uint64_t cycle, bool changed);
// The head stalls in `cycle` for this reason (SLICE_STALL_NONE: it is served).
void slice_set_stall(Slice *slice, unsigned reason, uint64_t cycle);

// ---- slice_fill.c ----

// Cycles of the data port for a lookup; in a sectored cache for these sectors.
uint64_t slice_port_cycles(const Slice *slice, uint8_t sectors);
// Stage: the fill pipe's oldest sector is written. false: no fill was done.
bool slice_fill(Slice *slice, uint64_t cycle);
// Performs the request's atomics on the lookup at `offset` of the line, lanes in ascending order.
// Each address lies in one lookup, so the order per address is the order of the lookups. Returns
// the cycle in which the last of them is done.
uint64_t slice_do_atomics(Slice *slice, const MemRequest *request, uint64_t offset,
                          uint64_t cycle);

// ---- slice_prefetch.c ----

// Looks up one sector of the next prefetch. One is waiting.
void slice_prefetch(Slice *slice, uint64_t cycle);
// Whether a request fetches for an L1D for which no demand access waits.
static inline bool slice_speculates(const Slice *slice, const MemRequest *request)
{
    return slice->ranks && request->kind == MEM_PREFETCH && !request->demanded;
}
// Takes the head request, a prefetch without a reply. One for the L2 alone joins its mechanism's
// queue here. One that promotes makes pending fetches of its sectors demand requests.
void slice_take_prefetch(Slice *slice, uint64_t cycle);

// ---- slice_engine.c: with engines ----

// Whether an engine's read is at the tags, or waits for them.
static inline bool slice_reads(const Slice *slice)
{
    return (slice->head != NO_REQUEST && slice->requests[slice->head].reader) ||
           engine_hooks_read_waits(slice->hooks);
}

// After slice_attach.
void slice_attach_engines(Slice *slice);
// Offers the request at the input, of kind MEM_ENGINE, to its engine. false: it stays.
bool slice_offer_request(Slice *slice, uint64_t cycle);
// Counts the cycles up to this one in which an engine had no room for the request at the input.
void slice_count_engine_stall(Slice *slice, uint64_t cycle);
// The oldest read that waits is at the tags now: it becomes a request. Returns SliceRequest.reader.
unsigned slice_begin_read(Slice *slice, MemRequest *request);
// All sectors of a read are there at entry->ready.
void slice_answer_read(Slice *slice, const SliceRequest *entry);

// ---- slice_hooks.c: with mechanisms at the cache, which see lines by their guest addresses ----

// Sets hooks->current.access to the access of the request's lookup at `offset` of its line.
void slice_describe_access(Slice *slice, const MemRequest *request, uint64_t offset,
                           uint64_t cycle);
// Lets the slice's mechanisms see its accesses, which are hooks->current.access, and its fills.
// false and err: out of memory.
bool slice_watch(Slice *slice, HdError *err);
// The bytes of a line of the cache, by its guest address, if mechanisms read values; NULL: they do
// not, or it is not in global memory.
const uint8_t *slice_values(const Slice *slice, uint64_t line);
// Whether the reply to the request carries sideband tags: a load that the L1D caches.
static inline bool slice_wants_reply_tag(const MemRequest *request)
{
    return request->wants_reply_tag &&
           (request->kind == MEM_LOAD || request->kind == MEM_LOCAL_LOAD ||
            request->kind == MEM_PREFETCH);
}
// Sets the reply's version and tags: hooks->current.access is a hit; the data of the lookup at
// `offset` have come.
void slice_tag_hit_reply(Slice *slice, SliceRequest *entry);
void slice_tag_fill_reply(Slice *slice, SliceRequest *entry, uint64_t offset, uint64_t cycle);

// ---- slice_copy_back.c: exclusive hierarchies ----

// The version of data read now: in general; of this line of the cache; of a fill of this address,
// whose data are as old as the decision to fetch. Addresses are in the slice's space.
uint32_t slice_read_version(const Slice *slice);
uint32_t slice_line_version(const Slice *slice, uint64_t line);
uint32_t slice_fill_version(Slice *slice, uint64_t address);
// Offers a line that an L1D has copied back to the cache, and counts what became of it. Returns
// whether it was inserted; then *victim was evicted for it.
bool slice_insert_copy_back(Slice *slice, const MemRequest *request, uint64_t cycle,
                            CopyBackCounters *counted, CacheVictim *victim);
// Serves the head request, which is a copy-back.
void slice_serve_copy_back(Slice *slice, uint64_t cycle);
// hooks->current.access, the last lookup of a load at this line, was a hit: mechanisms decide
// whether the sectors that the load has read stay. line, last: addresses in the slice's space, of
// the line and the lookup. Returns the sectors that have left.
uint8_t slice_after_hit(Slice *slice, const MemRequest *request, uint64_t line, uint64_t last);

#endif
