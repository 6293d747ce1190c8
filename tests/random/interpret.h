// The reference interpreter's state: what the files interpret*.c share.
#ifndef TESTS_RANDOM_INTERPRET_H
#define TESTS_RANDOM_INTERPRET_H

#include "values.h"

typedef unsigned __int128 Threads; // a set of threads of a block: bit i is thread i
static inline bool has(Threads set, unsigned t) { return set >> t & 1; }
static inline Threads only(unsigned t) { return (Threads)1 << t; }

// One activation of a function, of all threads that called it together.
typedef struct Frame {
    const Function *function;
    uint64_t registers[BANKS][BANK_SIZE][MAX_THREADS];
    uint8_t local[MAX_THREADS][LOCAL_BYTES];
    uint32_t depth[MAX_THREADS];
    Threads returned;
    Threads *left; // threads that left the innermost loop; NULL: no loop
} Frame;

typedef struct Machine {
    const Program *p;
    unsigned width, block, threads;
    uint8_t *memory;
    uint8_t shared[MAX_THREADS][SHARED_OWN_BYTES];
    uint8_t block_sums[BLOCK_BYTES];
    bool carry[MAX_THREADS];
    Threads exited;
} Machine;

// The value of a source in a thread.
uint64_t source(const Frame *f, const Source *s, Type type, unsigned t);
void set(Frame *f, Bank bank, unsigned number, unsigned t, uint64_t value);
// The thread's bytes of the memory.
uint8_t *own_row(Machine *m, unsigned t);
// An element of memory as its register holds it.
uint64_t load(const uint8_t *at, Type type);

// ---- interpret_exchange.c ----
void exchange(Machine *m, Frame *f, const Statement *s);
void vote_barrier(Machine *m, Frame *f, const Statement *s);
void across_warps(Machine *m, Frame *f, const Statement *s, Threads active);

#endif
