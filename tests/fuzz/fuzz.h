// A fuzz target: one function that hands an input to the reader under test. libFuzzer calls it with
// inputs that it makes up; replay.c calls it with files.
#ifndef HEDDLE_TESTS_FUZZ_FUZZ_H
#define HEDDLE_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The name of the target, for a source that has several.
extern const char *fuzz_target;

// Returns 0, or -1 for an input that the corpus does not keep. The name is libFuzzer's.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Ends the process with the message, so that the fuzzer keeps the input: what a reader must never
// do.
void fuzz_fail(const char *what) __attribute__((noreturn));
// fuzz_fail, unless `holds`.
void fuzz_check(bool holds, const char *what);

// A copy with a zero byte behind it, of exactly that size, so that the address sanitizer sees each
// read beyond it. The caller frees it.
char *fuzz_text(const uint8_t *bytes, size_t size);

// The path of a file in memory with these contents, until the next call.
const char *fuzz_file(const uint8_t *bytes, size_t size);
// Makes a file in memory that can be opened by this name in the working directory, until the
// process ends. Replaces the contents of an earlier call. There are at most 8 names.
void fuzz_name(const char *name, const uint8_t *bytes, size_t size);

#endif
