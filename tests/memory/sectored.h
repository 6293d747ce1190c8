// A sectored cache with sectors of 32 bytes and a mechanism whose decisions the test sets: accesses
// to several sectors of a line, fills, and what they give.
#ifndef HEDDLE_TESTS_MEMORY_SECTORED_H
#define HEDDLE_TESTS_MEMORY_SECTORED_H

#include "cache_actions.h"
#include "hooks/cache_hooks.h"
#include "memory/packets.h"

// The mechanism's decisions, and what it was asked.
extern HdInsertion answer;
enum { WHOLE_LINE = UINT8_MAX };
extern uint8_t predicted, had; // predicted: WHOLE_LINE passes
extern unsigned questions;
extern HdEviction left;
extern uint8_t room; // in the miss queue

typedef struct Kept {
    CacheConfig config;
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
} Kept;

void kept_init(Kept *k, const CacheConfig *config);
void kept_free(Kept *k);

CacheResult access_sectors(Kept *k, uint64_t line, unsigned sectors, CacheAccess access);
CacheResult load_sectors(Kept *k, uint64_t line, unsigned sectors, uint32_t token);
CacheResult atomic_sectors(Kept *k, uint64_t line, unsigned sectors, uint32_t token);
// Writes the first `bytes` bytes (at most 32) of each sector.
CacheResult store_sectors(Kept *k, uint64_t line, unsigned sectors, unsigned bytes);

void check_miss(CacheResult result, unsigned fetched, unsigned waits);
void check_merged(CacheResult result, unsigned waits);

// Fills the fetch that brings `part`. These tokens wait for it.
CacheVictim fill_sectors(Kept *k, uint64_t line, unsigned part, unsigned count, uint32_t first,
                         uint32_t second);
// Brings these sectors by themselves.
void bring_parts(Kept *k, uint64_t line, unsigned sectors);
// On-fill allocation; lines are never dirty.
void choose_on_fill(CacheConfig *config);

enum { A = 0, B = 256, C = 512 }; // lines of set 0, which has two ways

#endif
