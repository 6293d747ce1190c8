// A group of slices and DRAM channels that exchange requests, or whose engines exchange entries:
// one channel and its slices if the address maps nest (address_map.h) and no engines are linked,
// else all of them. Groups share nothing.
//
// Before a run, all requests that come in it pass the in ports. Then everything due at a tick
// happens in this order: slices (they take turns at being first, so that none always wins an entry
// of a channel's queue), engines of mechanisms, channels by number. What concerns one slice alone
// may run before that. Replies are sent at the end of the run, or sooner if the reply queue of a
// slice would be full.
#ifndef HEDDLE_MEMORY_MEMORY_GROUP_H
#define HEDDLE_MEMORY_MEMORY_GROUP_H

#include "memory/slice/slice.h"

typedef struct MemoryGroup {
    const SliceContext *context;
    Channel **channels;
    Slice **slices;
    SliceDue *due;     // one per slice
    Tick *channel_due; // one per channel
    Tick *next;        // no event of the group is sooner; slice_due_by lowers it
    unsigned number, channel_count, first_channel, slice_count;
    size_t requests;   // requests taken from the network and not yet answered. With crossbars:
                       // without accepted requests that get no reply
    size_t *open;      // after its last run: `requests`, and slice_background_count of its slices
    GroupCounts counts;
} MemoryGroup;

// Builds the group with this number of `groups` among `tables`. Its slices and channels are entries
// of context->slices, context->channels, context->channel_due and `due`; `next` and `open` become
// MemoryGroup.next and open. false and err: out of memory, or an invalid cache configuration. Free
// with memory_group_free, after failure too.
bool memory_group_build(MemoryGroup *group, const SliceContext *context, HdTables *tables,
                        SliceDue *due, Tick *next, size_t *open, unsigned number, unsigned groups,
                        uint64_t seed, HdError *err);
void memory_group_free(MemoryGroup *group);
// Makes the tables of accesses at least this long. false: out of memory.
bool memory_group_resize(MemoryGroup *group, size_t allocations, size_t pcs);

// Takes the requests that the SMs have sent to the group.
void memory_group_take(MemoryGroup *group);
// Runs the group up to, not including, tick `until`. false: out of memory.
bool memory_group_run(MemoryGroup *group, Tick until);

#endif
