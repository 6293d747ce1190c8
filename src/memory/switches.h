// The two crossbars of a network whose sources queue (icnt.arbiter: input-queued): from the SMs'
// queues to the slices' in ports, and from the slices' queues to the SMs.
//
// Both see all slices, so they run between the groups of slices, on one thread. The requests' is
// ahead of the slices, as everything that can reach them is known. The replies' is behind: slices
// run for a window, then it takes what they sent. It answers with room in their queues, which they
// learn of one icnt.latency after the packet has left: that, or the room that they have at a
// window's start, says how long a window may be.
#ifndef HEDDLE_MEMORY_SWITCHES_H
#define HEDDLE_MEMORY_SWITCHES_H

#include "memory/crossbar.h"
#include "memory/slice.h"

// What one SM has sent and the crossbar has not yet taken: [head, count), in the order of time.
typedef struct SentRequests {
    MemRequest *items;
    size_t head, count, capacity;
} SentRequests;

typedef struct Switches {
    const SliceContext *context;
    Slice **slices;
    SentRequests *sent; // by SM
    Crossbar requests, replies;
    unsigned sms, slice_count;
    IcntCounters counters;
} Switches;

// context and slices outlive it. false where memory is out (switches_free then, too).
bool switches_init(Switches *switches, const SliceContext *context, Slice **slices, unsigned sms);
void switches_free(Switches *switches);

// Takes what an SM has sent. false where memory is out.
bool switches_take(Switches *switches, unsigned sm, const MemRequest *request);
// Hands the slices every request that can reach one before `until`. false where memory is out.
bool switches_pass_requests(Switches *switches, Tick until);

// How far the slices may run from tick `from` without more room than they know of, if nothing
// happens before `from`.
Tick switches_window(Switches *switches, Tick from);
// Takes the replies that the slices have sent up to `until`, and puts those that leave before it
// into the inboxes. Adds the requests that they answer. false where memory is out.
bool switches_pass_replies(Switches *switches, Tick until, Inbox *const *inboxes,
                           size_t *answered);

// The tick of the next reply that leaves, and the least tick at which a slice could act on a
// request that waits; TICK_NEVER: there is none.
Tick switches_next_reply(const Switches *switches);
Tick switches_next_request(const Switches *switches);

#endif
