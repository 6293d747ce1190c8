// Packets between an SM and the memory side: requests one way, replies and credits the other.
#ifndef HEDDLE_MEMORY_PACKETS_H
#define HEDDLE_MEMORY_PACKETS_H

#include "base/bits.h"
#include "base/fail.h"
#include "heddle/engines.h"
#include "memory/shadow.h"
#include "memory/clock.h"
#include "ptx/uop.h"

#include <stddef.h>

typedef enum MemKind {
    MEM_LOAD,        // global load: reply carries the data
    MEM_STORE,       // global store: reply is an acknowledgement
    MEM_ATOMIC,      // global atomic: done at the slice, reply carries the old values
    MEM_REDUCE,      // reduction: an atomic without old values; reply is an acknowledgement
    MEM_LOCAL_LOAD,  // load of thread-local memory
    MEM_LOCAL_STORE, // write-through or write-back of thread-local memory
    MEM_INSTRUCTION, // instruction cache fill
    MEM_CONSTANT,    // constant cache fill (constants and kernel parameters)
    MEM_READONLY,    // read-only / texture cache fill
    MEM_COPY_BACK,   // a clean line evicted from the L1D; no reply
    MEM_PREFETCH,    // fill of an L1D or of the L2 that a mechanism prefetches: a load without
                     // waiters
    MEM_ENGINE,      // request of a warp to the engine of a slice; at the slice also a read that
                     // the engine makes
    MEM_KINDS
} MemKind;
const char *mem_kind_name(MemKind kind);
static inline bool mem_kind_writes(MemKind k) { return k == MEM_STORE || k == MEM_LOCAL_STORE; }
static inline bool mem_kind_atomic(MemKind k) { return k == MEM_ATOMIC || k == MEM_REDUCE; }

// Bytes of a sector, in which the L2 is accessed, and of the largest line of a first-level cache.
enum { SECTOR_BYTES = 32, MAX_LINE_BYTES = 128 };

// The lanes of one atomic that fall into one line. Owned by the SM; the slice replaces b by the old
// value when it performs the operation; the SM reads b when the reply comes.
typedef struct AtomicLanes {
    uint8_t operation; // AtomOp
    uint8_t type;      // PtxType
    LaneMask lanes;
    uint64_t address[HD_MAX_LANES]; // guest addresses
    uint64_t b[HD_MAX_LANES], c[HD_MAX_LANES];
} AtomicLanes;

// A request of a warp to the engine of a slice (heddle/engines.h). Owned by the SM; the slice that
// answers writes `reply`; the SM reads it after the last packet of the reply.
typedef struct EngineRequest {
    uint16_t mechanism;   // its number in the plan
    uint16_t instruction; // of the mechanism's, from 0
    HdEngineReply reply;
} EngineRequest;

