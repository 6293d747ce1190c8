// The histories of all locations, and the checks of what loads are given.
#include "memory/shadow.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "exec/guest.h"
#include "memory/address_map.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SHADOW_BYTES == MAX_LINE_BYTES && (int)SHADOW_SECTOR == SECTOR_BYTES,
               "shadow data are those of a line");

typedef struct Written {
    Tick time;
    uint32_t version, own;
    uint32_t before; // the previous write to this byte, index + 1; 0: none in this launch
    uint16_t sm;
    uint8_t at, byte;
} Written;

struct ShadowHistory {
    uint64_t line;
    uint32_t latest[SHADOW_BYTES], began[SHADOW_BYTES]; // versions: now, and at the launch's start
    uint8_t byte[SHADOW_BYTES], began_byte[SHADOW_BYTES]; // bytes of these versions
    uint32_t last[SHADOW_BYTES]; // the last write of this launch, index + 1
    Written *writes;              // of this launch
    size_t count, capacity;
    ShadowData image;
};

typedef struct Shard { // the places of one slice: open addressing
    ShadowHistory **places;
    size_t count, capacity; // a power of two
    struct Cache *cache;
} Shard;

struct ShadowMemory {
    const AddressMap *map;
    const GuestMemory *guest;
    Shard *shards;
    unsigned slices;
    uint8_t *snapshot; // the guest's memory when the launch began
    uint64_t snapshot_bytes;
    Tick began;
    ShadowFault fault;
    ShadowReport **reports;
    size_t report_count, report_capacity;
};

// ---- life ----

void shadow_out_of_memory(void)
{
    fputs("out of memory: keeping shadow data of the caches\n", stderr);
    exit(2);
}

static void *need(void *made)
{
    if (!made) shadow_out_of_memory();
    return made;
}

static ShadowFault read_fault(void)
{
    static const char *const names[SHADOW_FAULTS] = {
        [FAULT_STALE_COPY_BACK] = "stale-copy-back",
        [FAULT_KEPT_LINE] = "kept-line",
        [FAULT_LOST_WRITE_BACK] = "lost-write-back",
        [FAULT_WRONG_SECTOR] = "wrong-sector",
        [FAULT_OLD_COPY_BACK] = "old-copy-back",
        [FAULT_FORGED_VERSION] = "forged-version",
        [FAULT_WRONG_VALUES] = "wrong-values",
        [FAULT_UNSENT_VALUES] = "unsent-values",
        [FAULT_WRONG_MOVE] = "wrong-move"};
    const char *wanted = getenv("HEDDLE_SHADOW_FAULT");
    if (!wanted) return FAULT_NONE;
    for (ShadowFault f = FAULT_NONE + 1; f < SHADOW_FAULTS; f++)
        if (!strcmp(names[f], wanted)) return f;
    fprintf(stderr, "HEDDLE_SHADOW_FAULT: '%s' is no fault\n", wanted);
    exit(2);
}

void shadow_new(ShadowMemory **made, const AddressMap *map, unsigned slices,
                const GuestMemory *guest)
{
    enum { PLACES_AT_FIRST = 256 };
    ShadowMemory *memory = *made = need(hd_new(1, sizeof *memory));
    *memory = (ShadowMemory){.map = map, .guest = guest, .slices = slices, .fault = read_fault(),
                              .shards = need(hd_new(slices, sizeof *memory->shards))};
    for (unsigned s = 0; s < slices; s++) {
        Shard *shard = &memory->shards[s];
        shard->capacity = PLACES_AT_FIRST;
        shard->places = need(hd_new(shard->capacity, sizeof *shard->places));
    }
}

void shadow_free(ShadowMemory *memory)
{
    if (!memory) return;
    uint64_t given = 0, older = 0, found = 0;
    for (size_t i = 0; i < memory->report_count; i++) {
        given += memory->reports[i]->given;
        older += memory->reports[i]->older;
        found += memory->reports[i]->found;
    }
    if (memory->guest && getenv("HEDDLE_SHADOW"))
        fprintf(stderr, "shadow: %" PRIu64 " checked, %" PRIu64 " older than an own store that met "
                        "them on their way, %" PRIu64 " wrong\n",
                given, older, found);
    for (unsigned s = 0; s < memory->slices; s++) {
        Shard *shard = &memory->shards[s];
        for (size_t i = 0; i < shard->capacity; i++) {
            if (shard->places[i]) free(shard->places[i]->writes);
            free(shard->places[i]);
        }
        free(shard->places);
    }
    for (size_t i = 0; i < memory->report_count; i++) {
        free(memory->reports[i]->doubts);
        free(memory->reports[i]);
    }
    free(memory->reports);
    free(memory->snapshot);
    free(memory->shards);
    free(memory);
}

