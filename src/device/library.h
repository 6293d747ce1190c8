// A shared library that is opened at run time, and the functions that are wanted of it.
#ifndef HEDDLE_DEVICE_LIBRARY_H
#define HEDDLE_DEVICE_LIBRARY_H

#include "base/error.h"

#include <stddef.h>

// A library's functions stand in a struct of pointers, made from one list of its interface,
//     #define X_FUNCTIONS(F) F(xInit, (unsigned flags)) F(xStop, (void)) ...
// as
//     typedef struct XApi { X_FUNCTIONS(LIBRARY_POINTER) } XApi; // each returns an int
//     static const char *const names[] = {X_FUNCTIONS(LIBRARY_NAME)};
#define LIBRARY_POINTER(name, parameters) int(*name) parameters;
#define LIBRARY_NAME(name, parameters) #name,

// Opens the first of `files` (NULL-terminated) that there is, and sets the pointers at `functions`
// to the `count` functions of `names`. The handle for library_close; NULL and err otherwise.
void *library_open(const char *const *files, const char *const *names, size_t count,
                   void *functions, HdError *err);
void library_close(void *library);

#endif
