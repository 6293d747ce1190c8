// A file that is read from its start to its end and decompressed: gzip and zstd are detected by
// their first bytes, whatever the file's name.
#ifndef HEDDLE_BASE_INPUT_H
#define HEDDLE_BASE_INPUT_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Input Input;

// NULL and err if the file cannot be read. `path` must outlive the input.
Input *input_open(const char *path, HdError *err);
// NULL is allowed.
void input_close(Input *in);

#define INPUT_ERROR SIZE_MAX
// Reads `size` bytes, fewer only at the end; returns how many. INPUT_ERROR and err if the file
// cannot be read, or if compressed data is damaged or incomplete.
size_t input_read(Input *in, void *bytes, size_t size, HdError *err);

// The number of (decompressed) bytes read so far.
uint64_t input_offset(const Input *in);
// The size of the file on the disk; 0 for a pipe.
uint64_t input_stored_size(const Input *in);
// Whether the file is not compressed. Known after the first input_read.
bool input_is_plain(const Input *in);

#endif
