// One DRAM channel: a queue of sector requests, banks with a row buffer each, one command bus and
// one data bus. Time is in command cycles.
//
// FR-FCFS (Rixner et al., "Memory Access Scheduling", ISCA 2000): in a bank, the oldest request to
// the open row, else the oldest; among banks, column commands before row commands, the oldest
// request first. FCFS: in each bank the oldest request; among banks the same. Rows stay open until
// another row of the bank is wanted.
#ifndef HEDDLE_MEMORY_DRAM_H
#define HEDDLE_MEMORY_DRAM_H

#include "memory/address_map.h"
#include "memory/memory_side.h"

#define CYCLE_NEVER UINT64_MAX

typedef struct DramRequest { // one sector, or parts of a line: one place in the queue, one row
    uint64_t address;       // in the channel's space
    uint64_t slice_address; // the same in its slice's; comes back in the reply
    uint16_t slice;         // its number
    uint8_t parts;          // of 32 bytes of the line that address lies in; 0: a sector
    bool write;
    bool background; // nobody waits for it: a fetch for a store; comes back in the reply
    CARRY(Carried data;) // of a write
} DramRequest;

typedef struct DramDone { // a read whose data are there, or a write whose data are taken
    DramRequest request;
    uint64_t cycle; // the first after the last of its data
} DramDone;

typedef struct Channel Channel;

// Checks what single knobs cannot. false and err naming the key.
bool dram_check(const DramConfig *config, HdError *err);

// config and map stay as they are while the channel lives; sector: bytes of one request. NULL where
// memory is out.
Channel *channel_new(const DramConfig *config, const AddressMap *map, uint64_t sector);
void channel_free(Channel *channel);

bool channel_full(const Channel *channel);
// Puts a request into the queue (which is not full) so that commands can be issued for it from
// `cycle` on.
void channel_push(Channel *channel, const DramRequest *request, uint64_t cycle);

// Issues what can be issued at `cycle` (later than the last call's). Returns the number of requests
// that this finished, *done the list, valid until the next call. A read keeps its place in the
// return queue until channel_taken.
unsigned channel_cycle(Channel *channel, uint64_t cycle, const DramDone **done);
// A read's data have been taken out of the return queue, to be seen from `cycle` on.
void channel_taken(Channel *channel, uint64_t cycle);

// The next cycle in which a command can be issued; CYCLE_NEVER: none without a push or a taken.
// With every_cycle the next cycle, whether something can be done or not.
uint64_t channel_next(const Channel *channel);
void channel_every_cycle(Channel *channel, bool every_cycle);

unsigned channel_queued(const Channel *channel);
// Counted since the channel was made or the counters were cleared by their owner.
// (stall_queue and channel_cycles belong to the owner.)
DramCounters *channel_counters(Channel *channel);

#endif
