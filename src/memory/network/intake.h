// How a slice takes packets from an input-queued crossbar (icnt.output_buffer).
//
// Behind its output of the crossbar, a slice has a buffer of packets. It takes one packet in each
// L2 cycle, if fewer than icnt.intake lookups wait at its tags; a packet on its way to the tags
// does not count. So the number at the tags in a cycle must be known before the packets of that
// cycle reach the tags, slice.rop_latency later. The slices therefore run for at most this latency
// ahead of the crossbar, and report the cycles of their lookups. An intake reads these reports, and
// hands packets over, between two runs of the slices: it may work while they run.
#ifndef HEDDLE_MEMORY_NETWORK_INTAKE_H
#define HEDDLE_MEMORY_NETWORK_INTAKE_H

#include "memory/slice/slice.h"

typedef struct HeldPacket {
    Transit *request;
    uint64_t complete; // L2 cycle in which all of its flits have come
    uint32_t flits;
} HeldPacket;

// Lookups of a packet that has been taken.
typedef struct ComingLookups {
    uint64_t ready; // L2 cycle in which they are at the tags
    uint32_t count;
} ComingLookups;

typedef struct Intake {
    const SliceContext *context;
    LookupLog *log; // of the slice
    TransitList *taken; // packets for slices, at the tags in L2 cycle Transit.cycle
    HeldPacket *held; // [held_head, held_count) wait in the buffer
    size_t held_head, held_count, held_capacity;
    ComingLookups *coming; // [coming_head, coming_count) are on their way to the tags
    size_t coming_head, coming_count, coming_capacity;
    uint64_t *lookups; // [lookup_head, lookup_count): L2 cycles of lookups not yet counted
    size_t lookup_head, lookup_count, lookup_capacity;
    uint64_t held_flits;
    uint64_t channel_free; // network cycle from which on the output's channel is free
    uint64_t next;         // first L2 cycle in which it can take a packet
    uint64_t waiting;      // lookups at the tags in the last cycle that was asked for
    uint64_t all;          // these, and those on their way
    uint64_t tried;        // L2 cycle up to which the buffer's next packet was tried
} Intake;

// What it takes is appended to `taken`.
void intake_init(Intake *intake, const SliceContext *context, Slice *slice, TransitList *taken);
void intake_free(Intake *intake);

// Reads the lookups that the slice has reported, while it does not run. false: out of memory.
bool intake_read_log(Intake *intake);

// A packet begins to leave the crossbar in this network cycle. The lookups of all L2 cycles before
// it are known. false: out of memory.
bool intake_add(Intake *intake, Transit *request, uint32_t flits, uint64_t cycle);
// Whether the buffer has no room for another packet.
bool intake_full(const Intake *intake);
// Takes packets up to L2 cycle `bound`, the lookups before which are known. room: stops when the
// buffer has room. Returns the cycle of the last packet taken, 0: none. Clears *ok if out of
// memory.
uint64_t intake_take(Intake *intake, uint64_t bound, bool room, bool *ok);
// Ends a run whose packets reach the tags up to slice.rop_latency after L2 cycle `bound`.
void intake_end(Intake *intake, uint64_t bound);
// The earliest L2 cycle, as far as is known, in which the next packet of the buffer could be taken;
// UINT64_MAX: none is there, or it waits for another lookup.
uint64_t intake_next(const Intake *intake);

#endif
