// Slices with engines of one mechanism, in lock step, and memory of constant latency: what
// heddle/engines.h says of the core, and no more. It defines the actions hd_... itself, so a test
// compiles the mechanism's sources in, and does not link Heddle's.
#ifndef HEDDLE_TESTS_MECHANISMS_ENGINE_RIG_H
#define HEDDLE_TESTS_MECHANISMS_ENGINE_RIG_H

#include "heddle/mechanism.h"

// cmocka wants these before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ENGINE_RIG_SLICES = 32, ENGINE_RIG_LINKS = 64, ENGINE_RIG_READS = 64,
      ENGINE_RIG_BYTES = 1 << 20 };
enum { ENGINE_RIG_BASE = 0x10000 }; // of the guest's memory, one allocation

typedef struct EngineRigLink {
    uint32_t head, count;
    uint64_t sent_at, dropped_at;
    uint32_t dropped; // at dropped_at
} EngineRigLink;

typedef struct EngineRigRead {
    uint64_t line, cycle; // of its arrival
    uint32_t tag;
    uint8_t sectors; // 0: free
} EngineRigRead;

typedef struct EngineRigSlice {
    HdPlace place; // first: the actions find the slice by it
    struct EngineRig *rig;
    void *structures[ENGINE_RIG_LINKS];
    EngineRigLink links[ENGINE_RIG_LINKS];
    EngineRigRead reads[ENGINE_RIG_READS];
    uint64_t counters[128];
    uint64_t due, room_at; // room_at: the last cycle in which a full link to a neighbour got room
    unsigned read_count, past_l2; // reads on the fly; reads so far that bypass the L2
    unsigned replies;             // in the reply queue
    uint64_t reply_leaves;
    char fault[256]; // empty: none
    uint32_t fault_pc;
} EngineRigSlice;

// A request, and its reply.
typedef struct EngineRigRequest {
    uint64_t cycle;    // when it is at the slice; UINT64_MAX: it is not sent yet
    uint64_t answered; // when hd_answer came; UINT64_MAX: not yet
    uint32_t lanes, slice, answered_by;
    uint16_t instruction;
    bool taken;
    HdEngineReply reply;
} EngineRigRequest;

typedef struct EngineRig {
    const HdMechanism *mechanism;
    unsigned slices;
    double parameters[32];
    EngineRigSlice slice[ENGINE_RIG_SLICES], gpu;
    uint8_t memory[ENGINE_RIG_BYTES];
    uint32_t allocated; // bytes of the memory
    uint64_t cycle;
    // What a test may change before engine_rig_begin.
    unsigned latency;              // of a read, in cycles
    uint64_t (*latency_of)(const struct EngineRig *rig, uint64_t line); // NULL: `latency`
    unsigned reply_places, reply_cycles; // the reply queue, and cycles of a packet in it
    unsigned granularity;          // bytes of an address range of a slice
    bool every;                    // engines run in each cycle
    bool reversed;                 // slices run in the reverse order
    bool in_cycle, may_peek;
    void (*on_answer)(struct EngineRig *rig, uint32_t number); // NULL: none
    EngineRigRequest *requests;
    uint32_t request_count, request_capacity;
    uint32_t first_open[ENGINE_RIG_SLICES]; // requests before it have been taken
    void *context; // of the test
} EngineRig;

// The mechanism's engines with default parameters on a number of slices. Free with engine_rig_free.
EngineRig *engine_rig_new(const HdMechanism *mechanism, unsigned slices);
void engine_rig_free(EngineRig *rig);
void engine_rig_set(EngineRig *rig, const char *parameter, double value);

// The entries of a structure with these parameters.
uint32_t engine_rig_entries(const EngineRig *rig, const HdStructure *structure);

// Puts words into new memory, and returns their address. offset: words that come before it.
uint64_t engine_rig_words(EngineRig *rig, const uint32_t *words, uint32_t count, unsigned offset);
// The host calls. NULL: accepted.
const char *engine_rig_call(EngineRig *rig, const char *verb, const uint64_t *values, size_t count);

// A kernel begins, with these instructions, a bit each.
void engine_rig_begin(EngineRig *rig, uint32_t instructions, bool timed);
// A request; returns its number.
uint32_t engine_rig_request(EngineRig *rig, unsigned slice, uint32_t lanes, unsigned instruction,
                            uint64_t cycle);
// Runs until nothing is due, or up to this cycle.
void engine_rig_run(EngineRig *rig, uint64_t until);
// The kernel ends. Returns the first fault; NULL: none.
const char *engine_rig_end(EngineRig *rig, bool timed);
const char *engine_rig_fault(const EngineRig *rig);
// A request of a functional launch.
HdEngineReply engine_rig_execute(EngineRig *rig, uint32_t lanes, unsigned instruction);

// The sum of a counter over all slices.
uint64_t engine_rig_counter(const EngineRig *rig, const char *name);

#endif
