// Data that is read once, from its start to its end, and decompressed: gzip, zstd, bzip2 and xz are
// detected by their first bytes, whatever the name. The data is a file, a pipe, or bytes in memory.
#ifndef HEDDLE_BASE_INPUT_H
#define HEDDLE_BASE_INPUT_H

#include "base/budget.h"
#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Input Input;

// NULL and err if the file cannot be read. `path` must outlive the input.
Input *input_open(const char *path, HdError *err);
// The same for `size` bytes in memory, which must outlive the input. `name` is for messages.
Input *input_open_bytes(const char *name, const void *bytes, size_t size, HdError *err);
// NULL is allowed.
void input_close(Input *in);

// Limits what is read from a pipe or from compressed data, whose size is not known, to the whole
// of the budget, which must outlive the input. Without a limit, INPUT_STREAM_LIMIT holds.
void input_limit(Input *in, const MemoryBudget *budget);
#define INPUT_STREAM_LIMIT ((uint64_t)256 << 20)

#define INPUT_ERROR SIZE_MAX
// Reads `size` bytes, fewer only at the end; returns how many. INPUT_ERROR and err if the file
// cannot be read, exceeds a limit, or if compressed data is damaged or incomplete.
size_t input_read(Input *in, void *bytes, size_t size, HdError *err);

// The first `size` bytes, fewer only if the data ends, and a zero byte behind them. *got: how many.
// The next input_read gives them again. Only before any input_read; valid until the next call.
// NULL and err as for INPUT_ERROR.
const char *input_peek(Input *in, size_t size, size_t *got, HdError *err);

const char *input_name(const Input *in);
// The number of (decompressed) bytes read so far.
uint64_t input_offset(const Input *in);
// The size of the data as it is stored; 0 for a pipe.
uint64_t input_stored_size(const Input *in);
// The number of stored bytes read so far, for progress.
uint64_t input_stored_offset(const Input *in);
// Whether the data is not compressed. Known after the first input_read or input_peek.
bool input_is_plain(const Input *in);

#endif
