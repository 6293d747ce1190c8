// A random program as a tree: what the generator makes, print_ptx writes as PTX, and the reference
// interpreter executes. Nothing here comes from src/ptx or src/exec.
//
// Each program is right by construction: all registers have values from the start, addresses are
// masked to their region, and loops end. So any statement can be left out (the reducer does), and
// the final memory follows from the PTX ISA alone.
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include "choices.h"

// ---- types and registers ----

typedef enum Kind { KIND_BITS, KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT, KIND_PREDICATE } Kind;

#define TYPES(X)                                                                                   \
    X(U8, "u8", 8, UNSIGNED, 1) X(S8, "s8", 8, SIGNED, 1) X(B8, "b8", 8, BITS, 1)                  \
    X(U16, "u16", 16, UNSIGNED, 1) X(S16, "s16", 16, SIGNED, 1) X(B16, "b16", 16, BITS, 1)         \
    X(U32, "u32", 32, UNSIGNED, 1) X(S32, "s32", 32, SIGNED, 1) X(B32, "b32", 32, BITS, 1)         \
    X(U64, "u64", 64, UNSIGNED, 1) X(S64, "s64", 64, SIGNED, 1) X(B64, "b64", 64, BITS, 1)         \
    X(F16, "f16", 16, FLOAT, 1) X(BF16, "bf16", 16, FLOAT, 1) X(F32, "f32", 32, FLOAT, 1)          \
    X(F64, "f64", 64, FLOAT, 1) X(F16X2, "f16x2", 32, FLOAT, 2) X(BF16X2, "bf16x2", 32, FLOAT, 2)  \
    X(U16X2, "u16x2", 32, UNSIGNED, 2) X(S16X2, "s16x2", 32, SIGNED, 2)                            \
    X(PRED, "pred", 1, PREDICATE, 1)

typedef enum Type {
#define X(name, text, bits, kind, elements) T_##name,
    TYPES(X)
#undef X
    TYPE_COUNT
} Type;
typedef struct TypeInfo {
    const char *name;
    unsigned bits;
    Kind kind;
    unsigned elements;
} TypeInfo;
extern const TypeInfo types[TYPE_COUNT];
#define SET(type) (1u << T_##type)

// A register holds a value of its bank's width; 8-bit values are in registers of 16 bits.
typedef enum Bank { BANK_16, BANK_32, BANK_64, BANK_PRED, BANKS } Bank;
enum { BANK_SIZE = 8 };
extern const unsigned bank_registers[BANKS]; // of each function
Bank bank_of(Type type);
unsigned bank_bits(Bank bank);
uint64_t low_bits(uint64_t value, unsigned bits);

typedef enum RoundingMode { NEAREST, ZERO, DOWN, UP } RoundingMode;
typedef enum Comparison {
    EQ, NE, LT, LE, GT, GE, LO, LS, HI, HS, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_, COMPARISONS
} Comparison;
typedef enum Combination { ALONE, WITH_AND, WITH_OR, WITH_XOR } Combination;
extern const char *const rounding_names[], *const comparison_names[], *const combination_names[];

// ---- operations ----

typedef struct Statement Statement;
// Computes to[0] and to[1] (a predicate) of one thread. `carry` is the thread's carry flag.
typedef void Evaluate(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry);

typedef struct Operation {
    // The PTX opcode: %t type, %u second type, %r rounding, %f .ftz, %s .sat, %c comparison,
    // %b combination, %m mode.
    const char *text;
    // Destinations, "=", sources: t type, w twice as wide, u second type, r 32 bits, s 32 bits
    // (mostly a small number), p predicate, n a number below 256, z a divisor.
    const char *operands;
    uint32_t types, types2; // sets of Type
    const char *modes;      // texts of %m, separated by blanks; NULL: none
    Evaluate *evaluate;
} Operation;
extern const Operation operations[];
extern const unsigned operation_count;

// ---- statements ----

typedef struct Source {
    bool is_number, negated; // negated: of a predicate
    uint8_t number;          // of the register
    uint64_t bits;
} Source;

