// Writing PTX: what the files print_*.c share.
#ifndef TESTS_RANDOM_PRINT_H
#define TESTS_RANDOM_PRINT_H

#include "program.h"

#include <stdio.h>

// A function being written. Its instructions come first, because they need temporary registers.
typedef struct Printer {
    const Program *p;
    const Function *f;
    FILE *out;
    const char *body; // the function's other instructions, when its first ones are written
    unsigned temporaries[BANKS]; // in use
    unsigned labels;
    int members; // register of the mask of the warp's lanes; -1: none
    int left;    // label behind the innermost loop
    bool loop_members; // the innermost loop keeps the mask of its lanes
} Printer;

typedef struct Name { char text[48]; } Name;

// A new temporary register of the bank.
unsigned temporary(Printer *w, Bank bank);
// "%r3": a register of the function; "%tr3": a temporary one.
Name register_name(Bank bank, unsigned number);
Name temporary_name(Bank bank, unsigned number);
// Whether the text has the name, as a whole word.
bool mentions(const char *text, const char *name);
// A source as written: a register or a number of the type.
Name source_name(const Source *s, Type type);
// "@%p1 " or "".
Name guard_name(const Statement *s);
Type operand_type(const Statement *s, char letter);

void print_video(Printer *w, const Statement *s);
void print_memory(Printer *w, const Statement *s);
void print_allocate(Printer *w, const Statement *s);
void print_atomic(Printer *w, const Statement *s);
void print_exchange(Printer *w, const Statement *s);
void print_warp(Printer *w, const Statement *s);
void print_call(Printer *w, const Statement *s);
// The function's declaration up to ")", and the first instructions.
void print_signature(FILE *out, const Function *f);
void print_function_start(Printer *w);
void print_function_end(Printer *w);
void print_result(Printer *w);
void print_kernel_start(Printer *w);
void print_kernel_end(Printer *w);
void print_list(Printer *w, const Statement *list);

#endif
