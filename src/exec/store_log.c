// Store logs: stores wait here from the SM phase of a quantum until its memory phase, and their
// own SM's loads look here first. The host is little-endian, as the guest is.
#include "exec/store_log.h"

#include "base/memory.h"

#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "guest values are copied as they are");

enum { WORDS_AT_FIRST = 64 };

StoreLog *store_log_new(HdError *err)
{
    StoreLog *log = hd_new(1, sizeof *log);
    StoredWord *words = hd_new(WORDS_AT_FIRST, sizeof *words);
    if (!log || !words) {
        hd_fail_memory(err, "making a store log");
        free(log);
        free(words);
        return NULL;
    }
    log->words = words;
    log->word_capacity = WORDS_AT_FIRST;
    log->epoch = 1;
    return log;
}

void store_log_free(StoreLog *log)
{
    if (!log) return;
    free(log->records);
    free(log->entries);
    free(log->words);
    free(log);
}

bool store_log_empty(const StoreLog *log) { return log->record_count == 0; }

// The table's place of `word`: where it is, or the free place where it belongs.
static StoredWord *find_word(const StoreLog *log, uint64_t word)
{
    size_t last = log->word_capacity - 1;
    size_t i = store_log_hash(word) >> (64 - log2_floor(log->word_capacity));
    while (log->words[i].epoch == log->epoch && log->words[i].word != word) i = (i + 1) & last;
    return &log->words[i];
}

// Makes room for `more` words with the table at most half full.
static bool reserve_words(StoreLog *log, size_t more)
{
    size_t wanted = log->word_capacity;
    while ((log->word_count + more) * 2 > wanted) wanted *= 2;
    if (wanted == log->word_capacity) return true;
    StoreLog grown = *log;
    grown.word_capacity = wanted;
    grown.words = hd_new(wanted, sizeof *grown.words);
    if (!grown.words) return false;
    for (size_t i = 0; i < log->word_capacity; i++)
        if (log->words[i].epoch == log->epoch)
            *find_word(&grown, log->words[i].word) = log->words[i];
    free(log->words);
    log->words = grown.words;
    log->word_capacity = wanted;
    return true;
}

static bool reserve_entries(StoreLog *log, size_t more)
{
    if (log->entry_count + more <= log->entry_capacity) return true;
    // hd_reserve makes room for one behind a count: ask for the last one.
    return hd_reserve(&log->entries, log->entry_count + more - 1, &log->entry_capacity,
                      sizeof *log->entries);
}

static uint64_t byte_mask(unsigned bytes)
{
    return bytes == 8 ? ~(uint64_t)0 : (UINT64_C(1) << bytes * 8) - 1;
}

static void index_store(StoreLog *log, uint64_t address, uint64_t value, uint64_t mask)
{
    uint64_t bit = store_log_hash(address >> SECTOR_LOG2) >> (64 - FILTER_LOG2);
    log->filter[bit >> 6] |= UINT64_C(1) << (bit & 63);
    StoredWord *at = find_word(log, address / WORD_BYTES);
    if (at->epoch != log->epoch) {
        *at = (StoredWord){.word = address / WORD_BYTES, .epoch = log->epoch};
        log->word_count++;
    }
    unsigned shift = address % WORD_BYTES * 8;
    at->value = (at->value & ~(mask << shift)) | value << shift;
    at->mask |= mask << shift;
}

bool store_log_add(StoreLog *log, uint64_t time, LaneMask mask, const uint64_t *addresses,
                   unsigned bytes, const void *data, unsigned stride)
{
    unsigned count = lanes_count(mask);
    StoreRecord record = {time, log->entry_count, count, bytes};
    if (!reserve_words(log, count) || !reserve_entries(log, count) ||
        !HD_PUSH(log->records, log->record_count, log->record_capacity, record))
        return false;
    uint64_t value_mask = byte_mask(bytes);
    StoreEntry *entry = log->entries + log->entry_count;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t value = 0;
        memcpy(&value, (const uint8_t *)data + (size_t)l * stride, bytes);
        *entry++ = (StoreEntry){addresses[l], value};
        index_store(log, addresses[l], value, value_mask);
    }
    log->entry_count += count;
    return true;
}

uint64_t store_log_read(const StoreLog *log, const GuestMemory *memory, uint64_t address,
                        unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, guest_host(memory, address), bytes);
    if (!store_log_maybe(log, address)) return value;
    const StoredWord *at = find_word(log, address / WORD_BYTES);
    if (at->epoch != log->epoch) return value;
    unsigned shift = address % WORD_BYTES * 8;
    uint64_t stored = at->mask >> shift & byte_mask(bytes);
    return (value & ~stored) | (at->value >> shift & stored);
}

static void clear(StoreLog *log)
{
    if (log->record_count == 0) return;
    memset(log->filter, 0, sizeof log->filter);
    log->record_count = log->entry_count = log->word_count = log->applied = 0;
    log->epoch++;
}

// Applies the log's records of that time.
static void apply(GuestMemory *memory, StoreLog *log, uint64_t time)
{
    for (; log->applied < log->record_count; log->applied++) {
        const StoreRecord *record = &log->records[log->applied];
        if (record->time != time) return;
        const StoreEntry *entry = log->entries + record->first;
        for (uint32_t i = 0; i < record->count; i++)
            memcpy(guest_host(memory, entry[i].address), &entry[i].value, record->bytes);
    }
}

// The earliest time of a record that is not applied; UINT64_MAX where all are.
static uint64_t next_time(StoreLog *const *logs, unsigned count)
{
    uint64_t time = UINT64_MAX;
    for (unsigned i = 0; i < count; i++)
        if (logs[i]->applied < logs[i]->record_count &&
            logs[i]->records[logs[i]->applied].time < time)
            time = logs[i]->records[logs[i]->applied].time;
    return time;
}

// A merge by time with all logs visited in order for each: a quantum has few distinct times (its
// cycles), so this costs less than a heap.
void guest_commit(GuestMemory *memory, StoreLog *const *logs, unsigned count)
{
    for (uint64_t time; (time = next_time(logs, count)) != UINT64_MAX;)
        for (unsigned i = 0; i < count; i++) apply(memory, logs[i], time);
    for (unsigned i = 0; i < count; i++) clear(logs[i]);
}
