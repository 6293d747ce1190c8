// Lists of the objects that a program holds by handle (streams, events, arrays, ...), one list per
// kind, newest first. A handle that the program passes is looked up before it is dereferenced.
#ifndef HEDDLE_CUDART_HANDLES_H
#define HEDDLE_CUDART_HANDLES_H

#include <stdbool.h>

// The first member of an object; the object's address is the handle.
typedef struct Handle {
    struct Handle *next;
} Handle;

// All require the context's lock.
bool handle_known(const Handle *list, const void *handle);
void handle_add(Handle **list, void *object);
// Removes an object, which must be in the list; does not free it.
void handle_remove(Handle **list, const void *object);
// Frees all objects of a list. For objects that own no other memory.
void handles_free(Handle **list);

#endif
