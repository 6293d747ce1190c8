// The coalescer: the lanes' addresses of one warp instruction become as few cache accesses as the
// machine's rule allows.
#ifndef HEDDLE_MEMORY_COALESCE_H
#define HEDDLE_MEMORY_COALESCE_H

#include "base/bits.h"

#include <stdint.h>

typedef enum CoalesceRule {
    // Compute capability 2.x and 3.x with L1: one access per 128-byte line; its packet covers the
    // used part, halved while only one half is touched (128, 64 or 32 bytes; 1-byte elements start
    // from 32, 2-byte ones from 64-byte segments).
    COALESCE_LINE,
    // Compute capability 5 and later, or accesses that skip the L1: one access per 32-byte sector.
    COALESCE_SECTOR,
} CoalesceRule;

// One access: part of one line.
typedef struct CoalescedAccess {
    uint64_t line;       // aligned to 128 bytes
    uint64_t bytes[2];   // one bit per byte of the line that a lane touches
    LaneMask lanes;
    uint8_t sectors;     // 32-byte sectors touched
    uint8_t span_sectors; // sectors that the packet covers after halving (a run of 1, 2 or 4)
} CoalescedAccess;

// At most this many accesses come from one instruction: every lane's 16 bytes may straddle nothing
// (PTX accesses are aligned), so one per lane and per 16-byte element; 64-bit atomics likewise.
enum { COALESCE_MAX = HD_MAX_LANES };

// Groups the lanes in mask by segment (each accesses `bytes` = 1, 2, 4, 8 or 16 at addresses[l],
// aligned to bytes). Accesses come in the order of their first lane. Returns their number.
// A few operations per lane where neighbours share a segment, a look-up in a table where not.
unsigned coalesce(CoalesceRule rule, LaneMask mask, const uint64_t *addresses, unsigned bytes,
                  CoalescedAccess out[COALESCE_MAX]);

// Shared memory: how many passes the lanes need, given `banks` (power of two) of `bank_bytes`
// (4 or 8): the largest number of different words that fall into one bank (lanes that read the
// same word share a pass; `bytes` up to 16 per lane are done in groups of lanes as the hardware
// does: 8 bytes in halves of a warp, 16 in quarters). Atomics and stores to the same word by
// several lanes serialise only for atomics (`exclusive`).
unsigned shared_passes(LaneMask mask, const uint64_t *offsets, unsigned bytes, unsigned banks,
                       unsigned bank_bytes, unsigned width, bool exclusive);

#endif
