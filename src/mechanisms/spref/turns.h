// The turns that each lane of a warp has left in a loop: lakshminarayana2014, 3.3.2.4.
#ifndef HEDDLE_MECHANISMS_SPREF_TURNS_H
#define HEDDLE_MECHANISMS_SPREF_TURNS_H

#include "heddle/mechanism.h"

// Table 2: 4 bits for each lane.
typedef struct TurnCounts { uint64_t low, high; } TurnCounts;
enum { TurnCounts_bits = 128, MAX_COUNT = 15 };

unsigned count_of(const TurnCounts *counts, unsigned lane);
void set_count(TurnCounts *counts, unsigned lane, unsigned count);

// How many times the exit test lets the loop continue, if its index grows by `step` from now on, up
// to MAX_COUNT. A step that leads away from the bound: MAX_COUNT.
unsigned turns_left(const HdInstruction *test, const HdLoop *loop, int64_t step, int64_t index,
                    int64_t bound);
// The value of a source as the test compares it. value: sign-extended, or of more bits.
int64_t test_value(const HdInstruction *test, unsigned source, int64_t value);

#endif
