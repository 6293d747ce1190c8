// DRAM command scheduling: the command that the chosen request of each bank needs next, and the
// first cycle in which the timing allows it.
#include "memory/dram/dram.h"
#include "base/bits.h"
#include "base/inline.h"
#include "base/memory.h"

#include <stdlib.h>

enum { NO_ENTRY = UINT32_MAX, MAX_BANKS = 64, TURNAROUND = 2 }; // idle bus cycles, read to write

// The command that a bank's chosen request needs next.
typedef enum Need { NEED_ACTIVATE, NEED_PRECHARGE, NEED_READ, NEED_WRITE, NEEDS } Need;
static bool is_column(Need need) { return need >= NEED_READ; }

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

bool dram_check(const DramConfig *config, HdError *err)
{
    if (config->banks > MAX_BANKS)
        return hd_fail(err, "dram.banks: %u: expected at most %d", config->banks, MAX_BANKS);
    if (!config->bank_groups || config->bank_groups > config->banks)
        return hd_fail(err, "dram.bank_groups: %u: expected 1 to dram.banks (%u)",
                       config->bank_groups, config->banks);
    if (!config->burst || !config->data_rate || !config->bus || !config->queue ||
        !config->return_queue)
        return hd_fail(err, "dram: bus, burst, data_rate, queue, return_queue: expected at least 1 "
                            "each");
    // The longest time that closing all rows and the refresh can take.
    uint64_t least = (uint64_t)config->refresh_cycles + config->tRC + config->tRP + config->tWL +
                     config->burst + config->tWR + config->banks;
    if (config->refresh_interval && config->refresh_interval <= least)
        return hd_fail(
            err,
            "dram.refresh_interval: %u cycles: expected more than %llu (refresh_cycles and closing "
            "the rows), or 0 for no refresh",
            config->refresh_interval, (unsigned long long)least);
    return true;
}

Channel *channel_new(const DramConfig *config, const AddressMap *map, uint64_t sector,
                     HdTables *tables)
{
    Channel *channel = hd_tables_new(tables, 1, sizeof *channel);
    if (!channel) return NULL;
    channel->config = config;
    channel->map = map;
    channel->sector = sector;
    channel->burst_bytes = config->bus * config->burst;
    channel->burst_cycles = (uint32_t)divide_up(config->burst, config->data_rate);
    channel->bursts = (uint32_t)divide_up(sector, channel->burst_bytes);
    uint32_t entries = config->queue + (config->bank_request ? config->banks : 0);
    channel->entries = hd_tables_new(tables, entries, sizeof *channel->entries);
    channel->banks = hd_tables_new(tables, config->banks, sizeof *channel->banks);
    channel->done = hd_tables_new(tables, entries, sizeof *channel->done);
    if (!channel->entries || !channel->banks || !channel->done) return NULL;
    for (uint32_t i = 0; i < entries; i++)
        channel->entries[i].next = i + 1 < entries ? i + 1 : NO_ENTRY;
    for (uint32_t b = 0; b < config->banks; b++) {
        channel->banks[b] = (Bank){.first = NO_ENTRY, .last = NO_ENTRY, .choice = NO_ENTRY};
        channel->group[b] = (uint8_t)(b % config->bank_groups);
    }
    channel->refresh_at = config->refresh_interval ? config->refresh_interval : CYCLE_NEVER;
    channel->next = channel->refresh_at;
    return channel;
}

bool channel_full(const Channel *channel)
{
    if (channel->queued < channel->config->queue) return false;
    if (!channel->config->bank_request) return true;
    uint64_t serving = 0; // banks, each with a request of its own
    for (Need need = 0; need < NEEDS; need++) serving |= channel->needing[need];
    return channel->queued - (unsigned)__builtin_popcountll(serving) >= channel->config->queue;
}

bool channel_return_full(const Channel *channel)
{
    return channel->returning >= channel->config->return_queue;
}

unsigned channel_queued(const Channel *channel) { return channel->queued; }
uint64_t channel_next(const Channel *channel) { return channel->next; }
DramCounters *channel_counters(Channel *channel) { return &channel->counters; }

