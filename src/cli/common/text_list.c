// A list of texts.
#include "cli/common/text_list.h"

#include <stdlib.h>

bool text_list_add(TextList *list, const char *text)
{
    const char **grown = realloc(list->items, (list->count + 2) * sizeof *grown);
    if (!grown) return false;
    list->items = grown;
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
    return true;
}

void text_list_free(TextList *list)
{
    free(list->items);
    *list = (TextList){0};
}
