// The coalescer: merges the lanes' addresses of one warp instruction into as few cache accesses as
// the machine's rules allow.
#ifndef HEDDLE_MEMORY_COALESCE_H
#define HEDDLE_MEMORY_COALESCE_H

#include "base/bits.h"
#include "memory/warm_word.h"

#include <stdint.h>

typedef enum CoalesceRule {
    // Compute capability 2.x and 3.x with L1: one access per 128-byte line. Its packet covers the
    // used part: it is halved while only one half is accessed (128, 64 or 32 bytes; 1-byte elements
    // start from 32-byte segments, 2-byte elements from 64-byte segments).
    COALESCE_LINE,
    // Compute capability 5 and later, or accesses that bypass the L1: one access per 32-byte
    // sector.
    COALESCE_SECTOR,
} CoalesceRule;

// One access, to part of one line.
typedef struct CoalescedAccess {
    uint64_t line;       // aligned to 128 bytes
    uint64_t bytes[2];   // bytes of the line that lanes access, one bit each
    LaneMask lanes;
    uint8_t sectors;     // 32-byte sectors accessed, one bit each
    uint8_t span_sectors; // sectors that the packet covers after halving (a run of 1, 2 or 4)
    uint16_t allocation;  // number; for the caller of coalesce
} CoalescedAccess;

// The address of its first sector.
static inline uint64_t coalesced_address(const CoalescedAccess *a)
{
    return a->line + (a->sectors ? lanes_first(a->sectors) : 0) * SECTOR_BYTES;
}

// Most accesses of one instruction: PTX accesses are aligned, so that a lane's 16 bytes never cross
// a segment, and each lane makes one access at most.
enum { COALESCE_MAX = HD_MAX_LANES };

// Groups the lanes of `mask` by segment. Each accesses `bytes` = 1, 2, 4, 8 or 16 at
// addresses[lane], aligned to `bytes`. Accesses are in the order of their first lanes. Returns
// their number. Costs a few operations per lane if neighbours share a segment, else a table lookup.
unsigned coalesce(CoalesceRule rule, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                  CoalescedAccess out[COALESCE_MAX]);

// The accesses of COALESCE_SECTOR as a functional load or store makes them: those that follow each
// other to the same line are one. Writes their words, to cache 0 (warm_word.h), and of stores the
// bytes; `stored` may be NULL for other kinds. Returns their number.
unsigned coalesce_lines(LaneMask mask, const uint64_t *addresses, unsigned bytes, WarmKind kind,
                        uint64_t words[COALESCE_MAX], WarmBytes stored[COALESCE_MAX]);

// As coalesce, for atomics whose packets hold at most one lane on each word: a lane joins the first
// access of its segment whose bytes it does not overlap. Lanes on one word make an access each.
unsigned coalesce_words(CoalesceRule rule, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                        CoalescedAccess out[COALESCE_MAX]);

// The banks of shared memory, and the warp that accesses them.
typedef struct SharedBanks {
    unsigned count; // of banks; a power of two
    unsigned bytes; // of a word of a bank; 4 or 8
    unsigned lanes; // of a warp
} SharedBanks;

// Shared memory: the number of passes that the lanes of `mask` need for `bytes` each (up to 16) at
// offsets[lane]: the largest number of different words in one bank. Lanes that read the same word
// share a pass. Accesses wider than a word are done in groups of lanes as in hardware: 8 bytes in
// halves of a warp, 16 in quarters. exclusive: atomics, where lanes that access the same word are
// serialised.
unsigned shared_passes(const SharedBanks *banks, LaneMask mask, const uint64_t *offsets,
                       unsigned bytes, bool exclusive);

#endif
