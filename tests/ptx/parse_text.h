// What the tests of the PTX front end share: small modules from text.
#ifndef HEDDLE_TESTS_PTX_PARSE_TEXT_H
#define HEDDLE_TESTS_PTX_PARSE_TEXT_H

// cmocka.h wants these in front of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx/ptx.h"

// Four lines in front of everything that module_of reads.
#define MODULE_HEADER ".version 7.5\n.target sm_75\n.address_size 64\n\n"

// The module MODULE_HEADER text; the test fails with the message where it does not parse.
PtxModule *module_of(const char *text);

// The module with one kernel k(u64 p, u32 n), whose body is the text behind these declarations:
// %p<9> pred, %rs<9> b16, %r<99> b32, %f<9> f32, %rd<9> b64, %fd<9> f64. The body's first line is
// line 13 of the file.
PtxModule *module_of_body(const char *body);

// The same, and the kernel.
PtxFunction *kernel_of_body(const char *body, PtxModule **module);

// Checks that the body does not parse: that the message begins with "test.ptx:LINE:COLUMN: " and
// contains the words.
void expect_error(const char *body, int line, int column, const char *words);
// The same of a whole module behind MODULE_HEADER.
void expect_module_error(const char *text, int line, int column, const char *words);

// The 64-bit or 32-bit constant behind an operand, as lane 0 reads it (and all others: checked).
uint64_t constant64(const PtxFunction *f, Operand operand);
uint32_t constant32(const PtxFunction *f, Operand operand);

#endif
