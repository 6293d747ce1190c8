// A slice's state, for the files slice*.c: slice.c (life, cycle, reports), slice_path.c (to the
// DRAM channels and back), slice_lookup.c (tags, stores, atomics, replies).
#ifndef HEDDLE_MEMORY_SLICE_INTERNAL_H
#define HEDDLE_MEMORY_SLICE_INTERNAL_H

#include "hooks/hooks.h"
#include "memory/slice.h"
#include "memory/stamps.h"

enum { NO_RECORD = UINT32_MAX };

// A request from its first lookup until its reply is ready.
typedef struct Record {
    MemRequest request;
    uint64_t address; // of its line, in the slice's space
    uint64_t ready;   // L2 cycle at which what has been served so far can leave
    uint8_t waiting;  // sectors that are being fetched
    uint8_t level;    // MemLevel
    uint32_t notes;   // of the reply: mechanisms'
    uint32_t stamp;   // ... of its data: the oldest of its units
    bool accepted;    // every sector has been looked up
    uint32_t next;    // free list
    CARRY(Carried data;)                 // what is read, for the reply
    CARRY(Tick since[CARRIED_SECTORS];)  // when each was looked up
} Record;

typedef struct Miss { // on its way to a channel
    uint64_t line;    // or sector, in the slice's space
    uint64_t cycle;   // when it can leave the pipe
    uint32_t units;   // which sectors from there on
    uint8_t parts;    // slice.parts: which parts of the line, as one
    bool write;
    bool background; // nobody waits for it
    ChannelAddress below; // of line; set by slice_push_miss
    CARRY(Carried data;)  // of a write
} Miss;

typedef struct Returned {
    uint64_t address;
    Tick tick; // may be taken in a cycle after this
    uint16_t channel;
    uint8_t parts; // slice.parts: of the line, which have come
    bool background;
    CARRY(Carried data;)
} Returned;

typedef struct Fill {
    uint64_t address, cycle; // first cycle in which it can be done
    uint8_t parts;           // slice.parts: of the line
    bool background;
    CARRY(Carried data;)
} Fill;

typedef struct Owed {
    uint64_t unit; // in the slice's space
    CARRY(Carried data;)
} Owed;

struct Slice {
    const SliceContext *context;
    AccessTables *tables;
    SliceDue *due;
    Cache *cache;
    CacheHooks *hooks; // mechanisms; NULL: none
    bool parts;        // ... for which the cache keeps lines by parts of 32 bytes
    Stamps *stamps;    // where they copy back; NULL: they do not
    unsigned number;
    InPort in;
    OutPort out;
    Record *records;
    uint32_t free_record;     // given back; NO_RECORD: none
    uint32_t touched_records; // ever used, the first ones

    uint32_t head;      // record of the head request once its first lookup was tried
    uint32_t head_left; // its units not yet looked up

    Miss *misses, *pipe;
    Ring miss_ring, pipe_ring;
    uint32_t pipe_length;
    Returned *returned;
    Ring returned_ring;
    Fill *fills;
    Ring fill_ring;
    uint32_t fill_length;
    uint32_t *tokens; // of one fill
    Owed *owed;       // L2 off: units that atomics have written, on their way to the miss queue
    Ring owed_ring;

    uint64_t port_free; // the data port's next cycle
    uint64_t fill_free; // the fill port's
    unsigned blocked;   // BLOCK_NONE, or why the head is not served ...
    uint64_t blocked_since;
    uint64_t queue_since; // since when a channel's queue refuses the pipe's oldest; CYCLE_NEVER
    uint64_t last;        // cycle done
    bool every_cycle, started, failed;

    CreditList credits;
    size_t background;
    uint64_t blocked_cycles[BLOCK_REASONS], stall_queue;
    IcntCounters icnt;
    CacheCounters counters;
    CARRY(CarriedReport *report;)
    CARRY(Carried *at;)     // where what is being served has its bytes
    CARRY(uint8_t came;)    // ... sectors of its line, of a fill
    CARRY(Tick now;)        // ... and when
    CARRY(Carried staged;)  // the bytes of the store that is looked up, with versions
    CARRY(Carried before;)  // of its line in front of it (FAULT_STALE_COPY_BACK)
};

static inline Tick slice_tick(const Slice *slice, uint64_t cycle)
{
    return clock_tick(&slice->context->clocks, CLOCK_L2, cycle);
}

static inline bool slice_replies_full(const Slice *slice)
{
    return slice->out.ring.count >= slice->context->config.slice->reply_queue;
}

// Something is known that the slice may act on from `cycle` on.
void slice_wake(Slice *slice, uint64_t cycle);

// Places in the miss queue, as many as a look-up is told of.
static inline uint8_t slice_miss_room(const Slice *slice)
{
    uint32_t room = slice->context->config.l2->miss_queue - slice->miss_ring.count;
    return (uint8_t)(room > UINT8_MAX ? UINT8_MAX : room);
}

