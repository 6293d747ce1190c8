// Whether a line that an L1 copies back is still what memory holds. L1s are not kept coherent:
// while a line lies in one, others write to it.
//
// A slice numbers the writes and atomics that it serves, in the order in which it does, and keeps
// the number of the last one of each of the lines written last: a finite table, sets of STAMP_WAYS
// by a hash of the line. Data that leave for an L1 carry the number that was the last when they
// were read: their stamp. A copy-back brings the stamp along, and is stale where the line has a
// higher number in the table, and where the set has had to give up a line with one: it may have
// been this. Entries know their line by STAMP_TAG_BITS of the hash, so that a line that shares them
// with one that was written is refused too; one that was written never gets in.
//
// Data that the slice has to fetch are stamped when the fetch is decided on: what comes from there
// may be as old as that. Where a write to the line has passed meanwhile, the line that comes into
// the L2 may be old too (it is in an L2 whose writes go down): a bit with it says so, and what is
// read of it has no stamp that would let it back in.
#ifndef HEDDLE_MEMORY_STAMPS_H
#define HEDDLE_MEMORY_STAMPS_H

#include "hooks/hooks.h"
#include "memory/request.h"

typedef struct WriteStamp {
    uint32_t last; // number of the line's last write; 0: free
    uint16_t tag;
} WriteStamp;

typedef struct Stamps {
    WriteStamp *entries;  // by set, STAMP_WAYS of each
    uint32_t *evicted_versions;   // by set: the highest number of the lines that it gave up
    unsigned sets;        // a power of two
    uint32_t sequence;    // of the last write; UINT32_MAX: numbers are out
    uint32_t floor;       // what is older was read for an earlier kernel
} Stamps;

// A table of so many entries (slice.write_versions). NULL: no memory. Free with stamps_free.
Stamps *stamps_new(unsigned entries);
void stamps_free(Stamps *stamps);

// The set of a line (an address, or anything in it), and what tells it from others there.
unsigned stamps_set(const Stamps *stamps, uint64_t address);
uint16_t stamps_tag(uint64_t address);

// A kernel begins: what was read before may have been changed by the host.
void stamps_begin(Stamps *stamps);
// The line of an address is written.
void stamps_write(Stamps *stamps, uint64_t address);
// The line of an address, read at `stamp`, may have been written since. Where numbers are out,
// everything may.
bool stamps_stale(const Stamps *stamps, uint64_t address, uint32_t stamp);

#endif
