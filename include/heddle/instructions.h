// What mechanisms see of a program's instructions and loops, and the micro-ops that they inject.
// Part of heddle/mechanism.h, which includes it.
#ifndef HEDDLE_INSTRUCTIONS_H
#define HEDDLE_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

// Operations that compute addresses, on integers of 32 and 64 bits; mul.wide, mad.wide and cvt also
// of 16 bits, and cvt of 8. HD_OP_COPY: mov, and cvt and cvta to 32 and 64 bits. HD_OP_LOAD: a
// global load of one element of 8 to 64 bits. HD_OP_COMPARE: setp.
typedef enum HdOpcode {
    HD_OP_OTHER, HD_OP_ADD, HD_OP_SUB, HD_OP_MUL, HD_OP_MAD, HD_OP_SHIFT_LEFT, HD_OP_COPY,
    HD_OP_LOAD, HD_OP_COMPARE, HD_OP_BRANCH
} HdOpcode;

typedef enum HdCompare { HD_EQ, HD_NE, HD_LT, HD_LE, HD_GT, HD_GE } HdCompare;

// HD_REGISTER: `number` is its first 32-bit register in the frame of the function, as Heddle
// allocates them. A register of 16 bits takes one of 32. HD_PREDICATE: likewise of predicates.
// HD_CONSTANT: `value`.
typedef enum HdOperandKind { HD_NO_OPERAND, HD_REGISTER, HD_PREDICATE, HD_CONSTANT } HdOperandKind;
typedef struct HdOperand {
    int64_t value;   // sign-extended
    uint16_t number;
    uint8_t kind;    // HdOperandKind
    uint8_t bytes;   // 4 or 8; of a predicate 0
} HdOperand;

// A static instruction. Operands beyond those of its kind are not shown.
enum { HD_SOURCES = 3 };
typedef struct HdInstruction {
    uint32_t pc;     // as HdAccess.pc
    uint8_t opcode;  // HdOpcode
    uint8_t compare; // HD_OP_COMPARE: HdCompare
    bool is_signed;  // HD_OP_COMPARE
    bool read_only;  // HD_OP_LOAD: ld.global.nc
    bool negated;    // runs in the lanes in which the guard is false
    HdOperand guard; // a predicate, or none
    HdOperand destination;
    HdOperand source[HD_SOURCES]; // of a load: its address
    int64_t offset;  // HD_OP_LOAD: bytes, added to the address
    uint32_t target; // HD_OP_BRANCH: where the lanes go that take it; the others go to pc + 1
} HdInstruction;

// An innermost natural loop of the control-flow graph, in pcs. A turn leads from the header to an
// edge back to the header.
typedef struct HdLoop {
    uint32_t header, closing;     // its first instruction; the last one before the header
    const uint32_t *instructions; // each follows those that lead to it within a turn
    const bool *always;           // likewise: each whole turn has the instruction
    uint32_t count;
    // The exit test compares its source `index` with the other source. The source is the loop's
    // index, or a copy of it by a mov or cvt of the loop. `update` adds its source `step` to the
    // index in each turn, or subtracts it. No turn changes this source or the bound. The loop
    // continues if the result is `continues`. HD_NO_PC: there is no such test.
    uint32_t test, update;
    uint8_t index, step;
    bool continues;
} HdLoop;

// What a warp's load became.
typedef enum HdForm {
    HD_AS_WRITTEN,
    HD_MOVED,       // a move from a spare register
    HD_LANE_MISSED, // it ran: the spare register lacks a lane that the load has
    HD_WRONG        // it ran: the spare register has data from another address
} HdForm;

// An instruction that a warp has issued.
typedef struct HdIssued {
    uint64_t cycle; // core cycles
    const HdInstruction *instruction;
    uint32_t active;     // lanes that the warp runs together
    uint32_t lanes;      // of these, the ones that the guard lets run; of a branch: which take it
    uint32_t next_pc;    // of the warp's next instruction; HD_NO_PC: all lanes have exited
    uint32_t next_lanes; // that the warp runs together next
    uint16_t warp_slot;
    uint8_t form; // HdForm
    // The operands, each an array by lane of 4 or 8 bytes (HdOperand.bytes); NULL: no value. They
    // are read after the instruction has run: a source that it overwrites has its result.
    const void *sources[HD_SOURCES];
} HdIssued;

// The value of a source in a lane, sign-extended.
static inline int64_t hd_source(const HdIssued *issued, unsigned source, unsigned lane)
{
    const void *values = issued->sources[source];
    if (!values) return 0;
    return issued->instruction->source[source].bytes == 8 ? ((const int64_t *)values)[lane]
                                                          : ((const int32_t *)values)[lane];
}

// A micro-op: an instruction of the program, repeated with other registers. Spare registers have
// 32 bits, and the numbers from 0 to HdKernel.spare_registers - 1. An operand of 64 bits
// (HdOperand.bytes is 8) takes a spare register and the next one. A load writes its element as the
// program's load does: a narrow one extended, and 64 bits if the program's register has 64. From
// HD_TEMPORARY on there are HD_TEMPORARIES further ones, of 64 bits, for values that live until the
// next micro-op reads them.
enum { HD_OWN_REGISTER = 255, HD_TEMPORARY = 128, HD_TEMPORARIES = 8, HD_MAX_SPARE = 64 };
typedef struct HdMicroOp {
    const HdInstruction *instruction; // of the opcodes from HD_OP_ADD to HD_OP_LOAD
    uint32_t lanes;
    uint8_t destination;         // a spare or temporary register
    uint8_t source[HD_SOURCES];  // the same; or HD_OWN_REGISTER, also where the instruction has no
                                 // such source
    int64_t offset;              // of a load: bytes, added to the address
    const HdInstruction *after;  // it waits for the sources of this one, too; NULL: none
} HdMicroOp;

#endif