// A mechanism waits to prefetch.
static inline bool slice_prefetches(const Slice *slice)
{
    return slice->hooks && slice->hooks->prefetches && prefetches_wait(slice->hooks->prefetches);
}

// slice_path.c: each does its part of a cycle.
void slice_offer(Slice *slice, uint64_t cycle);            // pipe -> channel
bool slice_enter_pipe(Slice *slice, uint64_t cycle);       // miss queue -> pipe; whether it did
void slice_take_returned(Slice *slice, uint64_t cycle);    // return queue -> fill pipe
void slice_push_miss(Slice *slice, const Miss *miss);

bool slice_pay(Slice *slice); // owed, of which there is one, -> miss queue; whether it did

// slice_hooks.c: where mechanisms are at the cache. Lines are told by their guest address.
// The access at `offset` of the request's line is the one at hand.
void slice_announce(Slice *slice, const MemRequest *request, uint64_t offset, uint64_t cycle);
// It has been served; address: in the slice's space.
void slice_tell(Slice *slice, CacheOutcome outcome, uint64_t address);
// The unit at an address in the slice's space has come, for slice->tokens.
void slice_tell_filled(Slice *slice, uint64_t address, unsigned tokens, uint64_t cycle);
// Replies to loads of an L1D carry notes.
static inline bool slice_noted(const MemRequest *request)
{
    return request->noted && (request->kind == MEM_LOAD || request->kind == MEM_LOCAL_LOAD ||
                              request->kind == MEM_PREFETCH);
}
// The notes of the reply for the access at hand, a hit; for a unit that has come.
void slice_note_hit(Slice *slice, Record *record);
void slice_note_filled(Slice *slice, Record *record, uint64_t offset, uint64_t cycle);

// slice_copies.c: what mechanisms of exclusive hierarchies need.
// The stamp of what is read now; of what is read of this line of the cache now; of data that have
// come for an address, all in the slice's space: when their fetch was decided on.
uint32_t slice_stamp(const Slice *slice);
uint32_t slice_data_stamp(const Slice *slice, uint64_t line);
uint32_t slice_filled_stamp(Slice *slice, uint64_t address);
// A line that was copied back tries to get in; what became of it is counted. Returns whether it
// did; then *victim has left for it.
bool slice_put(Slice *slice, const MemRequest *request, uint64_t cycle, CopyBackCounters *counted,
               CacheVictim *victim);
// The head request is a copy-back: the slice is done with it.
void slice_copied_back(Slice *slice, uint64_t cycle);
// The last unit of a load at this line (in the slice's space) was a hit, the access at hand: what
// the load has read may leave.
void slice_after_hit(Slice *slice, const MemRequest *request, uint64_t line);

// carried_slice.c, of a build that carries data. In the order in which a look-up and a fill come to
// them: the head's unit is looked up next (versions for a write's bytes); it has been, and is a hit
// or not; its atomics are done; a fill has come; a request that waited is given it, or an L2 that
// is off keeps what its atomics wrote; a channel has done a write or a read. A line that was copied
// back has come in.
CARRY(void carried_stage(Slice *slice, uint64_t offset, CacheAccess *access);)
CARRY(void carried_served(Slice *slice, const CacheResult *result, uint64_t offset,
                          uint64_t cycle);)
CARRY(void carried_atomics(Slice *slice, const MemRequest *request, uint64_t offset);)
CARRY(void carried_filled(Slice *slice, Fill *fill, uint64_t cycle);)
CARRY(void carried_woken(Slice *slice, Record *record);)
CARRY(void carried_owed(Slice *slice, const CacheVictim *victim);)
CARRY(void carried_below(Slice *slice, const DramRequest *done);)
CARRY(Carried carried_above(Slice *slice, const DramRequest *done);)
CARRY(void carried_copied(Slice *slice, const MemRequest *request, uint64_t cycle);)

// slice_lookup.c
// The units that the request touches, one bit each.
uint32_t slice_units(const SliceContext *context, const MemRequest *request);
// What had to leave the cache is counted, and goes down where it is dirty; there is room in the
// miss queue.
void slice_push_victim(Slice *slice, const CacheVictim *victim);
// Cycles of the data port for a unit, or, where lines are kept by parts, for these.
uint64_t slice_port_cycles(const Slice *slice, uint8_t parts);
// The SM may send another request. gone: there is no reply to this one.
void slice_give_credit(Slice *slice, const MemRequest *request, uint64_t cycle, bool gone);
bool slice_fill(Slice *slice, uint64_t cycle); // fill pipe -> data array; whether it did
// The head request looks up a unit. changed: a fill or the miss queue may have made it possible.
// false: there is none at the tags.
bool slice_look_up(Slice *slice, uint64_t cycle, bool changed);
// slice_prefetch.c: one sector of a prefetch is looked up. There is one that waits.
void slice_prefetch(Slice *slice);
// The head is not served in `cycle` for this reason (BLOCK_NONE: it is).
void slice_block(Slice *slice, unsigned reason, uint64_t cycle);

#endif
