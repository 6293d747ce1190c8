// One DRAM channel: a queue of sector requests, banks with a row buffer each, one command bus and
// one data bus. Time is in command cycles.
//
// FR-FCFS (Rixner et al., "Memory Access Scheduling", ISCA 2000): in a bank, the oldest request to
// the open row, else the oldest; among banks, column commands before row commands, the oldest
// request first. FCFS: in each bank the oldest request; among banks the same. Rows stay open until
// another row of the bank is wanted. With dram.prefetches: last, a bank serves a prefetch only
// while no other request waits for it.
#ifndef HEDDLE_MEMORY_DRAM_DRAM_H
#define HEDDLE_MEMORY_DRAM_DRAM_H

#include "base/tables.h"
#include "memory/address_map.h"
#include "memory/memory_side.h"

typedef struct DramRequest { // sectors of one line: one entry of the queue, one row
    uint64_t address;       // in the channel's space
    uint64_t slice_address; // the same in its slice's space
    uint16_t slice;         // its number
    uint8_t sectors;        // of 32 bytes of the line of `address`; 0: one sector of the cache
    bool write;
    bool background;        // no request waits for it: a fetch for a store
    bool speculative;       // a read that only prefetches want so far
    uint16_t prefetcher;    // of a read that a prefetch began: prefetcher_at; 0: of another request
    ShadowData shadow;      // of a write
} DramRequest;

typedef struct DramDone { // a finished read or write
    DramRequest request;
    uint64_t cycle; // the first after its last data
    bool dropped;   // a prefetch, without data (channel_make_room)
} DramDone;

typedef struct Channel Channel;

// Checks the configuration as far as single parameters cannot. false and err: what is invalid, by
// its key.
bool dram_check(const DramConfig *config, HdError *err);

// Makes a channel among `tables`. config and map must stay unchanged while it lives; sector: bytes
// of one request. NULL: out of memory.
Channel *channel_new(const DramConfig *config, const AddressMap *map, uint64_t sector,
                     HdTables *tables);

// Whether the queue has no room for a request of this address, in the channel's space.
bool channel_full(const Channel *channel, uint64_t address);
// Appends a request to the queue, which is not full. Commands can be issued for it from `cycle` on.
void channel_push(Channel *channel, const DramRequest *request, uint64_t cycle);

// A demand access wants the sectors of a read of this slice (sectors: as in DramRequest; 0: of the
// sector at `address`). If the read waits here, it is no longer speculative. Commands can be issued
// for it from `cycle` on.
void channel_promote(Channel *channel, unsigned slice, uint64_t address, uint8_t sectors,
                     uint64_t cycle);
// The queue has no room for a request of this address. In the next cycle, from `cycle` on, the
// speculative reads that take this room are dropped, unless their data are being moved: those of
// its bank or, if the whole queue is full, of all banks.
void channel_make_room(Channel *channel, uint64_t address, uint64_t cycle);

// Issues the commands that can be issued at `cycle` (later than that of the last call). Returns the
// number of requests that this finished or dropped; *done: the list, valid until the next call. A
// read with data keeps its entry of the return queue until channel_taken.
unsigned channel_cycle(Channel *channel, uint64_t cycle, const DramDone **done);
// A read's data have been taken out of the return queue; the entry is free from `cycle` on.
void channel_taken(Channel *channel, uint64_t cycle);
// Whether reads wait for that. If none does, no data come before channel_next, whatever is pushed.
bool channel_return_full(const Channel *channel);

// The next cycle in which a command can be issued; CYCLE_NEVER: none before channel_push or
// channel_taken. With every_cycle: the next cycle.
uint64_t channel_next(const Channel *channel);
void channel_every_cycle(Channel *channel, bool every_cycle);

unsigned channel_queued(const Channel *channel);
// Counters since the channel was made or the owner cleared them. stall_queue and channel_cycles
// are counted by the owner.
DramCounters *channel_counters(Channel *channel);
// From now on counts the bytes read by `prefetcher` of the request, from 1 to `prefetchers`, among
// `tables`. false: out of memory.
bool channel_count_prefetchers(Channel *channel, unsigned prefetchers, HdTables *tables);
// The bytes read since then in requests with this `prefetcher`.
uint64_t channel_prefetched(const Channel *channel, unsigned prefetcher);

#endif
