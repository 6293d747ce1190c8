// An input-queued crossbar (icnt.arbiter: input-queued): which of the packets at the heads of the
// inputs' queues go to their outputs in a network cycle.
//
// Each input has one queue in order of arrival, so a packet whose output is busy holds up those
// behind it, wherever they go. In each cycle every idle output takes one of the inputs whose head
// wants it, round robin: one iteration of iSLIP (McKeown 1999), which needs no second one where an
// input wants one output only. A packet keeps its input and its output for as many cycles as it has
// flits. The queues themselves are the owner's; it tells of each new head.
#ifndef HEDDLE_MEMORY_CROSSBAR_H
#define HEDDLE_MEMORY_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CrossbarInput {
    uint64_t ready; // cycle from which its head may go
    uint64_t free;  // ... from which the input has sent what went before
    uint32_t output, flits; // of the head
} CrossbarInput;

typedef struct CrossbarOutput {
    uint64_t free;   // cycle from which it can take a packet
    uint32_t turn;   // input that has the first choice
    uint32_t chosen; // of this cycle; UINT32_MAX: none
} CrossbarOutput;

typedef struct Crossbar {
    CrossbarInput *inputs;
    CrossbarOutput *outputs;
    uint32_t *matched; // [input_count], the inputs of the last crossbar_cycle
    uint64_t *waiting; // one bit per input: its queue is not empty
    unsigned input_count, words; // ... of 64 bits
} Crossbar;

// false where memory is out (crossbar_free then, too).
bool crossbar_init(Crossbar *crossbar, unsigned inputs, unsigned outputs);
void crossbar_free(Crossbar *crossbar);

// The input's queue has a new head, which may go from cycle `ready` on.
void crossbar_head(Crossbar *crossbar, unsigned input, uint64_t ready, unsigned output,
                   uint64_t flits);
// The input's queue is empty.
void crossbar_empty(Crossbar *crossbar, unsigned input);

static inline bool crossbar_has_head(const Crossbar *crossbar, unsigned input)
{
    return crossbar->waiting[input / 64] >> input % 64 & 1;
}

// The next cycle in which a head can go; UINT64_MAX: there is none.
uint64_t crossbar_next(const Crossbar *crossbar);
// Matches heads and outputs in `cycle`, at least crossbar_next. The heads of inputs matched[0..n),
// ascending, start to leave in it; n is returned. Each of these inputs must get a new head, or be
// said to be empty, before the next call.
unsigned crossbar_cycle(Crossbar *crossbar, uint64_t cycle);

#endif
