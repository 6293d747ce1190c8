// The inside of a channel, for the files that implement dram.h: dram.c (commands and their times)
// and dram_queue.c (the queue). No other file includes it.
#ifndef HEDDLE_MEMORY_DRAM_DRAM_INTERNAL_H
#define HEDDLE_MEMORY_DRAM_DRAM_INTERNAL_H

#include "base/bits.h"
#include "memory/dram/dram.h"

enum { NO_ENTRY = UINT32_MAX, MAX_BANKS = 64 };

// The command that a bank's chosen request needs next.
typedef enum Need { NEED_ACTIVATE, NEED_PRECHARGE, NEED_READ, NEED_WRITE, NEEDS } Need;

typedef struct Entry {
    DramRequest request;
    uint64_t entered, order, row, burst; // burst: number of the burst that holds the address
    uint32_t next;                       // in the bank's list, oldest first; also the free list
    uint32_t bursts, bursts_left; // of the request; not yet done
    bool opened, closed; // a row was opened, closed for this request
} Entry;

typedef struct Bank {
    bool open;
    uint64_t row;
    // First cycles that the bank allows; column_ok: a read, write_ok: a write.
    uint64_t activate_ok, column_ok, write_ok, precharge_ok;
    uint32_t first, last; // waiting entries
    uint32_t waiting;     // their number
    uint32_t choice; // the entry that is served next; NO_ENTRY: none waits
    Need need;       // its next command
} Bank;

struct Channel {
    const DramConfig *config;
    const AddressMap *map;
    uint64_t sector, burst_bytes;
    uint32_t burst_cycles, bursts; // of the data bus per burst; bursts per sector
    Entry *entries;
    uint32_t free_entry, queued;
    uint32_t returning; // reads that hold an entry of the return queue
    Bank *banks;
    uint64_t crowded;        // banks in which prefetches are dropped in the next cycle
    uint64_t needing[NEEDS]; // banks with entries, by the command that their choice needs
    // Of the banks' choices, in arrays because every command scans them: the entry's order, and the
    // cycle from which on the bank allows the command.
    uint64_t order[MAX_BANKS], need_ok[MAX_BANKS];
    uint8_t group[MAX_BANKS];     // of each bank
    uint64_t group_ok[MAX_BANKS]; // by bank group: next column command
    uint64_t activate_ok, column_ok, read_ok, write_ok, bus_free;
    uint64_t next_order, refresh_at, last, next;
    bool every_cycle, started;
    DramDone *done;
    unsigned done_count;
    DramCounters counters;
    uint64_t *prefetched; // bytes read, by DramRequest.prefetcher; NULL: none has one
};

// ---- dram_queue.c ----

// Chooses the entry that the bank serves next.
void dram_choose(Channel *channel, Bank *bank);
// Finishes the chosen entry, whose last data end before `cycle`, and with merge_sectors the others
// that want the same burst, unless they would pass a write to it.
void dram_finish_burst(Channel *channel, Bank *bank, uint64_t cycle);
// Drops the speculative reads of the banks in `crowded`, which loses these.
void dram_drop_crowded(Channel *channel, uint64_t cycle);

// ---- dram.c ----

// Records the command that the bank's choice needs next, and from when on the bank allows it.
void dram_note_need(Channel *channel, Bank *bank);
// The bank has another choice, for which commands can be issued from `cycle` on.
void dram_wake_for_choice(Channel *channel, const Bank *bank, uint64_t cycle);
// Something may have to be done at `cycle`, or in the next cycle of the channel if that is later.
static inline void dram_wake(Channel *channel, uint64_t cycle)
{
    if (channel->started) cycle = larger(cycle, channel->last + 1);
    channel->next = smaller(channel->next, cycle);
}

#endif
