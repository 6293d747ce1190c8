// Which instruction leaves the shared collectors (operand.collector_order = turn).
//
// Each instruction takes the collector with the lowest number that is free. In each pass the
// dispatch units choose one after the other, each the first instruction that can leave, from behind
// the collector that it served last. So a memory instruction that waits for the load/store unit may
// be overtaken again and again by others that take a collector in front of its own. When other
// instructions leave is reserved at their issue (operands.h); here they only move the turns.
#ifndef HEDDLE_CORE_LSU_COLLECTOR_TURNS_H
#define HEDDLE_CORE_LSU_COLLECTOR_TURNS_H

#include "base/tables.h"
#include "core/core_config.h"

// An instruction from its issue until it leaves its collector.
typedef struct TurnEntry {
    uint64_t allocated; // pass from which it can take a collector
    uint64_t leaves;    // pass in which it leaves; memory instructions: the first in which they can
    uint64_t number;    // by order of issue
    uint32_t op;        // the memory operation; 0: another instruction
    unsigned rank;      // instructions of lower rank take collectors first
    unsigned to_unit;   // memory instructions: cycles from there to the load/store unit
} TurnEntry;

// A memory instruction between the collectors and the load/store unit.
typedef struct TurnOutput {
    uint64_t number;
    uint64_t cycle; // from which the load/store unit can take it
    uint32_t op;
} TurnOutput;

typedef struct CollectorTurns {
    // A bit by collector. 0: the oldest instruction leaves first, and nothing here is used.
    uint64_t collectors;
    unsigned outputs, output_count, pass_shift;
    uint64_t passed;     // the last pass that is done
    uint64_t issued;     // instructions so far
    uint64_t taken;      // those that hold an instruction
    uint64_t memory;     // of these: a memory instruction
    TurnEntry *held;     // by collector
    unsigned *last;      // by dispatch unit: the collector that it served last
    TurnEntry *waiting;  // for a collector
    unsigned waiting_count, capacity, memory_room;
    TurnOutput *output;  // [outputs]
} CollectorTurns;

// memory_room, most: memory instructions and others that can wait for a collector. false: out of
// memory.
bool collector_turns_init(CollectorTurns *turns, const OperandConfig *config,
                          unsigned memory_room, unsigned most, HdTables *tables);

// An instruction issues in cycle `now`: entry without its number.
void collector_turns_issue(CollectorTurns *turns, uint64_t now, TurnEntry entry);
// Takes the oldest memory instruction behind the collectors out, for the load/store unit. 0: there
// is none in this cycle.
uint32_t collector_turns_take(CollectorTurns *turns, uint64_t now);

#endif
