// What a program holds by handle (streams, events, arrays, ...): a list of each kind's objects, the
// last made first. A handle that the program passes is looked up there before it is believed.
#ifndef HEDDLE_CUDART_HANDLES_H
#define HEDDLE_CUDART_HANDLES_H

#include <stdbool.h>

// The first member of an object, whose address is the handle.
typedef struct Handle {
    struct Handle *next;
} Handle;

// Under the context's lock.
bool handle_known(const Handle *list, const void *handle);
void handle_add(Handle **list, void *object);
// The object has to be in the list; it is not freed.
void handle_remove(Handle **list, const void *object);
// Frees all of a list, which own nothing more.
void handles_free(Handle **list);

#endif
