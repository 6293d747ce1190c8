// What the fuzz targets share: copies of the input, and a file in memory.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef FUZZ_TARGET
#define FUZZ_TARGET NULL // replay.c knows it
#endif
const char *fuzz_target = FUZZ_TARGET;

void fuzz_fail(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

void fuzz_check(bool holds, const char *what)
{
    if (!holds) fuzz_fail(what);
}

char *fuzz_text(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) fuzz_fail("out of memory");
    if (size) memcpy(text, bytes, size);
    text[size] = 0;
    return text;
}

enum { MEMORY_PATH = 32, MAX_NAMES = 8 };

// A file in memory, and the path by which it can be opened.
typedef struct MemoryFile {
    const char *name; // in the working directory; NULL: none
    int file;
    char path[MEMORY_PATH];
} MemoryFile;

static void open_memory(MemoryFile *memory)
{
    memory->file = memfd_create("fuzz", MFD_CLOEXEC);
    if (memory->file < 0) fuzz_fail("no file in memory");
    snprintf(memory->path, sizeof memory->path, "/proc/self/fd/%d", memory->file);
}

static void fill(const MemoryFile *memory, const uint8_t *bytes, size_t size)
{
    if (ftruncate(memory->file, (off_t)size) != 0 ||
        pwrite(memory->file, bytes, size, 0) != (ssize_t)size)
        fuzz_fail("a file in memory cannot be written");
}

const char *fuzz_file(const uint8_t *bytes, size_t size)
{
    static MemoryFile memory;
    if (!*memory.path) open_memory(&memory);
    fill(&memory, bytes, size);
    return memory.path;
}

void fuzz_name(const char *name, const uint8_t *bytes, size_t size)
{
    static MemoryFile files[MAX_NAMES];
    MemoryFile *memory = files;
    while (memory->name && strcmp(memory->name, name) != 0) memory++;
    if (!memory->name) {
        if (memory == files + MAX_NAMES - 1) fuzz_fail("too many names");
        memory->name = name;
        open_memory(memory);
        unlink(name); // an earlier run's
        if (symlink(memory->path, name) != 0) fuzz_fail("no link in the working directory");
    }
    fill(memory, bytes, size);
}
