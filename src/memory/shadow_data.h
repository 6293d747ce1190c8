// What the shadow build (memory/shadow.h) keeps: the bytes of lines with their versions, and the
// histories of locations. Included by shadow.h in that build only.
//
// Each byte has beside it the number of the write that made it: its version. A location's slice is
// where its writes take place: there each byte gets the next version, which is entered in the
// location's history. What a load is given is then checked against that history.
#ifndef HEDDLE_MEMORY_SHADOW_DATA_H
#define HEDDLE_MEMORY_SHADOW_DATA_H

#include "memory/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Cache;

enum { SHADOW_BYTES = 128, SHADOW_SECTOR = 32, SHADOW_SECTORS = SHADOW_BYTES / SHADOW_SECTOR };

// Versions with this bit number an SM's own stores that are not yet at the slice.
#define SHADOW_OWN UINT32_C(0x80000000)

// Bytes of one 128-byte line, in a cache or on their way; byte i is that of address line + i.
typedef struct ShadowData {
    uint64_t line;                   // guest address; 0: no byte is here
    Tick taken[SHADOW_SECTORS];     // since when the slice held the data that it gave
    // By the SM's count of events: when the sectors were requested, and came into the L1.
    uint64_t asked[SHADOW_SECTORS], came[SHADOW_SECTORS];
    uint32_t version[SHADOW_BYTES]; // 0: this byte is not here
    uint8_t byte[SHADOW_BYTES];
    // Of a reply or an L1D's line: 1 + what mechanisms must see there (HdAccess.values); 0: not
    // known.
    uint16_t value[SHADOW_BYTES];
} ShadowData;

// A byte that a slice has shown to mechanisms and does not hold: a store to it must be on its way.
typedef struct ShadowDoubt {
    uint64_t address;
    uint8_t value;
} ShadowDoubt;