bool channel_count_prefetchers(Channel *channel, unsigned prefetchers, HdTables *tables)
{
    channel->prefetched = hd_tables_new(tables, prefetchers + 1, sizeof *channel->prefetched);
    return channel->prefetched;
}

uint64_t channel_prefetched(const Channel *channel, unsigned prefetcher)
{
    return channel->prefetched ? channel->prefetched[prefetcher] : 0;
}

static void wake(Channel *channel, uint64_t cycle)
{
    if (channel->started) cycle = larger(cycle, channel->last + 1);
    channel->next = smaller(channel->next, cycle);
}

void channel_every_cycle(Channel *channel, bool every_cycle)
{
    channel->every_cycle = every_cycle;
    if (every_cycle) wake(channel, 0);
}

static unsigned bank_number(const Channel *channel, const Bank *bank)
{
    return (unsigned)(bank - channel->banks);
}

// Records the command that the bank's choice needs next, and from when on the bank allows it.
static void note_need(Channel *channel, Bank *bank)
{
    unsigned number = bank_number(channel, bank);
    uint64_t bit = UINT64_C(1) << number;
    channel->needing[bank->need] &= ~bit;
    if (bank->choice == NO_ENTRY) return;
    const Entry *entry = &channel->entries[bank->choice];
    channel->order[number] = entry->order;
    if (!bank->open) {
        bank->need = NEED_ACTIVATE;
        channel->need_ok[number] = bank->activate_ok;
    } else if (bank->row != entry->row) {
        bank->need = NEED_PRECHARGE;
        channel->need_ok[number] = bank->precharge_ok;
    } else {
        bank->need = entry->request.write ? NEED_WRITE : NEED_READ;
        channel->need_ok[number] = entry->request.write ? bank->write_ok : bank->column_ok;
    }
    channel->needing[bank->need] |= bit;
}

// Chooses the entry that the bank serves next: see the head of dram.h.
static void choose(Channel *channel, Bank *bank)
{
    bool hits_first = bank->open && channel->config->scheduler != 0;
    uint32_t hit = hits_first ? bank->first : NO_ENTRY;
    while (hit != NO_ENTRY && channel->entries[hit].row != bank->row)
        hit = channel->entries[hit].next;
    bank->choice = hit != NO_ENTRY ? hit : bank->first;
    note_need(channel, bank);
}

// After a row was opened or closed: chooses again, unless the bank keeps its request.
static void note_choice(Channel *channel, Bank *bank)
{
    if (channel->config->bank_request && bank->choice != NO_ENTRY) note_need(channel, bank);
    else choose(channel, bank);
}

// The first cycle in which the channel as a whole allows such a command.
static uint64_t channel_allows(const Channel *channel, Need need)
{
    const DramConfig *config = channel->config;
    if (need == NEED_ACTIVATE) return channel->activate_ok;
    if (need == NEED_PRECHARGE) return 0;
    bool write = need == NEED_WRITE;
    if (!write && channel_return_full(channel)) return CYCLE_NEVER;
    uint64_t to_data = write ? config->tWL : config->tCL;
    uint64_t ready = larger(channel->column_ok, write ? channel->write_ok : channel->read_ok);
    return channel->bus_free > to_data ? larger(ready, channel->bus_free - to_data) : ready;
}

// The first cycle in which the channel, the bank and its group allow the command that the bank
// needs.
static uint64_t bank_allows(const Channel *channel, Need need, unsigned bank)
{
    uint64_t ok = channel->need_ok[bank];
    return is_column(need) ? larger(ok, channel->group_ok[channel->group[bank]]) : ok;
}

// The number of bursts that move a request's sectors.
static uint32_t bursts_of(const Channel *channel, const DramRequest *request)
{
    uint64_t line = request->address & ~(uint64_t)(MAX_LINE_BYTES - 1), last = UINT64_MAX;
    uint32_t bursts = 0;
    for (uint32_t left = request->sectors; left; left &= left - 1) {
        uint64_t start = line + lanes_first(left) * SECTOR_BYTES;
        uint64_t first = start / channel->burst_bytes;
        uint64_t end = (start + SECTOR_BYTES - 1) / channel->burst_bytes;
        bursts += (uint32_t)(end - first) + (first != last);
        last = end;
    }
    return bursts;
}

