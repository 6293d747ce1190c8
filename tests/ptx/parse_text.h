// Parses small modules, for tests of the PTX front end.
#ifndef HEDDLE_TESTS_PTX_PARSE_TEXT_H
#define HEDDLE_TESTS_PTX_PARSE_TEXT_H

// cmocka.h requires these headers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx/ptx.h"

// The first four lines of each module.
#define MODULE_HEADER ".version 7.5\n.target sm_75\n.address_size 64\n\n"

// The options with which all texts are parsed; zeros at first.
extern PtxOptions parse_options;

// Parses MODULE_HEADER and the text. On an error the test fails with the message.
PtxModule *module_of(const char *text);

// Parses a module with one kernel k(u64 p, u32 n). Its body is the text after these declarations:
// %p<9> pred, %rs<9> b16, %r<99> b32, %f<9> f32, %rd<9> b64, %fd<9> f64. The text begins in line
// 13.
PtxModule *module_of_body(const char *body);

// The same; returns the kernel.
PtxFunction *kernel_of_body(const char *body, PtxModule **module);

// Checks that the body does not parse, and that the message begins with "test.ptx:LINE:COLUMN: "
// and contains the words.
void expect_error(const char *body, int line, int column, const char *words);
// The same for a module, MODULE_HEADER and the text.
void expect_module_error(const char *text, int line, int column, const char *words);

// The 64-bit or 32-bit constant of an operand. Checks that all lanes have the same value.
uint64_t constant64(const PtxFunction *f, Operand operand);
uint32_t constant32(const PtxFunction *f, Operand operand);

#endif
