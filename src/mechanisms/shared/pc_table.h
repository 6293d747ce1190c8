// The load instructions that an SM tracks, for bypass-copyback (lakshminarayana2014, section
// 4.5.4.2 and 4.5.5): the PC Tracking Table, and the Untracked PC Access Table.
#ifndef HEDDLE_MECHANISMS_SHARED_PC_TABLE_H
#define HEDDLE_MECHANISMS_SHARED_PC_TABLE_H

#include "mechanisms/shared/regions.h"

// The parameter, and the structures, that the mechanism declares, by index.
enum { PCS = REGION_PARAMETERS, PC_PARAMETERS };
enum { PC_TABLE = REGION_STRUCTURES, UNTRACKED_PCS, NEXT_GROUP, PC_STRUCTURES };

// An entry of the PC Tracking Table (Fig. 31). bypasses: misses that bypassed the L1D since the
// last sample.
#define PC_ENTRY(F)                                                                                \
    F(valid, 1) F(trained, 1) F(reuse, 1) F(accesses, 16) F(hits, 16) F(bypasses, 8) F(pc, 32)
HD_BIT_FIELDS(PcEntry, PC_ENTRY);
// An entry of the Untracked PC Access Table: a group of instructions.
enum { GROUPS = 8 };
#define GROUP(F) F(accesses, 16)
HD_BIT_FIELDS(Group, GROUP);
// The group, + 1, whose next instruction gets the freed entry; 0: an instruction of any group.
#define SUCCESSOR(F) F(group, 4)
HD_BIT_FIELDS(Successor, SUCCESSOR);

#define PC_STRUCTURE_ROWS                                                                          \
    [PC_TABLE] = {"PC tracking table", HD_EACH_L1, PCS, HD_BY_PARAMETER, PcEntry_bits,             \
                  sizeof(PcEntry)},                                                                \
    [UNTRACKED_PCS] = {"untracked PC access table", HD_EACH_L1, GROUPS, HD_FIXED, Group_bits,      \
                       sizeof(Group)},                                                             \
    [NEXT_GROUP] = {"group of the next PC", HD_EACH_L1, 1, HD_FIXED, Successor_bits,               \
                    sizeof(Successor)}

// The entry of an instruction; NULL: it has none.
PcEntry *pc_find(const HdPlace *place, uint32_t pc);

// As pc_find, but an instruction without an entry gets a free one, if its group may have it.
PcEntry *pc_find_or_add(HdPlace *place, uint32_t pc);

// Counts an access of the instruction: in its entry or, if that is NULL, in its group.
void pc_count_access(HdPlace *place, uint32_t pc, PcEntry *entry);

// Counts a hit on a line that the instruction of this entry has fetched.
void pc_count_hit(HdPlace *place, PcEntry *entry);

// UPDATE of Listing 6. The counters of untracked instructions are halved too.
typedef struct PcUpdates {
    uint64_t trained, replaced;
} PcUpdates;
void pc_update(HdPlace *place, PcUpdates *updates);

// A kernel begins.
void pc_clear(HdPlace *place);

#endif
