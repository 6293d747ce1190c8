// DRAM command scheduling: the command that the chosen request of each bank needs next, and the
// first cycle in which the timing allows it.
#include "memory/dram/dram_internal.h"

#include "base/inline.h"

enum { TURNAROUND = 2 }; // idle cycles of the data bus, from a read to a write

static bool is_column(Need need) { return need >= NEED_READ; }

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

void channel_every_cycle(Channel *channel, bool every_cycle)
{
    channel->every_cycle = every_cycle;
    if (every_cycle) dram_wake(channel, 0);
}

static unsigned bank_number(const Channel *channel, const Bank *bank)
{
    return (unsigned)(bank - channel->banks);
}

void dram_note_need(Channel *channel, Bank *bank)
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

// After a row was opened or closed: chooses again, unless the bank keeps its request.
static void note_choice(Channel *channel, Bank *bank)
{
    if (channel->config->bank_request && bank->choice != NO_ENTRY) dram_note_need(channel, bank);
    else dram_choose(channel, bank);
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

void dram_wake_for_choice(Channel *channel, const Bank *bank, uint64_t cycle)
{
    uint64_t allowed = larger(channel_allows(channel, bank->need),
                              bank_allows(channel, bank->need, bank_number(channel, bank)));
    dram_wake(channel, larger(cycle, allowed));
}

void channel_taken(Channel *channel, uint64_t cycle)
{
    // Only reads that found the return queue full wait for this.
    if (channel->returning-- == channel->config->return_queue) dram_wake(channel, cycle);
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
    dram_finish_burst(channel, bank, end);
    dram_choose(channel, bank);
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
        dram_note_need(channel, &channel->banks[b]);
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
    if (channel->crowded) dram_drop_crowded(channel, cycle);
    uint64_t next =
        cycle >= channel->refresh_at ? refresh(channel, cycle) : issue(channel, cycle);
    channel->next = channel->every_cycle ? cycle + 1 : next;
    *done = channel->done;
    return channel->done_count;
}