typedef enum StatementKind {
    OPERATE,   // op
    CHAIN,     // body: operations with carry in and out, which stay together
    VIDEO,     // an operation on fields of registers; mode, video
    IF,        // from[0] predicate; body, other
    LOOP,      // from[0] & mode + 1 turns; body
    WALK,      // from[1] & mode + 1 turns over the links from number from[0] & WALK_START on: adds
               // up the links that these links name, and executes body in each turn. `hint`: .nc
    BREAK,     // from[0] predicate: leave the innermost loop
    SWITCH,    // brx.idx by from[0] & 3; cases
    REGION,    // blocks with arbitrary branches among them
    LOAD, STORE, // space, vector, from[0] & mask, offset; STORE: from[1..]
    ALLOCATE,    // alloca; store from[0]; load
    OWN_ATOMIC,  // of a word that only this thread uses: the old value is defined
    SUM_ATOMIC,  // of a word that all threads use, by one commutative operation
    EXCHANGE,  // store from[0]; barrier; load from the neighbour at distance `offset`; barrier.
               // In global memory: store to own byte `mask`, or add there (`hint`), load byte
               // `mode` of the neighbour
    VOTE_BARRIER, // bar.red
    SHUFFLE, VOTE, MATCH, REDUCE, // among the active lanes of the warp
    LEADER,    // gives from[0] of the lowest lane to all, through shared memory and bar.warp.sync
    LANE_NUMBER, // reads a special register
    PACK, UNPACK, // mov between a register and its parts
    CALL,      // function, arguments, results
    RETURN,    // from[0] predicate: return from the function
    EXIT,      // from[0] predicate: end the thread
} StatementKind;

// MODULE is a variable in global memory, PARAMETER an array among the kernel's parameters. Both and
// CONSTANT hold the same bytes and are only read.
typedef enum Space {
    GLOBAL_OWN, GLOBAL_IN, CONSTANT, MODULE, PARAMETER, SHARED_OWN, LOCAL, SPACES
} Space;
typedef enum Address {
    BY_REGISTER, // [register + offset]
    BY_NAME,     // [variable + number]: from[0] is a number
    GENERIC,     // a generic address
    ADDRESSES
} Address;

enum { MAX_SOURCES = 5, MAX_FIELDS = 4, MAX_PARAMETERS = 5, SWITCH_CASES = 4, REGION_BLOCKS = 5 };

// How a block of a REGION ends: by `kind`, at other blocks; REGION_BLOCKS means the end.
typedef struct Jump {
    enum { GO, GO_IF, GO_BY_TABLE } kind;
    Source by; // predicate, or index & 3
    uint8_t to[4];
} Jump;

// The modifiers of a VIDEO instruction. A selector of 0 is the whole register.
typedef struct VideoForm {
    Type a, b; // U32 or S32
    uint8_t select_a, select_b, select_to, second;
    bool wraps; // of a shift count
} VideoForm;

typedef struct Function Function;

struct Statement {
    StatementKind kind;
    bool removed; // by the reducer
    Statement *next;
    // OPERATE
    const Operation *op;
    Type type, type2;
    RoundingMode rounding;
    Comparison comparison;
    Combination combination;
    unsigned mode;
    bool flush, saturate;
    bool carry_in, carry_out;
    bool has_second; // to[1] is written
    int guard;       // a predicate register, or -1
    bool guard_negated;
    uint8_t to[MAX_FIELDS];
    Source from[MAX_SOURCES];
    // LOAD, STORE, atomics
    Space space;
    Address address;
    unsigned vector;
    uint32_t offset, mask; // bytes: offset + (from[0] & mask)
    bool hint;             // .volatile, .nc, .relaxed and the like, by `mode`
    // control
    Statement *body, *other, *cases[REGION_BLOCKS];
    Jump jumps[REGION_BLOCKS];
    unsigned blocks;
    VideoForm video;
    bool members; // lanes of the body exchange values: compute their mask in front
    // CALL
    const Function *function, *second; // second: by pointer, if from[0] is true; NULL: direct
    Source arguments[MAX_PARAMETERS][MAX_FIELDS];
    uint8_t results[MAX_FIELDS];
};

