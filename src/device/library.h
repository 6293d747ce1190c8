// A shared library that is opened at run time, and its functions.
#ifndef HEDDLE_DEVICE_LIBRARY_H
#define HEDDLE_DEVICE_LIBRARY_H

#include "base/fail.h"

#include <stddef.h>

// A struct of pointers to a library's functions, made from one list of its interface,
//     #define X_FUNCTIONS(F) F(xInit, (unsigned flags)) F(xStop, (void)) ...
// as
//     typedef struct XApi { X_FUNCTIONS(LIBRARY_POINTER) } XApi; // each returns an int
//     static const char *const names[] = {X_FUNCTIONS(LIBRARY_NAME)};
#define LIBRARY_POINTER(name, parameters) int(*name) parameters;
#define LIBRARY_NAME(name, parameters) #name,

// Opens the first of `files` (NULL-terminated) that exists, and sets the pointers at `functions` to
// the `count` functions of `names`. Returns the handle for library_close; NULL and err on failure.
void *library_open(const char *const *files, const char *const *names, size_t count,
                   void *functions, HdError *err);
void library_close(void *library);

#endif
