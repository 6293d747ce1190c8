// An input-queued crossbar (icnt.arbiter: input-queued): the matching of the packets at the heads
// of the inputs' queues with outputs in each step, of which a network cycle has one or more.
//
// Each input has one queue in order of arrival, so a packet whose output is busy blocks those
// behind it, whatever their outputs are. In each step every idle output takes one of the inputs
// whose head wants it, round robin: one iteration of iSLIP (McKeown 1999), which needs no second
// one because an input wants only one output. The owner says for how many steps a packet occupies
// its input and its output. The queues belong to the owner, who reports each new head.
#ifndef HEDDLE_MEMORY_NETWORK_CROSSBAR_H
#define HEDDLE_MEMORY_NETWORK_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CrossbarInput {
    uint64_t ready; // first step in which its head may leave
    uint64_t complete; // first step after the head's last flit has come
    uint64_t free;  // first step after its last packet
    uint64_t leaves; // no step is sooner in which its head can leave, while its output is open
    uint32_t output, hold; // of the head; hold: steps
} CrossbarInput;

typedef struct CrossbarOutput {
    uint64_t free;   // first step in which it can take a packet
    bool closed;     // takes none
    uint32_t turn;   // input with the highest priority
    uint32_t chosen; // input matched in this step; UINT32_MAX: none
} CrossbarOutput;

typedef struct Crossbar {
    CrossbarInput *inputs;
    CrossbarOutput *outputs;
    uint32_t *matched; // [input_count], the inputs of the last crossbar_step
    uint64_t *waiting; // one bit per input: its queue is not empty
    unsigned input_count, output_count, words; // words: of 64 bits, of `waiting`
} Crossbar;

// false: out of memory; crossbar_free after failure too.
bool crossbar_init(Crossbar *crossbar, unsigned inputs, unsigned outputs);
void crossbar_free(Crossbar *crossbar);

// A packet at the head of a queue. It occupies its input and its output for `hold` steps, and until
// step `complete`, before which its last flit has come.
typedef struct CrossbarHead {
    uint64_t ready, complete; // ready: first step in which it may leave
    uint32_t output, hold;
} CrossbarHead;

// The input's queue has a new head.
void crossbar_head(Crossbar *crossbar, unsigned input, CrossbarHead head);
// The input's queue is empty.
void crossbar_empty(Crossbar *crossbar, unsigned input);

static inline bool crossbar_has_head(const Crossbar *crossbar, unsigned input)
{
    return crossbar->waiting[input / 64] >> input % 64 & 1;
}

// Closes an output, and opens it again from this step on.
void crossbar_close(Crossbar *crossbar, unsigned output);
void crossbar_open(Crossbar *crossbar, unsigned output, uint64_t step);
static inline bool crossbar_closed(const Crossbar *crossbar, unsigned output)
{
    return crossbar->outputs[output].closed;
}

// The next step in which a head can leave; UINT64_MAX: there is none.
uint64_t crossbar_next(const Crossbar *crossbar);
// Matches heads and outputs in *step, the next step in which a head can leave, if it is before step
// `before`. Returns the number n of heads that start to leave, 0: there is no such step. Their
// inputs are matched[0..n), ascending. Each of these inputs must get a new head, or be reported
// empty, before the next call.
unsigned crossbar_step(Crossbar *crossbar, uint64_t before, uint64_t *step);

// Matches in `step`, which crossbar_next has returned. The outputs choose one after the other, in
// ascending order, and each sees the heads behind the packets that have passed: an input can send
// several packets, each to a higher output than the one before. `pass` takes the head of an input,
// and reports the next. Returns false if `pass` does.
typedef bool CrossbarPass(void *context, unsigned input, uint64_t step);
bool crossbar_step_in_turn(Crossbar *crossbar, uint64_t step, CrossbarPass *pass, void *context);

#endif
