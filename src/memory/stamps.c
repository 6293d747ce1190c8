// Stamps of writes.
#include "memory/stamps.h"

static void count_up(Stamps *stamps)
{
    if (stamps->sequence < UINT32_MAX) stamps->sequence++;
}

void stamps_begin(Stamps *stamps)
{
    count_up(stamps);
    stamps->floor = stamps->sequence;
}

void stamps_write(Stamps *stamps, uint64_t address)
{
    count_up(stamps);
    stamps->last[stamps_entry(address)] = stamps->sequence;
}

bool stamps_stale(const Stamps *stamps, uint64_t address, uint32_t stamp)
{
    return stamps->sequence == UINT32_MAX || stamp < stamps->floor ||
           stamp < stamps->last[stamps_entry(address)];
}
