// Linked lists of the objects that a program holds by handle.
#include "cudart/runtime/handles.h"

#include <stdlib.h>

bool handle_known(const Handle *list, const void *handle)
{
    while (list && list != handle) list = list->next;
    return list;
}

void handle_add(Handle **list, void *object)
{
    Handle *handle = object;
    handle->next = *list;
    *list = handle;
}

void handle_remove(Handle **list, const void *object)
{
    Handle **at = list;
    while (*at != object) at = &(*at)->next;
    *at = (*at)->next;
}

void handles_free(Handle **list)
{
    while (*list) {
        Handle *handle = *list;
        *list = handle->next;
        free(handle);
    }
}
