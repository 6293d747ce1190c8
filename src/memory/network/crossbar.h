// An input-queued crossbar (icnt.arbiter: input-queued): the matching of the packets at the heads
// of the inputs' queues with outputs in each network cycle.
//
// Each input has one queue in order of arrival, so a packet whose output is busy blocks those
// behind it, whatever their outputs are. In each cycle every idle output takes one of the inputs
// whose head wants it, round robin: one iteration of iSLIP (McKeown 1999), which needs no second
// one because an input wants only one output. A packet occupies its input and its output for as
// many cycles as it has flits. The queues belong to the owner, who reports each new head.
#ifndef HEDDLE_MEMORY_NETWORK_CROSSBAR_H
#define HEDDLE_MEMORY_NETWORK_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CrossbarInput {
    uint64_t ready; // first cycle in which its head may leave
    uint64_t free;  // first cycle after its last packet
    uint32_t output, flits; // of the head
} CrossbarInput;

typedef struct CrossbarOutput {
    uint64_t free;   // first cycle in which it can take a packet
    uint32_t turn;   // input with the highest priority
    uint32_t chosen; // input matched in this cycle; UINT32_MAX: none
} CrossbarOutput;

typedef struct Crossbar {
    CrossbarInput *inputs;
    CrossbarOutput *outputs;
    uint32_t *matched; // [input_count], the inputs of the last crossbar_cycle
    uint64_t *waiting; // one bit per input: its queue is not empty
    unsigned input_count, output_count, words; // words: of 64 bits, of `waiting`
} Crossbar;

// false: out of memory; crossbar_free after failure too.
bool crossbar_init(Crossbar *crossbar, unsigned inputs, unsigned outputs);
void crossbar_free(Crossbar *crossbar);

// The input's queue has a new head, which may leave from cycle `ready` on.
void crossbar_head(Crossbar *crossbar, unsigned input, uint64_t ready, unsigned output,
                   uint64_t flits);
// The input's queue is empty.
void crossbar_empty(Crossbar *crossbar, unsigned input);

static inline bool crossbar_has_head(const Crossbar *crossbar, unsigned input)
{
    return crossbar->waiting[input / 64] >> input % 64 & 1;
}

// The next cycle in which a head can leave; UINT64_MAX: there is none.
uint64_t crossbar_next(const Crossbar *crossbar);
// Matches heads and outputs in `cycle`, which is at least crossbar_next. Returns the number n of
// heads that start to leave; their inputs are matched[0..n), ascending. Each of these inputs must
// get a new head, or be reported empty, before the next call.
unsigned crossbar_cycle(Crossbar *crossbar, uint64_t cycle);

// As crossbar_cycle, but the outputs choose one after the other, in ascending order, and each sees
// the heads behind the packets that have passed: an input can send several packets, each to a
// higher output than the one before. `pass` takes the head of an input, and reports the next.
// Returns false if `pass` does.
typedef bool CrossbarPass(void *context, unsigned input, uint64_t cycle);
bool crossbar_cycle_in_turn(Crossbar *crossbar, uint64_t cycle, CrossbarPass *pass, void *context);

#endif
