// The two crossbars of a network whose sources queue (icnt.arbiter: input-queued): from the SMs'
// queues to the slices' in ports, and from the slices' queues to the SMs.
//
// Both see all slices, so they run between the groups of slices, on one thread. The requests'
// crossbar runs ahead of the slices, because every packet that can reach them is known. The
// replies' crossbar runs behind: slices run for a window, then it takes the replies that they sent.
// It returns room in their queues, which they may use one icnt.latency after the packet has left.
// That latency, or the room that they have at the start of a window, limits the length of a window.
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

typedef struct NetworkCrossbars {
    const SliceContext *context;
    Slice **slices;
    SentRequests *sent; // by SM
    Crossbar requests, replies;
    Intake *intakes; // by slice, if icnt.output_buffer; NULL: packets go on to the slice at once
    unsigned closed; // outputs to slices
    uint64_t *channel_free; // by SM: network cycle from which on its channel is free
    unsigned sms, slice_count;
    size_t answered; // requests, by the replies that have passed in this run
    IcntCounters counters;
} NetworkCrossbars;

// context and slices must outlive the crossbars. false: out of memory; network_crossbars_free after
// failure too.
bool network_crossbars_init(NetworkCrossbars *switches, const SliceContext *context, Slice **slices,
                            unsigned sms);
void network_crossbars_free(NetworkCrossbars *switches);

// Takes a request that its SM has sent.
void network_crossbars_take(NetworkCrossbars *switches, Transit *request);
// Hands the slices every request that can reach one before `until`. With intakes, the slices have
// run up to `until` - network_crossbars_lead at least. false: out of memory.
bool network_crossbars_pass_requests(NetworkCrossbars *switches, Tick until);

// With intakes: how far ahead of the slices' time network_crossbars_pass_requests can work.
Tick network_crossbars_lead(const NetworkCrossbars *switches);

// How far the slices may run from tick `from` on with the room that they know of, if nothing
// happens before `from`.
Tick network_crossbars_window(NetworkCrossbars *switches, Tick from);
// Takes the replies that the slices have sent up to `until`, and sends the SMs those that leave
// before then. Returns the number of requests that they answer.
size_t network_crossbars_pass_replies(NetworkCrossbars *switches, Tick until);

// Reports to the SMs what waits in their queues at the end of a run, and how fast it leaves
// (icnt.input_buffer). `until`: as of network_crossbars_pass_requests.
void network_crossbars_report(NetworkCrossbars *switches, Tick until);

// The tick of the next reply that leaves, and the least tick at which a slice could act on a
// waiting request; TICK_NEVER: there is none.
Tick network_crossbars_next_reply(const NetworkCrossbars *switches);
Tick network_crossbars_next_request(const NetworkCrossbars *switches);

#endif
