// Store logs: they hold stores from the SM phase of a quantum until its memory phase. Loads of the
// same SM check the log first. The host must be little-endian, like the guest.
#include "exec/store_log.h"

#include "base/inline.h"
#include "base/memory.h"
#include "exec/exec.h"

#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "expected a little-endian host: guest values are copied unchanged");

enum { INITIAL_SECTORS = 64 };

StoreLog *store_log_new(HdError *err)
{
    StoreLog *log = hd_new(1, sizeof *log);
    if (!log) hd_fail_memory(err, "making a store log");
    else log->table.epoch = 1;
    return log;
}

void store_log_free(StoreLog *log)
{
    if (!log) return;
    free(log->instructions);
    free(log->entries);
    free(log->table.sectors);
    round_log_free(log->round);
    free(log);
}

bool store_log_empty(const StoreLog *log) { return log->instruction_count == 0; }

// The table entry of `sector`, or the free entry where it belongs.
static StoredSector *find_sector(const SectorTable *table, uint64_t sector)
{
    size_t last = table->capacity - 1;
    size_t i = store_log_hash(sector) >> (64 - log2_floor(table->capacity));
    while (table->sectors[i].epoch == table->epoch && table->sectors[i].sector != sector)
        i = (i + 1) & last;
    return &table->sectors[i];
}

// Keeps the table at most half full.
bool store_log_reserve(StoreLog *log, size_t more)
{
    SectorTable *table = &log->table, grown = *table;
    while ((table->count + more) * 2 > grown.capacity)
        grown.capacity = grown.capacity ? grown.capacity * 2 : INITIAL_SECTORS;
    if (grown.capacity == table->capacity) return true;
    grown.sectors = hd_new(grown.capacity, sizeof *grown.sectors);
    if (!grown.sectors) return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->sectors[i].epoch == table->epoch)
            *find_sector(&grown, table->sectors[i].sector) = table->sectors[i];
    free(table->sectors);
    *table = grown;
    return true;
}

static uint64_t byte_mask(unsigned bytes)
{
    return bytes == 8 ? ~(uint64_t)0 : (UINT64_C(1) << bytes * 8) - 1;
}

// With a constant size the compiler emits a move instead of a call.
static inline void copy_element(void *to, const void *from, unsigned bytes)
{
    switch (bytes) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, 8);
    }
}

StoredSector *store_log_sector(StoreLog *log, uint64_t sector)
{
    uint64_t bit = store_log_hash(sector) >> (64 - FILTER_LOG2);
    log->filter[bit >> 6] |= UINT64_C(1) << (bit & 63);
    StoredSector *at = find_sector(&log->table, sector);
    if (at->epoch != log->table.epoch) {
        *at = (StoredSector){.sector = sector, .epoch = log->table.epoch};
        log->table.count++;
    }
    return at;
}

void store_log_put_run(StoreLog *log, uint64_t address, const uint8_t *bytes, unsigned count)
{
    while (count) {
        unsigned offset = address % LOG_SECTOR_BYTES, part = LOG_SECTOR_BYTES - offset;
        if (part > count) part = count;
        StoredSector *at = store_log_sector(log, address / LOG_SECTOR_BYTES);
        if (part == LOG_SECTOR_BYTES) memcpy(at->words, bytes, LOG_SECTOR_BYTES);
        else memcpy((uint8_t *)at->words + offset, bytes, part);
        at->stored |= lanes_all(part) << offset;
        address += part;
        bytes += part;
        count -= part;
    }
}

// Appends the elements of the lanes, for which there is room. Built for each size, so that an
// element is a move.
ALWAYS_INLINE void add_lanes(StoreLog *log, const WarpStore *store, unsigned bytes)
{
    LoggedStore *entry = log->entries + log->entry_count;
    StoredSector *at = NULL; // of the previous lane; the next lane mostly uses the same
    for (LaneMask left = store->mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t value = 0, address = store->addresses[l], sector = address / LOG_SECTOR_BYTES;
        copy_element(&value, (const uint8_t *)store->data + (size_t)l * store->stride, bytes);
        *entry++ = (LoggedStore){address, value};
        if (!at || at->sector != sector) at = store_log_sector(log, sector);
        store_log_put(at, address, value, bytes);
    }
}

// Whether all lanes store, side by side, elements that lie side by side here.
static bool is_run(const WarpStore *store)
{
    return store->mask == lanes_all(HD_MAX_LANES) && store->bytes == store->stride &&
           exec_strided(store->addresses, store->bytes);
}

// The same as add_lanes for such a store.
ALWAYS_INLINE void add_run(StoreLog *log, const WarpStore *store, unsigned bytes)
{
    LoggedStore *entry = log->entries + log->entry_count;
    const uint8_t *from = store->data;
    uint64_t address = store->addresses[0];
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        uint64_t value = 0;
        copy_element(&value, from + l * bytes, bytes);
        entry[l] = (LoggedStore){address + l * bytes, value};
    }
    store_log_put_run(log, address, from, HD_MAX_LANES * bytes);
}

