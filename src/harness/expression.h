// Numbers in a script: 4096, 0x1000, 4KiB, first+2*i*line. They are read once, and computed each
// time a command is executed.
#ifndef HEDDLE_HARNESS_EXPRESSION_H
#define HEDDLE_HARNESS_EXPRESSION_H

#include "base/fail.h"
#include "base/memory.h"

typedef struct ExpressionNode {
    char operation;  // '+', '-', '*', '/', '%'; 'n': a number; 'v': a variable
    int column;      // of the first character, from 1
    uint64_t number; // the number, or the index of the variable
} ExpressionNode;

// In postfix order.
typedef struct Expression {
    const ExpressionNode *nodes;
    size_t count;
} Expression;

// Parentheses in parentheses, at most; also bounds the stack of expression_value.
enum { EXPRESSION_DEPTH = 16 };

// A word of a script.
typedef struct ScriptWord {
    const char *file;
    const char *text;
    int line, column; // from 1
} ScriptWord;

// Finds the index of a variable that can be used here. false: there is none of this name.
typedef bool FindVariable(const void *context, const char *name, size_t *index);

typedef struct ExpressionReader {
    FindVariable *find;
    const void *context; // of find
    HdArena *arena;      // owns the nodes
} ExpressionReader;

// Reads a word, whole. false and err, which names file, line and column.
bool expression_read(Expression *expression, const ExpressionReader *reader, const ScriptWord *word,
                     HdError *err);

// Computes it. false and err: a value leaves 64 bits, or a divisor is 0.
bool expression_value(const Expression *expression, const ScriptWord *word,
                      const uint64_t *variables, uint64_t *value, HdError *err);

#endif