ShadowFault shadow_fault(const ShadowMemory *memory) { return memory->fault; }
Tick shadow_launch_start(const ShadowMemory *memory) { return memory->began; }
void shadow_add_slice(ShadowMemory *memory, unsigned slice, struct Cache *cache)
{
    memory->shards[slice].cache = cache;
}

ShadowReport *shadow_add_report(ShadowMemory *memory, const char *kind, unsigned number)
{
    ShadowReport *report = need(hd_new(1, sizeof *report));
    snprintf(report->kind, sizeof report->kind, "%s", kind);
    report->number = number;
    if (!HD_PUSH(memory->reports, memory->report_count, memory->report_capacity, report))
        shadow_out_of_memory();
    return report;
}

void shadow_error(ShadowReport *report, const char *format, ...)
{
    if (report->found++) return;
    va_list args;
    va_start(args, format);
    number_format_list(report->text, sizeof report->text, format, args);
    va_end(args);
}

void shadow_verdict(const ShadowMemory *memory, char *text, size_t size)
{
    size_t used = 0;
    if (size) *text = 0;
    for (size_t i = 0; i < memory->report_count && used < size; i++) {
        const ShadowReport *report = memory->reports[i];
        if (!report->found) continue;
        int n = snprintf(text + used, size - used, "  wrong data, %s %u, the first of %" PRIu64
                                                   ": %s\n",
                         report->kind, report->number, report->found, report->text);
        used += n > 0 ? (size_t)n : 0;
    }
}

// ---- histories ----

static bool in_guest(uint64_t line, uint64_t bytes)
{
    return line >= GUEST_GLOBAL_BASE && line - GUEST_GLOBAL_BASE + SHADOW_BYTES <= bytes;
}

static size_t home(const Shard *shard, uint64_t line)
{
    size_t i = random_mix(line) & (shard->capacity - 1);
    while (shard->places[i] && shard->places[i]->line != line) i = (i + 1) & (shard->capacity - 1);
    return i;
}

static Shard *shard_of(const ShadowMemory *memory, uint64_t line)
{
    return &memory->shards[address_map_split(memory->map, line).slice];
}

ShadowHistory *shadow_find_history(const ShadowMemory *memory, uint64_t line)
{
    const Shard *shard = shard_of(memory, line);
    return shard->places[home(shard, line)];
}

static void grow(Shard *shard)
{
    Shard larger = {.capacity = shard->capacity * 2, .cache = shard->cache, .count = shard->count};
    larger.places = need(hd_new(larger.capacity, sizeof *larger.places));
    for (size_t i = 0; i < shard->capacity; i++) {
        ShadowHistory *place = shard->places[i];
        if (place) larger.places[home(&larger, place->line)] = place;
    }
    free(shard->places);
    *shard = larger;
}

// Bytes outside the guest's allocations (constants, instructions, local memory) start with values
// that differ by location.
static ShadowHistory *place_new(const ShadowMemory *memory, uint64_t line)
{
    ShadowHistory *place = need(hd_new(1, sizeof *place));
    place->line = place->image.line = line;
    bool guest = in_guest(line, memory->snapshot_bytes);
    for (unsigned i = 0; i < SHADOW_BYTES; i++) {
        place->byte[i] = guest ? memory->snapshot[line - GUEST_GLOBAL_BASE + i]
                               : (uint8_t)random_mix(line + i);
        place->latest[i] = place->began[i] = place->image.version[i] = 1;
        place->began_byte[i] = place->image.byte[i] = place->byte[i];
    }
    return place;
}

ShadowHistory *shadow_history(ShadowMemory *memory, uint64_t line)
{
    Shard *shard = shard_of(memory, line);
    size_t i = home(shard, line);
    if (shard->places[i]) return shard->places[i];
    if (2 * ++shard->count > shard->capacity) {
        grow(shard);
        i = home(shard, line);
    }
    return shard->places[i] = place_new(memory, line);
}