// A parameter or the result of a function: one value, or an array of bytes with several fields.
typedef struct Parameter {
    unsigned fields, bytes, align;
    bool array;
    Type type[MAX_FIELDS];
    uint32_t offset[MAX_FIELDS];
    uint8_t to[MAX_FIELDS]; // registers of the function
} Parameter;

struct Function {
    unsigned number; // 0: the kernel
    unsigned parameters;
    Parameter parameter[MAX_PARAMETERS], result;
    bool has_result;
    uint64_t initial[BANKS][BANK_SIZE];
    Statement *body;
    bool recursive; // its first parameter is a depth, which each activation decreases
    unsigned ballast; // further registers, which live through the whole function
};

// ---- memory ----
//
// One allocation: input, links, sums, a row for each block, a row for each thread. A link is the
// number of a link.
enum {
    MAX_BLOCKS = 4,
    MAX_THREADS = 128, // of a block
    IN_BYTES = 512,
    LINKS = 64, // words of 4 bytes
    WALK_START = 31,
    SUMS = 32, // words of 8 bytes
    BLOCK_SUMS = 8,
    BLOCK_BYTES = BLOCK_SUMS * 8,
    OWN_BYTES = 128,
    DUMP_BYTES = 128,
    THREAD_BYTES = OWN_BYTES + DUMP_BYTES,
    LINKS_AT = IN_BYTES,
    SUMS_AT = LINKS_AT + LINKS * 4,
    BLOCKS_AT = SUMS_AT + SUMS * 8,
    THREADS_AT = BLOCKS_AT + MAX_BLOCKS * BLOCK_BYTES,
    MEMORY_BYTES = THREADS_AT + MAX_BLOCKS * MAX_THREADS * THREAD_BYTES,
    CONSTANT_BYTES = 256,
    PARAMETER_BYTES = 64, PARAMETER_AT = 16, // in the kernel's parameters
    SHARED_OWN_BYTES = 16, // of a thread
    LOCAL_BYTES = 32,
};

// The operation and type of each word of sums. All are commutative, also with one operand fixed.
typedef enum SumOperation {
    SUM_ADD, SUM_MIN, SUM_MAX, SUM_AND, SUM_OR, SUM_XOR, SUM_INC,
    OWN_EXCHANGE, OWN_CAS, OWN_DEC, ATOMIC_OPERATIONS
} AtomicOperation;
extern const char *const atomic_names[];
typedef struct Sum { AtomicOperation operation; Type type; } Sum;
Sum sum_of_word(unsigned word);
uint64_t sum_start(unsigned word); // its first value

enum { MAX_FUNCTIONS = 4, MAX_STATEMENTS = 600 };

typedef struct Program {
    unsigned grid, block[3];
    Function functions[MAX_FUNCTIONS]; // the kernel is the first one
    unsigned function_count;
    bool exits; // a thread may end early: there are no barriers
    bool warps; // lanes of a warp may exchange values
    bool dumps[BANKS][BANK_SIZE]; // registers that are stored at the end
    uint8_t in[IN_BYTES], constants[CONSTANT_BYTES], links[LINKS];
    Statement statements[MAX_STATEMENTS];
    unsigned statement_count;
} Program;

// Makes a program. Never fails.
void program_generate(Program *p, Choices *c);
// The program as PTX, with this kernel name; NULL: out of memory. The caller frees the text.
char *program_ptx(const Program *p, const char *name);
// Executes the program on the memory, MEMORY_BYTES long, which program_memory has set.
void program_interpret(const Program *p, unsigned width, uint8_t *memory);
void program_memory(const Program *p, uint8_t *memory);

static inline unsigned program_threads(const Program *p)
{
    return p->block[0] * p->block[1] * p->block[2];
}

// The bytes of the memory that the program can reach.
static inline size_t program_bytes(const Program *p)
{
    return THREADS_AT + (size_t)p->grid * program_threads(p) * THREAD_BYTES;
}

// Whether the sums of each block are stored at its end: some thread changes them, and no thread
// ends before the last barrier.
bool program_sums(const Program *p);

// What lies at a byte of the memory, for messages.
void memory_describe(const Program *p, size_t at, char *text, size_t size);

#endif
