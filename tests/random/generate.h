// Making programs: what the files generate*.c share.
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "program.h"

// Where in the program the next statement is.
typedef struct Context {
    Choices *c;
    Program *p;
    Function *f;
    unsigned depth;    // of nested statements
    int *left;         // statements that may still be made
    bool uniform;      // all threads of the block come here: barriers may stand here
    bool converged;    // the mask of the warp's lanes is known: they may exchange values
    bool in_loop;      // a BREAK may stand here
    bool in_region;    // only statements without lasting effect on control flow
} Context;

// An empty statement; NULL: the program is full.
Statement *new_statement(Context *x, StatementKind kind);
Source choose_register(Context *x, Type type);
// A register, or in some cases a number that is interesting for the type.
Source choose_source(Context *x, Type type);
uint64_t choose_number(Choices *c, Type type);
uint8_t choose_target(Context *x, Type type);
void choose_guard(Context *x, Statement *s);

Statement *make_operation(Context *x);
Statement *make_video(Context *x);
Statement *make_chain(Context *x);
Statement *make_access(Context *x);
Statement *make_overlap(Context *x);
Statement *make_atomic(Context *x);
Statement *make_exchange(Context *x);
Statement *make_warp(Context *x);
Statement *make_parts(Context *x);
Statement *make_list(Context x, unsigned count);
Type operand_type(const Statement *s, char letter);

#endif
