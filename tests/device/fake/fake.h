// Shared code of the fake libraries: a log of calls, and errors on demand. Each call is appended to
// the file FAKE_LOG. FAKE_FAIL=NAME[:N]=CODE makes the N-th call of NAME return CODE (default 1,
// the first). NAME:* makes all its calls return CODE.
#ifndef HEDDLE_TESTS_DEVICE_FAKE_H
#define HEDDLE_TESTS_DEVICE_FAKE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

__attribute__((format(printf, 1, 2))) static inline void fake_log(const char *format, ...)
{
    const char *path = getenv("FAKE_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    fclose(file);
}

// Returns the error that this call must return, or 0. `calls` counts calls by this name.
static inline int fake_error(const char *name, int *calls)
{
    const char *wish = getenv("FAKE_FAIL");
    size_t length = strlen(name);
    if (!wish || strncmp(wish, name, length) != 0) return 0;
    const char *rest = wish + length, *code = strchr(wish, '=');
    int number = *rest == ':' && rest[1] != '*' ? atoi(rest + 1) : 1;
    ++*calls;
    if ((*rest != ':' && *rest != '=') || !code) return 0;
    return rest[1] == '*' || *calls == number ? atoi(code + 1) : 0;
}

// The first statement of each fake function: logs the arguments, and returns the error if any.
#define CALL(name, ...)                                                                            \
    static int calls_;                                                                             \
    int error_ = fake_error(name, &calls_);                                                        \
    fake_log(name __VA_ARGS__);                                                                    \
    if (error_) return error_

#endif
