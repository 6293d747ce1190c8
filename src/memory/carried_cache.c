// Data in the lines of a cache: they come, are written, and go.
#include "memory/cache_state.h"
#include "memory/carried.h"

void carried_put(Carried *to, const Carried *from, unsigned first, unsigned count, bool keep)
{
    for (unsigned i = first; i < first + count; i++) {
        if (!from->version[i] || (keep && to->version[i])) continue;
        to->version[i] = from->version[i];
        to->byte[i] = from->byte[i];
        to->line = from->line;
        to->taken[i / CARRIED_SECTOR] = from->taken[i / CARRIED_SECTOR];
        to->asked[i / CARRIED_SECTOR] = from->asked[i / CARRIED_SECTOR];
    }
}

Carried carried_part(const Carried *from, const uint64_t mask[2])
{
    Carried part = *from;
    for (unsigned i = 0; i < CARRIED_BYTES; i++)
        if (!carried_in(mask, i)) part.version[i] = 0;
    return part;
}

// Where a sector of the cache lies in its 128 bytes.
static unsigned sector_start(const Cache *cache, uint64_t address)
{
    return (unsigned)(address >> cache->sector_bits << cache->sector_bits) % CARRIED_BYTES;
}

static unsigned sector_length(const Cache *cache)
{
    uint64_t bytes = UINT64_C(1) << cache->sector_bits;
    return bytes < CARRIED_BYTES ? (unsigned)bytes : CARRIED_BYTES;
}

// The bytes that a write writes in a line: those of its sector, or of its parts that are here.
static void written_bytes(const Cache *cache, const CacheLine *line, const CacheAccess *access,
                          uint64_t written[2])
{
    uint64_t all[2] = {0}, part[2];
    if (!cache->parts) cache_sector_bytes(cache, access->address, all);
    for (unsigned p = 0; cache->parts && p < CARRIED_SECTORS; p++) {
        if (!(line->valid >> p & 1)) continue;
        cache_sector_bytes(cache, line->line + p * CARRIED_SECTOR, part);
        all[0] |= part[0];
        all[1] |= part[1];
    }
    for (unsigned i = 0; i < 2; i++) written[i] = all[i] & access->bytes[i];
}

void carried_store(Cache *cache, CacheLine *line, const CacheAccess *access)
{
    uint64_t written[2];
    written_bytes(cache, line, access, written);
    for (unsigned i = 0; i < CARRIED_BYTES; i++)
        if (carried_in(written, i)) line->data.version[i] = 0; // without data: no longer known
    if (!access->data) return;
    Carried part = carried_part(access->data, written);
    carried_put(&line->data, &part, 0, CARRIED_BYTES, false);
}

void carried_forget(Cache *cache, CacheLine *line, uint8_t sectors)
{
    for (unsigned s = 0; s < MAX_SECTORS; s++) {
        if (!(sectors >> s & 1)) continue;
        unsigned first = sector_start(cache, line->line + ((uint64_t)s << cache->sector_bits));
        for (unsigned i = first; i < first + sector_length(cache); i++) line->data.version[i] = 0;
    }
}

Carried *carried_here(Cache *cache, uint64_t address)
{
    const CacheLine *line = cache_probe(cache, address);
    return line ? &cache->lines[line - cache->lines].data : NULL;
}

uint8_t carried_sectors(const Cache *cache, uint64_t address)
{
    const CacheLine *line = cache_probe(cache, address);
    uint8_t sectors = 0;
    for (unsigned s = 0; line && s < CARRIED_SECTORS; s++) {
        uint64_t at = address - address % CARRIED_BYTES + s * CARRIED_SECTOR;
        bool in = (at & ~cache->line_mask) == line->line;
        if (in && line->readable & cache_sector_bit(cache, at)) sectors |= (uint8_t)(1u << s);
    }
    return sectors;
}

Carried *carried_fill(Cache *cache, uint64_t address, uint8_t sectors, const Carried *data)
{
    sectors &= carried_sectors(cache, address);
    if (!sectors) return NULL;
    Carried *here = carried_here(cache, address);
    for (unsigned s = 0; s < CARRIED_SECTORS; s++)
        if (sectors >> s & 1) carried_put(here, data, s * CARRIED_SECTOR, CARRIED_SECTOR, true);
    return here;
}

// The line's bytes that a launch without time has left.
static void adopt_line(CarriedMemory *memory, const Cache *cache, CacheLine *line, uint64_t guest)
{
    CarriedPlace *place = NULL;
    for (unsigned i = 0; i < CARRIED_BYTES; i++) {
        uint64_t address = line->line - line->line % CARRIED_BYTES + i;
        if (line->data.version[i] || (address & ~cache->line_mask) != line->line) continue;
        bool here = line->readable & cache_sector_bit(cache, address);
        if (!here && !carried_in(line->written, i)) continue;
        if (!place) place = carried_place(memory, guest);
        carried_give(memory, place, &line->data, i);
    }
}

void carried_adopt(CarriedMemory *memory, Cache *cache, int slice)
{
    size_t count = cache ? cache_set_lines(cache) + cache->config->victim_entries : 0;
    for (size_t i = 0; i < count; i++) {
        CacheLine *line = &cache->lines[i];
        if (!cache_used(cache, line)) continue;
        uint64_t address = line->line - line->line % CARRIED_BYTES;
        if (slice >= 0) address = carried_guest_line(memory, (unsigned)slice, address);
        adopt_line(memory, cache, line, address);
    }
}
