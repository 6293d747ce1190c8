// The table of versions of written lines.
#include "memory/slice/version_table.h"

#include "base/memory.h"

VersionTable *version_table_new(unsigned entries)
{
    VersionTable *stamps = hd_new(1, sizeof *stamps);
    if (!stamps) return NULL;
    stamps->sets = entries / VERSION_WAYS;
    stamps->entries = hd_new(entries, sizeof *stamps->entries);
    stamps->evicted_versions = hd_new(stamps->sets, sizeof *stamps->evicted_versions);
    if (stamps->entries && stamps->evicted_versions) return stamps;
    version_table_free(stamps);
    return NULL;
}

void version_table_free(VersionTable *stamps)
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

uint16_t version_table_tag(uint64_t address)
{
    return (uint16_t)(hash(address) >> 24 & ((1u << VERSION_TAG_BITS) - 1));
}

unsigned version_table_set(const VersionTable *stamps, uint64_t address)
{
    return (unsigned)(hash(address) >> 40) & (stamps->sets - 1);
}

static void count_up(VersionTable *stamps)
{
    if (stamps->sequence < UINT32_MAX) stamps->sequence++;
}

void version_table_on_kernel_begin(VersionTable *stamps)
{
    count_up(stamps);
    stamps->floor = stamps->sequence;
}

// The line's entry. If it has none, a free entry, or that of the line written longest ago.
static WriteVersion *find(const VersionTable *stamps, uint64_t address, bool *there)
{
    WriteVersion *first =
        stamps->entries + (size_t)version_table_set(stamps, address) * VERSION_WAYS;
    WriteVersion *oldest = first;
    uint16_t tag = version_table_tag(address);
    for (WriteVersion *e = first; e < first + VERSION_WAYS; e++) {
        *there = e->last && e->tag == tag;
        if (*there) return e;
        if (e->last < oldest->last) oldest = e;
    }
    return oldest;
}

void version_table_on_write(VersionTable *stamps, uint64_t address)
{
    count_up(stamps);
    bool there;
    WriteVersion *entry = find(stamps, address, &there);
    uint32_t *evicted_versions = &stamps->evicted_versions[version_table_set(stamps, address)];
    if (!there && entry->last > *evicted_versions) *evicted_versions = entry->last;
    *entry = (WriteVersion){.last = stamps->sequence, .tag = version_table_tag(address)};
}

bool version_table_is_stale(const VersionTable *stamps, uint64_t address, uint32_t stamp)
{
    if (stamps->sequence == UINT32_MAX || stamp < stamps->floor ||
        stamp < stamps->evicted_versions[version_table_set(stamps, address)])
        return true;
    bool there;
    const WriteVersion *entry = find(stamps, address, &there);
    return there && stamp < entry->last;
}