bool store_log_add(StoreLog *log, uint64_t time, const WarpStore *store)
{
    unsigned count = lanes_count(store->mask), bytes = store->bytes;
    LoggedInstruction instruction = {time, log->entry_count, count, bytes};
    bool run = is_run(store);
    // The most sectors that it touches.
    unsigned sectors = run ? count * bytes / LOG_SECTOR_BYTES + 1 : count;
    // hd_reserve makes room for one element after a count: pass the index of the last one.
    if (!store_log_reserve(log, sectors) ||
        (log->entry_count + count > log->entry_capacity &&
         !hd_reserve(&log->entries, log->entry_count + count - 1, &log->entry_capacity,
                     sizeof *log->entries)) ||
        !HD_PUSH(log->instructions, log->instruction_count, log->instruction_capacity, instruction))
        return false;
    switch (bytes) {
    case 4: run ? add_run(log, store, 4) : add_lanes(log, store, 4); break;
    case 8: run ? add_run(log, store, 8) : add_lanes(log, store, 8); break;
    default: add_lanes(log, store, bytes);
    }
    log->entry_count += count;
    return true;
}

uint64_t store_log_read(const StoreLog *log, const GuestMemory *memory, uint64_t address,
                        unsigned bytes)
{
    uint64_t value = 0;
    copy_element(&value, guest_host(memory, address), bytes);
    if (!store_log_maybe(log, address)) return value;
    const StoredSector *at = find_sector(&log->table, address / LOG_SECTOR_BYTES);
    if (at->epoch != log->table.epoch) return value;
    unsigned offset = address % LOG_SECTOR_BYTES;
    uint32_t all = (1u << bytes) - 1, stored = at->stored >> offset & all;
    uint64_t logged = at->words[offset / WORD_BYTES] >> address % WORD_BYTES * 8;
    if (stored == all) return logged & byte_mask(bytes);
    for (; stored; stored &= stored - 1) {
        uint64_t byte = UINT64_C(0xff) << lanes_first(stored) * 8;
        value = (value & ~byte) | (logged & byte);
    }
    return value;
}

void store_log_forget(StoreLog *log)
{
    SectorTable *table = &log->table;
    memset(log->filter, 0, sizeof log->filter);
    table->count = 0;
    if (++table->epoch) return;
    memset(table->sectors, 0, table->capacity * sizeof *table->sectors);
    table->epoch = 1;
}

ALWAYS_INLINE void apply_entries(GuestMemory *memory, const LoggedStore *entry, uint32_t count,
                                 unsigned bytes)
{
    for (uint32_t i = 0; i < count; i++)
        copy_element(guest_host(memory, entry[i].address), &entry[i].value, bytes);
}

static void apply(GuestMemory *memory, const StoreLog *log, const LoggedInstruction *instruction)
{
    const LoggedStore *first = log->entries + instruction->first;
    if (instruction->bytes == 4) apply_entries(memory, first, instruction->count, 4); // mostly
    else apply_entries(memory, first, instruction->count, instruction->bytes);
}

// Logs whose next instruction is due, the earliest first: a heap of their numbers by the time of
// that instruction, then by number. It lies in the logs' `turn`.
typedef struct CommitHeap {
    StoreLog *const *logs;
    unsigned count;
} CommitHeap;

static uint64_t time_of(const StoreLog *log) { return log->instructions[log->applied].time; }

static bool is_before(const CommitHeap *heap, uint32_t a, uint32_t b)
{
    uint64_t at = time_of(heap->logs[a]), bt = time_of(heap->logs[b]);
    return at != bt ? at < bt : a < b;
}

// Moves the log at `place` down to where it belongs.
static void sink(const CommitHeap *heap, unsigned place)
{
    uint32_t moved = heap->logs[place]->turn;
    for (unsigned child; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count &&
            is_before(heap, heap->logs[child + 1]->turn, heap->logs[child]->turn))
            child++;
        if (is_before(heap, moved, heap->logs[child]->turn)) break;
        heap->logs[place]->turn = heap->logs[child]->turn;
    }
    heap->logs[place]->turn = moved;
}

void guest_commit(GuestMemory *memory, StoreLog *const *logs, unsigned count)
{
    CommitHeap heap = {.logs = logs};
    for (unsigned i = 0; i < count; i++)
        if (logs[i]->instruction_count) logs[heap.count++]->turn = i;
    for (unsigned i = heap.count / 2; i-- > 0;) sink(&heap, i);
    while (heap.count) {
        StoreLog *log = logs[logs[0]->turn];
        uint64_t time = time_of(log);
        do apply(memory, log, &log->instructions[log->applied++]);
        while (log->applied < log->instruction_count && time_of(log) == time);
        if (log->applied == log->instruction_count) logs[0]->turn = logs[--heap.count]->turn;
        if (heap.count) sink(&heap, 0);
    }
    for (unsigned i = 0; i < count; i++) {
        StoreLog *log = logs[i];
        if (store_log_empty(log)) continue;
        store_log_forget(log);
        log->instruction_count = log->entry_count = log->applied = 0;
    }
}
