// printf in kernels. The format string and the arguments are in the guest's memory.
#ifndef HEDDLE_EXEC_PRINT_H
#define HEDDLE_EXEC_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A text that grows. Zero-initialise it, and free `text` at the end.
typedef struct PrintText {
    char *text;
    size_t length, capacity;
} PrintText;

// Reads memory as a thread sees it. false: the thread may not read there; the reader keeps the
// reason.
typedef struct PrintReader {
    bool (*read)(void *context, uint64_t address, void *to, unsigned bytes);
    void *context;
} PrintReader;

// The most bytes of a format, of a string, of a field, and of the text that one call prints. CUDA's
// buffer for all text of a kernel has this size by default.
enum { PRINT_LONGEST = 1 << 20 };

typedef enum PrintOutcome {
    PRINT_DONE,
    PRINT_BAD_ADDRESS,
    PRINT_NO_MEMORY,
    PRINT_TOO_WIDE, // a width or precision above PRINT_LONGEST
    PRINT_TOO_LONG  // a format, a string or the text above PRINT_LONGEST
} PrintOutcome;

// Appends the string at `address`: the bytes before the first zero, at most max_bytes.
PrintOutcome print_string(PrintText *out, uint64_t address, size_t max_bytes,
                          const PrintReader *reader);

// Appends the output of printf. The arguments start at `arguments`, each at a multiple of its size:
// 4 bytes for int and smaller types, else 8. *count: the number of arguments that the format takes,
// which is the return value of CUDA's printf; PRINT_TOO_WIDE: the width or precision. After a
// failure, `out` may have some of the text.
PrintOutcome print_formatted(PrintText *out, uint64_t format, uint64_t arguments,
                             const PrintReader *reader, int32_t *count);

// Appends bytes. false: out of memory.
bool print_bytes(PrintText *out, const char *bytes, size_t length);
// Appends text, formatted as printf of the host does. false: out of memory.
bool print_text(PrintText *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
