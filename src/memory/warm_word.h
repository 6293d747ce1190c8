// A functional access to sectors of a line. Where no mechanism reads requests, this is all that
// there is to one. As a word it is the line's address and, in the bits that are free there, the
// sectors, the kind and, on top, which cache it is to.
#ifndef HEDDLE_MEMORY_WARM_WORD_H
#define HEDDLE_MEMORY_WARM_WORD_H

#include "memory/packets.h"

typedef enum WarmKind {
    WARM_LOAD,
    WARM_ATOMIC, // also a reduction
    WARM_STORE,
    WARM_LOCAL_STORE,
    WARM_KINDS
} WarmKind;
static inline bool warm_kind_writes(WarmKind kind) { return kind >= WARM_STORE; }
static inline WarmKind warm_kind_of(MemKind kind)
{
    if (mem_kind_atomic(kind)) return WARM_ATOMIC;
    if (!mem_kind_writes(kind)) return WARM_LOAD;
    return kind == MEM_LOCAL_STORE ? WARM_LOCAL_STORE : WARM_STORE;
}

typedef struct WarmBytes {
    uint64_t bits[2]; // a bit for each byte of the line that is written
} WarmBytes;

typedef struct WarmLine {
    uint64_t line;     // address, aligned to MAX_LINE_BYTES
    WarmBytes bytes;   // of a store
    uint8_t sectors;   // of SECTOR_BYTES
    uint8_t kind;      // WarmKind
} WarmLine;

// Addresses are below 2^56: those of local memory, which are the highest, begin at 2^46.
enum { WORD_SECTORS = 0xf, WORD_KIND_SHIFT = 4, WORD_KIND = 7, WORD_CACHE_SHIFT = 56,
       WORD_CACHES = 1 << (64 - WORD_CACHE_SHIFT) };
_Static_assert(WARM_KINDS - 1 <= WORD_KIND && WORD_KIND << WORD_KIND_SHIFT < MAX_LINE_BYTES,
               "a word has room for the kind");

static inline uint64_t warm_word(unsigned cache, uint64_t line, uint8_t sectors, unsigned kind)
{
    return (uint64_t)cache << WORD_CACHE_SHIFT | line | (uint64_t)kind << WORD_KIND_SHIFT | sectors;
}
static inline uint64_t warm_word_line(uint64_t word)
{
    return word & ((UINT64_C(1) << WORD_CACHE_SHIFT) - MAX_LINE_BYTES);
}
static inline WarmKind warm_word_kind(uint64_t word)
{
    return (WarmKind)(word >> WORD_KIND_SHIFT & WORD_KIND);
}
static inline uint8_t warm_word_sectors(uint64_t word) { return word & WORD_SECTORS; }
static inline unsigned warm_word_cache(uint64_t word)
{
    return (unsigned)(word >> WORD_CACHE_SHIFT);
}

#endif
