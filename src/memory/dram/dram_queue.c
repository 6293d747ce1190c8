// The queue of a channel: its room, the order in which a bank serves its requests, and requests
// that leave it.
#include "memory/dram/dram_internal.h"

#include <limits.h>

// ---- room ----

static bool queue_full(const Channel *channel)
{
    if (channel->queued < channel->config->queue) return false;
    if (!channel->config->bank_request) return true;
    uint64_t serving = 0; // banks, each with a request of its own
    for (Need need = 0; need < NEEDS; need++) serving |= channel->needing[need];
    return channel->queued - (unsigned)__builtin_popcountll(serving) >= channel->config->queue;
}

// Whether as many requests wait for the bank as may, without the one that it keeps.
static bool bank_full(const Channel *channel, const Bank *bank)
{
    const DramConfig *config = channel->config;
    bool keeps = config->bank_request && bank->choice != NO_ENTRY;
    return config->bank_queue && bank->waiting - keeps >= config->bank_queue;
}

bool channel_full(const Channel *channel, uint64_t address)
{
    if (queue_full(channel)) return true;
    return channel->config->bank_queue &&
           bank_full(channel, &channel->banks[address_map_dram(channel->map, address).bank]);
}

// ---- order ----

static bool hits_first(const Channel *channel, const Bank *bank)
{
    return bank->open && channel->config->scheduler != 0;
}

// The rank of an entry in its bank: see the head of dram.h. The lowest is served first, of equal
// ones the oldest.
static unsigned rank_of(const Channel *channel, const Bank *bank, const Entry *entry)
{
    bool last = entry->request.speculative && channel->config->prefetches == PREFETCHES_LAST;
    return 2u * last + !(hits_first(channel, bank) && entry->row == bank->row);
}

// With no prefetches to put last, the oldest entry that hits, else the oldest.
static uint32_t choose_by_row(const Channel *channel, const Bank *bank)
{
    uint32_t hit = hits_first(channel, bank) ? bank->first : NO_ENTRY;
    while (hit != NO_ENTRY && channel->entries[hit].row != bank->row)
        hit = channel->entries[hit].next;
    return hit != NO_ENTRY ? hit : bank->first;
}

static uint32_t choose_by_rank(const Channel *channel, const Bank *bank)
{
    uint32_t choice = NO_ENTRY;
    unsigned lowest = UINT_MAX;
    for (uint32_t at = bank->first; at != NO_ENTRY; at = channel->entries[at].next) {
        unsigned rank = rank_of(channel, bank, &channel->entries[at]);
        if (rank >= lowest) continue;
        lowest = rank;
        choice = at;
    }
    return choice;
}

void dram_choose(Channel *channel, Bank *bank)
{
    bool ranks = channel->config->prefetches == PREFETCHES_LAST;
    bank->choice = ranks ? choose_by_rank(channel, bank) : choose_by_row(channel, bank);
    dram_note_need(channel, bank);
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
    bank->waiting++;
    channel->queued++;
    if (bank->choice != NO_ENTRY) { // which the bank keeps, unless the new entry goes before it
        if (channel->config->bank_request) return;
        unsigned kept = rank_of(channel, bank, &channel->entries[bank->choice]);
        if (rank_of(channel, bank, entry) >= kept) return;
    }
    bank->choice = at;
    dram_note_need(channel, bank);
    dram_wake_for_choice(channel, bank, cycle);
}

// Whether a request reads some of these sectors for this slice.
static bool reads(const DramRequest *request, unsigned slice, uint64_t address, uint8_t sectors)
{
    if (request->write || request->slice != slice) return false;
    if (!request->sectors) return request->address == address;
    return request->sectors & sectors &&
           request->address / MAX_LINE_BYTES == address / MAX_LINE_BYTES;
}

void channel_promote(Channel *channel, unsigned slice, uint64_t address, uint8_t sectors,
                     uint64_t cycle)
{
    Bank *bank = &channel->banks[address_map_dram(channel->map, address).bank];
    bool promoted = false;
    for (uint32_t at = bank->first; at != NO_ENTRY; at = channel->entries[at].next) {
        DramRequest *request = &channel->entries[at].request;
        if (!request->speculative || !reads(request, slice, address, sectors)) continue;
        request->speculative = false;
        promoted = true;
    }
    if (!promoted) return;
    channel->counters.prefetches_promoted++;
    if (channel->config->bank_request) return;
    uint32_t before = bank->choice;
    dram_choose(channel, bank);
    if (bank->choice != before) dram_wake_for_choice(channel, bank, cycle);
}

void channel_make_room(Channel *channel, uint64_t address, uint64_t cycle)
{
    unsigned bank = (unsigned)address_map_dram(channel->map, address).bank;
    channel->crowded |= bank_full(channel, &channel->banks[bank]) ? UINT64_C(1) << bank
                                                                  : UINT64_MAX;
    dram_wake(channel, cycle);
}

// ---- requests that leave ----

// Frees an entry of the bank, behind entry `before` (NO_ENTRY: the first one).
static void remove_entry(Channel *channel, Bank *bank, uint32_t at, uint32_t before)
{
    Entry *entry = &channel->entries[at];
    if (before == NO_ENTRY)
        bank->first = entry->next;
    else
        channel->entries[before].next = entry->next;
    if (bank->last == at) bank->last = before;
    entry->next = channel->free_entry;
    channel->free_entry = at;
    bank->waiting--;
    channel->queued--;
}

static void finish(Channel *channel, Bank *bank, uint32_t at, uint32_t before, uint64_t cycle)
{
    const Entry *entry = &channel->entries[at];
    channel->done[channel->done_count++] = (DramDone){entry->request, cycle, false};
    uint32_t sectors = entry->request.sectors;
    uint64_t bytes = sectors ? lanes_count(sectors) * SECTOR_BYTES : channel->sector;
    *(entry->request.write ? &channel->counters.bytes_written : &channel->counters.bytes_read) +=
        bytes;
    if (entry->request.prefetcher && channel->prefetched)
        channel->prefetched[entry->request.prefetcher] += bytes;
    remove_entry(channel, bank, at, before);
}

// Drops the speculative reads of a bank, but for the one that the bank keeps.
static void drop_prefetches(Channel *channel, Bank *bank, uint64_t cycle)
{
    uint32_t before = NO_ENTRY, kept = channel->config->bank_request ? bank->choice : NO_ENTRY;
    for (uint32_t at = bank->first, next; at != NO_ENTRY; at = next) {
        const Entry *entry = &channel->entries[at];
        next = entry->next;
        if (!entry->request.speculative || at == kept || entry->bursts_left < entry->bursts) {
            before = at;
            continue;
        }
        channel->done[channel->done_count++] = (DramDone){entry->request, cycle, true};
        channel->counters.prefetches_dropped++;
        remove_entry(channel, bank, at, before);
    }
    if (kept == NO_ENTRY) dram_choose(channel, bank);
}

void dram_drop_crowded(Channel *channel, uint64_t cycle)
{
    for (uint32_t b = 0; b < channel->config->banks; b++)
        if (channel->crowded >> b & 1) drop_prefetches(channel, &channel->banks[b], cycle);
    channel->crowded = 0;
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

void dram_finish_burst(Channel *channel, Bank *bank, uint64_t cycle)
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

