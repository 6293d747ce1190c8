// Data in the caches, for a build that checks them (HD_CARRY_DATA; docs/decisions/0009).
//
// Values are computed at issue and live in the guest's memory; caches hold tags. In this build
// every line, packet, victim and fill has beside its tags the bytes that the modelled hardware
// would have there, each with the number of the write that made it, and they move where the model
// moves them and nowhere else. A location's slice is where its writes take place: there each gets
// the next version and is entered in the location's history. What a load is given is then held
// against that history.
#ifndef HEDDLE_MEMORY_CARRIED_H
#define HEDDLE_MEMORY_CARRIED_H

#include "base/error.h"
#include "memory/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What only that build has: a field, an initialiser, a statement.
#ifdef HD_CARRY_DATA
#define CARRY(...) __VA_ARGS__
#else
#define CARRY(...)
#endif

enum { CARRIED_BYTES = 128, CARRIED_SECTOR = 32, CARRIED_SECTORS = CARRIED_BYTES / CARRIED_SECTOR };

// Versions with this bit number an SM's own stores that are not yet at the slice.
#define CARRIED_OWN UINT32_C(0x80000000)

// Bytes of one 128-byte line, in a cache or on their way; byte i is that of address line + i.
typedef struct Carried {
    uint64_t line;                   // guest address; 0: no byte is here
    Tick taken[CARRIED_SECTORS];     // from when on the slice held what it has given
    // By the SM's count of events: when they were asked for, and came into the L1.
    uint64_t asked[CARRIED_SECTORS], came[CARRIED_SECTORS];
    uint32_t version[CARRIED_BYTES]; // 0: this byte is not here
    uint8_t byte[CARRIED_BYTES];
} Carried;

// Who found something wrong, and the first thing that was. One for each SM and slice.
typedef struct CarriedReport {
    uint64_t given, older, found; // times that bytes were given to loads; of them with some that
                                  // are older than an own store that met them on their way; wrong
    char kind[16];
    unsigned number;
    char text[512];
} CarriedReport;
void carried_say(CarriedReport *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- faults, to see them found ----

typedef enum CarriedFault {
    FAULT_NONE,
    FAULT_STALE_COPY_BACK, // an L2 line gets back what it was before a store
    FAULT_KEPT_LINE,       // an L1 line outlives a store of its SM
    FAULT_LOST_WRITE_BACK, // dirty lines do not reach the DRAM
    FAULT_WRONG_SECTOR,    // a DRAM read brings the neighbouring sector
    FAULT_OLD_COPY_BACK,   // an L1 copies back what a store of its SM has made old: to be refused
    FAULT_FORGED_STAMP,    // ... with a stamp that says it is new, so that it is not
    CARRIED_FAULTS
} CarriedFault;

// ---- all locations ----

struct AddressMap;
struct Cache;
struct CacheAccess;
struct CacheLine;
struct GuestMemory;

typedef struct CarriedMemory CarriedMemory;
typedef struct CarriedPlace CarriedPlace; // a line's history

// The fault is HEDDLE_CARRIED_FAULT of the environment: stale-copy-back, kept-line,
// lost-write-back, wrong-sector, old-copy-back, forged-stamp. With HEDDLE_CARRIED set,
// carried_free prints what was checked.
// Where the host's memory is out, these end the program.
CarriedMemory *carried_new(const struct AddressMap *map, unsigned slices,
                           const struct GuestMemory *guest);
void carried_free(CarriedMemory *memory);
CarriedFault carried_fault(const CarriedMemory *memory);

// A slice's cache, and the reports of slices and SMs, before the first launch. They outlive the
// launches, not the memory.
void carried_add_slice(CarriedMemory *memory, unsigned slice, struct Cache *cache);
CarriedReport *carried_add_report(CarriedMemory *memory, const char *kind, unsigned number);

// For carried_adopt: the guest's line, and a byte's latest version.
uint64_t carried_guest_line(const CarriedMemory *memory, unsigned slice, uint64_t line);
void carried_give(const CarriedMemory *memory, const CarriedPlace *place, Carried *to, unsigned at);

// A launch begins: what the host (or a launch without time) has written since is a write of that
// moment, seen by the L2 and by DRAM. adopt: the L2 holds lines that such a launch has left.
void carried_begin(CarriedMemory *memory, Tick now, bool adopt);
Tick carried_began(const CarriedMemory *memory);
// Gives lines that a launch without time has left in a cache their bytes. slice: its number, -1:
// the cache is a first-level one.
void carried_adopt(CarriedMemory *memory, struct Cache *cache, int slice);
// Appends what was found wrong so far, one line for each SM and slice.
void carried_verdict(const CarriedMemory *memory, char *text, size_t size);

// The history of a guest line: made where it is not there (only by the owner of its slice, and
// between the phases). carried_known only looks; NULL: it is not there.
CarriedPlace *carried_place(CarriedMemory *memory, uint64_t line);
CarriedPlace *carried_known(const CarriedMemory *memory, uint64_t line);

// The latest version of a byte; its next one, a write by this SM (own: its number there).
uint32_t carried_latest(const CarriedPlace *place, unsigned at);
uint32_t carried_written(CarriedPlace *place, unsigned at, uint8_t byte, unsigned sm, uint32_t own,
                         Tick now);
// The DRAM's bytes of the line.
Carried *carried_image(CarriedPlace *place);

// What a load gets of bytes [from, from + count) of a line must be what the location held at some
// time since `since`. Tells `report` where not; `who` says who is given it.
bool carried_check(const CarriedMemory *memory, CarriedReport *report, const Carried *given,
                   uint64_t line, unsigned from, unsigned count, Tick since, const char *who);
// The version that an SM's store to a byte has got; 0: it is not yet at the slice.
uint32_t carried_made(const CarriedMemory *memory, uint64_t line, unsigned at, unsigned sm,
                      uint32_t own);

// ---- bytes of lines and packets ----

static inline bool carried_in(const uint64_t mask[2], unsigned at)
{
    return mask[at >> 6] >> (at & 63) & 1;
}
// Bytes [from, from + count) that are there, over what is there; with `keep` only where nothing is.
void carried_put(Carried *to, const Carried *from, unsigned first, unsigned count, bool keep);
// Only the bytes of the mask.
Carried carried_part(const Carried *from, const uint64_t mask[2]);
// In a cache: a write's bytes; the loss of sectors (one bit each).
void carried_store(struct Cache *cache, struct CacheLine *line, const struct CacheAccess *access);
void carried_forget(struct Cache *cache, struct CacheLine *line, uint8_t sectors);
// The bytes of the line of an address, in its set or in the victim buffer; NULL: it is not there.
Carried *carried_here(struct Cache *cache, uint64_t address);
// The sectors of 32 bytes of that line that are here in whole, one bit each by their place in 128
// bytes.
uint8_t carried_sectors(const struct Cache *cache, uint64_t address);
// Data of these sectors of the address's line have come, and the cache has taken them: its line has
// them where it keeps them. What was written meanwhile stays. Returns the line's bytes; NULL: it
// keeps none.
Carried *carried_fill(struct Cache *cache, uint64_t address, uint8_t sectors, const Carried *data);

#endif