// One packet towards the L2: at most one 128-byte line of one slice.
typedef struct MemRequest {
    uint64_t line;    // guest address, aligned to MAX_LINE_BYTES
    uint64_t place;   // the same in the space of the slice that owns it; set with `owner`
    uint64_t written[2]; // stores: one bit per byte of the line
    union {
        AtomicLanes *atomic; // atomics: the operation; NULL: only its times are wanted
        uint8_t *values;     // with value_slot: gets the line's bytes
        EngineRequest *engine;   // MEM_ENGINE
    };
    uint32_t token;   // chosen by the SM; the reply has the same. MEM_COPY_BACK: the data's version
    uint32_t pc;      // static instruction number (over the whole module)
    uint16_t sm;
    uint16_t allocation; // its number; GUEST_NO_ALLOCATION: none
    uint8_t kind;     // MemKind
    uint8_t sectors;  // 32-byte sectors that are read or written, one bit each (1..15)
    uint16_t bytes;   // of data in the packet; a load: 0
    uint32_t sideband_tags; // of all mechanisms
    uint8_t sideband_bytes; // bytes that the sideband tags add to the packet
    bool wants_reply_tag;   // load of an L1D: the reply carries sideband tags
    bool keeps;       // load of an L1D: the L1D caches the data
    bool direct;      // load of an L1D without an MSHR entry there; the reply says so too. Of a
                      // engine's read: it takes no line in the L2
    uint8_t prefetcher; // MEM_PREFETCH: 1 + number of the mechanism in the plan; 0: another kind
    bool into_l2;       // MEM_PREFETCH for the L2 alone: its tag is `token`; it gets no reply
    bool demanded;      // MEM_PREFETCH of data that a demand access of its SM waits for
    bool promotes;      // MEM_PREFETCH that makes the same of one that was sent before; no reply
    // Of the warp, if mechanisms read it, and of MEM_ENGINE:
    uint16_t warp;    // number in the block
    uint16_t warp_slot; // on the SM
    union {
        uint16_t value_slot; // of `values` (hooks/value_slots.h); the reply has the same. 0: none
        uint16_t slice;      // MEM_ENGINE: where it goes, whatever its line is
    };
    uint16_t owner;   // 1 + the slice that gets the request; 0: not known yet
    uint32_t lanes;   // that access the line; 0: no warp's access
    uint32_t block;   // number in the grid
    ShadowData shadow;
} MemRequest;

// The level that answered a load, for latency by level.
typedef enum MemLevel { LEVEL_L1, LEVEL_L2, LEVEL_DRAM, MEM_LEVELS } MemLevel;

// The answer to a request, which the slice writes.
typedef struct MemReply {
    uint64_t line;
    uint32_t token;
    uint8_t kind;   // of the request
    uint8_t sectors; // of the request
    uint8_t level;  // MemLevel: the deepest that had to serve one of its sectors
    bool direct;    // as in the request
    bool dropped;   // of a prefetch: it carries no data, because a channel has dropped the fetch
    uint16_t value_slot; // as in the request
    uint32_t sideband_tags; // of all mechanisms
    uint32_t version; // version of the data (version_table.h), if mechanisms copy back
    ShadowData shadow;
} MemReply;

// The address of the first sector.
static inline uint64_t mem_reply_address(const MemReply *reply)
{
    return reply->line + SECTOR_BYTES * lanes_first(reply->sectors);
}

// What is on its way through the network: a request, a packet of its reply, or its credit.
typedef struct Transit {
    struct Transit *next; // in the list or queue that it is in
    struct Packet *packet;
    Tick time;      // request: when its last flit left the SM's injection port. Reply: when it is
                    // ready at the slice; after it has left, when its last flit arrives at the SM.
                    // Credit: from when on the SM may use it
    uint64_t cycle; // request behind the in port: L2 cycle in which the slice sees it. Reply that
                    // has left: network cycle in which it began to
    uint16_t from;  // the SM of a request; else the slice
    uint16_t bytes; // reply: of data in this packet
    uint8_t sideband_bytes; // reply: bytes that the sideband tags add to the packet
    bool last;      // reply: no other packet of the request follows
    uint16_t flits; // of a packet of a reply, and of a request at a crossbar
} Transit;

// With slice.reply: sectors, several packets answer a request, one for each lookup.
enum { REPLY_PACKETS = MAX_LINE_BYTES / SECTOR_BYTES };

// A request and its reply, from the SM's port to the slice and back. Its SM owns it. The slice that
// has taken it may write to it until its last packet, or the credit of a request without a reply,
// is on its way to the SM.
typedef struct Packet {
    MemRequest request;
    MemReply reply;
    Transit there; // the request; then its credit
    Transit back[REPLY_PACKETS];
    uint8_t packets; // of `back` in use
    struct Packet *next_free;
} Packet;

// Whether a request gets no reply. Its credit says that it is done.
static inline bool packet_without_reply(const Packet *packet)
{
    const MemRequest *request = &packet->request;
    return request->kind == MEM_COPY_BACK || request->into_l2 || request->promotes;
}

#endif