void channel_push(Channel *channel, const DramRequest *request, uint64_t cycle)
{
    uint32_t at = channel->free_entry;
    Entry *entry = &channel->entries[at];
    channel->free_entry = entry->next;
    DramPlace place = address_map_dram(channel->map, request->address);
    *entry = (Entry){.request = *request,
                     .entered = cycle,
                     .order = channel->next_order++,
                     .row = place.row,
                     .burst = request->address / channel->burst_bytes,
                     .next = NO_ENTRY,
                     .bursts = request->sectors ? bursts_of(channel, request) : channel->bursts};
    entry->bursts_left = entry->bursts;
    Bank *bank = &channel->banks[place.bank];
    if (bank->first == NO_ENTRY)
        bank->first = at;
    else
        channel->entries[bank->last].next = at;
    bank->last = at;
    channel->queued++;
    // The bank keeps its choice, unless only the new entry hits the open row.
    if (bank->choice != NO_ENTRY) {
        if (!bank->open || channel->config->scheduler == 0) return;
        if (channel->config->bank_request) return;
        if (channel->entries[bank->choice].row == bank->row || entry->row != bank->row) return;
    }
    bank->choice = at;
    note_need(channel, bank);
    uint64_t allowed = larger(channel_allows(channel, bank->need),
                              bank_allows(channel, bank->need, place.bank));
    wake(channel, larger(cycle, allowed));
}

void channel_taken(Channel *channel, uint64_t cycle)
{
    // Only reads that found the return queue full wait for this.
    if (channel->returning-- == channel->config->return_queue) wake(channel, cycle);
}

static void activate(Channel *channel, Bank *bank, uint64_t cycle)
{
    const DramConfig *config = channel->config;
    Entry *entry = &channel->entries[bank->choice];
    entry->opened = true;
    bank->open = true;
    bank->row = entry->row;
    bank->column_ok = bank->write_ok = cycle + config->tRCD;
    if (config->tRCDWR) bank->write_ok = cycle + config->tRCDWR;
    bank->precharge_ok = cycle + config->tRAS;
    bank->activate_ok = cycle + config->tRC;
    channel->activate_ok = cycle + config->tRRD;
    channel->counters.activates++;
    note_choice(channel, bank);
}

static void precharge(Channel *channel, Bank *bank, uint64_t cycle)
{
    bank->open = false;
    bank->activate_ok = larger(bank->activate_ok, cycle + channel->config->tRP);
    channel->counters.precharges++;
    note_choice(channel, bank);
}

static void finish(Channel *channel, Bank *bank, uint32_t at, uint32_t before, uint64_t cycle)
{
    Entry *entry = &channel->entries[at];
    if (before == NO_ENTRY)
        bank->first = entry->next;
    else
        channel->entries[before].next = entry->next;
    if (bank->last == at) bank->last = before;
    channel->done[channel->done_count++] = (DramDone){entry->request, cycle};
    uint32_t sectors = entry->request.sectors;
    uint64_t bytes = sectors ? lanes_count(sectors) * SECTOR_BYTES : channel->sector;
    *(entry->request.write ? &channel->counters.bytes_written : &channel->counters.bytes_read) +=
        bytes;
    if (entry->request.prefetcher && channel->prefetched)
        channel->prefetched[entry->request.prefetcher] += bytes;
    entry->next = channel->free_entry;
    channel->free_entry = at;
    channel->queued--;
}

// Whether the bursts of one entry also move the data of the other.
static bool same_bursts(const Entry *a, const Entry *b)
{
    return a->request.write == b->request.write && a->burst == b->burst &&
           (a->request.sectors == b->request.sectors || (a->bursts == 1 && b->bursts == 1));
}

