// Versions of lines: whether a line that an L1 copies back is still what memory holds. L1s are not
// kept coherent: while one holds a line, other SMs write to it.
//
// A slice numbers the writes and atomics that it serves, in that order, and keeps the number of the
// last one for each of the lines written last: a finite table, in sets of VERSION_WAYS entries by a
// hash of the line. Data that leave for an L1 carry the number of the last write at the time they
// were read: their version. A copy-back carries the version, and is stale if the line has a higher
// number in the table, or if the set has evicted an entry with a higher number: it may have been
// this line's. Entries identify their line by VERSION_TAG_BITS of the hash, so a line that shares
// them with a written line is refused too; a line that was written is never accepted.
//
// Data that the slice has to fetch get their version at the decision to fetch: they may be as old
// as that. If a write to the line passes meanwhile (in an L2 that forwards writes), the line that
// comes into the L2 may be old too: a bit beside it says so, and data read from it have a version
// that is never accepted.
#ifndef HEDDLE_MEMORY_SLICE_VERSION_TABLE_H
#define HEDDLE_MEMORY_SLICE_VERSION_TABLE_H

#include "hooks/cache_hooks.h"
#include "memory/packets.h"

typedef struct WriteVersion {
    uint32_t last; // number of the line's last write; 0: a free entry
    uint16_t tag;
} WriteVersion;

typedef struct VersionTable {
    WriteVersion *entries;  // by set, VERSION_WAYS of each
    uint32_t *evicted_versions;   // by set: the highest number that it evicted
    unsigned sets;        // a power of two
    uint32_t sequence;    // number of the last write; UINT32_MAX: no number is left
    uint32_t floor;       // lower versions were read in an earlier kernel
} VersionTable;

// A table of `entries` entries (slice.write_versions), a power of two. NULL: out of memory. Free
// with version_table_free.
VersionTable *version_table_new(unsigned entries);
void version_table_free(VersionTable *table);

// The set of a line (any address in it), and the tag that identifies it there.
unsigned version_table_set(const VersionTable *table, uint64_t address);
uint16_t version_table_tag(uint64_t address);

// A kernel begins: data read before it may have been changed by the host.
void version_table_on_kernel_begin(VersionTable *table);
// Counts a write to the line of an address.
void version_table_on_write(VersionTable *table, uint64_t address);
// Whether the line of an address, read at version `version`, may have been written since. If no
// number is left, every line may.
bool version_table_is_stale(const VersionTable *table, uint64_t address, uint32_t version);

#endif
