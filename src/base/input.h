// A file read from its beginning to its end, unpacked on the way: gzip and zstd are recognised by
// their first bytes, whatever the file is called.
#ifndef HEDDLE_BASE_INPUT_H
#define HEDDLE_BASE_INPUT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Input Input;

// NULL and err where it cannot be read. `path` must outlive the input.
Input *input_open(const char *path, HdError *err);
// NULL is allowed.
void input_close(Input *in);

#define INPUT_ERROR SIZE_MAX
// Reads `size` bytes, fewer only at the end; returns how many. INPUT_ERROR and err where the file
// cannot be read, or is compressed and damaged or incomplete.
size_t input_read(Input *in, void *bytes, size_t size, HdError *err);

// How many (unpacked) bytes have been read.
uint64_t input_offset(const Input *in);
// How many the file has on the disk; 0 for a pipe.
uint64_t input_stored_size(const Input *in);
// Whether these are the bytes that input_read gives. Known after the first input_read.
bool input_is_plain(const Input *in);

#endif
