// Reads whole files, also compressed ones (base/input.h), and writes them so that a file is
// replaced only by a complete one.
#ifndef HEDDLE_BASE_FILE_H
#define HEDDLE_BASE_FILE_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

// The contents of the file at `path`, decompressed (base/input.h), and a zero byte that *size does
// not count. Owned by the caller: free(). NULL and err on failure.
char *file_read(const char *path, size_t *size, HdError *err);
// The same for a file of at most `most` bytes, compressed and decompressed.
char *file_read_most(const char *path, uint64_t most, size_t *size, HdError *err);
// The same as file_read for text, without the mark in front of it by which some editors tell UTF-8
// (U+FEFF).
char *file_read_text(const char *path, size_t *size, HdError *err);

// Whether there is a file at `path`: *there. false and err: something else is, for example a pipe,
// which would keep its reader waiting.
bool file_is_there(const char *path, bool *there, HdError *err);

// Makes a folder that need not be new. false and err: it cannot be made.
bool file_make_folder(const char *path, HdError *err);

// The content hash (base/hash.h) of the file's bytes, without decompression.
bool file_hash(const char *path, uint64_t *hash, HdError *err);

// Writes `size` bytes to a temporary file beside `path`, flushes it to the disk and renames it:
// after a failure (such as a full disk) an old file is unchanged. The new file has the mode of the
// old one, or what the umask leaves of 0666. A symbolic link stays, and what it names is replaced.
// A pipe, a device and a descriptor of this process (/dev/stdout) are written as they are. Removes
// temporary files that killed processes left in the folder.
bool file_write(const char *path, const void *bytes, size_t size, HdError *err);

// Whether file_write can write there now. Leaves no file behind.
bool file_check_writable(const char *path, HdError *err);

#endif
