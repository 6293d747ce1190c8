// The table of versions of written lines.
#include "memory/slice/version_table.h"

#include "base/memory.h"

VersionTable *version_table_new(unsigned entries)
{
    VersionTable *table = hd_new(1, sizeof *table);
    if (!table) return NULL;
    table->sets = entries / VERSION_WAYS;
    table->entries = hd_new(entries, sizeof *table->entries);
    table->evicted_versions = hd_new(table->sets, sizeof *table->evicted_versions);
    if (table->entries && table->evicted_versions) return table;
    version_table_free(table);
    return NULL;
}

void version_table_free(VersionTable *table)
{
    if (!table) return;
    free(table->entries);
    free(table->evicted_versions);
    free(table);
}

static uint64_t hash(uint64_t address)
{
    return address / MAX_LINE_BYTES * UINT64_C(0x9e3779b97f4a7c15);
}

uint16_t version_table_tag(uint64_t address)
{
    return (uint16_t)(hash(address) >> 24 & ((1u << VERSION_TAG_BITS) - 1));
}

unsigned version_table_set(const VersionTable *table, uint64_t address)
{
    return (unsigned)(hash(address) >> 40) & (table->sets - 1);
}

static void count_up(VersionTable *table)
{
    if (table->sequence < UINT32_MAX) table->sequence++;
}

void version_table_on_kernel_begin(VersionTable *table)
{
    count_up(table);
    table->floor = table->sequence;
}

// The line's entry. If it has none, a free entry, or that of the line written longest ago.
static WriteVersion *find(const VersionTable *table, uint64_t address, bool *there)
{
    WriteVersion *first =
        table->entries + (size_t)version_table_set(table, address) * VERSION_WAYS;
    WriteVersion *oldest = first;
    uint16_t tag = version_table_tag(address);
    for (WriteVersion *e = first; e < first + VERSION_WAYS; e++) {
        *there = e->last && e->tag == tag;
        if (*there) return e;
        if (e->last < oldest->last) oldest = e;
    }
    return oldest;
}

void version_table_on_write(VersionTable *table, uint64_t address)
{
    count_up(table);
    bool there;
    WriteVersion *entry = find(table, address, &there);
    uint32_t *evicted_versions = &table->evicted_versions[version_table_set(table, address)];
    if (!there && entry->last > *evicted_versions) *evicted_versions = entry->last;
    *entry = (WriteVersion){.last = table->sequence, .tag = version_table_tag(address)};
}

bool version_table_is_stale(const VersionTable *table, uint64_t address, uint32_t version)
{
    if (table->sequence == UINT32_MAX || version < table->floor ||
        version < table->evicted_versions[version_table_set(table, address)])
        return true;
    bool there;
    const WriteVersion *entry = find(table, address, &there);
    return there && version < entry->last;
}