uint32_t shadow_latest(const ShadowHistory *place, unsigned at) { return place->latest[at]; }
ShadowData *shadow_dram_image(ShadowHistory *place) { return &place->image; }

uint32_t shadow_add_write(ShadowHistory *place, unsigned at, uint8_t byte, unsigned sm,
                          uint32_t own, Tick now)
{
    Written written = {.time = now, .version = ++place->latest[at], .own = own,
                       .before = place->last[at], .sm = (uint16_t)sm, .at = (uint8_t)at,
                       .byte = byte};
    place->byte[at] = byte;
    if (!HD_PUSH(place->writes, place->count, place->capacity, written)) shadow_out_of_memory();
    place->last[at] = (uint32_t)place->count;
    return written.version;
}

uint32_t shadow_version_of(const ShadowMemory *memory, uint64_t line, unsigned at, unsigned sm,
                           uint32_t own)
{
    const ShadowHistory *place = shadow_find_history(memory, line);
    for (uint32_t i = place ? place->last[at] : 0; i; i = place->writes[i - 1].before)
        if (place->writes[i - 1].sm == sm && place->writes[i - 1].own == own)
            return place->writes[i - 1].version;
    return 0;
}

// ---- a launch begins ----

// A byte that the host wrote replaces the latest version wherever it was: in the L2, in DRAM, or
// both.
static void host_wrote(ShadowHistory *place, ShadowData *cached, unsigned at, uint8_t byte)
{
    ShadowData *copies[] = {cached, &place->image};
    for (unsigned i = 0; i < 2; i++) {
        if (!copies[i] || copies[i]->version[at] != place->latest[at]) continue;
        copies[i]->version[at]++;
        copies[i]->byte[at] = byte;
    }
    place->latest[at]++;
    place->byte[at] = byte;
}

static void place_begin(ShadowMemory *memory, struct Cache *cache, ShadowHistory *place)
{
    if (in_guest(place->line, memory->snapshot_bytes)) {
        const uint8_t *host = guest_host(memory->guest, place->line);
        uint64_t address = address_map_split(memory->map, place->line).address;
        ShadowData *cached = shadow_line(cache, address);
        for (unsigned i = 0; i < SHADOW_BYTES; i++)
            if (host[i] != place->byte[i]) host_wrote(place, cached, i, host[i]);
    }
    memcpy(place->began, place->latest, sizeof place->began);
    memcpy(place->began_byte, place->byte, sizeof place->began_byte);
    memset(place->last, 0, sizeof place->last);
    place->count = 0;
}

void shadow_begin_launch(ShadowMemory *memory, Tick now)
{
    uint64_t had = memory->snapshot_bytes;
    uint64_t bytes = memory->guest ? round_up(memory->guest->used, SHADOW_BYTES) : 0;
    memory->began = now;
    memory->snapshot_bytes = bytes;
    for (unsigned s = 0; s < memory->slices; s++)
        for (size_t i = 0; i < memory->shards[s].capacity; i++)
            if (memory->shards[s].places[i])
                place_begin(memory, memory->shards[s].cache, memory->shards[s].places[i]);
    if (bytes > had) {
        free(memory->snapshot);
        memory->snapshot = need(hd_new(bytes, 1));
    }
    if (bytes) memcpy(memory->snapshot, memory->guest->host, bytes);
}

uint64_t shadow_guest_line(const ShadowMemory *memory, unsigned slice, uint64_t line)
{
    return address_map_join(memory->map, (SliceAddress){slice, line});
}

void shadow_give_latest(const ShadowMemory *memory, const ShadowHistory *place, ShadowData *to,
                        unsigned at)
{
    to->line = place->line;
    to->version[at] = place->latest[at];
    to->byte[at] = place->byte[at];
    to->taken[at / SHADOW_SECTOR] = memory->began;
}

// ---- a launch ends ----

void shadow_doubt(ShadowReport *report, uint64_t address, uint8_t value)
{
    ShadowDoubt doubt = {address, value};
    if (!HD_PUSH(report->doubts, report->doubt_count, report->doubt_capacity, doubt))
        shadow_out_of_memory();
}