// The checks of one SM or slice, and the first failure.
typedef struct ShadowReport {
    uint64_t given; // checks of bytes that loads were given
    uint64_t older; // bytes in them older than a store of the same SM that passed while they were
                    // pending
    uint64_t found; // checks that failed
    char kind[16];
    unsigned number;
    char text[512];
    ShadowDoubt *doubts; // of this launch
    size_t doubt_count, doubt_capacity;
} ShadowReport;
void shadow_error(ShadowReport *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- faults to inject ----

typedef enum ShadowFault {
    FAULT_NONE,
    FAULT_STALE_COPY_BACK, // an L2 line reverts to its bytes before a store
    FAULT_KEPT_LINE,       // an L1 line outlives a store of its SM
    FAULT_LOST_WRITE_BACK, // dirty lines do not reach the DRAM
    FAULT_WRONG_SECTOR,    // a DRAM read brings the neighbouring sector
    FAULT_OLD_COPY_BACK, // an L1 copies back a line after a store of its SM: the slice refuses it
    FAULT_FORGED_VERSION, // the same with a forged version, so that the slice accepts it
    FAULT_WRONG_VALUES,   // mechanisms see the bytes of the neighbouring sector
    FAULT_UNSENT_VALUES,  // mechanisms see bytes that nothing writes
    FAULT_WRONG_MOVE,     // a move from a spare register brings another value
    SHADOW_FAULTS
} ShadowFault;

// ---- members of the model's structs ----

typedef struct ShadowSource {
    const ShadowData *data; // NULL: without data
} ShadowSource;

typedef struct ShadowTimes {
    Tick at[SHADOW_SECTORS];
} ShadowTimes;

typedef struct ShadowSlice {
    ShadowReport *report;
    ShadowData *at;    // the bytes of the line that is being served
    uint8_t came;      // sectors of its line that a fill has brought
    Tick now;
    ShadowData staged; // the bytes of the store that is looked up, with their next versions
    ShadowData before; // the bytes of its line before the store (FAULT_STALE_COPY_BACK)
} ShadowSlice;

// ---- all locations ----

typedef struct ShadowHistory ShadowHistory; // of one line

// The fault to inject: HEDDLE_SHADOW_FAULT of the environment, one of stale-copy-back, kept-line,
// lost-write-back, wrong-sector, old-copy-back, forged-version, wrong-values, unsent-values,
// wrong-move. With HEDDLE_SHADOW set, shadow_free prints how much was checked.
ShadowFault shadow_fault(const ShadowMemory *memory);

// The host has no memory for shadow data of caches: ends the program.
_Noreturn void shadow_out_of_memory(void);

// Before the first launch: the cache of a slice, and a report for each slice and SM. Reports live
// as long as the memory.
void shadow_add_slice(ShadowMemory *memory, unsigned slice, struct Cache *cache);
ShadowReport *shadow_add_report(ShadowMemory *memory, const char *kind, unsigned number);

// For shadow_adopt: the guest address of a slice's line, and the latest version of one of its
// bytes.
uint64_t shadow_guest_line(const ShadowMemory *memory, unsigned slice, uint64_t line);
void shadow_give_latest(const ShadowMemory *memory, const ShadowHistory *place, ShadowData *to,
                        unsigned at);

// A launch begins: what the host (or a functional launch) has written since the last one counts as
// written now, in the L2 and in DRAM.
void shadow_begin_launch(ShadowMemory *memory, Tick now);
Tick shadow_launch_start(const ShadowMemory *memory);
// After that, gives the lines that a functional launch has left in a cache (NULL: none yet) their
// bytes. slice: the cache's slice; -1: it is a cache of an SM.
void shadow_adopt(ShadowMemory *memory, struct Cache *cache, int slice);
// The history of a guest line: made where there is none (only by the thread that runs its slice, or
// between the phases). shadow_find_history only looks; NULL: there is none.
ShadowHistory *shadow_history(ShadowMemory *memory, uint64_t line);
ShadowHistory *shadow_find_history(const ShadowMemory *memory, uint64_t line);

// A slice has shown a byte to mechanisms that it does not hold.
void shadow_doubt(ShadowReport *report, uint64_t address, uint8_t value);

// The latest version of a byte; its next one, a write by this SM (own: its number there).
uint32_t shadow_latest(const ShadowHistory *place, unsigned at);
uint32_t shadow_add_write(ShadowHistory *place, unsigned at, uint8_t byte, unsigned sm,
                          uint32_t own, Tick now);
// The DRAM's bytes of the line.
ShadowData *shadow_dram_image(ShadowHistory *place);

// Bytes that a load or atomic gets.
typedef struct ShadowRead {
    uint64_t line;        // guest address
    unsigned from, count; // bytes [from, from + count) of the line
    Tick since;           // the location must have held them at some time since this tick
    const char *who;      // the load's name in messages
} ShadowRead;

// Checks the bytes of a read. Reports the first wrong one; returns false then.
bool shadow_check(const ShadowMemory *memory, ShadowReport *report, const ShadowData *given,
                  const ShadowRead *read);
// The version that an SM's store to a byte has got; 0: the store is not yet at the slice.
uint32_t shadow_version_of(const ShadowMemory *memory, uint64_t line, unsigned at, unsigned sm,
                           uint32_t own);

// ---- bytes of lines and packets ----

static inline bool shadow_mask_has(const uint64_t mask[2], unsigned at)
{
    return mask[at >> 6] >> (at & 63) & 1;
}
// Copies the bytes of [first, first + count) that `from` has. keep: not over bytes that `to` has.
void shadow_copy(ShadowData *to, const ShadowData *from, unsigned first, unsigned count, bool keep);
// The bytes of the line of an address, in its set or in the victim buffer; NULL: it is not there.
ShadowData *shadow_line(struct Cache *cache, uint64_t address);
// The sectors of 32 bytes of that line that are complete, one bit each by their place in 128 bytes.
uint8_t shadow_readable_sectors(const struct Cache *cache, uint64_t address);
// The cache has taken a fill of these sectors of the address's line: copies the bytes into the
// line, but not over bytes that were written meanwhile. Returns the line's bytes; NULL: the data
// bypassed the cache.
ShadowData *shadow_fill_line(struct Cache *cache, uint64_t address, uint8_t sectors,
                             const ShadowData *data);

#endif
