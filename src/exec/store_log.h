// The internals of a store log, for loads that read through it.
//
// The log is an append-only list of warp stores in program order. An index beside it gives a load
// the latest stored bytes: a hash table of 32-byte sectors, because the stores of a warp are mostly
// adjacent. A small filter of one-bit entries is checked first, and answers nearly every load of an
// address that was not stored.
#ifndef HEDDLE_EXEC_STORE_LOG_H
#define HEDDLE_EXEC_STORE_LOG_H

#include "exec/guest.h"

#include <string.h>

enum {
    FILTER_LOG2 = 13, // bits of the filter: 1 KiB, fits in the host's L1 cache
    FILTER_WORDS = 1 << (FILTER_LOG2 - 6),
    SECTOR_LOG2 = 5,
    LOG_SECTOR_BYTES = 1 << SECTOR_LOG2,
    WORD_BYTES = 8
};

// The stores of one warp instruction: entries first to first + count - 1.
typedef struct LoggedInstruction {
    uint64_t time;
    size_t first;
    uint32_t count;
    uint32_t bytes; // per entry
} LoggedInstruction;

typedef struct LoggedStore {
    uint64_t address, value;
} LoggedStore;

// The bytes stored to one sector since the log was last emptied.
typedef struct StoredSector {
    uint64_t sector; // address / LOG_SECTOR_BYTES
    uint32_t epoch;  // the entry is valid if this equals the log's epoch
    uint32_t stored; // one bit for each byte
    uint64_t words[LOG_SECTOR_BYTES / WORD_BYTES];
} StoredSector;

// The stored sectors: a hash table with open addressing. It has no memory until it is used.
typedef struct SectorTable {
    StoredSector *sectors;
    size_t count, capacity; // the capacity is 0 or a power of two
    uint32_t epoch; // incremented to empty the table; entries with epoch 0 are empty
} SectorTable;

struct RoundLog;

struct StoreLog {
    uint64_t filter[FILTER_WORDS];
    SectorTable table;
    LoggedInstruction *instructions;
    size_t instruction_count, instruction_capacity;
    LoggedStore *entries;
    size_t entry_count, entry_capacity;
    size_t applied; // instructions that guest_commit has applied so far
    uint32_t turn;  // of guest_commit: entry i of its heap, if this is log i
    struct RoundLog *round; // of functional launches (round_log.h); NULL: there was none
    // In the round, by allocation number modulo 64: written by stores, by reductions.
    uint64_t round_stored, round_reduced;
};

// Fibonacci hashing (Knuth, TAOCP 3, 6.4): the top bits of a product with 2^64 / golden ratio.
static inline uint64_t store_log_hash(uint64_t x) { return x * 0x9e3779b97f4a7c15u; }

// false: nothing has been stored to the sector of `address`. true: something may have been.
static inline bool store_log_maybe(const StoreLog *log, uint64_t address)
{
    uint64_t bit = store_log_hash(address >> SECTOR_LOG2) >> (64 - FILTER_LOG2);
    return log->filter[bit >> 6] >> (bit & 63) & 1;
}

// The index entry of a sector, created if missing. store_log_reserve has made room for it.
StoredSector *store_log_sector(StoreLog *log, uint64_t sector);
// Makes room for `more` sectors. false: out of memory.
bool store_log_reserve(StoreLog *log, size_t more);
// Records that an element of `bytes` (1, 2, 4, 8) was stored to the sector.
static inline void store_log_put(StoredSector *at, uint64_t address, uint64_t value, unsigned bytes)
{
    unsigned offset = address % LOG_SECTOR_BYTES;
    uint8_t *to = (uint8_t *)at->words + offset;
    switch (bytes) { // with a constant size the compiler emits a move
    case 1: memcpy(to, &value, 1); break;
    case 2: memcpy(to, &value, 2); break;
    case 4: memcpy(to, &value, 4); break;
    default: memcpy(to, &value, 8);
    }
    at->stored |= ((1u << bytes) - 1) << offset;
}
// Records that these bytes were stored, side by side. store_log_reserve has made room for their
// sectors.
void store_log_put_run(StoreLog *log, uint64_t address, const uint8_t *bytes, unsigned count);
// Empties the index: filter and table.
void store_log_forget(StoreLog *log);
void round_log_free(struct RoundLog *round);

#endif