// Stores reach memory in another order than their slice, so the byte may also be of an earlier one.
static bool was_written(const ShadowMemory *memory, const ShadowDoubt *doubt)
{
    unsigned at = doubt->address % SHADOW_BYTES;
    const ShadowHistory *place = shadow_find_history(memory, doubt->address - at);
    for (uint32_t i = place ? place->last[at] : 0; i; i = place->writes[i - 1].before)
        if (place->writes[i - 1].byte == doubt->value) return true;
    return false;
}

void shadow_end_launch(ShadowMemory *memory)
{
    for (size_t i = 0; i < memory->report_count; i++) {
        ShadowReport *report = memory->reports[i];
        for (size_t d = 0; d < report->doubt_count; d++)
            if (!was_written(memory, &report->doubts[d]))
                shadow_error(report, "mechanisms were shown 0x%02x at 0x%" PRIx64 ", which the "
                                     "slice did not hold and no store of this launch wrote",
                             report->doubts[d].value, report->doubts[d].address);
        report->doubt_count = 0;
    }
}

// ---- the check ----

// The write that made a version of a byte in this launch; NULL: there is none.
static const Written *find_write(const ShadowHistory *place, unsigned at, uint32_t version)
{
    for (uint32_t i = place->last[at]; i; i = place->writes[i - 1].before)
        if (place->writes[i - 1].version == version) return &place->writes[i - 1];
    return NULL;
}

static bool check_byte(const ShadowMemory *memory, ShadowReport *report,
                       const ShadowHistory *place, const ShadowData *given, unsigned at,
                       const ShadowRead *read)
{
    uint32_t version = given->version[at], latest = place->latest[at];
    uint8_t byte = given->byte[at];
    Tick since = read->since;
    const char *who = read->who;
    unsigned long long address = place->line + at;
    if (!version || version > latest) {
        shadow_error(report, "%s: byte 0x%llx %s (version %u of %u)", who, address,
                     version ? "was never written" : "is not here", version, latest);
        return false;
    }
    if (version < place->began[at]) {
        if (since < memory->began) return true; // when it was replaced is no longer known
        shadow_error(report, "%s: byte 0x%llx has version %u (0x%02x), which was replaced before "
                             "this launch began with version %u",
                     who, address, version, byte, place->began[at]);
        return false;
    }
    const Written *made = find_write(place, at, version);
    uint8_t right = version == place->began[at] ? place->began_byte[at] : made ? made->byte : 0;
    if (byte != right) {
        shadow_error(report, "%s: byte 0x%llx of version %u is 0x%02x; it was 0x%02x", who, address,
                     version, byte, right);
        return false;
    }
    if (version == latest) return true;
    const Written *replaced = find_write(place, at, version + 1);
    if (!replaced || replaced->time >= since) return true;
    shadow_error(report, "%s: byte 0x%llx has version %u (0x%02x), which SM %u's version %u "
                         "(0x%02x) replaced at tick %llu: expected one held since tick %llu "
                         "(the latest is %u)",
                 who, address, version, byte, replaced->sm, replaced->version, replaced->byte,
                 (unsigned long long)replaced->time, (unsigned long long)since, latest);
    return false;
}

// An SM's own stores alone: such a line need not have been at its slice yet.
static bool all_own(const ShadowData *given, const ShadowRead *read)
{
    bool own = true;
    for (unsigned at = read->from; at < read->from + read->count; at++)
        own &= (given->version[at] & SHADOW_OWN) != 0;
    return own;
}

bool shadow_check(const ShadowMemory *memory, ShadowReport *report, const ShadowData *given,
                  const ShadowRead *read)
{
    const ShadowHistory *place = shadow_find_history(memory, read->line);
    unsigned from = read->from, count = read->count;
    report->given++;
    bool here = given && given->line == read->line;
    if (here && all_own(given, read)) return true;
    if (!here || !place) {
        shadow_error(report, "%s: the line 0x%" PRIx64 " has no data (those of line 0x%" PRIx64 ")",
                     read->who, read->line, given ? given->line : 0);
        return false;
    }
    if (!memcmp(given->version + from, place->latest + from, count * sizeof *place->latest) &&
        !memcmp(given->byte + from, place->byte + from, count))
        return true;
    for (unsigned at = from; at < from + count; at++)
        if (!(given->version[at] & SHADOW_OWN) &&
            !check_byte(memory, report, place, given, at, read))
            return false;
    return true;
}
