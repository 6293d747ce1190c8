// The tags by which spref finds target loads: lakshminarayana2014, 3.3.2.1 and Table 1.
#ifndef HEDDLE_MECHANISMS_SPREF_TRAINING_H
#define HEDDLE_MECHANISMS_SPREF_TRAINING_H

#include "heddle/mechanism.h"

// Table 2: one tag of each kind for each of 63 registers.
enum { TAGGED_REGISTERS = 63 };
enum { TAG_CONST, TAG_STRIDE, TAG_RANDOM };
#define VALUE_TAG(F) F(tag, 2)
HD_BIT_FIELDS(ValueTag, VALUE_TAG);
#define LOAD_ID(F) F(id, 2) // 0: none
HD_BIT_FIELDS(LoadId, LOAD_ID);
// What Table 2 leaves out: by how much a value with the tag stride changes in each turn. A value
// with a larger step is random.
typedef struct Stride { int32_t step; } Stride;

enum { MAX_HEADS = 2, MAX_TAILS = 2, MAX_TARGETS = MAX_HEADS + MAX_TAILS, MAX_CHAIN = 4 };
enum { PC_BITS = 32, STEP_BITS = 32, Stride_bits = STEP_BITS };

// A head: its step leads from one turn's address to the next one's, in bytes.
typedef struct HeadLoad {
    uint32_t pc;
    int32_t step;
} HeadLoad;
enum { HeadLoad_bits = PC_BITS + STEP_BITS };

// An instruction that computes the address of a tail. Each source is the result of an earlier one,
// by its number, or a value of the program, or the value of the head.
enum { FROM_PROGRAM = 6, FROM_HEAD = 7 };
#define CHAIN_OP(F) F(pc, 32) F(source_0, 3) F(source_1, 3) F(source_2, 3)
HD_BIT_FIELDS(ChainOp, CHAIN_OP);
static inline unsigned chain_source(const ChainOp *op, unsigned source)
{
    return source == 0 ? op->source_0 : source == 1 ? op->source_1 : op->source_2;
}

// A tail: its address is what `address` names, after the first `length` instructions of the chain.
#define TAIL_LOAD(F) F(pc, 32) F(head, 1) F(address, 3) F(length, 3)
HD_BIT_FIELDS(TailFields, TAIL_LOAD);
typedef struct TailLoad {
    TailFields of;
    ChainOp chain[MAX_CHAIN];
} TailLoad;
enum { TailLoad_bits = TailFields_bits + MAX_CHAIN * ChainOp_bits };

// A loop of the kernel with its target loads. `found`: they have been looked for. test: the exit
// test, which compares a stride with a constant; HD_NO_PC: none does. index_step: of the stride.
#define LOOP_FIELDS(F) F(header, 32) F(test, 32) F(heads, 2) F(tails, 2) F(found, 1)
HD_BIT_FIELDS(LoopFields, LOOP_FIELDS);
typedef struct Loop {
    LoopFields of;
    int32_t index_step;
    HeadLoad head[MAX_HEADS];
    TailLoad tail[MAX_TAILS];
} Loop;
enum {
    Loop_bits = LoopFields_bits + STEP_BITS + MAX_HEADS * HeadLoad_bits + MAX_TAILS * TailLoad_bits
};

// An instruction that hands on a load id, in the last turn. carried: its sources with the id, a bit
// each. pure: the others are constant.
enum { MAX_CARRIERS = 16, MAX_IDS = 3 };
#define CARRIER(F) F(pc, 32) F(destination, 6) F(id, 2) F(carried, 3) F(pure, 1)
HD_BIT_FIELDS(Carrier, CARRIER);
// head_...: by load id, the number of the head + 1; 0: none.
#define FINDER(F) F(carriers, 5) F(ids, 2) F(head_1, 2) F(head_2, 2) F(head_3, 2)
HD_BIT_FIELDS(Finder, FINDER);

typedef struct Training {
    ValueTag *values;
    LoadId *ids;
    Stride *strides;
    Carrier *carriers;
    Finder *finder;
    Loop *loop;
    const HdLoop *code;
    bool last; // the last turn: loads are found
} Training;

// The values of an instruction's sources, as far as they are known.
typedef struct SourceValues {
    int64_t of[HD_SOURCES];
    bool known[HD_SOURCES];
} SourceValues;

// Begins the first turn (all registers are constant) or the last one.
void training_begin(const Training *training);
// The turn has this instruction. whole: for all lanes that began the turn.
void training_step(const HdPlace *place, const Training *training, const HdInstruction *in,
                   const SourceValues *values, bool whole);

#endif
