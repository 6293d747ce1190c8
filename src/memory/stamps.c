// The table of versions of written lines.
#include "memory/stamps.h"

#include "base/memory.h"

Stamps *stamps_new(unsigned entries)
{
    Stamps *stamps = hd_new(1, sizeof *stamps);
    if (!stamps) return NULL;
    stamps->sets = entries / STAMP_WAYS;
    stamps->entries = hd_new(entries, sizeof *stamps->entries);
    stamps->evicted_versions = hd_new(stamps->sets, sizeof *stamps->evicted_versions);
    if (stamps->entries && stamps->evicted_versions) return stamps;
    stamps_free(stamps);
    return NULL;
}

void stamps_free(Stamps *stamps)
{
    if (!stamps) return;
    free(stamps->entries);
    free(stamps->evicted_versions);
    free(stamps);
}

static uint64_t hash(uint64_t address)
{
    return address / MAX_LINE_BYTES * UINT64_C(0x9e3779b97f4a7c15);
}

uint16_t stamps_tag(uint64_t address)
{
    return (uint16_t)(hash(address) >> 24 & ((1u << STAMP_TAG_BITS) - 1));
}

unsigned stamps_set(const Stamps *stamps, uint64_t address)
{
    return (unsigned)(hash(address) >> 40) & (stamps->sets - 1);
}

static void count_up(Stamps *stamps)
{
    if (stamps->sequence < UINT32_MAX) stamps->sequence++;
}

void stamps_begin(Stamps *stamps)
{
    count_up(stamps);
    stamps->floor = stamps->sequence;
}

// The line's entry. If it has none, a free entry, or that of the line written longest ago.
static WriteStamp *find(const Stamps *stamps, uint64_t address, bool *there)
{
    WriteStamp *first = stamps->entries + (size_t)stamps_set(stamps, address) * STAMP_WAYS;
    WriteStamp *oldest = first;
    uint16_t tag = stamps_tag(address);
    for (WriteStamp *e = first; e < first + STAMP_WAYS; e++) {
        *there = e->last && e->tag == tag;
        if (*there) return e;
        if (e->last < oldest->last) oldest = e;
    }
    return oldest;
}

void stamps_write(Stamps *stamps, uint64_t address)
{
    count_up(stamps);
    bool there;
    WriteStamp *entry = find(stamps, address, &there);
    uint32_t *evicted_versions = &stamps->evicted_versions[stamps_set(stamps, address)];
    if (!there && entry->last > *evicted_versions) *evicted_versions = entry->last;
    *entry = (WriteStamp){.last = stamps->sequence, .tag = stamps_tag(address)};
}

bool stamps_stale(const Stamps *stamps, uint64_t address, uint32_t stamp)
{
    if (stamps->sequence == UINT32_MAX || stamp < stamps->floor ||
        stamp < stamps->evicted_versions[stamps_set(stamps, address)])
        return true;
    bool there;
    const WriteStamp *entry = find(stamps, address, &there);
    return there && stamp < entry->last;
}