// The bursts of its line that an entry moves, one bit for each sector of 32 bytes.
static uint32_t moved_by(const Channel *channel, const Entry *entry)
{
    uint64_t first = entry->request.address % MAX_LINE_BYTES / SECTOR_BYTES;
    uint32_t moved = entry->request.sectors;
    if (!moved) moved = ((1u << channel->sector / SECTOR_BYTES) - 1) << first;
    uint64_t each = channel->burst_bytes < SECTOR_BYTES ? SECTOR_BYTES : channel->burst_bytes;
    uint32_t burst = (1u << each / SECTOR_BYTES) - 1, all = 0;
    if (each >= MAX_LINE_BYTES) return UINT32_MAX;
    for (unsigned s = 0; s < MAX_LINE_BYTES / SECTOR_BYTES; s += (unsigned)(each / SECTOR_BYTES))
        if (moved & burst << s) all |= burst << s;
    return all;
}

static bool overlap(const Channel *channel, const Entry *a, const Entry *b)
{
    return a->burst == b->burst ||
           (a->request.address / MAX_LINE_BYTES == b->request.address / MAX_LINE_BYTES &&
            moved_by(channel, a) & moved_by(channel, b));
}

// Finishes the chosen entry and, with merge_sectors, the others that want the same burst, unless
// they would pass a write to it.
static void finish_burst(Channel *channel, Bank *bank, uint64_t cycle)
{
    bool write = channel->entries[bank->choice].request.write;
    bool merging = channel->config->merge_sectors == MERGE_ALL ||
                   (channel->config->merge_sectors == MERGE_WRITES && write);
    if (!merging && bank->first == bank->choice) {
        finish(channel, bank, bank->choice, NO_ENTRY, cycle);
        return;
    }
    Entry chosen = channel->entries[bank->choice];
    uint32_t before = NO_ENTRY;
    bool found = false; // the chosen entry
    for (uint32_t i = bank->first, next; i != NO_ENTRY; i = next) {
        Entry *entry = &channel->entries[i];
        next = entry->next;
        bool same = i == bank->choice;
        if (!same && merging && same_bursts(entry, &chosen)) {
            same = write || !channel_return_full(channel);
            if (same && !write) channel->returning++;
        }
        if (!same && merging && entry->request.write && overlap(channel, entry, &chosen))
            merging = false;
        if (same)
            finish(channel, bank, i, before, cycle);
        else
            before = i;
        if (i == bank->choice) found = true;
        if (found && !merging) return;
    }
}

static void column(Channel *channel, Bank *bank, uint64_t cycle)
{
    const DramConfig *config = channel->config;
    Entry *entry = &channel->entries[bank->choice];
    bool write = entry->request.write;
    uint64_t data = cycle + (write ? config->tWL : config->tCL), end = data + channel->burst_cycles;
    channel->bus_free = end;
    channel->column_ok = cycle + config->tCCD;
    channel->group_ok[channel->group[bank_number(channel, bank)]] = cycle + config->tCCDL;
    if (write) {
        channel->read_ok = end + config->tCDLR;
        bank->precharge_ok = larger(bank->precharge_ok, end + config->tWR);
    } else {
        uint64_t turned = end + TURNAROUND;
        channel->write_ok = turned > config->tWL ? turned - config->tWL : 0;
        bank->precharge_ok = larger(bank->precharge_ok, cycle + config->tRTPL);
        if (entry->bursts_left == 1) channel->returning++;
    }
    DramCounters *counters = &channel->counters;
    *(write ? &counters->writes : &counters->reads) += 1;
    if (entry->closed)
        counters->row_conflicts++;
    else if (entry->opened)
        counters->row_misses++;
    else
        counters->row_hits++;
    entry->opened = entry->closed = false; // a second burst finds the row open
    counters->bytes_transferred += channel->burst_bytes;
    counters->bus_busy_cycles += channel->burst_cycles;
    counters->queue_wait_cycles += data - entry->entered;
    if (--entry->bursts_left) return;
    finish_burst(channel, bank, end);
    choose(channel, bank);
}

// The oldest row command [0] and column command [1] that are allowed: their banks (-1: there is
// none), and the entries' orders.
typedef struct Commands {
    int bank[2];
    uint64_t order[2];
} Commands;

