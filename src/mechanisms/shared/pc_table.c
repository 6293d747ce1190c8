// The load instructions that an SM tracks, for bypass-copyback (lakshminarayana2014, sections
// 4.5.4.2 and 4.5.5).
#include "mechanisms/shared/pc_table.h"

static unsigned group_of(uint32_t pc)
{
    unsigned group = 0;
    for (; pc; pc /= GROUPS) group ^= pc % GROUPS;
    return group;
}

PcEntry *pc_find(const HdPlace *place, uint32_t pc)
{
    PcEntry *table = place->structures[PC_TABLE];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++)
        if (table[i].valid && table[i].pc == pc) return &table[i];
    return NULL;
}

PcEntry *pc_find_or_add(HdPlace *place, uint32_t pc)
{
    PcEntry *table = place->structures[PC_TABLE], *found = pc_find(place, pc);
    Successor *successor = place->structures[NEXT_GROUP];
    if (found || (successor->group && successor->group != group_of(pc) + 1)) return found;
    for (unsigned i = 0; !found && i < (unsigned)place->parameters[PCS]; i++)
        if (!table[i].valid) {
            found = &table[i];
            *found = (PcEntry){.valid = 1, .pc = pc};
            successor->group = 0;
        }
    return found;
}

static void halve(PcEntry *entry)
{
    entry->accesses /= 2;
    entry->hits /= 2;
}

void pc_count_access(HdPlace *place, uint32_t pc, PcEntry *entry)
{
    unsigned full = reuse_full(place);
    Group *group = (Group *)place->structures[UNTRACKED_PCS] + group_of(pc);
    if (!entry) {
        SATURATING_INCREMENT(group->accesses, full);
        return;
    }
    if (reuse_halves(place, entry->accesses)) halve(entry);
    SATURATING_INCREMENT(entry->accesses, full);
}

void pc_count_hit(HdPlace *place, PcEntry *entry)
{
    if (reuse_halves(place, entry->hits)) halve(entry);
    SATURATING_INCREMENT(entry->hits, reuse_full(place));
}

// Frees the entry with the fewest accesses if a group of untracked instructions had more, for the
// next instruction of that group.
static bool replace(HdPlace *place)
{
    PcEntry *table = place->structures[PC_TABLE], *fewest = table;
    Group *groups = place->structures[UNTRACKED_PCS];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) {
        if (!table[i].valid) return false;
        if (table[i].accesses < fewest->accesses) fewest = &table[i];
    }
    unsigned most = 0;
    for (unsigned g = 1; g < GROUPS; g++)
        if (groups[g].accesses > groups[most].accesses) most = g;
    if (groups[most].accesses <= fewest->accesses) return false;
    *fewest = (PcEntry){0};
    groups[most].accesses = 0;
    ((Successor *)place->structures[NEXT_GROUP])->group = most + 1;
    return true;
}

void pc_update(HdPlace *place, PcUpdates *updates)
{
    PcEntry *table = place->structures[PC_TABLE];
    Group *groups = place->structures[UNTRACKED_PCS];
    updates->replaced += replace(place);
    for (unsigned g = 0; g < GROUPS; g++) groups[g].accesses /= 2;
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) {
        PcEntry *e = &table[i];
        if (!e->valid || !e->accesses) continue;
        halve(e);
        e->reuse = reuse_is(place, e->hits, e->accesses, e->reuse);
        updates->trained += !e->trained;
        e->trained = 1;
    }
}

void pc_clear(HdPlace *place)
{
    if (place->parameters[LAUNCH] != LAUNCH_FORGET) return;
    PcEntry *table = place->structures[PC_TABLE];
    Group *groups = place->structures[UNTRACKED_PCS];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) table[i] = (PcEntry){0};
    for (unsigned g = 0; g < GROUPS; g++) groups[g] = (Group){0};
    *(Successor *)place->structures[NEXT_GROUP] = (Successor){0};
}
