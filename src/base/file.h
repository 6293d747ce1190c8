// Whole files in and out: reading (plain, gzip or zstd), and writing that replaces a file only when
// the new one is complete.
#ifndef HEDDLE_BASE_FILE_H
#define HEDDLE_BASE_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

// The contents of the file at `path` (gzip and zstd are recognised and unpacked), with a zero byte
// behind them that *size does not count. Owned by the caller: free(). NULL and err on failure.
char *file_read(const char *path, size_t *size, HdError *err);

// The content hash (base/hash.h) of the file as it lies on the disk.
bool file_hash(const char *path, uint64_t *hash, HdError *err);

// Writes `size` bytes to `path` by way of a temporary file beside it, flushed to the disk and
// renamed: on any failure (a full disk, say) a file that was there before stays as it was.
bool file_write(const char *path, const void *bytes, size_t size, HdError *err);

// Could file_write write there now? Leaves nothing behind.
bool file_check_writable(const char *path, HdError *err);

#endif