// Looks at the banks that need this command. best (NULL: not wanted): takes the oldest one that is
// allowed at `cycle`, if it is older. Returns the first cycle after `cycle`, and not after
// `next`, in which one is allowed.
ALWAYS_INLINE uint64_t find_command(const Channel *channel, Need need, uint64_t cycle,
                                    uint64_t next, Commands *best)
{
    uint64_t left = channel->needing[need];
    if (!left) return next;
    uint64_t allowed = channel_allows(channel, need);
    if (allowed >= next) return next;
    for (; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left), kind = is_column(need);
        uint64_t at = larger(allowed, bank_allows(channel, need, bank));
        next = smaller(next, larger(at, cycle + 1));
        if (!best) {
            // If one bank waits for the channel alone, no other can be earlier.
            if (next <= larger(allowed, cycle + 1)) break;
        } else if (at <= cycle && channel->order[bank] < best->order[kind]) {
            best->bank[kind] = (int)bank;
            best->order[kind] = channel->order[bank];
        }
    }
    return next;
}

// The same for all commands, or a refresh.
ALWAYS_INLINE uint64_t find_commands(const Channel *channel, uint64_t cycle, Commands *best)
{
    uint64_t next = channel->refresh_at;
    next = find_command(channel, NEED_READ, cycle, next, best);
    next = find_command(channel, NEED_WRITE, cycle, next, best);
    next = find_command(channel, NEED_ACTIVATE, cycle, next, best);
    return find_command(channel, NEED_PRECHARGE, cycle, next, best);
}

// Issues the oldest column command that is allowed at `cycle`. If there is none, or row commands
// have a bus of their own, issues the oldest row command. Returns the next cycle in which a command
// is allowed.
static uint64_t issue(Channel *channel, uint64_t cycle)
{
    Commands best = {{-1, -1}, {UINT64_MAX, UINT64_MAX}};
    uint64_t next = find_commands(channel, cycle, &best);
    int row = best.bank[0], in_row = best.bank[1];
    if (row < 0 && in_row < 0) return next;
    if (in_row >= 0) column(channel, &channel->banks[in_row], cycle);
    if (row >= 0 && (in_row < 0 || channel->config->dual_bus)) {
        Bank *bank = &channel->banks[row];
        if (bank->need == NEED_ACTIVATE) {
            activate(channel, bank, cycle);
        } else {
            channel->entries[bank->choice].closed = true;
            precharge(channel, bank, cycle);
        }
    }
    return find_commands(channel, cycle, NULL);
}

// A refresh is due: closes the rows one by one, then keeps every bank busy for refresh_cycles.
// Returns the next cycle in which it can continue.
static uint64_t refresh(Channel *channel, uint64_t cycle)
{
    const DramConfig *config = channel->config;
    uint64_t idle = 0, closing = CYCLE_NEVER;
    bool issued = false;
    for (uint32_t b = 0; b < config->banks; b++) {
        Bank *bank = &channel->banks[b];
        if (bank->open && !issued && bank->precharge_ok <= cycle) {
            precharge(channel, bank, cycle);
            issued = true;
        }
        if (bank->open)
            closing = smaller(closing, larger(bank->precharge_ok, cycle + 1));
        else
            idle = larger(idle, bank->activate_ok);
    }
    if (closing != CYCLE_NEVER) return closing;
    if (idle > cycle) return idle;
    for (uint32_t b = 0; b < config->banks; b++) {
        channel->banks[b].activate_ok = cycle + config->refresh_cycles;
        note_need(channel, &channel->banks[b]);
    }
    channel->counters.refreshes++;
    channel->refresh_at += config->refresh_interval;
    return cycle + 1;
}

unsigned channel_cycle(Channel *channel, uint64_t cycle, const DramDone **done)
{
    channel->done_count = 0;
    channel->started = true;
    channel->last = cycle;
    uint64_t next =
        cycle >= channel->refresh_at ? refresh(channel, cycle) : issue(channel, cycle);
    channel->next = channel->every_cycle ? cycle + 1 : next;
    *done = channel->done;
    return channel->done_count;
}
