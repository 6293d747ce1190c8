// Shadow data in the lines of a cache: they come, are written, and are invalidated.
#include "memory/cache/cache_state.h"
#include "memory/shadow.h"

void shadow_copy(ShadowData *to, const ShadowData *from, unsigned first, unsigned count, bool keep)
{
    for (unsigned i = first; i < first + count; i++) {
        if (!from->version[i] || (keep && to->version[i])) continue;
        to->version[i] = from->version[i];
        to->byte[i] = from->byte[i];
        to->value[i] = from->value[i];
        to->line = from->line;
        to->taken[i / SHADOW_SECTOR] = from->taken[i / SHADOW_SECTOR];
        to->asked[i / SHADOW_SECTOR] = from->asked[i / SHADOW_SECTOR];
    }
}

ShadowData shadow_select(const ShadowData *from, const uint64_t mask[2])
{
    ShadowData part = *from;
    for (unsigned i = 0; i < SHADOW_BYTES; i++)
        if (!shadow_mask_has(mask, i)) part.version[i] = 0;
    return part;
}

void shadow_store(Cache *cache, CacheLine *line, const CacheAccess *access)
{
    // A store writes bytes of its sector or, if an access is to several sectors, of valid sectors.
    uint64_t written[2];
    cache_sector_bytes(cache, line->line,
                       cache->sectored ? line->valid : cache_sector_bit(cache, access->address),
                       written);
    for (unsigned i = 0; i < 2; i++) written[i] &= access->bytes[i];
    for (unsigned i = 0; i < SHADOW_BYTES; i++)
        if (shadow_mask_has(written, i))
            line->shadow.version[i] = 0; // without data: no longer known
    if (!access->shadow.data) return;
    ShadowData part = shadow_select(access->shadow.data, written);
    shadow_copy(&line->shadow, &part, 0, SHADOW_BYTES, false);
}

void shadow_invalidate(Cache *cache, CacheLine *line, uint8_t sectors)
{
    uint64_t sector = UINT64_C(1) << cache->sector_bits;
    unsigned length = sector < SHADOW_BYTES ? (unsigned)sector : SHADOW_BYTES;
    for (unsigned s = 0; s < MAX_SECTORS; s++) {
        if (!(sectors >> s & 1)) continue;
        unsigned first = (unsigned)((line->line + s * sector) / sector * sector) % SHADOW_BYTES;
        for (unsigned i = first; i < first + length; i++) line->shadow.version[i] = 0;
    }
}

ShadowData *shadow_line(Cache *cache, uint64_t address)
{
    const CacheLine *line = cache_probe(cache, address);
    return line ? &cache->lines[line - cache->lines].shadow : NULL;
}

uint8_t shadow_readable_sectors(const Cache *cache, uint64_t address)
{
    const CacheLine *line = cache_probe(cache, address);
    uint8_t sectors = 0;
    for (unsigned s = 0; line && s < SHADOW_SECTORS; s++) {
        uint64_t at = address - address % SHADOW_BYTES + s * SHADOW_SECTOR;
        bool in = (at & ~cache->line_mask) == line->line;
        if (in && line->readable & cache_sector_bit(cache, at)) sectors |= (uint8_t)(1u << s);
    }
    return sectors;
}

ShadowData *shadow_fill_line(Cache *cache, uint64_t address, uint8_t sectors,
                             const ShadowData *data)
{
    sectors &= shadow_readable_sectors(cache, address);
    if (!sectors) return NULL;
    ShadowData *here = shadow_line(cache, address);
    for (unsigned s = 0; s < SHADOW_SECTORS; s++)
        if (sectors >> s & 1) shadow_copy(here, data, s * SHADOW_SECTOR, SHADOW_SECTOR, true);
    return here;
}

// Gives a line that a functional launch has left the latest bytes.
static void adopt_line(ShadowMemory *memory, const Cache *cache, CacheLine *line, uint64_t guest)
{
    ShadowHistory *place = NULL;
    for (unsigned i = 0; i < SHADOW_BYTES; i++) {
        uint64_t address = line->line - line->line % SHADOW_BYTES + i;
        if (line->shadow.version[i] || (address & ~cache->line_mask) != line->line) continue;
        bool here = line->readable & cache_sector_bit(cache, address);
        if (!here && !shadow_mask_has(line->written, i)) continue;
        if (!place) place = shadow_history(memory, guest);
        shadow_give_latest(memory, place, &line->shadow, i);
    }
}

void shadow_adopt(ShadowMemory *memory, Cache *cache, int slice)
{
    size_t count = cache ? cache_set_lines(cache) + cache->config->victim_entries : 0;
    for (size_t i = 0; i < count; i++) {
        CacheLine *line = &cache->lines[i];
        if (!cache_used(cache, line)) continue;
        uint64_t address = line->line - line->line % SHADOW_BYTES;
        if (slice >= 0) address = shadow_guest_line(memory, (unsigned)slice, address);
        adopt_line(memory, cache, line, address);
    }
}
