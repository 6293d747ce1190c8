// What a thread's printf prints: the format string and the arguments are in the guest's memory.
#ifndef HEDDLE_EXEC_PRINT_H
#define HEDDLE_EXEC_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A text that grows; zero-initialise to start, free text.
typedef struct PrintText {
    char *text;
    size_t length, capacity;
} PrintText;

// The memory as a thread sees it. false: it may not read there (the reader remembers why).
typedef struct PrintReader {
    bool (*read)(void *context, uint64_t address, void *to, unsigned bytes);
    void *context;
} PrintReader;

typedef enum PrintOutcome { PRINT_DONE, PRINT_BAD_ADDRESS, PRINT_NO_MEMORY } PrintOutcome;

// Appends the bytes at `address` up to a zero, at most `most` of them.
PrintOutcome print_string(PrintText *out, uint64_t address, size_t most, const PrintReader *reader);

// Appends what printf prints. The arguments lie at `arguments`, each at a multiple of its size: 4
// bytes for int and smaller, else 8. *count: how many arguments the format takes, which CUDA's
// printf returns.
PrintOutcome print_formatted(PrintText *out, uint64_t format, uint64_t arguments,
                             const PrintReader *reader, int32_t *count);

// Appends bytes. false: out of memory.
bool print_bytes(PrintText *out, const char *bytes, size_t length);
// Appends a text of the simulator's own. false: out of memory.
bool print_text(PrintText *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
