// Engines: hardware that a mechanism adds beside each slice of the L2, and the instructions by
// which warps ask for its data. Part of heddle/mechanism.h, which includes it.
//
// An engine runs in the clock of the L2. Its queues and tables are structures of the slice's place.
// It takes requests of warps and answers them in any order, reads lines through its slice, and
// sends entries to the engines of the neighbouring slices, of which those of all slices form a
// ring.
#ifndef HEDDLE_ENGINES_H
#define HEDDLE_ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HdPlace HdPlace;

// ---- instructions ----

enum { HD_ENGINE_REGISTERS = 3, HD_ENGINE_PACKETS = 2, HD_ENGINE_LANES = 32 };

// An instruction that a mechanism adds to PTX. A warp that executes it sends one request, which
// bypasses the L1D, to the engine of a slice: the slices take turns at each SM. As with a load, its
// registers are written when the last packet of the reply has arrived, and instructions that use
// them wait.
typedef struct HdEngineInstruction {
    const char *name;      // in PTX, with its modifiers: "load_iru.position"
    const char *registers; // a character for each destination: 'p' for a predicate, in the first
                           // place only, and 'r' for a register of 32 bits, at most
                           // HD_ENGINE_REGISTERS of them: "prr"
    uint32_t request_bits; // of the request's packet beyond its header
    const char *description;
} HdEngineInstruction;

// A request of a warp.
typedef struct HdEngineRequest {
    uint64_t cycle;   // L2 cycles: when it arrived at the slice
    uint32_t number;  // names the request in hd_answer, at any slice
    uint32_t lanes;   // that execute the instruction
    uint32_t pc;      // as HdAccess.pc
    uint16_t instruction; // index in HdMechanism.instructions
    uint16_t sm, warp_slot;
} HdEngineRequest;

// The answer to a request.
typedef struct HdEngineReply {
    uint32_t predicate; // lanes in which the predicate is true
    uint32_t values[HD_ENGINE_REGISTERS][HD_ENGINE_LANES]; // by register and lane
    uint16_t bytes[HD_ENGINE_PACKETS]; // data in each packet; 0: there is no second packet
} HdEngineReply;

// ---- the engine ----

// What hd_read_line has brought: 32-byte sectors of a line of 128 bytes.
typedef struct HdEngineData {
    uint64_t line, cycle; // guest address; L2 cycles
    uint32_t tag;
    uint8_t sectors;      // that were asked for; bit 0: the first
    const uint8_t *bytes; // of the line, from its first one on; valid during the hook
} HdEngineData;

typedef struct HdEngineHooks {
    // A request has arrived at the slice. true: the engine takes it. false: it has no room. The
    // request then waits at the slice's input, and other requests behind it, and is offered again
    // in each cycle after on_cycle.
    bool (*take_request)(HdPlace *place, const HdEngineRequest *request);
    // Data of an hd_read_line have arrived.
    void (*on_data)(HdPlace *place, const HdEngineData *data);
    // A cycle of the engine: the last of the hooks of this cycle. Called in each cycle in which a
    // request was taken, data or an entry of a link has arrived, or which it has asked for; in the
    // first one in which a request of a new kernel could arrive; and in the cycle after a neighbour
    // has taken an entry out of a full link. Returns the next cycle, later than this one, in which
    // it is to be called without such news; UINT64_MAX: none. A kernel does not end before all
    // engines answer that.
    uint64_t (*on_cycle)(HdPlace *place, uint64_t cycle);
    // In a functional launch, in place of all these: gives registers of some of `lanes`, which the
    // request still lacks, and returns them. Called for one slice after the other, from slice 0
    // on, until all lanes have been served or all slices have been asked; `reply` has the
    // registers so far. Lanes that are left have zeros, and a false predicate.
    uint32_t (*execute)(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                        HdEngineReply *reply);
} HdEngineHooks;

// An entry of a structure of extent HD_READS; in hardware a line of 40 bits, its sectors and a tag.
typedef struct HdReadEntry {
    uint64_t line;
    uint32_t tag;
    uint8_t sectors; // 0: free
    bool past_l2;
} HdReadEntry;
#define HD_READ_BITS(tag_bits) (40 + 4 + 1 + (tag_bits))

// ---- actions of an engine ----

// The slice that owns a guest address; allocations start at multiples of 256 bytes.
unsigned hd_slice_of(const HdPlace *place, uint64_t address);

// From on_cycle: reads sectors of a line of this slice at the tags of the L2, in turn with the
// requests of SMs. past_l2: data that are not in the L2 come from DRAM without a line there. The
// read has an entry in the structure of extent HD_READS until its data have arrived. false: there
// is no free entry.
bool hd_read_line(HdPlace *place, uint64_t line, uint8_t sectors, uint32_t tag, bool past_l2);

// From on_cycle: answers a request. false: the slice's reply queue is full.
bool hd_answer(HdPlace *place, uint32_t number, const HdEngineReply *reply);

// Links to the next and the previous slice, which are structures of extent HD_FROM_PREVIOUS and
// HD_FROM_NEXT: first-in first-out buffers at the slice that receives.
// From on_cycle: sends an entry to the neighbour's structure of this index, where it is from the
// next cycle on. At most one entry per cycle. false: one has been sent in this cycle, or the
// neighbour had no free entry at the end of the cycle before.
bool hd_send(HdPlace *place, unsigned structure, const void *entry);
// Whether hd_send would succeed.
bool hd_may_send(const HdPlace *place, unsigned structure);
// From on_cycle, and from `execute`: the oldest entry in the structure of this index; NULL: none
// has arrived. It is valid until hd_drop_received takes it out.
const void *hd_received(const HdPlace *place, unsigned structure);
void hd_drop_received(HdPlace *place, unsigned structure);

// In `execute`: reads the guest's memory functionally. false: these bytes are not in one
// allocation, or this is another hook.
bool hd_peek(const HdPlace *place, uint64_t address, void *to, size_t bytes);

// The launch fails with this text, after "mechanism NAME: ". pc: the instruction to name with its
// file and line; HD_NO_PC: none. The place's first fault counts; of several places, GPU, SMs and
// slices in this order, the first.
void hd_fault(HdPlace *place, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
