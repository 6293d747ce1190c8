// The two crossbars of a network whose sources queue (icnt.arbiter: input-queued): from the SMs'
// queues to the slices' in ports, and from the slices' queues to the SMs.
//
// Both see all slices, so each runs on one thread, window by window. The requests' crossbar runs
// ahead of the slices, because every packet that can reach them is known. The replies' crossbar
// runs behind: slices run for a window, then it takes the replies that they sent. It returns room
// in their queues, which they may use one icnt.latency after the packet has left. That latency, or
// the room that they have at the start of a window, limits the length of a window.
//
// The crossbars write to no slice. What they hand over, and what they take from slices, passes
// between two runs of the slices (network_crossbars_exchange). So each may work while the slices
// run, and while the other one does.
#ifndef HEDDLE_MEMORY_NETWORK_NETWORK_CROSSBARS_H
#define HEDDLE_MEMORY_NETWORK_NETWORK_CROSSBARS_H

#include "memory/network/crossbar.h"
#include "memory/network/intake.h"
#include "memory/slice/slice.h"

// Requests of one SM that the crossbar has not yet taken, in the order of time.
typedef struct SentRequests {
    TransitList items;
    size_t count;
    uint64_t flits;        // of these requests
    uint64_t passed, busy; // in this run: flits that have passed, cycles in which a packet waited
    uint64_t since;        // network cycle from which on the head occupies the queue
    bool news;             // a request was added or has passed in this run
} SentRequests;

// Room in a slice's queue that a reply has left.
typedef struct FreedRoom {
    Tick time; // from which on the slice may use it
    uint32_t slice, flits;
} FreedRoom;

typedef struct NetworkCrossbars {
    const SliceContext *context;
    Slice **slices;
    OutPort **outs;     // of the slices
    SentRequests *sent; // by SM
    Crossbar requests, replies;
    Intake *intakes; // by slice, if icnt.output_buffer; NULL: packets go on to the slice at once
    unsigned closed; // outputs to slices
    Tick reported;   // `until` of the last report
    unsigned sms, slice_count, groups;
    TransitList entering; // requests that have passed, for the slices
    IcntCounters counters;
    // Of the replies' crossbar, since the last exchange:
    _Alignas(64) TransitList *leaving; // by slice: the queues
    uint64_t *channel_free; // by SM: network cycle from which on its channel is free
    size_t answered;        // requests, by the replies that have passed
    uint64_t waited;        // reply_wait_cycles
    FreedRoom *freed;       // by the replies that have passed: as many as there is room for
    size_t freed_count;
} NetworkCrossbars;

// context and slices must outlive the crossbars. groups: of slices. false: out of memory;
// network_crossbars_free after failure too.
bool network_crossbars_init(NetworkCrossbars *switches, const SliceContext *context, Slice **slices,
                            unsigned sms, unsigned groups);
void network_crossbars_free(NetworkCrossbars *switches);

// Takes a request that its SM has sent.
void network_crossbars_take(NetworkCrossbars *switches, Transit *request);
// Passes every request that can reach a slice before `until`. With intakes, the lookups up to
// `until` - network_crossbars_lead at least are known. false: out of memory.
bool network_crossbars_pass_requests(NetworkCrossbars *switches, Tick until);

// With intakes: how far ahead of the slices' time network_crossbars_pass_requests can work.
Tick network_crossbars_lead(const NetworkCrossbars *switches);

// How long after a reply has left the crossbar its slice learns of the room, at least.
Tick network_crossbars_news(const NetworkCrossbars *switches);
// How far the slices may run with the room that they know of, if they do nothing before `from`, and
// no reply of which they have not learned leaves before `reply`.
Tick network_crossbars_window(NetworkCrossbars *switches, Tick from, Tick reply);
// Sends the SMs the replies that leave before `until`. The slices sent those that they send before
// then before the last exchange. Returns true: this needs no memory.
bool network_crossbars_pass_replies(NetworkCrossbars *switches, Tick until);

// Between two runs of the slices: hands them the requests and the room, and takes their replies and
// lookups. *answered: the number of requests that were answered by replies since the last exchange.
// false: out of memory.
bool network_crossbars_exchange(NetworkCrossbars *switches, size_t *answered);

// Reports to the SMs what waits in their queues at the end of a run, and how fast it leaves
// (icnt.input_buffer). `until`: as of network_crossbars_pass_requests.
void network_crossbars_report(NetworkCrossbars *switches, Tick until);
// The tick from which on a report is due; TICK_NEVER: nothing waits. While requests wait, the level
// and how fast it falls are those of each quantum, so that none may be skipped.
Tick network_crossbars_next_report(const NetworkCrossbars *switches);

// After an exchange: the tick of the next reply that leaves, and the least tick at which a slice
// could act on a waiting request; TICK_NEVER: there is none.
Tick network_crossbars_next_reply(const NetworkCrossbars *switches);
Tick network_crossbars_next_request(const NetworkCrossbars *switches);

#endif
